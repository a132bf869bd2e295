// What a link to a statement, an equation, a term or a figure leads to is shown beside it: under the pointer, with the
// focus, or at the first tap. Escape closes it.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement.dataset.content_root ?? "./";
  const base = new URL(root, location.href).href;
  const box = Object.assign(document.createElement("div"), { id: "derl-preview", className: "derl-preview", hidden: true });
  box.setAttribute("role", "tooltip");
  document.body.append(box);
  let current = null;
  let timer = 0;
  let touched = false;

  const plain = (text) => { // an address may hold a % that begins no character
    try { return decodeURIComponent(text); } catch { return text; }
  };

  const target = (link) => {
    const url = new URL(link.href, location.href);
    if (!url.hash || !url.href.startsWith(base)) return null;
    const page = plain(url.href.slice(base.length).split(/[#?]/)[0]).replace(/\.html$/, "");
    const id = plain(url.hash.slice(1));
    return { page, id, here: url.pathname === location.pathname };
  };

  const clone = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("script, .headerlink, .claim-more, .claim-permalink, button").forEach((part) => part.remove());
    [copy, ...copy.querySelectorAll("[id]")].forEach((part) => part.removeAttribute("id"));
    return copy;
  };

  // Elements that say what stands at the target, or nothing.
  async function content({ page, id, here }) {
    const { statements = {}, anchors = {} } = await window.derlData("statements").catch(() => ({}));
    const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined); // #constructor names no statement
    const statement = own(statements, id.replace(/^ledger-/, ""));
    if (statement) {
      const head = document.createElement("p");
      head.className = "derl-preview-title";
      const word = statement.verdict.replaceAll(" ", "-");
      const part = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });
      head.append(part("strong", "", statement.name), " ", part("span", "tex2jax_process", statement.title), " ",
        part("span", `verdict verdict-${word}`, statement.verdict));
      const text = document.createElement("div");
      text.innerHTML = statement.html;
      return [head, text];
    }
    const said = own(anchors, `${page}#${id}`);
    if (said) {
      const text = Object.assign(document.createElement("div"), { className: "tex2jax_process", textContent: said });
      return [text];
    }
    const found = here && document.getElementById(id);
    if (!found) return null;
    if (found.matches("figure, dd, dt, li, div.math, tr, p")) return [clone(found.matches("dt") ? found.nextElementSibling ?? found : found)];
    const first = found.matches("section") && [...found.children].find((node) => node.matches("p"));
    return first ? [clone(first)] : null;
  }

  function place(link) {
    const [at, width] = [link.getBoundingClientRect(), document.documentElement.clientWidth];
    box.style.left = `${Math.max(8, Math.min(at.left, width - box.offsetWidth - 8)) + window.scrollX}px`;
    const below = at.bottom + 6;
    const above = at.top - box.offsetHeight - 6;
    box.style.top = `${(below + box.offsetHeight > window.innerHeight && above > 0 ? above : below) + window.scrollY}px`;
  }

  const close = () => {
    clearTimeout(timer);
    current?.removeAttribute("aria-describedby");
    current = null;
    box.hidden = true;
  };

  async function show(link, tapped) {
    const goal = target(link);
    if (!goal) return false;
    const parts = await content(goal);
    if (!parts || (!tapped && current !== link)) return false;
    current = link;
    box.replaceChildren(...parts);
    if (tapped) {
      const go = Object.assign(document.createElement("a"), { href: link.href, textContent: "Go there", className: "derl-preview-go" });
      box.append(go);
    }
    box.hidden = false;
    link.setAttribute("aria-describedby", box.id);
    place(link);
    const formulas = [...box.querySelectorAll(".math, .tex2jax_process")].filter((node) => !node.querySelector("mjx-container"));
    if (formulas.length) await (await window.derlMaths()).typesetPromise(formulas);
    if (current === link) place(link);
    return true;
  }

  const soon = (link, delay) => {
    if (current === link && !box.hidden) return clearTimeout(timer);
    close();
    current = link;
    timer = setTimeout(() => show(link, false), delay);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(close, 250);
  };
  const linkOf = (event) => {
    const link = event.target.closest?.("article a[href*='#'], .derl-preview a");
    return link && !link.matches(".headerlink, .claim-permalink, .derl-preview a, .mark, .toc-backref") && target(link) ? link : null;
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const link = linkOf(event);
    if (link) soon(link, 250);
    else if (event.target.closest?.(".derl-preview")) clearTimeout(timer);
    else if (current) later();
  });
  document.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; });
  document.addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link && !touched) soon(link, 100);
    else if (!event.target.closest?.(".derl-preview") && !touched) close();
  });
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (touched && link && current !== link) {
      event.preventDefault();
      close();
      show(link, true).then((shown) => shown || (location.href = link.href));
    } else if (!event.target.closest?.(".derl-preview")) close();
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
});
