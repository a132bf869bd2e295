"""Small functions of the labs of the foundations, with their answers written out."""

from fractions import Fraction

import numpy as np
import pytest

from derl.show.foundations import playground, trials
from derl.show.foundations.draft import Fault, cells_of, read, solve
from derl.show.foundations.sheet import edited

TWO = "1 0 | 0.5 0.5 | 0\n0 1 | 1/4 3/4 | 1"


@pytest.mark.parametrize(("edit", "wanted"), [
    ("+ state", "1 0 | 0.5 0.5 0 | 0\n0 1 | 1/4 3/4 0 | 1\n0 1 | 1/4 3/4 0 | 1"), ("− state", "1 0 | 1 | 0"),
    ("+ action", "1 0 | 0.5 0.5 | 0\n1 0 | 0.5 0.5 | 0\n0 1 | 1/4 3/4 | 1\n0 1 | 1/4 3/4 | 1"), ("− action", TWO),
    ("+ feature", "1 0 0 | 0.5 0.5 | 0\n0 1 0 | 1/4 3/4 | 1"), ("− feature", "1 | 0.5 0.5 | 0\n0 | 1/4 3/4 | 1")])
def test_edits_of_a_table(edit, wanted):
    assert edited(edit, TWO) == wanted


def test_the_shortest_measures_share_what_parallel_features_carry():
    """With (1/2, 1/2) alone, 1/2 (m1 + m2) = row: the shortest are m1 = m2 = row."""
    mu, theta = solve(read("0.5 0.5 | 1 | 0.25"))
    np.testing.assert_allclose(mu, [[1], [1]])
    np.testing.assert_allclose(theta, [0.25, 0.25])
    draft = read("1 0 | 0.5 0.5 | 0\n1 0 | 0.5 0.5 | 0\n0 1 | 0 1 | 0\n0 1 | 0 1 | 0")
    assert cells_of(draft, Fault("one", 1, 0, "reward")) == ((2, 2),)
    assert cells_of(draft, Fault("all", part="features")) == ((0, 0), (1, 0), (2, 0), (3, 0))


@pytest.mark.parametrize(("true", "false", "parts"), [
    (1, 5, 4), (5, 1, 4), (1, 100, 20), (1, Fraction(1, 2), 20), (True, False, 1), (1, "a", 1), ((1, 4), (1, 8), 4),
    ((0, 9), (3, 9), 3), ((1, 2), (1, 2, 3), 1)])
def test_how_many_steps_lead_to_a_falsehood(true, false, parts):
    assert trials._parts(true, false) == parts


def test_alternatives_of_the_same_beginning_are_numbered():
    long = "a" * 95
    assert playground.unlike([(long, 1), (long + "b", 2), ("c", 3)]) == (
        ("a" * 89 + "…", 1), ("a" * 89 + "… (1)", 2), ("c", 3))
    assert playground.short("b" * 200).endswith("…") and len(playground.short("b" * 200)) == 90
