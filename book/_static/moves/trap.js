// The trap: the reward of E against the capped and the uncapped guess for f.
Moves.define("trap", {
  formulas: {
    worth: (reward) => 8 * reward,
    // What Algorithm 1 believes f to be worth once e is known: the prediction -cosine v, a bonus beta b, the caps.
    capped: (cosine, v, bonus, horizon) => Math.min(-cosine * v + Math.min(bonus, horizon), horizon),
    repaired: (cosine, v, bonus, horizon) => Math.min(-cosine * v + bonus, horizon),
  },
  start(ui, data) {
    const { worth, capped, repaired } = this.formulas;
    const version = ui.choice({ label: "Bonus", value: "as-printed",
      options: [["as-printed", "capped at H, as printed"], ["repaired", "not capped, repaired"]] });
    const slider = ui.slider({ label: "Reward of E", min: 0, max: data.rewards.length - 1,
      value: data.rewards.indexOf(0.8), show: (i) => data.rewards[i].toFixed(2) });
    const large = 1e3; // beta b of f, far above H once beta is that of the algorithm
    const guess = (r) => (version.value === "repaired" ? repaired : capped)(data.cosine, worth(r), large, data.horizon);
    const run = (r, v = version.value) => data.runs.find((row) => row.reward === r && row.version === v);

    ui.picture("What e is worth and what f is believed to be worth, against the reward of E", 270, (picture) => {
      const r = data.rewards[slider.value], [low, high] = [data.rewards[0], data.rewards.at(-1)];
      const axes = picture.axes({ x: [low, high], y: [4, 10.5], xlabel: "reward of E in each layer", ylabel: "value of the choice at C", yticks: [4, 6, 8, 10] });
      axes.line([[low, data.best], [high, data.best]], "grey dotted");
      axes.line([[low, worth(low)], [high, worth(high)]], "blue");
      axes.line([[low, guess(low)], [high, guess(high)]], "red dashed");
      axes.up(r, "grey thin");
      axes.dot(r, worth(r), "blue", 6);
      axes.dot(r, guess(r), "red", 6);
    });
    ui.legend([["blue", "e, known from data: 8 r"], ["red dashed", "f, as the algorithm believes"], ["grey dotted", "f, in truth: 8"]]);
    ui.picture("State C and its two actions; the one that the algorithm returns is drawn thick", 120, (picture) => {
      const found = run(data.rewards[slider.value]), w = picture.width;
      for (const [action, y] of [["e", 25], ["f", 95]]) {
        const chosen = found.action === action;
        picture.arrow(w * 0.2 + 18, 60, w * 0.62 - 18, y, chosen ? "green thick" : "grey");
        picture.add("circle", { cx: w * 0.62, cy: y, r: 15, class: `dot ${chosen ? "green" : "sky"}` });
        picture.text(w * 0.62, y + 4, action === "e" ? "E" : "F", { anchor: "middle", kind: "onmark strong" });
        picture.text(w * 0.41, y + (action === "e" ? -2 : 10), action, { anchor: "middle", kind: chosen ? "strong" : "" });
        picture.text(w * 0.62 + 22, y + 4, action === "e" ? `worth ${Moves.say(worth(data.rewards[slider.value]))}` : "worth 8");
      }
      picture.add("circle", { cx: w * 0.2, cy: 60, r: 15, class: "dot sky" });
      picture.text(w * 0.2, 64, "C", { anchor: "middle", kind: "onmark strong" });
    });
    return () => {
      const r = data.rewards[slider.value], found = run(r);
      const sign = guess(r) < worth(r) ? "less than" : "more than";
      const loses = found.loss > 0 ? `it loses ${Moves.say(found.loss)}${found.loss > data.epsilon ? `, more than ε = ${data.epsilon}: the theorem fails` : `, which ε = ${data.epsilon} allows`}` : "it loses nothing";
      ui.tell(`e is worth ${Moves.say(worth(r))}; f is believed to be worth ${Moves.say(guess(r))}, ${sign} that. The run ${found.tries ? "tries f" : "never tries f"} and returns ${found.action}; ${loses}.`);
      ui.table(["reward of E", "worth of e", "belief in f, printed", "printed returns", "loss", "repaired returns", "loss"], data.rewards.map((reward) => {
        const [printed, mended] = [run(reward, "as-printed"), run(reward, "repaired")];
        return [reward.toFixed(2), Moves.say(worth(reward)), Moves.say(capped(data.cosine, worth(reward), large, data.horizon)), printed.action, Moves.say(printed.loss), mended.action, Moves.say(mended.loss)];
      }));
    };
  },
});
