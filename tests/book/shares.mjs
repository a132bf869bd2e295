// Of what the height of a page consists, in pixels.

// Runs in the page. A card is what stands of a statement beside its text and its proof.
export function shares() {
  const sums = { cards: 0, statements: 0, proofs: 0, figures: 0, interactives: 0, tables: 0, code: 0, prose: 0 };
  const kinds = [
    ["interactives", ".plotly-figure, .jupyter-widgets, .widget-subarea, .derl-graph, .moves"],
    ["figures", "figure, img, svg"],
    ["tables", "table, .table-box"],
    ["code", ".cell_input, div[class*=highlight-], .cell_output pre"],
  ];
  const any = `.claim:not(.headline), ${kinds.map(([, selector]) => selector).join(", ")}, details`;
  const high = (node) => node.getBoundingClientRect().height;
  const seen = (node) => node.checkVisibility() && high(node) > 0;
  const weigh = (node) => {
    if (!seen(node)) return;
    if (node.matches(".claim:not(.headline)")) {
      const inner = (selector) => [...node.querySelectorAll(selector)].filter(seen).reduce((sum, part) => sum + high(part), 0);
      const [statement, proof] = [inner(".claim-statement"), node.querySelector(".claim-more") ? 0 : inner(".claim-proof")];
      sums.statements += statement;
      sums.proofs += proof;
      sums.cards += high(node) - statement - proof;
      return;
    }
    for (const [kind, selector] of kinds) {
      if (node.matches(selector)) {
        sums[kind] += high(node);
        return;
      }
    }
    if (node.matches("details")) {
      sums[/proof/i.test(node.querySelector("summary")?.textContent ?? "") ? "proofs" : "prose"] += high(node);
    } else if (node.querySelector(any)) {
      [...node.children].forEach(weigh);
    } else {
      sums.prose += high(node);
    }
  };
  const article = document.querySelector("article");
  weigh(article);
  const bare = document.querySelectorAll(".claim:not(.headline)").length;
  return { ...Object.fromEntries(Object.entries(sums).map(([kind, value]) => [kind, Math.round(value)])), page: Math.round(high(article)), statementsShown: bare };
}
