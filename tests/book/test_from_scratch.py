"""The cells that a student types in without the library: they are short, come first, and find what the library finds.

Where a run is random, the library gets the same draws (`scratch.SameDraws`), so that every deployment has to agree.
"""

import ast
import contextlib
import io
import re
from functools import cache

import numpy as np
import pytest
import scratch
import sympy
from rules import ROOT

from derl import algorithms, planning
from derl.algorithms import arbitrary, policy_cover
from derl.algorithms.layerwise import plan_truncated
from derl.algorithms.reward_free import optimistic_pass
from derl.algorithms.state_designs import state_designs
from derl.estimation import fit
from derl.estimation.covariance import estimate_covariance
from derl.theory import lower_bounds, potential
from derl.theory.lower_bounds.search_programme import success_curve
from derl.theory.texts import said

CELLS = scratch.everywhere()
MOST_LINES = 25
LIBRARY = r"\bderl\b|instances\.|algorithms\.|Deployer|potential\.|lower_bounds\.|bandit_game\.|exchange\.|corridor"


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_short_and_uses_numpy_alone(name):
    code = CELLS[name].code
    assert len([line for line in code.splitlines() if line.strip()]) <= MOST_LINES
    tree = ast.parse(code)
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"numpy", "fractions", "itertools", "math"}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_comes_before_the_library(name):
    cell = CELLS[name]
    before = (ROOT / "book" / cell.page).read_text(encoding="utf-8")[:cell.start]
    assert "```{pseudocode}" not in before
    seen = [code for tags, code in scratch.CELL.findall(before) if "remove-" not in tags]
    assert not [code for code in seen if re.search(LIBRARY, code)]


def test_the_lock_of_the_cells_is_that_of_the_library():
    space, mdp = {}, scratch.lock()
    exec(scratch.LOCK.read_text(encoding="utf-8"), space)
    assert (space["H"], space["S"], space["A"], space["d"]) == (mdp.horizon, mdp.n_states, mdp.n_actions, mdp.dim)
    np.testing.assert_allclose(np.broadcast_to(space["phi"], mdp.phi.shape), mdp.phi)
    np.testing.assert_allclose(space["r"], mdp.rewards())
    np.testing.assert_allclose(space["P"][:-1], mdp.transitions()[:-1])
    np.testing.assert_allclose(space["P"].sum(axis=-1), 1)


def ran(name: str) -> tuple[str, dict]:
    """What the cells up to this one print, and the names after it."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        space = scratch.run(name, CELLS)
    return out.getvalue(), space


def same_steps(found, printed: str) -> None:
    """Layers and Delta, deployment by deployment: what the cell printed is what the library records."""
    lines = re.findall(r"layer (\d+).*Delta ([\d.]+)", printed)
    assert [(step.layer, f"{step.statistic:.4f}") for step in found] == [(int(h), x) for h, x in lines]


def algorithm_1():
    printed, space = ran("algorithm 1")
    found = algorithms.layerwise_exploration(scratch.SameDraws(10**12), epsilon=0.1, delta=0.1, beta=100.0)
    same_steps(found.trace, printed)
    np.testing.assert_array_equal(space["plan"], found.policy)


@cache
def run_of_algorithm_2():
    deployer = scratch.SameDraws(10**12, in_order=True)
    parameters = arbitrary.Parameters(deployer.known, 10**12, "repaired", 0.2**0.5, 100.0, None, 0)
    return arbitrary.layer_by_layer(parameters, deployer, 0.1, 0.1, 0, 1.0)


def algorithm_2():
    printed, space = ran("algorithm 2")
    found = run_of_algorithm_2()
    lines = re.findall(r"layer \d+: (\d+) plans, (\d+) different, V ([\d.]+)", printed)
    assert [(step.n_policies, step.n_distinct, f"{step.statistic:.5f}") for step in found.trace] == [
        (int(many), int(few), value) for many, few, value in lines]
    np.testing.assert_array_equal(space["n"], found.dataset.counts)


@cache
def some_counts():
    return scratch.SameDraws(10**6).deploy(np.full((4, 3, 3), 1 / 3)).counts


def algorithm_5():
    _, space = ran("algorithm 5")
    counts, phi = some_counts(), scratch.lock().phi
    data = [space["regression"](n) for n in counts]
    matrix = np.diag([2.0, 3, 4, 500, 600])
    for h in range(4):
        problem = policy_cover.prepare(phi[:h + 1], [fit(*layer) for layer in zip(phi[:h], counts[:h], strict=True)],
                                       2.0, np.eye(3)[0])
        value, plan = policy_cover.solve_optq(problem, policy_cover.uncertainty_reward(problem, matrix))
        mine, own = space["solve_optq"](h, data, matrix, 2.0)
        assert mine == pytest.approx(value, abs=1e-12)
        np.testing.assert_array_equal(own[:h + 1], plan)


def algorithm_6():
    _, space = ran("algorithm 6")
    counts, phi = some_counts(), scratch.lock().phi
    data, plan = [space["regression"](n) for n in counts], np.array([[1, 0, 0], [0, 1, 2], [2, 2, 2], [0, 0, 1]])
    for h in range(4):
        designs = [fit(*layer) for layer in zip(phi[:h], counts[:h], strict=True)]
        wanted = estimate_covariance(phi[:h + 1], designs, plan[:h + 1], np.eye(3)[0])
        np.testing.assert_allclose(space["estimate_covariance"](h, data, plan), wanted, atol=1e-9)


def algorithm_3():
    printed, space = ran("algorithm 3")
    found = algorithms.reward_free_exploration(scratch.SameDraws(10**13), 0.2, 0.1, beta=100.0)
    same_steps(found.trace, printed)
    np.testing.assert_array_equal(space["n"], found.dataset.counts)


def algorithm_4():
    _, space = ran("algorithm 4")
    found = algorithms.reward_free_exploration(scratch.SameDraws(10**13), 0.2, 0.1, beta=100.0)
    for reward in (space["r"], space["other"]):
        planned = optimistic_pass(found.dataset, reward, 100.0)
        plan, value = space["algorithm_4"](found.dataset.counts, reward, 100)
        np.testing.assert_array_equal(plan, planned.policy)
        assert value == pytest.approx(planned.values[0], abs=1e-12)


def algorithm_7():
    printed, space = ran("algorithm 7")
    space["rng"] = np.random.default_rng(0)
    with contextlib.redirect_stdout(io.StringIO()) as out:  # a size at which the factor alpha of the threshold decides
        space["algorithm_7"](10**9, 0.1, 0.1, 100)
    for size, lines in ((10**9, out.getvalue()), (10**13, printed)):
        found = algorithms.safe_mixture(scratch.SameDraws(size), 0.1, 0.1, alpha=0.1, beta=100.0)
        same_steps([step.exploration for step in found.trace], lines)
    codes = [(str(step.pessimistic[:3, 0]), str(step.optimistic[:3, 0])) for step in found.trace]
    assert codes == re.findall(r"(\[[^]]*\]) and (\[[^]]*\])", printed)
    np.testing.assert_array_equal(space["plan"], found.policy)


def blocks_of(L: int):
    """A run of the library with blocks of L layers, and its covers."""
    found = algorithms.block_exploration(scratch.SameDraws(10**6), 0.1, 0.1, L, data="pooled", initial=0)
    return found, [step.policy.policies for step in found.trace[1:]]


def cover():
    _, space = ran("cover")
    found, covers = blocks_of(1)
    weights = [layer.operator for layer in found.dataset.layers]
    for layer, policies in enumerate(covers):
        plans = space["cover"](weights[:layer], (5 / 10**6)**0.5)
        heads = [np.argmax(policy, axis=2)[:layer + 1] for policy in policies]
        np.testing.assert_array_equal([plan[:layer + 1] for plan in plans], heads)


def block_exploration():
    _, space = ran("block exploration")
    for L in (1, 2, 3, 4):
        space["rng"] = np.random.default_rng(0)
        found, _ = blocks_of(L)
        plan = space["explore_blocks"](10**6, L, (5 / 10**6)**0.5)
        np.testing.assert_array_equal(plan, found.policy)
        assert planning.gap(scratch.lock(), plan) < 1e-9


def batched_potential():
    _, space = ran("batched potential")
    for h in range(4):
        for epsilon in (0.5, 0.1, 1e-6):
            found = space["violations"](space["batches"][:, h], 10**6, epsilon)
            assert found == potential.violations(space["batches"][:, h], 10**6, epsilon).tolist()
            assert len(found) <= potential.sharp_bound(5, 10**6, epsilon)
    np.testing.assert_allclose(np.trace(space["batches"], axis1=2, axis2=3), 10**6)


def bridge():
    _, space = ran("bridge")
    before = np.eye(5)
    for batch in space["batches"][:, 1]:
        sides = potential.bridge(before, batch)
        wanted = (sides.log_ratio, sides.trace, sides.sharp, sides.paper)
        np.testing.assert_allclose(space["bridge"](before, batch), wanted, rtol=1e-6, atol=1e-9)
        before = before + batch


def deterministic():
    _, space = ran("lower bound I")
    curve = success_curve(3, 3, 1, 7, "exclude", exact=True)
    assert [space["opened"](3, 3, K) for K in range(8)] == curve.tolist()
    assert [space["opened"](1, 9, K + 1) for K in range(9)] == [1 - lower_bounds.bandit_failure(9, K) for K in range(9)]


def any_policies():
    _, space = ran("lower bound II")
    for gift, memory in ((0, "forget"), (1, "reveal")):
        for wheels, N in ((3, 5), (4, 7), (2, 1)):
            curve = success_curve(3, wheels, N, 4, memory, exact=True)
            assert [space["opened"](wheels, N, K, gift) for K in range(5)] == curve.tolist()


def exchange_law():
    _, space = ran("exchange law")
    for K in (1, 2, 3, 6):
        N = space["smallest_batch"](6, K)
        low, high = (success_curve(3, 6, size, K)[-1] for size in (N - 1, N))
        assert low < 0.9 <= high


def lsvi_ucb():
    _, space = ran("lsvi-ucb")
    mdp, deployer, n = scratch.lock(), scratch.SameDraws(1), np.zeros((4, 3, 3, 3))
    for _ in range(900):
        designs = [fit(phi, counts) for phi, counts in zip(mdp.phi, n, strict=True)]
        plan = plan_truncated(deployer.known, designs, lambda h, norms: mdp.rewards()[h], 2.0, "repaired")
        n += deployer.deploy(np.stack([step.policy for step in plan])).counts
    np.testing.assert_array_equal(space["n"], n)
    assert space["played"][-300:].mean() > space["played"][:300].mean() + 0.2


def self_normalised():
    _, space = ran("self-normalised")
    printed, (matrix, delta) = said("res-self-normalised"), sympy.symbols("matrix delta", positive=True)
    formula = printed(r"\|S_t\|_{\Lambda_t^{-1}}^2\le", {r"\det\Lambda_t": matrix}, R=3, delta=delta)
    assert space["bound"](2.0, 0.1, R=3) == pytest.approx(float(formula.subs({matrix: sympy.exp(2), delta: 0.1})))
    for level in (0.5, 0.1):
        worst = space["largest_excess"](2000, 100, level)
        assert 0 < (worst > 0).mean() <= level / 2
    noise = space["largest_excess"](1, 1, 0.1) + space["bound"](np.log(2), 0.1)  # one toss of a fair coin, digit 0
    np.testing.assert_allclose(noise, 0.49 / 2)  # digit 0 is right on the third wheel: 0.7 or 0.3 off


def optimal_designs():
    _, space = ran("optimal designs")
    weights, g = space["design"](space["by_hand"])
    np.testing.assert_allclose(weights, 0.5)
    phi = np.random.default_rng(0).normal(size=(4, 7, 3))
    for features in phi / np.linalg.norm(phi, axis=2, keepdims=True):
        weights, g = space["design"](np.einsum("ai,aj->aij", features, features), 1e-2)
        found, excess = state_designs(features[None], criterion=1.01)
        np.testing.assert_allclose(weights, found[0], atol=1e-9)
        assert g == pytest.approx(3 * excess)
    best = planning.occupancy(scratch.lock(), np.array([[1, 0, 0], [2, 0, 0], [2, 0, 0], [0, 0, 0]]))[2]
    matrix = np.einsum("sa,sai,saj->ij", best, scratch.lock().phi[2], scratch.lock().phi[2])
    np.testing.assert_allclose(space["covariance"]((1, 2, 2), 2), matrix)


COMPARED = {
    "lsvi-ucb": lsvi_ucb, "self-normalised": self_normalised, "optimal designs": optimal_designs,
    "algorithm 1": algorithm_1, "algorithm 2": algorithm_2, "algorithm 3": algorithm_3, "algorithm 4": algorithm_4,
    "algorithm 5": algorithm_5, "algorithm 6": algorithm_6, "algorithm 7": algorithm_7, "cover": cover,
    "block exploration": block_exploration, "batched potential": batched_potential, "bridge": bridge,
    "lower bound I": deterministic, "lower bound II": any_policies,
    "exchange law": exchange_law}
def test_every_cell_is_compared():
    assert set(COMPARED) == set(CELLS)


@pytest.mark.parametrize("name", COMPARED)
def test_a_cell_finds_what_the_library_finds(name):
    COMPARED[name]()
