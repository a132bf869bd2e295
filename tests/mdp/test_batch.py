"""Many MDPs at once against one after the other."""

import numpy as np
import pytest

from derl import instances, planning
from derl.mdp import InvalidInstance, batch

SETS = {"simplex": [instances.random_simplex(5, 3, 3, 4, seed=seed) for seed in range(6)],
        "equal actions": [instances.lock(3, 3, digits, 0.2) for digits in ((1, 2, 0), (0, 0, 0))],
        "unavailable actions": [instances.optimism_trap()], "signed features": [instances.hexagon(3)],
        "one of all": [instances.random_simplex(1, 1, 1, 1, seed=0)]}


def stacked(mdps):
    return [np.stack([getattr(mdp, name) for mdp in mdps]) for name in ("phi", "mu", "theta", "available")]


@pytest.mark.parametrize("name", SETS)
def test_every_plan_is_that_of_its_mdp_alone(name):
    found = batch.optimal(*stacked(SETS[name]))
    for i, mdp in enumerate(SETS[name]):
        alone = planning.optimal(mdp)
        np.testing.assert_array_equal(found.policy[i], alone.policy)
        np.testing.assert_allclose(found.values[i], alone.values, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("lead", [(), (1,), (2, 3), (0,)])
def test_leading_axes_of_any_number(lead):
    rng = np.random.default_rng(np.random.SeedSequence(4))
    phi, mu, theta = (rng.normal(size=(*lead, *shape)) for shape in ((4, 3, 2, 3), (4, 3, 3), (4, 3)))
    mask = rng.random((*lead, 4, 3, 2)) < 0.7
    mask[..., 0] |= ~mask.any(axis=-1)
    found = batch.optimal(phi, mu, theta, mask)
    assert found.values.shape == (*lead, 5, 3) and found.policy.shape == (*lead, 4, 3)
    q = np.einsum("...hsad,...hd->...hsa", phi, np.einsum("...hds,...hs->...hd", mu, found.values[..., 1:, :]) + theta)
    np.testing.assert_allclose(found.values[..., :-1, :], np.where(mask, q, -np.inf).max(axis=-1), rtol=1e-9)
    assert np.take_along_axis(mask, found.policy[..., None], axis=-1).all()


@pytest.mark.parametrize("lead, horizon", [((), 5), ((3,), 5), ((2, 3), 1), ((0,), 2)])
@pytest.mark.parametrize("repeats", [("phi",), ("mu",), ("phi", "mu"), ("phi", "mu", "theta")])
def test_a_layer_that_is_repeated_is_as_many_layers(lead, horizon, repeats):
    rng = np.random.default_rng(np.random.SeedSequence(5))
    shapes = {"phi": (4, 3, 2), "mu": (2, 4), "theta": (2,)}
    views = {name: np.broadcast_to(rng.normal(size=(*lead, 1 if name in repeats else horizon, *shape)),
                                   (*lead, horizon, *shape)) for name, shape in shapes.items()}
    found = batch.optimal(**views)
    wanted = batch.optimal(**{name: view.copy() for name, view in views.items()})
    np.testing.assert_allclose(found.values, wanted.values, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.policy, wanted.policy)


def test_ties_go_to_the_lowest_action_and_huge_values_stay_right():
    phi = np.array([1.0, 1.0 + 5e-13, 1.0 - 1e-11]).reshape(1, 1, 3, 1)
    assert batch.optimal(phi, np.zeros((1, 1, 1)), np.ones((1, 1))).policy.item() == 0
    assert batch.optimal(phi[:, :, ::-1], np.zeros((1, 1, 1)), np.ones((1, 1))).policy.item() == 1
    huge = batch.optimal(phi, np.zeros((1, 1, 1)), np.full((1, 1), -1e300))
    assert huge.policy.item() == 2 and huge.values[0, 0] == -1e300 * (1 - 1e-11)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which, at", [(0, (1, 2, 0, 1, 1)), (1, (0, 0, 2, 3)), (1, (1, 3, 0, 0)), (2, (1, 3, 2))])
def test_an_entry_that_is_no_number_is_found_wherever_it_stands(which, at, bad):
    arrays = [array.copy() for array in stacked(SETS["simplex"])[:3]]
    arrays[which][at] = bad
    with pytest.raises(InvalidInstance, match=rf"{('phi', 'mu', 'theta')[which]}\[{', '.join(map(str, at))}\] is"):
        batch.optimal(*arrays)


@pytest.mark.parametrize("change, words", [
    (lambda phi, mu, theta, mask: (phi[0, 0], mu, theta, mask), "phi has shape"),
    (lambda phi, mu, theta, mask: (phi, mu[..., :2], theta, mask), "mu has shape"),
    (lambda phi, mu, theta, mask: (phi, mu, theta[..., None], mask), "theta has shape"),
    (lambda phi, mu, theta, mask: (phi, mu, theta * np.nan, mask), r"theta\[0, 0, 0\] is nan"),
    (lambda phi, mu, theta, mask: (phi, mu, theta, mask & False), "an action in every state"),
    (lambda phi, mu, theta, mask: (phi, mu, theta, mask * 1), "must be bool"),
])
def test_what_does_not_fit_is_refused(change, words):
    with pytest.raises(InvalidInstance, match=words):
        batch.optimal(*change(*stacked(SETS["simplex"])))
