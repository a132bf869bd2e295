// What all pieces that move share: controls, a sentence that is read out, a table, and axes drawn at the width of the page.
// wheels.js has the lock, film.js plays what derl.show.drawing.film draws. A piece is Moves.define(name, { formulas,
// start(ui, data) }); start builds the controls and returns the function that draws. It is called after every change. The formulas need no page: the tests call them from node.
(() => {
  "use strict";
  const pieces = {};
  let count = 0;
  const make = (tag, attributes = {}, ...inside) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...inside);
    return node;
  };
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const shape = (tag, attributes = {}, text) => {
    const node = document.createElementNS(NAMESPACE, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.append(...typeset(text, true));
    return node;
  };
  // Words with _{...} and ^{...} as nodes with real subscripts and superscripts, in HTML or in SVG.
  function typeset(words, drawn = false) {
    const parts = String(words).split(/([_^])\{([^}]*)\}/), nodes = [];
    for (let i = 0; i < parts.length; i += 3) {
      const back = i && drawn ? (parts[i - 2] === "_" ? -3 : 4) : 0;
      if (parts[i]) nodes.push(back ? shape("tspan", { dy: back }, parts[i]) : document.createTextNode(parts[i]));
      if (i + 1 === parts.length) break;
      const low = parts[i + 1] === "_";
      if (drawn) nodes.push(shape("tspan", { dy: low ? 3 : -4, "font-size": ".85em" }, parts[i + 2]));
      else if (low) nodes.push(make("sub", {}, parts[i + 2]));
      else nodes.push(make("span", { class: "moves-heard" }, " to the power "), make("sup", {}, parts[i + 2]));
    }
    return nodes;
  }

  // Numbers for people: few digits, powers of ten where they are large or small, a true minus.
  const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  function power(exponent) {
    return "10" + (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => SUPER[digit]).join("");
  }
  function say(value, digits = 3) {
    if (value === 0 || !Number.isFinite(value)) return String(value);
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4) {
      let exponent = Math.floor(Math.log10(size));
      let lead = (value / 10 ** exponent).toFixed(1);
      if (Math.abs(lead) >= 10) [lead, exponent] = [(value / 10 ** (exponent + 1)).toFixed(1), exponent + 1];
      return (lead === "1.0" ? power(exponent) : `${lead} · ${power(exponent)}`).replace("-", "−");
    }
    return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1)))))).replace("-", "−");
  }
  function ticks(low, high, most, whole) {
    const rough = Math.max((high - low) / most, whole ? 1 : 0), base = 10 ** Math.floor(Math.log10(rough));
    const step = (whole ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]).map((factor) => factor * base).find((size) => size >= rough * (1 - 1e-9));
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
    return found;
  }

  // One picture. Its units are pixels, so that a label has the same size on a phone as on a desk.
  class Picture {
    constructor(svg, width, height) {
      Object.assign(this, { svg, width, height });
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("width", width);
      svg.setAttribute("height", height);
      svg.replaceChildren();
    }
    add(tag, attributes, text) {
      const node = shape(tag, attributes, text);
      this.svg.append(node);
      return node;
    }
    text(x, y, words, { anchor = "start", kind = "", ...rest } = {}) {
      return this.add("text", { x, y, "text-anchor": anchor, class: kind, ...rest }, words);
    }
    // Axes in a part of the picture. Scales are linear, or logarithmic: then the ranges are exponents of ten.
    axes({ x, y, xlabel = "", ylabel = "", left = 46, right = 12, top = 24, bottom = 40, xlog = false, ylog = false,
      xwhole = xlog, ywhole = ylog, xticks, yticks }) {
      const [x0, x1, y0, y1] = [left, this.width - right, this.height - bottom, top];
      const px = (value) => x0 + ((value - x[0]) / (x[1] - x[0])) * (x1 - x0);
      const py = (value) => y0 + ((value - y[0]) / (y[1] - y[0])) * (y1 - y0);
      const named = (value, log) => (log ? power(Math.round(value)) : say(Number(value.toPrecision(6))));
      for (const value of xticks ?? ticks(...x, Math.max(3, (x1 - x0) / 70), xwhole)) {
        this.add("line", { x1: px(value), x2: px(value), y1: y0, y2: y1, class: "grid" });
        this.text(px(value), y0 + 15, named(value, xlog), { anchor: "middle" });
      }
      for (const value of yticks ?? ticks(...y, Math.max(3, (y0 - y1) / 40), ywhole)) {
        this.add("line", { x1: x0, x2: x1, y1: py(value), y2: py(value), class: "grid" });
        this.text(x0 - 6, py(value) + 4, named(value, ylog), { anchor: "end" });
      }
      this.add("path", { d: `M${x0} ${y1}V${y0}H${x1}`, class: "frame" });
      this.text((x0 + x1) / 2, this.height - 6, xlabel, { anchor: "middle" });
      this.text(4, 13, ylabel);
      const clip = (value, [low, high]) => Math.min(Math.max(value, low), high);
      const path = (points) => points.map(([u, v], i) => `${i ? "L" : "M"}${px(clip(u, x)).toFixed(1)} ${py(clip(v, y)).toFixed(1)}`).join("");
      return {
        px, py, x0, x1, y0, y1,
        line: (points, kind) => points.length && this.add("path", { d: path(points), class: `line ${kind}` }),
        step: (points, kind) => this.add("path", { class: `line ${kind}`,
          d: path(points.flatMap((point, i) => (i ? [[point[0], points[i - 1][1]], point] : [point]))) }),
        area: (points, kind) => this.add("path", { d: `${path(points)}Z`, class: `area ${kind}` }),
        dot: (u, v, kind, r = 5) => this.add("circle", { cx: px(clip(u, x)), cy: py(clip(v, y)), r, class: `dot ${kind}` }),
        across: (v, kind) => this.add("path", { d: `M${x0} ${py(v)}H${x1}`, class: `line ${kind}` }),
        up: (u, kind) => this.add("path", { d: `M${px(u)} ${y0}V${y1}`, class: `line ${kind}` }),
        bar: (u0, u1, v, kind) => this.add("rect", { x: px(u0), width: Math.max(0, px(u1) - px(u0)), class: `bar ${kind}`,
          y: Math.min(py(clip(v, y)), py(Math.max(0, y[0]))), height: Math.abs(py(clip(v, y)) - py(Math.max(0, y[0]))) }),
        note: (u, v, words, options = {}) => this.text(px(u) + (options.dx ?? 0), py(v) + (options.dy ?? 0), words,
          { anchor: options.anchor, kind: options.kind }),
      };
    }
    // Bars of powers of ten: [words, exponent, kind], each with its words above it; the shorter, the better
    powers(rows, most) {
      rows.forEach(([words, exponent, kind], i) => {
        const y = 4 + 36 * i, width = (this.width - 80) * Math.min(1, Math.max(0, exponent) / most);
        this.text(2, y + 10, words);
        this.add("rect", { x: 2, y: y + 14, width: Math.max(2, width), height: 14, rx: 2, class: `bar ${kind}` });
        this.text(8 + width, y + 26, say(10 ** exponent, 2), { kind: "strong" });
      });
    }
    arrow(x0, y0, x1, y1, kind) {
      const angle = Math.atan2(y1 - y0, x1 - x0), wing = (turn) => `${x1 - 9 * Math.cos(angle + turn)} ${y1 - 9 * Math.sin(angle + turn)}`;
      this.add("path", { d: `M${x0} ${y0}L${x1} ${y1}M${wing(0.45)}L${x1} ${y1}L${wing(-0.45)}`, class: `line ${kind}` });
    }
  }

  class Ui {
    constructor(box, name) {
      Object.assign(this, { box, name, pictures: [] });
      this.controls = make("div", { class: "moves-controls" });
      this.stage = make("div", { class: "moves-stage" });
      this.said = make("p", { class: "moves-said", "aria-live": "polite" });
      this.details = make("details", { class: "moves-table" }, make("summary", {}, "The numbers"));
      this.inside = make("div", { class: "moves-scroll", tabindex: "0", role: "region", "aria-label": "the numbers" });
      this.details.append(this.inside);
      box.replaceChildren(this.controls, this.stage, this.said, this.details);
      this.draw = () => {};
    }
    changed() { this.draw(); }
    put(node) { this.controls.append(node); return node; }
    labelled(label, control, value) {
      const id = `moves-${this.name}-${++count}`;
      control.id = id;
      this.put(make("div", { class: "moves-control" }, make("label", { for: id }, ...typeset(label)), control, ...(value ? [value] : [])));
    }
    slider({ label, min, max, step = 1, value, show = say, on }) {
      const control = make("input", { type: "range", min, max, step, value });
      const output = make("span", { class: "moves-value" });
      const tell = () => {
        output.replaceChildren(...typeset(show(Number(control.value))));
        control.setAttribute("aria-valuetext", output.textContent);
      };
      control.addEventListener("input", () => { tell(); on?.(); this.changed(); });
      this.labelled(label, control, output);
      tell();
      return {
        get value() { return Number(control.value); },
        set value(next) { control.value = next; tell(); },
        limit(low, high) { control.min = low; control.max = high; tell(); },
        control,
      };
    }
    choice({ label, options, value, on }) {
      const control = make("select", {});
      for (const [key, words] of options) control.append(make("option", { value: key }, words));
      if (value !== undefined) control.value = value;
      control.addEventListener("change", () => { on?.(); this.changed(); });
      this.labelled(label, control);
      return control;
    }
    button(words, press) {
      const control = make("button", { type: "button" }, words);
      control.addEventListener("click", () => { press(); this.changed(); });
      const last = this.controls.lastElementChild;
      const row = last?.className === "moves-buttons" ? last : this.put(make("div", { class: "moves-buttons" }));
      row.append(control);
      return control;
    }
    // A picture is drawn anew at every change and at every new width of the page.
    picture(label, height, paint) {
      const svg = shape("svg", { role: "img", "aria-label": label });
      this.stage.append(svg);
      const width = () => Math.max(260, Math.min(680, Math.floor(this.stage.clientWidth) || 340));
      this.pictures.push(() => paint(new Picture(svg, width(), typeof height === "function" ? height(width()) : height)));
      return svg;
    }
    legend(entries) {
      this.stage.append(make("ul", { class: "moves-legend" }, ...entries.map(([kind, words]) => {
        const key = shape("svg", { width: 24, height: 12, "aria-hidden": "true" });
        key.append(shape("path", { d: "M1 6H23", class: `line ${kind}` }));
        return make("li", {}, key, make("span", {}, ...typeset(words)));
      })));
    }
    tell(words, aloud = true) { // on the page always; to a screen reader only aloud, not at each picture of a film
      if (this.told === words) return;
      this.told = words;
      this.said.setAttribute("aria-live", aloud ? "polite" : "off");
      this.said.replaceChildren(...typeset(words));
    }
    table(head, rows) {
      this.inside.replaceChildren(make("table", {},
        make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, ...typeset(cell))))),
        make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, ...typeset(cell))))))));
    }
  }

  // Where sliders and choices are is part of the address (?lock=3_10), so that a link and the way back lead there.
  function keep(ui) {
    const fields = [...ui.controls.querySelectorAll("input[type=range], select")];
    const place = (field) => (field.tagName === "SELECT" ? field.selectedIndex : Number(field.value));
    const places = () => fields.map(place).join("_"), first = places();
    const asked = new URLSearchParams(location.search).get(ui.name)?.split("_").map(Number) ?? [];
    fields.forEach((field, i) => {
      if (!Number.isFinite(asked[i]) || asked[i] === place(field) || field.disabled) return;
      if (field.tagName !== "SELECT") field.value = asked[i];
      else if (field.options[asked[i]]) field.selectedIndex = asked[i];
      field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
    });
    for (const kind of ["input", "change"]) ui.controls.addEventListener(kind, () => {
      const all = new URLSearchParams(location.search);
      if (places() === first) all.delete(ui.name);
      else all.set(ui.name, places());
      history.replaceState(history.state, "", `${location.pathname}${all.size ? `?${all}` : ""}${location.hash}`);
    });
  }

  function begin(box) {
    const name = box.dataset.piece, piece = pieces[box.dataset.script ?? name];
    if (!piece || box.dataset.ready) return;
    box.dataset.ready = "yes";
    const data = JSON.parse(document.querySelector(`script[data-numbers="${name}"]`).textContent);
    const ui = new Ui(box, name), update = piece.start(ui, data);
    ui.draw = () => { update(); for (const paint of ui.pictures) paint(); };
    ui.draw();
    keep(ui);
    let before = ui.stage.clientWidth;
    new ResizeObserver(() => {
      if (ui.stage.clientWidth !== before) { before = ui.stage.clientWidth; for (const paint of ui.pictures) paint(); }
    }).observe(ui.stage);
  }

  // A number generator that can be begun anew: the same seed, the same game.
  function generator(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  }

  globalThis.Moves = {
    pieces, say, power, make, shape, generator,
    define(name, piece) {
      pieces[name] = piece;
      if (typeof document === "undefined") return;
      for (const box of document.querySelectorAll(`.moves-box[data-piece="${name}"]:not([data-script]), .moves-box[data-script="${name}"]`)) begin(box);
    },
  };
})();
