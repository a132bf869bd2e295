"""An enclosure contains what it encloses: random numbers, compared with another arithmetic of many more digits."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from derl.algorithms.arbitrary_exact import q_bounds
from derl.exact import directed
from derl.exact.balls import ball, balls, log_scale, lower, minimum, precise, upper
from derl.exact.logarithms import enclosure
from derl.theory.reward_free import bracket

flint = pytest.importorskip("flint")
FINE = 2000  # bits
rationals = st.builds(F, st.one_of(st.integers(1, 50), st.integers(1, 10**60)),
                      st.one_of(st.integers(1, 50), st.integers(1, 10**60)))
signed = st.builds(lambda q, sign: sign * q, rationals, st.sampled_from((-1, 1)))
many = settings(max_examples=150, deadline=None, derandomize=True)


def logarithm(q: F) -> tuple[F, F]:
    """Between these two rationals lies log(q); flint computes them with 2000 bits."""
    old, flint.ctx.prec = flint.ctx.prec, FINE
    try:
        value = flint.arb(flint.fmpq(q.numerator, q.denominator)).log()
        return lower(value), upper(value)
    finally:
        flint.ctx.prec = old


@many
@given(rationals, st.integers(1, 180))
@example(F(3), 5)
@example(F(1, 3), 64)
def test_logarithms(q, bits):
    true = logarithm(q)
    for low, high in (enclosure(q, bits), directed.logarithm(q)):
        assert low <= true[0] and true[1] <= high or q == 1 and low <= 0 <= high
    low, high = enclosure(q, bits)
    assert high - low <= F(600 * (bits + abs(q.numerator.bit_length() - q.denominator.bit_length())), 2**bits)


@many
@given(rationals, rationals, st.fractions(0, 1))
@example(F(2), F(2), F(0))
def test_what_is_enclosed_by_the_ends_of_an_interval(one, other, share):
    low, high = sorted((one, other))
    inside = low + share * (high - low)
    for enclosed in (directed.logarithm, bracket.log_between):
        found = enclosed((low, high))
        assert found[0] <= logarithm(inside)[1] and logarithm(inside)[0] <= found[1]
        assert found[0] <= logarithm(low)[0] and logarithm(high)[1] <= found[1] or 1 in (low, high)
    for enclosed in (directed.root, bracket.square_root):
        least, most = enclosed((low, high))
        assert least >= 0 and least**2 <= low and high <= most**2 and least**2 <= inside <= most**2


@many
@given(st.lists(st.tuples(signed, signed, signed, st.fractions(0, 1)), min_size=1, max_size=4))
def test_a_sum_of_what_is_enclosed(terms):
    pairs = [(factor, tuple(sorted((a, b)))) for factor, a, b, _ in terms]
    low, high = directed.total(pairs)
    value = sum(factor * (ends[0] + share * (ends[1] - ends[0]))
                for (factor, ends), (*_, share) in zip(pairs, terms, strict=True))
    assert low <= value <= high


@many
@given(signed, signed)
@example(F(1, 3), F(1, 10**30))
def test_balls_contain_the_numbers_that_they_stand_for(a, b):
    with precise():
        one, other = balls([a, b])
        for found, true in ((ball(a), a), (one + other, a + b), (one * other, a * b), (one / other, a / b),
                            (one - other, a - b)):
            assert lower(found) <= true <= upper(found)
            assert upper(found) - lower(found) <= (abs(true) + abs(a) + abs(b)) * F(1, 2**300)


@many
@given(rationals.map(lambda q: 1 + q), rationals)
def test_the_scale_of_a_bonus(argument, factor):
    (low, high), found = logarithm(argument), log_scale(argument, factor)
    with precise():
        least, most = lower(found), upper(found)
    assert least**2 <= factor**2 * high and factor**2 * low <= most**2 and most - least <= F(1, 2**200) * most


def test_a_fraction_of_thousands_of_digits_is_rounded_outwards():
    low, high = directed.logarithm(F(3**40000, 2**40000))
    exact = directed.logarithm(F(3, 2))
    assert low <= 40000 * exact[1] and high >= 40000 * exact[0] and high - low < F(1, 10**30)


@many
@given(st.integers(1, 30), st.integers(1, 30), st.fractions(F(1, 10**6), F(9, 10)), st.integers(1, 10**9),
       st.sampled_from((1, 2, 3)), st.fractions(F(1, 10), 9))
def test_the_bracket_over_beta(d, horizon, delta, samples, lipschitz, c):
    low, high = bracket.bracket_over_beta(d, horizon, delta, samples, lipschitz, c)
    old, flint.ctx.prec = flint.ctx.prec, FINE
    try:
        dim, n, root = ball(d), ball(samples), ball(d).sqrt()
        scale = ball(c) * dim * ball(2 * d * samples * horizon / delta).log().sqrt()
        content = dim * (1 + n / dim).log() / 2 + ball(horizon + 1).log() + ball(2 * horizon / delta).log() + dim * (
            1 + 16 * n / root + 32 * n.sqrt() / horizon).log() + dim * (dim + 1) / 2 * (
            1 + 32 * lipschitz * scale * n.sqrt()).log()
        true = (root * 5 / 4 + (content / 2).sqrt()).min(root + n.sqrt()) / scale
        assert low <= upper(true) and lower(true) <= high and high - low <= high / 2**50
    finally:
        flint.ctx.prec = old


@many
@given(signed, signed, st.fractions(0, 1), st.fractions(0, 1))
def test_the_smaller_ball(a, b, here, there):
    with precise():
        one, other = (flint.arb(0, 1) * ball(abs(x)) + ball(x) for x in (a, b))
        found = minimum(one, other)
        for x, y in ((a + (2 * here - 1) * abs(a), b + (2 * there - 1) * abs(b)), (a, b)):
            assert lower(found) <= min(x, y) <= upper(found)


@many
@given(st.lists(st.tuples(signed, signed, signed, st.fractions(0, 1)), min_size=2, max_size=2), rationals)
def test_bounds_of_a_value_contain_it_for_all_weights_between(parts, square):
    phi = np.array([[[one for one, *_ in parts]]], object)
    ends = np.array([sorted(pair[1:3]) for pair in parts], object).T
    inside = [low + share * (high - low) for low, high, (*_, share) in zip(*ends, parts, strict=True)]
    low, high = q_bounds(phi, ends, np.array([[square, 0], [0, square]], object), 64, cap=F(10**9))
    linear = sum(one * weight for (one, *_), weight in zip(parts, inside, strict=True))
    bonus = directed.root(square * sum(one**2 for one, *_ in parts))
    assert low[0, 0] <= min(F(10**9), linear + bonus[1]) and min(F(10**9), linear + bonus[0]) <= high[0, 0]
