"""The junk lock: dimension, values, junk that is never the next digit, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from derl.mdp import InvalidInstance, exact, instances, planning


@pytest.mark.parametrize("d, horizon", [(2, 2), (2, 5), (4, 6)])
@pytest.mark.parametrize("bias", [0.5, 0.1, -0.25])
def test_the_code_is_worth_the_bias_and_the_dimension_is_the_number_of_actions(d, horizon, bias):
    digits = np.arange(horizon - 1) % d
    mdp = instances.junk_lock(d, horizon, digits, bias)
    assert (mdp.dim, mdp.horizon, mdp.n_actions) == (d, horizon, d)
    assert planning.optimal(mdp).value == pytest.approx(0.5 + max(bias, 0))
    code = np.zeros((horizon, mdp.n_states), int)
    code[:-1, 0] = digits
    assert planning.evaluate(mdp, code).value == pytest.approx(0.5 + bias)


def test_junk_leads_to_junk_and_the_features_do_not_depend_on_the_code():
    first = instances.junk_lock(3, 4, (1, 0, 2), "1/4", junk=(2, 0), exact=True)
    other = instances.junk_lock(3, 4, (0, 1, 1), "-1/2", exact=True)
    assert (first.phi == other.phi).all() and other.info["junk"] == [2, 2]
    moves = first.transitions()
    assert moves[0, 0, 1, 0] == 1 and moves[0, 0, 0, 3] == 1 and moves[1, 3, 0, 1] == 1
    assert moves[2, 0, 2, 4] == Fraction(3, 4) and moves[2, 1, 0, 6] == 1
    assert exact.evaluate(first, np.zeros((4, 7), int)).value == Fraction(1, 2)


def test_a_specification_builds_it():
    assert instances.from_spec("junk-lock:d=3,horizon=4,digits=1-0-2,bias=1/4") == instances.junk_lock(
        3, 4, (1, 0, 2), "1/4")


@pytest.mark.parametrize("arguments, options, message", [
    ((1, 3, 0, 0.1), {}, "d is 1"), ((2, 1, 0, 0.1), {}, "horizon is 1"), ((2, 3, (0,), 0.1), {}, "digits has 1"),
    ((2, 3, 0, 0.6), {}, "bias"), ((2, 3, 0, -0.6), {}, "bias"),
    ((2, 3, 0, 0.1), {"junk": (0,)}, r"junk\[0\] is 0, the digit of layer 2")])
def test_what_is_no_junk_lock_is_refused_in_one_line(arguments, options, message):
    with pytest.raises(InvalidInstance, match=message) as caught:
        instances.junk_lock(*arguments, **options)
    assert "\n" not in str(caught.value)
