// Python for the page: what it needs is fetched once, each byte is checked on each load, and an interpreter runs in a worker.
const KEPT = "derl-live";
// a module of WebAssembly with `try_table`, which the interpreter is compiled to
const PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 31, 64, 0, 11, 11]);

/** Why Python cannot run in this page, in one sentence; "" where it can. */
export function reason() {
  if (!window.isSecureContext || !crypto?.subtle) return "Cells and checks run here only where the book comes over https.";
  if (!window.Worker || !window.DecompressionStream || !window.WebAssembly || !WebAssembly.validate(PROBE)) return "This browser is too old to run the cells and checks of this page: Chrome 137, Firefox 131 and Safari 18.4 can.";
  if (navigator.deviceMemory && navigator.deviceMemory < 2) return "Running cells and checks here needs more memory than this device has.";
  return "";
}

const hex = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What was built for these pages: the manifest, whose digest the page has, and the files, whose digests the manifest has. */
export class Site {
  constructor(base, digest) {
    this.base = new URL(base, document.baseURI);
    this.digest = digest;
    this.blobs = new Map();
    this.name = `${KEPT} ${this.base.pathname.split("/").slice(0, -2).join("/")} `; // an origin may hold several books
  }

  get manifest() { return this.read ??= this.bytes("manifest.json", this.digest).then((bytes) => JSON.parse(new TextDecoder().decode(bytes))); }

  /** A file as a blob; fetched once in the life of the page. */
  blob(name, got) {
    if (!this.blobs.has(name)) {
      const promise = this.manifest.then(({ files }) => this.bytes(name, files[name].digest, got)).then((bytes) => new Blob([bytes]));
      promise.catch(() => this.blobs.delete(name));
      this.blobs.set(name, promise);
    }
    return this.blobs.get(name);
  }

  async bytes(name, digest, got = () => {}) {
    const url = new URL(name, this.base).href, cache = await this.cache();
    const old = await cache?.match(url);
    if (old) {
      const bytes = await old.arrayBuffer();
      if (await hex(bytes) === digest) { got(bytes.byteLength); return bytes; }
      await cache.delete(url); // somebody else's, or spoilt
    }
    for (const mode of old ? ["reload"] : ["default", "reload"]) { // the browser's own cache may hold a spoilt file, too
      const answer = await fetch(url, { cache: mode });
      if (!answer.ok) throw new Error(`${name} cannot be loaded (${answer.status})`);
      const read = new TransformStream({ transform(part, out) { got(part.length); out.enqueue(part); } });
      const bytes = await new Response(answer.body.pipeThrough(read)).arrayBuffer();
      if (await hex(bytes) !== digest) continue;
      await cache?.put(url, new Response(bytes)).catch(() => {}); // a full disk: it is fetched again next time
      return bytes;
    }
    throw new Error(`${name} is not the file that this page expects; nothing was run`);
  }

  cache() { // private windows may have none
    return this.opened ??= (async () => {
      if (!self.caches) return null;
      const own = this.name + this.digest;
      for (const name of await caches.keys()) if (name.startsWith(this.name) && name !== own) await caches.delete(name);
      return caches.open(own);
    })().catch(() => null);
  }
}

/** One interpreter: start, run, stop. */
export class Python {
  constructor(site, kind) { this.site = site; this.kind = kind; this.runs = 0; }

  /** Load and start it, once; `say` gets one line at a time. */
  start(say) {
    this.say = say;
    this.starting ??= this.begin();
    this.starting.catch(() => { this.starting = null; });
    return this.starting;
  }

  async begin() {
    const { files, kinds } = await this.site.manifest, names = kinds[this.kind];
    const total = names.reduce((sum, name) => sum + files[name].size, 0), count = names.map(() => 0);
    const told = (at) => (size) => {
      count[at] += size;
      this.say?.(`loading ${Math.round(count.reduce((sum, one) => sum + one) / 1e6)} of ${Math.round(total / 1e6)} MB, once`);
    };
    const [script, code, memory, book, fonts] = await Promise.all(names.map((name, at) => this.site.blob(name, told(at))));
    this.say?.("starting Python");
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" })); // a blob has the policy of this page
    const worker = this.worker = new Worker(url);
    const zip = { url: new URL("library.zip", this.site.base).href, ...files["library.zip"] };
    await new Promise((ready, fail) => {
      this.fail = fail;
      worker.onerror = (event) => this.lost(event.message || "the worker did not start");
      worker.onmessage = ({ data }) => { if (worker === this.worker) this.hear(data, ready); };
      worker.postMessage({ start: { module: this.site.module, code, image: memory, book, fonts, library: zip } });
    });
    URL.revokeObjectURL(url);
  }

  hear(data, ready) {
    if (data.module) this.site.module = data.module; // another worker need not compile it again
    else if (data.ready) { this.memory = data.memory; ready(); }
    else if (data.state) this.say?.(data.state);
    else if (data.text) { for (const { text, to } of data.text) this.now?.write(text, to); }
    else if (data.failed) this.lost(data.failed);
    else if (data.done === this.now?.id) { this.memory = data.memory; this.end(data); }
  }

  lost(failed) { // the interpreter is no longer sound
    this.fail?.(new Error(failed));
    this.finish({ failed });
  }

  end(found) { const now = this.now; this.now = null; now?.end(found); }

  finish(found) {
    this.worker?.terminate();
    this.worker = this.starting = null;
    this.end(found);
  }

  /** Run code: {status, figures, ms}, {stopped} or {failed}. One at a time; later ones wait. */
  async run(code, write, say) {
    const before = this.last;
    let over;
    this.last = new Promise((done) => { over = done; });
    await before;
    try {
      const runs = this.stops;
      await this.start(say);
      if (runs !== this.stops) return { stopped: true };
      return await new Promise((end) => {
        const id = ++this.runs;
        this.now = { id, write, end };
        this.worker.postMessage({ id, code });
      });
    } catch (error) { return this.stopping ? { stopped: true } : { failed: error.message }; } finally { this.stopping = false; this.say = null; over(); } // what still loads says nothing more
  }

  /** End whatever runs; what was defined is lost. */
  stop() {
    this.stops = (this.stops ?? 0) + 1;
    this.stopping = !this.now;
    this.fail?.(new Error("stopped"));
    this.finish({ stopped: true });
  }
}
