"""One PDF of the book, printed by Chromium from the built pages: contents with page numbers, links that stay inside.

    python book/_setup/pdf.py [--out _build/derl.pdf] [page ...]

All pages in the order of the table of contents, or the named ones ("potential/elliptical-potential"), are printed one
after the other, each with the number of the page on which it begins; every proof stands open in them. Then the
contents are printed with these numbers, and all is put together. The source of the checks and the pages with the
evidence are left to the book in the browser.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, NavigableString, Tag
from printing import Printer, join, mark
from pypdf import PdfReader

ROOT = Path(__file__).resolve().parents[2]
TITLE = "Deployment-efficient reinforcement learning, the executable paper"
HTML = ROOT / "_build" / "html"
EVIDENCE = "book/evidence/"
SHEET = "print-{}.html"  # what is printed of one page
LOADED = ("_static", "_images")
FRONT = "contents"
DROPPED = ("script, .headerlink, .claim-permalink, .check, button, .filters, .prev-next-footer, .footer-content, "
           ".widget-subarea, noscript, .page-notebook, .claim-card > summary, .claim-kernel, link, "
           ".formal-claim, .formal-coq details, details.derl-graph, summary .collapsed, "
           ".sd-summary-state-marker, .sd-summary-chevron-right, .sd-summary-chevron-down")
CODE = "Hide code cell source"  # what the book shows on a click, the reader of paper does without


def order() -> list[tuple[str, list[str]]]:
    """Parts of the book with their pages, as in _toc.yml."""
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    parts = [(part["caption"], [page["file"] for chapter in part["chapters"]
                                for page in (chapter, *chapter.get("sections", ()))
                                if not page["file"].startswith(EVIDENCE)]) for part in toc["parts"]]
    return [("", [toc["root"]]), *parts]


def slug(page: str) -> str:
    return page.replace("/", "-")


def article(page: str, pages: set[str]) -> Tag:
    """The text of a page, its anchors made unique by the name of the page, links between pages made anchors."""
    soup = BeautifulSoup((HTML / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    body = soup.select_one("article.bd-article") or soup.select_one("article")
    for node in body.select("template.waiting"):  # what page.js does when a box opens
        node.unwrap()
    for node in body.select(DROPPED):
        node.decompose()
    for node in body.find_all(id=True):
        node["id"] = f"{slug(page)}--{node['id']}"
    for node in body.find_all(href=True):
        node["href"] = inner(node["href"], page, pages)
    for node in body.find_all(src=True):
        if not urlsplit(node["src"]).scheme:
            node["src"] = os.path.normpath(f"{Path(page).parent}/{node['src']}")
    for node in body.select("details.hide"):
        if node.summary and node.summary.get_text().strip() == CODE:
            node.decompose()
        elif node.summary:
            node.summary.string = node.summary.get_text().replace("Hide the s", "S").strip()
    for node in body.find_all("details"):
        node["open"] = ""
        if node.find("summary", recursive=False) is None:
            node.name = "div"
    for title in body.select("h1 ~ h1"):
        title.name = "h2"
    for node in body.select(".plotly-figure, [data-interactive], .moves-box"):
        if node.find_next_sibling(class_="moves-still"):  # its pictures stand still on paper
            node.decompose()
        else:
            node.replace_with(note(soup, node))
    body.name, body["class"], body["id"] = "section", ["chapter"], slug(page)
    return body


def note(soup: BeautifulSoup, figure: Tag) -> Tag:
    """In the place of a figure that moves: what it shows."""
    told = soup.new_tag("p", attrs={"class": "moves"})
    label = figure.get("aria-label", "")
    told.append(NavigableString(f"(This moves in the book in the browser{': ' if label else '.'}{label})"))
    return told


def inner(link: str, page: str, pages: set[str]) -> str:
    """A link within the printed book where it leads to one of its pages; else as it is, from the root of the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return link
    target = os.path.normpath(f"{Path(page).parent}/{unquote(parts.path)}") if parts.path else f"{page}.html"
    name = target.removesuffix(".html")
    if name in pages:
        place = f"#{slug(name)}--{parts.fragment}" if parts.fragment else f"#{slug(name)}"
        return place if name == page else f"{SHEET.format(slug(name))}{place}"
    return f"{target}#{parts.fragment}" if parts.fragment else target


def head(title: str) -> str:
    """What every sheet loads."""
    names = ("styles/pydata-sphinx-theme.css", "pygments.css", "styles/sphinx-book-theme.css", "sphinx-design.min.css",
             "icons.css", "book.css", "kernel.css", "algorithms.css", "graph.css", "moves/moves.css", "print.css")
    files = [f"_static/{name}" for name in names if (HTML / "_static" / name).is_file()]
    files += [f"_static/{file.name}" for file in (HTML / "_static").glob("mystnb.*.css")]
    return f"<title>{title}</title>" + "".join(f'<link rel="stylesheet" href="{file}">' for file in files)


def macros(page: str) -> str:
    """The macros of formulas, as a page of the book has them."""
    whole = BeautifulSoup((HTML / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    return str(next(node for node in whole.find_all("script") if "window.MathJax" in (node.string or "")))


def sheet(folder: Path, name: str, body: str, first: int, config: str, title: str = TITLE,
          kind: str = "printed") -> Path:
    """Write what is printed of one page of the book, whose first printed page has a number."""
    for loaded in LOADED:
        if not (folder / loaded).is_symlink():
            (folder / loaded).symlink_to(HTML / loaded)
    file = folder / SHEET.format(name)
    file.write_text(f"""<!DOCTYPE html><html lang="en" data-theme="light" style="counter-reset: page {first - 1}"><head>
<meta charset="utf-8">{head(title)}</head><body class="{kind}">{body}{config}
<script>MathJax.options = {{...MathJax.options, enableMenu: false, enableAssistiveMml: false}};</script>
<script src="_static/vendor/mathjax/tex-mml-chtml.js"></script></body></html>""", encoding="utf-8")
    return file


def contents(parts: list[tuple[str, list[str]]], titles: dict[str, str], begin: dict[str, int]) -> str:
    """The title and the table of contents."""
    lines = []
    for caption, names in parts:
        if caption:
            lines.append(f'<p class="part">{caption}</p>')
        for page in names:
            lines.append(f'<p><a href="{SHEET.format(slug(page))}#{slug(page)}"><span>{titles[page]}</span>'
                         f"<b>{begin.get(page, 0) or ''}</b></a></p>")
    return f"""<section class="front"><p class="book-title">Deployment-efficient reinforcement learning</p>
<p>The executable paper. Printed from the book; the source of every check, its controls and all that moves are in the
book in the browser.</p></section><nav class="contents"><p class="book-title">Contents</p>{"".join(lines)}</nav>"""


def wanted(articles: dict[str, Tag]) -> dict[str, set[str]]:
    """Page -> its places to which other pages link: Chromium keeps a place only if its own sheet has a link to it."""
    owner = {SHEET.format(slug(page)): page for page in articles}
    found = {page: {slug(page)} for page in articles}
    for body in articles.values():
        for node in body.find_all(href=True):
            file, _, place = node["href"].partition("#")
            if file in owner:
                found[owner[file]].add(unquote(place))
    return found


def printed(parts: list[tuple[str, list[str]]], out: Path, folder: Path) -> None:
    """Print every page, then the contents, and join them."""
    pages = [page for _, names in parts for page in names]
    config = macros(pages[0])
    articles = {page: article(page, set(pages)) for page in pages}
    titles = {page: articles[page].find("h1").decode_contents() for page in pages}
    places, begin, files = wanted(articles), {}, []
    with Printer(folder) as printer:
        front = PdfReader(printer(sheet(folder, FRONT, contents(parts, titles, {}), 1, config)))
        at = len(front.pages) + 1
        for page in pages:
            begin[page] = at
            anchors = "".join(f'<a href="#{place}">&nbsp;</a>' for place in sorted(places[page]))
            body = f'{articles[page]}<p class="anchors">{anchors}</p>'
            files.append(printer(sheet(folder, slug(page), body, at, config)))
            at += len(PdfReader(files[-1]).pages)
        files.insert(0, printer(sheet(folder, FRONT, contents(parts, titles, begin), 1, config)))
    join(files, out)
    mark(out, parts, begin, titles, TITLE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "derl.pdf")
    parser.add_argument("pages", nargs="*")
    given = parser.parse_args()
    if not (HTML / "index.html").is_file():
        sys.exit("pdf: there is no book yet; run `make book` first")
    parts = [(caption, [page for page in pages if not given.pages or page.removeprefix("book/") in given.pages])
             for caption, pages in order()]
    parts = [(caption, pages) for caption, pages in parts if pages]
    if not parts:
        sys.exit(f"pdf: the book has no page {', '.join(given.pages)}")
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        printed(parts, given.out, Path(folder))
    print(f"{given.out}: {len(PdfReader(given.out).pages)} pages, {given.out.stat().st_size / 1e6:.1f} MB, "
          f"{(time.monotonic() - start) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
