// On the page of a Coq file a line on which a sentence of a proof ends opens, and shows the goals after it.
window.addEventListener("DOMContentLoaded", () => {
  const { texts, sentences } = JSON.parse(document.getElementById("goals").textContent);
  const shown = (goals) => {
    if (!goals.length) return "no goal left";
    const first = goals[0].map((at) => texts[at]), claim = first.pop();
    return [...first, "─".repeat(24), claim, ...goals.slice(1).map((goal) => `then: ${texts[goal.at(-1)]}`)].join("\n");
  };
  const onLine = sentences.reduce((all, one) => all.set(one[0], [...(all.get(one[0]) ?? []), one]), new Map());
  for (const [line, ended] of onLine) {
    const item = document.getElementById(`L${line}`), box = document.createElement("details");
    const summary = document.createElement("summary");
    summary.append(...item.childNodes);
    box.append(summary);
    box.addEventListener("toggle", () => {
      if (box.childElementCount > 1) return;
      for (const [, said, goals] of ended) {
        const goal = document.createElement("pre");
        goal.textContent = ended.length > 1 ? `after ${said}\n${shown(goals)}` : shown(goals);
        box.append(goal);
      }
    });
    item.append(box);
  }
  document.querySelector("h1").after(Object.assign(document.createElement("p"), { textContent: "A line with a small triangle ends a sentence of a recorded proof: click on it, and it shows the goals that Coq has after this sentence." }));
});
