// Flashes from Node with the modules of the page, through a serial port that is a TCP socket.
//
// Arguments: the folder of the compiled modules, the folder of the images, a JSON object: port, board, and as wanted
// replace, answer and long (limits in ms), stopAt (the number of the progress at which to stop), split (what comes, comes in
// pieces of so many bytes), deaf (the port takes in what is written and never says it did), busy (opening fails), diesAt (this
// process ends when it has sent so many bytes), uf2 (give that file). Prints one JSON object: result or fault, texts (what
// the page would say, by language), progress ([stage, done, total] of each), closed (whether the port was let go).

import { readFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, site, asked] = process.argv.slice(2);
const options = JSON.parse(asked);
const load = (name) => import(pathToFileURL(path.resolve(modules, name)).href);
const { flashBoard } = await load("flash.js");
const { loadCatalogue, loadImage, loadUf2 } = await load("images.js");
const { FLASH_TEXTS, faultText, progressText, resultText } = await load("flashtext.js");
const { Fault } = await load("serial.js");

globalThis.fetch = async (name) => {
  try {
    return new Response(await readFile(name));
  } catch {
    return new Response("", { status: 404 });
  }
};

class TcpPort {
  readable = null;
  writable = null;
  opened = false;
  sent = 0;

  async open() {
    if (options.busy) {
      throw new DOMException("Failed to open serial port.", "NetworkError");
    }
    const socket = net.connect(options.port, "127.0.0.1");
    await new Promise((done, failed) => socket.once("connect", done).once("error", failed));
    socket.setNoDelay(true);
    const port = this;
    this.opened = true;
    this.socket = socket;
    this.readable = new ReadableStream({
      start(controller) {
        const lost = () => {
          if (port.readable) {
            port.readable = null;
            controller.error(new DOMException("The device has been lost.", "NetworkError"));
          }
        };
        socket.on("data", (data) => {
          const step = options.split ?? data.length;
          for (let at = 0; at < data.length && port.readable; at += step) {
            controller.enqueue(new Uint8Array(data.subarray(at, at + step)));
          }
        });
        socket.on("close", lost);
        socket.on("error", lost);
      },
      cancel() {
        port.readable = null;
      },
    });
    this.writable = new WritableStream({
      write(bytes) {
        if (options.deaf) {
          return new Promise(() => undefined);
        }
        const left = options.diesAt ? options.diesAt - port.sent : Infinity;
        port.sent += bytes.length;
        if (bytes.length >= left) {
          return new Promise(() => socket.end(bytes.subarray(0, left), () => process.exit(0)));
        }
        return new Promise((done, failed) => socket.write(bytes, (fault) => (fault ? failed(fault) : done())));
      },
    });
  }

  async close() {
    if (this.readable?.locked || this.writable.locked) {
      throw new TypeError("a locked stream");
    }
    this.opened = false;
    this.socket.destroy();
  }
}

const port = new TcpPort();
const progress = [];
const answer = { progress };
const inAll = (text) => Object.fromEntries(Object.entries(FLASH_TEXTS).map(([code, texts]) => [code, text(texts)]));
const stop = new AbortController();
try {
  const catalogue = await loadCatalogue(site + "/");
  const kit = catalogue.kits.find((one) => one.board === options.board);
  const image = await loadImage(catalogue, kit);
  if (options.uf2) {
    answer.uf2 = Buffer.from(await (await loadUf2(catalogue, kit.uf2)).arrayBuffer()).toString("base64");
  }
  if (options.port || options.busy) {
    const show = (now) => {
      progress.push([now.stage, now.done, now.total]);
      inAll((texts) => progressText(texts, now));
      if (progress.length === options.stopAt) {
        stop.abort();
      }
    };
    const { replace, answer: limit = 15000, long = 60000 } = options;
    const limits = { answer: limit, long };
    answer.result = await flashBoard(port, image, catalogue.onboard, show, { replace, limits, stop: stop.signal });
    answer.texts = inAll((texts) => resultText(texts, answer.result));
  }
} catch (fault) {
  if (!(fault instanceof Fault)) {
    throw fault;
  }
  answer.fault = fault.kind;
  answer.texts = inAll((texts) => faultText(texts, fault));
}
answer.closed = !port.opened;
process.stdout.write(JSON.stringify(answer) + "\n");
