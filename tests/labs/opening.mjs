// Open notebooks in one JupyterLab and touch nothing: which run by themselves, and which show their cells and a button?
// usage: node opening.mjs <server> <notebook> ...      result: notebook -> what happened, as JSON
import { launch } from "../browser.mjs";

const [server, ...notebooks] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
const report = {};

async function open(path) {
  const { commands, serviceManager, shell } = window.jupyterapp;
  for (const widget of [...shell.widgets("main")]) widget.dispose();
  await serviceManager.sessions.shutdownAll();
  window.derlPanel = await commands.execute("docmanager:open", { path, factory: "Notebook" });
  await window.derlPanel.context.ready;
}
const ran = () => [...window.derlPanel.content.model.cells].some((cell) => cell.type === "code" && cell.executionCount);
const idle = () => window.derlPanel.sessionContext.session?.kernel?.status === "idle";

await page.goto(`${server}/lab?reset&token=${process.env.LAB_TOKEN}`);
await page.waitForFunction(() => window.jupyterapp, null, { timeout: 60000 });
await page.evaluate(() => window.jupyterapp.restored);
for (const notebook of notebooks) {
  await page.evaluate(open, notebook);
  const said = page.locator(".derl-not-shipped");
  for (let waited = 0; waited < 20000 && !(await said.count()) && !(await page.evaluate(ran)); waited += 100) await page.waitForTimeout(100);
  const found = { asked: await said.count() > 0 };
  if (found.asked) {
    await page.waitForFunction(idle, null, { timeout: 5000 }).catch(() => {});
    await page.waitForTimeout(500);
    found.said = await said.innerText();
    found.seen = await page.evaluate(() => window.derlPanel.content.widgets.every((cell) => !cell.inputHidden));
  }
  found.ran = await page.evaluate(ran);
  if (found.asked && notebook.includes("clicked")) {
    await said.locator("button").click();
    await page.waitForFunction(ran, null, { timeout: 60000 });
    found.then = true;
  }
  report[notebook] = found;
}
await browser.close();
process.stdout.write(JSON.stringify(report));
