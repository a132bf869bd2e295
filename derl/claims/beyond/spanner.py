"""These checks establish dH deployments of deterministic policies with an N of order 1/epsilon^2.

The steps take a net of greedy rules, averages, and the errors of z_h(pi) = E_pi phi_h from layer to layer, without a
reachability coefficient and with a mean of at least sigma in every direction. Runs on five instances use the theorem's
N.
"""

from __future__ import annotations

import math

import numpy as np
import sympy
from sympy import Rational, sqrt

from derl.algorithms.mean_spanner import distinct_rules, spanner_exploration
from derl.claims import Evidence, claim, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.deployment import Deployer, known_part
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal, same_fraction, same_operator
from derl.mdp import instances, planning
from derl.printed import BEGINNING
from derl.theory.beyond.spanner import barycentric, spanner_size

EPSILON = DELTA = 0.1
QUARTER = Rational(1, 4)


def demanded(text, after: str, accuracy, resolution=sympy.oo) -> tuple:
    """What the logarithms in a printed N are multiplied with, their sum, and what is divided by delta in the last."""
    d, H, delta = sympy.symbols("d H delta", positive=True)
    size = text(r"N\ge", after=after, d=d, H=H, epsilon=accuracy, sigma=resolution, delta=delta)
    factor = -delta * sympy.diff(size, delta)
    rules = d * sympy.log(1 + 2 * H * sqrt(d) / (sympy.Min(accuracy, resolution) / (4 * H)))  # eta = accuracy/(4H)
    return factor, delta * sympy.exp(size / factor - rules)


def class_of_policies(loss) -> list[tuple[str, bool]]:
    """A net of greedy rules, and how many."""
    H, e, d = sympy.symbols("H e d", positive=True)
    eta = e / (loss * H)
    return [
        "policies",
        ("the rule of a neighbour of w loses 2 eta a layer, epsilon/2 in all", equal(2 * eta * H, e / 2)),
        ("|w_h| <= sqrt d + (H-1) sqrt d = H sqrt d", equal(sqrt(d) + (H - 1) * sqrt(d), H * sqrt(d))),
    ]


def averages(counts) -> list[tuple[str, bool]]:
    """Hoeffding for every coordinate of every mean that is used, and the union; `counts`: 6 d^2 H as it is printed."""
    u, N = sympy.symbols("u N", positive=True)
    d, m = sympy.symbols("d m", nonnegative=True)
    size, H = sympy.symbols("d H", positive=True)
    dim, rules = 1 + d, 1 + m
    return [
        "averages",
        ("coordinates in [-1, 1], each off by at most u/sqrt d: exponent 2N (u^2/d)/4",
         equal(2 * N * (u**2 / dim) / 4, N * u**2 / (2 * dim))),
        ("rewards in [0, 1] off by u: 2 N u^2 >= N u^2/(2d)", at_least(2 * u**2 * N, N * u**2 / (2 * dim), u, N, d)),
        ("d M means, d of the batch itself and one reward, on two sides, for each of H d policies: at most 6 d^2 H M",
         every(at_least(count.subs(size, dim) * rules, 2 * (dim * rules + dim + 1) * (H * dim), d, m, H)
               for count in counts)),
        ("with log M of the net, 6 d^2 H is all that remains", every(equal(count, counts[0]) for count in counts)),
    ]


def compounding(growth, factor) -> list[tuple[str, bool]]:
    """The recursion of the errors and the value of a policy, without reachability; `factor`: 2d/u^2 as printed."""
    v, e, u = sympy.symbols("v e u", nonnegative=True)
    d = (1 + v) ** 2  # sqrt d = 1 + v
    q = 1 + d
    y = sympy.Symbol("y", positive=True)  # (1+d)^{h-1}
    D, H, eps = sympy.symbols("d H epsilon", positive=True)
    off = sqrt(2 * D / factor)
    return [
        "errors",
        ("x = z(pi) - sum c_i z(pi_i): one error and at most d of them", same_operator(q * e, e + d * e)),
        ("e_{h+1} + sqrt d u <= (1+d)(e_h + sqrt d u)",
         equal(sympy.expand((growth + d) * e + d * (1 + v) * u + (1 + v) * u - q * (e + (1 + v) * u)), 0)),
        "values",
        ("(1+d) e_h + d u <= sqrt d u (1+d)^h",
         at_least((1 + v) * u * q * (1 + y), q * (1 + v) * u * y + d * u, v, u, y)),
        ("sum over h of (1+d)^h <= (1+d)^H (1+d)/d <= 2 (1+d)^H",
         every(same_fraction((1 + D) / D * (1 + D) ** 3 - sum((1 + D) ** j for j in (1, 2, 3)), (1 + D) / D),
               at_least(2, (1 + q - 1) / d, v))),
        ("2 sqrt d (1+d)^H u = epsilon/4 at the u of the printed N = (2d/u^2) log(...)",
         equal(sympy.powsimp(2 * sqrt(D) * (1 + D) ** H * off), eps / 4)),
    ]


def resolved(far, bound, reach, plain, in_all_directions) -> list[tuple[str, bool]]:
    """With a mean of sigma in every direction; 2d/u^2 as it is printed for epsilon and for sigma."""
    d, H, u, sigma, eps = sympy.symbols("d H u sigma epsilon", positive=True)
    s, h, a = sympy.symbols("s h a", nonnegative=True)
    half = sigma / 2
    off, off_there = (sqrt(2 * d / factor) for factor in (plain, in_all_directions))
    e = sigma / (far * d)
    return [
        "directions",
        ("the listed policies reach sigma - sigma/2 in every direction", equal(reach - half, half)),
        "coefficients",
        ("(d e)/(sigma/2 - e) <= 1/3 at e = sigma/(8d)",
         at_least(Rational(1, 3), sympy.simplify((d * e / (half - e)).subs(d, 1 + s)), s)),
        ("1/(1 - 1/3) <= 2", at_most(1 / (1 - Rational(1, 3)), bound)),
        "no compounding",
        ("e_{h+1} <= e_h + 2d sqrt d u + 2d sqrt d u", equal(bound * d * sqrt(d) * u * 2, 4 * d * sqrt(d) * u)),
        ("e_H + u <= 4H d^{3/2} u", at_least(4 * (1 + h) * (1 + a) ** 3 * (1 + s), (4 * h * (1 + a) ** 3 + 1) * (1 + s),
                                              h, a, s)),
        ("4H d^{3/2} u = sigma/(8d) at the u of the printed N",
         equal(4 * H * d**Rational(3, 2) * off_there, sigma / (8 * d))),
        ("sum of 4 h d^{3/2} u = 2 H(H+1) d^{3/2} u <= 4 H^2 d^{3/2} u",
         every(equal(sympy.summation(4 * sympy.Symbol("j"), (sympy.Symbol("j"), 1, H)), 2 * H * (H + 1)),
               at_least(4 * (1 + h) ** 2, 2 * (1 + h) * (2 + h), h))),
        ("4 H^2 d^{3/2} u = epsilon/4 at the u of the printed N",
         equal(4 * H**2 * d**Rational(3, 2) * off, eps / 4)),
    ]


@claim("res-spanner-exponent", plants=4,
       false={"eta = epsilon/(2H): the rules lose epsilon": {"loss": 2},
              "errors that do not grow by the error of pi itself: d e_h": {"growth": 0},
              "e = sigma/(7d)": {"far": 7},
              "coefficients of at most 7/5 after solving again": {"bound": Rational(7, 5)},
              "coefficients of at most 3 with the constants of 2": {"bound": 3},
              "estimates off by epsilon/3": {"final": Rational(1, 3)}})
def spanner_in_steps(text, loss=4, growth=1, far=8, bound=2, final=QUARTER):
    """The net, the averages, the errors with and without a direction's mean: Every step, every constant."""
    d, H, epsilon, sigma, eta = sympy.symbols("d H epsilon sigma eta", positive=True)
    first, *others = (demanded(text, BEGINNING, epsilon), demanded(text, "every unit vector", epsilon),
                      demanded(text, "every unit vector", sympy.oo, sigma))
    plain, in_all_directions = (factor for factor, _ in others)
    reach = text(r"\max_\pi|\mathbb E_\pi\phi_h^\top x|\ge", sigma=sigma)
    power = text("", after="no exponent of", skip=1)
    one = {d: 1, H: 1}
    at_one = text(r"N\ge", after=BEGINNING, d=1, H=1, epsilon=epsilon, delta=sympy.Rational(1, 2))
    old = text.sides(r"\frac{2c_K}{c_K-1}=", c_K=text("c_K=", eta=eta), eta=eta)
    return steps([
        *class_of_policies(loss), *averages([count for _, count in (first, *others)]), *compounding(growth, first[0]),
        *resolved(far, bound, reach, plain, in_all_directions),
        "values",
        hypotheses(text, ("and rewards in",), "some algorithm gives with probability at least"),
        ("two estimates off by epsilon/4 and the net's epsilon/2", exactly(2 * final + Rational(1, 2), 1)),
        "values",
        ("at most d deployments for each of H layers, which is the least K of the statement", every(
            equal(text("", after="Then", d=d, H=H), d * H),
            exactly([text("K=", eta=text.range(r"\eta").low, d=size, H=3) for size in (1, 2, 5)], [3, 6, 15]))),
        ("N times the printed power of epsilon is of order log(1/epsilon)", exactly(
            sympy.limit(at_one * epsilon**power / sympy.log(1 / epsilon), epsilon, 0),
            (first[0] * epsilon**2).subs(one))),
        ("2 c_K/(c_K - 1) at c_K = 1 + eta, above the printed power", every(
            equal(*old), at_least(old[1].subs(eta, 1 / eta), power, eta))),
        ("sigma is a mean of features of length at most 1, and epsilon a loss of at most H", every(
            exactly([text.range(r"\sigma").low, text.range(r"\sigma").high], [0, 1]),
            exactly([text.range(r"\epsilon", H=3).low, text.range(r"\epsilon", H=3).high], [0, 3]))),
    ], "all d, H, 0 < epsilon <= H, 0 < delta < 1, 0 < sigma <= 1")


SUITE = {
    "simplex": lambda: instances.random_simplex(3, 2, 2, 3, 5),
    "lock": lambda: instances.lock(3, 3, (1, 2, 0), 0.2),
    "bandit": lambda: instances.compact_bandit(3, 2, 1, 0.3),
    "rare": lambda: instances.rare_state(0.01, 3, 0),
    "gates": lambda: instances.needle_gates(3, 1, [[(0, 2)], [(0, 1)]], 2, 3),
}


@claim("res-spanner-exponent", method="run", arithmetic="float64", covers="five instances, all rules listed",
       gap="five instances, one seed each",
       false={"a single trajectory per deployment": {"shrink": 1e300, "names": ("simplex", "bandit")},
              "half as many deployments": {"few": 0.5}})
def spanner_runs(shrink=1.0, names=tuple(SUITE), few=1):
    """Runs at the theorem's N; dH deployments, loss at most epsilon: N of the first formula with log M of the instance;
    both ways of combining."""
    loss, within, sizes = 0.0, True, []
    for name in names:
        mdp = SUITE[name]()
        known = known_part(Deployer(mdp, 1, 1))
        rules = max(len(distinct_rules(known, h)) for h in range(mdp.horizon))
        size = spanner_size(mdp.dim, mdp.horizon, EPSILON, DELTA, math.log(rules))
        sizes.append(max(1, int(size / shrink)))
        for coefficients in ("estimated", "resolved"):
            deployer = Deployer(mdp, sizes[-1], mdp.dim * mdp.horizon, seed=1)
            outcome = spanner_exploration(deployer, EPSILON, DELTA, coefficients, initial=mdp.initial)
            loss = max(loss, planning.gap(mdp, outcome.policy))
            within &= outcome.deployments <= few * mdp.dim * mdp.horizon
    return steps([("at most dH deployments", within), ("loss at most epsilon", loss <= EPSILON)],
                 f"{2 * len(names)} runs on {', '.join(names)}, N from {min(sizes):.1e} to {max(sizes):.1e}",
                 detail=f"largest loss {loss:.2g}")


@claim("res-spanner-exponent", method="stress", arithmetic="float64", covers="coefficients of a spanner",
       gap="random sets",
       false={"coefficients of at most 99/100: a point of the spanner has 1": {"limit": 0.99}})
def spanners_span(limit=1.0):
    """Every point of a set from d of its points, with coefficients in [-1, 1]: Largest coefficient over 300 random
    sets, of full and of lower rank."""
    rng, worst = np.random.default_rng(np.random.SeedSequence(2108)), 0.0
    for _ in range(300):
        d = int(rng.integers(1, 6))
        points = rng.standard_normal((int(rng.integers(d, 60)), d)) * 10.0 ** rng.uniform(-3, 0, size=d)
        if d > 2 and rng.random() < 0.3:
            points[:, -1] = points[:, 0]
        chosen = points[barycentric(points)]
        share = points @ np.linalg.pinv(chosen, rcond=1e-9)
        worst = max(worst, float(np.abs(share).max()), 1 + float(np.abs(share @ chosen - points).max()))
    return Evidence(worst, limit, "upper", "300 sets, d = 1..5", tolerance=1e-6)
