"""These checks compare the mixture that Algorithm 2 deploys with the best possible design.

For a mixture with regular covariance Lambda the criterion is g = max_pi tr(Lambda^{-1} Lambda_pi), which is d at the
D-optimal design (Kiefer and Wolfowitz). It is recomputed in fractions, by runs, and by a convex programme.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.deployment import Deployer
from derl.exact.symbolic import same_operator
from derl.mdp import planning
from derl.theory.arbitrary.optimal_design import criterion, d_optimal
from derl.theory.reachability.algebra import positive_semidefinite
from derl.theory.reachability.examples import orthonormal, round_bandit, twelfths, two_states
from derl.theory.reachability.model import layer_problem
from derl.theory.reachability.pool import Pool

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


@claim("res-design-optimal", covers="the slope, d <= 4", gap="d <= 4", false={"half of the slope": {"slope": 2}})
def one_number_bounds_the_rest(text, slope=1):
    """Why g says how far it is: The derivative of log det along a mixture, per eigenvalue."""
    s = sympy.Symbol("s", positive=True)
    for d in range(1, 5):
        values = sympy.symbols(f"l:{d}", nonnegative=True)
        derivative = sum(sympy.diff(sympy.log(1 - s + s * value), s).subs(s, 0) for value in values)
        yield (f"d = {d}: the slope of log det towards Lambda_pi is tr(Lambda^-1 Lambda_pi) - d", same_operator(
            slope * derivative, text(r"\log\det\Lambda'\le", {r"\log\det\Lambda": 0}, d=d, g=sum(values))))


@claim("res-design-optimal", method="run", arithmetic="float64", covers="one run of Algorithm 2",
       gap="one instance, one seed", tier="full",
       false={"only the first policy of each layer": {"keep": 1}})
def algorithm_two_is_close(allowed=1.25, keep=None):
    """The mixture that Algorithm 2 deploys: Worst g over the layers of the mixtures that the self-certifying run
    deploys, divided by d."""
    measured = max(g for g, _ in deployed_criteria(keep)) / 3
    return Evidence(measured, allowed, "upper", "random simplex, S = 6, A = 4, d = H = 3, N = 1e15, seed 0",
                    detail="; ".join(f"layer {h + 1}: g = {g:.4f}, lambda_min = {low:.4f}"
                                     for h, (g, low) in enumerate(deployed_criteria(keep))))


@cache
def deployed_criteria(keep=None) -> tuple:
    """(g, smallest eigenvalue) of the mixture deployed in each layer; only the first `keep` policies if given."""
    from derl.algorithms import arbitrary_policy_exploration
    from derl.mdp import instances

    mdp = instances.random_simplex(6, 4, 3, 3, 5)
    outcome = arbitrary_policy_exploration(Deployer(mdp, 10**15, mdp.horizon, policy_class="any", seed=0), 0.1, 0.1,
                                           version="self-certifying", initial=mdp.initial)
    result = []
    for record in outcome.trace:
        members = list(zip(record.policy.policies, record.cover.counts, strict=True))[:keep]
        covariance = sum(n * planning.feature_covariance(mdp, policy)[record.layer - 1] for policy, n in members)
        covariance = covariance / sum(n for _, n in members) + 1e-9 * np.eye(mdp.dim)
        value = Pool(mdp, record.layer).price(np.linalg.inv(covariance)[None])[0]
        result.append((float(value), float(np.linalg.eigvalsh(covariance)[0])))
    return tuple(result)


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
