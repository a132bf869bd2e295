r"""How many trajectories d deployments per layer need, when their policies span the mean features of all others.

z_h(pi) = E_pi phi_h. Deploy d policies whose estimated means are a barycentric spanner, zhat(pi) = sum_i c_i
zhat(pi_i) with |c_i| <= 1, and estimate the next layer by zhat_{h+1}(pi) = sum_i c_i mean of phi(s_{h+1},
pi(s_{h+1})) over the trajectories of pi_i. In the norm of the next law, errors follow e_{h+1} <= (1+d) e_h + d^{3/2}
u, u the error of a mean:

    N = 128 d^2 (1+d)^{2H}/epsilon^2 (log M + log(6 d^2 H/delta)) .

Where every direction has a mean of at least sigma, solve for c again with the means of the deployed policies: |c_i|
<= 2, e_{h+1} <= e_h + 4 d^{3/2} u, and N is polynomial. M is the number of decision rules of a layer: those of a net
of greedy rules, or all of them where there are few.

Source: `res-spanner-exponent`.
"""

from __future__ import annotations

import math

import numpy as np

from derl.inputs import real, whole
from derl.theory.foundations.setting import InvalidConstant, Setting


def greedy_rules(d: int, horizon: int, accuracy: float) -> float:
    """log of the number of greedy rules argmax_a phi^T w, w in a net, that lose at most accuracy/2 in all."""
    return d * math.log1p(8 * horizon**2 * math.sqrt(d) / accuracy)


def spanner_size(d: int, horizon: int, epsilon: float, delta: float, log_rules: float | None = None,
                 sigma: float | None = None) -> int:
    """N for d deployments per layer.

    Parameters
    ----------
    d, horizon, epsilon, delta
        As everywhere; 0 < epsilon <= H.
    log_rules : float or None
        log M, where the rules are a given finite set with an optimal policy in it; by default those of the net.
    sigma : float in (0, 1], or None
        Lower bound of max_pi |E_pi phi_h^T x| over unit vectors x and layers; None where there is none.

    Raises
    ------
    InvalidConstant
    """
    setting = Setting(d, horizon, epsilon, delta)
    if not setting.epsilon <= setting.horizon:
        raise InvalidConstant(f"epsilon is {epsilon!r}; it must be at most H = {horizon}")
    if sigma is not None:
        sigma = real(sigma, "sigma", above=0, high=1, error=InvalidConstant)
    logs = greedy_rules(d, horizon, min(epsilon, sigma or epsilon)) if log_rules is None else log_rules
    logs += math.log(6 * d**2 * horizon / delta)
    if sigma is None:
        return math.ceil(128 * d**2 * (1 + d) ** (2 * horizon) / epsilon**2 * logs)
    return math.ceil(max(512 * horizon**4 * d**4 / epsilon**2, 2048 * horizon**2 * d**6 / sigma**2) * logs)


def barycentric(points: np.ndarray) -> np.ndarray:
    """Indices of a barycentric spanner: all points are combinations of these rows with coefficients in [-1, 1].

    Rows are exchanged while that makes their volume larger by a part in 10^9.

    Parameters
    ----------
    points : (M, d)

    Returns
    -------
    (r,) int, r the rank
    """
    _, sizes, axes = np.linalg.svd(points, full_matrices=False)
    rank = whole(int((sizes > 1e-9 * max(sizes[0], 1e-300)).sum()), "rank", 1, error=InvalidConstant)
    flat = points @ axes[:rank].T
    chosen: list[int] = []
    rest = flat.copy()
    for _ in range(rank):  # greedily, the farthest from the span so far
        best = int(np.argmax(np.einsum("md,md->m", rest, rest)))
        chosen.append(best)
        unit = rest[best] / np.linalg.norm(rest[best])
        rest = rest - np.outer(rest @ unit, unit)
    while True:
        share = np.abs(flat @ np.linalg.inv(flat[chosen]))
        at, which = np.unravel_index(int(share.argmax()), share.shape)
        if share[at, which] <= 1 + 1e-9:
            return np.array(chosen)
        chosen[which] = int(at)
