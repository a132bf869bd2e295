"""These checks examine what Appendix A says about Table 1 (lines 529 to 534).

They compare the powers of d, H and epsilon of the rows, as printed and as totals K N; three sentences are refuted.
"""

from __future__ import annotations

import sympy
from sympy import Rational

from derl.claims import Evidence, claim, steps
from derl.exact.compared import exactly
from derl.exact.symbolic import at_least, equal, nonnegative, positive
from derl.printed import BEGINNING
from derl.theory import texts
from derl.theory.comparison import table1
from derl.theory.comparison.table1 import H, actions, d, epsilon, eta, nu

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


@claim("text-optimal-epsilon", covers="every fixed c_K > 1", refutes=True,
       false={"the limit c_K = oo itself": {"trade_off": sympy.oo}})
def epsilon_squared_is_missed(text, trade_off=table1.c_K):
    """N epsilon^2 is unbounded at a fixed c_K: The power of 1/epsilon in N beyond 2, 2/(c_K - 1), is positive for c_K =
    1 + 1/(1 + s) or 2 + s: all c_K > 1."""
    claimed = sympy.degree(text("", after="dependence", epsilon=1 / t), t)
    excess = table1.at_trade_off("tab-row-layerwise", table1.c_K)["1/epsilon"] - claimed
    if trade_off == sympy.oo:
        cases = [sympy.limit(excess, table1.c_K, sympy.oo)]
    else:
        cases = [sympy.simplify(excess.subs(table1.c_K, value)) for value in (1 + 1 / (1 + s), 2 + s)]
    larger = sum(map(bool, (positive(case, s) for case in cases)))
    return Evidence(larger, 2, "identity", "all c_K > 1, N from Theorem C.6 without its logarithms",
                    detail=f"excess {cases}")


@claim("res-optimal-epsilon",
       false={"c_K = 1/2 + log(1/epsilon)": {"fewer": Rational(3, 2)},
              "epsilon > 1: the sign of log(1/epsilon) is -1": {"sign": -1}})
def growing_trade_off(text, sign=1, fewer=0):
    """c_K = 2 + log(1/epsilon): The power of 1/epsilon beyond 2 is 2/(c_K - 1); times log(1/epsilon) it stays below
    2."""
    logarithm = sympy.Symbol("logarithm", nonnegative=True)  # log(1/epsilon)
    excess = table1.at_trade_off("tab-row-layerwise", table1.c_K)["1/epsilon"] - 2
    trade_off = text("c_K=", {LOGARITHM: sign * logarithm}) - fewer
    left, right = text.sides(r"\epsilon^...\le", c_K=trade_off, epsilon=sympy.exp(-sign * logarithm))
    used, allowed = (sympy.simplify(sympy.expand_log(sympy.log(side), force=True)) for side in (left, right))
    most = text(r"K\le", {LOGARITHM: sign * logarithm}, d=1 + s, H=1 + t)
    return steps([("the excess is 2/(c_K - 1)", equal(excess, 2 / (table1.c_K - 1))),
                  (text.shown(r"\epsilon^...") + ", in logarithms", at_least(allowed, used, logarithm)),
                  ("K <= c_K dH + 1, at most the K of the text, for d = 1 + s and H = 1 + t",
                   at_least(most, trade_off * (1 + s) * (1 + t) + 1, s, t, logarithm))],
                 "all 0 < epsilon <= 1")


@claim("text-deterministic-comparison", method="exhaustive", covers="the rows of the table", refutes=True,
       words="it compares rows of the table, which the check evaluates",
       false={"LSVI-UCB in the place of OLIVE": {"row": "tab-row-lsvi-ucb"}})
def olive_has_more_horizons(row="tab-row-olive"):
    """OLIVE's H^6 against H^5: The power of H in a row that deploys deterministic policies minus that of Algorithm 1:
    positive refutes."""
    more = of_row(row)[1] - of_row("tab-row-layerwise")[1]
    return Evidence(more, 1, "lower", "printed exponents of H, given reward")


@claim("res-deterministic-comparison", method="exhaustive",
       false={"MOFFLE, with d^8, among the reward-free rows": {"reward_free": ("tab-row-moffle",)}})
def deterministic_rows(reward_free=("tab-row-reward-free-lsvi", "tab-row-francis")):
    """Row by row: Higher powers of d and H than LSVI-UCB, Gao et al. and both reward-free rows; against OLIVE only of
    d."""
    ours, free = of_row("tab-row-layerwise"), of_row("tab-row-reward-free")
    given = [all(a > b for a, b in zip(ours, of_row(row), strict=True)) for row in ("tab-row-lsvi-ucb", "tab-row-gao")]
    without = [all(a > b for a, b in zip(free, of_row(row), strict=True)) for row in reward_free]
    olive = of_row("tab-row-olive")
    return steps([("higher than LSVI-UCB and Gao et al.", all(given)),
                  ("higher than both reward-free rows", all(without)),
                  ("OLIVE: d^4 > d^3 and H^5 < H^6", ours[0] > olive[0] and ours[1] < olive[1])],
                 "the printed rows of Table 1")


@claim("text-better-horizon", method="exhaustive", covers="the rows of the table", refutes=True,
       words="it compares rows of the table, which the check evaluates",
       false={"N in the place of K N, as in the printed row": {"total": sympy.Integer(1)}})
def not_better_than_francis(total=H):
    """H^5 is not better than H^5: Power of H in K N for Algorithm 2 minus that of FRANCIS: at least zero refutes
    "better"."""
    ours = powers_of(total * table1.sample_size("tab-row-arbitrary"))
    return Evidence(ours[1] - of_row("tab-row-francis")[1], 0, "lower", "K N = H N with N from Theorem E.9 as printed")


@claim("res-better-horizon", method="exhaustive", gap="N of Theorem E.9 is taken as printed",
       false={"N in the place of K N": {"total": sympy.Integer(1)}})
def better_than_wang_only(text, total=H):
    """Against Wang et al. and Zanette et al.: H^5 < H^6 and H^5 = H^5; d^3 = d^3 in the term with epsilon, d^7 in the
    other."""
    size = total * table1.sample_size("tab-row-arbitrary")
    ours = powers_of(size)
    other = next(part for part in sympy.Add.make_args(sympy.expand(size)) if not part.has(epsilon))
    wang, zanette = of_row("tab-row-reward-free-lsvi"), of_row("tab-row-francis")
    stated = [sympy.degree(text("", after=words, skip=skip, H=H, d=d)) for words, skip in (
        ("Algorithm 2 has", 0), ("Algorithm 2 has", 1), ("The other term has", 0))]
    return steps([("the powers of the text", exactly(stated, [ours[1], ours[0], other.as_powers_dict()[d]])),
                  ("better in H than Wang et al.", ours[1] < wang[1]),
                  ("equal in H to Zanette et al.", ours[1] == zanette[1]),
                  ("the same d in the term with epsilon", ours[0] == zanette[0] == wang[0]),
                  ("a higher d in the other term", other.as_powers_dict()[d] > zanette[0])],
                 "K N with N from Theorem E.9, printed rows of Table 1")


@claim("text-implicit-reachability", false={"only the square root of epsilon is so small": {"power": Rational(1, 2)}})
def implicit_dependence(text, power=1):
    """1/epsilon^2 against 1/nu~^2: epsilon = nu~/((1 + s) sqrt d) gives 1/epsilon^2 = (1 + s)^2 d/nu~^2 >= d/nu~^2."""
    level = (text(r"\epsilon\le", {NU: nu}, d=d, **{r"\tilde O": lambda inside: inside}) / (1 + s)) ** power
    left, right = text.sides(r"\frac1...\ge", {NU: nu}, d=d, epsilon=level)
    excess = sympy.simplify((left - right) * nu**2 / d)
    return steps([("1/epsilon^2 >= d/nu~^2", nonnegative(excess, s))], "all d, nu~, epsilon <= nu~/sqrt d")
