"""Sentences and tables of the results beyond the paper, for runs and ledgers that are written out here."""

from types import SimpleNamespace

import made_rows
import pytest

from derl.mdp import planning
from derl.show.beyond import figures, law, one_deployment, smallest, tables
from derl.theory.beyond import exchange


def test_slopes_in_a_sentence():
    """Batches d, d^2 and d^3 of three seeds: slope 2, and Student's interval 2 +- 4.30/sqrt 3 = 2.48."""
    found = [smallest.Smallest(d, 1, 8, (d, d**2, d**3)) for d in (2, 4, 8)]
    assert figures.said(found).startswith(
        "Slopes of log N against log d on locks with 8 layers, means over 3 seeds with 95 % intervals: 2.0 (-0.5 to "
        "4.5) for L = 1.")


def test_needed_deployments_are_drawn_for_the_largest_dimension(monkeypatch):
    """With a pace of 1, 2, 3, ... digits for N = 1, d, d^2, ...: 8 // (2 pace) + 1 deployments."""
    monkeypatch.setattr(figures.lower_bounds, "largest_pace",
                        lambda d, size: next(k for k in range(99) if d**k >= size) + 1)
    right = figures.smallest([smallest.Smallest(d, 1, 8, (d, 2 * d)) for d in (2, 5)]).axes[1]
    needed = next(line for line in right.lines if line.get_label() == "needed, $d=5$")
    assert list(needed.get_xdata()) == list(range(12))
    assert list(needed.get_ydata()) == [8 // (2 * (k + 1)) + 1 for k in range(12)]


def ceil_log(base: int, number: int) -> int:
    return next(k for k in range(10**4) if base**k >= number)


@pytest.mark.parametrize("d, horizon, size", [(3, 9, 1), (3, 12, 9), (4, 30, 27), (5, 40, 10**6)])
def test_what_is_excluded_by_counting(d, horizon, size):
    """With d = 3 and H = 9 the logarithm of H - 1 = 8 codes is 3, and that of H would be 4."""
    assert law.printed(d, horizon, size) == (horizon - 2) // ceil_log(d - 1, size * (horizon - 1))
    assert law.sharpened(d, horizon, size) == int(horizon / (2 * law.lower_bounds.largest_pace(d - 1, size)))


def test_what_is_enough_takes_designs_with_g_equal_to_d_and_the_root_of_one_over_d(monkeypatch):
    asked = []
    real = exchange.batch_size
    monkeypatch.setattr(law.exchange, "batch_size", lambda *where: asked.append(where) or real(*where))
    law.enough.__wrapped__(4, 5)
    assert {(where[0], where[1], where[2], where[3], where[5]) for where in asked} == {(4, 5, 0.1, 0.1, 4)}
    assert [where[6] for where in asked] == [0.5] * 4 + [None]  # one block needs no reachability


def test_a_lock_of_the_runs_by_hand():
    mdp = smallest._lock(3)
    assert (mdp.horizon, mdp.dim) == (smallest.LAYERS, 5) and mdp.info["digits"] == tuple(
        (3 * h + 1) % 3 for h in range(7)) or list(mdp.info["digits"]) == [(3 * h + 1) % 3 for h in range(7)]
    assert planning.optimal(mdp).value > 1


@pytest.mark.parametrize("lost, good", [(0.19, True), (0.2, True), (0.21, False)])
def test_a_run_succeeds_within_epsilon(monkeypatch, lost, good):
    monkeypatch.setattr(smallest, "block_exploration", lambda deployer, *words, **options: SimpleNamespace(policy=None))
    monkeypatch.setattr(smallest.planning, "gap", lambda mdp, policy: lost)
    assert smallest.succeeds(2, 4, 100, 0) is good


def test_the_search_of_a_batch_begins_at_sixteen_or_at_the_power_of_d(monkeypatch):
    for block, start in ((1, 16), (3, 16), (4, 64)):
        monkeypatch.setattr(smallest, "succeeds", lambda d, block, size, seed: True)
        assert smallest.first(4, block, 0) == {1: 16, 3: 16, 4: 64}[block] == start
    monkeypatch.setattr(smallest, "succeeds", lambda d, block, size, seed: size > 50)
    assert smallest.first(2, 1, 0) == 64


PROOF = (SimpleNamespace(check="one"), SimpleNamespace(check=""), SimpleNamespace(check="two"))


@pytest.fixture
def paper(monkeypatch):
    """Two results with three steps each, of which one is read by eye; three false variants, two of them rejected."""
    ones = {key: SimpleNamespace(id=key, title=f"Title of {key}", kind="result", page="beyond/x", proof=PROOF)
            for key in ("res-a", "res-b")}
    ones["lem-c"] = SimpleNamespace(id="lem-c", title="no result", kind="lemma", page="beyond/x", proof=PROOF)
    monkeypatch.setattr(tables, "PAPER", SimpleNamespace(statements=ones, find=ones.__getitem__))
    monkeypatch.setattr(tables, "falsehoods", lambda key: (("x|y", "rejected"), ("z", "NOT REJECTED"),
                                                           ("w", "rejected")))


def check(bound):
    return SimpleNamespace(holds=bound < 3)


def test_planted_falsehoods_in_a_table(paper):
    weakened = {"res-a": (check, [("weaker", {"bound": 1}), ("more", {"bound": 2}), ("too much", {"bound": 3})])}
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in tables.planted(weakened).splitlines()]
    assert dict(zip(rows[0], rows[2], strict=True)) == {
        "theorem": "Title of res-a", "false variants by hand": "3", "rejected": "2", "weakenings": "3",
        "accepted": "2", "steps only a reader checks": "1 of 3"}
    shown = tables.variants(weakened).splitlines()[2]
    assert shown == "| Title of res-a | `x\\|y`; `w` | `z` | `weaker`; `more` |"


def test_the_verdicts_in_two_sentences(paper, monkeypatch):
    rows = {"res-a": made_rows.statement(made_rows.check(controls=[{"outcome": "rejected"}] * 2), made_rows.check()),
            "res-b": made_rows.statement(made_rows.check(controls=[{"outcome": "NOT REJECTED"}]), verdict="tested")}
    monkeypatch.setattr(tables, "_ledger", lambda: SimpleNamespace(claims=rows))
    assert tables.verdicts() == (
        "The last run gives the 2 results of this chapter the verdicts *proved* (1), *tested* (1). Their written "
        "proofs have 6 steps, of which 2 are read by eye only. 3 checks compute the rest, and 2 of 3 false variants "
        "were rejected.")


def test_a_row_of_the_runs_at_their_own_size(monkeypatch):
    one = SimpleNamespace(approximate=True, deployments=2, nu=0.25, batch_size=3 * 10**20, gap=0.0625)
    monkeypatch.setattr(tables.runs, "pace", lambda family: (4,))
    monkeypatch.setattr(tables.runs, "leverage", lambda family: 3.25)
    monkeypatch.setattr(tables.runs, "run", lambda family, block, seeds: one)
    mdp = tables.runs.instance("hexagon")
    shown = tables.own_size(("hexagon",)).splitlines()
    idle = planning.gap(mdp, tables.uniform(mdp))
    cells = [cell.strip() for cell in shown[2].strip("|").split("|")]
    assert cells[:8] == ["hexagon", str(mdp.dim), "3.2", "2", "4", "0.250", "3.0·10²⁰*", "0.062"]
    assert float(cells[8]) == pytest.approx(idle, rel=0.05)
    one.deployments = 1
    assert tables.own_size(("hexagon",)).splitlines()[2].split("|")[6].strip() == "–"  # one block needs no nu


def test_how_many_times_the_necessary_number_uniform_actions_need(monkeypatch):
    monkeypatch.setattr(one_deployment.odd_game, "uniform_size", lambda d, horizon, bias: 6.0 * d)
    monkeypatch.setattr(one_deployment.odd_game, "necessary_size", lambda d, horizon, bias: 4.0 * d)
    assert one_deployment.ratio(3) == "1.50"
