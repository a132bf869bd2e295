"""The longest history that the count of deployments allows."""

import pytest

from derl.claims.layerwise import deployment_count


@pytest.mark.parametrize("h, b", [(1, 1), (1, 5), (2, 4), (4, 2)])
def test_the_longest_history_is_the_bound(h, b):
    assert deployment_count.longest_history(h, b, True) == h * b + 1
    assert deployment_count.longest_history(h, b, False) == h * b + h
