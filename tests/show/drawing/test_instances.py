"""The boxes that introduce an instance say what its arrays say."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from derl import instances
from derl.show.drawing.instances import arrows, instance_graph, meet, number, vector
from derl.theory.lower_bounds.parallel_features import almost_parallel

TRAP = instances.optimism_trap(exact=True)
BANDIT = instances.compact_bandit(4, 3, arm=(1, 2), bias=Fraction(1, 5), exact=True)


def rows(mdp, **options):
    """The cells of the table of the box, without maths signs."""
    lines = meet(mdp, "it", "Words.", **options).data.replace("$", "").splitlines()
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line.startswith("| ")][1:]


@pytest.mark.parametrize("x, shown", [(0, "0"), (Fraction(-3, 5), r"-\frac{3}{5}"), (2.0, "2"), (0.12345, "0.123")])
def test_numbers(x, shown):
    assert number(x) == shown


def test_vectors_are_sums_of_unit_vectors():
    assert vector([Fraction(-3, 5), Fraction(4, 5), 0]) == r"$-\frac{3}{5}e_{1}+\frac{4}{5}e_{2}$"
    assert vector([1, 0, -1]) == "$e_{1}-e_{3}$"
    assert vector([0, 0]) == "$0$"


def test_the_trap():
    assert ["s1", "second", "1", "e_{4}", "0", r"B \frac{17}{20}, C \frac{3}{20}"] in rows(TRAP)
    assert ["A", "first", "2 to 10", "e_{3}", "1 in 2 to 7, 0 in 8 to 10", "A"] in rows(TRAP)
    assert len(rows(TRAP)) == 8  # the pairs that can be met, each once


def test_every_pair_that_can_be_met_stands_there_once():
    found = rows(BANDIT, first=0)
    assert [row for row in found if row[1] == "arm 2"] == [
        ["g", "arm 2", "0, 2 to 3", "e_{3}", r"0 in 0, \frac{1}{2} in 2 to 3", r"u1 \frac{1}{2}, u2 \frac{1}{2}"],
        ["g", "arm 2", "1", "e_{3}", r"\frac{1}{2}", r"u1 \frac{3}{10}, u2 \frac{7}{10}"]]
    assert [row[:2] for row in found if row[0] != "g"] == [["u1", "any"], ["u2", "any"]]


def test_a_changed_instance_changes_the_box():
    other = instances.compact_bandit(4, 3, arm=(1, 2), bias=Fraction(1, 10), exact=True)
    assert meet(other, "it", "Words.").data != meet(BANDIT, "it", "Words.").data


def test_arrays_alone_are_enough_and_measures_are_listed_on_demand():
    phi, mu, theta, available = almost_parallel(Fraction(1, 10))
    bare = SimpleNamespace(phi=phi, mu=mu, theta=theta, available=available, initial=np.array([1, 0, 0, 0]))
    assert rows(bare)[0] == ["s0", "0", "1", "e_{1}", r"\frac{20}{101}", "s2"]
    assert r"\mu_1(\text{s1})=$ $\frac{101}{20}e_{2}" in meet(bare, "it", "Words.", measures=True).data


def test_one_layer_ends_at_once():
    assert all(row[-1] == "the end" for row in rows(instances.hexagon(5, exact=True)))


def test_pictures_number_their_layers():
    ticks = [tick.get_text() for tick in instance_graph(BANDIT.to_float(), first=0).axes[0].get_xticklabels()]
    assert ticks == ["0", "1", "2", "3"]
    assert len(arrows({"a": (1.0, 0.0), "b": (0.6, 0.8)}).axes[0].texts) == 4
