// Flashes one Pico over WebSerial.

import { Board, LIMITS, type Limits } from "./rawrepl.js";
import { Fault, type SerialLike, type SerialPortLike } from "./serial.js";
import * as update from "./update.js";

/** How far it is. Bytes are counted while sending, files or nothing (total 0) at all others. */
export interface Progress {
  readonly stage: update.Stage;
  readonly done: number;
  readonly total: number;
}

/** What came of it. */
export interface FlashResult {
  readonly outcome: "installed" | "updated" | "nothing";
  /** What the board calls itself, and the version of its MicroPython. */
  readonly machine: string;
  readonly micropython: string;
  /** The firmware before and after: version and build; "" none, "?" one that this page does not know. */
  readonly before: string;
  readonly after: string;
  /** Files sent, their bytes, and files that were there already. */
  readonly sent: number;
  readonly bytes: number;
  readonly there: number;
  /** The name under which somebody's main.py was kept, "" if there was none. */
  readonly keptMain: string;
  /** Whether the firmware was seen to start. */
  readonly seen: boolean;
}

export interface FlashOptions {
  /** Where there is no room for two firmwares, remove the old one first: interrupted, the board starts nothing. */
  readonly replace?: boolean;
  /** Raised to stop between two steps; the board then starts what it had or the new firmware. */
  readonly stop?: AbortSignal;
  readonly limits?: Limits;
}

const VENDOR = 0x2e8a; // Raspberry Pi

/** Let the person choose a Pico, which only a click or a key may ask for; null if none is chosen. */
export async function choosePort(serial: SerialLike): Promise<SerialPortLike | null> {
  try {
    return await serial.requestPort({ filters: [{ usbVendorId: VENDOR }] });
  } catch (fault) {
    if (fault instanceof Error && fault.name === "NotFoundError") {
      return null;
    }
    throw fault;
  }
}

/** This browser's WebSerial, undefined where it has none. */
export function serialOf(navigator: Navigator): SerialLike | undefined {
  return (navigator as { serial?: SerialLike }).serial;
}

/**
 * Bring the board at that port to an image, and start it. Safe to run again after whatever went wrong.
 *
 * onboard: the code for the board (Catalogue.onboard). Fault for all that may go wrong, with the port let go.
 */
export async function flashBoard(
  port: SerialPortLike,
  image: update.BoardImage,
  onboard: string,
  onProgress: (progress: Progress) => void,
  options: FlashOptions = {},
): Promise<FlashResult> {
  const show = (stage: update.Stage, done = 0, total = 0) => onProgress({ stage, done, total });
  show("connecting");
  const board = await Board.connect(port, onboard, options.limits ?? LIMITS, options.stop);
  try {
    show("looking");
    const state = await update.look(board);
    const reason = update.unfit(state.board, image.manifest);
    if (reason) {
      throw reason;
    }
    let plan = await update.planOf(board, state, image, show);
    if (options.replace && !plan.settled && update.blocksShort(plan) > 0) {
      await update.giveUp(board, state, show);
      plan = await update.planOf(board, await update.look(board), image, show);
    }
    const keptMain = await update.carryOut(board, plan, show);
    const before = update.versionOf(state);
    const result = {
      machine: state.board.machine,
      micropython: state.board.version.join("."),
      before,
      sent: plan.send.length,
      bytes: update.bytesOf(plan.send),
      there: plan.copy.length + plan.keep.length,
      keptMain,
    };
    if (update.nothingToDo(plan)) {
      return { ...result, outcome: "nothing", after: before, seen: true };
    }
    show("starting");
    const seen = judge(await board.start(), plan.target);
    const after = `${image.manifest.version} (${image.manifest.build})`;
    return { ...result, outcome: before ? "updated" : "installed", after, seen };
  } finally {
    await board.close();
  }
}

/** Whether the new firmware was seen to start; the loader says on the console what it does. Fault "notStarting". */
function judge(printed: string, target: string): boolean {
  const lines = printed.split("\n");
  if (lines.includes(`Cairn: starting from /${target}`)) {
    return true;
  }
  if (lines.some((line) => line.includes("Cairn: "))) {
    throw new Fault("notStarting", { reason: lines.filter((line) => line.includes("Error")).at(-1) ?? "" });
  }
  return false;
}
