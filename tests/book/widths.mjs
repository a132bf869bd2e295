// What is cut at the right edge of a page on a desk: formulas, tables and boxes that would have to be scrolled.
// usage: node widths.mjs <width> <url> ...; Python code may scroll, and so may what lies in a closed box.
import { launch } from "../browser.mjs";

const [width, ...urls] = process.argv.slice(2);
const browser = await launch(), report = {};
const page = await (await browser.newContext({ viewport: { width: Number(width), height: 900 } })).newPage();
page.setDefaultTimeout(120000);
for (const url of urls) {
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => window.typesetting);
  report[url] = await page.evaluate(() => [...document.querySelectorAll("article mjx-container[display], article .table-box, article .scroll, article .derl-chain, article .cell_output pre, article :is(.highlight-bash, .highlight-default, .highlight-none) pre")]
    .filter((box) => box.clientWidth && box.scrollWidth > box.clientWidth + 1 && !box.closest("details:not([open]), .toggle-hidden"))
    .map((box) => `${box.tagName} ${box.className} ${box.clientWidth} < ${box.scrollWidth}: ${box.textContent.trim().slice(0, 40)}`));
}
await browser.close();
process.stdout.write(JSON.stringify(report));
