// The combination lock: how far K deployments of N codes get, and when the last wheel is reached.
(() => {
  // P(a deployment advances the frontier by a), a = 0, 1, ...; the same numbers as theory.lower_bounds.search_programme
  function advances(d, n, N) {
    const last = Math.min(n, Math.floor((Math.log(N) + 92.10340371976183) / Math.log(d)) + 2); // d^-a N below 1e-40
    const miss = Array.from({ length: last + 1 }, (_, a) => Math.expm1(N * Math.log1p(-(d ** -a))));
    return miss.slice(1).map((value, a) => value - miss[a]);
  }
  // frontiers[k][f] = P(f wheels are known after k deployments, f < n). "reveal" gives the wheel at the frontier away.
  function frontiers(d, n, N, K, memory) {
    const step = advances(d, n, N), laws = [Array.from({ length: n }, (_, f) => (f ? 0 : 1))];
    for (let k = 1; k <= K; k++) {
      const shift = memory === "reveal" && k > 1 ? 1 : 0, law = new Array(n).fill(0);
      laws.at(-1).forEach((mass, f) => {
        if (mass > 1e-40) for (let a = 0; a < step.length && f + a + shift < n; a++) law[f + a + shift] += mass * step[a];
      });
      laws.push(law);
    }
    return laws;
  }
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const curve = (d, n, N, K, memory) => frontiers(d, n, N, K, memory).map((law) => Math.max(0, 1 - sum(law)));
  // The largest K that the theorem excludes: (H - 2) / (factor ceil(log_d NH)), in whole numbers
  function excluded(d, H, exponent, factor) {
    const target = 10n ** BigInt(exponent) * BigInt(H);
    let digits = 0, size = 1n;
    while (size < target) { size *= BigInt(d); digits += 1; }
    return Math.floor((H - 2) / (factor * digits));
  }

  Moves.define("lock", {
    formulas: { advances, frontiers, curve, excluded },
    start(ui, data) {
      const digits = ui.slider({ label: "Digits d", min: data.digits[0], max: data.digits[1], value: 10 });
      const horizon = ui.slider({ label: "Layers H", min: data.horizons[0], max: data.horizons[1], value: 30 });
      const size = ui.slider({ label: "Codes at once N", min: data.exponents[0], max: data.exponents[1], value: 6, show: (exponent) => Moves.power(exponent) });
      const deployments = ui.slider({ label: "Deployments K", min: 0, max: 60, value: 4 });
      let state;
      const chance = (law, j) => 1 - sum(law.slice(0, j)); // P(at least j wheels)
      ui.picture("The wheels of the lock; the fuller, the likelier it is known", 70, (picture) => {
        const w = (picture.width - 4) / state.n;
        picture.text(2, 12, "wheels found after K deployments");
        for (let j = 0; j < state.n; j++) {
          picture.add("rect", { x: 2 + j * w, y: 22, width: Math.max(2, w - 2), height: 34, rx: 2, class: "bar grey", style: "opacity:.15" });
          const known = chance(state.law, j + 1);
          if (known > 1e-3) picture.add("rect", { x: 2 + j * w, y: 22 + 34 * (1 - known), width: Math.max(2, w - 2), height: 34 * known, rx: 2, class: "bar blue" });
        }
        const at = 2 + state.mean * w;
        picture.add("path", { d: `M${at} 18V60`, class: "line red" });
      });
      ui.picture("Probability that the last wheel is reached, against the number of deployments", 260, (picture) => {
        const last = state.last, axes = picture.axes({ x: [0, last], y: [0, 1], xwhole: true, xlabel: "deployments K", ylabel: "P(last wheel reached)" });
        const points = (values) => values.slice(0, last + 1).map((value, k) => [k, value]);
        axes.area([...points(state.uniform), ...points(state.ceiling).reverse()], "sky");
        axes.line(points(state.uniform), "blue");
        axes.line(points(state.ceiling), "red dashed");
        axes.up(state.sharper, "green dotted");
        if (deployments.value <= last) axes.dot(deployments.value, state.uniform[deployments.value], "blue", 6);
      });
      ui.legend([["blue", "uniform search, exact"], ["red dashed", "no algorithm exceeds"], ["green dotted", "largest K excluded by the theorem, without its factor 2"], ["red", "wheels found on average"]]);
      return () => {
        const [d, H, exponent, K] = [digits, horizon, size, deployments].map((slider) => slider.value), n = H - 2, N = 10 ** exponent;
        const most = 400, laws = frontiers(d, n, N, most, "forget");
        const uniform = laws.map((law) => Math.max(0, 1 - sum(law))), ceiling = curve(d, n, N, most, "reveal");
        const done = uniform.findIndex((value) => value > 0.999), half = uniform.findIndex((value) => value >= 0.5);
        const law = laws[K], mean = sum(law.map((mass, f) => mass * f)) + n * (1 - sum(law));
        const sharper = excluded(d, H, exponent, 1), printed = excluded(d, H, exponent, 2);
        const last = Math.max(done < 0 ? 100 : done, K, sharper + 1, 3);
        state = { n, law, mean, uniform, ceiling, sharper, last };
        const small = (value) => (value < 1e-9 ? "less than 10⁻⁹" : value > 0.999 ? "more than 0.999" : Moves.say(value));
        ui.tell(`${n} wheels of ${d} digits, N = ${Moves.power(exponent)}: after ${K} deployment${K === 1 ? "" : "s"} uniform search has found ${Moves.say(mean)} wheels on average and has reached the last with probability ${small(uniform[K])}; no algorithm does better than ${small(ceiling[K])}. ` +
          `Half a chance takes ${half < 0 ? "more than 400" : half} deployments; the theorem excludes up to ${printed}, without its factor 2 up to ${sharper}.`);
        ui.table(["K", "uniform search", "no algorithm exceeds"], uniform.slice(0, last + 1).map((value, k) => [k, small(value), small(ceiling[k])]));
      };
    },
  });
})();
