// In one JupyterLab and one browser, for each notebook: open it, touch nothing until it has run by itself, then move
// every control, wait until the picture differs, and move it back.
// The token of the server comes in the environment. A notebook that is not shipped has to be run by its button.
// usage: node drive.mjs <server> <notebook> ...      result: notebook -> what was met, as JSON
import { launch } from "../browser.mjs";

const [server, ...notebooks] = process.argv.slice(2);
const PATIENCE = 60000, GLANCE = 4000; // milliseconds to wait for a control that must react, and for a dead one
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1400, height: 1600 } });
const ERRORS = "[data-mime-type='application/vnd.jupyter.stderr'], [data-mime-type='application/vnd.jupyter.error'], .derl-error";
let errors = [];
page.on("pageerror", (error) => errors.push(String(error)));

const picture = () => page.evaluate(() => document.querySelector(".derl-picture")?.innerText + "|" +
  [...document.querySelectorAll(".derl-picture svg")].map((svg) => svg.innerHTML.length + svg.innerHTML.slice(-4000)).join("|"));
const failed = () => page.evaluate((all) => [...document.querySelectorAll(all)].map((node) => node.textContent).join("\n"), ERRORS);

async function differs(before, patience) {
  for (let waited = 0; waited < patience; waited += 60) {
    if (await picture() !== before) return true;
    await page.waitForTimeout(60);
  }
  return false;
}

async function settled() {
  let now = await picture();
  for (let look = 0, same = 0; look < 70 && same < 4; look++) {
    await page.waitForTimeout(70);
    const next = await picture();
    same = next === now ? same + 1 : 0;
    now = next;
  }
  return now;
}

// Runs in the page: open a notebook; nothing here runs a cell.
async function open(path) {
  const { commands, serviceManager, shell } = window.jupyterapp;
  for (const widget of [...shell.widgets("main")]) widget.dispose();
  await serviceManager.sessions.shutdownAll();
  const panel = await commands.execute("docmanager:open", { path, factory: "Notebook" });
  await panel.context.ready;
  window.derlPanel = panel;
}

const key = (handle, name) => handle.focus().then(() => page.keyboard.press(name));
const choose = (select, index) => select.evaluate((node, at) => {
  node.selectedIndex = at;
  node.dispatchEvent(new Event("change", { bubbles: true }));
}, index);

// How a control is moved there and back; a slider at its end goes the other way.
async function moves(control) {
  const select = control.locator("select"), area = control.locator("textarea");
  if (await select.count()) {
    const [at, n] = await select.evaluate((node) => [node.selectedIndex, node.options.length]);
    return [() => choose(select, (at + 1) % n), () => choose(select, at)];
  }
  if (await area.count()) {
    const text = await area.inputValue();
    return [() => area.fill(text.replace(/\d(?=\D*$)/, "9")), () => area.fill(text)];
  }
  const cells = control.locator("input[type=text]");
  if (await cells.count()) { // of a table: its last cell
    const cell = cells.last(), word = await cell.inputValue();
    return [() => cell.fill("9"), () => cell.fill(word)];
  }
  const handle = control.locator(".noUi-handle").first();
  const end = await handle.evaluate((node) => Number(node.getAttribute("aria-valuenow")) >= Number(node.getAttribute("aria-valuemax")));
  const [there, back] = end ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  return [() => key(handle, there), () => key(handle, back)];
}

async function drive(notebook) {
  const result = { errors, moved: {}, hidden: false, failed: "", complaints: "" };
  const complain = async () => { const text = await failed(); if (text && !result.complaints.includes(text)) result.complaints += text; };
  try {
    await page.evaluate(open, notebook);
    await page.waitForSelector(`.derl-not-shipped button, .derl-picture p, ${ERRORS}`, { timeout: 60000 });
    const button = page.locator(".derl-not-shipped button");
    result.asked = await button.count() > 0;
    if (result.asked) await button.click();
    if (result.asked) await page.waitForSelector(`.derl-picture p, ${ERRORS}`, { timeout: 60000 }); // its kernel begins only now
    await page.waitForSelector(`.derl-picture p, .jp-OutputArea-output.jp-RenderedText, ${ERRORS}`, { timeout: 60000 });
    result.failed = await failed();
    await page.waitForSelector(".derl-picture p", { timeout: result.failed ? 500 : 60000 });
    result.hidden = await page.evaluate(() => ![...document.querySelectorAll(".jp-CodeCell .jp-InputArea-editor")].some((node) => node.offsetHeight));
    const names = await page.evaluate(() => [...document.querySelectorAll("[class*=derl-control-], [class*=derl-begin-]")]
      .map((node) => [...node.classList].find((name) => /^derl-(control|begin)-/.test(name))));
    for (const name of names) {
      const control = page.locator(`.${name}`), before = await settled(), [there, back] = await moves(control);
      await there();
      result.moved[name.slice(5)] = await differs(before, name.includes("dead") ? GLANCE : PATIENCE);
      const after = await settled();
      await complain();
      await back();
      await differs(after, result.moved[name.slice(5)] ? PATIENCE : 300);
    }
    for (const button of await page.locator("[class*=derl-edit-]").all()) {
      const name = await button.evaluate((node) => [...node.classList].find((one) => one.startsWith("derl-edit-")));
      const before = await settled();
      await button.click();
      result.moved[name.slice(5)] = await differs(before, PATIENCE);
      await complain();
    }
    for (const name of ["back", "step", "reset", "play"]) {
      for (const button of await page.locator(`[class*=derl-${name}-]`).all()) {
        const before = await settled();
        await (name === "play" ? button.locator("button").first() : button).click();
        result.moved[name] = await differs(before, PATIENCE);
        await complain();
        if (name === "play") await button.locator("button").first().click();
      }
    }
    await settled();
  } catch (error) {
    result.stopped = String(error).split("\n")[0];
  }
  await complain();
  result.dirty = await page.evaluate(() => window.derlPanel.context.model.dirty);
  return result;
}

await page.goto(`${server}/lab?reset&token=${process.env.LAB_TOKEN}`);
await page.waitForFunction(() => window.jupyterapp, null, { timeout: 60000 });
await page.evaluate(() => window.jupyterapp.restored);
const report = {};
for (const notebook of notebooks) {
  errors = [];
  report[notebook] = await drive(notebook);
}
await browser.close();
process.stdout.write(JSON.stringify(report));
