"""Block exploration: deployments, parts, success at its own N, refusals; the spanner on its own."""

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms.blocks import BlockModel, BlockSetup, divided, portions
from derl.algorithms.by_name import run_by_name
from derl.algorithms.outcome import InvalidParameter, first_states
from derl.algorithms.spanner import robust_spanner
from derl.algorithms.state_designs import largest_leverage, state_designs
from derl.mdp.policies import Mixture
from derl.theory.beyond import exchange

LOCK = instances.lock(3, 3, (1, 2, 0), 0.4)


def gap(outcome, mdp=LOCK):
    return planning.optimal(mdp).value - planning.evaluate(mdp, outcome.policy).value


@pytest.mark.parametrize("block, number", [(1, 4), (2, 2), (3, 2), (4, 1), (9, 1)])
def test_one_deployment_per_block_and_success_at_its_own_size(block, number):
    size = exchange.batch_size(5, 4, 0.2, 0.1, block, 3.0, 0.4)
    deployer = Deployer(LOCK, size, number, "any", 3)
    found = algorithms.block_exploration(deployer, 0.2, 0.1, block, 0.4)
    assert deployer.deployments == found.deployments == number == len(found.trace)
    assert found.converged and gap(found) <= 0.2
    assert isinstance(found.trace[-1].policy, Mixture) == (number > 1)
    assert found.trajectories == number * size


def test_a_batch_too_small_fails_and_says_so():
    found = algorithms.block_exploration(Deployer(LOCK, 60, 1, "any", 1), 0.2, 0.1, 4)
    assert not found.converged


def test_the_smaller_size_is_enough_and_one_trajectory_less_is_not_said_to_be():
    setup = BlockSetup.of(known=Deployer(LOCK, 1, 1).known, batch_size=10**6, epsilon=0.2, delta=0.1, block=4)
    leverage = setup.leverage
    size = exchange.batch_size(5, 4, 0.2, 0.1, 4, leverage, mean=True)
    assert size < exchange.batch_size(5, 4, 0.2, 0.1, 4, leverage) / 4.9
    for batch, said in ((size, True), (size - 1, False)):
        found = algorithms.block_exploration(Deployer(LOCK, batch, 1, "any", 1), 0.2, 0.1, 4)
        assert found.converged is said and gap(found) <= 0.2


@pytest.mark.parametrize("block", [1, 2, 4])
def test_pooled_data_need_few_trajectories(block):
    found = algorithms.block_exploration(Deployer(LOCK, 20_000, 4, "any", 1), 0.2, 0.1, block, data="pooled")
    assert gap(found) <= 0.2 and not found.converged


def test_without_nu_the_cover_stops_where_the_accuracy_does():
    size = 4 * exchange.batch_size(5, 4, 0.2, 0.1, 2, 3.0, 0.4)
    found = algorithms.block_exploration(Deployer(LOCK, size, 2, "any", 1), 0.2, 0.1, 2)
    assert found.converged and gap(found) <= 0.2


def test_a_random_first_state():
    mdp = instances.random_simplex(6, 3, 3, 4, seed=2)
    found = algorithms.block_exploration(Deployer(mdp, 10**5, 2, "any", 1), 0.2, 0.1, 2, data="pooled")
    known = algorithms.block_exploration(Deployer(mdp, 10**5, 2, "any", 1), 0.2, 0.1, 2, data="pooled",
                                         initial=mdp.initial)
    assert gap(found, mdp) <= 0.05 and gap(known, mdp) <= 0.05


def test_the_theorems_size_by_name():
    report = run_by_name("block_exploration", LOCK, 0.2, 0.1, block=2)
    assert report.deployer.batch_size > 10**12 and report.deployer.max_deployments == 2
    assert report.outcome.converged and gap(report.outcome) <= 0.2


def test_a_batch_that_cannot_be_divided_and_too_few_deployments_are_refused():
    with pytest.raises(InvalidParameter, match="too small"):
        algorithms.block_exploration(Deployer(LOCK, 3, 1, "any"), 0.2, 0.1, 4)
    with pytest.raises(InvalidParameter, match="max_deployments"):
        algorithms.block_exploration(Deployer(LOCK, 10**6, 2, "any"), 0.2, 0.1, 1, 0.4)


def test_parts_add_up_and_none_is_smaller_than_its_share():
    shares = (0.7, 0.2, 0.1, 0.0)
    for size in (4, 17, 1000, 10**18):
        sizes = portions(size, shares)
        assert sum(sizes) == size and min(sizes) >= 1
        assert all(part >= (size - 4) * share - 1e-6 * size for part, share in zip(sizes, shares, strict=True))
    wanted = exchange.shares(5, 4, 0.2, 0.1, 2, 3.0, 0.4)
    assert divided(wanted.batch_size, wanted, 2, even=False)[1:] == (wanted.cover, wanted.start)


def test_first_states():
    known = Deployer(instances.random_simplex(3, 2, 2, 2, seed=0), 1, 1).known
    assert first_states(known, 1).tolist() == [0, 1, 0] and first_states(known, 2).tolist() == [0, 0, 1]
    assert first_states(known, [0.5, 0.5, 0.0]).tolist() == [0.5, 0.5, 0] and first_states(known, None) is None
    for none in (3, -1):
        with pytest.raises(InvalidParameter, match="initial is"):
            first_states(known, none)
    with pytest.raises(InvalidParameter, match="it must be a state or a distribution over 3 states"):
        first_states(known, [1.5, -0.5, 0.0])


@pytest.mark.parametrize("run, options", [
    (algorithms.block_exploration, {}), (algorithms.prefix_exploration, {}), (algorithms.spanner_exploration, {}),
    (algorithms.arbitrary_policy_exploration, {"version": "self-certifying"})], ids=lambda run: getattr(
        run, "__name__", ""))
@pytest.mark.parametrize("initial, complaint", [
    ([[1], [1, 2]], "initial"), ("first", "initial"), ([0.5, 0.5, 0.0, 0.1], "initial has shape"),
    ([np.nan, 1.0, 0.0], "initial"), (1.5, "initial is 1.5"), ([[1.0, 0.0, 0.0]], "initial has shape")])
def test_a_first_state_that_is_none_is_one_clear_line_in_every_algorithm(run, options, initial, complaint):
    mdp = instances.random_simplex(3, 2, 2, 2, seed=0)
    deployer = Deployer(mdp, 10**6, 9, "any", seed=0)
    with pytest.raises(InvalidParameter, match=complaint) as caught:
        run(deployer, 0.5, 0.1, initial=initial, **options)
    assert "\n" not in str(caught.value) and deployer.deployments == 0


def test_one_dimension_has_the_leverage_one():
    mdp = instances.random_simplex(3, 2, 1, 2, seed=0)
    designs = [state_designs(phi, mask)[0] for phi, mask in zip(mdp.phi, mdp.available, strict=True)]
    assert largest_leverage(Deployer(mdp, 1, 1).known, designs) == pytest.approx(1, abs=1e-9)


def test_a_batch_is_divided_as_the_theorem_wants_and_by_halves_without_nu():
    known = Deployer(LOCK, 1, 1).known
    size = BlockSetup.of(known=known, batch_size=10**6, epsilon=0.3, delta=0.1, block=2, nu_min=0.3)
    task = (known.dim, known.horizon, 0.3, 0.1, 2, size.leverage)
    wanted = exchange.shares(*task, 0.3)
    enough = BlockSetup.of(known=known, batch_size=wanted.batch_size, epsilon=0.3, delta=0.1, block=2, nu_min=0.3)
    assert enough.enough and enough.amounts[1:] == (wanted.cover, wanted.start)
    least = exchange.shares(*task, 0.3, mean=True)
    same = BlockSetup.of(known=known, batch_size=least.batch_size, epsilon=0.3, delta=0.1, block=2, nu_min=0.3)
    assert same.enough and same.amounts[1:] == (least.cover, least.start)
    less = BlockSetup.of(known=known, batch_size=least.batch_size - 1, epsilon=0.3, delta=0.1, block=2, nu_min=0.3)
    assert not less.enough and less.amounts[0] // 2 >= wanted.plan  # enough for the plan, not for the covers
    halves = BlockSetup.of(known=known, batch_size=wanted.batch_size, epsilon=0.3, delta=0.1, block=2, nu_min=None)
    assert sum(halves.amounts[1:]) == pytest.approx(wanted.batch_size / 2, rel=1e-3)


def test_the_model_is_the_truth_in_the_limit():
    uniform = np.full((4, 3, 3), 1 / 3)
    batch = Deployer(LOCK, 10**12, 1, "any", mode="expected").deploy(uniform)
    model = BlockModel.of(Deployer(LOCK, 1, 1).known, list(batch.counts), 2.0)
    policy = model.towards(np.eye(5)[1], 1)
    assert model.mean_feature(policy, 1, LOCK.initial) == pytest.approx([0, 0, 0, 0.5, 0.5], abs=1e-6) or (
        model.mean_feature(policy, 1, LOCK.initial)[1] == pytest.approx(1, abs=1e-6))
    assert planning.evaluate(LOCK, model.plan(LOCK.theta)).value == pytest.approx(planning.optimal(LOCK).value)


def test_the_spanner_leaves_out_what_is_hardly_reached():
    points = np.array([[0.9, 0.0, 0.0], [0.0, 0.8, 0.0], [0.1, 0.1, 1e-6]])

    def oracle(direction):
        chosen = int((points @ direction).argmax())
        return chosen, points[chosen]

    found = robust_spanner(oracle, 3, 1e-3)
    assert sorted(found.policies) == [0, 1]
    assert np.abs(np.linalg.solve(found.columns, points.T)).max() <= 2
    assert found.replacements <= 3 * np.log2(1e3)
    assert sorted(robust_spanner(oracle, 3, 1e-7).policies) == [0, 1, 2]
