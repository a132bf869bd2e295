"""The picture of the trajectories of Algorithm 3 draws K N of each analysis."""

import pytest

from derl.show.reward_free import figures
from derl.theory.reward_free.samples import batch_size_reward_free, deployments_reward_free


def test_each_line_is_deployments_times_batch_size():
    where = (3, 4, 0.2, 0.1)
    lines = {line.get_label(): line for line in figures.batch_sizes(*where, largest=10.0).axes[0].lines}
    for version, (label, *_) in figures.LINES.items():
        factors, totals = lines[label].get_data()
        assert (factors[0], factors[-1]) == pytest.approx((1.3, 10))
        for at in (0, 30, 59):
            assert totals[at] == float(deployments_reward_free(3, 4, factors[at], version)
                                       * batch_size_reward_free(*where, factors[at], version=version))
