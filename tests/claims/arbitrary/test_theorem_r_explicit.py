"""Theorem R with its constants, in floats and without the program that proves it."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from derl.claims.arbitrary.theorem_r_explicit import CLAIMS, constants_of, stated_size
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.arbitrary.rules import RULES
from derl.theory.texts import said

POINTS = [(d, H, eps, delta, nu) for d in (1, 3, 20) for H in (1, 10) for eps, delta in ((0.99, 0.99), (0.01, 1e-6))
          for nu in (1.0, 0.3, 0.01)]


def stated(version):
    """The constants of a statement in floats."""
    found = constants_of(version, said(CLAIMS[version]), said(CLAIMS["relative"]))
    return SimpleNamespace(**{name: float(value) for name, value in vars(found).items()})


@pytest.mark.parametrize("version", CLAIMS)
def test_the_closed_form_meets_every_condition_in_floats(version):
    c, rule = stated(version), RULES[version]
    p, dim, lam = 2 * rule.degree, 5 if rule.linear else 7, float(rule.coverage)
    for d, H, eps, delta, nu in POINTS:
        tau, big = math.log(2 / nu), math.log(2 * d * H / (eps * delta * nu))
        size = c.batch * (H**4 * d**3 / eps**2 * tau + H**2 * d**dim * nu ** (-2 * p) * tau**3) * big
        i = math.ceil(c.iterations * d * nu**-p * tau)
        resolution = 1 / (2 * d * (size + 1))
        l = math.log(2 * d * H * size / (resolution * delta))  # noqa: E741
        beta_prime, beta = c.bonus * d * math.sqrt(l), 2 * d * H * math.sqrt(math.log(8 * d * size * H / delta))
        covariance = 1 / (4 * i * beta_prime) if rule.linear else 1 / (8 * i * d * beta_prime)
        xi = min(covariance, eps / (2 * beta))
        assert c.length * c.event * d * math.sqrt(l + math.log(beta_prime)) + c.length * math.sqrt(d) <= beta_prime
        assert 2 * math.log1p(i / d) * d / i <= (float(rule.iterate) * nu**2) ** rule.degree
        assert 2 * i * nu**rule.nu_power * H**2 / (lam * xi**2) <= size
        assert i * math.log(4 * d * H / delta) / ((1 - math.log(2)) / 2 * lam) <= size and i <= size
        assert resolution <= beta_prime * xi / (2 * H) and 3 * beta_prime * xi <= 3 / 162 * nu**2
        if rule.linear:
            assert H * beta_prime * math.sqrt(2 * i / (lam * size)) <= 0.01


@pytest.mark.parametrize("version", CLAIMS)
def test_the_runs_need_less_than_the_closed_form(version):
    d, H, eps, delta, nu = 3, 3, 0.1, 0.1, 0.48
    closed = stated_size(version, d, H, eps, delta, nu)
    assert arbitrary_constants(d, H, eps, delta, nu, version, known_start=True).batch_size < closed


@pytest.mark.parametrize("constant, factor, power", [(1300, 128, 4), (120, 18, 4), (60, 10, 2), (100, 16, 2)])
def test_certified_iterations_on_a_grid(constant, factor, power):
    nu = np.exp(-np.linspace(0, 8, 400))
    z = constant * nu**-power * np.log(2 / nu)
    assert (factor * nu**-power * np.log1p(z) <= z).all()
