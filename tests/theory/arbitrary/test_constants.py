"""Constants of Algorithm 2: every condition is the formula of the module, exponents by hand, refused parameters."""

import math

import pytest

from derl.theory.arbitrary import exponents
from derl.theory.arbitrary.constants import (
    POTENTIAL,
    arbitrary_constants,
    iteration_bound,
    printed_theorem,
)
from derl.theory.arbitrary.regression_scale import scale
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS, RULES, rule_of
from derl.theory.constants import InvalidConstant


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


def test_every_improvement_asks_for_less():
    sizes = [arbitrary_constants(3, 3, 0.1, 0.1, 0.233**0.5, version, True).batch_size
             for version in ("repaired", "relative", "squared", "spectral")]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 1e26 and sizes[-1] < 1e12


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


@pytest.mark.parametrize("d, horizon, delta, size, policies, length", [
    (1, 1, 0.5, 1.0, True, 1.0), (3, 4, 0.1, 1e10, True, 1.0), (3, 4, 0.1, 1e10, False, 1.0),
    (2, 7, 0.01, 1e60, True, 1.02), (2, 7, 0.01, 1e60, False, 1.0), (6, 50, 1e-9, 1e50, False, 1.0)])
def test_the_scale_counts_a_grid_or_the_doubles(d, horizon, delta, size, policies, length):
    """2 bound/width + 3 points of a number, |w| <= length sqrt N/2 + sqrt d, |Z| <= beta'^2; doubles for small N."""
    found = scale(d, horizon, delta, size, policies, length)
    weights = 2 * (length * size**0.5 / 2 + d**0.5) / (1 / (2 * d * size)) + 3
    matrices = 2 * found**2 / (1 / (4 * d * size**2)) + 3
    times = 2 if policies else 1
    grid = times * d * math.log(weights) + d * (d + 1) / 2 * math.log(matrices)
    doubles = (times * d + d * (d + 1) / 2) * 64 * math.log(2)
    assert (grid > doubles) == (size > 1e5)
    union = math.log(4 * (3 if policies else horizon) * (horizon + 1) / delta) + max(grid, doubles)
    noise = math.sqrt((d / 2 * math.log(1 + size / d) + union) / 2)
    assert found == pytest.approx(length * (d**0.5 + 2 / size**0.5 + noise), rel=1e-9)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("version", ARBITRARY_VERSIONS)
def test_every_condition_is_the_formula_of_the_module(version, known):
    """Not only the one that decides N: all of them, at the beta' and the xi that come with N."""
    d, H, epsilon, delta, nu = 3, 4, 0.2, 0.05, 0.3
    found, rule = arbitrary_constants(d, H, epsilon, delta, nu, version, known), rule_of(version)
    i, beta_prime, c_0 = found.i_max, found.beta_prime, (1 - math.log(2)) / 2
    asked, bounds = {}, {"optimism": nu**2 / (162 * beta_prime), "plan": epsilon / (2 * found.beta)}
    spread = math.log(8 * d * H / delta)
    if version in ("as-printed", "repaired"):
        bounds["covariance"] = nu**4 / (130 * i * d * beta_prime)
        asked = {"induction": 16 * H**2 * nu**2 * i / found.xi**2, "Bernstein": (16 * i * spread / nu**2) ** 2}
    else:
        power = {"relative": 4, "squared": 2, "spectral": 2, "self-certifying": 0}[version]
        coverage = float(rule.coverage)
        bounds["covariance"] = 1 / (4 * i * beta_prime) if rule.linear else 1 / (8 * i * d * beta_prime)
        asked = {"induction": H**2 * 2 * i * nu**power / (coverage * found.xi**2),
                 "Chernoff": i * math.log(2 * d * H / delta) / (c_0 * coverage)}
        if rule.linear:  # H beta' sqrt(2i/(lambda N)) = 1/100
            asked["range"] = (100 * H * beta_prime) ** 2 * 2 * i / coverage
    asked["resolution"] = 2 * H / (beta_prime * found.xi)
    if not known:
        asked["first layer"] = (H * (1 + d * math.sqrt(2.2 * spread / c_0)) / found.xi) ** 2
    assert dict(found.conditions) == pytest.approx(asked, rel=1e-6)
    assert dict(found.xi_conditions) == pytest.approx(bounds, rel=1e-6)
    assert found.beta == pytest.approx(H * scale(d, H, delta, found.batch_size, False), rel=1e-6)
    assert found.version == version and found.binding == max(asked, key=asked.get)


def test_what_the_rules_promise_follows_from_their_thresholds():
    """lambda = nu^4/e^2 - 2 or nu^2/e - 2 at nu = 1, and the loop stops: s and the errors stay below t."""
    for version, rule in RULES.items():
        if version == "repaired":
            assert (rule.threshold, rule.iterate, rule.coverage, rule.nu_power) == (3 / 8, 1 / 8, 2, 2)
            continue
        norm = rule.reward == "norm"
        if rule.threshold is None:
            assert rule.coverage == 2 - 2 * rule.rho
        elif norm:
            assert rule.coverage == 1 / ((1 + rule.rho) * rule.threshold**2) - 2
        else:
            assert rule.coverage == 1 / ((1 + rule.rho) * rule.threshold) - 2
        least = float(rule.iterate) / (1 - float(rule.rho)) ** (0.5 if norm else 1) + 3 / 162
        assert least <= float(rule.threshold or 1 / 4) <= least + 0.005


def test_the_printed_theorem_with_other_constants():
    base, other = printed_theorem(3, 4, 0.1, 0.2, 0.5), printed_theorem(3, 4, 0.1, 0.2, 0.5, 7, 5, 3)
    logarithm = math.log(3 * 4 / (0.1 * 0.2 * 0.5))
    assert base["resolution"] * base["batch_size"] == pytest.approx(1)
    assert base["beta_prime"] == pytest.approx(3 * math.sqrt(logarithm))
    ratios = {name: other[name] / base[name] for name in base}
    assert ratios == pytest.approx({"batch_size": 7, "i_max": 5, "resolution": 1 / 7, "beta_prime": 3, "beta": 3})


# i = d nu^-4 L or d nu^-2 L, beta' = d sqrt L, beta = d H sqrt L, and N = H^2 nu^p i/xi^2
BY_HAND = {  # (d, H, epsilon, nu, L)
    ("repaired", "covariance"): (7, 2, 0, -18, 4), ("repaired", "plan"): (3, 4, -2, -2, 2),
    ("repaired", "optimism"): (3, 2, 0, -6, 2), ("relative", "covariance"): (7, 2, 0, -8, 4),
    ("relative", "plan"): (3, 4, -2, 0, 2), ("squared", "covariance"): (7, 2, 0, -4, 4),
    ("squared", "plan"): (3, 4, -2, 0, 2), ("spectral", "covariance"): (5, 2, 0, -4, 4),
    ("spectral", "optimism"): (3, 2, 0, -4, 2), ("self-certifying", "covariance"): (5, 2, 0, -6, 4),
    ("self-certifying", "plan"): (3, 4, -2, -2, 2)}


@pytest.mark.parametrize("version, binding", BY_HAND)
def test_the_powers_are_those_that_multiplying_out_gives(version, binding):
    found = exponents.exponents(RULES[version], binding)
    assert tuple(found[name] for name in ("d", "H", "epsilon", "nu", "L")) == BY_HAND[version, binding]


def test_another_number_of_policies_in_the_bound_on_xi():
    """With d policies there: 1/xi^2 = d^2 d^2 d^2 L, so N = H^2 nu^4 (d nu^-4 L) d^6 L."""
    found = exponents.exponents(RULES["relative"], "covariance", exponents.d)
    assert found == {"d": 7, "H": 2, "epsilon": 0, "nu": 0, "L": 2}
