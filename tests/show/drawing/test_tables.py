"""Tables in MyST."""

import pytest

from derl.show.drawing.tables import folded, table


def test_a_table():
    assert table(("a", "$b$"), [(1, 2.5)]).data == "| a | $b$ |\n| --- | --- |\n| 1 | 2.5 |"


def test_a_row_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="1 cells and the header 2"):
        table(("a", "b"), [(1,)])


def test_a_folded_table_stands_between_blank_lines():
    text = folded("more", ("a",), [(1,)]).data
    assert text == "<details><summary>more</summary>\n\n| a |\n| --- |\n| 1 |\n\n</details>"
