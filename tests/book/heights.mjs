// What the height of each page consists of, in pixels at the width of a desktop, as JSON on stdout.
// usage: node heights.mjs <url> ...
import { launch } from "../browser.mjs";
import { shares } from "./shares.mjs";

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
const report = {};
for (const url of process.argv.slice(2)) {
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => window.typesetting ?? window.MathJax?.startup?.promise);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  if (await page.locator("article").count()) report[url] = await page.evaluate(shares);
}
await browser.close();
process.stdout.write(JSON.stringify(report));
