// What a statement rests on (down) and what rests on it (up) stands out while the pointer or the focus is on it.
document.addEventListener("DOMContentLoaded", () => {
  for (const graph of document.querySelectorAll(".derl-graph")) {
    const svg = graph.querySelector("svg");
    const edges = [...svg.querySelectorAll(".edge")];
    const marks = new Map([...svg.querySelectorAll(".mark")].map((mark) => [mark.dataset.key, mark]));
    const said = graph.querySelector(".said");
    const legend = said?.innerHTML;
    const whole = Boolean(said); // the overview follows all lines, the diagram of a page one step
    const clear = () => {
      svg.classList.remove("looking");
      for (const item of [...edges, ...marks.values()]) item.classList.remove("down", "up", "self");
      if (said) said.innerHTML = legend;
    };
    const follow = (key, from, to, name) => {
      const seen = new Set([key]);
      const todo = [key];
      while (todo.length) {
        const at = todo.pop();
        for (const edge of edges) {
          if (edge.dataset[from] !== at || edge.classList.contains("repair")) continue;
          edge.classList.add(name);
          const next = edge.dataset[to];
          if (!seen.has(next)) {
            seen.add(next);
            marks.get(next)?.classList.add(name);
            if (whole) todo.push(next);
          }
        }
      }
      return seen.size - 1;
    };
    const look = (key) => {
      clear();
      if (!marks.has(key)) return;
      svg.classList.add("looking");
      marks.get(key).classList.add("self");
      const below = follow(key, "from", "to", "down");
      const above = follow(key, "to", "from", "up");
      if (said) {
        const link = document.createElement("a");
        link.href = marks.get(key).getAttribute("href");
        link.textContent = marks.get(key).getAttribute("aria-label");
        said.replaceChildren(link, ` rests on ${below}, carries ${above}`);
      }
    };
    for (const item of graph.querySelectorAll("[data-key]")) {
      item.addEventListener("pointerenter", () => look(item.dataset.key));
      item.addEventListener("focus", () => look(item.dataset.key));
      item.addEventListener("pointerleave", clear);
      item.addEventListener("blur", clear);
    }
  }
});
