// A bandit with one hidden arm: the reader buys K looks beforehand, deploys, sees counts, and names the arm.
Moves.define("hidden_arm", {
  formulas: {
    best: (m, K) => Math.min(1, (K + 1) / m), // chance of the best algorithm to name the arm after K looks, however large N is
    price: (K) => (K * (K + 1)) / 2, // the i-th look costs i points
    worth: (m, K, prize) => (prize * Math.min(1, (K + 1) / m)) - (K * (K + 1)) / 2, // points of the best algorithm with K looks, on average
    heads: (seed, size, chance) => { // heads among `size` coins
      const draw = Moves.generator(seed);
      let count = 0;
      for (let i = 0; i < size; i++) count += draw() < chance;
      return count;
    },
  },
  start(ui, data) {
    const { best, price, worth, heads } = this.formulas, m = data.arms.length, buttons = [];
    const finest = Math.max(...Array.from({ length: m }, (_, K) => worth(m, K, data.prize))), ideal = Array.from({ length: m }, (_, K) => K).filter((K) => worth(m, K, data.prize) === finest);
    let [hidden, looks, chosen, bought, named, note, history, rounds] = [0, [], null, null, null, "", [], 0];
    const budget = ui.slider({ label: "Looks you buy, K", min: 0, max: m - 1, value: 2, show: (K) => `${K}, for ${price(K)}` });
    const size = ui.choice({ label: "Trajectories N", options: data.sizes.map((n) => [n, Moves.say(n)]), value: data.sizes[1] });
    const label = (i) => `layer ${data.arms[i][0] + 1}, arm ${data.arms[i][1]}`;
    const left = () => (bought ?? budget.value) - looks.length;
    const deploy = ui.button("Deploy the chosen arm", () => {
      bought ??= budget.value;
      const chance = 0.5 + (chosen === hidden ? data.bias : 0);
      looks.push({ arm: chosen, heads: heads(Math.floor(Math.random() * 2 ** 32), Number(size.value), chance), size: Number(size.value) });
      note = `Deployment ${looks.length} of ${bought}: ${label(chosen)} pays in ${looks.at(-1).heads} of ${Number(size.value)} trajectories, ${(looks.at(-1).heads / Number(size.value)).toFixed(3)} of them.`;
    });
    const name = ui.button("Name the chosen arm", () => {
      bought ??= budget.value;
      named = chosen;
      history.push({ points: (named === hidden ? data.prize : 0) - price(bought), ideal: finest, bought });
      note = `${named === hidden ? "Right" : `Wrong, it was ${label(hidden)}`}: ${history.at(-1).points} points. With K = ${bought} looks the best algorithm is right with probability ${bought + 1}/${m} and gets ${Moves.say(worth(m, bought, data.prize))} points on average. The best purchase is ${ideal.join(" or ")} looks, worth ${Moves.say(finest)} points on average.`;
    });
    ui.button("New round", () => begin());
    function begin() {
      rounds += 1;
      [hidden, looks, bought, named, chosen, note] = [Math.floor(Math.random() * m), [], null, null, null,
        `Round ${rounds}. One of ${m} arms pays with probability ${0.5 + data.bias}, the others with 0.5. The right name earns ${data.prize} points; the first look costs 1 point, the second 2, and so on. Buy looks, choose an arm, deploy; then name the arm.`];
    }
    begin();
    const grid = Moves.make("div", { class: "moves-grid", role: "group", "aria-label": "the arms", style: `--columns:${data.actions}` });
    data.arms.forEach((_, i) => {
      const button = Moves.make("button", { type: "button" });
      button.addEventListener("click", () => { chosen = i; ui.changed(); });
      grid.append(button);
      buttons.push(button);
    });
    ui.stage.append(grid);
    ui.picture("Your points, round after round, against the best purchase on average", 190, (picture) => {
      const total = (key) => history.reduce((sums, round) => [...sums, [sums.length, sums.at(-1)[1] + round[key]]], [[0, 0]]);
      const [mine, ideals] = [total("points"), total("ideal")], rounds = Math.max(6, history.length), values = [...mine, ...ideals].map(([, value]) => value);
      const axes = picture.axes({ x: [0, rounds], y: [Math.min(0, ...values), Math.max(finest * rounds, ...values)], xwhole: true, xlabel: "rounds", ylabel: "points" });
      axes.step(mine, "blue");
      axes.line([[0, 0], [rounds, finest * rounds]], "green dashed");
      axes.dot(...mine.at(-1), "blue");
    });
    ui.legend([["blue", "you"], ["green dashed", "the best purchase, on average"]]);
    return () => {
      const over = named !== null;
      budget.control.disabled = size.disabled = bought !== null && !over; // both are fixed beforehand
      [deploy.disabled, name.disabled] = [over || left() <= 0 || chosen === null, over || chosen === null];
      buttons.forEach((button, i) => {
        const seen = looks.filter((look) => look.arm === i), words = seen.map((look) => (look.heads / look.size).toFixed(3)).join(", ");
        button.textContent = `${label(i)}: ${words || "not seen"}${over && i === hidden ? " ★" : ""}`;
        button.setAttribute("aria-pressed", String(i === chosen));
      });
      const points = history.reduce((sum, round) => sum + round.points, 0);
      const used = looks.reduce((sum, look) => sum + look.size, 0);
      ui.tell(`${note} ${over ? "" : `Looks left: ${left()}, of ${Moves.say(Number(size.value))} trajectories each. `}Trajectories used: ${Moves.say(used)}.` + (history.length ? ` Points: ${points} in ${history.length} round${history.length > 1 ? "s" : ""}; the best purchase gets ${Moves.say(finest * history.length)} on average.` : "") +
        (over ? ` Algorithm 1 takes ${data.first.join(" to ")} deployments here, more than one per arm: it does not know that the model is a bandit, explores layer after layer until no direction is uncertain, and spends one deployment more per layer to confirm that. Algorithm 2, which may mix policies, takes ${data.second.join(" to ")}.` : ""));
      ui.table(["looks K", "best chance to name it", "cost in points", "points on average"], Array.from({ length: m }, (_, K) => [K, `${K + 1}/${m} = ${Moves.say(best(m, K))}`, price(K), Moves.say(worth(m, K, data.prize))]));
    };
  },
});
