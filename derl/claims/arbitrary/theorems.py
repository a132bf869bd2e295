"""These checks run the repaired Algorithm 2 at the theorems' own constants, and derive Theorem E.9, repaired.

Of each run (`derl.experiments.audited_runs`) they compute whether every layer stopped by its own rule, the number of
deployments, the left side of the induction condition, whether the event of the analysis holds, and an upper bound of
the loss over all rewards in [0, 1] for every horizon. Controls divide N by the first power of ten with which the check
fails on the lock: 10^5 fewer still pass all steps of "repaired", 10 fewer those of "relative", "squared" and
"spectral", 100 fewer those of "self-certifying".
"""

from __future__ import annotations

import numpy as np
import sympy

from derl.algorithms.audit import search_worst_reward
from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import every, exactly
from derl.exact.symbolic import below, equal, nonnegative
from derl.experiments.audited_runs import EPSILON, KNOWN, STARTS, SUITE, AuditedRun, described, runs
from derl.printed import Range, Text
from derl.theory.texts import said as text_of

STARVED = {"shrink": 1e6, "names": ("lock",)}  # with N/1e5 all steps pass, with N/1e6 condition (2) fails


def outcomes(version: str, names, shrink: float, starts=STARTS) -> Evidence:
    """Every run: own rule met in every layer, H deployments, condition (2), loss at most epsilon for every horizon."""
    result = runs(version, names, starts, shrink=shrink)
    share = [shares(text_of("cond-induction"), r) for r in result]
    return steps([
        ("every layer stops by its own rule", all(r.outcome.converged for r in result)),
        ("exactly H deployments", all(r.outcome.deployments == r.mdp.horizon for r in result)),
        ("condition (2) in every layer", max(share) <= 1),
        ("the event holds for every value function", max(r.audit.event for r in result) <= 1),
        ("loss at most epsilon for every reward and horizon", max(r.audit.loss_bound.max() for r in result) <= EPSILON),
        ("layer 1: the uncertainty of the record is the true one", all(
            abs(r.outcome.trace[0].uncertainty - r.audit.uncertainty[0]) <= 1e-6 * r.audit.uncertainty[0]
            for r in result)),
    ], described(version, result), detail=f"largest share of condition (2): {max(share):.2g}; largest loss bound: "
                                         f"{max(r.audit.loss_bound.max() for r in result):.2g}")


SUMMED = (r"\max_\pi\mathbb E_\pi\Big[\sum_{t=1}^{h-1}\sqrt{\phi(s_t,a_t)^\top\Sigma_t^{-1}\phi(s_t,a_t)}\Big]")


def shares(text: Text, r: AuditedRun) -> float:
    """Largest left side of the induction condition over its right side, for all h; infinite where xi is too large."""
    horizon, xi = r.mdp.horizon, r.constants.xi
    first, last = int(text("h=", after="It is required for")), int(text("", after="It is required for", skip=2,
                                                                            H=horizon))
    result = [text.sides(rf"{SUMMED}\le", {SUMMED: float(r.audit.uncertainty[h - 2]), "h": h}, H=horizon, xi=xi)
              for h in range(first, last + 1)]
    inside = xi in text.range(r"\xi", d=r.mdp.dim) and len(result) == horizon
    return max(float(left / right) for left, right in result) if inside else float("inf")


@claim("alg-arbitrary-repaired", method="run", arithmetic="float64",
       gap="three instances, known and unknown first state; nu of the reachable span",
       false={"a million times fewer trajectories": STARVED})
def repaired_algorithm_does_what_it_should(names=SUITE, shrink=1.0):
    """Stops, deploys H times, covers, plans: Runs at the theorem's own N and audits them against the instance."""
    return outcomes("repaired", names, shrink)


@claim("alg-arbitrary", method="run", arithmetic="float64", covers="the runs that the printed steps allow",
       gap="three instances",
       false={"a million times fewer trajectories": STARVED})
def printed_algorithm_runs(names=SUITE, shrink=1.0):
    """The printed loop at the same constants: With a set Pi_h and 4 I in SolveOptQ the runs end well all the same; the
    proof, not the outcome, is lost."""
    return outcomes("as-printed", names, shrink, KNOWN)


@claim("cond-induction", method="run", arithmetic="float64", gap="a condition: checked as a predicate on runs",
       false={"a million times fewer trajectories": STARVED})
def induction_condition_on_runs(text, names=SUITE, shrink=1.0):
    """Left side over right side, maximum over policies: max_pi E_pi sum_{t <= h} |phi_t|_{Sigma_t^{-1}} by planning
    with the norms as rewards, over h xi/H."""
    result = runs("repaired", names, shrink=shrink)
    return Evidence(max(shares(text, r) for r in result), 1.0, "upper", described("repaired", result))


@claim("thm-arbitrary-formal-repaired", method="stress", arithmetic="float64", covers="linear rewards, by search",
       gap="a search finds lower bounds only",
       false={"a single trajectory per deployment": {"names": ("template",), "shrink": 1e300}})
def worst_reward_found(names=SUITE, shrink=1.0):
    """The worst linear reward that a search finds: Random linear rewards with full range in every layer, then steps
    from the worst one; exact losses by planning."""
    rng = np.random.default_rng(np.random.SeedSequence(44))
    result = runs("repaired", names, KNOWN, shrink=shrink)
    losses = [search_worst_reward(r.mdp, r.outcome.dataset, rng, 25, 25)[0] for r in result]
    return Evidence(max(losses), EPSILON, "upper", f"{50 * len(result)} rewards; " + described("repaired", result))


@claim("thm-arbitrary-formal-repaired", method="run", arithmetic="float64", covers="runs of the repaired algorithm",
       gap="three instances; the constants are those of the corrected proof",
       false={"1e22 times fewer trajectories (1e20 fewer are still enough)": {"shrink": 1e22, "names": ("lock",)}})
def loss_for_every_horizon(names=SUITE, shrink=1.0):
    """Loss for every horizon, after as many deployments: The additional guarantee: with the first h deployments, plans
    for the MDP truncated at h."""
    result = runs("repaired", names, KNOWN, shrink=shrink)
    return Evidence(max(r.audit.loss_bound.max() for r in result), EPSILON, "upper", described("repaired", result))


def _ends(result: Range) -> tuple:
    return result.bottom, result.top, result.low_belongs, result.high_belongs


@claim("thm-arbitrary-formal-repaired")
def printed_size_exceeds_theorem_r(text, theorem=printed("res-theorem-r")):
    """The printed N exceeds what Theorem R needs: Both terms and their logarithms, y = dH/(epsilon delta nu) >= 2:
    log(2/nu) <= log y, log(2y) <= 2 log y."""
    t, d, h, e = sympy.symbols("t d H e", nonnegative=True)  # e = 1/epsilon
    letters = {name: sympy.Symbol(name, positive=True) for name in ("d", "H", "epsilon", "delta", "nu")}
    dim, horizon, eps, delta, nu = letters.values()
    tau, double, level = sympy.symbols("tau double level", positive=True)  # log(2/nu), log(2y), log y
    y, inverse, least = dim * horizon / (eps * delta * nu), 1 + t, text(r"dH\ge", numbers=sympy.Rational)
    needed = sympy.expand(theorem(r"N\ge", **letters).subs({sympy.log(2 / nu): tau, sympy.log(2 * y): double}))
    stated = sympy.expand(text(r"N\ge", **letters).subs(sympy.log(y), level))
    first, third = needed.coeff(tau, 1), needed.coeff(tau, 3)
    enough = 2 * (first + third / nu**2) / double  # times level^2
    room = (stated.coeff(level, 2) - enough).subs({dim: d, horizon: h, eps: 1 / e, nu: 1 / inverse})
    return steps([
        "size of y",
        ("2/nu <= y: dH/(epsilon delta) >= 2", nonnegative((least + d) * inverse - 2 * inverse, d, t)),
        ("2y <= y^2", nonnegative((least + d) ** 2 - 2 * (least + d), d)),
        "comparison",
        ("N of Theorem R has the logarithms log(2/nu) and log^3(2/nu), times log(2y)",
         equal(needed, first * tau + third * tau**3)),
        ("log(2/nu) <= 1/nu: x - log(2x) grows from 1 - log 2 > 0 on, x >= 1",
         below(sympy.log(2), 1) and nonnegative(1 - 1 / inverse, t)),
        ("the printed N has the logarithm log^2 y", equal(stated, stated.coeff(level, 2) * level**2)),
        (text.shown(r"N\ge"), nonnegative(sympy.expand(room), t, d, h, e)),
        values_fit(text.interval(after="Let rewards lie in")),
        ("the ranges and the probability are those of Theorem R, i_max is its own",
         every(*(exactly(*(_ends(each.range(letter, {r"\nu_{\min}": dim})) for each in (text, theorem)))
                 for letter in (r"\epsilon", r"\delta", r"\nu")),
               equal(*(each("", after="with probability at least", delta=delta) for each in (text, theorem))))),
    ], "all d, H with dH >= 2, all epsilon, delta < 1, nu <= 1")


# --- the improved versions ---------------------------------------------------------------------------------------

@claim("res-theorem-r", method="run", arithmetic="float64", covers="three runs", gap="three instances, one seed each",
       tier="full",
       false={"a hundred times fewer trajectories": {"shrink": 1e2, "names": ("lock",)}})
def theorem_r_runs(names=SUITE, shrink=1.0):
    """Runs at the constants of Theorem R: The same algorithm as repaired, at an N that is smaller by ten to twelve
    orders of magnitude."""
    return outcomes("relative", names, shrink, KNOWN)


@claim("res-squared-reward", method="run", arithmetic="float64", covers="three runs",
       gap="three instances, one seed each",
       false={"a hundred times fewer trajectories": {"shrink": 1e2, "names": ("lock",)}})
def squared_reward_runs(names=SUITE, shrink=1.0):
    """Runs at the constants of the squared reward: phi^T Sigma^{-1} phi as the reward of SolveOptQ."""
    return outcomes("squared", names, shrink, KNOWN)


@claim("res-spectral-error", method="run", arithmetic="float64", covers="three runs",
       gap="three instances, one seed each",
       false={"a hundred times fewer trajectories": {"shrink": 1e2, "names": ("lock",)}})
def spectral_runs(names=SUITE, shrink=1.0):
    """Runs at the constants of the linear evaluation: Covariances evaluated without shift and clip; their error is
    bounded in operator norm."""
    return outcomes("spectral", names, shrink, KNOWN)


@claim("res-self-certifying", method="run", arithmetic="float64", covers="three runs",
       gap="three instances, one seed each",
       false={"a thousand times fewer trajectories": {"shrink": 1e3, "names": ("lock",)}})
def self_certifying_runs(names=SUITE, shrink=1.0):
    """Runs that certify themselves: No nu_min is handed to the algorithm; it stops on an eigenvalue that it sees."""
    return outcomes("self-certifying", names, shrink, KNOWN)
