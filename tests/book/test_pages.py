"""What the HTML of the book says about itself, read without a browser."""

import json
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
import yaml
from browser import ROOT
from page_assets import mend

from derl import claims

MOST_BYTES = 50e6  # of the site: it travels as one archive
MOST_OF_A_CHAPTER, LISTS = 320e3, ("evidence", "back")  # pages made from the ledger may be longer
LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "embed": "src"}


@cache
def tree(path: Path) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(path.read_bytes(), parser=lxml.html.HTMLParser(encoding="utf-8"))


@cache
def anchors(path: Path) -> frozenset[str]:
    return frozenset(tree(path).xpath("//@id | //a/@name"))


def pages_of(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]


def dead_links(folder: Path) -> list[str]:
    """Links inside the book that lead to no file, or to no place in it."""
    dead = []
    for page in pages_of(folder):
        for href in tree(page).xpath("//a/@href"):
            link = urlsplit(href)
            if link.scheme or link.netloc:
                continue
            target = (page.parent / unquote(link.path)).resolve() if link.path else page
            if not target.is_file():
                dead.append(f"{page.relative_to(folder)}: {href}")
            elif link.fragment and target.suffix == ".html" and unquote(link.fragment) not in anchors(target):
                dead.append(f"{page.relative_to(folder)}: {href}")
    return dead


def outside_loads(folder: Path) -> list[str]:
    """Everything that a page would load from elsewhere while it is opened."""
    return [f"{page.relative_to(folder)}: {address}" for page in pages_of(folder)
            for name, attribute in LOADING.items() for address in tree(page).xpath(f"//{name}/@{attribute}")
            if urlsplit(address).netloc]


def test_every_link_leads_somewhere(html):
    assert len(pages_of(html)) > 5
    assert dead_links(html) == []


def test_nothing_is_loaded_from_elsewhere(html):
    assert outside_loads(html) == []


def test_every_statement_has_its_home_on_the_page_that_claims_yml_names(html):
    wrong = [f"{key} is not on book/{statement.page}" for key, statement in claims.load().items()
             if not (html / "book" / f"{statement.page}.html").is_file()
             or key not in anchors(html / "book" / f"{statement.page}.html")]
    assert wrong == []


def test_the_ledger_page_lists_every_statement(html):
    assert {f"ledger-{key}" for key in claims.load()} <= anchors(html / "book" / "back" / "ledger.html")


def test_figures_are_drawn_as_svg(html):
    thumbnails = {path.name for path in (ROOT / "notebooks").rglob("*.png")}
    kinds = {path.suffix for path in (html / "_images").iterdir() if path.name not in thumbnails}
    assert kinds == {".svg"}


def test_the_front_door_leads_to_the_book(html):
    assert "book/index.html" in (html / "index.html").read_text(encoding="utf-8")


def test_the_plotly_of_the_pages_is_that_of_the_figures(html):
    import plotly.offline

    package = json.loads((ROOT / "book" / "package.json").read_text(encoding="utf-8"))
    version = plotly.offline.get_plotlyjs_version()
    assert package["dependencies"]["plotly.js-cartesian-dist-min"] == version


def test_bodies_of_pages_are_mended():
    formula = '<span class="math notranslate nohighlight">\\(x\\)</span>'
    assert mend(f"<p>{formula}, and {formula} is") == f'<p><span class="glued">{formula},</span> and {formula} is'
    quoted = formula.replace('"math', '"said-formula math')
    assert quoted != formula and mend(f"<p>{quoted}. End") == f'<p><span class="glued">{quoted}.</span> End'
    assert mend("<div>\\[x\\]</div>. Then") == "<div>\\[x.\\]</div> Then"
    table = mend("<table><tr><th><p></p></th><th>a</th></tr></table>")
    assert "<td><p></p></td><th>a</th>" in table and 'role="region"' in table


def test_the_site_and_its_chapters_are_light(html):
    assert sum(path.stat().st_size for path in html.rglob("*") if path.is_file()) < MOST_BYTES
    heavy = {page.relative_to(html).as_posix(): page.stat().st_size for page in pages_of(html / "book")
             if page.stat().st_size > MOST_OF_A_CHAPTER and page.parent.name not in LISTS}
    assert heavy == {}


@pytest.mark.parametrize("name", ["mathjax/tex-mml-chtml.js", "plotly/plotly-cartesian.min.js"])
def test_the_browser_assets_travel_with_the_book(html, name):
    assert (html / "_static" / "vendor" / name).stat().st_size > 100_000


def test_the_configuration_is_strict():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["sphinx"]["config"]["nb_execution_raise_on_error"] is True
    assert "sphinx_thebe" not in config["sphinx"]["config"]["extensions"]
    assert "-W" in (ROOT / "Makefile").read_text(encoding="utf-8")
