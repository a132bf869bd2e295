"""These checks refute Lemma E.5 as printed (optimism in Algorithm 5), and establish the resolution for Lemma E.6.

One counterexample has a regression slightly above the truth, the other a state that is reached rarely and was not seen.
Both are exact, for several beta'.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy
from sympy import sqrt

from derl.claims import Evidence, check, control, printed, steps
from derl.theory.exact.logarithms import enclosure
from derl.theory.exact.matrices import ridge
from derl.theory.exact.symbolic import at_least, equal

BONUSES = r"\mathbb E_\pi\sum_{h'=t}^h\beta'\|\phi_{h'}\|_{\Sigma_{h'}^{-1}}"

s, t, u, v = sympy.symbols("s t u v", nonnegative=True)


@check("lem-optq-overestimation", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Two heads more than tails")
def optimistic_value_exceeds_the_printed_bound(said=printed("lem-optq-overestimation", says=["for all", "all states",
                                                                                             r"Let $\beta'$ be"]),
                                               surplus=2) -> Evidence:
    """Least (V_1 - V*_1 - beta' |phi|)(N+1) over three beta', N = (8 beta' + 1)^2 - 1, where w is above PV by a hair.

    s1, feature e_1, leads fairly to features e_1 and e_2, with rewards 1/2 and 1/4 (2I + Sigma_R = diag(4, 16));
    N/2 + surplus samples reached the first.
    """
    least = Fraction(10**9)
    for scale in (1, 10, 100):
        root = 8 * scale + 1
        size = root**2 - 1
        heads = size // 2 + surplus
        _, operator = ridge([[[1, 0]]], [[[heads, size - heads]]])
        values = np.array([Fraction(1, 2), Fraction(1, 4)], dtype=object)
        predicted, truth, bonus = (operator @ values)[0], Fraction(3, 8), Fraction(scale, root)
        found = {r"w_t^\top\phi": predicted, r"P_tV_{t+1}": truth, r"\beta'": scale, r"\|\phi\|_{\Sigma_t^{-1}}":
                 Fraction(1, root), "V_t": predicted + bonus, "V_t^*": truth, BONUSES: bonus}
        error, allowed = said.sides(r"|w_t^\top\phi-P_tV_{t+1}|\le", found)
        valid = error <= allowed and predicted + bonus <= 1 and 2 * surplus <= root and 1 in said.range("t", h=2)
        value, bound = said.sides(r"V_t\le", found)
        valid = valid and value >= said.sides(r"V_t^*\le V_t\le", found)[0]
        least = min(least, (value - bound) * (size + 1) if valid else Fraction(-1))
    return Evidence(least, Fraction(1, 8), "lower", "h = 2, d = 2, beta' in 1, 10, 100; noise below 1 for all |V| <= 1")


control(optimistic_value_exceeds_the_printed_bound, "as many heads as tails", {"surplus": 0})


@check("lem-optq-overestimation", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="A state that is hardly ever reached")
def optimistic_value_in_a_rare_state(said=printed("lem-optq-overestimation"), rare=Fraction(1, 10**11), scale=350
                                     ) -> Evidence:
    """(V_2(y) - V*_2(y))/(beta' xi), from below, for xi with equality in (2) at h = H = 3; y is reached w.p. `rare`.

    s1, feature e_1, leads to x (e_1) and y (e_2); both lead to one state with reward 1/4. N = 10^10 - 1, all at x.
    """
    root = 10**5  # sqrt(N + 1)
    size = root**2 - 1
    inside = 2 * 3 * size * 4 * (size + 1) * 10  # dHN/(epsilon_0 delta), delta = 1/10
    enough = Fraction(scale, 24 * 2) ** 2 >= enclosure(inside)[1]  # beta' at least that of (26)
    reward = Fraction(1, 4)
    value = min(0 + Fraction(scale), Fraction(1))  # w = (., 0): e_2 was never seen, its bonus is beta'
    seen = Fraction(1, root)
    uncertainty = seen + (1 - rare) * seen + rare
    bound = said(f"V_t\\le V_t^*+{BONUSES}\\le", {"V_t^*": reward, r"\beta'": scale,
                                                 r"\xi": Fraction(3, 2) * uncertainty})
    ratio = (value - reward) / (bound - reward)
    likely = 1 - size * rare >= Fraction(9, 10)  # data without y
    return Evidence(ratio if enough and likely and 2 * root * rare <= 20 else Fraction(0), 71, "lower",
                    "d = 2, h = H = 3, t = 2, N = 10^10 - 1, beta' = 350, data of probability above 9/10",
                    detail=f"ratio {float(ratio):.1f}")


control(optimistic_value_in_a_rare_state, "y reached half of the time: the data leave the event",
        {"rare": Fraction(1, 2)})
control(optimistic_value_in_a_rare_state, "beta' = 250, smaller than (26)", {"scale": 250})
control(optimistic_value_in_a_rare_state, "y reached once in 10^4 trajectories: not to see it is unlikely",
        {"rare": Fraction(1, 10**4)})


@check("eq-resolution-bias", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The budget for all h <= H")
def rounding_is_paid_for(said=printed("eq-resolution-bias", says=["for all"]), times=1) -> Evidence:
    """2 beta' b + 2 eps_0 per layer, 2 eps_0 in the last, eps_0 for the rounded reward: at most 3 beta' xi at (27)."""
    eps, scale = sympy.symbols("eps scale", nonnegative=True)  # scale = beta' xi
    h = 1 + t
    H = h + u
    letters = {r"\beta'": 1, r"\xi": scale}
    step = times * said(r"\epsilon_0\le", letters, H=H) / (1 + v)
    total, bound = said.sides(r"2\beta'\xi\frac{h-1}H+(2h+1)\epsilon_0\le", letters, epsilon_0=step, h=h, H=H)
    return steps([
        "each layer",
        ("|R - R~| <= sqrt(d eps_0^2/(4d)) = eps_0/2, in two values",
         equal(2 * sqrt((1 + t) * eps**2 / (4 * (1 + t))), eps)),
        "sum",
        ("2 beta' xi (h-1)/H + (2h+1) eps_0 <= 3 beta' xi", at_least(bound, total, scale, t, u, v)),
    ], scope="all 1 <= h <= H, all beta', xi, all eps_0 with (27)")


control(rounding_is_paid_for, "eps_0 <= beta' xi/H, as Step 3 lists it: (4h - 1)/H exceeds 3 at h = H = 2",
        {"times": 2})
