"""The two games: closed forms, dynamic programmes, and each of them against a second, plainer formulation."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from derl.theory import lower_bounds
from derl.theory.lower_bounds import bandit_game, search_programme
from derl.theory.lower_bounds.feature_rank import common_rank, template_layer
from derl.theory.lower_bounds.game_parameters import InvalidGame, whole
from derl.theory.lower_bounds.search_game import (
    best_success,
    claim_two_slack,
    matched,
    optimise,
    sequences,
    two_deployment_success,
)
from derl.theory.lower_bounds.search_simulation import play_lock, simulate_search

BIAS = Fraction(2, 5)


# ------------------------------------------------------------------------------------------------ the bandit


@pytest.mark.parametrize("d, H, K, failure", [
    (3, 3, 0, Fraction(3, 4)), (3, 3, 2, Fraction(1, 4)), (3, 3, 3, 0), (3, 3, 99, 0), (2, 3, 1, 0),
    (2, 4, 1, Fraction(1, 3)), (11, 11, 49, Fraction(1, 2)), (1, 5, 0, 0)])
def test_exact_failure(d, H, K, failure):
    assert lower_bounds.exact_failure_deterministic(d, H, K) == failure
    assert isinstance(lower_bounds.exact_failure_deterministic(d, H, K), Fraction)


def test_ten_per_cent_takes_nine_tenths_of_the_arms_not_half():
    m = lower_bounds.template_arms(11, 11)
    assert m == 100
    assert lower_bounds.deployments_for_failure(m, Fraction(1, 10)) == 89
    assert lower_bounds.bandit_failure(m, 89) == Fraction(1, 10) < lower_bounds.bandit_failure(m, 88)
    assert lower_bounds.deployments_for_failure(m, 0) == 99


def test_two_arms_and_eight_trajectories():
    assert float(bandit_game.bayes_failure(2, 1, 8, BIAS)) == pytest.approx(0.09131152, abs=1e-15)


@pytest.mark.parametrize("m, K, N", [(2, 1, 2), (2, 2, 1), (3, 1, 1)])
def test_bayes_programme_equals_the_best_of_all_algorithms(m, K, N):
    def failure(tree):
        return 1 - sum(bandit_game.success_probability(tree, i, BIAS, N) for i in range(1, m + 1)) / m

    trees = list(bandit_game.algorithms(tuple(range(1, m + 1)), K, N))
    assert len(trees) == {(2, 1, 2): 16, (2, 2, 1): 128, (3, 1, 1): 27}[m, K, N]
    assert min(map(failure, trees)) == bandit_game.bayes_failure(m, K, N, BIAS)


@pytest.mark.parametrize("m, K", [(2, 1), (3, 2), (5, 2)])
def test_finite_batches_lie_above_the_limit_and_approach_it(m, K):
    values = [bandit_game.bayes_failure(m, K, N, BIAS) for N in (0, 1, 4, 16)]
    limit = lower_bounds.bandit_failure(m, K)
    assert values[0] == 1 - Fraction(1, m)
    assert values == sorted(values, reverse=True)
    assert limit <= values[-1] <= limit + K * bandit_game.test_error(16, BIAS)


def test_an_output_that_serves_two_arms_is_wrong_less_often():
    assert bandit_game.bayes_failure(4, 0, 1, BIAS, served=2) == Fraction(1, 2)
    assert lower_bounds.bandit_failure(4, 1, served=2) == Fraction(1, 4)


@pytest.mark.parametrize("bias, arms", [(1, None), (Fraction(3, 2), 3), (2, 2), (Fraction(201, 100), 1), (4, 1)])
def test_arms_served(bias, arms):
    epsilon = Fraction(1, 8)
    assert lower_bounds.arms_served(epsilon, bias * epsilon) == arms


def test_first_choices_of_a_tree_by_hand():
    tree = (1, ((2, ()), (1, ())))  # pull 1 once: tails, name 2; heads, name 1
    assert bandit_game.first_choice_probabilities(tree, 2, 2, BIAS, 1) == [0, Fraction(1, 2)]
    assert bandit_game.first_choice_probabilities(tree, 2, 1, BIAS, 1) == [0, Fraction(1, 10)]
    assert bandit_game.first_choice_probabilities(tree, 1, 1, BIAS, 1) == [1, 0]
    assert bandit_game.success_probability(tree, 1, BIAS, 1) == Fraction(9, 10)


# ------------------------------------------------------------------------------------------------ the search


@pytest.mark.parametrize("base", [2, 3, 10])
def test_ceil_log(base):
    for x in (*range(1, 300), base**40 - 1, base**40, base**40 + 1):
        c = lower_bounds.ceil_log(base, x)
        assert base**c >= x and (c == 0 or base ** (c - 1) < x)


def test_whole_numbers_are_read_as_printed():
    assert whole(1e30, "N", 1) == 10**30
    assert whole(np.float64(1e23), "N", 1) == 10**23
    assert lower_bounds.improved_deployments_arbitrary(10, 10**4, 1e30) == 294
    assert lower_bounds.improved_deployments_arbitrary(2, 10, 1) == 2  # 8 / ceil(log2 10)
    assert lower_bounds.paper_deployments_arbitrary(10, 10**4, 1e30) == 147


@pytest.mark.parametrize("call", [
    lambda: whole(1.5, "N", 1), lambda: whole(True, "N", 0), lambda: whole(float("nan"), "N", 0),
    lambda: lower_bounds.exact_failure_deterministic(0, 3, 1),
    lambda: lower_bounds.exact_failure_deterministic(3, 3, -1),
    lambda: lower_bounds.exact_success_arbitrary(1, 5, 2, 1),
    lambda: lower_bounds.exact_success_arbitrary(2, 5, 2, 1, memory="all"),
    lambda: lower_bounds.compact_arms(2, 4), lambda: lower_bounds.arms_served(1, 1),
    lambda: lower_bounds.deployments_for_failure(4, 1), lambda: sequences(10, 9),
    lambda: search_programme.deployments_for_success(2, 3, 1, 1.0),
    lambda: search_programme.success_curve(2, 9, 10**301, 1)])
def test_unusable_input_is_refused_in_one_line(call):
    with pytest.raises(InvalidGame) as error:
        call()
    assert "\n" not in str(error.value)


def uniform_search_by_listing(d, n, N, K, exclude):
    """P(all digits matched) by listing every batch of uniform search; knowledge as (frontier, digits ruled out)."""
    def play(frontier, ruled_out, left, code):
        if frontier == n:
            return Fraction(1)
        if left == 0:
            return Fraction(0)
        first = [x for x in range(d) if x not in ruled_out]
        paths = [code[:frontier] + (x, *rest) for x in first for rest in product(range(d), repeat=n - frontier - 1)]
        total = Fraction(0)
        for batch in product(paths, repeat=N):
            reach = max(matched(path, code) for path in batch)
            seen = {path[reach] for path in batch if reach < n and matched(path, code) == reach}
            kept = seen | ruled_out if reach == frontier else seen
            total += play(reach, kept if exclude else set(), left - 1, code)
        return total / len(paths) ** N

    return play(0, set(), K, (0,) * n)


@pytest.mark.parametrize("game", [(2, 2, 2, 2), (3, 2, 1, 2), (2, 3, 2, 2), (3, 2, 2, 2), (4, 1, 2, 2), (3, 1, 2, 3)])
def test_programmes_equal_the_sum_over_all_batches(game):
    for memory, exclude in (("forget", False), ("exclude", True)):
        listed = uniform_search_by_listing(*game, exclude)
        assert search_programme.success_curve(*game, memory, True)[-1] == listed


@pytest.mark.parametrize("memory", search_programme.MEMORIES)
@pytest.mark.parametrize("game", [(2, 6, 3, 4), (3, 5, 7, 4), (5, 4, 40, 3), (4, 1, 5, 3), (3, 0, 2, 2), (2, 8, 1, 6)])
def test_rationals_and_floats_agree(game, memory):
    exact = search_programme.success_curve(*game, memory, True)
    rounded = search_programme.success_curve(*game, memory)
    assert exact.shape == rounded.shape == (game[-1] + 1,)
    assert np.abs(exact.astype(float) - rounded).max() < 1e-13
    assert all(0 <= p <= 1 for p in exact) and list(exact) == sorted(exact)


def test_memory_helps_and_revelation_helps_more():
    for game in ((3, 5, 4, 3), (4, 4, 6, 3), (10, 6, 100, 3)):
        curves = [search_programme.success_curve(*game, memory, True) for memory in search_programme.MEMORIES]
        forget, exclude, reveal = (curve[-1] for curve in curves)
        assert forget < exclude < reveal
        assert len({curve[1] for curve in curves}) == 1  # nothing to remember or to reveal before the first


def test_one_deployment_is_claim_one_made_sharp():
    for d, H, N in ((2, 5, 3), (3, 6, 10), (10, 4, 7)):
        value = lower_bounds.exact_success_arbitrary(d, H, N, 1)
        assert value == lower_bounds.first_deployment_reach(d, H - 1, N) == 1 - (1 - Fraction(1, d ** (H - 2))) ** N
        assert value <= Fraction(N, d ** (H - 2))
        assert lower_bounds.exact_success_arbitrary(d, H, N, 1, exact=False) == pytest.approx(float(value), rel=1e-9)


def test_huge_batches_stay_accurate():
    for K in (1, 2):
        exact = lower_bounds.exact_success_arbitrary(2, 40, 10**6, K, exact=False)
        a = np.arange(1, 39)
        tail = -np.expm1(1e6 * np.log1p(-0.5**a))
        second = sum((tail[j - 1] - tail[j]) * tail[37 - j] for j in range(1, 38))  # advance j, then the other 38 - j
        assert exact == pytest.approx(tail[-1] + second * (K - 1), rel=1e-6, abs=1e-12)


def test_ten_thousand_layers():
    curve = search_programme.success_curve(10, 9998, 1e30, 338)
    assert np.isfinite(curve).all() and (np.diff(curve) >= 0).all()
    assert int(np.argmax(curve >= 0.5)) == 337 and curve[294] < 1e-12
    assert curve[336] < 0.4 and curve[337] > 0.95


@pytest.mark.parametrize("d, n, N", [(2, 2, 1), (2, 2, 2), (3, 1, 1)])
def test_optimal_play_equals_the_best_of_all_algorithms(d, n, N):
    """Every first batch, and for every observation every second batch, as explicit decision trees."""
    codes = sequences(d, n)
    batches = list(combinations_with_replacement(codes, N))
    best = Fraction(0)
    for first in batches:
        seen = {code: tuple(matched(path, code) for path in first) for code in codes}
        observations = sorted(set(seen.values()))
        for plan in product(batches, repeat=len(observations)):
            second = dict(zip(observations, plan, strict=True))
            hits = sum(max(*seen[code], *(matched(path, code) for path in second[seen[code]])) == n for code in codes)
            best = max(best, Fraction(hits, len(codes)))
    assert best == best_success(d, n, N, 2)


def test_two_different_paths_are_two_chances():
    assert best_success(3, 2, 2, 1) == Fraction(2, 9)
    assert best_success(3, 2, 2, 2) == Fraction(8, 9)


def test_the_optimiser_can_be_asked_for_the_worst_play():
    worst = optimise(2, 2, 1, 2, lambda fronts: Fraction(max(fronts) >= 2), min)
    assert worst == Fraction(1, 4)  # the same path twice
    assert worst < best_success(2, 2, 1, 2)


def test_claim_two_and_its_misreading():
    assert claim_two_slack(2, 3, 1, 4, 2, 2, Fraction(1, 2)) == 0
    assert claim_two_slack(2, 3, 1, 4, 2, 2, Fraction(1, 2), alone=True) == Fraction(-3, 8)


def test_two_deployments_with_the_uniform_law():
    laws = np.full((1, 9), 1 / 9)
    assert two_deployment_success(3, 2, 2, laws)[0] == pytest.approx(2 / 3, abs=1e-15)
    point = np.zeros((1, 9))
    point[0, 0] = 1  # all paths equal: one code tried, then the rest
    by_hand = 1 / 9 + 2 / 9 * (1 - (1 - 1 / 2) ** 2) + 6 / 9 * (1 - (1 - 1 / 6) ** 2)
    assert two_deployment_success(3, 2, 2, point)[0] == pytest.approx(by_hand, abs=1e-15)


def test_simulated_search_is_near_the_exact_value():
    reached = simulate_search(3, 4, 6, 2, 20_000, np.random.default_rng(5))
    assert reached.shape == (20_000,) and reached.max() == 4
    exact = float(search_programme.success_curve(3, 4, 6, 2)[-1])
    assert abs((reached == 4).mean() - exact) < np.sqrt(np.log(2 / 1e-6) / 40_000)


def test_the_lock_is_opened_layer_by_layer():
    assert play_lock(2, 5, 2000, 3, (1, 0, 1, 1, 0), 0.3, seed=1) == 4
    assert play_lock(4, 9, 2, 1, (1, 0, 3, 1, 0, 2, 3, 1, 1), 0.3, seed=1) < 8


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_rank_of_a_layer_with_unknown_core(d):
    kernels = [template_layer(d, core) for core in range(d)]
    stacked = np.concatenate([k.reshape(-1, d + 2).astype(float) for k in kernels], axis=1)
    assert common_rank(kernels) == np.linalg.matrix_rank(stacked) == d * d + 2
    assert (stacked.reshape(-1, d, d + 2).sum(axis=2) == 1).all()


@pytest.mark.parametrize("D, T, arms", [(3, 9, 0), (4, 2, 1), (6, 5, 12), (13, 1, 0)])
def test_arms_of_the_compact_bandit(D, T, arms):
    assert lower_bounds.compact_arms(D, T) == arms


@pytest.mark.parametrize("m, served", [(1, 1), (7, 1), (7, 3), (10, 2), (4, 9)])
def test_the_least_number_of_deployments_by_trying_all(m, served):
    for delta in (Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)):
        least = min(K for K in range(m + 1) if lower_bounds.bandit_failure(m, K, served) <= delta)
        assert lower_bounds.deployments_for_failure(m, delta, served) == least


@pytest.mark.parametrize("N, bias, error", [
    (1, BIAS, Fraction(1, 2)), (2, BIAS, Fraction(1, 4)), (4, BIAS, Fraction(5, 16)),
    (5, Fraction(1, 5), Fraction(1, 2)),
    (2, Fraction(1, 10), Fraction(16, 25)), (0, BIAS, 1)])
def test_both_errors_of_the_test_by_hand(N, bias, error):
    """Biased iff heads >= N (1 + bias)/2: 1, 2, 3, 3, 2 heads, and always where nothing is flipped."""
    assert bandit_game.test_error(N, bias) == error


def test_first_choices_where_other_arms_are_biased_too():
    tree = (2, ((1, ()), (2, ())))  # pull 2 once: tails, name 1; heads, name 2
    quarter = Fraction(1, 4)
    assert bandit_game.first_choice_probabilities(tree, 1, 1, BIAS, 1, quarter) == [0, quarter]
    assert bandit_game.first_choice_probabilities(tree, 1, 2, BIAS, 1, quarter) == [0, Fraction(1, 10)]
    assert bandit_game.first_choice_probabilities(tree, 1, bandit_game.NO_ARM, BIAS, 1, quarter) == [0, Fraction(1, 2)]


@pytest.mark.parametrize("d, H, N, K, exact", [(2, 16, 2, 2, True), (2, 17, 2, 2, False), (3, 6, 1024, 2, True),
                                               (3, 6, 1025, 2, False), (2, 3, 4096, 200, False)])
def test_which_numbers_are_exact_by_default(d, H, N, K, exact):
    """N (H-2) <= 4096, H <= 16, and K N n log2 d within a million bits."""
    assert isinstance(lower_bounds.exact_success_arbitrary(d, H, N, K), Fraction) is exact


def test_how_large_the_rationals_of_a_programme_may_be():
    """d = 2 has two bits: K N n up to half a million; no deployment counts as one."""
    fits = search_programme.fits_rationals
    assert fits(2, 500, 1000, 1) and not fits(2, 501, 1000, 1) and not fits(2, 500, 1001, 1)
    assert fits(2, 500, 1000, 0) and not fits(2, 500, 1000, 2) and not fits(4, 500, 1000, 1)


@pytest.mark.parametrize("memory", search_programme.MEMORIES)
@pytest.mark.parametrize("d, n, N", [(2, 1, 1), (3, 4, 2), (5, 2, 30), (2, 0, 4)])
def test_the_deployments_for_a_probability_are_the_first_on_the_curve(d, n, N, memory):
    curve = search_programme.success_curve(d, n, N, 60, memory, True)
    for probability in (0.0, 0.5, 0.75, 0.99):
        least = next(K for K, value in enumerate(curve) if value >= probability)
        assert search_programme.deployments_for_success(d, n, N, probability, memory) == least
    assert search_programme.deployments_for_success(2, 1, 1, 0.5) == 1  # exactly one half
