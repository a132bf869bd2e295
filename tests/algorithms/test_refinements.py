"""The best prefix of a list, dH deterministic deployments, and what the robust spanner promises."""

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms.best_prefix import prefix, promised
from derl.algorithms.mean_spanner import distinct_rules
from derl.algorithms.spanner import FACTOR, robust_spanner

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)


def test_the_prefix_is_the_best_of_the_second_half():
    short = algorithms.arbitrary_policy_exploration(Deployer(LOCK, 10**15, 4, policy_class="any"), 0.1, 0.1,
                                                    version="self-certifying", initial=0)
    best = algorithms.prefix_exploration(Deployer(LOCK, 10**15, 4, policy_class="any"), 0.1, 0.1, initial=0)
    first, found = short.trace[0], best.trace[0]
    assert first.iterations <= found.iterations < 2 * first.iterations
    assert found.iterations * found.cover.values[-1] <= first.iterations * first.cover.values[-1]
    assert best.converged and best.deployments == 4
    assert all(record.statistic >= 2 and record.n_policies == record.iterations for record in best.trace)
    assert planning.gap(LOCK, best.policy) < 1e-9
    for record in best.trace:
        promise = promised(record.cover) * 10**-7.5
        assert record.uncertainty <= promise * (1 + 1e-12)
    assert any(record.uncertainty == pytest.approx(promised(record.cover) * 10**-7.5) for record in best.trace)


def test_a_prefix_is_the_list_cut_off():
    outcome = algorithms.prefix_exploration(Deployer(LOCK, 10**15, 4, policy_class="any"), 0.1, 0.1, initial=0)
    cover = outcome.trace[1].cover
    cut = prefix(cover, 3)
    assert cut.iterations == 3 and cut.counts.sum() == 3 and len(cut.order) == 3
    assert np.allclose(cut.excess, sum(cover.estimates[i] for i in cover.order[:3]))


def test_a_list_that_cannot_vouch_for_itself_is_not_finished():
    outcome = algorithms.prefix_exploration(Deployer(LOCK, 100, 4, policy_class="any"), 0.1, 0.1)
    assert not outcome.converged


@pytest.mark.parametrize("coefficients", ["estimated", "resolved"])
def test_at_most_d_deployments_per_layer(coefficients):
    limit = LOCK.dim * LOCK.horizon
    outcome = algorithms.spanner_exploration(Deployer(LOCK, 10**4, limit), 0.1, 0.1, coefficients, initial=0)
    layers = [record.layer for record in outcome.trace]
    assert max(layers.count(h) for h in range(1, LOCK.horizon + 1)) <= LOCK.dim
    assert outcome.deployments == len(layers) <= limit
    assert planning.gap(LOCK, outcome.policy) == pytest.approx(0)


def test_an_unknown_start_costs_one_deployment():
    known = algorithms.spanner_exploration(Deployer(LOCK, 10**4, 21), 0.1, 0.1, initial=0)
    unknown = algorithms.spanner_exploration(Deployer(LOCK, 10**4, 21), 0.1, 0.1)
    assert unknown.deployments == known.deployments + 1


def test_rules_with_the_same_features_are_one():
    assert len(distinct_rules(Deployer(LOCK, 1, 1).known, 0)) == 3
    wide = instances.random_simplex(9, 4, 3, 2, 0)
    with pytest.raises(algorithms.InvalidParameter, match="decision rules"):
        algorithms.spanner_exploration(Deployer(wide, 10, 10), 0.1, 0.1, initial=0)
    with pytest.raises(algorithms.InvalidParameter, match="coefficients"):
        algorithms.spanner_exploration(Deployer(LOCK, 10, 10), 0.1, 0.1, "other", initial=0)


GAMMA = 1e-3


def oracle_of(means):
    """The largest of finitely many means in a direction, and its number as the policy."""
    def oracle(direction):
        best = int((means @ direction).argmax())
        return np.full((1, 1), best), means[best]
    return oracle


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_no_mean_has_a_coefficient_above_two_when_it_ends(dim):
    """Means with heavy tails: what was found for the first columns is often not enough once the last are."""
    again = 0
    for seed in range(40):
        rng = np.random.default_rng(np.random.SeedSequence(20, spawn_key=(dim, seed)))
        means = rng.normal(size=(200, dim)) ** 3
        means /= np.linalg.norm(means, axis=1).max()
        found = robust_spanner(oracle_of(means), dim, GAMMA)
        everything = np.vstack([means, GAMMA * np.eye(dim)])
        assert np.abs(np.linalg.solve(found.columns, everything.T)).max() <= FACTOR * (1 + 1e-9)
        assert abs(np.linalg.det(found.columns)) >= GAMMA**dim * FACTOR**found.replacements * (1 - 1e-9)
        assert all((everything == column).all(axis=1).any() for column in found.columns.T)
        again += found.replacements > dim
    assert again >= 5  # one round is not enough there


def test_the_oracle_is_asked_once_for_each_direction():
    """Along the axes: e_i is found, and asked for again with -e_i when all are found; `calls` counts both times."""
    asked, answer = [], oracle_of(np.vstack([np.eye(3), -np.eye(3)]) / 2)

    def oracle(direction):
        asked.append(direction.tobytes())
        return answer(direction)

    found = robust_spanner(oracle, 3, GAMMA)
    assert (len(set(asked)), len(asked), found.calls, found.replacements) == (6, 6, 9, 3)
