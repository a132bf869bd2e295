"""The instance on which the total mass of mu is short and mu itself is long."""

from fractions import Fraction

import numpy as np
import pytest

from derl.claims.foundations import measure_norm
from derl.mdp import InvalidInstance, LinearMDP, validation
from derl.mdp.exact import squared_measure_norm
from derl.theory.lower_bounds.parallel_features import almost_parallel


@pytest.mark.parametrize("slope", [Fraction(1), Fraction(1, 3), Fraction(1, 10**30)])
def test_the_total_mass_is_short_and_the_measures_are_as_long_as_said(slope):
    phi, mu, theta, available = almost_parallel(slope)
    mass = mu[0].sum(axis=1)
    assert mass @ mass == 1 + slope**2 <= 2
    c, t = (1 - slope**2) / (1 + slope**2), 2 * slope / (1 + slope**2)
    assert squared_measure_norm(mu[0]) == max(1 + slope**2, 1 + ((1 + c) / t) ** 2)  # v = (1, 1) or (1, -1)
    assert (phi[0, 0, 1] @ phi[0, 0, 1], theta[0] @ phi[0, 0, 0], theta[0] @ phi[0, 0, 1]) == (1, t, 0)


def test_the_validator_refuses_what_the_norm_forbids():
    def build(slope):
        phi, mu, theta, available = almost_parallel(slope)
        return LinearMDP(phi, mu, theta, [1, 0, 0, 0], available)

    lower, upper = validation.measure_norm(build(Fraction(1)).mu[0])
    assert np.isclose(lower, 2**0.5) and np.isclose(upper, 2**0.5)
    with pytest.raises(InvalidInstance, match="sup over"):
        build(Fraction(1, 2))


def test_the_angle_decides():
    pytest.importorskip("flint")
    gaps = [float(measure_norm.run(Fraction(1, 10**p), 10**14, Fraction(3)).gap) for p in (0, 6, 12)]
    assert gaps[:2] == [0, 0] and gaps[2] > 0.99


@pytest.mark.parametrize("slope", [Fraction(2), Fraction(0)])
def test_other_slopes_are_refused(slope):
    with pytest.raises((ValueError, ZeroDivisionError)):
        almost_parallel(slope)
