"""Only the book's own scripts run: the policy in every page, and what a browser says to it."""

import base64
import hashlib
import json
import re
from pathlib import Path
from types import SimpleNamespace

import csp
import pytest
import yaml
from browser import ROOT, in_chromium
from touring import PLANTED

PAGE = ("<!DOCTYPE html>\n<html><head>\n<script>let a = 1;</script><script src='x.js'></script></head><body>{}"
        "<script type='application/json'>{{}}</script></body></html>")


def sha(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_scripts_in_the_page_are_named_by_their_digest_and_data_is_not():
    plain = PAGE.format("<script type='text/plotly'>draw()</script><script>let a = 1;</script>")
    assert csp.hashes(plain) == [sha("let a = 1;"), sha("draw()")]
    assert "'unsafe-eval'" not in csp.policy(plain) and "'unsafe-inline'" not in csp.policy(plain).split(";")[0]
    assert "http" not in csp.policy(plain)


def test_the_policy_comes_before_every_script_and_once():
    page = csp.secured(PAGE.format(""))
    assert csp.secured(page) == page and page.count("Content-Security-Policy") == 1
    assert page.index("Content-Security-Policy") < page.index("<script")
    changed = csp.secured(page.replace("let a = 1;", "let a = 2;"))
    assert csp.escape(sha("let a = 2;")) in changed and csp.escape(sha("let a = 1;")) not in changed


@pytest.mark.parametrize("start", ["", "<!DOCTYPE html>", "\n<!doctype html>\n"])
def test_a_page_without_a_head_begins_with_its_policy(start):
    """The page at the root leads on to the book, and has no head of its own."""
    page = csp.secured(f'{start}<meta http-equiv="Refresh" content="0; url=book/index.html" />')
    assert csp.secured(page) == page and page.count("Content-Security-Policy") == 1
    assert page.startswith(start.rstrip()) and page.index("Content-Security-Policy") < page.index("Refresh")


def test_what_is_no_page_of_the_site_is_not_in_it(tmp_path):
    (tmp_path / "_static").mkdir()
    for name in ("_static/webpack-macros.html", "_static/sbt-webpack-macros.html", "index.html", "macros.html"):
        (tmp_path / name).write_text("{% macro %}")
    csp.secure(SimpleNamespace(builder=SimpleNamespace(name="html"), outdir=tmp_path), None)
    assert sorted(path.name for path in tmp_path.rglob("*.html")) == ["index.html", "macros.html"]
    assert "Content-Security-Policy" in (tmp_path / "index.html").read_text()


def handlers(html: str) -> list[str]:
    """Attributes that handle an event, and addresses that are scripts."""
    tags = re.findall(r"<[a-zA-Z][^<>]*>", re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL))
    wrong = re.compile(r"""\s(on[a-z]+\s*=\s*["']|href\s*=\s*["']?javascript:)""")
    return [word for tag in tags for word in wrong.findall(tag)]


def test_the_search_for_handlers_finds_them():
    assert handlers("<a onclick='x()'>") and handlers('<a href="javascript:x()">') and not handlers("<p>on = 'x'</p>")


@pytest.mark.browser
def test_every_page_has_its_policy_and_no_handler(html):
    pages = list(html.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert csp.secured(text) == text and "Content-Security-Policy" in text, page
        assert not handlers(text), page


@pytest.mark.browser
@pytest.mark.parametrize("way, least", [("over_http", 4), pytest.param("from_disk", 40, marks=pytest.mark.slow)])
def test_no_page_breaks_its_policy_and_a_planted_script_does(way, least, request):
    """From files and from a server; figures, formulas and what moves are drawn."""
    pages = {name: met["scripts"] for name, met in request.getfixturevalue(way).items() if "scripts" in met}
    bad = pages.pop(PLANTED)
    assert not bad["planted"]
    assert {"script-src-elem", "script-src-attr"} <= set(bad["broken"])
    assert {name: page["broken"] for name, page in pages.items() if page["broken"]} == {}
    assert len(pages) > least
    assert sum(page["formulas"] for page in pages.values()) > 300
    figures = [page for page in pages.values() if page["figures"]]
    assert figures and all(page["drawn"] >= page["figures"] for page in figures)
    moving = [page for page in pages.values() if page["moving"]]
    assert moving and all(page["moved"] >= page["moving"] for page in moving)


@pytest.mark.parametrize("text, found", [
    ("<script>a()</script>", True), ("text\n\n<SCRIPT type='module'>\na()\n</SCRIPT>", True),
    ("~~~\nx\n~~~\n<script></script>", True),
    ('<script defer src="graph.js"></script>', False), ('<script type="application/json">{}</script>', False),
    ("```html\n<script>a()</script>\n```", False), ("~~~~\n<script>a()</script>\n~~~~", False),
    ("a `<script>a()</script>` b", False),
])
def test_a_script_in_the_text_of_a_page_is_reported(text, found, monkeypatch):
    told = []
    monkeypatch.setattr(csp, "logger", SimpleNamespace(warning=lambda *what, location: told.append(location)))
    csp.report(None, "book/page", [text])
    assert told == ["book/page"] * found


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("safe", [True, False])
def test_a_formula_places_no_box_over_the_page_and_is_no_script(tmp_path, safe):
    """MathJax as the pages configure it; without its safe extension the same formulas do both."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]["mathjax3_config"]
    if not safe:
        del config["loader"]
    script = (ROOT / "book/_static/vendor/mathjax/tex-mml-chtml.js").as_uri()
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><body><script>MathJax = {json.dumps(config)}</script>"
                                        f'<script src="{script}"></script></body>', encoding="utf-8")
    formulas = [r"\style{position:fixed}{x}", r"\href{javascript:alert(1)}{x}", r"\EE\tr A", r"\href{https://a.b}{x}"]
    over, runs, plain, link = in_chromium(Path(__file__).with_name("formula.mjs"), (tmp_path / "page.html").as_uri(),
                                          *formulas)
    assert over["placed"] is not safe and bool(runs["links"]) is not safe
    assert not plain["error"] and not plain["placed"] and link["links"] == ["https://a.b"]
