"""These checks establish the conversions of Appendix A and the entries of Table 1 for the paper's own rows.

They compare exponents of d, H and epsilon exactly. Two printed entries are refuted: the last row prints N instead of K
N, and the total K N has no limit for c_K -> oo.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative
from derl.printed import BEGINNING
from derl.theory.comparison import table1
from derl.theory.comparison.table1 import H, c_K, d, epsilon, nu

NU = r"\nu_{\min}"
TRADE_OFF = 100  # the large constant that the caption names

INSIDE = {name: lambda inside: inside for name in ("O", r"\tilde O")}  # what an order is of
EPISODES = {r"\tilde K": sympy.Symbol("K", positive=True)}
s, t, u = sympy.symbols("s t u", nonnegative=True)
K, T, c, iota = sympy.symbols("K T c iota", positive=True)


# --- conversion from regret --------------------------------------------------------------------------------------

@claim("text-regret-forms", false={"two steps per layer": {"layers": 2}})
def regret_in_two_forms(text, layers=1):
    """The same number in K~ and in T: sqrt(d^3 H^4 K~) = sqrt(d^3 H^3 T) with T = K~ H."""
    steps_taken = layers * text("T=", EPISODES, H=H)
    return steps([("the two forms agree", equal(*text.sides(r"\sqrt...=", EPISODES, d=d, H=H, T=steps_taken)))],
                 "all d, H, K~")


@claim("text-regret-to-pac", false={"twice the mean": {"factor": 2}})
def uniform_policy_is_good(text, factor=3):
    """Markov's inequality: A nonnegative gap above `factor` times its mean has probability at most 1/factor; the mean
    is regret/K~."""
    letters = {"d": d, "H": H, "T": K * H, **INSIDE}
    mean = c * text("", EPISODES, after="episodes be", **letters) * iota / K
    in_steps, in_episodes = text.sides(r"\tilde O...=", EPISODES, **letters)
    probability = Rational(text("", after="with probability at least"))
    average, p = sympy.symbols("average p", positive=True)
    above, below = factor * average + s, t  # mean gap above the level, where it is met with probability p; and below it
    split = p * above + (1 - p) * below
    rest = sympy.expand(split - factor * p * average)  # average >= factor p average as soon as this is >= 0
    return steps([
        "Markov",
        ("average = p (level + s) + (1 - p) t gives p <= 1/factor", nonnegative(rest.subs(p, 1 / (1 + u)), s, t, u)),
        ("P(gap < level) >= 1 - 1/factor, that of the text", at_most(probability, 1 - Rational(1, factor))),
        "mean",
        ("mean = c sqrt(d^3 H^4/K~) iota", equal(mean, c * in_episodes * iota)),
        ("and in T", equal(in_steps, in_episodes)),
    ], "all d, H, K~")


@claim("tab-row-gao", covers="the trajectories of the row, from the regret", gap="the regret bound itself is cited",
       title="The row agrees with the conversion",
       false={"a regret of sqrt(d^3 H^5 K~)": {"horizon_power": 5}})
@claim("tab-row-lsvi-ucb", covers="the row, from the regret", gap="the regret bound itself is cited",
       title="The row agrees with the conversion")
@claim("text-pac-samples", title="Episodes until the gap is epsilon")
def episodes_needed(text, first=printed("tab-row-lsvi-ucb"), fourth=printed("tab-row-gao"), horizon_power=4):
    """Solves 3 c sqrt(d^3 H^4/K~) iota = epsilon; the exponents are those of rows 1 and 4 of the table."""
    gap, letters = 3 * c * sympy.sqrt(d**3 * H**horizon_power / K) * iota, {"d": d, "H": H, "epsilon": epsilon}
    needed = sympy.solve(sympy.Eq(gap**2, epsilon**2), K)[0]
    bare = text(r"\tilde K=", **letters)
    return steps([
        ("the episodes that are needed", equal(needed, text("", after="the number is", c=c, iota=iota, **letters))),
        ("without constants and logarithms", equal(needed, 9 * c**2 * iota**2 * bare)),
        *((method, every(equal(bare, row("", after=BEGINNING, **letters, **INSIDE)),
                         equal(bare, table1.row(claim).trajectories)))
          for method, claim, row in (("LSVI-UCB", "tab-row-lsvi-ucb", first), ("Gao et al.", "tab-row-gao", fourth))),
        ("LSVI-UCB: a regret of epsilon for each episode", equal(
            first("", after="regret", T=first("T=", H=H, K=bare), **letters, **INSIDE), epsilon * bare)),
        ("Gao et al.: a regret of epsilon for each episode", equal(
            fourth("", after="regret", K=bare, **letters, **INSIDE), epsilon * bare)),
        ("a mean gap that is 3 times smaller", equal(fourth("", after="with probability"), 1 - Rational(1, 3))),
    ], "all d, H, epsilon")


@claim("tab-row-gao", covers="the deployments of the row, from the switches",
       gap="the number of switches itself is cited", title="log K~ against log(dH/epsilon)",
       false={"3 log(dH/epsilon)": {"factor": 3}})
@claim("text-policy-switches", title="log K~ against log(dH/epsilon)")
def switches(text, row=printed("tab-row-gao"), factor=4):
    """log(d^3 H^4/epsilon^2) <= 4 log(dH/epsilon), and at least twice it, for d, H >= 1 and epsilon <= 1."""
    at = {"d": sympy.exp(s), "H": sympy.exp(t), "epsilon": sympy.exp(-u)}
    counted, stated = (sympy.expand_log(side / sympy.exp(s + t), force=True) for side in text.sides(
        "O...=", {r"\tilde K": text(r"\tilde K=", **at)}, **at, **INSIDE))
    own = row("", after=r"})$ and", K=text(r"\tilde K=", **at), **at, **INSIDE) / sympy.exp(s + t)
    lowest, logarithm = (sympy.simplify(sympy.expand_log(sympy.simplify(side), force=True))
                         for side in (counted, stated))
    letters = {"d": d, "H": H, "epsilon": epsilon, **INSIDE}
    return steps([("log K~ <= 4 log(dH/epsilon)", at_least(factor * logarithm, lowest, s, t, u)),
                  ("log K~ >= 2 log(dH/epsilon)", at_least(lowest, 2 * logarithm, s, t, u)),
                  ("the switches of its own paper", equal(sympy.expand_log(own, force=True), counted)),
                  ("the deployments of the row", every(
                      equal(row("", after="trajectories,", **letters), d * H * log(d * H / epsilon)),
                      equal(row("", after="trajectories,", **letters), table1.row("tab-row-gao").deployments)))],
                 "all d, H >= 1, epsilon <= 1; s, t, u are the logarithms of d, H, 1/epsilon")


# --- the paper's own rows ----------------------------------------------------------------------------------------

@claim("tab-row-layerwise", false={"one factor d more": {"scale": d}})
def row_of_algorithm_1(text, scale=1):
    """dH times the limit of N: d H lim N from Theorem C.6, compared with the printed entry and with the printed number
    of deployments."""
    letters = {"d": d, "H": H, "epsilon": epsilon, **INSIDE}
    entry, deployments = text("", after=BEGINNING, **letters), text("", after="trajectories,", **letters)
    result = sympy.simplify(scale * table1.derived("tab-row-layerwise") / entry)
    factor = text("", after="The number of trajectories is", **letters)  # that of the limit of N
    same = factor == deployments == table1.row("tab-row-layerwise").deployments
    return Evidence(int(result == 1 and same), 1, "identity", "dH times the limit of the printed N",
                    detail=f"ratio {result}")


@claim("tab-comparison", covers="the rule that totals are K N", refutes=True, title="The last row is not K N",
       false={"a single deployment": {"deployments": sympy.Integer(1)}})
@claim("tab-row-arbitrary", covers="the entry of the row", refutes=True, title="The printed entry is N")
def last_row_prints_n(text, table=printed("tab-comparison"), deployments=H):
    """K N over the printed entry, with N from Theorem E.9 as printed: confirmed if it is H and not 1."""
    size = table1.sample_size("tab-row-arbitrary")
    total = table("", after="the number of trajectories is", K=deployments, N=size)
    ratio = sympy.simplify(total / text(r"K\cdot N=", {NU: nu}, d=d, H=H, epsilon=epsilon, **INSIDE))
    confirmed = sympy.simplify(ratio - H) == 0
    return Evidence(int(confirmed), 1, "identity", "all d, H, epsilon, nu_min", detail=f"ratio {ratio}")


@claim("res-table-rows", false={"N instead of K N": {"total": sympy.Integer(1)}})
def corrected_rows(text, total=H):
    """K N for all three rows: d^4 H^5, d^4 H^7 from the limits, and H N = d^3 H^5/(epsilon^2 nu^2) + d^7 H^3/nu^14."""
    letters = {"d": d, "H": H, "epsilon": epsilon, **INSIDE}
    return steps([
        ("Algorithm 1", equal(table1.derived("tab-row-layerwise"), text(r"dH\lim_{c_K}N=", **letters))),
        ("Algorithms 3 and 4",
         equal(table1.derived("tab-row-reward-free"), text("", after="for Algorithm 1 and", **letters))),
        ("Algorithm 2", equal(total * table1.sample_size("tab-row-arbitrary"),
                              text(r"K\cdot N=H\cdot N=", {NU: nu}, **letters))),
    ], "all d, H, epsilon, nu_min, without logarithms")


@claim("text-asymptotic", covers="the limit of K N", refutes=True,
       words="its totals are those of the table's rows, which the check evaluates",
       false={"K = dH + 1, whatever c_K is": {"growing": False}})
def total_has_no_limit(growing=True):
    """K N has no limit: (c_K dH + 1) N at d = H = 2, epsilon = 1/2 as c_K -> oo, for Algorithm 1 and for Algorithms 3
    and 4."""
    deployments, limits = (c_K if growing else 1) * d * H + 1, []
    for row in ("tab-row-layerwise", "tab-row-reward-free"):
        total = log(deployments) + log(table1.sample_size(row))
        at = total.subs({d: 2, H: 2, epsilon: Rational(1, 2)})
        limits.append(sympy.limit(sympy.expand_log(at, force=True), c_K, sympy.oo))
    return Evidence(limits.count(sympy.oo), 2, "identity", "d = H = 2, epsilon = 1/2", detail=f"log K N -> {limits}")


@claim("res-asymptotic", false={"c_K = 50": {"trade_off": 50}})
def total_at_fixed_trade_off(text, trade_off=TRADE_OFF):
    """K N at a fixed c_K: Exponents of K N/c_K at c_K, and at c_K = 100."""
    general = table1.at_trade_off("tab-row-layerwise", c_K)
    at = table1.at_trade_off("tab-row-layerwise", trade_off)
    size = text(r"K\cdot N=", c_K=c_K, d=d, H=H, epsilon=epsilon, **INSIDE)
    powers = sympy.expand(sympy.expand_log(log(size), force=True))
    claimed = {name: sign * powers.coeff(log(letter)) for name, letter, sign in (
        ("d", d, 1), ("H", H, 1), ("1/epsilon", epsilon, -1))}
    return steps([
        ("exponents in c_K", every(equal(general[key], claimed[key]) for key in claimed)),
        ("c_K = 100: d^{4 + 1/33} H^{5 + 5/99} epsilon^{-2 - 2/99}",
         exactly((at["d"], at["H"], at["1/epsilon"]), (4 + Rational(1, 33), 5 + Rational(5, 99), 2 + Rational(2, 99)))),
    ], "all c_K > 1, without logarithms")
