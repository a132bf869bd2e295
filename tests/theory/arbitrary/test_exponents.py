"""The exponents of N, multiplied out by hand for every version and every bound on xi."""

import pytest

from derl.theory.arbitrary import exponents
from derl.theory.arbitrary.rules import RULES

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
