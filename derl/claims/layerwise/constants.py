"""These checks establish Theorem C.6, repaired, with the absolute constant 2 * 10^7 for every c_K >= 2.

The bonus is uncapped inside Q, rewards lie in [0, 1], dH >= 2, 0 < epsilon <= 1 and 0 < delta < 1. The symbolic steps
prove three conditions (A), (B), (D) on N, first at the stated size N_0 and then beyond it. Runs use the theorem's own N
and beta.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.algorithms import layerwise_exploration
from derl.claims import Evidence, check, control, steps
from derl.claims.layerwise.symbols import C_BETA, H, L, c, d, e, expanded_log, printed_log_size
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory import constants
from derl.theory.exact.compared import at_most, every
from derl.theory.exact.symbolic import at_least, below, equal, nonnegative_from
from derl.theory.layerwise import samples

CONSTANT = samples.ABSOLUTE_CONSTANT
BETA_SQUARE = Rational(9, 2)  # beta^2 = (9/2) d^2 H^2 l
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=3,horizon=3,seed=3", "compact_bandit:d=4,horizon=3,arm=1,bias=0.3",
         "random_simplex:n_states=5,n_actions=2,dim=2,horizon=4,seed=8")
SEEDS = (0, 1, 2)
TRADE_OFF, LEVEL, CONFIDENCE = 6, 0.5, 0.1

N, y, z = sympy.symbols("N y z", positive=True)
s, t, u, v = sympy.symbols("s t u v", nonnegative=True)


Conditions = dict[str, list[tuple[str, bool]]]  # what has to hold -> the steps that prove it


def logarithms_at_the_bound() -> list[tuple[str, bool]]:
    """log N_0 and l, as multiples of the logarithms of H, d, 1/epsilon, 1/delta."""
    k = 2 + t  # c_K
    log_size = sympy.expand(printed_log_size())
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
         equal(log_size, rest)),
        ("the last factor is at least (2 * 8 log(2)^2)^{1/(c-1)} > 1", below(1, 16 * log(2) ** 2)),
    ]


def conditions_at_the_bound(C: int, scale) -> Conditions:
    """The steps of (A), (B) and (D) at N_0, with kappa = log_2(4C) + 58/5 and beta^2 = scale d^2 H^2 l."""
    k72 = 16 * scale  # x = epsilon^2/(16 scale d^2 H^4 l)
    kappa_log2 = log(4 * C) + Rational(58, 5) * log(2)  # kappa log 2
    X = e**2 / (k72 * d**2 * H**4 * y)  # y is l
    gain = sympy.expand(expanded_log(z ** (c - 1)) + (c - 1) * printed_log_size() + c * expanded_log(X) - log(c))
    wanted = expanded_log(z ** (c - 1) * H) + c * expanded_log(d * L**2 / (k72 * y))
    return {"(A)": [
        ("(A) N_0^{c-1} x^c/c = C^{c-1} H (d L^2/(72 l))^c", equal(gain, wanted)),
        ("(A) sqrt(C) log 2 >= 72 kappa", below((k72 * kappa_log2) ** 2, C * log(2) ** 4)),
    ], "(B)": [
        ("(B) sqrt(C) >= 7", at_most(49, C)),
    ], "(D)": [
        ("(D) 16 beta H/epsilon (l + log 2) <= 36 d H^2 l^{3/2}/epsilon, for l >= log C",
         below(16**2 * scale * (log(C) + log(2)) ** 2, 36**2 * log(C) ** 2)),
        ("(D) C^2 log 2 >= 36^2 kappa^3", below(36**2 * kappa_log2**3, C**2 * log(2) ** 4)),
    ]}


def beyond_the_bound(C: int, scale=BETA_SQUARE, smallest=2) -> Conditions:
    """From N_0 on, from Lemma C.4 to (B), and how many deployments there can be."""
    k = smallest + t
    return {"growth of l": [
        ("l >= log C > 2", below(2, log(C))),
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
         at_most(2 * C_BETA**2, scale)),
    ], "x <= 1/d": [
        ("x <= 1/d: the first deployment violates in every layer",
         at_least(72 * (1 + u) ** 2 * Rational(1, 2), 1 + u, u)),  # l >= 1/2
    ]}


def all_steps(conditions: Conditions) -> list[tuple[str, bool]]:
    """The steps of all conditions, in their order."""
    return [step for found in conditions.values() for step in found]


@check("thm-layerwise-detailed-repaired", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", title="Every condition at N_0 and beyond")
def every_condition(C=CONSTANT, scale=BETA_SQUARE, smallest=2) -> Evidence:
    """The three conditions on N for all d, H, epsilon, delta and c_K >= 2, with one absolute constant."""
    beyond = beyond_the_bound(C, scale, smallest)
    return steps(["logarithm", *logarithms_at_the_bound(),
                  "conditions at N0", *all_steps(conditions_at_the_bound(C, scale)),
                  "beyond N0", *beyond["growth of l"],
                  "deployments", *beyond["(B)"], *beyond["at most 2dHN deployments"],
                  "event", *beyond["event"],
                  "deployments", *beyond["x <= 1/d"]],
                 scope=f"dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, real c_K >= 2, all N from the bound on, c = {C}")


control(every_condition,
        "absolute constant 5 * 10^6: (N_0 x)^c/(c N_0) is 0.90 at d = 1, H = c = 2, epsilon = 1, delta = 0.999999",
        {"C": 5 * 10**6})
control(every_condition, "beta^2 = (9/4) d^2 H^2 l, below (9/4) d^2 H^2 log(2dKNH/delta) from K = 2 on",
        {"scale": Rational(9, 4)})
control(every_condition,
        "the bonus twice as large: (N_0 x)^c/(c N_0) is 0.20 at d = 1, H = c = 2, epsilon = 1, delta = 0.999999",
        {"scale": sympy.Integer(18)})
control(every_condition, "smallest c_K = 3/2: c/l <= c - 1 fails at l = 2", {"smallest": Rational(3, 2)})


@check("thm-layerwise-detailed-repaired", method="run", arithmetic="float64", covers="runs, as an illustration",
       gap="3 instances, 3 seeds, epsilon = 1/2, c_K = 6; they see the size of N, not each part of the algorithm",
       title="Runs at the theorem's own N")
def runs_at_the_proved_size(version="repaired", shrink=1) -> Evidence:
    """Runs that stop in time, return an epsilon-optimal policy, and finish every layer with a policy good for it."""
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
    return Evidence(good, runs, "identity", f"{runs} runs, epsilon = 1/2, delta = 1/10, c_K = 6, c = {CONSTANT}")


control(runs_at_the_proved_size, "a batch 10^12 times smaller", {"shrink": 10**12})


@check("thm-layerwise-detailed-repaired", method="run", arithmetic="float64", covers="runs on the trap",
       gap="one instance, 2 seeds, epsilon = 1/5, c_K = 20", title="The trap at the theorem's own N and beta")
def trap_at_the_proved_size(version="repaired") -> Evidence:
    """Runs on the optimism trap that stop in time, with all truncated suboptimalities at most epsilon."""
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


control(trap_at_the_proved_size, "the algorithm as printed", {"version": "as-printed"}, variant="printed")
