// What a reader does in the live book, in Chromium: node drive.mjs ADDRESS ELSEWHERE (speed/live.mjs drives Firefox, too)
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const { chromium } = createRequire(process.env.NODE_MODULES)("playwright-core");
const [address, elsewhere] = process.argv.slice(2), page = `${address}book/layerwise/algorithm-one.html`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const found = { asked: [] }, context = await browser.newContext(), tab = await context.newPage();
tab.setDefaultTimeout(240000); // also where other tests run beside this one
tab.on("request", (request) => found.asked.push(request.url()));
await tab.goto(page);
const cell = tab.locator('[class*="from-scratch:_algorithm_1"]'), theorem = tab.locator("#thm-layerwise-repaired");
await cell.getByRole("button", { name: "Run", exact: true }).waitFor();
found.before = found.asked.filter((url) => /_live\/.*\.(gz|zip)$/.test(url)).length;
const ended = async (box, timeout = 240000) => { await box.locator(".live-note").filter({ hasText: /ran here|not run|with an error|stopped/ }).waitFor({ timeout }); return [await box.locator(".live-note").textContent(), await box.locator(".live-text").textContent()]; };
const press = (box, name) => box.getByRole("button", { name, exact: true }).click();
async function typed(box, text) {
  const editor = box.locator(".cm-content");
  await editor.focus();
  await tab.keyboard.press("ControlOrMeta+a");
  await tab.keyboard.insertText(text);
}

await press(cell, "Run");
found.cell = await ended(cell);
found.printed = await cell.locator(".cell_output").innerText();
await press(cell, "Edit");
await typed(cell, "print(6 * 7)\nopen('/book/derl/x', 'w')");
found.stale = await cell.locator(".live-output").isVisible();
await tab.keyboard.press("Shift+Enter");
found.error = await ended(cell);
await typed(cell, "while True: pass");
await tab.keyboard.press("Shift+Enter");
await tab.waitForTimeout(1000);
const asked = Date.now();
await press(cell, "Stop");
found.stopped = [...await ended(cell), Date.now() - asked];
await typed(cell, "import derl.ledger.edited, derl.live\nderl.ledger.edited.FALSE = ()\nderl.live.rewritten = None\nprint('machine-checked')");
await tab.keyboard.press("Shift+Enter");
found.patched = await ended(cell);
await tab.keyboard.press("Escape");
found.left = await tab.evaluate(() => document.activeElement.textContent);
await press(cell, "Reset");
found.reset = await cell.locator(".cell_input").innerText();

await press(theorem, "Run this check here");
found.check = await ended(theorem);
await press(theorem, "Edit the theorem");
found.text = await theorem.locator(".cm-content").innerText();
await typed(theorem, process.env.STATEMENT.replace("=2\\cdot10^7", "=2\\cdot10^2"));
await press(theorem, "Run its checks on this text");
found.edited = await ended(theorem);

// what a worker of this page can reach: nothing elsewhere
found.reached = await tab.evaluate((url) => new Promise((done) => {
  const code = `(async () => { const tries = [];
    for (const [name, act] of [["fetch", () => fetch("${url}")], ["import", () => import("${url}")], ["importScripts", () => importScripts("${url}")],
      ["socket", () => new Promise((ok, no) => { const one = new WebSocket("${url.replace("http", "ws")}"); one.onopen = ok; one.onerror = () => no(new Error("closed")); })]])
      try { await act(); tries.push(name); } catch { /* refused */ }
    postMessage(tries); })()`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => done(data);
}), elsewhere);

// output is text and pictures, and not too much of it; no socket, no bridge to the page, nothing of this machine
await press(cell, "Edit");
const shown = async (text) => { await typed(cell, text); await tab.keyboard.press("Shift+Enter"); return ended(cell); };
found.markup = [(await shown("print('<img src=x onerror=alert(1)>')"))[1], await cell.locator(".live-text img").count()];
found.much = (await shown("print('x' * 3_000_000)"))[1].length;
await shown("import matplotlib.pyplot as plot\nfor _ in range(25): plot.figure()");
found.figures = await cell.locator(".live-figures img").count();
found.apart = (await shown("import os\nfor act in ('import js', 'import socket; socket.create_connection((\"127.0.0.1\", 80))', 'open(\"/etc/passwd\")'):\n    try: exec(act); print('done')\n    except Exception as problem: print(type(problem).__name__)\nprint(sorted(os.environ), os.listdir('/'))"))[1];

await context.setOffline(true); // what has been loaded goes on without a network
found.offline = (await shown("print(6 * 7)"))[1];
await context.setOffline(false);

await tab.evaluate(() => document.querySelector(".live-button").click()); // no reader has pressed it
await tab.reload();
await cell.getByRole("button", { name: "Run", exact: true }).waitFor();
found.afterReload = await tab.locator(".live-output:visible").count();

// a spoilt entry of the cache is fetched again; of the caches of an origin only the book's own old ones are deleted
found.caches = await tab.evaluate(async () => {
  const [own] = (await caches.keys()).filter((name) => name.startsWith("derl-live")), cache = await caches.open(own);
  for (const request of await cache.keys()) if (request.url.endsWith(".mem.gz")) await cache.put(request, new Response("spoilt"));
  for (const name of ["another project", "derl-live /another/book 00", `${own.split(" ").slice(0, -1).join(" ")} 00`]) await caches.open(name);
  return own;
});
await tab.reload();
await press(cell, "Run");
found.again = await ended(cell);
found.left_caches = await tab.evaluate(() => caches.keys());

// a changed file is not run
const second = await browser.newContext({ extraHTTPHeaders: { "X-Spoilt": "book.tar.gz" } }), other = await second.newPage();
other.setDefaultTimeout(240000);
await other.goto(page);
const same = other.locator('[class*="from-scratch:_algorithm_1"]');
await press(same, "Run");
found.flipped = await ended(same);
await second.setExtraHTTPHeaders({});
await press(same, "Run"); // a second tab, beside the first
found.mended = await ended(same);

// all checks that were admitted, and their ledger
await tab.goto(`${address}book/back/why.html`);
const whole = tab.locator(".live-whole");
await press(whole, "Check the whole book here");
found.whole = await ended(whole, 1800000);
const [saved] = await Promise.all([tab.waitForEvent("download"), whole.locator(".live-save").click()]);
found.ledger = JSON.parse(await readFile(await saved.path(), "utf8"));
await browser.close();
console.log(JSON.stringify(found));
