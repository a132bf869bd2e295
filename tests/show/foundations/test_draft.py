"""A typed MDP and its table: the fault that is named is the one that was planted, and both say the same."""

import numpy as np
import pytest

from derl.mdp import planning
from derl.mdp.validation import InvalidInstance
from derl.show.drawing import InvalidChoice
from derl.show.foundations.draft import MOST_STATES, cells_of, fault, linear_mdp, read, solve
from derl.show.foundations.playground import STARTS, VALID, mdp_view
from derl.show.foundations.sheet import EDITORS, edited, sheet, text_of

FAULTS = {"a row beyond the simplex": ("state 0, action 1", "sum to 1.1"),
          "a negative probability": ("state 1, action 1", "|phi, mu>|no negative entry"),
          "a feature that is too long": ("state 2, action 1", "|phi| = 1.273"),
          "a reward above 1": ("state 2, action 0", "reward is 1.2"),
          "features of too small a rank": ("", "cannot carry"),
          "a reward that is not linear": ("", "not linear"),
          "measures that are too long": ("", "measures are too long")}


def accepted(draft) -> bool:
    """Whether mu and theta give back what was typed and LinearMDP takes them."""
    mu, theta = solve(draft)
    if not (np.allclose(draft.phi @ mu, draft.rows, atol=1e-9) and np.allclose(draft.phi @ theta, draft.rewards,
                                                                              atol=1e-9)):
        return False
    try:
        linear_mdp(draft, 3)
    except InvalidInstance:
        return False
    return True


@pytest.mark.parametrize("name", STARTS)
def test_what_is_planted_is_found(name):
    draft, found = read(STARTS[name]), fault(read(STARTS[name]))
    assert (found is None) == accepted(draft) == (name == "a valid one")
    if found:
        where, words = FAULTS[name]
        assert where in found.sentence and any(part in found.sentence for part in words.split("|"))
        assert mdp_view(STARTS[name], 3).marks


def test_drafts_at_random_are_judged_as_the_library_judges_them():
    rng, verdicts = np.random.default_rng(0), []
    for _ in range(300):
        mu = rng.dirichlet(np.ones(3), 3)
        phi = rng.dirichlet(np.ones(3), 6) * rng.choice([1, 1, 0.4])
        rows, rewards = phi @ mu, phi @ rng.random(3)
        i = rng.integers(6)
        rows[i] += rng.choice([0, 0, 0.2]) * rng.choice([-1, 1], 3)
        rewards[i] += rng.choice([0, 0, 1.0])
        rows /= rng.choice([1, rows.sum(axis=1).max()])
        text = "\n".join(" | ".join(" ".join(map(repr, part.tolist())) for part in (p, q, rewards[i:i + 1]))
                         for i, (p, q) in enumerate(zip(phi, rows, strict=True)))
        draft = read(text)
        verdicts.append(accepted(draft))
        assert (fault(draft) is None) == verdicts[-1], text
    assert 10 < sum(verdicts) < 290


def test_the_value_is_that_of_the_typed_tables():
    draft, values = read(VALID), np.zeros(3)
    for _ in range(4):
        values = (draft.rewards + draft.rows @ values).max(axis=1)
    assert planning.optimal(linear_mdp(draft, 4)).value == pytest.approx(values[0], abs=1e-12)
    assert f"earns {values[0]:.4g} in 4 layers" in mdp_view(VALID, 4).sentence


@pytest.mark.parametrize("text, complaint", [
    ("", "0 lines"), ("1 | 1", "features | next states | reward"), ("1 | x | 0", "only numbers"),
    ("1 | 1 | nan", "only numbers"), ("1 0 | 1 | 0\n1 | 1 | 0", "line 2 has 1 features"),
    ("1 | 1 0 | 0\n" * 3, "do not divide"), ("1 | 1 | 0\n" * 5, "number of actions")])
def test_what_cannot_be_read_is_said_in_one_line(text, complaint):
    with pytest.raises(InvalidChoice, match="(?s)" + complaint.replace("|", r"\|")):
        read(text)


@pytest.mark.parametrize("text", STARTS.values())
def test_cells_and_text_agree(text):
    table = sheet(text)
    assert text_of(table.cells, table.sizes) == text
    assert len(table.columns) == sum(table.sizes) and len(table.rows) == len(table.cells)


def test_an_empty_cell_is_nothing_and_a_fraction_is_a_number():
    table = sheet(VALID)
    cells = [list(row) for row in table.cells]
    cells[0][3:6] = ["1/3", " 2 / 3 ", ""]
    rows = read(text_of(cells, table.sizes)).rows
    assert np.allclose(rows[0, 0], [1 / 3, 2 / 3, 0])
    with pytest.raises(InvalidChoice, match="line 1"):
        read(VALID.replace("0.8", "1/0", 1))


@pytest.mark.parametrize("what", ["state", "action", "feature"])
def test_more_and_fewer(what):
    more = edited(f"+ {what}", VALID)
    draft = read(more)
    sizes = {"state": draft.rows.shape[2], "action": draft.rewards.shape[1], "feature": draft.phi.shape[2]}
    before = {"state": 3, "action": 2, "feature": 3}
    assert sizes == before | {what: before[what] + 1} and fault(read(more)) is None
    assert edited(f"− {what}", more) == VALID


def test_there_is_a_first_and_a_last():
    text = VALID
    for _ in range(10):
        text = edited("+ state", text)
    assert read(text).rows.shape[2] == MOST_STATES
    for edit in ("− state", "− action", "− feature"):
        small = VALID
        for _ in range(10):
            small = edited(edit, small)
        assert read(small).phi.size
    assert set(EDITORS) >= {"+ state", "− feature"}


def test_what_is_wrong_is_marked_in_its_row():
    view = mdp_view(STARTS["a feature that is too long"], 3)
    assert view.marks == ((5, 0),) and "State 2, action 1" in view.sentence and len(view.pictures) == 1
    long = read(STARTS["measures that are too long"])
    assert len(cells_of(long, fault(long))) == 6
    assert mdp_view(VALID, 3).marks == () and len(mdp_view(VALID, 3).pictures) == 2
