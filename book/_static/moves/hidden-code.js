// A combination lock: each deployment tries N codes; the reader fixes wheels or leaves them to chance, and sees counts.
(() => {
  const ANY = -1;
  // Leading digits of a path that are right
  const matched = (path, code) => { const wrong = path.findIndex((digit, j) => digit !== code[j]); return wrong < 0 ? code.length : wrong; };
  // How many codes reached each wheel with all earlier digits right, and which digits they showed there
  function counts(paths, code, d) {
    const table = code.map(() => ({ reached: 0, passed: 0, tried: new Array(d).fill(0) }));
    for (const path of paths) {
      const right = matched(path, code);
      for (let j = 0; j <= Math.min(right, code.length - 1); j++) {
        table[j].reached += 1;
        table[j].tried[path[j]] += 1;
        if (j < right) table[j].passed += 1;
      }
    }
    return table;
  }
  // What a wheel may show in the next batch: a digit that is fixed, every digit, or every digit not yet seen to be wrong
  function allowed(digit, wheel, d, exclude) {
    if (digit !== ANY) return [digit];
    const all = Array.from({ length: d }, (_, value) => value);
    return exclude ? all.filter((value) => !wheel.wrong.has(value)) : all;
  }
  Moves.define("hidden_code", {
    formulas: { matched, counts, allowed: (digit, wrong, d, exclude) => allowed(digit, { wrong: new Set(wrong) }, d, exclude) },
    start(ui, data) {
      let [code, policy, deployments, seen, open, helped, note, locks] = [[], [], 0, [], false, false, "", 0], history = data.levels.map(() => []);
      const choice = ui.choice({ label: "Lock", on: () => begin(), value: 1,
        options: data.levels.map((level, i) => [i, `${level.n} wheels, ${level.d} digits, N = ${level.size}`]) });
      const level = () => data.levels[choice.value];
      const draws = ui.choice({ label: "“any” draws", options: [["all", "every digit"], ["left", "digits not shown wrong"]], on: () => {
        note = draws.value === "left" ? "A wheel at “any” now draws among the digits that no batch has shown to be wrong there." : "A wheel at “any” now draws among all digits, wrong ones included.";
      } });
      const labels = () => ["any", ...Array.from({ length: level().d }, (_, value) => String(value))];
      const wheels = new Moves.wheels.Lock(ui, { name: "The policy, wheel by wheel", labels: labels(), n: level().n, chosen(j, index) {
        policy[j] = index + ANY;
        note = `Wheel ${j + 1} is ${policy[j] === ANY ? "left to chance" : `set to ${policy[j]}`}.`;
      } });
      const deploy = ui.button("Deploy", () => {
        const { d, n, size } = level();
        const paths = Array.from({ length: size }, () => policy.map((digit, j) => {
          const possible = allowed(digit, seen[j], d, size > 1 && draws.value === "left");
          return possible[Math.floor(Math.random() * possible.length)];
        }));
        const found = counts(paths, code, d);
        deployments += 1;
        found.forEach((wheel, j) => wheel.tried.forEach((times, digit) => {
          if (times) (digit === code[j] ? (seen[j].right = digit) : seen[j].wrong.add(digit));
        }));
        const front = Math.max(...paths.map((path) => matched(path, code)));
        open = front === n;
        note = `Deployment ${deployments}: the best of ${size} code${size > 1 ? "s" : ""} got ${front} of ${n} wheels right.${size > 1 ? ` Codes that passed, wheel by wheel: ${found.map((wheel) => wheel.passed).join(", ")}.` : ""}`;
        wheels.show({ states: states(), opened: open, still: open });
        if (open && !helped) history[choice.value].push(deployments);
      });
      const use = ui.button("Hint: set what is known", () => {
        helped = level().size === 1; // on the small lock that is the whole game
        seen.forEach((wheel, j) => {
          const left = Array.from({ length: level().d }, (_, digit) => digit).filter((digit) => !wheel.wrong.has(digit));
          policy[j] = wheel.right ?? (left.length === 1 ? left[0] : policy[j]);
        });
        note = `Wheels that the data settle are set; the others stay as you had them.${helped ? " A small lock that is opened with hints does not count." : ""}`;
        build();
      });
      ui.button("New lock", () => begin());
      // What the data say about the labels in the windows
      const states = () => policy.map((digit, j) => (digit === ANY ? "" : digit === seen[j].right ? "right" : seen[j].wrong.has(digit) ? "wrong" : ""));
      function build() {
        wheels.build(labels(), level().n);
        wheels.show({ indices: policy.map((digit) => digit - ANY), states: states(), opened: open, still: open });
      }
      function begin() {
        const { d, n, size } = level();
        code = Array.from({ length: n }, () => Math.floor(Math.random() * d));
        [policy, deployments, open, helped] = [new Array(n).fill(ANY), 0, false, false];
        seen = code.map(() => ({ right: null, wrong: new Set() }));
        locks += 1;
        note = `Lock ${locks}. A code of ${n} digits is hidden. Turn a wheel to a digit or leave it at “any”: then ${size > 1 ? `each of the ${size} codes of the batch draws its own digit there` : "the code draws a digit there"}. ${size > 1 ? "Every" : "The"} code shows how far it got.`;
        build();
      }
      begin();
      ui.picture("Which digits the data have shown to be right or wrong, wheel by wheel", 44, (picture) => {
        const from = (picture.width - Moves.wheels.STEP * seen.length) / 2;
        seen.forEach((wheel, j) => {
          const x = from + Moves.wheels.STEP * (j + 0.5);
          picture.text(x, 12, wheel.right !== null ? `it is ${wheel.right}` : wheel.wrong.size ? "not" : "?", { anchor: "middle", kind: wheel.right !== null ? "strong" : "" });
          if (wheel.right === null && wheel.wrong.size) picture.text(x, 28, wheel.wrong.size > 4 ? `${wheel.wrong.size} of ${level().d}` : [...wheel.wrong].sort().join(" "), { anchor: "middle" });
        });
      });
      ui.picture("Probability that the lock is open after K deployments, and where you opened it", 230, (picture) => {
        const { best, uniform } = level(), mine = history[choice.value], last = Math.max(8, ...mine, deployments);
        const axes = picture.axes({ x: [0, last], y: [0, 1], xwhole: true, xlabel: "deployments K", ylabel: "P(open within K)" });
        const points = (values) => Array.from({ length: last + 1 }, (_, k) => [k, values[Math.min(k, values.length - 1)]]);
        axes.line(points(best), "green dashed");
        axes.line(points(uniform), "grey");
        if (mine.length) axes.step(points(Array.from({ length: last + 1 }, (_, k) => mine.filter((K) => K <= k).length / mine.length)), "blue");
        axes.up(Math.min(last, deployments), "red thin");
      });
      ui.legend([["blue", "your locks"], ["green dashed", "the exact optimum over all algorithms"], ["grey", "uniform search that forgets wrong digits"], ["red thin", "deployments so far"]]);
      return () => {
        const at = level(), mine = history[choice.value], average = mine.reduce((sum, K) => sum + K, 0) / mine.length;
        deploy.disabled = open;
        use.disabled = open || deployments === 0;
        draws.disabled = at.size === 1;
        const score = mine.length ? ` Over ${mine.length} lock${mine.length > 1 ? "s" : ""} you take ${Moves.say(average)} on average; the optimum is ${Moves.say(at.least)}, uniform search takes ${Moves.say(at.average)}.` : " This lock does not count, because a hint was used.";
        ui.tell(note + ` Trajectories used: ${Moves.say(deployments * at.size)}.` + (!open ? "" :
          ` Open after K = ${deployments}: the best algorithm has opened it by then with probability ${Moves.say(at.best[Math.min(deployments, at.best.length - 1)])}.${score} ` +
          `To play optimally, fix each wheel that is known, and never draw a digit that was shown wrong. Algorithm 1 takes ${at.first} deployments and Algorithm 2 takes ${at.second}: they learn the whole model, layer after layer, and they do not know that it is a lock.`));
        ui.table(["K", "exact optimum", "uniform search"], at.best.slice(0, 16).map((value, k) => [k, Moves.say(value), Moves.say(at.uniform[k])]));
      };
    },
  });
})();
