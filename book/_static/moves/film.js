// A film: frames that stand beside the box as pictures become one picture that moves. A shape that two frames have under
// one key glides; a new one fades in. Nothing moves by itself, and nothing glides for readers who asked for less motion.
(() => {
  "use strict";
  const SIZES = /-?\d+(?:\.\d+)?/g;
  // A value between two attributes: every number in them on its way, the words of the second
  function between(from, to, share) {
    const [a, b] = [from.match(SIZES) ?? [], to.match(SIZES) ?? []];
    if (share >= 1 || a.length !== b.length || from.replace(SIZES, "") !== to.replace(SIZES, "")) return to;
    let i = 0;
    return to.replace(SIZES, () => { const value = Number(a[i]) + (b[i] - a[i]) * share; i += 1; return String(Number(value.toFixed(2))); });
  }
  Moves.define("film", {
    formulas: { between },
    start(ui, data) {
      const still = ui.box.nextElementSibling, frames = [...still.querySelectorAll("figure")].map((figure) => ({
        said: figure.querySelector("figcaption").textContent, svg: figure.querySelector("svg") }));
      const last = frames.length - 1, first = frames[0].svg, size = [first.getAttribute("width"), first.getAttribute("height")];
      const picture = Moves.shape("svg", { role: "img", "aria-label": data.label, viewBox: first.getAttribute("viewBox"), width: size[0], height: size[1], class: "film" });
      let playing = null, shown = null, running = null;
      const slider = ui.slider({ label: "Picture", min: 1, max: frames.length, value: 1, show: (k) => `${k} of ${frames.length}`, on: () => stop() });
      const back = ui.button("Back", () => { stop(); slider.value = Math.max(1, slider.value - 1); });
      const next = ui.button("Step", () => { stop(); slider.value = Math.min(frames.length, slider.value + 1); });
      const play = ui.button("Play", () => (playing ? stop() : go()));
      function stop() { clearInterval(playing); playing = null; play.textContent = "Play"; }
      function go() {
        slider.value = slider.value > last ? 1 : slider.value + 1;
        play.textContent = "Stop";
        playing = setInterval(() => {
          slider.value = slider.value + 1;
          if (slider.value > last) stop();
          ui.changed();
        }, 2200);
      }
      ui.stage.append(picture);
      function show(at) {
        const from = new Map(shown === null ? [] : [...frames[shown].svg.children].map((node) => [node.dataset.key, node]));
        const nodes = [...frames[at].svg.children].map((node) => [node, node.cloneNode(true), from.get(node.dataset.key)]);
        picture.replaceChildren(...nodes.map(([, copy]) => copy));
        cancelAnimationFrame(running);
        const glide = shown !== null && shown !== at && !matchMedia("(prefers-reduced-motion: reduce)").matches;
        shown = at;
        if (!glide) return;
        const begin = performance.now(), step = (now) => {
          const part = Math.min(1, (now - begin) / 700), share = part * part * (3 - 2 * part);
          for (const [node, copy, old] of nodes) {
            if (!old) copy.style.opacity = part < 1 ? share : "";
            else for (const { name, value } of node.attributes) if (name !== "class" && name !== "data-key" && old.hasAttribute(name)) copy.setAttribute(name, between(old.getAttribute(name), value, share));
          }
          if (part < 1) running = requestAnimationFrame(step);
        };
        step(begin);
      }
      return () => {
        const at = slider.value - 1;
        [back.disabled, next.disabled] = [at === 0, at === last];
        if (shown !== at) show(at);
        ui.tell(frames[at].said);
        ui.table(data.head, data.rows);
      };
    },
  });
})();
