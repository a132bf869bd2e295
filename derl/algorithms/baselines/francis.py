r"""FRANCIS: layer by layer, every episode for another random direction.

    layer p:  xi ~ N(0, Sigma^{-1});  pi = least-squares value iteration without a bonus for the reward phi_p^T xi in
              layer p;  one episode;  Sigma <- Sigma + phi_p phi_p^T, and (phi_p, s_{p+1}) is kept
    plan:     least-squares value iteration without a bonus, for any linear reward

A large reward is likely where Sigma is small, so the episodes go where little is known. The scale of xi plays no role:
nothing is clipped while exploring, so the policy depends on the direction of xi alone. It needs explorability, min over
directions of max_pi |E_pi phi_p^T theta|, and epsilon below it; on an instance without it some direction stays unseen.

Reconstruction: layers, random direction and the absence of a bonus are the paper's; its epochs inside a layer and its
constants are not known here. Sigma is always current and c = 1 (`derl.theory.comparison.quoted`).

Definition 2.1: with N = 1, as published, it is satisfied in name only: every episode is a deployment. With N > 1 a
direction is kept for N episodes (ours), with at least 8 d directions a layer.

Source: Zanette, Lazaric, Kochenderfer and Brunskill (2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import greedy
from derl.estimation.design import Design, fit
from derl.inputs import display, seeds, whole
from derl.inputs.threads import one_thread
from derl.mdp.policies import compose
from derl.theory.comparison.quoted import francis_episodes

DIRECTIONS = 8  # times d, a layer at least
STREAM = 24


@dataclass(frozen=True, eq=False, repr=False)
class Direction(display.Fields):
    """One deployment: its layer, log det Sigma before it, and the policy."""

    deployment: int
    layer: int
    log_det: float
    policy: np.ndarray


@one_thread
def francis(deployer: Deployer, epsilon: float, delta: float, episodes: int | None = None, seed=0) -> Outcome:
    """Explore every layer in random directions.

    Parameters
    ----------
    deployer : Deployer
        N = 1 for the paper's algorithm.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    episodes : int or None
        Episodes of a layer; by default d^3 H^4 log(Hd/(delta epsilon))/epsilon^2.
    seed : int >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        Seed of the random directions.

    Returns
    -------
    Outcome
        Its `dataset` is a `Regressions`, which plans for any theta (H, d); its `policy` is the plan for the rewards of
        the instance. `converged` is False where K deployments are fewer than the layers need.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known, seed = known_part(deployer), seeds.root(seed, InvalidParameter)
    needed = directions(known.dim, known.horizon, epsilon, delta, deployer.batch_size, episodes)
    layers = min(needed, deployer.max_deployments // known.horizon)
    if not layers:
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; there are {known.horizon} layers")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(STREAM,)))
    data = np.zeros((known.horizon, *known.phi.shape[1:3], known.n_states))
    designs, trace = [], []
    for h in range(known.horizon):
        for _ in range(layers):
            design = fit(known.phi[h], data[h])
            xi = direction(design, rng.standard_normal(known.dim))
            policy = compose(known, towards(known, designs, h, xi), h + 1, 0)
            data[h] += deployer.deploy(policy).counts[h]
            trace.append(Direction(len(trace) + 1, h + 1, design.log_det, policy))
        designs.append(fit(known.phi[h], data[h]))
    dataset = Regressions(known, data)
    return Outcome(policy=dataset.plan_rewards(known.rewards), deployments=len(trace),
                   trajectories=len(trace) * deployer.batch_size, converged=layers == needed, trace=tuple(trace),
                   beta=0.0, dataset=dataset)


def direction(design: Design, normal: np.ndarray) -> np.ndarray:
    """xi with R xi = normal, (d,): of covariance R^{-1} R^{-T} = Sigma^{-1} where `normal` is standard normal."""
    return np.linalg.solve(design.factor, normal)


def directions(d: int, horizon: int, epsilon: float, delta: float, batch_size: int, episodes: int | None) -> int:
    """Deployments of a layer."""
    if episodes is None:
        episodes = francis_episodes(d, horizon, epsilon, delta)
    needed = -(-whole(episodes, "episodes", 1, error=InvalidParameter) // batch_size)
    return needed if batch_size == 1 else max(needed, DIRECTIONS * d)


def towards(known: KnownPart, designs: list[Design], h: int, xi: np.ndarray) -> np.ndarray:
    """The greedy policy (h + 1, S) for the reward phi_h^T xi in layer index h, nothing clipped."""
    q = np.where(known.available[h], known.phi[h] @ xi, -np.inf)
    policy = [greedy(q)]
    for t in reversed(range(h)):
        q = np.where(known.available[t], known.phi[t] @ designs[t].weights(q.max(axis=1)), -np.inf)
        policy.append(greedy(q))
    return np.stack(policy[::-1])
