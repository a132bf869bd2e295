"""Appendix E.4 to E.9: every check of the second half, the runaway data a second time, and Theorem R in floats."""

import math

import numpy as np
import pytest

from derl.claims import (
    arbitrary_analysis,
    arbitrary_batch,
    arbitrary_clip,
    arbitrary_evaluation,
    arbitrary_event,
    arbitrary_hyperparameters,
    arbitrary_steps,
    theorem_r,
    theorem_r_explicit,
)
from derl.claims.registry import REGISTRY, run_check
from derl.theory.arbitrary_rules import RULES
from derl.theory.constants_arbitrary import arbitrary_constants

MODULES = {module.__name__ for module in (
    arbitrary_analysis, arbitrary_batch, arbitrary_clip, arbitrary_evaluation, arbitrary_event,
    arbitrary_hyperparameters, arbitrary_steps, theorem_r, theorem_r_explicit)}
CHECKS = [c for c in REGISTRY.checks if c.function.__module__ in MODULES]
REFUTED = {"thm-event", "lem-optq-overestimation", "lem-regression-bias", "lem-policy-evaluation", "eq-reward-error",
           "eq-i-max", "ineq-mixture-uncertainty", "eq-batch-inverse", "text-success-probability",
           "err-covariance-factor"}


def test_what_is_refuted_and_that_each_check_has_a_control():
    assert {c.claim for c in CHECKS if c.refutes} == REFUTED
    assert all(c.controls for c in CHECKS)


@pytest.mark.parametrize("subject", CHECKS, ids=lambda c: f"{c.claim}-{c.name}")
def test_every_check_passes_and_rejects_what_is_planted(subject):
    row = run_check(subject)
    assert row["outcome"] == "pass" and row["control"]["outcome"] == "rejected", row


# --- the runaway data, by least squares in floats -----------------------------------------------------------------

def float_values(data, clip):
    """Values (5, S) of Algorithm 6 for the first action everywhere, by `lstsq` on the regularised rows."""
    phi = data.mdp.phi.astype(float)
    values = [np.where(np.arange(5) < 3, 0.0, (1 + phi[-1, :, 0, 0] * phi[-1, :, 0, 1]) / 2)]
    for h in range(3, -1, -1):
        counts = data.counts[h].astype(float).reshape(10, 5)
        rows, weights = phi[h].reshape(10, 2), counts.sum(axis=1)
        means = np.divide(counts @ values[0], weights, out=np.zeros(10), where=weights > 0)
        left = np.vstack([rows * np.sqrt(weights)[:, None], np.eye(2)])
        w = np.linalg.lstsq(left, np.append(means * np.sqrt(weights), [0, 0]), rcond=None)[0]
        values.insert(0, clip(phi[h, :, 0] @ w))
    return values


@pytest.mark.parametrize("version, clip", [("as-printed", lambda q: np.minimum(q, 1)),
                                           ("repaired", lambda q: np.clip(q, 0, 1))])
def test_exact_values_agree_with_least_squares(version, clip):
    data = arbitrary_clip.runaway()
    found = float_values(data, clip)
    for layer, state in ((4, arbitrary_clip.Z), (3, arbitrary_clip.Z), (2, arbitrary_clip.Z), (1, 0)):
        assert float(data.value(layer, state, version)) == pytest.approx(found[layer - 1][state], rel=1e-9, abs=1e-9)


def test_no_value_function_has_more_noise_than_a_corner():
    data = arbitrary_clip.runaway()
    assert data.on_event(12) and not data.on_event(8)
    rng = np.random.default_rng(np.random.SeedSequence(7))
    bound = 12**2 * 4 * math.log(float(data.logarithm() * data.beta))
    P = data.mdp.transitions().astype(float)
    for h, (inverse, _) in enumerate(data.regressions()):
        counts, rows = data.counts[h].astype(float).reshape(10, 5), data.mdp.phi[h].astype(float).reshape(10, 2)
        noise = rows.T @ (counts - P[h].reshape(10, 5) * counts.sum(axis=1)[:, None])
        sums = rng.uniform(-1, 1, size=(2000, 5)) @ noise.T
        assert np.einsum("ni,ij,nj->n", sums, inverse.astype(float), sums).max() <= bound


# --- Theorem R ----------------------------------------------------------------------------------------------------

POINTS = [(d, H, eps, delta, nu) for d in (1, 3, 20) for H in (1, 10) for eps, delta in ((0.99, 0.99), (0.01, 1e-6))
          for nu in (1.0, 0.3, 0.01)]


@pytest.mark.parametrize("version", theorem_r_explicit.CONSTANTS)
def test_the_closed_form_meets_every_condition_in_floats(version):
    c, rule = theorem_r_explicit.CONSTANTS[version], RULES[version]
    p, dim, lam = 2 * rule.degree, 5 if rule.linear else 7, float(rule.coverage)
    for d, H, eps, delta, nu in POINTS:
        tau, big = math.log(2 / nu), math.log(2 * d * H / (eps * delta * nu))
        size = c.batch * (H**4 * d**3 / eps**2 * tau + H**2 * d**dim * nu ** (-2 * p) * tau**3) * big
        i = math.ceil(c.iterations * d * nu**-p * tau)
        resolution = 1 / (2 * d * (size + 1))
        l = math.log(2 * d * H * size / (resolution * delta))  # noqa: E741
        beta_prime, beta = c.bonus * d * math.sqrt(l), 2 * d * H * math.sqrt(math.log(8 * d * size * H / delta))
        covariance = 1 / (4 * i * beta_prime) if rule.linear else 1 / (8 * i * d * beta_prime)
        xi = min(covariance, eps / (2 * beta))
        assert c.length * c.event * d * math.sqrt(l + math.log(beta_prime)) + c.length * math.sqrt(d) <= beta_prime
        assert 2 * math.log1p(i / d) * d / i <= (float(rule.iterate) * nu**2) ** rule.degree
        assert 2 * i * nu**rule.nu_power * H**2 / (lam * xi**2) <= size
        assert i * math.log(4 * d * H / delta) / ((1 - math.log(2)) / 2 * lam) <= size and i <= size
        assert resolution <= beta_prime * xi / (2 * H) and 3 * beta_prime * xi <= 3 / 162 * nu**2
        if rule.linear:
            assert H * beta_prime * math.sqrt(2 * i / (lam * size)) <= 0.01


@pytest.mark.parametrize("version", theorem_r_explicit.CONSTANTS)
def test_the_runs_need_less_than_the_closed_form(version):
    c, rule = theorem_r_explicit.CONSTANTS[version], RULES[version]
    d, H, eps, delta, nu = 3, 3, 0.1, 0.1, 0.48
    tau, big = math.log(2 / nu), math.log(2 * d * H / (eps * delta * nu))
    dim = 5 if rule.linear else 7
    closed = c.batch * (H**4 * d**3 / eps**2 * tau + H**2 * d**dim * nu ** (-4 * rule.degree) * tau**3) * big
    assert arbitrary_constants(d, H, eps, delta, nu, version, known_start=True).batch_size < closed


@pytest.mark.parametrize("constant, factor, power", [(1300, 128, 4), (120, 18, 4), (60, 10, 2), (100, 16, 2)])
def test_certified_iterations_on_a_grid(constant, factor, power):
    nu = np.exp(-np.linspace(0, 8, 400))
    z = constant * nu**-power * np.log(2 / nu)
    assert (factor * nu**-power * np.log1p(z) <= z).all()
