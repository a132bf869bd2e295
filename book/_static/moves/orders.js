// Table 1 as points: orders of trajectories and deployments, without constants, at chosen d, H, epsilon, nu and A.
Moves.define("orders", {
  formulas: {
    // a sum of products of powers, one logarithm each at most; the value as a power of ten
    size: (terms, at) => {
      const product = (powers) => Object.entries(powers).reduce((sum, [name, power]) => sum + (name === "log" ? 0 : power * Math.log(at[name])), 0);
      const each = terms.map((term) => product(term) + (term.log ? Math.log(product(term.log)) : 0)), largest = Math.max(...each);
      return (largest + Math.log(each.reduce((sum, value) => sum + Math.exp(value - largest), 0))) / Math.LN10;
    },
  },
  start(ui, data) {
    const size = this.formulas.size, whole = (label, value, max) => ui.slider({ label, min: 2, max, value });
    const d = whole("Dimension d", 10, 50), H = whole("Layers H", 10, 50), A = whole("Actions A", 4, 20);
    const epsilon = ui.slider({ label: "Accuracy ε", min: -3, max: -0.5, step: 0.1, value: -1, show: (log) => Moves.say(10 ** log, 2) });
    const nu = ui.slider({ label: "Reachability ν", min: -2, max: -0.5, step: 0.1, value: -0.5, show: (log) => Moves.say(10 ** log, 2) });
    const at = () => ({ d: d.value, H: H.value, A: A.value, epsilon: 10 ** epsilon.value, nu: 10 ** nu.value });
    const placed = () => data.rows.map((row) => ({ ...row, x: size(row.deployments, at()), y: size(row.trajectories, at()) }));
    const kind = (row) => (row.policy === "stochastic" ? "green" : row.reward_free ? "orange" : "blue");
    ui.picture("Trajectories against deployments, one numbered point per row of Table 1, on logarithmic scales", 340, (picture) => {
      const rows = placed(), [wide, high] = [Math.max(...rows.map((row) => row.x)), Math.max(...rows.map((row) => row.y))];
      const axes = picture.axes({ x: [0, Math.ceil(wide + 0.3)], y: [0, Math.ceil(high / 5) * 5], xlog: true, ylog: true, xlabel: "deployments, order", ylabel: "trajectories, order" });
      const taken = [];
      rows.forEach((row, i) => {
        axes.dot(row.x, row.y, kind(row), 6);
        let [u, v] = [axes.px(row.x) + 8, axes.py(row.y) + 4]; // numbers of close points stand below each other
        while (taken.some(([a, b]) => Math.abs(a - u) < 14 && Math.abs(b - v) < 13)) v += 13;
        taken.push([u, v]);
        picture.text(u, v, String(i + 1));
      });
    });
    ui.legend([["blue", "deterministic, given reward"], ["orange", "deterministic, reward-free"], ["green", "stochastic, reward-free"]]);
    return () => {
      const rows = placed(), least = (key) => { const low = Math.min(...rows.map((row) => row[key])); return rows.flatMap((row, i) => (row[key] < low + 1e-9 ? [`${i + 1}, ${row.method}`] : [])).join("; "); };
      const last = rows.at(-1), first = rows.find((row) => row.method === "Algorithm 1");
      ui.tell(`Fewest deployments: row ${least("x")}. Fewest trajectories: row ${least("y")}. Algorithm 2 deploys ${Moves.say(10 ** (first.x - last.x))} times less often than Algorithm 1 and requires ${Moves.say(10 ** (last.y - first.y))} times as many trajectories. Orders without constants.`);
      ui.table(["row", "method", "deployments", "trajectories"], rows.map((row, i) => [i + 1, `${row.method} (${row.source})`, Moves.say(10 ** row.x), Moves.say(10 ** row.y)]));
    };
  },
});
