"""The lab of the sample sizes."""

import pytest

from derl.show.drawing import InvalidChoice
from derl.show.layerwise import samples_lab
from derl.theory.layerwise.samples import budget


def test_the_numbers_are_those_of_the_theory():
    rows = {(row.algorithm, row.version): row for row in samples_lab.sample_sizes(10, 10, 0.1, 0.1, 6.0)}
    plan = budget(10, 10, 0.1, 0.1, 6.0, "share")
    best = rows["1", "(a-e) all steps"]
    assert (best.batch_size, best.deployments) == (plan.batch_size, plan.deployments) == (best.batch_size, 601)
    assert best.trajectories == 601 * plan.batch_size
    assert not rows["1", "formula with c = 1"].proved and rows["2", "Theorem R"].deployments == 10


def test_the_printed_formula_needs_c_K_of_two():
    assert all(row.version != "formula with c = 1" for row in samples_lab.sample_sizes(c_K=1.5))


def test_sentence_and_table():
    rows = samples_lab.sample_sizes()
    own = [row.batch_size for row in rows if row.algorithm == "1" and row.proved]
    assert f"Algorithm 1 needs {own[0] / min(own):.1e} times" in samples_lab.sentence(rows)
    html = samples_lab.table(rows)
    assert html.count("<tr>") == len(rows) + 1 and "Theorem R" in html


def test_an_impossible_coefficient_is_refused_in_one_line():
    with pytest.raises(InvalidChoice, match=r"at most 1/sqrt\(d\) = 0.316"):
        samples_lab.sample_sizes(dim=10, nu=0.5)
    with pytest.raises(ValueError, match="epsilon"):
        samples_lab.sample_sizes(epsilon=0.0)
