// The rules, from the firmware's own help pages, and the way to the long ones.

import { type Firmware, type State } from "./firmware.js";
import { filled, type Texts } from "./texts.js";

const WIDTH = 128;
const HEIGHT = 64;

type HelpPage = readonly [title: string, text: string];

export class Rules {
  private files: ReadonlyMap<string, Uint8Array> = new Map();

  constructor(private readonly box: HTMLElement, private readonly firmware: () => Firmware | null) {}

  /** The files of the firmware, which has the help pages of each language. */
  take(files: ReadonlyMap<string, Uint8Array>): void {
    this.files = files;
  }

  show(state: State | null, texts: Texts): void {
    if (!state) return;
    const file = this.files.get(`firmware/text/help_${state.language}.txt`);
    const pages = file ? helpPages(new TextDecoder().decode(file)) : new Map<string, HelpPage[]>();
    this.box.replaceChildren(...state.games.map(([game, name]) => {
      const part = document.createElement("details");
      part.name = "rules";
      part.open = game === (state.game ?? state.games[0]?.[0]);
      const summary = document.createElement("summary");
      summary.textContent = name;
      part.append(summary);
      const ours = pages.get(game) ?? [];
      ours.forEach(([title, text], i) => {
        const heading = document.createElement("h3");
        heading.textContent = title;
        const paragraph = document.createElement("p");
        paragraph.textContent = text;
        const words = document.createElement("div");
        words.append(heading, paragraph);
        const page = document.createElement("section");
        page.append(glass(i), words);
        part.append(page);
      });
      // Drawn when they are to be seen.
      part.addEventListener("toggle", () => {
        if (part.open) this.draw(part, game, ours.length);
      });
      const more = document.createElement("a");
      more.href = `rules/${game}.html`;
      more.textContent = filled(texts.rulesFull, { game: name });
      const last = document.createElement("p");
      last.append(more);
      part.append(last);
      return part;
    }));
  }

  private draw(part: HTMLElement, game: string, count: number): void {
    const frames = this.firmware()?.helpPages(game, count);
    if (!frames) return;
    for (const canvas of part.querySelectorAll("canvas")) {
      const context = canvas.getContext("2d");
      const from = Number(canvas.dataset["page"]) * WIDTH * HEIGHT / 8;
      if (!context) continue;
      context.fillStyle = "#05070b";
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.fillStyle = "#d6eeff";
      for (let y = 0; y < HEIGHT; y++) {
        for (let x = 0; x < WIDTH; x++) {
          if (((frames[from + (y >> 3) * WIDTH + x] ?? 0) >> (y & 7)) & 1) context.fillRect(2 * x, 2 * y, 2, 2);
        }
      }
    }
  }
}

/** A small panel for a page of the rules, which says in words what it shows. */
function glass(page: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = 2 * WIDTH;
  canvas.height = 2 * HEIGHT;
  canvas.dataset["page"] = String(page);
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

/** The pages of each game in a help file (firmware/scenes/help.py says what it holds). */
function helpPages(text: string): Map<string, HelpPage[]> {
  const found = new Map<string, HelpPage[]>();
  let pages: HelpPage[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("=")) {
      pages = [];
      found.set(line.slice(1).trim(), pages);
    } else if (line.startsWith("#")) {
      const [title = ""] = line.slice(1).split("@");
      pages.push([title.trim(), ""]);
    } else if (line.trim()) {
      const last = pages.pop();
      if (last) pages.push([last[0], `${last[1]} ${line.trim()}`.trim()]);
    }
  }
  return found;
}
