"""Constants of Algorithm 2: fixed points that satisfy every constraint, exponents by numbers, refused parameters."""

import math

import pytest

from derl.theory.arbitrary.constants import (
    CHERNOFF,
    POTENTIAL,
    arbitrary_constants,
    iteration_bound,
    planning_scale,
    printed_theorem,
    regression_scale,
)
from derl.theory.arbitrary.regression_scale import BITS, scale
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS, RULES, batch_bound, rule_of, xi_bounds
from derl.theory.constants import InvalidConstant


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("version", ARBITRARY_VERSIONS)
@pytest.mark.parametrize("d, horizon, nu", [(1, 1, 1.0), (3, 3, 0.48), (8, 5, 0.1)])
def test_all_constraints_hold_at_the_fixed_point(version, known, d, horizon, nu):
    found, rule = arbitrary_constants(d, horizon, 0.1, 0.1, nu, version, known), rule_of(version)
    size = found.batch_size
    assert found.beta_prime >= regression_scale(version, d, horizon, 0.1, size) * (1 - 1e-9)
    assert found.beta >= planning_scale(d, horizon, 0.1, size) * (1 - 1e-9)
    bounds = xi_bounds(rule, d, nu, found.i_max, found.beta_prime, found.beta, 0.1)
    assert found.xi == pytest.approx(float(min(bounds.values())))
    assert size >= batch_bound(rule, horizon, nu, found.i_max, found.xi) * (1 - 1e-9)
    assert size == pytest.approx(max(value for _, value in found.conditions), rel=1e-7)
    assert found.resolution * size == pytest.approx(1)
    assert dict(found.conditions)[found.binding] == max(value for _, value in found.conditions)
    # what the constraints are for: the matrix is accurate enough, the resolution is fine enough
    b = found.beta_prime * found.xi
    error = found.i_max * b * (1 if rule.linear else 2 * d)
    assert error <= (1 / 4 if rule.rho else nu**4 / (64 + nu**4)) * (1 + 1e-12)
    assert found.resolution <= b / (2 * horizon) and 2 * found.beta * found.xi <= 0.1 * (1 + 1e-12)
    if not known:
        spread = math.log(8 * d * horizon / 0.1) / CHERNOFF
        assert (1 + d * math.sqrt(2.2 * spread)) / math.sqrt(size) <= found.xi / horizon * (1 + 1e-9)


@pytest.mark.parametrize("d, nu", [(1, 1.0), (3, 0.48), (10, 0.05)])
def test_i_max_is_where_the_potential_lemma_says_stop(d, nu):
    for version, rule in RULES.items():
        i = iteration_bound(version, d, nu)
        target = float(rule.iterate) * nu**2
        if rule.rho is None:
            def average(n):
                return math.sqrt(2 * d * math.log1p(n / d) / n)
        else:
            def average(n, degree=rule.degree):
                return (POTENTIAL * d * math.log1p(n / (2 * d)) / n) ** (1 / degree)
        assert average(i) <= target * (1 + 1e-9) and average(0.9 * i) > target


def slope(version, field, values, **fixed):
    """Exponent of N between two values of one parameter, logarithms included."""
    sizes = [arbitrary_constants(**({"d": 3, "horizon": 3, "epsilon": 0.5, "delta": 0.1, "nu": 0.01} | fixed
                                    | {field: value, "version": version, "known_start": True})).batch_size
             for value in values]
    return math.log(sizes[1] / sizes[0]) / math.log(values[1] / values[0])


@pytest.mark.parametrize("version, power", [("repaired", -18), ("relative", -8), ("squared", -4), ("spectral", -4),
                                            ("self-certifying", -6)])
def test_the_power_of_nu_by_numbers(version, power):
    measured = slope(version, "nu", (1e-9, 1e-8))
    assert power - 0.7 <= measured <= power + 0.1  # logarithms add a little
    assert slope(version, "epsilon", (1e-60, 1e-59)) == pytest.approx(-2, abs=0.1)


def test_theorem_r_does_not_feel_nu_in_the_epsilon_term():
    assert abs(slope("relative", "nu", (0.01, 0.02), epsilon=1e-60)) < 0.5
    assert slope("repaired", "nu", (0.01, 0.02), epsilon=1e-60) == pytest.approx(-2, abs=0.5)


def test_every_improvement_asks_for_less():
    sizes = [arbitrary_constants(3, 3, 0.1, 0.1, 0.233**0.5, version, True).batch_size
             for version in ("repaired", "relative", "squared", "spectral")]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 1e26 and sizes[-1] < 1e12


def test_regression_scale():
    base = scale(3, 3, 0.1, 1e10, True)
    assert scale(3, 3, 0.1, 1e10, False) < base < scale(3, 3, 0.1, 1e20, True)
    assert base < scale(3, 3, 1e-9, 1e10, True) and base < scale(4, 3, 0.1, 1e10, True)
    assert scale(3, 3, 0.1, 1e10, True, 1.02) > 1.02 * base * 0.999
    # at small N the number of doubles decides, and then N enters through the determinant and the grid error alone
    inside = (math.log(1 + 1 / 3) * 1.5 + math.log(12 * 4 / 0.1) + BITS * 12) / 2
    assert scale(3, 3, 0.1, 1.0, True) == pytest.approx(math.sqrt(3) + 2 + math.sqrt(inside))


def test_printed_theorem():
    found = printed_theorem(3, 3, 0.1, 0.1, 0.5)
    log = math.log(9 / (0.1 * 0.1 * 0.5))
    assert found["batch_size"] == pytest.approx((81 * 27 / (0.01 * 0.25) + 9 * 2187 * 2**14) * log**2)
    assert found["i_max"] == pytest.approx(48 * math.log(6)) and found["beta"] == 3 * found["beta_prime"]


@pytest.mark.parametrize("change, word", [({"d": 0}, "d is 0"), ({"horizon": 2.5}, "horizon"),
                                          ({"epsilon": 1}, "epsilon"),
                                          ({"delta": 0}, "delta"), ({"nu": 0}, "nu"), ({"nu": 1.01}, "nu"),
                                          ({"nu": float("nan")}, "nu"), ({"version": "best"}, "version"),
                                          ({"nu": 1e-17}, "1e300")])
def test_bad_parameters(change, word):
    with pytest.raises(InvalidConstant, match=word) as caught:
        arbitrary_constants(**({"d": 3, "horizon": 3, "epsilon": 0.1, "delta": 0.1, "nu": 0.5} | change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("version", ["relative", "squared", "spectral", "self-certifying"])
def test_an_unknown_first_state_costs_a_factor_of_d(version):
    def power(known):
        sizes = [arbitrary_constants(d, 3, 1e-3, 0.1, 0.5, version, known).batch_size for d in (1000, 10_000)]
        return math.log10(sizes[1] / sizes[0])

    assert power(False) - power(True) == pytest.approx(1, abs=0.1)
    assert arbitrary_constants(10, 3, 1e-3, 0.1, 0.5, version, False).binding == "first layer"
