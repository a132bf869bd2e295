// The game with m arms and one of them tested per deployment: its exact value against the claim of 1/10.
Moves.define("exact_game", {
  formulas: { failure: (m, K) => (K + 1 >= m ? 0 : 1 - (K + 1) / m) },
  start(ui, data) {
    const { failure } = this.formulas, [least, most] = data.arms;
    const arms = ui.slider({ label: "Arms m", min: least, max: most, value: 20, on: () => deployments.limit(0, arms.value) });
    const deployments = ui.slider({ label: "Deployments K", min: 0, max: 20, value: 10 });
    const needed = () => data.needed[arms.value - least];
    ui.picture("Probability of the wrong arm against the number of deployments: a staircase down to zero", 280, (picture) => {
      const [m, K] = [arms.value, deployments.value], axes = picture.axes({ x: [0, m], y: [0, 1], xwhole: true, xlabel: "deployments K", ylabel: "best probability of failure" });
      axes.area([[0, 0], [0, data.level], [Math.floor(m / 2), data.level], [Math.floor(m / 2), 0]], "orange");
      axes.line([[0, data.level], [m, data.level]], "orange dashed");
      axes.step(Array.from({ length: m + 1 }, (_, k) => [k, failure(m, k)]), "blue");
      axes.up(needed(), "green dotted");
      axes.note(needed(), 0.9, `K = ${needed()}`, { anchor: "end", dx: -5 });
      axes.dot(K, failure(m, K), "blue", 7);
    });
    ui.legend([["blue", "exact: 1 − (K + 1)/m"], ["orange dashed", "1/10, claimed up to m/2"], ["green dotted", "failure 1/10 is possible from here"]]);
    return () => {
      const [m, K] = [arms.value, deployments.value], found = failure(m, K), tests = K === 1 ? "1 deployment" : `${K} deployments`;
      ui.tell(`${m} arms, ${tests} and one guess: the best algorithm fails with probability ${found ? `1 − ${K + 1}/${m} = ${Moves.say(found)}` : "0"}. ` +
        `The theorem claims at least 1/10 up to K = ${Math.floor(m / 2)}; in fact this holds up to K = ${needed() - (failure(m, needed()) < data.level - 1e-12 ? 1 : 0)}.`);
      ui.table(["K", "failure"], Array.from({ length: m + 1 }, (_, k) => [k, failure(m, k) ? `${m - k - 1}/${m} = ${Moves.say(failure(m, k))}` : "0"]));
    };
  },
});
