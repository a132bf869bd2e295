// A run of Algorithm 1, deployment by deployment: layers, the graph of the instance, Delta_k against its threshold.
Moves.define("replay", {
  formulas: { ratio: (step) => step.statistic / step.threshold },
  start(ui, data) {
    const { ratio } = this.formulas;
    let playing = null;
    const which = ui.choice({ label: "Instance", options: Object.keys(data).map((name) => [name, name]), on: () => begin() });
    const run = () => data[which.value];
    const slider = ui.slider({ label: "Deployment", min: 0, max: 1, value: 1, on: () => stop() });
    const back = ui.button("Back", () => { stop(); slider.value = Math.max(0, slider.value - 1); });
    const next = ui.button("Step", () => { stop(); slider.value = slider.value + 1; });
    const play = ui.button("Play", () => (playing ? stop() : go()));
    function stop() { clearInterval(playing); playing = null; play.textContent = "Play"; }
    function go() {
      if (slider.value >= run().steps.length) slider.value = 0;
      play.textContent = "Stop";
      playing = setInterval(() => {
        slider.value = slider.value + 1;
        if (slider.value >= run().steps.length) stop();
        ui.changed();
      }, 900);
    }
    function begin() { stop(); slider.limit(0, run().steps.length); slider.value = 1; }
    begin();

    const before = () => run().steps.slice(0, slider.value);
    const unlocked = () => before().filter((step) => step.statistic < step.threshold).length;

    ui.picture("The layers: finished, in work, not yet begun", 62, (picture) => {
      const horizon = run().horizon, w = (picture.width - 4) / horizon, done = unlocked();
      picture.text(2, 12, "layers");
      for (let h = 0; h < horizon; h++) {
        const kind = h < done ? "green" : h === done ? "orange" : "grey";
        picture.add("rect", { x: 2 + h * w, y: 20, width: w - 4, height: 26, rx: 3, class: `bar ${kind}`, style: kind === "grey" ? "opacity:.3" : "" });
        picture.text(2 + h * w + (w - 4) / 2, 38, h < done ? `${h + 1} ✓` : `${h + 1}`, { anchor: "middle", kind: h <= done ? "onmark strong" : "strong" });
      }
    });
    ui.picture("States of the first layers; transitions of the deployed policy thick, those that earlier deployments showed thin", () => 46 * run().states.length + 30, (picture) => {
      const { states, layers, edges, steps } = run(), k = slider.value;
      const x = (h) => 30 + (h * (picture.width - 60)) / Math.max(1, layers - 1), y = (s) => 38 + 46 * s;
      const now = new Set(k ? steps[k - 1].taken : []), ever = new Set(before().flatMap((step) => step.taken));
      const nodes = new Map();
      edges.forEach(([h, s, a, t], i) => {
        nodes.set(`${h},${s}`, now.has(i)); if (!nodes.get(`${h + 1},${t}`)) nodes.set(`${h + 1},${t}`, now.has(i));
      });
      edges.forEach(([h, s, , t], i) => { if (now.has(i)) { nodes.set(`${h},${s}`, true); nodes.set(`${h + 1},${t}`, true); } });
      const order = edges.map((edge, i) => [edge, now.has(i) ? 2 : ever.has(i) ? 1 : 0]).sort((one, two) => one[1] - two[1]);
      for (const [[h, s, a, t], kind] of order) { // parallel actions between two states are fanned out
        const bend = (a - 0.5) * 9, [x0, y0, x1, y1] = [x(h) + 13, y(s), x(h + 1) - 13, y(t)];
        picture.add("path", { d: `M${x0} ${y0}Q${(x0 + x1) / 2} ${(y0 + y1) / 2 + bend} ${x1} ${y1}`, class: `line ${["grey thin dotted", "sky", "red thick"][kind]}` });
      }
      for (let h = 0; h < layers; h++) picture.text(x(h), 12, `${h + 1}`, { anchor: "middle" });
      for (const [key, lit] of nodes) {
        const [h, s] = key.split(",").map(Number);
        picture.add("circle", { cx: x(h), cy: y(s), r: 12, class: `dot ${lit ? "orange" : "sky"}` });
        picture.text(x(h), y(s) + 4, states[s], { anchor: "middle", kind: "onmark" });
      }
    });
    ui.legend([["red thick", "deployed now"], ["sky", "seen before"], ["grey thin dotted", "not seen"]]);
    ui.picture("The statistic divided by its threshold, for each deployment; below 1 the layer is finished", 210, (picture) => {
      const steps = run().steps, axes = picture.axes({ x: [0, steps.length + 0.5], y: [-3, 5], ylog: true,
        yticks: [-2, 0, 2, 4], xwhole: true, xlabel: "deployment k", ylabel: "Δ_{k} / threshold" });
      axes.across(0, "grey dashed");
      before().forEach((step, i) => axes.dot(i + 1, Math.log10(ratio(step)), step.statistic < step.threshold ? "green" : "red", i + 1 === slider.value ? 7 : 4.5));
      axes.note(steps.length + 0.4, 0, "finished below this line", { anchor: "end", dy: 15 });
    });
    return () => {
      const k = slider.value, steps = run().steps, step = steps[k - 1];
      [back.disabled, next.disabled] = [k === 0, k === steps.length];
      const end = k === steps.length ? ` The run ends after ${k} of at most ${run().budget} deployments and loses ${Moves.say(run().loss)} against the best policy, worth ${Moves.say(run().best)}.` : "";
      ui.tell(!step ? "Nothing is deployed yet: press Step or Play." :
        `Deployment ${k} explores layer ${step.layer} with a policy worth ${Moves.say(step.value)}. Δ is ${Moves.say(step.statistic)}, the threshold ${Moves.say(step.threshold)}: ` +
        (step.statistic < step.threshold ? `layer ${step.layer} is finished.` : "something new was met, the layer stays open.") + end, !playing);
      ui.table(["k", "layer", "Δ_{k}", "threshold", "value of the policy", "layer finished"], steps.map((row, i) =>
        [i + 1, row.layer, Moves.say(row.statistic), Moves.say(row.threshold), Moves.say(row.value), row.statistic < row.threshold ? "yes" : "no"]));
    };
  },
});
