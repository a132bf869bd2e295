"""The inequality behind the constant 2 of the reward-free bonus, by other means."""

from itertools import product

import numpy as np


def test_the_bracket_of_the_concentration_lemma_is_below_its_bound():
    """The inequality behind the constant 2, computed as it stands, in place of the comparisons of its proof."""
    worst = 0.0
    for d, H, delta in product((2, 3, 5, 20, 200), (1, 3, 30, 1000), (0.999, 0.1, 1e-6)):
        n = np.geomspace(2, 1e30, 200)  # K N samples
        l = np.log(2 * d * n * H / delta)  # noqa: E741
        beta, u = 2 * d * H * np.sqrt(l), np.sqrt(d) / 4
        eta = H * u / (2 * np.sqrt(n))
        log_net = (np.log(H + 1) + d * np.log1p((2 * H * np.sqrt(n) + 4 * np.sqrt(d)) / eta)
                   + d * (d + 1) / 2 * np.log1p(8 * beta * np.sqrt(d) / eta))
        noise = u + np.sqrt((d * np.log1p(n / d) / 2 + log_net + np.log(2 * H / delta)) / 2)
        worst = max(worst, ((np.sqrt(d) + np.minimum(noise, np.sqrt(n))) / (2 * d * np.sqrt(l))).max())
    assert 0.5 < worst <= 1
