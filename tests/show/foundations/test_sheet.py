"""A table and its text say the same, and a state, an action or a feature more leaves an MDP that can be read."""

import numpy as np
import pytest

from derl.show.drawing import InvalidChoice
from derl.show.foundations.draft import MOST_STATES, cells_of, fault, read
from derl.show.foundations.playground import STARTS, VALID, mdp_view
from derl.show.foundations.sheet import EDITORS, edited, sheet, text_of


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
