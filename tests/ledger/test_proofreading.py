"""The rows of the proofreading: their shape, what they cover, and that they and the errata know of each other."""

from dataclasses import replace
from pathlib import Path

import pytest

from derl.claims import PAPER
from derl.ledger.errata import CLASSES
from derl.ledger.proofreading import InvalidProofreading, Row, by_section, problems, read, severity

FILE = Path(__file__).parents[2] / "book" / "back" / "proofreading.csv"
LAST = 1988  # lines of the source
ALGORITHMS = {  # first line of the listing -> its lines, without those that only close a loop
    278: [*range(279, 288), *range(289, 294), *range(296, 299), 300, 301, 303, 304],
    346: [*range(347, 356), 357, *range(359, 365), 367],
    1062: [*range(1063, 1075), *range(1076, 1082), *range(1084, 1088), 1089, 1090],
    1097: [*range(1098, 1106), 1107],
    1267: [1268, 1270, 1271, *range(1273, 1283), 1284],
    1287: [*range(1288, 1298), 1299, 1302, 1303],
    1966: [*range(1967, 1974)],
}
ROWS = read(FILE)
GOOD = Row(7, "Lemma 1", "a bracket", "slip", "typo", "it is missing", ")", "")


def needed() -> list[int]:
    labelled = [line for _, _, line in PAPER.printed_numbers.values()]
    return labelled + [line for lines in ALGORITHMS.values() for line in lines]


def test_every_row_is_in_order_and_nothing_is_left_out():
    assert problems(ROWS, PAPER.statements, needed(), LAST) == []
    assert set(ALGORITHMS) == {line for kind, _, line in PAPER.printed_numbers.values() if kind == "algorithm"}
    assert [row.line for row in ROWS] == sorted(row.line for row in ROWS)


def test_every_wrong_row_names_an_erratum_and_every_erratum_has_a_wrong_row():
    named = {row.statement for row in ROWS if row.verdict == "wrong"}
    assert named == {key for key, statement in PAPER.statements.items() if statement.erratum}


def test_no_row_stands_twice():
    assert len({(row.line, row.where, row.what) for row in ROWS}) == len(ROWS)


def test_rows_are_short():
    assert max(len(row.finding) for row in ROWS) <= 400 and max(len(row.what) for row in ROWS) <= 120
    assert all("\n" not in field for row in ROWS for field in (row.where, row.what, row.finding, row.corrected))


@pytest.mark.parametrize("change, rule", [
    ({"verdict": "unclear"}, "'unclear' is none of"), ({"kind": "oops"}, "'oops' is none of"),
    ({"verdict": "right"}, "'typo' is none of ''"), ({"line": 1989}, "lines 1 to 1988"), ({"what": " "}, "missing"),
    ({"statement": "lem-none"}, "no statement has the id"), ({"verdict": "wrong"}, "names its statement"),
    ({"corrected": ""}, "what should stand there"), ({"finding": ""}, "what is amiss"),
])
def test_a_bad_row_is_named(change, rule):
    assert problems([GOOD], {}, [7], LAST) == []
    assert any(rule in problem for problem in problems([replace(GOOD, **change)], {}, [], LAST))


def test_a_line_without_a_row_is_named():
    assert problems([GOOD], {}, [7, 8], LAST) == ["line 8 has no row"]



def test_what_is_grave_comes_first():
    parts = by_section(ROWS, PAPER)
    assert sum(map(len, parts.values())) == sum(row.verdict != "right" for row in ROWS)
    assert list(parts)[0] == "Section 1" and list(parts)[-1] == "Appendix F.2"
    for rows in parts.values():
        ranks = [severity(row, PAPER.statements) for row in rows]
        assert ranks == sorted(ranks)
    assert severity(GOOD, {}) == (len(CLASSES) + 1, 7)


def test_other_columns_and_lines_that_are_no_numbers_are_refused(tmp_path):
    header = "line,where,what,verdict,kind,finding,corrected,statement\n"
    for text, rule in (("line,where\n1,a\n", "the columns are"), (header + "x,a,b,right,,,,\n", "invalid literal")):
        (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
        with pytest.raises(InvalidProofreading, match=rule):
            read(tmp_path / "rows.csv")


def test_a_heading_belongs_to_the_section_that_it_begins():
    rows = {first: replace(GOOD, line=first) for _, first in PAPER.sections}
    found = by_section(rows.values(), PAPER)
    assert [name.split()[1] for name in found] == [number for number, _ in PAPER.sections]
    assert [row.line for part in found.values() for row in part] == [first for _, first in PAPER.sections]
    before = by_section([replace(GOOD, line=first - 1) for _, first in PAPER.sections], PAPER)
    assert list(before) == ["Before Section 1", *list(found)[:-1]]
