"""The tables of Algorithms 3 and 4, column by column, for runs that are written out here."""

from types import SimpleNamespace

from derl.mdp import instances as models
from derl.show.reward_free import tables


def cells(shown):
    return [line.strip("| ").split(" | ") for line in shown.data.splitlines()]


def test_deployments_and_sizes_of_each_analysis(monkeypatch):
    sizes = {"explicit": 3 * 10**9, "sharp": 2 * 10**8, "flat": 10**7}
    monkeypatch.setattr(tables.samples, "batch_size_reward_free", lambda *where, version: sizes[version])
    shown = cells(tables.batch_sizes(3, 4, 0.5, 0.1, (2, 2.5)))
    assert shown[0] == ["$c_K$", "$K$", "$N$, printed analysis", "$N$, sharp lemma", "$N$, flat threshold"]
    # floor(c_K d H) + 1 deployments
    assert shown[2:] == [["2", "25", "3.0·10⁹", "2.0·10⁸", "1.0·10⁷"], ["2.5", "31", "3.0·10⁹", "2.0·10⁸", "1.0·10⁷"]]


def test_the_loss_of_the_own_reward_stands_before_the_largest_one(monkeypatch):
    trap = models.optimism_trap()
    found = iter((11, 12, 13))
    monkeypatch.setattr(tables, "reward_free_exploration", lambda deployer, *accuracy, version: SimpleNamespace(
        dataset=SimpleNamespace(deployments=next(found))))
    monkeypatch.setattr(tables, "reward_free_planning", lambda data, theta, version: SimpleNamespace(policy=None))
    monkeypatch.setattr(tables.planning, "gap", lambda mdp, policy, theta: 0.25 if theta is mdp.theta else 99.0)
    monkeypatch.setattr(tables, "worst_reward", lambda *words: (0.5, None))
    shown = cells(tables.search_for_a_bad_reward(trap))
    assert shown[0] == ["version", "deployments", "loss, reward of the trap", "largest loss found"]
    assert shown[2:] == [[version, str(count), "0.25", "0.50"] for version, count in (
        ("as-printed", 11), ("repaired", 12), ("clipped", 13))]
