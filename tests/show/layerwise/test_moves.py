"""Runs, films and tables of the pages of Algorithm 1: their numbers are those that the pages compute by hand."""

import pytest

from derl import instances
from derl.claims.layerwise import direct_exploration
from derl.claims.layerwise.theorem import CHAIN
from derl.mdp import planning
from derl.show.layerwise import chain, guarantees, moves, optimism


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


def test_the_numbers_are_those_of_the_example_by_hand():
    """f = -3/5 e1 + 4/5 e2: prediction -3/5 6.4 = -3.84, bonus 4/5 18 = 14.4, cut to 10 it leaves 6.16."""
    found = optimism.backups()
    by_hand = {"known": 6.4, "truth": 8, "prediction": -3.84, "bonus": 14.4, "capped": 10, "sum": 10.56,
               "printed": 6.16, "repaired": 10, "most": 10}
    assert found == pytest.approx(by_hand, abs=1e-6)


def test_the_film_ends_with_the_guess_that_makes_the_algorithm_try_q():
    film = moves.lost_optimism()
    assert len(film["frames"]) == 6 and "tries f" in film["frames"][-1]["said"]
    assert "never tries f" in film["frames"][-2]["said"] and ["prediction for f", "−3.84"] in film["rows"]


def test_a_bar_begins_where_the_bar_before_it_ends():
    drawn = optimism.picture(optimism.backups(), "prediction", "capped", "printed")
    shapes = {key: given for key, _, given, _ in drawn}
    assert shapes["prediction-bar"]["x"] == shapes["bonus-bar"]["x"]
    right = shapes["bonus-bar"]["x"] + shapes["bonus-bar"]["width"]
    assert right == pytest.approx(shapes["guess-bar"]["x"] + shapes["guess-bar"]["width"], abs=0.2)


def cells(shown):
    return [line.strip("| ").split(" | ") for line in shown.data.splitlines()]


def test_finished_layers_of_equal_loss_share_a_column():
    header, _, losses = cells(guarantees.printed_layers(instances.optimism_trap()))
    assert header[1].startswith("1 to ")
    assert header[-1] == "10"
    assert losses[1] == "0.0000"
    assert float(losses[-1]) > 0.05


def test_without_layers_the_neglected_branch_comes_last():
    _, _, actions, losses = cells(guarantees.without_layers(direct_exploration.neglected_branch()))
    assert actions[1] == "0"
    assert actions[-1] == "1"
    assert [loss == "0" for loss in losses[1:]] == [action == "1" for action in actions[1:]]


def test_every_rule_is_a_row_in_order():
    rows = chain.rules(CHAIN)
    assert [row[0] for row in rows] == list(range(1, len(CHAIN) + 1))
    for (claim, needs, _), (_, by, needed, gives) in zip(CHAIN, rows, strict=True):
        assert by == (f"{{claim}}`{claim}`" if claim else "together, at the last deployment")
        assert needed.count("; ") == len(needs) - 1 and gives
    assert sum(claim is None for claim, *_ in CHAIN) == sum(row[1].startswith("together") for row in rows) >= 1


def test_phrases_become_formulas():
    assert chain.written("with probability delta: bonus <= epsilon") == \
        r"with probability $\delta$: bonus at most $\epsilon$"
    assert chain.written("probability delta/2") == r"probability $\delta/2$"  # the longer phrase comes first
    assert chain.written("nothing") == "nothing"
