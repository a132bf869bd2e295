"""The history whose last batch is read twice, replayed."""

from fractions import Fraction

import pytest

from derl.claims.reward_free import last_batch
from derl.theory.reward_free import replay


def test_the_fork_has_no_noise_before_its_last_batch():
    pytest.importorskip("flint")
    beta = replay.bonus_scale(3, 2, Fraction(1, 5), Fraction(1, 10), 1)
    draw = last_batch.history(last_batch.SIZE)
    run = replay.replay_exploration(last_batch.fork(), draw, last_batch.SIZE, 13,
                                    Fraction(1, 5), beta, "repaired")
    assert len(run) == 4 and all(noise == 0 for record in run for noise in record.noise)
    loss, bound, noise = last_batch.planned(last_batch.SIZE, beta)
    assert loss == Fraction(1, 10) and bound < 1e-4 and noise > 1e6
