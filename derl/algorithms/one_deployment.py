r"""One deployment of designs, with the numbers of trajectories that are the right ones up to a constant.

    in every state take a design over the actions, with phi^T V_s^+ phi <= g; deploy the designs in all layers
    "mean"      each layer has a part of the batch; ridge 1, target V - R/2, predictions clipped to [0, R], R = H - h
    "selected"  k = ceil(log2(2/delta)) such plans from parts of the batch; each is evaluated on the parts of the others
                by W_h = prod_{t <= h} phi(s_t, a_t)^T V^+ phi(s_t, pi); the plan with the largest estimate is returned
    "bounded"   every layer has the whole batch; least squares with |phi^T w| <= R/2 for all known features

"mean" loses at most epsilon in the mean, the others with probability 1 - delta. "bounded" serves all linear rewards in
[0, 1] at once, and its confidence is added to the dimension; it solves a quadratic programme for each layer.

Source: a result of this book, `res-one-deployment-mean`, `-probability` and `-confidence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Collected
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.state_designs import designed, signed_weights
from derl.deployment.paths import Paths
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.design import Design, fit, triangular
from derl.inputs import choice, display
from derl.inputs.threads import one_thread
from derl.mdp.planning import greedy
from derl.theory.beyond import one_deployment as theory


@dataclass(frozen=True, eq=False, repr=False)
class DesignRecord(display.Fields):
    """The deployment.

    Attributes
    ----------
    deployment, layer : int
        1.
    leverage : float
        g.
    plans : int
        How many plans the choice is among.
    policy : (H, S, A)
    exact : bool
    """

    deployment: int
    layer: int
    leverage: float
    plans: int
    policy: object
    exact: bool


@one_thread
def one_deployment_exploration(deployer: Deployer, epsilon: float, delta: float, version: str = "selected") -> Outcome:
    """Deploy designs once, then plan for the instance's own reward.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any"; N of the theorems is `derl.theory.beyond.one_deployment.batch_size`.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1); "mean" does not use delta.
    version : {"mean", "selected", "bounded"}

    Returns
    -------
    Outcome
        `converged`: whether N is at least that of the version's theorem.

    Raises
    ------
    InvalidParameter
        N is smaller than the number of parts, or "selected" is asked for epsilon > 1 or delta >= 1/2.
    """
    epsilon, delta = accuracy(epsilon, delta)
    version = choice(version, "version", theory.VERSIONS, InvalidParameter)
    known, size = known_part(deployer), deployer.batch_size
    designs, leverage = state_designs_of(known)
    needed = theory.batch_size(known.dim, known.horizon, epsilon, delta, leverage, version)
    if known.horizon == 1 or version == "bounded":
        batch = deployer.deploy(designs)
        model = Planner.of(known, list(batch.counts[:-1]), bounded=True)
    elif version == "mean":
        parts = deployer.deploy_in_parts(designs, divided(size, 1, known.horizon, leverage))
        batch = parts[0]
        model = Planner.of(known, [part.counts[h] for h, part in enumerate(parts)])
    else:
        batch = deployer.deploy_paths(designs, divided(size, theory.plans(delta), known.horizon, leverage))
        model = Selection.of(known, designs, batch)
    number = len(model.planners) if isinstance(model, Selection) else 1
    record = DesignRecord(1, 1, leverage, number, designs, batch.exact)
    return Outcome(policy=model.plan_rewards(known.rewards), deployments=1, trajectories=size,
                   converged=size >= needed, trace=(record,), beta=0.0, dataset=model)


def state_designs_of(known: KnownPart) -> tuple[np.ndarray, float]:
    """The designs of all layers (H, S, A), and g."""
    found = [designed(phi.shape, phi.tobytes(), mask.tobytes())
             for phi, mask in zip(known.phi, known.available, strict=True)]
    return np.stack([weights for weights, _ in found]), max(1.0, *(largest for _, largest in found))


def divided(size: int, plans: int, horizon: int, leverage: float) -> list[int]:
    """Sizes of the parts: for each plan, one part for each layer before the last; what is left goes to the first."""
    own, wanted = size // plans, theory.shares(horizon, leverage)
    sizes = [max(1, int(own * share)) for share in wanted]
    sizes[int(np.argmax(wanted))] += own - sum(sizes)
    if min(sizes) < 1:
        raise InvalidParameter(f"batch_size is {size}; it is divided into {plans} plans of {horizon - 1} layers")
    found = sizes * plans
    found[0] += size - own * plans
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Planner(Collected):
    """Value iteration with centred regressions, ridge 1.

    Attributes
    ----------
    known : KnownPart
    layers : tuple of Design
        Of the layers before the last one.
    bounded : bool
        Whether predictions of all known features are kept in range by the regression.
    """

    known: KnownPart
    layers: tuple[Design, ...]
    bounded: bool

    @classmethod
    def of(cls, known: KnownPart, counts: Sequence[np.ndarray], bounded: bool = False) -> Planner:
        """Fit each layer to its counts (S, A, S)."""
        return cls(known, tuple(fit(known.phi[h], one) for h, one in enumerate(counts)), bounded)

    def predicted(self, layer: int, values: np.ndarray) -> np.ndarray:
        """R/2 + phi' w^ for values (S,) in [0, R] and every state and action, (S, A); not clipped."""
        half = (self.known.horizon - 1 - layer) / 2
        phi, weights = self.known.phi[layer], self.layers[layer].weights(values - half)
        if self.bounded:
            weights = nearest(self.layers[layer], phi[self.known.available[layer]], weights, half)
        return half + phi @ weights

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The greedy policy (H, S) for rewards (H, S, A)."""
        known, policy, values = self.known, [], np.zeros(self.known.n_states)
        for h in reversed(range(known.horizon)):
            left = known.horizon - 1 - h
            future = np.clip(self.predicted(h, values), 0.0, left) if left else 0.0
            q = np.where(known.available[h], rewards[h] + future, -np.inf)
            policy.append(greedy(q))
            values = np.clip(q.max(axis=1), 0.0, left + 1)
        return np.stack(policy[::-1])


def nearest(design: Design, phi: np.ndarray, weights: np.ndarray, bound: float) -> np.ndarray:
    """The minimizer of least squares under |phi' w| <= bound for the rows of phi, from that without the condition.

    The excess of the objective is |R (w - weights)|^2 with R of the design. So this is a least distance programme, and
    non-negative least squares solve it (Lawson and Hanson).
    """
    phi = np.unique(phi, axis=0)
    reached = phi @ weights
    if np.abs(reached).max() <= bound:
        return weights
    moved = triangular(design.factor, phi.T, transposed=True).T  # rows of phi R^-1
    sides = np.vstack([np.c_[-moved, reached - bound], np.c_[moved, -reached - bound]]).T
    target = np.zeros(len(sides))
    target[-1] = 1.0
    from scipy.optimize import nnls  # half a second to import

    rest = sides @ nnls(sides, target)[0] - target
    return weights + triangular(design.factor, (-rest[:-1] / rest[-1])[:, None])[:, 0]


@dataclass(frozen=True, eq=False, repr=False)
class Selection(Collected):
    """Plans from parts of one batch, and the choice among them.

    Attributes
    ----------
    known : KnownPart
    designs : (H, S, A)
    planners : tuple of Planner
    paths : Paths
        The parts of the planners one after the other.
    """

    known: KnownPart
    designs: np.ndarray
    planners: tuple[Planner, ...]
    paths: Paths

    @classmethod
    def of(cls, known: KnownPart, designs: np.ndarray, paths: Paths) -> Selection:
        """One planner for every H - 1 parts."""
        own, at = known.horizon - 1, (known.n_states, known.n_actions)
        planners = [Planner.of(known, [paths.layer(first + h, h, *at) for h in range(own)])
                    for first in range(0, len(paths.counts), own)]
        return cls(known, designs, tuple(planners), paths)

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The plan (H, S) with the largest estimated value for rewards (H, S, A)."""
        plans = [planner.plan_rewards(rewards) for planner in self.planners]
        return plans[int(np.argmax(self.estimates(rewards, plans)))]

    def estimates(self, rewards: np.ndarray, plans: Sequence[np.ndarray]) -> list[float]:
        """The estimated value of each plan (H, S), from the parts of the other planners."""
        counts = self.paths.counts.reshape(len(plans), -1, self.paths.counts.shape[1]).sum(axis=1)
        found = []
        for number, plan in enumerate(plans):
            others = counts.sum(axis=0) - counts[number]
            values = trajectory_values(self.known, self.designs, rewards, plan, self.paths)
            found.append(float(others @ values / others.sum()))
        return found


def trajectory_values(known: KnownPart, designs: np.ndarray, rewards: np.ndarray, plan: np.ndarray,
                      paths: Paths) -> np.ndarray:
    """Y of `res-evaluate-named-policy` for each trajectory, whose mean is the value of the plan (H, S)."""
    weight, total = np.ones(len(paths.states)), np.full(len(paths.states), known.horizon / 2)
    for h in range(known.horizon):
        state = paths.states[:, h]
        total += weight * (rewards[h, state, plan[h, state]] - 0.5)
        if h < known.horizon - 1:
            weight = weight * signed_weights(known.phi[h], known.available[h], designs[h])[
                state, paths.actions[:, h], plan[h, state]]
    return total
