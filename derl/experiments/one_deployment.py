"""One deployment at the smaller N: the size from the statement, and the mean square errors of its regressions."""

from __future__ import annotations

import math

import numpy as np

from derl.algorithms.blocks import BlockModel, block_exploration
from derl.deployment import Deployer
from derl.mdp import LinearMDP, instances, planning
from derl.theory.beyond import exchange
from derl.theory.beyond.odd_game import necessary_size
from derl.theory.texts import said


def families() -> list[LinearMDP]:
    """Odd-one-out locks, junk locks, and a random simplex."""
    return [instances.odd_one_out(4, 3, (2,), (0, 1), (1, -1), 0.5), instances.odd_one_out(6, 2, (), (0, 2, 4),
                                                                                         (1, -1, 1), 0.5),
            instances.junk_lock(2, 6, (0, 1, 1, 0, 1), 0.5), instances.junk_lock(3, 4, (1, 2, 0), 0.5),
            instances.random_simplex(5, 4, 3, 4, 3)]


def size(mdp: LinearMDP, epsilon: float, delta: float, leverage: float | None = None) -> int:
    """N of `res-one-deployment-upper`, rounded up; the leverage is at most d times what the designs miss of G-optimal.

    Source: `res-one-deployment-upper`.
    """
    one, upper = said("res-one-deployment"), said("res-one-deployment-upper")
    d, horizon = mdp.dim, mdp.horizon
    at = {"d": d, "H": horizon, "delta": delta}
    b = one("b=", t=one("t=", **at), lambda_=one(r"\lambda=", c_0=one("c_0="), **at), d=d)
    return math.ceil(upper(r"N\ge", after="one deployment of", b=b, g=leverage or 1.01 * d, epsilon=epsilon, H=horizon))


def error_ratio(mdp: LinearMDP, epsilon: float, delta: float, seed: int) -> np.ndarray:
    """max over policies of E (phi' x)^2 over its bound 2 g^h (H-h)^2 b^2/n_h, for the layers h = 1, ..., H-1."""
    squares, bounds = errors(mdp, size(mdp, epsilon, delta), epsilon, delta, seed)
    return squares / bounds


def errors(mdp: LinearMDP, batch_size: int, epsilon: float, delta: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The largest mean square error of any policy, and its bound, for the layers 1, ..., H-1.

    The largest mean over policies is found by dynamic programming with the true transitions.
    """
    deployer = Deployer(mdp, batch_size, 1, "any", seed)
    model: BlockModel = block_exploration(deployer, epsilon, delta, mdp.horizon).dataset
    d, horizon, leverage = mdp.dim, mdp.horizon, 1.01 * mdp.dim
    factors = exchange.domination(d, leverage, horizon, horizon)
    shares = exchange.costs(d, factors, tuple(float(horizon - 1 - h) for h in range(horizon)), 1.0, horizon)[0][1]
    scale = exchange.error_scale(d, exchange.ridge(d, horizon, delta, 1), math.log(4 * horizon / delta))
    true, rewards, mask = mdp.transitions(), mdp.rewards(), mdp.available
    values, squares, bounds = np.zeros(mdp.n_states), [], []
    for h in reversed(range(horizon)):
        future = np.zeros(mask[h].shape)
        if h < horizon - 1:
            future = model.predicted(h, values)
            largest = np.where(mask[h], (future - true[h] @ values) ** 2, 0.0).max(axis=1)
            for before in reversed(range(h)):
                largest = np.where(mask[before], true[before] @ largest, 0.0).max(axis=1)
            squares.append(float(mdp.initial @ largest))
            bounds.append(2 * factors[h] * ((horizon - 1 - h) * scale) ** 2 / (shares[h] * (batch_size - horizon)))
        values = np.where(mask[h], np.clip(rewards[h] + future, 0.0, horizon - h), -np.inf).max(axis=1)
    return np.array(squares[::-1]), np.array(bounds[::-1])


def mean_loss(d: int, horizon: int, bias: float, batch_size: int, locks: int, seed: int) -> float:
    """The mean loss over b of block exploration with one block and pooled data, over random odd-one-out locks."""
    rng, found = np.random.default_rng(np.random.SeedSequence((seed, d, horizon))), []
    for number in range(locks):
        hidden = rng.permutation(d)[: d // 2].tolist()
        digits, signs = rng.integers(d, size=horizon - 2).tolist(), rng.choice([1, -1], d - d // 2).tolist()
        mdp = instances.odd_one_out(d, horizon, digits, hidden, signs, bias)
        deployer = Deployer(mdp, batch_size, 1, "any", seed + number)
        found.append(planning.gap(mdp, block_exploration(deployer, bias, 0.1, horizon, data="pooled").policy) / bias)
    return float(np.mean(found))


def measured_size(d: int, horizon: int, bias: float, locks: int, seed: int) -> int:
    """The first power of the root of 2, from the size that is necessary on, with which `mean_loss` is at most 1/4."""
    power = math.floor(2 * math.log2(necessary_size(d, horizon, bias)))
    while mean_loss(d, horizon, bias, math.floor(2 ** (power / 2)), locks, seed) > 0.25:
        power += 1
    return math.floor(2 ** (power / 2))
