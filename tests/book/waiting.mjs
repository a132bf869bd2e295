// Code that waits in templates until its box opens: elements before and after, in six ways to ask for it.
// usage: node waiting.mjs <url>
import { launch } from "../browser.mjs";

const [url] = process.argv.slice(2);
const browser = await launch();
const report = { errors: [] };
const fresh = async (before) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  page.on("pageerror", (error) => report.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && report.errors.push(message.text()));
  await page.goto(url.replace(/[^/]*$/, "genindex.html").replace(/\/book\/.*/, "/genindex.html"), { waitUntil: "load" });
  await page.evaluate(before ?? (() => {}));
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => window.typesetting);
  return page;
};
const counted = (page) => page.evaluate(() => ({ waiting: document.querySelectorAll("template.waiting").length,
  elements: document.querySelectorAll("*").length,
  statements: document.querySelectorAll(".kernel-code").length }));

let page = await fresh();
report.start = await counted(page);
report.opened = await page.evaluate(async () => {
  const frames = () => new Promise((done) => setTimeout(done, 200));
  const entry = document.querySelector("details.formal-entry");
  for (let box = entry.parentElement.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  await frames();
  const closed = entry.querySelectorAll(".kernel-code").length;
  entry.querySelector("summary").click();
  await frames();
  const others = [...document.querySelectorAll("details.formal-entry")].slice(1);
  const elsewhere = others.reduce((sum, box) => sum + box.querySelectorAll(".kernel-code").length, 0);
  const said = entry.querySelector(".kernel-code pre");
  return { closed, statements: entry.querySelectorAll(".kernel-code").length, said: said.textContent,
    shown: said.getBoundingClientRect().height, elsewhere, left: entry.querySelectorAll("template").length };
});
await page.emulateMedia({ media: "print" });
report.printed = await page.evaluate(() => {
  window.dispatchEvent(new Event("beforeprint"));
  const said = document.querySelector("details.formal-entry[open] .kernel-code pre");
  const found = { opened: said.getBoundingClientRect().height, waiting: [...document.querySelectorAll("template.waiting")].filter(
    (kept) => !kept.parentElement.closest("details:not([open])")).length };
  window.dispatchEvent(new Event("afterprint"));
  return found;
});
await page.close();

for (const keys of ["Control+f", "F3"]) {
  page = await fresh();
  await page.keyboard.press(keys);
  report[keys] = await counted(page);
  await page.close();
}

page = await fresh(() => localStorage.setItem("sphinx_highlight_terms", "forall"));
await page.waitForTimeout(300);
report.marked = { ...await counted(page), marks: await page.locator(".kernel-code .highlighted").count() };

page = await fresh();
report.together = await page.evaluate(async () => {
  const given = [], set = window.MathJax.typesetPromise, boxes = [...document.querySelectorAll("article details:not([open])")];
  window.MathJax.typesetPromise = (nodes) => { given.push(nodes); return set(nodes); };
  boxes.forEach((box) => { box.open = true; });
  while (document.querySelector("article .math:not(:has(mjx-container))")) await new Promise((done) => setTimeout(done, 100));
  return { boxes: boxes.length, portions: given.length, formulas: given.flat().length, different: new Set(given.flat()).size,
    largest: Math.max(...given.map((nodes) => nodes.length)) };
});
await browser.close();
process.stdout.write(JSON.stringify(report));
