// How long a reader of the live book waits: node live.mjs BROWSER PROGRAM ADDRESS. Prints seconds and megabytes as JSON.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const puppeteer = createRequire(process.env.NODE_MODULES)("puppeteer-core");
const [name, executablePath, address] = process.argv.slice(2), seconds = {};
const browser = await puppeteer.launch({ browser: name, executablePath, headless: true, args: name === "chrome" ? ["--no-sandbox"] : [], protocolTimeout: 600000 });
const tab = await browser.newPage(), CELL = '[class*="from-scratch:_algorithm_1"]', THEOREM = "#thm-layerwise-repaired";
tab.setDefaultTimeout(600000);

/** Megabytes of memory that the browser and its processes have to themselves. */
function memory() {
  const all = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const own = new Set([browser.process().pid]);
  for (let size = 0; size !== own.size;) { size = own.size; for (const [pid, parent] of all) if (own.has(parent)) own.add(pid); }
  const shares = [...own].map((pid) => { try { return Number(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").match(/^Pss:\s+(\d+)/m)[1]); } catch { return 0; } });
  return Math.round(shares.reduce((sum, one) => sum + one) / 1024);
}
const press = async (box, text) => (await tab.waitForSelector(`${box} ::-p-xpath(.//button[normalize-space()="${text}"])`, { visible: true })).click();
/** Press a button, and take the time until the page tells how it ended. */
async function taken(what, box, button, ends = /^ran here/) {
  await tab.evaluate((place) => { document.querySelector(`${place} .live-note`).textContent = ""; }, box);
  const began = performance.now();
  await press(box, button);
  const note = await (await tab.waitForFunction((place) => { const text = document.querySelector(`${place} .live-note`).textContent; return /ran here|not run|with an error|stopped/.test(text) && text; }, { polling: 5 }, box)).jsonValue();
  if (!ends.test(note)) throw new Error(`${what}: ${note}`);
  seconds[what] = Math.round(performance.now() - began) / 1000;
}
async function pasted(box, text) {
  await (await tab.waitForSelector(`${box} .cm-content`)).focus();
  await tab.keyboard.down("Control"); await tab.keyboard.press("a"); await tab.keyboard.up("Control");
  await tab.evaluate((place, what) => {
    const event = new Event("paste", { bubbles: true, cancelable: true }); // Firefox empties the data of a made ClipboardEvent
    event.clipboardData = { getData: () => what };
    document.querySelector(`${place} .cm-content`).dispatchEvent(event);
  }, box, text);
}
const open = () => tab.goto(`${address}book/layerwise/algorithm-one.html`, { waitUntil: "load" });

await open();
const before = memory();
await taken("first click, nothing in the cache: Algorithm 1", CELL, "Run");
const loaded = await tab.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.includes("/_live/")).reduce((sum, one) => sum + one.encodedBodySize, 0));
await taken("the same cell again", CELL, "Run");
await taken("first check of a theorem", THEOREM, "Run this check here");
await taken("the same check again", THEOREM, "Run this check here");
await press(THEOREM, "Edit the theorem");
await pasted(THEOREM, process.env.STATEMENT);
await taken("its checks on an edited text", THEOREM, "Run its checks on this text", /with an error|^ran here/);
const answer = await tab.$eval(`${THEOREM} .live-text`, (box) => box.textContent);
if (!answer.includes("the edited statement is refuted")) throw new Error(`the false edit is not refuted: ${answer}`);
const used = memory() - before;
await press(CELL, "Edit");
await pasted(CELL, "import matplotlib.pyplot as plot\nplot.plot([1, 2])");
await taken("first figure", CELL, "Run");
await pasted(CELL, "while True: pass");
await press(CELL, "Run");
await new Promise((done) => setTimeout(done, 1000));
await taken("an endless loop stopped", CELL, "Stop", /^stopped/);
await pasted(CELL, "print(6 * 7)");
await taken("first result after that", CELL, "Run");
await open();
await taken("first click on a second visit: Algorithm 1", CELL, "Run");
const version = await browser.version();
await browser.close();
console.log(JSON.stringify({ version, loaded: Math.round(loaded / 1e6), memory: used, seconds }));
