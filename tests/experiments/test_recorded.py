"""The recorded table: where it comes from, and some of its rows once more, byte for byte."""

import pytest

from derl.experiments.methods import METHODS
from derl.experiments.recorded import NAMES, recorded
from derl.experiments.spec import canonical
from derl.experiments.studies import calibration, rotated, table1
from derl.experiments.summary import cells
from derl.experiments.work import kept

PARAMETERS = ("family", "method", "mode", "d", "horizon", "epsilon", "delta", "axis", "c_beta", "probability", "start")
SLOW = ("low switching", "direct reduction", "Algorithm 2", "LSVI-UCB", "reward-free LSVI-UCB", "FRANCIS",
        "Algorithm 2, spectral")


def plain(row: dict) -> bytes:
    """As written down; a column of whole numbers and others is one of floats."""
    return canonical({name: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
                      for name, value in row.items() if value is not None})


def again(study, row: dict, parameters) -> list[bytes]:
    """What a study finds today for the cell and seed of a row."""
    given = {name: row[name] for name in parameters if row.get(name) is not None}
    return [plain({**given, "seed": row["seed"], **{name: kept(value) for name, value in found.items()}})
            for found in study.measure(row["seed"], **given)]


@pytest.mark.parametrize("name", NAMES)
def test_where_it_comes_from(name):
    rows, about = recorded(name)
    spec = about["spec"]
    assert len(about["code"]) == 64 and about["commit"] and not about["commit"].endswith("+")
    seeds = range(spec["first"], spec["first"] + spec["count"])
    assert all({row["seed"] for row in group} == set(seeds)
               for group in cells(rows, "family", "d", "horizon", "epsilon", "probability", "axis", "method",
                                  "mode").values())


def test_some_rows_again():
    rows, about = recorded()
    quick = [row for row in rows if row["seed"] == about["spec"]["first"] and row["method"] not in SLOW]
    for row in quick[::9]:
        row = {name: int(value) if isinstance(value, float) and name in ("start", "d", "horizon") else value
               for name, value in row.items()}
        assert again(table1, row, PARAMETERS) == [plain(row)], (row["family"], row["method"], row["mode"])
    assert len({row["method"] for row in quick[::9]}) >= 6


def test_a_changed_row_is_noticed():
    row = next(row for row in recorded()[0] if row["method"] == "OLIVE")
    assert again(table1, {**row, "seed": row["seed"] + 1}, PARAMETERS) != [plain(row)]


def test_the_calibration_again():
    rows = recorded("calibration")[0]
    first = [row for row in rows if row["family"] == "simplex" and row["seed"] == rows[0]["seed"]]
    names = ("family", "d", "horizon", "epsilon", "delta")
    assert again(calibration, first[0], names) == [plain(row) for row in first]


def test_the_other_basis_again():
    rows = recorded("rotated")[0]
    row = next(row for row in rows if row["method"] == "Algorithm 1" and row["family"] == "simplex")
    names = ("family", "method", "d", "horizon", "epsilon", "delta", "c_beta", "size")
    assert again(rotated, row, names) == [plain(row)]


def test_what_must_hold_in_every_recorded_run():
    rows = recorded()[0]
    for name in ("Algorithm 1", "Algorithm 1, flat", "batched LSVI-UCB", "Algorithms 3 and 4", "Algorithm 3, direct",
                 "low switching", "direct reduction", "MOFFLE", "Qiao and Wang 2023", "Zhang et al. 2025"):
        kept_of = [row["invariant"] for row in rows if row["method"] == name and row["deployments"] is not None]
        assert kept_of and all(kept_of), name
    theorem = [row for row in rows if row["mode"] == "theorem"]
    assert {row["method"] for row in theorem} == {name for name, method in METHODS.items() if method.theorem}
    for row in theorem:
        if row["method"] == "OLIVE":
            assert row["invariant"]
        assert row["loss"] <= row["epsilon"], row
        assert row["optimistic"] in (None, 1.0), row
