"""The value of a random batch, against all sequences of paths."""

from fractions import Fraction
from itertools import product
from math import prod

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
