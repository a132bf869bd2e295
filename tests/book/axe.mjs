// What axe-core finds serious or critical on each page, in light and in dark mode, as JSON on stdout.
// usage: node axe.mjs <url> ...
import { createRequire } from "node:module";
import { launch } from "../browser.mjs";

const axe = createRequire(process.env.NODE_MODULES).resolve("axe-core/axe.min.js");
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, colorScheme: "light", reducedMotion: "reduce", bypassCSP: true }); // axe is put into the page

async function look(only) {
  return page.evaluate(async (rules) => {
    const options = { resultTypes: ["violations"], ...(rules ? { runOnly: { type: "rule", values: rules } } : {}) };
    const { violations } = await window.axe.run({ exclude: [["mjx-container"]] }, options);
    return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).flatMap(({ id, nodes }) =>
      nodes.slice(0, 4).map((node) => `${id} (${nodes.length}): ${node.html.slice(0, 140)} ${node.any[0]?.message ?? ""}`));
  }, only);
}

const report = {};
for (const url of process.argv.slice(2)) {
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => window.typesetting);
  await page.addScriptTag({ path: axe });
  const light = await look();
  await page.evaluate(() => { Object.assign(document.documentElement.dataset, { theme: "dark", mode: "dark" }); });
  await page.waitForTimeout(100);
  report[url] = [...light, ...(await look(["color-contrast", "link-in-text-block"])).map((line) => `dark: ${line}`)];
}
await browser.close();
process.stdout.write(JSON.stringify(report));
