"""These checks compare exact values with simulated ones; sample sizes and levels are fixed before anything is drawn.

A check compares a frequency over n independent runs with the exact probability. By Hoeffding's inequality the radius
sqrt(log(2/level)/(2n)) is exceeded with probability at most `level`, so a true statement fails a check at most that
often.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.mdp import instances
from derl.theory.lower_bounds import bandit_failure
from derl.theory.lower_bounds.search_programme import success_curve
from derl.theory.lower_bounds.search_simulation import simulate_search

LEVEL = 1e-6
SEED = 20220803
GAME, GAME_RUNS = (3, 6, 8, 3), 40_000  # d, n, N, K
BANDIT, BANDIT_RUNS = (4, 3, 4), 1_500  # d, H, K: 9 arms
FLIPS, BIAS = 400, 0.4


def radius(runs: int) -> float:
    """Hoeffding's radius at the fixed level."""
    return math.sqrt(math.log(2 / LEVEL) / (2 * runs))


@claim("res-search-exact", method="statistical", arithmetic="float64", covers="one game of plain uniform search",
       gap="one game",
       false={"the value for one deployment more": {"extra": 1}})
def simulated_search(extra=0):
    """Digits drawn one by one: Frequency of matching all digits against the programme for "forget"."""
    d, n, N, K = GAME
    matched = simulate_search(d, n, N, K, GAME_RUNS, np.random.default_rng(SEED))
    exact = float(success_curve(d, n, N, K + extra)[-1])
    return Evidence(abs(float((matched == n).mean()) - exact), radius(GAME_RUNS), "upper",
                    f"d, n, N, K = {GAME}, {GAME_RUNS} runs, level {LEVEL}, seed {SEED}")


def _pull(deployer, arms, position):
    """Deploy the policy that stays at g until its arm's layer and then pulls; number of trajectories that end in u2."""
    layer, action = arms[position]
    policy = np.zeros((deployer.known.horizon, 3), dtype=int)
    policy[layer, 0] = action
    return deployer.deploy(policy).counts[layer, 0, action, 2]


def sweep_bandit(seed: int) -> bool:
    """The sweep in random order on a compact bandit with a random hidden arm; whether it names the arm."""
    d, H, K = BANDIT
    arms = instances.compact_bandit_arms(d, H)
    rng = np.random.default_rng([SEED, seed])
    hidden, order = int(rng.integers(len(arms))), rng.permutation(len(arms))
    deployer = Deployer(instances.compact_bandit(d, H, hidden, BIAS), batch_size=FLIPS, max_deployments=K, seed=seed)
    for position in order[:K]:
        if _pull(deployer, arms, position) >= FLIPS * (1 + BIAS) / 2:
            return position == hidden
    return order[K] == hidden


@cache
def failed_sweeps() -> float:
    """Frequency of sweeps that name another arm."""
    return float(np.mean([not sweep_bandit(seed) for seed in range(BANDIT_RUNS)]))


@claim("res-compact-bandit", method="statistical", arithmetic="float64", covers="the sweep on one bandit",
       gap="one bandit", tier="full",
       false={"the value for one deployment more": {"extra": 1}})
def simulated_bandit(extra=0):
    """The compact bandit played through the deployment protocol: Failure frequency of the sweep with deterministic
    policies against 1 - (K+1)/m."""
    d, H, K = BANDIT
    exact = float(bandit_failure((d - 1) * H, K + extra))
    return Evidence(abs(failed_sweeps() - exact), radius(BANDIT_RUNS), "upper",
                    f"9 arms, K = {K}, N = {FLIPS}, bias {BIAS}, {BANDIT_RUNS} runs, level {LEVEL}, seed {SEED}; "
                    "the test's own error is below 1e-12")
