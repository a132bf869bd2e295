// The choices above a list: how many members are seen for each choice; with and without scripts.
// usage: node filters.mjs <url> <selector of the members> <name=value> ...
import { launch } from "../browser.mjs";

const [url, members, ...choices] = process.argv.slice(2);
const browser = await launch();
const report = {};
for (const javaScriptEnabled of [true, false]) {
  const page = await (await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 800 } })).newPage();
  page.setDefaultTimeout(120000);
  const shown = async () => (await page.locator(members).evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility()).length));
  await page.goto(url, { waitUntil: "load" });
  if (!javaScriptEnabled) {
    report.bare = await page.locator(members).count();
    continue;
  }
  report.all = await shown();
  for (const choice of choices) {
    const [name, value] = choice.split("=");
    const field = page.locator(`.filters [name=${name}]`);
    await (name === "text" ? field.fill(value) : field.selectOption(value));
    report[choice] = { shown: await shown(), address: new URL(page.url()).search };
    await (name === "text" ? field.fill("") : field.selectOption(""));
  }
  await page.goto(`${url}?${choices[0]}`, { waitUntil: "load" });
  report.linked = await shown();
}
await browser.close();
process.stdout.write(JSON.stringify(report));
