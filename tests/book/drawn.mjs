// What breaks the policy of a page, and whether all that is drawn by a script is drawn.

export const listen = (page) => page.addInitScript(() => {
  window.broken = [];
  document.addEventListener("securitypolicyviolation", (event) => window.broken.push(event.effectiveDirective));
});

// Runs in the page.
export async function drawn() {
  const figures = [...document.querySelectorAll(".plotly-figure")], moves = [...document.querySelectorAll(".moves-box")];
  for (const box of [...figures, ...moves]) {
    box.scrollIntoView();
    for (let n = 0; n < 200 && !box.querySelector("svg, canvas"); n += 1) await new Promise((done) => setTimeout(done, 50));
  }
  window.scrollTo(0, 0);
  return {
    broken: window.broken, planted: Boolean(window.planted), formulas: document.querySelectorAll("mjx-container").length,
    figures: figures.length, drawn: figures.filter((box) => box.querySelector("svg")).length,
    moving: moves.length, moved: moves.filter((box) => box.querySelector("svg, canvas")).length,
  };
}
