r"""Zhang et al. 2025: H deployments, every linear reward, no reachability.

TruncatedLayer h collects policies until no policy is believed to meet more uncertainty than epsilon/(8 H^2):

    r = min(phi^T Lambda^{-1} phi, 1) in layer h;  pi = the best policy for r;  Lambda <- Lambda + its truncated moment,

deploys their mixture once, and then *cuts* what stayed too uncertain. The paper refutes with it what was conjectured of
nu_min: it enters nowhere.

Reconstruction. Steps 1 to 5 are those of the paper; its planning for a bonus (6) and its weights (7) are rebuilt from
the proofs, since their formulas did not survive in the text that was read. Deviations that only finite data feel: one
dataset per deployment in place of H(2m^2 + 1) independent ones, one matrix evaluation per distinct policy, no bonus in
the planning of the exploration. Others: the loop ends by its value in place of after m policies, no grid for theta. In
the exact limit (a deployer of mode "expected") the first three are none. The literal constants require at least 1e41
trajectories (`derl.theory.comparison.zhang`), so "practical" ones are used; no theorem covers them.

The paper fixes the first state. Here layer 1 deploys the design of `derl.algorithms.state_designs`, state by state, and
later layers use the first states that it saw.

Definition 2.1: satisfied; N is fixed beforehand, and there are H deployments of mixtures.

**The truncated MDP**, where uncertain pairs are cut out. Each explored layer t has a matrix Lc_t; a pair with
phi^T Lc_t^{-1} phi > 1 is cut: it is too rare to matter, and from then on it is worth nothing. What is left is
regressed with weights lambda^2 = min(f/(phi^T Lc_t^{-1} phi), 1) and a ridge z.

Source: Zhang, Chen, Lee, Du, Yang and Wang (2025); Algorithm 3 there is `evaluate_matrix`, Algorithm 4 `truncated`,
Algorithm 5 `backup`. Algorithm 6, planning for a bonus, is rebuilt from its proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Collected
from derl.algorithms.outcome import InvalidParameter, Outcome, Unfinished, accuracy
from derl.algorithms.state_designs import designed_start
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import greedy
from derl.estimation.design import Design, fit
from derl.inputs import display, real, whole
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture, compose
from derl.theory.comparison.zhang import Constants, practical

ROUNDS = 10_000  # of one matrix evaluation; the paper proves 10 d log(2x/zeta + 1)


@dataclass(frozen=True, eq=False, repr=False)
class Exploration(display.Fields):
    """One deployment.

    Attributes
    ----------
    deployment : int
    layer : int
        From 1.
    n_policies, n_distinct : int
        Policies of the list, and how many differ.
    value : float
        What the last planning believed to be left.
    rounds : int
        The most rounds of a matrix evaluation.
    cut : int
        Pairs that are cut out of the layer.
    values : tuple of float
        What each planning believed.
    policy : Mixture or (H, S, A)
    """

    deployment: int
    layer: int
    n_policies: int
    n_distinct: int
    value: float
    rounds: int
    cut: int
    values: tuple[float, ...]
    policy: object


@dataclass(frozen=True, eq=False, repr=False)
class TruncatedData(Collected):
    """What the exploration hands to planning; a pair that is cut is worth nothing."""

    known: KnownPart
    layers: tuple[TruncatedLayer, ...]
    counts: np.ndarray
    constants: Constants

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The greedy policy (H, S) for linear rewards (H, S, A)."""
        known = self.known
        policy, values = np.empty((known.horizon, known.n_states), np.intp), np.zeros(known.n_states)
        for h in reversed(range(known.horizon)):
            values, policy[h] = backup(known.phi[h], self.layers[h], rewards[h], values, known.horizon,
                                       known.available[h])
        return policy


@one_thread
def zhang_2025(deployer: Deployer, epsilon: float, delta: float, zeta: float | None = None, most: int = 20_000,
               pace: float = 0.0) -> Outcome:
    """Explore every layer once and cut what is too rare.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= H.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1), which enters the literal constants alone.
    zeta : float or None, > 0
        Where the matrices of a layer start; by default 1e-12, or less where nothing could be cut with it.
    most : int, >= 1
        Policies of a layer at most.
    pace : float, in [0, 1]
        A policy is put on the list 1 + pace times as often as the list is long (ours; 0 is the paper's, one at a time).
        The list is longer by this share at most, and found in a logarithmic number of plans.

    Returns
    -------
    Outcome
        Its `dataset` is a `TruncatedData`, which plans for any theta (H, d); its `policy` is the plan for the rewards
        of the instance. `converged` is False where a layer ended by `most`.

    Raises
    ------
    InvalidParameter

    Examples
    --------
    >>> from derl import Deployer, algorithms, instances, planning
    >>> mdp = instances.rare_state(1e-5, horizon=3, seed=0)
    >>> found = algorithms.zhang_2025(Deployer(mdp, 10**7, 3, "any", seed=0), epsilon=0.5, delta=0.1)
    >>> found.deployments, planning.gap(mdp, found.policy) <= 0.5
    (3, True)
    """
    epsilon, delta = accuracy(epsilon, delta)
    known, most = known_part(deployer), whole(most, "most", 1, error=InvalidParameter)
    zeta = None if zeta is None else real(zeta, "zeta", above=0, error=InvalidParameter)
    pace = real(pace, "pace", 0, 1, error=InvalidParameter)
    constants = practical(known.dim, known.horizon, epsilon, deployer.batch_size, most, zeta)
    if not constants.can_cut:
        raise InvalidParameter(f"zeta is {zeta}; with {most} policies it must be below {2 * constants.x / most:.3g}, "
                               "or nothing can be cut")
    if deployer.max_deployments < known.horizon:
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; there are {known.horizon} layers")
    layers: list[TruncatedLayer] = []
    trace: list[Exploration] = []
    data, start = np.zeros((known.horizon, *known.phi.shape[1:3], known.n_states)), None
    for h in range(known.horizon):
        if h == 0:
            policy, matrix, found = first(known, deployer, constants)
            start = found.counts[0].sum(axis=(1, 2)) / deployer.batch_size
            matrix = constants.zeta * np.eye(known.dim) + matrix * moment(known.phi[0], found.counts[0])
            record = (1, 1, 0.0, 0, ())
        else:
            policy, matrix, record = explore(known, layers, start, constants, most, pace)
            found = deployer.deploy(policy)
        data[h] = found.counts[h]
        layers.append(TruncatedLayer.of(known.phi[h], data[h], matrix, constants))
        trace.append(Exploration(h + 1, h + 1, *record[:4], int((layers[h].cut & known.available[h]).sum()), record[4],
                                 policy))
    dataset = TruncatedData(known, tuple(layers), data, constants)
    return Outcome(policy=dataset.plan_rewards(known.rewards), deployments=known.horizon,
                   trajectories=known.horizon * deployer.batch_size,
                   converged=all(record.value <= constants.value for record in trace),
                   trace=tuple(trace), beta=0.0, dataset=dataset)


def first(known: KnownPart, deployer: Deployer, constants: Constants):
    """TruncatedLayer 1: a design over the actions of every state, how often it counts in Lc, and its batch."""
    policy = designed_start(known)
    return policy, 1.1 * known.dim**2 / constants.value, deployer.deploy(policy)


def moment(phi: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The mean of phi phi^T over a layer's counts (S, A, S)."""
    visits = counts.sum(axis=2, dtype=np.float64)
    return np.einsum("sa,sai,saj->ij", visits / visits.sum(), phi, phi)


def explore(known: KnownPart, layers: list[TruncatedLayer], start: np.ndarray, constants: Constants, most: int,
            pace: float = 0.0):
    """Algorithm 2: the mixture to deploy for the next layer, its Lc, and what is worth recording."""
    h, identity = len(layers), np.eye(known.dim)
    matrix, found, values, rounds, listed = constants.zeta * identity, {}, [], 0, 0
    while True:
        reward = np.minimum(quadratic(known.phi[h], matrix), 1.0)
        policy, value = plan_bonus(known, layers, reward, start)
        values.append(value)
        if found and (value <= constants.value or listed >= most):
            break
        key = policy.tobytes()
        if key not in found:
            features = known.phi[h][np.arange(known.n_states), policy[h]]
            moment_of, steps = evaluate_matrix(known.phi, layers, policy, start, constants, features)
            rounds, found[key] = max(rounds, steps), (policy, 0, moment_of)
        policy, count, moment_of = found[key]
        often = min(1 + int(pace * listed), most - listed)
        found[key], listed = (policy, count + often, moment_of), listed + often
        matrix = matrix + often * moment_of
    members = tuple(compose(known, policy, h + 1, 0) for policy, _, _ in found.values())
    counts = np.array([count for _, count, _ in found.values()], np.float64)
    return (Mixture(members, counts / counts.sum()), matrix,
            (int(counts.sum()), len(members), value, rounds, tuple(values)))


def plan_bonus(known: KnownPart, layers: list[TruncatedLayer], reward: np.ndarray, start: np.ndarray):
    """Algorithm 6 without its bonus: the best policy (h, S) for a reward (S, A) in the next layer, and its value."""
    last = np.where(known.available[len(layers)], reward, -np.inf)
    values, policy = last.max(axis=1), [last.argmax(axis=1)]
    for t in reversed(range(len(layers))):
        values, actions = backup(known.phi[t], layers[t], 0.0, values, 1.0, known.available[t])
        policy.append(actions)
    return np.stack(policy[::-1]), float(start @ values)


@dataclass(frozen=True, eq=False, repr=False)
class TruncatedLayer(display.Fields):
    """An explored layer.

    Attributes
    ----------
    matrix : (d, d)
        Lc.
    cut : (S, A) bool
    weights : (S, A)
        lambda^2.
    design : Design
        The weighted regression, divided by z.
    """

    matrix: np.ndarray
    cut: np.ndarray
    weights: np.ndarray
    design: Design

    @classmethod
    def of(cls, phi: np.ndarray, counts: np.ndarray, matrix: np.ndarray, constants: Constants) -> TruncatedLayer:
        """From features (S, A, d), counts (S, A, S) and Lc."""
        squares = quadratic(phi, matrix)
        weights = share(constants.f, squares)
        return cls(matrix, squares > 1, weights, fit(phi, counts * (weights / constants.z)[..., None]))


def quadratic(phi: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """phi^T M^{-1} phi for features (..., d)."""
    return np.einsum("...i,...i->...", phi @ np.linalg.inv(matrix), phi)


def share(level: float, squares: np.ndarray) -> np.ndarray:
    """min(f/x, 1), also where x is 0."""
    return level / np.maximum(squares, level)


def backup(phi: np.ndarray, layer: TruncatedLayer, rewards, values: np.ndarray, cap: float, available: np.ndarray):
    """One layer of planning: clipped to [0, cap], nothing where it is cut; values (S,) and greedy actions (S,)."""
    q = np.clip(phi @ layer.design.weights(values) + rewards, 0, cap)
    q = np.where(available, np.where(layer.cut, 0.0, q), -np.inf)
    return q.max(axis=1), greedy(q)


def evaluate_matrix(phi, layers: list[TruncatedLayer], policy: np.ndarray, start: np.ndarray, constants: Constants,
                    features: np.ndarray) -> tuple[np.ndarray, int]:
    """Algorithm 3: the truncated second moment of the policy's features in the next layer, and the rounds it took.

    Parameters
    ----------
    phi : (H, S, A, d)
    layers : explored layers 1..h-1
    policy : (h, S) int
    start : (S,)
        Law of the first state.
    features : (S, d)
        Those of the policy in layer h.
    """
    states, identity = np.arange(phi.shape[1]), np.eye(phi.shape[3])
    rows = [phi[t][states, policy[t]] @ layer.design.operator * ~layer.cut[states, policy[t]][:, None]
            for t, layer in enumerate(layers)]
    slack = [~layer.cut[states, policy[t]] for t, layer in enumerate(layers)]
    outer, level = features[:, :, None] * features[:, None, :], identity
    for rounds in range(1, ROUNDS + 1):
        found = truncated(outer, features, rows, slack, level, start, constants)
        enough = found + constants.zeta / (2 * constants.x) * identity
        if np.linalg.eigvalsh(enough - level / 2)[0] >= 0:
            return enough, rounds
        if np.array_equal(found, level):
            raise Unfinished(f"the matrix evaluation stands still after {rounds} rounds: too little data, least "
                                  f"eigenvalue {np.linalg.eigvalsh(found)[0]:.3g}")
        level = found
    raise Unfinished(f"the matrix evaluation has not ended after {ROUNDS} rounds")


def truncated(outer, features, rows, slack, level: np.ndarray, start: np.ndarray, constants: Constants) -> np.ndarray:
    """Algorithm 4: the expectation of the features' outer products, each scaled down until it is at most f L."""
    squares = np.einsum("si,ij,sj->s", features, np.linalg.pinv(level, hermitian=True), features)
    shares = share(constants.f, squares)
    value = outer * shares[:, None, None]
    for move, kept in zip(rows[::-1], slack[::-1], strict=True):
        value = np.tensordot(move, value, axes=1) + kept[:, None, None] * (2 * constants.x * level)
    found = np.tensordot(start, value, axes=1)
    return (found + found.T) / 2
