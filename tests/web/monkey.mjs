// Presses any keys of the compiled page's firmware, without a browser: node monkey.mjs SITE PRESSES SEED
// Prints a line of JSON: the scenes that were seen, what the firmware complained of, the faults that the panel's model found.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [site, presses, seed] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(site, name)));
const { Firmware, unpack } = await load("firmware.js");
const { Panel } = await load("panel.js");
const { loadMicroPython } = await load("micropython.mjs");

// The clock goes on a little at each look, as who thinks waits for it.
let now = Date.now();
Date.now = () => (now += 0.5);
performance.now = Date.now;

const panel = new Panel();
const complaints = [];
const firmware = await Firmware.start(
  loadMicroPython,
  unpack(new Uint8Array(readFileSync(join(site, "firmware.bin")))),
  new Map(),
  {
    panel: (bytes) => panel.write(bytes),
    tone: () => {},
    keep: () => 0,
    drop: () => {},
    log: (line) => complaints.push(line),
  },
  { layout: "six", language: "fr", seed: Number(seed) },
);

let state = Number(seed);
function below(n) {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * n);
}

const scenes = new Set();
const layouts = ["six", "four", "three", "two", "encoder"];
for (let i = 0; i < Number(presses); i++) {
  const bit = [1, 2, 4, 8, 16, 16, 16, 32][below(8)];
  firmware.key(bit, true);
  now += below(40) === 0 ? 1200 : 20;
  firmware.step(0);
  firmware.key(bit, false);
  now += below(200) === 0 ? 40000 : 30 + below(60);
  firmware.step(0);
  if (below(300) === 0) firmware.setLanguage(["en", "fr", "cs"][below(3)]);
  if (below(300) === 0) firmware.setLayout(layouts[below(5)]);
  if (below(300) === 0) firmware.setSpeed(below(4));
  if (below(400) === 0) firmware.openGame(["goats", "goblins", "kings", "horses"][below(4)], "", below(2), "1224".slice(0, 2 + below(3)));
  scenes.add(firmware.scene());
  firmware.state();
  firmware.said();
  panel.picture();
}
console.log(JSON.stringify({ scenes: [...scenes].sort(), complaints, faults: panel.faults, kept: firmware.kept().length }));
