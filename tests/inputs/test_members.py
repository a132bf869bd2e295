"""Functions that once let unusable values in: each refuses them at its door, in one short line, and at no cost."""

from fractions import Fraction

import pytest

from derl.inputs import Invalid
from derl.mdp.exact import ExactMDP
from derl.theory import lower_bounds
from derl.theory.lower_bounds.search_programme import success_curve
from derl.theory.reachability import examples
from derl.theory.reward_free import direct
from derl.theory.safety.sample_efficient import deployments_at

HUGE = 10**400
NO_NUMBER = [None, "x" * 900, float("nan"), float("inf"), [1]]
NO_COUNT = [None, "3", 1.5, 0, -1, True, float("nan")]


def refused(call):
    with pytest.raises(Invalid) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and 0 < len(message) <= 400


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("value", [*NO_NUMBER, HUGE, Fraction(1, HUGE), -1, True], ids=lambda value: str(value)[:12])
def test_direct_exploration_and_its_count(place, value):
    budget, count = [2, 3, 0.1, 0.1, 2], [2, 3, 0.1, 10.0, 100]
    budget[place] = count[place] = value
    refused(lambda: direct.budget(*budget))
    if (place, value) != (4, HUGE) and (place, value) != (3, True):  # a batch may be as large as it likes
        refused(lambda: deployments_at(*count))


def test_what_they_let_in_is_what_it_was():
    assert direct.budget(2.0, Fraction(3), 0.1, 0.1, 2) == direct.budget(2, 3, 0.1, 0.1, 2)
    assert deployments_at(2, 3, 0.1, 10, 1e30) == deployments_at(2, 3, 0.1, 10, 10**30)
    refused(lambda: deployments_at(2, 3, 1e-100, 1e100, 5))
    refused(lambda: direct.budget(2, 3, 3.1, 0.1, 2))  # above H


@pytest.mark.parametrize("arguments, options", [
    ((2, 10, 10**301, 5), {}), ((2, 10, 10**301, 5), {"exact": True}), ((2, 10, 400, 10**6), {"exact": True}),
    ((HUGE, 10, 10, 50), {}), ((2, HUGE, 10, 5), {}), ((2, 10**9, 3, 1), {}), ((2, 10, 10, HUGE), {}),
    ((2, 2, 3, 10**9), {}), ((10**5, 10, 10, 5), {"memory": "exclude"})], ids=lambda part: str(part)[:24])
def test_a_programme_that_would_not_end_is_not_begun(arguments, options):
    refused(lambda: lower_bounds.exact_success_arbitrary(*arguments, **options))


def test_many_deployments_are_computed_in_floats():
    assert isinstance(lower_bounds.exact_success_arbitrary(2, 4, 3, 5), Fraction)
    found = lower_bounds.exact_success_arbitrary(2, 10, 10, 10**5)
    assert isinstance(found, float) and found == pytest.approx(1)
    assert float(success_curve(3, 2, 4, 3, exact=True)[-1]) == pytest.approx(success_curve(3, 2, 4, 3)[-1])


@pytest.mark.parametrize("value", [*NO_NUMBER, HUGE, Fraction(HUGE, 3), Fraction(HUGE + 1, HUGE)],
                         ids=lambda value: str(value)[:12])
def test_an_instance_of_one_state_needs_rational_numbers(value):
    refused(lambda: examples.one_state([[value, 0], [0, 1]], [1, 1]))
    refused(lambda: examples.one_state([[1, 0], [0, 1]], [1, value]))
    refused(lambda: examples.one_state([[1, 0], [0, 1]], value))


@pytest.mark.parametrize("value", [*NO_COUNT, 10**400], ids=lambda value: str(value)[:12])
def test_sizes_of_the_examples_are_counts(value):
    refused(lambda: examples.orthonormal(value))
    refused(lambda: examples.two_states(0, value))
    for place in range(4):
        sizes = [2, 2, 2, 2]
        sizes[place] = value
        refused(lambda sizes=sizes: examples.twelfths(*sizes, 0))
    if value != 0 and value != 10**400:  # any whole number from 0 on is a seed
        refused(lambda: examples.two_states(value))


def test_a_rule_that_fails_by_a_little_is_told_in_a_few_characters():
    little = Fraction(1, HUGE)
    for phi, mu, theta, initial in (
            ([1 + little], [1 - little], [0], [1]), ([1], [1], [1 + little], [1]), ([1], [1 - little], [0], [1]),
            ([1], [1], [0], [1 + little])):
        refused(lambda phi=phi, mu=mu, theta=theta, initial=initial: ExactMDP([[[phi]]], [[mu]], [theta], initial))
