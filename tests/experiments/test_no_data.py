"""A plan without data: its losses are those of the myopic policy, computed here for each reward."""

import numpy as np
import pytest

from derl import planning
from derl.experiments.families import draw
from derl.experiments.studies import no_data
from derl.experiments.watched import adversarial


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_losses_are_those_of_the_myopic_policy(seed):
    mdp = draw("simplex", seed, 3, 3, None)

    def lost(theta):
        rewards = np.where(mdp.available, np.einsum("hsad,hd->hsa", mdp.phi, theta), -np.inf)
        shown = mdp.with_reward(theta)
        return planning.optimal(shown).value - planning.evaluate(shown, rewards.argmax(axis=2)).value

    (found,) = no_data.measure(seed, "simplex", 3, 3, 0.05, 0.1)
    losses = [lost(theta) for theta in adversarial(mdp, seed)]
    assert max(losses) > min(losses) + 0.01
    assert found["worst"] == pytest.approx(max(losses)) and found["loss"] == pytest.approx(lost(mdp.theta))
    assert found["succeeded"] == (found["loss"] <= 0.05) and found["every_reward"] == (found["worst"] <= 0.05)
