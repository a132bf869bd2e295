"""Gates of needles, the best prefix, the spanner and the solved search game: kernels against other ways to compute."""

import math
from fractions import Fraction
from itertools import permutations, product
from math import prod

import numpy as np
import pytest

from derl.theory.beyond import gates, prefix, renewal, spanner
from derl.theory.beyond.gates import best_success, level_law, posterior, stated, success_bound
from derl.theory.constants import InvalidConstant
from derl.theory.lower_bounds.game_parameters import InvalidGame
from derl.theory.lower_bounds.search_programme import success_curve


@pytest.mark.parametrize("levels", [1, 2, 5])
@pytest.mark.parametrize("theta", [Fraction(1, 3), Fraction(9, 10)])
def test_the_law_of_the_level_is_a_truncated_geometric_one(levels, theta):
    law = level_law(levels, theta)
    assert sum(law.values()) == 1 and sorted(law) == list(range(1, levels + 1))
    assert all(law[j + 1] == theta * law[j] for j in range(1, levels - 1))
    assert law[levels] == theta ** (levels - 1)


@pytest.mark.parametrize("eta", [Fraction(1, 2), Fraction(2, 5), Fraction(3, 7)])
@pytest.mark.parametrize("d, horizon", [(9, 4000), (12, 5000), (30, 4001)])
def test_the_statement_excludes_all_that_a_share_of_the_arms_allows(d, horizon, eta):
    """With the t duds they are (1 - eta) t (arms - s + 1), rounded down."""
    found = stated(d, horizon, Fraction(1, 100), Fraction(1, 10), eta)
    choices = (1 - eta) * found.stages * ((d - 3) * found.layers - found.levels + 1)
    assert found.excluded > 0 and choices - 1 < found.excluded + found.stages <= choices


@pytest.mark.parametrize("stages, arms, levels, theta, budget", [
    (1, 2, 1, Fraction(1, 2), 1), (2, 5, 3, Fraction(1, 3), 4), (3, 7, 2, Fraction(9, 10), 0)])
def test_the_bound_is_the_formula_of_the_module(stages, arms, levels, theta, budget):
    """(1 - theta (1 - B/(t (n-s+1))))^t + t theta^(s-1), exactly: not a bound that is only large enough."""
    share = Fraction(budget, stages * (arms - levels + 1))
    assert success_bound(stages, arms, levels, theta, budget) == (
        1 - theta + theta * share) ** stages + stages * theta**levels / theta


@pytest.mark.parametrize("stages, arms, levels", [(1, 3, 1), (2, 3, 2), (1, 4, 3), (2, 2, 1)])
@pytest.mark.parametrize("theta", [Fraction(1, 3), Fraction(9, 10)])
def test_with_a_budget_for_every_dud_all_needles_are_seen_and_without_the_bound_is_tight_for_one_level(
        stages, arms, levels, theta):
    assert best_success(stages, arms, levels, theta, stages * arms) == 1
    assert success_bound(1, arms, 1, theta, 0) == 1 - theta + 1  # one level: theta^0
    assert best_success(stages, arms, levels, theta, 0) <= success_bound(stages, arms, levels, theta, 0)


@pytest.mark.parametrize("duds, highest", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (1, 2), (0, 3)])
def test_the_posterior_counts_the_places_of_the_needles(duds, highest):
    """Arms are asked in their order: first the duds, then the needles that were found."""
    arms, prior = 4, {1: Fraction(2, 3), 2: Fraction(2, 9), 3: Fraction(1, 9)}
    found = {}
    for j, p in prior.items():
        if j >= highest:
            places = list(permutations(range(arms), j))
            fits = [at for at in places if at[:highest] == tuple(range(duds, duds + highest))
                    and all(place >= duds + highest for place in at[highest:])]
            found[j] = p * Fraction(len(fits), len(places))
    wanted = {j: weight / sum(found.values()) for j, weight in found.items()}
    assert posterior(arms, 3, Fraction(1, 3), duds, highest) == wanted
    assert posterior(3, 2, Fraction(1, 2), 1, 1) == {1: Fraction(2, 3), 2: Fraction(1, 3)}  # 1/3 against 1/6


@pytest.mark.parametrize("stages, levels, rewards, layers", [(14, 7, 6, 285), (1, 1, 1, 3999)])
def test_the_layers_of_a_family_by_hand(stages, levels, rewards, layers):
    """H = 4000, epsilon = 1/100: R = ceil(11/2 t s/100) is 5.39 or 0.055, rounded up, and T = floor((H - R)/t)."""
    seen = []
    found = gates._family(9, 4000, Fraction(1, 100), stages, levels, lambda arms: seen.append(arms) or -7)
    assert (found.stages, found.levels, found.rewards, found.layers) == (stages, levels, rewards, layers)
    assert seen == [6 * layers] and found.excluded == -1


@pytest.mark.parametrize("stages, arms, levels, delta", [(1, 30, 4, Fraction(1, 10)), (3, 40, 6, Fraction(1, 2)),
                                                         (2, 5, 2, Fraction(9, 10)), (4, 9, 3, Fraction(0))])
def test_the_largest_number_excluded_by_trying_all(stages, arms, levels, delta):
    fails = [K for K in range(stages * arms) if success_bound(stages, arms, levels, Fraction(1, 2), K + stages)
             < 1 - delta]
    assert gates._largest_excluded(stages, arms, levels, delta) == max(fails, default=-1)


LAW = {(0, 1): Fraction(1, 2), (2, 0): Fraction(1, 3), (1, 1): Fraction(1, 6), (2, 2): Fraction(0)}


@pytest.mark.parametrize("e", [0, 1])
@pytest.mark.parametrize("N", [1, 2, 3])
def test_the_value_of_a_law_is_the_mean_over_all_sequences(N, e):
    table = renewal.values(3, 2, N, 1)[-1]
    mean = sum(prod(LAW[path] for path in batch) * renewal.batch_value(3, table, 2, e, batch)
               for batch in product(LAW, repeat=N))
    assert renewal.law_value(3, table, 2, e, LAW, N) == mean
    assert 0 < mean < 1


def test_the_sum_over_nodes_counts_codes():
    nothing = np.array([[Fraction(int(m == 0))] * 4 for m in range(3)])  # no deployment follows
    assert renewal.decomposition(3, nothing, 1, 0, [(0,), (1,)]) == Fraction(2, 3)
    assert renewal.decomposition(3, nothing, 2, 1, [(1, 0), (1, 2), (2, 2), (0, 1)]) == Fraction(3, 6)  # 0 is ruled out
    assert renewal.decomposition(2, nothing, 2, 0, [(0, 0), (1, 1)]) == Fraction(1, 2)


def test_the_sum_over_nodes_adds_what_the_next_path_finds():
    """d = 2, one path a deployment: found at once 1/4, second digit left 1/4, first digit left 1/2 times 1/2."""
    one = np.array([[1, 1, 1], [Fraction(1, 2), 1, 0], [Fraction(1, 4), Fraction(1, 2), 0]], dtype=object)
    assert renewal.decomposition(2, one, 2, 0, [(0, 0)]) == Fraction(3, 4)


HALF = Fraction(1, 2)


def test_one_stage_with_one_level_is_a_search_for_one_arm():
    for duds in range(5):
        assert gates.best_success(1, 5, 1, HALF, duds) == Fraction(duds, 5) if duds < 5 else 1
    assert gates.best_success(1, 5, 1, HALF, 5) == 1


def test_asking_in_order_is_a_strategy():
    """n = 4, s = 2, two duds: ask the arms in order until two duds are seen."""
    law, total = gates.level_law(2, HALF), Fraction(0)
    for J, p in law.items():
        places = list(permutations(range(4), J))
        found = 0
        for at in places:
            duds = seen = 0
            for arm in range(4):
                if duds == 2:
                    break
                duds += arm not in at
                seen = max([seen, *[level for level, place in enumerate(at, 1) if place == arm]])
            found += seen == J
        total += p * Fraction(found, len(places))
    assert gates.best_success(1, 4, 2, HALF, 2) == total


def test_families_keep_their_promise():
    for size in ((1000, 1000, 0.1, HALF), (100, 100, 0.001, Fraction(9, 10))):
        found = gates.excluded(*size)
        arms, delta = (size[0] - 3) * found.layers, size[3]
        assert found.stages * found.layers + found.rewards <= size[1]
        bound = gates.success_bound(found.stages, arms, found.levels, HALF, found.excluded + found.stages)
        assert bound < 1 - delta <= gates.success_bound(found.stages, arms, found.levels, HALF,
                                                        found.excluded + 1 + found.stages)
    assert gates.excluded(4, 3, 1.0, HALF).excluded == -1
    with pytest.raises(InvalidGame, match="do not fit"):
        gates.stated(10, 10, 0.1, HALF, Fraction(1, 10))
    with pytest.raises(InvalidGame, match="room for at most 2"):
        gates.best_success(1, 2, 3, HALF, 1)


def test_a_prefix_keeps_planned_values_in_their_range():
    found = prefix.prefix_constants(3, 3, 0.1, 0.1, 0.2, known_start=True)
    with pytest.raises(InvalidConstant):
        prefix.prefix_constants(3, 3, 0.1, 0.1, 1e-60)
    # the smallest N at which planned values stay in their range: 2 H beta' sqrt(4 I/(c N)) = RANGE - 1
    size = dict(found.conditions)["range"]
    reach = 2 * 3 * found.beta_prime * (4 * found.policies / (float(prefix.COVERAGE) * size)) ** 0.5
    assert reach == pytest.approx(prefix.RANGE - 1, rel=1e-6)


def test_a_spanner_of_lower_rank():
    points = np.array([[1.0, 0, 0], [0, 1, 0], [0.5, 0.5, 0], [0.1, -0.9, 0]])
    assert sorted(spanner.barycentric(points)) == [0, 1]


def test_values_are_those_of_the_programme():
    for d, n, N, K in ((3, 4, 2, 3), (4, 3, 5, 2)):
        tables = renewal.values(d, n, N, K)
        assert [table[n, 0] for table in tables] == list(success_curve(d, n, N, K, "exclude", exact=True))
        rounded = renewal.values(d, n, N, K, exact=False)
        assert np.allclose(rounded[-1], tables[-1].astype(float))


def test_paces():
    assert renewal.pace(2, 8) == pytest.approx(renewal.revealed_pace(2, 8))
    assert renewal.pace(7, 1) == pytest.approx(2 / 6)
    mean = sum(1 - success_curve(3, n, 5, 40, "exclude") for n in (60, 61))  # growth of the mean number of digits
    assert mean.shape == (41,)
    assert 60 / renewal.pace(3, 5) == pytest.approx(np.argmax(success_curve(3, 60, 5, 60, "exclude") >= 0.5), abs=1.5)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("d, H, epsilon, delta, nu", [(3, 4, 0.2, 0.1, 0.3), (1, 1, 0.9, 0.5, 1.0)])
def test_every_condition_of_the_prefix_is_the_formula_of_its_module(d, H, epsilon, delta, nu, known):
    found = prefix.prefix_constants(d, H, epsilon, delta, nu, known)
    c_0, most, beta = (1 - math.log(2)) / 2, found.policies, found.beta_prime
    G = 8 / 7 / math.log(1.5) * d * math.log(1 + most / d) + 3 / 4
    layer = math.sqrt(135 / 28 * G)
    start = 1 + d * math.sqrt(2.2 * math.log(8 * d * H / delta) / c_0)
    r = H * layer if known else (H - 1) * layer + start
    asked = {"plan": (2 * found.beta * r / epsilon) ** 2, "covariance": (8 * most * beta * r) ** 2,
             "optimism": (162 * beta * r / nu**2) ** 2, "range": (100 * H * beta) ** 2 * 16 * most / 7,
             "Chernoff": 2 * most * math.log(4 * d * H / delta) / (7 / 4 * c_0)}
    assert found.value == pytest.approx(G)
    assert dict(found.conditions) == pytest.approx(asked, rel=1e-6)
    assert found.binding == max(asked, key=asked.get)
    assert found.batch_size == pytest.approx(max(asked.values()), rel=1e-6)


@pytest.mark.parametrize("d, N, pace", [(2, 1, 2), (3, 1, Fraction(3, 2)), (2, 2, Fraction(8, 3)),
                                        (3, 2, Fraction(15, 8)), (10, 1, Fraction(10, 9))])
def test_the_revealed_pace_is_a_sum_of_geometric_series(d, N, pace):
    """1 + sum_a (1 - (1 - d^-a)^N): d^-a adds up to 1/(d-1), its square to 1/(d^2-1)."""
    assert renewal.revealed_pace(d, N) == pytest.approx(float(pace))


@pytest.mark.parametrize("epsilon, sigma", [(0.1, None), (0.1, 0.01), (0.01, 0.1)])
def test_the_net_of_rules_is_as_fine_as_the_smaller_accuracy(epsilon, sigma):
    d, H, delta = 2, 3, 0.1
    finest = min(epsilon, sigma or 1)
    logs = d * math.log(1 + 8 * H**2 * math.sqrt(d) / finest) + math.log(6 * d**2 * H / delta)
    scale = 128 * d**2 * (1 + d) ** (2 * H) / epsilon**2 if sigma is None else \
        max(512 * H**4 * d**4 / epsilon**2, 2048 * H**2 * d**6 / sigma**2)
    assert spanner.spanner_size(d, H, epsilon, delta, sigma=sigma) == pytest.approx(scale * logs, rel=1e-9)
    given = spanner.spanner_size(d, H, epsilon, delta, log_rules=5.0, sigma=sigma)
    assert given == pytest.approx(scale * (5 + math.log(6 * d**2 * H / delta)), rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_all_points_are_combinations_of_the_spanner_with_small_coefficients(seed):
    """Also where the farthest points are not the best choice: of these sets greed alone misses some."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    points = rng.uniform(-1, 1, size=(60, 3)) @ rng.normal(size=(3, 3))
    shares = np.abs(np.linalg.solve(points[spanner.barycentric(points)].T, points.T))
    assert shares.max() <= 1 + 1e-6
