"""The exponents of a bound are read off its logarithm."""

from sympy import log

from derl.claims.reward_free.symbols import H, d, eps, exponents


def test_exponents_are_read_off():
    assert exponents(log(7 * H**3 * d / eps**2)) == {"H": 3, "d": 1, "epsilon": -2, "L": 0}
