"""The page of the proofreading shows what the file says, narrowed on demand."""

import re
from pathlib import Path

import pytest
from browser import ROOT, in_chromium
from bs4 import BeautifulSoup

from derl.ledger.proofreading import read

ROWS = [row for row in read(ROOT / "book" / "back" / "proofreading.csv") if row.verdict != "right"]


def test_every_row_that_is_not_right_stands_on_the_page_with_its_statement(html):
    page = BeautifulSoup((html / "book" / "back" / "proofreading.html").read_text(encoding="utf-8"), "html.parser")
    shown = page.select(".section-group .erratum")
    lines = [int(re.search(r"Line (\d+)", row.summary.get_text())[1]) for row in shown]
    assert sorted(lines) == [row.line for row in ROWS]
    assert len(page.select(".erratum .claim-link")) == sum(row.statement != "" for row in ROWS)
    assert f"wrong {sum(row.verdict == 'wrong' for row in ROWS):>5}" in page.get_text()


@pytest.mark.slow
@pytest.mark.browser
def test_the_sections_are_closed_until_something_is_chosen(html):
    page = (html / "book" / "back" / "proofreading.html").as_uri()
    seen = in_chromium(Path(__file__).with_name("filters.mjs"), page, ".erratum", "verdict=wrong", "kind=index")
    assert seen["all"] == 0 and seen["bare"] == len(ROWS)
    for name, value in (("verdict", "wrong"), ("kind", "index")):
        assert seen[f"{name}={value}"]["shown"] == sum(getattr(row, name) == value for row in ROWS)
    assert seen["linked"] == sum(row.verdict == "wrong" for row in ROWS)
