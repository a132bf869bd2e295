// The geometry of the cap: f is turned in the plane of e; prediction, capped and uncapped guess, truth.
Moves.define("cap", {
  formulas: {
    prediction: (degrees, v) => Math.cos((degrees * Math.PI) / 180) * v, // what data on e alone say of f
    capped: (degrees, v, beta, H) => Math.min(Math.cos((degrees * Math.PI) / 180) * v + Math.min(beta * Math.sin((degrees * Math.PI) / 180), H), H),
    repaired: (degrees, v, beta, H) => Math.min(Math.cos((degrees * Math.PI) / 180) * v + beta * Math.sin((degrees * Math.PI) / 180), H),
    // The square of the longest sum of v mu: at most d = 7 by Assumption 1
    measure: (degrees) => 3 + ((1 + Math.abs(Math.cos((degrees * Math.PI) / 180))) / Math.sin((degrees * Math.PI) / 180)) ** 2,
  },
  start(ui, data) {
    const { prediction, capped, repaired, measure } = this.formulas, H = data.horizon;
    const angle = ui.slider({ label: "Angle of f to e", min: 40, max: 140, value: 127, show: (value) => `${value}°` });
    const worth = ui.slider({ label: "Worth of e", min: 4, max: 8, step: 0.1, value: 6.4 });
    const scale = ui.slider({ label: "Bonus scale β", min: 1, max: 40, value: 16 });
    const state = () => [angle.value, worth.value, scale.value, H];
    ui.picture("The features e and f as arrows, and the shadow of f on the line of e", 190, (picture) => {
      const [cx, cy, r] = [picture.width / 2, 150, 125], turn = (angle.value * Math.PI) / 180;
      const [x, y] = [cx + r * Math.cos(turn), cy - r * Math.sin(turn)];
      picture.add("path", { d: `M${cx - r} ${cy}A${r} ${r} 0 0 1 ${cx + r} ${cy}Z`, class: "area grey", style: "opacity:.12" });
      picture.add("path", { d: `M${cx - r - 8} ${cy}H${cx + r + 8}`, class: "line grey thin" });
      picture.add("path", { d: `M${x} ${y}V${cy}`, class: "line grey dashed" });
      picture.add("path", { d: `M${cx} ${cy}H${x}`, class: "line orange thick" });
      picture.arrow(cx, cy, cx + r, cy, "blue");
      picture.arrow(cx, cy, x, y, "red");
      picture.text(cx + r - 12, cy - 8, "e", { kind: "strong" });
      picture.text(x + (angle.value > 90 ? -16 : 8), y + 2, "f", { kind: "strong" });
      picture.text((cx + x) / 2, cy + 18, `${Moves.say(Math.cos(turn), 2)}`, { anchor: "middle" });
    });
    ui.picture("Prediction, capped guess, uncapped guess and truth for f, beside the worth of e", 168, (picture) => {
      const [left, right] = [118, picture.width - 40], at = (value) => left + ((value + 8) / 18) * (right - left);
      const rows = [["prediction for f", prediction(...state()), "orange"], ["+ capped bonus", capped(...state()), "red"], ["+ whole bonus", repaired(...state()), "green"], ["f, in truth", data.best, "grey"]];
      rows.forEach(([words, value, kind], i) => {
        const y = 22 + 28 * i;
        picture.text(left - 8, y + 13, words, { anchor: "end" });
        picture.add("rect", { x: Math.min(at(0), at(value)), width: Math.abs(at(value) - at(0)), y, height: 18, class: `bar ${kind}` });
        picture.text(picture.width - 4, y + 13, Moves.say(value), { anchor: "end" });
      });
      picture.add("path", { d: `M${at(0)} 14V136`, class: "frame" });
      picture.add("path", { d: `M${at(worth.value)} 14V136`, class: "line blue dashed" });
      picture.text(at(worth.value), 152, `worth of e: ${Moves.say(worth.value)}`, { anchor: "middle" });
    });
    return () => {
      const [printed, mended] = [capped(...state()), repaired(...state())], fits = measure(angle.value) <= 7 + 1e-9 || Math.round(data.limit) === angle.value || Math.round(180 - data.limit) === angle.value;
      ui.tell(`Data on e predict ${Moves.say(prediction(...state()))} for f. With the capped bonus the guess is ${Moves.say(printed)}, ` +
        (printed < worth.value ? "below the worth of e: the printed algorithm leaves f alone" : "not below the worth of e: f is tried") + `; with the whole bonus it is ${Moves.say(mended)}${mended >= data.best ? ", above the truth" : mended < worth.value ? ", too little as well: this β is too small" : ""}. ` +
        (fits ? (Math.abs(angle.value - data.limit) < 0.5 ? "This is the angle of the trap, the steepest that Assumption 1 allows." : "Assumption 1 allows this angle.") : "At this angle the measures are longer than √d: Assumption 1 forbids it."));
      ui.table(["angle", "prediction", "capped guess", "whole guess", "a run of the printed algorithm returns (e worth 6.4)"], data.runs.map((row) =>
        [`${row.angle.toFixed(1)}°`, Moves.say(prediction(row.angle, 6.4)), Moves.say(capped(row.angle, 6.4, 200, H)), Moves.say(repaired(row.angle, 6.4, 200, H)), `${row.action}, loses ${Moves.say(row.loss)}`]));
    };
  },
});
