"""The page of trust counts what the ledger holds."""

import made_rows
from why_page import Counts, of_chapter


def row(verdict, checks, **power):
    power = {"flipped": 0, "asked": 0, "bookkeeping": 0, "unasked": 0, "smallest": None, "room": None,
             "closest": None, "control": None} | power
    return made_rows.statement(*checks, verdict=verdict, power=power)


def test_what_a_chapter_has():
    planted = [{"outcome": "rejected"}, {"outcome": "NOT REJECTED"}]
    symbolic, kernel = made_rows.check(method="symbolic", controls=planted), made_rows.check(method="kernel")
    found = of_chapter([row("proved", [symbolic, kernel], flipped=2, asked=1, bookkeeping=3, unasked=1, smallest=0.001,
                            control=1e-6), row("tested", [made_rows.check(method="run", controls=planted[:1])])])
    assert found == Counts(statements=2, strong=1, checks=3, kernel=1, planted=3, rejected=2, steps=7, tried=3,
                           unasked=1, smallest=1e-6)
    assert of_chapter([row("cited", [])]).smallest is None
