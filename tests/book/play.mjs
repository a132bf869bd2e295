// Press buttons of a page by their words, in turn, as often as asked; report what is said in the end.
// usage: node play.mjs <url> <times> <words> ...; a button that is disabled is passed over, "wait" waits,
// "set LABEL=VALUE" chooses once, before the first button, "turn WHEEL" turns a wheel by one with the keyboard, and
// "drag WHEEL" turns it by one with the mouse
import { launch } from "../browser.mjs";

const [url, times, ...buttons] = process.argv.slice(2);
const browser = await launch(), errors = [];
const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
page.setDefaultTimeout(120000);
page.on("pageerror", (error) => errors.push(String(error)));
await page.addInitScript(() => { // the same luck every time
  let state = 7;
  Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647;
});
await page.goto(url, { waitUntil: "load" });
for (let turn = 0; turn < Number(times); turn++) {
  for (const words of buttons) {
    if (words === "wait") await page.waitForTimeout(800);
    else if (words.startsWith("set ")) {
      const [label, value] = words.slice(4).split("=");
      if (turn === 0) await page.getByRole("combobox", { name: label }).first().selectOption(value);
    }
    else if (words.startsWith("turn ")) {
      await page.getByRole("spinbutton", { name: words.slice(5) }).focus();
      await page.keyboard.press("ArrowUp");
    } else if (words.startsWith("drag ")) {
      const box = await page.getByRole("spinbutton", { name: words.slice(5) }).boundingBox(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 27, { steps: 5 });
      await page.mouse.up();
    } else if (await page.getByRole("button", { name: words }).first().isEnabled()) {
      await page.getByRole("button", { name: words }).first().focus();
      await page.keyboard.press("Enter");
    }
  }
}
process.stdout.write(JSON.stringify({ errors, said: await page.locator(".moves-said").textContent(), stage: await page.locator(".moves-stage").textContent() }));
await browser.close();
