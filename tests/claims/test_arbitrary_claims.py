"""Checks of Algorithms 2, 5 and 6: what is exact passes, controls are rejected, runs on one instance, reachability."""

from fractions import Fraction

import numpy as np
import pytest

from derl.claims import (
    arbitrary_algorithms,
    arbitrary_constants,
    arbitrary_errors,
    arbitrary_printed,
    arbitrary_runs,
    arbitrary_start,
    arbitrary_theorems,
)
from derl.claims.registry import REGISTRY, run_check, verdict
from derl.mdp import exact, planning
from derl.theory import reachability

MODULES = {module.__name__ for module in (arbitrary_algorithms, arbitrary_constants, arbitrary_errors,
                                          arbitrary_printed, arbitrary_start, arbitrary_theorems)}
CHECKS = [c for c in REGISTRY.checks if c.function.__module__ in MODULES]
FAST = [c for c in CHECKS if c.method in ("symbolic", "exhaustive")]
ON_RUNS = [c for c in CHECKS if c.function.__module__ == arbitrary_theorems.__name__ and c.method == "run"]
REFUTED = {"alg-arbitrary", "err-double-regularisation", "err-first-policy", "err-set-of-policies",
           "err-clip-from-above", "err-covariance-factor", "err-reward-accuracy", "err-resolution",
           "text-batch-exponent", "alg-covariance", "thm-arbitrary-informal", "thm-arbitrary-formal",
           "err-first-policy-union", "text-fixed-first-state", "text-optimal-arbitrary"}
STATEMENTS = REFUTED | {
    "alg-arbitrary-repaired", "alg-solve-optq", "alg-covariance-repaired", "thm-arbitrary-formal-repaired",
    "res-unknown-start", "cond-induction", "res-theorem-r",
    "res-squared-reward", "res-spectral-error", "res-self-certifying",
    "res-first-layer", "res-cover-not-empty", "res-batch-exponent"}


def test_the_statements_are_all_here_and_each_has_a_control():
    assert {c.claim for c in CHECKS} == STATEMENTS
    assert all(c.controls for c in CHECKS)
    assert {c.claim for c in CHECKS if c.refutes} == REFUTED


@pytest.mark.parametrize("subject", FAST, ids=lambda c: f"{c.claim}-{c.name}")
def test_exact_checks_pass_and_their_controls_are_rejected(subject):
    row = run_check(subject)
    assert row["outcome"] == "pass" and row["tolerance"] == 0, row
    assert all(c["outcome"] == "rejected" for c in row["controls"]), row
    if subject.refutes:
        assert verdict([row])[0] == "refuted"


@pytest.mark.parametrize("subject", ON_RUNS, ids=lambda c: f"{c.claim}-{c.name}")
def test_checks_on_runs_pass_on_one_instance_and_reject_starved_runs(subject):
    assert subject.function(names=("lock",)).holds
    for planted in subject.controls:
        assert not subject.function(**planted.plant()).holds


# --- reachability ------------------------------------------------------------------------------------------------

def test_positive_definite_by_pivots():
    def matrix(rows):
        return np.array([[Fraction(x) for x in row] for row in rows], dtype=object)

    assert arbitrary_runs.positive_definite(matrix([[2, 1], [1, 1]]))
    assert not arbitrary_runs.positive_definite(matrix([[1, 1], [1, 1]]))
    assert not arbitrary_runs.positive_definite(matrix([[1, 2], [2, 1]]))
    assert not arbitrary_runs.positive_definite(matrix([[-1]]))


def test_reachable_states_are_those_with_positive_occupancy():
    for name in arbitrary_runs.SUITE:
        mdp = arbitrary_runs.instance(name)
        model = mdp.to_float()
        seen = np.zeros((model.horizon, model.n_states), bool)
        rng = np.random.default_rng(0)
        for _ in range(200):
            scores = np.where(model.available, rng.random(model.available.shape), -1)
            seen |= planning.occupancy(model, scores.argmax(axis=2)).sum(axis=2) > 0
        np.testing.assert_array_equal(arbitrary_runs.reachable_states(mdp), seen)


@pytest.mark.parametrize("name, largest", [("lock", Fraction(1, 5)), ("template", Fraction(1, 7))])
def test_certified_bounds_stay_below_the_known_value(name, largest):
    """With unit vectors as features nu_h^2 is 1/D where all D pairs can be reached."""
    bound = arbitrary_runs.certified_nu_squared(name)
    assert Fraction(4, 5) * largest < bound <= largest


@pytest.mark.parametrize("name", ["lock", "template"])
def test_certified_bounds_agree_with_the_certified_intervals(name):
    mdp = arbitrary_runs.instance(name).to_float()
    intervals = [reachability.nu(mdp, h, subspace="reachable") for h in range(1, mdp.horizon + 1)]
    bound = float(arbitrary_runs.certified_nu_squared(name)) ** 0.5
    assert 0.9 * min(interval.lower for interval in intervals) <= bound <= min(i.upper for i in intervals)


def test_a_policy_that_misses_a_direction_certifies_nothing():
    class Record:
        """A record whose only policy never leaves the gate."""

        layer, n_policies = 3, 1

        class cover:
            counts = (1,)

        class policy:
            policies = (np.array([[1] * 3, [2] * 3, [0] * 3, [0] * 3]),)

    mdp = arbitrary_runs.instance("lock")
    assert exact.occupancy(mdp, Record.policy.policies[0])[2, 0, 0] == 1
    assert arbitrary_runs._certify(mdp, Record) == 0
