r"""Algorithms 2, 4 and 5 as printed, in exact arithmetic, and what float64 makes of the grid of Algorithm 5.

**Algorithm 2** (`printed_exploration`). Every step is the printed one, from the first line to the plan: pi_{h,1} is
counted and not listed, SolveOptQ inverts 2 I + Sigma~ with Sigma~ from 2 I on, Pi_h is a set, the greedy policy is that
of the rounded Q, values are clipped from above only, and the last line is the printed Algorithm 4. For small instances:
a few dozen policies per layer, each planned in fractions.

**Algorithm 5** (`exact_optq`), with and without its discretisation. Discretisation rounds up to a grid, entry by entry:
eta ceil(x/eta). Algorithm 5 applies it to w_t with eta = epsilon_0/(2d) and to beta'^2 Sigma_t^{-1} with eta =
epsilon_0^2/(4d). Lemma E.2 then has, with Q~ the discretised Q,

    |Q - Q~| <= epsilon_0     and     Q(s, pi(s)) - Q(s, pi~(s)) <= 2 epsilon_0 .

`exact_optq` computes both sides without rounding. Sigma_t, its inverse and the regression operators are rational; the
square roots in the bonuses are not, so values are kept between rational bounds 2^-bits apart, and the number of bits is
doubled until every ceiling and every comparison is decided.

In float64 the rounding step means nothing at the theorem's resolution. At N = 1e28 the grid of w is finer than 1e-28,
while doubles near 1 are 1e-16 apart: x/eta is a whole number already, and eta ceil(x/eta) returns x or a neighbour of
x (`unchanged_by_grid`). No discretisation is needed either: float64 numbers are finitely many, see
`derl.theory.arbitrary.regression_scale`.

Source: Definition E.1, Lemma E.2, Algorithms 2, 4, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.algorithms.outcome import InvalidParameter
from derl.estimation.covariance import backward_pass, chosen_features
from derl.estimation.design import Design
from derl.exact.matrices import inverse, ridge
from derl.inputs import display
from derl.mdp import policies
from derl.mdp.exact import ExactMDP
from derl.mdp.policies import Mixture
from derl.theory.analysis.covers import discretise, float_rounding, root_bounds

MOST_BITS = 8192
CLOSED = Fraction(-(1 << 200))  # Q of an action that is not available
ONE = Fraction(1)


@dataclass(frozen=True, eq=False, repr=False)
class ExactLayer(display.Fields):
    """One layer of the printed loop.

    Attributes
    ----------
    policies : (M, h, S) int
        The set Pi_h, in the order of finding.
    iterations : int
    value : (Fraction, Fraction)
        Bounds of the last V.
    stopped : bool
        Whether V was below the threshold; otherwise i_max was reached.
    """

    policies: np.ndarray
    iterations: int
    value: tuple[Fraction, Fraction]
    stopped: bool


def printed_exploration(mdp: ExactMDP, deployer, nu_squared: Fraction, beta_prime: Fraction, resolution: Fraction,
                        i_max: int = 1000) -> tuple[tuple[ExactLayer, ...], np.ndarray]:
    """Lines 1 to 14 of Algorithm 2.

    Parameters
    ----------
    mdp : ExactMDP
        Its features, available actions and first law are read, nothing else.
    deployer : Deployer
        Of the class "any", for the same instance in float64.
    nu_squared, beta_prime, resolution : Fraction
        nu_min^2, beta', epsilon_0.

    Returns
    -------
    (layers, counts)
        counts (H, S, A, S) of int: those of layer h from deployment h.
    """
    layers, counts, identity = [], [], np.eye(mdp.dim, dtype=int).astype(object)
    for h in range(mdp.horizon):
        phi, open_pairs = list(mdp.phi[:h + 1]), mdp.available[:h + 1]
        designs = [Design(None, ridge(mdp.phi[t], counts[t])[1]) for t in range(h)]
        policy, matrix, found = open_pairs.argmax(axis=2), 2 * identity, {}
        stopped, iterations = False, 0
        while not stopped and iterations < i_max:
            iterations += 1
            matrix = matrix + backward_pass(chosen_features(phi, policy), designs, mdp.initial, "as-printed")
            optimum = exact_optq(phi, counts[:h], 2 * identity + matrix, beta_prime, resolution, mdp.initial,
                                 open_pairs)
            stopped = optimum.value[1] <= Fraction(3, 8) * nu_squared
            if stopped:
                break
            if optimum.value[0] <= Fraction(3, 8) * nu_squared:
                raise ValueError("V and its threshold are too close")
            policy = optimum.discretised_policy
            found.setdefault(policy.tobytes(), policy)
        members = np.array(list(found.values()))
        layers.append(ExactLayer(members, iterations, optimum.value, stopped))
        heads = tuple(policies.compose(deployer.known, member, h + 1, 0) for member in members)
        batch = deployer.deploy(Mixture(heads, np.full(len(heads), 1 / len(heads))))
        counts.append(batch.counts[h].astype(object))
    return tuple(layers), np.stack(counts)


def printed_planning(mdp: ExactMDP, counts: np.ndarray, theta: np.ndarray, beta: Fraction,
                     bits: int = 256) -> np.ndarray:
    """The greedy policy (H, S) of Algorithm 4 as printed, Q = min(w^T phi + r + min(beta |phi|, H), H)."""
    cap = Fraction(mdp.horizon)
    low = high = np.full(mdp.n_states, Fraction(0), dtype=object)
    plan = []
    for h in reversed(range(mdp.horizon)):
        sigma, operator = ridge(mdp.phi[h], counts[h])
        positive, negative = np.maximum(operator, 0), np.minimum(operator, 0)
        weights = positive @ low + negative @ high + theta[h], positive @ high + negative @ low + theta[h]
        q = q_bounds(mdp.phi[h], weights, beta**2 * sigma, bits, cap, cap, mdp.available[h])
        actions = argmax_bounds(q)
        states = np.arange(mdp.n_states)
        low, high = q[0][states, actions], q[1][states, actions]
        plan.append(actions)
    return np.stack(plan[::-1])


class _Undecided(Exception):
    """The bounds are too far apart for a ceiling or a comparison."""


@dataclass(frozen=True, eq=False, repr=False)
class ExactOptQ(display.Fields):
    """What `exact_optq` finds.

    Attributes
    ----------
    value : (Fraction, Fraction)
        Bounds of V_1, the optimistic value.
    policy, discretised_policy : (h, S) int
        Greedy for Q and for the discretised Q~; ties go to the lowest index.
    distance : Fraction
        Upper bound of max |Q - Q~| over all layers, states and actions.
    greedy_loss : Fraction
        Upper bound of max Q(s, pi(s)) - Q(s, pi~(s)).
    bits : int
        Binary digits of the bounds.
    """

    value: tuple[Fraction, Fraction]
    policy: np.ndarray
    discretised_policy: np.ndarray
    distance: Fraction
    greedy_loss: Fraction
    bits: int


def unchanged_by_grid(values: np.ndarray, resolution: float) -> np.ndarray:
    """Which doubles eta ceil(x/eta), computed in float64, gives back as they are or as a neighbouring double."""
    return np.abs(float_rounding(values, resolution) - values) <= np.spacing(np.abs(values))


def exact_optq(phi: Sequence[np.ndarray], counts: Sequence[np.ndarray], matrix: np.ndarray, beta_prime: Fraction,
               resolution: Fraction, initial: np.ndarray, available: np.ndarray | None = None) -> ExactOptQ:
    """Algorithm 5 with and without its discretisation.

    Parameters
    ----------
    phi : h arrays (S, A, d) of Fractions
    counts : h - 1 integer arrays (S, A, S)
        Transitions of the layers before h.
    matrix : (d, d) Fractions
        The matrix whose inverse defines the reward of layer h.
    beta_prime, resolution : Fraction
        beta' and epsilon_0.
    initial : (S,) Fractions
    available : (h, S, A) bool or None
        None: every action is available.

    Raises
    ------
    InvalidParameter
        The resolution is so coarse that a discretised matrix is not positive semi-definite, or 8192 binary digits
        do not tell two values apart.
    """
    bits = 64
    while bits <= MOST_BITS:
        try:
            return _solve(phi, counts, matrix, Fraction(beta_prime), Fraction(resolution), initial, bits, available)
        except _Undecided:
            bits *= 2
    raise InvalidParameter(f"two action values, or a value and a grid point, agree to {MOST_BITS} binary digits")


def _solve(phi, counts, matrix, beta_prime, resolution, initial, bits, available):
    d = phi[0].shape[-1]
    fine, square = resolution / (2 * d), resolution**2 / (4 * d)
    nothing = np.full(d, Fraction(0), dtype=object)
    low, high, policy, rough_policy = None, None, [], []
    distance = loss = Fraction(0)
    for layer in reversed(range(len(phi))):
        if layer == len(phi) - 1:
            weights, quadratic = (nothing, nothing), inverse(matrix)
        else:
            sigma, operator = ridge(phi[layer], counts[layer])
            positive, negative = np.maximum(operator, 0), np.minimum(operator, 0)
            weights = positive @ low + negative @ high, positive @ high + negative @ low
            quadratic = beta_prime**2 * sigma
        rough = tuple(discretise(w, fine) for w in weights)
        if (rough[0] != rough[1]).any():
            raise _Undecided
        mask = None if available is None else available[layer]
        q = q_bounds(phi[layer], weights, quadratic, bits, available=mask)
        q_rough = q_bounds(phi[layer], rough, discretise(quadratic, square), bits, available=mask)
        actions, rough_actions = argmax_bounds(q), argmax_bounds(q_rough)
        states = np.arange(len(actions))
        distance = max(distance, np.maximum(q[1] - q_rough[0], q_rough[1] - q[0]).max())
        loss = max(loss, (q[1][states, actions] - q[0][states, rough_actions]).max())
        low, high = q[0][states, actions], q[1][states, actions]
        policy.append(actions)
        rough_policy.append(rough_actions)
    return ExactOptQ((initial @ low, initial @ high), np.stack(policy[::-1]), np.stack(rough_policy[::-1]), distance,
                     loss, bits)


def q_bounds(phi, weights, quadratic, bits, cap=ONE, inner=None, available=None):
    """Bounds of min(w^T phi + min(sqrt(phi^T Z phi), inner), cap), two arrays (S, A); CLOSED where not available."""
    shape, rows = phi.shape[:2], phi.reshape(-1, phi.shape[-1])
    roots = [_root(x, bits) for x in ((rows @ quadratic) * rows).sum(axis=1)]
    if inner is not None:
        roots = [(min(low, inner), min(high, inner)) for low, high in roots]
    positive, negative = np.maximum(rows, 0), np.minimum(rows, 0)
    low = positive @ weights[0] + negative @ weights[1] + np.array([r[0] for r in roots], dtype=object)
    high = positive @ weights[1] + negative @ weights[0] + np.array([r[1] for r in roots], dtype=object)
    bounds = np.minimum(low, cap).reshape(shape), np.minimum(high, cap).reshape(shape)
    return bounds if available is None else tuple(np.where(available, end, CLOSED) for end in bounds)


def _root(square: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rational bounds of sqrt(phi^T Z phi), 2^-bits apart."""
    if square < 0:
        raise InvalidParameter(f"phi^T Z phi = {square} < 0: the resolution is too coarse for Z to stay positive "
                               "semi-definite")
    return root_bounds(square, bits)


def argmax_bounds(bounds) -> np.ndarray:
    """The first best action of each state, where the bounds decide it; equal bounds count as a tie."""
    low, high = bounds
    best = low.max(axis=1)
    chosen = (low == best[:, None]).argmax(axis=1)
    for s, a in enumerate(chosen):
        for other in range(low.shape[1]):
            tie = low[s, other] == low[s, a] and high[s, other] == high[s, a]
            if not tie and high[s, other] > low[s, a]:
                raise _Undecided
    return chosen
