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

from derl.claims import Evidence, claim, printed, steps
from derl.claims.analysis.steps import multiple
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, below, equal, nonnegative, same_operator
from derl.theory.analysis import perturbation

QUARTER, HALF = Rational(1, 4), Rational(1, 2)

s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
d, H, i, l, n, nu, xi = sympy.symbols("d H i l n nu xi", positive=True)  # noqa: E741
NU = 1 / (1 + s)  # nu <= 1
NU2 = NU**2
NU_MIN, I_MAX, PI = r"\nu_{\min}", r"i_{\max}", r"|\Pi_h|"
MIXED = r"\mathbb E_{mix}[\phi\phi^\top]"
NORM_OF_MIXTURE = rf"\max_\pi\mathbb E_\pi\|\phi\|_{{(I+N{MIXED})^{{-1}}}}"
DOTS = "." * 3


# --- coverage ----------------------------------------------------------------------------------------------------

@claim("ineq-mixture-uncertainty", method="exhaustive", refutes=True,
       false={"A = 15 I, for which the premise holds": {"weight": 15}})
def premise_with_another_regularisation(text, weight=14):
    """d = 2, A = 14 I; the premise of Lemma E.14 fails: Features e_1, e_2, nu^2 = 1/2: max|phi| is 1/sqrt 16 = nu^2/2
    for 2I + A, as in Step 1, 1/sqrt 15 for I + A."""
    half_nu2 = text(r"\max_\pi\mathbb E_\pi\|\phi\|_{(I+A)^{-1}}\le", {r"\nu_{\min}^2": Fraction(1, 2)})
    features, unit = ([1, 0], [0, 1]), [[1, 0], [0, 1]]
    norms = [max(perturbation.squared_norm([[(c + weight) * z for z in row] for row in unit], phi) for phi in features)
             for c in (2, text("c="))]
    number = 2 * weight  # |Pi_h|: half of the policies have the covariance e_1 e_1^T, half e_2 e_2^T
    mixed = {r"|\Pi_h|": number, MIXED: HALF}
    covered, claimed = text.sides("A=", mixed | {"A": weight})
    sides = {I_MAX: sympy.Integer(number), NU_MIN: sqrt(sqrt(HALF))}
    holds = [text.relation(NORM_OF_MIXTURE, sides | {NORM_OF_MIXTURE: 1 / sqrt(1 + HALF * size)}, N=size).holds
             for size in (1, number, 10**6)]  # the conclusion, which is true
    first = norms[0] <= half_nu2**2 and covered == claimed and all(holds)
    return Evidence(norms[1] if first else Fraction(0), half_nu2**2 + Fraction(1, 300), "lower",
                    f"d = 2, A = {weight} I, squares of the norms", detail=f"2I + A: {norms[0]}, I + A: {norms[1]}")


@claim("res-mixture-uncertainty", covers="d = 1", gap="one dimension",
       false={"Step 1 with (3/4) nu^2 instead of nu^2/2": {"weaker": Rational(3, 2)}})
def mixture_in_one_dimension(text, weaker=1):
    """Equality for d = 1: phi = 1 and A = 2, every N >= |Pi|/2 and |Pi| <= i_max."""
    threshold, least = text(r"\max_\pi\mathbb E_\pi\|\phi\|_{(2I+A)^{-1}}\le", nu=1), text(r"A\succeq", {"I": 1})
    size = {r"|\Pi|": n, I_MAX: n + t}
    many = text(r"N\ge", size) + s
    begins = r"\max_\pi\mathbb E_\pi\|\phi\|_{(I+\frac N{|\Pi|}A)^{-1}}\le"
    middle, last = (text(begins + more, size, N=many, nu=1) for more in ("", DOTS + r"\le"))
    return [(text.shown(r"A\succeq"), equal((weaker * threshold) ** 2 * (2 + least), 1)),
            ("the norm for I + N A/|Pi|", equal(middle**2, 1 / (1 + least * many / n))),
            ("at most the last bound", at_least(last**2, middle**2, n, s, t)),
            ("for a longer feature, nu <= 1", at_least(text(begins + DOTS + r"\le", size, N=many, nu=NU) ** 2,
                                                       text(begins, size, N=many, nu=NU) ** 2, n, s, t))]


@claim("ineq-smallest-eigenvalue", false={"e = (3/4) nu^2": {"weaker": Rational(3, 2)}})
def summed_covariances_cover(text, first=printed("ineq-step-one"), weaker=1):
    """|Pi| E_mix = A >= 2I >= I: The sharp eigenvalue lemma at the bound of Step 1, c = 2; then N E_mix = (N/|Pi|)
    A."""
    threshold = weaker * first(r"\max_\pi\mathbb E_\pi\|\phi\|_{\Sigma^{-1}}\le", {NU_MIN: NU})
    coverage = sympy.simplify(perturbation.eigenvalue_from_norm(NU2, threshold**2, 2))
    begins = r"\sigma_{\min}(N\,\mathbb E_{mix}[\phi\phi^\top])\ge"
    by_list, by_bound = (text(begins + more, {PI: i, I_MAX: i + t}, N=n) for more in ("", DOTS + r"\ge"))
    return steps([
        "coverage",
        ("nu^4/e^2 - 2, times N/|Pi|", at_least(coverage * n / i, by_list, n, i)),
        ("even twice as much", at_least(coverage * n / i, text("", {PI: i}, after="Step 1 even gives", N=n), n, i)),
        "number of policies",
        (text.shown(r"\frac N{|\Pi_h|}\ge"), at_least(by_list, by_bound, n, i, t)),
    ], scope="all d, 0 < nu <= 1; Pi a list with multiplicities")


# --- concentration -----------------------------------------------------------------------------------------------

@claim("ineq-bernstein", false={"t = sqrt N l/2": {"less": Rational(1, 8)}})
def bernstein_display(text, less=1):
    """Range, variance, exponent, union over layers: |X - EX| <= 1, v <= N/4; at t = factor sqrt N l the exponent is at
    least l, and 2dH exp(-l) = delta/4."""
    root = 1 + t  # sqrt N
    level = 2 + u  # l = log(8dH/delta) >= log 8 > 2
    delta = sympy.Symbol("delta", positive=True)
    stated = text(r"\frac1N\big\|N\,\mathbb E_{mix}[\phi\phi^\top]-\Sigma_h^-\big\|\le", N=root**2, d=d, H=H,
                  delta=delta)
    logarithm = max(sympy.sympify(stated).atoms(log), key=str, default=sympy.Integer(0))
    level_at = sympy.simplify(less * root**2 * stated.subs(logarithm, level))
    exponent = level_at**2 / 2 / (root**2 / 4 + level_at / 3)
    return steps([
        "range",
        ("0 <= X <= I and 0 <= EX <= I: x - m <= 1, and the same for m - x",
         at_least(1 + v / (1 + v), 1 / (1 + x), x, v)),
        ("X^2 <= X per eigenvalue", at_least(1 / (1 + x), 1 / (1 + x) ** 2, x)),
        ("m - m^2 <= 1/4", same_operator(QUARTER + x**2, x + (x - HALF) ** 2)),
        "exponent",
        ("log 8 > 2", below(2, logarithm.subs({d: 1, H: 1, delta: 1}))),
        ("exponent >= l", at_least(exponent, level, t, u)),
        "all layers",
        ("H layers: 2 d H exp(-l) = delta/4",
         equal(2 * d * H * sympy.exp(-logarithm), text("", after="it fails with probability", delta=delta))),
    ], scope="all d, H, N >= 1, 0 < delta < 1; independent trajectories of one mixture per layer")


@claim("eq-batch-inverse", method="exhaustive", refutes=True, false={"N = 256 i^2 l^2": {"times": 16}})
def printed_batch_leaves_nothing(text, bernstein=printed("ineq-bernstein"), times=1):
    """N = 16 i^2 l^2 leaves nothing: Least sigma_max(Sigma_h^{-1}) N/(4i) over i and l: one-hot features, E_mix =
    diag(1 - 1/i, 1/i), e_2 never seen.

    |N E_mix - Sigma_h^-| = N/i; a case counts where that is at most 4 sqrt N l, the event of the Bernstein display.
    """
    least, largest = Fraction(10**9), r"\sigma_{\max}(\Sigma_h^{-1})\le"
    middle = r"\dfrac1{1+\frac N{2i_{\max}}-\sqrt N\,l}"
    for count, level in product((2, 10, 10**6), (3, 5, 40)):  # i_max and l = log(8dH/delta)
        size = times * int(text(r"N\ge", {I_MAX: count}, l=level))
        claimed = text(largest + middle + r"\le", {I_MAX: count}, N=size)
        claimed = max(claimed, text(largest, {I_MAX: count}, N=size, l=level))
        on_event = Fraction(size, count) <= 4 * isqrt(size) * level and isqrt(size) ** 2 == size
        covered = text.relation(r"|\Pi_h|\,\mathbb E_{mix}[\phi\phi^\top]", {
            r"|\Pi_h|": count, MIXED: Fraction(1, count)}, I=1)  # the least eigenvalue of E_mix, as i >= 2
        Sigma = [[1 + size, 0], [0, 1]]
        inverse = max(perturbation.squared_norm(Sigma, phi) for phi in ([1, 0], [0, 1]))
        least = min(least, inverse / claimed if on_event and covered.left >= covered.right else Fraction(0))
    letters = {"d": 2, "H": 3, "delta": Rational(1, 10), "N": 16}
    level = bernstein(r"\frac1N\big\|N\,\mathbb E_{mix}[\phi\phi^\top]-\Sigma_h^-\big\|\le", **letters)
    least = least if text("l=", **letters) == level else Fraction(0)  # the event is 4 l/sqrt N, here l
    return Evidence(least, 2, "lower", "d = 2, i_max in 2, 10, 1e6, l in 3, 5, 40, N = 16 i^2 l^2")


@claim("res-batch-inverse", covers="the four sizes and bounds, per eigenvalue", gap="the event: Coq proves the whole",
       false={"16 with A >= (3/2) I": {"share": Rational(3, 4)}})
def batch_for_the_inverse(text, share=1):
    """16 with A >= 2I; 29 with A >= I; 256 with N/(2i): The part of the mean above the error 4 sqrt N l is at least the
    inverse of the bound, for all larger N; (33) has the last size."""
    places = ("consider the event of", r"\frac iNI$.", "as printed,")
    sizes = [multiple(text(r"N\ge", after=words, i=i, l=l), i**2 * l**2, "N") for words in places]
    best, other = (text(r"\Sigma_h^{-1}\preceq", {"I": 1}, after=words, i=i, N=n**2) for words in places[:2])
    coverage, one = (text(r"A\succeq", {"I": sympy.Integer(1)}, after=words) for words in places[:2])
    cases = ((share * coverage, best, sqrt(sizes[0])), (one, other, Rational(16, 3)), (one / 2, other, sqrt(sizes[2])))
    return [("(16/3)^2 <= 29", at_least(sizes[1], Rational(16, 3) ** 2)),
            *((f"mean {mean} N/i, N from {root**2} i^2 l^2 on", nonnegative(
                (mean * n**2 / i - 4 * n * l - 1 / bound).subs(n, (root + t) * i * l), t, i, l))
              for mean, bound, root in cases)]


@claim("eq-batch-concentration", false={"81 instead of 256": {"share": Rational(81, 256)}})
def concentration_error_is_small(text, share=1, display=printed("ineq-bernstein"),
                                 inverse=printed("res-batch-inverse")):
    """The chain before (33), and (33): E|sqrt a - sqrt b| <= sqrt|a - b|, the product of three norms, its root 4 i sqrt
    l N^{-3/4}; and (33)."""
    A, B = sympy.symbols("A B", commutative=False)
    root = sympy.Symbol("root", positive=True)  # N^{1/4}
    letters, second = {I_MAX: i, NU_MIN: nu}, r"\sqrt l$. For"
    least = (share * text(r"N\ge", letters, after=second, l=l)) ** QUARTER  # of N^{1/4}
    error = text("", letters, after="the uncertainty changes by at most", N=root**4, l=l)
    claimed = text("", letters, after="this change is at most", N=root**4)
    order = text(r"N\ge" + DOTS + "=", {NU_MIN: nu}, after=second, d=d, **{"tilde O": lambda inside: inside})
    delta = sympy.Symbol("delta", positive=True)
    covered = text(r"|\Pi_h|\,\mathbb E_{mix}[\phi\phi^\top]\succeq", {"I": sympy.Integer(1)})
    first = text(r"N\ge", letters, after="Let", l=l)
    return steps([
        "identity",
        ("(sqrt a - sqrt b)^2 <= |a - b|", same_operator((u + v) ** 2, u**2 + v**2 + 2 * u * v)),
        ("A^{-1} - B^{-1} = A^{-1} (B - A) B^{-1}", same_operator(A**-1 * (B - A) * B**-1 + B**-1, A**-1)),
        "norms",
        ("l of the Bernstein display, and the inverse of the other matrix is that for A >= I and 29 i^2 l^2",
         every(equal(2 * d * H * sympy.exp(-text("l=", d=d, H=H, delta=delta)),
                     display("", after="it fails with probability", delta=delta)),
               equal(first, inverse(r"N\ge", after=r"\frac iNI$.", i=i, l=l)),
               exactly(covered, inverse(r"A\succeq", {"I": sympy.Integer(1)}, after=r"\frac iNI$.")))),
        ("1/(1 + N/i) <= i/N", at_least(i / n, 1 / (1 + n / i), i, n)),
        ("its root is 4 i sqrt l N^{-3/4}",
         equal(sqrt(16 * i**2 * l / root**6), error)),
        "equality",
        ("equality of the two terms at (33)", equal(error.subs(root, least), claimed.subs(root, least))),
        ("and N^{1/4} nu grows with N", exactly(sympy.diff(root * nu, root), nu)),
        ("exponents: i^2/nu^4 = d^2/nu^12 for i = d/nu^4",
         equal(least.subs({i: d / nu**4, l: 1}) ** 4 / (share * 256), order)),
    ], scope="all d, i, l, nu > 0, N >= 256 i^2 l^2/nu^4; on the event, with Sigma_h^{-1} <= 4i/N")


@claim("ineq-induction-batch", false={"9 instead of 16": {"share": Rational(9, 16)}})
def batch_for_the_induction(text, share=1):
    """2 sqrt(i/N) nu <= xi/(2H), squared: The printed equivalence; xi/H would do, so 4 H^2 nu^2 i/xi^2 is enough; and
    the order H^2 d/(xi^2 nu^2)."""
    letters = {NU_MIN: nu, I_MAX: i, r"\xi": xi}
    size = share * text(r"N\ge", letters, H=H)
    left, right = (side**2 for side in text.sides(r"2\sqrt{\frac{i_{\max}}N}\,\nu_{\min}\le", letters, N=n, H=H))
    order = text(r"N\ge" + DOTS + "=", letters, d=d, H=H, **{"tilde O": lambda inside: inside})
    return steps([
        "batch size",
        ("equality of the squares at the printed N", equal(left.subs(n, size), right)),
        ("the left side falls in N", at_least(1 / n, 1 / (n + t), n, t)),
        "share",
        ("xi/H is all that (2) needs: a quarter of N", equal(left.subs(n, size / 4), (xi / H) ** 2)),
        ("order for i = d/nu^4", equal(size.subs(i, d / nu**4), share * 16 * order)),
        ("(h-1) xi/H + xi/H = h xi/H: Condition 4.5 for the next layer",
         equal(u * xi / H + xi / H, (u + 1) * xi / H)),
    ], scope="all H, i, nu, xi > 0; the logarithm of i_max is not written in the order")
