"""The polynomials behind Equations (4) and (5): values by hand, and which models they refuse."""

import sympy

from derl.claims.lower_bounds import histories


def failed(evidence):
    return [name for name, truth in evidence.steps if not truth]


def test_unseen_histories_of_one_deployment_by_hand():
    """m = 1, K = 1, two outcomes: an algorithm that avoids arm 1 twice has chosen no arm twice."""
    law = histories.free_law(2)
    first, second = histories.unseen_histories(1, 1, 1, 1, law)
    c, after = sympy.Symbol("c_0"), sympy.Symbol("c20_0")
    assert sympy.expand(first - (1 - c)) == 0
    assert sympy.expand(second - (1 - c) * (1 - after)) == 0


def test_probabilities_of_all_choices_sum_to_one():
    """Where no choice is forbidden every level has probability one."""
    levels = histories.unseen_histories(2, 2, arm=99, hidden=1, law=histories.free_law(2))
    assert levels == [1, 1, 1]


def test_the_data_of_the_hidden_arm_may_differ_and_those_of_others_may_not():
    same = histories.complements_agree()
    assert same.holds and len(same.steps) == 1 + len(histories.TREES)
    assert failed(histories.complements_agree(others=True))


def test_a_likelihood_that_is_no_probability_is_refused():
    tripled = histories.histories_without_the_arm(
        law=lambda arm, hidden, heads, bias, others=0: histories.flip(arm, hidden, heads, 3 * bias, others))
    assert failed(tripled) == ["one flip: probabilities are not negative"]
    same_side = histories.histories_without_the_arm(
        law=lambda arm, hidden, heads, bias, others=0: histories.flip(arm, hidden, True, bias, others))
    assert "one flip: they sum to 1" in failed(same_side)
