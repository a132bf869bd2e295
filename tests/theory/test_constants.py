"""Formulas for N, K and beta: exponents derived, not typed, and the conditions behind the sharper ones re-checked."""

import math

import pytest
import sympy

from derl.theory import constants
from derl.theory.constants import InvalidConstant


def test_the_printed_batch_size_is_the_printed_formula():
    d, H, eps, delta, c_K = 3, 4, 0.2, 0.1, 3
    log = math.log(H * d / (delta * eps))
    formula = (c_K * H**(4 * c_K + 1) * d**(3 * c_K) / eps**(2 * c_K) * log**(2 * c_K))**(1 / (c_K - 1))
    assert constants.batch_size_layerwise(d, H, eps, delta, c_K) == pytest.approx(formula, rel=1e-9)
    assert constants.batch_size_layerwise(d, H, eps, delta, c_K, c=7) == pytest.approx(7 * formula, rel=1e-9)


@pytest.mark.parametrize("c_K, exponents", [(2, (9, 6, 4)), (6, (5, sympy.Rational(18, 5), sympy.Rational(12, 5)))])
def test_the_exponents_of_line_323(c_K, exponents):
    c = sympy.Integer(c_K)
    assert ((4 * c + 1) / (c - 1), 3 * c / (c - 1), 2 * c / (c - 1)) == exponents
    log = math.log(2 * 3 / 0.01), math.log(2 * 6 / 0.01)
    base = constants.batch_size_layerwise(2, 3, 0.1, 0.1, c_K) / log[0]**(2 * c_K / (c_K - 1))
    doubled = constants.batch_size_layerwise(2, 6, 0.1, 0.1, c_K) / log[1]**(2 * c_K / (c_K - 1))
    assert math.log2(doubled / base) == pytest.approx(float(exponents[0]), rel=1e-6)


@pytest.mark.parametrize("d, H, epsilon, delta, c_K",
                         [(10, 10, 0.1, 0.1, 6), (2, 3, 0.5, 0.01, 1.5), (1, 1, 1, 0.5, 2)])
def test_the_sharp_batch_size_satisfies_both_conditions_and_is_least(d, H, epsilon, delta, c_K):
    def satisfied(n):
        K = constants.deployments_layerwise(d, H, c_K)
        beta = constants.bonus_scale_with_batch(d, H, delta, K, n)
        x = epsilon**2 / (16 * H**2 * beta**2)
        return (math.log(n) >= (math.log(c_K) - c_K * math.log(x)) / (c_K - 1)
                and n >= 8 * beta**2 * H**2 / epsilon**2 * math.log(2 * K / delta))

    n = constants.batch_size_layerwise(d, H, epsilon, delta, c_K, version="sharp")
    assert satisfied(n * (1 + 1e-9)) and not satisfied(n * (1 - 1e-6) - 1)


@pytest.mark.parametrize("version", constants.VERSIONS)
def test_every_trade_off_above_one_has_an_answer(version):
    """Down to a million digits a number, with the logarithm of the formula; beyond one line."""
    assert constants.batch_size_layerwise(10, 10, 0.01, 0.1, 1.02, version=version) > 10**308
    sizes = [constants.batch_size_layerwise(10, 10, 0.1, 0.1, 1 + step, version=version).bit_length()
             for step in (1e-1, 1e-2, 1e-3, 1e-4)]
    assert all(9 < fine / coarse < 13 for coarse, fine in zip(sizes, sizes[1:], strict=False))
    for step in (1e-6, 1e-12):
        with pytest.raises(InvalidConstant, match="at most 1000000") as caught:
            constants.batch_size_layerwise(10, 10, 0.1, 0.1, 1 + step, version=version)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("change", [{"d": 10**400}, {"horizon": 10**13}, {"epsilon": 5e-324}, {"epsilon": 1e308},
                                    {"delta": 1e-320}, {"c_K": 1e308}, {"c_K": 10**400}, {"c": 5e-324}, {"d": "x"}])
@pytest.mark.parametrize("version", constants.VERSIONS)
def test_numbers_near_the_ends_of_the_floats_are_refused_in_one_line(version, change):
    good = {"d": 2, "horizon": 3, "epsilon": 0.1, "delta": 0.1, "c_K": 2, "version": version}
    with pytest.raises(InvalidConstant) as caught:
        constants.batch_size_layerwise(**(good | change))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_beta_is_the_printed_formula():
    assert constants.bonus_scale(3, 4, 0.2, 0.1, 2.0) == pytest.approx(2 * 12 * math.sqrt(math.log(12 / 0.02)))


@pytest.mark.parametrize("change, word", [
    ({"epsilon": 0}, "epsilon"), ({"delta": 1}, "delta"), ({"d": 0}, "d is"), ({"c_K": 1}, "c_K"), ({"c": 0}, "c is"),
    ({"version": "best"}, "version"), ({"horizon": 2.5}, "horizon"), ({"epsilon": float("nan")}, "epsilon"),
])
def test_bad_parameters_are_named_in_one_line(change, word):
    good = {"d": 2, "horizon": 3, "epsilon": 0.1, "delta": 0.1, "c_K": 2}
    assert constants.batch_size_layerwise(**good) > 0
    with pytest.raises(InvalidConstant, match=word) as caught:
        constants.batch_size_layerwise(**(good | change))
    assert "\n" not in str(caught.value)
