"""Each constraint on N, K and beta holds just above its boundary and fails just below, with the boundary by hand."""

import math
from fractions import Fraction as F
from types import SimpleNamespace

import pytest

from derl.claims.layerwise.numbers import at_least, bracket_holds, constraints, count_holds, wasteful

d, H, eps, delta, c = SIZES = 3, 4, F(1, 5), F(1, 10), F(2)


def plan(version, n=10**30, K=25, beta=F(1000), share=F(1, 2)):
    return SimpleNamespace(version=version, batch_size=int(n), deployments=K, beta=beta, share=share,
                           layered=version in ("explicit", "sharp"))


def says(name, **given):
    return constraints(plan(**given), *SIZES)[name]


@pytest.mark.parametrize("version", ["explicit", "sharp", "flat", "chernoff", "covering", "share"])
def test_the_boundary_of_each_constraint(version):
    s = 0.9 if version == "share" else 0.5
    given = {"version": version, "share": F(s).limit_denominator(10)}
    assert [says("number", K=K, **given) for K in (24, 25, 26)] == [False, True, False]
    # the test on Delta_k
    late, beta = version in ("chernoff", "covering", "share"), 100
    union = math.log(2 * 25 / 0.1) / (1 - s) ** 2
    least = 4 * beta * H / 0.2 * union if late else 2 * (beta * H / 0.2) ** 2 * union
    assert [says("test", n=least * f, beta=F(beta), **given) for f in (0.9999, 1.0001)] == [False, True]
    # the count of violations: (1 + n x)^2 > 1 + 2 rows n
    layered = version in ("explicit", "sharp")
    x, rows = (s * 0.2 / (2 * beta)) ** 2 / (H**2 if layered else H), 1 if layered else H
    least = (2 * rows - 2 * x) / x**2
    assert [says("count", n=least * f, beta=F(beta), **given) for f in (0.9999, 1.0001)] == [False, True]
    # the first deployment: 4 beta^2 >= d (s epsilon)^2
    least = math.sqrt(d) * s * 0.2 / 2
    assert [says("first", beta=F(least * f), **given) for f in (0.9999, 1.0001)] == [False, True]


@pytest.mark.parametrize("version", ["sharp", "flat", "chernoff"])
def test_the_boundary_of_the_bonus_in_closed_form(version):
    least = 1.5 * d * H * math.sqrt(math.log(2 * d * 25 * 10**6 * H / 0.1))
    assert [says("bonus", version=version, n=10**6, beta=F(least * f)) for f in (0.9999, 1.0001)] == [False, True]


@pytest.mark.parametrize("earlier", [1, 24 * 10**6, 10**40])
def test_the_boundary_of_the_bonus_from_the_covering_argument(earlier):
    """The least fixed point of the bracket at the best u, or sqrt d + sqrt n; u is taken from a list."""
    def bracket(scale):
        def at(u):
            inside = (d / 2 * math.log(1 + earlier / d) + d * math.log(1 + 4 * earlier / u) + math.log(2 * H / 0.1)
                      + d * (d + 1) / 2 * math.log(1 + 8 * scale * math.sqrt(d * earlier) / u))
            return math.sqrt(d) + u + math.sqrt(inside / 2)
        return min(at(d * 10 ** (k / 1000 - 3)) for k in range(4001))

    scale = 1.0
    for _ in range(60):
        scale = bracket(scale)
    least = H * min(scale, math.sqrt(d) + math.sqrt(earlier))
    assert [bracket_holds(d, H, delta, earlier, F(least * f)) for f in (0.999, 1.002)] == [False, True]
    assert [bracket_holds(1, H, delta, earlier, F(b)) for b in (3.999, 4)] == [False, True]  # H where d = 1
    assert [bracket_holds(d, H, delta, 0, F(H * math.sqrt(d) * f)) for f in (0.999, 1.001)] == [False, True]


def test_a_plan_is_wasteful_where_one_per_cent_less_would_do():
    """The test asks for most here: 4 beta H/((1-s)^2 epsilon) log(2K/delta) = 198,866, or a hundredth more."""
    beta, wide = F(2), {"version": "chernoff", "beta": F(2)}
    count = 8 / float((F(1, 10) / (2 * 2)) ** 2 / H) ** 2
    test = 4 * 2 * H / (0.25 * 0.2) * math.log(500)
    least = max(count, test) / 0.99
    assert [wasteful(plan(n=least * f, **wide), *SIZES) for f in (0.999, 1.001)] == [False, True]
    assert not wasteful(plan("explicit", n=least * 10, beta=beta), *SIZES)


def test_enclosures_are_compared_at_their_worst_points():
    assert at_least((F(2), F(5)), (F(1), F(2))) and not at_least((F(2), F(5)), (F(1), F(3)))
    assert count_holds(10, F(1), 1, F(2)) and not count_holds(10, F(0), 1, F(2)) and not count_holds(1, F(1), 2, F(1))
