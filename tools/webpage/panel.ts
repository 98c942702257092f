// A model of an SSD1306 panel at its bus: takes the bytes of I2C writes, gives the picture that the glass shows.
//
// Written from the data sheet (Solomon Systech SSD1306, revision 1.1); sections are cited. It knows nothing of our driver:
// what a real panel would not show, the page does not show either.

const COLUMNS = 128;
const PAGES = 8;
const NO_PARAMETERS = 0;

const HORIZONTAL = 0;
const VERTICAL = 1;
const BY_PAGE = 2;

/** Parameters that follow a command byte (table 9-1, and the charge pump of the application note). */
const PARAMETERS: ReadonlyMap<number, number> = new Map([
  [0x20, 1], [0x21, 2], [0x22, 2], [0x26, 6], [0x27, 6], [0x29, 5], [0x2a, 5], [0x81, 1], [0x8d, 1], [0xa3, 2],
  [0xa8, 1], [0xd3, 1], [0xd5, 1], [0xd9, 1], [0xda, 1], [0xdb, 1],
]);

export class Panel {
  /** What the controller did not understand, one line each. */
  readonly faults: string[] = [];
  /** Contrast, 0..255 (10.1.7). */
  contrast = 0x7f;
  /** Display on (10.1.12). */
  on = false;

  // Kept by segment, not by address: the re-map acts on writing (10.1.8).
  private readonly memory = new Uint8Array(COLUMNS * PAGES);
  private readonly glass: Uint8Array;
  private mode = BY_PAGE;
  private firstColumn = 0;
  private lastColumn = COLUMNS - 1;
  private firstPage = 0;
  private lastPage = PAGES - 1;
  private column = 0;
  private page = 0;
  private reversedColumns = false;
  private reversedRows = false;
  private inverted = false;
  private allOn = false;
  private pump = false;
  private startLine = 0;
  private lineOffset = 0;
  private lines = 64;
  private comPins = 0x12;
  private command: number[] = [];

  constructor(readonly width = 128, readonly height = 64) {
    // What it holds after power-on is noise (8.5); always the same here, so that a fault looks the same each time.
    let noise = 1306;
    for (let i = 0; i < this.memory.length; i++) {
      noise = (noise * 1103515245 + 12345) % 2147483648;
      this.memory[i] = noise >> 16;
    }
    this.glass = new Uint8Array(width * height / 8);
  }

  /** Whether any pixel can light: display on, and the charge pump, by which such a module lives. */
  get lit(): boolean {
    return this.on && this.pump;
  }

  /** One I2C write, without the address: control bytes, commands and data as in 8.1.5.2. */
  write(bytes: Uint8Array): void {
    let control = -1;
    for (const byte of bytes) {
      if (control < 0) {
        if (byte & 0x3f) this.faults.push(`control byte ${hex(byte)}`);
        control = byte;
        continue;
      }
      if (control & 0x40) this.data(byte);
      else this.take(byte);
      if (control & 0x80) control = -1;
    }
  }

  private data(byte: number): void {
    const segment = this.reversedColumns ? COLUMNS - 1 - this.column : this.column;
    this.memory[this.page * COLUMNS + segment] = byte;
    if (this.mode === BY_PAGE) {
      this.column = (this.column + 1) % COLUMNS;
    } else if (this.mode === HORIZONTAL) {
      if (this.column !== this.lastColumn) {
        this.column = (this.column + 1) % COLUMNS;
        return;
      }
      this.column = this.firstColumn;
      this.page = this.page === this.lastPage ? this.firstPage : (this.page + 1) % PAGES;
    } else if (this.mode === VERTICAL) {
      if (this.page !== this.lastPage) {
        this.page = (this.page + 1) % PAGES;
        return;
      }
      this.page = this.firstPage;
      this.column = this.column === this.lastColumn ? this.firstColumn : (this.column + 1) % COLUMNS;
    }
  }

  private take(byte: number): void {
    this.command.push(byte);
    const [code = 0, ...values] = this.command;
    if (values.length < (PARAMETERS.get(code) ?? NO_PARAMETERS)) return;
    this.command = [];
    this.carryOut(code, values[0] ?? 0, values[1] ?? 0);
  }

  private carryOut(code: number, value: number, second: number): void {
    if (code < 0x20) {
      if (this.mode !== BY_PAGE) this.faults.push(`column command ${hex(code)} outside page mode`);
      else if (code < 0x10) this.column = (this.column & 0x70) | code;
      else this.column = (this.column & 0x0f) | ((code << 4) & 0x70);
    } else if (code === 0x20) {
      this.mode = value & 3;
    } else if (code === 0x21) {
      if (!(value <= second && second < COLUMNS)) this.faults.push(`columns ${value} to ${second}`);
      this.firstColumn = value % COLUMNS;
      this.lastColumn = second % COLUMNS;
      this.column = this.firstColumn;
    } else if (code === 0x22) {
      if (!(value <= second && second < PAGES)) this.faults.push(`pages ${value} to ${second}`);
      this.firstPage = value % PAGES;
      this.lastPage = second % PAGES;
      this.page = this.firstPage;
    } else if (code >= 0x40 && code < 0x80) {
      this.startLine = code & 63;
    } else if (code === 0x81) {
      this.contrast = value;
    } else if (code === 0x8d) {
      this.pump = (value & 4) !== 0;
    } else if (code === 0xa0 || code === 0xa1) {
      this.reversedColumns = code === 0xa1;
    } else if (code === 0xa4 || code === 0xa5) {
      this.allOn = code === 0xa5;
    } else if (code === 0xa6 || code === 0xa7) {
      this.inverted = code === 0xa7;
    } else if (code === 0xa8) {
      if (value < 15) this.faults.push(`multiplex ratio ${value}`);
      this.lines = (value & 63) + 1;
    } else if (code === 0xae || code === 0xaf) {
      this.on = code === 0xaf;
    } else if (code >= 0xb0 && code < 0xb8) {
      if (this.mode !== BY_PAGE) this.faults.push(`page command ${hex(code)} outside page mode`);
      else this.page = code & 7;
    } else if (code >= 0xc0 && code < 0xd0) {
      this.reversedRows = (code & 8) !== 0;
    } else if (code === 0xd3) {
      this.lineOffset = value & 63;
    } else if (code === 0xda) {
      this.comPins = value;
    } else if (![0x2e, 0xd5, 0xd9, 0xdb, 0xe3].includes(code)) {
      this.faults.push(`command ${hex(code)}`);
    }
  }

  /**
   * The glass as width * height / 8 bytes in pages of 8 rows (MONO_VLSB), dark where nothing lights; the same array each
   * time. The module is wired so that both directions reversed (A1, C8) is upright.
   */
  picture(): Uint8Array {
    const { glass, width, height, memory } = this;
    glass.fill(0);
    if (!this.lit) return glass;
    // Wrong wiring of the rows: every second one is not driven.
    const wired = width > 2 * height ? 0x02 : 0x12;
    const driven = ((this.comPins ^ wired) & 0x12) === 0;
    const turn = (this.startLine + this.lineOffset) & 63;
    for (let y = 0; y < height; y++) {
      if (!driven && y & 1) continue;
      const line = this.reversedRows ? y : height - 1 - y;
      if (line >= this.lines) continue;
      const row = (line + turn) & 63;
      for (let x = 0; x < width; x++) {
        // Upright, the leftmost pixel is the first address, which the re-map puts at the other end.
        const bit = ((memory[(row >> 3) * COLUMNS + COLUMNS - 1 - x] ?? 0) >> (row & 7)) & 1;
        if (this.allOn || (bit !== 0) !== this.inverted) {
          const at = (y >> 3) * width + x;
          glass[at] = (glass[at] ?? 0) | (1 << (y & 7));
        }
      }
    }
    return glass;
  }
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, "0")}`;
}
