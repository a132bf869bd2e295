"""N of Algorithm 7 and the bandit on which the factor alpha decides."""

from fractions import Fraction

import pytest

from derl.mdp.exact import ExactMDP, rationals
from derl.theory.analysis.covers import root_bounds
from derl.theory.constants import InvalidConstant
from derl.theory.safety.threshold import mixture_constants, nearly_parallel_arms, replay


@pytest.mark.parametrize("change, word", [({"alpha": 0.3}, "alpha"), ({"alpha": 0}, "alpha"),
                                          ({"epsilon": 1}, "epsilon"),
                                          ({"delta": 0}, "delta"), ({"c_K": 1}, "c_K"), ({"c_K": 1.01}, "1e300")])
def test_bad_parameters(change, word):
    with pytest.raises(InvalidConstant, match=word) as caught:
        mixture_constants(**({"d": 3, "horizon": 2, "epsilon": 0.5, "delta": 0.1, "alpha": 0.1} | change))
    assert "\n" not in str(caught.value)


def test_the_arms_are_nearly_parallel_and_the_second_is_worse():
    arms = nearly_parallel_arms()
    first, second = arms.phi[0, 0]
    assert first @ second == Fraction(9999, 10001) and second @ second == 1
    assert arms.rewards()[0, 0, 0] - arms.rewards()[0, 0, 1] == Fraction(241, 10001)


@pytest.mark.parametrize("factor, action, deployments", [(Fraction(1), 1, 2), (Fraction(1, 100), 0, 3)])
def test_the_factor_decides_which_arm_is_returned(factor, action, deployments):
    explores = [10**22] * 5
    found = replay(nearly_parallel_arms(), 10**24, explores, Fraction(1, 50), Fraction(24), factor)
    assert (found.action, found.deployments) == (action, deployments)


def test_a_small_batch_never_meets_the_rule():
    assert replay(nearly_parallel_arms(), 100, [1] * 4, Fraction(1, 50), Fraction(24), Fraction(1, 100)).action is None


def two_arms():
    """Features e_1 and e_2 with rewards 1/4 and 1/2."""
    return ExactMDP(rationals([[[[1, 0], [0, 1]]]]), rationals([[[1], [1]]]), rationals([["1/4", "1/2"]]), [1])


def test_values_are_clipped_to_the_unit_interval_before_they_are_compared():
    """beta = 1: both optimistic values are 1 and both pessimistic ones 0 at first, and the first arm is taken.

    The statistic is 2; after ten trajectories on the first arm it is 2 (2/5 + (3/5)/sqrt 11) = 1.16.
    """
    found = replay(two_arms(), 10, [4], Fraction(5), Fraction(1), Fraction(1))
    assert (found.action, found.deployments) == (0, 1)
    assert replay(two_arms(), 10, [4, 4], Fraction(2), Fraction(1), Fraction(1)).action is None
    found = replay(two_arms(), 10, [4, 4], Fraction(12, 5), Fraction(1), Fraction(1))
    assert (found.action, found.deployments) == (1, 2)


def test_a_statistic_next_to_its_threshold_is_not_decided():
    with pytest.raises(ValueError, match="too close"):
        replay(two_arms(), 10, [4, 4], 2 * (Fraction(4, 5) + Fraction(6, 5) * root_bounds(Fraction(1, 11))[1]),
               Fraction(1), Fraction(1))
