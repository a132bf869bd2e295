"""The reference sampler walks where it may, and its frequencies are the occupancies."""

import numpy as np
import pytest
from scipy import stats

from derl.deployment import InvalidSize, counts_of, sample, trajectories
from derl.mdp import InvalidPolicy, Mixture, instances, planning
from derl.mdp.policies import uniform

LEVEL = 1e-3 / 8  # statistical assertions in this file
TEMPLATE = instances.hard_template(3, 4, 2, 1, [0, 2, 1, 0], 0.1)
SIMPLEX = instances.random_simplex(4, 3, 3, 3, seed=2)


def generator(seed):
    return np.random.default_rng(np.random.SeedSequence(5, spawn_key=(seed,)))


def first_action(mdp):
    return mdp.available.argmax(axis=2)


@pytest.mark.parametrize("mdp", [TEMPLATE, SIMPLEX], ids=["template", "simplex"])
@pytest.mark.parametrize("kind", [first_action, uniform,
                                  lambda mdp: Mixture((first_action(mdp), uniform(mdp)), [0.3, 0.7])])
def test_frequencies_are_occupancies(mdp, kind):
    policy, n = kind(mdp), 40_000
    paths = sample(mdp, policy, n, generator(1))
    assert paths.states.shape == (n, mdp.horizon + 1) and paths.actions.shape == (n, mdp.horizon)
    counts = counts_of(paths, mdp.n_states, mdp.n_actions)
    expected = planning.occupancy(mdp, policy)[..., None] * mdp.transitions()
    assert not counts[expected == 0].any()
    for seen, mean in zip(counts, expected * n, strict=True):
        usual = mean >= 10
        if usual.sum() > 1:
            observed, model = (np.append(x[usual], x[~usual].sum()) for x in (seen, mean))
            keep = model > 0
            chi = ((observed - model)[keep] ** 2 / model[keep]).sum()
            assert stats.chi2(keep.sum() - 1).sf(chi) > LEVEL / mdp.horizon


def test_counts_are_those_of_the_walks():
    paths = sample(SIMPLEX, uniform(SIMPLEX), 50, generator(2))
    counts = np.zeros((3, 4, 3, 4), int)
    for states, actions in zip(paths.states.tolist(), paths.actions.tolist(), strict=True):
        for h, action in enumerate(actions):
            counts[h, states[h], action, states[h + 1]] += 1
    np.testing.assert_array_equal(counts_of(paths, 4, 3), counts)


def test_members_say_who_was_followed():
    constant = Mixture((np.zeros((3, 4), int), np.full((3, 4), 2)), [0.5, 0.5])
    paths = sample(SIMPLEX, constant, 1000, generator(3))
    np.testing.assert_array_equal(paths.actions, np.repeat(2 * paths.members[:, None], 3, axis=1))
    mixed = sample(SIMPLEX, constant, 1000, generator(3), mix_each_step=True)
    assert (mixed.actions != mixed.actions[:, :1]).any()


def test_blocks_do_not_matter_to_the_shape(monkeypatch):
    monkeypatch.setattr(trajectories, "BLOCK", 7)
    paths = sample(SIMPLEX, uniform(SIMPLEX), 50, generator(4))
    assert counts_of(paths, 4, 3).sum(axis=(1, 2, 3)).tolist() == [50] * 3


def test_bad_input_is_refused():
    with pytest.raises(InvalidSize):
        sample(SIMPLEX, uniform(SIMPLEX), 0, generator(5))
    with pytest.raises(InvalidPolicy):
        sample(SIMPLEX, np.full((3, 4), 3), 5, generator(5))
