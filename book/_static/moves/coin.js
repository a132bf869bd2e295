// A coin per trajectory: the number that explore is binomial, and a mixture loses at most alpha H.
Moves.define("coin", {
  formulas: {
    // probabilities of 0, 1, ..., most heads of m tosses
    law: (m, alpha, most) => {
      const found = [], start = m * Math.log1p(-alpha);
      let log = start;
      for (let k = 0; k <= most; k++) {
        found.push(Math.exp(log));
        log += Math.log((m - k) / (k + 1)) + Math.log(alpha / (1 - alpha));
      }
      return found;
    },
    tooFew(m, alpha, needed) { return this.law(m, alpha, needed - 1).reduce((sum, p) => sum + p, 0); },
    steps: (alpha, H) => H - (1 - alpha) * (1 - (1 - alpha) ** H) / alpha,
  },
  start(ui, data) {
    const law = this.formulas.law, tooFew = this.formulas.tooFew.bind(this.formulas), steps = this.formulas.steps;
    const alpha = ui.slider({ label: "Share α that explores", min: 0, max: data.alphas.length - 1, value: 1, show: (i) => String(data.alphas[i]) });
    const needed = ui.slider({ label: "Exploring trajectories needed, N", min: 0, max: data.needed.length - 1, value: 2, show: (i) => String(data.needed[i]) });
    const factor = ui.slider({ label: "Collected, in units of N/α", min: 1, max: 3, step: 0.05, value: 1 });
    const horizon = ui.slider({ label: "Layers H", min: 2, max: 20, value: 10 });
    const now = () => {
      const [a, n] = [data.alphas[alpha.value], data.needed[needed.value]];
      return { a, n, m: Math.floor(factor.value * n / a + 1e-9), H: horizon.value };
    };
    ui.picture("Probability of each number of exploring trajectories; those with too few are orange", 220, (picture) => {
      const { a, n, m } = now(), most = Math.ceil(m * a + 4 * Math.sqrt(m * a)), chances = law(m, a, most);
      const axes = picture.axes({ x: [-0.5, most + 0.5], y: [0, Math.max(...chances) * 1.1], xlabel: "exploring trajectories", ylabel: "probability", xwhole: true });
      chances.forEach((p, k) => axes.bar(k - 0.42, k + 0.42, p, k < n ? "orange" : "blue"));
      axes.up(n - 0.5, "grey dashed");
    });
    ui.picture("What the mixture may lose against the cautious policy: one coin per trajectory, one coin per step", 220, (picture) => {
      const { a, H } = now(), axes = picture.axes({ x: [0, 0.5], y: [0, 20], xlabel: "share α", ylabel: "largest loss of reward" });
      axes.line(data.alphas.map((each) => [each, each * H]), "blue");
      axes.line(data.alphas.map((each) => [each, steps(each, H)]), "orange dashed");
      axes.dot(a, a * H, "blue", 6);
      axes.dot(a, steps(a, H), "orange", 6);
    });
    ui.legend([["blue", "enough explore; one coin per trajectory"], ["orange dashed", "too few explore; one coin per step"]]);
    return () => {
      const { a, n, m, H } = now(), chance = tooFew(m, a, n);
      const enough = data.rows.find((row) => row.needed === n && row.alpha === a).enough;
      ui.tell(`Of ${m} trajectories with α = ${a} about ${Moves.say(m * a)} explore; fewer than ${n} do with probability ${Moves.say(chance)}. ${enough} trajectories make that at most e⁻⁷. ` +
        `With H = ${H} the mixture loses at most ${Moves.say(a * H)} with one coin per trajectory, and up to ${Moves.say(steps(a, H))} with one coin per step.`);
      ui.table(["α", "N/α", "too few at N/α", "too few at 2N/α", "enough for e⁻⁷", "αH", "one coin per step"], data.alphas.map((each) => [each, Moves.say(n / each),
        Moves.say(tooFew(Math.floor(n / each + 1e-9), each, n)), Moves.say(tooFew(Math.floor(2 * n / each + 1e-9), each, n)), data.rows.find((row) => row.needed === n && row.alpha === each).enough, Moves.say(each * H), Moves.say(steps(each, H))]));
    };
  },
});
