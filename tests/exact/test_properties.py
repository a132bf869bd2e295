"""Random inequalities and identities: what a prover accepts holds at random points, computed with many digits.

Half of the inequalities are built to be true or nearly so (a sum of what cannot be negative, or a little less),
because a random one is refused at once and tests nothing. Each test counts how often the prover said yes.
"""

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from derl.exact import compared, directed, symbolic
from derl.exact.logarithms import enclosure, sign_of_log_sum
from derl.exact.matrices import positive_definite
from derl.exact.points import points, value_at
from derl.inputs import Invalid

x, y = sympy.symbols("x y", nonnegative=True)
p = sympy.Symbol("p", positive=True)
m = sympy.Symbol("m", negative=True)
r = sympy.Symbol("r", real=True)
DIGITS = 60
SURE = mpmath.mpf(10)**-30  # what the rounding of a value with 60 digits stays far below
COORDINATES = [F(0), F(1, 10**6), F(1, 7), F(1, 2), F(9, 10), F(1), F(11, 10), F(2), F(5), F(30), F(10**5)]
TIMES = [pytest.param(25, id="few"), pytest.param(200, id="many", marks=pytest.mark.slow)]

ratio = some.builds(sympy.Rational, some.integers(-6, 12), some.integers(1, 5))
above = some.builds(sympy.Rational, some.integers(0, 9), some.integers(1, 5))
tiny = some.sampled_from([0, 0, sympy.Rational(1, 1000), sympy.Rational(1, 10**9), 1])
coordinate = some.sampled_from(COORDINATES)


def repeated(count, *strategies):
    """Run a function with so many examples, always the same ones."""
    def decorate(function):
        settings(max_examples=count, deadline=None, derandomize=True, database=None,
                 suppress_health_check=list(HealthCheck))(given(*strategies)(function))()
    return decorate


def number(expression, point) -> mpmath.mpf | None:
    """The value with 60 digits, or None where there is no real one."""
    value = sympy.sympify(expression).subs({symbol: sympy.Rational(c.numerator, c.denominator)
                                            for symbol, c in point.items()}, simultaneous=True)
    if value.has(sympy.nan, sympy.zoo, sympy.oo) or value.free_symbols:
        return None
    with mpmath.workdps(DIGITS):
        value = sympy.N(value, DIGITS, maxn=400)
        return mpmath.mpf(str(value)) if value.is_Float or value.is_Rational else None


def polynomials(coefficients, *symbols):
    term = some.builds(lambda c, *powers: c * sympy.prod(s**k for s, k in zip(symbols, powers, strict=True)),
                       coefficients, *[some.integers(0, 3) for _ in symbols])
    return some.lists(term, min_size=1, max_size=4).map(sum).map(sympy.sympify)


def functions(depth: bool):
    """Functions of x and y: polynomials, quotients, and with `depth` logarithms, roots, exponentials and cases."""
    grows = polynomials(above, x, y)
    plain = [polynomials(ratio, x, y), grows, some.builds(lambda a, b: a / (1 + b), polynomials(ratio, x, y), grows),
             some.builds(lambda a, b: a / (b - 1), grows, grows).filter(lambda f: not f.has(sympy.zoo, sympy.nan)),
             some.builds(lambda a, k: (1 + a)**k, grows, some.integers(-2, 2))]
    if depth:
        plain += [some.builds(lambda a: sympy.log(1 + a), grows), some.builds(lambda a: -sympy.log(1 + a), grows),
                  some.builds(lambda a: sympy.sqrt(1 + a), grows),
                  some.builds(lambda a, b: b * sympy.exp(-a), grows, grows),
                  some.builds(lambda a: a * sympy.log(1 + x), polynomials(ratio, x, y)),
                  some.builds(lambda a, c: sympy.Piecewise((a, x < 1), (a - c, True)), grows, above),
                  some.builds(lambda a: sympy.Abs(a), polynomials(ratio, x)), grows.map(sympy.floor),
                  some.just(sympy.atan(2 * x / (1 - x**2))), some.just(sympy.sqrt((1 - x)**2)),
                  some.just(x - sympy.log(1 + x)), some.just(sympy.log(1 + x) - x / (1 + x)),
                  some.just((2 + x) * sympy.log(1 + x) - 2 * x)]
    return some.one_of(plain)


@pytest.mark.parametrize("count", TIMES)
@pytest.mark.parametrize("prover, strict", [(symbolic.at_least, False), (symbolic.exceeds, True)])
def test_coefficients_of_one_sign(count, prover, strict):
    said_yes = []

    @repeated(count, functions(True), functions(False), polynomials(above, x, y), tiny, tiny, some.integers(0, 3),
              some.lists(some.tuples(coordinate, coordinate), min_size=6, max_size=6))
    def inequality(left, right, more, less, least, near, places):
        left = right + (least + more) / (1 + int(near > 1) * right**2) - less * x if near else left
        if prover(left, right, x, y):
            said_yes.append(1)
            for place in places:
                gap = number(left - right, dict(zip((x, y), place, strict=True)))
                assert gap is None or gap >= -SURE and not (strict and gap == 0)
    assert len(said_yes) >= count // 12


@pytest.mark.parametrize("count", TIMES)
def test_derivatives(count):
    said_yes = []

    @repeated(count, functions(True), polynomials(above, x, y), tiny, tiny, some.booleans(), some.integers(0, 2),
              some.integers(0, 3), some.lists(some.tuples(coordinate, coordinate), min_size=8, max_size=8))
    def inequality(function, more, less, lower, near, start, depth, places):
        if near:
            function = function.subs(x, x - start) - function.subs(x, 0) + more - less * x - lower
        try:
            if not symbolic.nonnegative_from(function, x, start, y, depth=depth):
                return
        except NotImplementedError:  # sympy does not differentiate all of them
            return
        said_yes.append(1)
        for one, other in places:
            value = number(function, {x: start + one, y: other})
            assert value is None or value >= -SURE
    assert len(said_yes) >= count // 12


@pytest.mark.parametrize("count", TIMES)
def test_assumed_signs(count):
    said_yes = []
    symbols = (x, p, m, r)
    places = some.tuples(coordinate, coordinate.filter(bool), coordinate.filter(bool), coordinate, some.booleans())

    @repeated(count, polynomials(some.sampled_from([0, 1, 1, 2, -1]), *symbols), polynomials(above, p, x), tiny,
              some.sampled_from([1, r**2, -m, 1 / p, sympy.Abs(r), sympy.exp(r)]),
              some.lists(places, min_size=5, max_size=5))
    def inequality(left, right, less, factor, places):
        left = factor * left + right - less
        for prover, strict in ((symbolic.by_sign, True), (symbolic.by_sign_at_least, False)):
            if not prover(left, right):
                continue
            said_yes.append(1)
            for a, b, c, d, minus in places:
                gap = number(left - right, {x: a, p: b, m: -c, r: -d if minus else d})
                assert gap >= -SURE and not (strict and gap == 0)
    assert len(said_yes) >= count // 12


@pytest.mark.parametrize("count", TIMES)
@pytest.mark.parametrize("prover", [symbolic.equal, symbolic.same_operator, symbolic.same_fraction])
def test_identities(count, prover):
    said_yes = []
    written = some.sampled_from([sympy.expand, sympy.factor, sympy.together, sympy.apart, lambda f: f])

    @repeated(count, functions(True), functions(False), written, tiny, ratio,
              some.lists(some.tuples(coordinate, coordinate), min_size=6, max_size=6))
    def identity(one, other, rewrite, less, factor, places):
        left = (one + factor * other)**2
        try:
            right = rewrite(other**2 * factor**2 + 2 * factor * one * other + one**2) + less * x * other
        except (NotImplementedError, sympy.PolynomialError):  # no partial fractions of this one
            return
        if prover(left, right):
            said_yes.append(1)
            for place in places:
                values = [number(side, dict(zip((x, y), place, strict=True))) for side in (left, right)]
                if None not in values:
                    assert abs(values[0] - values[1]) <= SURE * (1 + abs(values[0]))
    assert len(said_yes) >= count // 12


@pytest.mark.parametrize("count", TIMES)
def test_numbers_with_logarithms(count):
    said_yes = []
    whole = some.integers(1, 40)

    @repeated(count, some.lists(some.tuples(above, whole, some.integers(1, 2)), max_size=3), ratio,
              some.integers(-1, 1), some.sampled_from([2, 8, 96]))
    def inequality(terms, constant, side, bits):
        value = sum((c * sympy.log(k)**e for c, k, e in terms), sympy.Integer(0))
        bound = sympy.Rational(str(sympy.N(value, 25))) + side * sympy.Rational(1, 10**12) if side else constant
        for pair in ((value, bound), (bound, value)):
            try:
                shown = symbolic.below(*pair, bits=bits)
            except Invalid:  # log(4) is 2 log(2), so that a square may have lost its monotone form
                continue
            if shown:
                said_yes.append(1)
                assert sympy.N(pair[1] - pair[0], 40) > 0
    assert len(said_yes) >= count // 4


@pytest.mark.parametrize("count", TIMES)
def test_signs_of_sums_of_logarithms(count):
    quotient = some.builds(F, some.integers(1, 60), some.integers(1, 60))

    @repeated(count, some.lists(some.tuples(some.integers(-9, 9), quotient), max_size=4), some.booleans(),
              some.integers(1, 99))
    def sums(terms, balanced, bits):
        if balanced:  # exactly zero, in another form
            terms = terms + [(-1, q**c) for c, q in terms]
        product = F(1)
        for c, q in terms:
            product *= q**c
        assert sign_of_log_sum(terms) == (product > 1) - (product < 1)
        low, high = enclosure(product, bits)
        assert low <= high and (product == 1 or (high > 0 if product > 1 else low < 0))
        low, high = directed.total([(c, directed.logarithm(q)) for c, q in terms])
        assert (low <= 0 or product > 1) and (high >= 0 or product < 1)


@pytest.mark.parametrize("count", TIMES)
def test_comparisons_of_fractions(count):
    top, bottom = some.integers(-30, 30), some.integers(1, 30)

    @repeated(count, top, bottom, top, bottom)
    def comparison(a, b, c, d):
        one, other = F(a, b), F(c, d)
        assert bool(compared.at_most(one, other)) == (a * d <= c * b)
        assert bool(compared.less_than(one, other)) == (a * d < c * b)
        assert bool(compared.exactly(one, other)) == (a * d == c * b)
        assert bool(compared.every(compared.at_most(one, other), compared.at_most(other, one))) == (a * d == c * b)
        for found in (compared.at_most(one, other), compared.less_than(one, other), compared.exactly(one, other)):
            if found:
                miss = found.near_miss()
                assert miss.rejected and (miss.factor is None or miss.factor > 0)


@pytest.mark.parametrize("count", TIMES)
def test_positive_definite_is_what_the_minors_say(count):
    @repeated(count, some.integers(1, 4), some.lists(some.integers(-4, 6), min_size=16, max_size=16),
              some.integers(0, 9))
    def matrix(d, entries, shift):
        rows = np.array(entries, dtype=object).reshape(4, 4)[:d, :d]
        for symmetric in (rows + rows.T + shift * np.eye(d, dtype=int), rows @ rows.T):
            symmetric = np.vectorize(F, otypes=[object])(symmetric)
            minors = [sympy.Matrix(symmetric[:k, :k].astype(int)).det() for k in range(1, d + 1)]
            assert positive_definite(symmetric) == all(minor > 0 for minor in minors)


@pytest.mark.parametrize("count", TIMES)
def test_the_point_of_a_witness_is_in_the_range_and_false(count):
    u, n = sympy.Symbol("u"), sympy.Symbol("n", integer=True)
    named = []

    @repeated(count, polynomials(ratio, u, n), polynomials(ratio, u, n), some.booleans())
    def inequality(left, right, all_of_them):
        variables = (u, n) if all_of_them else (u,)
        decided = symbolic.at_least(left, right, *variables)
        for point in points(decided.left, decided.right, nonnegative=variables):
            assert all(point[symbol] >= 0 for symbol in variables if symbol in point)
            assert point.get(n, sympy.Integer(0)).is_integer
            value = value_at(decided.left, point)
            assert value is None or value == decided.left.subs(point)
        if witness := decided.witness():
            named.append(1)
            assert not decided
            point = {{"u": u, "n": n}[pair.split(" = ")[0]]: sympy.Rational(pair.split(" = ")[1])
                     for pair in witness.rpartition(": ")[0].split(", ") if " = " in pair}
            assert (left - right).subs(point) < 0 and all(point[s] >= 0 for s in variables if s in point)
        elif decided and (miss := decided.near_miss()) is not None:
            assert miss.rejected
    assert len(named) >= count // 4
