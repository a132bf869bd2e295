"""A stochastic output serves two arms at once, up to twice epsilon and no further."""

from fractions import Fraction

from derl.mdp import exact, instances


def test_a_stochastic_output_serves_two_arms_at_twice_epsilon():
    epsilon = Fraction(1, 10)
    for arm in (0, 1):
        mdp = instances.compact_bandit(3, 1, arm, 2 * epsilon, exact=True)
        half = [[[0, Fraction(1, 2), Fraction(1, 2)]] + [[1, 0, 0]] * 2] * 2
        assert exact.optimal(mdp).value - exact.evaluate(mdp, half).value == epsilon
        worse = instances.compact_bandit(3, 1, arm, 3 * epsilon, exact=True)
        assert exact.optimal(worse).value - exact.evaluate(worse, half).value > epsilon
