// The update of one board: fills the folder that is not in use, checks it by hash, then switches.
//
// Step by step what tools/boards/update.py does for `flash`, with the same calls in the same order, so that a board can be
// flashed by either at any time; tests/web/test_flashing.py holds one against the other. Why each step is where it is,
// is said there and in firmware/loader.py.

import { type Board, type Json } from "./rawrepl.js";
import { Fault } from "./serial.js";

const FOLDERS = ["a", "b"] as const;
const FIRST_FOLDER = "a";
const POINTER = "active";
const LOADER = "main.py";
const MANIFEST = "manifest.json";
const OLD = "manifest.old";
const NEW = "manifest.new";
const PART = ".part";
const WHOLE_ENDING = "}\n";
const LOADER_MARK = '"""Starts the firmware: goes onto the device as /main.py';
const KEPT = "main-before-cairn.py";
const GROUP_FILES = 8;
const GROUP_BYTES = 64 * 1024;
const INLINE_BYTES = 512; // littlefs keeps files up to an eighth of a block in the blocks of their folder
const MPY_ARCH_NUMBERS: Readonly<Record<string, readonly number[]>> = { armv6m: [4, 5, 6, 7, 8] };

/** One file of an image: path in its folder, bytes, SHA-256 in hexadecimal. */
export interface Entry {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** What an image is (tools/image/image.py). */
export interface Manifest {
  readonly version: string;
  readonly build: string;
  readonly target: string;
  readonly board: string;
  readonly languages: readonly string[];
  readonly micropython: readonly [number, number];
  readonly mpy: readonly [number, number];
  readonly arch: string;
  readonly loader: Entry | null;
  readonly files: readonly Entry[];
}

/** A manifest, its bytes, and the bytes that it lists; `loader` is what goes onto the board as /main.py. */
export interface BoardImage {
  readonly manifest: Manifest;
  readonly encoded: Uint8Array;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly loader: Uint8Array;
}

/** The manifest in these bytes. Error for anything but a whole one. */
export function decodeManifest(data: Uint8Array): Manifest {
  const read = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data));
  const loader = read.loader;
  return {
    version: text(read.cairn),
    build: text(read.build),
    target: text(read.target),
    board: text(read.board),
    languages: list(read.languages).map(text),
    micropython: [whole(read.micropython[0]), whole(read.micropython[1])],
    mpy: [whole(read.mpy[0]), whole(read.mpy[1])],
    arch: text(read.arch),
    loader: loader === null ? null : entryOf(loader),
    files: list(read.files).map(entryOf),
  };
}

function text(value: unknown): string {
  if (typeof value !== "string") {
    throw new Error("no text");
  }
  return value;
}

function whole(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw new Error("no whole number");
  }
  return value;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    throw new Error("no list");
  }
  return value;
}

function entryOf(value: unknown): Entry {
  const [path, size, sha256, ...more] = list(value);
  const entry = { path: text(path), size: whole(size), sha256: text(sha256) };
  const wrong = entry.path.startsWith("/") || entry.path.split("/").includes("..") || entry.path.includes("\\");
  if (wrong || more.length || !/^[0-9a-f]{64}$/.test(entry.sha256)) {
    throw new Error("no entry");
  }
  return entry;
}

/** What a board says about itself. */
export interface Survey {
  readonly id: string;
  readonly machine: string;
  readonly version: readonly number[];
  readonly mpy: number;
  readonly block: number;
  readonly blocks: number;
  readonly free: number;
}

/** What is on a board; the fields as in tools/boards/update.py. */
export interface State {
  readonly board: Survey;
  readonly pointer: string | null;
  readonly whole: ReadonlySet<string>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  readonly files: ReadonlyMap<string, number>;
  readonly folders: Set<string>;
  readonly main: Uint8Array | null;
}

/** The folder that the loader would start, null if it finds none. */
export function runningOf(state: State): string | null {
  const first = FOLDERS.find((folder) => folder === state.pointer) ?? FIRST_FOLDER;
  return [first, ...FOLDERS].find((folder) => state.whole.has(folder)) ?? null;
}

/** The firmware that would start: its version and build; "" if there is none, "?" if this page cannot read it. */
export function versionOf(state: State): string {
  const running = runningOf(state);
  const manifest = running === null ? undefined : state.manifests.get(running);
  return manifest ? `${manifest.version} (${manifest.build})` : running === null ? "" : "?";
}

/** Read what is on the board. */
export async function look(board: Board): Promise<State> {
  const survey = (await board.call("survey", [])) as unknown as Survey;
  const files = new Map<string, number>();
  const folders = new Set<string>();
  for (const [path, size] of (await board.callLong("tree", "/")) as [string, number][]) {
    if (size < 0) {
      folders.add(path);
    } else {
      files.set(path, size);
    }
  }
  const get = async (path: string, most = Infinity): Promise<Uint8Array | null> => {
    const size = files.get(path);
    return size === undefined ? null : board.get(path, Math.min(size, most));
  };
  const wholeOnes = new Set<string>();
  const manifests = new Map<string, Manifest>();
  const named = new Map<string, Set<string>>();
  for (const folder of FOLDERS) {
    const names = new Set<string>();
    named.set(folder, names);
    for (const name of [MANIFEST, OLD, NEW]) {
      const data = await get(`/${folder}/${name}`);
      if (!data) {
        continue;
      }
      if (name === MANIFEST && utf8(data).endsWith(WHOLE_ENDING)) {
        wholeOnes.add(folder);
      }
      let manifest: Manifest;
      try {
        manifest = decodeManifest(data);
      } catch {
        // Cut off, or of a firmware that this page does not know.
        continue;
      }
      manifest.files.forEach((entry) => names.add(entry.path));
      if (name === MANIFEST && wholeOnes.has(folder)) {
        manifests.set(folder, manifest);
      }
    }
  }
  // littlefs counts the two blocks of each folder twice here (seen with MicroPython 1.28), below zero too.
  const free = survey.free - (survey.free > survey.blocks ? 2 ** 32 : 0) + 2 * folders.size;
  const main = await get("/" + LOADER);
  // As much of it as firmware/loader.py looks at.
  const pointer = await get("/" + POINTER, 2);
  return {
    board: { ...survey, free },
    pointer: pointer && utf8(pointer).trim(),
    whole: wholeOnes,
    manifests,
    named,
    files,
    folders,
    main,
  };
}

function utf8(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

/** Why this board cannot run that image; null if it can. */
export function unfit(survey: Survey, manifest: Manifest): Fault | null {
  const version = survey.version.join(".");
  const [major = 0, minor = 0] = survey.version;
  const [oldMajor, oldMinor] = manifest.micropython;
  if (major < oldMajor || (major === oldMajor && minor < oldMinor)) {
    return new Fault("tooOld", { version, wanted: manifest.micropython.join(".") });
  }
  const { mpy } = survey;
  if ((mpy & 255) !== manifest.mpy[0]) {
    return new Fault("byteCode", { version, has: mpy & 255, wanted: manifest.mpy[0] });
  }
  const { arch } = manifest;
  if (arch && (((mpy >> 8) & 3) !== manifest.mpy[1] || !MPY_ARCH_NUMBERS[arch]?.includes((mpy >> 10) & 15))) {
    return new Fault("processor", { machine: survey.machine, arch });
  }
  return null;
}

/** What an update would do: the folder it fills, and there the files that stay, are copied on the board, are sent. */
export interface Plan {
  readonly state: State;
  readonly image: BoardImage;
  readonly target: string;
  readonly keep: readonly Entry[];
  readonly copy: readonly Entry[];
  readonly send: readonly Entry[];
  readonly stale: readonly string[];
  /** The running folder is the image already, byte for byte. */
  readonly settled: boolean;
  /** /main.py has to be written. */
  readonly loader: boolean;
}

/** The board has all of it. */
export function nothingToDo(plan: Plan): boolean {
  return plan.settled && !plan.loader && plan.state.pointer === plan.target;
}

export function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + entry.size, 0);
}

/** Blocks of the file system that are missing for it; 0 or less if there is room. Rather too few than too many. */
export function blocksShort(plan: Plan): number {
  const { files, folders, board } = plan.state;
  const blocks = (size: number) => (size > INLINE_BYTES ? Math.ceil(size / board.block) : 0);
  const there = (path: string) => blocks(files.get(`/${plan.target}/${path}`) ?? 0);
  let needed = blocks(plan.image.encoded.length);
  for (const entry of [...plan.copy, ...plan.send]) {
    needed += blocks(entry.size) - there(entry.path);
  }
  // littlefs takes a pair of blocks for each folder.
  const made = parents(plan.image.manifest.files.map((entry) => `${plan.target}/${entry.path}`));
  needed += 2 * made.filter((folder) => !folders.has("/" + folder)).length;
  needed -= plan.stale.reduce((sum, path) => sum + there(path), 0);
  return needed - board.free;
}

/** In groups that are one call each: few files, as the call itself must stay short, and not too many bytes. */
function groups(entries: readonly Entry[]): Entry[][] {
  const found: Entry[][] = [];
  let group: Entry[] = [];
  for (const entry of entries) {
    if (group.length && (group.length === GROUP_FILES || bytesOf(group) + entry.size > GROUP_BYTES)) {
      found.push(group);
      group = [];
    }
    group.push(entry);
  }
  return group.length ? [...found, group] : found;
}

const paths = (entries: readonly Entry[]) => entries.map((entry) => entry.path);

/** Those paths of `entries` whose file in that folder has the hash listed. */
async function right(
  board: Board,
  folder: string,
  entries: readonly Entry[],
  step: (done: number) => void,
): Promise<Set<string>> {
  const found = new Set<string>();
  let done = 0;
  for (const group of groups(entries)) {
    step(done);
    const hashes = (await board.callLong("hashes", "/" + folder, paths(group))) as Json[];
    group.filter((entry, i) => entry.sha256 === hashes[i]).forEach((entry) => found.add(entry.path));
    done += group.length;
  }
  return found;
}

/** Compare the board with the image. Changes nothing. */
export async function planOf(board: Board, state: State, image: BoardImage, step: Step): Promise<Plan> {
  const entries = image.manifest.files;
  // Only files of the right size are hashed.
  const there = (folder: string) => {
    const sized = entries.filter((entry) => state.files.get(`/${folder}/${entry.path}`) === entry.size);
    return right(board, folder, sized, (done) => step("comparing", done, sized.length));
  };
  const running = runningOf(state);
  const atHand = running === null ? new Set<string>() : await there(running);
  const loader = state.main === null || !equal(state.main, image.loader);
  const plan = { state, image, loader, keep: entries, copy: [], send: [], stale: [], settled: true };
  if (running !== null && same(state.manifests.get(running), image.manifest) && atHand.size === entries.length) {
    return { ...plan, target: running };
  }
  const target = running === null ? FIRST_FOLDER : FOLDERS.find((folder) => folder !== running) ?? FIRST_FOLDER;
  const inPlace = await there(target);
  const listed = new Set(paths(entries));
  const missing = entries.filter((entry) => !inPlace.has(entry.path));
  return {
    ...plan,
    target,
    settled: false,
    keep: entries.filter((entry) => inPlace.has(entry.path)),
    copy: missing.filter((entry) => atHand.has(entry.path)),
    send: missing.filter((entry) => !atHand.has(entry.path)),
    stale: [...(state.named.get(target) ?? [])]
      .filter((path) => !listed.has(path) && state.files.has(`/${target}/${path}`))
      .sort(),
  };
}

function same(one: Manifest | undefined, other: Manifest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** What a board is busy with. Bytes are counted while sending, files at all others. */
export type Stage =
  | "connecting"
  | "looking"
  | "comparing"
  | "removing"
  | "clearing"
  | "copying"
  | "sending"
  | "checking"
  | "starting";

/** Told how far a board is: the stage, how much of it is done, of how much. */
export type Step = (stage: Stage, done: number, total: number) => void;

/**
 * Bring the board to the plan's image; the name under which somebody's main.py was kept, "" if there was none.
 *
 * Fault "full", with nothing lost, where the room does not suffice; any Fault of the board; run again after each.
 */
export async function carryOut(board: Board, plan: Plan, step: Step): Promise<string> {
  if (nothingToDo(plan)) {
    return "";
  }
  const short = blocksShort(plan);
  if (short > 0) {
    throw full(plan, short * plan.state.board.block);
  }
  try {
    if (!plan.settled) {
      await fill(board, plan, step);
      await verify(board, plan, step);
    }
    return await switchOver(board, plan);
  } catch (fault) {
    throw fault instanceof Fault && fault.kind === "full" ? full(plan, 0) : fault;
  }
}

/** Remove the firmware that runs. From here until the next one is whole the board starts nothing. */
export async function giveUp(board: Board, state: State, step: Step): Promise<void> {
  const folder = runningOf(state);
  if (folder === null) {
    return;
  }
  // First what makes it whole: interrupted, no half of it can start.
  await board.call("remove", [`/${folder}/${MANIFEST}`]);
  const gone = [...(state.named.get(folder) ?? [])].filter((path) => state.files.has(`/${folder}/${path}`)).sort();
  for (const [i, path] of gone.entries()) {
    step("removing", i, gone.length);
    await board.call("remove", [`/${folder}/${path}`]);
  }
  for (const parent of parents(gone)) {
    await board.call("remove", [`/${folder}/${parent}`]);
  }
}

function full(plan: Plan, short: number): Fault {
  const ours = new Set<string>(["/" + LOADER]);
  plan.state.named.forEach((names, folder) => names.forEach((path) => ours.add(`/${folder}/${path}`)));
  const others = [...plan.state.files]
    .filter(([path, size]) => size >= 1024 && !ours.has(path) && !/^\/(saves\/|[ab]\/manifest)/.test(path))
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3);
  const names = others.map(([path, size]) => `${path} (${Math.floor(size / 1024) + 1} KB)`).join(", ");
  return new Fault("full", { kilobytes: Math.floor(short / 1024), names });
}

/** Write a file beside its place, check it, rename it into place: at every moment the old one or the new one. */
async function putWhole(board: Board, path: string, data: Uint8Array): Promise<void> {
  await board.put(path + PART, data);
  await mustMatch(board, path + PART, data);
  await board.call("rename", [path + PART, path]);
}

async function mustMatch(board: Board, path: string, data: Uint8Array): Promise<void> {
  if (!equal(await board.get(path, data.length), data)) {
    throw new Fault("wrong", { path });
  }
}

async function fill(board: Board, plan: Plan, step: Step): Promise<void> {
  const { state, target, copy, send, stale } = plan;
  const folder = "/" + target;
  await board.call("make_folders", [`${folder}/${MANIFEST}`]);
  // From here on the folder is not whole. If it was begun before, `old` has the names of what it held before that.
  if (state.whole.has(target)) {
    await board.call("rename", [`${folder}/${MANIFEST}`, `${folder}/${OLD}`]);
  } else {
    await board.call("remove", [`${folder}/${MANIFEST}`]);
  }
  for (const [i, path] of stale.entries()) {
    step("clearing", i, stale.length);
    await board.call("remove", [`${folder}/${path}`]);
  }
  for (const parent of parents(stale)) {
    if (await board.call("remove", [`${folder}/${parent}`])) {
      state.folders.delete(`${folder}/${parent}`);
    }
  }
  await board.put(`${folder}/${MANIFEST}${PART}`, plan.image.encoded);
  await board.call("rename", [`${folder}/${MANIFEST}${PART}`, `${folder}/${NEW}`]);
  const above = paths([...copy, ...send]).map((path) => `${folder}/${path}`.replace(/\/[^/]*$/, ""));
  for (const path of [...new Set(above)].filter((name) => !state.folders.has(name)).sort()) {
    await board.call("make_folders", [path + "/x"]);
  }
  let copied = 0;
  for (const group of groups(copy)) {
    step("copying", copied, copy.length);
    await board.callLong("copy", `/${runningOf(state)}`, folder, paths(group));
    copied += group.length;
  }
  const total = bytesOf(send);
  let done = 0;
  for (const entry of send) {
    await board.put(`${folder}/${entry.path}`, plan.image.files.get(entry.path) ?? new Uint8Array(0), (bytes) => {
      done += bytes;
      step("sending", done, total);
    });
  }
}

/** The folders of paths, inner ones first. */
function parents(listed: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of listed) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      found.add(path.slice(0, at));
    }
  }
  const depth = (path: string) => path.split("/").length;
  return [...found].sort().sort((one, other) => depth(other) - depth(one));
}

async function verify(board: Board, plan: Plan, step: Step): Promise<void> {
  const entries = plan.image.manifest.files;
  const fine = await right(board, plan.target, entries, (done) => step("checking", done, entries.length));
  const wrong = entries.find((entry) => !fine.has(entry.path));
  if (wrong) {
    throw new Fault("wrong", { path: wrong.path });
  }
}

async function switchOver(board: Board, plan: Plan): Promise<string> {
  const { state, image, target, settled } = plan;
  const folder = "/" + target;
  let kept = "";
  if (plan.loader && state.main && !utf8(state.main).startsWith(LOADER_MARK)) {
    kept = await keepMain(board, state.files, state.main);
  }
  if (!settled) {
    await mustMatch(board, `${folder}/${NEW}`, image.encoded);
    await board.call("rename", [`${folder}/${NEW}`, `${folder}/${MANIFEST}`]);
  }
  if (state.pointer !== target) {
    await putWhole(board, "/" + POINTER, new TextEncoder().encode(target));
  }
  if (plan.loader) {
    await putWhole(board, "/" + LOADER, image.loader);
  }
  await board.call("remove", [`${folder}/${OLD}`]);
  return kept;
}

/** Keep somebody's main.py under a name that is free, or that has it already; the name. */
async function keepMain(board: Board, files: ReadonlyMap<string, number>, main: Uint8Array): Promise<string> {
  let name = KEPT;
  for (let number = 2; files.has("/" + name); number++) {
    if (files.get("/" + name) === main.length && equal(await board.get("/" + name, main.length), main)) {
      return name;
    }
    name = KEPT.replace(".py", `-${number}.py`);
  }
  await putWhole(board, "/" + name, main);
  return name;
}
