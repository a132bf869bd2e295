r"""Fewer samples for Algorithm 1: batch sizes with every constant explicit, and the curve of K against N.

Each version takes one step more than the one before it. With the threshold share s (1/2 in the paper), c = c_K and
K = floor(c d H) + 1:

    "explicit"  the printed proof: Lemma 4.2 with constant 1, x = (s epsilon/(2 H beta))^2, per layer
                    N >= (c H (d log(Hd/x)/x)^c)^{1/(c-1)}
    "sharp"     the sharp lemma in every layer:      N >= (c/x^c)^{1/(c-1)}
    "flat"      one count for all layers, threshold s epsilon in every layer, x = (s epsilon/(2 beta))^2/H
                    N >= (c H/x^c)^{1/(c-1)}
    "chernoff"  N >= (4 beta H/((1-s)^2 epsilon)) log(2K/delta)  in the place of Hoeffding's
                    N >= (2 beta^2 H^2/((1-s)^2 epsilon^2)) log(2K/delta)
    "covering"  beta from the covering argument itself, not from its closed form (3/2) d H sqrt(log(2dKNH/delta))
    "share"     s nearer to 1, as far as the Chernoff condition allows

beta contains N and K: the least fixed point is taken. Proofs: `derl.claims.fewer_samples`, `derl.claims.concentration`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from derl.theory.constants import InvalidConstant, batch_size_layerwise, deployments_layerwise

STEPS = ("explicit", "sharp", "flat", "chernoff", "covering", "share")
C_BETA = 1.5  # Lemma C.4, repaired
ABSOLUTE_CONSTANT = 2 * 10**7  # c of Theorem C.6, repaired
SHARES = tuple(1 - 0.5 * 2 ** (-i / 2) for i in range(15))  # 1/2 to 0.996
TRADE_OFF_STEPS = STEPS[2:]  # versions with a flat threshold


@dataclass(frozen=True)
class Budget:
    """What a version needs.

    Attributes
    ----------
    version : str
    batch_size : int
        N.
    deployments : int
        K.
    beta : float
        Scale of the bonus.
    share : float
        s: a layer is finished when Delta_k < s epsilon, or s epsilon h_k/H where `layered`.
    layered : bool
        Whether the threshold grows with the layer, as printed.
    log_potential, log_test : float
        Logarithms of what the count of violations and the test on Delta_k ask of N.
    """

    version: str
    batch_size: int
    deployments: int
    beta: float
    share: float
    layered: bool
    log_potential: float
    log_test: float

    @property
    def trajectories(self) -> int:
        """K N, the trajectories in all."""
        return self.deployments * self.batch_size


def covering_scale(d: int, horizon: int, delta: float, log_samples: float) -> float:
    """beta of Lemma C.4 before it is put in closed form, for n = exp(log_samples) earlier trajectories.

    The smaller of H (sqrt d + sqrt n) and the least fixed point, at the best u, of

        beta/H = sqrt d + u + sqrt((d log(1 + n/d)/2 + d log(1 + 4n/u) + (d(d+1)/2) log(1 + 8 beta sqrt(dn)/(Hu))
                                    + log(2H/delta))/2) ;

    H where d = 1, or before any data.

    Parameters
    ----------
    log_samples : float
        -inf for n = 0.

    Raises
    ------
    InvalidConstant
    """
    _require(d, horizon, delta)
    if d == 1 or log_samples == -math.inf:
        return horizon * math.sqrt(d)
    u = d * np.logspace(-3, 1, 81)
    spread = d / 2 * np.logaddexp(0, log_samples - math.log(d)) + math.log(2 * horizon / delta)
    spread = spread + d * np.logaddexp(0, log_samples + np.log(4 / u))
    base, scale = math.sqrt(d) + u, np.full(u.shape, math.sqrt(d))
    while True:  # increasing, and the logarithm makes it a contraction
        inside = np.log(8 * scale / u) + 0.5 * (math.log(d) + log_samples)
        following = base + np.sqrt((spread + d * (d + 1) / 2 * np.logaddexp(0, inside)) / 2)
        if (following <= scale * (1 + 1e-13)).all():
            break
        scale = following
    crude = math.sqrt(d) + math.exp(min(0.5 * log_samples, 700.0))
    return horizon * min(float(following.min()), crude)


def bonus_scale_sharp(d: int, horizon: int, delta: float, n_deployments: int, log_n: float, version: str = "chernoff",
                      c_beta: float = C_BETA) -> float:
    """beta of a version for K deployments of N = exp(log_n) trajectories."""
    if version in ("covering", "share"):
        earlier = log_n + math.log(n_deployments - 1) if n_deployments > 1 else -math.inf
        return covering_scale(d, horizon, delta, earlier)
    _require(d, horizon, delta)
    return c_beta * d * horizon * math.sqrt(math.log(2 * d * n_deployments * horizon / delta) + log_n)


def budget(d: int, horizon: int, epsilon: float, delta: float, c_K: float, version: str = "share",
           c_beta: float = C_BETA) -> Budget:
    """N, K and beta of one version; with them the repaired algorithm keeps its promise.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon : float, > 0
    delta : float, in (0, 1)
    c_K : float, > 1
        The trade-off; K = floor(c_K d H) + 1.
    version : {"explicit", "sharp", "flat", "chernoff", "covering", "share"}
    c_beta : float, > 0
        Constant of the closed form of beta; unused from "covering" on.

    Raises
    ------
    InvalidConstant
    """
    _require(d, horizon, delta, epsilon)
    _require_version(version, STEPS)
    n_deployments = deployments_layerwise(d, horizon, c_K)  # checks c_K
    shares = SHARES if version == "share" else (0.5,)
    candidates = [_fixed_point(d, horizon, epsilon, delta, c_K, n_deployments, version, c_beta, s) for s in shares]
    return min(candidates, key=lambda found: found.batch_size)


def _fixed_point(d, horizon, epsilon, delta, c_K, n_deployments, version, c_beta, share) -> Budget:
    log_n = 0.0
    while True:  # increasing and bounded: beta grows like sqrt(log N)
        beta = bonus_scale_sharp(d, horizon, delta, n_deployments, log_n, version, c_beta)
        needs = log_conditions(d, horizon, epsilon, delta, c_K, n_deployments, beta, share, version)
        if max(needs) <= log_n + 1e-12:
            return Budget(version, whole_exp(log_n), n_deployments, beta, share, version in STEPS[:2], *needs)
        log_n = max(needs)


def log_level(d: int, horizon: int, epsilon: float, beta: float, share: float, version: str) -> float:
    """log x: what the mean square of a violation is at least, per layer or summed over the layers."""
    layers = 2 if version in STEPS[:2] else 1
    return 2 * math.log(share * epsilon / (2 * beta)) - layers * math.log(horizon)


def log_conditions(d: int, horizon: int, epsilon: float, delta: float, c_K: float, n_deployments: int, beta: float,
                   share: float, version: str) -> tuple[float, float]:
    """Logarithms of what the count of violations and the test on Delta_k ask of N."""
    log_x = log_level(d, horizon, epsilon, beta, share, version)
    inner = math.log(c_K) - c_K * log_x
    if version == "explicit":
        inner += math.log(horizon) + c_K * math.log(d * max(math.log(horizon * d) - log_x, math.log(2)))
    elif version != "sharp":
        inner += math.log(horizon)
    union = math.log(math.log(2 * n_deployments / delta)) - 2 * math.log(1 - share)
    if version in ("explicit", "sharp", "flat"):
        return inner / (c_K - 1), math.log(2) + 2 * math.log(beta * horizon / epsilon) + union
    return inner / (c_K - 1), math.log(4 * beta * horizon / epsilon) + union


def deployments_for(d: int, horizon: int, epsilon: float, delta: float, batch_size: float, version: str = "covering",
                    share: float = 0.5, c_beta: float = C_BETA) -> int:
    """K for a given N, with a flat threshold: floor(d H x*) + 1, x* the largest x with (1 + N y)^x <= 1 + x H N.

    y = (s epsilon/(2 beta))^2/H; beta contains K, so the least fixed point is taken. In float64: next to a whole
    number the floor may be off by one.

    Parameters
    ----------
    batch_size : float, >= 1
    version : {"flat", "chernoff", "covering", "share"}

    Raises
    ------
    InvalidConstant
        Also where N is too small for the test on Delta_k.
    """
    _require(d, horizon, delta, epsilon)
    _require_version(version, TRADE_OFF_STEPS)
    if not (batch_size >= 1 and math.isfinite(batch_size)):
        raise InvalidConstant(f"batch_size is {batch_size!r}; it must be a finite number >= 1")
    log_n, n_deployments = math.log(batch_size), 1
    while True:
        beta = bonus_scale_sharp(d, horizon, delta, n_deployments, log_n, version, c_beta)
        log_x = log_level(d, horizon, epsilon, beta, share, version)
        following = max(n_deployments, math.floor(d * horizon * _largest(log_n, log_x, math.log(horizon))) + 1)
        if following == n_deployments:
            break
        n_deployments = following
    _, needed = log_conditions(d, horizon, epsilon, delta, 2, n_deployments, beta, share, version)
    if log_n < needed:
        raise InvalidConstant(f"batch_size is {batch_size:.6g}; the test on Delta_k needs at least "
                              f"{math.exp(needed):.6g}")
    return n_deployments


def _largest(log_n: float, log_x: float, log_h: float) -> float:
    """The largest z >= 1 with (1 + N x)^z <= 1 + z H N, by Newton's method from the right."""
    rate, gain = float(np.logaddexp(0, log_n + log_x)), log_n + log_h

    def excess(z):
        return z * rate - float(np.logaddexp(0, gain + math.log(z)))

    z = 2.0
    while excess(z) <= 0:
        z *= 2
    while True:
        slope = rate - 1 / (z + math.exp(-gain))
        following = z - excess(z) / slope
        if not 1 <= following < z:
            return z
        z = following


def proved_batch_size(d: int, horizon: int, epsilon: float, delta: float, c_K: float) -> int:
    """The printed N with the absolute constant 2 * 10^7: Theorem C.6, repaired, for dH >= 2, epsilon <= 1, c_K >= 2."""
    _require(d, horizon, delta, epsilon)
    if d * horizon < 2 or epsilon > 1 or c_K < 2:
        raise InvalidConstant(f"d H is {d * horizon}, epsilon {epsilon}, c_K {c_K}; dH >= 2, epsilon <= 1 and c_K >= 2 "
                              "are allowed")
    return batch_size_layerwise(d, horizon, epsilon, delta, c_K, c=ABSOLUTE_CONSTANT)


def proved_bonus_scale(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta = (3/sqrt 2) d H sqrt(log(2dHN/delta)), which goes with `proved_batch_size`."""
    _require(d, horizon, delta)
    return 3 / math.sqrt(2) * d * horizon * math.sqrt(math.log(2 * d * horizon * batch_size / delta))


def whole_exp(logarithm: float) -> int:
    """ceil(exp(x)) as an integer of any size; relative accuracy 1e-13 beyond 2^53."""
    if logarithm < 36:
        return max(1, math.ceil(math.exp(logarithm)))
    power = math.floor(logarithm / math.log(2)) - 53
    return math.ceil(math.exp(logarithm - power * math.log(2))) * 2**power if power > 0 else math.ceil(
        math.exp(logarithm))


def _require(d, horizon, delta, epsilon=1.0) -> None:
    for value, name in ((d, "d"), (horizon, "horizon")):
        if isinstance(value, bool) or not value == int(value) or value < 1:
            raise InvalidConstant(f"{name} is {value!r}; it must be a whole number >= 1")
    if not (epsilon > 0 and math.isfinite(epsilon)):
        raise InvalidConstant(f"epsilon is {epsilon!r}; it must be a finite number > 0")
    if not 0 < delta < 1:
        raise InvalidConstant(f"delta is {delta!r}; it must lie in (0, 1)")


def _require_version(version, allowed) -> None:
    if version not in allowed:
        raise InvalidConstant(f"version is {version!r}; allowed are {', '.join(map(repr, allowed))}")
