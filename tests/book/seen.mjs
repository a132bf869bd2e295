// What the tour of the book looks at. Each function runs in the page by itself, and knows nothing but the page.

// maths, texts for those who do not see, and room.
export function look() {
  const text = document.querySelector("article")?.cloneNode(true);
  text?.querySelectorAll("pre, code, script, style, mjx-container, .math").forEach((node) => node.remove());
  const named = (node) => node.closest("[aria-label], [aria-labelledby], [aria-hidden='true']") || node.querySelector("title");
  return {
    formulas: document.querySelectorAll("article .math").length,
    unset: [...document.querySelectorAll("article .math:not(:has(mjx-container))")].filter((node) => node.checkVisibility() || !node.closest("details")).map((node) => node.textContent.slice(0, 60)),
    broken: [...document.querySelectorAll("mjx-merror, [data-mjx-error]")].map((node) => node.textContent.slice(0, 60)),
    raw: (text?.textContent.match(/\$\$|\\\(|\\\[|\\begin\{|\|\s*-{3,}\s*\|/g) ?? []),
    nameless: [
      ...[...document.querySelectorAll("article img")].filter((node) => !node.alt.trim()).map((node) => node.src),
      ...[...document.querySelectorAll("article svg")].filter((node) => !named(node)).map((node) => node.outerHTML.slice(0, 80)),
    ],
  };
}

// what is cut off, or makes the page scroll sideways, on a narrow screen.
export function room() {
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
  const boxed = (node) => { // inside a box that scrolls, itself within the screen
    for (let at = node; at && at.tagName !== "ARTICLE"; at = at.parentElement) {
      if (scrolls(at) && at.getBoundingClientRect().right <= window.innerWidth + 1) return true;
    }
    return false;
  };
  const content = "article :is(mjx-container, img, svg, pre, table, p, .jupyter-widgets, .js-plotly-plot)";
  const cut = [...document.querySelectorAll(content)].filter(
    (node) => node.checkVisibility() && node.getBoundingClientRect().right > window.innerWidth + 1 && !boxed(node));
  const page = document.documentElement.scrollWidth > window.innerWidth + 1 ? ["the page scrolls"] : [];
  return [...page, ...cut.slice(0, 5).map((node) => node.outerHTML.slice(0, 120))];
}

// code that is shown and is wider than its column.
export function cells() {
  return [...document.querySelectorAll("article .cell_input pre")].filter((node) => node.checkVisibility() && !node.closest("details")
    && node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent.trim().slice(0, 60));
}

// On a narrow screen: figures that show a drawing for a wide one, or a smaller one than was drawn. What matplotlib drew
// is named by its digest and has a narrow twin; what was drawn by hand has large letters and may shrink to two thirds.
export function tiny() {
  const least = ({ currentSrc }) => (currentSrc.endsWith("-narrow.svg") ? 0.97 : /\/\w{64}\.svg$/.test(currentSrc) ? Infinity : 0.65);
  return [...document.querySelectorAll("article img[src*='_images/'][src$='.svg']")]
    .filter((node) => node.checkVisibility())
    .filter((node) => !node.naturalWidth || node.clientWidth < least(node) * node.naturalWidth)
    .map((node) => `${node.currentSrc} at ${node.clientWidth} of ${node.naturalWidth}`);
}

// contrast of every text on the page against what lies behind it, formulas as wholes; as axe measures it, but for
// pictures behind a text, and in a small part of the time.
export function contrast() {
  for (const change of document.getAnimations()) if (Number.isFinite(change.effect?.getComputedTiming().endTime)) change.finish(); // colours that still turn
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  };
  const known = new Map(); // colour -> rgba, node -> what lies behind it: most texts share theirs
  const remember = (key, compute) => known.get(key) ?? (known.set(key, compute()), known.get(key));
  const behind = (node) => node ? remember(node, () => {
    const [below, colour] = [behind(node.parentElement), getComputedStyle(node).backgroundColor];
    const [r, g, b, a] = remember(colour, () => rgba(colour));
    return [r, g, b].map((value, i) => value * a + below[i] * (1 - a));
  }) : [1, 1, 1];
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = new Set();
  const written = (node) => node.tagName === "MJX-CONTAINER" || [...node.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  for (const node of document.body.querySelectorAll(":not(mjx-container *, svg *, script, style, noscript, template, option, :disabled, [aria-disabled='true'])")) {
    if (!written(node) || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(node);
    const [over, under] = [light(remember(color, () => rgba(color))), light(behind(node))];
    const ratio = (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05);
    const size = parseFloat(fontSize), large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faint.add(`${ratio.toFixed(2)} ${node.className || node.tagName} ${node.textContent.trim().slice(0, 40)}`);
  }
  return [...faint].slice(0, 5);
}

// formulas that are followed by punctuation on the next line.
export function orphans() {
  const found = [];
  for (const formula of document.querySelectorAll("article mjx-container")) {
    if (!formula.checkVisibility()) continue;
    const math = formula.closest(".math") ?? formula;
    const next = math.nextSibling;
    if (next?.nodeType !== Node.TEXT_NODE || !/^[.,;:]/.test(next.data)) continue;
    const range = document.createRange();
    range.setStart(next, 0);
    range.setEnd(next, 1);
    const [mark, before] = [range.getBoundingClientRect(), math.getBoundingClientRect()];
    if (mark.left < before.right - 1 && mark.top > before.top + 2) found.push(math.parentElement.textContent.trim().slice(0, 80));
  }
  return found.slice(0, 5);
}
