"""What a plan without any data is worth: with no transitions, every next value is 0, and the plan is myopic.

A family on which it succeeds tells no method from another.
"""

from __future__ import annotations

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.deployment import Deployer
from derl.experiments.families import draw
from derl.experiments.watched import adversarial, loss
from derl.inputs.threads import one_thread


@one_thread
def measure(seed: int, family: str, d: int, horizon: int, epsilon: float, delta: float,
            probability: float | None = None) -> list[dict]:
    """The loss for the instance's own reward, the largest for any listed reward, and whether each is within epsilon."""
    mdp = draw(family, seed, d, horizon, probability)
    data = Regressions(Deployer(mdp, 1, 1).known, np.zeros((horizon, mdp.n_states, mdp.n_actions, mdp.n_states)))
    own = loss(mdp, data.plan(mdp.theta))
    worst = max(loss(mdp, data.plan(theta), theta) for theta in adversarial(mdp, seed))
    return [{"loss": own, "worst": worst, "succeeded": own <= epsilon, "every_reward": worst <= epsilon}]
