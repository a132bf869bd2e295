// Sample sizes of Algorithm 1: N for every step (a) to (e), against the trade-off c_K. The same formulas as
// derl.theory.layerwise.samples, in logarithms, so that N may be as large as it likes.
(() => {
  const addExp = (x, y) => Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)));
  const VERSIONS = ["explicit", "sharp", "flat", "chernoff", "covering", "share"];
  const SHARES = Array.from({ length: 15 }, (_, i) => 1 - 0.5 * 2 ** (-i / 2));
  const UNITS = Array.from({ length: 81 }, (_, i) => 10 ** (-3 + i / 20));
  const deployments = (d, H, c) => Math.floor(c * d * H) + 1;

  // x with step(x) <= x, from below; step grows like a logarithm
  function fixed(step, start) {
    let x = start;
    for (let turn = 0; turn < 200; turn++) {
      const next = step(x);
      if (!(next > x + 1e-11 * (1 + Math.abs(x)))) return x;
      x = next;
    }
    return x;
  }
  // beta of the covering argument, for n = exp(logSamples) earlier trajectories; least over the grid of u, by trisection
  function covering(d, H, delta, logSamples) {
    if (d === 1 || logSamples === -Infinity) return H * Math.sqrt(d);
    const at = (i) => {
      const u = d * UNITS[i], spread = (d / 2) * addExp(0, logSamples - Math.log(d)) + Math.log((2 * H) / delta) + d * addExp(0, logSamples + Math.log(4 / u));
      return fixed((scale) => Math.sqrt(d) + u + Math.sqrt((spread + ((d * (d + 1)) / 2) * addExp(0, Math.log((8 * scale) / u) + 0.5 * (Math.log(d) + logSamples))) / 2), Math.sqrt(d));
    };
    let [low, high] = [0, UNITS.length - 1];
    while (high - low > 2) {
      const [one, two] = [low + Math.floor((high - low) / 3), high - Math.floor((high - low) / 3)];
      if (at(one) <= at(two)) high = two; else low = one;
      if (high - low === 2 && one === two) break;
    }
    const least = Math.min(...Array.from({ length: high - low + 1 }, (_, i) => at(low + i)));
    return H * Math.min(least, Math.sqrt(d) + Math.exp(Math.min(0.5 * logSamples, 700)));
  }
  function scale(version, d, H, delta, K, logN) {
    if (version === "covering" || version === "share") return covering(d, H, delta, K > 1 ? logN + Math.log(K - 1) : -Infinity);
    return 1.5 * d * H * Math.sqrt(Math.log((2 * d * K * H) / delta) + logN);
  }
  function needs(version, share, d, H, epsilon, delta, c, K, logN) {
    const beta = scale(version, d, H, delta, K, logN), layered = version === "explicit" || version === "sharp";
    const logX = 2 * Math.log((share * epsilon) / (2 * beta)) - (layered ? 2 : 1) * Math.log(H);
    let inner = Math.log(c) - c * logX;
    if (version === "explicit") inner += Math.log(H) + c * Math.log(d * Math.max(Math.log(H * d) - logX, Math.log(2)));
    else if (version !== "sharp") inner += Math.log(H);
    const union = Math.log(Math.log((2 * K) / delta)) - 2 * Math.log(1 - share), each = (beta * H) / epsilon;
    const test = VERSIONS.indexOf(version) < 3 ? Math.log(2) + 2 * Math.log(each) + union : Math.log(4 * each) + union;
    return Math.max(inner / (c - 1), test, 0);
  }
  // log10 N of a version
  function size(d, H, epsilon, delta, c, version) {
    const K = deployments(d, H, c), shares = version === "share" ? SHARES : [0.5];
    return Math.min(...shares.map((share) => fixed((logN) => needs(version, share, d, H, epsilon, delta, c, K, logN), 0))) / Math.LN10;
  }

  Moves.define("dial", {
    formulas: { size, deployments, covering },
    start(ui, data) {
      const kinds = ["grey dashed", "red", "orange dashed", "purple", "green dotted", "blue thick"];
      const dim = ui.slider({ label: "Dimension d", min: 2, max: 50, value: 10 });
      const horizon = ui.slider({ label: "Horizon H", min: 2, max: 50, value: 10 });
      const accuracy = ui.slider({ label: "Accuracy ε", min: -3, max: 0, step: 0.1, value: -1, show: (log) => Moves.say(10 ** log, 2) });
      const trade = ui.slider({ label: "Trade-off c_{K}", min: 1.5, max: 12, step: 0.5, value: 3 });
      const grid = [1.5, 1.75, 2, 2.5, 3, 4, 6, 8, 10, 12];
      let curves = [];
      const values = (c) => VERSIONS.map((version) => size(dim.value, horizon.value, 10 ** accuracy.value, data.delta, c, version));
      ui.picture("Trajectories per deployment now, for the printed proof and after each step", 36 * VERSIONS.length + 4, (picture) => {
        picture.powers(values(trade.value).map((value, i) => [data.names[VERSIONS[i]], value, kinds[i].split(" ")[0]]), Math.max(40, values(trade.value)[0]));
      });
      ui.picture("Trajectories per deployment against the trade-off, for the printed proof and for the steps (a) to (e)", 300, (picture) => {
        const highest = Math.ceil(Math.max(...curves.map((row) => row[0])) / 5) * 5;
        const lowest = Math.max(0, Math.floor(Math.min(...curves.map((row) => row[5])) / 5) * 5);
        const axes = picture.axes({ x: [1.5, 12], y: [lowest, highest], ylog: true, xlabel: "trade-off c_{K}", ylabel: "trajectories N per deployment" });
        VERSIONS.forEach((_, i) => axes.line(grid.map((c, j) => [c, curves[j][i]]), kinds[i]));
        axes.up(trade.value, "grey thin");
        values(trade.value).forEach((value, i) => axes.dot(trade.value, value, kinds[i].split(" ")[0]));
      });
      ui.legend(VERSIONS.map((version, i) => [kinds[i], data.names[version]]));
      return () => {
        curves = grid.map(values);
        const now = values(trade.value), K = deployments(dim.value, horizon.value, trade.value);
        ui.tell(`K = ${K} deployments, that is c_{K} dH + 1. The printed proof requires N = ${Moves.say(10 ** now[0], 2)}, all steps together require ${Moves.say(10 ** now[5], 2)}: ${Moves.say(10 ** (now[0] - now[5]), 2)} times fewer. In all ${Moves.say(K * 10 ** now[5], 2)} trajectories.`);
        ui.table(["c_{K}", "K", ...VERSIONS.map((version) => `log_{10} N, ${data.names[version]}`)], grid.map((c, j) =>
          [c, deployments(dim.value, horizon.value, c), ...curves[j].map((value) => value.toFixed(2))]));
      };
    },
  });
})();
