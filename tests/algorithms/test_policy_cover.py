"""The inner loop of Algorithm 2: compiled against readable."""

import signal

import numpy as np
import pytest

from derl import instances
from derl.algorithms import policy_cover
from derl.algorithms.policy_cover import find_cover, prepare
from derl.deployment import deploy_counts
from derl.estimation import fit
from derl.estimation.covariance import estimate_covariance
from derl.inputs.compiled import COMPILED
from derl.mdp.policies import uniform

pytestmark = pytest.mark.skipif(not COMPILED, reason="numba is not installed")
LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)
NASTY = {"simplex": instances.random_simplex(6, 3, 4, 4, seed=2), "equal actions": LOCK,
         "unavailable actions": instances.optimism_trap(), "one action": instances.random_simplex(4, 1, 2, 3, seed=1),
         "one layer": instances.random_simplex(3, 3, 2, 1, seed=5), "signed features": instances.hexagon(3)}


def problem_of(mdp, beta, size, version="repaired"):
    rng = np.random.default_rng(np.random.SeedSequence(3))
    counts = deploy_counts(mdp, uniform(mdp), size, rng).counts
    designs = [fit(mdp.phi[h], counts[h]) for h in range(mdp.horizon - 1)]
    problem = prepare(mdp.phi, designs, beta, mdp.initial, mdp.available, version)
    return problem, lambda policy: estimate_covariance(mdp.phi, designs, policy, mdp.initial)


def both(monkeypatch, problem, estimate, threshold, limit, **options):
    monkeypatch.setattr(policy_cover, "PATIENCE", 3)
    monkeypatch.setattr(policy_cover, "BLOCK", 50)
    return [find_cover(problem, estimate, lambda value, matrix: value <= threshold, limit, threshold=threshold,
                       compiled=compiled, **options) for compiled in (False, True)]


@pytest.mark.parametrize("reward", ["norm", "squared"])
@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("threshold, limit", [(0.12, 400), (0.0, 90), (0.12, 4)])
def test_the_compiled_loop_is_the_readable_one(monkeypatch, name, reward, threshold, limit):
    slow, fast = both(monkeypatch, *problem_of(NASTY[name], 1e-5, 10**12), threshold, limit, reward=reward)
    for field in ("policies", "counts", "order", "estimates"):
        np.testing.assert_array_equal(getattr(fast, field), getattr(slow, field))
    np.testing.assert_allclose(fast.values, slow.values, rtol=1e-12)
    np.testing.assert_allclose(fast.matrix, slow.matrix, rtol=1e-12)
    assert (fast.stopped, fast.start, fast.floor) == (slow.stopped, slow.start, slow.floor)


@pytest.mark.parametrize("options", [{"printed": True}, {}])
def test_as_printed_and_with_few_data(monkeypatch, options):
    """Values above one are clipped, values below zero are not where the clip acts from above only."""
    for beta, size, version in ((0.3, 100, "as-printed"), (5.0, 10, "repaired")):
        slow, fast = both(monkeypatch, *problem_of(NASTY["simplex"], beta, size, version), 1e-6, 120, **options)
        np.testing.assert_array_equal(fast.order, slow.order)
        np.testing.assert_allclose(fast.values, slow.values, rtol=1e-12)


def test_estimates_below_nothing_are_left_to_the_readable_loop(monkeypatch):
    problem, _ = problem_of(NASTY["simplex"], 1e-5, 10**12)
    slow, fast = both(monkeypatch, problem, lambda policy: -0.3 * np.eye(4), 0.0, 60)
    np.testing.assert_array_equal(fast.order, slow.order)
    np.testing.assert_allclose(fast.values, slow.values, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.eigvalsh(fast.matrix)[0], 2 - 0.3 * 60)


def test_ctrl_c_in_compiled_code_is_ctrl_c():
    """A signal that comes while no Python runs is raised when Python goes on, as what it is."""
    class Rung(BaseException):  # like KeyboardInterrupt: what handles an Exception lets it pass
        pass

    def rung(number, frame):
        raise Rung

    problem, estimate = problem_of(NASTY["simplex"], 1e-5, 10**12)
    before = signal.signal(signal.SIGALRM, rung)
    try:
        for turn in range(12):
            with pytest.raises(Rung):
                signal.setitimer(signal.ITIMER_REAL, 0.05 + 0.003 * turn)
                while True:
                    find_cover(problem, estimate, lambda value, matrix: value <= 1e-3, 10**5, threshold=1e-3)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_another_threshold_is_another_loop(monkeypatch):
    """A control: what stops the loop, and how often, is seen."""
    found = both(monkeypatch, *problem_of(NASTY["simplex"], 1e-5, 10**12), 0.12, 400)
    other = both(monkeypatch, *problem_of(NASTY["simplex"], 1e-5, 10**12), 0.15, 400)
    assert found[1].iterations > other[1].iterations > 3 and found[1].stopped and other[1].stopped


def test_the_compiled_plan_takes_the_lowest_action_among_near_ties_of_any_size():
    """A tie is relative: at 1000 what differs by 1000 times as much still is one."""
    greedy = pytest.importorskip("derl.algorithms._cover")._greedy
    for scale in (0.5, 1.0, 1e3, 1e6):
        tie = 1e-9
        near, far = scale - 0.5 * tie * max(1.0, scale), scale - 3 * tie * max(1.0, scale)
        q, values, actions = np.array([near, scale, far, scale]), np.zeros(2), np.zeros(2, np.intp)
        greedy(q, 2, tie, 0.0, values, actions)
        assert actions.tolist() == [0, 1] and values.tolist() == [scale, scale]
