// The firmware in WebAssembly: its files, its device's functions, and calls from frame to frame.

/** What of @micropython/micropython-webassembly-pyscript is used. */
export interface MicroPython {
  readonly FS: { mkdirTree(path: string): void; writeFile(path: string, data: Uint8Array): void };
  readonly _module: { getValue(address: number, type: "i32"): number };
  runPython(code: string): unknown;
  pyimport(name: string): unknown;
}

export type LoadMicroPython = (options: {
  url?: string;
  heapsize: number;
  pystack: number;
  stdout: (line: string) => void;
  stderr: (line: string) => void;
}) => Promise<MicroPython>;

/** Key bits (hal/device.py). */
export const UP = 1;
export const DOWN = 2;
export const LEFT = 4;
export const RIGHT = 8;
export const A = 16;
export const B = 32;

/** What a turn of the firmware's loop did (firmware/browser.py). */
export const SAME = 0;
export const CHANGED = 1;
export const STOPPED = 2;

/** The functions of a page that a device is made of (hal/web.py). */
export interface Parts {
  /** One write of the panel's driver. */
  panel(bytes: Uint8Array): void;
  tone(hz: number, ms: number): void;
  /** 0 kept, 1 no room, 2 it cannot be kept. */
  keep(name: string, text: string): number;
  drop(name: string): void;
  log(line: string): void;
}

/** What is set and what is played. */
export interface State {
  readonly language: string;
  readonly languages: readonly string[];
  readonly speed: number;
  readonly sound: number;
  /** Id and name of each game, in the language that is set. */
  readonly games: readonly (readonly [id: string, name: string])[];
  readonly layout: string;
  readonly game?: string;
  readonly word?: string;
  readonly options?: number;
  readonly kinds?: readonly number[];
}

/** A game that the device keeps: its id, word, winners (bit mask of seats) and the name of its record's file. */
export type Kept = readonly [game: string, word: string, winners: number, file: string];

/** firmware/browser.py. */
interface Calls {
  start(page: object, layout: string, language: string, seed: number): void;
  room(): number;
  step(skipped: number): number;
  key(bit: number, down: boolean): void;
  said(): string;
  scene(): string;
  state(): string;
  set_language(code: string): void;
  rest(): void;
  help_pages(game: string, count: number): string;
  set_speed(value: number): void;
  set_sound(on: boolean): void;
  set_layout(name: string): void;
  open_game(game: string, word: string, options: number, kinds: string): boolean;
  kept(): string;
  record(name: string): string;
  replay(text: string): string;
}

/** How the firmware starts: the layout of keys, the language of the browser, a seed or 0 for another one each time. */
export interface Start {
  readonly layout: string;
  readonly language: string;
  readonly seed: number;
}

const CALLS: readonly (keyof Calls)[] = [
  "start", "room", "step", "key", "said", "scene", "state", "set_language", "set_speed", "set_sound", "set_layout", "open_game",
  "kept", "record", "replay", "rest", "help_pages",
];

const HOME = "/cairn";
const SAVES = "/saves";
// Ten times what the firmware needs. Garbage is collected between calls only, and where a call makes more than fits, another
// heap is added, whose addresses look more like data: then the collector keeps dead objects.
const HEAP_BYTES = 1 << 20;
const PYSTACK_BYTES = 8 << 10;

/** A file of a pack: a line of JSON, [[path, size], ...], then the files one after the other. */
export function unpack(pack: Uint8Array): Map<string, Uint8Array> {
  const end = pack.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(pack.subarray(0, end))) as [string, number][];
  const files = new Map<string, Uint8Array>();
  let at = end + 1;
  for (const [path, size] of head) {
    files.set(path, pack.subarray(at, at + size));
    at += size;
  }
  if (at !== pack.length) throw new Error("the firmware has not arrived whole");
  return files;
}

export class Firmware {
  private roomAt = 0;
  private room = new Uint8Array(0);

  private constructor(private readonly python: MicroPython, private readonly calls: Calls) {}

  /**
   * Start it. `files` are those of the image, `saves` those that the page has kept, by name.
   * Rejects with what MicroPython says if it cannot start.
   */
  static async start(
    load: LoadMicroPython,
    files: ReadonlyMap<string, Uint8Array>,
    saves: ReadonlyMap<string, Uint8Array>,
    parts: Parts,
    how: Start,
  ): Promise<Firmware> {
    const python = await load({ heapsize: HEAP_BYTES, pystack: PYSTACK_BYTES, stdout: parts.log, stderr: parts.log });
    for (const [path, data] of files) {
      const full = `${HOME}/${path}`;
      python.FS.mkdirTree(full.slice(0, full.lastIndexOf("/")));
      python.FS.writeFile(full, data);
    }
    if (saves.size > 0) {
      python.FS.mkdirTree(SAVES);
      for (const [name, data] of saves) python.FS.writeFile(`${SAVES}/${name}`, data);
    }
    python.runPython(`import sys\nsys.path.insert(0, "${HOME}")`);
    const module = python.pyimport("firmware.browser") as Calls;
    // Each look-up of a function makes a new one, so they are looked up once.
    const calls = Object.fromEntries(CALLS.map((name) => [name, module[name]])) as unknown as Calls;
    const made = new Firmware(python, calls);
    calls.start(
      {
        take: (count: number) => made.take(count, parts),
        tone: (hz: number, ms: number) => parts.tone(hz, ms),
        keep: (name: string, text: string) => parts.keep(name, text),
        drop: (name: string) => parts.drop(name),
        random,
      },
      how.layout,
      how.language,
      how.seed,
    );
    return made;
  }

  /** Hand the writes in the first `count` bytes of the bus's room to the panel. */
  private take(count: number, parts: Parts): void {
    if (this.roomAt === 0) this.roomAt = this.calls.room();
    // What the package lets out of its memory are single words.
    if (this.room.length < count) this.room = new Uint8Array((count + 4) & ~3);
    for (let i = 0; i < count; i += 4) {
      const word = this.python._module.getValue(this.roomAt + i, "i32");
      this.room[i] = word;
      this.room[i + 1] = word >> 8;
      this.room[i + 2] = word >> 16;
      this.room[i + 3] = word >> 24;
    }
    let at = 0;
    while (at < count) {
      const length = (this.room[at] ?? 0) | ((this.room[at + 1] ?? 0) << 8);
      parts.panel(this.room.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }

  /** A turn of the loop, of which the firmware shall not notice `skipped` milliseconds: SAME, CHANGED or STOPPED. */
  step(skipped: number): number {
    return this.calls.step(skipped);
  }

  key(bit: number, down: boolean): void {
    this.calls.key(bit, down);
  }

  /** The texts on the screen, row by row. */
  said(): string {
    return this.calls.said();
  }

  /** The name of the scene on top (firmware/scenes). */
  scene(): string {
    return this.calls.scene();
  }

  state(): State {
    return JSON.parse(this.calls.state()) as State;
  }

  setLanguage(code: string): void {
    this.calls.set_language(code);
  }

  setSpeed(value: number): void {
    this.calls.set_speed(value);
  }

  setSound(on: boolean): void {
    this.calls.set_sound(on);
  }

  /** The page may be gone in a moment. */
  rest(): void {
    this.calls.rest();
  }

  /** The first `count` pages of a game's rules as the panel would show them (MONO_VLSB), one after the other. */
  helpPages(game: string, count: number): Uint8Array {
    return unhex(this.calls.help_pages(game, count)) ?? new Uint8Array(0);
  }

  setLayout(name: string): void {
    this.calls.set_layout(name);
  }

  /** Open the set-up of a game; false if there is no such game. */
  openGame(game: string, word: string, options: number, kinds: string): boolean {
    return this.calls.open_game(game, word, options, kinds);
  }

  kept(): Kept[] {
    return JSON.parse(this.calls.kept()) as Kept[];
  }

  /** The record of a kept game by the name of its file, "" if it cannot be had. */
  record(file: string): string {
    return this.calls.record(file);
  }

  /** Show the first game of a record. "", or what is wrong with it. */
  replay(text: string): string {
    return this.calls.replay(text);
  }
}

/** The bytes of a text in hexadecimal, null if it is none. */
export function unhex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** An unpredictable integer in 1..2**30-1. */
function random(): number {
  const found = new Uint32Array(1);
  do {
    crypto.getRandomValues(found);
    found[0] = (found[0] ?? 0) & 0x3fffffff;
  } while (!found[0]);
  return found[0];
}
