// The page of a Coq file: what opens, and what it shows. usage: node goals.mjs <url>
import { launch } from "../browser.mjs";

const [url] = process.argv.slice(2);
const browser = await launch();
const report = { errors: [] };
const page = await browser.newPage();
page.setDefaultTimeout(120000);
page.on("pageerror", (error) => report.errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && report.errors.push(message.text()));
await page.goto(url, { waitUntil: "load" });
await page.waitForSelector("li > details", { state: "attached" });
Object.assign(report, await page.evaluate(async () => {
  const boxes = document.querySelectorAll("li > details"), goals = () => document.querySelectorAll("details > pre").length;
  const before = goals();
  boxes[0].querySelector("summary").click();
  await new Promise((done) => setTimeout(done, 200));
  const said = boxes[0].querySelector("pre");
  const items = [...document.querySelectorAll("li")];
  return { boxes: boxes.length, before, after: goals(), said: said.textContent, height: said.getBoundingClientRect().height,
    lines: items.length, target: document.querySelector("li:target")?.id,
    numbered: items.filter(({ id }, n) => id === `L${n + 1}`).length };
}));
await browser.close();
process.stdout.write(JSON.stringify(report));
