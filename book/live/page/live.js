// The buttons of a page: run and edit its cells, run the checks of its statements, edit a statement and run its checks.
import { button, Editable, make, Output } from "./parts.js";
import { Python, reason, Site } from "./python.js";
import { bookCheck } from "./whole.js";

const data = JSON.parse(document.getElementById("derl-live").textContent);
const site = new Site(data.base, data.manifest);
const interpreters = {}; // cells have one, verdicts another: a cell may change derl, and a verdict must not notice
const python = (use, kind) => interpreters[use] ??= new Python(site, kind);
const seconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

/** Run what a bar is for: the buttons change, the note tells what happens. */
async function running(bar, use, code) {
  const { output, note, go, stop } = bar, mine = bar.turn = (bar.turn ?? 0) + 1, current = () => bar.turn === mine;
  output.clear();
  for (const one of go) one.disabled = true;
  stop.hidden = false;
  note.textContent = "starting";
  const write = (text, to) => { if (current()) output.write(text, to); };
  const found = await use.run(code, write, (text) => { if (current()) note.textContent = text; });
  for (const one of go) one.disabled = false;
  stop.hidden = true;
  if (!current()) return found; // the text has changed since: this answer is not about it
  output.draw(found.figures ?? []);
  if (found.failed) output.write(`${found.failed}\n`, "stderr");
  note.textContent = found.stopped ? "stopped; what was defined is gone" : found.failed ? "not run" : found.status ? "ended with an error" : `ran here in ${seconds(found.ms)}`;
  return found;
}

function stale(bar) { // an answer belongs to a text
  bar.turn = (bar.turn ?? 0) + 1;
  bar.output.clear();
  bar.note.textContent = "";
}

function cells() {
  const shown = [...document.querySelectorAll(".cell .cell_input pre")], ran = new Set(), at = new Map(), use = python("cells", data.kind);
  const lost = () => ran.clear();
  const fit = (code) => { // a page of numpy cells starts small; a cell that asks for more starts Python anew
    if (use.kind === "book" || !/\b(derl|matplotlib|pylab)\b/.test(code)) return;
    use.stop();
    use.kind = "book";
    lost();
  };
  for (const cell of data.cells) {
    const pre = shown[cell.shown], box = pre.closest(".cell");
    const bar = { output: new Output("Output of this run"), note: make("span", "live-note") };
    bar.note.setAttribute("role", "status");
    // what it needs of the cells above runs first: a cell that was edited as it is now, of others the lines that it needs
    const above = () => cell.before.map(([from, lines]) => [from, at.get(from)?.isChanged ? at.get(from).text : lines])
      .filter(([from, lines]) => !ran.has(from) && !ran.has(lines));
    const run = async () => {
      if (bar.go[0].disabled) return;
      fit(text.text);
      const before = above();
      if (before.length) {
        const found = await running(bar, use, `import derl_cells; derl_cells.before(${JSON.stringify(before.map(([, lines]) => lines))})`);
        if (found.stopped || found.failed) lost();
        if (found.stopped || found.failed || found.status) return;
        before.forEach(([, lines]) => ran.add(lines));
      }
      const found = await running(bar, use, `import derl_cells; derl_cells.run(${JSON.stringify(text.text)})`);
      if (found.stopped || found.failed) lost(); else if (!found.status) ran.add(cell.at);
    };
    const forget = () => { ran.delete(cell.at); stale(bar); };
    const text = new Editable(pre.closest(".cell_input"), { text: cell.source, label: "Code of this cell", language: "python", run,
      changed: () => { reset.hidden = !text.isChanged; forget(); } });
    at.set(cell.at, text);
    const go = button("Run", run), change = button("Edit", () => text.open(site.base, go));
    const reset = button("Reset", () => { text.reset(); reset.hidden = true; forget(); });
    bar.go = [go];
    bar.stop = button("Stop", () => { use.stop(); lost(); });
    reset.hidden = bar.stop.hidden = true;
    const line = make("div", "live-bar");
    line.append(go, change, bar.stop, reset, bar.note);
    pre.closest(".cell_input").after(line);
    box.append(bar.output.box);
  }
}

function statements() {
  for (const [id, source] of Object.entries(data.claims)) {
    const block = document.getElementById(id), more = block?.querySelector(":scope > .claim-more, :scope > details > .claim-more");
    if (!more) continue;
    const bar = { output: new Output("What the checks say here"), note: make("span", "live-note") };
    bar.note.setAttribute("role", "status");
    const use = () => python("verdicts", "book"), name = JSON.stringify(id);
    const check = button("Run this check here", () => running(bar, use(), `from derl import live; live.check(${name})`));
    const run = () => { if (!check.disabled) running(bar, use(), `from derl import live; live.edit(${name}, ${JSON.stringify(`${text.text}\n`)})`); };
    const judge = button("Run its checks on this text", run);
    const said = block.querySelector(".claim-statement");
    const text = new Editable(make("span", "live-nothing"), { text: source.trimEnd(), label: "Text of the statement, in LaTeX", run,
      changed: () => { reset.hidden = !text.isChanged; stale(bar); } });
    const line = make("div", "live-bar");
    const close = () => { text.reset(); reset.hidden = judge.hidden = true; stale(bar); };
    const reset = button("Reset", close);
    const change = button("Edit the theorem", async () => { await text.open(site.base, judge); judge.hidden = reset.hidden = false; });
    bar.go = [check, judge];
    bar.stop = button("Stop", () => use().stop());
    reset.hidden = bar.stop.hidden = judge.hidden = true;
    line.append(check, ...(source ? [change, judge] : []), bar.stop, reset, bar.note);
    more.append(text.shown, line, bar.output.box);
    if (said && source) line.dataset.edits = id;
  }
}

function begin() {
  const why = reason(), phone = matchMedia("(max-width: 600px) and (pointer: coarse)").matches;
  const start = () => { cells(); statements(); bookCheck(data, site); document.documentElement.dataset.live = "on"; };
  if (!why && !phone) { start(); return; }
  const place = document.querySelector("article h1") ?? document.querySelector("h1"), line = make("p", "live-fallback", why);
  if (!why) {
    line.textContent = "The cells and checks of this page can run here, also on a phone. ";
    line.append(button(`Show the buttons (the first run loads ${data.sizes[data.kind]} MB)`, () => { line.remove(); start(); }));
  }
  place?.after(line);
}
begin();
