"""These checks examine Constraints (20) to (25) and (34), which say that the resolution is fine enough.

They work with x = epsilon_0^2/4, the most by which rounding can lengthen a matrix, and with the spectrum of rounding.
Two printed equivalences are refuted in one dimension. The paper uses Lemma E.11 for matrices that are not above I; the
checks use that eigenvalues of symmetric matrices move by at most the norm of the error.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative
from derl.theory.analysis.covers import discretise

HALF, THREE_HALVES = sympy.Rational(1, 2), sympy.Rational(3, 2)
NU_MIN, I_MAX, BETA = r"\nu_{\min}", r"i_{\max}", r"\beta'"

r, s, t, u, v, x = sympy.symbols("r s t u v x", nonnegative=True)


# --- (20) to (24) ------------------------------------------------------------------------------------------------

@claim("eq-constraint-sigma")
def matrix_error_is_small(text, start=2):
    """It follows from (30): |entry error| <= 2 i beta' xi <= nu^4/(16 d), so |Sigma~ - Sigma| <= nu^4/16 and Sigma_R >=
    2 - 1/16 > -1/2."""
    d, i, scale = sympy.symbols("d i beta", positive=True)
    nu = 1 / (1 + t)  # nu <= 1
    nu4, letters = nu**4, {NU_MIN: nu, I_MAX: i, BETA: scale}
    xi = text(r"\xi\le", letters, d=d) / (1 + s)  # Equation (30)
    spectral = sympy.simplify(d * text("", letters, after="are off by at most", i=i, xi=xi))
    least = text(r"\Sigma_R\succeq", {"I": sympy.Integer(1)})
    return steps([
        "spectral error",
        ("the spectral error, at most d times the largest entry, is at most nu^4/16",
         at_least(nu4 / 16, spectral, s, t)),
        "true matrix",
        ("Sigma_R >= 2I - nu^4/16 >= -I/2", at_least(start - least, spectral, s, t)),
        ("also where Sigma_R is read as the sum without 2I", at_least(-least, spectral, s, t)),
    ], scope="all d, i, beta', all nu <= 1, all xi that satisfy (30)")


@claim("eq-constraint-z", false={"rounding four times as coarse": {"lowered": 4}})
def rounded_bonus_matrix_is_positive(text, lowered=1):
    """It follows from (23): The least eigenvalue beta'^2/sigma_max(Sigma) >= beta'^2/(N+1), minus epsilon_0^2/4 <=
    beta'^2/(N+1)."""
    b, n, rest = sympy.symbols("b n rest", positive=True)
    sigma_max = 1 + n - rest  # 1 <= sigma_max <= 1 + N: rest <= N
    return steps([
        "largest eigenvalue",
        ("beta'^2/sigma_max >= beta'^2/(1+N)", nonnegative(
            (b**2 / sigma_max - b**2 / (1 + n)).subs(n, rest + s), b, rest, s)),
        "rounding",
        ("minus epsilon_0^2/4 it stays >= 0", at_least(b**2, lowered * (b**2 / (1 + t)) + text(r"Z_t\succeq"), b, t)),
    ], scope="all d, N, beta', all epsilon_0 with (23)")


@claim("eq-constraint-z-h", false={"2I + Sigma_R >= I only": {"least": sympy.Integer(1)}})
def rounded_reward_lies_in_the_unit_interval(text, least=THREE_HALVES):
    """What it is for, and where it comes from: phi^T Z phi lies in [0, 1] where 0 <= Z <= I; and 2I + Sigma_R >= 3/2 I,
    epsilon_0 <= 1 give Z_h <= 2/3 + 1/4."""
    eigenvalue, share = 1 / (1 + t), 1 / (1 + s)  # of Z in [0, 1]; |phi|^2 in [0, 1]
    values, resolution = text.interval(after="lies in"), text.range(r"\epsilon_0").high / (1 + s)
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


@claim("eq-resolution-z", method="exhaustive", refutes=True,
       false={"epsilon_0 = 5/4, which (23) forbids": {"resolution": Fraction(5, 4)}})
def not_equivalent_to_the_printed_bound(text, resolution=Fraction(3, 4)):
    """beta' = 2, N = 15, epsilon_0 = 3/4: (23) holds, 9/64 <= 1/4, and epsilon_0 = 3/4 exceeds beta'/sqrt(N+1) = 1/2
    all the same."""
    letters = {"N": 15, "d": 1, r"\epsilon_0": resolution, BETA: 2}
    holds = text.relation(r"d\frac{\epsilon_0^2}{4d}", letters).holds
    return Evidence(resolution / text(r"\epsilon_0\le", letters) if holds else Fraction(0), Fraction(5, 4), "lower",
                    "epsilon_0 over beta'/sqrt(N+1), beta' = 2, N = 15")


@claim("res-resolution-z", false={"eigenvalues lowered by the whole d times the step": {"one_sided": 1}})
def weaker_condition_on_the_resolution(text, condition=printed("eq-resolution-z"), one_sided=2):
    """The equivalent form, and half of it is enough: (23) iff epsilon_0 <= 2 beta'/sqrt(N+1); and rounding lowers
    eigenvalues by half of what (23) allows for."""
    b, e, n, d = sympy.symbols("b e n d", positive=True)
    exact, enough = (text(r"\epsilon_0\le", {BETA: b}, after=words, N=n)
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


@claim("eq-resolution-z-h", method="exhaustive", refutes=True,
       false={"Sigma_R = -1/2, which (20) allows": {"shift": Fraction(1, 2) - Fraction(34, 251) ** 2 / 4}})
def printed_condition_lets_the_reward_exceed_one(text, shift=Fraction(0)):
    """d = 1, epsilon_0 = 34/251: Sigma_R = epsilon_0^2/4 - 1 satisfies (24), and the rounded inverse of 2 + Sigma_R is
    larger than 1."""
    resolution = Fraction(34, 251)
    step = resolution**2 / 4
    Sigma_R = step - 1 + shift
    letters = {"I": 1, r"\Sigma_R": Sigma_R, r"\epsilon_0": resolution}
    high, low = text.sides(r"I+\Sigma_R\succeq", letters)
    above, below = text.sides(r"\frac4{\epsilon_0^2}I\succeq", letters)
    satisfied = high >= low and above >= below
    rounded = discretise([1 / (2 + Sigma_R)], step)[0]
    return Evidence(rounded if satisfied else Fraction(0), 1 + Fraction(1, 10**6), "lower",
                    f"d = 1, N = 2, epsilon_0 = {resolution} <= 1/(2d(N+1))", detail=f"Z_h = {rounded}")


@claim("res-resolution-z-h", false={"epsilon_0^2 <= 2": {"looser": THREE_HALVES}})
def repaired_condition_on_the_resolution(text, looser=1):
    """(20) gives the upper half, a weaker (24) the lower one: Z_h <= 2/3 + e^2/4 <= 1 for e^2 <= 4/3; Z_h >= e^2/8 -
    e^2/8 where 2I + Sigma_R <= (8/e^2) I."""
    e = sympy.Symbol("e", positive=True)
    square = looser * text(r"\epsilon_0^2\le", numbers=sympy.Rational) / (1 + s)
    least = 2 + text(r"\Sigma_R\succeq", {"I": sympy.Integer(1)})
    largest = text(r"2I+\Sigma_R\preceq", {"I": 1}, epsilon_0=e) / (1 + s)  # an eigenvalue of 2I + Sigma_R
    inverse = 1 / largest
    return steps([
        "upper half",
        ("upper half: 1/(3/2 + t) + e^2/4 <= 1", at_least(1, 1 / (least + t) + square / 4, s, t)),
        "lower half",
        ("lower half: 1/eigenvalue - e^2/8 >= 0", at_least(inverse, e**2 / 8, e, s)),
        ("the printed (4/e^2) I is the stronger condition", at_least(8 / e**2, 4 / e**2, e)),
    ], scope="all d, all Sigma_R >= -I/2 with 2I + Sigma_R <= (8/epsilon_0^2) I, all 0 < epsilon_0 <= sqrt(4/3)")


@claim("eq-resolution-n", false={"epsilon_0 = N^(-1/2)": {"power": sympy.Rational(1, 2)}})
def rounding_costs_a_constant(text, power=1):
    """What rounding costs in the concentration bound: 8 t^2 epsilon_0^2/lambda at t = N samples, lambda = 1, epsilon_0
    = N^{-power} is at most 8, a constant."""
    n = 1 + t
    cost, room = text.sides(r"8N^2\epsilon_0^2\le", N=n, epsilon_0=text(r"\epsilon_0\le", N=n) ** power)
    return steps([
        (text.shown(r"8N^2\epsilon_0^2\le"), at_least(room, cost, t)),
        ("fewer samples cost less", nonnegative(8 * (n**2 - (n / (1 + s)) ** 2), s, t)),
    ], scope="all N >= 1, all epsilon_0 <= 1/N")


# --- (34) and the choice of the theorem --------------------------------------------------------------------------

@claim("eq-resolution-final", false={"6I instead of 4I": {"regularisation": 6}})
def final_resolution(text, regularisation=4):
    """Both halves of (24) from (34): 4/eps^2 >= 4 i is at least 2I + Sigma_R for i >= 2; I + Sigma_R >= I/2 is at least
    eps^2/4 by (20)."""
    count = text.range(I_MAX).low + t  # i_max >= 2
    squared = text(r"\epsilon_0\le", {I_MAX: count}) ** 2
    error = text("", {NU_MIN: 1}, after="with entries off by", d=sympy.Integer(1))  # times d: of the matrix
    return steps([
        "upper half",
        ("sum of i covariances <= i I, error <= 1/16",
         at_least(4 * count, regularisation + count + error, t)),
        ("4/eps^2 >= 4 i where eps <= i^{-1/2}", at_least(4 / squared, 4 * count, t)),
        "lower half",
        ("I + Sigma_R >= I/2 >= eps^2/4", at_least(HALF, squared / 4, t)),
    ], scope="all d, i_max >= 2, 2I + Sigma_R = 4I + sum as printed (2I less in the repaired algorithm)")


@claim("text-resolution-minimum", false={"1/sqrt N": {"power": HALF}})
def one_over_n_is_the_smallest(text, power=1):
    """1/N is the smallest of the four: 1/N <= beta'/sqrt(N+1), 1/sqrt(i_max), beta' xi/H and beta' xi/(2H), for N >= 2,
    N >= i_max, N >= 16 H^2/xi^2."""
    n1, b1 = text.range("N").low + t, text.range(BETA).low + v
    step = 1 / n1**power
    xi1, H1 = 1 / (1 + r), 1 + x
    begins = (r"\min\big\{\frac1N,\frac{\beta'}{\sqrt{N+1}},\frac1{\sqrt{i_{\max}}},\frac{\beta'\xi}H\big\}=")
    pairs = [text.sides(begins, {BETA: 1, I_MAX: policies, r"\xi": 1}, N=size, H=horizon)
             for size, policies, horizon in ((24, 16, 1), (99, 81, 2), (840, 784, 7))]
    return steps([
        ("the printed equation at three sizes, beta' = xi = 1", exactly(*map(list, zip(*pairs, strict=True)))),
        ("1/N <= beta'/sqrt(N+1), squared", at_least(b1**2 / (n1 + 1), step**2, t, v)),
        ("1/N <= 1/sqrt(i_max), squared, i_max <= N", at_least(1 / n1, step**2, t)),
        ("1/N <= xi^2/(16 H^2) <= beta' xi/(2H), and less than twice that",
         at_least(b1 * xi1 / (2 * H1), xi1**2 / (16 * H1**2), r, v, x)),
    ], scope="all H, beta' >= 1, xi <= 1, N >= max(2, i_max, 16 H^2/xi^2)")


@claim("res-resolution-choice", false={"epsilon_0 = (2d(N+1))^(-1/2)": {"power": HALF}})
def resolution_meets_all_constraints(text, power=1):
    """epsilon_0 = 1/(2d(N+1)) meets all five constraints: (23), (25), (27), (34), the input of Algorithm 5; N >= i_max
    >= 2, N >= H^2/xi^2."""
    n1, d1, b1 = text.range(I_MAX).low + t, 1 + u, text.range(BETA).low + v  # N, d, beta'
    step = text(r"\epsilon_0=", d=d1, N=n1) ** power
    xi1, H1 = text.range(r"\xi").high / (1 + r), 1 + x  # xi <= 1, H
    least = text(r"N\ge", after=r"$N\ge i_{\max}\ge2$,", H=H1, xi=xi1)
    needed = least + s  # N
    nu = sympy.Symbol("nu", positive=True)
    of_step = text(r"N\ge", {NU_MIN: nu, I_MAX: (1 + s) / nu**2}, after="(27) and (34). The", H=H1, xi=xi1)
    return steps([
        ("Algorithm 5: eps_0 <= 1/(2d(N+1))", at_least(1 / (2 * d1 * (n1 + 1)), step, t, u)),
        ("(25): eps_0 <= 1/N", at_least(1 / n1, step, t, u)),
        ("(23): eps_0^2 <= 4 beta'^2/(N+1)", at_least(4 * b1**2 / (n1 + 1), step**2, t, u, v)),
        ("(34): eps_0^2 <= 1/i_max for i_max <= N", at_least(1 / n1, step**2, t, u)),
        ("(27): 1/(2dN) <= xi^2/(2H^2) <= beta' xi/(2H)", at_least(
            b1 * xi1 / (2 * H1), (text(r"\epsilon_0=", d=d1, N=needed)) ** power, r, s, u, v, x)),
        ("the N of the induction step is larger: 16 H^2 nu^2 i/xi^2 >= H^2/xi^2 for nu^2 i >= 1",
         at_least(of_step, least, s, r, x)),
    ], scope="all d, H, beta' >= 1, N >= i_max >= 2, N >= H^2/xi^2, xi <= 1")
