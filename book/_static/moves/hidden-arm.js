// A bandit with one hidden arm: the reader buys K looks beforehand, deploys, sees counts, and names the arm.
Moves.define("hidden_arm", {
  formulas: {
    best: (m, K) => Math.min(1, (K + 1) / m), // chance of the best algorithm to name the arm after K looks, however large N is
    heads: (seed, size, chance) => { // heads among `size` coins
      const draw = Moves.generator(seed);
      let count = 0;
      for (let i = 0; i < size; i++) count += draw() < chance;
      return count;
    },
  },
  start(ui, data) {
    const { best, heads } = this.formulas, m = data.arms.length, buttons = [];
    let [hidden, looks, chosen, bought, named, note, history, rounds] = [0, [], null, null, null, "", [], 0];
    const budget = ui.slider({ label: "Looks you buy, K", min: 0, max: m - 1, value: 5 });
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
      history.push({ won: named === hidden, best: best(m, bought), bought });
      note = `${named === hidden ? "Right" : `Wrong, it was ${label(hidden)}`}. With K = ${bought} looks the best algorithm is right with probability ${bought + 1}/${m}.`;
    });
    ui.button("New round", () => begin());
    function begin() {
      rounds += 1;
      [hidden, looks, bought, named, chosen, note] = [Math.floor(Math.random() * m), [], null, null, null,
        `Round ${rounds}. One of ${m} arms pays with probability ${0.5 + data.bias}, the others with 0.5. Buy looks, choose an arm, deploy; then name the arm.`];
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
    ui.picture("Rounds that you have named rightly, against what the best algorithm wins on average", 190, (picture) => {
      const rounds = Math.max(6, history.length), axes = picture.axes({ x: [0, rounds], y: [0, rounds], xwhole: true, ywhole: true, xlabel: "rounds", ylabel: "rounds won" });
      const total = (key) => history.reduce((sums, round) => [...sums, [sums.length, sums.at(-1)[1] + Number(round[key])]], [[0, 0]]);
      axes.step(total("won"), "blue");
      axes.line(total("best"), "green dashed");
      axes.dot(...total("won").at(-1), "blue");
    });
    ui.legend([["blue", "you"], ["green dashed", "the best algorithm, on average"]]);
    return () => {
      const over = named !== null;
      budget.control.disabled = size.disabled = bought !== null && !over; // both are fixed beforehand
      [deploy.disabled, name.disabled] = [over || left() <= 0 || chosen === null, over || chosen === null];
      buttons.forEach((button, i) => {
        const seen = looks.filter((look) => look.arm === i), words = seen.map((look) => (look.heads / look.size).toFixed(3)).join(", ");
        button.textContent = `${label(i)}: ${words || "not seen"}${over && i === hidden ? " ★" : ""}`;
        button.setAttribute("aria-pressed", String(i === chosen));
      });
      const won = history.filter((round) => round.won).length, expected = history.reduce((sum, round) => sum + round.best, 0);
      const used = looks.reduce((sum, look) => sum + look.size, 0);
      ui.tell(`${note} ${over ? "" : `Looks left: ${left()}, of ${Moves.say(Number(size.value))} trajectories each. `}Trajectories used: ${Moves.say(used)}.` + (history.length ? ` Rounds won: ${won} of ${history.length}; the best algorithm with your looks wins ${Moves.say(expected)} on average.` : "") +
        (over ? ` To be sure, Algorithm 1 takes ${data.first.join(" to ")} deployments here; Algorithm 2, which may mix policies, ${data.second.join(" to ")}.` : ""));
      ui.table(["looks K", "best chance to name it"], Array.from({ length: m }, (_, K) => [K, `${K + 1}/${m} = ${Moves.say(best(m, K))}`]));
    };
  },
});
