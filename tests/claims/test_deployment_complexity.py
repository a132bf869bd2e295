"""The claims on Section 4.1, Appendix A and Appendix C after Lemma 4.2: what the checks say, by other means."""

import importlib
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy

from derl.claims import deployment_complexity, deployment_count, layerwise_guarantee
from derl.claims.registry import REGISTRY, run_check
from derl.mdp import exact, planning
from derl.theory import constants

MODULES = ("comparison", "comparison_text", "concentration", "concentration_runs", "deployment_complexity",
           "deployment_count", "direct_exploration", "fewer_samples", "fewer_samples_runs", "layerwise_constants",
           "layerwise_guarantee", "layerwise_program", "one_deployment")
QUICK = ("deployment_complexity", "deployment_count", "comparison_text", "one_deployment", "fewer_samples")

for name in MODULES:
    importlib.import_module(f"derl.claims.{name}")


def checks(modules):
    wanted = {f"derl.claims.{name}" for name in modules}
    return [c for c in REGISTRY.checks if c.function.__module__ in wanted]


@pytest.mark.parametrize("subject", checks(QUICK), ids=lambda c: f"{c.claim}-{c.name}")
def test_the_check_passes_and_every_control_is_rejected(subject):
    row = run_check(subject)
    assert row["outcome"] == "pass", row.get("detail")
    assert row["control"]["outcome"] == "rejected"


def test_every_module_has_checks_and_every_check_a_control_and_a_gap():
    assert {c.function.__module__.rsplit(".", 1)[1] for c in checks(MODULES)} == set(MODULES)
    for subject in checks(MODULES):
        assert subject.controls and subject.gap and (subject.function.__doc__ or "").strip()
        assert not subject.refutes or subject.arithmetic in ("exact", "ball")


def printed_log_size(c_K, *values) -> float:
    """The symbolic log N at d, H, epsilon, L."""
    symbols = (deployment_complexity.d, deployment_complexity.H, deployment_complexity.e, deployment_complexity.L)
    size = deployment_complexity.printed_log_size(sympy.Integer(c_K))
    return float(size.subs(dict(zip(symbols, values, strict=True))))


@pytest.mark.parametrize("c_K", [2, 3, 6, 50])
def test_the_symbolic_size_is_the_numeric_one(c_K):
    log_size = printed_log_size(c_K, 3, 4, 0.2, math.log(12 / 0.02))
    assert log_size == pytest.approx(math.log(constants.batch_size_layerwise(3, 4, 0.2, 0.1, c_K)), rel=1e-6)


def test_the_size_grows_only_in_the_corner():
    corner = [printed_log_size(k, 1, 1, 0.9, -2 * math.log(0.9)) for k in (2, 3, 4)]
    assert corner == sorted(corner)
    for d, H, epsilon, delta in ((2, 1, 1.0, 0.999), (1, 2, 0.5, 0.9), (10, 10, 0.1, 0.1)):
        falling = [printed_log_size(k, d, H, epsilon, math.log(d * H / (delta * epsilon))) for k in (2, 3, 4)]
        assert falling == sorted(falling, reverse=True)


@pytest.mark.parametrize("h, b", [(1, 1), (1, 5), (2, 4), (4, 2)])
def test_the_longest_history_is_the_bound(h, b):
    assert deployment_count.longest_history(h, b, True) == h * b + 1
    assert deployment_count.longest_history(h, b, False) == h * b + h


def test_a_replay_whose_exceptions_are_not_rare_is_no_evidence(monkeypatch):
    monkeypatch.setattr(layerwise_guarantee.replay, "DEVIATION", 2)
    assert not layerwise_guarantee.truncated_guarantee_fails().holds
    assert not layerwise_guarantee.both_parts_fail().holds


def test_the_longer_trap_is_a_linear_mdp_whose_best_branch_is_q():
    trap = layerwise_guarantee.longer_trap()
    assert (trap.horizon, trap.dim) == (11, 7)
    best = exact.optimal(trap, 10)
    assert best.value == 8 and best.policy[1, 3] == 1  # q at C
    worse = best.policy.copy()
    worse[1, 3] = 0
    assert best.value - exact.evaluate(trap, worse, 10).value == Fraction(34, 625)
    assert planning.optimal(trap.to_float(), 10).value == pytest.approx(8)


def test_the_multiplicative_bound_holds_for_binomials():
    """P(mean <= (1 - t) mu) against exp(-N mu t^2/2), summed exactly."""
    for n, p in ((20, Fraction(1, 3)), (60, Fraction(1, 20)), (40, Fraction(9, 10))):
        for t in (Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)):
            tail = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if k <= (1 - t) * n * p)
            assert float(tail) <= math.exp(-n * float(p * t**2) / 2)


def test_the_conservative_quadratic_is_below_the_true_bracket():
    """The last inequality of the concentration lemma, without its simplifications, on a grid of d and n."""
    for d in (2, 3, 7, 40, 300):
        for n in np.logspace(math.log10(6 * d**2), 40, 60):
            u = math.sqrt(d) / 4
            beta = 1.5 * d * math.sqrt(math.log(2 * d * (n + 1)))
            Z = (d / 2 * math.log1p(n / d) + d * math.log1p(4 * n / u)
                 + d * (d + 1) / 2 * math.log1p(8 * beta * math.sqrt(d * n) / u) + math.log(2))
            assert math.sqrt(d) + u + math.sqrt(Z / 2) <= beta
