"""These checks establish that pessimistic value iteration loses little relative to the data-collecting policy.

Symbolic steps take one layer of both inductions and the norm of a fresh feature vector. All patterns of errors on one
instance and all samples of up to five vectors are enumerated, and runs compare the loss with its bound.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.algorithms.baselines import pessimistic_value_iteration
from derl.claims import Evidence, claim, steps
from derl.claims.layerwise.symbols import values_fit
from derl.claims.safety.drops import DELTA, EPSILON, SEEDS, suite
from derl.deployment import deploy_counts
from derl.exact.symbolic import at_least, equal
from derl.inputs import as_fraction
from derl.mdp import planning
from derl.mdp.exact import rationals
from derl.theory import constants

UNCERTAINTY = r"\mathbb E_{\pi'}\sum_h\|\phi_h\|_{\Lambda_h^{-1}}"


@claim("res-pessimistic-improvement",
       false={"no penalty: Q = w'phi + r": {"bonuses": 0},
              "a cap below the largest value": {"clipped": False}})
def pessimist_against_any_policy(text, bonuses=1, clipped=True):
    """Two inductions, and the price of a fresh vector: One layer of both inductions with slacks for the hypotheses,
    then the matrices and the mean of x."""
    bonus, u, v, backup, room, d, n, H = sympy.symbols("bb u v B t d n H", nonnegative=True)
    error, most = text.sides(r"|w_h^\top\phi-P_hV_{h+1}|\le", {
        r"w_h^\top\phi": u, "P_hV_{h+1}": v, r"\|\phi\|_{\Lambda_h^{-1}}": 1}, beta=bonus)
    low = (backup - most + u) - bonuses * bonus  # w'phi - P V = e >= -beta b
    high = (backup + most - v) - bonuses * bonus  # e <= beta b
    cap = backup + room if clipped else backup - room - 1  # H - h + 1 >= B, because V_{h+1} <= H - h and r <= 1
    price = -text(r"J(\hat\pi)\ge", {"J(\\pi')": 0, UNCERTAINTY: 1}, beta=bonus)
    mean = text("", after="the sum is at most", H=H, d=d, n=n)
    total, fresh = sympy.symbols("S F", commutative=False)
    return steps([
        "before the clip",
        values_fit(text.interval(after="Let rewards lie in")),
        ("the error is that of the regression", equal(error, abs(u - v))),
        ("Q <= B before the clip", at_least(backup, high, v, bonus)),
        ("B - Q <= 2 beta b before the clip", at_least(low + price, backup, u, bonus)),
        ("the cap is not below B", at_least(cap, backup, room)),
        "mean",
        ("H sqrt(d/(n+1)) squared is H times the sum of H mean squares",
         equal(mean**2, H * H * d / (n + 1))),
    ], "one layer, all real values; all d, n, H")


HEAD, TAIL = np.array([1, 4]), np.array([[4, 0], [3, 1]])  # rewards times 8: layer 1, layer 2 (state, action)
MOVES = np.array([[3, 1], [1, 3]])  # 4 P(next state | first action)
BONUSES = ((1, 2, 1, 0, 3, 1), (8, 1, 4, 16, 2, 8), (0, 5, 0, 3, 6, 2))  # 8 beta b: 2 + 4 pairs


@claim("res-pessimistic-improvement", method="exhaustive", covers="both inequalities at H = 2",
       gap="one instance with two layers, two states, two actions; errors -beta b, 0, beta b",
       false={"no penalty: Q = w'phi + r": {"penalty": 0}})
def every_error_pattern(penalty=1):
    """All patterns of errors, all policies: Largest violation of V_1 <= V_1^pi and of J(pi) >= J(pi') - 2 beta E_{pi'}
    sum b, in whole numbers (times 32)."""
    signs = np.array(list(product((-1, 0, 1), repeat=6)))  # (729, 6)
    worst = -10**9
    for bonus in map(np.array, BONUSES):
        shift = (signs - penalty) * bonus
        low = np.clip(TAIL.ravel() + shift[:, 2:], 0, 8).reshape(-1, 2, 2)  # Q_2, times 8
        last, values = low.argmax(axis=2), low.max(axis=2)
        top = np.clip(4 * (HEAD + shift[:, :2]) + values @ MOVES.T, 0, 64)  # Q_1, times 32
        first, promise = top.argmax(axis=1), top.max(axis=1)
        gained = TAIL[np.arange(2), last]  # (729, 2), times 8
        true = 4 * HEAD[first] + (MOVES[first] * gained).sum(axis=1)
        worst = max(worst, int((promise - true).max()))
        for a, b, c in product(range(2), repeat=3):  # pi': action in layer 1, in both states of layer 2
            other = 4 * HEAD[a] + MOVES[a] @ TAIL[np.arange(2), [b, c]]
            price = 2 * (4 * bonus[a] + MOVES[a] @ bonus[[2 + b, 4 + c]])
            worst = max(worst, int((other - price - true).max()))
    return Evidence(Fraction(worst, 32), 0, "upper", "3 bonuses, 3^6 error patterns, 2^3 policies pi'")


def inverted(matrix: np.ndarray) -> np.ndarray:
    """Inverse of a 1 x 1 or 2 x 2 matrix of rationals."""
    if len(matrix) == 1:
        return 1 / rationals(matrix)
    (a, b), (c, d) = matrix
    return rationals([[d, -b], [-c, a]]) / as_fraction(a * d - b * c)


@claim("res-pessimistic-improvement", method="exhaustive", covers="the mean square norm of a fresh vector",
       gap="four laws, n <= 5",
       false={"99/100 of the bound": {"factor": Fraction(99, 100)}})
def fresh_vector_enumerated(factor=Fraction(1)):
    """All samples of up to five vectors: max over n of E|phi_{n+1}|^2 (n + 1)/d in fractions, for laws on two or three
    vectors and Lambda_0 = I."""
    plane, worst = rationals([[1, 0], ["3/5", "4/5"], [0, 1]]), Fraction(0)
    for vectors, law in ((rationals([[1]]), ("1",)), (rationals([[1], ["1/2"]]), ("1/3", "2/3")),
                         (plane, ("7/10", "1/5", "1/10")), (plane, ("1/3", "1/3", "1/3"))):
        weights, dim = rationals(law), vectors.shape[1]
        for n in range(6):
            mean = Fraction(0)
            for sample in product(range(len(vectors)), repeat=n):
                inverse = inverted(sum((np.outer(vectors[i], vectors[i]) for i in sample), np.eye(dim, dtype=int)))
                mean += np.prod(weights[list(sample)], initial=Fraction(1)) * sum(
                    p * (v @ inverse @ v) for p, v in zip(weights, vectors, strict=True))
            worst = max(worst, mean * (n + 1) / dim)
    return Evidence(worst, factor, "upper", "d = 1, 2; rational vectors, n = 0..5, all samples")


@claim("res-pessimistic-improvement", method="run", arithmetic="float64",
       gap="five instances, four N, three seeds, the policies of Algorithm 1",
       false={"a penalty ten thousand times smaller": {"scale": 1e-4}})
def loss_within_its_bound(scale=1.0):
    """Loss over its bound: Largest (J(pi') - J(pi)) / (2 beta E_{pi'} sum b), pi planned on a batch of the optimal
    policy pi'."""
    worst = -np.inf
    for mdp in suite():
        beta = scale * constants.bonus_scale(mdp.dim, mdp.horizon, EPSILON, DELTA)
        best = planning.optimal(mdp)
        pairs = planning.occupancy(mdp, best.policy)
        for size, seed in product((1, 10**2, 10**4, 10**8), SEEDS):
            rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(size, seed)))
            counts = deploy_counts(mdp, best.policy, size, rng).counts
            plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), counts, beta, mdp.available)
            loss = best.value - planning.evaluate(mdp, plan.policy).value
            worst = max(worst, loss / (2 * beta * float((pairs * plan.norms).sum())))
    return Evidence(worst, 1.0, "upper", f"{5 * 4 * len(SEEDS)} plans, N = 1, 1e2, 1e4, 1e8")
