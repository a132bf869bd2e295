"""What each method is told: the table has every method, and N with and without a constant from the features."""

from dataclasses import replace

import pytest

from derl.experiments.methods import METHODS
from derl.show.comparison import executed, told


def test_every_method_has_its_listing_inputs_and_constants():
    header, body = told.told()
    lines = {line[0]: dict(zip(header, line, strict=True)) for line in body}
    assert lines.keys() == METHODS.keys()
    inputs = next(name for name in header if name.startswith("told"))
    assert "functions around" in lines["OLIVE"][inputs] and "rewards" in lines["Algorithm 1"][inputs]
    assert lines["Algorithms 3 and 4"][inputs] == "nothing"
    assert lines["Algorithm 2"][inputs] == "reachability" and "for N" in lines["Algorithm 2, best prefix"][inputs]
    assert lines["cuts, L = 1"]["constants by hand"] == "kappa 0.3, eta 1e-09, dummy 0.001"
    assert lines["MOFFLE"]["constants by hand"] == "level 0.2"
    assert "not capped" in lines["Algorithm 1"]["listing"] and "rule" in lines["low switching"]["listing"]


def test_the_size_in_the_runs_is_that_of_the_record():
    generic, recorded = told.sizes("designs, L = H")
    (size,) = {row["batch_size"] for row in executed.chosen(method="designs, L = H", mode="theorem",
                                                            **executed.TEMPLATE)}
    assert recorded == size and generic == METHODS["designs, L = H"].exact_batch(5, 4, 0.2, 0.1, 5**-0.5, 4)
    assert told.ratio("designs, L = H") == pytest.approx(generic / size) and told.ratio("low switching") == 1
    assert told.sizes("Algorithm 1") == (12788406074, 12788406074) and told.sizes("LSVI-UCB") == (None, None)


def test_the_front_without_constants_from_the_features_is_told():
    as_run, without = told.ends_of_the_front()
    assert as_run == ["designs, L = H"] and without == ["designs, L = H", "Qiao and Wang 2023"]


def test_what_is_not_a_number_is_no_constant_by_hand():
    method = replace(METHODS["MOFFLE"], options=lambda horizon: {"level": 0.5, "block": 3, "data": "pooled"})
    assert told.by_hand(method) == "level 0.5"
