"""One PDF of the book, printed by Chromium from the built pages: contents with page numbers, links that stay inside.

    python book/_setup/pdf.py [--out _build/derl.pdf] [page ...]

All pages in the order of the table of contents, or the named ones ("potential/elliptical-potential"), become one page
of HTML in _build/html; every proof stands open in it. It is printed twice: after the first time it is known on which
page each chapter begins. The source of the checks is left to the book in the browser.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import chromium
import yaml
from bs4 import BeautifulSoup, NavigableString, Tag
from pypdf import PdfReader, PdfWriter

ROOT = Path(__file__).resolve().parents[2]
TITLE = "Deployment-efficient reinforcement learning, the executable paper"
HTML = ROOT / "_build" / "html"
PRINTED = HTML / f"print-{os.getpid()}.html"  # one of its own: two runs may print at a time
DROPPED = ("script, .headerlink, .claim-permalink, .check, button, .filters, .prev-next-footer, .footer-content, "
           ".widget-subarea, noscript, .claim-card > summary, .claim-kernel, link")


def order() -> list[tuple[str, list[str]]]:
    """Parts of the book with their pages, as in _toc.yml."""
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    parts = [(part["caption"], [page["file"] for chapter in part["chapters"]
                                for page in (chapter, *chapter.get("sections", ()))]) for part in toc["parts"]]
    return [("", [toc["root"]]), *parts]


def slug(page: str) -> str:
    return page.replace("/", "-")


def article(page: str, pages: set[str]) -> Tag:
    """The text of a page, its anchors made unique by the name of the page, links between pages made anchors."""
    soup = BeautifulSoup((HTML / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    body = soup.select_one("article.bd-article") or soup.select_one("article")
    for node in body.select(DROPPED):
        node.decompose()
    for node in body.find_all(id=True):
        node["id"] = f"{slug(page)}--{node['id']}"
    for node in body.find_all(href=True):
        node["href"] = inner(node["href"], page, pages)
    for node in body.find_all(src=True):
        if not urlsplit(node["src"]).scheme:
            node["src"] = os.path.normpath(f"{Path(page).parent}/{node['src']}")
    for node in body.find_all("details"):
        node["open"] = ""
    for title in body.select("h1 ~ h1"):
        title.name = "h2"
    for node in body.select(".plotly-figure, [data-interactive], .moves-box"):
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
        return f"#{slug(name)}--{parts.fragment}" if parts.fragment else f"#{slug(name)}"
    return f"{target}#{parts.fragment}" if parts.fragment else target


def compose(parts: list[tuple[str, list[str]]]) -> dict[str, str]:
    """Write the page to be printed; return the pages of the book in it, in order, with their titles."""
    pages = [page for _, names in parts for page in names]
    articles = {page: article(page, set(pages)) for page in pages}
    contents = []
    for caption, names in parts:
        if caption:
            contents.append(f'<p class="part">{caption}</p>')
        for page in names:
            title = articles[page].find("h1").decode_contents()
            contents.append(f'<p><a href="#{slug(page)}"><span>{title}</span><b data-page="{slug(page)}"></b></a></p>')
    write_sheet(f"""<section class="front"><p class="book-title">Deployment-efficient reinforcement learning</p>
<p>The executable paper. Printed from the book; the source of every check, its controls and all that moves are in the
book in the browser.</p></section><nav class="contents"><p class="book-title">Contents</p>{"".join(contents)}</nav>
{"".join(map(str, articles.values()))}""", TITLE, pages[0], "printed")
    return {page: " ".join(articles[page].find("h1").get_text().split()) for page in pages}


def write_sheet(body: str, title: str, page: str, kind: str) -> None:
    """The page of HTML that is printed, with the styles of the book and the macros of formulas of one of its pages."""
    head = BeautifulSoup((HTML / f"{page}.html").read_text(encoding="utf-8"), "html.parser").head
    config = next(str(node) for node in head.parent.find_all("script") if "window.MathJax" in (node.string or ""))
    styles = [f'<link rel="stylesheet" href="_static/{name}">' for name in (
        "styles/pydata-sphinx-theme.css", "pygments.css", "styles/sphinx-book-theme.css", "sphinx-design.min.css",
        "icons.css", "book.css", "print.css", "graph.css") if (HTML / "_static" / name).is_file()]
    notebooks = (HTML / "_static").glob("mystnb.*.css")
    styles += [f'<link rel="stylesheet" href="_static/{file.name}">' for file in notebooks]
    PRINTED.write_text(f"""<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">
<title>{title}</title>{"".join(styles)}</head>
<body class="{kind}">{body}{config}
<script>MathJax.options = {{...MathJax.options, enableMenu: false, enableAssistiveMml: false}};</script>
<script src="_static/vendor/mathjax/tex-mml-chtml.js"></script></body></html>""", encoding="utf-8")


def starts(file: Path, names: list[str]) -> dict[str, int]:
    """The printed page on which each anchor stands: where the links of the contents lead."""
    reader = PdfReader(file)
    places = reader.named_destinations
    return {name: reader.get_destination_page_number(places[f"/{name}"]) + 1 for name in names}


def to_paper(out: Path, names: list[str]) -> dict[str, int]:
    """Print the sheet, twice, and remove it; return the pages of the anchors."""
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    environment = os.environ | {"PATH": path, "CHROMIUM": chromium.find() or "", "NODE_MODULES": f"{ROOT / 'book'}/"}
    script = Path(__file__).with_name("pdf.mjs")
    with subprocess.Popen([shutil.which("node", path=path) or "node", script, PRINTED.as_uri(), out], text=True,
                          env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as printer:
        if printer.stdout.readline().strip() == "printed":
            begin = starts(out, names)
            printer.stdin.write(json.dumps(begin) + "\n")
            printer.stdin.close()
    PRINTED.unlink(missing_ok=True)
    if printer.returncode:
        sys.exit("pdf: Chromium could not print the book")
    return begin


def mark(file: Path, parts: list[tuple[str, list[str]]], begin: dict[str, int], titles: dict[str, str]) -> None:
    """Bookmarks for parts and chapters, and a name for the whole."""
    writer = PdfWriter(clone_from=file)
    for caption, names in parts:
        above = writer.add_outline_item(title=caption, page_number=begin[slug(names[0])] - 1) if caption else None
        for page in names:
            writer.add_outline_item(title=titles[page], page_number=begin[slug(page)] - 1, parent=above)
    writer.add_metadata({"/Title": TITLE, "/Author": "The derl authors"})
    writer.write(file)


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
    titles = compose(parts)
    begin = to_paper(given.out, [slug(page) for page in titles])
    mark(given.out, parts, begin, titles)
    print(f"{given.out}: {len(PdfReader(given.out).pages)} pages")


if __name__ == "__main__":
    main()
