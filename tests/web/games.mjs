// Plays games with the compiled page's own modules, without a browser:
// node games.mjs SITE GAMES SEATS
// Computer players play one game after the other at a clock that jumps; prints a line of JSON for each tenth of the games:
// how many were played, the bytes that are allocated after a collection, and the faults that the panel's model has found.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [site, count, kinds] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(site, name)));
const { Firmware, unpack } = await load("firmware.js");
const { Panel } = await load("panel.js");
const { loadMicroPython } = await load("micropython.mjs");

// The firmware's clock is the system's. A turn of a second leaves nothing to wait for.
let now = Date.now();
Date.now = () => now;
performance.now = () => now;

let python;
const panel = new Panel();
const saves = new Map();
const firmware = await Firmware.start(
  async (options) => (python = await loadMicroPython(options)),
  unpack(new Uint8Array(readFileSync(join(site, "firmware.bin")))),
  new Map(),
  {
    panel: (bytes) => panel.write(bytes),
    tone: () => {},
    keep: (name, text) => (saves.set(name, text), 0),
    drop: (name) => saves.delete(name),
    log: (line) => console.error(line),
  },
  { layout: "six", language: "en", seed: 7 },
);
firmware.setSpeed(3);
const ids = firmware.state().games.map(([id]) => id);

function turn() {
  now += 1000;
  if (firmware.step(0) === 2) throw new Error("the firmware has stopped");
}

function press(bit) {
  firmware.key(bit, true);
  now += 20;
  firmware.key(bit, false);
  turn();
}

function allocated() {
  // Memory is collected when the call that asks for it has returned.
  python.runPython("import gc; gc.collect()");
  return python.pyimport("gc").mem_alloc();
}

for (let played = 0; played < Number(count); ) {
  firmware.openGame(ids[played % ids.length], "", 0, kinds);
  turn();
  // The first press may only wake the panel, which has slept through a game without keys.
  while (firmware.scene() === "setup") press(16);
  let turns = 0;
  while (firmware.scene() !== "result") {
    turn();
    if (++turns > 20000) throw new Error(`${firmware.scene()}: the game does not end`);
  }
  played += 1;
  if (played % Math.max(1, Math.floor(count / 10)) === 0) {
    console.log(JSON.stringify({ played, allocated: allocated(), kept: saves.size, faults: panel.faults }));
  }
}
