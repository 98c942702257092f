// The picture of the panel on a canvas: each of its pixels is the same whole number of the display's, whatever the zoom.

import { Panel } from "./panel.js";

const GLASS = "#05070b";
// From this size on the pixels stand apart, as those of an OLED do.
const GAP_FROM = 4;
// How bright the dimmest contrast is; the eye takes a tenth of the current for a third of the light.
const DIMMEST = 0.3;

export class Screen {
  private readonly context: CanvasRenderingContext2D;
  private readonly shown: Uint8Array;
  private ink = "";
  private scale = 0;

  /** box: what the canvas lies in and may fill, in the proportions of the panel. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly box: HTMLElement, private readonly panel: Panel) {
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("no canvas");
    this.context = context;
    this.shown = new Uint8Array(panel.width * panel.height / 8);
    new ResizeObserver(() => this.fit()).observe(box);
    // The zoom changes what a pixel is, not how many of them the box has.
    window.addEventListener("resize", () => this.fit());
    this.fit();
  }

  /** Make each pixel of the panel as many of the display's as there is room for. */
  fit(): void {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.panel;
    const room = Math.min(this.box.clientWidth / width, this.box.clientHeight / height) * ratio;
    const scale = Math.max(1, Math.floor(room + 0.01));
    const across = `${(scale * width) / ratio}px`;
    if (scale === this.scale && this.canvas.style.width === across) return;
    this.scale = scale;
    this.canvas.width = scale * width;
    this.canvas.height = scale * height;
    this.canvas.style.width = across;
    this.canvas.style.height = `${(scale * height) / ratio}px`;
    this.canvas.dataset["scale"] = String(scale);
    this.ink = "";
    this.draw();
  }

  /** Show what the panel shows now. */
  draw(): void {
    const { context, panel, scale, shown } = this;
    const picture = panel.picture();
    const bright = DIMMEST + (1 - DIMMEST) * (panel.contrast / 255);
    const ink = `rgb(${Math.round(214 * bright)} ${Math.round(238 * bright)} ${Math.round(255 * bright)})`;
    const all = ink !== this.ink;
    this.ink = ink;
    const size = scale < GAP_FROM ? scale : scale - Math.max(1, Math.round(scale / 9));
    if (all) {
      context.fillStyle = GLASS;
      context.fillRect(0, 0, this.canvas.width, this.canvas.height);
      shown.fill(0);
    }
    for (let at = 0; at < picture.length; at++) {
      const now = picture[at] ?? 0;
      const changed = now ^ (shown[at] ?? 0);
      if (changed === 0) continue;
      shown[at] = now;
      const x = (at % panel.width) * scale;
      const top = Math.floor(at / panel.width) * 8;
      for (let bit = 0; bit < 8; bit++) {
        if (!((changed >> bit) & 1)) continue;
        context.fillStyle = (now >> bit) & 1 ? ink : GLASS;
        context.fillRect(x, (top + bit) * scale, size, size);
      }
    }
  }
}
