"""These checks establish the constant of the search game: the digits per deployment of optimal play in the long run.

Between deployments the number of digits that are ruled out at the frontier is a Markov chain. The steps take its
martingale, bounds of the pace, and the game with one trajectory; programmes are compared with the pace.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.beyond import renewal
from derl.theory.exact.compared import at_most, every, exactly
from derl.theory.exact.symbolic import at_least, equal
from derl.theory.lower_bounds.search_game import best_success
from derl.theory.lower_bounds.search_programme import deployments_for_success

SINGLE = ((2, 3, 3), (2, 5, 4), (3, 3, 4), (3, 4, 5), (4, 3, 6), (5, 4, 9), (10, 3, 15))  # d, n, K
PLAYED = ((2, 3, 2), (2, 4, 3), (3, 2, 3), (3, 3, 3))


@check("res-search-constant", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The martingale, the bounds of the pace, one trajectory per deployment")
def pace_in_steps(gain=1, wrong=1, tail=1, more=1, above=2, values=1) -> Evidence:
    """Poisson's equation, the tails of an advance, and the value of the game with N = 1."""
    F, K, a, w, w2, c = sympy.symbols("F K a w w2 pace")
    s, t = sympy.symbols("s t", nonnegative=True)
    d = 2 + s
    e = Fraction(8, 3)  # e >= 8/3
    mean = sympy.Symbol("mean", positive=True)
    n, dim = sympy.symbols("n d", positive=True)
    return steps([
        "large numbers",
        ("one deployment: (F + a - (K+1) pace + w') - (F - K pace + w) = a - pace + w' - w",
         equal((F + a - (K + 1) * c + w2) - (F - K * c + w), a - c + w2 - w)),
        ("and its mean is 0 where w + pace = E a + E w'", equal((a - gain * c + w2 - w).subs(w, a + w2 - c), 0)),
        "bounds",
        ("above: sum over j >= 1 of d^{1-j} = d/(d-1) <= 2", every(
            equal(1 / (1 - 1 / dim), dim / (dim - 1)), at_least(above, d / (d - 1), s))),
        ("below: sum over j >= 0 of exp(-2^j) <= sum over k >= 1 of e^{-k} = 1/(e-1) <= 1",
         every(at_most(1 / (e - 1), tail), at_most(e, sum(Fraction(1, k) for k in (1, 1, 2, 6))))),
        ("the revealed search gains one digit more than the forgetful one", equal((more + mean) - mean, 1)),
        "one trajectory",
        ("mean of U: (d-1)/2, so 2/(d-1) digits a deployment", equal(
            sympy.summation(sympy.Symbol("k"), (sympy.Symbol("k"), 0, dim - 1)) / dim, (dim - values) / 2)),
        *((f"N = 1, d = {x}, n = {y}, K <= {z}: P(U_1 + ... + U_n <= K - 1) is the value", exactly(
            [renewal.single_path_success(x, y, max(0, k + 1 - wrong)) for k in range(z + 1)],
            [table[y, 0] for table in renewal.values(x, y, 1, z)])) for x, y, z in SINGLE),
        ("and optimal play over all paths after all histories", every(exactly(
            renewal.single_path_success(x, y, max(0, z + 1 - wrong)), best_success(x, y, 1, z)) for x, y, z in PLAYED)),
    ], "all d >= 2, N; all n where N = 1")


control(pace_in_steps, "twice the pace in the martingale", {"gain": 2})
control(pace_in_steps, "one wrong try more allowed: P(U_1 + ... + U_n <= K)", {"wrong": 0})
control(pace_in_steps, "half the pace in the martingale", {"gain": Fraction(1, 2)})
control(pace_in_steps, "one wrong try less allowed", {"wrong": 2})
control(pace_in_steps, "the revealed search gains two digits more", {"more": 2})
control(pace_in_steps, "at most 19/10 digits above log_d N at d = 2", {"above": Fraction(19, 10)})
control(pace_in_steps, "wrong tries uniform on 0..d, mean d/2", {"values": 0})
control(pace_in_steps, "half a digit less than log_d N at most: 1/(e-1) > 1/2", {"tail": Fraction(1, 2)})


@check("res-search-constant", method="run", arithmetic="float64", covers="the pace against programmes",
       gap="float64, a few sizes", title="Digits over pace against the least K with success one half")
def pace_against_programmes(memory="exclude") -> Evidence:
    """n/pace lies within 3/2 of the least K, the pace within its bounds; it is mu for d = 2 and 2/(d-1) for N = 1."""
    near, inside, known = [], [], []
    for d, N, n in ((2, 16, 200), (3, 1, 100), (3, 10, 200), (5, 1000, 200), (10, 10**4, 198), (10, 10**12, 400)):
        pace, told = renewal.pace(d, N), renewal.revealed_pace(d, N)
        near.append(abs(deployments_for_success(d, n, N, 0.5, memory) - n / pace) <= 1.5)
        inside.append(told - 1 <= pace <= told + 1e-9)
        if d == 2:
            known.append(abs(pace - told) < 1e-9)
        if N == 1:
            known.append(abs(pace - 2 / (d - 1)) < 1e-9)
    large = 9998 / renewal.pace(10, 10**30), 9998 / renewal.revealed_pace(10, 10**30)
    return steps([("the least K is within 3/2 of n/pace", all(near)), ("mu - 1 <= pace <= mu", all(inside)),
                  ("d = 2: mu; N = 1: 2/(d-1)", all(known)),
                  ("n = 9998, d = 10, N = 1e30: 334.0 to 334.1, and 325.2 to 325.3 where the digit is revealed",
                   334.0 < large[0] < 334.1 and 325.2 < large[1] < 325.3)],
                 "six sizes, float64", detail=f"n/pace {large[0]:.2f}, n/mu {large[1]:.2f}")


control(pace_against_programmes, "the search that is told the digit at the frontier", {"memory": "reveal"})
control(pace_against_programmes, "the search that forgets", {"memory": "forget"})
