"""A policy repeated until something happens: the law is that of deploying it one by one.

Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

import numpy as np
import pytest
from scipy import stats

from derl.deployment import Deployer, InvalidDeployment, ProtocolViolation, repeats
from derl.deployment.counts import CountSampler
from derl.deployment.trajectories import counts_of, sample
from derl.mdp import instances
from derl.mdp.policies import uniform

LEVEL = 1e-3 / 10
MDP = instances.random_simplex(3, 2, 2, 3, seed=4)
POLICY = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 1]])


def generator(*key):
    return np.random.default_rng(np.random.SeedSequence(17, spawn_key=key))


def same_law(first, second):
    """p-value of the two-sample chi-square test, for samples of whole numbers; rare values are put together."""
    values, where = np.unique(np.concatenate([first, second]), return_inverse=True)
    table = np.stack([np.bincount(part, minlength=len(values)) for part in np.split(where, [len(first)])])
    common = table.sum(axis=0) >= 20
    table = np.column_stack([table[:, common], table[:, ~common].sum(axis=1)])
    return stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue


@pytest.mark.parametrize("pool, n", [([3, 4, 5], 6), ([30, 1, 0, 30], 40), ([2000, 70, 30], 1000)])
def test_a_choice_without_replacement_has_the_multivariate_hypergeometric_law(pool, n):
    pool, runs = np.array(pool), 6000
    found = repeats.choose(generator(1, n), np.tile(pool, (runs, 1)), np.full(runs, n))
    assert (found.sum(axis=1) == n).all() and (found >= 0).all() and (found <= pool).all()
    expected = generator(2, n).multivariate_hypergeometric(pool, n, size=runs)
    assert all(same_law(found[:, j], expected[:, j]) > LEVEL for j in range(2))
    wrong = generator(3, n).multinomial(n, pool / pool.sum(), size=runs)  # with replacement
    assert same_law(wrong[:, 0], expected[:, 0]) < LEVEL


@pytest.mark.parametrize("pool, n", [([0, 2], 2), ([0, 1, 0, 3], 4), ([0, 10**6], 5)])
def test_nothing_is_taken_from_an_empty_cell(pool, n):
    found = repeats.choose(generator(5, n), np.array([pool]), np.array([n]))
    assert (found <= pool).all() and found.sum() == n


@pytest.mark.parametrize("total", [10**10, 10**13, 10**17])
def test_huge_totals_have_the_right_mean_and_spread(total):
    pool, n, runs = np.array([total // 2, total // 3, 7]), total // 5, 400
    found = repeats.choose(generator(4, total), np.tile(pool, (runs, 1)), np.full(runs, n))
    assert (found.sum(axis=1) == n).all() and (found >= 0).all() and (found <= pool).all()
    share, whole = pool[0] / pool.sum(), pool.sum()
    spread = np.sqrt(n * share * (1 - share) * (whole - n) / (whole - 1))
    z = (found[:, 0] - n * share) / spread
    assert abs(z.mean()) < 4 / np.sqrt(runs) and stats.chi2.cdf((z**2).sum(), runs) == pytest.approx(0.5, abs=0.4995)


def test_the_first_trajectories_of_a_block_have_the_law_of_trajectories():
    """Joint law of two cells of different layers among the first 9 of 20 trajectories, given nothing."""
    rng, runs = generator(5), 2500
    sampler = CountSampler(MDP)
    divided = np.array([repeats.first_of(rng, sampler.draw(rng, POLICY, 20).counts, 9) for _ in range(runs)])
    plain = np.array([counts_of(sample(MDP, POLICY, 9, rng), 3, 2) for _ in range(runs)])
    for statistic in (lambda c: c[:, 0, 0].sum(axis=(1, 2)) * 10 + c[:, 2, 1].sum(axis=(1, 2)),
                      lambda c: c[:, 1, :, :, 2].sum(axis=(1, 2)) * 10 + c[:, 2, :, :, 0].sum(axis=(1, 2))):
        assert same_law(statistic(divided), statistic(plain)) > LEVEL
    alone = np.array([repeats.first_of(rng, sampler.draw(rng, POLICY, 20).counts, 7) for _ in range(runs)])
    assert same_law(alone[:, 0, 0].sum(axis=(1, 2)), plain[:, 0, 0].sum(axis=(1, 2))) < LEVEL


def progress(counts):
    """Reached when state 2 of layer 3 has been visited 40 times, or state 0 of layer 2 sixty times."""
    return max(counts[2, 2].sum() / 40, counts[1, 0].sum() / 60)


def one_by_one(seed, batch_size):
    deployer, total = Deployer(MDP, batch_size, 10**6, seed=seed), 0
    while True:
        total = total + deployer.deploy(POLICY).counts
        if progress(total) >= 1:
            return deployer.deployments, total


@pytest.mark.parametrize("batch_size, runs", [(1, 200), (7, 400)])
def test_the_time_when_it_happens_has_the_law_of_brute_force(batch_size, runs):
    slow = [one_by_one(seed, batch_size) for seed in range(runs)]
    fast = []
    for seed in range(runs, 2 * runs):
        batch, made = Deployer(MDP, batch_size, 10**6, seed=seed).deploy_until(POLICY, 10**6, progress, 1 + seed % 50)
        assert batch.batch_size == made * batch_size == batch.counts[0].sum() and progress(batch.counts) >= 1
        fast.append((made, batch.counts))
    times = [np.array([time for time, _ in runs_]) for runs_ in (slow, fast)]
    assert stats.ks_2samp(*times).pvalue > LEVEL and stats.ks_2samp(times[0], times[1] * 1.2).pvalue < LEVEL
    # what was seen at that time: never seen by the rule, but of the same law
    other = [np.array([counts[2, 1].sum() for _, counts in runs_]) for runs_ in (slow, fast)]
    assert stats.ks_2samp(*other).pvalue > LEVEL


def test_it_stops_at_the_very_deployment_and_ends_with_what_is_left():
    deployer = Deployer(MDP, 3, 100, seed=2)
    batch, made = deployer.deploy_until(POLICY, 40, lambda counts: counts[0].sum() / 51)
    assert (made, batch.batch_size, deployer.deployments, deployer.log[0].repeats) == (17, 51, 17, 17)
    assert deployer.deploy_until(POLICY, 40, lambda counts: 0.0)[1] == 40
    assert deployer.deploy_until(POLICY, 400, lambda counts: 0.0)[1] == 43 and deployer.trajectories == 300
    assert [row.deployment for row in deployer.log] == [1, 18, 58]
    with pytest.raises(ProtocolViolation):
        deployer.deploy_until(POLICY, 1, progress)


def test_a_trillion_deployments_are_a_matter_of_a_moment_and_of_the_seed():
    found = [Deployer(MDP, 1, 10**15, seed=seed).deploy_until(POLICY, 10**15, lambda c: c[2, 1].sum() / 1e12)
             for seed in (1, 1, 2)]
    assert found[0][1] == found[1][1] != found[2][1] and (found[0][0].counts == found[1][0].counts).all()
    assert all(batch.visits[2, 1].sum() == 10**12 for batch, _ in found)


@pytest.mark.parametrize("arguments, policy", [({"mode": "expected"}, POLICY), ({"policy_class": "any"}, uniform(MDP))])
def test_what_cannot_be_divided_is_refused_in_one_line(arguments, policy):
    deployer = Deployer(MDP, 10, 5, **arguments)
    with pytest.raises(InvalidDeployment, match="repeats need") as caught:
        deployer.deploy_until(policy, 5, progress)
    assert "\n" not in str(caught.value) and not deployer.deployments
