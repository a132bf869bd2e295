"""Tables for the page of Algorithms 3 and 4, each from the runs that it reports."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from derl.algorithms import reward_free_exploration, reward_free_planning
from derl.deployment import Deployer
from derl.mdp import LinearMDP, planning
from derl.show.drawing.tables import table
from derl.theory.reward_free import instances, replay, samples
from derl.theory.reward_free.search import worst_reward


def corner_replay(size: int, epsilon=Fraction(1, 5), delta=Fraction(1, 10)):
    """Estimated and true value of the corner at the third deployment; error of the regression over its bonus."""
    corner, rows = instances.corner(), []
    for version in ("as-printed", "repaired"):
        draw, _ = replay.likely_batches(corner, size)
        beta = replay.bonus_scale(corner.dim, corner.horizon, epsilon, delta, 1)
        third = replay.replay_exploration(corner, draw, size, 3, epsilon, beta, version)[-1]
        believed, missing = third.values[0, instances.CORNER], third.deficit[0, instances.CORNER]
        rows.append((version, f"{float(believed):.4f}", f"{float(believed + missing):.4f}",
                     f"{float(third.excess.max()):.3f}"))
    return table(("version", "optimistic value at C", "true value at C", "largest error of a regression / bonus"), rows)


def batch_sizes(d: int, horizon: int, epsilon: float, delta: float, trade_offs: Iterable[float]):
    """Deployments, and trajectories per deployment by three analyses, for each c_K."""
    rows = []
    for c_K in trade_offs:
        found = [samples.batch_size_reward_free(d, horizon, epsilon, delta, c_K, version=version)
                 for version in ("explicit", "sharp", "flat")]
        rows.append((c_K, samples.deployments_reward_free(d, horizon, c_K), *(f"{N:.1e}" for N in found)))
    return table(("$c_K$", "$K$", "$N$, printed analysis", "$N$, sharp lemma", "$N$, flat threshold"), rows)


def search_for_a_bad_reward(mdp: LinearMDP, size: int = 10**12, epsilon: float = 0.2, delta: float = 0.1):
    """Loss of planning for the instance's own reward and for the worst reward that a search finds."""
    rows = []
    for version in ("as-printed", "repaired", "clipped"):
        deployer = Deployer(mdp, size, 141, seed=3)
        data = reward_free_exploration(deployer, epsilon, delta, version=version).dataset

        def lost(theta, data=data, version=version):
            planned = reward_free_planning(data, theta, version=version).policy
            return planning.gap(mdp, planned, theta=theta)

        worst, _ = worst_reward(mdp, lost, np.random.default_rng(0), 30, 30)
        rows.append((version, data.deployments, f"{lost(mdp.theta):.1e}", f"{worst:.1e}"))
    return table(("version", "deployments", "loss, reward of the trap", "largest loss found"), rows)
