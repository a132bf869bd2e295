"""These checks establish Theorem C.6, repaired, with the absolute constant 2 * 10^7 for every c_K >= 2.

The bonus is uncapped inside Q, rewards lie in [0, 1], dH >= 2, 0 < epsilon <= 1 and 0 < delta < 1. The symbolic steps
prove three conditions (A), (B), (D) on N, first at the stated size N_0 and then beyond it. Runs use the theorem's own N
and beta.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Rational, log

from derl.algorithms import layerwise_exploration
from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import (
    C_BETA,
    H,
    L,
    c,
    d,
    e,
    expanded_log,
    least_argument,
    log_size,
    number,
    values_fit,
)
from derl.deployment import Deployer
from derl.exact.compared import at_most, every
from derl.exact.symbolic import at_least, below, equal, nonnegative_from
from derl.mdp import instances, planning
from derl.printed import Text
from derl.theory import constants
from derl.theory.layerwise import samples

SUITE = ("random_simplex:n_states=8,n_actions=3,dim=3,horizon=3,seed=3", "compact_bandit:d=4,horizon=3,arm=1,bias=0.3",
         "random_simplex:n_states=5,n_actions=2,dim=2,horizon=4,seed=8")
SEEDS = (0, 1, 2)
TRADE_OFF, LEVEL, CONFIDENCE = 6, 0.5, 0.1

N, y, z = sympy.symbols("N y z", positive=True)
s, t, u, v = sympy.symbols("s t u v", nonnegative=True)


Conditions = dict[str, list[tuple[str, bool]]]  # what has to hold -> the steps that prove it


@dataclass(frozen=True)
class Sizes:
    """What a statement says of N_0, beta and the parameters.

    Attributes
    ----------
    constant : Expr
        C, the absolute constant of N_0.
    size : Expr
        log N_0 - log C, in log c_K, log H, log d, log epsilon and log L.
    scale : Expr
        beta^2/(d^2 H^2 l) for l = log(2dHN/delta).
    least : Expr
        dH/(delta epsilon) is at least this.
    smallest : Expr
        c_K is at least this.
    """

    constant: Any
    size: Any
    scale: Any
    least: Any
    smallest: Any

    @property
    def inside(self):
        """L is at least this."""
        return log(self.least)

    @property
    def kappa(self):
        """kappa times the least L: l <= kappa L at N_0."""
        return log(4 * self.constant) + Rational(58, 5) * self.inside


def with_batch(text: Text, after: str = "", **letters):
    """beta^2/(d^2 H^2 l) for a printed beta with l = log(2dHN/delta)."""
    beta = text(r"\beta=", after=after, d=d, H=H, N=N, delta=2 * d * H * N * sympy.exp(-y), **letters)
    return number(beta**2 / (d**2 * H**2 * y))


def sizes(text: Text) -> Sizes:
    """The sizes of Theorem C.6, repaired, whose constant is the N_0 at d = H = epsilon = L = 1, c_K = 2, over 2."""
    one = sympy.Integer(1)
    constant = text(r"N\ge", c_K=2 * one, d=one, H=one, epsilon=one, delta=sympy.exp(-1)) / 2
    return Sizes(number(constant), log_size(text) - log(constant), with_batch(text), number(least_argument(text)),
                 Rational(text(r"c_K\ge")))


def logarithms_at_the_bound(text: Sizes) -> list[tuple[str, bool]]:
    """log N_0 and l, as multiples of the logarithms of H, d, 1/epsilon, 1/delta."""
    k = text.smallest + t  # c_K
    rest = expanded_log(c * H**5 * d**3 * L**2 / e**2) / (c - 1) + expanded_log(H**4 * d**3 * L**2 / e**2)
    lH, ld, le, lD = sympy.symbols("lH ld le lD", nonnegative=True)
    total = lH + ld + le + lD  # L
    return [
        ("log c/(c-1) <= log 2 for c >= 2: its derivative has the sign of 1 - 1/c - log c <= 0",
         every(equal(sympy.diff(log(c) / (c - 1), c), (1 - 1 / c - log(c)) / (c - 1) ** 2),
               nonnegative_from(log(c) - 1 + 1 / c, c, 1))),
        ("(4c+1)/(c-1) <= 9", at_least(9 * (k - 1), 4 * k + 1, t)),
        ("3c/(c-1) <= 6, 2c/(c-1) <= 4 and c/(c-1) <= 2", at_least(2 * (k - 1), k, t)),
        ("log L <= 2L/5",
         every(nonnegative_from(y - 1 - log(y), y, 1), nonnegative_from(log(1 + s) - s / (1 + s), s, 0),
               below(log(Rational(5, 2)), 1))),  # log z <= z - 1 at z = 2L/5
        ("10 log H + 7 log d + 4 log(1/epsilon) + log(1/delta) <= 10 L",
         at_least(10 * total, 10 * lH + 7 * ld + 4 * le + lD, lH, ld, le, lD)),
        ("N_0 = C (H^4 d^3 L^2/epsilon^2) (c H^5 d^3 L^2/epsilon^2)^{1/(c-1)}",
         equal(sympy.expand(text.size), rest)),
        ("the last factor is at least (2 * 8 log(2)^2)^{1/(c-1)} > 1",
         below(1, text.smallest * text.least**3 * text.inside**2)),
    ]


def conditions_at_the_bound(text: Sizes) -> Conditions:
    """The steps of (A), (B) and (D) at N_0, with kappa = log_2(4C) + 58/5 and beta^2 = scale d^2 H^2 l."""
    C, k72 = text.constant, 16 * text.scale  # x = epsilon^2/(16 scale d^2 H^4 l)
    X = e**2 / (k72 * d**2 * H**4 * y)  # y is l
    gain = sympy.expand(expanded_log(z ** (c - 1)) + (c - 1) * text.size + c * expanded_log(X) - log(c))
    wanted = expanded_log(z ** (c - 1) * H) + c * expanded_log(d * L**2 / (k72 * y))
    return {"(A)": [
        ("(A) N_0^{c-1} x^c/c = C^{c-1} H (d L^2/(72 l))^c", equal(gain, wanted)),
        ("(A) sqrt(C) log 2 >= 72 kappa", below((k72 * text.kappa) ** 2, C * text.inside ** 4)),
    ], "(B)": [
        ("(B) sqrt(C) >= 7", at_most(49, C)),
    ], "(D)": [
        ("(D) 16 beta H/epsilon (l + log 2) <= 36 d H^2 l^{3/2}/epsilon, for l >= log C",
         below(16**2 * text.scale * (log(C) + log(2)) ** 2, 36**2 * log(C) ** 2)),
        ("(D) C^2 log 2 >= 36^2 kappa^3", below(36**2 * text.kappa**3, C**2 * text.inside**4)),
    ]}


def beyond_the_bound(text: Sizes) -> Conditions:
    """From N_0 on, from Lemma C.4 to (B), and how many deployments there can be."""
    k = text.smallest + t
    return {"growth of l": [
        ("l >= log C > 2", below(2, log(text.constant))),
        ("c/l <= c - 1 for l >= 2 and c >= 2", at_least((k - 1) * (2 + s), k, s, t)),
        ("3/(2l) <= 1 and 1/l <= 1", at_least(2 + s, Rational(3, 2), s)),
    ], "(B)": [
        ("(B) log 8 > 2", below(2, log(8))),
        ("(B) N^2 >= 1 + N log N from N = 2 on",
         every(nonnegative_from(N**2 - 1 - N * (N - 1), N, 2), nonnegative_from(y - 1 - log(y), y, 1))),
    ], "at most 2dHN deployments": [
        ("dH log N + 1 <= 2dHN: log N <= N - 1", at_least(2 * (1 + u) * (1 + v), (1 + u) * v + 1, u, v)),
    ], "event": [
        ("(2dHN/delta)^2 >= 2dKNH/delta for K <= 2dHN, so beta^2 >= 2 (c_beta d H)^2 l is enough",
         at_most(2 * C_BETA**2, text.scale)),
    ], "x <= 1/d": [
        ("x <= 1/d: the first deployment violates in every layer",
         at_least(16 * text.scale * (1 + u) ** 2 * Rational(1, 2), 1 + u, u)),  # l >= 1/2
    ]}


def all_steps(conditions: Conditions) -> list[tuple[str, bool]]:
    """The steps of all conditions, in their order."""
    return [step for result in conditions.values() for step in result]


def count_within(violations, count: Text):
    """The deployments that `count` allows for all H layers where at most `violations` d of them violate in each."""
    return count(r"k_h\le...\le", c_K=violations, d=d, h=H)


def promised(allowed, text: Text, count: Text, *lemmas: Text) -> list[tuple[str, bool]]:
    """The two numbers of a conclusion: the deployments allowed, and the probability that the events of both lemmas
    happen."""
    failed = sum(1 - lemma("", after="probability at least", numbers=Rational, delta=y) for lemma in lemmas)
    return [("K is the count, rounded down", equal(sympy.floor(count_within(c, count)), allowed)),
            ("the two events fail with probability delta",
             equal(1 - failed, text("", after="probability at least", numbers=Rational, delta=y)))]


@claim("thm-layerwise-detailed-repaired", plants=4,
       false={"the bonus twice as large: (N_0 x)^c/(c N_0) is 0.20 at d = 1, H = c = 2, epsilon = 1, delta = 0.999999":
                  {"factor": 4}})
def every_condition(text, count=printed("ineq-deployment-count"), regression=printed("lem-concentration-repaired"),
                    test=printed("res-chernoff-bonus"), factor=1):
    """Every condition at N_0 and beyond: The three conditions on N for all d, H, epsilon, delta and c_K >= 2, with one
    absolute constant.

    `factor` multiplies beta^2.
    """
    result = sizes(text)
    result = replace(result, scale=factor * result.scale)
    beyond = beyond_the_bound(result)
    return steps(["logarithm", *logarithms_at_the_bound(result),
                  "conditions at N0", *all_steps(conditions_at_the_bound(result)),
                  "beyond N0", *beyond["growth of l"],
                  "deployments", *beyond["(B)"], *beyond["at most 2dHN deployments"],
                  "event", *beyond["event"],
                  "deployments", *beyond["x <= 1/d"],
                  values_fit(text.interval(after="rewards in")),
                  ("all layers up to H", every(equal(text(r"h\le", H=H), H), equal(text("h=", H=H), H))),
                  *promised(text("K=", c_K=c, d=d, H=H), text, count, regression, test),
                  ("dH log N + 1", equal(text("", after="and within", d=d, H=H, N=N), count_within(log(N), count)))],
                 scope=f"dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, real c_K >= 2, all N from the bound on, "
                       f"c = {result.constant}")


@claim("thm-layerwise-detailed-repaired", method="run", arithmetic="float64", covers="runs, as an illustration",
       gap="3 instances, 3 seeds, epsilon = 1/2, c_K = 6; they see the size of N, not each part of the algorithm",
       false={"a batch 10^12 times smaller": {"shrink": 10**12}})
def runs_at_the_proved_size(version="repaired", shrink=1):
    """Runs at the theorem's own N: Runs that stop in time, return an epsilon-optimal policy, and finish every layer
    with a policy good for it."""
    good, runs = 0, 0
    for spec in SUITE:
        mdp = instances.from_spec(spec)
        size = samples.proved_batch_size(mdp.dim, mdp.horizon, LEVEL, CONFIDENCE, TRADE_OFF) // shrink
        beta = samples.proved_bonus_scale(mdp.dim, mdp.horizon, CONFIDENCE, size)
        bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, TRADE_OFF)
        for seed in SEEDS:
            outcome = layerwise_exploration(Deployer(mdp, size, bound, seed=seed), LEVEL, CONFIDENCE, version=version,
                                            beta=beta)
            finished = [record for record in outcome.trace if record.finished]
            runs += 1
            good += outcome.converged and all(
                planning.gap(mdp, record.policy, horizon=record.layer) <= LEVEL for record in finished)
    return Evidence(good, runs, "identity", f"{runs} runs, epsilon = 1/2, delta = 1/10, c_K = 6, at the printed N")


@claim("thm-layerwise-detailed-repaired", method="run", arithmetic="float64", covers="runs on the trap",
       gap="one instance, 2 seeds, epsilon = 1/5, c_K = 20",
       as_printed={"the algorithm as printed": {"version": "as-printed"}})
def trap_at_the_proved_size(version="repaired"):
    """The trap at the theorem's own N and beta: Runs on the optimism trap that stop in time, with all truncated
    suboptimalities at most epsilon."""
    mdp, level, factor, good = instances.optimism_trap(), 0.2, 20, 0
    size = samples.proved_batch_size(mdp.dim, mdp.horizon, level, CONFIDENCE, factor)
    beta = samples.proved_bonus_scale(mdp.dim, mdp.horizon, CONFIDENCE, size)
    bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, factor)
    for seed in SEEDS[:2]:
        outcome = layerwise_exploration(Deployer(mdp, size, bound, seed=seed), level, CONFIDENCE, version=version,
                                        beta=beta)
        good += outcome.converged and all(planning.gap(mdp, record.policy, horizon=record.layer) <= level
                                          for record in outcome.trace if record.finished)
    return Evidence(good, 2, "identity", f"d = 7, H = 10, N = {float(size):.1e}, beta = {beta:.0f}")
