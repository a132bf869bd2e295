// The exchange of samples for deployments: for each N, how many deployments are needed and how many are enough.
Moves.define("exchange_law", {
  formulas: {
    // deployments that are proved to be too few on locks of dimension d with H layers, N = d^x
    printed: (d, H, x) => Math.floor((H - 2) / Math.ceil((x * Math.log(d) + Math.log(H - 1)) / Math.log(d - 1) - 1e-12)),
    sharpened: (d, H, x) => Math.floor(H / (2 * (Math.ceil((x * Math.log(d)) / Math.log(d - 1) - 1e-12) + (d - 1) / (d - 2))) + 1e-12),
    // log_d of the N with which blocks of L layers are enough, at nu^2 = 1/d and g = d
    size: (d, H, L, c) => {
      const K = Math.ceil(H / L), level = Math.log((2 * d * H * K) / c.delta) / c.chernoff;
      const scale = (t) => Math.sqrt((d * Math.LN2) / 2 + t) + Math.sqrt(level * d);
      const total = (range, b) => {
        let sum = 0;
        for (let k = 0; k < K; k++) {
          let inside = 0;
          for (let h = k * L; h < Math.min(H, (k + 1) * L); h++)
            inside += Math.cbrt(8 * d * b * b * range(h) ** 2 * (k ? c.cover * d : 1) * d ** (h - k * L + 1));
          sum += inside ** 1.5;
        }
        return sum * sum;
      };
      const plan = total((h) => H - 1 - h, scale(Math.log((4 * H) / c.delta))) / c.epsilon ** 2;
      if (K === 1) return Math.log(plan + H) / Math.log(d);
      const tau = 1 / (d * c.phantom * d * c.accuracy * d);
      const t = d * Math.log((6 * Math.sqrt(d)) / tau) + Math.log((8 * (d + 1) * H * K) / c.delta);
      const search = total(() => 1, scale(t)) / (tau / 2) ** 2 + (2 * t) / (tau / 2) ** 2;
      return Math.log(plan + (K - 1) * search + H * K) / Math.log(d);
    },
  },
  start(ui, data) {
    const { printed, sharpened, size } = this.formulas;
    const dim = ui.slider({ label: "Dimension d", min: data.dimensions[0], max: data.dimensions[1], value: 4 });
    const layers = ui.slider({ label: "Layers H", min: data.horizons[0], max: data.horizons[1], value: 80 });
    const exponent = ui.slider({ label: "Batch size N = d^x, x =", min: data.exponents[0], max: data.exponents[1], value: 60 });
    const enough = () => {
      const steps = new Map();
      for (let L = 1; L <= layers.value; L++) {
        const K = Math.ceil(layers.value / L), x = size(dim.value, layers.value, L, data);
        steps.set(K, Math.min(steps.get(K) ?? Infinity, x));
      }
      return [...steps].map(([K, x]) => [x, K]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    };
    const best = (steps, x) => steps.reduce((least, [at, K]) => (at <= x ? Math.min(least, K) : least), Infinity);
    ui.picture("Deployments against the logarithm of the batch size: what is needed falls like H over the logarithm, what is enough follows to the right of it", 300, (picture) => {
      const [d, H, x] = [dim.value, layers.value, exponent.value], steps = enough(), most = data.exponents[1];
      const log = Math.log10;
      const axes = picture.axes({ x: [0, most], y: [0, Math.ceil(log(H))], ylog: true, xlabel: "log_d N", ylabel: "deployments K" });
      const all = Array.from({ length: most + 1 }, (_, i) => i);
      axes.step(all.map((i) => [i, log(printed(d, H, i) + 1)]), "orange dashed");
      axes.step(all.map((i) => [i, log(sharpened(d, H, i) + 1)]), "orange");
      axes.line(all.slice(1).map((i) => [i, log(Math.max(1, H / i))]), "green dotted");
      axes.step(all.filter((i) => Number.isFinite(best(steps, i))).map((i) => [i, log(best(steps, i))]), "blue");
      axes.up(x, "green dotted");
      axes.dot(x, log(Math.max(printed(d, H, x), sharpened(d, H, x)) + 1), "orange", 6);
      if (Number.isFinite(best(steps, x))) axes.dot(x, log(best(steps, x)), "blue", 6);
    });
    ui.legend([["orange dashed", "needed: Theorem B.3, repaired"], ["orange", "needed: without H in the logarithm"], ["blue", "enough: block exploration"], ["green dotted", "H / log_d N"]]);
    return () => {
      const [d, H, x] = [dim.value, layers.value, exponent.value], steps = enough(), above = best(steps, x);
      const below = Math.max(printed(d, H, x), sharpened(d, H, x)) + 1;
      ui.tell(`With batches of ${d}^${x} trajectories, every algorithm needs at least ${below} deployment${below > 1 ? "s" : ""} on some lock; ` +
        (Number.isFinite(above) ? `block exploration gets by with ${above} on every instance with ν² ≥ 1/d.` : "the theorems promise nothing yet: their constants ask for more."));
      ui.table(["K", "enough from log_d N on"], steps.map(([at, K]) => [K, at.toFixed(1)]));
    };
  },
});
