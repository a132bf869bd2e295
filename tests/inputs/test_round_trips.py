"""Values go through text, instance, file, run and back; or the first that sees them refuses them in one line.

Each generator in `tests/generators.py` draws values from inside a range, from its ends, and from outside.
"""

import math
from fractions import Fraction
from numbers import Real

import generators
import numpy as np
import pytest
from generators import outcome
from hypothesis import example, given, settings
from hypothesis import strategies as st

from derl import Deployer, LinearMDP, instances, planning
from derl.inputs import Invalid, number, real, whole
from derl.theory import potential

POTENTIAL = {"sharp_bound": "d N epsilon", "refined_bound": "d N epsilon", "one_dimensional_count": "N epsilon",
             "sharp_batch_size": "c_K epsilon", "paper_inequality": "d N epsilon K", "adversary_axis": "d N epsilon",
             "adversary_greedy": "d N epsilon"}
USUAL = {"d": 2, "N": 100, "epsilon": 0.1, "c_K": 3, "K": 5}


@given(generators.written())
@example("1e-400")
@example("9" * 400 + "/" + "7" * 400)
@settings(max_examples=400, deadline=None)
def test_a_written_number_is_read_exactly_and_can_be_written_again(written):
    found = outcome(lambda: number(written, "epsilon"))
    if found is None:
        return
    assert type(found) is Fraction and found == Fraction(written.strip())
    assert number(str(found), "epsilon") == found
    assert written.strip().isascii()


@pytest.mark.parametrize("written", ["nan", "inf", "-inf", *generators.DIGITS_OF_OTHERS, "1__0", "1_", "1e401", "1/0",
                                     "9" * 402, "", "1e-99999999"])
def test_what_is_no_number_is_refused(written):
    assert outcome(lambda: number(written, "epsilon")) is None


@given(generators.numbers())
@settings(max_examples=400, deadline=None)
def test_a_number_that_is_let_in_is_the_same_number_and_a_finite_float(value):
    count, size = outcome(lambda: whole(value, "N", None)), outcome(lambda: real(value, "x"))
    if count is not None:
        assert type(count) is int and count == value and not isinstance(value, bool)
    if size is not None:
        assert isinstance(size, Real) and size == value and math.isfinite(float(size))


@given(st.sampled_from(sorted(POTENTIAL)), st.data())
@settings(max_examples=300, deadline=None)
def test_functions_of_the_potential_take_what_they_let_in(name, data):
    """One argument is arbitrary. What comes out is a finite number or a finite array, or infinity where it says so."""
    names = POTENTIAL[name].split()
    changed = data.draw(st.sampled_from(names))
    value = data.draw(generators.numbers())
    arguments = {**{letter: USUAL[letter] for letter in names}, changed: value}
    if name == "adversary_greedy" and changed == "epsilon" and isinstance(value, Real) and 0 < value < 1e-4:
        return  # as many batches as it says, up to 10^8 numbers
    found = outcome(lambda: getattr(potential, name)(**arguments))
    if isinstance(found, np.ndarray):
        assert np.isfinite(found).all()
    elif found is not None:
        assert found >= 0


@given(generators.numbers(), generators.numbers())
@example(2**1024, 0.1)
@example(10**100, 1e100)
@example(100, 1e-320)
@settings(max_examples=300, deadline=None)
def test_violations_take_every_size_that_they_let_in(N, epsilon):
    found = outcome(lambda: potential.violations(np.eye(2)[[0, 1, 0]], N, epsilon))
    assert found is None or set(found.tolist()) <= {1, 2, 3}


@given(st.integers(2, 6), st.data())
@settings(max_examples=60, deadline=None)
def test_a_table_of_ten_digits_goes_through_file_run_and_plan(n_states, data):
    digits, shape = st.integers(10, 17), (2, n_states, 2)
    moves = [data.draw(generators.rows(n_states, digits)) for _ in range(math.prod(shape))]
    mdp = instances.tabular(np.reshape(moves, (*shape, n_states)), np.full(shape, 0.5),
                            data.draw(generators.rows(n_states, digits)))
    assert planning.optimal(mdp).value == pytest.approx(1.0, abs=1e-8)
    batch = Deployer(mdp, data.draw(st.sampled_from([1, 7, 2**53 + 1, 2**63 - 1])), 1, seed=0).deploy(
        np.zeros((2, n_states), int))
    assert [sum(layer) for layer in batch.counts.reshape(2, -1).tolist()] == [batch.batch_size] * 2
    assert not batch.counts[mdp.transitions() * np.ones_like(batch.counts) == 0].any()


def test_the_table_of_the_report():
    """Ten digits of 1/6 and six states: each row passes, so the measures must."""
    sixth = np.full(6, 0.1666666667)
    mdp = instances.tabular(np.broadcast_to(sixth, (1, 6, 5, 6)), np.zeros((1, 6, 5)), sixth)
    assert mdp.dim == 30
    with pytest.raises(Invalid, match="sum to 1.0000002"):
        instances.tabular(np.full((1, 6, 5, 6), 0.1666667), np.zeros((1, 6, 5)), sixth)
    with pytest.raises(Invalid, match="sqrt"):  # a length that no rounding of a row explains
        LinearMDP(mdp.phi * (1 - 1e-6), mdp.mu / (1 - 1e-6), mdp.theta, mdp.initial)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_an_instance_is_the_same_after_it_was_a_file(tmp_path_factory, data):
    moves = [data.draw(generators.rows(3, st.integers(10, 17))) for _ in range(12)]
    mdp = instances.tabular(np.reshape(moves, (2, 3, 2, 3)), np.full((2, 3, 2), data.draw(st.floats(0, 1))),
                            [0.5, 0.5, 0.0])
    path = tmp_path_factory.mktemp("files") / "instance.npz"
    mdp.save(path)
    again = LinearMDP.load(path)
    for name in ("phi", "mu", "theta", "initial"):
        np.testing.assert_array_equal(getattr(again, name), getattr(mdp, name))


@given(generators.written())
@settings(max_examples=200, deadline=None)
def test_a_specification_builds_the_instance_of_its_numbers_or_is_refused(written):
    spec = f"lock:d=3,horizon=3,digits=1-2-0,bias={written}"
    mdp = outcome(lambda: instances.from_spec(spec))
    if mdp is None:
        return
    bias = number(written, "bias")
    assert abs(bias) <= 1 and planning.optimal(mdp).value == planning.optimal(
        instances.lock(3, 3, [1, 2, 0], bias)).value
