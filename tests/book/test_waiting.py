"""Long code makes no elements before its box opens, and is there whenever someone asks for it."""

import re
from pathlib import Path

import pytest
from browser import in_chromium

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGE = "back/formal"


@pytest.fixture(scope="module")
def found(html):
    return in_chromium(Path(__file__).with_name("waiting.mjs"), (html / "book" / f"{PAGE}.html").as_uri())


@pytest.fixture(scope="module")
def written(html):
    """Numbers of Coq statements and of templates in the file."""
    text = (html / "book" / f"{PAGE}.html").read_text(encoding="utf-8")
    return {"statements": len(re.findall(r'class="[^"]*kernel-code', text)),
            "waiting": text.count('<template class="waiting">')}


def test_nothing_waits_in_vain_and_nothing_is_there_before(found, written):
    assert found["errors"] == []
    start = found["start"]
    assert start["statements"] == 0 and start["waiting"] == written["waiting"] > 20
    assert start["elements"] < 20_000


def test_a_box_that_opens_has_its_content_and_the_others_wait(found):
    opened = found["opened"]
    assert opened["closed"] == opened["elsewhere"] == opened["left"] == 0
    assert opened["statements"] > 0 and opened["shown"] > 0 and "forall" in opened["said"]


def test_paper_takes_what_is_open(found):
    assert found["printed"]["opened"] > 0 and found["printed"]["waiting"] == 0


@pytest.mark.parametrize("way", ["Control+f", "F3", "marked"])
def test_a_search_finds_all_of_it(found, written, way):
    assert found[way]["waiting"] == 0
    assert found[way] | written == found[way] | {"waiting": written["waiting"]}
    assert way != "marked" or found[way]["marks"] > 0


def test_boxes_that_open_together_are_set_together_and_every_formula_once(found):
    together = found["together"]
    assert together["boxes"] > 100 and together["portions"] < together["formulas"] / 5 and together["largest"] <= 160
    assert together["formulas"] == together["different"] > 500


def test_the_file_says_what_waits_without_scripts(html):
    text = (html / "book" / f"{PAGE}.html").read_text(encoding="utf-8")
    assert text.count("<noscript>") >= text.count('<template class="waiting">')


def test_a_line_of_a_proof_shows_the_goals_after_it(html):
    page = html / "_static/code/proofs/probability/hoeffding.html"
    found = in_chromium(Path(__file__).with_name("goals.mjs"), f"{page.as_uri()}#L56")
    assert found["errors"] == []
    assert found["boxes"] > 10 and found["before"] == 0 and found["after"] == 1
    assert "\N{BOX DRAWINGS LIGHT HORIZONTAL}" in found["said"] and found["height"] > 0
    assert found["lines"] == found["numbered"] > 50 and found["target"] == "L56"
