// Open a notebook in JupyterLab, run all cells, press an arrow key on the first slider, wait until the output differs.
// usage: node drive.mjs <server> <notebook> <seconds to wait for a reaction>      result: JSON on stdout
import { launch } from "../browser.mjs";

const [server, notebook, patience] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
const ERRORS = "[data-mime-type='application/vnd.jupyter.stderr'], [data-mime-type='application/vnd.jupyter.error']";
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));

// All outputs without the sliders themselves: what must react.
const outputs = () => page.evaluate(() => [...document.querySelectorAll(".jp-Notebook .jp-OutputArea")].map((area) => {
  const copy = area.cloneNode(true);
  copy.querySelectorAll(".widget-slider").forEach((slider) => slider.remove());
  return copy.innerHTML;
}).join("\n"));

const result = { errors, slider: false, reacts: false, failed: "" };
try {
  await page.goto(`${server}/lab/workspaces/test-${process.pid}/tree/${notebook}?reset`);
  // the status bar knows when the kernel is there; a click before that is lost without a word
  const idle = () => page.waitForFunction(
    () => document.querySelector("#jp-main-statusbar")?.textContent.includes("| Idle"), null, { timeout: 60000 });
  await page.locator(".jp-Notebook .jp-CodeCell").first().waitFor({ timeout: 60000 });
  await idle();
  await page.getByRole("menuitem", { name: "Run", exact: true }).click();
  await page.getByRole("menuitem", { name: "Run All Cells", exact: true }).click();
  await page.waitForFunction((errors) => { // every code cell has its number, or one has failed
    const prompts = [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].filter((cell) => cell.querySelector(".cm-content")?.textContent.trim())
      .map((cell) => cell.querySelector(".jp-InputPrompt")?.textContent ?? "");
    return document.querySelector(errors) || (prompts.length > 0 && prompts.every((prompt) => /\[\d+\]/.test(prompt)));
  }, ERRORS, { timeout: 120000 });
  await idle();
  result.failed = await page.evaluate((errors) => [...document.querySelectorAll(errors)].map((node) => node.textContent).join("\n"), ERRORS);
  const handle = page.locator(".jp-OutputArea .widget-slider .noUi-handle").first();
  await handle.waitFor({ timeout: 20000 });
  result.slider = true;
  await page.waitForTimeout(500);
  const before = await outputs();
  await handle.focus();
  await page.keyboard.press("ArrowRight");
  for (let waited = 0; waited < 1000 * patience && !result.reacts; waited += 100) {
    await page.waitForTimeout(100);
    result.reacts = before !== await outputs();
  }
} catch (error) {
  result.stopped = String(error).split("\n")[0];
}
await browser.close();
process.stdout.write(JSON.stringify(result));
