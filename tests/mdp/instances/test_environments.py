"""Instances as environments of gymnasium and back; what a table does not say is refused."""

import gymnasium
import numpy as np
import pytest
from chisquare import of_names
from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.utils.env_checker import check_env

from derl import InvalidInstance, instances, planning
from derl.mdp import LinearMDP

STATIONARY = instances.stationary_embedding(instances.random_simplex(3, 2, 2, 2, seed=1))
LAYERED = instances.random_simplex(4, 3, 2, 3, seed=2)
MASKED = LinearMDP(LAYERED.phi, LAYERED.mu, LAYERED.theta, LAYERED.initial,
                   available=np.arange(36).reshape(3, 4, 3) % 3 != 0)
ALL = [pytest.param(STATIONARY, id="stationary"), pytest.param(LAYERED, id="layered"),
       pytest.param(MASKED, id="masked")]


@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
@pytest.mark.parametrize("mdp", [STATIONARY, LAYERED])
def test_gymnasium_itself_finds_nothing(mdp):
    check_env(instances.to_gymnasium(mdp), skip_render_check=True)


@pytest.mark.parametrize("mdp", ALL)
def test_there_and_back_the_value_is_the_same(mdp):
    back = instances.from_gymnasium(instances.to_gymnasium(mdp), mdp.horizon)
    scale, shift = back.info["reward_scale"], back.info["reward_shift"]
    value = planning.optimal(back).value * scale + shift * mdp.horizon
    np.testing.assert_allclose(value, planning.optimal(mdp).value, rtol=1e-12)
    low = -planning.optimal(back, theta=-back.theta).value * scale + shift * mdp.horizon
    assert low < value - 1e-3  # the worst policy is told from the best


def test_layers_are_in_the_observation_only_where_they_differ():
    assert instances.to_gymnasium(STATIONARY).observation_space.n == STATIONARY.n_states
    assert instances.to_gymnasium(LAYERED).observation_space.n == 3 * 4


@pytest.mark.parametrize("mdp", ALL)
def test_episodes_have_the_law_of_the_instance(mdp):
    """3000 episodes of a policy, seed fixed: the last state and the return, at level 1e-3; another law is seen."""
    env, policy = instances.to_gymnasium(mdp), mdp.available.argmax(axis=2)
    seen, total, layers = {}, 0.0, env.observation_space.n // mdp.n_states
    for episode in range(3000):
        state, info = env.reset(seed=7 if episode == 0 else None)
        for h in range(mdp.horizon):
            assert info["layer"] == h + 1 and (layers == 1 or state // mdp.n_states == h)
            before = state % mdp.n_states
            state, reward, terminated, truncated, info = env.step(policy[h, before])
            total += reward
            assert terminated == (h == mdp.horizon - 1) and not truncated
        seen[before] = seen.get(before, 0) + 1
    law = dict(enumerate(planning.occupancy(mdp, policy)[-1].sum(axis=1)))
    assert of_names(seen, {state: chance for state, chance in law.items() if chance}) > 1e-3
    assert abs(total / 3000 - planning.evaluate(mdp, policy).value) < 4 * mdp.horizon / np.sqrt(3000)
    turned = dict(zip(law, np.roll(list(law.values()), 1), strict=True))
    assert not set(seen) <= {state for state, chance in turned.items() if chance} or of_names(
        seen, {state: chance for state, chance in turned.items() if chance}) < 1e-3


def test_steps_that_may_not_be_are_one_line():
    env = instances.to_gymnasium(MASKED)
    state, info = env.reset(seed=0)
    absent = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(InvalidInstance, match=f"action {absent} is not available in state {state}"):
        env.step(absent)
    for _ in range(MASKED.horizon):
        state, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    assert terminated
    with pytest.raises(InvalidInstance, match="the episode has ended after 3 steps"):
        env.step(0)


def lake(**options):
    return gymnasium.make("FrozenLake-v1", **options)


@pytest.mark.parametrize("wrap", [lambda env: gymnasium.wrappers.TransformReward(env, lambda r: 2 * r),
                                  lambda env: gymnasium.wrappers.TransformAction(env, lambda a: 0, env.action_space),
                                  lambda env: gymnasium.wrappers.FlattenObservation(env)],
                         ids=["reward", "action", "observation"])
def test_a_wrapper_that_changes_something_is_refused_by_name(wrap):
    env = wrap(lake())
    with pytest.raises(InvalidInstance, match=f"the wrapper {type(env).__name__} is not in the table P"):
        instances.from_gymnasium(env, 5)
    assert instances.from_gymnasium(env.unwrapped, 5) == instances.from_gymnasium(lake(), 5)


def test_a_wrapper_that_only_keeps_records_is_taken():
    env = gymnasium.wrappers.RecordEpisodeStatistics(lake())
    assert instances.from_gymnasium(env, 5) == instances.from_gymnasium("FrozenLake-v1", 5)


def test_a_time_limit_before_the_horizon_is_refused():
    env = gymnasium.wrappers.TimeLimit(lake().unwrapped, 3)
    assert instances.from_gymnasium(env, 3).horizon == 3
    with pytest.raises(InvalidInstance, match="TimeLimit ends episodes after 3 steps; horizon is 4"):
        instances.from_gymnasium(env, 4)


def test_dynamics_outside_of_the_table_are_refused():
    with pytest.raises(InvalidInstance, match="fickle_passenger"):
        instances.from_gymnasium("Taxi-v4", 5, fickle_passenger=True)
    rain = instances.from_gymnasium("Taxi-v4", 2, is_rainy=True)
    assert rain != instances.from_gymnasium("Taxi-v4", 2)  # rain is in the table

    class Slippery(FrozenLakeEnv):
        def step(self, action):
            return super().step(0)

    with pytest.raises(InvalidInstance, match="Slippery has a step of its own"):
        instances.from_gymnasium(Slippery(), 5)


def test_without_gymnasium_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gymnasium", None)
    with pytest.raises(InvalidInstance, match="extra 'gym' of derl"):
        instances.to_gymnasium(LAYERED)


def test_only_an_instance_becomes_an_environment():
    with pytest.raises(InvalidInstance, match="mdp is of type str"):
        instances.to_gymnasium("FrozenLake-v1")
