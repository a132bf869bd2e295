// What axe-core finds serious or critical on an open page; colours too, in light and in dark mode, where that is wanted.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const COLOURS = ["color-contrast", "link-in-text-block"]; // their answer differs between light and dark
const axe = readFileSync(createRequire(process.env.NODE_MODULES).resolve("axe-core/axe.min.js"), "utf-8");

// A page from disk may not load its sheets a second time, and no rule that runs asks for it. What a rule finds has the
// impact of the rule: those whose findings would be dropped are not run.
async function look(page, only, colours) {
  return page.evaluate(async ({ rules, without }) => {
    const grave = (impact) => ["serious", "critical"].includes(impact);
    const light = Object.fromEntries(window.axe._audit.rules.filter(({ id, impact }) => !grave(impact) || without.includes(id)).map(({ id }) => [id, { enabled: false }]));
    const chosen = rules ? { runOnly: { type: "rule", values: rules } } : { rules: light };
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], preload: { assets: ["media"] }, ...chosen });
    return violations.filter(({ impact }) => grave(impact)).flatMap(({ id, nodes }) =>
      nodes.slice(0, 4).map((node) => `${id} (${nodes.length}): ${node.html.slice(0, 140)} ${node.any[0]?.message ?? ""}`));
  }, { rules: only, without: colours ? [] : COLOURS });
}

// Runs in the page. Formulas are not looked at, and are half of all nodes: pictures of their size and name stand for them.
// What a closed box holds is hidden; it is taken out, unless rules look at such nodes even where they are hidden.
function away() {
  const all = [...document.querySelectorAll("mjx-container")].map((formula) =>
    [formula, formula.getBoundingClientRect(), getComputedStyle(formula).display]);
  const pictures = all.map(([formula, { width, height }, display]) => {
    const picture = document.createElement("span");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", formula.getAttribute("aria-label") || formula.textContent);
    Object.assign(picture.style, { display: display === "block" ? display : "inline-block", width: `${width}px`, height: `${height}px` });
    formula.replaceWith(picture);
    return [picture, formula];
  });
  const named = new Set([...document.querySelectorAll("*")].flatMap((node) => node.getAttributeNames()
    .filter((name) => name === "for" || name.startsWith("aria-")).flatMap((name) => node.getAttribute(name).split(/\s+/))));
  const watched = (node) => named.has(node.id) || node.matches("[accesskey], [aria-hidden='true'], area, blink, marquee, meta");
  const closed = new Set([...document.querySelectorAll("details:not([open])")].filter((box) => ![...box.querySelectorAll("*")].some(watched)));
  const inner = (box) => { for (let at = box.parentElement; at; at = at.parentElement) if (closed.has(at)) return true; return false; };
  const held = [...closed].filter((box) => !inner(box)).map((box) =>
    [box, [...box.childNodes], document.createDocumentFragment()]);
  held.forEach(([, nodes, fragment]) => fragment.append(...nodes.filter((node) => node.tagName !== "SUMMARY")));
  window.back = () => {
    held.forEach(([box, nodes]) => box.replaceChildren(...nodes));
    pictures.forEach(([picture, formula]) => picture.replaceWith(formula));
  };
}

const dress = (page, names) => page.evaluate((all) => Object.assign(document.documentElement.dataset, all), names);

// The page is left as it was. The source is evaluated from outside, where the policy of the page does not reach.
export async function faults(page, colours) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(axe);
  const before = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  await page.evaluate(away);
  const light = await look(page, null, colours);
  let dark = [];
  if (colours) {
    await dress(page, { theme: "dark", mode: "dark" });
    await page.waitForTimeout(100);
    dark = await look(page, COLOURS, true);
    await dress(page, before);
  }
  await page.evaluate(() => window.back());
  await page.emulateMedia({ reducedMotion: null });
  return [...light, ...dark.map((line) => `dark: ${line}`)];
}
