// What MathJax, as the pages configure it, makes of a formula that a stranger wrote; JSON on stdout.
// usage: node formula.mjs <url> <TeX> ...
import { launch } from "../browser.mjs";

const [url, ...formulas] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage();
page.setDefaultTimeout(120000);
await page.goto(url, { waitUntil: "load" });
await page.evaluate(() => window.typesetting ?? window.MathJax.startup.promise);
const made = await page.evaluate(async (texts) => {
  const found = [];
  for (const text of texts) {
    const node = (await MathJax.tex2chtmlPromise(text)).cloneNode(true);
    document.body.append(node);
    found.push({
      placed: [node, ...node.querySelectorAll("*")].some((part) => getComputedStyle(part).position === "fixed"),
      links: [...node.querySelectorAll("a")].map((link) => link.getAttribute("href")),
      error: Boolean(node.querySelector("mjx-merror")),
    });
    node.remove();
  }
  return found;
}, formulas);
await browser.close();
process.stdout.write(JSON.stringify(made));
