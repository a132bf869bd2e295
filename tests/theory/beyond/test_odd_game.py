"""The game of the odd-one-out lock: another enumeration, in fractions and without names that are turned; sizes."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import pytest

from derl.theory.beyond import odd_game


def least_loss_again(d, batch, bias=Fraction(1, 4)):
    """H = 2, every pair of rules, transcripts as keys, weights as fractions."""
    k, every = d // 2, list(combinations(range(d), d // 2 + 1))
    worlds = [(hidden, dict(zip(sorted(set(range(d)) - set(hidden)), signs, strict=True)))
              for hidden in combinations(range(d), k) for signs in product((1, -1), repeat=d - k)]
    best = Fraction(0)
    for rules in product(product(*every), repeat=batch):
        weights = defaultdict(lambda: defaultdict(Fraction))  # transcript -> (context, action) -> gain
        for hidden, signs in worlds:
            shown = {(): Fraction(1, len(worlds))}
            for rule in rules:
                one = {}
                for i, sign in signs.items():
                    at = every.index(tuple(sorted((*hidden, i))))
                    hit = rule[at] == i
                    for seen, chance in ((1, Fraction(1, 2) + bias * sign), (0, Fraction(1, 2) - bias * sign)) if hit \
                            else (("half", Fraction(1)),):
                        one[at, seen] = chance / (d - k)
                shown = {(*before, after): p * q for before, p in shown.items() for after, q in one.items()}
            for transcript, chance in shown.items():
                for i, sign in signs.items():
                    weights[transcript][tuple(sorted((*hidden, i))), i] += sign * chance
        gain = sum(max(gains.get((context, a), 0) for a in context)
                   for gains in weights.values() for context in every)
        best = max(best, gain / (d - k))
    return Fraction(1, 2) - best


@pytest.mark.parametrize("d, batch", [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1)])
def test_another_enumeration_finds_the_same_least_loss(d, batch):
    assert odd_game.least_loss(d, 2, batch) == least_loss_again(d, batch)


def test_names_do_not_matter():
    rules = [rule for _, rule in odd_game.strategies(3, 2)]
    classes = {min(odd_game.turned(rule, names, 3) for names in [(0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0),
                                                                 (2, 0, 1)]) for rule in rules}
    assert {joint[0][1] for joint in odd_game.up_to_names(3, 2, 1)} == classes and len(classes) < len(rules)
    assert {joint[1][0] for joint in odd_game.up_to_names(4, 3, 2)} == {(0,), (1,)}


def test_trajectories_that_see_the_contexts_of_each_other_do_better():
    assert odd_game.least_loss_after_contexts(4, 1) == odd_game.least_loss(4, 2, 1)
    assert odd_game.least_loss_after_contexts(4, 2) == Fraction(1, 3) < odd_game.least_loss(4, 2, 2)


@pytest.mark.parametrize("d, horizon", [(4, 2), (9, 3), (32, 3)])
def test_uniform_actions_need_less_than_twice_what_is_necessary(d, horizon):
    size = odd_game.uniform_size(d, horizon, 0.05)
    assert odd_game.uniform_loss(d, horizon, size, 0.05) <= 0.25 < odd_game.uniform_loss(d, horizon, size - 1, 0.05)
    assert 1.8 < size / odd_game.necessary_size(d, horizon, 0.05) < 1.85


def test_one_coin_is_wrong_with_one_half_less_the_bias():
    assert odd_game.uniform_loss(2, 2, 1, 0.25) == pytest.approx(0.5 - 0.25 / 2)  # the odd action has the share 1/2


@pytest.mark.parametrize("d, horizon, informative", [(4, 3, Fraction(10, 24)), (5, 2, Fraction(10, 9)),
                                                     (2, 4, Fraction(10, 8)), (7, 3, Fraction(10, 7 * 16))])
def test_the_mean_number_of_trajectories_at_a_light_arm(d, horizon, informative):
    """Of ten: 1/d for each digit, 1/(d - k) for the context, 1/(k + 1) for the action, k = d//2."""
    assert odd_game.informative(d, horizon, 10) == informative
    size, b = odd_game.necessary_size(d, horizon, 0.05), 0.05
    assert b / 2 * (1 - 2 * b * float(informative * Fraction(size) / 10) ** 0.5) == pytest.approx(b / 4)


@pytest.mark.parametrize("batch, loss", [(1, Fraction(7, 16)), (2, Fraction(3, 8))])
def test_two_digits_and_two_coordinates_by_hand(batch, loss):
    """A coin of the light arm is seen with chance 1/4 or 1/2; after a head, one case in two, its sign has mean 1/2."""
    assert odd_game.least_loss(2, 3, batch) == loss


def test_two_coins_and_their_tie_by_hand():
    """No play 1/4, one 1/2, two 1/4: wrong with 1/2, 1/4, and 1/16 + (6/16)/2."""
    assert odd_game.uniform_loss(2, 2, 2, 0.25) == pytest.approx(1 / 8 + 1 / 8 + 1 / 16)
