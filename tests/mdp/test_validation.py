"""Every rule of the model, broken one at a time: one line that says where, what, and what is allowed."""

import itertools

import numpy as np
import pytest
import refusal

from derl.mdp import InvalidInstance, LinearMDP, validation
from derl.mdp.validation import TOLERANCE, measure_norm


def arrays(mdp):
    return {name: np.array(getattr(mdp, name)) for name in ("phi", "mu", "theta", "initial", "available")}


def refused(parts, *fragments):
    refusal.refused(InvalidInstance, lambda: LinearMDP(**parts), *fragments)


def unit(dim=1, n_states=2, n_actions=1, horizon=1):
    """The smallest valid instance: phi = e_1, uniform next states, no reward."""
    phi = np.zeros((horizon, n_states, n_actions, dim))
    phi[..., 0] = 1
    mu = np.zeros((horizon, dim, n_states))
    mu[:, 0] = 1 / n_states
    return {"phi": phi, "mu": mu, "theta": np.zeros((horizon, dim)), "initial": np.eye(n_states)[0]}


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name, index, place", [
    ("phi", (1, 2, 0, 3), "layer 2, state 2, action 0, coordinate 3"),
    ("mu", (2, 4, 1), "layer 3, coordinate 4, next state 1"),
    ("theta", (0, 2), "layer 1, coordinate 2"),
    ("initial", (3,), "state 3"),
])
def test_entries_must_be_finite(mdp, name, index, place, value):
    parts = arrays(mdp)
    parts[name][index] = value
    refused(parts, place, name, str(value), "finite")


def test_row_sums(mdp):
    parts = arrays(mdp)
    parts["mu"][1] *= 0.999
    refused(parts, "layer 2, state 0, action 0", "sum to 0.999;", "must sum to 1 (tolerance 1e-09)")


def test_one_bad_row_is_named():
    parts = unit(dim=2, n_states=3, n_actions=2, horizon=2)
    parts["phi"][1, 2, 1] = 0, 1
    parts["mu"][:, 1, 0] = 0.999
    refused(parts, "layer 2, state 2, action 1", "sum to 0.999;")


def test_negative_probability():
    parts = unit(dim=2, n_states=3)
    parts["phi"][0, 1, 0] = 0, 1
    parts["mu"][0, 1] = 0.3, -0.1, 0.8
    refused(parts, "layer 1, state 1, action 0", "to state 1 is -0.1;", ">= 0")


def test_feature_norm(mdp):
    parts = unit(dim=2)
    parts["phi"][0, 1, 0] = 1.01, 0
    refused(parts, "layer 1, state 1, action 0", "|phi| is 1.01;", "at most 1")
    scaled = arrays(mdp)
    scaled["phi"] *= 1.01 / np.linalg.norm(scaled["phi"], axis=-1).max()
    refused(scaled, "|phi| is 1.01;")


@pytest.mark.parametrize("reward", [1.2, -0.1])
def test_rewards(reward):
    parts = unit(dim=4)
    parts["theta"][0, 0] = reward
    refused(parts, "layer 1, state 0, action 0", f"reward is {reward};", "[0, 1]")


def test_theta_norm_in_an_unused_direction():
    parts = unit(dim=2)
    parts["theta"][0] = 0.5, 1.5
    refused(parts, "layer 1", "|theta| is 1.58", "sqrt(d) = 1.414")


def test_total_mass_of_the_measure():
    parts = unit()
    parts["phi"] *= 0.5
    parts["mu"] *= 2
    refused(parts, "layer 1", "is at least 2;", "sqrt(d) = 1 ")


def test_signed_measure_with_total_mass_zero():
    parts = unit(dim=2)
    parts["mu"][0, 1] = 5, -5
    refused(parts, "layer 1", "is at least 10;", "sqrt(d) = 1.414")


def test_signed_measure_beyond_enumeration():
    parts = unit(dim=2, n_states=30)
    parts["mu"][0, 1] = np.linspace(-1, 1, 30)
    refused(parts, "layer 1", "sup over |v| <= 1", "sqrt(d)")


@pytest.mark.parametrize("initial, fragment", [
    ([0.5, 0.4], "initial sums to 0.9;"),
    ([1.5, -0.5], "state 1: initial probability -0.5;"),
])
def test_initial_distribution(initial, fragment):
    refused(unit() | {"initial": np.array(initial)}, fragment)


@pytest.mark.parametrize("name, shape, wanted", [
    ("phi", (2, 1, 1), "(H, S, A, d)"),
    ("phi", (0, 2, 1, 1), "(H, S, A, d)"),
    ("mu", (1, 2, 1), "(1, 1, 2)"),
    ("theta", (1, 2), "(1, 1)"),
    ("initial", (3,), "(2,)"),
])
def test_shapes(name, shape, wanted):
    refused(unit() | {name: np.zeros(shape)}, f"{name} has shape {shape}", f"must have shape {wanted}")


@pytest.mark.parametrize("value", ["text", [[1, 2], [3]], np.zeros((1, 2, 1, 1), complex), [[[["x"]]]]])
def test_what_is_not_a_real_array(value):
    refused(unit() | {"phi": value}, "phi must be an array of real numbers")


@pytest.mark.parametrize("mask", [np.ones((1, 2, 1), int), np.ones((2, 1), bool)])
def test_mask_type_and_shape(mask):
    refused(unit() | {"available": mask}, "must be boolean of shape (1, 2, 1)")


def test_a_state_without_actions():
    mask = np.ones((1, 2, 1), bool)
    mask[0, 1] = False
    refused(unit() | {"available": mask}, "layer 1, state 1", "at least one")


def test_names_must_match():
    refused(unit() | {"state_names": ("only one",)}, "state_names has 1 entries; it must have 2")


def test_info_must_be_json():
    refused(unit() | {"info": {"x": object()}}, "info must be a mapping that JSON can hold")


def test_unavailable_actions_are_ignored_but_finite():
    parts = unit(n_actions=2) | {"available": np.array([[[True, False], [True, False]]])}
    parts["phi"][:, :, 1] = 1e6
    mdp = LinearMDP(**parts)
    assert (mdp.phi[:, :, 1] == 0).all() and (mdp.transitions()[:, :, 1] == 0).all()
    parts["phi"][0, 1, 1] = np.nan
    refused(parts, "layer 1, state 1, action 1", "finite")


def test_just_inside_and_just_outside_the_tolerance():
    inside, outside = unit(dim=2), unit(dim=2)
    inside["mu"][0, 0, 0] += 0.5 * TOLERANCE
    outside["mu"][0, 0, 0] += 2 * TOLERANCE
    LinearMDP(**inside)
    refused(outside, "sum to 1.000000002;")


@pytest.mark.parametrize("seed", range(30))
def test_measure_norm_against_all_signs(seed):
    rng = np.random.default_rng(seed)
    mu = rng.standard_normal((rng.integers(1, 5), rng.integers(1, 8)))
    mu[:, rng.random(mu.shape[1]) < 0.3] = 0
    mu = np.hstack([mu, -2 * mu[:, :2], mu[:, :1] / 3])
    signs = np.array(list(itertools.product([-1, 1], repeat=mu.shape[1])))
    lower, upper = measure_norm(mu)
    assert lower == upper == pytest.approx(np.linalg.norm(signs @ mu.T, axis=1).max(), rel=1e-12)


def test_measure_norm_bracket_beyond_enumeration():
    rng = np.random.default_rng(5)
    mu = rng.standard_normal((4, 40))
    lower, upper = measure_norm(mu)
    sampled = np.linalg.norm(rng.choice([-1, 1], (5000, 40)) @ mu.T, axis=1).max()
    assert sampled < lower < upper
    assert upper == pytest.approx(np.linalg.norm(np.abs(mu).sum(axis=1)))


def test_parallel_columns_make_any_number_of_states_decidable():
    mu = np.outer([3.0, -4.0], np.linspace(-1, 2, 500))
    lower, upper = measure_norm(mu)
    assert lower == upper == pytest.approx(5 * np.abs(np.linspace(-1, 2, 500)).sum())


@pytest.mark.parametrize("seed", range(20))
def test_sums_without_rows_decide_as_the_rows_do(seed, monkeypatch):
    """Nothing negative: S A d operations in place of S^2 A d; every verdict and every message stays."""
    rng = np.random.default_rng(np.random.SeedSequence(9, spawn_key=(seed,)))
    phi, mu = rng.dirichlet(np.ones(3), (1, 7, 2)), rng.dirichlet(np.full(7, 0.3), 3)
    mask = rng.random((7, 2)) < 0.8
    nasty = {"plain": 0.0, "within": 0.4e-9, "at the edge": 0.9e-9, "beyond": 1.1e-9, "far": 1e-3}
    for name, off in nasty.items():
        for negative in (0.0, 1e-12, 2e-9):
            rows = phi[0].copy()
            rows[seed % 7, seed % 2] *= 1 + off
            signed = mu.copy()
            signed[0, 0], signed[0, 1] = -negative, signed[0, 0] + signed[0, 1] + negative
            found = [verdict(rows, signed, mask)]
            with monkeypatch.context() as patch:
                patch.setattr(validation, "_rows_of_one_sign", lambda *_: False)
                found.append(verdict(rows, signed, mask))
            assert found[0] == found[1], (name, negative, found)
            if negative == 0.0 and mask[seed % 7, seed % 2]:
                assert (found[0] is None) == (off < TOLERANCE)
                assert validation._rows_of_one_sign(rows, signed, mask) == (off < TOLERANCE / 2)


def verdict(phi, mu, mask):
    """The message, or None."""
    try:
        return validation.check_rows(0, phi, mu, mask)
    except InvalidInstance as error:
        return str(error)
