"""Tables in MyST."""

import numpy as np
import pytest

from derl.show.drawing.tables import folded, readable, table


def test_a_table():
    assert table(("a", "$b$"), [(1, 2.5)]).data == "| a | $b$ |\n| --- | --- |\n| 1 | 2.5 |"


def test_a_row_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="1 cells and the header 2"):
        table(("a", "b"), [(1,)])


def test_a_folded_table_stands_between_blank_lines():
    text = folded("more", ("a",), [(1,)]).data
    assert text == "<details><summary>more</summary>\n\n| a |\n| --- |\n| 1 |\n\n</details>"


@pytest.mark.parametrize("printed, shown", [
    ("1.2e+18", "1.2·10¹⁸"), ("1e6", "10⁶"), ("1e-05", "10⁻⁵"), ("5.5e+28*", "5.5·10²⁸*"), ("0.0e+00", "0"),
    ("2.25e+05", "225000"), ("1.00e-03", "0.00100"), ("7.6e-10", "7.6·10⁻¹⁰"), ("1.6e+00", "1.6"),
    ("3e‑04 / 1e‑06", "3·10⁻⁴ / 10⁻⁶"), ("1e6 (20 deployments)", "10⁶ (20 deployments)"), ("-2e+09", "-2·10⁹"),
    ("`N=1e12`", "`N=1e12`"), ("$1e6$", "$1e6$"), ("commit 5e12f", "commit 5e12f"), ("v1e6", "v1e6")])
def test_powers_of_ten_are_written_for_people_outside_code_and_formulas(printed, shown):
    assert readable(printed) == shown


def test_truth_values_are_yes_and_no():
    assert table(("holds",), [(True,), (np.False_,)]).data.split("\n")[2:] == ["| yes |", "| no |"]
