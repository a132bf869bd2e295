r"""Algorithm 7 with Algorithm 1 as its optimist: what N has to satisfy, and a bandit on which the factor alpha decides.

The rule reads all N trajectories and stops below alpha epsilon h_k/(2H). With K = floor(c_K d H) + 1 and delta/4 for
each of four events (regressions of the optimist, of the pessimist, the rule, constraint (c)),

    beta >= (3/2) d H sqrt(log(4 d K N H/delta)),                     x = (alpha epsilon/(4 H beta))^2,
    violations   N >= (c_K/x^{c_K})^{1/(c_K - 1)}                     stops within K deployments
    rule         N >= (16 beta H/(alpha epsilon)) log(4K/delta)       what it returns is epsilon-optimal
    safety       N + 1 >= d (16 beta H K/(delta epsilon))^2           constraint (c), where alpha <= epsilon/(2H)

beta contains N: the least fixed point is taken.

Source: Algorithm 7 (`alg:Mixture_Policy_Strategy`); the theorem is this book's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.exact.matrices import inverse
from derl.mdp.exact import ExactMDP, rationals
from derl.theory.analysis.covers import root_bounds
from derl.theory.constants import InvalidConstant, deployments_layerwise

C_BETA = 1.5  # Lemma C.4, repaired


@dataclass(frozen=True)
class MixtureConstants:
    """N, beta and K for Algorithm 7; `conditions` are pairs of a name and what it asks of N."""

    batch_size: int
    beta: float
    deployments: int
    conditions: tuple[tuple[str, float], ...]


def mixture_constants(d: int, horizon: int, epsilon: float, delta: float, alpha: float,
                      c_K: float = 2.0) -> MixtureConstants:
    """The smallest N that the theorem on Algorithm 7 allows, with its beta.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon, delta : float, in (0, 1)
    alpha : float, in (0, epsilon/(2H)]
    c_K : float, > 1

    Raises
    ------
    InvalidConstant
    """
    if not 0 < epsilon < 1 or not 0 < delta < 1:
        raise InvalidConstant(f"epsilon is {epsilon!r} and delta is {delta!r}; both must lie in (0, 1)")
    if not 0 < alpha <= epsilon / (2 * horizon):
        raise InvalidConstant(f"alpha is {alpha!r}; it must lie in (0, epsilon/(2H)] = (0, {epsilon / (2 * horizon)}]")
    n_deployments, log_size = deployments_layerwise(d, horizon, c_K), 0.0

    def scale(log_n: float) -> float:
        return C_BETA * d * horizon * math.sqrt(math.log(4 * d * n_deployments * horizon / delta) + log_n)

    while True:
        beta = scale(log_size)
        log_x = 2 * math.log(alpha * epsilon / (4 * horizon * beta))
        conditions = {
            "violations": (math.log(c_K) - c_K * log_x) / (c_K - 1),
            "rule": math.log(16 * beta * horizon / (alpha * epsilon) * math.log(4 * n_deployments / delta)),
            "safety": math.log(d) + 2 * math.log(16 * beta * horizon * n_deployments / (delta * epsilon)),
        }
        following = max(conditions.values())
        if not following < 690:
            raise InvalidConstant(f"N exceeds 1e300 for alpha = {alpha:g}, epsilon = {epsilon:g}, c_K = {c_K:g}")
        if following <= log_size + 1e-12:  # N is rounded up by more than float64 leaves open, beta is that of this N
            size = math.ceil(math.exp(following) * (1 + 1e-9))
            return MixtureConstants(size, scale(math.log(size)) * (1 + 1e-12), n_deployments,
                                    tuple((name, math.exp(value)) for name, value in conditions.items()))
        log_size = following


# --- a bandit on which the factor decides ------------------------------------------------------------------------

def nearly_parallel_arms(t: Fraction = Fraction(1, 100)) -> ExactMDP:
    """One state, one layer, two actions with features e_1 and ((1-t^2), 2t)/(1+t^2), the second hardly worse.

    The rewards are 1/2 and 1/2 - t^2/(1+t^2) - (6/5) 2t/(1+t^2); theta = (1/2, -6/5).
    """
    cosine, sine = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return ExactMDP(rationals([[[[1, 0], [cosine, sine]]]]), rationals([[[1], [t]]]), rationals([["1/2", "-6/5"]]), [1])


@dataclass(frozen=True)
class Replayed:
    """How a replay ended: the action returned (None where the rule was never met), and after how many deployments."""

    action: int | None
    deployments: int


def replay(arms: ExactMDP, batch_size: int, exploring: Sequence[int], epsilon: Fraction, beta: Fraction,
           factor: Fraction) -> Replayed:
    """Algorithm 7 with Algorithm 1 inside on a bandit, decided in fractions.

    With H = 1 there is nothing to predict, so a batch is determined by how many of its trajectories explore.

    Parameters
    ----------
    arms : ExactMDP
        One state, H = 1.
    exploring : sequence of int
        How many of the N trajectories follow the optimist, deployment by deployment.
    factor : Fraction
        What the threshold epsilon/2 is multiplied by: alpha, or 1 to leave it out.

    Raises
    ------
    ValueError
        Two values are closer than the 2^-128 to which square roots are enclosed.
    """
    features, rewards = arms.phi[0, 0], arms.rewards()[0, 0]
    matrix = np.eye(arms.dim, dtype=int).astype(object)
    for k, own in enumerate(exploring, start=1):
        Lambda_inverse = inverse(matrix)
        norms = [root_bounds(x @ Lambda_inverse @ x) for x in features]
        optimist = _best([[min(r + beta * b, Fraction(1)) for b in norm]
                          for r, norm in zip(rewards, norms, strict=True)])
        pessimist = _best([[max(r - beta * b, Fraction(0)) for b in reversed(norm)]
                           for r, norm in zip(rewards, norms, strict=True)])
        shares = Fraction(own, batch_size), Fraction(batch_size - own, batch_size)
        low, high = (2 * beta * sum(w * norms[a][end] for w, a in zip(shares, (optimist, pessimist), strict=True))
                     for end in (0, 1))
        if low < factor * epsilon / 2 <= high:
            raise ValueError("the statistic and its threshold are too close")
        if high < factor * epsilon / 2:
            return Replayed(optimist, k)
        for action, count in ((optimist, own), (pessimist, batch_size - own)):
            matrix = matrix + count * np.outer(features[action], features[action])
    return Replayed(None, len(exploring))


def _best(bounds) -> int:
    """The first best index for pairs (low, high)."""
    best = max(range(len(bounds)), key=lambda a: (bounds[a][0], -a))
    for a, (_, high) in enumerate(bounds):
        if a != best and high > bounds[best][0] and bounds[a] != bounds[best]:
            raise ValueError("two action values are too close")
    return best
