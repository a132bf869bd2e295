"""Minutes, levels, the chart and the syllabi of the page for a seminar: every name in reading.yml is there."""

import re

import conftest  # noqa: F401 - puts the extensions on the path
import pytest
import reading
import yaml
from rules import ROOT

from derl.claims import CHAPTERS
from derl.show.labs.found import labs

TOC = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
LISTED = [page for pages in reading.data()["levels"].values() for page in pages]
WEEKS = {length: weeks for length, weeks in reading.data()["syllabi"].items()}


def toc(entry=TOC) -> list[str]:
    below = [page for key in ("parts", "chapters", "sections") for one in entry.get(key, ()) for page in toc(one)]
    return ([entry["file"].removeprefix("book/")] if "file" in entry else []) + below


def test_every_page_of_a_chapter_has_one_level():
    wanted = {page for page in toc() if page.startswith(tuple(f"{name.replace('_', '-')}/" for name in CHAPTERS))
              and page.rpartition("/")[2] not in ("appendix", "notation", "paper")}
    assert wanted <= set(LISTED) and len(LISTED) == len(set(LISTED)) and set(LISTED) <= set(toc())


@pytest.mark.parametrize("length", WEEKS)
def test_a_syllabus_has_its_weeks_pages_labs_and_exercises(length):
    assert len(WEEKS[length]) == length
    assert {lab for week in WEEKS[length] for lab in week["labs"]} <= set(labs())
    assert all(week["pages"] and week["exercises"] for week in WEEKS[length])
    pages = [page for week in WEEKS[length] for page in week["pages"]]
    assert len(pages) == len(set(pages)) and set(pages) <= set(LISTED)


@pytest.mark.parametrize("length", WEEKS)
def test_nothing_is_read_before_what_it_needs(length):
    read: list[str] = []
    for week in WEEKS[length]:
        for page in week["pages"]:
            needs = reading.data()["chart"].get(page, {"needs": []})["needs"]
            later = {page for rest in WEEKS[length] for page in rest["pages"]} - set(read)
            assert not set(needs) & later, f"{page} is read before {set(needs) & later}"
            read.append(page)


def test_the_chart_leads_downwards_and_its_boxes_do_not_touch():
    nodes = reading.data()["chart"]
    assert len({tuple(node["at"]) for node in nodes.values()}) == len(nodes)
    assert all(nodes[other]["at"][0] < node["at"][0] for node in nodes.values() for other in node["needs"])
    assert len(re.findall(r"<a href", reading.chart())) == len(nodes)


@pytest.mark.parametrize("page, stars", [("layerwise/algorithm-one", 2), ("layerwise/proof", 3)])
def test_a_page_says_its_minutes_and_its_level_below_its_heading(page, stars):
    context = {"body": "<section><h1>One</h1><p>two</p></section>"}
    reading.put_line(None, f"book/{page}", "page.html", context, object())
    time, whole = reading.times(page)
    assert reading.minutes(reading.text(page)) < time < whole
    assert context["body"].startswith(
        f'<section><h1>One</h1>\n<p class="reading-line">{time} minutes to read, {whole} with the proofs opened. ')
    assert f'seminar.html#minutes-and-levels">Level {stars} of 3</a>' in context["body"]
    assert context["body"].count("★") == stars and context["body"].endswith("</p><p>two</p></section>")


def test_a_page_without_a_level_says_nothing():
    context = {"body": "<h1>One</h1>"}
    for name in ("book/glossary", "search", "genindex"):
        reading.put_line(None, name, "page.html", context, object())
    assert context["body"] == "<h1>One</h1>"


def test_minutes_count_words_that_are_seen_and_formulas_once():
    words = "word " * reading.WORDS
    assert reading.minutes(words) == 1 and reading.minutes(words + "more") == 2
    hidden = f"---\na: b\n---\n{words}\n```{{code-cell}} python\n{words}\n```\n:::{{dropdown}} Hint\n{words}\n:::\n"
    assert reading.minutes(hidden) == 1 and reading.minutes(hidden, opened=True) == 3
    assert reading.minutes("$" + words + "$") == 1


def test_a_name_that_is_not_there_is_refused(tmp_path, monkeypatch):
    book = tmp_path / "book"
    book.mkdir()
    (book / "reading.yml").write_text(
        "levels: {1: [gone]}\nchart: {}\nsyllabi: {}\n", encoding="utf-8")
    monkeypatch.setattr(reading, "BOOK", book)
    reading.data.cache_clear()
    try:
        with pytest.raises(reading.InvalidReading, match="no page gone"):
            reading.data()
    finally:
        reading.data.cache_clear()
