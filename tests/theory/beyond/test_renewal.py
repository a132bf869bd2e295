"""The value of a random batch, against all sequences of paths."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from derl.theory.beyond import renewal

LAW = {(0, 1): Fraction(1, 2), (2, 0): Fraction(1, 3), (1, 1): Fraction(1, 6), (2, 2): Fraction(0)}


@pytest.mark.parametrize("e", [0, 1])
@pytest.mark.parametrize("N", [1, 2, 3])
def test_the_value_of_a_law_is_the_mean_over_all_sequences(N, e):
    table = renewal.values(3, 2, N, 1)[-1]
    mean = sum(prod(LAW[path] for path in batch) * renewal.batch_value(3, table, 2, e, batch)
               for batch in product(LAW, repeat=N))
    assert renewal.law_value(3, table, 2, e, LAW, N) == mean
    assert 0 < mean < 1


def test_the_sum_over_nodes_counts_codes():
    nothing = np.array([[Fraction(int(m == 0))] * 4 for m in range(3)])  # no deployment follows
    assert renewal.decomposition(3, nothing, 1, 0, [(0,), (1,)]) == Fraction(2, 3)
    assert renewal.decomposition(3, nothing, 2, 1, [(1, 0), (1, 2), (2, 2), (0, 1)]) == Fraction(3, 6)  # 0 is ruled out
    assert renewal.decomposition(2, nothing, 2, 0, [(0, 0), (1, 1)]) == Fraction(1, 2)


def test_the_sum_over_nodes_adds_what_the_next_path_finds():
    """d = 2, one path a deployment: found at once 1/4, second digit left 1/4, first digit left 1/2 times 1/2."""
    one = np.array([[1, 1, 1], [Fraction(1, 2), 1, 0], [Fraction(1, 4), Fraction(1, 2), 0]], dtype=object)
    assert renewal.decomposition(2, one, 2, 0, [(0, 0)]) == Fraction(3, 4)
