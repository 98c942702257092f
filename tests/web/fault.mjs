// Breaks the compiled page's firmware, without a browser: node fault.mjs SITE
// Prints a line of JSON: what each broken turn gave, the scene after it, and what the screen said after the first.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [site] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(site, name)));
const { Firmware, unpack } = await load("firmware.js");
const { loadMicroPython } = await load("micropython.mjs");

let python;
const complaints = [];
const firmware = await Firmware.start(
  async (options) => (python = await loadMicroPython(options)),
  unpack(new Uint8Array(readFileSync(join(site, "firmware.bin")))),
  new Map(),
  { panel: () => {}, tone: () => {}, keep: () => 0, drop: () => {}, log: (line) => complaints.push(line) },
  { layout: "six", language: "en", seed: 1 },
);
python.runPython(`
import firmware.browser as browser
def fail(ms):
    raise KeyError("oops")
`);
const told = [];
let said = "";
for (let i = 0; i < 3; i++) {
  python.runPython("browser._console.app.top().tick = fail");
  told.push([firmware.step(0), firmware.scene()]);
  if (i === 0) {
    firmware.step(0);
    said = firmware.said();
  }
}
console.log(JSON.stringify({ told, said, complaints }));
