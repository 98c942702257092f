// The page: starts the firmware, turns its loop from frame to frame, and connects it with what is on the page.

import { element, options } from "./dom.js";
import { type LoadMicroPython, CHANGED, Firmware, STOPPED, type State, unpack } from "./firmware.js";
import { Keys } from "./keys.js";
import { Panel } from "./panel.js";
import { setUpPico } from "./pico.js";
import { Records } from "./records.js";
import { Rules } from "./rules.js";
import { Saves } from "./saves.js";
import { Screen } from "./screen.js";
import { Share } from "./share.js";
import { Speaker } from "./speaker.js";
import { NAMES, filled, type Language, type Texts, textsOf } from "./texts.js";

// The firmware's loop turns every 33 ms when nothing moves: two frames of most displays, with their jitter.
const REST_MS = 30;
// A turn that took longer was one in which somebody thinks, which goes on in the next frame.
const THOUGHT_MS = 6;
// On fast displays not more turns than this.
const SHORTEST_MS = 12;
// Longer than this between two frames: the page was hidden, and the firmware shall not notice.
const HIDDEN_MS = 1000;
// What the screen says is told when it has stood so long.
const TELL_MS = 500;
const LAYOUTS = ["six", "four", "three", "two", "encoder"] as const;
const SPEEDS = ["slow", "normal", "fast", "instant"] as const;

/** The first language of the browser that Cairn speaks. */
function browserLanguage(): string {
  const wanted = navigator.languages.map((code) => code.slice(0, 2).toLowerCase());
  return wanted.find((code) => code in NAMES) ?? "en";
}

class Page {
  private texts: Texts = textsOf(browserLanguage());
  private readonly panel = new Panel();
  private readonly screen = new Screen(element("screen"), element("screen").parentElement as HTMLElement, this.panel);
  private readonly speaker = new Speaker();
  private readonly saves = Saves.open();
  private readonly keys = new Keys(element("handheld"), (bit, down) => this.key(bit, down));
  private firmware: Firmware | null = null;
  private state: State | null = null;
  private running = false;
  private lastFrame = 0;
  private lastTurn = 0;
  private wait = 0;
  private skipped = 0;
  private changedAt = 0;
  private told = true;
  private readonly rules = new Rules(element("rules-games"), () => this.firmware);
  private readonly share = new Share(() => this.state, (hash) => this.follow(hash));
  private readonly records = new Records(() => this.firmware, () => this.state, () => this.play());

  async start(): Promise<void> {
    this.translate(browserLanguage());
    this.notice(this.texts.loading);
    const [pack, interpreter] = await Promise.all([
      fetch("firmware.bin").then(async (answer) => {
        if (!answer.ok) throw new Error(`firmware.bin: ${answer.status}`);
        return new Uint8Array(await answer.arrayBuffer());
      }),
      // Relative to this file, wherever the site is.
      import(new URL("micropython.mjs", import.meta.url).href) as Promise<{ loadMicroPython: LoadMicroPython }>,
    ]);
    const files = unpack(pack);
    this.rules.take(files);
    this.saves.claim(() => this.stop("elsewhere", "here"));
    const layout = this.saves.layout;
    this.firmware = await Firmware.start(interpreter.loadMicroPython, files, this.saves.load(), {
      panel: (bytes) => this.panel.write(bytes),
      tone: (hz, ms) => this.speaker.tone(hz, ms),
      keep: (name, text) => this.saves.keep(name, text),
      drop: (name) => this.saves.drop(name),
      // A traceback of the firmware, which shows the fault on its screen.
      log: (line) => console.warn(line),
    }, { layout, language: browserLanguage(), seed: 0 });
    this.connect();
    this.follow(location.hash);
    this.look();
    this.notice(this.saves.lasting ? "" : this.texts.nothingKept);
    this.running = true;
    document.documentElement.dataset["ready"] = "yes";
    requestAnimationFrame((now) => this.frame(now));
  }

  // --- Time

  private frame(now: number): void {
    if (!this.running) return;
    requestAnimationFrame((next) => this.frame(next));
    const gap = now - this.lastFrame;
    if (this.lastFrame && gap > HIDDEN_MS) this.skipped += Math.round(gap);
    this.lastFrame = now;
    if (now - this.lastTurn >= this.wait) this.turn(now);
    if (!this.told && now - this.changedAt >= TELL_MS) this.tell();
  }

  private turn(now: number): void {
    const firmware = this.firmware;
    if (!firmware) return;
    this.lastTurn = now;
    const contrast = this.panel.contrast;
    const lit = this.panel.lit;
    const began = performance.now();
    const done = firmware.step(this.skipped);
    this.skipped = 0;
    const busy = performance.now() - began > THOUGHT_MS;
    if (done !== 0 || contrast !== this.panel.contrast || lit !== this.panel.lit) {
      this.screen.draw();
      this.changedAt = now;
      this.told = false;
      document.documentElement.dataset["scene"] = firmware.scene();
    }
    this.wait = busy || done === CHANGED ? SHORTEST_MS : REST_MS;
    if (done === STOPPED) this.stop("stopped", "reload");
  }

  /** Tell what the screen says, and look at what is set. */
  private tell(): void {
    this.told = true;
    this.look();
    const said = this.panel.lit ? (this.firmware?.said() ?? "") : this.texts.asleep;
    const line = element("said");
    if (line.textContent !== said) line.textContent = said;
  }

  private stop(text: "elsewhere" | "stopped", button: "here" | "reload"): void {
    this.running = false;
    document.documentElement.dataset["ready"] = "stopped";
    this.notice(this.texts[text], this.texts[button], () => location.reload());
  }

  // --- Keys and controls

  private key(bit: number, down: boolean): void {
    this.speaker.wake();
    if (!this.running) return;
    this.firmware?.key(bit, down);
    // A press is answered with the next frame.
    this.wait = 0;
  }

  /** To the handheld: the keyboard belongs to it. */
  private play(): void {
    element("screen").focus({ preventScroll: true });
  }

  private connect(): void {
    const language = element<HTMLSelectElement>("language");
    const layout = element<HTMLSelectElement>("layout");
    const speed = element<HTMLSelectElement>("speed");
    const sound = element<HTMLInputElement>("sound");
    const changed = (act: (firmware: Firmware) => void) => () => {
      if (this.firmware && this.running) act(this.firmware);
      this.wait = 0;
      this.look();
    };
    language.addEventListener("change", changed((firmware) => firmware.setLanguage(language.value)));
    speed.addEventListener("change", changed((firmware) => firmware.setSpeed(Number(speed.value))));
    sound.addEventListener("change", changed((firmware) => firmware.setSound(sound.checked)));
    layout.addEventListener("change", changed((firmware) => {
      firmware.setLayout(layout.value);
      this.saves.layout = layout.value;
    }));
    element("choosers").addEventListener("submit", (event) => event.preventDefault());
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-opens]")) {
      button.addEventListener("click", () => this.open(button.dataset["opens"] ?? ""));
    }
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.addEventListener("click", (event) => {
        // On the backdrop, which belongs to the dialog itself.
        if (event.target === dialog) dialog.close();
      });
    }
    window.addEventListener("hashchange", () => this.follow(location.hash));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && this.running) this.firmware?.rest();
    });
    element("screen").addEventListener("pointerdown", () => this.play());
    setUpPico(element("flash"), () => this.state?.language ?? "en");
  }

  private open(id: string): void {
    this.look();
    if (id === "rules") this.rules.show(this.state, this.texts);
    if (id === "share") this.share.show(this.texts);
    if (id === "records") this.records.show(this.texts);
    const dialog = element<HTMLDialogElement>(id);
    dialog.dispatchEvent(new Event("opening"));
    dialog.showModal();
  }

  /** Open what a link asks for: #game=goats&word=ABCD, and who plays with which options. */
  private follow(hash: string): void {
    const asked = new URLSearchParams(hash.slice(1));
    const game = asked.get("game");
    if (!game || !this.firmware) return;
    const options = Number(asked.get("options") ?? "0");
    const word = (asked.get("word") ?? "").toUpperCase();
    this.firmware.openGame(game, word, Number.isInteger(options) && options >= 0 ? options & 0xff : 0, asked.get("players") ?? "");
    // Once: who reloads goes on with what was begun since.
    history.replaceState(null, "", location.pathname + location.search);
    this.wait = 0;
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    if (this.running) this.play();
  }

  // --- What is shown beside the handheld

  /** See what is set, also on the handheld itself, and show it. */
  private look(): void {
    const firmware = this.firmware;
    if (!firmware) return;
    const before = this.state;
    const state = firmware.state();
    this.state = state;
    if (before?.language !== state.language) this.translate(state.language);
    if (before?.layout !== state.layout) {
      this.keys.use(state.layout);
      this.label();
    }
    element<HTMLSelectElement>("language").value = state.language;
    element<HTMLSelectElement>("layout").value = state.layout;
    element<HTMLSelectElement>("speed").value = String(state.speed);
    element<HTMLInputElement>("sound").checked = state.sound !== 0;
  }

  private translate(language: string): void {
    const texts = textsOf(language);
    this.texts = texts;
    document.documentElement.lang = language;
    document.documentElement.dataset["texts"] = "yes";
    for (const node of document.querySelectorAll<HTMLElement>("[data-text]")) {
      node.textContent = texts[node.dataset["text"] as keyof Texts] ?? "";
    }
    element("screen").setAttribute("aria-label", texts.screen);
    this.label();
    const languages = this.state?.languages ?? [language];
    options(element("language"), languages.map((code) => [code, NAMES[code as Language] ?? code]));
    options(element("layout"), LAYOUTS.map((name) => [name, texts[name]]));
    options(element("speed"), SPEEDS.map((name, i) => [String(i), texts[name]]));
  }

  /** Name the keys that have no letter. */
  private label(): void {
    const turned = this.state?.layout === "encoder";
    for (const button of document.querySelectorAll<HTMLElement>("button[data-label]")) {
      const name = button.dataset["label"] ?? "";
      const key = turned && name === "left" ? "turnLeft" : turned && name === "right" ? "turnRight" : name;
      button.setAttribute("aria-label", this.texts[key as keyof Texts] ?? "");
    }
  }

  /** A line above the handheld, with a button if there is something to do; "" takes it away. */
  private notice(text: string, button = "", act: () => void = () => undefined): void {
    const line = element("notice");
    const [span, press] = [line.querySelector("span"), line.querySelector("button")];
    if (!span || !press) return;
    span.textContent = text;
    press.textContent = button;
    press.hidden = button === "";
    press.onclick = act;
    line.classList.toggle("shown", text !== "");
  }

  fail(fault: unknown): void {
    const why = fault instanceof Error ? fault.message : String(fault);
    this.running = false;
    document.documentElement.dataset["ready"] = "failed";
    this.notice(filled(this.texts.failed, { why }), this.texts.reload, () => location.reload());
  }

  /** Keep the page for when there is no network, and tell of a newer one. */
  async keepOffline(): Promise<void> {
    if (!("serviceWorker" in navigator)) return;
    let replaced = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (replaced) location.reload();
      replaced = true;
    });
    const registration = await navigator.serviceWorker.register(new URL("sw.js", import.meta.url));
    const ready = (): void => {
      const waiting = registration.waiting;
      if (waiting && navigator.serviceWorker.controller) {
        this.notice(this.texts.update, this.texts.reload, () => waiting.postMessage("now"));
      }
    };
    ready();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", ready);
    });
  }
}

const page = new Page();
page.start().then(
  // Without it the page works all the same, as long as there is a network.
  () => page.keepOffline().catch((fault: unknown) => console.warn(fault)),
  (fault: unknown) => page.fail(fault),
);
