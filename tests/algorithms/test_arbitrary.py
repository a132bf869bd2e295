"""Algorithm 2: at the theorem's constants, against a literal loop, its printed faults, its edges."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, LinearMDP, Mixture, instances, planning
from derl.algorithms import InvalidParameter
from derl.algorithms.arbitrary import UndefinedStep, arbitrary_policy_exploration, arbitrary_policy_planning
from derl.algorithms.audit import _covariances, audit, best_value, random_reward, search_worst_reward
from derl.algorithms.policy_cover import find_cover, prepare
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS, rule_of

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)  # nu_h^2 = 1/5 in every layer but the first (1/3) and the last (1/2)
NU = 0.2**0.5


def one_state(features):
    """One state, one layer, one action per row of `features` (rows of sum 1)."""
    features = np.asarray(features)
    return LinearMDP(features[None, None], np.ones((1, features.shape[1], 1)), np.zeros((1, features.shape[1])), [1.0])


def quarter():
    """Layer 1: a_1 leads to x, a_2 to y with probability 1/4. Layer 2: e_1 at x, e_2 at y. So nu_2^2 = 1/4."""
    phi = np.zeros((2, 3, 2, 2))
    phi[0, 0] = np.eye(2)
    phi[0, 1:, :, 0] = phi[1, :2, :, 0] = 1
    phi[1, 2, :, 1] = 1
    mu = np.zeros((2, 2, 3))
    mu[0, 0, 1], mu[0, 1, 1], mu[0, 1, 2] = 1, 0.75, 0.25
    mu[1, :, 1] = 1
    return LinearMDP(phi, mu, np.zeros((2, 2)), [1.0, 0, 0])


def at_the_theorems_size(mdp, nu, version, seed=0, known=False):
    constants = arbitrary_constants(mdp.dim, mdp.horizon, 0.1, 0.1, nu, version, known)
    mode = "exact" if constants.batch_size < 2**63 else "gaussian"
    deployer = Deployer(mdp, constants.batch_size, mdp.horizon, policy_class="any", seed=seed, mode=mode)
    outcome = arbitrary_policy_exploration(deployer, 0.1, 0.1, None if version == "self-certifying" else nu, version,
                                           initial=mdp.initial if known else None)
    return outcome, constants, deployer


@pytest.mark.parametrize("seed", range(8))
def test_the_least_eigenvalue_of_an_audit_is_that_on_the_range(seed):
    """One feature of length one in d = 3: the other two eigenvalues are zero, or what rounding makes of it."""
    phi = np.random.default_rng(np.random.SeedSequence(seed)).dirichlet(np.ones(3))
    phi /= np.linalg.norm(phi)
    mdp = LinearMDP(phi[None, None, None], np.full((1, 3, 1), 1 / phi.sum()), np.zeros((1, 3)), np.ones(1))
    policy = np.zeros((1, 1), dtype=int)
    cover = SimpleNamespace(estimates=np.outer(phi, phi)[None], counts=np.array([2]))
    record = SimpleNamespace(cover=cover, policy=SimpleNamespace(policies=(policy,)))
    _, error, least = _covariances(mdp, record, 0, linear=True)
    assert least == pytest.approx(2) and error <= 1e-12


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("version", ARBITRARY_VERSIONS)
def test_at_the_theorems_constants(version, known):
    outcome, constants, deployer = at_the_theorems_size(LOCK, NU, version, known=known)
    assert outcome.converged and outcome.deployments == deployer.deployments == LOCK.horizon == len(outcome.trace)
    assert outcome.trajectories == LOCK.horizon * constants.batch_size
    found = audit(LOCK, outcome, rule_of(version).linear)
    assert (found.uncertainty <= constants.xi * np.arange(1, 5) / 4).all()
    assert found.event <= 1 and (found.loss_bound <= 0.1).all()
    assert (found.covariance_error <= found.covariance_bound).all()
    assert planning.gap(LOCK, outcome.policy) <= found.loss_bound[-1] + 1e-12
    for record in outcome.trace:
        assert record.finished and record.exact == (constants.batch_size <= 2**53) and record.layer == record.deployment
        assert record.mode == ("exact" if record.exact else "rounded" if constants.batch_size < 2**63 else "gaussian")
        if record.cover is not None:
            assert isinstance(record.policy, Mixture) and record.n_distinct == len(record.policy.policies) <= 10
            assert record.iterations <= constants.i_max
    assert (outcome.trace[0].cover is None) == (not known)


def test_what_the_algorithm_knows_bounds_what_is_true():
    """The observable uncertainty and error of the matrix are upper bounds, and not by less than they should be."""
    outcome, *_ = at_the_theorems_size(LOCK, NU, "self-certifying")
    found = audit(LOCK, outcome, linear=True)
    observed = np.array([record.uncertainty for record in outcome.trace])
    assert (np.cumsum(observed) >= found.uncertainty).all()
    for h, record in enumerate(outcome.trace[1:], start=1):
        assert found.matrix_error[h] <= record.matrix_error <= 1 / 4
        assert found.least_eigenvalue[h] >= 7 / 4


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("version", ["repaired", "squared", "spectral", "self-certifying"])
def test_errors_are_added_up_over_all_layers_before(version, known):
    """A covariance is off by beta' times all uncertainty gathered before, clipped entries by 2d times that."""
    outcome, *_ = at_the_theorems_size(LOCK, NU, version, known=known)
    data, linear = outcome.dataset, rule_of(version).linear
    start = 0.0 if known else data.batch_size**-0.5
    gathered = start + np.cumsum([0, *(record.uncertainty for record in outcome.trace)])[:-1]
    factor = data.beta * (1 if linear else 2 * LOCK.dim)
    found = audit(LOCK, outcome, linear)
    for h, record in enumerate(outcome.trace):
        if record.cover is not None:
            assert record.matrix_error == pytest.approx(record.iterations * factor * gathered[h])
            true = start + (found.uncertainty[h - 1] if h else 0)
            assert found.covariance_bound[h] == pytest.approx((1 if linear else 2) * data.beta * true * (h > 0))


def test_the_audit_is_that_of_the_whole_mixture():
    """Least eigenvalue and error of the matrix count every policy as often as the list does."""
    outcome, *_ = at_the_theorems_size(LOCK, NU, "self-certifying", known=True)
    found = audit(LOCK, outcome, linear=True)
    for h, record in enumerate(outcome.trace):
        truth = record.n_policies * planning.feature_covariance(LOCK, record.policy)[h]
        eigenvalues = np.linalg.eigvalsh(truth)
        assert found.least_eigenvalue[h] == pytest.approx(eigenvalues[eigenvalues > 1e-9 * eigenvalues[-1]][0])
        off = np.linalg.eigvalsh(record.cover.excess - truth)
        assert found.matrix_error[h] == pytest.approx(np.abs(off).max(), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_first_state_may_be_random_and_unknown(seed):
    mdp = instances.random_simplex(6, 4, 3, 3, 5)
    outcome, constants, _ = at_the_theorems_size(mdp, 0.118**0.5, "squared", seed)
    assert outcome.converged and audit(mdp, outcome).uncertainty[-1] <= constants.xi
    np.testing.assert_allclose(outcome.dataset.initial, mdp.initial, atol=1e-6)


def literal_cover(mdp, threshold, printed, squared=False):
    """The loop of one layer with one state and exact covariances: how often each action is taken."""
    phi, d = mdp.phi[0, 0], mdp.dim
    Sigma, taken = 2 * np.eye(d), []
    if printed:
        Sigma += np.outer(phi[0], phi[0])
    while True:
        inverse = np.linalg.inv(Sigma + (2 * np.eye(d) if printed else 0))
        norms = np.array([p @ inverse @ p for p in phi])
        norms = norms if squared else np.sqrt(norms)
        if norms.max() <= threshold and (taken or printed):
            return taken
        best = int(np.argmax(norms >= norms.max() - 1e-12))
        taken.append(best)
        Sigma += np.outer(phi[best], phi[best])


@pytest.mark.parametrize("version", ["repaired", "squared", "as-printed"])
def test_the_loop_is_the_pseudocode(version):
    mdp = one_state(np.eye(3))
    nu = 3**-0.5
    rule = rule_of(version)
    outcome = arbitrary_policy_exploration(Deployer(mdp, 10**6, 1, policy_class="any"), 0.1, 0.1, nu, version)
    record = outcome.trace[0]
    taken = literal_cover(mdp, float(rule.threshold) * nu**2, version == "as-printed", version == "squared")
    counts = dict(zip(record.cover.policies.ravel().tolist(), record.cover.counts.tolist(), strict=True))
    wanted = {action: 1 if version == "as-printed" else taken.count(action) for action in set(taken)}
    assert counts == wanted and record.finished
    assert record.iterations == len(taken) + (version == "as-printed") == len(record.cover.order)
    if version != "as-printed":
        assert record.cover.policies[record.cover.order].ravel().tolist() == taken
    np.testing.assert_allclose(record.policy.weights, np.array(list(counts.values())) / sum(counts.values()))


@pytest.mark.parametrize("limit, listed", [(1, 1), (2, 2), (3, 2)])
def test_the_last_pass_of_the_printed_loop_lists_its_policy_and_does_not_count_it(limit, listed):
    """phi = e_1, e_2 and pi_1 = a_1: pass 1 lists a_2 and stops nothing, pass 2 lists a_1; Sigma~ has `limit` terms."""
    deployer = Deployer(one_state(np.eye(2)), 100, 1, policy_class="any")
    record = arbitrary_policy_exploration(deployer, 0.1, 0.1, 0.5**0.5, "as-printed", i_max=limit).trace[0]
    assert not record.finished and record.iterations == limit == len(record.cover.order)
    assert record.n_policies == listed and np.trace(record.cover.excess) == pytest.approx(limit)


@pytest.mark.parametrize("estimate, value", [(0.0, 2**-0.5), (-0.5, 1.5**-0.5), (-3.0, 1.0), (-100.0, 1.0)])
def test_estimates_that_say_less_than_nothing_are_lifted(estimate, value):
    """The true matrix is at least 2 I; where estimates from too few data put it below I, the loop goes on with I."""
    problem = prepare(np.eye(2)[None, None], (), 1.0, np.ones(1))
    cover = find_cover(problem, lambda policy: estimate * np.eye(2), lambda value, matrix: True, 1)
    assert cover.values.tolist() == pytest.approx([value]) and cover.start == pytest.approx(2**-0.5)


def test_counts_that_float64_would_round_are_not_called_exact():
    for size, mode in ((2**53, "exact"), (2**53 + 1, "rounded")):
        deployer = Deployer(one_state(np.eye(2)), size, 1, policy_class="any")
        record = arbitrary_policy_exploration(deployer, 0.1, 0.1, 0.5**0.5, i_max=3).trace[0]
        assert (record.exact, record.mode) == (mode == "exact", mode)


def test_double_regularisation_stops_too_early():
    """H = 1, d = 2, phi = e_k: after 25 of each the printed value is 1/sqrt 29, the uncertainty 1/sqrt 27 > 3/16."""
    mdp = one_state(np.eye(2))
    for version, least in (("as-printed", 25), ("repaired", 27)):
        outcome = arbitrary_policy_exploration(Deployer(mdp, 100, 1, policy_class="any"), 0.1, 0.1, 0.5**0.5, version)
        cover = outcome.trace[0].cover
        assert np.diag(cover.excess).min() == least
        assert (1 / np.sqrt(2 + least) <= 3 / 16) == (version == "repaired")


def test_a_set_forgets_multiplicities():
    mdp = quarter()
    for version in ("as-printed", "repaired"):
        deployer = Deployer(mdp, 10**18, 2, policy_class="any")
        record = arbitrary_policy_exploration(deployer, 0.1, 0.1, 0.5, version, initial=0).trace[1]
        assert record.finished and abs(record.iterations - 208) <= 6
        times = np.diag(np.tensordot(record.cover.counts, record.cover.estimates, axes=1))
        if version == "as-printed":
            assert record.n_policies == 1
            np.testing.assert_allclose(times, [0.75, 0.25], atol=1e-6)
        else:
            assert record.n_policies == record.iterations and times.min() > 2


def test_an_empty_cover_is_refused_by_name_and_cannot_happen_when_repaired():
    mdp = one_state(0.9 / 4 + 0.1 * np.eye(4))  # features of length about 1/2, close to each other: nu is small
    with pytest.raises(UndefinedStep, match=r"layer 1.*Pi_h is empty") as caught:
        arbitrary_policy_exploration(Deployer(mdp, 100, 1, policy_class="any"), 0.1, 0.1, 1.0, "as-printed")
    assert "\n" not in str(caught.value)
    record = arbitrary_policy_exploration(Deployer(mdp, 100, 1, policy_class="any"), 0.1, 0.1, 1.0).trace[0]
    assert record.n_policies == record.iterations == 1
    assert record.cover.start <= record.threshold  # which shows that nu_min = 1 is too large


@pytest.mark.parametrize("version", ARBITRARY_VERSIONS)
def test_too_few_trajectories_are_reported_not_hidden(version):
    nu = None if version == "self-certifying" else NU
    deployer = Deployer(LOCK, 100, 4, policy_class="any")
    outcome = arbitrary_policy_exploration(deployer, 0.1, 0.1, nu, version)
    assert not outcome.converged and outcome.deployments == 4 and outcome.policy.shape == (4, 3)
    assert max(record.iterations for record in outcome.trace) <= 1000


def test_the_certificate_needs_enough_data():
    """Without nu_min the run vouches for itself only where its matrix is accurate to 1/4."""
    for size, good in ((10**6, False), (10**9, True)):
        outcome = arbitrary_policy_exploration(Deployer(LOCK, size, 4, policy_class="any"), 0.1, 0.1, None,
                                               "self-certifying")
        assert outcome.converged == good
        assert all(record.statistic >= 2 for record in outcome.trace[1:])


def test_an_accuracy_of_a_quarter_is_the_limit():
    """On a grid of batch sizes: a layer is finished exactly where the rule is met and the matrix accurate to 1/4."""
    near = 0
    for size in np.geomspace(10**6, 10**9, 24).astype(int):
        outcome = arbitrary_policy_exploration(Deployer(LOCK, int(size), 4, policy_class="any"), 0.1, 0.1, None,
                                               "self-certifying")
        for record in outcome.trace[1:]:
            assert record.finished == (record.statistic >= 2 and record.matrix_error <= 1 / 4)
            near += 1 / 4 < record.matrix_error < 1 / 4 * 1.4
    assert near


def test_planning_for_other_rewards_and_other_horizons():
    mdp = instances.random_simplex(5, 3, 3, 3, seed=2)
    outcome = arbitrary_policy_exploration(Deployer(mdp, 10**14, 3, policy_class="any"), 0.1, 0.1, None,
                                           "self-certifying")
    found, rng = audit(mdp, outcome, linear=True), np.random.default_rng(0)
    for _ in range(20):
        theta = random_reward(mdp, rng)
        LinearMDP(mdp.phi, mdp.mu, theta, mdp.initial)  # a valid reward
        for h in (1, 2, 3):
            plan = arbitrary_policy_planning(outcome.dataset, theta, h if h < 3 else None)
            assert planning.gap(mdp, plan.policy, h, theta) <= found.loss_bound[h - 1]
    first = outcome.dataset.until(2)
    assert first.layers == first.deployments == len(first.designs) == 2
    loss, theta = search_worst_reward(mdp, outcome.dataset, rng, 20, 20)
    assert 0 <= loss <= found.loss_bound[-1] and theta.shape == (3, 3)
    with pytest.raises(InvalidParameter, match="shape"):
        arbitrary_policy_planning(outcome.dataset, theta[:2, :2])
    with pytest.raises(InvalidParameter, match=r"reward"):
        arbitrary_policy_planning(outcome.dataset, theta + 5)


def test_the_loss_bound_is_infinite_where_the_event_fails():
    mdp = instances.random_simplex(5, 3, 3, 3, seed=2)
    outcome = arbitrary_policy_exploration(Deployer(mdp, 10**10, 3, policy_class="any"), 0.1, 0.1, 0.3, "squared",
                                           c_beta=1e-6)
    found = audit(mdp, outcome)
    assert found.event > 1 and np.isinf(found.loss_bound).all()


def test_the_loss_bound_pays_the_bonus_and_the_bias_of_values_up_to_the_horizon():
    """Layer by layer and by hand: beta |phi| and h times the bias of values in [0, 1], which 1e5 trajectories show."""
    mdp = instances.random_simplex(5, 3, 3, 3, seed=2)
    outcome = arbitrary_policy_exploration(Deployer(mdp, 10**5, 3, policy_class="any"), 0.1, 0.1, None,
                                           "self-certifying")
    data, P, found = outcome.dataset, mdp.transitions(), audit(mdp, outcome, linear=True)
    for h in (1, 2, 3):
        values = np.zeros(5)
        for t in reversed(range(h)):
            following = np.full(5, -np.inf)
            for s, a in np.ndindex(5, 3):
                row = mdp.phi[t, s, a] @ data.designs[t].operator - P[t, s, a]
                bias = max(row[row > 0].sum(), -row[row < 0].sum())
                pay = data.scale * float(data.designs[t].norms(mdp.phi[t, s, a])) + h * bias
                following[s] = max(following[s], pay + P[t, s, a] @ values)
            values = following
        assert found.loss_bound[h - 1] == pytest.approx(mdp.initial @ values, rel=1e-9)


def test_the_search_for_a_bad_reward_only_gets_better():
    """From the same starting points: a run of few trajectories loses something, and further steps find more."""
    mdp = instances.random_simplex(5, 3, 3, 3, seed=2)
    dataset = arbitrary_policy_exploration(Deployer(mdp, 20, 3, policy_class="any"), 0.1, 0.1, None, "self-certifying",
                                           c_beta=1e-3).dataset
    few, many = (search_worst_reward(mdp, dataset, np.random.default_rng(3), 5, steps)[0] for steps in (0, 40))
    assert 0 < few < many


def test_c_beta_scales_both_bonuses():
    one, two = (arbitrary_policy_exploration(Deployer(LOCK, 10**9, 4, policy_class="any"), 0.1, 0.1, NU, "spectral",
                                             c_beta=c) for c in (1.0, 2.0))
    assert two.beta == two.dataset.scale == pytest.approx(2 * one.beta)
    assert two.dataset.beta == pytest.approx(2 * one.dataset.beta)


def test_best_value_is_the_optimal_value_for_linear_rewards():
    mdp = instances.optimism_trap()
    assert best_value(mdp, mdp.rewards()) == pytest.approx(planning.optimal(mdp).value)


def test_the_first_state_can_be_handed_over_in_two_ways():
    runs = [arbitrary_policy_exploration(Deployer(LOCK, 10**12, 4, policy_class="any"), 0.1, 0.1, NU, "spectral",
                                         initial=initial) for initial in (0, [1.0, 0, 0])]
    assert [r.iterations for r in runs[0].trace] == [r.iterations for r in runs[1].trace]
    assert runs[0].trace[0].iterations > 0
