// One Python interpreter in a worker of its own. It gets all bytes from the page, which has checked them; it opens nothing
// but the library, whose bytes it checks itself. To it: {start}, {id, code}. From it: {module}, {ready}, {text}, {done}, {failed}.
import { Directory, Fd, File, PreopenDirectory, WASI, WASIProcExit, wasi as defs } from "@bjorn3/browser_wasi_shim";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const LIBRARY = "/usr/local/lib", ZIP = "python315.zip", PAGE = 65536;
const MOST = 1e6, MOST_FIGURES = 20, PAUSE = 100; // characters and figures of a cell; milliseconds between messages
const REFUSED = { ret: defs.ERRNO_ROFS, fd_obj: null, inode_obj: null };
let exports, scratch;

const output = { parts: [], size: 0, last: 0 };
function write(text, to) {
  const rest = MOST - output.size;
  if (rest <= 0) return;
  output.size += text.length;
  output.parts.push({ text: text.length > rest ? `${text.slice(0, rest)}\n... cut after ${MOST} characters\n` : text, to });
  if (performance.now() - output.last > PAUSE) flush();
}
function flush() {
  if (output.parts.length) self.postMessage({ text: output.parts.splice(0) });
  output.last = performance.now();
}

class Stream extends Fd { // no terminal: nothing is read, and what is written goes to the page
  constructor(name) { super(); this.name = name; this.decoder = new TextDecoder(); }
  fd_fdstat_get() {
    const found = new defs.Fdstat(defs.FILETYPE_REGULAR_FILE, 0);
    found.fs_rights_base = BigInt(defs.RIGHTS_FD_WRITE);
    return { ret: 0, fdstat: found };
  }
  fd_filestat_get() { return { ret: 0, filestat: new defs.Filestat(0n, defs.FILETYPE_REGULAR_FILE, 0n) }; }
  fd_read() { return { ret: 0, data: new Uint8Array() }; }
  fd_write(data) { write(this.decoder.decode(data, { stream: true }), this.name); return { ret: 0, nwritten: data.byteLength }; }
}
class ReadOnly extends PreopenDirectory {
  path_open(flags, path, open, ...rest) {
    return open & (defs.OFLAGS_CREAT | defs.OFLAGS_TRUNC) ? REFUSED : super.path_open(flags, path, open, ...rest);
  }
  path_create_directory() { return defs.ERRNO_ROFS; }
  path_unlink_file() { return defs.ERRNO_ROFS; }
  path_remove_directory() { return defs.ERRNO_ROFS; }
  path_link() { return defs.ERRNO_ROFS; }
  path_unlink() { return REFUSED; }
}
const file = (data) => { const found = new File(new ArrayBuffer(0), { readonly: true }); found.data = data; return found; };
function later({ url, size, digest }) { // the library, fetched when a cell imports what the image does not have
  const found = file(null);
  let data;
  const load = () => {
    self.postMessage({ state: `loading the library, ${Math.round(size / 1e6)} MB` });
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.responseType = "arraybuffer";
    request.send();
    const bytes = new Uint8Array(request.response ?? 0);
    if (bytesToHex(sha256(bytes)) !== digest) throw new Error("the library is not the one that this page expects");
    return bytes;
  };
  Object.defineProperty(found, "data", { get: () => data ??= load() });
  Object.defineProperty(found, "size", { get: () => BigInt(size) });
  return found;
}
const tree = (map) => new Map([...map].map(([name, value]) => [name, value instanceof Map ? new Directory(tree(value)) : file(value)]));

function untar(data) {
  const top = new Map(), text = new TextDecoder();
  const field = (at, size) => { const part = data.subarray(at, at + size), end = part.indexOf(0); return text.decode(end < 0 ? part : part.subarray(0, end)); };
  for (let at = 0; at + 512 <= data.length && data[at];) {
    const prefix = field(at + 345, 155), parts = `${prefix && `${prefix}/`}${field(at, 100)}`.split("/"), size = parseInt(field(at + 124, 12), 8);
    let folder = top;
    for (const part of parts.slice(0, -1)) folder = folder.get(part) ?? folder.set(part, new Map()).get(part);
    folder.set(parts.at(-1), data.subarray(at + 512, at + 512 + size));
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return top;
}
const unzipped = (blob) => blob.stream().pipeThrough(new DecompressionStream("gzip"));
const whole = async (blob) => new Uint8Array(await new Response(unzipped(blob)).arrayBuffer());

// the shim reads the flags of a subscription at 36 instead of 40, and does not say how many events there were
function poll(from, to, count, events) {
  const view = new DataView(exports.memory.buffer);
  const now = (clock) => clock === 0 ? BigInt(Date.now()) * 1000000n : BigInt(Math.round(performance.now() * 1e6));
  let first = from, least;
  for (let at = from; at < from + 48 * count; at += 48) {
    const absolute = view.getUint16(at + 40, true) & 1, isClock = !view.getUint8(at + 8);
    const left = isClock ? view.getBigUint64(at + 24, true) - (absolute ? now(view.getUint32(at + 16, true)) : 0n) : 0n;
    if (least === undefined || left < least) [first, least] = [at, left];
  }
  flush();
  for (const end = performance.now() + Number(least) / 1e6; performance.now() < end;);
  view.setBigUint64(to, view.getBigUint64(first, true), true);
  view.setUint16(to + 8, 0, true);
  view.setUint8(to + 10, view.getUint8(first + 8));
  view.setUint32(events, 1, true);
  return 0;
}

async function start({ module, code, image, book, fonts, library }) {
  const compiled = module ? Promise.resolve(module) : whole(code).then((bytes) => WebAssembly.compile(bytes));
  const folder = (blob) => blob ? whole(blob).then(untar) : new Map(); // a page of numpy cells has neither
  const [program, modules, data] = await Promise.all([compiled, folder(book), folder(fonts)]);
  if (!module) self.postMessage({ module: program });
  scratch = new Map();
  const nothing = () => new Map([["local", new Directory(new Map([["lib", new Directory(new Map())]]))]]);
  const fds = [new Stream("stdin"), new Stream("stdout"), new Stream("stderr"), // the image remembers this order
    new ReadOnly(LIBRARY, new Map([[ZIP, later(library)]])), new ReadOnly(`${LIBRARY}/${ZIP}/matplotlib/mpl-data`, tree(data)),
    new PreopenDirectory("/", new Map([["tmp", new Directory(scratch)], ["usr", new Directory(nothing())]])),
    new ReadOnly("/book", tree(modules))];
  const wasi = new WASI([], [], fds, { debug: false });
  wasi.wasiImport.poll_oneoff = poll;
  const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport, host: { call: () => -1 } });
  wasi.inst = instance;
  exports = instance.exports;
  let at = 0;
  for (const reader = unzipped(image).getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    const missing = at + value.length - exports.memory.buffer.byteLength;
    if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE));
    new Uint8Array(exports.memory.buffer).set(value, at);
    at += value.length;
  }
  turn("import random, sys; random.seed(); n = sys.modules.get('numpy'); n and n.random.seed(); del random, sys, n");
  self.postMessage({ ready: true, memory: exports.memory.buffer.byteLength });
}

function turn(code) {
  const data = new TextEncoder().encode(code), at = exports.host_alloc(data.length) >>> 0;
  new Uint8Array(exports.memory.buffer).set(data, at);
  try { return exports.turn(at, data.length); } catch (error) { if (error instanceof WASIProcExit) return 512 + error.code; throw error; }
}

function drawn() {
  const figures = [];
  for (const [name, entry] of [...scratch]) {
    if (!name.startsWith("figure-")) continue;
    if (figures.length < MOST_FIGURES) figures.push(new TextDecoder().decode(entry.data));
    scratch.delete(name);
  }
  return figures;
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) { await start(data.start); return; }
    Object.assign(output, { parts: [], size: 0, last: 0 });
    const began = performance.now(), status = turn(data.code);
    flush();
    const ledger = scratch.get("ledger.json");
    scratch.delete("ledger.json");
    self.postMessage({ done: data.id, status, ledger: ledger && new TextDecoder().decode(ledger.data), ms: performance.now() - began, memory: exports.memory.buffer.byteLength, figures: drawn() });
  } catch (error) { flush(); self.postMessage({ failed: String(error?.message || error), id: data.id }); }
};
