r"""One policy deployed repeatedly until an event occurs, at a cost that is logarithmic in the number of deployments.

Many deployments are drawn at once, as counts. If the event has not occurred by then, the block is kept, and twice as
many are drawn next. If it has occurred, the block is divided: given the counts of a block, those of its first m
trajectories are a sample without replacement, layer by layer,

    starts of the first m             ~ m out of the multiset n_1(s)
    next states of those that are in s at layer h   ~ that many out of the multiset n_h(s, pi_h(s), .)

because next states of the trajectories in a state are exchangeable, whatever led there. The division is repeated until
one deployment is left. The later deployments are discarded without being read. So the law is that of deploying one by
one.

The place of a division is guessed by proportion, alternately a little below and a little above; therefore a dozen
divisions are enough for 1e12 deployments. A guess uses only counts that are known already, so it does not change the
law.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from derl.deployment.sizes import LARGEST_EXACT, safe_multinomial

FEW, SPARSE = 16, 1  # so many are chosen one by one, by places out of at least their square
SMALL = 32  # blocks of at most so many deployments are halved
SECANTS, CLOSE = 12, 1e-9  # steps for a proportion, and when its progress is near enough to 1


def until(sampler, rng: np.random.Generator, policy: np.ndarray, batch_size: int, most: int,
          progress: Callable[[np.ndarray], float], block: int = 1) -> tuple[np.ndarray, int]:
    """The counts (H, S, A, S) of the deployments up to the first with progress >= 1, and their number.

    Parameters
    ----------
    sampler : CountSampler
    policy : (H, S) int
    batch_size : int
        N.
    most : int
        Deployments at most; no more than 2^63 - 1 trajectories are drawn in all.
    block : int
        How many are drawn first; a guess, it changes the cost alone.
    """
    most = max(1, min(most, LARGEST_EXACT // batch_size))
    total, made = 0, 0
    while made < most:
        size = min(block, most - made)
        counts = sampler.draw(rng, policy, size * batch_size).counts
        if progress(total + counts) >= 1:
            total, first = _divide(rng, total, counts, size, batch_size, progress)
            return total, made + first
        total, made, block = total + counts, made + size, 2 * block
    return total, made


def _divide(rng, total, block: np.ndarray, size: int, batch_size: int, progress) -> tuple[np.ndarray, int]:
    """What had been collected when it happened within a block, and the number of its deployments until then."""
    low, above = 0, False
    while size > 1:
        first = size // 2 if size <= SMALL else _guess(total, block, size, progress, above)
        above = not above
        head = first_of(rng, block, first * batch_size)
        if progress(total + head) >= 1:
            block, size = head, first
        else:
            total, block, low, size = total + head, block - head, low + first, size - first
    return total + block, low + 1


def _guess(total, block: np.ndarray, size: int, progress, above: bool) -> int:
    """A division of the block by proportion, two standard deviations to one side."""
    low, high = 0.0, 1.0
    below, over = progress(total + 0 * block) - 1, progress(total + block) - 1
    for _ in range(SECANTS):
        middle = low + (high - low) * below / (below - over)
        value = progress(total + middle * block) - 1
        if value >= 0:  # the value at the end that stays is halved, so that both ends move (Illinois)
            high, over, below = middle, value, below / 2
        else:
            low, below, over = middle, value, over / 2
        if abs(value) < CLOSE:
            break
    spread = 2 * math.sqrt(size) * (1 if above else -1)
    return min(max(round(middle * size + spread), 1), size - 1)


def first_of(rng: np.random.Generator, counts: np.ndarray, n: int) -> np.ndarray:
    """The counts of the first n trajectories, given those of all, (H, S, A, S) int64.

    The trajectories are those of one deterministic policy, so that a state has one action with counts.
    """
    head = np.zeros_like(counts)
    occupied = choose(rng, counts[0].sum(axis=(1, 2))[None], np.array([n]))[0]
    for layer, full in enumerate(counts):
        states = np.flatnonzero(occupied)
        actions = full[states].sum(axis=2).argmax(axis=1)
        head[layer, states, actions] = chosen = choose(rng, full[states, actions], occupied[states])
        occupied = chosen.sum(axis=0)
    return head


def choose(rng: np.random.Generator, pool: np.ndarray, n: np.ndarray) -> np.ndarray:
    """n (m,) items out of the multisets pool (m, S), row by row and without replacement, (m, S) int64.

    Notes
    -----
    Every item is taken with the same chance, independently; given their number, the items are a simple random sample.
    If a few are missing, they are chosen from the rest in the same way; if there are a few too many, they are removed
    in the same way. numpy's own sampler refuses totals of 1e9 and more.
    """
    if n.max(initial=0) <= FEW:
        return _one_by_one(rng, pool, n)
    share = np.broadcast_to((n / np.maximum(pool.sum(axis=1), 1))[:, None], pool.shape)
    taken = safe_multinomial(rng, pool, np.stack([share, 1 - share], axis=2))[..., 0]
    missing = n - taken.sum(axis=1)
    more = (missing > 0)[:, None]
    return taken + np.where(more, 1, -1) * choose(rng, np.where(more, pool - taken, taken), np.abs(missing))


def _one_by_one(rng, pool: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Items by their place in the row: uniform places, and rows where one comes twice are drawn again."""
    chosen, ends = np.zeros_like(pool), np.cumsum(pool, axis=1)
    rows, columns = np.flatnonzero(n), np.arange(n.max(initial=0))
    crowded = rows[ends[rows, -1] < SPARSE * n[rows] ** 2]
    for row in crowded:  # few items: too many come twice
        places = rng.permutation(ends[row, -1])[:n[row]]
        chosen[row] = np.bincount(np.searchsorted(ends[row], places, side="right"), minlength=pool.shape[1])
    rows = rows[ends[rows, -1] >= SPARSE * n[rows] ** 2]
    while rows.size:
        places = rng.integers(0, ends[rows, -1:], size=(len(rows), len(columns)))
        places = np.where(columns < n[rows][:, None], places, -1 - columns)  # what is not needed differs from all else
        in_order = np.sort(places, axis=1)
        good = (in_order[:, 1:] != in_order[:, :-1]).all(axis=1)
        cells = (ends[rows[good], :, None] <= places[good][:, None]).sum(axis=1)
        wanted = places[good] >= 0
        np.add.at(chosen, (np.repeat(rows[good], len(columns))[wanted.ravel()], cells[wanted]), 1)
        rows = rows[~good]
    return chosen
