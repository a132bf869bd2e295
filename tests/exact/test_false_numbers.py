"""False statements about numbers, lists and matrices that the comparisons without symbols have to refuse.

The truth is known from integers, from mpmath with many more digits, or by hand.
"""

from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational as R

from derl.exact import directed
from derl.exact.compared import at_most, bookkeeping, every, exactly, less_than
from derl.exact.logarithms import coprime_base, enclosure, sign_of_log_sum
from derl.exact.matrices import InvalidMatrix, inverse, positive_definite, ridge
from derl.inputs import Invalid

NO = exactly(1, 2)
YES = exactly(1, 1)
TINY = F(1, 10**40)

EXACTLY = [
    ("a number", 1, 2), ("a sign", 1, -1), ("a tiny difference", F(1, 3), F(1, 3) + TINY),
    ("0 and a tiny number", 0, TINY),
    ("an inverse", F(2, 3), F(3, 2)), ("a root", sympy.sqrt(2), R(141421356, 10**8)),
    ("a list that is shorter", [1, 2], [1]), ("an empty list", [1], []), ("the order", [1, 2], [2, 1]),
    ("the last entry", [1, 2, 3], [1, 2, 4]), ("a list and a tuple", [1], (1,)), ("a number and its list", 1, [1]),
    ("an entry deep inside", [[1, [2]]], [[1, [3]]]), ("a set with one more", {1, 2}, {1, 2, 3}),
    ("a key", {"a": 1}, {"b": 1}), ("a value", {"a": 1}, {"a": 2}), ("text", "a", "b"), ("a truth value", True, False),
    ("the shape of an array", np.array([1, 2]), np.array([[1, 2]])), ("an entry of an array", np.array([1, 2]), [1, 3]),
    ("an array of another size", np.array([1, 1]), np.array([1])), ("an array and a number", np.array([1, 1]), 1),
    ("infinity", sympy.oo, 10**300), ("opposite infinities", float("inf"), -float("inf")), ("nothing", None, 0),
    ("large numbers", 10**30, 10**30 + 1)]
AT_MOST = [
    ("integers", 2, 1), ("negative numbers", -1, -2), ("a tiny difference", F(1, 3) + TINY, F(1, 3)), ("zero", TINY, 0),
    ("a sign", 1, -1), ("an inverse", F(3, 2), F(2, 3)), ("a root below", sympy.sqrt(2), R(1414213562, 10**9)),
    ("a root above", R(1414213563, 10**9), sympy.sqrt(2)), ("a logarithm", sympy.log(3), R(1098, 1000)),
    ("pi", sympy.pi, R(314159, 100000)), ("sums of roots", sympy.sqrt(2) + sympy.sqrt(3), R(3146264, 10**6)),
    ("powers", 3**37, 2**58), ("large numbers", 10**30 + 1, 10**30), ("infinity", sympy.oo, 10**300),
    ("a float infinity", float("inf"), 1), ("minus infinity", 0, -float("inf")),
    ("numpy integers", np.int64(2), np.int64(1)),
    ("a numpy integer and a fraction", np.int64(1), F(1, 2)),
    ("an exact float digit", R(1, 10) + R(1, 10**18), R(1, 10)),
    ("a floor", F(7, 2), sympy.floor(R(7, 2))), ("a ceiling", sympy.ceiling(R(7, 2)), F(7, 2)),
    ("exponentials", sympy.E, R(2718281, 10**6))]
LESS_THAN = [(way, left, right) for way, left, right in AT_MOST] + [
    ("equal integers", 1, 1), ("equal fractions", F(2, 4), F(1, 2)), ("equal zeros", 0, -0),
    ("equal roots", sympy.sqrt(8),
     2 * sympy.sqrt(2)), ("a fraction and sympy's", F(1, 3), R(1, 3)), ("equal infinities", float("inf"), float("inf"))]
EVERY = [
    ("the only one", [NO]), ("the first of two", [NO, YES]), ("the last of two", [YES, NO]),
    ("the middle", [YES, NO, YES]),
    ("inside a list", [[YES, NO]]), ("the first inside a list", [[NO, YES]]), ("the last of several lists", [[YES],
    [YES, NO]]),
    ("inside a generator", [(exactly(k, min(k, 3)) for k in range(5))]), ("a plain truth value", [False]),
    ("a plain truth value at the end", [YES, False]), ("a truth value of numpy", [YES, np.False_]),
    ("another step", [every(YES, NO)]), ("a step in a step in a list", [[every(YES, every(NO))]]),
    ("the entries of a tuple", [(YES, NO)]), ("bookkeeping", [bookkeeping(0)]),
    ("bookkeeping at the end", [YES, bookkeeping([])]),
    ("all of them", [NO, NO]), ("one of a hundred", [[YES] * 99, NO]), ("an inequality", [at_most(2, 1)]),
    ("a strict one at the end", [YES, less_than(1, 1)]), ("truth values of a list", [[True, False]])]
SIGNS = [  # the sum of c log q, and its sign
    ([], 0), ([(0, 5)], 0), ([(1, 1)], 0), ([(1, 2)], 1), ([(1, F(1, 2))], -1), ([(-1, 2)], -1), ([(-1, F(1, 2))], 1),
    ([(1, 2), (1, F(1, 2))], 0), ([(2, 3), (-1, 9)], 0), ([(2, 3), (-1, 8)], 1), ([(2, 3), (-1, 10)], -1),
    ([(3, 2), (-1, 8)], 0), ([(1, 6), (-1, 2), (-1, 3)], 0), ([(1, 6), (-1, 2), (-1, F(31, 10))], -1),
    ([(1, F(10**40 + 1, 10**40))], 1), ([(1, F(10**40 - 1, 10**40))], -1), ([(10**40, F(10**40 + 1, 10**40)),
    (-1, 2)], 1),
    ([(10**40, F(10**40 + 1, 10**40)), (-1, 3)], -1), ([(306, 3), (-485, 2)], -1), ([(665, 3), (-1054, 2)], 1),
    ([(15601, 3), (-24727, 2)], -1), ([(10**60, 12), (-10**60, 4), (-10**60, 3)], 0),
    ([(10**60, 12), (-10**60, 4), (-10**60 + 1, 3)], 1), ([(1, F(12, 35)), (1, F(35, 12))], 0),
    ([(4, F(6, 10)), (-4, F(3, 5))], 0), ([(1, 36), (-2, 6)], 0), ([(1, 2**200), (-200, 2)], 0), ([(1, 2**200 + 1),
    (-200, 2)], 1)]
NOT_POSITIVE = [
    [[0]], [[-1]], [[F(-1, 10**30)]], [[1, 1], [1, 1]], [[1, 2], [2, 1]], [[0, 0], [0, 1]], [[1, 0], [0, 0]],
    [[1, 0], [0, -1]],
    [[-1, 0], [0, -1]], [[0, 1], [1, 0]], [[2, -2], [-2, 2]], [[1, 1 + TINY], [1 + TINY, 1]], [[-2, 1], [1, 3]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, -1]], [[0, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[1, 1, 0], [1, 1, 0], [0, 0, 1]], [[2, -1, -1], [-1, 2, -1], [-1, -1, 2]], [[1, 0, 1], [0, 1, 1], [1, 1, 1]],
    [[1, F(9, 10), F(-9, 10)], [F(9, 10), 1, F(9, 10)], [F(-9, 10), F(9, 10), 1]], [[4, 2, 2], [2, 1, 1], [2, 1, 5]]]


@pytest.mark.parametrize("way, left, right", EXACTLY, ids=[row[0] for row in EXACTLY])
def test_exactly(way, left, right):
    for sides in ((left, right), (right, left)):
        found = exactly(*sides)
        assert not found and not found.truth and " != " in found.witness()


@pytest.mark.parametrize("way, left, right", AT_MOST, ids=[row[0] for row in AT_MOST])
def test_at_most(way, left, right):
    found = at_most(left, right)
    assert not found and " < " in found.witness() and at_most(right, left) and less_than(right, left)


@pytest.mark.parametrize("way, left, right", LESS_THAN, ids=[row[0] for row in LESS_THAN])
def test_less_than(way, left, right):
    found = less_than(left, right)
    assert not found and " <= " in found.witness()


@pytest.mark.parametrize("compare", [exactly, at_most, less_than])
@pytest.mark.parametrize("left, right", [
    (0.1, F(1, 10)), (1, 1.0), (np.float32(0.5), 1), (np.float64(0.5), 1), (sympy.Float("0.5"), 1), (float("nan"), 1),
    (1, float("nan")), (sympy.nan, sympy.nan), (sympy.zoo, sympy.zoo), ([float("nan")], [float("nan")]),
    ({"a": sympy.nan}, {"a": sympy.nan}), ((1, (sympy.nan,)), (1, (sympy.nan,)))], ids=str)
def test_rounded_and_undefined_numbers_are_refused(compare, left, right):
    with pytest.raises(ValueError, match="an exact comparison was given"):
        compare(left, right)


@pytest.mark.parametrize("compare", [at_most, less_than])
@pytest.mark.parametrize("left, right", [
    ([1, 5], [2, 0]), ((1, 5), (2, 0)), ({1}, {1, 2}), ("a", "b"), (np.array([1, 5]), np.array([2, 0])),
    (np.array([1]), 2),
    (1, [2]), (b"a", b"b")], ids=str)
def test_what_is_no_number_is_not_ordered(compare, left, right):
    """Python orders lists by their first entries and sets by inclusion, so [1, 5] would be at most [2, 0]."""
    with pytest.raises(ValueError, match="compares two numbers"):
        compare(left, right)


@pytest.mark.parametrize("way, parts", EVERY, ids=[row[0] for row in EVERY])
def test_every(way, parts):
    assert not every(*parts)


def test_every_says_where_it_fails_and_is_not_trivial_beside_bookkeeping():
    assert every(YES, NO, exactly(3, 4)).witness() == "1 != 2" and every(YES, YES).witness() == ""
    assert every(bookkeeping(1)).trivial and not every(bookkeeping(1), YES).trivial and not YES.trivial
    assert every(YES, [YES], True, np.True_) and every(bookkeeping(1), YES).near_miss().rejected


@pytest.mark.parametrize("parts", [(), ([],), (YES, []), ([YES], (k for k in ()))],
                         ids=["nothing", "a list", "a last list", "a generator"])
def test_a_step_of_no_relations_is_refused(parts):
    with pytest.raises(ValueError, match="says nothing"):
        every(*parts)


@pytest.mark.parametrize("parts", [([("label", NO)],), (["yes"],), ([1],), ("yes",), ([YES, None],),
                         ([[NO]],)], ids=str)
def test_what_is_no_relation_does_not_count_as_true(parts):
    with pytest.raises(TypeError, match="joins relations"):
        every(*parts)


@pytest.mark.parametrize("terms, sign", SIGNS, ids=[str(row[0])[:60] for row in SIGNS])
def test_sign_of_log_sum(terms, sign):
    assert sign_of_log_sum(terms) == sign
    assert sign_of_log_sum([(-c, q) for c, q in terms]) == -sign
    assert sign_of_log_sum([(c, 1 / F(q)) for c, q in terms]) == -sign


@pytest.mark.parametrize("terms", [[(F(1, 2), 4)], [(0.5, 4)], [(1, 0)], [(1, -2)], [(1, 2), (1, F(-1, 2))],
                         [(R(1, 2), 4)]],
                         ids=str)
def test_sums_of_logarithms_that_are_none(terms):
    with pytest.raises(Invalid):
        sign_of_log_sum(terms)


@pytest.mark.parametrize("value", [0, -1, F(-1, 3)])
def test_no_logarithm_of_what_is_not_positive(value):
    with pytest.raises(Invalid, match="> 0"):
        enclosure(value)


@pytest.mark.parametrize("integers, base", [
    ([], []), ([1], []), ([2], [2]), ([4], [4]), ([4, 2], [2]), ([6, 2], [2, 3]), ([6, 10], [2, 3, 5]), ([12, 18],
    [2, 3]),
    ([6, 10, 15], [2, 3, 5]), ([8, 32], [2]), ([36, 6], [6]), ([35, 12], [12, 35]), ([7, 7], [7])])
def test_coprime_base(integers, base):
    """By hand; every integer is a product of powers of the base, whose entries have no common factor."""
    assert coprime_base(integers) == base


@pytest.mark.parametrize("matrix", NOT_POSITIVE, ids=str)
def test_matrices_that_are_not_positive_definite(matrix):
    matrix = np.array([[F(x) for x in row] for row in matrix], dtype=object)
    assert not positive_definite(matrix)
    d = len(matrix)
    assert min(np.linalg.eigvalsh(matrix.astype(float))) < 1e-12
    assert positive_definite(matrix + (1 + F(9, 5) * d * max(map(abs, matrix.ravel()))) * np.eye(d, dtype=int))


@pytest.mark.parametrize("matrix", [[[1, 1], [0, 1]], [[1, 0], [TINY, 1]], [[1, 0]], [[1, 0], [0, 1], [0, 0]]], ids=str)
def test_a_matrix_that_is_not_symmetric_is_refused(matrix):
    with pytest.raises(InvalidMatrix, match="symmetric"):
        positive_definite(np.array([[F(x) for x in row] for row in matrix], dtype=object))


def test_positive_definite_matrices_next_to_false_ones():
    for matrix in ([[TINY]], [[1, 1 - TINY], [1 - TINY, 1]], [[2, -1, -1], [-1, 2, -1], [-1, -1, 2 + TINY]],
                   [[4, 2, 2], [2, 1 + TINY, 1], [2, 1, 5]]):
        assert positive_definite(np.array([[F(x) for x in row] for row in matrix], dtype=object))


def test_inverse_and_ridge_by_hand():
    assert inverse([[2, 1], [1, 1]]).tolist() == [[1, -1], [-1, 2]]
    assert inverse([[F(1, 2), 0], [3, F(1, 4)]]).tolist() == [[2, 0], [-24, 4]]
    with pytest.raises(InvalidMatrix, match="singular"):
        inverse([[1, 2], [2, 4]])
    # one state, two actions e_1 and e_1 + e_2, met 2 and 3 times: Sigma = [[6, 3], [3, 4]]
    found, operator = ridge([[[1, 0], [1, 1]]], [[[2], [3]]])
    assert found.tolist() == [[F(4, 15), F(-1, 5)], [F(-1, 5), F(2, 5)]]
    assert operator.tolist() == [[F(11, 15)], [F(1, 5)]]  # Sigma^{-1} (5, 3)


@pytest.mark.parametrize("value", [0, 1, 2, 4, F(1, 4), F(1, 3), 2**320 - 1, F(1, 10**50), F(10**90, 7), F(3**800,
                         2**700)],
                         ids=lambda value: str(value)[:12])
def test_roots_are_enclosed(value):
    low, high = directed.root(value)
    assert 0 <= low and low**2 <= value < high**2 and high - low <= F(2, 2**160)
    wider = directed.root((F(value), F(value) + 1))
    assert wider[0] == low and wider[1]**2 > value + 1


def test_roots_of_what_is_negative_are_refused():
    for value in (-1, F(-1, 10**60), (F(-1), F(1))):
        with pytest.raises(Invalid, match=">= 0"):
            directed.root(value)


@pytest.mark.parametrize("value", [F(3**900, 2**700), F(2**700, 3**900), F(3**900 + 1, 5**900), F(2**3000 + 1,
                         2**3000)],
                         ids=range(4))
def test_logarithms_of_huge_fractions_are_rounded_outwards(value):
    low, high = directed.logarithm(value)
    with mpmath.workdps(1000):
        exact = mpmath.log(mpmath.mpf(value.numerator)) - mpmath.log(mpmath.mpf(value.denominator))
        assert mpmath.mpf(low.numerator) / low.denominator <= exact <= mpmath.mpf(high.numerator) / high.denominator
    assert high - low < F(1, 10**40)
    low, high = directed.logarithm((F(1, 2), F(3)))
    assert low <= enclosure(F(1, 2), 64)[1] and high >= enclosure(3, 64)[0]


def test_total_takes_the_worst_ends():
    assert directed.total([]) == (0, 0)
    assert directed.total([(3, (F(1), F(2)))]) == (3, 6) and directed.total([(-3, (F(1), F(2)))]) == (-6, -3)
    assert directed.total([(F(1, 2), (F(-2), F(4))), (-1, (F(-1), F(1)))]) == (-2, 3)
