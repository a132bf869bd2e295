// Open every page once in a real Chromium and report what a reader would meet, as JSON on stdout.
// usage: node tour.mjs brief <url> ... -- <url> ...      what is loaded, and the width of a phone; after the dashes also axe, and what scripts draw
//        node tour.mjs full <url> ... -- <url> ...       everything; after the dashes without axe
import { launch } from "../browser.mjs";
import { faults } from "./axe.mjs";
import { drawn, listen } from "./drawn.mjs";
import { cells, contrast, look, orphans, room, tiny } from "./seen.mjs";
import { shares } from "./shares.mjs";

const [depth, ...given] = process.argv.slice(2);
const full = depth === "full";
const chosen = new Set(given.includes("--") ? given.slice(given.indexOf("--") + 1) : []);
const urls = given.filter((url) => url !== "--");
const browser = await launch();

// Everything that leaves the book is refused and written down.
function inside(address) {
  const { protocol, hostname } = new URL(address);
  return ["file:", "data:", "blob:", "about:"].includes(protocol) || hostname === "127.0.0.1";
}

// A page that sends the reader on may do so at any moment; then the next page is asked.
async function steady(page, question, turns = 3) {
  for (;;) {
    try {
      return await page.evaluate(question);
    } catch (error) {
      if (!/context was destroyed/.test(error) || !(turns -= 1)) throw error;
      await page.waitForLoadState("load");
    }
  }
}

async function open(page, url) {
  const seen = { outside: [], failed: [], errors: [] };
  page.removeAllListeners();
  await page.goto("about:blank"); // what the last page still loads is not this one's
  page.on("request", (request) => inside(request.url()) || seen.outside.push(request.url()));
  page.on("requestfailed", (request) => seen.failed.push(request.url()));
  page.on("response", (response) => response.status() >= 400 && seen.failed.push(response.url()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  await page.goto(url, { waitUntil: "load" });
  if (await page.locator("meta[http-equiv=refresh i]").count().catch(() => 1)) { // the front door sends the reader on
    await page.waitForFunction(() => !document.querySelector("meta[http-equiv=refresh i]") && document.readyState === "complete");
  }
  await steady(page, () => window.typesetting ?? window.MathJax?.startup?.promise);
  await steady(page, () => document.fonts.ready.then(() => {})); // or the next page would abort what still loads
  return seen;
}

async function press(page, selector, area) {
  const before = await page.locator(area).first().innerHTML();
  await page.locator(selector).first().focus();
  await page.keyboard.press("ArrowRight");
  return page.waitForFunction(([where, was]) => document.querySelector(where).innerHTML !== was, [area, before],
    { timeout: 30000 }).then(() => true, () => false);
}

// Boxes are opened, and their formulas set; then both modes, and the widths of a desk, a tablet and a phone.
async function opened(page, found) {
  await page.evaluate(() => document.querySelectorAll("article details").forEach((box) => { box.open = true; }));
  await page.waitForFunction(() => !window.MathJax || !document.querySelector("article .math:not(:has(mjx-container))"), null,
    { timeout: 600000, polling: 100 }).catch(() => {}); // without MathJax nothing will set them
  Object.assign(found, await page.evaluate(look));
  await page.evaluate(() => document.querySelectorAll("article .claim-more details, article .claim-line > details, article details.erratum, article details.evidence").forEach((box) => { box.open = false; }));
  const mode = () => page.evaluate(() => document.documentElement.dataset.theme);
  found.themes = {};
  for (let turn = 0; turn < 3; turn++) { // light, dark, and what the machine prefers
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [name, colours] = [await mode(), { ground }];
    if (!found.themes[name]) found.themes[name] = { ...colours, faint: await page.evaluate(contrast) };
    await page.locator(".theme-switch-button:visible").first().click();
  }
  if (await page.locator("article .widget-subarea .noUi-handle").count()) {
    found.slides = await press(page, "article .widget-subarea .noUi-handle", "article .widget-subarea");
  }
  found.cut = await page.evaluate(cells);
  found.wide = await page.evaluate(room);
  for (const width of [768, 380]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(100);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.currentSrc), null,
      { timeout: 10000 }).catch(() => {}); // another drawing for another width
    found.wide = [...new Set([...found.wide, ...await page.evaluate(room)])];
  }
  found.tiny = await page.evaluate(tiny);
  found.orphans = await page.evaluate(orphans);
}

const DESK = { width: 1360, height: 900 }, PHONE = { width: 360, height: 740 };
const report = {};
const page = await (await browser.newContext({ viewport: DESK, colorScheme: "light" })).newPage();
page.setDefaultTimeout(600000); // all tests look at this one tour; a page of thousands of boxes takes its time on a busy machine
await page.route("**", (route) => (inside(route.request().url()) ? route.continue() : route.abort()));
await listen(page);
for (const url of urls) {
  const [desk, whole] = [full || chosen.has(url), full !== chosen.has(url)];
  await page.setViewportSize(desk ? DESK : PHONE);
  const found = await open(page, url);
  const article = await page.locator("article").count();
  if (full && article) found.shares = await page.evaluate(shares);
  if (desk) found.scripts = await page.evaluate(drawn);
  if (whole) found.axe = await faults(page, !full); // on the full tour `contrast` looks at colours, on all texts
  if (full && article) await opened(page, found);
  if (!full) {
    if (desk) {
      await page.setViewportSize(PHONE);
      await page.waitForTimeout(100);
    }
    found.wide = await page.evaluate(room);
  }
  report[url] = found;
}

// The search of the book, on the page where it happens.
const [search] = urls.filter((url) => url.endsWith("/search.html")).sort((one, other) => one.length - other.length); // a chapter has that name too
if (search) {
  const found = await open(page, `${search}?q=lemma`);
  await page.waitForSelector("#search-results li a", { timeout: 60000 }).catch(() => {});
  await page.waitForTimeout(1000);
  report.search = { ...found, hits: await page.locator("#search-results li a").evaluateAll((links) => links.map((link) => link.href)) };
}
await browser.close();
process.stdout.write(JSON.stringify(report));
