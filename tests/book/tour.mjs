// Open pages in Chromium and report what a reader would meet, as JSON on stdout. What leaves the book is refused.
// usage: node tour.mjs <url> ... -- <url> ...      after the dashes: with open boxes, and axe in light and in dark mode
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { launch } from "../browser.mjs";

const given = process.argv.slice(2), dashes = given.indexOf("--"), chosen = new Set(given.slice(dashes + 1));
const axe = readFileSync(createRequire(process.env.NODE_MODULES).resolve("axe-core/axe.min.js"), "utf-8");
const COLOURS = ["color-contrast", "link-in-text-block"]; // their answer differs between light and dark
const inside = (address) => ["file:", "data:", "blob:", "about:"].includes(new URL(address).protocol);

// Runs in the page: formulas and pictures, and what is cut off or makes a phone scroll sideways.
function look() {
  const text = document.querySelector("article")?.cloneNode(true);
  text?.querySelectorAll("pre, code, script, style, mjx-container, .math").forEach((node) => node.remove());
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
  const boxed = (node) => { // inside a box that scrolls, itself within the screen
    for (let at = node; at && at.tagName !== "ARTICLE"; at = at.parentElement) {
      if (scrolls(at) && at.getBoundingClientRect().right <= window.innerWidth + 1) return true;
    }
    return false;
  };
  const content = "article :is(mjx-container, img, svg, pre, table, p, .js-plotly-plot)";
  return {
    unset: [...document.querySelectorAll("article .math:not(:has(mjx-container))")].filter((node) => node.checkVisibility() && !node.closest("details:not([open])")).map((node) => node.textContent.slice(0, 60)),
    broken: [...document.querySelectorAll("mjx-merror, [data-mjx-error]")].map((node) => node.textContent.slice(0, 60)),
    raw: text?.textContent.match(/\$\$|\\\(|\\\[|\\begin\{|\|\s*-{3,}\s*\|/g) ?? [],
    nameless: [...document.querySelectorAll("article img")].filter((node) => !node.alt.trim()).map((node) => node.src),
    wide: [...(document.documentElement.scrollWidth > window.innerWidth + 1 ? ["the page scrolls"] : []),
      ...[...document.querySelectorAll(content)].filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > window.innerWidth + 1 && !boxed(node)).slice(0, 5).map((node) => node.outerHTML.slice(0, 120))],
    still: [...document.querySelectorAll(".moves-box")].filter((box) => !box.querySelector("svg, canvas")).map((box) => box.dataset.piece),
  };
}

async function faults(page, rules) {
  const found = await page.evaluate(async (only) => (await window.axe.run(document, { resultTypes: ["violations"], preload: false, ...(only && { runOnly: { type: "rule", values: only } }) })).violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id} (${nodes.length}): ${node.html.slice(0, 140)} ${node.any[0]?.message ?? ""}`)), rules);
  return found;
}

const browser = await launch(), report = {};
const page = await (await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: "light", reducedMotion: "reduce" })).newPage();
page.setDefaultTimeout(600000);
await page.route("**", (route) => (inside(route.request().url()) ? route.continue() : route.abort()));
for (const url of given.filter((one) => one !== "--")) {
  const seen = report[url] = { outside: [], failed: [], errors: [] };
  page.removeAllListeners();
  await page.goto("about:blank"); // what the last page still loads is not this one's
  page.on("request", (request) => inside(request.url()) || seen.outside.push(request.url()));
  page.on("requestfailed", (request) => seen.failed.push(request.url()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  await page.goto(url, { waitUntil: "load" });
  if (await page.locator("meta[http-equiv=refresh i]").count().catch(() => 1)) { // the front door sends the reader on
    await page.waitForFunction(() => !document.querySelector("meta[http-equiv=refresh i]") && document.readyState === "complete");
  }
  const set = () => page.evaluate(() => window.typesetting ?? window.MathJax?.startup?.promise);
  await set().catch(async () => { await page.waitForLoadState("load"); await set(); }); // the reader was sent on just then
  if (chosen.has(url)) await page.evaluate(() => document.querySelectorAll("article details").forEach((box) => { box.open = true; }));
  if (chosen.has(url)) await page.waitForFunction(() => !window.MathJax || !document.querySelector("article .math:not(:has(mjx-container))"), null, { polling: 100, timeout: 120000 }).catch(() => {});
  Object.assign(seen, await page.evaluate(look));
  if (!chosen.has(url)) continue;
  await page.evaluate(() => document.querySelectorAll("article details").forEach((box) => { box.open = false; }));
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.evaluate(async () => { // what is drawn when it comes near
    for (const box of document.querySelectorAll(".plotly-figure")) {
      box.scrollIntoView();
      for (let n = 0; n < 200 && !box.querySelector("svg"); n += 1) await new Promise((done) => setTimeout(done, 50));
    }
  });
  seen.still.push(...await page.evaluate(() => [...document.querySelectorAll(".plotly-figure:not(:has(svg))")].map((box) => box.ariaLabel)));
  await page.evaluate(axe); // from outside, where the policy of the page does not reach
  seen.axe = await faults(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.evaluate(() => Object.assign(document.documentElement.dataset, { theme: "dark", mode: "dark" }));
  seen.axe.push(...(await faults(page, COLOURS)).map((line) => `dark: ${line}`));
  if (light === await ground()) seen.axe.push("dark mode changes nothing");
  await page.setViewportSize({ width: 360, height: 740 });
}
await browser.close();
process.stdout.write(JSON.stringify(report));
