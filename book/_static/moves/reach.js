// N of Algorithm 2 against the reachability coefficient nu, for every version of the proof.
Moves.define("reach", {
  formulas: {
    // linear between the points of a grid
    between: (logs, values, at) => {
      const i = Math.max(0, Math.min(logs.length - 2, logs.findIndex((log) => log >= at - 1e-12) - 1)), share = (at - logs[i]) / (logs[i + 1] - logs[i]);
      return values[i] + share * (values[i + 1] - values[i]);
    },
  },
  start(ui, data) {
    const { between } = this.formulas, kinds = ["red", "orange", "purple", "blue", "green dashed"];
    const dim = ui.slider({ label: "Dimension d", min: 0, max: data.dims.length - 1, value: 1, show: (i) => String(data.dims[i]), on: () => limit() });
    const epsilon = ui.slider({ label: "Accuracy ε", min: 0, max: data.epsilons.length - 1, value: 1, show: (i) => String(data.epsilons[i]) });
    const nu = ui.slider({ label: "Reachability ν", min: -2, max: 0, step: 0.05, value: -1, show: (log) => Moves.say(10 ** Math.min(log, curve().logs.at(-1)), 2) });
    function curve() { return data.curves.find((each) => each.d === data.dims[dim.value] && each.epsilon === data.epsilons[epsilon.value]); }
    function limit() { nu.limit(-2, Math.floor(curve().logs.at(-1) * 20) / 20); }
    limit();
    const size = (version) => between(curve().logs, curve().sizes[version], nu.value);
    ui.picture("N of the five versions at the chosen reachability", 36 * Object.keys(data.names).length + 4, (picture) => {
      picture.powers(Object.entries(data.names).map(([version, words], i) => [words, size(version), kinds[i].split(" ")[0]]), 75);
    });
    ui.picture("N against nu for five versions, both on logarithmic scales", 300, (picture) => {
      const axes = picture.axes({ x: [-2, 0], y: [0, 75], ylog: true, yticks: [0, 15, 30, 45, 60, 75], xticks: [], xlabel: "reachability ν", ylabel: "trajectories N per deployment" });
      for (const value of [0.01, 0.03, 0.1, 0.3, 1]) {
        picture.add("line", { x1: axes.px(Math.log10(value)), x2: axes.px(Math.log10(value)), y1: axes.y0, y2: axes.y1, class: "grid" });
        picture.text(axes.px(Math.log10(value)), axes.y0 + 15, String(value), { anchor: "middle" });
      }
      Object.keys(data.names).forEach((version, i) => {
        axes.line(curve().logs.map((log, j) => [log, curve().sizes[version][j]]), kinds[i]);
        axes.dot(nu.value, size(version), kinds[i].split(" ")[0]);
      });
      axes.up(nu.value, "grey thin");
    });
    ui.legend(Object.values(data.names).map((words, i) => [kinds[i], words]));
    return () => {
      const versions = Object.keys(data.names), slope = (version) => { const { logs, sizes } = curve(); return (sizes[version][0] - sizes[version][1]) / (logs[1] - logs[0]); };
      ui.tell(`With d = ${data.dims[dim.value]}, H = ${data.horizon}, ε = ${data.epsilons[epsilon.value]} and ν = ${Moves.say(10 ** nu.value, 2)}, the corrected proof of the paper requires N = ${Moves.power(Math.round(size(versions[0])))}, linear evaluation requires ${Moves.power(Math.round(size("spectral")))}. ` +
        `Halving a small ν costs a factor of about ${Moves.say(Number((2 ** slope(versions[0])).toPrecision(2)))} in the first and ${Moves.say(Number((2 ** slope("spectral")).toPrecision(2)))} in the second.`);
      ui.table(["ν", ...Object.values(data.names).map((words) => `log_{10} N, ${words}`)], curve().logs.map((log, j) => [Moves.say(10 ** log, 2), ...versions.map((version) => curve().sizes[version][j].toFixed(1))]));
    };
  },
});
