"""These checks establish the conversions of Appendix A and the entries of Table 1 for the paper's own rows.

They compare exponents of d, H and epsilon exactly. Two printed entries are refuted: the last row prints N instead of K
N, and the total K N has no limit for c_K -> oo.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, steps
from derl.theory.comparison import table1
from derl.theory.comparison.table1 import H, c_K, d, epsilon, nu
from derl.theory.exact.compared import at_most, every, exactly
from derl.theory.exact.symbolic import at_least, equal, nonnegative

TRADE_OFF = 100  # the large constant that the caption names

s, t, u = sympy.symbols("s t u", nonnegative=True)
K, T, c, iota = sympy.symbols("K T c iota", positive=True)


# --- conversion from regret --------------------------------------------------------------------------------------

@check("text-regret-forms", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The same number in K~ and in T")
def regret_in_two_forms(power=3) -> Evidence:
    """sqrt(d^3 H^4 K~) = sqrt(d^3 H^3 T) with T = K~ H."""
    return steps([("the two forms agree", equal(d**3 * H**4 * K, (d**3 * H**power * T).subs(T, K * H)))],
                 "all d, H, K~")


control(regret_in_two_forms, "H^4 T", {"power": 4})


@check("text-regret-to-pac", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", title="Markov's inequality")
def uniform_policy_is_good(factor=3) -> Evidence:
    """A nonnegative gap above `factor` times its mean has probability at most 1/factor; the mean is regret/K~."""
    mean = c * sympy.sqrt(d**3 * H**4 * K) * iota / K
    average, p = sympy.symbols("average p", positive=True)
    above, below = factor * average + s, t  # mean gap above the level, where it is met with probability p; and below it
    split = p * above + (1 - p) * below
    rest = sympy.expand(split - factor * p * average)  # average >= factor p average as soon as this is >= 0
    return steps([
        "Markov",
        ("average = p (level + s) + (1 - p) t gives p <= 1/factor", nonnegative(rest.subs(p, 1 / (1 + u)), s, t, u)),
        ("P(gap < level) >= 1 - 1/factor >= 2/3", at_most(Rational(2, 3), 1 - Rational(1, factor))),
        "mean",
        ("mean = c sqrt(d^3 H^4/K~) iota", equal(mean, c * sympy.sqrt(d**3 * H**4 / K) * iota)),
        ("and sqrt(d^3 H^5/T)", equal((d**3 * H**5 / T).subs(T, K * H), d**3 * H**4 / K)),
    ], "all d, H, K~")


control(uniform_policy_is_good, "twice the mean", {"factor": 2})


@check("tab-row-gao", method="symbolic", arithmetic="exact", covers="the trajectories of the row, from the regret",
       gap="the regret bound itself is cited", title="The row agrees with the conversion")
@check("tab-row-lsvi-ucb", method="symbolic", arithmetic="exact", covers="the row, from the regret",
       gap="the regret bound itself is cited", title="The row agrees with the conversion")
@check("text-pac-samples", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", title="Episodes until the gap is epsilon")
def episodes_needed(horizon_power=4) -> Evidence:
    """Solves 3 c sqrt(d^3 H^4/K~) iota = epsilon; the exponents are those of rows 1 and 4 of the table."""
    gap = 3 * c * sympy.sqrt(d**3 * H**horizon_power / K) * iota
    needed = sympy.solve(sympy.Eq(gap**2, epsilon**2), K)[0]
    bare = sympy.simplify(needed / (9 * c**2 * iota**2))
    return steps([
        ("K~ = 9 c^2 iota^2 d^3 H^4/epsilon^2", equal(bare, d**3 * H**4 / epsilon**2)),
        ("LSVI-UCB", equal(bare, table1.row("tab-row-lsvi-ucb").trajectories)),
        ("Gao et al.", equal(bare, table1.row("tab-row-gao").trajectories)),
    ], "all d, H, epsilon")


control(episodes_needed, "a regret of sqrt(d^3 H^5 K~)", {"horizon_power": 5})


@check("text-policy-switches", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="log K~ against log(dH/epsilon)")
def switches(factor=4) -> Evidence:
    """log(d^3 H^4/epsilon^2) <= 4 log(dH/epsilon), and at least twice it, for d, H >= 1 and epsilon <= 1."""
    lowest = sympy.expand(3 * s + 4 * t + 2 * u)
    printed = table1.row("tab-row-gao").deployments
    return steps([("log K~ <= 4 log(dH/epsilon)", at_least(factor * (s + t + u), lowest, s, t, u)),
                  ("log K~ >= 2 log(dH/epsilon)", at_least(lowest, 2 * (s + t + u), s, t, u)),
                  ("the deployments of the row", exactly(printed, d * H * log(d * H / epsilon)))],
                 "all d, H >= 1, epsilon <= 1; s, t, u are the logarithms of d, H, 1/epsilon")


control(switches, "3 log(dH/epsilon)", {"factor": 3})


# --- the paper's own rows ----------------------------------------------------------------------------------------

@check("tab-row-layerwise", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="dH times the limit of N")
def row_of_algorithm_1(scale=1) -> Evidence:
    """d H lim N from Theorem C.6, compared with the printed entry."""
    found = sympy.simplify(scale * table1.derived("tab-row-layerwise") / table1.row("tab-row-layerwise").trajectories)
    return Evidence(int(found == 1), 1, "identity", "dH times the limit of the printed N", detail=f"ratio {found}")


control(row_of_algorithm_1, "one factor d more", {"scale": d})


@check("tab-comparison", method="symbolic", arithmetic="exact", covers="the rule that totals are K N", gap="none",
       refutes=True, title="The last row is not K N")
@check("tab-row-arbitrary", method="symbolic", arithmetic="exact", covers="the entry of the row", gap="none",
       refutes=True, title="The printed entry is N")
def last_row_prints_n(deployments=H) -> Evidence:
    """K N over the printed entry, with N from Theorem E.9 as printed: confirmed if it is H and not 1."""
    size = table1.sample_size("tab-row-arbitrary")
    ratio = sympy.simplify(deployments * size / table1.row("tab-row-arbitrary").trajectories)
    confirmed = sympy.simplify(ratio - H) == 0
    return Evidence(int(confirmed), 1, "identity", "all d, H, epsilon, nu_min", detail=f"ratio {ratio}")


control(last_row_prints_n, "a single deployment", {"deployments": sympy.Integer(1)})


@check("res-table-rows", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", title="K N for all three rows")
def corrected_rows(total=H) -> Evidence:
    """d^4 H^5, d^4 H^7 from the limits, and H N = d^3 H^5/(epsilon^2 nu^2) + d^7 H^3/nu^14."""
    last = d**3 * H**5 / (epsilon**2 * nu**2) + d**7 * H**3 / nu**14
    return steps([
        ("Algorithm 1", equal(table1.derived("tab-row-layerwise"), d**4 * H**5 / epsilon**2)),
        ("Algorithms 3 and 4", equal(table1.derived("tab-row-reward-free"), d**4 * H**7 / epsilon**2)),
        ("Algorithm 2", equal(total * table1.sample_size("tab-row-arbitrary"), last)),
    ], "all d, H, epsilon, nu_min, without logarithms")


control(corrected_rows, "N instead of K N", {"total": sympy.Integer(1)})


@check("text-asymptotic", method="symbolic", arithmetic="exact", covers="the limit of K N", gap="none", refutes=True,
       title="K N has no limit")
def total_has_no_limit(growing=True) -> Evidence:
    """(c_K dH + 1) N at d = H = 2, epsilon = 1/2 as c_K -> oo, for Algorithm 1 and for Algorithms 3 and 4."""
    deployments, limits = (c_K if growing else 1) * d * H + 1, []
    for claim in ("tab-row-layerwise", "tab-row-reward-free"):
        total = log(deployments) + log(table1.sample_size(claim))
        at = total.subs({d: 2, H: 2, epsilon: Rational(1, 2)})
        limits.append(sympy.limit(sympy.expand_log(at, force=True), c_K, sympy.oo))
    return Evidence(limits.count(sympy.oo), 2, "identity", "d = H = 2, epsilon = 1/2", detail=f"log K N -> {limits}")


control(total_has_no_limit, "K = dH + 1, whatever c_K is", {"growing": False})


@check("res-asymptotic", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="K N at a fixed c_K")
def total_at_fixed_trade_off(trade_off=TRADE_OFF) -> Evidence:
    """Exponents of K N/c_K at c_K, and at c_K = 100."""
    general = table1.at_trade_off("tab-row-layerwise", c_K)
    at = table1.at_trade_off("tab-row-layerwise", trade_off)
    claimed = {"d": 1 + 3 * c_K / (c_K - 1), "H": 1 + (4 * c_K + 1) / (c_K - 1), "1/epsilon": 2 * c_K / (c_K - 1)}
    return steps([
        ("exponents in c_K", every(equal(general[key], claimed[key]) for key in claimed)),
        ("c_K = 100: d^{4 + 1/33} H^{5 + 5/99} epsilon^{-2 - 2/99}",
         exactly((at["d"], at["H"], at["1/epsilon"]), (4 + Rational(1, 33), 5 + Rational(5, 99), 2 + Rational(2, 99)))),
    ], "all c_K > 1, without logarithms")


control(total_at_fixed_trade_off, "c_K = 50", {"trade_off": 50})
