"""These checks concern the stopping rule of Algorithm 7, with the factor alpha and without it.

Its statistic averages 2 beta sum_{h <= h_k} |phi_h^n| over all N trajectories of the mixture. Without the factor the
rule returns the worse of two nearly parallel arms of a bandit, which is computed in fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import sympy
from sympy import Rational, log, sqrt

from derl.algorithms import safe_mixture
from derl.algorithms.layerwise import ExplorationRule, explore
from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.constants import count_within
from derl.claims.layerwise.symbols import values_fit
from derl.deployment import Deployer
from derl.exact.compared import at_most, every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, below, by_sign, equal, nonnegative
from derl.mdp import planning
from derl.theory.safety.threshold import nearly_parallel_arms, replay

alpha, beta, c, d, delta, epsilon, H, K, N = sympy.symbols("alpha beta c d delta epsilon H K N", positive=True)
p, o, s, t, u, v = sympy.symbols("p o s t u v", nonnegative=True)


def factor_of_rule_with_the_factor(text, count, power, events, accuracy, failures, shares, x):
    """The parts "factor", "rule", "violation", "first deployment" and "batch size" of `rule_with_the_factor`."""
    square, mean = sympy.symbols("square mean", real=True)
    share = 1 / (1 + s)  # alpha <= 1
    threshold = text.function("", r"\alpha", "h_k", r"\epsilon", "H", after="has the threshold")
    level = threshold(share, 2 * H, epsilon, H) * share ** (power - 1)  # Delta_k < level/2: E of all is at most level
    own = (level - (1 - share) * p - t) / share  # from (1 - alpha) p + alpha o = level - t
    numbers = {"alpha": alpha, "epsilon": epsilon, "H": H, "beta": beta, "K": K, "delta": delta, "d": d}
    rule = text(r"N\ge", after=r"\frac1{c_K-1}},\qquad", **numbers)
    first = text(r"N\ge", after=r"\bigr)^2$,", c_K=c, x=u)
    dim, layers = 1 + t, 1 + u
    least = text(r"\beta\ge", {r"\sqrt{\log(4dKNH/\delta)}": 1}, d=dim, H=layers) ** 2
    return [
        "factor",
        ("(1 - alpha) p + alpha o <= alpha epsilon gives o <= epsilon",
         nonnegative(sympy.expand((epsilon - own) * share * (1 + s)), epsilon, p, s, t)),
        "rule",
        ("the test at the level alpha epsilon, t = 1/2, range 2 beta H: exponent log(4K/delta)",
         equal(rule * (alpha * epsilon) / 4 / (2 * (2 * beta * H)), log(events * K / delta))),
        ("K deployments miss with probability delta/4",
         equal(K * sympy.exp(-log(events * K / delta)), delta / 4)),
        "violation",
        ("not finished: of h means the largest is at least alpha epsilon/(4 H beta)",
         equal(threshold(alpha, c, epsilon, H) / (2 * beta) / c, sqrt(x))),
        "first deployment",
        ("x <= 1/d: epsilon, alpha <= 1, log(4dKNH/delta) >= log 4 >= 1",
         every(below(1, log(4)), values_fit(text.interval(after="Let rewards lie in"))[1],
               exactly((shares.low, accuracy.low, failures.high), (0, 0, 1)),
               at_least(16 * layers**2 * least,
                        dim / (1 + s) ** 2 / (1 + v) ** 2, s, t, u, v))),
        "batch size",
        ("N^(c_K - 1) x^c_K >= c_K at N = (c_K/x^c_K)^(1/(c_K - 1)), in logarithms; c_K > 1",
         every(equal(sympy.expand_log((c - 1) * log(first) + c * log(u), force=True), log(c)),
               by_sign(text.range("c_K").low + c, 1),
               equal(text("K=", c_K=c, d=d, H=H), sympy.floor(count_within(c, count))))),
    ]


def regressions_of_rule_with_the_factor(text, constraint, events, markov, shares):
    """The parts "regressions", "third constraint" and "failure" of `rule_with_the_factor`."""
    bonus = text.function(r"\beta\ge", "d", "K", "N", "H", r"\delta")
    drop = K * 2 * beta * H * sqrt(d / markov) / (epsilon / 2)
    inside = sympy.exp((bonus(d, K, N, H, delta) / (Rational(3, 2) * d * H)) ** 2)  # of the logarithm
    return [
        "regressions",
        ("the pessimist's class: |a - |y| - (a' - |y'|)| <= |a - a'| + |y - y'|, as with the plus sign",
         every(at_least(u + v, sign * (u - other * v), u, v) for sign in (1, -1) for other in (1, -1))),
        ("2dKNH/(delta/2) = 4dKNH/delta: each of the two regressions misses with probability delta/4",
         equal(2 * d * K * N * H / (delta / 2), inside)),
        "third constraint",
        ("constraint (c) misses with probability delta/4, for every alpha that it allows",
         every(equal(drop, delta / 4), equal(shares.high, constraint(r"\alpha\le", epsilon=epsilon, H=H)))),
        "failure",
        ("four times delta/4",
         equal(1 - events * delta / 4, text("", after="and with probability at least", delta=delta))),
    ]


@claim("res-safe-mixture",
       false={"the threshold without alpha: p = 0, alpha = 1/2, o = 2 epsilon": {"power": 0},
              "five events of delta/4": {"events": 5}})
def rule_with_the_factor(text, count=printed("ineq-deployment-count"), constraint=printed("res-mixture-constraint"),
                         power=1, events=4):
    """The factor alpha, the four events, the count of deployments: The conditions of the theorem hold with the
    threshold of the text, and four events share delta."""
    shares, accuracy, failures = (text.range(letter, epsilon=epsilon, H=H)
                                  for letter in (r"\alpha", r"\epsilon", r"\delta"))
    numbers = {"alpha": alpha, "epsilon": epsilon, "H": H, "beta": beta, "K": K, "delta": delta, "d": d}
    x, markov = text("x=", **numbers), text(r"N+1\ge", **numbers)
    return steps([*factor_of_rule_with_the_factor(text, count, power, events, accuracy, failures, shares, x),
                  *regressions_of_rule_with_the_factor(text, constraint, events, markov, shares)],
                 "all d, H, K, 0 < epsilon, delta < 1, c_K > 1, alpha <= epsilon/(2H), all N with the three conditions")


# --- what happens without the factor -----------------------------------------------------------------------------

EPSILON, DELTA, BETA, SIZE, DEPLOYMENTS = Fraction(1, 50), Fraction(1, 10), Fraction(24), 10**24, 5  # c_K = 2, d = 2
ALPHA = EPSILON / 2  # epsilon/(2H), H = 1
SPREAD = Fraction(1, 100)  # the number of exploring trajectories, relative to its mean


def inside_the_theorem() -> list[tuple[str, bool]]:
    """Every condition of the theorem at these numbers, with enclosures of the logarithms."""
    x = (ALPHA * EPSILON / (4 * BETA)) ** 2
    return [
        ("beta >= (3/2) dH sqrt(log(4dKNH/delta))", at_most(9 * enclosure(8 * DEPLOYMENTS * SIZE / DELTA)[1], BETA**2)),
        ("N >= 2/x^2", at_most(2, SIZE * x**2)),
        ("N >= (16 beta H/(alpha epsilon)) log(4K/delta)",
         at_most(16 * BETA / (ALPHA * EPSILON) * enclosure(4 * DEPLOYMENTS / DELTA)[1], SIZE)),
        ("N + 1 >= d (16 beta H K/(delta epsilon))^2",
         at_most(2 * (16 * BETA * DEPLOYMENTS / (DELTA * EPSILON)) ** 2, SIZE + 1)),
    ]


@claim("res-mixture-threshold", method="exhaustive",
       as_corrected={"the factor alpha in the threshold: the loss is 0": {"with_alpha": True}})
def worse_arm_is_returned(text, with_alpha=False):
    """Two nearly parallel arms, in fractions: The returned arm loses 6/5 epsilon or more, for the fewest and the most
    explorers within 1 % of alpha N.

    The optimist tries the worse arm with an uncertainty of 0.48; the average over all trajectories is 0.48 alpha.
    """
    arms, mean = nearly_parallel_arms(), int(ALPHA * SIZE)
    rewards = arms.rewards()[0, 0]
    chance = (1 - ALPHA) / (SPREAD**2 * ALPHA * SIZE)  # Chebyshev, one deployment
    threshold = text("", after="With the threshold", epsilon=EPSILON, h_k=1, H=1)
    factor, losses = threshold / (EPSILON / 2), []  # of the threshold of a replay
    for explores in (int(mean * (1 - SPREAD)), int(mean * (1 + SPREAD))):
        result = replay(arms, SIZE, [explores] * DEPLOYMENTS, EPSILON, BETA, factor * (ALPHA if with_alpha else 1))
        losses.append(max(rewards) - rewards[result.action] if result.action is not None else Fraction(0))
    inside = all(truth for _, truth in inside_the_theorem()) and DEPLOYMENTS * chance <= 1 - text(
        "", after="with probability at least")
    inside &= (EPSILON, DELTA, ALPHA, SIZE, BETA, arms.dim, arms.horizon) == tuple(
        text(f"{letter}=", epsilon=EPSILON) for letter in (r"\epsilon", r"\delta", r"\alpha", "N", r"\beta", "d", "H"))
    loss, bound = text.sides("...>", after="the policy returned loses", epsilon=EPSILON)
    return Evidence(min(losses) if inside and min(losses) == loss else Fraction(0), bound, "lower",
                    "d = 2, H = 1, epsilon = 1/50, delta = 1/10, alpha = 1/100, N = 1e24, beta = 24: all conditions of "
                    "the theorem hold; all batches but those of probability 1e-15",
                    detail=f"loss {float(min(losses)):.4f}; the statistic grows with the number that explore")


def unscaled(mixing, epsilon: float, beta: float):
    """Algorithm 1 as the optimist with the threshold epsilon h/(2H), alpha left out."""
    known = mixing.known
    return explore(mixing, ExplorationRule(rewards=lambda layer, norms: known.rewards[layer],
                                threshold=lambda layer: epsilon * layer / (2 * known.horizon), beta=beta))


@claim("res-safe-mixture", method="run", arithmetic="float64", covers="the program's own threshold",
       gap="the bandit of {claim}`res-mixture-threshold`, N = 1e14, three seeds",
       false={"alpha left out of the threshold": {"with_alpha": False}})
def program_finds_the_better_arm(with_alpha=True):
    """The program keeps the factor: Largest loss of the policy that the program returns; without the factor it is
    0.0241 in every run."""
    mdp, worst = nearly_parallel_arms().to_float(), 0.0
    epsilon, level = float(EPSILON), float(BETA)
    for seed in range(3):
        deployer = Deployer(mdp, 10**14, DEPLOYMENTS, "any", seed=seed)
        inside = "layerwise" if with_alpha else partial(unscaled, epsilon=epsilon, beta=level)
        outcome = safe_mixture(deployer, epsilon, float(DELTA), float(ALPHA), inside, beta=level)
        worst = max(worst, planning.gap(mdp, outcome.policy) if outcome.converged else np.inf)
    return Evidence(worst, epsilon, "upper", "epsilon = 1/50, alpha = 1/100, beta = 24, N = 1e14, seeds 0, 1, 2")
