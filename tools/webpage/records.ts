// The games that the handheld keeps, saved as files, and records shown on it.

import { download, element } from "./dom.js";
import { type Firmware, type Kept, type State } from "./firmware.js";
import { filled, type Texts } from "./texts.js";

// The longest games are some hundred KB.
const MOST_BYTES = 4 << 20;

export class Records {
  private readonly list = element("records-list");
  private readonly file = element<HTMLInputElement>("records-file");
  private readonly told = element("records-told");
  private texts: Texts | null = null;

  /** play: called when the handheld shows a record. */
  constructor(
    private readonly firmware: () => Firmware | null,
    private readonly state: () => State | null,
    private readonly play: () => void,
  ) {
    this.file.addEventListener("change", () => {
      void this.replay();
    });
  }

  show(texts: Texts): void {
    this.texts = texts;
    this.told.textContent = "";
    this.file.value = "";
    const kept = this.firmware()?.kept() ?? [];
    if (kept.length === 0) {
      const none = document.createElement("li");
      none.textContent = texts.recordsNone;
      this.list.replaceChildren(none);
      return;
    }
    this.list.replaceChildren(...kept.map((game) => this.line(game, texts)));
  }

  private line([game, word, winners, file]: Kept, texts: Texts): HTMLElement {
    const name = this.state()?.games.find(([id]) => id === game)?.[1] ?? game;
    const seats = [0, 1, 2, 3, 4].filter((seat) => (winners >> seat) & 1).map((seat) => String(seat + 1));
    const line = document.createElement("li");
    const label = document.createElement("span");
    label.textContent = `${name} ${word}, ${filled(texts.won, { seats: seats.join(", ") })}`;
    const save = document.createElement("button");
    save.type = "button";
    save.textContent = texts.save;
    save.setAttribute("aria-label", filled(texts.saveOf, { game: name, word }));
    save.addEventListener("click", () => this.save(file));
    line.append(label, save);
    return line;
  }

  private save(file: string): void {
    const text = this.firmware()?.record(file) ?? "";
    this.told.textContent = text ? "" : (this.texts?.recordBad ?? "");
    if (text) download(new Blob([text], { type: "application/jsonl" }), file);
  }

  private async replay(): Promise<void> {
    const file = this.file.files?.[0];
    const firmware = this.firmware();
    if (!file || !firmware || !this.texts) return;
    const why = file.size > MOST_BYTES ? `${file.size} bytes` : firmware.replay(await file.text());
    this.told.textContent = why ? filled(this.texts.showBad, { why }) : "";
    if (!why) {
      element<HTMLDialogElement>("records").close();
      this.play();
    }
  }
}
