r"""One deployment without its cube: visits n_h(s, a), and the moments sum_{s,a} phi_h(s, a) n_h(s, a, s').

Least squares on next-state values needs only these sums, for any values. The cube n_h(s, a, s') of
`derl.deployment.counts` has H S^2 A numbers, these have H S (A + d). The law is the same: the counts of every row are
drawn as there, multiplied by their features, and forgotten. P is formed a few rows at a time, and time grows with
H S^2.

Rows are independent once the numbers of arrivals are known, so they are drawn in blocks, each with its own stream,
named by layer and block. So the numbers do not depend on which process draws them, nor on the order.

Draws differ from those of `Batch` with the same seed; the law does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from derl.deployment.sizes import CHUNK, InvalidDeployment, draw_rows, safe_multinomial
from derl.inputs.display import Shown
from derl.mdp.layers import sealed
from derl.mdp.policies import Mixture
from derl.mdp.validation import SNAP

MODES = ("exact", "expected")
ROWS, SHARE = 256, 8  # blocks have 256 rows, or S / 8
CELLS = 2**20  # numbers that are held at a time

Stream = Callable[..., np.random.Generator]
BlockMap = Callable[[Callable, Iterable], Iterable]


@dataclass(frozen=True, eq=False, repr=False)
class Sums(Shown):
    """What one deployment collected, as far as least squares needs it.

    Attributes
    ----------
    visits : (H, S, A) int64 or float64
        n_h(s, a); every layer sums to `batch_size`. Read-only for good, as all arrays here.
    moments : (H, d, S) float64
        sum_{s,a} phi_h(s, a) n_h(s, a, s').
    batch_size : int
        N.
    exact : bool
        Whether the counts were drawn from the exact law and N <= 2^53, so that float64 holds each of them.
    mode : {"exact", "expected"}
    members : (M,) int64 or None
        For a mixture: how many trajectories followed each of its policies.
    """

    visits: np.ndarray
    moments: np.ndarray
    batch_size: int
    exact: bool = True
    mode: str = "exact"
    members: np.ndarray | None = None

    def __post_init__(self):
        for name in ("visits", "moments", "members"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, sealed(getattr(self, name)))

    def _facts(self):
        horizon, n_states, n_actions = self.visits.shape
        return {"batch_size": self.batch_size, "horizon": horizon, "n_states": n_states, "n_actions": n_actions,
                "dim": self.moments.shape[1], "exact": self.exact, "mode": self.mode}

    @cached_property
    def initial(self) -> np.ndarray:
        """How many trajectories start in each state, shape (S,)."""
        return sealed(self.visits[0].sum(axis=1))


class Block(NamedTuple):
    """Rows to be drawn: features (m, d), trajectories (m,), measures (d, S), and their stream."""

    phi: np.ndarray
    n: np.ndarray
    mu: np.ndarray
    rng: np.random.Generator


def draw_sums(mdp, policy, n: int, stream: Stream, mode: str = "exact", run: BlockMap = map) -> Sums:
    """Draw n trajectories under a valid policy.

    Parameters
    ----------
    policy : (H, S) int, (H, S, A) float or Mixture
    stream : callable
        (*whole numbers) -> Generator, a stream of its own for every name.
    mode : {"exact", "expected"}
        "expected" puts the mean in place of every draw.
    run : callable
        Like `map`: calls `draw_block` for every `Block`, here or on other machines, and yields in their order.

    Raises
    ------
    InvalidDeployment
        Another mode.
    """
    if mode not in MODES:
        raise InvalidDeployment(f"mode is {mode!r}; sums are drawn in the modes {MODES}")
    kind = np.int64 if mode == "exact" else np.float64
    visits, moments = np.zeros(mdp.phi.shape[:3], kind), np.zeros((mdp.horizon, mdp.dim, mdp.n_states))
    members, parts = None, [(n, policy)]
    if isinstance(policy, Mixture):
        members = safe_multinomial(stream(0), n, policy.weights, mode)
        parts = [(size, member) for size, member in zip(members.tolist(), policy.policies, strict=True) if size]
    for number, (size, member) in enumerate(parts, 1):
        _layers(mdp, np.asarray(member), size, lambda *at: stream(number, *at), mode, run,  # noqa: B023
                visits, moments)
    return Sums(visits, moments, n, mode == "exact" and n <= CHUNK, mode, members)


def _layers(mdp, policy, n, stream, mode, run, visits, moments) -> None:
    """Layer by layer, in blocks of rows: adds to visits and moments."""
    occupied = safe_multinomial(stream(0), n, mdp.initial, mode)
    for layer in range(mdp.horizon):
        states = np.flatnonzero(occupied)
        if policy.ndim == 2:
            actions, sizes = policy[layer, states].astype(np.intp), occupied[states]
        else:
            split = safe_multinomial(stream(layer + 1, 0), occupied[states], policy[layer, states], mode)
            row, actions = split.nonzero()
            states, sizes = states[row], split[row, actions]
        visits[layer, states, actions] += sizes
        occupied = np.zeros_like(occupied)
        if mode == "expected":
            mean(mdp, layer, states, actions, sizes, occupied, moments[layer])
            continue
        for following, moment in run(draw_block, blocks(mdp, layer, states, actions, sizes, stream)):
            occupied += following
            moments[layer] += moment


def blocks(mdp, layer: int, states: np.ndarray, actions: np.ndarray, sizes: np.ndarray, stream: Stream
           ) -> Iterator[Block]:
    """The rows (m,) of a layer (index from 0) in blocks, each with its stream."""
    step = max(ROWS, mdp.n_states // SHARE)
    mu = np.array(mdp.mu[layer])
    for number, first in enumerate(range(0, len(states), step), 1):
        rows = slice(first, first + step)
        yield Block(mdp.phi[layer, states[rows], actions[rows]], sizes[rows], mu, stream(layer + 1, number))


def draw_block(block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Arrivals (S,) int64 and moments (d, S) of a block of rows."""
    following, moments = np.zeros(block.mu.shape[1], np.int64), np.zeros(block.mu.shape)
    step = max(1, CELLS // block.mu.shape[1])
    for first in range(0, len(block.n), step):
        phi, n = block.phi[first:first + step], block.n[first:first + step]
        p = phi @ block.mu
        p[p < SNAP] = 0.0
        counts = draw_rows(block.rng, n, p, "exact")
        following += counts.sum(axis=0)
        moments += phi.T @ counts
    return following, moments


def mean(mdp, layer: int, states: np.ndarray, actions: np.ndarray, sizes: np.ndarray, occupied: np.ndarray,
         moment: np.ndarray) -> None:
    """Adds the means to `occupied` (S,) and `moment` (d, S): sum n phi phi^T mu, without P."""
    phi = mdp.phi[layer, states, actions]
    moment += (phi.T * sizes) @ phi @ mdp.mu[layer]
    occupied += np.maximum((sizes @ phi) @ mdp.mu[layer], 0.0)
