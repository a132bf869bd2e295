"""These checks establish what fixing the first state of Algorithm 2 loses, and what an unknown law of it costs.

Fixing is refuted on two states with one action each. The first layer, explored by designs, is bounded eigenvalue by
eigenvalue and measured on three instances; exponents of N come from the program's own bound.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy
from sympy import Rational

from derl.algorithms.state_designs import state_designs
from derl.claims import Evidence, claim, printed, steps
from derl.claims.arbitrary.theorems import outcomes
from derl.exact.compared import every
from derl.exact.symbolic import at_least, equal, same_operator
from derl.experiments.audited_runs import DELTA, SUITE, described, instance, runs
from derl.theory.arbitrary.rules import DESIGN, RULES, first_layer_bound, iteration_scale, xi_bounds

HALF = Fraction(1, 2)
d, H, eps, nu = sympy.symbols("d H epsilon nu", positive=True)

# --- fixed -------------------------------------------------------------------------------------------------------

def squared_reachability(features: list, law: list, span: str = "all") -> Fraction:
    """nu^2 of a layer with one action and one-hot features: least frequency, over all or over reachable directions."""
    total = [sum((p * x[k] ** 2 for x, p in zip(features, law, strict=True)), Fraction(0)) for k in range(2)]
    return min(x for x in total if span == "all" or x > 0)


@claim("text-fixed-first-state", method="exhaustive", refutes=True, words="it has no formula",
       as_corrected={"reachability over the reachable directions": {"span": "reachable"}})
def fixing_the_first_state_loses_reachability(span="all"):
    """Fixed, or moved after a layer 0; the coefficient is zero: nu_min^2 for a random s_1, for each fixed s_1, and with
    one state in a layer 0 before."""
    units = [[1, 0], [0, 1]]
    random = squared_reachability(units, [HALF, HALF], span)
    fixed = [squared_reachability(units, [Fraction(k == 0), Fraction(k == 1)], span) for k in (0, 1)]
    before = squared_reachability([[1, 0]], [Fraction(1)], span)
    return steps([("s_1 uniform: nu_1^2 = 1/2", random == HALF), ("s_1 fixed: nu_1 = 0", max(fixed) == 0),
                  ("a layer 0 with one state: nu_0 = 0, so nu_min = 0", min(before, random) == 0)],
                 "d = 2, two states, one action, features e_1 and e_2")


# --- the first layer ---------------------------------------------------------------------------------------------

@claim("res-first-layer",
       false={"L I in one piece: its norm is 1 where Lambda = 0, and L = 2": {"split": False},
              "a criterion with 2 instead of 1.1": {"excess": Fraction(2)}})
def designs_dominate_every_policy(text, excess=DESIGN, split=True):
    """Designs dominate every policy: Eigenvalue by eigenvalue: x >= 0 of N Lambda or of the sample, q of Lambda, L =
    least + spare; L I in pieces."""
    x, q, r, spare = sympy.symbols("x q r spare", nonnegative=True)
    rank = sympy.Symbol("rank", nonnegative=True)
    allowed = text(r"\max_a\phi(s,a)^\top G_s^{-1}\phi(s,a)\le", {r"\operatorname{rank}G_s": sympy.Integer(1)})
    N = sympy.Symbol("N", positive=True)
    level = text.range("L").low + spare  # L
    rate = text("c_0=", numbers=Rational)
    failure = 1 - text("", {"e": sympy.E}, after="probability at least", d=d, L=level, c_0=rate)
    uncertainty = text(r"\max_\pi\mathbb E_\pi\|\phi_1\|_{\Sigma_1^{-1}}\le", d=d, L=level, N=N)
    inverse = 2 * level / (level + N * q)  # of Sigma_1, from above
    bound = d**2 * 2 * allowed * level / N
    pieces = level + r if split else sympy.Integer(1)  # how many equal terms L I is written as, at least L
    tail = sympy.log(d * (sympy.exp(-sympy.S.Half) * sympy.sqrt(2)) ** level)
    return steps([
        "design",
        ("criterion: phi phi^T <= 1.1 d G_s, as rank G_s <= d",
         at_least(allowed * (rank + r) * q, excess * rank * q, rank, r, q)),
        "pieces",
        ("whitened with M = L I + N Lambda >= L I a term phi phi^T has norm at most 1/L",
         at_least(1 / level, 1 / (level + x), x, spare)),
        ("and so has each of at least L equal pieces of L I",
         at_least(1 / level, level / pieces / (level + x), x, r, spare)),
        "Chernoff",
        ("P(sum <= M/2) <= d (e^{-1/2} 2^{1/2})^L = d e^{-c_0 L}",
         equal(sympy.expand_log(tail - sympy.log(failure), force=True), 0)),
        "scaling",
        ("Sigma_1 = I + X >= (L I + X)/L for L >= 1",
         at_least(level * (1 + x), level + x, x, spare)),
        "sum over layers",
        ("tr(Sigma_1^{-1} 1.1 d Lambda): one eigenvalue costs at most 2.2 L d/N",
         at_least(2 * allowed * level * d / N, inverse * excess * d * q, q, N, d, spare)),
        ("d of them: the square of d sqrt(2.2 L/N)", every(
            same_operator(bound, d * (2 * allowed * level * d / N)), at_least(uncertainty**2, bound, d, N, spare))),
        ("Jensen: (E y)^2 <= E y^2", at_least(((q + r) ** 2 + q**2) / 2, ((q + r + q) / 2) ** 2, q, r)),
    ], "all d, N, L >= 1, all laws of the first state, no reachability")


@claim("res-first-layer", method="run", arithmetic="float64", covers="the designs", gap="three instances",
       false={"almost all weight on one action": {"drop": 1}})
def criterion_on_the_instances(text, drop=0):
    """Excess of the criterion over all states: Largest max_a phi^T G_s^{-1} phi / rank G_s, recomputed by least squares
    from the weights."""
    worst = 0.0
    for name in SUITE:
        mdp = instance(name).to_float()
        weights, _ = state_designs(mdp.phi[0], mdp.available[0])
        for s in range(mdp.n_states):
            rows, w = mdp.phi[0, s][mdp.available[0, s]], weights[s][mdp.available[0, s]]
            if drop and len(w) > 1:  # all weight on one action
                w = np.eye(len(w))[0] * (1 - 1e-6) + 1e-6 / len(w)
            half = np.sqrt(w)[:, None] * rows
            norms = np.linalg.lstsq(half.T, rows.T, rcond=1e-9)[0]
            worst = max(worst, float((norms**2).sum(axis=0).max()) / np.linalg.matrix_rank(half, tol=1e-9))
    allowed = text(r"\max_a\phi(s,a)^\top G_s^{-1}\phi(s,a)\le", {r"\operatorname{rank}G_s": 1})
    return Evidence(worst, float(allowed), "upper", "every state of three instances", tolerance=1e-9)


@claim("res-first-layer", method="run", arithmetic="float64", covers="the deployed first layer",
       gap="three instances, one seed each", plants=2,
       false={"a bound a hundred times smaller": {"share": 0.01}})
def first_layer_within_its_bound(text, share=1.0):
    """Uncertainty of the first layer over its bound: max_pi E |phi_1|_{Sigma_1^{-1}} over its bound, for a first state
    that the algorithm did not know."""
    ratios = []
    result = runs("repaired", starts=("unknown",))
    for r in result:
        size, d = r.outcome.dataset.batch_size, r.mdp.dim
        spread = np.log(8 * d * r.mdp.horizon / DELTA) / float(text("c_0="))
        bound = text(r"\max_\pi\mathbb E_\pi\|\phi_1\|_{\Sigma_1^{-1}}\le", d=d, L=spread, N=size)
        ratios.append(r.audit.uncertainty[0] / (share * float(bound)))
    return Evidence(max(ratios), 1.0, "upper", described("repaired", result))


# --- unknown -----------------------------------------------------------------------------------------------------

def powers(expression) -> tuple:
    """Powers of H, d, epsilon and nu in a monomial."""
    result = sympy.powsimp(expression, force=True).as_powers_dict()
    return tuple(int(result.get(symbol, 0)) for symbol in (H, d, eps, nu))


@claim("res-unknown-start", covers="the exponents", gap="logarithms left out",
       false={"the powers of d of a known law": {"per_layer": 1}})
def first_layer_asks_for_more(text, per_layer=0):
    """One factor d more, in both terms: Exponents of the program's bound for the first layer, its leading term in d; xi
    as the program bounds it."""
    whole = text("", after="Up to logarithms this is", d=d, H=H, epsilon=eps, nu=nu)
    by_epsilon = sorted(sympy.Add.make_args(whole), key=lambda term: powers(term)[2])
    norm, squared = (text("", after=words, d=d, nu=nu) for words in ("for Theorem R,", "squared reward, and"))
    stated = {"relative": by_epsilon, "squared": (by_epsilon[0], H**2 * norm),
              "spectral": (by_epsilon[0], H**2 * squared), "self-certifying": (by_epsilon[0], H**2 * squared)}
    result = []
    for version, claimed in stated.items():
        rule = RULES[version]
        i = iteration_scale(rule, d, nu)
        bounds = xi_bounds(rule, d, nu, i, d, d * H, eps)
        for name, wanted in zip(("plan", "covariance"), claimed, strict=True):
            bound = first_layer_bound(d, H, sympy.sympify(bounds[name]), sympy.Integer(1))
            leading = sympy.Poly(sympy.expand(bound), d)
            power = powers(leading.LC() * d ** leading.degree())
            product = sympy.prod(letter**one for letter, one in zip((H, d, eps, nu), power, strict=True))
            result.append((f"{version}, {name}: {wanted}", equal(product, wanted / d**per_layer)))
    return steps(result, "all d, H, epsilon, nu; four versions")


@claim("res-unknown-start", covers="the size of the first batch")
def first_batch_is_large_enough(text, layer=printed("res-first-layer")):
    """With that N the first layer and the law of s_1 cost xi/H: The bound of the first layer plus 1/sqrt N is xi/H at
    the printed N, which is the program's."""
    xi, level = sympy.symbols("xi level", positive=True)
    size = text(r"\sqrt N\ge", d=d, H=H, xi=xi, L=level) ** 2
    cost = (layer(r"\max_\pi\mathbb E_\pi\|\phi_1\|_{\Sigma_1^{-1}}\le", d=d, L=level, N=size)
            + 1 / sympy.sqrt(size))
    return steps([("cost = xi/H", equal(cost, xi / H)),
                  ("the program has this N", equal(size, first_layer_bound(d, H, xi, level)))], "all d, H, xi, L")


@claim("res-unknown-start", method="run", arithmetic="float64", covers="three versions, three instances",
       gap="nine runs, one seed each",
       false={"ten thousand times fewer trajectories": {"versions": ("squared",), "names": ("lock",), "shrink": 1e4}})
def unknown_start_runs(versions=("relative", "squared", "spectral"), names=SUITE, shrink=1.0):
    """Runs with an unknown first state: As for a known law: own rule, H deployments, condition (2), event, loss."""
    result = [outcomes(version, names, shrink, ("unknown",)) for version in versions]
    return steps([(version, evidence.holds) for version, evidence in zip(versions, result, strict=True)],
                 "; ".join(evidence.scope for evidence in result), detail="; ".join(e.detail for e in result))
