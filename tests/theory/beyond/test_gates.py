"""Gates of needles: the law of the level is one."""

from fractions import Fraction

import pytest

from derl.theory.beyond.gates import level_law


@pytest.mark.parametrize("levels", [1, 2, 5])
@pytest.mark.parametrize("theta", [Fraction(1, 3), Fraction(9, 10)])
def test_the_law_of_the_level_is_a_truncated_geometric_one(levels, theta):
    law = level_law(levels, theta)
    assert sum(law.values()) == 1 and sorted(law) == list(range(1, levels + 1))
    assert all(law[j + 1] == theta * law[j] for j in range(1, levels - 1))
    assert law[levels] == theta ** (levels - 1)
