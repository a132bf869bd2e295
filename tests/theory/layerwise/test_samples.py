"""Batch sizes with explicit constants: the conditions behind them, re-derived; known values; the curve; bad input."""

import math

import pytest
import sympy

from derl.theory import constants
from derl.theory.comparison import table1
from derl.theory.constants import InvalidConstant
from derl.theory.layerwise import samples
from derl.theory.layerwise.samples import STEPS, TRADE_OFF_STEPS, budget, covering_scale, deployments_for

EXAMPLE = (10, 10, 0.1, 0.1, 6)
CASES = [EXAMPLE, (10, 10, 0.1, 0.1, 2), (3, 3, 0.5, 0.1, 6), (2, 5, 0.3, 0.01, 1.5), (1, 1, 0.5, 0.5, 3)]


@pytest.mark.parametrize("version, size", [("explicit", 9.0e17), ("sharp", 4.6e14), ("chernoff", 4.3e13)])
def test_the_example_with_c_beta_4(version, size):
    assert budget(*EXAMPLE, version=version, c_beta=4).batch_size == pytest.approx(size, rel=0.01)


def test_sharp_means_one_number():
    for case in CASES:
        assert budget(*case, version="sharp").batch_size == constants.batch_size_layerwise(*case, version="sharp")


@pytest.mark.parametrize("case", CASES)
def test_every_step_needs_fewer_samples(case):
    sizes = [budget(*case, version=version).batch_size for version in STEPS]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] < sizes[0]


@pytest.mark.parametrize("d, H, delta, log_n", [(2, 1, 0.9, 3.0), (10, 10, 0.1, 30.0), (50, 3, 0.01, 60.0)])
def test_the_bonus_solves_its_equation_at_the_best_u(d, H, delta, log_n):
    beta, n = covering_scale(d, H, delta, log_n), math.exp(log_n)

    def bracket(u):
        inside = (d / 2 * math.log1p(n / d) + d * math.log1p(4 * n / u) + math.log(2 * H / delta)
                  + d * (d + 1) / 2 * math.log1p(8 * beta * math.sqrt(d * n) / (H * u)))
        return H * (math.sqrt(d) + u + math.sqrt(inside / 2))

    best = min(bracket(d * 10 ** (i / 100 - 3)) for i in range(401))
    assert beta == pytest.approx(min(best, H * (math.sqrt(d) + math.sqrt(n))), rel=1e-3)


@pytest.mark.parametrize("d", [1, 2, 3, 5, 20, 200])
def test_the_closed_form_with_three_halves_is_enough(d):
    """The fixed point of the covering argument against (3/2) d H sqrt(log(2dKNH/delta)), on a grid."""
    worst = 0.0
    for K in (1, 2, 3, 10, 1000):
        for N in (1, 3, 10, 30, 10**3, 10**8, 10**20):
            for H, delta in ((1, 0.999), (1, 1e-9), (20, 0.1)):
                earlier = math.log(N * (K - 1)) if K > 1 else -math.inf
                closed = d * H * math.sqrt(math.log(2 * d * K * N * H / delta))
                worst = max(worst, covering_scale(d, H, delta, earlier) / closed)
    assert worst <= samples.C_BETA
    assert d > 2 or worst > 1.15  # the constant is not far from what is needed


def test_the_versions_with_a_threshold_for_each_layer_have_no_curve():
    assert {*TRADE_OFF_STEPS, "explicit", "sharp"} == set(STEPS) and {"explicit", "sharp"}.isdisjoint(TRADE_OFF_STEPS)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("version", TRADE_OFF_STEPS)
def test_the_curve_meets_the_budget(case, version):
    d, H, epsilon, delta, c = case
    found = budget(*case, version=version)
    assert deployments_for(d, H, epsilon, delta, found.batch_size * 1.001, version, found.share) <= found.deployments


@pytest.mark.parametrize("N", [1e10, 1e14, 1e20])
@pytest.mark.parametrize("d, H", [(4, 5), (10, 3), (2, 20)])
def test_the_curve_is_the_largest_count_that_the_potential_allows(d, H, N):
    """k violations in all layers need (1 + N x)^(k/dH) <= 1 + N H k/(dH): by H determinants of at most 1 + k N/(dH)."""
    K = deployments_for(d, H, 0.2, 0.1, N)
    level = (0.5 * 0.2 / (2 * samples.bonus_scale_sharp(d, H, 0.1, K, math.log(N), "covering"))) ** 2 / H

    def allowed(k):
        return k / (d * H) * math.log1p(N * level) <= math.log1p(N * H * k / (d * H))

    assert allowed(K - 1) and not allowed(K)


def test_the_curve_decreases_towards_dH_and_beats_repetition():
    d, H, epsilon, delta = 4, 5, 0.2, 0.1
    sizes = [10.0**i for i in range(8, 60, 2)]
    counts = [deployments_for(d, H, epsilon, delta, n) for n in sizes]
    assert counts == sorted(counts, reverse=True) and counts[-1] < 1.3 * d * H + 1 < counts[0]
    assert all(few * math.ceil(large / small) >= many for small, large, many, few in
               zip(sizes, sizes[1:], counts, counts[1:], strict=False))
    with pytest.raises(InvalidConstant, match="at least"):
        deployments_for(d, H, epsilon, delta, 10)


def test_the_proved_size_satisfies_its_conditions():
    """(A), (B) and (D) of Theorem C.6, repaired, in float64 on a grid that reaches the corners."""
    for d, H in ((2, 1), (1, 2), (3, 4), (40, 30)):
        for epsilon in (1.0, 0.3, 1e-4):
            for delta in (0.999, 0.1, 1e-8):
                for c in (2, 3, 10, 1e4):
                    for factor in (1, 10, 10**9):
                        n = samples.proved_batch_size(d, H, epsilon, delta, c) * factor
                        beta = samples.proved_bonus_scale(d, H, delta, n)
                        log_nx = math.log(n) + 2 * math.log(epsilon / (4 * H * beta))
                        assert c * log_nx >= math.log(c) + math.log(n)
                        assert log_nx >= math.log(7)
                        assert n >= 16 * beta * H / epsilon * math.log(4 * d * H * n / delta)
                        deployments = d * H * math.log(n) + 1
                        assert beta >= 1.5 * d * H * math.sqrt(math.log(2 * d * deployments * n * H / delta))


def test_rows_of_the_table():
    assert len(table1.ROWS) == 9 and len({row.line for row in table1.ROWS}) == 9
    for claim in ("tab-row-layerwise", "tab-row-reward-free"):
        assert sympy.simplify(table1.derived(claim) - table1.row(claim).trajectories) == 0
    ratio = sympy.simplify(table1.derived("tab-row-arbitrary") / table1.row("tab-row-arbitrary").trajectories)
    assert ratio == table1.H
    assert table1.at_trade_off("tab-row-layerwise", 2) == {"d": 7, "H": 10, "1/epsilon": 4}
    with pytest.raises(KeyError):
        table1.sample_size("tab-row-olive")


@pytest.mark.parametrize("change, word", [
    ({"epsilon": 0}, "epsilon"), ({"delta": 1}, "delta"), ({"d": 0}, "d is"), ({"c_K": 1}, "c_K"),
    ({"version": "best"}, "version"), ({"horizon": 2.5}, "horizon"), ({"epsilon": float("nan")}, "epsilon"),
])
def test_bad_parameters_are_named_in_one_line(change, word):
    good = {"d": 2, "horizon": 3, "epsilon": 0.1, "delta": 0.1, "c_K": 2}
    with pytest.raises(InvalidConstant, match=word) as caught:
        budget(**(good | change))
    assert "\n" not in str(caught.value)


def test_bad_parameters_of_the_other_formulas():
    for call in (lambda: deployments_for(2, 3, 0.1, 0.1, 0.5), lambda: deployments_for(2, 3, 0.1, 0.1, 1e9, "sharp"),
                 lambda: samples.proved_batch_size(1, 1, 0.5, 0.1, 2),
                 lambda: samples.proved_batch_size(2, 2, 1.5, 0.1, 2), lambda: covering_scale(2, 0, 0.1, 3.0)):
        with pytest.raises(InvalidConstant):
            call()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("version", STEPS)
def test_what_a_budget_records_is_what_its_conditions_say(case, version):
    d, H, epsilon, delta, c = case
    found = budget(*case, version=version)
    K, s, beta = math.floor(c * d * H) + 1, found.share, found.beta
    assert found.deployments == K and found.trajectories == K * found.batch_size and found.version == version
    assert found.layered == (version in ("explicit", "sharp"))
    x = (s * epsilon / (2 * beta)) ** 2 / (H**2 if found.layered else H)
    count = math.log(c) - c * math.log(x)
    if version == "explicit":
        count += math.log(H) + c * math.log(d * max(math.log(H * d / x), math.log(2)))
    elif version != "sharp":
        count += math.log(H)
    union = math.log(2 * K / delta) / (1 - s) ** 2
    test = 2 * (beta * H / epsilon) ** 2 if version in STEPS[:3] else 4 * beta * H / epsilon
    assert (found.log_potential, found.log_test) == pytest.approx((count / (c - 1), math.log(test * union)))
    assert math.log(found.batch_size) == pytest.approx(max(found.log_potential, found.log_test), rel=1e-9, abs=0.5)


def test_the_shares_reach_from_one_half_to_nearly_all():
    """1 - s falls by sqrt 2 from one to the next; the best one of the example lies between its neighbours."""
    assert samples.SHARES[0] == 0.5 and samples.SHARES[-1] == pytest.approx(1 - 0.5 / 2**7)
    assert all((1 - a) / (1 - b) == pytest.approx(math.sqrt(2)) for a, b in zip(samples.SHARES, samples.SHARES[1:],
                                                                               strict=False))
    best = budget(*EXAMPLE, version="share")
    assert 0.9 < best.share < samples.SHARES[-1]
    assert best.batch_size < 0.3 * budget(*EXAMPLE, version="covering").batch_size
