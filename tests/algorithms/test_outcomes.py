"""What every algorithm reports, against the deployer that counted for it, and the numbers in records by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, LinearMDP, algorithms, instances, planning
from derl.algorithms import InvalidParameter, best_prefix, known_law, known_law_blocks, run_defaults
from derl.algorithms.baselines import low_switching, qiao_wang, reward_free_lsvi, zhang
from derl.algorithms.blocks import BlockModel, BlockSetup
from derl.algorithms.by_name import run_by_name
from derl.algorithms.outcome import drawn, first_states
from derl.algorithms.run_defaults import Request
from derl.experiments.watched import Watched
from derl.theory.arbitrary.constants import DESIGN
from derl.theory.beyond import exchange
from derl.theory.comparison import online

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)
SIMPLEX = instances.random_simplex(6, 3, 3, 3, seed=2)


def test_moffle_has_ended_when_the_last_layer_has_its_cover():
    whole = algorithms.moffle(Deployer(SIMPLEX, 10**4, 200, "any"), 0.5, 0.1, level=1.0)
    less = algorithms.moffle(Deployer(SIMPLEX, 10**4, whole.deployments - 1, "any"), 0.5, 0.1, level=1.0)
    assert whole.converged and not less.converged and whole.trace[-1].cover and whole.trace[-1].layer == 3


def test_what_a_chart_shows():
    assert drawn({"deployment": 1, "layer": 1, "statistic": 0.5, "threshold": 1.0}) == ["statistic", "threshold"]
    assert drawn({"deployment": 1, "layer": 1, "promised": 0.5, "error": 1.0, "third": 2.0}) == ["promised", "error"]
    assert drawn({"deployment": 1, "layer": 1}) == ["layer"]


def test_a_law_of_the_first_state_sums_to_one():
    known = Deployer(SIMPLEX, 1, 1).known
    with pytest.raises(InvalidParameter, match="sum 0.999"):
        first_states(known, [0.999, 0, 0, 0, 0, 0])
    assert first_states(known, [1 - 1e-12, 1e-12, 0, 0, 0, 0]).sum() == pytest.approx(1)


# ------------------------------------------------------------------------------------------------ rules of stopping

def literal_widths(mdp, counts, beta):
    """min(2 beta b, H) of every pair, with matrix inverses: (H, S, A)."""
    widths = np.empty(mdp.phi.shape[:3])
    for h in range(mdp.horizon):
        matrix = np.eye(mdp.dim) + np.einsum("sa,sai,saj->ij", counts[h].sum(axis=2), mdp.phi[h], mdp.phi[h])
        squares = np.einsum("sai,ij,saj->sa", mdp.phi[h], np.linalg.inv(matrix), mdp.phi[h])
        widths[h] = np.minimum(2 * beta * np.sqrt(squares), mdp.horizon)
    return widths


@pytest.mark.parametrize("size, beta", [(10, 0.5), (400, 0.05)])
def test_the_statistic_of_lsvi_is_the_mean_of_the_observed_widths_and_its_noise(size, beta):
    most = 7
    deployer = Watched(SIMPLEX, size, most, seed=1)
    seen = []
    deploy_until = deployer.deploy_until

    def watched(policy, *words, **options):
        batch, made = deploy_until(policy, *words, **options)
        seen.append(batch.counts)
        return batch, made

    deployer.deploy_until = watched
    found = low_switching.rare_updates(deployer, beta, 1.0, 0.1, epsilon=1e-9)
    spent, before = 0.0, np.zeros_like(seen[0])
    for k, (record, counts) in enumerate(zip(found.trace, seen, strict=True), 1):
        spent += (counts.sum(axis=3) * literal_widths(SIMPLEX, before, beta)).sum() / size
        wanted = spent / k + online.noise(SIMPLEX.horizon, 0.1, most) / math.sqrt(k * size)
        assert record.statistic == pytest.approx(wanted, rel=1e-9)
        before = before + counts


@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK], ids=["simplex", "lock"])
def test_reward_free_lsvi_stops_at_the_mean_width_over_2h(mdp, monkeypatch):
    """The width is 2 + 1/H times the bonus, and 2H times the mean of the reward has to be at most epsilon."""
    asked = []

    def play(deployer, learner):
        asked.append(learner)
        return SimpleNamespace(deployments=1)

    monkeypatch.setattr(reward_free_lsvi, "play", play)
    monkeypatch.setattr(reward_free_lsvi, "replace", lambda found, **changes: None)
    reward_free_lsvi.reward_free_lsvi_ucb(Deployer(mdp, 1, 50), 0.4, 0.1)
    (learner,) = asked
    assert learner.width == pytest.approx(2 + 1 / mdp.horizon) and learner.reward_free
    assert learner.target == pytest.approx(0.4 / (2 * mdp.horizon))
    assert learner.noise == online.noise(mdp.horizon, 0.1, 50)


def test_the_prefix_is_sought_in_the_second_half_of_a_list_twice_as_long(monkeypatch):
    """The rule is met at i = 3, so the list goes on to 2 * 3 - 1 = 5; i V_i is 3, 2.4 and 2.5 for i = 3, 4, 5."""
    values = [4.0, 2.0, 1.0, 0.6, 0.5, 0.1]
    asked = []

    def find_cover(problem, estimate, stop, limit):
        made = next(i for i, value in enumerate(values, 1) if stop(value, None))
        asked.append(made)
        return SimpleNamespace(values=np.array(values[:made]))

    monkeypatch.setattr(best_prefix, "find_cover", find_cover)
    monkeypatch.setattr(best_prefix, "prefix", lambda cover, length: length)
    assert best_prefix.best_prefix(None, None, lambda value, matrix: value <= 1.0, 99) == 4 and asked == [5]
    cover = SimpleNamespace(iterations=7, values=np.array([0.25]), stopped=True)
    assert best_prefix.promised(cover) == pytest.approx(math.sqrt(135 / 28 * 7 * 0.25))
    assert best_prefix.promised(SimpleNamespace(stopped=False)) == math.inf


# -------------------------------------------------------------------------------------- designs, cuts and known laws

def test_two_deployments_divide_their_targets_by_the_cube_roots_of_the_costs(monkeypatch):
    costs = np.array([8.0, 27.0])
    monkeypatch.setattr(known_law.theory, "layer_costs", lambda *numbers: costs)
    found = known_law.two_deployment_exploration(Deployer(SIMPLEX, 1000, 2, "any"), 0.1, 0.05)
    (record,) = found.trace
    assert record.targets == pytest.approx([2 / 5, 3 / 5])
    known = Deployer(SIMPLEX, 1, 1).known
    assert record.ordinary == pytest.approx(known_law.ordinary_designs(known)[1])
    assert record.leverage == pytest.approx(known_law.designs_modulo(known, record.means)[1])
    assert record.ordinary != pytest.approx(record.leverage) and record.policies[0].shape == (3, 6, 3)
    shown = planning.occupancy(SIMPLEX, record.policies[0])
    assert record.means == pytest.approx(np.einsum("hsa,hsad->hd", shown, SIMPLEX.phi), abs=0.1)


def test_blocks_of_a_known_law_draw_their_targets_by_powers_of_the_root_of_g(monkeypatch):
    handed = []
    mixture_of_starts = known_law_blocks.mixture_of_starts

    def watched(heads, before, d_1, designs, ordinary, targets, leverage):
        handed.append((np.array(targets), leverage))
        return mixture_of_starts(heads, before, d_1, designs, ordinary, targets, leverage)

    monkeypatch.setattr(known_law_blocks, "mixture_of_starts", watched)
    mdp = instances.junk_lock(3, 5, (1, 2, 0, 1), 0.25)
    found = known_law_blocks.known_law_block_exploration(Deployer(mdp, 4096, 9, "any"), 0.1, 0.1, 1, 3, kappa=0.3,
                                                         eta=1e-9, dummy=1e-3)
    ((targets, g),) = handed
    assert targets == pytest.approx(np.array([1, g**0.5, g]) / (1 + g**0.5 + g))
    first, second = found.trace
    assert (first.layers, second.layers) == ((1,), (2, 3, 4)) and second.excess == pytest.approx(g / (mdp.dim - 1))
    assert first.excess == pytest.approx(3 / mdp.dim, rel=0.3)


def test_numbers_of_the_blocks_by_hand(monkeypatch):
    """With beta = 10: tau, kappa = sqrt(tau)/(c d^p beta H), eta = tau/(c' d^p' H), and where the spanners start."""
    monkeypatch.setattr(known_law_blocks.truncation, "regression_scale", lambda *numbers: 10.0)
    known = Deployer(instances.junk_lock(3, 5, (1, 2, 0, 1), 0.25), 1, 1).known
    kappa, eta, dummy = known_law_blocks.numbers(known, 100, 1, 1, 0.5, 0.1)
    way, lost = known_law_blocks.truncation.COVERS["spanner"], known_law_blocks.truncation.LOST
    tau = 0.5 / (lost * 4 * 5)  # one deployment, and three blocks of one layer
    assert kappa == pytest.approx(tau**0.5 / (way.cut * 3**way.cut_power * 10 * 5))
    assert eta == pytest.approx(tau / (way.grid * 3**way.grid_power * 5))
    assert dummy == pytest.approx(12 * (10 * eta + 3 * (7 * tau)**0.5 * 10 * 5 * kappa))


def test_pooled_covers_leave_out_a_quarter_at_most_and_less_with_more_data():
    known = Deployer(LOCK, 1, 1).known
    for size, gamma in ((20, 1 / 4), (80, 1 / 4), (2000, 0.05)):
        setup = BlockSetup.of(known=known, batch_size=size, epsilon=0.2, delta=0.1, block=2, data="pooled")
        assert setup.gamma == pytest.approx(gamma) and not setup.enough


def test_directions_are_rounded_to_the_grid_of_the_accuracy():
    known = Deployer(LOCK, 1, 1).known
    setup = BlockSetup.of(known=known, batch_size=10**9, epsilon=0.2, delta=0.1, block=2, nu_min=0.3)
    wanted = exchange.shares(known.dim, known.horizon, 0.2, 0.1, 2, setup.leverage, 0.3)
    assert setup.spacing == pytest.approx(wanted.accuracy / (2 * 5**0.5))
    rounded = setup.rounded(np.array([2.5, -2.5, 0.5, 0, 0]) * setup.spacing)
    assert rounded == pytest.approx(np.array([2, -2, 0, 0, 0]) * setup.spacing)


def test_a_fitted_model_promises_no_more_than_what_is_left():
    """Rewards of 1 in each of two layers, and data that predict 20 times too much: values are cut to 2 and to 1."""
    phi = np.zeros((2, 1, 2, 1))
    phi[0, 0, :, 0], phi[1, 0, :, 0] = (0.05, 1.0), (1.0, 1.0)
    known = SimpleNamespace(phi=phi, available=np.ones((2, 1, 2), bool), n_states=1, horizon=2, dim=1)
    model = BlockModel.of(known, [np.array([[[1000.0], [0.0]]])], 1.0)
    assert model.predicted(0, np.ones(1))[0] == pytest.approx([1000 * 0.0025 / 3.5, 1000 * 0.05 / 3.5])
    policy = model.plan_rewards(np.array([[[1.0, 0.0]], [[1.0, 1.0]]]))
    assert policy[0, 0] == 1  # 1.71 against min(14.3, 2)
    assert model.plan_rewards(np.array([[[1.0, 0.0]], [[0.2, 0.2]]]))[0, 0] == 1
    both = model.plan_rewards(np.array([[[1.0, 0.9]], [[1.0, 1.0]]]))
    assert both[0, 0] == 1
    scaled = BlockModel.of(known, [np.array([[[1000.0], [0.0]]])], 1.0)
    assert np.linalg.norm(scaled.mean_feature(np.array([[1], [0]]), 1, np.ones(1))) <= 1


def test_records_of_blocks_count_the_search_of_their_cover():
    found = algorithms.block_exploration(Deployer(LOCK, 20_000, 4, "any", 1), 0.2, 0.1, 1, data="pooled")
    first, *later = found.trace
    assert (first.n_policies, first.replacements, first.calls) == (0, 0, 0)
    for record in later:  # a column is replaced after one question or two, and d quiet ones end the search
        assert record.n_policies <= record.replacements < record.calls
        assert record.calls >= record.replacements + LOCK.dim
    assert [(record.layer, record.layers) for record in found.trace] == [(1, 1), (2, 1), (3, 1), (4, 1)]


# --------------------------------------------------------------------------------------------- methods after the paper

def test_the_first_layer_of_zhang_counts_its_design_as_often_as_two_sides_ask():
    """Lc = zeta I + (1.1 d^2/value) times the mean of phi phi^T of the batch."""
    found = algorithms.zhang_2025(Deployer(SIMPLEX, 10**6, 3, "any", mode="expected"), 0.5, 0.1)
    constants, data = found.dataset.constants, found.dataset
    shares = data.counts[0].sum(axis=2) / 10**6
    moment = np.einsum("sa,sai,saj->ij", shares, SIMPLEX.phi[0], SIMPLEX.phi[0])
    wanted = constants.zeta * np.eye(3) + 1.1 * 9 / constants.value * moment
    np.testing.assert_allclose(data.layers[0].matrix, wanted, rtol=1e-9)
    for layer, phi in zip(data.layers, SIMPLEX.phi, strict=True):
        squares = np.einsum("sai,ij,saj->sa", phi, np.linalg.inv(layer.matrix), phi)
        np.testing.assert_array_equal(layer.cut, squares > 1)
        np.testing.assert_allclose(layer.weights, np.minimum(constants.f / squares, 1), rtol=1e-9)


def test_the_planner_of_zhang_believes_at_most_one_and_lists_no_more_than_allowed():
    mdp = instances.rare_state(1e-3, 3, 0)
    found = algorithms.zhang_2025(Deployer(mdp, 10**6, 3, "any"), 0.5, 0.1, most=40, pace=1.0)
    for record in found.trace[1:]:
        assert record.values[0] <= 1 + 1e-9  # an uncertainty is cut to 1, however small zeta is
        assert record.n_policies <= 40


def test_a_truncated_moment_by_hand():
    """One explored layer, one state: what is kept adds 2 x L, and features are scaled to at most f L."""
    constants = SimpleNamespace(f=0.25, x=0.125, zeta=0.5)
    outer = np.array([[[1.0]]])
    rows, slack = [np.array([[1.0]])], [np.array([True])]
    found = zhang.truncated(outer, np.array([[1.0]]), rows, slack, np.array([[2.0]]), np.ones(1), constants)
    assert found == pytest.approx(np.array([[0.25 / 0.5 + 2 * 0.125 * 2.0]]))  # phi^T L^-1 phi = 1/2
    found = zhang.truncated(outer, np.array([[1.0]]), rows, [np.array([False])], np.array([[8.0]]), np.ones(1),
                            constants)
    assert found == pytest.approx(np.array([[1.0]]))  # 1/8 is below f: nothing is scaled


def test_records_of_a_design_are_of_the_estimated_matrix():
    found = algorithms.qiao_wang_2023(Deployer(SIMPLEX, 10**6, 3, "any", mode="expected"), 0.5, 0.1)
    for record in found.trace:
        matrix = planning.feature_covariance(SIMPLEX, record.policy)[record.layer - 1]
        assert record.least_eigenvalue == pytest.approx(np.linalg.eigvalsh(matrix)[0], abs=2e-5)
    for wanted, feasible in ((1e-6, True), (10.0, False)):
        nominal = qiao_wang.nominal
        qiao_wang.nominal = lambda *numbers, wanted=wanted: SimpleNamespace(eigenvalue=wanted, batch_size=1)
        try:
            again = algorithms.qiao_wang_2023(Deployer(SIMPLEX, 10**6, 3, "any", mode="expected"), 0.5, 0.1)
        finally:
            qiao_wang.nominal = nominal
        assert all(record.feasible is feasible for record in again.trace)


def test_olive_stops_at_h_times_its_level_and_eliminates_on_both_sides(monkeypatch):
    """Errors of three functions in two layers by hand: the second is too small, the third within its level."""
    from derl.algorithms.baselines import olive as module

    mdp = LinearMDP(np.ones((2, 1, 1, 1)), np.ones((2, 1, 1)), np.zeros((2, 1)), np.ones(1))
    functions = np.array([[1.0, 0.5], [0.9, 0.5], [0.8, 0.5]])[..., None, None]
    sizes = SimpleNamespace(act=0.1, eliminate=0.05)
    monkeypatch.setattr(module.quoted, "olive", lambda *numbers: sizes)
    for errors, layer, alive, stop in (
            (np.array([[0.0, 0.2], [0.0, -0.2], [0.0, 0.04]]), 0, [True] * 3, True),  # 0.2 = H act: the promise is kept
            (np.array([[0.0, 0.3], [0.0, -0.2], [0.0, 0.04]]), 2, [False, False, True], False)):
        monkeypatch.setattr(module, "bellman_errors", lambda *data, errors=errors: errors)
        found = algorithms.olive(Deployer(mdp, 5, 1), 0.5, 0.1, functions)
        (record,) = found.trace
        assert (record.layer, found.converged) == (layer, stop) and found.dataset.alive.tolist() == alive
        assert record.error == pytest.approx(errors[0].sum()) and record.alive == sum(alive)
        assert record.promised == pytest.approx(1.0) and found.trajectories == 5


def test_a_third_of_the_perturbed_functions_changes_one_layer_by_scales_from_a_tenth_to_one():
    from derl.algorithms.baselines.olive import class_around

    phi = np.ones((2, 1, 1, 1))
    moved = class_around(np.full((2, 1, 1), 0.0) + [[[1.0]], [[0.5]]], phi, 30_001, 7)[1:, :, 0, 0] - [1.0, 0.5]
    one = np.array([(row == 0).sum() == 1 for row in moved])
    assert one[::3].all() and one[1::3].mean() < 0.01  # clipped values are none of them 0 by chance
    inside = moved[1::3][np.abs(moved[1::3]).max(axis=1) < 0.45]
    assert np.abs(inside).max() > 0.4 and np.quantile(np.abs(inside), 0.02) < 0.012


# ------------------------------------------------------------------------------------------- what a run by name reports

def test_findings_by_hand():
    values = {0: 1.0, 1: 0.4, 2: 0.7}
    trace = [SimpleNamespace(policy=np.array([k]), n_policies=k + 3, n_distinct=k + 1, statistic=float(k))
             for k in (0, 1, 2)]
    request = Request(None, 0.1, 0.1, 1, {})
    outcome = SimpleNamespace(trace=trace, dataset=SimpleNamespace(alive=np.array([False, True, True])))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_defaults.planning, "evaluate",
                      lambda mdp, policy: SimpleNamespace(value=values[int(policy[0])]))
        found = run_defaults.drops(request, outcome)
    assert found == {"largest_drop": pytest.approx(0.6), "first_value": 1.0, "last_value": 0.7}
    assert run_defaults.survivors(request, outcome) == {"functions_alive": 2, "optimum_alive": False}
    repeated = SimpleNamespace(trace=[trace[0], trace[1], trace[0]])
    assert run_defaults.distinct(request, repeated) == {"distinct_policies": 2, "switches": 2, "statistic": 0.0}
    assert run_defaults.policies(request, outcome) == {"policies": [3, 4, 5], "distinct_policies": [1, 2, 3]}


def test_an_audit_is_reported_at_the_last_layer():
    found = SimpleNamespace(uncertainty=np.array([0.1, 0.2, 0.3]), loss_bound=np.array([0.4, 0.5, math.inf]))
    outcome = SimpleNamespace(trace=[SimpleNamespace(n_policies=2, n_distinct=1)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_defaults, "audit", lambda *words: found)
        said = run_defaults.audited(Request(None, 0.1, 0.1, 1, {"version": "spectral"}), outcome)
    assert said == {"policies": [2], "distinct_policies": [1], "uncertainty": 0.3, "loss_bound": None}


def test_the_theorems_size_of_two_deployments_has_d_minus_one_modulo_the_law(monkeypatch):
    asked = []
    monkeypatch.setattr(run_defaults.modulo, "two_deployments_size", lambda *numbers: asked.append(numbers) or 77)
    request, notes = run_defaults.with_two_deployments(Request(LOCK, 0.2, 0.1, None, {}))
    assert request.batch_size == 77 and notes == {}
    (d, horizon, epsilon, delta, g, ordinary), = asked
    assert (d, horizon, epsilon, delta) == (5, 4, 0.2, 0.1) and g == pytest.approx(DESIGN * 4)
    assert ordinary == pytest.approx(3, rel=0.11)  # three actions with features of their own


def test_a_size_that_is_asked_for_is_drawn_exactly_or_refused_and_the_theorems_own_is_gaussian_beyond():
    beyond = run_by_name("two_deployment_exploration", instances.junk_lock(3, 16, 1, 0.25), 1e-6, 0.1, seed=1)
    assert beyond.deployer.mode == "gaussian" and beyond.deployer.batch_size > 2**63
    with pytest.raises(ValueError, match="batch_size|N"):
        run_by_name("two_deployment_exploration", LOCK, 0.2, 0.1, batch_size=2**64)
