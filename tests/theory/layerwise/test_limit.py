"""The replay for all large beta and N at once, against float runs and the replay at single points."""

from fractions import Fraction

import numpy as np
import pytest

from derl.algorithms import layerwise_exploration
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory.exact.balls import Undecided
from derl.theory.layerwise.limit import Scales, replay_limit

EPSILON = Fraction(1, 5)
SCALES = Scales(Fraction(25, 2), Fraction(1, 2000), Fraction(1, 100))
TRAP = instances.optimism_trap(exact=True)


@pytest.mark.parametrize("beta", [12.5, 40.0, 3000.0])
def test_float_runs_take_the_same_layers_and_lose_the_same(beta):
    limit = replay_limit(TRAP, EPSILON, SCALES, 421)
    deployer = Deployer(instances.optimism_trap(), int((2000 * beta) ** 2) + 1, 421, seed=1)
    outcome = layerwise_exploration(deployer, 0.2, 0.1, version="as-printed", beta=beta)
    assert tuple(record.layer for record in outcome.trace) == limit.layers
    assert [outcome.policy[0, 0], outcome.policy[1, 3]] == [limit.policy[0, 0], limit.policy[1, 3]] == [1, 0]  # s1, C
    assert planning.gap(instances.optimism_trap(), outcome.policy) == pytest.approx(0.24)
    assert limit.gap == Fraction(6, 25) and limit.deficit > Fraction(1, 5)


def test_a_narrower_range_of_batches_gives_the_same_run():
    narrow = Scales(Fraction(100), Fraction(1, 10**6), Fraction(1, 10**4))
    first, second = (replay_limit(TRAP, EPSILON, scales, 421) for scales in (SCALES, narrow))
    assert first.layers == second.layers and np.array_equal(first.policy, second.policy)


def test_small_bonuses_and_small_batches_are_undecided():
    with pytest.raises(Undecided, match="capped"):
        replay_limit(TRAP, EPSILON, Scales(Fraction(12), Fraction(1, 2000), Fraction(1, 100)), 421)
    with pytest.raises(Undecided):
        replay_limit(TRAP, EPSILON, Scales(Fraction(25, 2), Fraction(1, 20), Fraction(1, 100)), 421)
    with pytest.raises(Undecided, match="after 5 deployments"):
        replay_limit(TRAP, EPSILON, SCALES, 5)


def test_the_repaired_backup_opens_the_trap():
    opened = replay_limit(TRAP, EPSILON, Scales(Fraction(40), Fraction(1, 2000), Fraction(1, 100)), 421, "repaired")
    assert opened.policy is None and opened.gap == 0
