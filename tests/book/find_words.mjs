// The book's own search without a browser: the first results of each query, read from the scripts of a built site.
// usage: node find_words.mjs <folder of find.js> <folder of statements.js and sections.js> <query> ...
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [code, data, ...queries] = process.argv.slice(2);
const window = { derlKept: {} };
const text = (html) => html.replace(/<[^>]*>/g, "").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
const DOMParser = class { parseFromString(html) { return { body: { textContent: text(html) } }; } };
const context = vm.createContext({ window, DOMParser, document: { addEventListener() {} } });
for (const file of [`${data}/statements.js`, `${data}/sections.js`, `${code}/find.js`]) vm.runInContext(readFileSync(file, "utf8"), context);
const { statements, sections } = window.derlKept;
const report = Object.fromEntries(queries.map((query) => [query, context.search(query, statements, sections).found.slice(0, 10).map(({ href }) => href.replace(/^book\//, ""))]));
process.stdout.write(JSON.stringify(report));
