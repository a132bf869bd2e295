"""These checks follow Steps 2 and 3 in the proof of Theorem E.9: coverage, concentration and the size of the batch.

With l = log(8dH/delta), symbolic steps take quadratic forms, the range and variance of phi phi^T, and the conditions on
N in (32) and (33). Two printed steps are refuted in small dimensions: the premise of Lemma E.14, and N = 16 i^2 l^2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isqrt

import sympy
from sympy import Rational, log, sqrt

from derl.claims import Evidence, check, control, steps
from derl.theory.analysis import perturbation
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.symbolic import at_least, below, equal, nonnegative, same_operator

QUARTER, HALF, THREE_QUARTERS = Rational(1, 4), Rational(1, 2), Rational(3, 4)

s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
d, H, i, l, n, nu, xi = sympy.symbols("d H i l n nu xi", positive=True)  # noqa: E741
NU2 = 1 / (1 + s)  # nu^2 <= 1


# --- coverage ----------------------------------------------------------------------------------------------------

@check("ineq-mixture-uncertainty", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="d = 2, A = 14 I: the premise of Lemma E.14 fails")
def premise_with_another_regularisation(weight=14) -> Evidence:
    """Features e_1, e_2, nu^2 = 1/2: max|phi| is 1/sqrt 16 = nu^2/2 for 2I + A, as in Step 1, 1/sqrt 15 for I + A."""
    half_nu2 = Fraction(1, 4)
    features, unit = ([1, 0], [0, 1]), [[1, 0], [0, 1]]
    norms = [max(perturbation.squared_norm([[(c + weight) * z for z in row] for row in unit], phi) for phi in features)
             for c in (2, 1)]
    return Evidence(norms[1] if norms[0] <= half_nu2**2 else Fraction(0), half_nu2**2 + Fraction(1, 300), "lower",
                    f"d = 2, A = {weight} I, squares of the norms", detail=f"2I + A: {norms[0]}, I + A: {norms[1]}")


control(premise_with_another_regularisation, "A = 15 I, for which the premise holds", {"weight": 15})


@check("res-mixture-uncertainty", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="A >= 2I, then domination from 2I to I")
def mixture_covers_the_layer(threshold=HALF) -> Evidence:
    """lam = 1/threshold^2 - 2 = 2; I + nA >= (1 + 2n)/4 (2I + A) for n >= 1/2; nu^2/sqrt(1+2n) <= nu/sqrt(1+n)."""
    coverage = perturbation.eigenvalue_from_norm(NU2, (threshold * NU2) ** 2, 2)
    times = HALF + t
    square = (threshold * NU2) ** 2 * (2 + coverage) / (1 + times * coverage)
    return steps([
        "coverage",
        ("A >= 2I", equal(coverage, 2)),
        "mixture",
        ("(I + nA) >= (1+2n)/4 (2I + A) per eigenvalue 2 + u",
         at_least(1 + times * (2 + u), (1 + 2 * times) / 4 * (4 + u), t, u)),
        "uncertainty",
        ("square of the left side: nu^4/(1+2n)", equal(square, NU2**2 / (1 + 2 * times))),
        ("at most nu^2/(1+n)", at_least(NU2 / (1 + times), NU2**2 / (1 + 2 * times), s, t)),
        ("1/(1 + N/i) <= i/N", at_least(i / n, 1 / (1 + n / i), i, n)),
        ("|Pi| <= i_max makes N/|Pi| >= N/i_max", at_least(n / i, n / (i + t), n, i, t)),
    ], scope="all d, all 0 < nu <= 1, N/|Pi| >= 1/2; Pi a list, A the sum of its covariances")


control(mixture_covers_the_layer, "Step 1 with (3/4) nu^2 instead of nu^2/2", {"threshold": THREE_QUARTERS})


@check("ineq-smallest-eigenvalue", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="|Pi| E_mix = A >= 2I >= I")
def summed_covariances_cover(threshold=HALF) -> Evidence:
    """The sharp eigenvalue lemma at e = nu^2/2, c = 2; then N E_mix = (N/|Pi|) A >= N/|Pi| >= N/i_max."""
    coverage = perturbation.eigenvalue_from_norm(NU2, (threshold * NU2) ** 2, 2)
    return steps([
        "coverage",
        ("nu^4/e^2 - 2 >= 1", nonnegative(sympy.simplify(coverage - 1), s)),
        "number of policies",
        ("N/|Pi| >= N/i_max", at_least(n / i, n / (i + t), n, i, t)),
    ], scope="all d, 0 < nu <= 1; Pi a list with multiplicities")


control(summed_covariances_cover, "e = (3/4) nu^2", {"threshold": THREE_QUARTERS})


# --- concentration -----------------------------------------------------------------------------------------------

@check("ineq-bernstein", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Range, variance, exponent, union over layers")
def bernstein_display(factor=4) -> Evidence:
    """|X - EX| <= 1, v <= N/4; at t = factor sqrt N l the exponent is at least l, and 2dH exp(-l) = delta/4."""
    root = 1 + t  # sqrt N
    level = 2 + u  # l = log(8dH/delta) >= log 8 > 2
    level_at = factor * root * level
    exponent = level_at**2 / 2 / (root**2 / 4 + level_at / 3)
    delta = sympy.Symbol("delta", positive=True)
    return steps([
        "range",
        ("0 <= X <= I and 0 <= EX <= I: x - m <= 1, and the same for m - x",
         at_least(1 + v / (1 + v), 1 / (1 + x), x, v)),
        ("X^2 <= X per eigenvalue", at_least(1 / (1 + x), 1 / (1 + x) ** 2, x)),
        ("m - m^2 <= 1/4", same_operator(QUARTER + x**2, x + (x - HALF) ** 2)),
        "exponent",
        ("log 8 > 2", below(2, log(8))),
        ("exponent >= l", at_least(exponent, level, t, u)),
        "all layers",
        ("H layers: 2 d H exp(-l) = delta/4",
         equal(2 * d * H * sympy.exp(-log(8 * d * H / delta)), delta / 4)),
    ], scope="all d, H, N >= 1, 0 < delta < 1; independent trajectories of one mixture per layer")


control(bernstein_display, "t = sqrt N l/2", {"factor": HALF})


@check("eq-batch-inverse", method="exhaustive", arithmetic="exact", covers="everything",
       gap="none", refutes=True, title="N = 16 i^2 l^2 leaves nothing")
def printed_batch_leaves_nothing(constant=16) -> Evidence:
    """Least sigma_max(Sigma_h^{-1}) N/(4i) over i and l: one-hot features, E_mix = diag(1 - 1/i, 1/i), e_2 never seen.

    |N E_mix - Sigma_h^-| = N/i; a case counts where that is at most 4 sqrt N l, the event of the Bernstein display.
    """
    least = Fraction(10**9)
    for count, level in product((2, 10, 10**6), (3, 5, 40)):  # i_max and l = log(8dH/delta)
        size = constant * count**2 * level**2
        on_event = Fraction(size, count) <= 4 * isqrt(size) * level and isqrt(size) ** 2 == size
        covered = min(count - 1, 1) >= 1  # A = i E_mix >= I
        Sigma = [[1 + size, 0], [0, 1]]
        inverse = max(perturbation.squared_norm(Sigma, phi) for phi in ([1, 0], [0, 1]))
        least = min(least, inverse * size / (4 * count) if on_event and covered else Fraction(0))
    return Evidence(least, 2, "lower", "d = 2, i_max in 2, 10, 1e6, l in 3, 5, 40, N = 16 i^2 l^2")


control(printed_batch_leaves_nothing, "N = 256 i^2 l^2", {"constant": 256})


@check("res-batch-inverse", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="16 with A >= 2I; 29 with A >= I; 256 with N/(2i)")
def batch_for_the_inverse(constant=29, printed=256, coverage=2) -> Evidence:
    """1 + coverage N/i - 4 sqrt N l >= 1 + N/i at (32); with A >= I N/(4i) from 29 i^2 l^2 on; with N/(2i) from 256."""
    root = sympy.Symbol("root", positive=True)  # q
    size = (root * i * l) ** 2
    return steps([
        "inverse",
        ("A >= 2I and sqrt N = (4 + t) i l: (coverage - 1) N/i - 4 sqrt N l >= 0, so Sigma_h >= (1 + N/i) I",
         nonnegative(((coverage - 1) * n**2 / i - 4 * n * l).subs(n, (4 + t) * i * l), t, i, l)),
        ("hence Sigma_h^{-1} <= i/N <= 4i/N",
         every(at_least(4 * i / n, i / n, i, n), at_least(i / n, 1 / (1 + n / i + t), i, n, t))),
        "constants",
        ("sqrt N = q i l with q^2 >= 29: (3/4) q^2 - 4q >= 0, q >= 16/3",
         at_least(Rational(constant), Rational(16, 3) ** 2, t)),
        ("(3/4) q - 4 >= 0 from q = 16/3 on", at_least(Rational(3, 4) * (Rational(16, 3) + t), 4, t)),
        ("N/i - 4 sqrt N l - N/(4i) = i l^2 q ((3/4) q - 4)",
         same_operator(size / i,
                       4 * root * i * l * l + size / (4 * i) + i * l**2 * root * (Rational(3, 4) * root - 4))),
        ("with N/(2i): q/4 - 4 >= 0 from q = 16 on", at_least((sqrt(printed) + t) / 4, 4, t)),
        ("so Sigma_h^{-1} <= 4i/N", at_least(4 * i / n, 1 / (1 + n / (4 * i) + t), i, n, t)),
        ("(33) implies it: 256 i^2 l^2/nu^4 >= 256 i^2 l^2", at_least(1 / NU2**2, 1, s)),
    ], scope="all d, i, l > 0; on the event of the Bernstein display")


control(batch_for_the_inverse, "16 with A >= (3/2) I", {"coverage": Rational(3, 2)})
control(batch_for_the_inverse, "28 instead of 29", {"constant": 28})
control(batch_for_the_inverse, "225 instead of 256", {"printed": 225})


@check("eq-batch-concentration", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The chain before (33), and (33)")
def concentration_error_is_small(constant=256) -> Evidence:
    """E|sqrt a - sqrt b| <= sqrt|a - b|, the product of three norms, its root 4 i sqrt l N^{-3/4}; and (33)."""
    A, B = sympy.symbols("A B", commutative=False)
    root = sympy.Symbol("root", positive=True)  # N^{1/4}
    least = (constant * i**2 * l**2 / nu**4) ** QUARTER  # of N^{1/4}
    return steps([
        "identity",
        ("(sqrt a - sqrt b)^2 <= |a - b|", same_operator((u + v) ** 2, u**2 + v**2 + 2 * u * v)),
        ("A^{-1} - B^{-1} = A^{-1} (B - A) B^{-1}", same_operator(A**-1 * (B - A) * B**-1 + B**-1, A**-1)),
        "norms",
        ("1/(1 + N/i) <= i/N", at_least(i / n, 1 / (1 + n / i), i, n)),
        ("the product of the three norms",
         equal((i / root**4) * (4 * i / root**4) * (4 * root**2 * l), 16 * i**2 * l / root**6)),
        ("its root is 4 i sqrt l N^{-3/4}",
         equal(sqrt(16 * i**2 * l / root**6), 4 * i * sqrt(l) / root**3)),
        "equality",
        ("equality of the two terms at (33): 4 sqrt(i l) = N^{1/4} nu", equal(4 * sqrt(i * l), least * nu)),
        ("and N^{1/4} nu grows with N", exactly(sympy.diff(root * nu, root), nu)),
        ("exponents: i^2/nu^4 = d^2/nu^12 for i = d/nu^4",
         equal((d / nu**4) ** 2 / nu**4, d**2 / nu**12)),
    ], scope="all d, i, l, nu > 0, N >= 256 i^2 l^2/nu^4; on the event, with Sigma_h^{-1} <= 4i/N")


control(concentration_error_is_small, "81 instead of 256", {"constant": 81})


@check("ineq-induction-batch", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="2 sqrt(i/N) nu <= xi/(2H), squared")
def batch_for_the_induction(constant=16) -> Evidence:
    """The printed equivalence; xi/H would do, so 4 H^2 nu^2 i/xi^2 is enough; and the order H^2 d/(xi^2 nu^2)."""
    size = constant * H**2 * nu**2 * i / xi**2
    left = 4 * i / n * nu**2  # square of 2 sqrt(i/N) nu
    return steps([
        "batch size",
        ("equality of the squares at the printed N", equal(left.subs(n, size), (xi / (2 * H)) ** 2)),
        ("the left side falls in N", at_least(1 / n, 1 / (n + t), n, t)),
        "share",
        ("xi/H is all that (2) needs: a quarter of N", equal(left.subs(n, size / 4), (xi / H) ** 2)),
        ("order for i = d/nu^4", equal(size.subs(i, d / nu**4), constant * H**2 * d / (xi**2 * nu**2))),
        ("(h-1) xi/H + xi/H = h xi/H: Condition 4.5 for the next layer",
         equal(u * xi / H + xi / H, (u + 1) * xi / H)),
    ], scope="all H, i, nu, xi > 0; the logarithm of i_max is not written in the order")


control(batch_for_the_induction, "9 instead of 16", {"constant": 9})
