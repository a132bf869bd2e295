"""The address of the repository: what is allowed, what the pages show with it and without it."""

import os
import re
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from repository import InvalidAddress, Repository, lab_of, repository
from rules import ROOT
from sphinx.errors import ConfigError

PAGES = {"part/one": "# One\n\n```{claim} lem-even\n```\n\n```{claim} def-even\n```\n",
         "part/two": "# Two\n\n```{claim} thm-odd\n```\n\n```{claim} odd-repaired\n```\n\n```{claim} eq-cited\n```\n"}
THEME = {"html_theme": "sphinx_book_theme"}


@pytest.mark.parametrize("value, url", [
    ("ada/derl", "https://github.com/ada/derl"), ("https://example.org/ada/derl", "https://example.org/ada/derl"),
    (" https://example.org/ada/derl/ ", "https://example.org/ada/derl"),
    ("https://example.org/ada/derl.git", "https://example.org/ada/derl"),
    ("https://gitlab.com/group/part/derl/", "https://gitlab.com/group/part/derl"),
    ("https://example.org:8443/ada/derl", "https://example.org:8443/ada/derl"),
])
def test_an_address_is_read(value, url):
    assert repository(value).url == url


@pytest.mark.parametrize("value", ["", "  "])
def test_no_address_is_no_repository(value):
    assert repository(value) is None


@pytest.mark.parametrize("value", [
    "derl", "ada/derl/more", "http://example.org/ada/derl", "git@example.org:ada/derl", "https://example.org/derl",
    "https://ada:word@example.org/ada/derl", "https://example.org/ada/derl?x=1", "https://example.org/ada/derl#x",
    "javascript:alert(1)//x", 'https://example.org/ada/"><script>', "ada/de rl", "../derl", "https://example.org/ada/..",
    "https://example.org//derl", "ada/derl\nada/derl"])
def test_anything_else_is_refused_in_one_line(value):
    with pytest.raises(InvalidAddress, match="allowed are owner/name and an address such as") as refused:
        repository(value)
    assert repr(value) in str(refused.value) and "\n" not in str(refused.value)


def test_addresses_of_each_kind():
    github, gitlab = Repository("https://github.com/a/b"), Repository("https://gitlab.com/g/a/b", "next")
    assert github.file("derl/x.py", 7) == "https://github.com/a/b/blob/main/derl/x.py#L7"
    assert gitlab.file("derl/x.py", 7) == "https://gitlab.com/g/a/b/-/blob/next/derl/x.py#L7"
    assert github.file("book/x.md", what="edit") == "https://github.com/a/b/edit/main/book/x.md"
    assert parse_qs(urlsplit(github.issue("a/b")).query) == {"template": ["statement.yml"],
                                                             "title": ["On the page a/b: "]}
    assert gitlab.issue("a/b").startswith("https://gitlab.com/g/a/b/-/issues/new?issue%5Btitle%5D=")
    assert urlsplit(github.launch("x.md")).path == "/v2/gh/a/b/main"
    assert urlsplit(gitlab.launch("x.md")).path == "/v2/gl/g%2Fa%2Fb/next"
    assert urlsplit(Repository("https://example.org/a/b").launch("x.md")).path == (
        "/v2/git/https%3A%2F%2Fexample.org%2Fa%2Fb/main")
    assert parse_qs(urlsplit(github.launch("book/x.md")).query) == {"urlpath": ["lab/tree/book/x.md"]}


def test_a_page_opens_the_lab_of_its_chapter():
    assert lab_of("lower-bounds/deterministic", ROOT) == "notebooks/lower_bounds.ipynb"
    assert lab_of("back/ledger", ROOT) == lab_of("index", ROOT) == "notebooks/index.ipynb"


def seen(built, page):
    """(addresses of the buttons of a page, addresses of the lines of its checks)."""
    soup = BeautifulSoup(re.sub(r'<template class="waiting">|</template>', "", built.page(page)), "html.parser")
    head = [link["href"] for link in soup.select(".dropdown-source-buttons a, .dropdown-launch-buttons a")]
    return head, [link["href"] for link in soup.select(".check-place a")]


def test_without_an_address_there_are_no_buttons_and_checks_lead_into_the_book(build):
    built = build(PAGES, **THEME)
    for page in PAGES:
        head, lines = seen(built, page)
        assert head == [] and all(line.startswith("../_static/code/") for line in lines)
    assert seen(built, "part/one")[1] and "source-buttons" not in built.page("part/one")


def test_with_an_address_every_page_has_buttons_and_every_check_leads_to_its_line(build):
    built = build(PAGES, **THEME, repository="https://example.org/someone/derl", repository_branch="next")
    assert built.warnings == ""
    at = "https://example.org/someone/derl"
    for page in PAGES:
        head, lines = seen(built, page)
        assert head[:3] == [at, f"{at}/blob/next/{page}.md", f"{at}/edit/next/{page}.md"]
        assert head[3].startswith(f"{at}/issues/new?") and page.replace("/", "%2F") in head[3] and len(head) == 5
        assert all(re.fullmatch(rf"{at}/blob/next/sample_paper/checks\.py#L\d+", line) for line in lines)
    assert f"{at}/blob/next/sample_paper/checks.py#L10" in seen(built, "part/one")[1]
    assert "_static/code" not in built.page("part/one")
    assert "urlpath=lab%2Ftree%2Fnotebooks%2Findex.ipynb" in seen(built, "part/two")[0][4]


def test_a_false_address_stops_the_build_with_one_line(build):
    with pytest.raises(ConfigError, match="^REPOSITORY is 'not an address'; allowed are"):
        build(PAGES, repository="not an address")


def test_make_refuses_a_false_address():
    script = ROOT / "book" / "_ext" / "repository.py"
    for value, status in (("", 0), ("someone/derl", 0), ("ftp://x", 1)):
        done = subprocess.run([sys.executable, script], env=os.environ | {"REPOSITORY": value}, capture_output=True,
                              text=True, check=False)
        assert (done.returncode, len(done.stderr.splitlines())) == (status, status)
