"""Gates of needles: the law of the level is one."""

from fractions import Fraction
from itertools import permutations

import pytest

from derl.theory.beyond import gates
from derl.theory.beyond.gates import best_success, level_law, posterior, stated, success_bound


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
