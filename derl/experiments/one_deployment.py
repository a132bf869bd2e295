"""One deployment at the sizes of its theorems: instances, losses, errors of regressions, moments of signed weights."""

from __future__ import annotations

import math

import numpy as np

from derl.algorithms.one_deployment import Planner, one_deployment_exploration, state_designs_of
from derl.algorithms.state_designs import signed_weights
from derl.deployment import Deployer, KnownPart
from derl.mdp import LinearMDP, instances, planning
from derl.theory.beyond import one_deployment as theory
from derl.theory.beyond.odd_game import informative, necessary_size
from derl.theory.texts import said


def families() -> list[LinearMDP]:
    """Odd-one-out locks, junk locks, and a random simplex."""
    return [instances.odd_one_out(4, 3, (2,), (0, 1), (1, -1), 0.5), instances.odd_one_out(6, 2, (), (0, 2, 4),
                                                                                         (1, -1, 1), 0.5),
            instances.junk_lock(2, 6, (0, 1, 1, 0, 1), 0.5), instances.junk_lock(3, 4, (1, 2, 0), 0.5),
            instances.random_simplex(5, 4, 3, 4, 3)]


def designs_of(mdp: LinearMDP) -> tuple[np.ndarray, float]:
    """The designs (H, S, A) of an instance, and g."""
    return state_designs_of(KnownPart(mdp.phi, mdp.rewards(), mdp.available))


def size(mdp: LinearMDP, epsilon: float, delta: float, version: str) -> int:
    """N of the theorem of a version, with the g of the designs."""
    return theory.batch_size(mdp.dim, mdp.horizon, epsilon, delta, designs_of(mdp)[1], version)


def largest_loss(mdp: LinearMDP, batch_size: int, epsilon: float, delta: float, version: str, seed: int,
                 others: int = 5) -> float:
    """The largest loss of the plans for the instance's own reward and for random linear ones, after one deployment."""
    outcome = one_deployment_exploration(Deployer(mdp, batch_size, 1, "any", seed), epsilon, delta, version)
    found, rng = [planning.gap(mdp, outcome.policy)], np.random.default_rng(np.random.SeedSequence((seed, others)))
    for _ in range(others):
        theta = rng.uniform(0.0, 1.0, (mdp.horizon, mdp.dim))
        theta = theta / max(1.0, np.einsum("hsad,hd->hsa", mdp.phi, theta).max())
        found.append(planning.gap(mdp.with_reward(theta), outcome.dataset.plan(theta)))
    return max(found)


def mean_errors(mdp: LinearMDP, batch_size: int, seeds: range) -> tuple[np.ndarray, np.ndarray]:
    """The largest E_pi (phi' x)^2 of any policy in the mean over runs, and its bound, for the layers 1, ..., H-1.

    The largest mean over policies is found by dynamic programming with the true transitions.
    """
    leverage, horizon = designs_of(mdp)[1], mdp.horizon
    sizes = [math.floor(batch_size * share) for share in theory.shares(horizon, leverage)]
    text = said("res-ridge-mean")
    bounds = [leverage ** (h + 1) * text(r"...\le", after="Then", skip=1, R=horizon - 1 - h, d=mdp.dim, n=n)
              for h, n in enumerate(sizes)]
    squares = np.mean([squared_errors(mdp, one_deployment_exploration(
        Deployer(mdp, batch_size, 1, "any", seed), 1.0, 0.1, "mean").dataset) for seed in seeds], axis=0)
    return squares, np.array(bounds, float)


def squared_errors(mdp: LinearMDP, model: Planner) -> np.ndarray:
    """The largest E_pi (phi' x)^2 over policies for the regressions of a plan, layer by layer."""
    horizon, true, rewards, mask = mdp.horizon, mdp.transitions(), mdp.rewards(), mdp.available
    values, squares = np.where(mask[-1], rewards[-1], -np.inf).max(axis=1), []
    for h in reversed(range(horizon - 1)):
        future = model.predicted(h, values)
        largest = np.where(mask[h], (future - true[h] @ values) ** 2, 0.0).max(axis=1)
        for before in reversed(range(h)):
            largest = np.where(mask[before], true[before] @ largest, 0.0).max(axis=1)
        squares.append(float(mdp.initial @ largest))
        values = np.where(mask[h], rewards[h] + np.clip(future, 0.0, horizon - 1 - h), -np.inf).max(axis=1)
    return np.array(squares[::-1])


def signed_moments(mdp: LinearMDP, plan: np.ndarray) -> tuple[float, list[float], float]:
    """E Y, the E W_h^2 for h = 1, ..., H-1, and g for a plan (H, S): by dynamic programming, without sampling.

    Source: `res-evaluate-named-policy`.
    """
    designs, leverage = designs_of(mdp)
    rewards, true, states = mdp.rewards(), mdp.transitions(), np.arange(mdp.n_states)
    mean = square = mdp.initial  # of W_(h-1) and of its square, by the state s_h
    value, squares = mdp.horizon / 2, []
    for h in range(mdp.horizon):
        value += mean @ (rewards[h, states, plan[h]] - 0.5)
        if h < mdp.horizon - 1:
            weights = signed_weights(mdp.phi[h], mdp.available[h], designs[h])[states, :, plan[h]]
            mean = np.einsum("s,sa,sat->t", mean, designs[h] * weights, true[h])
            square = np.einsum("s,sa,sat->t", square, designs[h] * weights**2, true[h])
            squares.append(float(square.sum()))
    return float(value), squares, leverage


def mean_loss(d: int, horizon: int, bias: float, batch_size: int, locks: int, seed: int, version: str) -> float:
    """The mean loss over b of a version, over random odd-one-out locks."""
    rng, found = np.random.default_rng(np.random.SeedSequence((seed, d, horizon))), []
    for number in range(locks):
        hidden = rng.permutation(d)[: d // 2].tolist()
        digits, signs = rng.integers(d, size=horizon - 2).tolist(), rng.choice([1, -1], d - d // 2).tolist()
        mdp = instances.odd_one_out(d, horizon, digits, hidden, signs, bias)
        deployer = Deployer(mdp, batch_size, 1, "any", seed + number)
        found.append(planning.gap(mdp, one_deployment_exploration(deployer, bias, 0.1, version).policy) / bias)
    return float(np.mean(found))


def worst_mean_loss(d: int, horizon: int, batch_size: int, locks: int, seed: int) -> float:
    """The largest mean loss of the version "mean" over four biases; the first one is that of the lower bound."""
    middle = 1 / (4 * math.sqrt(informative(d, horizon, batch_size)))
    return max(bias * mean_loss(d, horizon, bias, batch_size, locks, seed, "mean")
               for bias in {min(0.5, middle * factor) for factor in (1.0, 1.5, 2.0, 3.0)})


def measured_size(d: int, horizon: int, bias: float, locks: int, seed: int) -> int:
    """The first power of the root of 2, from the size that is necessary on, with which the mean loss is at most b/4."""
    power = math.floor(2 * math.log2(necessary_size(d, horizon, bias)))
    while mean_loss(d, horizon, bias, math.floor(2 ** (power / 2)), locks, seed, "bounded") > 0.25:
        power += 1
    return math.floor(2 ** (power / 2))
