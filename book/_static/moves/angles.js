// Two actions whose features draw together: the measures grow, and in the end the better action is not found.
Moves.define("angles", {
  formulas: {},
  start(ui, data) {
    const slider = ui.slider({ label: "Angle", min: 0, max: data.rows.length - 1, value: 3, show: (i) => Moves.say(data.rows[i].angle, 2) });
    const axis = data.rows.map((row) => -Math.log10(row.angle));
    const range = [-0.3, Math.ceil(axis.at(-1))];
    const chart = (label, ylabel, y, ylog, value, extra) => ui.picture(label, 200, (picture) => {
      const axes = picture.axes({ x: range, y, ylog, xlabel: "angle between the two features", ylabel, xticks: [] });
      for (let k = 0; k <= range[1]; k += 2) {
        picture.add("line", { x1: axes.px(k), x2: axes.px(k), y1: axes.y0, y2: axes.y1, class: "grid" });
        picture.text(axes.px(k), axes.y0 + 15, k ? Moves.power(-k) : "1", { anchor: "middle" });
      }
      extra(axes);
      axes.line(data.rows.map((row, i) => [axis[i], value(row)]), "blue");
      data.rows.forEach((row, i) => axes.dot(axis[i], value(row), i === slider.value ? "red" : "blue", i === slider.value ? 7 : 4));
    });
    chart("Suboptimality of the returned policy against the angle", "suboptimality of the returned policy", [0, 1], false, (row) => row.loss, (axes) => axes.across(data.epsilon, "orange dashed"));
    chart("Length of the measures against the angle", "longest sum of v μ (power of ten)", [0, Math.ceil(Math.log10(data.rows.at(-1).longest))], true, (row) => Math.log10(row.longest), (axes) => axes.across(Math.log10(data.limit), "green dashed"));
    ui.legend([["blue", "runs at N = 10¹⁴"], ["orange dashed", "ε"], ["green dashed", "√d, what Assumption 1 has to ask for"]]);
    return () => {
      const row = data.rows[slider.value];
      ui.tell(`At the angle ${Moves.say(row.angle, 2)} the total mass has length ${Moves.say(row.total)}, at most √d, but the longest sum of v μ is ${Moves.say(row.longest)}, ` +
        `${row.longest > data.limit + 1e-9 ? "longer than √d" : "just √d"}. After ${row.deployments} deployments the algorithm ${row.loss > data.epsilon ? `stops with the wrong action and loses ${Moves.say(row.loss, 2)}` : "has found the better action"}.`);
      ui.table(["angle", "longest sum of v μ", "total mass", "deployments", "suboptimality"], data.rows.map((each) =>
        [Moves.say(each.angle, 2), Moves.say(each.longest), Moves.say(each.total), each.deployments, Moves.say(each.loss)]));
    };
  },
});
