"""Every check of the reward-free part passes, and every control is rejected; what the checks build is what they say."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from derl.claims import (
    reward_free,
    reward_free_algorithms,
    reward_free_concentration,
    reward_free_constraints,
    reward_free_event,
    reward_free_hoeffding,
    reward_free_last_batch,
    reward_free_plan_reward,
    reward_free_runs,
    reward_free_samples,
    reward_free_theorem,
)
from derl.claims.registry import REGISTRY, run_check

MODULES = {module.__name__ for module in (
    reward_free, reward_free_algorithms, reward_free_concentration, reward_free_constraints, reward_free_event,
    reward_free_hoeffding, reward_free_last_batch, reward_free_plan_reward, reward_free_runs, reward_free_samples,
    reward_free_theorem)}
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


def test_the_bracket_of_the_concentration_lemma_is_below_its_bound():
    """The inequality behind the constant 2, computed as it stands, in place of the comparisons of its proof."""
    worst = 0.0
    for d, H, delta in product((2, 3, 5, 20, 200), (1, 3, 30, 1000), (0.999, 0.1, 1e-6)):
        n = np.geomspace(2, 1e30, 200)  # K N samples
        l = np.log(2 * d * n * H / delta)  # noqa: E741
        beta, u = 2 * d * H * np.sqrt(l), np.sqrt(d) / 4
        eta = H * u / (2 * np.sqrt(n))
        log_net = (np.log(H + 1) + d * np.log1p((2 * H * np.sqrt(n) + 4 * np.sqrt(d)) / eta)
                   + d * (d + 1) / 2 * np.log1p(8 * beta * np.sqrt(d) / eta))
        noise = u + np.sqrt((d * np.log1p(n / d) / 2 + log_net + np.log(2 * H / delta)) / 2)
        worst = max(worst, ((np.sqrt(d) + np.minimum(noise, np.sqrt(n))) / (2 * d * np.sqrt(l))).max())
    assert 0.5 < worst <= 1


def test_exponents_are_read_off():
    from sympy import log

    from derl.claims.reward_free_constraints import H, d, eps, exponents

    assert exponents(log(7 * H**3 * d / eps**2)) == {"H": 3, "d": 1, "epsilon": -2, "L": 0}


def test_the_fork_has_no_noise_before_its_last_batch():
    pytest.importorskip("flint")
    from derl.theory import replay_reward_free as replay

    beta = replay.bonus_scale(3, 2, Fraction(1, 5), Fraction(1, 10), 1)
    draw = reward_free_last_batch.history(reward_free_last_batch.SIZE)
    run = replay.replay_exploration(reward_free_last_batch.fork(), draw, reward_free_last_batch.SIZE, 13,
                                    Fraction(1, 5), beta, "repaired")
    assert len(run) == 4 and all(noise == 0 for record in run for noise in record.noise)
    loss, bound, noise = reward_free_last_batch.planned(reward_free_last_batch.SIZE, beta)
    assert loss == Fraction(1, 10) and bound < 1e-4 and noise > 1e6
