"""Tables and figure of the recorded study of junk locks."""

import math

import pytest

from derl.show.beyond import known_law


def cells(table):
    rows = [row for row in table.splitlines()[2:] if row.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_slopes_in_theory_by_hand():
    assert known_law.expected("one", 1, 4) == 2 and known_law.expected("blocks", 2, 4) == 1
    assert known_law.expected("known law", 2, 2) == 0
    assert 2 ** (1 / known_law.expected("known law", 2, 5)) == pytest.approx(2 ** (1 / math.log2(5) + 1 / 2))


def test_one_deployment_grows_like_d_and_the_known_law_grows_least():
    found = {(line.method, line.deployments, line.d): line.slope() for line in known_law.lines()}
    low, high = found["one", 1, 2][1:]
    assert low - 0.15 < 1 < high + 0.15
    for d in (2, 3, 4):
        assert found["known law", 2, d][0] < found["blocks", 2, d][0]


def test_the_page_says_where_the_program_does_not_win():
    found = {(line.method, line.deployments, line.d): line for line in known_law.lines()}
    text = known_law.where_it_wins()
    assert "from $H=8$ on" in text and "does not win" in text and "in 29 of 29 comparisons up to $H=24$." in text
    assert found["blocks", 2, 2].median(8) > found["known law", 2, 2].median(8)
    assert found["blocks", 2, 2].median(4) < found["known law", 2, 2].median(4)
    assert found["blocks", 2, 3].median(24) <= found["known law", 2, 3].median(24)


def test_tables_and_figure_have_all_lines():
    assert len(cells(known_law.slopes())) >= 8
    compared = cells(known_law.compared())
    assert {row[0] for row in compared} == {"2", "3", "4"} and {row[1] for row in compared} == {"2", "3"}
    assert all(float(row[3]) <= 0.1 for row in cells(known_law.at_the_theorem()))
    assert len(known_law.figure().axes) == 3
    assert known_law.size(math.inf).startswith("above")
