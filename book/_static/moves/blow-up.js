// Uncertainty after n times the data, in one dimension: the lemma, the end of its printed proof, and the exact value.
Moves.define("blow_up", {
  formulas: {
    // A = 4 c q^2 - c makes the uncertainty e = 1/(2 q sqrt(c)); the premise of the lemma is q >= 1
    exact: (c, q, n) => 1 / Math.sqrt(c + n * (4 * c * q * q - c)),
    lemma: (c, q, n) => Math.sqrt((c + 1) / (Math.sqrt(c) * (c + n)) / (2 * q * Math.sqrt(c))),
    proof: (c, q, n) => Math.sqrt(2 / (Math.sqrt(c) * (1 + n)) / (2 * q * Math.sqrt(c))),
    threshold: (c) => { const r = Math.sqrt(1 + c); return c <= 3 ? (r - 1) ** 2 / (r * r + (r - 1) ** 2) : (c - 1) / (3 * c + 1); },
  },
  start(ui, data) {
    const { exact, lemma, proof, threshold } = this.formulas;
    const c = ui.slider({ label: "Regularisation c", min: 0, max: data.rows.length - 1, value: 6, show: (i) => String(data.rows[i].c) });
    const spare = ui.slider({ label: "Data, in units of what the premise requires", min: 1, max: 4, step: 0.05, value: 1, show: (q) => Moves.say(q * q) });
    const size = ui.slider({ label: "Times the data n", min: -2, max: 3, step: 0.02, value: 1, show: (log) => Moves.say(10 ** log) });
    const at = () => [data.rows[c.value].c, spare.value, 10 ** size.value];
    ui.picture("Uncertainty against n: the exact value, the lemma and the end of its printed proof, on logarithmic scales", 300, (picture) => {
      const [level, q, n] = at(), grid = Array.from({ length: 101 }, (_, i) => -2 + i / 20);
      const top = Math.ceil(Math.log10(Math.max(lemma(level, q, 0.01), exact(level, q, 0.01))) + 0.1);
      const axes = picture.axes({ x: [-2, 3], y: [top - 4, top], xlog: true, ylog: true, xlabel: "times the data n", ylabel: "uncertainty" });
      const curve = (formula, kind) => axes.line(grid.map((log) => [log, Math.log10(formula(level, q, 10 ** log))]), kind);
      curve(proof, "orange dotted");
      curve(lemma, "blue dashed");
      curve(exact, "green");
      axes.up(Math.log10(threshold(level)), "grey thin");
      axes.note(Math.log10(threshold(level)), top, "n₀", { dx: 4, dy: 12 });
      axes.dot(size.value, Math.log10(exact(level, q, n)), exact(level, q, n) > lemma(level, q, n) * (1 + 1e-12) ? "red" : "green", 7);
    });
    ui.legend([["green", "exact value"], ["blue dashed", "what the lemma allows"], ["orange dotted", "end of the printed proof"], ["grey thin", "n₀, from which on the lemma holds for all data"]]);
    return () => {
      const [level, q, n] = at(), [value, bound] = [exact(level, q, n), lemma(level, q, n)];
      const broken = value > bound * (1 + 1e-12);
      ui.tell(`With c = ${level} and ${Moves.say(n)} times the data the uncertainty is ${Moves.say(value)}; the lemma allows ${Moves.say(bound)}${broken ? ", so here it fails" : ""}. ` +
        `${broken ? "" : n < threshold(level) ? "Below n₀ other data would break it. " : ""}The end of the printed proof allows ${Moves.say(proof(level, q, n))}, which is ${proof(level, q, n) > bound * (1 + 1e-12) ? "more than the lemma claims" : "enough"}.`);
      ui.table(["c", "n₀", "exact value at this n", "lemma", "printed proof"], data.rows.map((row) =>
        [row.c, Moves.say(row.from), ...[exact, lemma, proof].map((formula) => Moves.say(formula(row.c, q, n)))]));
    };
  },
});
