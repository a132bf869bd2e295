"""What the chapters say of the lock, by brute force, other modules, a count by hand, or for planted runs."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.foundations import lock
from derl.show.foundations.draft import cells_of, fault, read
from derl.theory.lower_bounds import search_game


def test_the_best_search_is_that_of_all_strategies():
    """Every strategy of a smaller lock, and the counts by hand of the lock with three wheels."""
    assert "after 4 deployments on average and after 7 at the latest" in lock.deterministic()
    assert "probability 1/27, 4/27 and 10/27" in lock.deterministic()
    assert [search_game.best_success(3, 2, 1, K) for K in (1, 2)] == [Fraction(1, 9), Fraction(3, 9)]


def test_batches_that_open_the_lock_are_counted():
    """One deployment: 1 - (26/27)^N first exceeds 9/10 at N = 62."""
    assert 1 - Fraction(26, 27)**61 < lock.LEVEL <= 1 - Fraction(26, 27)**62
    assert "1 deployment needs a batch of 62 codes" in lock.exchange()
    codes = list(product(range(3), repeat=3))
    opened = 1 - (1 - 1 / len(codes))**5
    assert f"| 5 | {opened:.3f} |" in lock.arbitrary()


def test_a_run_plays_the_code_and_brings_as_much_news_as_there_are_digits():
    """Three digits of the first wheel, two more of each later wheel, and one deployment that finishes each layer."""
    assert "3, 2, 2, 0, layer by layer" in lock.news()
    assert f"deploys {3 + 2 + 2 + 4} policies" in lock.layerwise()
    assert "plays 1-2-0, which is the code" in lock.layerwise()


def test_the_values_of_the_lock_are_those_by_hand():
    """Layers 2 and 3 pay 1/2 each, the last one 0.7 with the code and 0.5 with another one; half of each is 0.6."""
    assert "plays the code is worth 1.70" in lock.safe() and "is worth 1.50" in lock.safe()
    assert "otherwise is worth 1.60. It loses 0.10" in lock.safe()


def test_the_coefficients_are_those_of_the_best_mixture_of_directions():
    """Three digits share 1: 1/3. From layer 2 on the two states after a wrong digit share one visit: 3 t + 2 t = 1."""
    found = [float(value) for value in lock.reach().split("at least ")[1].rstrip(".").split(", ")]
    assert found[0] == pytest.approx(3**-0.5, abs=1e-3) and found[1] == found[2] == pytest.approx(5**-0.5, abs=1e-3)


@pytest.mark.parametrize("code, word", [((1, 2, 0), "wheel 3: 0, right"), ((0, 0, 0), "wheel 1: 0, wrong")])
def test_the_picture_says_what_a_deployment_shows(code, word):
    assert word in lock.drawn(code).data


def test_small_numbers_are_formulas():
    assert lock.tiny(3.94e-8) == "$3.9\\cdot10^{-8}$" and np.log10(3.9e-8) < -7


@pytest.mark.parametrize("words", [lock.mixtures, lock.reward_free, lock.compared, lock.analysis])
def test_every_passage_ends_with_a_full_stop(words):
    assert words().endswith(".") and "nan" not in words()


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


def test_chances_of_many_codes_by_hand():
    """N = 1: one code of 27, then the best second and third codes; N = 500 opens it nearly always."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lock.arbitrary().splitlines()
            if line.startswith("|")]
    assert rows[0] == ["codes in a batch $N$", "$K=1$", "$K=2$", "$K=3$"]
    assert rows[2] == ["1", f"{1 / 27:.3f}", f"{4 / 27:.3f}", f"{10 / 27:.3f}"]
    for size, first, *_ in rows[2:]:
        assert float(first) == pytest.approx(1 - (26 / 27)**int(size), abs=6e-4)


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
