"""Single trajectories in blocks: the law of the deployer, and nothing of the model beyond what was reached.

Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

import numpy as np
import pytest
from scipy import stats

from derl.deployment import Deployer, InvalidDeployment, ProtocolViolation
from derl.deployment.online import BLOCK, Law, can_follow, episodes, step
from derl.mdp import InvalidPolicy, instances, planning, policies

LEVEL = 1e-3 / 6
MDP = instances.random_simplex(4, 2, 2, 3, seed=6)
POLICY = np.array([[0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]])


class Fixed:
    """Plays one policy and counts."""

    def __init__(self, policy=POLICY, stop=10**9):
        self.policy, self.stop, self.counts, self.blocks = policy, stop, np.zeros((3, 4, 2, 4)), []

    def play(self, law, uniforms):
        played = 0
        for chances in uniforms[:self.stop]:
            state = step(law.start, chances[0])
            for h in range(3):
                following = step(law.moves[h, state, POLICY[h, state]], chances[h + 1])
                self.counts[h, state, POLICY[h, state], following] += 1
                state = following
            played += 1
        self.blocks.append(played)
        return self.policy[None], np.array([0]), played


def test_the_law_is_that_of_the_deployer():
    fixed, n = Fixed(), 12_000
    assert Deployer(MDP, 1, n, seed=1).deploy_online(fixed.play, n) == n
    mass = planning.occupancy(MDP, POLICY)[..., None] * MDP.transitions() * n
    for h in range(3):
        cells = mass[h] > 0
        assert not fixed.counts[h][~cells].any()
        assert stats.chisquare(fixed.counts[h][cells], mass[h][cells]).pvalue > LEVEL
        assert stats.chisquare(np.roll(fixed.counts[h][cells], 1), mass[h][cells]).pvalue < LEVEL


def test_an_impossible_state_is_never_reached():
    law = Law.of(instances.optimism_trap())
    assert ((law.moves == 1).any(axis=3)).all() and (np.diff(law.moves, axis=3) >= 0).all()
    for function in law.moves.reshape(-1, law.moves.shape[3])[:50]:
        for uniform in (0.0, 0.5, np.nextafter(1, 0)):
            cell = step(function, uniform)
            assert function[cell] > (function[cell - 1] if cell else 0.0)


def test_blocks_are_logged_and_k_is_the_limit():
    deployer = Deployer(MDP, 1, BLOCK + 10, seed=3)
    fixed = Fixed()
    assert deployer.deploy_online(fixed.play, 10**9) == BLOCK + 10 and fixed.blocks == [BLOCK, 10]
    assert all((row.exact, row.mode) == (True, "exact") for row in deployer.log)
    assert [row.repeats for row in deployer.log] == [BLOCK, 10] and deployer.trajectories == BLOCK + 10
    with pytest.raises(ProtocolViolation):
        deployer.deploy_online(fixed.play, 1)
    assert Deployer(MDP, 1, 10**6).deploy_online(Fixed(stop=7).play, 10**6) == 7


def test_other_batches_and_bad_policies_are_refused():
    for arguments in ({"batch_size": 2}, {"batch_size": 1, "mode": "expected"}):
        with pytest.raises(InvalidDeployment, match="batch_size 1"):
            Deployer(MDP, max_deployments=5, **arguments).deploy_online(Fixed().play, 5)
    with pytest.raises(InvalidPolicy):
        Deployer(MDP, 1, 5).deploy_online(Fixed(np.full((3, 4), 2)).play, 5)


@pytest.mark.parametrize("mdp", [MDP, instances.optimism_trap(), instances.lock(3, 3, (1, 2, 0), 0.2)])
def test_one_look_at_many_policies_says_what_the_validation_says_of_each(mdp):
    rng = np.random.default_rng(3)
    sound = policies.compose(mdp, np.zeros((0, mdp.n_states), int), 0, 0)
    seen = set()
    for _ in range(200):
        stack = np.array([sound] * 3)
        where = rng.integers(3), rng.integers(mdp.horizon), rng.integers(mdp.n_states)
        stack[where] = rng.integers(-1, mdp.n_actions + 1)
        try:
            for policy in stack:
                policies.validate(mdp, policy)
            expected = True
        except InvalidPolicy:
            expected = False
        assert can_follow(mdp, stack) == expected
        seen.add(expected)
    assert seen == {True, False} and can_follow(mdp, np.array([sound]))
    for wrong in (np.array([sound], float), np.array([sound])[:, :-1], [sound], sound[None, :, :-1]):
        assert not can_follow(mdp, wrong)


def test_a_block_of_a_large_model_is_short():
    law = Law(np.ones(200), np.broadcast_to(1.0, (20, 200, 20, 200)))
    sizes = []

    def play(law, uniforms):
        sizes.append(len(uniforms))
        return np.zeros((1, 20, 200), int), np.zeros(1, int), len(uniforms)

    assert sum(sum(often) for _, often in episodes(law, np.random.default_rng(0), play, 150)) == 150
    assert sizes == [67, 67, 16]
