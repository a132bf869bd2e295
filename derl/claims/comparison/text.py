"""These checks examine what Appendix A says about Table 1 (lines 529 to 534).

They compare the powers of d, H and epsilon of the rows, as printed and as totals K N; three sentences are refuted.
"""

from __future__ import annotations

import sympy
from sympy import Rational

from derl.claims import Evidence, check, control, printed, steps
from derl.printed import BEGINNING
from derl.theory import texts
from derl.theory.comparison import table1
from derl.theory.comparison.table1 import H, actions, d, epsilon, eta, nu
from derl.theory.exact.compared import exactly
from derl.theory.exact.symbolic import at_least, equal, nonnegative, positive

LOGARITHM, NU = r"\log\frac1\epsilon", r"\tilde\nu_{\min}"
s, t = sympy.symbols("s t", nonnegative=True)


def powers_of(expression) -> tuple:
    """Exponents of d and H in the term with epsilon."""
    term = next(part for part in sympy.Add.make_args(sympy.expand(expression)) if part.has(epsilon))
    powers = sympy.powsimp(term).as_powers_dict()
    return powers[d], powers[H]


def of_row(claim: str) -> tuple:
    """Exponents of d and H in the printed trajectories of a row."""
    return powers_of(texts.said(claim)("", {r"\eta_{\min}": eta}, after=BEGINNING, d=d, H=H, epsilon=epsilon,
                                       A=actions, **{r"\tilde O": lambda inside: inside}))


@check("text-optimal-epsilon", method="symbolic", arithmetic="exact", covers="every fixed c_K > 1", gap="none",
       refutes=True, title="N epsilon^2 is unbounded at a fixed c_K")
def epsilon_squared_is_missed(trade_off=table1.c_K,
                              said=printed("text-optimal-epsilon", says=["All algorithms",
                                                                         "optimal dependence"])) -> Evidence:
    """The power of 1/epsilon in N beyond 2, 2/(c_K - 1), is positive for c_K = 1 + 1/(1 + s) or 2 + s: all c_K > 1."""
    excess = table1.at_trade_off("tab-row-layerwise", table1.c_K)["1/epsilon"] - 2
    if trade_off == sympy.oo:
        cases = [sympy.limit(excess, table1.c_K, sympy.oo)]
    else:
        cases = [sympy.simplify(excess.subs(table1.c_K, value)) for value in (1 + 1 / (1 + s), 2 + s)]
    larger = sum(map(bool, (positive(case, s) for case in cases)))
    return Evidence(larger, 2, "identity", "all c_K > 1, N from Theorem C.6 without its logarithms",
                    detail=f"excess {cases}")


control(epsilon_squared_is_missed, "the limit c_K = oo itself", {"trade_off": sympy.oo})


@check("res-optimal-epsilon", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="c_K = 2 + log(1/epsilon)")
def growing_trade_off(said=printed("res-optimal-epsilon"), sign=1, fewer=0) -> Evidence:
    """The power of 1/epsilon beyond 2 is 2/(c_K - 1); times log(1/epsilon) it stays below 2."""
    logarithm = sympy.Symbol("logarithm", nonnegative=True)  # log(1/epsilon)
    excess = table1.at_trade_off("tab-row-layerwise", table1.c_K)["1/epsilon"] - 2
    trade_off = said("c_K=", {LOGARITHM: sign * logarithm}) - fewer
    left, right = said.sides(r"\epsilon^...\le", c_K=trade_off, epsilon=sympy.exp(-sign * logarithm))
    used, allowed = (sympy.simplify(sympy.expand_log(sympy.log(side), force=True)) for side in (left, right))
    most = said(r"K\le", {LOGARITHM: sign * logarithm}, d=1 + s, H=1 + t)
    return steps([("the excess is 2/(c_K - 1)", equal(excess, 2 / (table1.c_K - 1))),
                  (said.shown(r"\epsilon^...") + ", in logarithms", at_least(allowed, used, logarithm)),
                  ("K <= c_K dH + 1, at most the K of the text, for d = 1 + s and H = 1 + t",
                   at_least(most, trade_off * (1 + s) * (1 + t) + 1, s, t, logarithm))],
                 "all 0 < epsilon <= 1")


control(growing_trade_off, "c_K = 1/2 + log(1/epsilon)", {"fewer": Rational(3, 2)})
control(growing_trade_off, "epsilon > 1: the sign of log(1/epsilon) is -1", {"sign": -1})


@check("text-deterministic-comparison", method="exhaustive", arithmetic="exact", covers="the rows of the table",
       gap="none", refutes=True, title="OLIVE's H^6 against H^5")
def olive_has_more_horizons(row="tab-row-olive",
                            said=printed("text-deterministic-comparison", says=["that deploy deterministic policies",
                                                                                "a higher dependence on $d$ and $H$",
                                                                                "with and without"])) -> Evidence:
    """The power of H in a row that deploys deterministic policies minus that of Algorithm 1: positive refutes."""
    more = of_row(row)[1] - of_row("tab-row-layerwise")[1]
    return Evidence(more, 1, "lower", "printed exponents of H, given reward")


control(olive_has_more_horizons, "LSVI-UCB in the place of OLIVE", {"row": "tab-row-lsvi-ucb"})


@check("res-deterministic-comparison", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       title="Row by row")
def deterministic_rows(reward_free=("tab-row-reward-free-lsvi", "tab-row-francis"),
                       said=printed("res-deterministic-comparison", says=["have higher powers of $d$ and of $H$",
                                                                          "both reward-free rows",
                                                                          "and a lower one of $H$"])) -> Evidence:
    """Higher powers of d and H than LSVI-UCB, Gao et al. and both reward-free rows; against OLIVE only of d."""
    ours, free = of_row("tab-row-layerwise"), of_row("tab-row-reward-free")
    given = [all(a > b for a, b in zip(ours, of_row(row), strict=True)) for row in ("tab-row-lsvi-ucb", "tab-row-gao")]
    without = [all(a > b for a, b in zip(free, of_row(row), strict=True)) for row in reward_free]
    olive = of_row("tab-row-olive")
    return steps([("higher than LSVI-UCB and Gao et al.", all(given)),
                  ("higher than both reward-free rows", all(without)),
                  ("OLIVE: d^4 > d^3 and H^5 < H^6", ours[0] > olive[0] and ours[1] < olive[1])],
                 "the printed rows of Table 1")


control(deterministic_rows, "MOFFLE, with d^8, among the reward-free rows", {"reward_free": ("tab-row-moffle",)})


@check("text-better-horizon", method="exhaustive", arithmetic="exact", covers="the rows of the table", gap="none",
       refutes=True, title="H^5 is not better than H^5")
def not_better_than_francis(total=H,
                            said=printed("text-better-horizon", says=["a higher dependence on $d$",
                                                                      "a better dependence on $H$"])) -> Evidence:
    """Power of H in K N for Algorithm 2 minus that of FRANCIS: at least zero refutes "better"."""
    ours = powers_of(total * table1.sample_size("tab-row-arbitrary"))
    return Evidence(ours[1] - of_row("tab-row-francis")[1], 0, "lower", "K N = H N with N from Theorem E.9 as printed")


control(not_better_than_francis, "N in the place of K N, as in the printed row", {"total": sympy.Integer(1)})


@check("res-better-horizon", method="exhaustive", arithmetic="exact", covers="everything",
       gap="N of Theorem E.9 is taken as printed", title="Against Wang et al. and Zanette et al.")
def better_than_wang_only(said=printed("res-better-horizon", says=["is lower than", "and the same", "is the same",
                                                                   "both"]),
                          total=H) -> Evidence:
    """H^5 < H^6 and H^5 = H^5; d^3 = d^3 in the term with epsilon, d^7 in the other."""
    size = total * table1.sample_size("tab-row-arbitrary")
    ours = powers_of(size)
    other = next(part for part in sympy.Add.make_args(sympy.expand(size)) if not part.has(epsilon))
    wang, zanette = of_row("tab-row-reward-free-lsvi"), of_row("tab-row-francis")
    stated = [sympy.degree(said("", after=words, skip=skip, H=H, d=d)) for words, skip in (
        ("Algorithm 2 has", 0), ("Algorithm 2 has", 1), ("The other term has", 0))]
    return steps([("the powers of the text", exactly(stated, [ours[1], ours[0], other.as_powers_dict()[d]])),
                  ("better in H than Wang et al.", ours[1] < wang[1]),
                  ("equal in H to Zanette et al.", ours[1] == zanette[1]),
                  ("the same d in the term with epsilon", ours[0] == zanette[0] == wang[0]),
                  ("a higher d in the other term", other.as_powers_dict()[d] > zanette[0])],
                 "K N with N from Theorem E.9, printed rows of Table 1")


control(better_than_wang_only, "N in the place of K N", {"total": sympy.Integer(1)})


@check("text-implicit-reachability", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="1/epsilon^2 against 1/nu~^2")
def implicit_dependence(said=printed("text-implicit-reachability"), power=1) -> Evidence:
    """epsilon = nu~/((1 + s) sqrt d) gives 1/epsilon^2 = (1 + s)^2 d/nu~^2 >= d/nu~^2."""
    level = (said(r"\epsilon\le", {NU: nu}, d=d, **{r"\tilde O": lambda inside: inside}) / (1 + s)) ** power
    left, right = said.sides(r"\frac1...\ge", {NU: nu}, d=d, epsilon=level)
    excess = sympy.simplify((left - right) * nu**2 / d)
    return steps([("1/epsilon^2 >= d/nu~^2", nonnegative(excess, s))], "all d, nu~, epsilon <= nu~/sqrt d")


control(implicit_dependence, "only the square root of epsilon is so small", {"power": Rational(1, 2)})
