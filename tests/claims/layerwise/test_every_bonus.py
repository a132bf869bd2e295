"""The counterexample for every bonus constant: where beta is large enough, and what the instances are."""

import math
from fractions import Fraction

import pytest

from derl.claims.layerwise import every_bonus, low_values
from derl.mdp import exact


@pytest.mark.parametrize("c_beta", [1e-3, 1e-2, 1 / 20, 1 / 15, 1.0, 50.0])
def test_the_chosen_delta_makes_beta_large_enough(c_beta):
    log_delta = min(math.log(0.1), math.log(350) - (5 / (28 * c_beta)) ** 2)
    beta = 70 * c_beta * math.sqrt(math.log(350) - log_delta)
    assert beta >= 12.5 * (1 - 1e-12)


def test_one_tenth_is_enough_from_one_fifteenth_on_and_not_at_one_twentieth():
    assert 70 / 15 * math.sqrt(math.log(3500)) > 12.5 > 70 / 20 * math.sqrt(math.log(3500))
    assert every_bonus.least_beta_is_reached() and not every_bonus.least_beta_is_reached(Fraction(1, 10))


def test_the_run_loses_more_than_epsilon_and_values_are_low():
    found = every_bonus.run(Fraction(1), "as-printed", every_bonus.SCALES.least_beta)
    assert found.gap == Fraction(6, 25) > every_bonus.EPSILON and found.deficit > Fraction(1, 5)
    assert len(found.finished) == 10


def test_both_parts_of_the_theorem_fail_on_the_longer_trap():
    truncated, final = every_bonus.longer_gaps(False, every_bonus.LONGER.least_beta)
    assert (truncated, final) == (Fraction(34, 625), Fraction(153, 2500))


def test_the_steep_chain_has_low_values_although_true_values_are_fine():
    chain = low_values.steep_chain()
    assert exact.optimal(chain).value == 8
    assert low_values.highest_value_of_u(chain, 10**6) < -13
    assert low_values.highest_value_of_u(low_values.steep_chain(lean=1), 10**6) == 10
