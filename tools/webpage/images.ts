// The images that the site holds, as tools/boards/pack.py wrote them: one for each kit, equal files once.

import { Fault } from "./serial.js";
import { decodeManifest, type BoardImage } from "./update.js";

/** One kit that this site has an image for. */
export interface Kit {
  /** The name of its file in boards/. */
  readonly board: string;
  /** What it is, in English. */
  readonly title: string;
  /** `pico`, `pico_w`, `pico2` or `pico2_w`. */
  readonly pico: string;
  /** The number of the piece that is its manifest. */
  readonly manifest: number;
  /** The file for drag and drop without `.gz`, null where there is none. */
  readonly uf2: string | null;
}

/** What is there: flash.json, and where it came from. */
export interface Catalogue {
  readonly base: string;
  readonly kits: readonly Kit[];
  /** The code that runs on the board. */
  readonly onboard: string;
  /** Bytes of each piece of pack.bin. */
  readonly sizes: readonly number[];
}

const CATALOGUE = "flash.json";
const PACK = "pack.bin";
const GZIP = [0x1f, 0x8b];

async function fetched(base: string, name: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(base + name);
  } catch {
    throw new Fault("download", { name });
  }
  if (!response.ok) {
    throw new Fault("download", { name });
  }
  return response;
}

/** What there is to flash. `base`: the address of the folder, with `/` at its end. Fault "download". */
export async function loadCatalogue(base: string): Promise<Catalogue> {
  const response = await fetched(base, CATALOGUE);
  try {
    return { ...((await response.json()) as Omit<Catalogue, "base">), base };
  } catch {
    throw new Fault("download", { name: CATALOGUE });
  }
}

/** The image of a kit, every byte of it held against its hash. Fault "download". */
export async function loadImage(catalogue: Catalogue, kit: Kit): Promise<BoardImage> {
  const damaged = () => new Fault("download", { name: PACK });
  const response = await fetched(catalogue.base, PACK);
  let pack: Uint8Array;
  try {
    pack = new Uint8Array(await response.arrayBuffer());
  } catch {
    throw damaged();
  }
  const pieces: Uint8Array[] = [];
  const byHash = new Map<string, Uint8Array>();
  let at = 0;
  for (const size of catalogue.sizes) {
    const piece = pack.subarray(at, at + size);
    at += size;
    pieces.push(piece);
    byHash.set(await sha256(piece), piece);
  }
  const piece = (hash: string | undefined, size: number | undefined): Uint8Array => {
    const found = byHash.get(hash ?? "");
    if (!found || found.length !== size) {
      throw damaged();
    }
    return found;
  };
  const encoded = pieces[kit.manifest] ?? new Uint8Array(0);
  let manifest;
  try {
    manifest = decodeManifest(encoded);
  } catch {
    throw damaged();
  }
  const files = new Map(manifest.files.map((entry) => [entry.path, piece(entry.sha256, entry.size)] as const));
  return { manifest, encoded, files, loader: piece(manifest.loader?.sha256, manifest.loader?.size) };
}

/** The file for drag and drop of that name (Kit.uf2). Fault "download". */
export async function loadUf2(catalogue: Catalogue, name: string): Promise<Blob> {
  const packed = await (await fetched(catalogue.base, name + ".gz")).blob();
  const first = new Uint8Array(await packed.slice(0, GZIP.length).arrayBuffer());
  if (!GZIP.every((byte, i) => first[i] === byte)) {
    // A server that knows the ending .gz had the browser unpack it already.
    return packed;
  }
  try {
    return await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
  } catch {
    throw new Fault("download", { name });
  }
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as BufferSource);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
