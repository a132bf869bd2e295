"""The table of planted mistakes is whole, and the pages show what was recorded in it."""

import plant
import pytest

from derl.show.drawing import trusted


def test_every_row_changes_one_place_and_says_what_is_false():
    rows = plant.read()
    assert len({(row["file"], row["old"], row["new"]) for row in rows}) == len(rows)
    assert all(row["meaning"] and (plant.ROOT / row["file"]).is_file() for row in rows)
    assert trusted.by_part(trusted.load(plant.TABLE)) is not None  # every file belongs to a part that has a name


@pytest.mark.parametrize(("text", "old", "new"), [("a = 1", "b", "c"), ("a = 1; a = 2", "a", "b"), ("a", "a", "a")])
def test_a_row_that_fits_nowhere_or_twice_or_changes_nothing_is_refused(text, old, new):
    with pytest.raises(ValueError, match="times"):
        plant.changed(text, {"file": "f.py", "old": old, "new": new})


def test_pages_count_what_was_planted_and_noticed():
    row = {"file": "derl/exact/balls.py", "meaning": "a ball is too small", "caught": "t", "day": "2026-01-02"}
    other = {**row, "file": "derl/mdp/exact.py", "caught": "", "meaning": "a sum below 1 passes"}
    assert trusted.sentence([row, other]).data.startswith("2 mistakes were planted in the code, one at a time; tests "
                                                          "noticed 1 of them (2026-01-02)")
    shown = trusted.by_part([row, other]).data
    assert "| instances | 1 | 0 |" in shown and "| provers | 1 | 1 |" in shown
    assert trusted.missed([row, other]).data == "- `mdp/exact.py`: a sum below 1 passes"
