"""These checks refute Lemma E.5 as printed (optimism in Algorithm 5), and establish the resolution for Lemma E.6.

One counterexample has a regression slightly above the truth, the other a state that is reached rarely and was not seen.
Both are exact, for several beta'.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy
from sympy import sqrt

from derl.claims import Evidence, claim, steps
from derl.exact.logarithms import enclosure
from derl.exact.matrices import ridge
from derl.exact.symbolic import at_least, equal

BONUSES = r"\mathbb E_\pi\sum_{h'=t}^h\beta'\|\phi_{h'}\|_{\Sigma_{h'}^{-1}}"

s, t, u, v = sympy.symbols("s t u v", nonnegative=True)


@claim("lem-optq-overestimation", method="exhaustive", refutes=True, false={"as many heads as tails": {"surplus": 0}})
def optimistic_value_exceeds_the_printed_bound(text, surplus=2):
    """Two heads more than tails: Least (V_1 - V*_1 - beta' |phi|)(N+1) over three beta', N = (8 beta' + 1)^2 - 1, where
    w is above PV by a hair.

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
        result = {r"w_t^\top\phi": predicted, r"P_tV_{t+1}": truth, r"\beta'": scale, r"\|\phi\|_{\Sigma_t^{-1}}":
                  Fraction(1, root), "V_t": predicted + bonus, "V_t^*": truth, BONUSES: bonus}
        error, allowed = text.sides(r"|w_t^\top\phi-P_tV_{t+1}|\le", result)
        valid = error <= allowed and predicted + bonus <= 1 and 2 * surplus <= root and 1 in text.range("t", h=2)
        value, bound = text.sides(r"V_t\le", result)
        valid = valid and value >= text.sides(r"V_t^*\le V_t\le", result)[0]
        least = min(least, (value - bound) * (size + 1) if valid else Fraction(-1))
    return Evidence(least, Fraction(1, 8), "lower", "h = 2, d = 2, beta' in 1, 10, 100; noise below 1 for all |V| <= 1")


@claim("lem-optq-overestimation", method="exhaustive", refutes=True,
       false={"y reached half of the time: the data leave the event": {"rare": Fraction(1, 2)},
              "beta' = 250, smaller than (26)": {"scale": 250},
              "y reached once in 10^4 trajectories: not to see it is unlikely": {"rare": Fraction(1, 10**4)}})
def optimistic_value_in_a_rare_state(text, rare=Fraction(1, 10**11), scale=350):
    """A state that is hardly ever reached: (V_2(y) - V*_2(y))/(beta' xi), from below, for xi with equality in (2) at h
    = H = 3; y is reached w.p. `rare`.

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
    bound = text(f"V_t\\le V_t^*+{BONUSES}\\le", {"V_t^*": reward, r"\beta'": scale,
                                                 r"\xi": Fraction(3, 2) * uncertainty})
    ratio = (value - reward) / (bound - reward)
    likely = 1 - size * rare >= Fraction(9, 10)  # data without y
    return Evidence(ratio if enough and likely and 2 * root * rare <= 20 else Fraction(0), 71, "lower",
                    "d = 2, h = H = 3, t = 2, N = 10^10 - 1, beta' = 350, data of probability above 9/10",
                    detail=f"ratio {float(ratio):.1f}")


@claim("eq-resolution-bias",
       false={"eps_0 <= beta' xi/H, as Step 3 lists it: (4h - 1)/H exceeds 3 at h = H = 2": {"times": 2}})
def rounding_is_paid_for(text, times=1):
    """The budget for all h <= H: 2 beta' b + 2 eps_0 per layer, 2 eps_0 in the last, eps_0 for the rounded reward: at
    most 3 beta' xi at (27)."""
    eps, scale = sympy.symbols("eps scale", nonnegative=True)  # scale = beta' xi
    h = 1 + t
    H = h + u
    letters = {r"\beta'": 1, r"\xi": scale}
    step = times * text(r"\epsilon_0\le", letters, H=H) / (1 + v)
    total, bound = text.sides(r"2\beta'\xi\frac{h-1}H+(2h+1)\epsilon_0\le", letters, epsilon_0=step, h=h, H=H)
    return steps([
        "each layer",
        ("|R - R~| <= sqrt(d eps_0^2/(4d)) = eps_0/2, in two values",
         equal(2 * sqrt((1 + t) * eps**2 / (4 * (1 + t))), eps)),
        "sum",
        ("2 beta' xi (h-1)/H + (2h+1) eps_0 <= 3 beta' xi", at_least(bound, total, scale, t, u, v)),
    ], scope="all 1 <= h <= H, all beta', xi, all eps_0 with (27)")
