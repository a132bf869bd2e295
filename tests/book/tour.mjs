// Open every page in a real Chromium and report what a reader would meet, as JSON on stdout.
// usage: node tour.mjs <full|brief> <url> ...
import { launch } from "../browser.mjs";

const [depth, ...urls] = process.argv.slice(2);
const browser = await launch();

// Everything that leaves the book is refused and written down.
function inside(address) {
  const { protocol, hostname } = new URL(address);
  return ["file:", "data:", "blob:", "about:"].includes(protocol) || hostname === "127.0.0.1";
}

async function open(page, url) {
  const seen = { outside: [], failed: [], errors: [] };
  page.removeAllListeners();
  page.on("request", (request) => inside(request.url()) || seen.outside.push(request.url()));
  page.on("requestfailed", (request) => seen.failed.push(request.url()));
  page.on("response", (response) => response.status() >= 400 && seen.failed.push(response.url()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(200); // the front door sends the reader on
  await page.waitForLoadState("load");
  await page.evaluate(() => window.typesetting ?? window.MathJax?.startup?.promise);
  await page.evaluate(() => document.fonts.ready.then(() => {})); // or the next page would abort what still loads
  return seen;
}

// Runs in the page: maths, texts for those who do not see, and room.
function look() {
  const text = document.querySelector("article")?.cloneNode(true);
  text?.querySelectorAll("pre, code, script, style, mjx-container, .math").forEach((node) => node.remove());
  const named = (node) => node.closest("[aria-label], [aria-labelledby], [aria-hidden='true']") || node.querySelector("title");
  return {
    formulas: document.querySelectorAll("article .math").length,
    unset: [...document.querySelectorAll("article .math:not(:has(mjx-container))")].filter((node) => node.checkVisibility() || !node.closest("details")).map((node) => node.textContent.slice(0, 60)),
    broken: [...document.querySelectorAll("mjx-merror, [data-mjx-error]")].map((node) => node.textContent.slice(0, 60)),
    raw: (text?.textContent.match(/\$\$|\\\(|\\\[|\\begin\{|\|\s*-{3,}\s*\|/g) ?? []),
    nameless: [
      ...[...document.querySelectorAll("article img")].filter((node) => !node.alt.trim()).map((node) => node.src),
      ...[...document.querySelectorAll("article svg")].filter((node) => !named(node)).map((node) => node.outerHTML.slice(0, 80)),
    ],
  };
}

// Runs in the page: what is cut off, or makes the page scroll sideways, on a narrow screen.
function room() {
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
  const boxed = (node) => { // inside a box that scrolls, itself within the screen
    for (let at = node; at && at.tagName !== "ARTICLE"; at = at.parentElement) {
      if (scrolls(at) && at.getBoundingClientRect().right <= window.innerWidth + 1) return true;
    }
    return false;
  };
  const content = "article :is(mjx-container, img, svg, pre, table, p, .jupyter-widgets, .js-plotly-plot)";
  const cut = [...document.querySelectorAll(content)].filter(
    (node) => node.checkVisibility() && node.getBoundingClientRect().right > window.innerWidth + 1 && !boxed(node));
  const page = document.documentElement.scrollWidth > window.innerWidth + 1 ? ["the page scrolls"] : [];
  return [...page, ...cut.slice(0, 5).map((node) => node.outerHTML.slice(0, 120))];
}

// Runs in the page: code that is shown and is wider than its column.
function cells() {
  return [...document.querySelectorAll("article .cell_input pre")].filter((node) => node.checkVisibility() && !node.closest("details")
    && node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent.trim().slice(0, 60));
}

// Runs in the page on a narrow screen: figures that show a drawing for a wide one, or a smaller one than was drawn.
function tiny() {
  return [...document.querySelectorAll("article img[src*='_images/'][src$='.svg']")]
    .filter((node) => node.checkVisibility())
    .filter((node) => !node.currentSrc.endsWith("-narrow.svg") || node.clientWidth < 0.97 * node.naturalWidth)
    .map((node) => `${node.currentSrc} at ${node.clientWidth} of ${node.naturalWidth}`);
}

// Runs in the page: contrast of the text of the article, of cards and badges against what lies behind them.
function contrast() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  };
  const known = new Map(); // colour -> rgba, node -> what lies behind it: most texts share theirs
  const remember = (key, compute) => known.get(key) ?? (known.set(key, compute()), known.get(key));
  const behind = (node) => node ? remember(node, () => {
    const [below, colour] = [behind(node.parentElement), getComputedStyle(node).backgroundColor];
    const [r, g, b, a] = remember(colour, () => rgba(colour));
    return [r, g, b].map((value, i) => value * a + below[i] * (1 - a));
  }) : [1, 1, 1];
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = new Set();
  for (const node of document.querySelectorAll("article p, article dt, article td, article .verdict, article .claim-sign, article summary, article mjx-container")) {
    if (!node.checkVisibility() || !node.textContent.trim()) continue;
    const colour = getComputedStyle(node).color;
    const [over, under] = [light(remember(colour, () => rgba(colour))), light(behind(node))];
    const ratio = (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05);
    if (ratio < 4.5) faint.add(`${ratio.toFixed(2)} ${node.className || node.tagName} ${node.textContent.trim().slice(0, 40)}`);
  }
  return [...faint].slice(0, 5);
}

// Runs in the page: formulas that are followed by punctuation on the next line.
function orphans() {
  const found = [];
  for (const formula of document.querySelectorAll("article mjx-container")) {
    if (!formula.checkVisibility()) continue;
    const math = formula.closest(".math") ?? formula;
    const next = math.nextSibling;
    if (next?.nodeType !== Node.TEXT_NODE || !/^[.,;:]/.test(next.data)) continue;
    const range = document.createRange();
    range.setStart(next, 0);
    range.setEnd(next, 1);
    const [mark, before] = [range.getBoundingClientRect(), math.getBoundingClientRect()];
    if (mark.left < before.right - 1 && mark.top > before.top + 2) found.push(math.parentElement.textContent.trim().slice(0, 80));
  }
  return found.slice(0, 5);
}

async function press(page, selector, area) {
  const before = await page.locator(area).first().innerHTML();
  await page.locator(selector).first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
  return before !== await page.locator(area).first().innerHTML();
}

const report = {};
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light" })).newPage();
await page.route("**", (route) => (inside(route.request().url()) ? route.continue() : route.abort()));
for (const url of urls) {
  await page.setViewportSize({ width: 1280, height: 900 });
  const found = await open(page, url);
  if (depth === "full" && await page.locator("article").count()) {
    await page.evaluate(() => { // what lies in closed boxes is looked at, too; its formulas are set on opening
      document.querySelectorAll("article details").forEach((box) => { box.open = true; });
    });
    await page.waitForFunction(() => !document.querySelector("article .math:not(:has(mjx-container))"), null, { timeout: 60000 }).catch(() => {});
    Object.assign(found, await page.evaluate(look));
    await page.evaluate(() => document.querySelectorAll("article .claim-more details, article .claim-line > details, article details.erratum").forEach((box) => { box.open = false; }));
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
    await page.setViewportSize({ width: 1360, height: 900 });
    found.cut = await page.evaluate(cells);
    found.wide = await page.evaluate(room);
    for (const width of [768, 380]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(100);
      found.wide = [...new Set([...found.wide, ...await page.evaluate(room)])];
    }
    found.tiny = await page.evaluate(tiny);
    found.orphans = await page.evaluate(orphans);
  }
  report[url] = found;
}

// The search of the book, on the page where it happens.
const search = urls.find((url) => url.endsWith("search.html"));
if (search) {
  const found = await open(page, `${search}?q=lemma`);
  await page.waitForSelector("#search-results li, #search-results .search-summary", { timeout: 10000 }).catch(() => {});
  await page.waitForTimeout(1000);
  report.search = { ...found, hits: await page.locator("#search-results li a").evaluateAll((links) => links.map((link) => link.href)) };
}
await browser.close();
process.stdout.write(JSON.stringify(report));
