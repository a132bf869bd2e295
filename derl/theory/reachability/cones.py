r"""nu_h^2 from below: branch and bound over simplicial cones.

F(theta) = max_pi theta' Lambda_pi theta is at least theta' Lambda theta for any mixture Lambda = sum_k w_k Lambda_k. A
cone on which some mixture is seen to be above the level (`copositive`, and `means` for the
explorability coefficient) is a leaf. A cone on which the level is too high for that is cut in two at the middle of an
edge. The first cones are the orthants with a positive first coordinate, half of them because F(-theta) = F(theta), so
that the leaves of the tree cover everything. A leaf is accepted only after it was decided in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from derl.theory.reachability.algebra import grid
from derl.theory.reachability.copositive import SQUARE_BITS, SecondMoments
from derl.theory.reachability.means import FirstMoments
from derl.theory.reachability.pool import lowest
from derl.theory.reachability.sdp import BITS, WEIGHT_BITS

BLOCK = 128  # cones looked at together
HOPELESS = 0.25  # no mixture is looked for where the best single policy misses the level by this part of it
STEP = 2.0**52  # corners are multiples of 1/STEP
GENERATIONS = 200
LONGEST = 2  # every second generation cuts the longest edge
SAME = 0.9  # how much a common ratio of shares counts against a cut
SUSPECTS = 3
Bounds = SecondMoments | FirstMoments


@dataclass(frozen=True)
class Leaf:
    """A proved cone, with F >= level |theta|^2 on it, by the mixture {policy: weight} and squares (n, r) of int."""

    mixture: dict[int, int]
    level: Fraction
    squares: np.ndarray


@dataclass(frozen=True)
class ConeCover:
    """What the search proved.

    Attributes
    ----------
    level : Fraction
        F >= level |theta|^2 for every theta in the subspace, decided in whole numbers.
    nodes : list
        The tree in preorder: (i, j) cuts the edge of the columns i and j, first the half that keeps j, then the half
        that keeps i; a `Leaf` ends its branch.
    upper, direction
        The best value found on the way, and x with theta = basis x.
    complete : bool
        Whether the wanted gap was reached.
    """

    level: Fraction
    nodes: list
    upper: Fraction
    direction: np.ndarray
    complete: bool


def cover(bounds: Bounds, basis: np.ndarray, measure: Callable, start: np.ndarray, relative: float,
          limit: int) -> ConeCover | None:
    """Prove F >= level |theta|^2 on the span of the basis, with level >= (1 - relative) upper if the limit allows.

    Parameters
    ----------
    basis : (d, r) floats
        `bounds` has the exact one, up to a factor.
    measure : function of x
        Exact value F(theta)/|theta|^2 at theta = basis x, and the x that it belongs to in whole numbers.
    start : (r,)
        Where the first upper value is taken.
    limit : int
        Linear programmes, at most. Beyond, the level is what the open cones allow; None if that is not positive.
    """
    search = _Search(bounds, basis, measure, start, relative)
    while len(search.corners) and search.programmes < limit and search.generation < GENERATIONS:
        search.improve()
        search.close()
        search.split()
    return search.finish()


class _Search:
    """The open cones, the tree above them and the best direction so far."""

    def __init__(self, bounds, basis, measure, start, relative):
        self.bounds, self.basis, self.measure, self.relative = bounds, basis, measure, relative
        self.rank, self.programmes, self.generation = basis.shape[1], 0, 0
        self.upper, self.direction = measure(start)
        signs = product([1.0], *[[1.0, -1.0]] * (self.rank - 1))
        self.corners = np.array([np.diag(s) for s in signs])
        self.names = np.arange(len(self.corners))
        self.roots, self.tree, self.leaves = len(self.names), {}, {}
        self.size, self.suspects = self.roots, []
        self._none = np.zeros((0, self.rank))
        self._aim()

    def _aim(self):
        self.units = int(self.upper * (1 - Fraction(self.relative)) * 2**BITS)
        self.level = self.units / 2.0**BITS

    def improve(self):
        """Look for a lower direction from the middles of the open cones and from where their bounds are worst."""
        middles = self.corners.sum(axis=2)
        starts = [middles[self._peak(middles).argmin()]]
        self._peak(np.unique(np.moveaxis(self.corners, 2, 1).reshape(-1, self.rank), axis=0))
        if self.suspects:
            x, rho = map(np.array, zip(*self.suspects, strict=True))
            starts += list(x[np.argsort(self._peak(x))[:SUSPECTS]])
            self.bounds.learn(rho)
        value, x = lowest(self.bounds.pool, self.basis, starts)
        if value < float(self.upper) * (1 - 1e-9):
            exact, whole = self.measure(x)
            if exact < self.upper:
                self.upper, self.direction = exact, whole
                self._aim()

    def _peak(self, x):
        theta = x @ self.basis.T
        return self.bounds.pool.peak(theta / np.linalg.norm(theta, axis=1, keepdims=True))

    def _block(self, first):
        V = np.einsum("di,nij->ndj", self.basis, self.corners[first:first + BLOCK])
        return self.bounds.look(V / np.linalg.norm(V, axis=1, keepdims=True), self.level)

    def close(self):
        """Accept the open cones that are proved, by one policy or by a mixture; choose where to cut the others."""
        self.generation, self.suspects = self.generation + 1, []
        blocks = [self._close(first) for first in range(0, len(self.corners), BLOCK)]
        still = np.concatenate([kept for kept, _ in blocks])
        self._edges = np.concatenate([edges for _, edges in blocks])
        self.corners, self.names = self.corners[still], self.names[still]

    def _close(self, first):
        block = self._block(first)
        best, still = block.slack.argmax(axis=1), []
        scores = -block.form(np.arange(len(best)), best)
        for n, m in enumerate(best):
            slack, near = block.slack[n, m], block.near[n]
            proved = slack >= 0 and self._accept(first + n, near[m:m + 1], np.ones(1), self._none)
            if not proved and slack > -HOPELESS * self.level:
                self.programmes += 1
                mixed = self.bounds.mix(block, n, self.level)
                proved = mixed.level >= self.level and self._accept(first + n, near, mixed.weights, mixed.squares)
                if not proved:
                    scores[n] = _spread(mixed.dual, block.gram[n])
                    self.suspects.append(self._suspect(first + n, mixed.dual))
            if not proved:
                still.append(n)
        chosen = scores[still] if self.generation % LONGEST else -block.gram[still]
        edges = (chosen - 9.0 * np.eye(self.rank)).reshape(len(still), self.rank**2).argmax(axis=1)
        return first + np.array(still, dtype=int), edges

    def _suspect(self, n, dual):
        """Where an open cone is weakest: a direction, and the matrix rho = V X V' for columns of V of length 1."""
        V = self.basis @ self.corners[n]
        lengths = np.linalg.norm(V, axis=0)
        worst = np.abs(np.linalg.eigh(dual)[1][:, -1])
        return self.corners[n] @ (worst / lengths), (V / lengths) @ dual @ (V / lengths).T

    def _accept(self, n, policies, weights, squares):
        """Decide the cone in whole numbers; a proved one becomes a leaf."""
        corners = self.corners[n] * STEP
        if (corners % 1).any():
            return False
        mixture = {}
        for k, w in zip(policies.tolist(), grid(weights, WEIGHT_BITS), strict=True):
            if w > 0:
                mixture[k] = mixture.get(k, 0) + w
        squares = grid(squares, SQUARE_BITS).reshape(-1, self.rank)
        proved = self.bounds.proves(mixture, squares, self.units, corners.astype(np.int64).astype(object))
        if proved:
            self.leaves[int(self.names[n])] = Leaf(mixture, Fraction(self.units, 2**BITS), squares)
        return proved

    def split(self):
        """Cut every open cone in two at the middle of its chosen edge."""
        count = len(self.names)
        i, j, every = self._edges // self.rank, self._edges % self.rank, np.arange(count)
        middle = (self.corners[every, :, i] + self.corners[every, :, j]) / 2
        halves = [self.corners.copy(), self.corners.copy()]
        halves[0][every, :, i], halves[1][every, :, j] = middle, middle
        names = self.size + np.arange(2 * count)
        self.size += 2 * count
        for n in range(count):
            self.tree[int(self.names[n])] = (int(i[n]), int(j[n]), int(names[n]), int(names[n + count]))
        self.corners, self.names = np.concatenate(halves), names

    def finish(self):
        """The cover, at a lower level if cones are still open."""
        complete = not len(self.corners)
        if not complete:
            near, found = [], []
            for first in range(0, len(self.corners), BLOCK):
                block = self._block(first)
                near += list(block.near)
                found += [self.bounds.mix(block, n, self.level) for n in range(len(block.near))]
            self.units = min(self.units, int(min(mixed.level for mixed in found) * (1 - 1e-9) * 2**BITS))
            if self.units <= 0:
                return None
            if not all(self._accept(n, near[n], mixed.weights, mixed.squares) for n, mixed in enumerate(found)):
                return None
        level = min(leaf.level for leaf in self.leaves.values())
        return ConeCover(level, list(self._preorder()), self.upper, self.direction, complete)

    def _preorder(self):
        stack = list(range(self.roots))[::-1]
        while stack:
            name = stack.pop()
            if name in self.tree:
                i, j, first, second = self.tree[name]
                yield (i, j)
                stack += [second, first]
            else:
                yield self.leaves[name]


def _spread(dual, gram):
    """Which edge to cut: corners that lie far apart, and whose shares are large and not in one proportion.

    The dual is a mixture of x x'. Where all x have one ratio x_i/x_j, sqrt(X_ii X_jj) = X_ij: a cut separates nothing.
    """
    weight = np.sqrt(np.maximum(dual.diagonal(), 0.0))
    return (np.outer(weight, weight) - SAME * dual) * (1 - gram)
