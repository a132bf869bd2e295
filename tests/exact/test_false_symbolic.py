"""False statements that each symbolic prover has to refuse, one for each way in which its argument could be cut short.

A row is: what is false in it, the statement, and a point at which it fails. The first test evaluates both sides there,
so that a row is not true by mistake; where no number says that it is false (matrices, 0/0), the point is None.
"""

import pytest
import sympy
from sympy import Abs, Float, I, Piecewise, atan, ceiling, cos, exp, floor, log, oo, pi, sign, sin, sqrt
from sympy import Rational as R

from derl.exact import symbolic
from derl.inputs import Invalid

x, y = sympy.symbols("x y", nonnegative=True)
p, q = sympy.symbols("p q", positive=True)
m = sympy.Symbol("m", negative=True)
n = sympy.Symbol("n", integer=True)
u, v = sympy.symbols("u v")
r, s = sympy.symbols("r s", real=True)
A, B = sympy.symbols("A B", commutative=False)
f = sympy.Function("f")

AT_LEAST = [  # left >= right for all x, y >= 0
    ("the value at the start", x, 1, {x: 0}),
    ("a small value at the start", x**2 + x, R(1, 10**30), {x: 0}),
    ("no variable, a false number", 0, 1, {}),
    ("the limit at infinity", 1000, x, {x: 2000}),
    ("the limit at infinity of a quotient", 1000 / (1 + x), R(1, 1000), {x: 10**7}),
    ("a larger slope on the right", 1 + x, 1 + R(1001, 1000) * x, {x: 1}),
    ("a higher power on the right", 1 + x**2, x**3, {x: 10}),
    ("a lower power on the right", x**3, x, {x: R(1, 2)}),
    ("a dip inside", x**2 + 2, 3 * x, {x: R(3, 2)}),
    ("a narrow dip inside", (x - 1)**2, R(1, 10**6), {x: 1}),
    ("a mixed term", x**2 + y**2, 3 * x * y, {x: 1, y: 1}),
    ("a product of two factors that change sign", (x - 1) * (y - 1), 0, {x: 2, y: 0}),
    ("a denominator that is negative before a pole", 1 / (x - 2), 0, {x: 1}),
    ("a denominator that is negative behind a pole", 1 / (2 - x), 0, {x: 3}),
    ("a negative denominator without a zero", (1 + x) / (-2 - x), 0, {x: 1}),
    ("a negative numerator without a zero", (-1 - x) / (1 + x * y), 0, {x: 1, y: 1}),
    ("a numerator that changes sign", (1 - x) / (1 + x), 0, {x: 2}),
    ("a common factor hides the sign", (x**2 - 1) / (x + 1), 0, {x: 0}),
    ("the sides are exchanged", x / (1 + x), x, {x: 1}),
    ("the sides of a square are exchanged", (1 + x)**2, 1 + 2 * x + 2 * x**2, {x: 1}),
    ("a symbol that may be negative", u * x, 0, {u: -1, x: 1}),
    ("a coefficient that is a negative root", (1 - sqrt(2)) * x, 0, {x: 1}),
    ("a coefficient that is a negative logarithm", log(R(1, 2)) * x, 0, {x: 1}),
    ("a logarithm of the variable", log(x), 0, {x: R(1, 2)}),
    ("an exponential of the variable", exp(-x), 1, {x: 1}),
    ("a variable as an exponent", x**y, 1, {x: R(1, 2), y: 1}),
    ("a root of the variable", sqrt(x), x, {x: 4}),
    ("an absolute value", Abs(x - 1), 1, {x: 1}),
    ("a wave", sin(x), 0, {x: 4}),
    ("a power that is too large for the ring", x**401, x, {x: R(1, 2)}),
    ("an imaginary number", I * x, 0, None),
    ("rounded numbers", Float(0.5) + x, R(1, 4), None),
    ("matrices do not commute", A * B, B * A, None),
    ("0/0", sympy.nan, 0, None),
]
EXCEEDS = [(way, *rest) for way, *rest in AT_LEAST] + [  # and those that touch
    ("equal at the start", x, 0, {x: 0}),
    ("equal at the start, to second order", x**2 + x * y, 0, {x: 0, y: 0}),
    ("equal everywhere", 1 + x, 1 + x, {x: 3}),
    ("equal numbers", 1, 1, {}),
    ("equal where one of two variables is 0", x * y + x, 0, {x: 0, y: 5}),
    ("equal where both are 0", x + y, 0, {x: 0, y: 0}),
    ("a quotient that is 0 at the start", x / (1 + y), 0, {x: 0, y: 1}),
    ("the right side reaches the left one", 1 + x, 1 + x / (1 + x), {x: 0}),
]
SIGNS = [  # left > right for all values that are assumed of the symbols
    ("a number that may be 0", x, 0, {x: 0}),
    ("a number that may be negative", r, 0, {r: -1}),
    ("no assumption at all", u, 0, {u: -1}),
    ("a product with one factor of no sign", p * r, 0, {p: 1, r: -1}),
    ("a product with one factor that may be 0", p * x, 0, {p: 1, x: 0}),
    ("a sum with a negative number", p - 1, 0, {p: R(1, 2)}),
    ("a sum with a negative symbol", p + m, 0, {p: 1, m: -2}),
    ("a difference of positive numbers", p, q, {p: 1, q: 2}),
    ("a square that may be 0", r**2, 0, {r: 0}),
    ("a square with a dip", r**2 - 2 * r, 0, {r: 1}),
    ("a complete square that is 0 once", r**2 - 2 * r + 1, 0, {r: 1}),
    ("an odd power", r**3, 0, {r: -1}),
    ("an even power of a negative symbol, exchanged", -m**2, 0, {m: -1}),
    ("a negative symbol", m, 0, {m: -1}),
    ("an inverse of a negative symbol", 1 / m, 0, {m: -1}),
    ("the sides are exchanged", p, p + q, {p: 1, q: 1}),
    ("the sides are equal", p, p, {p: 1}),
    ("the logarithm of a positive number", log(p), 0, {p: R(1, 2)}),
    ("an absolute value that may be 0", Abs(r), 0, {r: 0}),
    ("a whole number that may be 0", n**2, 0, {n: 0}),
    ("a floor of a positive number", floor(p), 0, {p: R(1, 2)}),
    ("a wave", sin(p), 0, {p: 4}),
    ("an exponential below 1", exp(-p), 1, {p: 1}),
    ("a root below its square", sqrt(p), p, {p: 4}),
    ("a false number", sqrt(2), R(3, 2), {}),
    ("rounded numbers", Float(0.1) * 3, R(3, 10), None),
]
SIGNS_AT_LEAST = [row for row in SIGNS if row[0] not in {
    "a number that may be 0", "a product with one factor that may be 0", "a square that may be 0",
    "a complete square that is 0 once", "the sides are equal", "an absolute value that may be 0",
    "a whole number that may be 0", "a floor of a positive number"}] + [
    ("a floor of a negative number", floor(m) + 1, 0, {m: -2}),
    ("a ceiling, exchanged", p, ceiling(p), {p: R(1, 2)}),
    ("a whole number", n, 0, {n: -1})]
FROM = [  # function of x from the start on, the start, the others, a point
    ("the value at the start", x - 1, 0, (), {x: 0}),
    ("the value at the start, which nothing decides at once", x - log(1 + x) + log(2) - log(3), 0, (), {x: 0}),
    ("the value at the start is a difference of symbols", p - q + x - log(1 + x), 0, (), {p: 1, q: 2, x: 0}),
    ("the value at the start is a small negative number", x - log(1 + x) - R(1, 10**30), 0, (), {x: 0}),
    ("the value at the start depends on another variable", x - log(1 + x) + y - 1, 0, (y,), {x: 0, y: 0}),
    ("the value at the start of the slope", x**2 - log(1 + x), 0, (), {x: R(1, 2)}),
    ("the value at the start of the second slope", exp(x) - 1 - x - x**2, 0, (), {x: 1}),
    ("the slope", log(1 + x) - x, 0, (), {x: 1}),
    ("the slope in the end", 3 * x - x * log(1 + x), 0, (), {x: 100}),
    ("the slope at infinity", log(1 + x) - x / 100, 0, (), {x: 10**4}),
    ("the limit at infinity", 1000 - log(1 + x) - x, 0, (), {x: 2000}),
    ("a factor slightly too large", x - R(1001, 1000) * log(1 + x), 0, (), {x: R(1, 10**4)}),
    ("the start lies too far to the left", x * log(x) - x + R(1, 2), R(1, 2), (), {x: R(9, 10)}),
    ("the start of a tangent from the wrong point", log(x) - 1 + 1 / x, 1, (), None),
    ("the tangent, exchanged", log(x) - x + 1, 1, (), {x: 2}),
    ("the lower tangent, exchanged", x / (1 + x) - log(1 + x), 0, (), {x: 1}),
    ("an order of growth", 10 + log(1 + x)**2 - x, 0, (), {x: 100}),
    ("another variable that may be larger", x - log(1 + x) - x * y, 0, (y,), {x: 1, y: 2}),
    ("a symbol whose sign nothing says", u * x, 0, (), {u: -1, x: 1}),
    ("a jump", Piecewise((0, x < 1), (-1, True)), 0, (), {x: 2}),
    ("a jump between two rising pieces", Piecewise((x, x < 1), (x - 3, True)), 0, (), {x: 2}),
    ("a branch of the arc tangent", atan(2 * x / (1 - x**2)), 0, (), {x: 2}),
    ("a sign", sign(1 - x), 0, (), {x: 2}),
    ("a floor", x - floor(x) - x / 2, 0, (), {x: 3}),
    ("a ceiling", x - ceiling(x), 0, (), {x: R(1, 2)}),
    ("a pole", 1 / (1 - x), 0, (), {x: 2}),
    ("a pole between two rising pieces", 1 / (1 - x)**3, 0, (), {x: 2}),
    ("the argument of a logarithm turns negative", log((1 + x) / (1 - x)**3), 0, (), None),
    ("an absolute value", 1 - Abs(1 - x), 0, (), {x: 3}),
    ("a wave", sin(x), 0, (), {x: 4}),
    ("a wave that starts flat", cos(x), 0, (), {x: 3}),
    ("a wave on a slope", x / 2 + sin(x) - 1, 0, (), {x: 0}),
    ("no value at the start", x * log(x), 0, (), {x: R(1, 2)}),
    ("infinite at the start", -log(x), 0, (), {x: 2}),
    ("a root", sqrt(x) - x, 0, (), {x: 4}),
    ("one derivative too few", exp(x) - 1 - x - x**2 / 2 - x**3 / 5, 0, (), {x: R(1, 2)}),
]
EQUAL = [  # left = right for all values of the symbols
    ("a constant", u + 1, u + 2, {u: 0}),
    ("a tiny constant", u, u + R(1, 10**40), {u: 0}),
    ("a factor", 2 * u, 3 * u, {u: 1}),
    ("a sign", (u - v)**2, u**2 + 2 * u * v + v**2, {u: 1, v: 1}),
    ("an exponent", u**3, u**4, {u: 2}),
    ("a mixed term", (u + v)**2, u**2 + v**2, {u: 1, v: 1}),
    ("equal at 0 only", u, 2 * u, {u: 1}),
    ("equal at 0 and 1", u, u**2, {u: 2}),
    ("equal at all points that are tried first", u * (u - 1), 0, {u: 2}),
    ("equal for one sign", sqrt(r**2), r, {r: -1}),
    ("equal for positive numbers", log(r**2), 2 * log(r), {r: -1}),
    ("a root of a square", sqrt(u**2), u, {u: -1}),
    ("a power of a power", (u**2)**R(1, 2), u, {u: -2}),
    ("the inverse of a wave", sympy.acos(cos(r)), r, {r: -1}),
    ("the inverse of a tangent", atan(sympy.tan(r)), r, {r: 2}),
    ("a branch of the arc tangent", atan(2 * r / (1 - r**2)), 2 * atan(r), {r: 2}),
    ("the logarithm of a sum", log(1 + p), log(p), {p: 1}),
    ("the exponential of a sum", exp(p + q), exp(p) + exp(q), {p: 1, q: 1}),
    ("a floor", floor(2 * p), 2 * floor(p), {p: R(1, 2)}),
    ("a ceiling", ceiling(p), floor(p) + 1, {p: 1}),
    ("an inverse", 1 / (u + v), 1 / u + 1 / v, {u: 1, v: 1}),
    ("a quotient", u / (1 + u), 1 - u / (1 + u), {u: 2}),
    ("numbers whose first digits agree", sqrt(2) + R(1, 10**40), sqrt(2), {}),
    ("roots", sqrt(2) + sqrt(3), sqrt(5), {}),
    ("logarithms", log(2) + log(3), log(5), {}),
    ("another symbol", u, v, {u: 1, v: 2}),
    ("a limit for the value", oo, 10**9, None),
    ("matrices do not commute", A * B, B * A, None),
    ("a square of matrices", (A + B)**2, A**2 + 2 * A * B + B**2, None),
    ("rounded numbers", Float(0.5) * u, u / 2, None),
    ("0/0", sympy.nan, sympy.nan, None),
    ("an unknown function", f(u), f(v), None),
]
OPERATOR = EQUAL + [
    ("the order of three factors", A * B * A, A * A * B, None),
    ("the binomial of a commutator", (A + B) * (A - B), A**2 - B**2, None),
    ("an inverse that is moved through", A**-1 * B * A, B, None),
    ("the inverse of a product", (A * B)**-1, A**-1 * B**-1, None)]
BELOW = [  # value < bound, numbers
    ("equal numbers", 1, 1),
    ("equal logarithms", log(2), log(2)),
    ("equal logarithms, written apart", log(9), 2 * log(3)),
    ("equal logarithms, the other way", 2 * log(3), log(9)),
    ("exchanged", R(7, 10), log(2)),
    ("exchanged logarithms", log(3), log(2)),
    ("a bound one digit too small", log(2), R(6931471, 10**7)),
    ("a bound 2^-90 too small", log(2), R(381767435783434091, 550774670141706617) - R(1, 2**90)),
    ("a factor", 2 * log(2), log(3)),
    ("a square", log(8)**2, 4),
    ("a constant that is added", log(2) + 1, R(169, 100)),
    ("a constant that is added to the bound", R(169, 100) + R(1, 100), log(2) + 1),
    ("a product of two logarithms", log(3) * log(5), R(17, 10)),
    ("a product of two logarithms, exchanged", R(18, 10), log(3) * log(5)),
    ("a sum that is an integer's logarithm", log(2) + log(3), log(6)),
    ("a large number", log(10**100), 230),
    ("a large number, exchanged", 231, log(10**100)),
    ("close to 1", log(R(10**20 + 1, 10**20)), R(9, 10**21)),
    ("close to 1, exchanged", R(11, 10**21), log(R(10**20 + 1, 10**20))),
    ("the logarithm of 1", 0, log(1)),
    ("negative numbers", -1, -2),
    ("powers", 2**60, 3**37),
    ("a sum and a constant", log(7) + 3 * log(2), 4),
]


def _value(side, point):
    return sympy.sympify(side).subs(point)


@pytest.mark.parametrize("relation, rows", [
    (">=", AT_LEAST), (">", EXCEEDS), (">", SIGNS), (">=", SIGNS_AT_LEAST), ("=", EQUAL), ("=", OPERATOR),
    (">=", [(way, function, 0, point) for way, function, _, _, point in FROM]),
    ("<", [(*row, {}) for row in BELOW])])
def test_the_rows_are_false_at_their_points(relation, rows):
    assert len(rows) >= 20 and len({row[0] for row in rows}) == len(rows)
    for way, left, right, point in rows:
        if point is None:
            continue
        gap = sympy.N(_value(left, point) - _value(right, point), 60, maxn=500)
        if relation == "=":
            assert gap != 0, way
        else:
            wrong = -gap if relation.startswith(">") else gap
            assert wrong.is_real and (wrong > 0 if relation == ">=" else wrong > -R(1, 10**55)), way
            if relation in "<>" and abs(wrong) <= R(1, 10**55):
                gap = sympy.expand_log(_value(left, point) - _value(right, point), force=True)
                assert sympy.simplify(gap) == 0, way


def refused(prover, *arguments) -> bool:
    """Whether a prover answers no, or says that the question is none of its own."""
    try:
        return not prover(*arguments)
    except Invalid:
        return True


@pytest.mark.parametrize("way, left, right, point", AT_LEAST, ids=[row[0] for row in AT_LEAST])
def test_at_least(way, left, right, point):
    variables = (A, B) if "matrices" in way else (x, y)
    assert refused(symbolic.at_least, left, right, *variables)
    assert refused(symbolic.nonnegative, sympy.sympify(left) - right, *variables)


@pytest.mark.parametrize("way, left, right, point", EXCEEDS, ids=[row[0] for row in EXCEEDS])
def test_exceeds(way, left, right, point):
    variables = (A, B) if "matrices" in way else (x, y)
    assert refused(symbolic.exceeds, left, right, *variables)
    assert refused(symbolic.positive, sympy.sympify(left) - right, *variables)


@pytest.mark.parametrize("way, left, right, point", SIGNS, ids=[row[0] for row in SIGNS])
def test_by_sign(way, left, right, point):
    assert not symbolic.by_sign(left, right)


@pytest.mark.parametrize("way, left, right, point", SIGNS_AT_LEAST, ids=[row[0] for row in SIGNS_AT_LEAST])
def test_by_sign_at_least(way, left, right, point):
    assert not symbolic.by_sign_at_least(left, right)


@pytest.mark.parametrize("depth", [0, 1, 5])
@pytest.mark.parametrize("way, function, start, others, point", FROM, ids=[row[0] for row in FROM])
def test_nonnegative_from(way, function, start, others, point, depth):
    if way == "the start of a tangent from the wrong point":  # true from 1 on, false from 1/2 on as a slope
        function, start = sympy.diff(function, x), R(1, 2)
    assert not symbolic.nonnegative_from(function, x, start, *others, depth=depth)


@pytest.mark.parametrize("way, left, right, point", EQUAL, ids=[row[0] for row in EQUAL])
def test_equal(way, left, right, point):
    assert not symbolic.equal(left, right) and not symbolic.equal(right, left)


@pytest.mark.parametrize("way, left, right, point", OPERATOR, ids=[row[0] for row in OPERATOR])
def test_same_operator(way, left, right, point):
    assert not symbolic.same_operator(left, right) and not symbolic.same_operator(right, left)


@pytest.mark.parametrize("way, left, right, point", EQUAL, ids=[row[0] for row in EQUAL])
def test_same_fraction(way, left, right, point):
    assert refused(symbolic.same_fraction, left, right) and refused(symbolic.same_fraction, right, left)


@pytest.mark.parametrize("bits", [4, 16, 96])
@pytest.mark.parametrize("way, value, bound", BELOW, ids=[row[0] for row in BELOW])
def test_below(way, value, bound, bits):
    assert not symbolic.below(value, bound, bits=bits)


@pytest.mark.parametrize("value, bound", [
    (1 / log(2), R(144, 100)), (1 / (1 + log(2)), R(1, 2)), (log(2) / log(3), R(6, 10)), (-log(2), -1),
    (log(R(1, 2)), -1), (log(R(1, 2))**2, R(4, 10)), (sqrt(2), 1), (sqrt(log(3)), 1), (log(log(3)), 0), (log(pi), 1),
    (pi, 3),
    (x, x), (log(1 + x), x), (exp(log(2)**2), 1), (sqrt(2) * log(2), R(9, 10)), (sympy.nan, 1), (Float(1), 1),
    (log(0), 1)], ids=str)
@pytest.mark.parametrize("bits", [4, 96])
def test_below_refuses_what_is_no_growing_polynomial_in_logarithms(value, bound, bits):
    for sides in ((value, bound), (bound, value)):
        assert refused(symbolic.below, *sides, bits) or sympy.N(sides[0] - sides[1]) < 0


@pytest.mark.parametrize("question", [
    lambda: symbolic.at_least(sqrt(m**2), 0, m), lambda: symbolic.exceeds(1 - m, 0, m),
    lambda: symbolic.nonnegative(-m, m), lambda: symbolic.positive(1 - m, m),
    lambda: symbolic.nonnegative_from(x - sqrt(x**2), x, -1),
    lambda: symbolic.nonnegative_from(1 + x - sqrt(x**2), x, r), lambda: symbolic.nonnegative_from(x - m, x, 0, m),
    lambda: symbolic.at_least(A**2, 0, A)])
def test_what_is_assumed_of_a_symbol_does_not_leave_its_range(question):
    with pytest.raises(Invalid, match="assumed"):
        question()


@pytest.mark.parametrize("true", [
    lambda: symbolic.at_least((1 + x)**2, 1 + 2 * x, x), lambda: symbolic.at_least(-x / (-1 - y), 0, x, y),
    lambda: symbolic.at_least(x**401 + x, x, x), lambda: symbolic.at_least(u**2 + u, u**2, u),
    lambda: symbolic.exceeds(2 + x, 1 - x / (1 + x), x), lambda: symbolic.exceeds(-1 - x, -2 - 3 * x, x),
    lambda: symbolic.exceeds((1 + x + x**401) / (1 + y), 0, x, y),
    lambda: symbolic.by_sign(p, m), lambda: symbolic.by_sign(1 / p + r**2), lambda: symbolic.by_sign(p**2 + p, p**2),
    lambda: symbolic.by_sign_at_least(r**2), lambda: symbolic.by_sign_at_least(r**2 + 1, 2 * r),
    lambda: symbolic.nonnegative_from(x - log(1 + x), x, 0),
    lambda: symbolic.nonnegative_from(x * log(x) - x + 1, x, 1),
    lambda: symbolic.nonnegative_from(x * (1 + y) - log(1 + x), x, 0, y),
    lambda: symbolic.nonnegative_from((1 + x) * log(1 + x) - x, x, 0, depth=2),
    lambda: symbolic.nonnegative_from((2 + x) * log(1 + x) - 2 * x, x, 0, depth=2),
    lambda: symbolic.equal(r**2, Abs(r)**2), lambda: symbolic.equal(log(p * q), log(p) + log(q)),
    lambda: symbolic.equal(sqrt(p**2), p), lambda: symbolic.equal(sin(u)**2 + cos(u)**2, 1),
    lambda: symbolic.same_operator((A + B) * (A - B), A**2 - A * B + B * A - B**2),
    lambda: symbolic.same_fraction((u**2 - 1) / (u - 1), u + 1),
    lambda: symbolic.same_fraction(u * sqrt(2) / u, sqrt(2)),
    lambda: symbolic.below(log(2), R(6931472, 10**7)), lambda: symbolic.below(R(6931471, 10**7), log(2)),
    lambda: symbolic.below(-2, -1), lambda: symbolic.below(log(3) * log(5) + 1, R(277, 100))])
def test_true_neighbours_are_proved(true):
    assert true()


def test_depth_is_a_bound_on_the_derivatives():
    cubic = exp(x) - 1 - x - x**2 / 2  # its third derivative is the first one whose sign shows
    assert not symbolic.nonnegative_from(x - log(1 + x), x, 0, depth=0)
    assert symbolic.nonnegative_from(x - log(1 + x), x, 0, depth=1)
    assert not symbolic.nonnegative_from(cubic, x, 0, depth=2)
