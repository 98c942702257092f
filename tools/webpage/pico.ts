// What the page shows to flash a Pico: the kit, one button, how far it is, and what to do where that does not work.

import { download, options } from "./dom.js";
import { choosePort, flashBoard, serialOf, type Progress } from "./flash.js";
import {
  FLASH_TEXTS,
  faultText,
  micropythonAddress,
  progressText,
  resultText,
  type FlashTexts,
} from "./flashtext.js";
import { loadCatalogue, loadImage, loadUf2, type Catalogue, type Kit } from "./images.js";
import { Fault, type SerialLike } from "./serial.js";

const FOLDER = "flash/"; // beside this file
const FIRST_KIT = "reference"; // where the site has it

/** Fill `place` of a dialog, which sends itself the event "opening" before it opens. language: that of the page, when asked. */
export function setUpPico(place: HTMLElement, language: () => string): void {
  const part = new PicoPart(place, language, serialOf(navigator));
  place.closest("dialog")?.addEventListener("opening", () => part.open());
}

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  parent: HTMLElement,
  fields: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), fields);
  parent.append(made);
  return made;
}

class PicoPart {
  private catalogue: Catalogue | null = null;
  private readonly explain: HTMLElement;
  private readonly kitText: HTMLElement;
  private readonly kit: HTMLSelectElement;
  private readonly flash: HTMLButtonElement;
  private readonly replace: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly bar: HTMLProgressElement;
  private readonly status: HTMLElement;
  private readonly amount: HTMLElement;
  private readonly bareDetails: HTMLDetailsElement;
  private readonly bare: HTMLElement;
  private readonly link: HTMLAnchorElement;
  private readonly steps: HTMLElement[];
  private readonly dropText: HTMLElement;
  private readonly dropExplain: HTMLElement;
  private readonly dropButton: HTMLButtonElement;
  private readonly stay = (event: BeforeUnloadEvent) => event.preventDefault();
  private said: (texts: FlashTexts) => string = () => "";
  private stopper: AbortController | null = null;

  constructor(
    place: HTMLElement,
    private readonly language: () => string,
    private readonly serial: SerialLike | undefined,
  ) {
    this.explain = make("p", place);
    const label = make("label", place, { className: "wide" });
    this.kitText = make("span", label);
    this.kit = make("select", label, { onchange: () => this.show() });
    const buttons = make("p", place);
    this.flash = make("button", buttons, { type: "button", className: "main", onclick: () => void this.run(false) });
    this.replace = make("button", buttons, { type: "button", hidden: true, onclick: () => void this.run(true) });
    this.stop = make("button", buttons, { type: "button", hidden: true, onclick: () => this.stopper?.abort() });
    this.bar = make("progress", place, { hidden: true });
    // The bytes are not told aloud: they change many times a second.
    this.status = make("p", place, { id: "flash-told" });
    this.bar.setAttribute("aria-labelledby", this.status.id);
    this.status.setAttribute("role", "status");
    this.amount = make("p", place);
    this.bareDetails = make("details", place);
    this.bare = make("summary", this.bareDetails);
    const steps = make("ol", this.bareDetails);
    this.steps = [0, 1, 2].map(() => make("li", steps));
    this.link = make("a", make("p", this.bareDetails), { target: "_blank", rel: "noopener noreferrer" });
    const drop = make("details", place, { open: !serial });
    this.dropText = make("summary", drop);
    this.dropExplain = make("p", drop);
    this.dropButton = make("button", drop, { type: "button", onclick: () => void this.fetchFile() });
  }

  private get texts(): FlashTexts {
    const texts: Readonly<Record<string, FlashTexts>> = FLASH_TEXTS;
    return texts[this.language()] ?? FLASH_TEXTS.en;
  }

  /** The dialog opens: the texts in the language of now, the kits when that is the first time. */
  open(): void {
    this.show();
    if (!this.catalogue) {
      loadCatalogue(new URL(FOLDER, import.meta.url).href).then(
        (catalogue) => {
          this.catalogue = catalogue;
          options(this.kit, catalogue.kits.map(({ board, title }) => [board, title]));
          if (catalogue.kits.some(({ board }) => board === FIRST_KIT)) {
            this.kit.value = FIRST_KIT;
          }
          this.show();
        },
        (fault: unknown) => this.tell(fault),
      );
    }
  }

  private get chosen(): Kit | undefined {
    return this.catalogue?.kits.find((kit) => kit.board === this.kit.value);
  }

  private show(): void {
    const texts = this.texts;
    const kit = this.chosen;
    const busy = this.stopper !== null;
    this.explain.textContent = this.serial ? texts.explain : isSecureContext ? texts.noSerial : texts.insecure;
    this.kitText.textContent = texts.kit;
    this.flash.textContent = texts.button;
    this.flash.hidden = !this.serial || busy;
    this.flash.disabled = !kit;
    this.kit.disabled = busy;
    this.replace.textContent = texts.replace;
    this.stop.textContent = texts.stop;
    this.stop.hidden = !busy;
    this.bar.hidden = !busy;
    this.status.textContent = this.said(texts);
    this.bare.textContent = texts.bare;
    this.steps.forEach((step, i) => (step.textContent = texts.bareSteps[i] ?? ""));
    this.link.textContent = texts.bareLink;
    this.link.href = micropythonAddress(kit?.pico ?? "pico");
    this.dropText.textContent = texts.uf2;
    this.dropExplain.textContent = kit && !kit.uf2 ? texts.uf2None : texts.uf2Explain;
    this.dropButton.textContent = texts.uf2Button;
    this.dropButton.hidden = !kit?.uf2;
  }

  private say(said: (texts: FlashTexts) => string): void {
    this.said = said;
    this.amount.textContent = "";
    const text = said(this.texts);
    if (this.status.textContent !== text) {
      this.status.textContent = text;
    }
  }

  private tell(fault: unknown): void {
    if (fault instanceof Fault) {
      this.say((texts) => faultText(texts, fault));
      this.replace.hidden = fault.kind !== "full";
      this.bareDetails.open ||= fault.kind === "noMicroPython" || fault.kind === "tooOld";
      return;
    }
    this.say(() => String(fault));
    throw fault;
  }

  private progress(now: Progress): void {
    this.say((texts) => texts.stages[now.stage]);
    if (now.stage === "sending") {
      this.amount.textContent = progressText(this.texts, now);
    }
    if (now.total) {
      this.bar.max = now.total;
      this.bar.value = now.done;
    } else {
      this.bar.removeAttribute("value");
    }
  }

  private async run(replace: boolean): Promise<void> {
    const { serial, catalogue, chosen } = this;
    if (!serial || !catalogue || !chosen || this.stopper) {
      return;
    }
    // First of all: a browser lets a page ask for a port only in answer to a press.
    const port = await choosePort(serial);
    if (!port) {
      this.say((texts) => texts.noneChosen);
      return;
    }
    this.stopper = new AbortController();
    const stop = this.stopper.signal;
    this.replace.hidden = true;
    window.addEventListener("beforeunload", this.stay);
    this.progress({ stage: "connecting", done: 0, total: 0 });
    this.show();
    // The button that had the focus is hidden now.
    this.stop.focus();
    try {
      const image = await loadImage(catalogue, chosen);
      const show = (now: Progress) => this.progress(now);
      const result = await flashBoard(port, image, catalogue.onboard, show, { replace, stop });
      this.say((texts) => resultText(texts, result));
    } catch (fault) {
      this.tell(fault);
    } finally {
      window.removeEventListener("beforeunload", this.stay);
      this.stopper = null;
      const there = document.activeElement === this.stop;
      this.show();
      if (there) {
        this.flash.focus();
      }
    }
  }

  private async fetchFile(): Promise<void> {
    const { catalogue, chosen } = this;
    if (!catalogue || !chosen?.uf2) {
      return;
    }
    try {
      download(await loadUf2(catalogue, chosen.uf2), chosen.uf2);
    } catch (fault) {
      this.tell(fault);
    }
  }
}
