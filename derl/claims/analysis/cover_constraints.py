"""These checks examine Constraints (20) to (25) and (34), which say that the resolution is fine enough.

They work with x = epsilon_0^2/4, the most by which rounding can lengthen a matrix, and with the spectrum of rounding.
Two printed equivalences are refuted in one dimension. The paper uses Lemma E.11 for matrices that are not above I; the
checks use that eigenvalues of symmetric matrices move by at most the norm of the error.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, check, control, printed, steps
from derl.theory.analysis.covers import discretise
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.symbolic import at_least, equal, nonnegative

HALF, THREE_HALVES = sympy.Rational(1, 2), sympy.Rational(3, 2)
NU_MIN, I_MAX, BETA = r"\nu_{\min}", r"i_{\max}", r"\beta'"

WEYL = "how the steps make a chain: argued in the text; Weyl's inequality quoted"

r, s, t, u, v, x = sympy.symbols("r s t u v x", nonnegative=True)


# --- (20) to (24) ------------------------------------------------------------------------------------------------

@check("eq-constraint-sigma", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="It follows from (30)")
def matrix_error_is_small(said=printed("eq-constraint-sigma"), start=2) -> Evidence:
    """|entry error| <= 2 i beta' xi <= nu^4/(16 d), so |Sigma~ - Sigma| <= nu^4/16 and Sigma_R >= 2 - 1/16 > -1/2."""
    d, i, scale = sympy.symbols("d i beta", positive=True)
    nu = 1 / (1 + t)  # nu <= 1
    nu4, letters = nu**4, {NU_MIN: nu, I_MAX: i, BETA: scale}
    xi = said(r"\xi\le", letters, d=d) / (1 + s)  # Equation (30)
    spectral = sympy.simplify(d * said("", letters, after="are off by at most", i=i, xi=xi))
    least = said(r"\Sigma_R\succeq", {"I": sympy.Integer(1)})
    return steps([
        "spectral error",
        ("the spectral error, at most d times the largest entry, is at most nu^4/16",
         at_least(nu4 / 16, spectral, s, t)),
        "true matrix",
        ("Sigma_R >= 2I - nu^4/16 >= -I/2", at_least(start - least, spectral, s, t)),
        ("also where Sigma_R is read as the sum without 2I", at_least(-least, spectral, s, t)),
    ], scope="all d, i, beta', all nu <= 1, all xi that satisfy (30)")


@check("eq-constraint-z", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="It follows from (23)")
def rounded_bonus_matrix_is_positive(lowered=1,
                                     said=printed("eq-constraint-z", says=["for all $t<h$",
                                                                           "follows from (23)"])) -> Evidence:
    """The least eigenvalue beta'^2/sigma_max(Sigma) >= beta'^2/(N+1), minus epsilon_0^2/4 <= beta'^2/(N+1)."""
    b, n, rest = sympy.symbols("b n rest", positive=True)
    sigma_max = 1 + n - rest  # 1 <= sigma_max <= 1 + N: rest <= N
    return steps([
        "largest eigenvalue",
        ("sigma_max(I + sum of N phi phi^T) <= 1 + N, one sample more", at_least(1 + n + rest, 1 + n, rest)),
        ("beta'^2/sigma_max >= beta'^2/(1+N)", nonnegative(
            (b**2 / sigma_max - b**2 / (1 + n)).subs(n, rest + s), b, rest, s)),
        "rounding",
        ("minus epsilon_0^2/4 it stays >= 0", at_least(b**2, lowered * (b**2 / (1 + t)) + said(r"Z_t\succeq"), b, t)),
    ], scope="all d, N, beta', all epsilon_0 with (23)")


control(rounded_bonus_matrix_is_positive, "rounding four times as coarse", {"lowered": 4})


@check("eq-constraint-z-h", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="What it is for, and where it comes from")
def rounded_reward_lies_in_the_unit_interval(said=printed("eq-constraint-z-h"), least=THREE_HALVES) -> Evidence:
    """phi^T Z phi lies in [0, 1] where 0 <= Z <= I; and 2I + Sigma_R >= 3/2 I, epsilon_0 <= 1 give Z_h <= 2/3 + 1/4."""
    eigenvalue, share = 1 / (1 + t), 1 / (1 + s)  # of Z in [0, 1]; |phi|^2 in [0, 1]
    values, resolution = said.interval(after="lies in"), said.range(r"\epsilon_0").high / (1 + s)
    return steps([
        "before rounding",
        ("phi^T Z phi, per eigenvalue: 0 <= z |u|^2 <= 1",
         every(at_least(eigenvalue * share, values.low, s, t),
               at_least(values.high, eigenvalue * share, s, t))),
        ("the square root of a number in [0, 1] lies there", at_least(1 / (1 + t), (1 / (1 + t)) ** 2, t)),
        "rounding",
        ("1/(3/2 + t) + epsilon_0^2/4 <= 1 for epsilon_0 = 1/(1+s)",
         at_least(1, 1 / (least + t) + resolution**2 / 4, s, t)),
    ], scope="all d, all Z with 0 <= Z <= I, all features; all Sigma_R >= -I/2 and epsilon_0 <= 1")


control(rounded_reward_lies_in_the_unit_interval, "2I + Sigma_R >= I only", {"least": sympy.Integer(1)})


@check("eq-resolution-z", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="beta' = 2, N = 15, epsilon_0 = 3/4")
def not_equivalent_to_the_printed_bound(said=printed("eq-resolution-z"), resolution=Fraction(3, 4)) -> Evidence:
    """(23) holds, 9/64 <= 1/4, and epsilon_0 = 3/4 exceeds beta'/sqrt(N+1) = 1/2 all the same."""
    letters = {"N": 15, "d": 1, r"\epsilon_0": resolution, BETA: 2}
    holds = said.relation(r"d\frac{\epsilon_0^2}{4d}", letters).holds
    return Evidence(resolution / said(r"\epsilon_0\le", letters) if holds else Fraction(0), Fraction(5, 4), "lower",
                    "epsilon_0 over beta'/sqrt(N+1), beta' = 2, N = 15")


control(not_equivalent_to_the_printed_bound, "epsilon_0 = 5/4, which (23) forbids", {"resolution": Fraction(5, 4)})


@check("res-resolution-z", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The equivalent form, and half of it is enough")
def weaker_condition_on_the_resolution(said=printed("res-resolution-z"), condition=printed("eq-resolution-z"),
                                       one_sided=2) -> Evidence:
    """(23) iff epsilon_0 <= 2 beta'/sqrt(N+1); and rounding lowers eigenvalues by half of what (23) allows for."""
    b, e, n, d = sympy.symbols("b e n d", positive=True)
    exact, enough = (said(r"\epsilon_0\le", {BETA: b}, after=words, N=n)
                     for words in ("equivalent to", "weaker condition"))
    cost, room = condition.sides(r"d\frac{\epsilon_0^2}{4d}\le", {BETA: b}, epsilon_0=exact, d=d, N=n)
    return steps([
        "factors",
        ("equality in (23) at the first bound, and (23) holds for all smaller epsilon_0", equal(cost, room)),
        "rounding",
        ("rounding to e^2/(4d) lowers eigenvalues by (d/2) e^2/(4d) = e^2/8",
         equal(d / one_sided * e**2 / (4 * d), e**2 / 8)),
        ("at the second bound e^2/8 = beta'^2/(N+1), the least eigenvalue", equal(enough**2 / 8, b**2 / (n + 1))),
    ], scope="all d, N, beta' > 0, epsilon_0 > 0; least eigenvalue of beta'^2 Sigma^{-1} at least beta'^2/(N+1)")


control(weaker_condition_on_the_resolution, "eigenvalues lowered by the whole d times the step", {"one_sided": 1})


@check("eq-resolution-z-h", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="d = 1, epsilon_0 = 34/251")
def printed_condition_lets_the_reward_exceed_one(said=printed("eq-resolution-z-h"), shift=Fraction(0)) -> Evidence:
    """Sigma_R = epsilon_0^2/4 - 1 satisfies (24), and the rounded inverse of 2 + Sigma_R is larger than 1."""
    resolution = Fraction(34, 251)
    step = resolution**2 / 4
    Sigma_R = step - 1 + shift
    letters = {"I": 1, r"\Sigma_R": Sigma_R, r"\epsilon_0": resolution}
    high, low = said.sides(r"I+\Sigma_R\succeq", letters)
    above, below = said.sides(r"\frac4{\epsilon_0^2}I\succeq", letters)
    satisfied = high >= low and above >= below
    rounded = discretise([1 / (2 + Sigma_R)], step)[0]
    return Evidence(rounded if satisfied else Fraction(0), 1 + Fraction(1, 10**6), "lower",
                    f"d = 1, N = 2, epsilon_0 = {resolution} <= 1/(2d(N+1))", detail=f"Z_h = {rounded}")


control(printed_condition_lets_the_reward_exceed_one, "Sigma_R = -1/2, which (20) allows",
        {"shift": Fraction(1, 2) - Fraction(34, 251) ** 2 / 4})


@check("res-resolution-z-h", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="(20) gives the upper half, a weaker (24) the lower one")
def repaired_condition_on_the_resolution(said=printed("res-resolution-z-h"), looser=1) -> Evidence:
    """Z_h <= 2/3 + e^2/4 <= 1 for e^2 <= 4/3; Z_h >= e^2/8 - e^2/8 where 2I + Sigma_R <= (8/e^2) I."""
    e = sympy.Symbol("e", positive=True)
    square = looser * said(r"\epsilon_0^2\le", numbers=sympy.Rational) / (1 + s)
    least = 2 + said(r"\Sigma_R\succeq", {"I": sympy.Integer(1)})
    largest = said(r"2I+\Sigma_R\preceq", {"I": 1}, epsilon_0=e) / (1 + s)  # an eigenvalue of 2I + Sigma_R
    inverse = 1 / largest
    return steps([
        "upper half",
        ("upper half: 1/(3/2 + t) + e^2/4 <= 1", at_least(1, 1 / (least + t) + square / 4, s, t)),
        "lower half",
        ("lower half: 1/eigenvalue - e^2/8 >= 0", at_least(inverse, e**2 / 8, e, s)),
        ("the printed (4/e^2) I is the stronger condition", at_least(8 / e**2, 4 / e**2, e)),
    ], scope="all d, all Sigma_R >= -I/2 with 2I + Sigma_R <= (8/epsilon_0^2) I, all 0 < epsilon_0 <= sqrt(4/3)")


control(repaired_condition_on_the_resolution, "epsilon_0^2 <= 2", {"looser": THREE_HALVES})


@check("eq-resolution-n", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="What rounding costs in the concentration bound")
def rounding_costs_a_constant(said=printed("eq-resolution-n", says=["at most"]), power=1) -> Evidence:
    """8 t^2 epsilon_0^2/lambda at t = N samples, lambda = 1, epsilon_0 = N^{-power} is at most 8, a constant."""
    n = 1 + t
    cost, room = said.sides(r"8N^2\epsilon_0^2\le", N=n, epsilon_0=said(r"\epsilon_0\le", N=n) ** power)
    return steps([
        (said.shown(r"8N^2\epsilon_0^2\le"), at_least(room, cost, t)),
        ("fewer samples cost less", nonnegative(8 * (n**2 - (n / (1 + s)) ** 2), s, t)),
    ], scope="all N >= 1, all epsilon_0 <= 1/N")


control(rounding_costs_a_constant, "epsilon_0 = N^(-1/2)", {"power": sympy.Rational(1, 2)})


# --- (34) and the choice of the theorem --------------------------------------------------------------------------

@check("eq-resolution-final", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Both halves of (24) from (34)")
def final_resolution(said=printed("eq-resolution-final", says=["at most"]), regularisation=4) -> Evidence:
    """4/eps^2 >= 4 i is at least 2I + Sigma_R for i >= 2; I + Sigma_R >= I/2 is at least eps^2/4 by (20)."""
    count = said.range(I_MAX).low + t  # i_max >= 2
    squared = said(r"\epsilon_0\le", {I_MAX: count}) ** 2
    error = said("", {NU_MIN: 1}, after="with entries off by", d=sympy.Integer(1))  # times d: of the matrix
    return steps([
        "upper half",
        ("sum of i covariances <= i I, error <= 1/16",
         at_least(4 * count, regularisation + count + error, t)),
        ("4/eps^2 >= 4 i where eps <= i^{-1/2}", at_least(4 / squared, 4 * count, t)),
        "lower half",
        ("I + Sigma_R >= I/2 >= eps^2/4", at_least(HALF, squared / 4, t)),
    ], scope="all d, i_max >= 2, 2I + Sigma_R = 4I + sum as printed (2I less in the repaired algorithm)")


control(final_resolution, "6I instead of 4I", {"regularisation": 6})


@check("text-resolution-minimum", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="1/N is the smallest of the four")
def one_over_n_is_the_smallest(said=printed("text-resolution-minimum", says=["last", "minimum", "same"]),
                               power=1) -> Evidence:
    """1/N <= beta'/sqrt(N+1), 1/sqrt(i_max), beta' xi/H and beta' xi/(2H), for N >= 2, N >= i_max, N >= 16 H^2/xi^2."""
    n1, b1 = said.range("N").low + t, said.range(BETA).low + v
    step = 1 / n1**power
    xi1, H1 = 1 / (1 + r), 1 + x
    begins = (r"\min\big\{\frac1N,\frac{\beta'}{\sqrt{N+1}},\frac1{\sqrt{i_{\max}}},\frac{\beta'\xi}H\big\}=")
    pairs = [said.sides(begins, {BETA: 1, I_MAX: policies, r"\xi": 1}, N=size, H=horizon)
             for size, policies, horizon in ((24, 16, 1), (99, 81, 2), (840, 784, 7))]
    return steps([
        ("the printed equation at three sizes, beta' = xi = 1", exactly(*map(list, zip(*pairs, strict=True)))),
        ("1/N <= beta'/sqrt(N+1), squared", at_least(b1**2 / (n1 + 1), step**2, t, v)),
        ("1/N <= 1/sqrt(i_max), squared, i_max <= N", at_least(1 / n1, step**2, t)),
        ("1/N <= xi^2/(16 H^2) <= beta' xi/(2H), and less than twice that",
         at_least(b1 * xi1 / (2 * H1), xi1**2 / (16 * H1**2), r, v, x)),
    ], scope="all H, beta' >= 1, xi <= 1, N >= max(2, i_max, 16 H^2/xi^2)")


control(one_over_n_is_the_smallest, "1/sqrt N", {"power": HALF})


@check("res-resolution-choice", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="epsilon_0 = 1/(2d(N+1)) meets all five constraints")
def resolution_meets_all_constraints(said=printed("res-resolution-choice"), power=1) -> Evidence:
    """(23), (25), (27), (34), the input of Algorithm 5; N >= i_max >= 2, N >= H^2/xi^2."""
    n1, d1, b1 = said.range(I_MAX).low + t, 1 + u, said.range(BETA).low + v  # N, d, beta'
    step = said(r"\epsilon_0=", d=d1, N=n1) ** power
    xi1, H1 = said.range(r"\xi").high / (1 + r), 1 + x  # xi <= 1, H
    least = said(r"N\ge", after=r"$N\ge i_{\max}\ge2$,", H=H1, xi=xi1)
    needed = least + s  # N
    nu = sympy.Symbol("nu", positive=True)
    of_step = said(r"N\ge", {NU_MIN: nu, I_MAX: (1 + s) / nu**2}, after="(27) and (34). The", H=H1, xi=xi1)
    return steps([
        ("Algorithm 5: eps_0 <= 1/(2d(N+1))", at_least(1 / (2 * d1 * (n1 + 1)), step, t, u)),
        ("(25): eps_0 <= 1/N", at_least(1 / n1, step, t, u)),
        ("(23): eps_0^2 <= 4 beta'^2/(N+1)", at_least(4 * b1**2 / (n1 + 1), step**2, t, u, v)),
        ("(34): eps_0^2 <= 1/i_max for i_max <= N", at_least(1 / n1, step**2, t, u)),
        ("(27): 1/(2dN) <= xi^2/(2H^2) <= beta' xi/(2H)", at_least(
            b1 * xi1 / (2 * H1), (said(r"\epsilon_0=", d=d1, N=needed)) ** power, r, s, u, v, x)),
        ("the N of the induction step is larger: 16 H^2 nu^2 i/xi^2 >= H^2/xi^2 for nu^2 i >= 1",
         at_least(of_step, least, s, r, x)),
    ], scope="all d, H, beta' >= 1, N >= i_max >= 2, N >= H^2/xi^2, xi <= 1")


control(resolution_meets_all_constraints, "epsilon_0 = (2d(N+1))^(-1/2)", {"power": HALF})
