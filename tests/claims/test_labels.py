"""The label of a control says what the control plants: exchanged with another one of its check, it fits worse.

`python attacks/labels.py --renew` records the pairs for which it cannot, after they have been looked at.
"""

import importlib
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest
import rules

from derl.claims import PAPER

TOLD_APART = 0.9  # of all pairs of controls; may only grow


@pytest.fixture(scope="module")
def labels():
    sys.path.insert(0, str(rules.ROOT / "attacks"))
    yield importlib.import_module("labels")
    sys.path.remove(str(rules.ROOT / "attacks"))


@pytest.fixture(scope="module")
def rows(labels):
    return labels.table(PAPER.register().checks)


def sample(error=4, top=1, bound=lambda d: d**2, kind="exact"):
    """A check of nothing."""


def a_check(*controls):
    return SimpleNamespace(name="sample", source="m.sample", formal=None, function=sample, controls=[
        SimpleNamespace(plants=label, arguments=arguments) for label, arguments in controls])


@pytest.mark.parametrize("one, other", [
    (("3 sqrt(d) gamma in place of 4", {"error": 3}), ("5 sqrt(d) gamma", {"error": 5})),
    (("values of at most 19/10", {"top": Fraction(19, 10)}), ("an error of 2", {"error": 2})),
    (("twice the bound", {"top": 2}), ("half of it", {"top": Fraction(1, 2)})),
    (("d^3 for d^2", {"bound": lambda d: d**3}), ("d for d^2", {"bound": lambda d: d})),
    (("an approximate search", {"kind": "approximate"}), ("10^6 more", {"top": 1_000_000}))])
def test_two_exchanged_labels_are_seen(labels, one, other):
    right = labels.table([a_check(one, other)])
    wrong = labels.table([a_check((one[0], other[1]), (other[0], one[1]))])
    assert labels.crossed(right) == [] and len(labels.crossed(wrong)) == 1
    assert labels.problems(wrong, {}) == labels.crossed(wrong) and labels.problems(wrong, {"m.sample": 1}) == []


def test_labels_that_say_nothing_are_not_told_apart(labels):
    (row,) = labels.table([a_check(("something else", {"top": 2}), ("another thing", {"top": 3}))])
    assert row[3] == 0 and labels.crossed([row]) == []


def test_no_label_of_the_paper_fits_the_arguments_of_another_control(labels, rows):
    assert labels.problems(rows, labels.recorded()) == []
    assert sum(gain > labels.NEAR for *_, gain in rows) >= TOLD_APART * len(rows)
