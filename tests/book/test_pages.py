"""What the HTML of the book says about itself, read without a browser."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
import yaml
from browser import ROOT
from packing import unpack
from page_assets import mend

from derl import claims

MOST_BYTES = 26e6  # of the site: it travels as one archive
MOST_OF_A_PAGE = {"book/evidence": 0.9e6, "book/back": 1.2e6, "book": 0.3e6}  # the first that a path begins with
LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "embed": "src"}


@cache
def tree(path: Path) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(path.read_bytes(), parser=lxml.html.HTMLParser(encoding="utf-8"))


@cache
def anchors(path: Path) -> frozenset[str]:
    lines = path.with_suffix(".js")
    if "_static" in path.parts and lines.is_file():  # code.js gives each line its name
        return frozenset(f"L{n}" for n, _ in enumerate(unpack(lines.read_text(encoding="utf-8"))["lines"], 1))
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


def test_dead_links_and_outside_loads_are_seen(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a><a href="b.html#gone">2</a><a href="c.html">3</a><a href="#me" id="me">4</a>'
        '<script src="https://example.org/x.js"></script><img src="b.png">', encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="here"></p>', encoding="utf-8")
    assert dead_links(tmp_path) == ["a.html: b.html#gone", "a.html: c.html"]
    assert outside_loads(tmp_path) == ["a.html: https://example.org/x.js"]


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


def test_the_sources_of_the_search_are_there(html):
    assert (html / "_static" / "sections.js").stat().st_size > 100_000
    assert not (html / "searchindex.js").exists() and "searchtools" not in (html / "search.html").read_text("utf-8")


def test_no_page_loads_more_than_two_megabytes_of_scripts_when_it_is_opened(html):
    def weight(page):
        scripts = {unquote(urlsplit(address).path) for address in tree(page).xpath("//script/@src")}
        return sum((page.parent / script).stat().st_size for script in scripts)

    assert {page.relative_to(html).as_posix(): weight(page) for page in pages_of(html) if weight(page) > 2e6} == {}


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
    for opening in ('<script type="text/javascript">', "<script>"):
        assert mend(f"{opening}Plotly.newPlot(1)</script>") == '<script type="text/plotly">Plotly.newPlot(1)</script>'
    assert mend('<script type="text/javascript">other()</script>').startswith('<script type="text/javascript">')


def test_the_site_is_light(html):
    size, sent = Counter(), [path for path in html.rglob("*") if path.is_file()]
    for path in sent:
        size[path.suffix] += path.stat().st_size
    print(f"\n{sum(size.values()) / 1e6:.1f} MB: "
          + ", ".join(f"{kind} {count / 1e6:.2f}" for kind, count in size.most_common(8)))
    assert sum(size.values()) < MOST_BYTES
    pages = {path.relative_to(html).as_posix(): path.stat().st_size for path in sent if path.suffix == ".html"}
    most = {name: next((most for folder, most in MOST_OF_A_PAGE.items() if name.startswith(folder)), 1.6e6)
            for name in pages}
    assert {name: size for name, size in pages.items() if size > most[name]} == {}


def test_no_file_is_sent_that_no_page_loads(html):
    pages = "".join(page.read_text(encoding="utf-8") for page in pages_of(html))
    assert ("widgets/embed.js" in pages) == (html / "_static" / "vendor" / "widgets").exists()
    assert [path.name for path in html.rglob("fa-*")] == ["fa-solid-900.woff"]  # the signs of admonitions
    assert not list(html.rglob("*.map")) and not (html / "_static/locales").exists()


def test_code_in_boxes_keeps_the_marks_that_tell():
    def box(kind, inner):
        return f'<div class="{kind} notranslate"><div class="highlight"><pre>{inner}</pre></div></div>'

    inner = '<span class="k">def</span> <span class="n">f</span><span class="p">(</span><span class="c1"># x</span>'
    for kind in ("highlight-coq kernel-code", "highlight-python check-source"):
        assert mend(box(kind, inner)) == box(kind, '<span class="k">def</span> f(<span class="c1"># x</span>')
    assert mend(box("highlight-ipython3", inner)) == box("highlight-ipython3", inner)


@pytest.mark.parametrize("name", ["mathjax/tex-mml-chtml.js", "plotly/plotly-cartesian.min.js"])
def test_the_browser_assets_travel_with_the_book(html, name):
    assert (html / "_static" / "vendor" / name).stat().st_size > 100_000


def test_the_configuration_is_strict():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["sphinx"]["config"]["nb_execution_raise_on_error"] is True
    assert "sphinx_thebe" not in config["sphinx"]["config"]["extensions"]
    assert "-W" in (ROOT / "Makefile").read_text(encoding="utf-8")
