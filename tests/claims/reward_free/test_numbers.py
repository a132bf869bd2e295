"""Each constraint on N, K and beta of the reward-free methods holds just above its boundary and fails just below."""

import math
from fractions import Fraction as F

import pytest

from derl.claims.reward_free.numbers import VERSIONS, constraints

d, H, eps, delta, c = SIZES = 3, 4, F(1, 5), F(1, 10), F(2)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_boundary_of_each_constraint(version):
    K, beta, G = 24 + (H if version == "flat" else 1), 100, 2 * H + 1

    def says(name, n=10**40, deployments=K, scale=F(beta)):
        return constraints(version, int(n), deployments, scale, SIZES)[name]

    assert [says("number", deployments=k) for k in (K - 1, K, K + 1)] == [False, True, False]
    least = 2 * d * H * math.sqrt(math.log(2 * d * K * 10**6 * H / 0.1))
    assert [says("bonus", 10**6, scale=F(least * f)) for f in (0.9999, 1.0001)] == [False, True]
    x = {"flat": (0.2 / (4 * G * beta)) ** 2 / H, "direct": (0.2 / (8 * beta)) ** 2 / H}.get(
        version, (0.2 / (4 * H * G * beta)) ** 2)
    rows = H if version in ("flat", "direct") else 1
    least = (2 * rows - 2 * x) / x**2  # (1 + n x)^2 > 1 + 2 rows n
    assert [says("count", least * f) for f in (0.9999, 1.0001)] == [False, True]
    asked = {"flat": 16 * beta * H * G / 0.2, "direct": 32 * beta * H / 0.2}.get(version, 8 * (beta * H * G / 0.2) ** 2)
    least = asked * math.log(2 * K / 0.1)
    assert [says("test", least * f) for f in (0.9999, 1.0001)] == [False, True]
