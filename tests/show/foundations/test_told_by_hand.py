"""What the chapters say of the lock and what the labs of the foundations measure, by hand or for planted runs."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.foundations import light, lock, moves, trial_figures
from derl.show.foundations.draft import cells_of, fault, read


def test_deployments_of_both_algorithms_on_the_lock():
    """Three digits of the first wheel, two more of each later one, one deployment per layer; a mixture per layer."""
    assert lock.mixtures() == ("On the lock Algorithm 1 deploys 11 deterministic policies. Algorithm 2 deploys 4 "
                               "mixtures, one for each layer.")
    words = lock.compared()
    assert "Algorithm 1 deploys 11 policies" in words and r"makes 11$\cdot10^{12}$ trajectories" in words
    assert "needs 4 deployments of one trajectory on average" in words


def test_what_the_reward_free_algorithm_deploys(monkeypatch):
    monkeypatch.setattr(lock.algorithms, "reward_free_exploration",
                        lambda deployer, epsilon, delta: SimpleNamespace(deployments=17))
    assert lock.reward_free().startswith("On the lock Algorithm 3 deploys 17 policies, and Algorithm 1, which knows "
                                         "the reward, deploys 11.")


def test_the_largest_error_of_a_covariance_and_its_bound(monkeypatch):
    """Layer 2 meets digit 0 with a policy that plays 1: one direction in place of two others; bounds 0.004, 0.03."""
    mdp = lock.model()
    policy = np.zeros((mdp.horizon, mdp.n_states), int)
    policy[0] = 1
    exact = np.einsum("sa,sai,saj->ij", lock.planning.occupancy(mdp, policy)[1], mdp.phi[1], mdp.phi[1])
    off = [np.diag([0.25, 0, 0, 0, 0]), np.diag([0, -0.5, 0, 0, 0])]
    cover = SimpleNamespace(policies=[policy[:2], policy[:2]], estimates=[exact + one for one in off])
    trace = [SimpleNamespace(layer=1, cover=cover, matrix_error=9.0), SimpleNamespace(layer=2, cover=cover,
                                                                                     matrix_error=0.004),
             SimpleNamespace(layer=3, cover=None, matrix_error=8.0)]
    monkeypatch.setattr(lock, "second", lambda: SimpleNamespace(trace=trace))
    words = lock.analysis()
    assert r"covariance is $5.0\cdot10^{-1}$ in the operator norm" in words
    assert r"the bound $4.0\cdot10^{-3}$ for the sum" in words


def test_the_first_policies_of_the_lock_try_the_digits_of_the_first_wheel():
    words = " ".join(lock.layerwise().split())
    assert "play the codes 0-0-0, 1-0-0, 2-0-0, one for each digit of the first wheel. 4 of the deployments" in words
    assert "the other 7 bring news" in lock.layerwise()


def test_chances_of_many_codes_by_hand():
    """N = 1: one code of 27, then the best second and third codes; N = 500 opens it nearly always."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lock.arbitrary().splitlines()
            if line.startswith("|")]
    assert rows[0] == ["codes in a batch $N$", "$K=1$", "$K=2$", "$K=3$"]
    assert rows[2] == ["1", f"{1 / 27:.3f}", f"{4 / 27:.3f}", f"{10 / 27:.3f}"]
    for size, first, *_ in rows[2:]:
        assert float(first) == pytest.approx(1 - (26 / 27)**int(size), abs=6e-4)


def test_a_check_is_as_slow_as_its_slowest_false_variant(monkeypatch):
    """The truth takes 0.1 s, the variants 0.05, 0.2 and 0.15 s."""
    clock = iter(np.cumsum([0, 0.1, 1, 0.05, 1, 0.2, 1, 0.15]).tolist())
    monkeypatch.setattr(light.time, "process_time", lambda: next(clock))
    monkeypatch.setattr(light, "attempt", lambda check, plant: (object(), ""))
    check = SimpleNamespace(controls=[SimpleNamespace(plant=dict)] * 3)
    assert light.measure(check) == pytest.approx(0.3)


def test_a_heavy_check_and_one_without_a_result_have_no_time(monkeypatch):
    check = SimpleNamespace(controls=[SimpleNamespace(plant=dict)])
    for times, answer, found in (([0, 0.3, 1, 1.2], object(), None), ([0, 0.1, 1, 1.1], None, None),
                                 ([0, 0.2, 1, 1.2], object(), 0.4)):
        clock = iter(times)
        monkeypatch.setattr(light.time, "process_time", lambda clock=clock: next(clock))
        monkeypatch.setattr(light, "attempt", lambda check, plant, answer=answer: (answer, ""))
        assert light.measure(check, 0.41) == (None if found is None else pytest.approx(found))


@pytest.mark.parametrize("text, part, words", [
    ("1 0 | 0.5 0.5 | 0\n0 1 | -0.25 1.25 | 0", "next states", "state 1, action 0: a next state has probability -0.25"),
    ("1 0 | 0.5 0.5 | 0\n0 1 | 0.5 0.25 | 0", "next states", "state 1, action 0: the probabilities sum to 0.75"),
    ("1 0 | 0.5 0.5 | 0\n0.6 1 | 0.5 0.5 | 0", "features", "state 1, action 0: |phi| = 1.166"),
    ("1 0 | 0.5 0.5 | 0\n0 1 | 0.5 0.5 | -0.5", "reward", "state 1, action 0: the reward is -0.5"),
    ("1 | 0.5 0.5 | 0\n1 | 0 1 | 0", "next states", "rank 1 and cannot carry"),
    ("1 | 0.5 0.5 | 0\n1 | 0.5 0.5 | 0.5", "reward", "the closest theta gives 0.25 in place of")])
def test_a_fault_is_named_in_its_part(text, part, words):
    draft = read(text)
    wrong = fault(draft)
    assert wrong.part == part and words in wrong.sentence
    (place, *_) = cells_of(draft, wrong)
    assert place[1] == ("features", "next states", "reward").index(part)


def test_how_far_a_row_is_missed_is_its_largest_entry():
    """One feature for the rows (1, 0, 0) and (0, 1, 0): the closest is (1/2, 1/2, 0), so each is missed by 1/2."""
    assert "the closest miss this row by 0.5" in fault(read(
        "1 | 1 0 0 | 0\n1 | 0 1 0 | 0\n1 | 0.5 0.5 0 | 0")).sentence


@pytest.mark.parametrize("steps, said", [
    ((("one", True), ("two", True)), "all 2 steps hold"), ((("one", True),), "its one step holds"),
    ((("one", True), ("two", False), ("three", False)), "2 of 3 steps fail, first: two")])
def test_steps_in_a_clause(steps, said):
    assert trial_figures.found(SimpleNamespace(steps=steps)) == said


@pytest.mark.parametrize("direction, word", [("upper", "at most"), ("lower", "at least"), ("tight", "exactly")])
def test_a_number_in_a_clause(direction, word):
    found = trial_figures.found(SimpleNamespace(steps=(), measured=Fraction(1, 3), claimed=2, direction=direction))
    assert found == f"measured 1/3, claimed {word} 2"


def test_an_angle_has_its_measures(monkeypatch):
    """phi = (1, s) and (1, -s) over sqrt(1 + s^2) at slope s: twice arctan(s) apart."""
    monkeypatch.setattr(moves.replay, "replay", lambda *words: SimpleNamespace(layers=[1, 1, 2], gap=Fraction(1, 4)))
    found = moves.row(Fraction(1, 2))
    assert found["angle"] == pytest.approx(2 * np.arctan(0.5)) and found["total"] == pytest.approx(1.25**0.5)
    assert (found["deployments"], found["loss"]) == (3, 0.25)
