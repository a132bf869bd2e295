"""The game of Theorem B.2, solved exactly for finite batches and played on the simulator."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from derl.deployment import Deployer
from derl.mdp import instances
from derl.mdp.exact import ExactMDP
from derl.show.drawing.tables import table
from derl.theory import lower_bounds
from derl.theory.lower_bounds import bandit_game


def finite_batches(games: Iterable[tuple[int, int]], sizes: Iterable[int], bias: Fraction):
    """Exact failure of the best algorithm for each game (m, K) and batch size N, and its limit, as a table."""
    rows = [(m, K, *(f"{float(bandit_game.bayes_failure(m, K, N, bias)):.4f}" for N in sizes),
             f"{(limit := lower_bounds.bandit_failure(m, K))} = {float(limit):.4f}") for m, K in games]
    return table(("arms m", "deployments K", *(f"N = {N}" for N in sizes), "limit"), rows)


def best_and_worst(mdp: ExactMDP) -> tuple[Fraction, Fraction]:
    """Largest and smallest value of a policy, by backward induction in fractions."""
    values = []
    for choose in (max, min):
        V = np.zeros(mdp.phi.shape[1], dtype=object)
        for h in reversed(range(len(mdp.phi))):
            Q = mdp.phi[h] @ (mdp.mu[h] @ V + mdp.theta[h])
            able = zip(Q, mdp.available[h], strict=True)
            V = np.array([choose(q[mask], default=0) for q, mask in able], dtype=object)
        values.append(mdp.initial @ V)
    return values[0], values[1]


def pull(deployer: Deployer, layer: int, action: int) -> np.ndarray:
    """Deploy the policy that stays until `layer` and then pulls `action`; how often it led to g, u1, u2."""
    policy = np.zeros((deployer.known.horizon, deployer.known.n_states), dtype=int)
    policy[layer, 0] = action
    return deployer.deploy(policy).counts[layer, 0, action]


def sweep(deployer: Deployer, arms, order, bias: float) -> int:
    """Pull arms in this order while deployments last, name the one that looks biased, else the next; its position.

    Parameters
    ----------
    deployer : Deployer
        On a compact bandit, with fewer deployments than arms.
    order : permutation of the positions in `arms`
    """
    for arm in order[:deployer.max_deployments]:
        counts = pull(deployer, *arms[arm])
        if counts[2] > (0.5 + bias / 2) * counts.sum():
            return int(arm)
    return int(order[deployer.max_deployments])


def sweep_rate(d: int, horizon: int, bias: float, K: int, runs: int, rng: np.random.Generator) -> float:
    """Share of compact bandits, the hidden arm drawn uniformly, on which a sweep in random order finds it."""
    arms = instances.compact_bandit_arms(d, horizon)
    right = 0
    for run in range(runs):
        hidden = int(rng.integers(len(arms)))
        deployer = Deployer(instances.compact_bandit(d, horizon, hidden, bias), 10**6, K, seed=run)
        right += sweep(deployer, arms, rng.permutation(len(arms)), bias) == hidden
    return right / runs
