"""The runs behind what moves on the page of Algorithm 1."""

import pytest

from derl.mdp import planning
from derl.show.layerwise import moves


@pytest.mark.parametrize("reward", [0.6, 0.8, 1.0])
def test_the_reward_of_e_changes_and_that_of_q_does_not(reward):
    mdp = moves.rewarded_trap(reward)
    e, f = mdp.state_names.index("E"), mdp.state_names.index("F")
    assert mdp.rewards()[5, [e, f], 0] == pytest.approx([reward, 1])
    assert planning.optimal(mdp).value == pytest.approx(8)


def test_what_a_run_on_the_trap_loses_is_what_e_is_worth_less():
    for row in moves.trap()["runs"]:
        assert row["loss"] == pytest.approx(0.15 * 8 * (1 - row["reward"]) if row["action"] == "e" else 0, abs=1e-8)
        if row["reward"] < 1:  # otherwise e and f are worth the same
            assert row["tries"] == (row["action"] == "f")
            assert row["action"] == "f" or row["version"] == "as-printed"


def test_a_replay_finishes_every_layer_in_order():
    for run in moves.replay().values():
        finished = [step["layer"] for step in run["steps"] if step["statistic"] < step["threshold"]]
        assert finished == list(range(1, run["horizon"] + 1))
        assert len(run["steps"]) <= run["budget"]
        assert all(step["taken"] and max(step["taken"]) < len(run["edges"]) for step in run["steps"])


def test_only_the_repaired_run_meets_q():
    for name, meets in (("the trap, repaired algorithm", True), ("the trap, printed algorithm", False)):
        run = moves.replay()[name]
        q = run["states"].index("F")
        assert any(run["edges"][i][3] == q for step in run["steps"] for i in step["taken"]) == meets
        assert (run["loss"] == 0) == meets
