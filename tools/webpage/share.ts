// A link that opens a game with its word, its options and its players.

import { element, options } from "./dom.js";
import { type State } from "./firmware.js";
import { type Texts } from "./texts.js";

const WORD = /^[A-Z]{4}$/;

export class Share {
  private readonly game = element<HTMLSelectElement>("share-game");
  private readonly word = element<HTMLInputElement>("share-word");
  private readonly link = element<HTMLInputElement>("share-link");
  private readonly told = element("share-told");
  private texts: Texts | null = null;

  /** state: what is played now; follow: opens a link on this handheld. */
  constructor(private readonly state: () => State | null, follow: (hash: string) => void) {
    this.game.addEventListener("change", () => this.make());
    this.word.addEventListener("input", () => this.make());
    this.link.addEventListener("focus", () => this.link.select());
    element("share-copy").addEventListener("click", () => {
      void this.copy();
    });
    element("share-open").addEventListener("click", () => follow(new URL(this.link.value).hash));
    const send = element<HTMLButtonElement>("share-send");
    if ("share" in navigator) {
      send.hidden = false;
      // Whoever changes their mind is no fault.
      send.addEventListener("click", () => void navigator.share({ title: "Cairn", url: this.link.value }).catch(() => undefined));
    }
  }

  show(texts: Texts): void {
    this.texts = texts;
    const state = this.state();
    if (!state) return;
    options(this.game, state.games);
    if (state.game) this.game.value = state.game;
    this.word.value = state.word ?? "";
    this.make();
  }

  /** Write the link of what is chosen. */
  private make(): void {
    const state = this.state();
    const word = this.word.value.toUpperCase();
    const good = word === "" || WORD.test(word);
    this.told.textContent = good ? "" : (this.texts?.wordBad ?? "");
    this.word.setAttribute("aria-invalid", String(!good));
    const asked = new URLSearchParams({ game: this.game.value });
    if (good && word) asked.set("word", word);
    if (state?.game === this.game.value && state.kinds) {
      if (state.options) asked.set("options", String(state.options));
      asked.set("players", state.kinds.join(""));
    }
    this.link.value = `${location.href.split("#")[0]}#${asked}`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.link.value);
      this.told.textContent = this.texts?.copied ?? "";
    } catch {
      // Not allowed here: the link is selected, to be copied by hand.
      this.link.focus();
    }
  }
}
