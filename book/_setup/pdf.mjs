// Print pages to PDF, one line [url, file] of JSON on stdin after the other; each is answered by "printed".
// usage: node pdf.mjs
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { chromium } = createRequire(process.env.NODE_MODULES)("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu"] });

for await (const line of createInterface({ input: process.stdin })) {
  const [url, path] = JSON.parse(line);
  const page = await browser.newPage();
  page.setDefaultTimeout(600000);
  await page.goto(url, { waitUntil: "load", timeout: 300000 });
  await page.evaluate(async () => {
    await MathJax.startup.promise;
    await MathJax.typesetPromise();
    await document.fonts.ready;
    const room = (node) => node.parentElement.closest("p, li, dd, td, div, section").clientWidth;
    const formulas = [...document.querySelectorAll("mjx-container")];
    const sizes = formulas.map((formula) => [formula.scrollWidth, room(formula)]); // all are measured before any is changed
    sizes.forEach(([wide, has], i) => { // paper does not scroll: what is too wide is made smaller
      if (has && wide > has) formulas[i].style.fontSize = `${Math.max(40, Math.floor(100 * has / wide))}%`;
    });
  });
  await page.evaluate(() => { // nor does a table
    const tables = [...document.querySelectorAll(".table-box > table")];
    const sizes = tables.map((table) => [table.scrollWidth, table.parentElement.clientWidth]);
    sizes.forEach(([wide, has], i) => {
      if (has && wide > has) tables[i].style.zoom = Math.max(0.45, has / wide);
    });
  });
  await page.pdf({ path, format: "A4", printBackground: true, preferCSSPageSize: true, timeout: 600000 });
  await page.close();
  process.stdout.write("printed\n");
}
await browser.close();
