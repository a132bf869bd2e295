"""These checks establish the exchange law: K deployments of N trajectories suffice iff K log N is about H log d.

The lower bound comes from the plain locks, the upper bound from blocks of L = log_d(N/Q) layers; every inequality is
taken for d = 4 + s and all N of the statement.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.beyond import truncation
from derl.theory.exact.compared import at_most, every, exactly
from derl.theory.exact.symbolic import at_least, below, equal

s, t, u, v, w = sympy.symbols("s t u v w", nonnegative=True)


@check("res-exchange-law", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Members, both sides, the constant")
def law_in_steps(reached=1, third=F(1, 3), geometric=20, one=3200, halved=2, floors=2, power=(3, 4), pace=F(3, 2),
                 constant=4, least=4, spread=1, dims=1, cap=1, taken=1, smallest=4) -> Evidence:
    """Every inequality of the proof, for d = 4 + s and all N of the statement."""
    d = smallest + s
    y, eta, K, H = sympy.symbols("y eta K H", positive=True)
    squares = sympy.symbols("q1:5", nonnegative=True)  # the largest, and by how much the others are smaller
    largest = sum(squares)
    others = sum(largest - one_of for one_of in squares[:3])
    log_n = least + t
    return steps([
        "plain locks",
        ("the largest of d squares is at least their mean (d = 4: c + others = 1)",
         at_least(4 * largest, reached * (largest + others), *squares)),
        "lower bound",
        ("(1/2)(d-2)/(d-1) >= 1/3", at_least(F(1, 2) * (d - 2) / (d - 1), third, s)),
        "polynomial",
        ("(1 - 4^(-1/3))^-3 <= 20: c = 739/2000 has 4 (1-c)^3 >= 1, so 1 - 4^(-1/3) >= c, and 20 c^3 >= 1",
         every(at_most(1, 4 * (1 - F(739, 2000)) ** 3), at_most(1, geometric * F(739, 2000) ** 3))),
        ("8 (20)^2 = 3200", exactly(8 * 20**2, one)),
        "logarithm",
        ("log N = 2 log Q + w: log(N/Q) >= (1/2) log N", at_least(2 * u + w - u * taken, (2 * u + w) / halved, u, w)),
        ("floor(y) >= y/2 for y >= 1: n <= y < n + 1, n >= 1", at_least(floors * (1 + u), (1 + u) + 1, u)),
        "same form",
        ("d^3 <= (d-1)^4 for d >= 4", at_least((d - 1) ** power[1], d ** power[0], s)),
        ("(d-1)/(d-2) <= 3/2", at_least(pace, (d - 1) / (d - 2), s)),
        ("2 ((4/3) x + 1 + 3/2) <= 4 x for x = log_d N >= 4",
         at_least(constant * log_n, 2 * (F(4, 3) * log_n + 1 + F(3, 2)), t)),
        "constant",
        ("m = n - K(l+1) >= eta n for K <= (1-eta) n/(l+1)", equal(
            H - (1 - eta) * H * cap, eta * H)),
        ("K/((d-2) m) <= 1/(eta (d-2)) as K <= n and m >= eta n", at_least(
            1 / (eta * (2 + s)), (K / ((K + u) * eta * (2 + s))) * spread, K, u, eta, s)),
        "large N",
        ("Q <= N^eta: log_d(N/Q) >= (1-eta) log_d N", equal(y - eta * y * dims, (1 - eta) * y)),
    ], "every d >= 4, H >= 2, N; every algorithm below, block exploration above")


control(law_in_steps, "a reachability of 2/sqrt(d)", {"reached": 4})
control(law_in_steps, "delta = 2/5: the failure at the bound is 1/3 for d = 4", {"third": F(2, 5)})
control(law_in_steps, "a geometric factor of 10", {"geometric": 10})
control(law_in_steps, "400 in place of 3200", {"one": 400})
control(law_in_steps, "log(N/Q) >= log N", {"halved": 1})
control(law_in_steps, "floor(y) >= y/1.9", {"floors": F(19, 10)})
control(law_in_steps, "d^4 <= (d-1)^4", {"power": (4, 4)})
control(law_in_steps, "(d-1)/(d-2) <= 4/3", {"pace": F(4, 3)})
control(law_in_steps, "a lower constant of 3", {"constant": 3})
control(law_in_steps, "the lower bound from N >= d on", {"least": 1})
control(law_in_steps, "twice the spread of the geometric sum", {"spread": 2})
control(law_in_steps, "N >= Q alone", {"taken": 2})
control(law_in_steps, "log_d Q twice as large", {"dims": 2})
control(law_in_steps, "twice the range of K", {"cap": 2})
control(law_in_steps, "smallest dimension d = 3: d^3 exceeds (d-1)^4", {"smallest": 3})


@check("res-law-without-reachability", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Q, and the number of layers that N pays for")
def all_linear_mdps_in_steps(closed=850_000, shift=5, horizons=6, dims=5, halved=2, taken=1, floors=2,
                             more=1, least=72, rest=0) -> Evidence:
    """Q = closed (H+shift)^2 d^dims H^horizons log^2/epsilon^2; L layers, H = 1 + L + u, K = H/(1 + v)."""
    L = sympy.Symbol("L", positive=True)
    H = 1 + L + u
    return steps([
        "upper bound",
        ("(L+5)^2 K^2 H^4 <= (H+5)^2 H^6 for K <= H",
         at_least((H + shift)**2 * H**horizons, (L + 5)**2 * (H / (1 + v))**2 * H**4, L, u, v)),
        ("d^(L+5) <= d^5 d^L: d = 4 + s", at_least((4 + s)**dims, (4 + s)**5, s)),
        ("the constant of the closed form for a design", at_most(int(truncation.COVERS["design"].closed), closed)),
        "lower bound",
        ("log N = 2 log Q + w: log(N/Q) >= (1/2) log N", at_least(2 * u + w - u * taken, (2 * u + w) / halved, u, w)),
        ("floor(y) >= y/2 for y >= 1: n <= y < n + 1, n = 1 + u", at_least(floors * (1 + u), (1 + u) + 1, u)),
        ("ceil((H-1)/L) <= (H-1+L-1)/L <= H/L + 1", at_least(H + more * L - rest, H - 1 + L - 1, L, u)),
        ("Q >= d^4, so Q^2 >= dQ and Q^2 >= d^4: log(dH/(epsilon delta)) >= log 72 > 1",
         every(below(1, sympy.log(least)), at_least((4 + s)**5, (4 + s)**4, s))),
    ], "every d >= 4, H >= 3, N, epsilon, delta of the statement")


control(all_linear_mdps_in_steps, "849999 in Q", {"closed": 849_999})
control(all_linear_mdps_in_steps, "8e5 in Q", {"closed": 800_000})
control(all_linear_mdps_in_steps, "(H+3)^2 in Q", {"shift": 3})
control(all_linear_mdps_in_steps, "(H+1)^2 in Q", {"shift": 1})
control(all_linear_mdps_in_steps, "H^5 in Q", {"horizons": 5})
control(all_linear_mdps_in_steps, "H^4 in Q", {"horizons": 4})
control(all_linear_mdps_in_steps, "d^4 in Q", {"dims": 4})
control(all_linear_mdps_in_steps, "log(N/Q) >= log N", {"halved": 1})
control(all_linear_mdps_in_steps, "log(N/Q) >= log N/1.9", {"halved": F(19, 10)})
control(all_linear_mdps_in_steps, "N >= Q alone", {"taken": 2})
control(all_linear_mdps_in_steps, "floor(y) >= y/1.9", {"floors": F(19, 10)})
control(all_linear_mdps_in_steps, "ceil((H-1)/L) <= H/L", {"more": 0})
control(all_linear_mdps_in_steps, "ceil((H-1)/L) <= (H - 201/100)/L + 1", {"rest": F(201, 100)})
control(all_linear_mdps_in_steps, "dH/(epsilon delta) >= 5/2, whose logarithm is below 1", {"least": F(5, 2)})
