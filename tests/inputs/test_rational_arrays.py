"""Products over one denominator are the products of Fractions."""

from fractions import Fraction

import numpy as np
import pytest

from derl.inputs.rational_arrays import fractions, product, whole


def drawn(rng, *shape):
    entries = [Fraction(int(a), int(b)) for a, b in zip(rng.integers(-9, 10, np.prod(shape)),
                                                        rng.integers(1, 30, np.prod(shape)), strict=True)]
    return np.array(entries, dtype=object).reshape(shape)


@pytest.mark.parametrize("shapes", [((3, 4), (4, 2)), ((4,), (4, 2)), ((3, 4), (4,)), ((2, 3, 4), (4, 5)),
                                    ((1, 1), (1, 1))])
def test_the_product_is_that_of_fractions(shapes):
    left, right = (drawn(np.random.default_rng(len(shape)), *shape) for shape in shapes)
    found = product(left, right)
    assert found.shape == (left @ right).shape
    assert (found == left @ right).all()
    assert all(type(entry) is Fraction for entry in found.ravel())


def test_one_denominator_is_the_least_common_one():
    numerators, below = whole(np.array([Fraction(1, 6), Fraction(-3, 4), 2], dtype=object))
    assert (numerators.tolist(), below) == ([2, -9, 24], 12)
    assert fractions(numerators, below).tolist() == [Fraction(1, 6), Fraction(-3, 4), 2]
    assert fractions(numerators, below + 1).tolist() != [Fraction(1, 6), Fraction(-3, 4), 2]


def test_zeros_and_large_numbers():
    large = np.array([[Fraction(10**40, 3), Fraction(0)]], dtype=object)
    assert product(large, large.T).tolist() == [[Fraction(10**80, 9)]]
    assert product(0 * large, large.T).tolist() == [[0]]
