// The handheld's keys: on the keyboard, and drawn ones for mouse, finger and pen.

import { A, B, DOWN, LEFT, RIGHT, UP } from "./firmware.js";

/** The keys of each layout (hal/keys.py LAYOUTS). */
const LAYOUTS: Readonly<Record<string, number>> = {
  six: UP | DOWN | LEFT | RIGHT | A | B,
  four: LEFT | RIGHT | A | B,
  three: RIGHT | A | B,
  two: RIGHT | A,
  encoder: LEFT | RIGHT | A,
};

const ON_KEYBOARD: ReadonlyMap<string, number> = new Map([
  ["ArrowUp", UP], ["ArrowDown", DOWN], ["ArrowLeft", LEFT], ["ArrowRight", RIGHT],
  ["Enter", A], ["Space", A], ["KeyX", A], ["NumpadEnter", A],
  ["Escape", B], ["Backspace", B], ["KeyZ", B], ["KeyY", B],
]);

const INTERACTIVE = "a, button, input, select, textarea, summary, dialog, [contenteditable]";

export class Keys {
  /** By what each key is held down: a code of the keyboard, or a pointer. */
  private readonly held = new Map<string, number>();
  private layout = "six";

  /** buttons: those with data-key; change: told of each key that goes down or up. */
  constructor(
    private readonly handheld: HTMLElement,
    private readonly change: (bit: number, down: boolean) => void,
  ) {
    window.addEventListener("keydown", (event) => this.keyDown(event));
    window.addEventListener("keyup", (event) => {
      if (this.held.has(event.code)) event.preventDefault();
      this.release(event.code);
    });
    window.addEventListener("blur", () => this.releaseAll());
    document.addEventListener("visibilitychange", () => this.releaseAll());
    for (const button of this.buttons()) {
      button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        // A finger that slides off goes on holding its key.
        button.setPointerCapture(event.pointerId);
        this.press(`pointer ${event.pointerId}`, bitOf(button));
      });
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
        button.addEventListener(end, (event) => this.release(`pointer ${event.pointerId}`));
      }
      button.addEventListener("contextmenu", (event) => event.preventDefault());
      // What a screen reader does in place of a press.
      button.addEventListener("click", (event) => {
        if (event.detail === 0) this.tap(bitOf(button));
      });
    }
    handheld.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Show the keys of a layout. */
  use(layout: string): void {
    this.layout = layout;
    this.handheld.dataset["layout"] = layout;
    for (const button of this.buttons()) button.hidden = !(bitOf(button) & (LAYOUTS[layout] ?? 0));
  }

  private buttons(): HTMLButtonElement[] {
    return Array.from(this.handheld.querySelectorAll<HTMLButtonElement>("button[data-key]"));
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const bit = ON_KEYBOARD.get(event.code);
    const target = event.target instanceof Element ? event.target.closest(INTERACTIVE) : null;
    if (bit === undefined || document.querySelector("dialog[open]")) return;
    if (target) {
      // The page's own controls keep their keys; on one of the handheld's, Enter and the space bar press that one.
      if (!(target instanceof HTMLButtonElement) || !this.handheld.contains(target)) return;
      if (bit === A) {
        event.preventDefault();
        if (!event.repeat) this.press(event.code, bitOf(target));
        return;
      }
    }
    event.preventDefault();
    // Keys repeat in the firmware, as on the handheld.
    if (!event.repeat) this.press(event.code, bit);
  }

  private press(by: string, bit: number): void {
    if (this.held.has(by)) return;
    const before = this.mask();
    this.held.set(by, bit);
    if (!(before & bit)) {
      this.change(bit, true);
      this.mark(bit, true);
    }
  }

  private release(by: string): void {
    const bit = this.held.get(by);
    if (bit === undefined) return;
    this.held.delete(by);
    if (!(this.mask() & bit)) {
      this.change(bit, false);
      this.mark(bit, false);
    }
  }

  private releaseAll(): void {
    for (const by of Array.from(this.held.keys())) this.release(by);
  }

  private tap(bit: number): void {
    this.press("tap", bit);
    this.release("tap");
  }

  /** With an encoder, the wheel turns it. */
  private wheel(event: WheelEvent): void {
    if (this.layout !== "encoder") return;
    event.preventDefault();
    if (event.deltaY !== 0) this.tap(event.deltaY > 0 ? RIGHT : LEFT);
  }

  private mask(): number {
    let mask = 0;
    for (const bit of this.held.values()) mask |= bit;
    return mask;
  }

  private mark(bit: number, down: boolean): void {
    for (const button of this.buttons()) if (bitOf(button) === bit) button.classList.toggle("down", down);
  }
}

function bitOf(button: HTMLButtonElement): number {
  return Number(button.dataset["key"]);
}
