r"""The best possible exploration of one layer: a D-optimal mixture of policies, with an exact certificate.

For a mixture with covariance Lambda = sum_k w_k Lambda_k, positive definite, let

    g(Lambda) = max over policies of tr(Lambda^{-1} Lambda_pi) = max over policies of E_pi |phi|^2_{Lambda^{-1}} .

Then g >= d, because the weighted mean of tr(Lambda^{-1} Lambda_k) is tr(I). The logarithm of the determinant is
concave, so that every other mixture has log det Lambda' <= log det Lambda + g - d (Kiefer, Wolfowitz: g = d at the
optimum). And Lambda_pi <= tr(Lambda^{-1} Lambda_pi) Lambda <= g Lambda for every policy, hence

    theta' Lambda theta >= max_pi E_pi[<phi, theta>^2] / g    in every direction at once.

So one number says how far a mixture is from the best. The optimum is found by column generation: weights on the
policies known so far, then the policy that answers Lambda^{-1} best. The weights become whole numbers, and g is
computed for them without rounding.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy

from derl.exact.matrices import InvalidMatrix, inverse
from derl.inputs import real
from derl.mdp.exact import ExactMDP
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.reachability.algebra import grid, in_integers
from derl.theory.reachability.model import InvalidLayer, LayerProblem, layer_problem
from derl.theory.reachability.pool import Pool

ROUNDS = 400  # policies added at most
STEPS = 500  # multiplicative steps of the weights between two policies
WEIGHT_BITS = 40


@dataclass(frozen=True, eq=False)
class OptimalDesign:
    """A mixture of deterministic policies and how far it is from the best.

    Attributes
    ----------
    policies : tuple of (h, S) int
    weights : (K,) of int
        The probability of a policy is its weight over their sum.
    criterion : Fraction
        g, exactly, for these weights; at least d.
    covariance : (d, d)
        Lambda, in floats.
    dim : int
        d.
    """

    policies: tuple
    weights: np.ndarray
    criterion: Fraction
    covariance: np.ndarray
    dim: int

    @property
    def gap(self) -> Fraction:
        """g - d: no mixture has a log det larger by more than this."""
        return self.criterion - self.dim


def d_optimal(mdp: LinearMDP | ExactMDP, layer: int, *, relative: float = 1e-6) -> OptimalDesign:
    """A mixture of policies that explores layer h nearly as well as possible: g <= d (1 + relative) if it succeeds.

    Parameters
    ----------
    layer : int
        h = 1..H, counted as in the paper.
    relative : float in (0, 1)

    Raises
    ------
    InvalidLayer
        Also where the features that policies reach do not span R^d, so that every determinant is 0.

    Source: the equivalence theorem of Kiefer and Wolfowitz, for occupancies.
    """
    relative = real(relative, "relative", above=0, below=1, error=InvalidLayer)
    problem = layer_problem(mdp, layer)
    if problem.rank < problem.dim:
        raise InvalidLayer(f"layer {layer}: the features that policies reach span {problem.rank} of {problem.dim} "
                           "dimensions; a D-optimal design needs all of them")
    pool = Pool(mdp.to_float() if isinstance(mdp, ExactMDP) else mdp, problem.layer)
    pool.peak(np.eye(problem.dim))
    for _ in range(problem.dim):  # until the uniform mixture is regular
        values, directions = np.linalg.eigh(pool.matrices.mean(axis=0))
        pool.peak(directions.T[values <= 1e-9 * values[-1]])
    weights = np.full(len(pool.policies), 1.0 / len(pool.policies))
    for _ in range(ROUNDS):
        weights = _weights(pool.matrices, weights, relative / 4)
        inverse = np.linalg.pinv(np.tensordot(weights, pool.matrices, axes=1), hermitian=True)
        if pool.price(inverse[None])[0] <= problem.dim * (1 + relative / 2) or len(pool.policies) == len(weights):
            break
        weights = np.append(0.98 * weights, np.full(len(pool.policies) - len(weights), 0.02))
    kept = np.flatnonzero(weights > 1e-7)
    policies, shares = tuple(pool.policies[k] for k in kept), grid(weights[kept], WEIGHT_BITS)
    return OptimalDesign(policies, shares, criterion(problem, policies, shares),
                         np.tensordot(weights[kept] / weights[kept].sum(), pool.matrices[kept], axes=1), problem.dim)


def _weights(matrices, weights, relative):
    """D-optimal weights on given policies: quadratic programming, then multiplicative steps, which only improve."""
    d, count = matrices.shape[1], len(matrices)

    def prices(w):
        inverse = np.linalg.pinv(np.tensordot(w, matrices, axes=1), hermitian=True)
        return np.einsum("kij,ij->k", matrices, inverse) / d

    def loss(w):
        return -np.linalg.slogdet(np.tensordot(w, matrices, axes=1))[1] / d

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a proposal only: the criterion is computed exactly afterwards
        found = scipy.optimize.minimize(
            loss, weights, jac=lambda w: -prices(w), bounds=[(0, 1)] * count, method="SLSQP",
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": np.ones_like},
            options={"ftol": 1e-16, "maxiter": 200})
    proposal = np.maximum(found.x, 0.0)
    if np.isfinite(proposal).all() and proposal.sum() > 0 and loss(proposal / proposal.sum()) < loss(weights):
        weights = proposal / proposal.sum()
    for _ in range(STEPS):
        price = prices(weights)
        if price.max() <= 1 + relative:
            break
        weights = weights * price / (weights @ price)
    return weights


def criterion(problem: LayerProblem, policies, weights) -> Fraction:
    """g of a mixture with integer weights, without rounding: max over all policies, by backward induction.

    Raises
    ------
    InvalidLayer
        If the covariance of the mixture is singular, where g is infinite.
    """
    total = sum(int(w) for w in weights)
    moment = sum(int(w) * problem.second_moment(policy) for policy, w in zip(policies, weights, strict=True))
    try:
        inverted, scale = in_integers(inverse(moment))  # of Lambda, times mass_scale feature_scale^2 total
    except InvalidMatrix:
        raise InvalidLayer("the covariance of the mixture is singular") from None
    return Fraction(problem.best(problem.quadratic(inverted)) * total, scale)
