"""Definition 2.1 as code: N fixed, at most K deployments, the policy class, a log, what an algorithm sees."""

from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pytest

from derl.algorithms import layerwise_exploration
from derl.deployment import LARGEST_EXACT, Deployer, InvalidDeployment, InvalidSize, ProtocolViolation
from derl.mdp import InvalidPolicy, Mixture, instances, planning
from derl.mdp.policies import uniform

MDP = instances.random_simplex(5, 3, 3, 4, seed=2)
FIRST, LAST = np.zeros((4, 5), int), np.full((4, 5), 2)
PUBLIC = ("known", "batch_size", "max_deployments", "policy_class", "mode", "seed", "deploy", "deploy_sums",
          "deploy_until", "deploy_layer", "deploy_in_parts", "deploy_paths", "deploy_in_groups", "deploy_online", "log",
          "deployments", "trajectories")


@pytest.mark.parametrize("value", [0, -1, 2.5, True, float("nan"), "100", None, 10**25, LARGEST_EXACT + 1])
def test_bad_batch_sizes_are_refused_in_one_line(value):
    with pytest.raises(InvalidSize) as caught:
        Deployer(MDP, batch_size=value, max_deployments=1)
    assert "\n" not in str(caught.value) and f"batch_size is {value!r}" in str(caught.value)
    assert "from 1 up to 9223372036854775807" in str(caught.value)


@pytest.mark.parametrize("arguments, word", [
    ({"max_deployments": 0}, "max_deployments is 0"), ({"max_deployments": 1.5}, "max_deployments is 1.5"),
    ({"max_deployments": True}, "max_deployments is True"), ({"seed": -1}, "seed is -1"),
    ({"seed": 0.5}, "seed is 0.5"), ({"policy_class": "markov"}, "'deterministic', 'any'"),
    ({"policy_class": None}, "'deterministic', 'any'"),
    ({"mode": "fast"}, "'exact', 'gaussian', 'expected'"), ({"mdp": "lock"}, "LinearMDP"),
])
def test_other_bad_arguments_are_refused_in_one_line(arguments, word):
    with pytest.raises(InvalidDeployment, match=word) as caught:
        Deployer(**({"mdp": MDP, "batch_size": 10, "max_deployments": 1} | arguments))
    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)


def test_k_deployments_and_not_one_more():
    deployer = Deployer(MDP, 10, 2)
    assert [deployer.deploy(FIRST).batch_size for _ in range(2)] == [10, 10]
    with pytest.raises(ProtocolViolation, match="K = 2"):
        deployer.deploy(FIRST)
    assert (deployer.deployments, deployer.trajectories, len(deployer.log)) == (2, 20, 2)
    assert issubclass(ProtocolViolation, RuntimeError)


@pytest.mark.parametrize("name", [name for name in PUBLIC if not name.startswith("deploy_") and name != "deploy"])
def test_nothing_can_be_changed_on_the_way(name):
    deployer = Deployer(MDP, 10, 2)
    with pytest.raises(AttributeError):
        setattr(deployer, name, 1)


@pytest.mark.parametrize("policy", [uniform(MDP), np.eye(3)[FIRST], Mixture((FIRST, LAST), [0.5, 0.5]),
                                    Mixture((FIRST,), [1.0])])
def test_only_actions_in_the_deterministic_class(policy):
    deployer = Deployer(MDP, 10, 2)
    with pytest.raises(ProtocolViolation, match="integers"):
        deployer.deploy(policy)
    assert deployer.log == ()  # what is refused is not deployed
    free = Deployer(MDP, 10, 2, policy_class="any")
    assert free.deploy(policy).counts.sum() == 40 and not free.log[0].deterministic


def test_a_policy_that_the_mdp_cannot_follow_does_not_count():
    deployer = Deployer(MDP, 10, 1)
    for policy in (np.full((4, 5), 3), np.zeros((3, 5), int), "greedy", np.full((4, 5, 3), np.nan)):
        with pytest.raises(InvalidPolicy):
            deployer.deploy(policy)
    assert deployer.deployments == 0 and deployer.deploy(FIRST).counts.sum() == 40


def test_the_log_says_what_was_deployed():
    deployer = Deployer(MDP, 1e12, 6, policy_class="any")
    for policy in (FIRST, LAST, FIRST.astype(np.int8), uniform(MDP), FIRST.tolist(),
                   Mixture((FIRST, LAST, FIRST, uniform(MDP)), [0.25, 0.5, 0.25, 0.0])):
        deployer.deploy(policy)
    log = deployer.log
    assert [row.deployment for row in log] == [1, 2, 3, 4, 5, 6]
    assert [row.deterministic for row in log] == [True, True, True, False, True, False]
    assert [row.n_policies for row in log] == [1, 1, 1, 1, 1, 2]
    assert log[0].policy == log[2].policy == log[4].policy
    assert len({row.policy for row in log}) == 4
    assert all(row.exact and row.mode == "exact" and row.batch_size == 10**12 for row in log)


@pytest.mark.parametrize("mode", ["gaussian", "expected"])
def test_every_record_of_an_approximate_mode_says_so(mode):
    deployer = Deployer(MDP, 10**25, 2, mode=mode)
    batches = [deployer.deploy(FIRST), deployer.deploy(LAST)]
    for record in (*batches, *deployer.log):
        assert record.exact is False and record.mode == mode and record.batch_size == 10**25
    assert deployer.trajectories == 2 * 10**25


def test_the_same_run_writes_the_same_bytes():
    runs = []
    for seed in (7, 7, 8):
        deployer = Deployer(MDP, 10**15, 3, policy_class="any", seed=seed)
        body = b"".join(deployer.deploy(policy).counts.tobytes() for policy in (FIRST, uniform(MDP), LAST))
        runs.append((body, [asdict(row) for row in deployer.log]))
    assert runs[0] == runs[1] and runs[0][0] != runs[2][0]


def test_a_deployment_does_not_depend_on_what_earlier_ones_consumed():
    last = []
    for policy in (FIRST, uniform(MDP), Mixture((FIRST, LAST), [0.5, 0.5])):
        deployer = Deployer(MDP, 1000, 2, policy_class="any", seed=3)
        first = deployer.deploy(policy).counts
        last.append(deployer.deploy(FIRST).counts.tobytes())
        if policy is FIRST:
            assert first.tobytes() != last[-1]  # and yet deployments differ from each other
    assert len(set(last)) == 1


def first_policies(algorithm):
    """What an algorithm deploys first in two locks that look the same: only the hidden digits differ."""
    deployers = [Deployer(instances.lock(3, 2, digits, 0.25), 10**12, 200) for digits in ([0, 1], [2, 0])]
    for name in ("phi", "rewards", "available"):
        np.testing.assert_array_equal(*(getattr(deployer.known, name) for deployer in deployers))
    for deployer in deployers:
        algorithm(deployer)
    return [deployer.log[0].policy for deployer in deployers]


def test_an_algorithm_that_peeks_at_the_dynamics_is_caught():
    def honest(deployer):
        layerwise_exploration(deployer, 0.5, 0.1)

    def peeks(deployer):
        deployer.deploy(planning.optimal(deployer._mdp).policy)

    before, after = first_policies(honest)
    assert before == after
    before, after = first_policies(peeks)
    assert before != after


def test_the_public_names_are_enough_for_an_algorithm_and_lead_nowhere_else():
    deployer = Deployer(MDP, 10**12, 200, seed=1)
    sealed = SimpleNamespace(**{name: getattr(deployer, name) for name in PUBLIC})
    outcome = layerwise_exploration(sealed, 0.2, 0.1)
    plain = layerwise_exploration(Deployer(MDP, 10**12, 200, seed=1), 0.2, 0.1)
    np.testing.assert_array_equal(outcome.policy, plain.policy)
    assert {name for name in dir(deployer) if not name.startswith("_")} == {*PUBLIC, "report"}  # told of deployments


def test_the_known_part_holds_sizes_features_rewards_and_actions_only():
    known = Deployer(MDP, 10, 1).known
    assert {name for name in dir(known) if not name.startswith("_")} == {
        "phi", "rewards", "available", "horizon", "n_states", "n_actions", "dim"}
    assert (known.horizon, known.n_states, known.n_actions, known.dim) == (4, 5, 3, 3)
    np.testing.assert_array_equal(known.rewards, MDP.rewards())
    with pytest.raises(ValueError, match="read-only"):
        known.phi[0] = 0


def test_two_runs_of_one_policy_are_drawn_apart():
    deployer = Deployer(MDP, 1000, 20, seed=3)
    first, second = (deployer.deploy_until(FIRST, 5, lambda counts: 0.0)[0].counts for _ in range(2))
    assert (first != second).any()
