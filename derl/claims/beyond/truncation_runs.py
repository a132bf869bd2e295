"""These checks run the theorem without reachability at its own N, and add up its losses a second time."""

from __future__ import annotations

import numpy as np

from derl.algorithms.truncated_exploration import truncated_block_exploration
from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.experiments.blocks_at_size import FAMILIES, instance
from derl.mdp import instances, planning
from derl.theory.beyond import truncation
from derl.theory.beyond.truncation_replay import loss

SEED, DELTA = 20260724, 0.1
REWARDS = 5  # further rewards of a run


@claim("res-no-reachability", method="exhaustive", arithmetic="float64", covers="d, H, L, epsilon, delta on a grid",
       gap="a grid; float64",
       false={"a tenth of N": {"fewer": 10}})
def replayed(fewer=1):
    """Added up block by block: The largest loss over epsilon at the theorem's N, every block and layer with its own
    numbers."""
    worst = 0.0
    for cover in truncation.COVERS:
        for dim in (2, 3, 10, 50):
            for horizon in (2, 3, 8, 40):
                for block in {1, 3, horizon - 1} & set(range(1, min(horizon, 12))):
                    for epsilon, delta in ((horizon, 0.9), (1, 0.1), (0.01, 1e-6)):
                        setting = (dim, horizon, block, epsilon, delta)
                        size = truncation.batch_size(*setting, cover) // fewer
                        worst = max(worst, loss(*setting, size, cover).total / epsilon)
    return Evidence(worst, 1, "upper", "both covers, d up to 50, H up to 40, epsilon down to 1/100")


@claim("alg-truncated-exploration", method="run", arithmetic="float64",
       covers="seven instances, blocks of 1, 2, 3 and H - 1, at the theorem's N", gap="samples; float64",
       false={"N divided by 10^17": {"share": 1e-17}})
def runs_at_its_own_size(share=1.0, instances_of=None):
    """Runs at the theorem's N: The largest loss over epsilon = 1, for the instance's reward and five others; N times
    `share`."""
    worst, made = 0.0, 0
    for number, mdp in enumerate((instances_of or families)()):
        for block in sorted({1, 2, 3, mdp.horizon - 1} & set(range(1, mdp.horizon))):
            size = share * truncation.batch_size(mdp.dim, mdp.horizon, block, 1, DELTA)
            size, mode = int(size) + 1, "exact" if size < 2**63 - 1 else "gaussian"
            deployer = Deployer(mdp, size, len(truncation.blocks(mdp.horizon, block)), "any", SEED + number, mode)
            outcome = truncated_block_exploration(deployer, 1.0, DELTA, block)
            worst, made = max(worst, worst_gap(mdp, outcome)), made + 1
    return Evidence(worst, 1, "upper", f"{made} runs, {1 + REWARDS} rewards each, seed {SEED}")


@claim("alg-truncated-exploration", method="run", arithmetic="float64",
       covers="the families of block exploration, blocks of 1, 2, 3 and H - 1, at the theorem's N",
       gap="samples; float64", tier="full", needs="gym",
       false={"N divided by 10^20": {"share": 1e-20}})
def runs_on_all_families(share=1.0):
    """Runs at the theorem's N; template, lock, simplex, hexagon, rare states, FrozenLake: The same on the instances of
    `derl.experiments.blocks_at_size`; the hexagon has one layer: nothing to explore."""
    return runs_at_its_own_size(share, lambda: [instance(name) for name in FAMILIES])


def families():
    """Random simplex, lock, rare states with probability down to 0, a table."""
    return (instances.random_simplex(5, 2, 3, 4, 1), instances.lock(2, 5, 1, 0.5), instances.lock(3, 6, 2, 0.5),
            *(instances.rare_state(p, 4, 3) for p in (0.1, 1e-3, 1e-9, 0)))


def worst_gap(mdp, outcome) -> float:
    """The largest loss of the plans: the instance's own reward and others that are linear."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(0,)))
    shape = (REWARDS, mdp.horizon, mdp.dim)
    others = rng.random(shape) * (rng.random(shape) < 0.5)
    return max(planning.gap(mdp, outcome.policy),
               *(planning.gap(mdp, outcome.dataset.plan(theta), theta=theta) for theta in others))


@claim("res-law-uncertainty", method="stress", arithmetic="float64", covers="sampled features, d up to 6, N up to 10^6",
       gap="a sample",
       false={"y = d/(2N)": {"logarithms": 0}})
def sampled_laws(logarithms=1.0):
    """Sampled laws, many of them rare: The largest tr(Sigma^{-1} Lambda)/y, delta = 1/2, H = 2, for laws with weights
    down to 10^-6."""
    worst = 0.0
    for seed in range(300):
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(5, seed)))
        d, size = int(rng.integers(2, 7)), int(10 ** rng.uniform(1.2, 6))
        features = rng.normal(size=(12, d))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        weights = rng.permutation(np.logspace(0, -6, 12))
        weights /= weights.sum()
        gram = np.eye(d) + features.T * rng.multinomial(size, weights) @ features
        result = np.trace(np.linalg.solve(gram, features.T * weights @ features))
        worst = max(worst, result / (truncation.uncertainty(d, 2, 0.5, size) if logarithms else d / (2 * size)))
    return Evidence(worst, 1, "upper", f"300 laws, seed {SEED}")
