// Print a page to a PDF, read from stdin on which page each chapter begins, fill the contents, and print again.
// usage: node pdf.mjs <url> <file>
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { chromium } = createRequire(process.env.NODE_MODULES)("playwright-core");
const [url, file] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.goto(url, { waitUntil: "load", timeout: 300000 });
await page.evaluate(async () => {
  await MathJax.startup.promise;
  await MathJax.typesetPromise();
  await document.fonts.ready;
  const room = (node) => node.parentElement.closest("p, li, dd, td, div, section").clientWidth;
  for (const formula of document.querySelectorAll("mjx-container")) { // paper does not scroll: what is too wide is made smaller
    const [wide, has] = [formula.scrollWidth, room(formula)];
    if (has && wide > has) formula.style.fontSize = `${Math.max(40, Math.floor(100 * has / wide))}%`;
  }
});
const print = () => page.pdf({ path: file, format: "A4", printBackground: true, preferCSSPageSize: true, timeout: 600000 });
await print();
process.stdout.write("printed\n");
const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const starts = JSON.parse(value);
await page.evaluate((numbers) => document.querySelectorAll("[data-page]").forEach((node) => { node.textContent = numbers[node.dataset.page]; }), starts);
await print();
await browser.close();
