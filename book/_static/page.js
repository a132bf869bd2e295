// The widget bundle calls MathJax 2 by name; the pages load MathJax 3.
window.addEventListener("DOMContentLoaded", () => {
  if (window.MathJax && !window.MathJax.Hub) {
    window.MathJax.Hub = { Queue: (call) => window.MathJax.typesetPromise?.([call[2]]) };
  }
});
// From disk the search may not read other pages to quote from them; it still finds them.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
// A formula within a line cannot be broken; where it is wider than the text it scrolls in a box of its own.
function boxWideFormulas() {
  for (const formula of document.querySelectorAll("article mjx-container:not([display])")) {
    formula.classList.remove("too-wide");
    const room = formula.parentElement.closest("p, li, dd, td, th, div, figcaption, h1, h2, h3").clientWidth;
    formula.classList.toggle("too-wide", formula.getBoundingClientRect().width > room);
  }
}
window.addEventListener("load", () => {
  window.MathJax?.startup?.promise?.then(boxWideFormulas);
  window.addEventListener("resize", boxWideFormulas);
});
