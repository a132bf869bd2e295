// A formula of a statement opens a small panel: a field for each letter, its range, and the value, computed here.
// The functions of the formulas are in said-formulas.js, which derl writes when the book is built.
const Said = (() => {
  const F = (() => {
    class NoValue extends Error {}
    const sure = (value) => {
      if (Number.isFinite(value)) return value;
      throw new NoValue(value === Infinity || value === -Infinity ? "the value is too large, or divides by zero" : "the formula has no value there");
    };
    const whole = (value) => {
      if (Number.isInteger(value) && value >= 0 && value <= 100000) return value;
      throw new NoValue(`${value} is no whole number from 0 to 100000`);
    };
    const near = (value) => Math.abs(value - Math.round(value)) <= 1e-12 * Math.max(1, Math.abs(value));
    const power = (base, exponent) => sure(Math.pow(base, exponent));
    const log = (inside, base) => {
      const value = base === undefined ? Math.log(inside) : Math.log(inside) / Math.log(base);
      return sure(base !== undefined && near(value) && Math.pow(base, Math.round(value)) === inside ? Math.round(value) : value);
    };
    const binomial = (n, k) => {
      let found = 1;
      [n, k].forEach(whole);
      for (let i = 1; i <= k; i++) found = found * (n - k + i) / i;
      return sure(n < k ? 0 : Math.round(found));
    };
    const factorial = (n) => {
      let found = 1;
      for (let i = 2; i <= Math.min(whole(n), 200); i++) found *= i;
      return sure(found);
    };
    const series = (low, high, body) => {
      let found = 0;
      if (!Number.isInteger(low) || !Number.isInteger(high) || high - low > 100000) throw new NoValue(`a sum from ${low} to ${high}`);
      for (let i = low; i <= high; i++) found += body(i);
      return sure(found);
    };
    const letter = (v, name) => {
      if (name in v) return v[name];
      if (name === "e") return Math.E;
      throw new NoValue(`${name} has no value`);
    };
    const snap = (value) => near(value) && Math.abs(value) < 1e9 ? Math.round(value) : value; // 3 * 0.1 / 0.1 is 3
    return {
      letter, power, log, binomial, factorial, series, NoValue,
      add: (...parts) => sure(parts.reduce((a, b) => a + b)), times: (a, b) => sure(a * b), over: (a, b) => sure(a / b),
      root: (degree, inside) => sure(degree === 2 ? Math.sqrt(inside) : degree === 3 && inside >= 0 ? Math.cbrt(inside) : power(inside, 1 / degree)),
      exp: (x) => sure(Math.exp(x)), sin: Math.sin, cos: Math.cos, abs: Math.abs, negative: (x) => -x,
      min: Math.min, max: Math.max, ceil: (x) => Math.ceil(snap(x)), floor: (x) => Math.floor(snap(x)),
      ceilLog: (x, b) => Math.ceil(log(x, b)), floorLog: (x, b) => Math.floor(log(x, b)),
    };
  })();

  let known = null; // statement -> its formulas
  const here = typeof document !== "undefined" && document.currentScript?.src;

  function load() {
    return known ? Promise.resolve(known) : new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = here.replace(/said\.js.*/, "said-formulas.js");
      script.onload = () => done(known);
      script.onerror = () => failed(new Error("the formulas of this book were not found"));
      document.head.append(script);
    });
  }

  // A number as readers type it: 3, 1/10, 0.1, 1e-3; NaN for anything else.
  function number(typed) {
    const found = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?\s*$/i.exec(typed);
    return found ? Number(found[1]) / (found[2] === undefined ? 1 : Number(found[2])) : NaN;
  }

  function inside(value, [low, lowIn, high, highIn]) {
    return (low === null || value > low || lowIn && value === low) && (high === null || value < high || highIn && value === high);
  }

  function range(name, [low, lowIn, high, highIn]) {
    return `${low === null ? "" : `${low} ${lowIn ? "≤" : "<"} `}${name}${high === null ? "" : ` ${highIn ? "≤" : "<"} ${high}`}`;
  }

  // One line: the value, or what is missing. `typed` is letter -> text.
  function say(formula, typed) {
    if (!formula.value) return `This formula cannot be computed here: ${formula.why}.`;
    const v = {};
    for (const [name, allowed] of Object.entries(formula.letters)) {
      const text = typed[name] ?? "";
      if (!text.trim()) return `Give ${name} a number.`;
      v[name] = number(text);
      if (!Number.isFinite(v[name])) return `${name} is “${text.slice(0, 20)}”; allowed are numbers such as 3, 1/10, 0.1 or 1e-3.`;
      if (!inside(v[name], allowed)) return `${name} is ${text.trim()}; the statement allows ${range(name, allowed)}.`;
    }
    try {
      const found = formula.value(v);
      return `= ${Number.isInteger(found) && Math.abs(found) < 1e15 ? found : Number(found.toPrecision(10))}`;
    } catch (problem) {
      if (problem instanceof F.NoValue) return `No value: ${problem.message}.`;
      throw problem;
    }
  }

  function element(name, text, ...classes) {
    const made = document.createElement(name);
    made.textContent = text;
    made.classList.add(...classes);
    return made;
  }

  function panel(statement, math, formulas, changes) {
    statement.querySelector(".said-panel")?.remove();
    const box = element("section", "", "said-panel");
    box.setAttribute("aria-label", "Numbers for this formula");
    const close = element("button", "×", "said-close");
    close.setAttribute("aria-label", "Close");
    close.onclick = () => { box.remove(); math.focus(); };
    box.onkeydown = (event) => { if (event.key === "Escape") close.onclick(); };
    box.append(close);
    for (const formula of formulas) {
      const form = element("div", "", "said-formula"), output = element("output", ""), fields = {};
      form.append(element("span", `\\(${formula.shown}\\)`, "math"));
      for (const [name, allowed] of Object.entries(formula.letters)) {
        const label = element("label", range(name, allowed)), field = document.createElement("input");
        field.size = 8;
        field.autocomplete = "off";
        field.setAttribute("aria-label", name);
        label.append(field);
        fields[name] = field;
        form.append(label);
      }
      const show = () => { output.textContent = say(formula, Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]))); };
      form.addEventListener("input", show);
      show();
      form.append(output);
      box.append(form);
    }
    if (changes.length) {
      const list = element("ul", ""), more = element("details", "");
      more.append(element("summary", `${changes.length} one-sign changes, tried when this book was built`), list);
      changes.forEach(([change, word]) => list.append(element("li", `${change}: ${word}`)));
      box.append(more);
    }
    statement.append(box);
    window.MathJax?.typesetPromise?.([box]);
    (box.querySelector("input") ?? close).focus();
  }

  function open(statement, math, at) {
    load().then((all) => {
      const { formulas, changes } = all[statement.dataset.statement];
      panel(statement, math, formulas.filter((formula) => formula.at === at), changes.filter(([, , place]) => place === at));
    }, (problem) => panel(statement, math, [{ shown: "", letters: {}, why: problem.message }], []));
  }

  function ready() {
    document.querySelectorAll(".claim-statement[data-said]").forEach((statement) => {
      const maths = [...statement.querySelectorAll(".math")];
      for (const at of statement.dataset.said.split(" ").map(Number)) {
        const math = maths[at];
        if (!math || math.closest("a")) continue;
        math.tabIndex = 0;
        math.setAttribute("role", "button");
        math.title = "Put numbers in";
        math.classList.add("said-math");
        math.onclick = () => open(statement, math, at);
        math.onkeydown = (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          open(statement, math, at);
        };
      }
    });
  }

  if (typeof document !== "undefined") {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
    else ready();
  }
  return { define: (make, means) => { known = make(F); if (means) for (const { changes } of Object.values(known)) changes.forEach((change) => { change[1] = means?.[change[1]] ?? change[1]; }); }, say, number, statements: () => known };
})();
