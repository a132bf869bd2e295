"""What holds for every way to draw a deployment: members have their weights, streams serve one purpose each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derl import Deployer, instances
from derl.deployment import deploy_counts, layer_sums, sample, sums
from derl.mdp import planning
from derl.mdp.policies import Mixture, uniform

MDP = instances.random_simplex(4, 3, 2, 3, seed=1)
PLAYS = tuple(np.full((3, 4), action) for action in range(3))  # member k plays action k everywhere
PARTS = [(lambda mixture, n, mode: deploy_counts(MDP, mixture, n, np.random.default_rng(0), mode).visits),
         (lambda mixture, n, mode: sums.draw_sums(MDP, mixture, n, stream, mode).visits),
         *[(lambda mixture, n, mode, h=h: layer_sums.draw_layer(MDP, mixture, n, h, stream, mode).visits[None])
           for h in (1, 3)],
         *[(lambda mixture, n, mode, groups=groups: sum(batch.visits for batch in Deployer(
             MDP, n, 1, "any", seed=2, mode=mode).deploy_in_groups(mixture, groups)))
           for groups in ((0, 0, 0), (0, 1, 0), (1, 0, 0), (2, 1, 0))]]
weights = st.lists(st.integers(1, 20), min_size=3, max_size=3).map(lambda parts: np.array(parts) / sum(parts))


def stream(*at):
    return np.random.default_rng(at)


@pytest.mark.parametrize("visits", PARTS)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(weights)
def test_each_member_of_a_mixture_has_its_share_in_every_layer(visits, shares):
    mixture = Mixture(PLAYS, shares)
    mean = visits(mixture, 1000, "expected")
    np.testing.assert_allclose(mean.sum(axis=1), np.broadcast_to(1000 * shares, (len(mean), 3)), rtol=1e-9)
    drawn = visits(mixture, 10**12, "exact").sum(axis=1)
    assert (abs(drawn - 10**12 * shares) <= 8 * 10**6 * np.sqrt(shares)).all() and (drawn.sum(axis=1) == 10**12).all()


@settings(max_examples=12, deadline=None, derandomize=True)
@given(weights)
def test_trajectories_and_occupancies_have_the_shares_too(shares):
    mixture = Mixture(PLAYS, shares)
    followed = sample(MDP, mixture, 10_000, np.random.default_rng(3)).actions
    for layer in range(3):
        assert (abs(np.bincount(followed[:, layer], minlength=3) - 10_000 * shares) <= 600 * np.sqrt(shares)).all()
    np.testing.assert_allclose(planning.occupancy(MDP, mixture).sum(axis=1), np.broadcast_to(shares, (3, 3)))
    members = [planning.evaluate(MDP, policy).value for policy in PLAYS]
    assert planning.evaluate(MDP, mixture).value == pytest.approx(shares @ members)


@pytest.mark.parametrize("policy", [PLAYS[0], uniform(MDP), Mixture(PLAYS, np.array([0.7, 0.2, 0.1])),
                                    Mixture((uniform(MDP), uniform(MDP)), np.array([0.5, 0.5]))])
def test_a_stream_is_asked_for_once(policy, monkeypatch):
    """Two draws from one stream would be the same draw."""
    monkeypatch.setattr(sums, "ROWS", 2)
    draws = [lambda asking: sums.draw_sums(MDP, policy, 10**6, asking)]
    draws += [lambda asking, h=h: layer_sums.draw_layer(MDP, policy, 10**6, h, asking)
              for h in (1, 2, 3)]
    for draw in draws:
        asked = []
        draw(lambda *at: asked.append(at) or stream(*at))  # noqa: B023
        assert asked and len(set(asked)) == len(asked)


def test_streams_of_a_deployer_differ_from_each_other_and_from_those_of_another_seed():
    first = {Deployer(MDP, 10, 9, seed=seed)._stream(*at).integers(2**62)
             for seed in (0, 1, 2**32) for at in ((0,), (1,), (0, 0), (0, 1), (1, 0), (0, 0, 1), (0, 1, 0))}
    assert len(first) == 21


@pytest.mark.parametrize("way", ["deploy", "deploy_sums"])
def test_deployments_are_independent(way):
    """Over 400 seeds the counts of two deployments are not correlated."""
    mdp = instances.random_simplex(2, 1, 2, 1, seed=0)
    pairs = []
    for seed in range(400):
        deploy = getattr(Deployer(mdp, 1000, 2, seed=seed), way)
        pairs.append([deploy(np.zeros((1, 2), int)).visits[0, 0, 0] for _ in range(2)])
    (one, two), start = np.transpose(pairs).astype(float), mdp.initial[0]
    assert 0 < start < 1 and abs(np.corrcoef(one, two)[0, 1]) < 5 / np.sqrt(400)
    assert one.std() == pytest.approx(np.sqrt(1000 * start * (1 - start)), rel=0.2)
