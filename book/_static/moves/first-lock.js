// A lock of a few wheels, opened by trying one code per deployment: the question of the book in half a minute.
(() => {
  // How many leading digits of a code are right
  const passed = (code, hidden) => { const wrong = code.findIndex((digit, j) => digit !== hidden[j]); return wrong < 0 ? code.length : wrong; };
  Moves.define("first_lock", {
    formulas: { passed },
    start(ui, data) {
      const { wheels, digits, chance } = data, code = new Array(wheels).fill(0);
      const labels = Array.from({ length: digits }, (_, digit) => String(digit));
      let hidden, tried, open, note, locks = 0;
      const lock = new Moves.wheels.Lock(ui, { name: "The wheels of the lock", labels, n: wheels, chosen(j, digit) {
        code[j] = digit;
        note = `The next deployment tries ${code.join("-")}.`;
      } });
      const deploy = ui.button("Deploy", () => {
        const right = passed(code, hidden);
        tried.push({ code: [...code], right });
        open = right === wheels;
        lock.show({ states: Moves.wheels.tried(code, hidden), opened: open, still: open });
        note = open ? `Open after ${tried.length} deployment${tried.length > 1 ? "s" : ""}. The best strategy has opened it by then with probability ${Moves.say(chance[Math.min(tried.length, chance.length - 1)])}.`
          : `Deployment ${tried.length}: every trajectory with ${code.join("-")} ends at wheel ${right + 1}. ${right ? `Wheel${right > 1 ? "s" : ""} 1${right > 1 ? ` to ${right}` : ""} ${right > 1 ? "are" : "is"} right. ` : ""}Wheels after wheel ${right + 1} were not tested.`;
      });
      ui.button("New lock", () => begin());
      function begin() {
        hidden = Array.from({ length: wheels }, () => Math.floor(Math.random() * digits));
        [tried, open] = [[], false];
        locks += 1;
        lock.show({ states: new Array(wheels).fill(""), opened: false, still: false });
        note = `Lock ${locks}. A new code of ${wheels} digits between 0 and ${digits - 1} is hidden. Turn the wheels, then deploy.`;
      }
      begin();
      ui.picture("How far each deployment got", () => 28 * Math.min(Math.max(tried.length, 1), chance.length), (picture) => {
        const left = (picture.width - 96 - Moves.wheels.STEP * wheels) / 2;
        if (!tried.length) picture.text(picture.width / 2, 16, "no deployment yet", { anchor: "middle" });
        tried.slice(-chance.length).forEach((one, i) => {
          const number = tried.length - Math.min(tried.length, chance.length) + i + 1, states = Moves.wheels.tried(one.code, hidden);
          picture.text(left, 28 * i + 16, `deployment ${number}`);
          one.code.forEach((digit, j) => Moves.wheels.draw(picture.svg, Moves.wheels.cell("", left + 96 + Moves.wheels.STEP * j, 28 * i, String(digit), states[j])));
        });
      });
      ui.legend([["green thick", "✓ right"], ["red thick", "✕ wrong: the trajectory ends here"], ["grey thick", "? not tested"]]);
      return () => {
        deploy.disabled = open;
        ui.tell(note);
        ui.table(["deployments", "the best strategy has opened the lock"], chance.map((value, k) => [k, Moves.say(value)]));
      };
    },
  });
})();
