"""Algorithm 1 at batch sizes far below the theorem's, beside the bound K(N) that holds for every N."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from derl.algorithms.layerwise import layerwise_exploration
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory import constants
from derl.theory.safety import sample_efficient

SPECS = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3", "compact_bandit:d=4,horizon=3,arm=2,bias=0.3",
         "lock:d=3,horizon=3,digits=1-2-0,bias=0.3")
SIZES = tuple(10**k for k in range(5, 15))
EPSILON, DELTA, SEED = 1.0, 0.1, 0


class SmallBatchRun(NamedTuple):
    """Deployments of a run of Algorithm 1, whether it stopped by its own rule, and the loss of its policy."""

    deployments: int
    converged: bool
    gap: float


@cache
def measured(spec: str, batch_size: int, n_deployments: int) -> SmallBatchRun:
    """One run of Algorithm 1."""
    mdp = instances.from_spec(spec)
    outcome = layerwise_exploration(Deployer(mdp, batch_size, n_deployments, seed=SEED), EPSILON, DELTA)
    return SmallBatchRun(outcome.deployments, outcome.converged, planning.gap(mdp, outcome.policy))


def bound(spec: str, batch_size: int) -> int:
    """K(N) for the same instance and the same beta."""
    mdp = instances.from_spec(spec)
    beta = constants.bonus_scale(mdp.dim, mdp.horizon, EPSILON, DELTA)
    return sample_efficient.deployments_at(mdp.dim, mdp.horizon, EPSILON, beta, batch_size)
