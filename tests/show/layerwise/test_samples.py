"""Sample sizes of Algorithm 1: the pictures draw the functions that are checked, and the lab tells them."""

import math

import numpy as np
import pytest

from derl.show.drawing import InvalidChoice
from derl.show.layerwise import samples_figures as pictures
from derl.show.layerwise import samples_lab
from derl.theory import constants
from derl.theory.layerwise import samples
from derl.theory.layerwise.samples import budget

WHERE = (3, 4, 0.2, 0.1)


def test_each_line_is_the_budget_of_its_version():
    figure = pictures.batch_size_against_trade_off(*WHERE, largest=20.0)
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    for version, (_, label) in pictures.LINES.items():
        factors, sizes = lines[label].get_data()
        assert len(factors) == 40 and 1 < factors[0] < 1.3 and factors[-1] == pytest.approx(20)
        for at in (0, 17, 39):
            assert sizes[at] == samples.budget(*WHERE, factors[at], version).batch_size
    factors, printed = lines["printed formula, constant 1 (not proved)"].get_data()
    assert factors.min() >= 2 and len(factors) > 20
    assert printed[5] == float(constants.batch_size_layerwise(*WHERE, factors[5]))


def test_the_curve_is_beside_the_repetition():
    lines = {line.get_label(): line for line in pictures.deployments_against_batch_size(*WHERE).axes[0].lines}
    sizes, counts = lines[r"$K(N_0)$, the curve"].get_data()
    reference = samples.budget(*WHERE, 2, "covering")
    naive = lines[r"$K\lceil N/N_0\rceil$ from $c_K=2$"].get_ydata()
    assert list(naive) == [reference.deployments * math.ceil(reference.batch_size / n) for n in sizes]
    assert list(lines["$dH$"].get_ydata()) == [12, 12] and (np.diff(counts) <= 0).all() and (counts >= 12).all()


def test_the_constant_that_is_needed_stays_below_the_proved_one():
    lines = pictures.bonus_constant((2, 3)).axes[0].lines
    for d, line in zip((2, 3), lines, strict=False):
        n, needed = line.get_data()
        at = len(n) // 2
        assert needed[at] == pytest.approx(samples.covering_scale(d, 1, 1 - 1e-12, math.log(n[at]))
                                           / (d * math.sqrt(math.log(2 * d * (n[at] + 1)))))
        assert max(needed) < samples.C_BETA == 1.5


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
