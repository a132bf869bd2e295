"""These checks compare the mixture that Algorithm 2 deploys with the best possible design.

For a mixture with regular covariance Lambda the criterion is g = max_pi tr(Lambda^{-1} Lambda_pi), which is d at the
D-optimal design (Kiefer and Wolfowitz). It is recomputed in fractions and by a convex programme.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.symbolic import same_operator
from derl.theory.arbitrary.optimal_design import criterion, d_optimal
from derl.theory.reachability.algebra import positive_semidefinite
from derl.theory.reachability.examples import orthonormal, round_bandit, twelfths, two_states
from derl.theory.reachability.model import layer_problem

GAP = Fraction(1, 10**6)


def designed() -> dict:
    """Instances with a layer whose features span R^d."""
    return {"unit vectors": (orthonormal(3), 1), "twelve points": (round_bandit(), 1), "tabular": (two_states(0), 3),
            "random d=3": (twelfths(4, 3, 3, 2, 1), 2), "random d=4": (twelfths(6, 3, 4, 3, 5), 3)}


@cache
def best_design(name):
    """The D-optimal design of one of `designed`."""
    mdp, layer = designed()[name]
    return d_optimal(mdp, layer, relative=1e-7)


@claim("res-design-optimal", method="certificate", covers="five instances", gap="five instances",
       false={"the weight of the first policy doubled or more": {"tilt": 1}})
def gap_is_small(text, tilt=0):
    """The gap of Kiefer and Wolfowitz in fractions: g recomputed without rounding for integer weights: 0 <= g - d <=
    1e-6; Lambda_pi <= g Lambda."""
    outcomes = []
    for name, (mdp, layer) in designed().items():
        design, problem = best_design(name), layer_problem(mdp, layer)
        weights = design.weights.copy()  # of Python's own whole numbers
        weights[0] += tilt * weights.max()
        value = text("g=", {r"\max_\pi\operatorname{tr}(\Lambda^{-1}\Lambda^\pi_h)":
                            criterion(problem, design.policies, weights)}, after="let")
        dominates = partial(_dominates, problem, design.policies, weights)
        factor = 1 / text(r"\theta^\top\Lambda\theta\ge", {r"\max_\pi\mathbb E_\pi[(\phi_h^\top\theta)^2]": 1}, g=value)
        least, best = text(r"g\ge", d=mdp.dim), text("g=", after="The D-optimal mixture has", d=mdp.dim)
        outcomes += [(f"{name}: g - d = {float(value - mdp.dim):.1e}", value >= least and abs(value - best) <= GAP),
                     (f"{name}: Lambda_pi <= g Lambda for policies found", dominates(factor)),
                     (f"{name}: not all are below (99/100) Lambda, their mean", not dominates(Fraction(99, 100)))]
    return steps(outcomes, scope="; ".join(designed()))


def _dominates(problem, policies, weights, value):
    total = sum(int(w) for w in weights)
    moments = [problem.second_moment(policy) for policy in policies]
    mean = sum(int(w) * moment for w, moment in zip(weights, moments, strict=True))
    return all(positive_semidefinite(value * mean - total * moment) for moment in moments)


@claim("res-design-optimal", covers="the slope, d <= 4", gap="d <= 4")
def one_number_bounds_the_rest(text):
    """Why g says how far it is: The derivative of log det along a mixture, per eigenvalue."""
    s = sympy.Symbol("s", positive=True)
    for d in range(1, 5):
        values = sympy.symbols(f"l:{d}", nonnegative=True)
        derivative = sum(sympy.diff(sympy.log(1 - s + s * value), s).subs(s, 0) for value in values)
        yield (f"d = {d}: the slope of log det towards Lambda_pi is tr(Lambda^-1 Lambda_pi) - d", same_operator(
            derivative, text(r"\log\det\Lambda'\le", {r"\log\det\Lambda": 0}, d=d, g=sum(values))))


@claim("res-design-optimal", method="run", arithmetic="float64", covers="the optimum of two instances",
       gap="agreement to 1e-5 of two formulations", tier="full", needs="sdp",
       false={"the layer before": {"back": 1}})
def convex_programme_agrees(back=0):
    """The same optimum from a convex programme over occupancies: max log det over occupancies that obey the flow
    equations (cvxpy), against the mixture of policies."""
    worst = 0.0
    for name in ("random d=3", "tabular"):
        mdp, layer = designed()[name]
        programme = _programme(mdp, layer - back)
        worst = max(worst, abs(programme - np.linalg.slogdet(best_design(name).covariance)[1]))
    return Evidence(worst, 1e-5, "upper", "log det of Lambda, two instances")


def _programme(mdp, layer):
    import cvxpy as cp

    model = mdp.to_float()
    flows = [cp.Variable((model.n_states, model.n_actions), nonneg=True) for _ in range(layer)]
    rules = [cp.sum(flows[0], axis=1) == model.initial]
    for h in range(layer - 1):
        kernel = model.phi[h] @ model.mu[h]  # (S, A, S)
        inflow = sum(flows[h][:, a] @ kernel[:, a] for a in range(model.n_actions))
        rules.append(cp.sum(flows[h + 1], axis=1) == inflow)
    rows = model.phi[layer - 1].reshape(-1, model.dim)
    weights = cp.reshape(flows[-1], (len(rows),), order="C")
    covariance = sum(weights[k] * np.outer(row, row) for k, row in enumerate(rows))
    problem = cp.Problem(cp.Maximize(cp.log_det(covariance)), rules)
    problem.solve(solver=cp.CLARABEL)
    return float(problem.value)
