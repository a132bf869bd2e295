// The adversary of the potential lemma, in the plane: batches of N equal vectors, each of which must still violate.
(() => {
  const START = [1, 0, 1]; // A = [[a, b], [b, c]] begins as the identity
  const trace = ([a, b, c], [x, y]) => (c * x * x - 2 * b * x * y + a * y * y) / (a * c - b * b); // u^T A^-1 u
  const add = ([a, b, c], [x, y], size) => [a + size * x * x, b + size * x * y, c + size * y * y];
  const least = ([a, b, c]) => (a + c) / 2 - Math.hypot((a - c) / 2, b); // the smallest eigenvalue of A
  const weakest = ([a, b, c]) => 0.5 * Math.atan2(2 * b, a - c) + Math.PI / 2; // the angle of its direction
  // The levels u^T A^-1 u of a whole play
  function levels(vectors, size) {
    let matrix = START;
    return vectors.map((vector) => { const found = trace(matrix, vector); matrix = add(matrix, vector, size); return found; });
  }
  Moves.define("adversary", {
    formulas: { trace, add, least, levels },
    start(ui, data) {
      let played = [], note = "", showing = null;
      const best = data.levels.map(() => 0);
      const choice = ui.choice({ label: "Level", on: () => begin(),
        options: data.levels.map((level, i) => [i, `${["easy", "middle", "hard"][i]}: N = ${level.size}, ε = ${level.epsilon}`]) });
      const angle = ui.slider({ label: "Direction", min: 0, max: 180, value: 0, show: (value) => `${value}°` });
      const length = ui.slider({ label: "Length", min: 0.02, max: 1, step: 0.01, value: 1, show: (value) => value.toFixed(2) });
      ui.button("Play this batch", () => play(aimed()));
      const undo = ui.button("Undo", () => { halt(); played.pop(); note = "Taken back."; });
      const anew = ui.button("Begin anew", () => begin());
      ui.button("What would greed do?", () => {
        halt();
        angle.value = Math.round((((weakest(matrix()) * 180) / Math.PI) % 180 + 180) % 180);
        length.value = 1;
        note = "Greed takes the longest vector in the direction seen least. It is aimed at; press “Play this batch”.";
      });
      ui.button("Show a best play", () => {
        begin();
        const moves = [...level().best];
        showing = setInterval(() => {
          if (!moves.length) return halt();
          played.push(moves.shift());
          note = `Best play, batch ${played.length}.`;
          ui.changed();
        }, 700);
        note = "A best play follows; it does not count for you.";
      });
      const level = () => data.levels[choice.value];
      const matrix = () => played.reduce((at, vector) => add(at, vector, level().size), START);
      const aimed = () => [length.value * Math.cos((angle.value * Math.PI) / 180), length.value * Math.sin((angle.value * Math.PI) / 180)];
      const over = () => 1 / least(matrix()) < level().epsilon;
      function halt() { clearInterval(showing); if (showing) { played = []; showing = null; } }
      function begin() { halt(); clearInterval(showing); played = []; note = "Click into the shaded part of the disc."; }
      function play(vector) {
        halt();
        const found = trace(matrix(), vector), size = Math.hypot(...vector);
        if (size > 1 + 1e-9) note = "A vector has length at most 1.";
        else if (found < level().epsilon) note = `That batch gives only ${Moves.say(found)}, less than ε: it does not violate. Play into the shaded part.`;
        else {
          played.push(vector);
          best[choice.value] = Math.max(best[choice.value], played.length);
          note = `Batch ${played.length} gives ${Moves.say(found)}, at least ε: it violates.`;
        }
      }
      begin();
      let scale = 1, middle = 1;
      const svg = ui.picture("The disc of vectors; shaded, those whose batch still violates; dots, the batches played", (width) => Math.min(width, 400) + 20, (picture) => {
        const r = Math.min(picture.width, 400) / 2 - 16, [cx, cy] = [picture.width / 2, r + 30], [a, b, c] = matrix();
        [scale, middle] = [r, [cx, cy]];
        // the ellipse u^T A^-1 u = epsilon: half axes sqrt(epsilon eigenvalue)
        const angleOf = (0.5 * Math.atan2(2 * b, a - c)), half = Math.hypot((a - c) / 2, b), mean = (a + c) / 2;
        const [long, short] = [mean + half, mean - half].map((value) => r * Math.sqrt(level().epsilon * value));
        // the disc without the ellipse: both outlines, filled where one of them alone goes round, seen through the disc
        const turn = (-angleOf * 180) / Math.PI, [dx, dy] = [long * Math.cos(angleOf), -long * Math.sin(angleOf)];
        const clip = picture.add("clipPath", { id: "moves-disc" }), disc = picture.add("circle", { cx, cy, r, class: "line grey" });
        clip.append(disc.cloneNode());
        picture.add("path", { class: "area orange", style: "opacity:.45", "fill-rule": "evenodd", "clip-path": "url(#moves-disc)",
          d: `M${cx - r} ${cy}A${r} ${r} 0 1 0 ${cx + r} ${cy}A${r} ${r} 0 1 0 ${cx - r} ${cy}Z` +
            `M${cx + dx} ${cy + dy}A${long} ${short} ${turn} 1 0 ${cx - dx} ${cy - dy}A${long} ${short} ${turn} 1 0 ${cx + dx} ${cy + dy}Z` });
        for (const [x, y] of played) picture.add("path", { d: `M${cx} ${cy}L${cx + r * x} ${cy - r * y}`, class: "line blue" });
        for (const [i, [x, y]] of played.entries()) {
          picture.add("circle", { cx: cx + r * x, cy: cy - r * y, r: 9, class: "dot sky" });
          picture.text(cx + r * x, cy - r * y + 4, String(i + 1), { anchor: "middle", kind: "onmark strong" });
        }
        const [x, y] = aimed(), [u, v] = [cx + r * x, cy - r * y];
        picture.add("path", { d: `M${u - 9} ${v}H${u + 9}M${u} ${v - 9}V${v + 9}`, class: "line red" });
        picture.text(4, 13, over() ? "over: nothing violates any more" : `batch ${played.length + 1}`, { kind: "strong" });
      });
      svg.dataset.press = JSON.stringify({ x: 240, y: 90 });
      svg.style.cursor = "crosshair";
      svg.addEventListener("click", (event) => {
        const box = svg.getBoundingClientRect(), ratio = box.width / svg.viewBox.baseVal.width;
        let [x, y] = [((event.clientX - box.left) / ratio - middle[0]) / scale, (middle[1] - (event.clientY - box.top) / ratio) / scale];
        const size = Math.hypot(x, y);
        if (size > 1 && size < 1.08) [x, y] = [x / size, y / size];
        if (size < 1.08) {
          angle.value = Math.round((((Math.atan2(y, x) * 180) / Math.PI) + 360) % 180);
          length.value = Math.min(1, size);
        }
        play([x, y]);
        ui.changed();
      });
      ui.picture("Violations: yours, those of greed and of the axes, the best possible and the sharp bound", 150, (picture) => {
        const at = level(), rows = [["you, now", played.length, "blue"], ["your best", best[choice.value], "sky"], ["greed", at.greedy, "grey"], ["along axes", at.axes, "grey"], ["best possible", at.best.length, "green"], ["sharp bound", at.sharp, "orange"]];
        const unit = (picture.width - 130) / at.sharp;
        rows.forEach(([words, count, kind], i) => {
          picture.text(92, 16 + 24 * i, words, { anchor: "end" });
          picture.add("rect", { x: 98, y: 4 + 24 * i, width: unit * count, height: 16, class: `bar ${kind}` });
          picture.text(102 + unit * count, 16 + 24 * i, String(count), { kind: "strong" });
        });
      });
      return () => {
        const at = level(), count = played.length;
        undo.disabled = anew.disabled = count === 0;
        const verdict = !over() || !count || showing ? "" : count >= at.best.length ? ` Over with ${count}: nobody can do better.` :
          count > at.axes ? ` Over with ${count}: better than greed and the axes, but ${at.best.length} are possible.` :
            ` Over with ${count}; greed gets ${at.greedy}, the axes ${at.axes}, and ${at.best.length} are possible.`;
        ui.tell(note + verdict);
        ui.table(["level", "your best", "greed", "along axes", "best possible", "refined bound", "sharp bound"],
          data.levels.map((row, i) => [`N = ${row.size}, ε = ${row.epsilon}`, best[i], row.greedy, row.axes, row.best.length, row.refined, row.sharp]));
      };
    },
  });
})();
