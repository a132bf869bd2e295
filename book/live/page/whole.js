// "Check the whole book here": all quick checks that the gate admits, in as many interpreters as the device has room for.
import { button, make, Output } from "./parts.js";
import { Python } from "./python.js";

const MOST = 4, GROWN = 5e8; // interpreters at once; bytes after which one is made anew
const room = () => Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 1, Math.floor((navigator.deviceMemory ?? 4) / 2)));

/** The button, the bar and the ledger, below the title of the page. */
export function bookCheck(data, site) {
  const heading = document.querySelector("article h1");
  if (!data.whole || !heading) return;
  const all = data.whole.flat().length, box = make("section", "live-whole"), line = make("div", "live-bar");
  const note = make("span", "live-note", `runs ${all} checks in this page; loads ${data.sizes.book} MB once`), bar = document.createElement("progress");
  const output = new Output("The ledger of this run");
  note.setAttribute("role", "status");
  Object.assign(bar, { max: all, value: 0, hidden: true });
  bar.setAttribute("aria-label", "checks that have run");
  let pool = [], turn = 0;
  const end = () => { turn += 1; for (const one of pool) one.stop(); pool = []; go.disabled = false; stop.hidden = true; };
  const stop = button("Stop", () => { end(); note.textContent = "stopped"; });
  const go = button("Check the whole book here", async () => {
    const mine = turn += 1, began = performance.now(), left = [...data.whole], lines = [], lost = [];
    const count = () => { note.textContent = `${bar.value} of ${all} checks, ${seconds()} s, ${pool.length} at a time`; };
    const seconds = () => Math.round((performance.now() - began) / 1000);
    const say = (text) => { if (mine === turn && !bar.value) note.textContent = text; };
    output.clear();
    go.disabled = true;
    stop.hidden = bar.hidden = false;
    bar.value = 0;
    pool = Array.from({ length: Math.min(room(), left.length) }, () => new Python(site, "book"));
    const work = async (python) => {
      while (left.length && mine === turn) {
        for (const position of left.shift()) { // the checks of a module share what they have computed
          let heard = "";
          const found = await python.run(`from derl import live; live.rows([${position}])`, (text, to) => { if (to === "stdout") heard += text; }, say);
          if (mine !== turn) return;
          if (found.status === 0) lines.push(heard.trim()); else lost.push(found.failed ?? position);
          bar.value += 1;
          count();
        }
        if (python.memory > GROWN) python.stop();
      }
    };
    try {
      await pool[0].start(say); // it compiles for all
      count();
      await Promise.all(pool.map(work));
      if (mine !== turn) return;
      pool[0].stop(); // the ledger comes from an interpreter that has run nothing
      const found = await pool[0].run(`from derl import live; live.ledger(${JSON.stringify(lines)}, ${JSON.stringify(data.commit)})`, (text, to) => output.write(text, to));
      if (mine !== turn) return;
      if (lost.length) output.write(`${lost.length} checks were not run: ${lost.join(", ")}\n`, "stderr");
      note.textContent = `${lines.length} of ${all} checks ran here in ${seconds()} s`;
      if (found.ledger) {
        const link = make("a", "live-save", "Save this ledger");
        link.href = URL.createObjectURL(new Blob([found.ledger], { type: "application/json" }));
        link.download = "ledger-of-a-browser.json";
        output.figures.append(link);
      }
      end();
    } catch (error) { if (mine === turn) { end(); note.textContent = error.message; } }
  });
  stop.hidden = true;
  line.append(go, stop, bar, note);
  box.append(line, output.box);
  heading.after(box);
}
