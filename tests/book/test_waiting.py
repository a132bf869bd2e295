"""Long code makes no elements before its box opens, and is there whenever someone asks for it."""

import re
from pathlib import Path

import pytest
from browser import in_chromium

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGE = "evidence/potential"


@pytest.fixture(scope="module")
def found(html):
    return in_chromium(Path(__file__).with_name("waiting.mjs"), (html / "book" / f"{PAGE}.html").as_uri())


@pytest.fixture(scope="module")
def written(html):
    """Numbers of sentences and of templates in the file."""
    text = (html / "book" / f"{PAGE}.html").read_text(encoding="utf-8")
    return {"sentences": len(re.findall(r'class="[^"]*kernel-sentence', text)),
            "waiting": text.count('<template class="waiting">')}


def test_nothing_waits_in_vain_and_nothing_is_there_before(found, written):
    assert found["errors"] == []
    start = found["start"]
    assert start["sentences"] == 0 and start["waiting"] == written["waiting"] > 20
    assert start["elements"] < 20_000


def test_a_box_that_opens_has_its_content_and_the_others_wait(found):
    opened = found["opened"]
    assert opened["closed"] == opened["elsewhere"] == opened["left"] == 0
    assert opened["sentences"] > 1 and opened["shown"] > 0
    assert "\N{BOX DRAWINGS LIGHT HORIZONTAL}" in opened["goals"]


def test_paper_takes_what_is_open(found):
    assert found["printed"]["opened"] > 0 and found["printed"]["waiting"] == 0


@pytest.mark.parametrize("way", ["Control+f", "F3", "marked"])
def test_a_search_finds_all_of_it(found, written, way):
    assert found[way]["waiting"] == 0
    assert found[way] | written == found[way] | {"waiting": written["waiting"]}
    assert way != "marked" or found[way]["marks"] > 0


def test_boxes_that_open_together_are_set_together_and_every_formula_once(found):
    together = found["together"]
    assert together["boxes"] > 100 and together["portions"] < together["boxes"] / 2 and together["largest"] <= 160
    assert together["formulas"] == together["different"] > 500


def test_the_file_has_its_text_without_scripts(html):
    """The statement that Coq has read stands in its box as it is; what waits says so."""
    text = (html / "book" / f"{PAGE}.html").read_text(encoding="utf-8")
    box = text.partition('class="claim-kernel')[2].partition("</summary>")[2]
    assert box.index("<pre") < box.index("<template")
    assert text.count("<noscript>") >= text.count('<template class="waiting">')
