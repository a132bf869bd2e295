"""The backup that all algorithms share: what each version caps, and how ties fall."""

import numpy as np
import pytest

from derl.estimation import fit, optimistic_backup
from derl.estimation.backup import greedy


def setting():
    phi = np.array([[[1.0, 0.0], [-0.6, 0.8]]])  # one state; the second action looks back along the first
    counts = np.zeros((1, 2, 1))
    counts[0, 0, 0] = 1e12
    return phi, fit(phi, counts), np.array([6.4])


@pytest.mark.parametrize("version, second", [("as-printed", 10 - 0.6 * 6.4), ("repaired", 10.0), ("clipped", 10.0)])
def test_only_the_printed_version_falls_below_the_cap_without_data(version, second):
    phi, design, values = setting()
    step = optimistic_backup(phi, np.zeros((1, 2)), values, design, beta=100.0, cap=10.0, version=version)
    assert step.q[0, 1] == pytest.approx(second, abs=1e-9)
    assert step.values[0] == step.q.max()


def test_an_action_that_does_not_exist_is_never_chosen():
    phi, design, values = setting()
    step = optimistic_backup(phi, np.zeros((1, 2)), values, design, 100.0, 10.0, np.array([[True, False]]))
    assert step.policy[0] == 0 and step.q[0, 1] == -np.inf


def test_ties_up_to_rounding_fall_to_the_lowest_index():
    assert greedy(np.array([[1.0, 1.0 + 1e-15], [1.0, 1.0 + 1e-9], [-np.inf, 0.0]])).tolist() == [0, 1, 1]


@pytest.mark.parametrize("version, linear", [("as-printed", -3.84), ("repaired", -3.84), ("clipped", 0.0)])
def test_the_backup_is_prediction_plus_reward_plus_bonus(version, linear):
    """Below the cap nothing is lost: the second action is predicted at -0.6 * 6.4, and its norm is 0.8."""
    phi, design, values = setting()
    step = optimistic_backup(phi, np.array([[0.25, 0.5]]), values, design, beta=6.0, cap=10.0, version=version)
    assert step.q[0].tolist() == pytest.approx([6.4 + 0.25, linear + 0.5 + 4.8], abs=1e-4)


def test_values_that_are_alike_up_to_rounding_are_a_tie_whatever_their_size():
    assert greedy(np.array([[1e6, 1e6 + 5e-7], [1.0, 1.0 + 5e-7]])).tolist() == [0, 1]
