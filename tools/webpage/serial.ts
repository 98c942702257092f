// The serial line to a board: WebSerial's port, with a time limit on every wait.

/** What is used of WebSerial's SerialPort, which TypeScript's DOM does not have. */
export interface SerialPortLike {
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly writable: WritableStream<Uint8Array> | null;
  open(options: { baudRate: number; bufferSize?: number }): Promise<void>;
  close(): Promise<void>;
}

/** What is used of navigator.serial. */
export interface SerialLike {
  requestPort(options?: { filters?: { usbVendorId: number }[] }): Promise<SerialPortLike>;
}

/** What goes wrong, each with a text of its own in flashtext.ts. */
export type FaultKind =
  | "busy" // the port cannot be opened
  | "gone" // the board went away
  | "silent" // it does not answer in time, or takes nothing in
  | "noMicroPython" // what answers is no MicroPython, or nothing answers
  | "garbled" // the answer makes no sense
  | "full" // kilobytes (0: not known), names: the file system is full
  | "worn" // error: its flash memory does not work
  | "board" // error: what code on the board raised
  | "tooOld" // version, wanted
  | "byteCode" // version, has, wanted
  | "processor" // machine, arch
  | "wrong" // path: a file does not read back as it was sent
  | "notStarting" // reason: the new firmware does not start
  | "stopped" // by the person
  | "download"; // name: a file of the page cannot be loaded, or is damaged

/** An expected failure. `values` are the words that its text needs. */
export class Fault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly values: Readonly<Record<string, string | number>> = {},
  ) {
    super(`${kind} ${JSON.stringify(values)}`);
    this.name = "Fault";
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** What `promise` gives, or the fault after so many milliseconds. */
export async function within<T>(promise: Promise<T>, ms: number, fault: () => Fault): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault()), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const BAUD = 115200; // USB has none; some drivers want a usual one, and 1200 would start the boot loader
const BUFFER_BYTES = 16384;
const WRITE_LIMIT_MS = 5000;
const CLOSE_LIMIT_MS = 2000;
const MOST_AHEAD_BYTES = 1 << 20; // the longest answer there is has some 20 KB

/** A port that is open. Reads and writes keep to `deadline` (milliseconds of performance.now()), set by the owner. */
export class Line {
  deadline = 0;
  private ahead = new Uint8Array(0);
  private closing = false;
  private lost = false;
  private wake: () => void = () => undefined;
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly pump: Promise<void>;

  private constructor(
    private readonly port: SerialPortLike,
    private readonly writer: WritableStreamDefaultWriter<Uint8Array>,
  ) {
    this.pump = this.take();
  }

  /** Open a port. Fault "busy" if somebody else has it, or the system refuses. */
  static async open(port: SerialPortLike): Promise<Line> {
    try {
      await within(port.open({ baudRate: BAUD, bufferSize: BUFFER_BYTES }), WRITE_LIMIT_MS, () => new Fault("busy"));
    } catch {
      // The browser gives one error for all reasons, with no word on which.
      throw new Fault("busy");
    }
    if (!port.writable) {
      throw new Fault("gone");
    }
    return new Line(port, port.writable.getWriter());
  }

  /** Take in what comes, until the port is closed or lost. */
  private async take(): Promise<void> {
    let last: ReadableStream<Uint8Array> | null = null;
    // After an error on the line (a break, bytes that were too many) the port has a new stream; a lost one has none.
    while (!this.closing && this.port.readable && this.port.readable !== last) {
      last = this.port.readable;
      this.reader = last.getReader();
      try {
        for (let read = await this.reader.read(); !read.done; read = await this.reader.read()) {
          this.keep(read.value);
        }
      } catch {
        // What is wrong shows in whether there is a next stream.
      } finally {
        this.reader.releaseLock();
      }
    }
    this.lost = true;
    this.wake();
  }

  private keep(bytes: Uint8Array): void {
    const joined = new Uint8Array(this.ahead.length + bytes.length);
    joined.set(this.ahead);
    joined.set(bytes, this.ahead.length);
    this.ahead = joined;
    this.wake();
  }

  /** Wait for more bytes than are there now. */
  private async more(): Promise<void> {
    if (this.lost) {
      throw new Fault("gone");
    }
    const left = this.deadline - performance.now();
    if (left <= 0 || this.ahead.length > MOST_AHEAD_BYTES) {
      throw new Fault("silent");
    }
    const news = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await within(news, left, () => new Fault("silent"));
  }

  private cut(count: number): Uint8Array {
    const bytes = this.ahead.slice(0, count);
    this.ahead = this.ahead.slice(count);
    return bytes;
  }

  /** Whether bytes have come that nobody has read. */
  get waiting(): boolean {
    return this.ahead.length > 0;
  }

  async read(count: number): Promise<Uint8Array> {
    while (this.ahead.length < count) {
      await this.more();
    }
    return this.cut(count);
  }

  /** All up to and with `ending` (ASCII). */
  async readPast(ending: string): Promise<Uint8Array> {
    const wanted = new TextEncoder().encode(ending);
    let from = 0;
    for (;;) {
      const at = indexOf(this.ahead, wanted, from);
      if (at >= 0) {
        return this.cut(at + wanted.length);
      }
      from = Math.max(0, this.ahead.length - wanted.length + 1);
      // A board that talks without end is not waited for longer than a silent one.
      if (performance.now() > this.deadline) {
        throw new Fault("silent");
      }
      await this.more();
    }
  }

  /** Forget what has come so far. */
  drop(): void {
    this.ahead = new Uint8Array(0);
  }

  /** Write bytes, or text that is ASCII. */
  async write(data: Uint8Array | string): Promise<void> {
    if (this.lost) {
      throw new Fault("gone");
    }
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    const written = this.writer.write(bytes).catch(() => {
      throw new Fault("gone");
    });
    const left = Math.min(WRITE_LIMIT_MS, this.deadline - performance.now());
    await within(written, left, () => new Fault("silent"));
  }

  /** Let go of the port, whatever state the board is in. */
  async close(): Promise<void> {
    this.closing = true;
    // First what is still on its way out: on a hanging board it would hold the port for ever.
    await over(this.writer.abort());
    this.writer.releaseLock();
    await over(this.reader?.cancel());
    await over(this.pump);
    await over(this.port.close());
  }
}

/** Wait for a step of closing to be over, well or not: of a port that went away with its board, none goes well. */
async function over(step: Promise<unknown> | undefined): Promise<void> {
  await within(Promise.allSettled([step]), CLOSE_LIMIT_MS, () => new Fault("silent")).catch(() => undefined);
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const first = wanted[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.length <= bytes.length && wanted.every((byte, i) => bytes[at + i] === byte)) {
      return at;
    }
  }
  return -1;
}
