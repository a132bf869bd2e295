"""These checks relate the number of deployments to the batch size (Appendix F.1), by a theorem and by runs.

The bound of the theorem is sure, so each run can refute it. Repetition means m = ceil(N/N_0) deployments of one policy,
and updating after m deployments needs m K(m N_0) in all; both are compared on grids, also with the analysis of
`derl.claims.layerwise.fewer_samples`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil

import sympy

from derl.claims import Evidence, claim
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, same_operator
from derl.experiments.small_batches import DELTA, EPSILON, SIZES, SPECS, bound, measured
from derl.mdp import instances
from derl.printed import Text
from derl.theory.potential.bounds import sharp_bound
from derl.theory.safety import sample_efficient
from derl.theory.safety.sample_efficient import TRADE_OFFS

SETTINGS = ((4, 4, 0.1), (2, 3, 0.5), (10, 10, 0.1), (3, 10, 0.2))  # d, H, epsilon
LIMITS = tuple(10**k for k in range(0, 25, 2))
@claim("res-sample-efficient-curve", covers="the formulas: the level, the root at d = 1, and K(N)",
       gap="the count: Coq proves the whole",
       false={"the first deployment counted in one layer only": {"counted_first": False}})
def violations_to_deployments(text, counted_first=True):
    """From violations to deployments: The level against the threshold of Algorithm 1, the root against the count of
    violations, and H m + 1 deployments, where m = floor(d x^*)."""
    H, m, beta, h, epsilon, d = sympy.symbols("H m beta h epsilon d", positive=True)
    level, first = text(r"\ell=", epsilon=epsilon, H=H, beta=beta), int(text.range("N").low)
    failing = H * m - (H - 1 if counted_first else 0)
    roots = {(N, share): max((x for x in range(12) if text.relation(
        r"(1+N\ell)^x", N=N, ell=share, x=x).holds), default=0)
             for N, share in product((first, 2, 40, 1000), (Fraction(1, 10), Fraction(1, 3), Fraction(1, 1)))}
    return [
        ("where all bonuses are at the level, Delta_k is at its threshold",
         equal(2 * beta * h * sympy.sqrt(level), epsilon * h / (2 * H))),
        ("|phi|^2 >= 1/d: the first batch violates in every layer", at_least(1 / d, text(r"\ell=...\le", d=d), d)),
        ("x^* is the root that the count of violations uses, at d = 1", every(
            exactly(first, 1), *(exactly(root, min(sharp_bound(1, *one), 11)) for one, root in roots.items()))),
        ("failing + finishing <= H m + 1", same_operator(
            text("K(N)=", {r"\lfloor d\,x^*(N)\rfloor": text("", {"x^*(N)": m}, after="deployments,")}, H=H),
            failing + H)),
    ]


@claim("res-sample-efficient-curve", method="run", arithmetic="float64", covers="Algorithm 1 at ten batch sizes",
       gap="three instances, N from 1e5 to 1e14",
       false={"d violations per layer for every N: K = dH + 1": {"per_layer": 1}})
def runs_below_the_curve(per_layer=None):
    """Deployments over the bound: Largest ratio of the deployments of a run to K(N); the bound is sure, so one run per
    N can refute it."""
    worst, where = 0.0, ""
    for spec in SPECS:
        mdp = instances.from_spec(spec)
        for size in SIZES:
            allowed = bound(spec, size)
            claimed = allowed if per_layer is None else mdp.horizon * per_layer * mdp.dim + 1
            used = measured(spec, size, allowed).deployments
            worst, where = max((worst, where), (used / claimed, f"{mdp.info['family']}, N = {size:.0e}"))
    return Evidence(worst, 1.0, "upper", f"{len(SPECS) * len(SIZES)} runs, epsilon = 1, delta = 1/10",
                    detail=f"worst: {where}")


@claim("res-sample-efficient-curve", method="run", arithmetic="float64", covers="Algorithm 1 at ten batch sizes",
       gap="three instances, N from 1e5 to 1e14",
       false={"a hundredth of the deployments": {"divided": 100}})
def runs_stop(divided=1):
    """Every run stops within the bound: Runs that stop by their own rule when they are given K(N) deployments."""
    good = [measured(spec, size, max(1, bound(spec, size) // divided)).converged for spec in SPECS for size in SIZES]
    return Evidence(sum(good), len(good), "identity", f"{len(good)} runs, epsilon = 1, delta = 1/10")


# --- against repetition ------------------------------------------------------------------------------------------

@claim("text-emulation-suboptimal", method="run", arithmetic="float64",
       gap="'may': three instances, runs at ten batch sizes, one seed", plants=3,
       false={"N = 10^5, which every N_0 allows: nothing to repeat": {"sizes": SIZES[:1]}})
def updates_beat_repetition(text, sizes=SIZES):
    """Runs that update and runs that repeat: Largest ratio of deployments, small batches against large ones in parts;
    both runs end epsilon-optimal."""
    worst, where = 0.0, ""
    large = sizes[-1]
    for spec, small in product(SPECS, SIZES[:-1]):
        once = measured(spec, large, bound(spec, large))
        often = measured(spec, small, bound(spec, small))
        own = text("", N_0=small, after="after each batch of")
        repeated = ceil(text("", after="updated within the", N=large, N_0=own)) * once.deployments
        fine = once.converged and often.converged and max(once.gap, often.gap) <= EPSILON
        ratio = often.deployments / repeated if fine else float("inf")
        worst, where = max((worst, where), (ratio, f"{spec.split(':')[0]}, N_0 = {small:.0e}"))
    return Evidence(worst, 0.5, "upper", f"{len(SPECS)} instances, N = {large:.0e} in batches of N_0 = 1e5, ..., 1e13",
                    detail=f"worst: {where}")


def worst_ratio(text: Text, analysis: str, shrink: int = 1) -> Evidence:
    """Largest ratio of the deployments with early updates to the best repetition over c_K, on the grid.

    The deployments with early updates are those of the text, m K(m N_0), and those of the plan.
    """
    ratios = []
    for (d, horizon, epsilon), limit in product(SETTINGS, LIMITS):
        plan = sample_efficient.adaptive(d, horizon, epsilon, DELTA, limit, analysis)
        alone = sample_efficient.adaptive(d, horizon, epsilon, DELTA, 1, analysis).repetitions  # N_1, with N_0 = 1
        one, limits = text("", N_1=alone, after="Let"), text("", N_0=limit, after="deployments of")
        m = text("m=", N_1=one, N_0=limits)
        ours = float(max(text("", {"K": lambda size, plan=plan, limit=limit: plan.updates * Fraction(
            size, plan.repetitions * limit)}, m=m, N_0=limits, after="needs at most"), plan.deployments))
        theirs = min(sample_efficient.repeated(d, horizon, epsilon, DELTA, limit * shrink, float(text(
            "", c_K=c, after="with the best")), analysis).deployments for c in TRADE_OFFS)
        ratios.append((ours / theirs, f"d = {d}, H = {horizon}, N_0 = {limit:.0e}"))
    return Evidence(max(ratios)[0], 1.0, "upper", f"{len(ratios)} cases, c_K in {TRADE_OFFS}",
                    detail=f"worst: {max(ratios)[1]}; best ratio {min(ratios)[0]:.3f}")


@claim("res-sample-efficient-plan", method="stress", arithmetic="float64",
       gap="four settings (d, H, epsilon), N_0 = 1, 1e2, ..., 1e24, nine c_K",
       false={"repetition with a hundred times larger batches": {"shrink": 100}})
def never_worse_than_repetition(text, shrink=1):
    """Never worse than repetition: Largest ratio of early updates to the best repetition over c_K, printed
    thresholds."""
    return worst_ratio(text, "layers", shrink)


@claim("res-sample-efficient-plan", method="stress", arithmetic="float64", covers="the flat analysis",
       gap="four settings (d, H, epsilon), N_0 = 1, 1e2, ..., 1e24, nine c_K", tier="full",
       false={"repetition with a hundred times larger batches": {"shrink": 100}})
def never_worse_with_one_count(text, shrink=1):
    """The same with one count for all layers: Largest ratio of early updates to the best repetition over c_K, flat
    thresholds and covering beta for both."""
    return worst_ratio(text, "flat", shrink)
