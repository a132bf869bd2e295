"""Tables as linear MDPs: tabular instances and gymnasium's toy-text environments against literal loops."""

import gymnasium
import numpy as np
import pytest
from refusal import refused

from derl.mdp import InvalidInstance, instances, planning


def value_iteration(table, initial, horizon):
    """Optimal raw return over `horizon` steps, straight from gymnasium's table; an episode that ends pays nothing."""
    values = {s: 0.0 for s in table}
    for _ in range(horizon):
        values = {s: max(sum(p * (r + (0.0 if ends else values[t])) for p, t, r, ends in entries)
                         for entries in actions.values()) for s, actions in table.items()}
    return sum(p * values[s] for s, p in enumerate(initial))


@pytest.mark.parametrize("name, horizon, options", [
    ("FrozenLake-v1", 2, {}), ("FrozenLake-v1", 20, {}), ("FrozenLake-v1", 8, {"is_slippery": False}),
    ("FrozenLake8x8-v1", 30, {}), ("CliffWalking-v1", 13, {}), ("CliffWalking-v1", 25, {}),
    ("FrozenLake-v1", 9, {"reward_schedule": (3, -1, -0.25), "success_rate": 0.9}),
    ("CliffWalkingSlippery-v1", 20, {}), ("Taxi-v4", 12, {}), ("Taxi-v4", 6, {"is_rainy": True}),
])
def test_against_value_iteration_on_the_table(name, horizon, options):
    env = gymnasium.make(name, **options)
    core = env.unwrapped
    wanted = value_iteration(core.P, core.initial_state_distrib, horizon)
    mdp = instances.from_gymnasium(name, horizon, **options)
    scale, shift = mdp.info["reward_scale"], mdp.info["reward_shift"]
    assert planning.optimal(mdp).value * scale + shift * horizon == pytest.approx(wanted, abs=1e-9)
    assert instances.from_gymnasium(env, horizon) == mdp
    assert mdp.repeats_one_layer and mdp.dim == mdp.n_states * mdp.n_actions


def test_rewards_already_in_range_are_kept():
    mdp = instances.from_gymnasium("FrozenLake-v1", 3)
    assert (mdp.info["reward_shift"], mdp.info["reward_scale"], mdp.info["env"]) == (0.0, 1.0, "FrozenLake-v1")
    assert set(np.unique(mdp.rewards().round(12))) <= {0.0, round(1 / 3, 12)}


def test_cliff_rewards_are_rescaled():
    mdp = instances.from_gymnasium("CliffWalking-v1", 3)
    assert (mdp.info["reward_shift"], mdp.info["reward_scale"]) == (-100.0, 100.0)
    assert set(np.unique(mdp.rewards().round(12))) == {0.0, 0.99, 1.0}
    goal = 47
    assert (mdp.transitions()[0, goal, :, goal] == 1).all() and (mdp.rewards()[0, goal] == 1.0).all()


@pytest.mark.parametrize("env, fragments", [
    ("NoSuchLake-v1", ["gymnasium id 'NoSuchLake-v1' is not one of", "FrozenLake-v1"]),
    ("Blackjack-v1", ["Blackjack-v1 has no table P"]),
    ("CartPole-v1", ["gymnasium id 'CartPole-v1' is not one of"]),
    (42, ["env is of type int"]),
])
def test_what_has_no_table(env, fragments):
    refused(InvalidInstance, lambda: instances.from_gymnasium(env, 5), *fragments)


@pytest.mark.parametrize("horizon", [0, 1.5, "3"])
def test_bad_horizon(horizon):
    with pytest.raises(InvalidInstance, match="horizon is"):
        instances.from_gymnasium("FrozenLake-v1", horizon)


def test_missing_package(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gymnasium", None)
    with pytest.raises(InvalidInstance, match="need the package gymnasium"):
        instances.from_gymnasium("FrozenLake-v1", 3)


class Toy(gymnasium.Env):
    """An environment that is nothing but a table."""

    def __init__(self, table):
        self.P = table
        self.initial_state_distrib = np.array([1.0, 0.0, 0.0])


def test_a_state_that_ends_some_episodes_only_keeps_its_own_steps():
    """State 2 pays 1 at each step and is where state 1 ends: one absorbing state is added."""
    table = {0: {0: [(1.0, 1, 0.0, False)], 1: [(1.0, 2, 0.0, False)]},
             1: {0: [(1.0, 2, 1.0, True)], 1: [(1.0, 2, 1.0, True)]},
             2: {0: [(1.0, 2, 1.0, False)], 1: [(1.0, 2, 0.0, True)]}}
    mdp = instances.from_gymnasium(Toy(table), 4)
    assert (mdp.n_states, planning.optimal(mdp).value) == (4, 3)
    table[0][1] = [(1.0, 1, 0.0, False)]
    mdp = instances.from_gymnasium(Toy(table), 4)
    assert (mdp.n_states, planning.optimal(mdp).value) == (3, 1)


def test_a_step_that_ends_the_episode_is_worth_its_reward_once():
    class One(Toy):
        def __init__(self):
            self.P, self.initial_state_distrib = {0: {0: [(1.0, 0, 1.0, True)]}}, np.array([1.0])

    for horizon in (1, 5):
        assert planning.optimal(instances.from_gymnasium(One(), horizon)).value == 1


def test_conflicts_that_no_episode_meets_are_harmless():
    table = {0: {0: [(1.0, 2, 0.5, True)]}, 1: {0: [(1.0, 2, 0.0, False)]}, 2: {0: [(1.0, 0, 1.0, False)]}}
    mdp = instances.from_gymnasium(Toy(table), 4)
    assert planning.optimal(mdp).value == 0.5


def test_repeated_entries_of_a_table_add_up():
    table = {s: {0: [(0.25, 1, 1.0, False), (0.25, 1, 0.0, False), (0.5, 2, 1.0, False)]} for s in range(3)}
    mdp = instances.from_gymnasium(Toy(table), 1)
    assert mdp.transitions()[0, 0, 0].tolist() == [0, 0.5, 0.5] and mdp.rewards()[0, 0, 0] == 0.75


def test_constant_negative_rewards():
    mdp = instances.from_gymnasium(Toy({s: {0: [(1.0, s, -3.0, False)]} for s in range(3)}), 2)
    assert mdp.info["reward_shift"] == -3.0 and mdp.info["reward_scale"] == 1.0 and (mdp.rewards() == 0).all()


def test_tabular_layers():
    rng = np.random.default_rng(0)
    transitions, rewards = rng.dirichlet(np.ones(3), (4, 3, 2)), rng.random((4, 3, 2))
    mdp = instances.tabular(transitions, rewards, [0.2, 0.3, 0.5], state_names="abc")
    assert np.allclose(mdp.transitions(), transitions) and np.allclose(mdp.rewards(), rewards)
    assert mdp.dim == 6 and mdp.state_names == ("a", "b", "c")


@pytest.mark.parametrize("shapes", [((3, 2, 3), (3,)), ((3, 2), (3, 2)), ((4, 3, 2, 3), (3, 2))])
def test_tabular_shapes(shapes):
    with pytest.raises(InvalidInstance, match="they must have shapes"):
        instances.tabular(np.zeros(shapes[0]), np.zeros(shapes[1]), [1, 0, 0], horizon=2)


def test_tabular_needs_a_horizon_for_one_layer():
    with pytest.raises(InvalidInstance, match="horizon is None"):
        instances.tabular(np.full((3, 2, 3), 1 / 3), np.zeros((3, 2)), [1, 0, 0])


def test_environment_without_spec_is_named_by_its_class():
    table = {s: {0: [(1.0, s, 0.0, False)]} for s in range(3)}
    assert instances.from_gymnasium(Toy(table), 2).info["env"] == "Toy"


class Made(gymnasium.Env):
    """An environment with any table and any start."""

    action_space = observation_space = gymnasium.spaces.Discrete(2)

    def __init__(self, table, initial=(1.0, 0.0)):
        self.P, self.initial_state_distrib = table, initial


FAIR = {s: {0: [(0.5, 0, 0.0, False), (0.5, 1, 1.0, False)]} for s in (0, 1)}


@pytest.mark.parametrize("table, initial, fragment", [
    ({}, [1.0], "no table P"), ({0: {}}, [1.0], "actions of state 0 are counted from 0"),
    ({0: {0: []}}, [1.0], "the table P"),
    ({0: 5}, [1.0], "the table P must be"), ({0: {0: [(1.0, 0)]}}, [1.0], "the table P must be"),
    ({0: {0: [(1.0, -1, 0.0, False)]}}, [1.0], "the table P"), ({0: {0: [(1.0, 7, 0.0, False)]}}, [1.0], "the table P"),
    ({"a": {0: [(1.0, "a", 0.0, False)]}}, [1.0], "states are counted from 0"),
    ({1: {0: [(1.0, 1, 0.0, False)]}}, [1.0], "found 1"),
    ({(0, k): {0: [(1.0, (0, k), 1.0, False)]} for k in (0, 1)}, [1.0, 0.0], "states are counted from 0"),
    ({(0, k): {0: [(1.0, (0, k), 1.0, False)]} for k in (0, 1, 2)}, [1.0, 0.0, 0.0], "found (0, 0)"),
    ({True: {0: [(1.0, 0, 0.0, False)]}}, [1.0], "found True"),
    ({0: {0: [("x", 0, 0.0, False)]}}, [1.0], "probabilities must be"), ({0: {0: [(1.0, 0, None, False)]}}, [1.0], ""),
    ({0: {0: [(float("nan"), 0, 0.0, False)]}}, [1.0], "finite"), (FAIR, [0.5], "must have shape (2,)"),
    (FAIR, "start", "the initial distribution must be"), (FAIR, [0.5, 0.4], "initial sums to 0.9"),
])
def test_a_table_that_is_none(table, initial, fragment):
    with pytest.raises(InvalidInstance) as caught:
        instances.from_gymnasium(Made(table, initial), 2)
    assert "\n" not in str(caught.value) and fragment in str(caught.value)


def test_a_table_made_by_hand():
    assert instances.from_gymnasium(Made(FAIR), 2).n_states == 2


def test_an_id_that_somebody_has_registered_and_imported():
    gymnasium.register("MadeByHand-v0", entry_point=lambda: Made(FAIR))
    try:
        assert instances.from_gymnasium("MadeByHand-v0", 2).horizon == 2
    finally:
        gymnasium.registry.pop("MadeByHand-v0")
