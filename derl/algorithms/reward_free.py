r"""Algorithms 3 and 4: explore without a reward, plan for any linear reward afterwards.

Exploration is Algorithm 1 with another reward and another threshold. With b = |phi|_{Lambda^{-1}},

    r^k = min(beta b, H)/H,          Delta_k < epsilon h_k/((4H + 2) H)  finishes layer h_k.             (Algorithm 3)

Planning is one optimistic backward pass over the data, with the reward that the user brings and values capped at
h~ (the horizon asked for). The pseudocode cannot be run literally. Four things are read as follows in every version:

    line 6 of Algorithm 3 sums Lambda_h^k to tau = k, a batch that does not exist yet   -> to k - 1, as in Algorithm 1;
    h_{k+1} is never assigned (h_k itself is)                                           -> it is, as in Algorithm 1;
    D_h <- D_h u {(s, a)} as a set forgets how often a pair occurred and what followed  -> a sequence;
    w_h in Algorithm 4: n is not summed over, V_{h+1}(s', a) has an argument too many   -> sum over n, V_{h+1}(s').

What remains of the difference between "as-printed" and "repaired" is the cap on the bonus inside Q.

Source: Algorithm 3 (`alg:DE_rl_layer_by_layer_reward_free_exploration`) and Algorithm 4
(`alg:DE_rl_layer_by_layer_reward_free_planning`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Dataset, bonus_scales, collect
from derl.algorithms.exploration import Rule
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.boundary import choice, real, whole
from derl.boundary.arrays import as_floats
from derl.boundary.threads import one_thread
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import BACKUP_VERSIONS, optimistic_backup
from derl.estimation.bonus import bonus
from derl.mdp import policies

THRESHOLDS = ("as-printed", "flat")
SLACK = 1e-9  # rewards may leave [0, 1] by rounding


@dataclass(frozen=True, eq=False)
class Planned:
    """What the planning phase returns.

    Attributes
    ----------
    policy : (H, S) int
        Greedy in the layers 1..h~; beyond, the first available action.
    values : (S,)
        Optimistic values of the first layer.
    bonus : (h~, S, A)
        u^plan = min(beta |phi|_{Lambda^{-1}}, h~), zero where the action is not available; r^plan is this over h~.
    horizon : int
        h~.
    beta : float
    """

    policy: np.ndarray
    values: np.ndarray
    bonus: np.ndarray
    horizon: int
    beta: float


def reward_free_exploration(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                            version: str = "repaired", tail: int | str = 0, beta: float | None = None,
                            threshold: str = "as-printed") -> Outcome:
    """Collect data that serve every linear reward, layer by layer, with deterministic policies.

    Parameters
    ----------
    deployer : Deployer
        Draws the batches; its N and K are those of the theorem. The rewards of its MDP are not looked at.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta : float, > 0
        Absolute constant in beta = c_beta d H sqrt(log(dH / (delta epsilon))).
    version : {"repaired", "as-printed", "clipped"}
        How Q is capped; see `derl.estimation.backup`.
    tail : int or "uniform"
        Action of every layer beyond h_k. "uniform" is what the paper prints; it needs the policy class "any".
    beta : float or None
        The scale of the bonus itself, in place of the formula.
    threshold : {"as-printed", "flat"}
        What Delta_k must fall below: epsilon h_k/((4H + 2)H), or epsilon/(4H + 2) in every layer. The second still
        gives every guarantee of the theorem and needs fewer samples.

    Returns
    -------
    Outcome
        Its `dataset` is a `Dataset`; its `policy` is the last one deployed and is not meant for any reward.

    Raises
    ------
    InvalidParameter
        epsilon <= 0, delta outside (0, 1), c_beta <= 0, an unknown version or threshold.

    Notes
    -----
    Source: Algorithm 3.

    Examples
    --------
    >>> from derl import Deployer, algorithms, instances, planning
    >>> mdp = instances.lock(3, 3, (1, 2, 0), 0.2)
    >>> deployer = Deployer(mdp, 10**15, 61, seed=0)
    >>> found = algorithms.reward_free_exploration(deployer, 0.1, 0.1)
    >>> planned = algorithms.reward_free_planning(found.dataset, mdp.theta)
    >>> found.converged, planning.gap(mdp, planned.policy) <= 0.1
    (True, True)
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(version, "version", BACKUP_VERSIONS, InvalidParameter)
    choice(threshold, "threshold", THRESHOLDS, InvalidParameter)
    known = known_part(deployer)
    horizon = known.horizon
    beta, scale = bonus_scales(known, epsilon, delta, c_beta, beta)
    share = (lambda layer: layer / horizon) if threshold == "as-printed" else (lambda layer: 1.0)
    return collect(deployer, Rule(
        rewards=lambda layer, norms: bonus(norms, beta, horizon) / horizon,
        threshold=lambda layer: epsilon * share(layer) / (4 * horizon + 2),
        beta=beta, version=version, tail=tail), epsilon, delta, scale)


@one_thread
def reward_free_planning(dataset: Dataset, theta: np.ndarray, c_beta: float = 1.0, horizon: int | None = None,
                         version: str = "repaired", beta: float | None = None) -> Planned:
    """Plan for the reward r_h(s, a) = <phi_h(s, a), theta_h>, without a new deployment.

    Parameters
    ----------
    dataset : Dataset
        From `reward_free_exploration`; `dataset.until(h)` for what was known when layer h was finished.
    theta : (H, d) or (h~, d)
        Reward vectors. Rewards of available actions lie in [0, 1], except in the version "as-printed", where any
        finite numbers are taken, as Assumption 1 allows.
    c_beta : float, > 0
        beta = c_beta * dataset.scale: the formula at c_beta, or c_beta times the scale given to the exploration.
    horizon : int or None
        h~, the horizon to plan for; by default all layers of the dataset.
    version : {"repaired", "as-printed", "clipped"}
    beta : float or None
        The scale of the bonus itself.

    Raises
    ------
    InvalidParameter
        theta of a wrong shape or with NaN, a reward outside [0, 1], a horizon beyond the data.

    Notes
    -----
    Source: Algorithm 4.
    """
    known = dataset.known
    horizon = dataset.layers if horizon is None else horizon
    horizon = whole(horizon, "horizon", 1, dataset.layers, InvalidParameter)
    choice(version, "version", BACKUP_VERSIONS, InvalidParameter)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    beta = real(c_beta * dataset.scale if beta is None else beta, "beta", above=0, error=InvalidParameter)
    rewards = _rewards(known, theta, horizon, bounded=version != "as-printed")
    values = np.zeros(known.n_states)
    policy = np.empty((horizon, known.n_states), np.intp)
    explored = np.empty((horizon, known.n_states, known.n_actions))
    for h in reversed(range(horizon)):
        step = optimistic_backup(known.phi[h], rewards[h], values, dataset.design(h), beta, horizon,
                                 known.available[h], version)
        values, policy[h] = step.values, step.policy
        explored[h] = bonus(step.norms, beta, horizon)  # zero features, hence zero, where not available
    return Planned(policies.compose(known, policy, horizon, 0), values, explored, horizon, float(beta))


def _rewards(known: KnownPart, theta, horizon: int, bounded: bool) -> np.ndarray:
    """<phi_h, theta_h> for the layers 1..h~, shape (h~, S, A), validated."""
    theta = as_floats(theta, "theta", InvalidParameter)
    if theta.ndim != 2 or theta.shape[1] != known.dim or not horizon <= len(theta) <= known.horizon:
        raise InvalidParameter(f"theta has shape {theta.shape}; it must have shape {(known.horizon, known.dim)} or "
                               f"{(horizon, known.dim)}")
    if not np.isfinite(theta).all():
        raise InvalidParameter("theta has entries that are NaN or infinite; every entry must be finite")
    rewards = np.einsum("hsad,hd->hsa", known.phi[:horizon], theta[:horizon])
    wrong = np.argwhere((rewards < -SLACK) | (rewards > 1 + SLACK)) if bounded else ()
    if len(wrong):  # unavailable actions have zero features, hence reward 0
        h, s, a = wrong[0]
        raise InvalidParameter(f"layer {h + 1}, state {s}, action {a}: reward {rewards[h, s, a]:.12g}; rewards must "
                               "lie in [0, 1]")
    return rewards
