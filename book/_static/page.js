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
