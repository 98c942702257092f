// What this browser keeps: the files of the firmware's saves, which are in two slots each (hal/store.py), and the layout.
//
// localStorage, as it is written before the next line runs: a page may be gone at any moment.

import { unhex } from "./firmware.js";

const SAVE = "cairn/save/";
const LAYOUT = "cairn/layout";
const TAB = "cairn/tab";

export const KEPT = 0;
export const FULL = 1;
export const FAILED = 2;

export class Saves {
  private readonly tab = Array.from(crypto.getRandomValues(new Uint32Array(2))).join("-");

  private constructor(private readonly storage: Storage | null) {}

  /** Those of this browser; of this visit alone where it keeps nothing, as in some private windows. */
  static open(): Saves {
    try {
      const storage = window.localStorage;
      const probe = `${TAB}?`;
      storage.setItem(probe, "");
      storage.removeItem(probe);
      return new Saves(storage);
    } catch {
      return new Saves(null);
    }
  }

  /** Whether anything is kept when the page is closed. */
  get lasting(): boolean {
    return this.storage !== null;
  }

  /** The files by their names. What is no hexadecimal comes as it is: the store finds out that it is damaged. */
  load(): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    const storage = this.storage;
    for (let i = 0; storage && i < storage.length; i++) {
      const key = storage.key(i) ?? "";
      const name = key.slice(SAVE.length);
      if (!key.startsWith(SAVE) || !/^[a-z-]+\.[01]$/.test(name)) continue;
      const text = storage.getItem(key) ?? "";
      found.set(name, unhex(text) ?? new TextEncoder().encode(text));
    }
    return found;
  }

  keep(name: string, text: string): number {
    if (!this.storage) return KEPT;
    try {
      if (this.storage.getItem(SAVE + name) !== text) this.storage.setItem(SAVE + name, text);
      return KEPT;
    } catch (fault) {
      return fault instanceof DOMException && /quota/i.test(fault.name) ? FULL : FAILED;
    }
  }

  drop(name: string): void {
    this.storage?.removeItem(SAVE + name);
  }

  get layout(): string {
    return this.read(LAYOUT);
  }

  set layout(name: string) {
    this.write(LAYOUT, name);
  }

  /** From now on this tab is the one that plays; `lost` is called when another one is. */
  claim(lost: () => void): void {
    this.write(TAB, this.tab);
    window.addEventListener("storage", (event) => {
      if (event.key === TAB && event.newValue !== this.tab && event.newValue !== null) lost();
    });
    window.addEventListener("pageshow", (event) => {
      // Back out of the browser's memory of pages, where no event arrived.
      if (event.persisted && this.storage && this.read(TAB) !== this.tab) lost();
    });
  }

  private read(key: string): string {
    try {
      return this.storage?.getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  private write(key: string, text: string): void {
    try {
      this.storage?.setItem(key, text);
    } catch {
      // No room: it holds for this visit.
    }
  }
}
