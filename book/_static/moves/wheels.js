// The lock of the book: wheels that one turns, drawn as derl/show/drawing/wheels.py draws them, and turned by keyboard,
// by touch or by mouse. A shape is [key, tag, attributes, words].
(() => {
  "use strict";
  const WIDE = 40, HIGH = 84, STEP = 46, ROOM = 14, TOP = 40, BOTTOM = 44;
  const MARKS = { right: "✓", wrong: "✕", dark: "?", "": "" };
  const WORDS = { right: "right", wrong: "wrong", dark: "not tested", "": "" };
  const near = (value) => Math.round(value * 10) / 10;
  const modulo = (value, many) => ((value % many) + many) % many;

  function drum(key, x, y, labels, index, state = "", turn = 0) {
    const shapes = [[`${key}-face`, "rect", { x, y, width: WIDE, height: HIGH, rx: 8, class: "wheel-face" }, null]];
    for (const row of [-2, -1, 0, 1, 2]) {
      const angle = (row - turn) * 0.68, flat = Math.cos(angle);
      if (flat <= 0.3) continue;
      const at = modulo(index + row, labels.length), label = labels[at], size = 24 * flat * (label.length < 3 ? 1 : 0.6);
      shapes.push([`${key}-${at}-${row}`, "text", { x: x + WIDE / 2, y: near(y + HIGH / 2 + 46 * Math.sin(angle) + size * 0.35),
        "text-anchor": "middle", class: "wheel-label", opacity: near(flat * flat * flat), style: `font-size:${near(size)}px` }, label]);
    }
    for (const at of [0, HIGH - 22]) shapes.push([`${key}-shade${at}`, "rect", { x, y: y + at, width: WIDE, height: 22, rx: 8, class: "wheel-shade" }, null]);
    shapes.push([`${key}-window`, "rect", { x: x + 2, y: y + HIGH / 2 - 17, width: WIDE - 4, height: 34, rx: 5, class: `wheel-window ${state}`.trim() }, null]);
    shapes.push([`${key}-mark`, "text", { x: x + WIDE / 2, y: y + HIGH + 18, "text-anchor": "middle", class: `wheel-mark ${state}`.trim() }, MARKS[state]]);
    return shapes;
  }
  function cell(key, x, y, label, state = "") {
    return [[`${key}-cell`, "rect", { x, y, width: WIDE, height: 22, rx: 4, class: `wheel-cell ${state}`.trim() }, null],
      [`${key}-words`, "text", { x: x + WIDE / 2, y: y + 16, "text-anchor": "middle", class: "wheel-words" }, state === "dark" ? "?" : `${label} ${MARKS[state]}`.trim()]];
  }
  function body(key, x, y, n, opened = false) {
    const width = 2 * ROOM + STEP * n - (STEP - WIDE), middle = x + width / 2, lift = opened ? 10 : 0;
    const reach = Math.min(width / 2 - 18, 46), right = opened ? `V${y + TOP - 22}` : `V${y + TOP - 6}`;
    return [[`${key}-shackle`, "path", { class: "lock-shackle", d: `M${middle - reach} ${y + TOP - 6}V${y + 22 - lift}Q${middle - reach} ${y + 6 - lift} ${middle - reach + 18} ${y + 6 - lift}H${middle + reach - 18}Q${middle + reach} ${y + 6 - lift} ${middle + reach} ${y + 22 - lift}${right}` }, null],
      [`${key}-body`, "rect", { x, y: y + TOP - 10, width, height: HIGH + 36, rx: 12, class: "lock-body" }, null]];
  }
  const size = (n) => [2 * ROOM + STEP * n - (STEP - WIDE), TOP + HIGH + BOTTOM - 14];
  // What a trajectory that plays a code shows of each wheel
  function tried(code, hidden) {
    const first = code.findIndex((digit, j) => digit !== hidden[j]), wrong = first < 0 ? code.length : first;
    return code.map((_, j) => (j < wrong ? "right" : j === wrong ? "wrong" : "dark"));
  }

  // Put shapes into a picture.
  function draw(parent, shapes) {
    for (const [, tag, attributes, words] of shapes) parent.append(Moves.shape(tag, attributes, words ?? undefined));
  }

  // A lock whose wheels turn. `labels` is written round each wheel; `chosen(j, index)` is called after a turn.
  class Lock {
    constructor(ui, { name = "The lock", labels, n, chosen }) {
      Object.assign(this, { ui, labels, chosen, indices: new Array(n).fill(0), states: new Array(n).fill(""), opened: false, still: false });
      this.svg = Moves.shape("svg", { class: "lock", role: "group", "aria-label": name });
      ui.stage.append(this.svg);
      this.build(labels, n);
    }
    build(labels, n) {
      Object.assign(this, { labels, n, indices: new Array(n).fill(0), states: new Array(n).fill(""), turning: new Array(n).fill(null) });
      const [width, height] = size(n);
      for (const [key, value] of [["viewBox", `0 0 ${width} ${height}`], ["width", width], ["height", height]]) this.svg.setAttribute(key, value);
      this.shell = Moves.shape("g", { "aria-hidden": "true" });
      this.wheels = this.indices.map((_, j) => this.wheel(j));
      this.svg.replaceChildren(this.shell, ...this.wheels);
      this.show();
    }
    wheel(j) {
      const node = Moves.shape("g", { class: "wheel", role: "spinbutton", tabindex: "0", "aria-label": `wheel ${j + 1}`,
        "aria-valuemin": "0", "aria-valuemax": String(this.labels.length - 1) });
      const keys = { ArrowUp: 1, ArrowDown: -1 };
      node.addEventListener("keydown", (event) => {
        const typed = this.labels.indexOf(event.key);
        if (keys[event.key]) this.turn(j, keys[event.key]);
        else if (event.key === "Home" || event.key === "End") this.turn(j, (event.key === "Home" ? 0 : this.labels.length - 1) - this.indices[j]);
        else if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.wheels[j + (event.key === "ArrowLeft" ? -1 : 1)]?.focus();
        else if (typed >= 0) this.turn(j, typed - this.indices[j]);
        else return;
        event.preventDefault();
      });
      let from = null, moved = false, before = 0;
      node.addEventListener("pointerdown", (event) => {
        if (this.still) return;
        [from, moved, before] = [event.clientY, false, 0];
        node.setPointerCapture(event.pointerId);
      });
      node.addEventListener("pointermove", (event) => {
        if (from === null) return;
        const scale = this.svg.getBoundingClientRect().height / size(this.n)[1], way = (from - event.clientY) / (26 * scale);
        if (Math.abs(way) > 0.25) moved = true;
        const whole = Math.round(way);
        if (whole !== before) { this.turn(j, whole - before, false); before = whole; }
        this.paint(j, way - before);
      });
      const end = (event) => {
        if (from === null) return;
        const box = node.getBoundingClientRect(), up = event.clientY > box.top + box.height / 2;
        [from] = [null];
        if (event.type === "pointerup" && !moved) this.turn(j, up ? 1 : -1); // a tap on the lower half shows the next label
        else this.paint(j, 0);
      };
      node.addEventListener("pointerup", end);
      node.addEventListener("pointercancel", end);
      return node;
    }
    turn(j, by, smooth = true) {
      if (this.still || !by) return;
      this.indices[j] = modulo(this.indices[j] + by, this.labels.length);
      this.states[j] = "";
      if (smooth) this.roll(j, -Math.sign(by) * Math.min(1, Math.abs(by))); else this.paint(j, 0);
      this.tell(j);
      this.chosen(j, this.indices[j]);
      this.ui.changed();
    }
    roll(j, from) {
      cancelAnimationFrame(this.turning[j]);
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) { this.paint(j, 0); return; }
      const start = performance.now(), step = (now) => {
        const left = Math.max(0, 1 - (now - start) / 160);
        this.paint(j, from * left * left);
        if (left > 0) this.turning[j] = requestAnimationFrame(step);
      };
      this.paint(j, from);
      this.turning[j] = requestAnimationFrame(step);
    }
    tell(j) {
      const state = this.states[j] ? `, ${WORDS[this.states[j]]}` : "";
      this.wheels[j].setAttribute("aria-valuenow", this.indices[j]);
      this.wheels[j].setAttribute("aria-valuetext", this.labels[this.indices[j]] + state);
    }
    paint(j, turn) {
      const node = this.wheels[j], x = ROOM + STEP * j;
      node.replaceChildren(Moves.shape("rect", { x: x - 3, y: TOP - 3, width: WIDE + 6, height: HIGH + 6, rx: 10, class: "wheel-focus" }));
      draw(node, drum(String(j), x, TOP, this.labels, this.indices[j], this.states[j], turn));
    }
    // Draw everything anew; `states` says what is known of the labels that the wheels show.
    show({ indices = this.indices, states = this.states, opened = this.opened, still = this.still } = {}) {
      Object.assign(this, { indices: [...indices], states: [...states], opened, still });
      this.shell.replaceChildren();
      draw(this.shell, body("", 0, 0, this.n, opened));
      this.svg.classList.toggle("open", opened);
      this.wheels.forEach((node, j) => {
        node.setAttribute("aria-disabled", String(still));
        this.paint(j, 0);
        this.tell(j);
      });
    }
  }

  Moves.wheels = { drum, cell, body, size, tried, draw, Lock, STEP };
  Moves.define("wheels", { formulas: { drum, cell, body, size, tried } });
})();
