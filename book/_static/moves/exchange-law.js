// The exchange of samples for deployments: for each N = d^x, how many deployments are needed and how many are enough.
Moves.define("exchange_law", {
  formulas: {
    // needed by every algorithm on some instance; the first deployment advances log_d N layers, every later one log_{d-1} N
    needed: (d, H, x, delta) => {
      const share = 1 - 2 * delta, least = x < H - 1 + Math.log(share) / Math.log(d) ? 2 : 1;
      if (d === 2) return least;
      const later = Math.ceil((x * Math.log(d)) / Math.log(d - 1) - 1e-12);
      const left = 1 + (H - 1 - x - 1 / ((d - 1) * share)) / (later + 1 + 1 / ((d - 2) * share));
      return Math.max(least, Math.ceil(left - 1e-12));
    },
    // enough on every instance; null where no theorem applies. From log_d N = one on, one deployment is enough.
    enough: (d, H, x, polynomial, one) => {
      if (x >= one) return 1;
      if (x < polynomial) return null;
      if (d === 2) return 2;
      const layers = 1 + Math.floor(((x - polynomial) * Math.log(d)) / Math.log(d - 1) + 1e-12);
      return 1 + Math.ceil((H - 1) / Math.min(layers, H - 1));
    },
  },
  start(ui, data) {
    const { needed, enough } = this.formulas, STEPS = 20;
    const [low, high] = data.dimensions, size = (place) => Math.round(10 ** (place / STEPS));
    const big = (value) => String(value).replace(/\B(?=(\d{3})+(\.|$))/g, "\u202f");
    const dim = ui.slider({ label: "Dimension d", min: low, max: high, value: 4, on: fit });
    const layers = ui.slider({ label: "Layers H", min: 0, max: data.horizons.length - 1, value: data.horizons.indexOf(data.shown), show: (i) => big(data.horizons[i]), on: fit });
    const exponent = ui.slider({ label: "Batch size: log_{d} N", min: 0, max: STEPS * 6, value: Math.round(STEPS * Math.log10(200)), show: (place) => big(size(place)) });
    function now() {
      const d = dim.value, [polynomial, one] = data.sizes[d - low][layers.value];
      return { d, H: data.horizons[layers.value], x: size(exponent.value), polynomial, one };
    }
    function fit() { exponent.limit(0, Math.ceil(STEPS * Math.log10(now().one))); }
    const both = ({ d, H, polynomial, one }, x) => [needed(d, H, x, data.delta), enough(d, H, x, polynomial, one)];
    const pace = ({ d }, x) => (x * Math.log(d)) / Math.log(d - 1); // log_{d-1} N
    const many = (K) => `${big(K)} deployment${K > 1 ? "s" : ""}`;
    ui.picture("Deployments against the logarithm of the batch size, both on logarithmic axes. What is needed and what is enough fall side by side, on both sides of H over the logarithm with base d - 1", 300, (picture) => {
      const at = now(), last = Math.ceil(STEPS * Math.log10(at.one)), log = Math.log10;
      const axes = picture.axes({ x: [0, last / STEPS], y: [0, log(at.H)], xlog: true, ylog: true, xlabel: "log_{d} N", ylabel: "deployments K" });
      const all = Array.from({ length: 10 * last + 1 }, (_, i) => 10 ** (i / 10 / STEPS));
      const whole = [...new Set(all.map(Math.round))], sides = whole.map((x) => [log(x), ...both(at, x)]);
      if (at.d > 2) axes.line(all.filter((x) => pace(at, x) <= at.H && pace(at, x) >= 1).map((x) => [log(x), log(at.H / pace(at, x))]), "green dotted");
      if (at.polynomial < at.one) axes.up(log(at.polynomial), "grey dashed thin");
      axes.step(sides.map(([x, K]) => [x, log(K)]), "orange");
      axes.step(sides.filter(([, , K]) => K).map(([x, , K]) => [x, log(K)]), "blue");
      const [below, above] = both(at, at.x);
      axes.dot(log(at.x), log(below), "orange", 7);
      if (above) axes.dot(log(at.x), log(above), "blue", 5);
    });
    ui.legend([["orange", "needed by every algorithm on some instance"], ["blue", "enough on every instance"], ["green dotted", "H / log_{d−1} N, for d ≥ 3"], ["grey dashed thin", "the polynomial of the law"]]);
    fit();
    return () => {
      const at = now(), [below, above] = both(at, at.x), from = (value) => `${at.d}^{${big(Number(value.toFixed(1)))}}`;
      const ratio = (K) => ((K * pace(at, at.x)) / at.H).toFixed(2);
      let words = `Deployments of N = ${at.d}^{${big(at.x)}} trajectories, H = ${big(at.H)} layers: `;
      if (!above) words += `every algorithm needs at least ${many(below)} on some instance. No number is proved to be enough below N = ${from(Math.min(at.polynomial, at.one))}.`;
      else if (above === below) words += `${above === 1 ? "one deployment is" : `exactly ${many(above)} are`} enough and necessary.`;
      else words += `every algorithm needs at least ${many(below)} on some instance, and ${big(above)} are enough on every instance.`;
      if (at.d > 2 && above > 1) words += ` So K log_{${at.d - 1}} N / H lies between ${ratio(below)} and ${ratio(above)}; it tends to 1 if log N / log Q and H / log_{${at.d - 1}} N tend to infinity.`;
      if (at.d === 2) {
        words += at.polynomial < at.one ? ` At d = 2, two deployments are enough from N = ${from(at.polynomial)} on; one` : " At d = 2, one deployment";
        words += ` is enough from ${from(at.one)} on, and not below ${1 - 2 * data.delta} · 2^{${big(at.H - 1)}}.`;
      }
      ui.tell(words);
      const most = Math.ceil(STEPS * Math.log10(at.one)), rows = Array.from({ length: 13 }, (_, i) => size((i * most) / 12));
      ui.table(["log_{d} N", "K needed", "K enough", ...(at.d > 2 ? ["K log_{d−1} N / H, needed", "K log_{d−1} N / H, enough"] : [])], [...new Set(rows)].map((x) => {
        const found = both(at, x);
        return [big(x), ...found.map((K) => (K ? big(K) : "open")), ...(at.d > 2 ? found.map((K) => (K ? ((K * pace(at, x)) / at.H).toFixed(3) : "open")) : [])];
      }));
    };
  },
});
