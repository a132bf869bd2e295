"""What the chapters say of the lock and what the labs of the foundations measure, by hand or for planted runs."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.foundations import lock
from derl.show.foundations.draft import cells_of, fault, read


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
