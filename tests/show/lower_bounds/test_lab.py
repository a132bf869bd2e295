"""The labs of the lower bounds."""

from fractions import Fraction

import numpy as np
import pytest

from derl.show.lower_bounds import lab as labs
from derl.theory import lower_bounds


@pytest.mark.parametrize("dim, horizon, exponent, deployments", [(2, 8, 1, 2), (10, 60, 6, 9), (20, 100, 30, 5)])
def test_uniform_search_lies_below_what_no_algorithm_exceeds(dim, horizon, exponent, deployments):
    lab = labs.search_lab(dim, horizon, exponent, deployments)
    assert lab.uniform[0] == lab.ceiling[0] == 0 and (np.diff(lab.uniform) >= -1e-12).all()
    assert (lab.uniform <= lab.ceiling + 1e-12).all() and len(lab.uniform) == len(lab.ceiling) > deployments
    exact = lower_bounds.exact_success_arbitrary(dim, horizon, 10**exponent, deployments)
    assert lab.success == pytest.approx(float(exact), abs=1e-11)
    assert lab.printed <= lab.improved and f"up to {lab.improved}" in lab.sentence
    # the bound that is proved: failure of at least (1 - 1/H)^K as long as K does not exceed it
    k = np.arange(lab.improved + 1)
    assert (1 - lab.ceiling[k] >= (1 - 1 / horizon) ** k - 1e-11).all()


def test_a_probability_too_small_to_be_told_apart_is_not_given_digits():
    lab = labs.search_lab(20, 100, 1, 3)
    assert "below 1e-09" in lab.sentence


def test_one_deployment_and_the_end_of_the_curve():
    lab = labs.search_lab(2, 3, 2, 1)
    assert lab.success == pytest.approx(1) and "one deployment" in lab.sentence
    assert labs.search_lab(2, 3, 2, 50).deployments == 50


@pytest.mark.parametrize("dim, horizon, deployments", [(2, 2, 0), (5, 6, 10), (3, 4, 100)])
def test_the_arm_game_is_exact(dim, horizon, deployments):
    lab = labs.bandit_lab(dim, horizon, deployments)
    m = (dim - 1) * (horizon - 1)
    assert lab.arms == m and lab.failure == max(Fraction(0), 1 - Fraction(deployments + 1, m))
    assert lower_bounds.bandit_failure(m, lab.needed) <= Fraction(1, 10)
    assert lab.needed == 0 or lower_bounds.bandit_failure(m, lab.needed - 1) > Fraction(1, 10)
    assert str(lab.failure) in lab.sentence


@pytest.mark.parametrize("call, word", [
    (lambda: labs.search_lab(dim=1), "d"), (lambda: labs.search_lab(horizon=2), "H"),
    (lambda: labs.search_lab(exponent=31), "exponent"),
    (lambda: labs.search_lab(exponent=1.5), "exponent"),
    (lambda: labs.search_lab(deployments=-1), "K"),
    (lambda: labs.bandit_lab(dim=0), "d"), (lambda: labs.bandit_lab(deployments=-1), "K"),
])
def test_bad_settings_are_named_in_one_line(call, word):
    with pytest.raises(ValueError, match=word) as caught:
        call()
    assert "\n" not in str(caught.value)
