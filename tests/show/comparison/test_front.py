"""The picture of the front page draws what was counted and what is proved."""

from math import ceil, log

import numpy as np

from derl.show.comparison import front
from derl.show.layerwise.growth import Count


def test_every_mark_is_a_count_or_a_bound():
    counts = [Count("compact bandit", d, h, 0, made, True, 0.25, 99)
              for d, h, made in ((8, 6, 40), (6, 4, 17), (12, 8, 81))]
    lines = {line.get_label(): line for line in front.deployments(counts).axes[0].lines}
    assert list(lines["$dH$"].get_xdata()) == list(lines["$dH$"].get_ydata()) == [24, 48, 96]
    for label, values in (("Algorithm 1, repaired: counted", [40, 17, 81]),
                          ("mixtures, $H$: proved to be enough", [6, 4, 8])):
        assert list(lines[label].get_xdata()) == [48, 24, 96] and list(lines[label].get_ydata()) == values
    needed, = (line for label, line in lines.items() if label.startswith("deterministic policies"))
    np.testing.assert_allclose(needed.get_ydata(), [0.9 * 5 * 5 - 1, 0.9 * 3 * 3 - 1, 0.9 * 9 * 7 - 1])
    assert "At $d=12$, $H=8$ the repaired Algorithm 1 deploys 81 policies and loses 0.2" in front.said(counts)
    assert "With mixtures 8 deployments are enough" in front.said(counts)


def test_the_scale_is_the_first_number_of_layers_at_which_the_lower_bound_exceeds_one():
    def bound(d, H):
        N = 850_000 * (H + 5)**2 * d**6 * H**6 / 0.01 * log(100 * d * H)**2
        return H / (2 * (ceil(log(N) / log(d - 1)) + (d - 1) / (d - 2)))

    for d, H, _ in front.scale((4, 10), 0.1, 0.1):
        assert bound(d, H) > 1 >= max(bound(d, lower) for lower in range(3, H))
    assert "asks for more than one deployment" in front.scale_said()
