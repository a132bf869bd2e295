"""Bandits in series."""

from fractions import Fraction

import numpy as np
import pytest

from derl import InvalidInstance, instances, planning


def gate(**changed):
    return instances.needle_gates(**{"d": 3, "layers": 2, "needles": [[(0, 1), (1, 2)], [(1, 1)]], "levels": 2,
                                     "rewards": 3, "exact": True} | changed)


def test_value_and_shape():
    mdp = gate()
    assert (mdp.horizon, mdp.dim, mdp.n_states, mdp.n_actions) == (7, 5, 3, 3)
    assert planning.optimal(mdp.to_float()).value == pytest.approx(3 * 0.75)


def test_a_dud_ends_it_and_so_does_waiting():
    for policy in (np.ones((7, 3), int), np.zeros((7, 3), int)):
        assert planning.evaluate(gate(needles=[[(0, 2)], [(0, 2)]]).to_float(), policy).value == 0


def test_features_do_not_tell_where_the_needles_are():
    assert (gate().phi == gate(needles=[[(1, 1)], [(0, 2)]]).phi).all()


def test_one_stage_one_level_is_a_search_for_one_arm():
    mdp = gate(needles=[[(1, 2)]], levels=1, rewards=1)
    assert planning.optimal(mdp.to_float()).value == 1
    assert Fraction(mdp.mu[1, 2, 2]) == 1


@pytest.mark.parametrize("changed", [{"needles": []}, {"needles": [[]]}, {"needles": [[(0, 1)] * 2]},
                                     {"needles": [[(2, 1)]]}, {"levels": 1}, {"rewards": 0}])
def test_bad_parameters(changed):
    with pytest.raises(InvalidInstance):
        gate(**changed)
