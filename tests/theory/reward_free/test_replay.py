"""The replay of Algorithm 3 in balls agrees with runs, and its instances are what their docstrings say."""

from fractions import Fraction

import numpy as np
import pytest

from derl import Deployer, algorithms
from derl.exact.balls import Undecided
from derl.theory.reward_free import instances
from derl.theory.reward_free.replay import (
    bonus_scale,
    concentration_scale,
    likely_batches,
    lower,
    replay_exploration,
    upper,
)

EPSILON, DELTA = Fraction(1, 5), Fraction(1, 10)


@pytest.mark.parametrize("version", ["as-printed", "repaired"])
def test_the_replay_is_what_runs_do(version):
    exact, size = instances.corner(), 10**14
    draw, log_exception = likely_batches(exact, size)
    beta = bonus_scale(7, 2, EPSILON, DELTA, Fraction(1))
    replayed = replay_exploration(exact, draw, size, 3, EPSILON, beta, version)
    assert log_exception() < -70
    # two sides, and the same deviation for every count: so often as many counts were random
    draws = 0.5 * np.exp(log_exception() + 80)
    assert draws == pytest.approx(round(draws)) and 1 <= round(draws) <= 3 * exact.transitions().size
    for seed in range(3):
        deployer = Deployer(exact.to_float(), size, 3, seed=seed)
        run = algorithms.reward_free_exploration(deployer, 0.2, 0.1, version=version)
        assert [r.layer for r in run.trace] == [r.layer for r in replayed]
        assert [r.finished for r in run.trace] == [r.finished for r in replayed]
        for record, certified in zip(run.trace, replayed, strict=True):
            np.testing.assert_array_equal(record.policy[0, :2], certified.policy[0, :2])
    assert upper(replayed[-1].excess.max()) < 1


@pytest.mark.parametrize("size", [3 * 10**7, 4 * 10**7])
def test_a_layer_is_finished_by_the_printed_threshold(size):
    """At these N the statistic of layer 1 lies between epsilon h/(H (4H+2)) = 0.01 and epsilon h/(4H+2) = 0.02."""
    exact = instances.corner()
    draw, _ = likely_batches(exact, size)
    certified = replay_exploration(exact, draw, size, 4, EPSILON, bonus_scale(7, 2, EPSILON, DELTA, Fraction(1)),
                                   "repaired")
    run = algorithms.reward_free_exploration(Deployer(exact.to_float(), size, 4, seed=1), 0.2, 0.1, version="repaired")
    assert any(0.01 < record.statistic < 0.02 and record.layer == 1 for record in run.trace)
    assert [record.layer for record in certified] == [record.layer for record in run.trace]
    assert [record.finished for record in certified] == [record.finished for record in run.trace]


def test_the_printed_exploration_never_tries_q():
    """It stops by its own rule with f untried; the repaired one tries f in the third deployment."""
    mdp = instances.corner().to_float()
    runs = {v: algorithms.reward_free_exploration(Deployer(mdp, 10**14, 20), 0.2, 0.1, version=v)
            for v in ("as-printed", "repaired")}
    assert all(run.converged for run in runs.values())
    tried = {v: run.dataset.counts[0, instances.CORNER, 2].sum() for v, run in runs.items()}
    assert tried["as-printed"] == 0 < tried["repaired"]


def test_the_valley_is_deep():
    mdp = instances.valley().to_float()
    run = algorithms.reward_free_exploration(Deployer(mdp, 10**16, 4), 0.2, 0.1, version="as-printed")
    assert [r.layer for r in run.trace] == [1, 1, 2, 3]
    assert run.trace[-1].policy[0, instances.RARE] == instances.LAST


def test_an_exact_history_is_replayed_exactly():
    size, exact = 10**12, instances.coin()
    draw = instances.biased_coin_history(size, (size // 2 + 10**6, size // 2 + 10**6))
    run = replay_exploration(exact, draw, size, 9, EPSILON, bonus_scale(3, 2, EPSILON, DELTA, Fraction(1)))
    assert run[-1].finished and [r.layer for r in run] == [1, 1, 2, 2]
    third = run[2]
    expected = 2 * 10**6 * 2 / np.sqrt(2 * size)  # deviation times V(heads) - V(tails), over sqrt(2N)
    assert float(lower(third.noise[0])) == pytest.approx(expected, rel=1e-3)


def test_what_balls_cannot_decide_is_refused():
    exact = instances.corner(rare=Fraction(1, 2))
    draw, _ = likely_batches(exact, 10**14)
    with pytest.raises(Undecided):
        replay_exploration(exact, draw, 10**14, 6, EPSILON, bonus_scale(7, 2, EPSILON, DELTA, Fraction(1)))


def test_scales_enclose_their_value():
    value = 6 * np.sqrt(np.log(300))
    ball = bonus_scale(3, 2, EPSILON, DELTA, Fraction(1))
    assert float(lower(ball)) == pytest.approx(value) and lower(ball) <= upper(ball)
    assert float(lower(concentration_scale(3, 2, 13, 10**12, DELTA, Fraction(1)))) == pytest.approx(
        6 * np.sqrt(np.log(3 * 13 * 1e12 * 2 / 0.1)))


def test_precision_is_left_as_it_was():
    import flint

    before = flint.ctx.prec
    draw, _ = likely_batches(instances.coin(), 10**12)
    replay_exploration(instances.coin(), draw, 10**12, 1, EPSILON, bonus_scale(3, 2, EPSILON, DELTA, Fraction(1)))
    assert flint.ctx.prec == before


def test_the_records_of_the_coin_by_hand():
    """First nothing is known: V = 2, the truth is the reward 1. Then layer 1 is known, and heads has a new action."""
    size, exact = 10**12, instances.coin()
    draw = instances.biased_coin_history(size, (size // 2 + 10**6, size // 2 + 10**6))
    beta = bonus_scale(3, 2, EPSILON, DELTA, Fraction(1))
    first, second, third, _ = replay_exploration(exact, draw, size, 9, EPSILON, beta)
    scale = float(lower(beta))
    assert [float(lower(x)) for x in (first.values[0, 0], first.deficit[0, 0], first.excess[0, 0, 0])] == [2, -1, 0]
    bonus = scale / np.sqrt(size + 1)
    assert float(lower(second.values[0, 0])) == pytest.approx(1.5 * bonus, rel=1e-9)
    assert float(lower(second.deficit[0, 0])) == pytest.approx(-bonus, rel=1e-9)
    assert float(lower(third.values[1, 1])) == 2 and float(lower(third.deficit[1, 1])) == -1
    assert third.policy[1].tolist() == [0, 1, 0]
    tails = 1.5 * scale / np.sqrt(size - 2 * 10**6 + 1)
    drift = 2 * 10**6 * (2 - tails)  # two million more heads than tails than expected, over both deployments
    error = (drift - (2 + tails) / 2) / (2 * size + 1)
    assert float(lower(third.predicted[0, 0, 0])) == pytest.approx((2 + tails) / 2 + error, rel=1e-12)
    assert float(lower(third.excess[0, 0, 0])) == pytest.approx(error * np.sqrt(2 * size + 1) / scale, rel=1e-6)
