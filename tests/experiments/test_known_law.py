"""The recorded study of junk locks: rows are found again, and its methods differ as they should."""

import pytest

from derl.algorithms import InvalidParameter
from derl.experiments.recorded import recorded
from derl.experiments.studies import known_law
from derl.experiments.sweep import InvalidSpec


def test_some_rows_again():
    rows = [row for row in recorded("known_law")[0] if row["seed"] == 0 and (row["size"] or 2**30) < 2**12]
    assert len(rows) > 20
    for row in rows[::7]:
        (found,) = known_law.measure(0, row["method"], int(row["d"]), int(row["horizon"]), int(row["deployments"]))
        assert (found["size"], found["loss"] <= 0.1) == (row["size"], True)


def test_the_digits_are_divided_so_that_all_deployments_are_equally_hard():
    assert [known_law.first_layers(d, 21, k) for d, k in ((2, 2), (3, 2), (4, 2), (3, 3))] == [0, 7, 8, 4]
    assert known_law.drawn(1, 3, 6).info["digits"] != known_law.drawn(2, 3, 6).info["digits"]


def test_a_size_beyond_the_grid_is_none_and_other_methods_are_refused(monkeypatch):
    monkeypatch.setattr(known_law, "MOST", known_law.START)
    (row,) = known_law.measure(0, "one", 3, 8, 1)
    assert row["size"] is None and row["loss"] == pytest.approx(known_law.BIAS)
    with pytest.raises((InvalidSpec, InvalidParameter)):
        known_law.measure(0, "both", 3, 8, 1)
