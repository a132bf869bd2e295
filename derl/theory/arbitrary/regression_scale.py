r"""beta' and beta of Algorithms 2, 4, 5 and 6: how far a regression can be off, uniformly over value functions.

With w = Sigma^{-1} sum_n phi_n V(s_n') and Sigma = I + sum_n phi_n phi_n^T over N trajectories,

    phi^T w - P V = -phi^T Sigma^{-1} mu V + phi^T Sigma^{-1} sum_n phi_n (V(s_n') - P V) .

The first part is at most |mu V| |phi|_{Sigma^{-1}} <= sqrt d |phi|_{Sigma^{-1}}. The second, for one V with
values in [0, 1] (noise in an interval of length 1, variance proxy 1/4), is with probability 1 - delta' at
most |phi|_{Sigma^{-1}} sqrt( log(det(Sigma)^{1/2}/delta') / 2 ), and det Sigma <= (1 + N/d)^d. Replacing V by
a function at distance epsilon_0 changes it by at most 2 epsilon_0 sqrt N |phi|_{Sigma^{-1}}. So for a class
with a net of M balls of radius epsilon_0, in H layers and for the average over first states, with probability
1 - delta/4,

    |phi^T w - P V| <= beta' |phi|_{Sigma^{-1}},
    beta' = sqrt d + 2 epsilon_0 sqrt N + sqrt( (d/2 log(1 + N/d) + log(4 (H+1) M/delta)) / 2 ) .

**The class.** Algorithm 5 meets max_a min(phi^T w + |phi|_Z, 1): d numbers with |w| <= sqrt N / 2 (the
singular values of Sigma^{-1} Phi^T are s/(1 + s^2) <= 1/2) on a grid of width epsilon_0/(2d), and d(d+1)/2
numbers |Z_ij| <= beta'^2 on a grid of width epsilon_0^2/(4d). Algorithm 6 meets phi(., pi(.))^T w: one w for
the value, and one pair (w, Z) for the policy of that layer; layer h is a third kind, the reward and its policy.
Planning for a linear reward adds theta to w, caps values at the horizon of the plan (H kinds), and all values are H
times larger.

**Float64 is a net, too.** There are 2^64 doubles. A value function or a policy that a program computes from k
doubles is one of at most 2^{64 k}, without any error of discretisation. M is the larger of the two counts, so
that beta' serves the discretised algorithm and the program.

Source: Theorem E.4 and Equation (26), with every constant explicit.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from derl.theory.foundations.fixed_points import least_fixed_point

BITS = 64 * math.log(2)  # log of the number of doubles


@lru_cache(2**13, typed=True)  # a search for N asks for the same point several times
def scale(d: int, horizon: int, delta: float, batch_size: float, evaluates_policies: bool,
          length: float = 1.0) -> float:
    """beta' for epsilon_0 = 1/N; it contains its own square in a logarithm, and the least solution is taken.

    Parameters
    ----------
    batch_size : float, >= 1
        N.
    evaluates_policies : bool
        Whether the class of Algorithm 6 is covered, too.
    length : float
        Length of the interval in which the values lie.
    """
    log_n = math.log(batch_size)
    log_det = d / 2 * np.logaddexp(0.0, log_n - math.log(d))
    radius = np.logaddexp(math.log(length) + log_n / 2, math.log(2 * math.sqrt(d)))
    log_w = d * np.logaddexp(math.log(2 * d) + log_n + radius, math.log(3))
    kinds = 3 if evaluates_policies else horizon  # planning: one cap per horizon that may be asked for
    doubles = BITS * (d + d * (d + 1) / 2 + (d if evaluates_policies else 0))

    def step(value: float) -> float:
        log_matrix = d * (d + 1) / 2 * np.logaddexp(math.log(8 * d * value**2) + 2 * log_n, math.log(3))
        net = log_w + log_matrix + (log_w if evaluates_policies else 0.0)
        log_count = math.log(4 * kinds * (horizon + 1) / delta) + max(net, doubles)
        noise = math.sqrt((log_det + log_count) / 2)
        return length * (math.sqrt(d) + 2 * math.exp(-log_n / 2) + noise)

    return float(least_fixed_point(step, 1.0))
