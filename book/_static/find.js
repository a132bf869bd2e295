// The search: a number ("Theorem 4.1", "C.5", "(7)", "Algorithm 2") gives its statement first; words are looked up in
// statements and sections. Works from disk: both indexes are scripts.
const KINDS = { theorem: "theorem", thm: "theorem", lemma: "lemma", lem: "lemma", corollary: "corollary", cor: "corollary", definition: "definition", def: "definition", assumption: "assumption", algorithm: "algorithm", alg: "algorithm", equation: "equation", eq: "equation", inequality: "inequality", claim: "claim", property: "property", condition: "condition", table: "table", remark: "remark", line: "line" };
const ORDER = ["theorem", "lemma", "algorithm", "definition", "assumption", "corollary", "claim", "property", "equation"];
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const bare = (text) => fold(text).replace(/\\(?=[a-z])|[{}]/g, ""); // \nu_{\min} is found as nu_min
const SMALL = new Set("a an and are can do does for how i in is it many much of on or the there to what where which who why with".split(" "));

// A word without its ending, so that "batched" finds "batches". What is left still begins the longer forms.
function stem(word) {
  const cut = word.replace(/(?:ies|ied)$/, "y").replace(/(?<=[a-z]{4})(?:ings?|ed|es|s)$/, "").replace(/(?<=[a-z]{3}[^s])s$/, "");
  return cut.length > 4 ? cut.replace(/[ey]$/, "") : cut;
}
const split = (text) => fold(text).split(/[\s,;/-]+/).filter(Boolean);
const stems = (text) => { // small words count only where there are no others
  const all = split(text), large = all.filter((word) => !SMALL.has(word));
  return (large.length ? large : all).map(stem);
};

// Pages that answers to these words lie on, by the aliases of the book: all of their words are asked; the longest first.
function byAlias(query, aliases) {
  const asked = stems(query);
  const fits = Object.entries(aliases).map(([words, targets]) => ({ words: stems(words), targets }))
    .filter(({ words }) => words.every((word) => asked.includes(word)) && 2 * words.length >= asked.length);
  return [...new Set(fits.sort((a, b) => b.words.length - a.words.length).flatMap(({ targets }) => targets))];
}

// A query that names a number: its kind (or none) and the number; otherwise nothing.
function numbered(query) {
  const [, word, number] = fold(query).trim().match(/^(?:([a-z]+)\.?\s*)?\(?([a-z]?\.?\d+(?:\.\d+)*)\)?$/) ?? [];
  if (!number || (word && !KINDS[word])) return null;
  return { kind: word ? KINDS[word] : /^\(/.test(query.trim()) ? "equation" : "", number };
}

// Statements with this number, the best first, each followed by what corrects it.
function byNumber(query, statements) {
  const asked = numbered(query);
  if (!asked) return [];
  const fits = Object.entries(statements).filter(([, s]) => asked.kind === "line" ? s.line === Number(asked.number)
    : s.number === asked.number && (!asked.kind || s.kind === asked.kind || (asked.kind === "equation" && s.kind === "inequality")));
  const rank = ([, s]) => (ORDER.indexOf(s.kind) + 1) || ORDER.length + 1;
  return fits.sort((a, b) => rank(a) - rank(b)).flatMap(([key]) => [key, ...Object.keys(statements).filter((other) => statements[other].repairs === key)]);
}

const plain = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;

// How well words fit: each must begin a word of the title or of the text; titles count most, first words of titles more.
function score(words, title, text, bonus, phrase = words.join(" ")) {
  const [inTitle, inText] = [bare(title), bare(text)];
  let sum = bonus;
  for (const word of words) {
    const start = new RegExp(`(^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "gu");
    const [heads, hits] = [inTitle.match(start)?.length ?? 0, inText.match(start)?.length ?? 0];
    if (!heads && !hits) return 0;
    sum += 24 * (heads > 0) + 4 * Math.min(1, hits) + Math.log1p(hits);
  }
  const opens = phrase && inTitle.replace(/^[^:]*\d[^:]*: /, "").startsWith(phrase); // after "Definition 4.3: "
  return sum + 4 * Boolean(opens) + (words.length > 1 && phrase ? 6 * inTitle.includes(phrase) + 4 * inText.includes(phrase) : 0) - Math.log1p(title.length) / 4;
}

// Some words around the first hit; a formula is never cut.
function excerpt(words, text) {
  const tokens = text.match(/\\\([^]*?\\\)\S*|\S+/g) ?? [];
  const hit = tokens.findIndex((token) => words.some((word) => fold(token).includes(word)));
  const from = Math.max(0, hit - 12);
  return `${from ? "… " : ""}${tokens.slice(from, from + 34).join(" ")}${tokens.length > from + 34 ? " …" : ""}`;
}

// Whether two words differ by one wrong, missing or additional letter, or by two letters that changed places.
function near(one, other) {
  let [from, back] = [0, 0];
  while (from < one.length && one[from] === other[from]) from++;
  while (back < Math.min(one.length, other.length) - from && one.at(-1 - back) === other.at(-1 - back)) back++;
  const [a, b] = [one.slice(from, one.length - back), other.slice(from, other.length - back)];
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a === [...b].reverse().join(""));
}

// The query with each word that the book does not have replaced by the most frequent near one; words of titles count more.
function corrected(query, titles, texts) {
  const known = new Map();
  for (const [all, weight] of [[titles, 20], [texts, 1]]) {
    for (const text of all) for (const word of bare(text).match(/\p{L}{4,}/gu) ?? []) known.set(word, (known.get(word) ?? 0) + weight);
  }
  return query.replace(/\p{L}{4,}/gu, (typed) => {
    const word = fold(typed), begins = stem(word);
    if (known.has(word) || [...known.keys()].some((other) => other.startsWith(begins))) return typed;
    const fits = [...known].filter(([other]) => near(word, other)).sort((a, b) => b[1] - a[1]);
    return fits.length ? fits[0][0] : typed;
  });
}

function search(typed, { statements }, { sections: texts, aliases }) {
  const listed = Object.values(statements);
  const query = numbered(typed) ? typed : corrected(typed, [...Object.keys(aliases), ...listed.map(({ title }) => title), ...texts.map(([, page, , title]) => `${page} ${title}`)], [...listed.map(({ html }) => plain(html)), ...texts.map((section) => section[4])]);
  const words = stems(query), phrase = fold(query).trim();
  const entries = Object.entries(statements).map(([key, s]) => ({
    key, href: `${s.page}.html#${key}`, title: s.name ? `${s.name}: ${s.title}` : s.title, verdict: s.verdict, text: plain(s.html), bonus: s.name ? 2 : 1 }));
  const first = byNumber(query, statements).map((key) => entries.find((entry) => entry.key === key));
  const sections = texts.map(([page, pageTitle, anchor, title, text], i, all) => {
    const top = i === 0 || all[i - 1][0] !== page;
    return { href: `${page}.html${top ? "" : `#${anchor}`}`, title: top ? title : `${title} (${plain(pageTitle)})`, own: title, text: top ? text : `${text} ${plain(pageTitle)}`, bonus: top ? 5 : /(^|\/)back\//.test(page) ? -12 : 1, verdict: "" }; // lists come after chapters
  });
  const named = byAlias(query, aliases).map((target) => sections.find(({ href }) => href === target)).filter(Boolean);
  const others = [...entries, ...sections].filter((entry) => !first.includes(entry));
  const rank = (all) => others.map((entry) => ({ entry, points: score(all, entry.own ?? entry.title, entry.text, entry.bonus, all === words ? phrase : "") })).filter(({ points }) => points).sort((a, b) => b.points - a.points);
  let ranked = rank(words);
  if (!ranked.length && !first.length && words.length > 1) ranked = words.flatMap((word) => rank([word])).sort((a, b) => b.points - a.points);
  const [best] = ranked, said = best && bare(best.entry.own ?? best.entry.title).replace(/^[^:]*\d[^:]*: /, "") === phrase ? [best.entry] : []; // a title typed in full
  return { query, words, found: [...new Set([...first, ...said, ...named, ...ranked.map(({ entry }) => entry)])] };
}

document.addEventListener("DOMContentLoaded", async () => {
  const room = document.getElementById("search-results");
  const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
  document.querySelectorAll("form.bd-search input").forEach((field) => { field.value = query; });
  if (!room || !query) return;
  const { query: meant, words, found } = search(query, ...await Promise.all(["statements", "sections"].map(window.derlData)));
  const summary = Object.assign(document.createElement("p"), { className: "search-summary", textContent: found.length ? `${found.length} found for “${meant}”${meant === query ? "" : `, instead of “${query}”`}` : `Nothing found for “${query}”. Try a number (C.5), a name, or fewer words.` });
  summary.setAttribute("role", "status");
  const list = document.createElement("ol");
  list.className = "search tex2jax_process";
  for (const { href, title, text, verdict } of found.slice(0, 60)) {
    const [item, link] = [document.createElement("li"), document.createElement("a")];
    link.href = (document.documentElement.dataset.content_root ?? "") + href;
    link.textContent = title;
    item.append(link);
    if (verdict) item.append(" ", Object.assign(document.createElement("span"), { className: `verdict verdict-${verdict.replaceAll(" ", "-")}`, textContent: verdict }));
    item.append(Object.assign(document.createElement("p"), { className: "search-excerpt", textContent: excerpt(words, text) }));
    list.append(item);
  }
  room.replaceChildren(summary, list);
  (await window.derlMaths()).typesetPromise([list]);
});
