// Search for each query as a reader does, on the page of the search; the targets of the first results, in order.
// usage: node find.mjs <url of search.html> <query> ...
import { launch } from "../browser.mjs";

const [url, ...queries] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage();
page.setDefaultTimeout(120000);
const report = {};
for (const query of queries) {
  await page.goto(`${url}?q=${encodeURIComponent(query)}`, { waitUntil: "load" });
  await page.waitForSelector("#search-results .search-summary");
  report[query] = await page.locator("#search-results ol li").evaluateAll((items) => items.slice(0, 10).map((item) => ({
    target: item.querySelector("a").href.split("/book/").pop(), excerpt: item.querySelector(".search-excerpt").textContent })));
}
await page.waitForSelector("#search-results mjx-container", { state: "attached", timeout: 60000 }).catch(() => {});
report.set = await page.locator("#search-results mjx-container").count();
await browser.close();
process.stdout.write(JSON.stringify(report));
