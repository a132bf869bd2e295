// A lock of a few wheels, opened by trying one code per deployment: the question of the book in half a minute.
(() => {
  // How many leading digits of a code are right
  const passed = (code, hidden) => { const wrong = code.findIndex((digit, j) => digit !== hidden[j]); return wrong < 0 ? code.length : wrong; };
  Moves.define("first_lock", {
    formulas: { passed },
    start(ui, data) {
      const { wheels, digits, chance } = data, code = new Array(wheels).fill(0), buttons = [];
      let hidden, tried, open, note, locks = 0;
      const name = (j) => `Wheel ${j + 1}: ${code[j]}`;
      for (let j = 0; j < wheels; j++) {
        buttons.push(ui.button(name(j), () => {
          code[j] = (code[j] + 1) % digits;
          buttons[j].textContent = name(j);
          note = `The next deployment tries ${code.join("-")}.`;
        }));
      }
      const deploy = ui.button("Deploy", () => {
        const right = passed(code, hidden);
        tried.push({ code: [...code], right });
        open = right === wheels;
        note = open ? `Open after ${tried.length} deployment${tried.length > 1 ? "s" : ""}. The best strategy has opened it by then with probability ${Moves.say(chance[Math.min(tried.length, chance.length - 1)])}.`
          : `Deployment ${tried.length}: every trajectory with ${code.join("-")} ends at wheel ${right + 1}. ${right ? `Wheel${right > 1 ? "s" : ""} 1${right > 1 ? ` to ${right}` : ""} ${right > 1 ? "are" : "is"} right. ` : ""}Wheels after wheel ${right + 1} were not tested.`;
      });
      ui.button("New lock", () => begin());
      function begin() {
        hidden = Array.from({ length: wheels }, () => Math.floor(Math.random() * digits));
        [tried, open] = [[], false];
        locks += 1;
        note = `Lock ${locks}. A new code of ${wheels} digits between 0 and ${digits - 1} is hidden. Choose a digit for each wheel, then deploy.`;
      }
      begin();
      ui.picture("The wheels, and how far each deployment got", () => 42 + 24 * Math.min(Math.max(tried.length, 1), chance.length), (picture) => {
        const w = Math.min(70, (picture.width - 120) / wheels), from = 96;
        picture.text(2, 22, "next code");
        if (!tried.length) picture.text(2, 52, "no deployment yet");
        code.forEach((digit, j) => {
          picture.add("rect", { x: from + j * w, y: 4, width: w - 6, height: 26, rx: 5, class: "bar grey", style: "opacity:.25" });
          picture.text(from + j * w + (w - 6) / 2, 22, String(digit), { anchor: "middle", kind: "large" });
        });
        tried.slice(-chance.length).forEach((one, i) => {
          const y = 36 + 24 * i, number = tried.length - Math.min(tried.length, chance.length) + i + 1;
          picture.text(2, y + 15, `deployment ${number}`);
          one.code.forEach((digit, j) => {
            const kind = j < one.right ? "green" : j === one.right ? "red" : "grey";
            picture.add("rect", { x: from + j * w, y, width: w - 6, height: 20, rx: 4, class: `bar ${kind}`, style: kind === "grey" ? "opacity:.15" : "" });
            picture.text(from + j * w + (w - 6) / 2, y + 15, j > one.right ? "?" : String(digit), { anchor: "middle", kind: kind === "grey" ? "" : "onmark" });
          });
        });
      });
      ui.legend([["green thick", "right"], ["red thick", "wrong: the trajectory ends here"], ["grey thick", "not tested"]]);
      return () => {
        for (const button of [...buttons, deploy]) button.disabled = open;
        ui.tell(note);
        ui.table(["deployments", "the best strategy has opened the lock"], chance.map((value, k) => [k, Moves.say(value)]));
      };
    },
  });
})();
