"""Statements, proofs and examples carry a page; what is said about verdicts does not."""

from pathlib import Path

import pytest
from browser import in_chromium

pytestmark = pytest.mark.browser
MOST = 0.25  # of the height of a chapter that cards may take
SHARES = ("cards", "statements", "proofs", "figures", "interactives", "tables", "code", "prose")
GENERATED, APPENDIX = "back", "appendix"  # pages that are lists of statements by their nature


@pytest.fixture(scope="module")
def heights(html):
    pages = sorted(path for path in (html / "book").rglob("*.html")
                   if path.parent.name != GENERATED and path.stem != APPENDIX)
    found = in_chromium(Path(__file__).with_name("heights.mjs"), *[page.as_uri() for page in pages])
    return {page.relative_to(html / "book").with_suffix("").as_posix(): found[page.as_uri()] for page in pages}


def test_cards_take_at_most_a_quarter_of_any_page(heights):
    print(f"\n{'page':34} {'px':>6} " + " ".join(f"{kind:>12}" for kind in SHARES))
    for page, found in heights.items():
        print(f"{page:34} {found['page']:6} " + " ".join(f"{found[kind] / found['page']:12.0%}" for kind in SHARES))
    assert {page: found["cards"] / found["page"] for page, found in heights.items()
            if found["cards"] > MOST * found["page"]} == {}


def test_the_measure_sees_cards(heights):
    assert sum(found["statementsShown"] for found in heights.values()) > 200
    assert all(found["cards"] > 0 for found in heights.values() if found["statementsShown"])
