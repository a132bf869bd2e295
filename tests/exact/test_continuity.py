"""Which expressions count as continuous for variables >= 0 and differentiable for variables > 0: rule by rule."""

import pytest
import sympy as sp

from derl.exact.continuity import continuous

x, y = sp.symbols("x y", nonnegative=True)
a = sp.Symbol("a", positive=True)
GOOD = [x, x + y, x**3, (x - 1)**2, sp.exp(x - y), sp.log(1 + x), sp.sqrt(1 + x * y), 1 / (1 + x),
        (x + 2)**sp.Rational(-3, 2), sp.log(a), a**sp.Rational(1, 3) + x, (1 + x)**y, sp.sqrt((1 + x) / (2 + y)),
        sp.exp(-sp.log(2 + x)), (x - 1) / (1 + y**2)]
# not real, with a pole or a jump, or without a derivative at a point > 0; and what no rule knows
BAD = [sp.sqrt(x - 1), (x - 1)**sp.Rational(1, 3), (x - 1)**sp.Rational(5, 2), 1 / (x - 1), (x - 2)**-2,
       sp.log(x - 1), sp.log(x), 1 / x, sp.sqrt(x * y - 1), sp.log((1 + x) / (2 - y)), sp.sqrt(1 - x),
       x * sp.sqrt(y - 1), sp.exp(1 / (x - 1)), sp.floor(x), sp.sign(x - 1), sp.Abs(x - 1),
       sp.atan(2 * x / (1 - x**2)), sp.Piecewise((0, x < 1), (1, True)), sp.zoo + x, sp.oo * (1 + x)]


@pytest.mark.parametrize("expression", GOOD, ids=str)
def test_what_is_continuous(expression):
    assert continuous(expression, x, y)


@pytest.mark.parametrize("expression", BAD, ids=str)
def test_what_jumps_or_is_not_real(expression):
    assert not continuous(expression, x, y)
