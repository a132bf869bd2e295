"""These checks run Theorem D.4 at its own N, for every reward at once and for searched or random rewards.

The counts of one run are given to an exact check (`derl.theory.reward_free.certificate`), which covers every reward S x
A -> [0, 1], linear or not, and every horizon. The policy that Algorithm 4 returns depends on the reward, so a list of
rewards would not cover them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np

from derl.algorithms import reward_free_exploration, reward_free_planning
from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory.reward_free.certificate import certify
from derl.theory.reward_free.samples import batch_size_reward_free, bonus_scale_reward_free, deployments_reward_free
from derl.theory.reward_free.search import spread, worst_reward

EPSILON, DELTA, TRADE_OFF, SEED = 0.2, 0.1, 6, 20221209
CERTIFIED = {  # exact instances; the runs use their float64 form
    "optimism trap": lambda: instances.optimism_trap(exact=True),
    "compact bandit": lambda: instances.compact_bandit(4, 3, 2, Fraction(3, 10), exact=True),
    "hard template": lambda: instances.hard_template(3, 3, 2, 1, 0, Fraction(3, 10), exact=True),
    "lock": lambda: instances.lock(3, 3, [1, 2, 0], Fraction(1, 5), exact=True),
    "random simplex": lambda: instances.random_simplex(5, 3, 3, 3, seed=2, exact=True),
}


def run_at_theory(mdp, version: str, batch_size: int | None = None, seed: int = SEED, slack: int = 1):
    """One exploration with K, N and beta of the theorem; N can be overruled, the threshold multiplied by `slack`."""
    d, horizon = mdp.dim, mdp.horizon
    n_deployments = deployments_reward_free(d, horizon, TRADE_OFF, version)
    size = batch_size or batch_size_reward_free(d, horizon, EPSILON, DELTA, TRADE_OFF, version=version)
    beta = bonus_scale_reward_free(d, horizon, DELTA, n_deployments, size)
    return reward_free_exploration(Deployer(mdp, size, n_deployments, seed=seed), slack * EPSILON, DELTA, beta=beta,
                                   threshold="flat" if version == "flat" else "as-printed")


@cache  # two statements ask for the same
def certified_share(names: tuple[str, ...], version: str, batch_size: int | None = None,
                    slack: int = 1) -> tuple[Fraction, int]:
    """Largest certified loss/epsilon over instances and all horizons h <= H, rounded up to a millionth.

    Where a run does not end nothing is certified and H/epsilon may be lost; where the bonus does not cover the bias,
    the ratio of the two takes the place of the loss.
    """
    worst, horizons = Fraction(0), 0
    for name in names:
        exact = CERTIFIED[name]()
        outcome = run_at_theory(exact.to_float(), version, batch_size, slack=slack)
        if not outcome.converged:
            return Fraction(exact.horizon) / Fraction(EPSILON), horizons
        beta = Fraction(outcome.beta)
        for h in range(1, exact.horizon + 1):
            stage = outcome.dataset.until(h)
            result = certify(exact.phi, exact.transitions(), exact.available, exact.initial, stage.counts,
                             (beta, beta), h)
            if result.bias_ratio > 1:
                return result.bias_ratio, horizons
            worst, horizons = max(worst, result.loss / Fraction(EPSILON)), horizons + 1
    return Fraction(math.ceil(worst * 10**6), 10**6), horizons


@claim("text-truncated-reward-free", method="certificate",
       covers="every reward S x A -> [0, 1] and every h on five instances", gap="five instances, one run each",
       tier="full", title="Every reward at once, exactly",
       false={"a threshold 10^10 times larger: the exploration stops at once": {"slack": 10**10},
              "N = 10^9, below the theorem's": {"batch_size": 10**9}})
@claim("thm-reward-free-repaired", method="certificate",
       covers="every reward S x A -> [0, 1] and every h on five instances", gap="five instances, one run each",
       tier="full", title="Every reward at once, exactly")
def every_reward_on_one_dataset(batch_size=None, slack=1):
    """Runs at the theorem's N; then (14) for every V and 2 max_pi E sum u, in rationals, for each horizon h <= H."""
    worst, horizons = certified_share(tuple(CERTIFIED), "sharp", batch_size, slack)
    return Evidence(worst, 1, "upper", f"{', '.join(CERTIFIED)}; {horizons} horizons, c_K = 6, epsilon = 1/5, "
                    f"delta = 1/10, seed {SEED}", detail="measured: certified loss over epsilon")


@claim("res-reward-free-samples", method="certificate",
       covers="every reward S x A -> [0, 1] and every h on five instances", gap="five instances, one run each",
       tier="full",
       false={"a threshold 10^10 times larger": {"slack": 10**10},
              "N = 10^9, below the result's": {"batch_size": 10**9}})
def every_reward_at_the_smaller_size(batch_size=None, slack=1):
    """Every reward at once, at the smaller N: As for the theorem, with the flat threshold and its own N and K."""
    worst, horizons = certified_share(tuple(CERTIFIED), "flat", batch_size, slack)
    return Evidence(worst, 1, "upper", f"{', '.join(CERTIFIED)}; {horizons} horizons, c_K = 6, epsilon = 1/5, "
                    f"delta = 1/10, seed {SEED}", detail="measured: certified loss over epsilon")


@claim("thm-reward-free-repaired", method="run", arithmetic="float64", covers="random linear rewards on five instances",
       gap="a sample of rewards", tier="full",
       false={"N = 100": {"batch_size": 100}})
def random_rewards_lose_at_most_epsilon(batch_size=None):
    """Random rewards, exact planning: Largest exact suboptimality of the planned policy over random linear rewards, at
    the theorem's N."""
    worst, total = 0.0, 0
    for index, name in enumerate(CERTIFIED):
        mdp = CERTIFIED[name]().to_float()
        data = run_at_theory(mdp, "sharp", batch_size).dataset
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(index,)))
        for _ in range(40):
            theta = spread(mdp, rng.normal(size=(mdp.horizon, mdp.dim)))
            worst = max(worst, planning.gap(mdp, reward_free_planning(data, theta).policy, theta=theta))
            total += 1
    return Evidence(worst, EPSILON, "upper", f"{total} rewards, {len(CERTIFIED)} instances, c_K = 6, seed {SEED}")


@claim("thm-reward-free", method="stress", arithmetic="float64",
       covers="rewards in [0, 1], the printed cap in both phases", gap="three instances, a search", tier="full",
       false={"N = 100": {"batch_size": 100}})
def printed_cap_with_bounded_rewards(batch_size=10**12):
    """The cap alone does no harm that a search finds: Largest loss found by searching rewards in [0, 1] when both
    phases keep the printed cap and c_beta = 1."""
    worst, total = 0.0, 0
    for index, name in enumerate(("optimism trap", "compact bandit", "random simplex")):
        mdp = CERTIFIED[name]().to_float()
        deployer = Deployer(mdp, batch_size, 2 * mdp.dim * mdp.horizon + 1, seed=SEED)
        data = reward_free_exploration(deployer, EPSILON, DELTA, version="as-printed").dataset

        def loss(theta, mdp=mdp, data=data):
            planned = reward_free_planning(data, theta, version="as-printed")
            return planning.gap(mdp, planned.policy, theta=theta)

        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(100 + index,)))
        worst, total = max(worst, loss(mdp.theta), worst_reward(mdp, loss, rng, 40, 40)[0]), total + 81
    return Evidence(worst, EPSILON, "upper", f"{total} rewards, three instances, N = {batch_size:.0e}, c_beta = 1, "
                    f"seed {SEED}", detail="the printed Lemma D.2 fails, but no loss above epsilon was found")
