r"""Algorithms 3 and 4: explore without a reward, plan for any linear reward afterwards.

Exploration is the loop of `derl.algorithms.layerwise` with another reward and another threshold. With
b = |phi|_{Lambda^{-1}},

    r^k = min(beta b, H)/H,          Delta_k < epsilon h_k/((4H + 2) H)  finishes layer h_k.             (Algorithm 3)

Planning is one optimistic backward pass over the data, with the reward that the user brings and values capped at
h~ (the horizon of the plan). The pseudocode cannot be run literally. Four things are read as follows in every version:

    line 6 of Algorithm 3 sums Lambda_h^k to tau = k, a batch that does not exist yet   -> to k - 1, as in Algorithm 1;
    h_{k+1} is never assigned (h_k itself is)                                           -> it is, as in Algorithm 1;
    D_h <- D_h u {(s, a)} as a set forgets how often a pair occurred and what followed  -> a sequence;
    w_h in Algorithm 4: n is not summed over, V_{h+1}(s', a) has an argument too many   -> sum over n, V_{h+1}(s').

What remains of the difference between "as-printed" and "repaired" is the cap on the bonus inside Q.

**The uncertainty explored itself** (`reward_free_direct_exploration`, this book's). Algorithm 3 pays for the division
by H in its reward with a threshold that is 2H + 1 times smaller. Here the quantity that has to become small is explored
directly:

    W_h = min( w^T phi + 3 beta b, H ),   w the regression of max_a W_{h+1},    layer h is finished when
    Delta_k = (2 beta/N) sum b < epsilon h_k / (4H) ,      or < epsilon/4 in every layer ("flat") .

W bounds the loss of the planned policy for every reward at once, and twice the expected Delta_k bounds W. So
reward-free exploration costs what a known reward costs.

Source: Algorithm 3 (`alg:DE_rl_layer_by_layer_reward_free_exploration`) and Algorithm 4
(`alg:DE_rl_layer_by_layer_reward_free_planning`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from derl.algorithms.dataset import Collected, linear_rewards
from derl.algorithms.layerwise import ExplorationRule, explore
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import BACKUP_VERSIONS, optimistic_backup
from derl.estimation.bonus import bonus
from derl.estimation.design import Design, fit
from derl.inputs import choice, display, real, whole
from derl.inputs.threads import one_thread
from derl.mdp import policies
from derl.theory.constants import bonus_scale

THRESHOLDS = ("as-printed", "flat")
DIRECT_THRESHOLDS = ("layered", "flat")


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Collected):
    """What the exploration phase hands to the planning phase; it plans by Algorithm 4.

    Attributes
    ----------
    known : KnownPart
        Features and available actions. The rewards in it are not used.
    counts : (H, S, A, S) float64
        Transitions n_h(s, a, s') of all deployments, read-only. Where `layers` < H only the first `layers` entries.
    deployments : int
        Batches in `counts`.
    batch_size : int
        N.
    epsilon, delta : float
        What the exploration was asked for.
    beta : float
        Scale of its bonus.
    scale : float
        What the bonus scale is for c_beta = 1.
    stages : tuple of (int, (h, S, A, S))
        For h = 1, 2, ... as far as the run came: k_h, the deployment that finished layer h, and the counts of the
        layers 1..h after it.
    """

    known: KnownPart
    counts: np.ndarray
    deployments: int
    batch_size: int
    epsilon: float
    delta: float
    beta: float
    scale: float
    stages: tuple[tuple[int, np.ndarray], ...] = ()

    def __post_init__(self):
        for counts in (self.counts, *(stage for _, stage in self.stages)):
            counts.flags.writeable = False

    @property
    def layers(self) -> int:
        """Layers that the counts cover: the largest horizon that can be planned for."""
        return len(self.counts)

    def design(self, index: int) -> Design:
        """The regression of the layer with this index, from 0."""
        return fit(self.known.phi[index], self.counts[index])

    def until(self, layer: int) -> Dataset:
        """What had been collected when layer `layer` was finished: the batches 1..k_h of the layers 1..h.

        Raises
        ------
        InvalidParameter
            The run did not finish that layer.
        """
        if not self.stages:
            raise InvalidParameter(f"layer is {layer!r}; this run finished no layer")
        layer = whole(layer, "layer", 1, len(self.stages), InvalidParameter)
        deployments, counts = self.stages[layer - 1]
        return replace(self, counts=counts, deployments=deployments, stages=self.stages[:layer])

    def plan(self, theta: np.ndarray) -> np.ndarray:
        """The policy (H, S) of Algorithm 4 for a linear reward, theta (H, d) or (h~, d)."""
        return reward_free_planning(self, theta).policy

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The same for linear rewards given as (H, S, A)."""
        return optimistic_pass(self, rewards, self.scale).policy


@dataclass(frozen=True, eq=False, repr=False)
class Planned(display.Fields):
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
    return collect(deployer, ExplorationRule(
        rewards=lambda layer, norms: bonus(norms, beta, horizon) / horizon,
        threshold=lambda layer: epsilon * share(layer) / (4 * horizon + 2),
        beta=beta, version=version, tail=tail), epsilon, delta, scale)


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
    rewards = linear_rewards(known, theta, horizon, bounded=version != "as-printed")
    return optimistic_pass(dataset, rewards, beta, version)


@one_thread
def optimistic_pass(dataset: Dataset, rewards: np.ndarray, beta: float, version: str = "repaired") -> Planned:
    """Lines 2 to 8 of Algorithm 4 for rewards (h~, S, A): one optimistic backward pass over the data."""
    known, horizon = dataset.known, len(rewards)
    values = np.zeros(known.n_states)
    policy = np.empty((horizon, known.n_states), np.intp)
    explored = np.empty((horizon, known.n_states, known.n_actions))
    for h in reversed(range(horizon)):
        step = optimistic_backup(known.phi[h], rewards[h], values, dataset.design(h), beta, horizon,
                                 known.available[h], version)
        values, policy[h] = step.values, step.policy
        explored[h] = bonus(step.norms, beta, horizon)  # zero features, hence zero, where not available
    return Planned(policies.compose(known, policy, horizon, 0), values, explored, horizon, float(beta))


def reward_free_direct_exploration(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                                   tail: int | str = 0, beta: float | None = None,
                                   threshold: str = "layered") -> Outcome:
    """Collect data that serve every linear reward, with the threshold of a known reward halved.

    Parameters
    ----------
    deployer : Deployer
        The rewards of its MDP are not looked at.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta, tail, beta
        As in `layerwise_exploration`.
    threshold : {"layered", "flat"}
        epsilon h/(4H) in layer h, or epsilon/4 in every layer; "flat" goes with `theory.reward_free.direct.budget`.

    Returns
    -------
    Outcome
        Its `dataset` is a `Dataset` for `reward_free_planning`.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(threshold, "threshold", DIRECT_THRESHOLDS, InvalidParameter)
    known = known_part(deployer)
    beta, scale = bonus_scales(known, epsilon, delta, c_beta, beta)

    def level(layer):
        return epsilon / 4 * (layer / known.horizon if threshold == "layered" else 1)

    return collect(deployer, ExplorationRule(
        rewards=lambda layer, norms: 2 * bonus(norms, beta),  # the backup adds one more: three in all
        threshold=level, beta=beta, tail=tail), epsilon, delta, scale)


def bonus_scales(known: KnownPart, epsilon: float, delta: float, c_beta: float,
                 beta: float | None) -> tuple[float, float]:
    """beta, and what it is for c_beta = 1: the formula, or the scale that the caller gives.

    Raises
    ------
    InvalidParameter
    """
    if beta is not None:
        beta = real(beta, "beta", above=0, error=InvalidParameter)
        return beta, beta
    scale = bonus_scale(known.dim, known.horizon, epsilon, delta)
    return real(c_beta, "c_beta", above=0, error=InvalidParameter) * scale, scale


def collect(deployer: Deployer, rule: ExplorationRule, epsilon: float, delta: float, scale: float) -> Outcome:
    """Explore by a rule and keep, layer by layer, what was known when a layer was finished.

    Parameters
    ----------
    scale : float
        What the bonus scale is for c_beta = 1, for the planning phase.
    """
    stages: list[tuple[int, np.ndarray]] = []
    outcome = explore(deployer, rule,
                      on_finish=lambda k, counts: stages.append((k, counts[:len(stages) + 1].copy())))
    return replace(outcome, dataset=Dataset(
        known=deployer.known, counts=outcome.dataset.counts, deployments=outcome.deployments,
        batch_size=deployer.batch_size, epsilon=float(epsilon), delta=float(delta), beta=float(rule.beta),
        scale=float(scale), stages=tuple(stages)))
