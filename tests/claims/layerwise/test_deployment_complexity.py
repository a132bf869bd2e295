"""The size of Theorem 4.1 as the checks read it: the number that the library computes, and where it grows."""

import math

import pytest
import sympy

from derl.claims.layerwise import symbols
from derl.theory import constants
from derl.theory.texts import said


def printed_log_size(c_K, *values) -> float:
    """The symbolic log N at d, H, epsilon, L."""
    letters = (symbols.d, symbols.H, symbols.e, symbols.L)
    size = symbols.log_size(said("thm-layerwise"), sympy.Integer(c_K))
    return float(size.subs(dict(zip(letters, values, strict=True))))


@pytest.mark.parametrize("c_K", [2, 3, 6, 50])
def test_the_symbolic_size_is_the_numeric_one(c_K):
    log_size = printed_log_size(c_K, 3, 4, 0.2, math.log(12 / 0.02))
    assert log_size == pytest.approx(math.log(constants.batch_size_layerwise(3, 4, 0.2, 0.1, c_K)), rel=1e-6)


def test_the_size_grows_only_in_the_corner():
    corner = [printed_log_size(k, 1, 1, 0.9, -2 * math.log(0.9)) for k in (2, 3, 4)]
    assert corner == sorted(corner)
    for d, H, epsilon, delta in ((2, 1, 1.0, 0.999), (1, 2, 0.5, 0.9), (10, 10, 0.1, 0.1)):
        falling = [printed_log_size(k, d, H, epsilon, math.log(d * H / (delta * epsilon))) for k in (2, 3, 4)]
        assert falling == sorted(falling, reverse=True)
