// Previews of links on a page: under the pointer, with the focus, at a tap; closed by Escape.
// usage: node preview.mjs <url> <selector of the links>
import { launch } from "../browser.mjs";

const [url, selector] = process.argv.slice(2);
const browser = await launch();
const report = {};
for (const touch of [false, true]) {
  const page = await (await browser.newContext({ hasTouch: touch, viewport: { width: touch ? 360 : 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(120000);
  const box = page.locator("#derl-preview");
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => window.typesetting);
  const link = page.locator(`${selector}:visible`).first();
  const seen = async () => {
    await box.waitFor({ state: "visible", timeout: 60000 });
    await page.waitForFunction(() => document.querySelector("#derl-preview mjx-container"), null, { timeout: 5000 }).catch(() => {});
    const { x, width } = await box.boundingBox();
    return { text: (await box.textContent()).trim(), formulas: await box.locator("mjx-container").count(), inside: x >= 0 && x + width <= (touch ? 360 : 1280) };
  };
  if (touch) {
    await link.scrollIntoViewIfNeeded();
    await link.tap();
    report.tap = { ...await seen(), stayed: page.url().split("#")[0] === url };
    await box.locator(".derl-preview-go").tap();
    await page.waitForURL(/#/, { timeout: 60000 });
    report.tap.went = page.url();
  } else {
    await link.hover();
    report.hover = await seen();
    await page.keyboard.press("Escape");
    report.closed = !(await box.isVisible());
    await page.mouse.move(0, 0);
    await link.focus();
    report.focus = await seen();
    report.described = await link.getAttribute("aria-describedby");
  }
}
await browser.close();
process.stdout.write(JSON.stringify(report));
