"""These checks establish how the proof of Theorem C.6 counts deployments by their violations.

Symbolic steps take one violation, the first deployment and the two cases of the count. All histories with h <= 3 and at
most 3 events per layer are enumerated, and one instance is run with every constant tail.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import sympy
from sympy import Rational, log

from derl.algorithms import layerwise_exploration
from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import number
from derl.deployment import Deployer
from derl.exact.symbolic import at_least, below, equal, nonnegative, same_operator
from derl.mdp import instances, planning
from derl.theory import constants

EPSILON, DELTA = 0.2, 0.1
TAIL_INSTANCE = "random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3"

ALL_NORMS = r"\sum_n\sum_{h\le h_k}\|\phi_h^{kn}\|_{(\Lambda_h^k)^{-1}}"
ALL_SQUARES = r"\sum_n\|\phi_h^{kn}\|^2_{(\Lambda_h^k)^{-1}}"
TRACE = r"\operatorname{tr}((\Lambda_h^k)^{-1}\sum_n\phi_h^{kn}(\phi_h^{kn})^\top)"

H, e, h = sympy.symbols("H e h", positive=True)
n, s, t, u = sympy.symbols("n s t u", nonnegative=True)


@claim("eq-violation")
def violation_in_one_layer(text, algorithm=printed("alg-layerwise")):
    """Average, maximum, mean square: A layer with at least the average, then Cauchy-Schwarz, then the threshold
    squared."""
    beta, mean, second, shift = sympy.symbols("beta mean second shift", positive=True)
    vectors, M = sympy.Matrix(3, 2, sympy.symbols("v:6")), sympy.Matrix(3, 3, sympy.symbols("m:9"))
    quadratic = sum((vectors[:, i].T * M * vectors[:, i])[0] for i in range(2))
    N = sympy.Symbol("N", positive=True)
    values = {"H": H, "epsilon": e, "beta": beta, "N": N}
    statistic = algorithm(r"\Delta_k=", {ALL_NORMS: h * N * mean}, **values)  # where all h layers have this mean
    threshold = text(r"\Delta_k\ge", {"h_k": h}, **values)
    norms, trace = text.sides(r"\frac1N\sum_n\|\phi_h^{kn}\|^2_{(\Lambda_h^k)^{-1}}=",
                              {ALL_SQUARES: quadratic, TRACE: (M * vectors * vectors.T).trace()}, **values)
    return steps([
        "largest of the averages",
        ("h numbers t - s, all below the average t, add up to h s less than h t",
         same_operator(n * t, n * (t - s) + n * s)),
        "mean square",
        ("(epsilon/(2H)/(2 beta))^2 = epsilon^2/(16 H^2 beta^2)",
         equal((threshold * mean / statistic) ** 2, text(r"\frac1N...\ge", **values))),
        ("a layer is not finished from this threshold on",
         equal(threshold, algorithm(r"\Delta_k=...<", {"h_k": h}, **values))),
        "trace",
        ("sum phi^T M phi = tr(M sum phi phi^T), written out for d = 3",
         same_operator(trace, norms)),
    ], "all d, H, N, beta > 0, epsilon > 0")


@claim("text-first-deployment")
def first_deployment_violates(text, violation=printed("eq-violation"), bonus=printed("text-beta-undefined")):
    """Length of the features against the threshold: 1/d - epsilon^2/(16 H^2 beta^2) >= 0 with beta^2 >= c_beta^2 d^2
    H^2 log 2."""
    largest = Rational(text(r"\epsilon\le"))
    least = number(text(r"dH\ge", numbers=Rational) / largest)
    shortest = text.function(r"\|\phi\|^2\ge", "d")
    gap = shortest(1 + s) - lowest_level(violation, bonus, Rational(text(r"c_\beta\ge")), largest / (1 + u))
    return steps([("log 2 > 0.69", below(LOGARITHM, log(least))),
                  ("|phi|^2 is above the threshold", nonnegative(sympy.together(gap), s, t, u))],
                 "dH >= 2, epsilon <= 1, c_beta >= 1; |phi|^2 >= 1/d for every state and action")


LOGARITHM = Rational(69, 100)  # log 2 from below


def lowest_level(violation, bonus, c_beta, epsilon):
    """The level of (9) at d = 1 + s and H = 1 + t with the printed beta, whose logarithm is put at 0.69."""
    values = {"d": 1 + s, "H": 1 + t, "epsilon": epsilon}
    beta = bonus(r"\beta=", c_beta=c_beta, delta=(1 + s) * (1 + t) / (epsilon * sympy.exp(LOGARITHM)), **values)
    return violation(r"\frac1N...\ge", beta=beta, **values)


@claim("ineq-deployment-count", false={"no events at the first deployment": {"first": 0}})
def count_by_the_first_deployment(text, first=1):
    """Two cases, by the first deployment: k_h against events + 1: h events at the first deployment, at least one at
    each other that does not finish."""
    budget = sympy.Symbol("budget", positive=True)  # c_K d

    def most(events):
        return text(r"k_h\le", {r"\sum_{j\le h}\zeta(k_h,j)": events}, h=h)

    events = first * h + n + s  # n later deployments that do not finish; s events more than needed
    longest = most(h * budget - t)  # t events left of h c_K d
    return steps([
        "up to layer h",
        ("sum zeta - (h - 1) + h = sum zeta + 1", same_operator(most(s + h), h + s + 1)),
        ("the first does not finish: k_h = 1 + n + h <= events + 1", at_least(most(events), 1 + n + h, n, s, h)),
        ("it does: k_h = n + h <= events + 1", at_least(most(events), n + h, n, s, h)),
        "events",
        ("events <= h c_K d gives 1 + n + h <= c_K d h + 1",
         at_least(text(r"k_h\le...\le", c_K=budget, d=sympy.Integer(1), h=h), longest, t, h, budget)),
    ], "all histories, all h <= H, layers with and without violations")


def longest_history(layers: int, budget: int, first_in_all: bool) -> int:
    """The largest k_h over all histories, by trying every set of events at every deployment."""
    sets = [tuple(bool(mask >> j & 1) for j in range(layers)) for mask in range(2**layers)]

    @cache
    def longest(layer: int, left: tuple[int, ...], first: bool) -> int:
        best = 0
        for chosen in sets:
            if first and first_in_all and not all(chosen):
                continue
            rest = tuple(room - event for event, room in zip(chosen, left, strict=True))
            if min(rest) < 0:
                continue
            best = max(best, 1 + (longest(layer + 1, rest, False) if layer < layers else 0))  # finishes its layer
            if any(chosen[:layer]):  # does not: then it has an event in a layer up to this one
                best = max(best, 1 + longest(layer, rest, False))
        return best

    return longest(1, (budget,) * layers, True)


@claim("ineq-deployment-count", method="exhaustive", covers="all histories with h <= 3 and at most 3 events per layer",
       gap="small h",
       false={"no violation in the later layers at the first deployment": {"first_in_all": False}})
def every_history(text, first_in_all=True):
    """All histories; the bound is attained: Cases in which the longest history has exactly h b + 1 deployments, b
    events allowed per layer."""
    cases = [(h, b) for h in (1, 2, 3) for b in (1, 2, 3)]
    attained = sum(longest_history(h, b, first_in_all) == text(r"k_h\le...\le", c_K=b, d=1, h=h) for h, b in cases)
    return Evidence(attained, len(cases), "identity", "h, b in 1, 2, 3; every set of events at every deployment")


# --- the tail of the policy --------------------------------------------------------------------------------------

@claim("text-tail-inconsequential",
       false={"tail actions with |phi|^2 = 1/d^3": {"shortest": lambda d: d ** Rational(-3, 2)},
              "c_beta = 1/4": {"c_beta": Rational(1, 4)}})
def tail_enters_twice(shortest=printed("rem-feature-norm").function(r"\|\phi(s,a)\|\ge", "d"), c_beta=1,
                      violation=printed("eq-violation"), bonus=printed("text-beta-undefined")):
    """Where the proof meets the tail: The tail adds data, which shorten norms, and acts at the first deployment, where
    every action violates."""
    length, extra = sympy.symbols("length extra", nonnegative=True)
    gap = shortest(1 + s) ** 2 - lowest_level(violation, bonus, c_beta, sympy.Integer(1))
    return steps([("more data shorten |phi|_{Lambda^-1}, per eigenvalue",
                   at_least(1 / (1 + length), 1 / (1 + length + extra), length, extra)),
                  ("at the first deployment every feature violates", nonnegative(sympy.together(gap), s, t))],
                 "every tail, deterministic or not; dH >= 2, epsilon <= 1, c_beta >= 1")


@claim("text-tail-inconsequential", method="run", arithmetic="float64",
       covers="runs with every constant tail and the uniform one", gap="one instance",
       false={"N = 100": {"batch_size": 100}})
def runs_with_every_tail(batch_size=10**12):
    """Runs with different tails: Runs that stop within 2dH + 1 deployments with an epsilon-optimal policy, for each
    tail."""
    mdp = instances.from_spec(TAIL_INSTANCE)
    bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
    tails, good = [*range(mdp.n_actions), "uniform"], 0
    for tail in tails:
        deployer = Deployer(mdp, batch_size, bound, policy_class="any", seed=4)
        outcome = layerwise_exploration(deployer, EPSILON, DELTA, tail=tail)
        good += outcome.converged and bool(planning.gap(mdp, np.asarray(outcome.policy)) <= EPSILON)
    return Evidence(good, len(tails), "identity", f"{TAIL_INSTANCE}, N = 1e12, epsilon = 1/5, tails {tails}")
