r"""Algorithm 1 for all bonus scales and all large batches at once, in rational intervals.

Let beta >= b_0 and beta/sqrt(N) <= e_0. Divide every count by N. As long as only basis vectors have been visited,
Lambda is diagonal, and with c_i N visits of e_i, i in the explored set I,

    w_i = (sum c V)/(c_i + 1/N),        w_i = 0 outside I,
    beta |phi|  in  [0, e_0 sum_i |phi_i|/min(c_i, 1)]                    if phi lies in the span of I,
    beta |phi|  >=  b_0 (sum of phi_i^2 outside I)^{1/2}                  otherwise; capped it is H, if that is >= H.

So every quantity lies in a rational interval that does not depend on beta and N, and every comparison that the
intervals settle has the same answer for all of them. A random share of a batch is within `spread` of its probability
p: of N trajectories at one state that fails with probability at most 2 exp(-2 N spread^2) per pair of successors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from derl.exact.balls import Undecided
from derl.mdp import exact

Interval = tuple[Fraction, Fraction]
ZERO = (Fraction(0), Fraction(0))


@dataclass(frozen=True)
class Scales:
    """What is known of beta and N.

    Attributes
    ----------
    least_beta : Fraction
        beta >= least_beta.
    largest_ratio : Fraction
        beta/sqrt(N) <= largest_ratio, so 1/N <= (largest_ratio/least_beta)^2.
    spread : Fraction
        Each random share of a batch is its probability up to this.
    """

    least_beta: Fraction
    largest_ratio: Fraction
    spread: Fraction

    @property
    def largest_inverse(self) -> Fraction:
        """An upper bound of 1/N."""
        return (self.largest_ratio / self.least_beta) ** 2


@dataclass(frozen=True)
class Limit:
    """A run that is the same for all beta and N in range.

    Attributes
    ----------
    policy : (H, S) int or None
        The returned policy; None if the run came to a feature that is no basis vector: the trap is open.
    layers : tuple of int
        h_k for each deployment.
    gap : Fraction
        Exact suboptimality of the returned policy; 0 where there is none.
    deficit : Fraction
        V*_1 - V_1^k at the first state and the last deployment, from below; 0 where the trap is open.
    n_random : int
        Random transitions met.
    finished : tuple of (H, S) int
        The policy that finishes each layer, layer 1 first.
    """

    policy: np.ndarray | None
    layers: tuple[int, ...]
    gap: Fraction
    deficit: Fraction
    n_random: int
    finished: tuple[np.ndarray, ...]


def replay_limit(mdp, epsilon: Fraction, scales: Scales, max_deployments: int, version: str = "as-printed") -> Limit:
    """Run Algorithm 1 on an exact instance with first state 0; the tail is the first action.

    Parameters
    ----------
    mdp : ExactMDP
    version : {"as-printed", "repaired"}
        With the bonus capped at H before it is added, or not.

    Raises
    ------
    Undecided
        A comparison that the intervals do not settle, or more deployments than allowed.
    """
    H, dim = mdp.horizon, mdp.dim
    shares = np.full((H, dim, mdp.n_states), None, dtype=object)  # of N, per explored basis vector and next state
    layer, layers, finished, n_random = 1, [], [], 0
    for _ in range(max_deployments):
        policy, value = _plan(mdp, shares, layer, scales, version)
        layers.append(layer)
        new, fresh, missing = _deploy(mdp, policy, shares, layer, scales)
        if new is None:
            return Limit(None, tuple(layers), Fraction(0), Fraction(0), n_random, tuple(finished))
        n_random += fresh
        if missing:  # an unexplored direction among the first h_k layers: Delta_k is at least 2 b_0 times its share
            if 2 * scales.least_beta * missing <= epsilon / 2:
                raise Undecided(f"deployment {len(layers)} may or may not finish layer {layer}")
        else:
            bound = sum(scales.largest_ratio / min(1, *(share for share, _ in _totals(shares[h]) if share))
                        for h in range(layer))
            if 2 * bound >= epsilon * layer / (2 * H):
                raise Undecided(f"deployment {len(layers)} may or may not finish layer {layer}")
            finished.append(policy)
            if layer == H:
                best = exact.optimal(mdp).value
                mine = exact.evaluate(mdp, policy).value
                return Limit(policy, tuple(layers), best - mine, best - value[1], n_random, tuple(finished))
            layer += 1
        shares = new
    raise Undecided(f"not finished after {max_deployments} deployments")


def _totals(shares) -> list[Interval]:
    """Share of each basis vector among the N trajectories of all batches so far, (0, 0) where unexplored."""
    return [tuple(sum((p[side] for p in row if p is not None), Fraction(0)) for side in (0, 1)) for row in shares]


def _plan(mdp, shares, layer: int, scales: Scales, version: str) -> tuple[np.ndarray, Interval]:
    """Greedy policy of the first `layer` layers, first action beyond, and the value of the first state."""
    H, policy = mdp.horizon, mdp.available.argmax(axis=2)
    values: list[Interval] = [ZERO] * mdp.n_states
    rewards = mdp.rewards()
    possible = _possible(mdp)
    for h in reversed(range(layer)):
        totals = _totals(shares[h])
        weights = [_weight(row, values, scales.largest_inverse) for row in shares[h]]
        following = []
        for s in range(mdp.n_states):
            if s not in possible[h]:  # no policy comes here, and no data either
                following.append(ZERO)
                continue
            best = None
            for a in np.flatnonzero(mdp.available[h, s]):
                q = _optimistic(mdp.phi[h, s, a], rewards[h, s, a], weights, totals, H, scales, version)
                if best is None or (best[0] != q or q[0] != q[1]) and _above(q, best[0]):
                    best = q, a
            following.append(best[0])
            policy[h, s] = best[1]
        values = following
    return policy, values[0]


def _possible(mdp) -> list[set[int]]:
    """The states that some policy reaches, layer by layer."""
    transitions, found = mdp.transitions(), [{0}]
    for h in range(mdp.horizon - 1):
        found.append({int(t) for s in found[-1] for a in np.flatnonzero(mdp.available[h, s])
                      for t in np.flatnonzero(transitions[h, s, a])})
    return found


def _weight(row, values, inverse: Fraction) -> Interval:
    """w_i = (sum c V)/(sum c + 1/N): monotone in every c, in every V and in 1/N, so extreme at a corner."""
    seen = [(p, value) for p, value in zip(row, values, strict=True) if p is not None]
    if not seen:
        return ZERO
    corners = list(product(*(p for p, _ in seen), (Fraction(0), inverse)))
    return tuple(pick(sum(c * value[side] for c, (_, value) in zip(corner, seen, strict=False)) / sum(corner)
                      for corner in corners) for side, pick in ((0, min), (1, max)))


def _optimistic(feature, reward, weights, totals, H, scales: Scales, version: str) -> Interval:
    """Q of one action, an exact pair (H, H) where it is certainly at the cap."""
    low = high = Fraction(reward)
    for x, (least, most) in zip(feature, weights, strict=True):
        low, high = low + min(x * least, x * most), high + max(x * least, x * most)
    outside = sum(x**2 for x, total in zip(feature, totals, strict=True) if not total[1])
    if not outside:
        bonus = Fraction(0), sum((scales.largest_ratio * abs(x) / min(total[0], 1)
                                  for x, total in zip(feature, totals, strict=True) if x), Fraction(0))
    elif scales.least_beta**2 * outside < H**2:
        raise Undecided("a bonus that may or may not be capped")
    else:  # beta |phi| >= b_0 |outside| >= b_0 outside, as |phi| <= 1
        bonus = (Fraction(H), Fraction(H)) if version == "as-printed" else (scales.least_beta * outside, None)
    low = min(low + bonus[0], Fraction(H))
    return low, Fraction(H) if bonus[1] is None else min(high + bonus[1], Fraction(H))


def _above(one: Interval, other: Interval) -> bool:
    if one[0] > other[1]:
        return True
    if one[1] <= other[0]:
        return False
    raise Undecided(f"[{float(one[0])}, {float(one[1])}] against [{float(other[0])}, {float(other[1])}]")


def _deploy(mdp, policy, shares, layer: int, scales: Scales):
    """Shares after one more batch (None if a visited feature is no basis vector), random transitions, and the share
    of the batch that met an unexplored direction within the first `layer` layers."""
    transitions, new = mdp.transitions(), shares.copy()
    here: dict[int, Interval] = {0: (Fraction(1), Fraction(1))}
    n_random, missing = 0, Fraction(0)
    for h in range(mdp.horizon):
        totals, following = _totals(shares[h]), {}
        for s, share in here.items():
            feature = mdp.phi[h, s, policy[h, s]]
            direction = np.flatnonzero(feature)
            if len(direction) != 1 or feature[direction[0]] != 1:
                return None, n_random, missing
            i = int(direction[0])
            if h < layer and not totals[i][1]:
                missing = max(missing, share[0])
            row = transitions[h, s, policy[h, s]]
            n_random += int(np.count_nonzero(row)) > 1
            for t in np.flatnonzero(row):
                p = row[t]
                width = scales.spread if p != 1 else 0
                part = share[0] * (p - width), share[1] * (p + width)
                following[int(t)] = _add(following.get(int(t)), part)
                new[h, i, t] = _add(new[h, i, t], part)
        here = following
    return new, n_random, missing


def _add(one: Interval | None, other: Interval) -> Interval:
    return other if one is None else (one[0] + other[0], one[1] + other[1])
