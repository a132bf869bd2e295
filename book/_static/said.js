// A formula of a statement opens a small panel: a field for each letter, its range, and the value, computed here.
// The functions of the formulas are in said-formulas.js, which derl writes when the book is built.
const Said = (() => {
  // Values of formulas: exact fractions {n, d} of whole numbers as long as they are short; else a float x with a bound e
  // of its error, beside its distances m from 1 and p from -1 with bounds, so that 1-(1-x)^n loses no digits.
  const F = (() => {
    const U = 2 ** -52, LONGEST = 8000n, STEPS = 100000;
    let steps = 0;
    class NoValue extends Error {}
    const refuse = (why) => { throw new NoValue(why); };
    const abs = (n) => n < 0n ? -n : n;
    const bits = (n) => BigInt(abs(n).toString(16).length * 4);
    const spend = (n) => { if ((steps += n) > STEPS) refuse("it takes too many steps"); };
    function q(n, d = 1n) {
      if (d === 0n) refuse("a division by zero");
      let [a, b] = [abs(n), abs(d)];
      while (b) [a, b] = [b, a % b];
      spend(1 + Number(bits(n) + bits(d)) / 64);
      const found = { n: (d < 0n ? -n : n) / a, d: abs(d) / a };
      return bits(found.n) + bits(found.d) > LONGEST ? float(found) : found;
    }
    const exact = (a) => a.d !== undefined;
    function ratio(n, d) { // the float next to n/d
      const shift = 64n - bits(n) + bits(d), half = Number(-shift / 2n);
      return Number(shift < 0n ? n / (d << -shift) : (n << shift) / d) * 2 ** half * 2 ** (Number(-shift) - half);
    }
    const bound = (x, e) => e + 2 * U * Math.abs(x) + 1e-320;
    const best = (...some) => some.reduce((one, other) => other[1] < one[1] ? other : one);
    function near(x, e, m = [x - 1, e], p = [x + 1, e]) {
      spend(3);
      [[x, e], m, p] = [[x, e], m, p].map(([y, f]) => [y, bound(y, f)]); // also where y is too small for a float
      if (!Number.isFinite(x) || !Number.isFinite(e)) refuse("a number on the way is too large for this page; derl say computes with more");
      return { x, e, m, p };
    }
    const float = (a) => exact(a) ? near(ratio(a.n, a.d), 0, [ratio(a.n - a.d, a.d), 0], [ratio(a.n + a.d, a.d), 0]) : a;
    function plus(a, b) {
      if (exact(a) && exact(b)) return q(a.n * b.d + b.n * a.d, a.d * b.d);
      [a, b] = [float(a), float(b)];
      const sums = (...pairs) => best(...pairs.map(([one, other]) => [one[0] + other[0], one[1] + other[1]]));
      const [ax, bx] = [[a.x, a.e], [b.x, b.e]];
      return near(...sums([ax, bx], [a.m, b.p], [a.p, b.m]), sums([a.m, bx], [ax, b.m]), sums([a.p, bx], [ax, b.p]));
    }
    const turned = ([x, e]) => [-x, e];
    const negative = (a) => exact(a) ? { n: -a.n, d: a.d } : { x: -a.x, e: a.e, m: turned(a.p), p: turned(a.m) };
    function times(a, b) {
      if (exact(a) && exact(b)) return q(a.n * b.n, a.d * b.d);
      if (a.n === 0n || b.n === 0n) return q(0n);
      [a, b] = [float(a), float(b)];
      return near(a.x * b.x, Math.abs(a.x) * b.e + Math.abs(b.x) * a.e + a.e * b.e);
    }
    function over(a, b) {
      if (exact(a) && exact(b)) return q(a.n * b.d, a.d * b.n);
      [a, b] = [float(a), float(b)];
      if (Math.abs(b.x) <= b.e) refuse("it divides by what may be zero");
      return near(a.x / b.x, (a.e + Math.abs(a.x / b.x) * b.e) / (Math.abs(b.x) - b.e));
    }
    const sign = (a) => exact(a) ? Math.sign(Number(a.n > 0n) - Number(a.n < 0n)) : Math.abs(a.x) > a.e ? Math.sign(a.x) : NaN;
    function ln(a) {
      if (!(sign(a) > 0)) refuse("a logarithm of a number that is not positive");
      if (exact(a) && a.n === a.d) return q(0n);
      const k = exact(a) ? bits(a.n) - bits(a.d) : 0n;
      if (abs(k) > 900n) return plus(ln(near(ratio(a.n << (k < 0n ? -k : 0n), a.d << (k > 0n ? k : 0n)), 0)), times(q(k), near(Math.LN2, U)));
      a = float(a);
      const [m, e] = a.m;
      return Math.abs(m) < 0.5 ? near(Math.log1p(m), e / (1 + m - e)) : near(Math.log(a.x), a.e / (a.x - a.e));
    }
    function exp(a) {
      if (sign(a) === 0) return q(1n);
      a = float(a);
      const x = Math.exp(a.x), e = x * Math.expm1(a.e);
      return near(x, e, [Math.expm1(a.x), e]);
    }
    function whole(a, most = 1e9) {
      if (!exact(a) || a.d !== 1n || a.n < 0n || a.n > most) refuse(`a whole number from 0 to ${most} is needed`);
      return a.n;
    }
    function root(n, degree) { // of a whole number, where it is one
      const found = n >= 0n && bits(n) < 1000n ? BigInt(Math.round(Number(n) ** (1 / degree))) : -1n;
      return found >= 0n && found ** BigInt(degree) === n ? found : null;
    }
    function power(base, exponent) {
      if (exact(base) && exact(exponent)) {
        if (base.n < 0n && exponent.d > 1n) refuse("a root of a negative number");
        const { n, d } = exponent, size = abs(n) * (bits(base.n) + bits(base.d));
        const roots = d === 1n ? [base.n, base.d] : d <= 64n ? [base.n, base.d].map((one) => root(one, Number(d))) : [null];
        if (!roots.includes(null) && (size <= LONGEST || abs(base.n) === base.d || base.n === 0n)) {
          if (base.n === 0n || abs(base.n) === base.d) return n < 0n && base.n === 0n ? refuse("a division by zero") : n === 0n ? q(1n) : base.n < 0n && n % 2n === 0n ? q(1n) : base;
          return n < 0n ? q(roots[1] ** -n, roots[0] ** -n) : q(roots[0] ** n, roots[1] ** n);
        }
      }
      if (sign(base) > 0) return exp(times(ln(base), exponent));
      if (sign(base) < 0 && exact(exponent) && exponent.d === 1n) {
        const found = power(negative(base), exponent);
        return exponent.n % 2n ? negative(found) : found;
      }
      if (sign(base) === 0) return sign(exponent) > 0 ? q(0n) : refuse("a division by zero");
      return refuse("a power of a number that is not positive");
    }
    const down = (n, d) => n / d - BigInt(n < 0n && n % d !== 0n);
    function floor(a) {
      if (exact(a)) return q(down(a.n, a.d));
      const [low, high] = [Math.floor(a.x - a.e), Math.floor(a.x + a.e)];
      return low === high ? q(BigInt(low)) : refuse("a number too near to a whole number is rounded; derl say can do it");
    }
    const ceil = (a) => negative(floor(negative(a)));
    function wholeLog(a, b) { // the logarithm rounded down, and whether it is that number; null where that is not exact
      if (!exact(a) || !exact(b) || !(sign(a) > 0) || !(sign(b) > 0) || b.n === b.d) return null;
      if (b.n < b.d) {
        const found = wholeLog(a, q(b.d, b.n));
        return found && [found[1] ? -found[0] : -found[0] - 1n, found[1]];
      }
      const guess = float(over(ln(a), ln(b)));
      let at = BigInt(Math.floor(guess.x));
      if ((abs(at) + 2n) * (bits(b.n) + bits(b.d)) > LONGEST) return null;
      const above = (k) => { const c = power(b, q(k)); return c.n * a.d > a.n * c.d; };
      while (above(at)) at -= 1n;
      while (!above(at + 1n)) at += 1n;
      const c = power(b, q(at));
      return [at, c.n === a.n && c.d === a.d];
    }
    function log(a, b) {
      if (b === undefined) return ln(a);
      const found = wholeLog(a, b);
      return found?.[1] ? q(found[0]) : over(ln(a), ln(b));
    }
    const floorLog = (a, b) => { const found = wholeLog(a, b); return found ? q(found[0]) : floor(over(ln(a), ln(b))); };
    const ceilLog = (a, b) => { const found = wholeLog(a, b); return found ? q(found[1] ? found[0] : found[0] + 1n) : ceil(over(ln(a), ln(b))); };
    const wave = (name) => (a) => sign(a) === 0 ? q(name === "cos" ? 1n : 0n) : near(Math[name](float(a).x), float(a).e);
    const least = (a, b) => {
      const apart = sign(plus(a, negative(b)));
      if (!Number.isNaN(apart)) return apart < 0 ? a : b;
      [a, b] = [float(a), float(b)];
      return near(Math.min(a.x, b.x), Math.max(a.e, b.e));
    };
    const min = (...some) => some.reduce(least), max = (...some) => negative(min(...some.map(negative)));
    function factorial(a) {
      let found = 1n;
      for (let i = 2n; i <= whole(a, 2000); i++) found *= i;
      return q(found);
    }
    function binomial(n, k) {
      let found = 1n;
      for (let i = 1n; i <= whole(k, 2000); i++) found = found * (whole(n) - whole(k) + i) / i;
      return q(n.n < k.n ? 0n : found);
    }
    function series(low, high, body) {
      let found = q(0n);
      if (!exact(low) || !exact(high) || low.d !== 1n || high.d !== 1n) refuse("a sum needs whole numbers as its ends");
      if (high.n - low.n > STEPS) refuse("it takes too many steps");
      for (let i = low.n; i <= high.n; i++) found = plus(found, body(q(i)));
      return found;
    }
    const E = near(Math.E, U);
    const letter = (v, name) => v[name] ?? (name === "e" ? E : refuse(`${name} has no value`));
    function digits(a) { // the digits of a number that are certain, at most ten
      const { x, e } = float(a), f = bound(x, e);
      for (let count = Math.abs(x) > f ? 10 : 0; count; count--) {
        const low = (x - f).toPrecision(count);
        if (low === (x + f).toPrecision(count)) return low;
      }
      return "";
    }
    const start = () => { steps = 0; };
    return { NoValue, q, exact, digits, start, letter, power, log, binomial, factorial, series, times, over, negative, exp, floor, ceil,
      floorLog, ceilLog, min, max, sign, float, add: (...parts) => parts.reduce(plus), root: (degree, inside) => power(inside, q(1n, BigInt(degree))),
      sin: wave("sin"), cos: wave("cos"), abs: (a) => sign(a) < 0 ? negative(a) : sign(a) >= 0 ? a : near(Math.abs(a.x), a.e) };
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

  // A number as readers type it: 3, 1/10, 0.1, .5, 1e-3, 10^6, 10,000, with a sign; null for anything else.
  function number(typed) {
    const found = /^([-+\u2212]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?(?:\^(\d{1,3})|\/(\d+))?$/i.exec(typed.replace(/\s/g, ""));
    if (!found || typed.length > 60 || !found[2] && !found[3] || found[6] && !BigInt(found[6])) return null;
    const [, sign, before, after = "", tens = "0", power, below = "1"] = found, shift = Number(tens) - after.length;
    if (power && (after || tens !== "0" || power * before.length > 1000) || Math.abs(shift) > 300) return null;
    const n = BigInt(before.replace(/,/g, "") + after) ** BigInt(power ?? 1) * 10n ** BigInt(Math.max(shift, 0));
    return F.q(sign && sign !== "+" ? -n : n, BigInt(below) * 10n ** BigInt(Math.max(-shift, 0)));
  }

  function inside(value, [low, lowIn, high, highIn, whole]) {
    const side = (end) => F.sign(F.add(value, F.negative(F.q(...end.map(BigInt)))));
    return (!whole || value.d === 1n) && (low === null || side(low) > 0 || lowIn && side(low) === 0)
      && (high === null || side(high) < 0 || highIn && side(high) === 0);
  }

  const shownEnd = ([n, d]) => d === "1" ? n : `${n}/${d}`;

  const plain = (digits) => digits.replace(/^([^e]*\.[^e]*?)\.?0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");

  function shown(found) {
    const near = plain(F.digits(found));
    if (found.d === 1n && found.n < 10n ** 15n && found.n > -(10n ** 15n)) return `= ${found.n}`;
    if (!near) return "No digit is certain on this page; derl say computes with more.";
    if (!F.exact(found)) return `about ${near}`;
    const typed = near.length < 20 && number(near.replace("e+", "e")), text = `${found.n}${found.d === 1n ? "" : `/${found.d}`}`;
    if (typed && typed.n === found.n && typed.d === found.d) return `= ${near}`;
    return text.length <= 60 ? `= ${text}, about ${near}` : `about ${near}`;
  }

  function range([low, lowIn, high, highIn, whole], name) {
    return `${low === null ? "" : `${shownEnd(low)} ${lowIn ? "≤" : "<"} `}${name}${high === null ? "" : ` ${highIn ? "≤" : "<"} ${shownEnd(high)}`}${whole ? ", whole" : ""}`;
  }

  // One line: the value, or what is missing. `typed` is letter -> text.
  function say(formula, typed) {
    if (!formula.value) return `This formula cannot be computed here: ${formula.why}.`;
    const v = {};
    F.start();
    for (const [name, { range: allowed }] of Object.entries(formula.letters)) {
      const text = typed[name] ?? "";
      if (!text.trim()) return `Give ${name} a number.`;
      v[name] = number(text);
      if (v[name] === null) return `${name} is “${text.slice(0, 20)}”; allowed are numbers such as 3, 1/10, 0.1 or 1e-3.`;
      if (!inside(v[name], allowed)) return `${name} is ${text.trim()}; allowed is ${range(allowed, name)}.`;
    }
    try {
      return shown(formula.value(v));
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
      for (const [name, { shown: symbol, range: allowed, example }] of Object.entries(formula.letters)) {
        const label = element("label", ""), field = document.createElement("input");
        label.append(element("span", `\\(${symbol}\\)`, "math"), element("small", range(allowed, "·")));
        field.size = 8;
        field.value = example;
        field.autocomplete = "off";
        field.setAttribute("aria-label", range(allowed, name));
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
      more.append(element("summary", `${changes.length} one-sign ${changes.length === 1 ? "change" : "changes"}, tried when this book was built`), list);
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
  return { F, define: (make, means) => { known = make(F); if (means) for (const { changes } of Object.values(known)) changes.forEach((change) => { change[1] = means?.[change[1]] ?? change[1]; }); }, say, number, statements: () => known };
})();
