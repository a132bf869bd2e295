"""The search played out with random numbers: digit by digit, or by the simulator on a real lock."""

from __future__ import annotations

import numpy as np

from derl.deployment import Deployer
from derl.mdp import instances
from derl.theory.lower_bounds.game_parameters import whole


def simulate_search(d: int, n: int, N: int, K: int, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Number of digits matched after K deployments of uniform search beyond the frontier, in independent runs.

    Every path is drawn digit by digit and compared with a code that is drawn too: no formula of the dynamic
    programme is used.

    Returns
    -------
    (runs,) int
    """
    d, n, N = whole(d, "d", 2), whole(n, "n", 0), whole(N, "N", 1)
    codes = rng.integers(d, size=(runs, 1, n))
    frontier = np.zeros(runs, dtype=int)
    for _ in range(whole(K, "K", 0)):
        paths = rng.integers(d, size=(runs, N, n))
        known = np.arange(n) < frontier[:, None, None]
        right = np.where(known, True, paths == codes)
        frontier = np.logical_and.accumulate(right, axis=2).sum(axis=2).max(axis=1)
    return frontier


def play_lock(d: int, H: int, N: int, K: int, digits, bias: float, seed: int) -> int:
    """Uniform search on the combination lock through the deployment protocol; the layer in which g was last reached.

    The algorithm sees the counts only: the digit of a layer is known once an action has kept a trajectory at g.
    """
    mdp = instances.lock(d, H, digits, bias)
    deployer = Deployer(mdp, batch_size=N, max_deployments=K, policy_class="any", seed=seed)
    policy = np.full((H + 1, 3, d), 1.0 / d)
    reached = 0
    for _ in range(K):
        counts = deployer.deploy(policy).counts
        stayed = counts[:H - 1, 0, :, 0]  # (layers 0..H-2, actions): trajectories that g kept
        for h in range(reached, H - 1):
            if not stayed[h].any():
                break
            policy[h, 0] = np.arange(d) == stayed[h].argmax()
            reached = h + 1
    return reached
