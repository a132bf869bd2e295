"""Every check of Section 3 and Appendix B passes, every control is rejected, the counterexamples stand alone."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from derl.claims import lower_bounds
from derl.claims.lower_bounds_policies import core_policies
from derl.claims.registry import REGISTRY, run_check, verdict
from derl.mdp import exact, instances

MODULES = {f"derl.claims.{name}" for name in lower_bounds.__all__}
CHECKS = [c for c in REGISTRY.checks if c.function.__module__ in MODULES]
REPAIRED = {"gap-to-other-policies", "ineq-half", "ineq-one-over-e", "rem-markov", "thm-lower-arbitrary",
            "thm-lower-deterministic", "value-hard-template"}
WEAKER = {"claim-frontier-step-alone": "refuted", "res-frontier-step-sharp": "enumerated",
          "res-zero-deployments": "enumerated", "res-forgetting-costs": "enumerated", "stationary-embedding": "tested",
          "res-deployments-at-scale": "tested"}
CLAIMS = sorted({c.claim for c in CHECKS})


@pytest.fixture(scope="module")
def rows():
    found = defaultdict(list)
    for subject in CHECKS:
        if subject.tier == "quick":
            found[subject.claim].append(run_check(subject))
    return found


@pytest.mark.parametrize("claim", CLAIMS)
def test_checks_pass_and_controls_are_rejected_for_a_measured_reason(rows, claim):
    assert rows[claim]
    for row in rows[claim]:
        assert row["outcome"] == "pass", row
        assert row["controls"] and all(c["outcome"] == "rejected" for c in row["controls"]), row
        assert row["scope"] and row["summary"]
        if row["arithmetic"] == "exact":
            assert row["tolerance"] == 0


@pytest.mark.parametrize("claim", CLAIMS)
def test_words(rows, claim):
    expected = "repaired" if claim in REPAIRED else WEAKER.get(claim, "proved")
    assert verdict(rows[claim], repair="proved" if claim in REPAIRED else None)[0] == expected


def test_every_statement_has_a_check_in_the_quick_tier():
    assert {c.claim for c in CHECKS if c.tier == "quick"} == set(CLAIMS)


def test_printed_instances_within_epsilon_and_uniform_policy_strictly_within():
    d, H, epsilon = 3, 3, Fraction(1, 10)
    for core, index in product(range(d), repeat=2):
        mdp = instances.hard_template(d, H, H - 1, index, (core, (index + 1) % d), epsilon, exact=True)
        values = [exact.evaluate(mdp, policy).value for _, policy in core_policies(d, H, (core, (index + 1) % d))]
        assert max(values) - min(values) == epsilon
        uniform = mdp.available * Fraction(1) / mdp.available.sum(axis=2, keepdims=True)
        assert max(values) - exact.evaluate(mdp, uniform).value == epsilon * (1 - Fraction(1, d ** (H - 1))) < epsilon


def test_a_stochastic_output_serves_two_arms_at_twice_epsilon():
    epsilon = Fraction(1, 10)
    for arm in (0, 1):
        mdp = instances.compact_bandit(3, 1, arm, 2 * epsilon, exact=True)
        half = [[[0, Fraction(1, 2), Fraction(1, 2)]] + [[1, 0, 0]] * 2] * 2
        assert exact.optimal(mdp).value - exact.evaluate(mdp, half).value == epsilon
        worse = instances.compact_bandit(3, 1, arm, 3 * epsilon, exact=True)
        assert exact.optimal(worse).value - exact.evaluate(worse, half).value > epsilon


def test_chain_of_the_text_at_three_by_three():
    m, K = 4, 2
    assert Fraction(K + 1, m + 1) == Fraction(3, 5) > Fraction(1, 2) >= Fraction(K, m + 1)
    assert (1 - Fraction(1, 2)) ** 2 < Fraction(368, 1000) < 1 - Fraction(1, 2)  # H = 2: below and above 1/e
