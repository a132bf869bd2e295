// Open a notebook in JupyterLab, run all cells, press an arrow key on the first slider, wait until the output differs.
// usage: node drive.mjs <chromium> <book folder with node_modules> <server> <notebook>      result: JSON on stdout
import { createRequire } from "node:module";

const [chromiumPath, book, server, notebook] = process.argv.slice(2);
const { chromium } = createRequire(`${book}/`)("playwright-core");
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
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
  const status = page.locator(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator:visible").first();
  await status.waitFor({ timeout: 60000 });
  const idle = () => page.waitForFunction(
    () => document.querySelector(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator")?.dataset.status === "idle", null, { timeout: 60000 });
  await idle(); // a click before the kernel is there is lost without a word
  await page.getByRole("menuitem", { name: "Run", exact: true }).click();
  await page.getByRole("menuitem", { name: "Run All Cells", exact: true }).click();
  await page.waitForFunction(() => { // every code cell has its number
    const prompts = [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].filter((cell) => cell.querySelector(".cm-content")?.textContent.trim())
      .map((cell) => cell.querySelector(".jp-InputPrompt")?.textContent ?? "");
    return prompts.length > 0 && prompts.every((prompt) => /\[\d+\]/.test(prompt));
  }, null, { timeout: 120000 });
  await idle();
  result.failed = await page.evaluate(() => [...document.querySelectorAll(
    ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr'], .jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']")]
    .map((node) => node.textContent).join("\n"));
  const handle = page.locator(".jp-OutputArea .widget-slider .noUi-handle").first();
  await handle.waitFor({ timeout: 20000 });
  result.slider = true;
  await page.waitForTimeout(500);
  const before = await outputs();
  await handle.focus();
  await page.keyboard.press("ArrowRight");
  for (let waited = 0; waited < 20000 && !result.reacts; waited += 100) {
    await page.waitForTimeout(100);
    result.reacts = before !== await outputs();
  }
} catch (error) {
  result.stopped = String(error).split("\n")[0];
}
await browser.close();
process.stdout.write(JSON.stringify(result));
