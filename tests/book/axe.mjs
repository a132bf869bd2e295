// What axe-core finds serious or critical on an open page, in light and in dark mode.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(process.env.NODE_MODULES).resolve("axe-core/axe.min.js"), "utf-8");

// A page from disk may not load its sheets a second time, and no rule that runs asks for it.
async function look(page, only) {
  return page.evaluate(async (rules) => {
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] }, ...(rules ? { runOnly: { type: "rule", values: rules } } : {}) };
    const { violations } = await window.axe.run({ exclude: [["mjx-container"]] }, options);
    return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).flatMap(({ id, nodes }) =>
      nodes.slice(0, 4).map((node) => `${id} (${nodes.length}): ${node.html.slice(0, 140)} ${node.any[0]?.message ?? ""}`));
  }, only);
}

const dress = (page, names) => page.evaluate((all) => Object.assign(document.documentElement.dataset, all), names);

// The page is left as it was. The source is evaluated from outside, where the policy of the page does not reach.
export async function faults(page) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe);
  const before = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  const light = await look(page);
  await dress(page, { theme: "dark", mode: "dark" });
  await page.waitForTimeout(100);
  const dark = await look(page, ["color-contrast", "link-in-text-block"]);
  await dress(page, before);
  await page.emulateMedia({ reducedMotion: null });
  return [...light, ...dark.map((line) => `dark: ${line}`)];
}
