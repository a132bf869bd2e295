"""Statements, proofs and examples carry a page; what is said about verdicts does not."""

import csv
from pathlib import Path

import pytest
from browser import ROOT
from touring import PLANTED

pytestmark = pytest.mark.browser
MOST = 0.25  # of the height of a chapter that cards may take
SHARES = ("cards", "statements", "proofs", "figures", "interactives", "tables", "code", "prose")
GENERATED, APPENDIX = ("back", "evidence"), "appendix"  # pages that are lists of statements by their nature


@pytest.fixture(scope="module")
def heights(from_disk):
    pages = {Path(page).relative_to("book"): met for page, met in from_disk.items()
             if page.startswith("book/") and page != PLANTED}
    return {page.with_suffix("").as_posix(): met["shares"] for page, met in pages.items()
            if page.parent.name not in GENERATED and page.stem != APPENDIX}


@pytest.mark.slow
def test_cards_take_at_most_a_quarter_of_any_page(heights):
    print(f"\n{'page':34} {'px':>6} " + " ".join(f"{kind:>12}" for kind in SHARES))
    for page, found in heights.items():
        print(f"{page:34} {found['page']:6} " + " ".join(f"{found[kind] / found['page']:12.0%}" for kind in SHARES))
    assert {page: found["cards"] / found["page"] for page, found in heights.items()
            if found["cards"] > MOST * found["page"]} == {}


@pytest.mark.slow
def test_the_measure_sees_cards(heights):
    assert sum(found["statementsShown"] for found in heights.values()) > 200
    assert all(found["cards"] > 0 for found in heights.values() if found["statementsShown"])


def test_the_table_on_the_page_of_trials_adds_up():
    with (ROOT / "book" / "back" / "heights.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["when"] for row in rows} == {"before", "after"}
    for row in rows:
        parts = sum(int(row[part]) for part in SHARES)
        if row["name"] != "back/formal":  # there code stands within lists, and is counted twice
            assert 0.6 * int(row["page"]) < parts <= 1.02 * int(row["page"]), row
    chapters = {when: [int(row["cards"]) / int(row["page"]) for row in rows if row["when"] == when
                       and not row["name"].startswith(GENERATED) and not row["name"].endswith(APPENDIX)]
                for when in ("before", "after")}
    assert max(chapters["after"]) <= MOST < max(chapters["before"])
