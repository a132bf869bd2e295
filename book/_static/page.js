// Formulas are set in small portions, what is seen first; what a closed box holds waits until it is opened.
const FORMULAS = ".math, .tex2jax_process, .mathjax_process, .output_area";
const isHidden = (node) => Boolean(node.closest("details:not([open]) > :not(summary)"));
const unset = (...roots) => [...new Set(roots.flatMap((root) => [...root.querySelectorAll(FORMULAS)]))]
  .filter((node) => !node.querySelector("mjx-container") && !isHidden(node));

// No formula and no code is translated, and no part of a formula is marked as found: said here, and not at each of them.
function keepWords(root) {
  root.querySelectorAll(".math, code, pre").forEach((node) => { node.translate = false; });
  root.querySelectorAll(".math").forEach((node) => node.classList.add("nohighlight"));
}
document.addEventListener("readystatechange", () => keepWords(document)); // before Sphinx marks what was found

let settled = () => {}; // called after every portion
async function typeset(...roots) {
  await window.MathJax?.startup?.promise;
  if (!window.MathJax?.typesetPromise) return;
  const waiting = unset(...roots);
  const above = waiting.findIndex((node) => node.getBoundingClientRect().bottom > 0);
  const portions = above > 0 ? [...waiting.slice(above), ...waiting.slice(0, above)] : waiting;
  for (let at = 0, size = 40; at < portions.length;) {
    const portion = portions.slice(at, at += size), begin = performance.now();
    await MathJax.typesetPromise(portion);
    boxWide(portion);
    shrink(portion);
    tighten([...new Set(portion.map((node) => node.closest(".table-box > table")).filter(Boolean))]);
    settled();
    size = Math.min(160, Math.max(10, Math.round(100 * size / (performance.now() - begin)))); // a tenth of a second
    await new Promise((done) => setTimeout(done));
  }
}

// A formula within a line cannot be broken; where it is wider than the text it scrolls in a box of its own.
function boxWide(nodes) {
  const formulas = nodes.flatMap((node) => [...node.querySelectorAll("mjx-container:not([display])")]).filter((formula) => formula.closest("article"));
  formulas.forEach((formula) => formula.classList.remove("too-wide"));
  const wide = formulas.map((formula) => {
    const room = formula.parentElement.closest("p, li, dd, td, th, div, figcaption, summary, h1, h2, h3")?.clientWidth ?? Infinity;
    return room > 0 && formula.getBoundingClientRect().width > room;
  });
  formulas.forEach((formula, i) => {
    formula.classList.toggle("too-wide", wide[i]);
    if (wide[i]) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  });
}

// A formula on a line of its own is made smaller, down to three quarters, before it scrolls.
function shrink(nodes) {
  const formulas = nodes.flatMap((node) => [...node.querySelectorAll("mjx-container[display]")]);
  for (const formula of formulas) formula.style.fontSize = formula.dataset.size ??= formula.style.fontSize || "100%"; // MathJax sets a size
  const shares = formulas.map((box) => (box.clientWidth && box.scrollWidth > box.clientWidth + 1 ? box.clientWidth / box.scrollWidth : 1));
  formulas.forEach((formula, i) => { if (shares[i] < 1) formula.style.fontSize = `${Math.max(0.75, 0.99 * shares[i]) * parseFloat(formula.dataset.size)}%`; });
}

// A table that is wider than the text gets smaller letters, in two steps, before it scrolls.
const tablesOf = (root) => [...root.querySelectorAll(".table-box > table")];
function tighten(tables) {
  tables.forEach((table) => table.classList.remove("tight", "tighter"));
  for (const step of ["tight", "tighter"]) {
    const wide = tables.filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth + 1);
    wide.forEach((table) => table.classList.add(step));
  }
}

// A long name in a table may break behind its signs, never within a word.
function breakable(root) {
  for (const part of root.querySelectorAll(".table-box td :is(code .pre, code.pre)")) {
    if (part.childElementCount || part.textContent.length < 12) continue;
    part.replaceChildren(...part.textContent.split(/(?<=[_./-])(?=\w)/).flatMap((piece, i) => (i ? [document.createElement("wbr"), piece] : [piece])));
  }
}

// What scrolls can be reached by the keyboard.
function reachable(...roots) {
  roots.flatMap((root) => [...root.querySelectorAll("article pre, article div.math, article .cell_output, article .cell_output .output, article figure")])
    .filter((box) => box.scrollWidth > box.clientWidth + 1) // all are measured before one is changed: one layout
    .forEach((box) => { box.tabIndex = 0; });
}

// Long code waits in a template until its box is opened: it makes no elements before.
function fill(box) {
  for (const kept of box.querySelectorAll("template.waiting")) {
    if (kept.closest("details") === box) keepWords(kept.content), kept.replaceWith(kept.content);
  }
}

function fillAll() {
  for (let kept; (kept = document.querySelectorAll("template.waiting")).length;) kept.forEach((one) => (keepWords(one.content), one.replaceWith(one.content)));
}

// The browser's own search, and words that a link asks to be marked, find what waits, too.
window.addEventListener("keydown", (event) => {
  if (event.key === "F3" || (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") fillAll();
});
function marked() {
  try {
    return localStorage.getItem("sphinx_highlight_terms") || new URLSearchParams(location.search).get("highlight");
  } catch {
    return false; // no storage, so nothing asks
  }
}
const asked = marked(); // read now: Sphinx forgets it when the page is there
document.addEventListener("DOMContentLoaded", () => {
  breakable(document);
  if (asked) fillAll();
  document.querySelectorAll("details[open]").forEach(fill);
  remembered().forEach((name) => { for (const box of document.querySelectorAll("article details")) if (nameOf(box) === name) box.open = true; });
});

// What the reader opens is part of the address (?open=thm-layerwise.1), so that a link and the way back find it open.
function nameOf(box) {
  const owner = box.closest("[id]");
  return owner && `${owner.id}.${[...owner.querySelectorAll("details")].indexOf(box)}`;
}
const remembered = () => new URLSearchParams(location.search).get("open")?.split("_") ?? [];
document.addEventListener("click", ({ target, defaultPrevented }) => { // by the reader, not by a filter or a link
  const box = !defaultPrevented && !target.closest("a, button") && target.closest("article details > summary")?.parentElement;
  const name = box && nameOf(box);
  if (!name) return;
  const all = new URLSearchParams(location.search), names = remembered().filter((other) => other !== name).concat(box.open ? [] : [name]);
  if (names.length) all.set("open", names.join("_"));
  else all.delete("open");
  history.replaceState(history.state, "", `${location.pathname}${all.size ? `?${all}` : ""}${location.hash}`);
});

// A link leads to what it names, also where that lies in a closed box.
function reveal() {
  let id = location.hash.slice(1);
  try { id = decodeURIComponent(id); } catch { /* a % that begins no character is taken as it is */ }
  const target = id && document.getElementById(id);
  if (!target) return null;
  if (target.matches(".claim-line")) target.querySelector("details").open = true;
  for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  return target;
}

// Paper takes proofs, hints and solutions; the sources of checks and the goals of Coq would be hundreds of pages.
const LEFT_OUT = ".evidence, .evidence details, .claim-card, .claim-card details, .claim-kernel, .claim-kernel details, .hide.above-input, .formal-coq details";
let opened = [];
function openAll() {
  opened = [...document.querySelectorAll("details:not([open])")].filter((box) => !box.matches(LEFT_OUT));
  opened.forEach((box) => { box.open = true; fill(box); });
  const left = unset(document);
  if (left.length) window.MathJax?.typeset?.(left);
}

let unfolded = []; // boxes that open together are set together
document.addEventListener("toggle", (event) => {
  if (event.target.tagName !== "DETAILS" || !event.target.open) return;
  fill(event.target);
  if (unfolded.push(event.target) > 1) return;
  setTimeout(() => {
    const boxes = unfolded;
    unfolded = [];
    typeset(...boxes).then(() => {
      tighten(boxes.flatMap(tablesOf));
      reachable(...boxes);
    });
  });
}, true);
window.addEventListener("beforeprint", openAll);
window.addEventListener("afterprint", () => opened.forEach((box) => { box.open = false; }));
window.addEventListener("resize", () => { boxWide([document.body]); shrink([document.body]); tighten(tablesOf(document)); reachable(document); });
window.addEventListener("hashchange", () => reveal()?.scrollIntoView({ behavior: "instant" }));

// The promise that all formulas in sight are set.
window.typesetting = new Promise((done) => {
  window.addEventListener("load", async () => {
    const target = reveal();
    let moved = false;
    for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) window.addEventListener(kind, () => { moved = true; }, { once: true, passive: true });
    // what a link leads to stays in sight while formulas above it change their height: a jump, never a glide
    const keep = () => { if (target && !moved) target.scrollIntoView({ behavior: "instant" }); };
    settled = keep;
    keep();
    await typeset(document);
    await document.fonts?.ready; // widths are those of the letters that stay
    boxWide([document.body]);
    shrink([document.body]);
    tighten(tablesOf(document));
    reachable(document);
    keep();
    settled = () => {};
    done();
  });
});

// A button is called by what is written on it.
window.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".search-button-field[aria-label]").forEach((button) => button.removeAttribute("aria-label"));
});

// Speech for formulas needs files that a page from the disk may not read, so that the menu of a formula does not offer it.
const SPEECH = ["Activate", "Speech", "Highlight", "Magnification", "Semantic Info", "Collapsible", "AutoCollapse"];
window.addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  for (const id of SPEECH) window.MathJax?.startup?.document?.menu?.menu.findID("Accessibility", id)?.disable();
});

// A script of the book by its name in _static, once.
const loading = {};
window.derlLoad = (name) => loading[name] ??= new Promise((done, fail) => {
  const script = document.createElement("script");
  script.src = `${document.documentElement.dataset.content_root ?? ""}_static/${name}`;
  script.onload = done;
  script.onerror = fail;
  document.head.append(script);
});

// What a data script of the book holds.
window.derlData = (name) => window.derlLoad(`${name}.js`).then(() => window.derlKept[name]);

// MathJax where the page itself has no formula: results of a search and previews have some.
window.derlMaths = async () => {
  if (!window.MathJax) {
    window.MathJax = (await window.derlData("statements")).maths;
    await window.derlLoad("vendor/mathjax/tex-mml-chtml.js");
  }
  await window.MathJax.startup?.promise;
  return window.MathJax;
};

// Figures of plotly are drawn when they come near.
window.addEventListener("DOMContentLoaded", () => {
  const figures = document.querySelectorAll(".plotly-figure");
  const near = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      window.derlLoad("vendor/plotly/plotly-cartesian.min.js").then(() => {
        const { data, layout, frames } = JSON.parse(target.querySelector("script").textContent);
        window.Plotly.newPlot(target.querySelector("div"), { data, layout, frames, config: { displaylogo: false, responsive: true } });
      });
    }
  }, { rootMargin: "400px" });
  figures.forEach((figure) => near.observe(figure));
});

// "Hide Search Matches" of Sphinx is an address that is a script, which the policy of the pages refuses.
document.addEventListener("click", (event) => {
  if (event.target.closest(".highlight-link a")) event.preventDefault(), SphinxHighlight.hideSearchWords();
});

// The arrows of the sidebar say what they open.
window.addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll("summary:has(> .toctree-toggle)")) {
    arrow.setAttribute("aria-label", `Pages of ${arrow.closest("li").querySelector("a").textContent}`);
  }
});

// From the disk no browser loads the module of the live book, so it cannot say itself why there are no buttons.
if (location.protocol === "file:") window.addEventListener("DOMContentLoaded", () => {
  const line = document.createElement("p"), title = document.querySelector("article h1");
  line.className = "live-fallback";
  line.textContent = "To run and edit the cells and checks of this page, serve the folder of the book with python -m http.server and open it there, or read the book on the web.";
  if (document.getElementById("derl-live")) title?.after(line);
});
