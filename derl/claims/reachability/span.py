"""These checks establish when nu is zero: on tabular instances, with a fixed start, and on the span of what is reached.

Diagonal covariances, the uniform policy and block inverses are expanded symbolically. Formulas are compared with 30
tabular layers, and certificates decide twelve layers with few and with many reachable features.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import sympy

from derl.certificates.check_reachability import problems
from derl.claims import Evidence, claim, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal
from derl.mdp import instances
from derl.theory import reachability
from derl.theory.reachability.algebra import independent, positive_semidefinite
from derl.theory.reachability.examples import ends, one_state, orthonormal, tilted, twelfths, two_states
from derl.theory.reachability.model import layer_problem

# --- tabular instances -------------------------------------------------------------------------------------------

@claim("res-nu-tabular", method="exhaustive", covers="30 layers of 10 instances", gap="two states, two actions",
       false={"the action does not matter": {"actions": 1}})
def two_state_formula(text, actions=2):
    """Against the interval of reachable probabilities: S = 2: p = P(s_h = 1) fills an interval [a, b], and nu_h^2 = max
    min(p, 1-p)/A, exactly."""
    wrong, count, half = 0, 0, Fraction(1, 2)
    for seed in range(10):
        mdp = two_states(seed)
        for layer in (1, 2, 3):
            problem = layer_problem(mdp, layer)
            ends_of = [problem.best(np.array([[sign, sign], [0, 0]], dtype=object)) for sign in (1, -1)]
            high, low = (Fraction(value, problem.mass_scale) for value in (ends_of[0], -ends_of[1]))
            p = min(max(half, low), high)
            result = reachability.nu(mdp, layer)
            value = min(p, 1 - p) / actions
            printed_values = (
                text(r"\lambda^*_h=", {r"\max_\pi\min_i\mathbb E_\pi[\phi_i^2]": value}),
                text(r"\nu_h^2=", {r"\max_\pi\min_{s,a}P_\pi(s_h=s,a_h=a)": value}, after="one-hot features,"))
            wrong += ends(result) != printed_values or bool(problems(result.certificate))
            count += 1
    return Evidence(wrong, 0, "upper", f"{count} layers, every value a fraction")


# --- fixed starts, and the span ----------------------------------------------------------------------------------

@claim("res-nu-fixed-start", covers="how many actions a tabular instance lacks", gap="the count",
       false={"one state": {"fewer": 1}})
def actions_do_not_span(text, fewer=0):
    """A tabular instance has more dimensions than actions: S A - A >= 1 for S >= 2, A >= 1."""
    s, t = sympy.symbols("s t", positive=True)
    yield at_least(text("d=", S=text.range("S").low - fewer + s, A=1 + t), 1 + t + 1, s, t)


@claim("res-nu-reachable-span",
       false={"a matrix not supported on the span: A = I, P = 0 gives 1 + 1/c": {"supported": False}})
def projection_inverts_block_by_block(supported=True):
    """The inverse, block by block: P^2 = P, X = P X with (c P + A) X = P: (c I + A)(X + (I - P)/c) = I for A = A P."""
    A, P, X = sympy.symbols("A P X", commutative=False)
    c = sympy.Symbol("c", positive=True)
    whole = A * P if supported else A
    relation = (c * P + A * P) * X - P  # zero
    product = sympy.expand(c * P * X + whole * X + (1 - P) + whole * (1 - P) / c - relation)
    v, w = sympy.symbols("v w", commutative=False)
    return steps([
        ("(c I + A)(X + (I - P)/c) = I", exactly(sympy.expand(product.subs(P**2, P)), 1)),
    ], "every A supported on the span, every c > 0, every size")


def _families():
    """Layers with few and with many reachable features."""
    fixed = two_states(3)
    fixed = type(fixed)(fixed.phi, fixed.mu, fixed.theta, np.array([1, 0]))
    bandits = [one_state([(1, 0, 0), (0, 1, 0), (Fraction(1, 2), Fraction(1, 2), 0)], (1, 1, 1)),
               one_state([(1, 0, 0), (0, 1, 0), (0, 0, 1)], (1, 1, 1)), orthonormal(2), tilted()]
    lock = instances.lock(3, 3, (1, 2, 0), Fraction(1, 5), exact=True)
    return [(fixed, 1), (fixed, 2), (lock, 1), (lock, 2), (lock, 4), (twelfths(3, 2, 4, 2, 0), 1),
            (twelfths(1, 3, 4, 1, 1), 1), (instances.hexagon(5, exact=True), 1), *((bandit, 1) for bandit in bandits)]


@cache  # no text is involved
def _coefficients(subspace: str) -> tuple:
    """For each layer the interval of nu over a subspace, and whether its certificate is right."""
    result = [reachability.nu(mdp, layer, relative=0.3, subspace=subspace) for mdp, layer in _families()]
    return tuple((one, not problems(one.certificate)) for one in result)


@claim("res-nu-fixed-start", method="certificate", covers="twelve layers",
       gap="twelve layers; in general by a null vector and by the uniform policy, in words",
       false={"one dimension may be missing": {"extra": 1}})
def zero_exactly_without_span(text, extra=0):
    """nu = 0 or the features span: nu_h = 0 exactly where the reachable features do not span, as with a fixed start and
    fewer than d actions."""
    outcomes, zero = [], text(r"\nu_h=")
    first = {r"\nu_1": zero, r"\nu_{\min}": zero}
    stated = [text.sides(key, first) for key in (r"\nu_1=", r"\nu_{\min}=")]
    for index, (mdp, layer) in enumerate(_families()):
        problem, (result, certified) = layer_problem(mdp, layer), _coefficients("all")[index]
        low, high = ends(result)
        spans = problem.rank + extra >= mdp.dim
        right = (low > 0 if spans else high == zero) and certified
        outcomes.append((f"{index + 1}: rank {problem.rank} of {mdp.dim}, nu^2 between {float(low):.3g} and "
                         f"{float(high):.3g}", right))
        if layer == 1 and sum(p > 0 for p in mdp.initial) == 1 and mdp.n_actions < mdp.dim:
            outcomes.append((f"{index + 1}: {mdp.n_actions} actions for d = {mdp.dim}",
                             all(high == left == right for left, right in stated)))
    return steps(outcomes, scope="one-hot features, locks, bandits, random features; fixed and random starts")


@claim("res-nu-reachable-span", method="certificate", covers="twelve layers",
       gap="twelve layers; in general by compactness, in words",
       false={"all directions": {"subspace": "all"}})
def positive_on_the_span(text, subspace="reachable"):
    """Positive on the span, equal where the span is everything: nu over directions in the span of the reachable
    features, certified to be positive."""
    outcomes = []
    for index, (mdp, layer) in enumerate(_families()):
        (result, certified), whole = _coefficients(subspace)[index], ends(_coefficients("all")[index][0])
        outcomes.append((f"{index + 1}: nu in [{result.lower:.4f}, {result.upper:.4f}]",
                         result.lower > 0 and certified))
        rank, dim = text.sides("U_h=", {"U_h": layer_problem(mdp, layer).rank, r"\mathbb R^d": mdp.dim})
        if rank == dim:
            outcomes.append((f"{index + 1}: as before", ends(result) == whole))
    return steps(outcomes, scope="one-hot features, locks, bandits, random features; fixed and random starts")


@claim("res-nu-reachable-span", covers="the norms",
       gap="rank 2 in d = 3 expanded; the two blocks for every size in words",
       false={"a matrix that couples the span with its complement": {"outside": sympy.Rational(1, 2)}})
def span_decides_norms(text, outside=0):
    """The span decides all norms: (cI + A)^{-1} for A supported on the span: norms of features there are those of the
    block."""
    c, a, b, e, x, y = sympy.symbols("c a b e x y", positive=True)
    full = sympy.Matrix([[c + a, e, outside], [e, c + b, 0], [outside, 0, c]])
    block = sympy.Matrix([[c + a, e], [e, c + b]])
    phi, short = sympy.Matrix([x, y, 0]), sympy.Matrix([x, y])
    norm = text("", {r"\|\phi\|_{(cI+A)^{-1}}": sympy.sqrt((phi.T * full.inv() * phi)[0])},
                after="such as a sum of covariances,")
    same = equal(norm**2, (short.T * block.inv() * short)[0])
    problem = layer_problem(instances.lock(3, 3, (1, 2, 0), Fraction(1, 5), exact=True), 2)
    basis = problem.points[independent(problem.points)]
    moment = sum(problem.second_moment(problem.best_policy(problem.quadratic(np.outer(row, row)))) for row in basis)
    seen = basis @ moment @ basis.T
    return steps([
        ("|phi| in the inverse is that in the block", same),
        ("lock, layer 2: policies that look for each basis vector cover the span",
         every(
            exactly(positive_semidefinite(seen), True), exactly(len(independent(seen)), len(basis)))),
    ], scope="every A that policies can produce; every c > 0")
