"""The rare state is reached with its probability by every policy, and bounds the reachability."""

import numpy as np
import pytest

from derl.mdp import InvalidInstance, instances, planning
from derl.mdp.policies import uniform


@pytest.mark.parametrize("p", [0.5, 0.1, 1e-5, 0.0])
def test_every_policy_reaches_it_equally_seldom(p):
    mdp = instances.rare_state(p, 4, 3)
    rng = np.random.default_rng(np.random.SeedSequence(2))
    for policy in (uniform(mdp), *rng.integers(2, size=(5, 4, 5))):
        mass = planning.occupancy(mdp, policy).sum(axis=2)[:, 4]
        assert mass[0] == 0 and mass[1] == pytest.approx(p, rel=1e-12)
        assert (planning.feature_covariance(mdp, policy)[:, 3, 3] <= mass + 1e-15).all()
    assert instances.from_spec(f"rare_state:probability={p},horizon=4,seed=3") == mdp


def test_the_rest_does_not_depend_on_the_probability_and_ranges_are_checked():
    first, second = instances.rare_state(0.1, 3, 1), instances.rare_state(0.0, 3, 1)
    np.testing.assert_array_equal(first.phi, second.phi)
    np.testing.assert_allclose(first.mu[:, :3, :4], 0.9 * second.mu[:, :3, :4])
    for arguments in ((0.6, 3, 1), (0.1, 1, 1), (0.1, 3, -1)):
        with pytest.raises(InvalidInstance):
            instances.rare_state(*arguments)
