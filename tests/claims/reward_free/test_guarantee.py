"""The instance with two rewards on which the printed cap fails."""

from fractions import Fraction

import pytest

from derl.claims.reward_free import guarantee


@pytest.mark.parametrize("scale, loss", [(Fraction(1), Fraction(1, 2)), (Fraction(1, 2), 0)])
def test_the_cap_hides_rewards_above_one(scale, loss):
    assert guarantee.smallest_loss(scale, Fraction(0)) == loss


def test_the_instance_has_to_satisfy_the_assumption():
    with pytest.raises(ValueError, match="Assumption 1"):
        guarantee.two_rewards(Fraction(3, 2))
