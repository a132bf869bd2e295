"""Instances as environments of gymnasium and back; what a table does not say is refused."""

import gymnasium
import numpy as np
import pytest
from chisquare import of_names
from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.utils.env_checker import check_env

from derl import Deployer, InvalidInstance, instances, planning
from derl.mdp import LinearMDP

STATIONARY = instances.stationary_embedding(instances.random_simplex(3, 2, 2, 2, seed=1))
LAYERED = instances.random_simplex(4, 3, 2, 3, seed=2)
MASKED = LinearMDP(LAYERED.phi, LAYERED.mu, LAYERED.theta, LAYERED.initial,
                   available=np.arange(36).reshape(3, 4, 3) % 3 != 0)
ALL = [pytest.param(STATIONARY, id="stationary"), pytest.param(LAYERED, id="layered"),
       pytest.param(MASKED, id="masked")]


@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
@pytest.mark.parametrize("mdp", ALL)
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


def test_a_step_leads_into_the_next_layer_and_the_last_one_stays_in_the_last():
    table, S = instances.to_gymnasium(LAYERED).P, LAYERED.n_states
    for state, actions in table.items():
        layer = min(state // S + 1, LAYERED.horizon - 1)
        for action, row in actions.items():
            found = np.zeros(S)
            for p, to, reward, ends in row:
                assert to // S == layer and ends == (state // S == LAYERED.horizon - 1)
                assert reward == LAYERED.rewards()[state // S, state % S, action]
                found[to % S] = p
            np.testing.assert_allclose(found, LAYERED.transitions()[state // S, state % S, action], atol=1e-15)


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


def test_an_action_that_is_not_available_does_what_the_first_available_one_does():
    env = instances.to_gymnasium(MASKED)
    state, info = env.reset(seed=0)
    absent, first = int(np.flatnonzero(info["action_mask"] == 0)[0]), int(info["action_mask"].argmax())
    assert env.P[state][absent] == env.P[state][first] != env.P[state][int(np.flatnonzero(info["action_mask"])[1])]
    taken = env.step(absent)[:2]
    env.reset(seed=0)
    assert env.step(first)[:2] == taken


@pytest.mark.parametrize("action", [-1, 3, 0.5, "up", None])
def test_actions_that_there_are_not(action):
    env = instances.to_gymnasium(LAYERED)
    env.reset(seed=0)
    with pytest.raises(InvalidInstance, match=r"action is .*; it must be a whole number in 0\.\.2"):
        env.step(action)


def test_steps_outside_of_an_episode_are_one_line():
    env = instances.to_gymnasium(LAYERED)
    with pytest.raises(InvalidInstance, match=r"no episode is under way: reset\(\) begins one"):
        env.step(0)
    env.reset(seed=0)
    assert [env.step(0)[2] for _ in range(3)] == [False, False, True]
    with pytest.raises(InvalidInstance, match="which ends after 3 steps"):
        env.step(0)


def test_equal_layers_are_one_however_they_are_stored():
    whole = LinearMDP(*(np.array(getattr(STATIONARY, name)) for name in ("phi", "mu", "theta", "initial")))
    assert instances.to_gymnasium(whole).P == instances.to_gymnasium(STATIONARY).P
    assert instances.to_gymnasium(whole).observation_space.n == STATIONARY.n_states
    theta = STATIONARY.theta * np.linspace(1, 0.5, STATIONARY.horizon)[:, None]
    mask = np.ones(STATIONARY.phi.shape[:3], bool)
    mask[-1, 0, 0] = False
    for other in (STATIONARY.with_reward(theta), LinearMDP(*(getattr(STATIONARY, name) for name in
                                                             ("phi", "mu", "theta", "initial")), available=mask)):
        assert instances.to_gymnasium(other).observation_space.n == STATIONARY.n_states * STATIONARY.horizon


@pytest.mark.parametrize("mdp", [STATIONARY, LAYERED])
def test_a_deployer_runs_in_an_environment_that_was_an_instance(mdp):
    back = instances.from_gymnasium(instances.to_gymnasium(mdp), mdp.horizon)
    deployer = Deployer(back, 10**4, 1, seed=3)
    batch = deployer.deploy(planning.optimal(back).policy)
    mean = (batch.visits * back.rewards()).sum() / 10**4
    assert abs(mean - planning.optimal(mdp).value) < 4 * mdp.horizon / np.sqrt(10**4)
    with pytest.raises(InvalidInstance, match=f"ends episodes after {mdp.horizon} steps; horizon is {mdp.horizon + 1}"):
        instances.from_gymnasium(instances.to_gymnasium(mdp), mdp.horizon + 1)


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
        instances.from_gymnasium("Taxi-v4", 5, fickle_passenger=True, fickle_probability=1.0)
    rain = instances.from_gymnasium("Taxi-v4", 2, is_rainy=True)
    assert rain != instances.from_gymnasium("Taxi-v4", 2)  # rain is in the table

    class Slippery(FrozenLakeEnv):
        def step(self, action):
            return super().step(0)

    with pytest.raises(InvalidInstance, match="Slippery has a step of its own"):
        instances.from_gymnasium(Slippery(), 5)


@pytest.mark.parametrize("name", ["FrozenLake-v1", "CliffWalkingSlippery-v1", "Taxi-v4"])
def test_methods_of_a_toy_text_that_are_replaced_are_refused(name):
    kind = type(gymnasium.make(name).unwrapped)
    assert instances.from_gymnasium(type("Renamed", (kind,), {})(), 5).horizon == 5
    for method in ("reset", "step"):
        other = type("Other", (kind,), {method: getattr(gymnasium.Env, method)})
        with pytest.raises(InvalidInstance, match=f"Other has a {method} of its own"):
            instances.from_gymnasium(other(), 5)


class Counter(gymnasium.Env):
    """Three states in a ring; what `reset` and `step` do can be set apart from the table."""

    def __init__(self, start=0, stride=1, reward=0.25, ends=False):
        self.P = {s: {a: [(1.0, (s + 1) % 3, 0.25, False)] for a in range(2)} for s in range(3)}
        self.initial_state_distrib = np.array([0.5, 0.5, 0.0])
        self.observation_space, self.action_space = gymnasium.spaces.Discrete(3), gymnasium.spaces.Discrete(2)
        self.start, self.stride, self.reward, self.ends = start, stride, reward, ends

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.start
        return self.state, {}

    def step(self, action):
        self.state = (self.state + self.stride) % 3
        return self.state, self.reward, self.ends, False, {}


@pytest.mark.parametrize("changed, found", [
    ({"start": 2}, "an episode began in state 2, whose initial probability is 0"),
    ({"stride": 2}, "a step from state 0 by action 0 led to state 2 with reward 0.25"),
    ({"reward": 0.5}, "a step from state 0 by action 0 led to state 1 with reward 0.5"),
    ({"ends": True}, "a step from state 0 by action 0 led to state 1 with reward 0.25"),
])
def test_an_environment_by_hand_is_held_to_its_table(changed, found):
    env = Counter()
    assert planning.optimal(instances.from_gymnasium(env, 4)).value == 1 and not hasattr(env, "state")
    with pytest.raises(InvalidInstance, match=f"Counter: {found}.*; the table P must say all that happens"):
        instances.from_gymnasium(Counter(**changed), 4)


def test_options_are_neither_dropped_nor_overruled():
    with pytest.raises(InvalidInstance, match="the option 'is_slippery' is for an id"):
        instances.from_gymnasium(lake(), 5, is_slippery=False)
    assert instances.from_gymnasium("FrozenLake-v1", 150).horizon == 150  # the id's own limit is 100
    with pytest.raises(InvalidInstance, match="TimeLimit ends episodes after 3 steps; horizon is 4"):
        instances.from_gymnasium("FrozenLake-v1", 4, max_episode_steps=3)
    assert instances.from_gymnasium("FrozenLake-v1", 3, max_episode_steps=3).horizon == 3


def test_wrappers_that_an_id_brings_along_count_too():
    doubled = gymnasium.wrappers.TransformReward.wrapper_spec(func=lambda reward: 2 * reward)
    gymnasium.register("Doubled-v0", entry_point=FrozenLakeEnv, additional_wrappers=(doubled,))
    try:
        with pytest.raises(InvalidInstance, match="the wrapper TransformReward is not in the table P"):
            instances.from_gymnasium("Doubled-v0", 5)
    finally:
        gymnasium.registry.pop("Doubled-v0")


def test_without_gymnasium_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gymnasium", None)
    with pytest.raises(InvalidInstance, match="extra 'gym' of derl"):
        instances.to_gymnasium(LAYERED)


def test_only_an_instance_becomes_an_environment():
    with pytest.raises(InvalidInstance, match="mdp is of type str"):
        instances.to_gymnasium("FrozenLake-v1")
