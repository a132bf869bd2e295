"""These checks run Algorithm 2 as printed, with its grid, from the first line to the plan, in exact arithmetic.

The instance, `two_layers`, has three states, two layers and d = 2. The program without a grid is compared with that
run, and the rounded Q with loops that are written a second time.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import ceil

import numpy as np

from derl.algorithms.arbitrary import arbitrary_policy_exploration
from derl.algorithms.arbitrary_exact import exact_optq, printed_exploration, printed_planning
from derl.claims import Evidence, claim, steps
from derl.deployment import Deployer
from derl.exact.matrices import inverse
from derl.mdp import exact
from derl.mdp.exact import ExactMDP, rationals
from derl.theory.arbitrary.constants import planning_scale, regression_scale

SIZE, EPSILON, DELTA, NU_SQUARE = 10**15, Fraction(1, 10), Fraction(1, 10), Fraction(1, 2)


def two_layers() -> ExactMDP:
    """Three states, two layers, d = 2; nu_1^2 = nu_2^2 = 1/2.

    From s_1 the two actions (features e_1, e_2) lead to x and y with probabilities 9/10, 1/10 and 1/10, 9/10. In layer
    2, x has the features e_1 and (1/2, 1/2); y has e_2 and one action only, so action 0 is not available there.
    """
    phi = np.full((2, 3, 2, 2), Fraction(0), dtype=object)
    phi[0, :, 0], phi[0, :, 1] = rationals([1, 0]), rationals([0, 1])
    phi[1, :2, 0], phi[1, :2, 1] = rationals([1, 0]), rationals(["1/2", "1/2"])
    phi[1, 2, 1] = rationals([0, 1])
    mu = np.full((2, 2, 3), Fraction(0), dtype=object)
    mu[0, 0, 1:], mu[0, 1, 1:] = rationals(["9/10", "1/10"]), rationals(["1/10", "9/10"])
    mu[1, :, 0] = Fraction(1)
    available = np.ones((2, 3, 2), bool)
    available[1, 2, 0] = False
    return ExactMDP(phi, mu, rationals([[0, "1/5"], ["1/3", 1]]), rationals([1, 0, 0]), available)


@cache
def exact_run():
    """Layers, counts and the plan for the instance's own reward; beta', beta are the program's, epsilon_0 = 1/N."""
    mdp = two_layers()
    beta_prime = Fraction(regression_scale("as-printed", 2, 2, float(DELTA), SIZE))
    deployer = Deployer(mdp.to_float(), SIZE, 2, "any", seed=0)
    layers, counts = printed_exploration(mdp, deployer, NU_SQUARE, beta_prime, Fraction(1, SIZE))
    beta = Fraction(planning_scale(2, 2, float(DELTA), SIZE))
    return mdp, layers, counts, printed_planning(mdp, counts, mdp.theta, beta)


@claim("alg-arbitrary", method="exhaustive", covers="one run, from the first line to the plan",
       gap="one instance with two layers, N = 1e15, one seed",
       false={"nu^2 = 4/9 in the threshold, which no V of this run is below": {"nu_squared": Fraction(4, 9)}})
def printed_run_in_fractions(text, nu_squared=NU_SQUARE):
    """The printed algorithm and its grid, in fractions: Both loops end by the printed rule, in two deployments, and the
    printed plan loses nothing, all in fractions."""
    mdp, layers, counts, plan = exact_run()
    loss = exact.optimal(mdp).value - exact.evaluate(mdp, plan).value
    level = text(r"V_{h,i+1}\le", {r"\nu_{\min}^2": nu_squared})
    return steps([
        ("both layers end by " + text.shown(r"V_{h,i+1}\le"), all(
            layer.stopped and layer.value[1] <= level for layer in layers)),
        ("Pi_1 and Pi_2 hold both actions of s_1", all(
            len({int(p[0, 0]) for p in layer.policies}) == 2 for layer in layers)),
        ("only available actions", all(mdp.available[t, s, a] for layer in layers for p in layer.policies
                                       for t, row in enumerate(p) for s, a in enumerate(row))),
        ("N transitions in each layer", all(sum(n.ravel()) == SIZE for n in counts)),
        ("the plan loses at most epsilon", loss <= EPSILON),
    ], f"H = 2, d = 2, nu^2 = 1/2, N = 1e15, epsilon_0 = 1/N; {layers[0].iterations} and {layers[1].iterations} "
       "iterations", detail=f"loss {float(loss):.3g}")


@claim("alg-arbitrary", method="run", arithmetic="float64", covers="the program against the exact run",
       gap="one instance with two layers, one seed",
       false={"the repaired loop: 2 I once": {"version": "repaired"}})
def program_finds_the_same_lists(version="as-printed"):
    """The program, without a grid, finds the same lists: Iterations, sets of policies and last values of the program
    against the run in fractions, on the same draws."""
    mdp, layers, *_ = exact_run()
    model = mdp.to_float()
    deployer = Deployer(model, SIZE, 2, "any", seed=0)
    outcome = arbitrary_policy_exploration(deployer, float(EPSILON), float(DELTA), float(NU_SQUARE) ** 0.5, version,
                                           initial=model.initial)
    result = []
    for layer, record in zip(layers, outcome.trace, strict=True):
        result += [(f"layer {record.layer}: iterations", record.iterations == layer.iterations),
                   (f"layer {record.layer}: the set of policies",
                    {p.tobytes() for p in record.cover.policies} == {p.tobytes() for p in layer.policies}),
                   (f"layer {record.layer}: the last V", abs(record.statistic - float(layer.value[0])) <= 1e-9)]
    return steps(result, "two layers, the same seed, grid of 1e-15 against float64")


# --- the grid of Algorithm 5, written down a second time ------------------------------------------------------------

def literal_distance(resolution: Fraction, beta_prime: Fraction, shrink: int = 1) -> Decimal:
    """max |Q - Q~| with 60 digits, loop by loop as printed, on `two_layers` and 400 trajectories."""
    mdp, counts, matrix = small_data()
    with localcontext() as context:
        context.prec = 60
        fine, square = Fraction(shrink) * resolution / (2 * mdp.dim), resolution**2 / (4 * mdp.dim)
        worst, values = Decimal(0), None
        for h in (1, 0):
            if h == 1:
                weights, quadratic = [Fraction(0)] * 2, inverse(matrix)
            else:
                pairs = [(mdp.phi[0, s, a], counts[s, a]) for s in range(3) for a in range(2)]
                sigma = inverse(np.eye(2, dtype=int) + sum(sum(n) * np.outer(x, x) for x, n in pairs))
                total = sum(int(n[t]) * values[t] * x for x, n in pairs for t in range(3))
                weights, quadratic = sigma @ total, beta_prime**2 * sigma
            rough_w = [fine * ceil(w / fine) for w in weights]
            rough_z = [[square * ceil(x / square) for x in row] for row in quadratic]
            values = []
            for s in range(3):
                q = []
                for a in range(2):
                    if not mdp.available[h, s, a]:
                        continue
                    x = mdp.phi[h, s, a]
                    pair = [decimal(sum(w[i] * x[i] for i in (0, 1))) + decimal(
                        sum(z[i][j] * x[i] * x[j] for i in (0, 1) for j in (0, 1))).sqrt()
                        for w, z in ((weights, quadratic), (rough_w, rough_z))]
                    pair = [min(value, Decimal(1)) for value in pair]
                    worst = max(worst, abs(pair[0] - pair[1]))
                    q.append(pair[0])
                values.append(Fraction(max(q)))
        return worst


def decimal(x) -> Decimal:
    """A rational number in the digits of the context."""
    return Decimal(Fraction(x).numerator) / Decimal(Fraction(x).denominator)


def small_data():
    """`two_layers`, 400 trajectories of layer 1, and a matrix."""
    counts = np.zeros((3, 2, 3), dtype=object)
    counts[0, 0, 1:], counts[0, 1, 1:] = [187, 13], [22, 178]
    return two_layers(), counts, rationals([[3, "1/2"], ["1/2", "5/2"]])


@claim("alg-solve-optq", method="exhaustive", covers="the width of both grids", gap="one data set, four resolutions",
       false={"a grid of w that is twice as wide, coarser by the factor d": {"shrink": 2}})
def grid_is_the_printed_one(shrink=1):
    """The rounded Q against loops that are written down a second time: Largest difference between max |Q - Q~| of
    `exact_optq` and of the literal loops, over four resolutions."""
    mdp, counts, matrix = small_data()
    worst = Fraction(0)
    for resolution in (Fraction(1, 3), Fraction(1, 10), Fraction(1, 50), Fraction(1, 804)):
        result = exact_optq(list(mdp.phi), [counts], matrix, Fraction(3, 2), resolution, mdp.initial, mdp.available)
        worst = max(worst, abs(result.distance - Fraction(literal_distance(resolution, Fraction(3, 2), shrink))))
    return Evidence(worst, Fraction(1, 10**15), "upper", "epsilon_0 = 1/3, 1/10, 1/50, 1/804; beta' = 3/2, 60 digits")
