// The rules, from the firmware's own help pages, and the way to the long ones.

import { type State } from "./firmware.js";
import { filled, type Texts } from "./texts.js";

type HelpPage = readonly [title: string, text: string];

export class Rules {
  private files: ReadonlyMap<string, Uint8Array> = new Map();

  constructor(private readonly box: HTMLElement) {}

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
      for (const [title, text] of pages.get(game) ?? []) {
        const heading = document.createElement("h3");
        heading.textContent = title;
        const paragraph = document.createElement("p");
        paragraph.textContent = text;
        part.append(heading, paragraph);
      }
      const more = document.createElement("a");
      more.href = `rules/${game}.html`;
      more.textContent = filled(texts.rulesFull, { game: name });
      const last = document.createElement("p");
      last.append(more);
      part.append(last);
      return part;
    }));
  }
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
