r"""Formulas are read as a mathematician reads them: held to formulas written by hand, and to sympy."""

import math
import time
from fractions import Fraction as F

import flint
import mpmath
import numpy as np
import pytest
import sympy

from derl.printed import Unreadable, read, value, words


def of(formula, given=None, **letters):
    given = given or {}
    return value(read(words(formula), tuple(given)), letters | given)


d, H, N, K, n, x, y, eps = F(5), F(7), F(12), F(3), F(4), F(2, 3), F(9, 4), F(1, 10)
POINT = {"d": d, "H": H, "N": N, "K": K, "n": n, "x": x, "y": y, "epsilon": eps, "c_K": F(3), "nu_min": F(1, 2),
         "beta'": F(6), "tilde h": F(2), "x^*": F(8), "mathcal K": F(11), "h_k+1": F(13), "lambda": F(3, 2)}
BY_HAND = [  # LaTeX, the same in Python: rational ones exactly
    ("17", F(17)), ("0.25", F(1, 4)), ("1{,}024", F(1024)), (r"850\,000", F(850000)), (r"1{,}000{,}000", F(10**6)),
    ("d+H", d + H), ("d-H+N", d - H + N), ("-d+H", H - d), ("d-(H-N)", d - (H - N)), ("-(d-H)", H - d),
    ("dH", d * H), (r"d\cdot H", d * H), (r"2\times3", F(6)), ("2dH", 2 * d * H), ("d(H+1)", d * (H + 1)),
    ("d(H+1)(2H+1)", d * (H + 1) * (2 * H + 1)), ("(d+1)(H-1)", (d + 1) * (H - 1)), ("d(H+1)^2", d * (H + 1) ** 2),
    ("(d(H+1))^2", (d * (H + 1)) ** 2), ("[d+1]H", (d + 1) * H), (r"\{d+1\}H", (d + 1) * H), ("{d}H", d * H),
    ("d/H", d / H), ("d/H/N", d / H / N), ("dH/N", d * H / N), ("d/(HN)", d / (H * N)), (r"d/H\cdot N", d / H * N),
    (r"\frac{d}{H}", d / H), (r"\frac12", F(1, 2)), (r"\frac1{10}", F(1, 10)), (r"\frac dH", d / H),
    (r"\tfrac{d-1}dH", (d - 1) / d * H), (r"\dfrac{1}{1+\frac{1}{d}}", 1 / (1 + 1 / d)),
    (r"\frac{\frac12 d}{\epsilon^2}", d / 2 / eps**2), ("d^2", d**2), ("d^{H}", d**7), ("2^{-n}", F(1, 16)),
    ("-d^2", -(d**2)), ("(-d)^2", d**2), ("2d^2H", 2 * d**2 * H), ("d^{2n}", d**8), (r"\epsilon^{-2}", F(100)),
    ("{(d^2)}^3", d**6), (r"\left(1-\frac1H\right)^{n}", (1 - 1 / H) ** 4), ("4^{1/2}", F(2)),
    (r"(8/27)^{2/3}", F(4, 9)), (r"\sqrt{y}", F(3, 2)), (r"\sqrt[3]{27}", F(3)), (r"\sqrt4d", 2 * d),
    (r"\lceil x\rceil", F(1)), (r"\lfloor y\rfloor", F(2)), (r"\lceil d/2\rceil+\lfloor d/2\rfloor", F(5)),
    (r"\lceil\log_2 8\rceil", F(3)), (r"\lfloor\log_2 9\rfloor", F(3)), (r"\lceil\log_{d}(NH)\rceil", F(3)),
    (r"\log_d d^3", F(3)), (r"\log_{1/2}8", F(-3)), ("|d-H|", F(2)), (r"\min\{d,H\}", d), (r"\max(d,H,N)", N),
    (r"\min\left\{\frac d2,H-1\right\}", d / 2), (r"\binom{d}{2}", F(10)), ("n!", F(24)),
    ("2n!", F(48)), ("(n+1)!", F(120)), ("n!^2", F(576)), (r"\sum_{i=1}^n i", F(10)), (r"\sum_{i=1}^{n}i^2+1", F(31)),
    (r"\sum_{i=1}^n\sum_{j=1}^i j", F(20)), (r"2\sum_{h=0}^{n-1} d^h", 2 * F(156)), (r"\sum_{i=3}^{2}i", F(0)),
    ("c_KdH", 3 * d * H), (r"\nu_{\min}^4", F(1, 16)), ("\\beta'^2", F(36)), (r"\tilde h+1", F(3)), ("x^*+1", F(9)),
    (r"\mathcal K d", 11 * d), ("h_{k+1}d", 13 * d), (r"\lambda d", F(15, 2)), ("dH!", d * 5040),
    (r"\frac{dH}{2\lceil\log_dNH\rceil}", d * H / 6), (r"(d-1)(H-1)/2", F(12)),
]
NEARLY = [  # those with an irrational value
    (r"\sqrt{dH}", math.sqrt(35)), (r"\sqrt d H", math.sqrt(5) * 7), (r"\log N", math.log(12)),
    (r"\log dH", math.log(35)), (r"\log d\log H", math.log(5) * math.log(7)), (r"\log(d)H", math.log(5) * 7),
    (r"\log 2(d+1)", math.log(2) * 6), (r"\log 2[d+1]", math.log(2) * 6), (r"\sin 1(d+1)", math.sin(1) * 6),
    (r"\log^2N", math.log(12) ** 2), (r"\log^{2}(N/\epsilon)", math.log(120) ** 2),
    (r"\log\log N", math.log(math.log(12))),
    (r"\log\frac{H}{\epsilon}", math.log(70)), (r"\log(1+N)/\log d", math.log(13) / math.log(5)),
    (r"\log_dN", math.log(12) / math.log(5)), (r"\log\sqrt d", math.log(5) / 2), (r"\exp(-d)", math.exp(-5)),
    ("e^{-n}", math.exp(-4)), (r"e^2d", math.e**2 * 5), (r"\sin(d)+\cos^2H", math.sin(5) + math.cos(7) ** 2),
    (r"2^{1/2}", 2**0.5), (r"\sqrt[3]{d}", 5 ** (1 / 3)),
    (r"\sqrt{2d\log\frac{2H}{\epsilon}}", math.sqrt(10 * math.log(140))),
    (r"\Bigl(\frac{c_KdH}{\epsilon}\Bigr)^{\frac{1}{c_K-1}}", 1050**0.5), (r"\frac1{e\sqrt N}", 1 / (math.e * 12**0.5)),
]


@pytest.mark.parametrize("formula, wanted", BY_HAND)
def test_a_rational_formula_has_exactly_the_value_of_the_one_by_hand(formula, wanted):
    found = of(formula, **POINT)
    assert found == wanted and type(found) is F


@pytest.mark.parametrize("formula, wanted", NEARLY)
def test_an_irrational_formula_has_the_value_of_the_one_by_hand(formula, wanted):
    assert of(formula, **POINT) == pytest.approx(wanted, rel=1e-14)


def test_there_are_many_formulas_of_all_kinds():
    def kinds(node):
        return {node.kind}.union(*map(kinds, node.parts))
    formulas = [pair for pair in BY_HAND] + NEARLY
    seen = set().union(*(kinds(read(words(formula))) for formula, _ in formulas))
    assert len(formulas) >= 60
    assert seen >= {"number", "letter", "sum", "negative", "product", "quotient", "power", "root", "log", "exp", "sin",
                    "cos", "min", "max", "ceil", "floor", "abs", "binomial", "factorial", "apply", "powered", "series"}


SYMBOLS = sympy.symbols("a b k m", positive=True)
a, b, k, m = SYMBOLS
i = sympy.Symbol("i", integer=True)
EXPRESSIONS = [a + b, a - 2 * b, -a * b, a / b, a / (b + k), (a + b) ** 2, a**-3, a ** (b + 1), sympy.sqrt(a * b),
               sympy.cbrt(a), sympy.sqrt(a) / sympy.sqrt(b), sympy.log(a), sympy.log(a + 1) / b,
               sympy.exp(-a), sympy.exp(a * b) + 1, sympy.sin(a) + sympy.cos(b), sympy.ceiling(a / b), sympy.floor(a),
               sympy.Max(a, b), sympy.Min(a, b, k), sympy.binomial(m, k), sympy.factorial(m), sympy.Rational(3, 7) * a,
               a * (b - k) / (m + sympy.Rational(1, 2)), (a + 1) * (b + 1) * (k + 1), a**2 * b**3 / k**4,
               sympy.log(1 + a / b) / sympy.log(2), (1 - 1 / a) ** b,
               sympy.sqrt(1 + sympy.log(a)) / (1 + sympy.exp(-b)),
               sympy.Sum(i**2, (i, 1, m)), a * sympy.Sum(a**i, (i, 0, m))]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_what_sympy_prints_is_read_back(expression):
    """The LaTeX that sympy prints of its own expressions, evaluated with symbols and at numbers."""
    text = sympy.latex(expression).replace(r"{\binom", r"{\binom")
    at = dict(zip(SYMBOLS, (F(5), F(3), F(2), F(6)), strict=True))
    exact = expression.subs({s: sympy.Rational(v) for s, v in at.items()}).doit()
    assert float(of(text, **{str(s): v for s, v in at.items()})) == pytest.approx(float(exact), rel=1e-12)
    if not expression.has(sympy.Sum):
        found = of(text, **{str(s): s for s in SYMBOLS})
        assert sympy.simplify(found - expression) == 0


def test_values_decide_the_arithmetic():
    s = sympy.Symbol("s", positive=True)
    assert of(r"\sqrt d x", d=2, x=s) == sympy.sqrt(2) * s, "no float comes into an expression"
    assert of(r"e^x", x=s) == sympy.exp(s)
    array = of(r"\frac{x^{-2}}{2}", x=np.array([1, 2, 4]))
    assert array.tolist() == [0.5, 0.125, 0.03125]
    assert of("N^3", N=np.int64(10**8)) == 10**24, "whole numbers of numpy do not overflow"
    assert of("2^{-x}", x=np.array([1, 2])).tolist() == [0.5, 0.25]
    assert type(of("x+1", x=0.5)) is float and of(r"2^{5000}") == 2**5000


@pytest.mark.parametrize("formula, exact", [
    (r"\sqrt2x", sympy.sqrt(2)), ("ex", sympy.E), (r"2^{1/3}x", sympy.cbrt(2)), (r"x\log 10", sympy.log(10)),
    (r"x\exp(1/3)", sympy.exp(sympy.Rational(1, 3))), ("x/3", sympy.Rational(1, 3)),
    (r"x\log_37", sympy.log(7) / sympy.log(3)), (r"x\sin 1", sympy.sin(1)),
    (r"x\sum_{i=1}^3\sqrt i", 1 + sympy.sqrt(2) + sympy.sqrt(3))])
def test_a_ball_holds_the_true_value(formula, exact):
    """No float becomes a ball: its radius would leave out the error of rounding."""
    with flint.ctx.workprec(200):
        found = of(formula, x=flint.arb(1))
        digits = flint.arb(str(sympy.N(exact, 50)) + " +/- 1e-48")
        assert found.overlaps(digits) and found.rad() < flint.arb("1e-50")


def test_a_float_among_balls_is_refused():
    with pytest.raises(Unreadable, match="float 0.1 among balls"):
        of("xy", x=flint.arb(1), y=0.1)


def test_rounding_of_logarithms_has_no_error_of_rounding():
    for base, power in ((2, 60), (10, 30), (3, 50), (F(1, 2), 40)):
        for name, rounded in ((r"\lceil", math.ceil), (r"\lfloor", math.floor)):
            closing = {r"\lceil": r"\rceil", r"\lfloor": r"\rfloor"}[name]
            for shift in (-1, 0, 1):
                top = F(max(base, 1 / F(base))) ** power + shift
                wanted = power * (1 if base > 1 else -1)
                wanted += {(1, "up"): 1, (-1, "down"): -1}.get((shift * (1 if base > 1 else -1),
                                                                 "up" if rounded is math.ceil else "down"), 0)
                assert of(rf"{name}\log_dN{closing}", d=base, N=top) == wanted


def test_a_float_too_near_to_a_whole_number_is_not_rounded_where_the_values_were_exact():
    with pytest.raises(Unreadable, match="too near to a whole number"):
        of(r"\lceil\log(N)/\log(d)\rceil", N=8, d=2)
    assert of(r"\lceil3x\rceil", x=0.5) == 2 and of(r"\lfloor1/x\rfloor", x=0.1) == 10


def test_a_logarithm_near_one_and_of_large_numbers():
    assert of(r"\log(1+x)", x=F(1, 10**17)) == 1e-17
    assert of(r"\log N", N=10**1000) == pytest.approx(1000 * math.log(10))


def test_a_letter_that_is_applied_is_a_function_or_a_factor():
    f = sympy.Function("f")
    s = sympy.Symbol("s")
    assert of("f(x)^2", f=lambda t: t + 1, x=3) == 16 and of("f(s)^2", f=f, s=s) == f(s) ** 2
    assert of("f(x,y)", f=lambda t, u: t - u, x=3, y=1) == 2 and of("d(x+1)", d=s, x=1) == 2 * s
    assert of("1/f(x)", f=lambda t: t + 1, x=3) == F(1, 4)
    assert of(r"\operatorname{tr}(A)+\operatorname{tr}B", tr=lambda t: 10 * t, A=1, B=2) == 30


def test_pieces_that_are_no_arithmetic_have_given_values():
    assert of(r"\frac{\|A\|^2}{d}+\det A", {r"\|A\|": F(3), r"\det A": F(7)}, d=9) == 8
    with pytest.raises(Unreadable):
        of(r"\det A_1", {r"\det A": F(3)})


REFUSED = [r"\|A\|", r"\int_0^1x", r"a\pm b", "", "a+", "(a", r"\frac{a}", "a]", r"\sum_i i", r"\min\{a\}",
           r"\min_x a", "a^b^c", "n!!", "x^n!", "1 2", r"10\,00", "a/bc", "a/2(b)", "x^-1", r"\cdots", "a,b", "a=b",
           r"\sqrt[x]{a}", "é", "²", "a²", "9" * 2000, "(" * 100 + "a" + ")" * 100, r"\log" * 200 + "a",
           r"\frac" * 200 + "a" * 201, r"\frac{d}23", "^2", "_1", "|x", r"\mathbb", r"x\in A", r"\tbinom nk", "%",
           r"\lceil x\rfloor", "(x]", r"\log(a)^2", r"\sin^{-1}a", r"1\frac12", r"2\tfrac13a", "1e-3a", "2e5", "3E+4",
           "{a", r"\frac a\sqrt b", r"a^\frac12", "r^{plan}", r"\log{(a)}^2"]


@pytest.mark.parametrize("formula", REFUSED, ids=lambda text: text[:20])
def test_what_is_no_arithmetic_or_not_clear_is_refused_with_one_line(formula):
    with pytest.raises(Unreadable) as problem:
        read(words(formula))
    assert "\n" not in str(problem.value) and str(problem.value)


@pytest.mark.parametrize("formula", [formula for formula, _ in BY_HAND + NEARLY])
def test_braces_that_print_nothing_change_nothing(formula):
    tree = read(words(formula))
    assert read(words(f"{{{formula}}}")) == read(words(f"{{}}{formula}{{{{}}}}")) == tree


@pytest.mark.parametrize("braced, bare", [("{a+b}c", "a+bc"), (r"\log{a}^2", r"\log a^2"), ("{-a}^2", "-a^2"),
                                          (r"\sqrt[3]{a}{b}", r"\sqrt[3]{a}b"), ("{a_1}^{2}", "a_1^2")])
def test_what_is_in_silent_braces_is_read_as_it_is_printed(braced, bare):
    assert read(words(braced)) == read(words(bare))


@pytest.mark.parametrize("formula, letters", [
    (r"\sum_{i=1}^{n}\sum_{j=1}^{n}ij", {"n": 10**5}), ("n!", {"n": 10**9}), ("n!x", {"n": sympy.Integer(10**9)}),
    (r"2^{10^9}\log x", {}), ("10^{10^{10}}x", {}), (r"\binom{n}{500000000}x", {"n": 10**9}),
    (r"\sum_{i=1}^nx^i", {"n": 10**5}), (r"\sum_{i=1}^n\frac1i", {"n": 10**5}), ("(1+x)^{n}", {"n": 10**12})])
@pytest.mark.parametrize("x", [sympy.Symbol("x", positive=True), F(1, 3), 0.5, np.array([0.5]), mpmath.mpf(0.5),
                               mpmath.iv.mpf(0.5), flint.arb(0.5)], ids=lambda x: type(x).__name__)
def test_every_arithmetic_refuses_or_ends_within_two_seconds(formula, letters, x):
    began = time.process_time()
    try:
        of(formula, x=x, **letters)
    except Unreadable as problem:
        assert "\n" not in str(problem)
    assert time.process_time() - began < 4  # two seconds of a machine that does nothing else


@pytest.mark.parametrize("formula, letters, says", [
    ("a+b", {"a": 1}, "b has no value"), ("1/a", {"a": 0}, "no value there"),
    (r"\sqrt a", {"a": -1}, "negative"),
    (r"\log a", {"a": 0}, "no value there"), ("a!", {"a": F(1, 2)}, "whole number"),
    (r"\binom ab", {"a": 3, "b": -1}, "whole"),
    ("O(a)", {"a": 1}, "order of something"), ("a/b(c)", {"a": 1, "b": 2, "c": 3}, "needs a bracket"),
    ("a(b,c)", {"a": 1, "b": 2, "c": 3}, "no function"), ("10^{a}", {"a": 0.5e6}, "no value there"),
    (r"\sum_{i=1}^n i", {"n": F(1, 2)}, "a sum from"), (r"\exp(a)", {"a": 10**6}, "no value there"),
    ("1/(a-a)", {"a": sympy.Integer(2)}, "division by zero"), (r"1/x", {"x": np.array([1.0, 0.0])}, "no value there"),
    (r"\log x", {"x": np.array([1.0, -1.0])}, "no value there"), ("a+b", {"a": 1, "b": None}, "no value there"),
    (r"\sum_{i=1}^n i", {"n": 10**9}, "a sum from"),
    (r"\sum_{i=1}^n i", {"n": sympy.Symbol("n")}, "both ends are whole"),
    (r"\sum_{i=1}^n i", {"n": sympy.Symbol("n", integer=True)}, "at least the first less 1"),  # 3 at n = -3
    (r"\sum_{i=2}^n i", {"n": sympy.Symbol("n", integer=True, nonnegative=True)}, "at least the first less 1"),
    (r"\sum_{i=a}^{a+2}i", {"a": sympy.Symbol("a")}, "both ends are whole"),
    (r"\sum_{i=1}^n\frac1i", {"n": sympy.Symbol("n", integer=True, positive=True)}, "polynomials in i")])
def test_a_formula_without_a_value_says_why_in_one_line(formula, letters, says):
    with pytest.raises(Unreadable, match=says) as problem:
        of(formula, **letters)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("order", [("x", "x y"), ("x y", "x")])
def test_the_longest_piece_is_looked_for_first(order):
    """Whatever the order in which pieces are given: "x y" is one part, not a product."""
    assert of("2x y", {piece: {"x": 3, "x y": 5}[piece] for piece in order}, y=7) == 10
    assert of("2x+x y", {piece: {"x": 3, "x y": 5}[piece] for piece in order}, y=7) == 11


def test_a_sum_of_powers_up_to_a_letter_is_a_polynomial():
    n = sympy.Symbol("n", integer=True, positive=True)
    assert sympy.expand(of(r"\sum_{k=1}^nk^2", n=n) - n * (n + 1) * (2 * n + 1) / 6) == 0
    assert all(of(r"\sum_{k=2}^{n+1}(ck-1)", c=c, n=n).subs(n, 4) == 14 * c - 4 for c in (F(1, 2), 3, -1))
