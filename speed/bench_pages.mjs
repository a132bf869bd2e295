// How long each page takes from disk, several times each, in a browser that knows nothing of it: JSON on stdout.
// usage: node bench_pages.mjs <rounds> <width> <url> ...
import { launch } from "../tests/browser.mjs";

const [rounds, width, ...urls] = process.argv.slice(2);
const browser = await launch();

async function visit(url) {
  const context = await browser.newContext({ viewport: { width: Number(width), height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpu = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  await page.addInitScript(() => { // the first moment at which a click or a key is answered and the text in sight stands
    window.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(() => { window.answering = performance.now(); })));
  });
  await page.goto(url, { waitUntil: "load", timeout: 120000 });
  const answering = await page.evaluate(() => window.answering ?? performance.now());
  const began = await cpu();
  await page.evaluate(() => window.typesetting);
  const idle = await page.evaluate(() => performance.now());
  const found = { answering: answering / 1000, idle: idle / 1000, cpu_load: began, cpu: await cpu(),
    nodes: await page.evaluate(() => document.querySelectorAll("*").length) };
  await context.close();
  return found;
}

await visit(urls[0]); // the browser itself warms up
const report = {};
for (let round = 0; round < Number(rounds); round++) {
  for (const url of urls) (report[url] ??= []).push(await visit(url));
}
await browser.close();
process.stdout.write(JSON.stringify(report));
