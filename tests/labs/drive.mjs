// In one JupyterLab and one browser, for each notebook: open it, run all cells, press an arrow key on the first slider,
// wait until the output differs.
// usage: node drive.mjs <server> <notebook>=<seconds to wait for a reaction> ...      result: notebook -> what was met, as JSON
import { launch } from "../browser.mjs";

const [server, ...jobs] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
const ERRORS = "[data-mime-type='application/vnd.jupyter.stderr'], [data-mime-type='application/vnd.jupyter.error']";
let errors = [];
page.on("pageerror", (error) => errors.push(String(error)));

// All outputs without the sliders themselves: what must react.
const outputs = () => page.evaluate(() => [...document.querySelectorAll(".jp-Notebook .jp-OutputArea")].map((area) => {
  const copy = area.cloneNode(true);
  copy.querySelectorAll(".widget-slider").forEach((slider) => slider.remove());
  return copy.innerHTML;
}).join("\n"));

// The outputs once they have not changed for two looks, at most five seconds later.
async function settled() {
  let now = await outputs();
  for (let look = 0, same = 0; look < 50 && same < 2; look++) {
    await page.waitForTimeout(100);
    const next = await outputs();
    same = next === now ? same + 1 : 0;
    now = next;
  }
  return now;
}

// Runs in the page: open a notebook with its kernel, run all cells, close what was open before.
async function runAll(path) {
  const { commands, serviceManager, shell } = window.jupyterapp;
  for (const widget of [...shell.widgets("main")]) widget.dispose();
  await serviceManager.sessions.shutdownAll();
  const panel = await commands.execute("docmanager:open", { path, factory: "Notebook" });
  await Promise.all([panel.context.ready, panel.sessionContext.ready, panel.revealed]);
  shell.activateById(panel.id);
  await panel.sessionContext.session.kernel.info; // a cell run before that is lost without a word
  await commands.execute("notebook:run-all-cells");
}

async function drive(notebook, patience) {
  const result = { errors, slider: false, reacts: false, failed: "" };
  try {
    await page.evaluate(runAll, notebook);
    await page.waitForFunction((errors) => { // every code cell has its number, or one has failed
      const prompts = [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].filter((cell) => cell.querySelector(".cm-content")?.textContent.trim())
        .map((cell) => cell.querySelector(".jp-InputPrompt")?.textContent ?? "");
      return document.querySelector(errors) || (prompts.length > 0 && prompts.every((prompt) => /\[\d+\]/.test(prompt)));
    }, ERRORS, { timeout: 120000 });
    const handle = page.locator(".jp-OutputArea .widget-slider .noUi-handle").first();
    await handle.waitFor({ timeout: 20000 });
    result.slider = true;
    const before = await settled();
    result.failed = await page.evaluate((errors) => [...document.querySelectorAll(errors)].map((node) => node.textContent).join("\n"), ERRORS);
    await handle.focus();
    await page.keyboard.press("ArrowRight");
    for (let waited = 0; waited < 1000 * patience && !result.reacts; waited += 100) {
      await page.waitForTimeout(100);
      result.reacts = before !== await outputs();
    }
  } catch (error) {
    result.stopped = String(error).split("\n")[0];
  }
  return result;
}

await page.goto(`${server}/lab?reset`);
await page.waitForFunction(() => window.jupyterapp, null, { timeout: 60000 });
await page.evaluate(() => window.jupyterapp.restored);
const report = {};
for (const job of jobs) {
  const [notebook, patience] = job.split("=");
  errors = [];
  report[notebook] = await drive(notebook, Number(patience));
}
await browser.close();
process.stdout.write(JSON.stringify(report));
