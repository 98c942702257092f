// MicroPython's raw REPL: runs code on a board, calls the functions of tools/boards/onboard.py there.
//
// It does what tools/boards/link.py does for `flash`; the protocol is in MicroPython's documentation, "The MicroPython
// Interactive Interpreter Mode (aka REPL)", raw mode and raw-paste mode.

import { Fault, Line, sleep, type SerialPortLike } from "./serial.js";

/** Longest waits in milliseconds: for an answer, and for one of long work (hashes, copies). */
export interface Limits {
  answer: number;
  long: number;
}

export const LIMITS: Limits = { answer: 15000, long: 60000 };

type Argument = string | number | readonly string[];
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const MARK = "\x02"; // of onboard.py
const PIECE_BYTES = 2304; // of a file in one call: 3072 characters of base64
const RAW_PIECE_BYTES = 256; // without raw paste there is no flow control: few bytes, then a pause
const RAW_PAUSE_MS = 10;
const INTERRUPT_PAUSE_MS = 100;
const TRIES = 3;
const RAW_BANNER = "raw REPL; CTRL-B to exit\r\n";
const REBOOTED = "soft reboot\r\n";
const STARTED = ["Cairn: starting", "Cairn: no whole"]; // what firmware/loader.py prints last
const ENOSPC = 28;
const EIO = 5;

/**
 * One board under control: its raw REPL is entered, its memory is clean, onboard.py is loaded.
 *
 * Every method gives a Fault where the board is gone, silent or makes no sense, and where `stop` has been raised.
 */
export class Board {
  private started = false;
  private lost = false;
  private pastes = true;

  private constructor(
    private readonly line: Line,
    private readonly limits: Limits,
    private readonly stop: AbortSignal | undefined,
  ) {}

  /** onboard: the source of onboard.py. */
  static async connect(port: SerialPortLike, onboard: string, limits: Limits, stop?: AbortSignal): Promise<Board> {
    const board = new Board(await Line.open(port), limits, stop);
    try {
      await board.softReset();
      await board.execute(onboard, limits.answer);
    } catch (fault) {
      await board.line.close();
      throw fault;
    }
    return board;
  }

  /** Start the board's main.py if that was not done, and let go of the port. */
  async close(): Promise<void> {
    try {
      if (!this.started && !this.lost) {
        await this.restart();
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) {
        throw fault;
      }
      // It is gone or silent; what went on before says so, or all was done.
    } finally {
      await this.line.close();
    }
  }

  /** Into the raw REPL of a board fresh from a soft reset (which skips main.py in this mode). */
  private async softReset(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.line.deadline = performance.now() + this.limits.answer / TRIES;
      try {
        // Twice: a program may swallow one Ctrl-C; apart: a port may drop what comes while it stops.
        await this.line.write("\r\x03");
        await sleep(INTERRUPT_PAUSE_MS);
        await this.line.write("\x03");
        await sleep(INTERRUPT_PAUSE_MS);
        this.line.drop();
        await this.line.write("\r\x01");
        await this.line.readPast(RAW_BANNER + ">");
        await this.line.write("\x04");
        await this.line.readPast(REBOOTED);
        await this.line.readPast(RAW_BANNER);
        return;
      } catch (fault) {
        if (!(fault instanceof Fault && fault.kind === "silent")) {
          throw fault;
        }
        if (attempt === TRIES) {
          throw new Fault("noMicroPython");
        }
      }
      this.goOn();
    }
  }

  private goOn(): void {
    if (this.stop?.aborted) {
      throw new Fault("stopped");
    }
  }

  /** Run code on the board; what it prints. Fault where it raises. */
  private async execute(code: string, limitMs: number): Promise<string> {
    this.goOn();
    this.line.deadline = performance.now() + limitMs;
    let printed: string;
    let error: string;
    try {
      await this.line.readPast(">");
      await this.enter(new TextEncoder().encode(code));
      printed = await this.untilEnd();
      error = await this.untilEnd();
    } catch (fault) {
      this.lost = true;
      throw fault;
    }
    if (error) {
      throw errorOf(error);
    }
    return printed;
  }

  /** Send code and have it run. */
  private async enter(code: Uint8Array): Promise<void> {
    if (this.pastes) {
      await this.line.write("\x05A\x01");
      const answer = ascii(await this.line.read(2));
      if (answer === "R\x01") {
        await this.paste(code);
        return;
      }
      this.pastes = false;
      if (answer !== "R\x00") {
        // A MicroPython that does not know it takes the Ctrl-A alone, and greets once more.
        await this.line.readPast(">");
      }
    }
    for (let at = 0; at < code.length; at += RAW_PIECE_BYTES) {
      await this.line.write(code.subarray(at, at + RAW_PIECE_BYTES));
      await sleep(RAW_PAUSE_MS);
    }
    await this.line.write("\x04");
    if (ascii(await this.line.read(2)) !== "OK") {
      throw new Fault("garbled");
    }
  }

  /** Raw paste: the board says how many bytes it takes, and after that each time that it takes as many again. */
  private async paste(code: Uint8Array): Promise<void> {
    const [low = 0, high = 0] = await this.line.read(2);
    const window = low | (high << 8);
    let room = window;
    for (let at = 0; at < code.length; ) {
      while (room === 0 || this.line.waiting) {
        const said = ascii(await this.line.read(1));
        if (said === "\x04") {
          // It wants no more; what is wrong comes as the error of the code.
          await this.line.write("\x04");
          return;
        }
        if (said !== "\x01") {
          throw new Fault("garbled");
        }
        room += window;
      }
      const piece = code.subarray(at, at + room);
      await this.line.write(piece);
      room -= piece.length;
      at += piece.length;
    }
    await this.line.write("\x04");
    await this.line.readPast("\x04");
  }

  private async untilEnd(): Promise<string> {
    const bytes = await this.line.readPast("\x04");
    return new TextDecoder().decode(bytes.subarray(0, -1));
  }

  /** Call a function of onboard.py on the board; what it returns. */
  async call(name: string, listed: readonly Argument[], limitMs = this.limits.answer): Promise<Json> {
    const text = await this.execute(`answer(${name}(${listed.map(literal).join(", ")}))`, limitMs);
    try {
      return JSON.parse(text.split(MARK)[1] ?? "") as Json;
    } catch {
      throw new Fault("garbled");
    }
  }

  /** call, for what may take long. */
  callLong(name: string, ...listed: readonly Argument[]): Promise<Json> {
    return this.call(name, listed, this.limits.long);
  }

  /** Write a file (its folder must be there); `sent` is told the bytes as they go. */
  async put(path: string, data: Uint8Array, sent: (bytes: number) => void = () => undefined): Promise<void> {
    if (data.length <= PIECE_BYTES) {
      await this.call("write", [path, base64(data)]);
      sent(data.length);
      return;
    }
    await this.call("begin", [path]);
    for (let at = 0; at < data.length; at += PIECE_BYTES) {
      const piece = data.subarray(at, at + PIECE_BYTES);
      await this.call("more", [base64(piece)]);
      sent(piece.length);
    }
    await this.call("finish", []);
  }

  /** Read a file of `size` bytes. */
  async get(path: string, size: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < size; at += PIECE_BYTES) {
      pieces.push(bytesOf(await this.call("part", [path, at, Math.min(PIECE_BYTES, size - at)])));
    }
    return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
  }

  /** Leave the raw REPL and start main.py, whatever it is, by a soft reset. */
  private async restart(): Promise<void> {
    this.started = true;
    this.line.deadline = performance.now() + this.limits.answer;
    await this.line.write("\r\x02");
    await this.line.readPast(">>> ");
    await this.line.write("\x04");
    await this.line.readPast(REBOOTED);
  }

  /** Start main.py; what the board prints until our loader said what it starts, or for as long as an answer may take. */
  async start(): Promise<string> {
    await this.restart();
    const lines: string[] = [];
    try {
      while (!STARTED.some((text) => lines.at(-1)?.startsWith(text))) {
        const bytes = await this.line.readPast("\n");
        lines.push(new TextDecoder().decode(bytes).replace(/[\r\n]/g, ""));
      }
    } catch (fault) {
      if (!(fault instanceof Fault && fault.kind === "silent")) {
        throw fault;
      }
    }
    return lines.join("\n");
  }
}

/** A value as MicroPython source: a string of JSON is one of Python, too. */
function literal(value: Argument): string {
  if (typeof value === "string") {
    return JSON.stringify(value);
  }
  return typeof value === "number" ? String(value) : `[${value.map(literal).join(", ")}]`;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function base64(bytes: Uint8Array): string {
  return btoa(ascii(bytes));
}

function bytesOf(text: Json): Uint8Array {
  try {
    return Uint8Array.from(atob(String(text)), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Fault("garbled");
  }
}

function errorOf(text: string): Fault {
  if (!text.includes("Traceback")) {
    return new Fault("garbled");
  }
  const error = text.trim().split("\n").at(-1)?.trim() ?? "";
  const number = Number(/^OSError: (?:\[Errno )?(\d+)/.exec(error)?.[1] ?? 0);
  if (number === ENOSPC) {
    return new Fault("full", { kilobytes: 0, names: "" });
  }
  return new Fault(number === EIO ? "worn" : "board", { error });
}
