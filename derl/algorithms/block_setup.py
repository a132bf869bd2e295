"""What block exploration fixes before its first deployment: designs, the parts of a batch, ridge and gamma."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from derl.algorithms.first_layer import leverages, own_coordinates, state_designs
from derl.algorithms.outcome import InvalidParameter
from derl.algorithms.run_reports import NEAR, Task
from derl.boundary import real, whole
from derl.boundary.arrays import as_array, as_floats
from derl.deployment.protocol import KnownPart
from derl.theory import reachability
from derl.theory.beyond import exchange

DATA = ("split", "pooled")
POOLED_RIDGE = 1.0


@dataclass(frozen=True, eq=False)
class Setup:
    """What is fixed before the first deployment.

    Attributes
    ----------
    designs : (H, S, A)
    leverage : float
        g.
    ridge, scale, gamma : float
    spacing : float
        Of the grid on which directions are rounded; 0 for none.
    amounts : tuple of int
        Trajectories for the plan, for a cover, and for the law of the first state in a cover.
    start : (S,) or None
    enough : bool
        Whether N is that of the theorem.
    """

    known: KnownPart
    batch_size: int
    block: int
    data: str
    designs: np.ndarray
    leverage: float
    ridge: float
    scale: float
    gamma: float
    spacing: float
    amounts: tuple[int, int, int]
    start: np.ndarray | None
    enough: bool

    @classmethod
    def of(cls, known, batch_size, epsilon, delta, block, nu_min, data, gamma, initial) -> Setup:
        """Designs, sizes of the parts, ridge and gamma."""
        found = [designed(phi.shape, phi.tobytes(), mask.tobytes())
                 for phi, mask in zip(known.phi, known.available, strict=True)]
        leverage = max(1.0, *(largest for _, largest in found))
        number = len(exchange.blocks(known.horizon, block))
        if gamma is not None:
            gamma = real(gamma, "gamma", above=0, below=1, error=InvalidParameter)
        if data == "pooled":
            own, enough = min(0.25, math.sqrt(known.dim / batch_size)), False
            level, scale, spacing, amounts = POOLED_RIDGE, 0.0, 0.0, (batch_size, 0, 0)
        else:
            nu, task = nu_min, (known.dim, known.horizon, epsilon, delta, block, leverage)
            if number > 1 and nu is None:
                nu = exchange.covered(*task, batch_size // (2 * (number - 1)))
            wanted = exchange.shares(*task, nu)
            amounts, enough = divided(batch_size, wanted, number, nu_min is None), batch_size >= wanted.batch_size
            if number > 1 and nu_min is None:
                enough = nu < 1 and amounts[0] // 2 >= wanted.plan
            level, scale, own = wanted.ridge, wanted.scale, wanted.gamma
            spacing = 0.0 if number == 1 else wanted.accuracy / (2 * math.sqrt(known.dim))
        start = None if initial is None else first_states(initial, known.n_states)
        designs = np.stack([weights for weights, _ in found])
        return cls(known, batch_size, block, data, designs, leverage, level, scale,
                   own if gamma is None else gamma, spacing, amounts, start, enough and gamma is None)

    def rounded(self, direction: np.ndarray) -> np.ndarray:
        """A point of the grid, towards 0."""
        return np.trunc(direction / self.spacing) * self.spacing if self.spacing else direction

    def parts(self, k: int) -> list[int]:
        """Sizes of the parts of deployment k: for each planning to come, one part per layer; then first states."""
        known, blocks = self.known, exchange.blocks(self.known.horizon, self.block)
        later = len(blocks) - 1 - k
        factors = exchange.domination(known.dim, self.leverage, known.horizon, self.block)
        ranges = tuple(float(known.horizon - 1 - h) for h in range(known.horizon))
        by_cover = exchange.costs(known.dim, factors, (1.0,) * known.horizon, 1.0, self.block)[k][1]
        by_plan = exchange.costs(known.dim, factors, ranges, 1.0, self.block)[k][1]
        sizes = [part for _ in range(later) for part in portions(self.amounts[1], by_cover)]
        starts = [self.amounts[2]] * later if k == 0 else []
        return sizes + portions(self.batch_size - sum(sizes) - sum(starts), by_plan) + starts


def blocks_of(task: Task) -> int:
    """K = ceil(H/L)."""
    return len(exchange.blocks(task.mdp.horizon, whole(task.options["block"], "block", 1, error=InvalidParameter)))


def with_blocks(task: Task) -> tuple[Task, dict]:
    """The theorem's N where none is given; nu is then certified from the instance, unless it is given or not needed."""
    if task.batch_size is not None:
        return task, {}
    mdp, block, nu, notes = task.mdp, task.options["block"], task.options["nu_min"], {}
    if nu is None and blocks_of(task) > 1:
        later = exchange.blocks(mdp.horizon, block)[1:]
        nu = min(float(reachability.nu(mdp, one.start + 1, relative=NEAR, subspace="reachable").lower) for one in later)
        notes = {"nu_min_is": "certified from the instance"}
    known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
    designs = [state_designs(*layer)[0] for layer in zip(mdp.phi, known.available, strict=True)]
    leverage = largest_leverage(known, designs)
    size = exchange.batch_size(mdp.dim, mdp.horizon, task.epsilon, task.delta, block, leverage, nu)
    return replace(task, batch_size=size, options={**task.options, "nu_min": nu}), notes


def divided(batch_size: int, wanted: exchange.Shares, number: int, even: bool) -> tuple[int, int, int]:
    """N in proportion to what the theorem wants; half for the plan where no nu says how much covers need."""
    if number == 1:
        return batch_size, 0, 0
    if not even and batch_size >= wanted.batch_size:
        return batch_size, wanted.cover, wanted.start
    rest = wanted.cover + wanted.start
    share = 1 / 2 if even else min(wanted.plan / wanted.batch_size, 1.0)
    each = batch_size * (1 - share) / (number - 1)
    return batch_size, int(each * (wanted.cover / rest)), max(1, int(each * (wanted.start / rest)))


def portions(size: int, shares: Sequence[float]) -> list[int]:
    """A part of the trajectories by layers, rounded up; one for each is set aside for that."""
    if size < len(shares):
        raise InvalidParameter(f"batch_size is too small to be divided: {size} trajectories for {len(shares)} layers; "
                               "take more, or data='pooled'")
    sizes = [max(1, math.ceil((size - len(shares)) * share)) for share in shares]
    sizes[int(np.argmax(shares))] += size - sum(sizes)
    return sizes


@lru_cache(maxsize=64)
def designed(shape: tuple[int, int, int], phi: bytes, available: bytes) -> tuple[np.ndarray, float]:
    """The designs of a layer, and its g; layers are often alike, and so are the instances of a sweep."""
    features, mask = np.frombuffer(phi).reshape(shape), np.frombuffer(available, bool).reshape(shape[:2])
    weights, _ = state_designs(features, mask)
    return weights, layer_leverage(features, mask, weights)


def largest_leverage(known: KnownPart, designs: list[np.ndarray]) -> float:
    """g = max phi' V_s^+ phi over layers, states and actions."""
    return max(1.0, *(layer_leverage(*layer) for layer in zip(known.phi, known.available, designs, strict=True)))


def layer_leverage(phi: np.ndarray, mask: np.ndarray, weights: np.ndarray) -> float:
    """max phi' V_s^+ phi over the states and actions of a layer."""
    return float(leverages(weights, *own_coordinates(phi, mask))[mask].max())


def first_states(initial, n_states: int) -> np.ndarray:
    """A first state, or a distribution, as a distribution (S,)."""
    if not as_array(initial, "initial", InvalidParameter).ndim:
        return np.eye(n_states)[whole(initial, "initial", 0, n_states - 1, InvalidParameter)]
    law = as_floats(initial, "initial", InvalidParameter)
    if law.shape != (n_states,) or not (law >= 0).all() or abs(law.sum() - 1) > 1e-9:
        raise InvalidParameter(f"initial has shape {law.shape} and sum {law.sum():.6g}; it must be a state or a "
                               f"distribution over {n_states} states")
    return law
