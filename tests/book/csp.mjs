// What breaks the policy of the pages, from files (all of them) and from a server (one of each kind).
import { createServer } from "node:http";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "../browser.mjs";

const root = process.argv[2];
const within = (folder) => readdirSync(folder).flatMap((name) => {
  const path = join(folder, name);
  if (statSync(path).isDirectory()) return name === "_static" || name === "_sources" ? [] : within(path);
  return name.endsWith(".html") ? [relative(root, path)] : [];
});
const pages = within(root).filter((name) => readFileSync(join(root, name), "utf8").includes("<script"));
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const server = createServer((request, response) => {
  try {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const content = readFileSync(join(root, name));
    response.writeHead(200, { "Content-Type": KINDS[/\.\w+$/.exec(name)?.[0]] ?? "application/octet-stream" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const few = pages.filter((name) => /index|search|algorithm-one|planted|reachability\/reachability|graph/.test(name));
const origins = { file: [pathToFileURL(root).href, pages], http: [`http://127.0.0.1:${server.address().port}`, few] };

const browser = await launch();
const found = {};
for (const [origin, [base, names]] of Object.entries(origins)) {
  found[origin] = {};
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
  await page.addInitScript(() => {
    window.broken = [];
    document.addEventListener("securitypolicyviolation", (event) => window.broken.push(event.effectiveDirective));
  });
  for (const name of names) {
    await page.goto(`${base}/${name}`);
    found[origin][name] = await page.evaluate(async () => {
      const figures = [...document.querySelectorAll(".plotly-figure")];
      const all = (root, selector) => root.querySelectorAll(selector).length;
      await Promise.race([window.typesetting, new Promise((done) => setTimeout(done, 30000))]);
      for (const box of [...figures, ...document.querySelectorAll(".moves-box")]) {
        box.scrollIntoView();
        for (let n = 0; n < 200 && !box.querySelector("svg, canvas"); n += 1) await new Promise((done) => setTimeout(done, 50));
      }
      return {
        broken: window.broken, planted: Boolean(window.planted), formulas: all(document, "mjx-container"),
        figures: figures.length, drawn: figures.filter((box) => box.querySelector("svg")).length,
        moving: all(document, ".moves-box"),
        moved: [...document.querySelectorAll(".moves-box")].filter((box) => box.querySelector("svg, canvas")).length,
      };
    });
  }
  await page.close();
}
await browser.close();
server.close();
console.log(JSON.stringify(found));
