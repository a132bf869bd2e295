"""Every check of the reward-free part passes, and every control is rejected; what the checks build is what they say."""

from fractions import Fraction

import pytest

from derl.claims import (
    reward_free,
    reward_free_algorithms,
    reward_free_concentration,
    reward_free_constraints,
    reward_free_event,
    reward_free_hoeffding,
    reward_free_runs,
    reward_free_samples,
    reward_free_theorem,
)
from derl.claims.registry import REGISTRY, run_check

MODULES = {module.__name__ for module in (
    reward_free, reward_free_algorithms, reward_free_concentration, reward_free_constraints, reward_free_event,
    reward_free_hoeffding, reward_free_runs, reward_free_samples, reward_free_theorem)}
CHECKS = list({check.function: check for check in REGISTRY.checks if check.function.__module__ in MODULES}.values())


@pytest.mark.parametrize("check", [c for c in CHECKS if c.tier == "quick"], ids=lambda c: c.name)
def test_the_check_passes_and_rejects_what_is_false(check):
    row = run_check(check)
    assert row["outcome"] == "pass", row["detail"]
    assert row["control"]["outcome"] == "rejected", row["controls"]


def test_every_check_has_a_control():
    assert len(CHECKS) >= 30 and all(check.controls for check in CHECKS)


def test_the_listing_names_what_is_missing():
    found = reward_free_algorithms.undefined_reads(reward_free_algorithms.exploration_steps(2, 2, 1, repaired=False))
    assert ("Lambda_h^k", "phi") in found and ("Q_{h_k + 1} = V_{h_k + 1} = 0", "h") in found
    assert not reward_free_algorithms.undefined_reads(reward_free_algorithms.exploration_steps(3, 2, 2, repaired=True))


@pytest.mark.parametrize("scale, loss", [(Fraction(1), Fraction(1, 2)), (Fraction(1, 2), 0)])
def test_the_cap_hides_rewards_above_one(scale, loss):
    assert reward_free.smallest_loss(scale, Fraction(0)) == loss


def test_the_instance_has_to_satisfy_the_assumption():
    with pytest.raises(ValueError, match="Assumption 1"):
        reward_free.two_rewards(Fraction(3, 2))


def test_exponents_are_read_off():
    from sympy import log

    from derl.claims.reward_free_constraints import H, d, eps, exponents

    assert exponents(log(7 * H**3 * d / eps**2)) == {"H": 3, "d": 1, "epsilon": -2, "L": 0}
