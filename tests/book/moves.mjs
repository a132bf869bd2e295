// Move every control of the pieces on some pages, with the keyboard where there is one, and report what stood still.
// usage: node moves.mjs <url> ...
import { launch } from "../browser.mjs";

const browser = await launch(), report = {};
const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
page.setDefaultTimeout(120000);
await page.route("**", (route) => (new URL(route.request().url()).protocol === "file:" ? route.continue() : route.abort()));

// What a reader can see or hear of a piece; positions of sliders and words on buttons are not part of it.
const seen = () => [...document.querySelectorAll(".moves-stage, .moves-said, .moves-scroll")].map((node) => node.innerHTML).join("\n");
const controls = ".moves-box :is(input, select, button, [role=spinbutton], [data-press])";

function look() {
  const words = [...document.querySelectorAll(".moves-stage text")].filter((node) => node.textContent.trim());
  const box = (node) => node.getBoundingClientRect();
  const named = (node) => node.labels?.length || node.textContent.trim() || node.getAttribute("aria-label");
  return {
    small: words.filter((node) => parseFloat(getComputedStyle(node).fontSize) * box(node.ownerSVGElement).width / node.ownerSVGElement.viewBox.baseVal.width < 10).map((node) => node.textContent),
    cut: words.filter((node) => box(node).left < -0.5 || box(node).right > innerWidth + 0.5).map((node) => node.textContent),
    wide: document.documentElement.scrollWidth > innerWidth,
    nameless: [...document.querySelectorAll(".moves-box :is(input, select, button, [role=spinbutton])")].filter((node) => !named(node)).map((node) => node.outerHTML),
    pictures: [...document.querySelectorAll(".moves-stage > svg")].filter((node) => !node.getAttribute("aria-label")).length,
    said: document.querySelector(".moves-said[aria-live]")?.textContent ?? "",
    rows: document.querySelectorAll(".moves-scroll td").length,
  };
}

async function changes(i) {
  const control = page.locator(controls).nth(i), before = await page.evaluate(seen);
  const kind = await control.evaluate((node) => (node.dataset.press !== undefined ? "press" : node.disabled ? "disabled" : node.type?.startsWith("select") ? "select" : node.tagName.toLowerCase()));
  if (kind === "disabled") return true;
  if (kind === "select") await control.selectOption({ index: (await control.evaluate((node) => node.selectedIndex)) ? 0 : 1 });
  else if (kind === "press") await control.click({ position: JSON.parse(await control.getAttribute("data-press")) });
  else {
    await control.focus();
    const key = kind === "button" ? "Enter" : kind === "g" ? "ArrowUp" : (await control.evaluate((node) => node.value === node.max)) ? "ArrowLeft" : "ArrowRight";
    await page.keyboard.press(key);
  }
  for (let turn = 0; turn < 15; turn++) {
    if (before !== await page.evaluate(seen)) return true;
    await page.waitForTimeout(100);
  }
  return false;
}

for (const url of process.argv.slice(2)) {
  const found = { errors: [], still: [] };
  page.removeAllListeners();
  page.on("pageerror", (error) => found.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && found.errors.push(message.text()));
  page.on("requestfailed", (request) => found.errors.push(request.url()));
  await page.goto(url, { waitUntil: "load" });
  Object.assign(found, await page.evaluate(look));
  const many = await page.locator(controls).count();
  found.controls = many;
  for (let i = 0; i < many; i++) {
    await page.goto(url, { waitUntil: "load" });
    const name = await page.locator(controls).nth(i).evaluate((node) => node.labels?.[0]?.textContent ?? node.getAttribute("aria-label") ?? node.textContent);
    if (!(await changes(i))) found.still.push(name);
  }
  const later = await page.evaluate(look);
  found.cut.push(...later.cut);
  report[url] = found;
}
await browser.close();
process.stdout.write(JSON.stringify(report));
