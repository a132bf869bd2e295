"""The hard instances as printed: what each core policy loses, and what the uniform one does."""

from fractions import Fraction
from itertools import product

from derl.claims.lower_bounds.policies import core_policies
from derl.mdp import exact, instances


def test_printed_instances_within_epsilon_and_uniform_policy_strictly_within():
    d, H, epsilon = 3, 3, Fraction(1, 10)
    for core, index in product(range(d), repeat=2):
        mdp = instances.hard_template(d, H, H - 1, index, (core, (index + 1) % d), epsilon, exact=True)
        values = [exact.evaluate(mdp, policy).value for _, policy in core_policies(d, H, (core, (index + 1) % d))]
        assert max(values) - min(values) == epsilon
        uniform = mdp.available * Fraction(1) / mdp.available.sum(axis=2, keepdims=True)
        assert max(values) - exact.evaluate(mdp, uniform).value == epsilon * (1 - Fraction(1, d ** (H - 1))) < epsilon
