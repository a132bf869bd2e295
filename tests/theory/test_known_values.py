"""Formulas of the library at a point where the value is known by hand, by counting, or from the printed formula."""

import math
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest
import sympy

from derl.inputs import Invalid, decimals
from derl.mdp import instances
from derl.theory import lower_bounds
from derl.theory.arbitrary import rules
from derl.theory.beyond import exchange, prefix, spanner
from derl.theory.comparison import table1
from derl.theory.foundations import setting
from derl.theory.layerwise import bonus, printed
from derl.theory.lower_bounds import bandit_game, game_parameters
from derl.theory.potential import bounds
from derl.theory.reachability import algebra, facets
from derl.theory.reachability.model import layer_problem
from derl.theory.reward_free import bracket, samples
from derl.theory.safety import threshold


def test_constants_of_algorithm_2():
    assert rules.iteration_scale(SimpleNamespace(iterate=F(1, 2), degree=2), 3, F(1, 2)) == 192
    assert rules.iteration_scale(SimpleNamespace(iterate=F(1, 2), degree=1), 3, F(1, 2)) == 24
    size = rules.first_layer_bound(3, 5, 0.25, 7.0)
    assert 5 * (3 * math.sqrt(2.2 * 7 / size) + 1 / math.sqrt(size)) == pytest.approx(0.25)


def test_constants_beyond_the_paper():
    assert exchange.error_scale(2, 3.0, 1.5) == pytest.approx(math.sqrt(math.log(2) + 1.5) + math.sqrt(6))
    assert spanner.greedy_rules(4, 3, 0.5) == pytest.approx(4 * math.log(1 + 8 * 9 * 2 / 0.5))
    assert prefix.value_bound(3, 6) == pytest.approx(
        float(prefix.RELATIVE) * 3 * math.log(3) / math.log(1.5) + float(prefix.FAR_OFF))
    tau = math.log(20)
    assert prefix.stated_size(2, 3, 0.5, 0.2, 0.1) == pytest.approx(
        (1.2e5 * 81 * 8 / 0.25 * tau + 1.3e12 * 9 * 32 * 10**4 * tau**3) * math.log(2 * 6 / 0.01))


def test_limits_and_trade_offs():
    c, d, H = table1.c_K, table1.d, table1.H
    assert table1.limit_in_trade_off(H**((4 * c + 1) / (c - 1)) * d**(3 * c / (c - 1))) == H**4 * d**3
    assert table1.limit_in_trade_off((c * H**c)**(1 / (c - 1))) == H
    assert sympy.limit((c * 2**c)**(1 / (c - 1)), c, sympy.oo) == 2
    assert setting.trade_off(1.5) == 1.5
    for wrong in (1, 0.5, math.inf):
        with pytest.raises(Invalid, match="c_K"):
            setting.trade_off(wrong)


def test_the_bonus_and_the_size_of_algorithm_1():
    assert bonus.closed_form_scale(3, 4, 0.1, 25, math.log(1000), 2.0) == pytest.approx(
        24 * math.sqrt(math.log(2 * 3 * 25 * 1000 * 4 / 0.1)), rel=1e-6)
    inside = 3 * 4**13 * 2**9 * 0.5**-6 * math.log(2 * 4 / (0.2 * 0.5))**6
    found = printed.log_batch_size(setting.Setting(2, 4, 0.5, 0.2), 3, 7.0, "thm-layerwise")
    assert found == pytest.approx(math.log(7 * inside**0.5))
    inside = 2 * 4**13 * 2**6 * 0.5**-4 * math.log(2 * 4 / (0.2 * 0.5))**4
    found = printed.log_batch_size(setting.Setting(2, 4, 0.5, 0.2), 2, 7.0, "eq-batch-size-reward-free")
    assert found == pytest.approx(math.log(7 * inside))


def test_guessing_digits_and_arms():
    assert lower_bounds.advance_probability(3, 2, 5) == 1 - F(8, 9)**5
    assert lower_bounds.advance_probability(2, 0, 1) == 1 and lower_bounds.advance_probability(2, 3, 0) == 0
    for K, found in ((0, {2}), (1, {2, 0}), (2, {2, 0, 1}), (9, {2, 0, 1})):  # K pulls, and one arm that is guessed
        assert {arm for arm in range(3) if not bandit_game.sweep_failure(3, K, (2, 0, 1), arm)} == found
    assert game_parameters.half_bias(F(1, 2)) == F(1, 2) and game_parameters.half_bias(F(3, 10)) == F(3, 10)
    for wrong in (F(51, 100), -1):
        with pytest.raises(Invalid, match="bias"):
            game_parameters.half_bias(wrong)


@pytest.mark.parametrize("d, size, epsilon", [(1, 1, F(1, 10)), (2, 1, F(1, 10)), (3, 7, F(1, 3)), (2, 100, F(1, 2))])
def test_the_determinant_allows_so_many_violations(d, size, epsilon):
    def allowed(k):
        return (1 + size * epsilon)**k <= (1 + F(k * size, d))**d

    most = max(k for k in range(200) if allowed(k))
    assert [bounds.admits(k, d, size, epsilon) for k in range(200)] == [allowed(k) for k in range(200)]
    assert bounds.trade_off(d, epsilon, [size, 1]) == [most, bounds.sharp_bound(d, 1, epsilon)]
    root = bounds.sharp_root(size, epsilon)
    assert root * math.log1p(size * float(epsilon)) == pytest.approx(math.log1p(root * size)) and root > 1


def test_integers_null_vectors_and_the_hexagon():
    whole, scale = algebra.in_integers(np.array([F(1, 2), F(-1, 3), F(2)], dtype=object))
    assert whole.tolist() == [3, -2, 12] and scale == 6
    vector = algebra.null_vector(np.array([[1, 2, 3], [0, 1, 1]], dtype=object))
    assert any(vector) and vector[0] == vector[1] == -vector[2]  # x + 2y + 3z = 0 = y + z
    assert facets.systems(SimpleNamespace(points=range(6), rank=3)) == 20 * 4
    mdp = instances.hexagon(5, exact=True)
    least, direction = facets.widest_vertex(layer_problem(mdp, 1))
    met = mdp.phi[0].reshape(-1, mdp.dim) @ direction
    assert least == F(3, 8) == max(met**2) / (direction @ direction)


def test_brackets():
    low, high = bracket.square_root((F(2), F(3)))
    assert low**2 <= 2 < (low + F(1, 10**9))**2 and (high - F(1, 10**9))**2 < 3 < high**2
    low, high = bracket.log_between((F(2), F(3)))
    assert low <= high and float(low) == pytest.approx(math.log(2)) and float(high) == pytest.approx(math.log(3))


@pytest.mark.parametrize("version", ["explicit", "sharp", "flat"])
def test_what_algorithm_3_asks_of_a_batch(version):
    d, H, epsilon, delta, c, log_n = 2, 3, 0.3, 0.1, 2.5, 40.0
    K = math.floor(c * d * H) + (H if version == "flat" else 1)
    beta = samples.C_BETA_REWARD_FREE * d * H * math.sqrt(math.log(2 * d * K * H / delta) + log_n)
    x = (epsilon / (4 * (2 * H + 1) * beta))**2 / (H if version == "flat" else H**2)
    inner = c / x**c
    if version == "explicit":
        inner *= H * (d * max(math.log(H * d / x), math.log(2)))**c
    if version == "flat":
        inner *= H
        rule = 16 * beta * H * (2 * H + 1) / epsilon * math.log(2 * K / delta)
    else:
        rule = 8 * (beta * H * (2 * H + 1) / epsilon)**2 * math.log(2 * K / delta)
    found = samples.log_conditions(setting.Setting(d, H, epsilon, delta), c, log_n, version)
    assert found == pytest.approx((math.log(inner) / (c - 1), math.log(rule)))


@pytest.mark.parametrize("d, H, epsilon, delta, alpha, c", [(3, 4, 0.2, 0.1, 0.02, 2.0), (2, 2, 0.5, 0.05, 0.1, 3.5),
                                                            (1, 1, 0.9, 0.9, 0.3, 40.0)])
def test_what_the_safe_mixture_asks_of_a_batch(d, H, epsilon, delta, alpha, c):
    """The three conditions as the module prints them, at the N and the beta that it returns."""
    found = threshold.mixture_constants(d, H, epsilon, delta, alpha, c)
    K = math.floor(c * d * H) + 1
    beta = 1.5 * d * H * math.sqrt(math.log(4 * d * K * found.batch_size * H / delta))
    x = (alpha * epsilon / (4 * H * beta))**2
    asked = {"violations": (c / x**c)**(1 / (c - 1)),
             "rule": 16 * beta * H / (alpha * epsilon) * math.log(4 * K / delta),
             "safety": d * (16 * beta * H * K / (delta * epsilon))**2}
    assert found.deployments == K and found.beta == pytest.approx(beta)
    assert dict(found.conditions) == pytest.approx(asked, rel=1e-6)
    assert max(asked.values()) <= found.batch_size + 1 <= max(asked.values()) * 1.001 + 2


def test_numbers_at_face_value():
    assert decimals.face_value(0.1) == F(1, 10) and decimals.face_value(1e30) == 10**30
    assert decimals.face_value(np.float64(0.25)) == F(1, 4) and decimals.face_value("x") == "x"
    assert math.isnan(decimals.face_value(math.nan)) and decimals.face_value(math.inf) == math.inf
    assert decimals.face_value(F(1, 3)) == F(1, 3) and decimals.face_value(7) == 7
    assert decimals.exact_whole(1e23, "n", 1, Invalid) == 10**23 and decimals.exact_whole(3, "n", 3, Invalid) == 3
    for wrong in (2, 2.5, "3", True):
        with pytest.raises(Invalid, match="n is"):
            decimals.exact_whole(wrong, "n", 3, Invalid)
    assert decimals.exact_real("1/10", "x", Invalid) == decimals.exact_real(0.1, "x", Invalid) == F(1, 10)
    for wrong in ("1/0", "a", "", math.nan, None, 2):
        with pytest.raises(Invalid, match="x is"):
            decimals.exact_real(wrong, "x", Invalid, high=1)
