"""A formula of a text as a function of letters and of pieces, and the places that are read."""

from fractions import Fraction

from derl.printed import Text
from derl.printed.edits import edits

TEXT = Text(r"It is $J(\pi)=\frac H2+b\,q(\pi)$, and $m=(D-3)(T-1)\ge\frac18DT$.")


def test_a_piece_is_an_argument_like_a_letter():
    value = TEXT.function(r"J(\pi)=", "H", "b", r"q(\pi)")
    assert value(3, Fraction(1, 4), 1) == Fraction(7, 4) and value(3, Fraction(1, 4), 0) == Fraction(3, 2)


def test_both_sides_of_a_relation_are_read_where_both_are_evaluated():
    text = Text(TEXT.source)
    left, right = text.sides(r"m=...\ge", D=4, T=2)
    assert (left, right) == (1, 1)
    assert any(text.source[start:end].startswith("(D-3)") for start, end in text.places)


def test_groups_of_three_digits_are_one_number():
    text = Text(r"$N\ge602\,112\,d+25{,}088$ and $M\ge2\,d\,100$.")
    assert text(r"N\ge", d=2) == 2 * 602112 + 25088
    assert text(r"M\ge", d=3) == 600
    assert any(edit.source.startswith(r"$N\ge602113\,d") for edit in edits(text))
