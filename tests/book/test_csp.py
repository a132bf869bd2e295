"""Only the book's own scripts run: the policy in every page, and what a browser says to it."""

import base64
import hashlib
import re
from types import SimpleNamespace

import csp
import pytest
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
