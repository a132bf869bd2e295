"""Instance lemmas for Algorithm 2 as a strategy: two layers, mixtures of two policies, batches of three trajectories.

`refined.v` evaluates the definitions of `algorithm_two` on intervals with rational ends, once for all instances; each
goal below is one evaluation. derl's `solve_optq`, `estimate_covariance` and `optimistic_backup` get the same
batches; the grid of Algorithm 2, which derl leaves out, is put between their calls.
"""

from __future__ import annotations

from itertools import product
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
from instances import truth
from texts import looked_up, table

from derl.algorithms.policy_cover import Problem, solve_optq, uncertainty_reward
from derl.estimation import fit, optimistic_backup
from derl.estimation.covariance import estimate_covariance
from derl.estimation.design import Design

REFINED, CONDITIONS = (Path(__file__).with_name(f"{name}.v").read_text(encoding="utf-8")
                       for name in ("refined", "conditions"))
A, MIX = "derl.algorithm_two.algorithm", "derl.algorithm_two.mixtures"
STATES, HORIZON, BATCH, MARKS, PASSES = (0, 1), 2, 8, 10, 1
SEEDS, CLEAR = (49, 76, 110, 130, 164, 334), 1e-2  # of instances in which no comparison is closer than this
THRESHOLD = 3 / 8  # of nu^2, in the stopping rule
UNIT = 10  # features, laws, bonuses and weights of rewards are multiples of 1/10


def rounded(value: np.ndarray) -> np.ndarray:
    """The level x of the grid with x < value <= x + 1/M."""
    return np.vectorize(lambda x: (ceil(round(x * MARKS, 9)) - 1) / MARKS)(value)


def towards(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """An operator (d, S) of a regression that gives these weights for these values."""
    return np.outer(weights, values) / (values @ values)


class Cover(NamedTuple):
    """Matrices, optimistic values and policies of a loop; the smallest difference of the values of two actions."""

    shapes: list[np.ndarray]
    values: list[float]
    policies: list[np.ndarray]
    gap: float


class Explored:
    """An instance, and what derl makes of its batches with the grid of Algorithm 2.

    `gap` is the smallest difference of two numbers that are compared, 0 if the loops are not as wanted.
    """

    def __init__(self, rng):
        self.phi = rng.integers(-9, 10, (HORIZON, 2, 2, 2)) / UNIT
        self.start = np.array([k := int(rng.integers(2, 9)), UNIT - k]) / UNIT
        self.steps = rng.integers(0, 2, (HORIZON, HORIZON, BATCH, 2))  # batch, layer, trajectory: state, action
        self.rewards = rng.integers(1, 6, (HORIZON, 2)) / UNIT
        self.beta, self.beta5 = rng.integers(2, 6, 2) / UNIT
        self.designs = [self.regression(h) for h in range(HORIZON)]
        self.covers = [self.cover(layer) for layer in range(HORIZON)]
        self.gap = 0.0
        if not all(len(cover.policies) for cover in self.covers):
            return
        self.plan, gap = self.planned()
        # the loop of the first layer stops by its rule, that of the second does not and finds two policies
        least, most = (cover.values[1] for cover in self.covers)
        self.nu = ceil(UNIT * (least / THRESHOLD)**0.5) / UNIT
        if (self.covers[1].policies[0] != self.covers[1].policies[1]).any():
            self.gap = min(gap, *(cover.gap for cover in self.covers), most - THRESHOLD * self.nu**2,
                           THRESHOLD * self.nu**2 - least)

    def regression(self, h: int) -> Design:
        """The regression of layer h on batch h."""
        counts = np.zeros((2, 2, 2))
        for i in range(BATCH):
            state, action = self.steps[h, h, i]
            counts[state, action, self.steps[h, h + 1, i, 0] if h + 1 < HORIZON else 0] += 1
        return fit(self.phi[h], counts)

    def sigma(self, h: int) -> np.ndarray:
        """The matrix of layer h: I plus the features of its batch, rounded, and I once more."""
        seen = np.array([self.phi[h, s, a] for s, a in self.steps[h, h]])
        return np.eye(2) + rounded(np.eye(2) + seen.T @ seen)

    def norms(self, h: int, matrix: np.ndarray) -> np.ndarray:
        """|phi_h| in the inverse of a matrix, shape (S A,)."""
        return uncertainty_reward(Problem((self.phi[h].reshape(-1, 2),), (), (), None, self.start, 2), matrix)

    def solved(self, layer: int, matrix: np.ndarray) -> tuple[float, np.ndarray, float]:
        """SolveOptQ: the optimistic value, the policy, and the smallest difference of the values of two actions."""
        reward = self.norms(layer, matrix)
        rows = tuple(x.reshape(-1, 2) for x in self.phi[:layer + 1])
        if not layer:
            return *solve_optq(Problem(rows, (), (), None, self.start, 2), reward), gap_of(reward)
        values = np.array([solve_optq(Problem(rows[1:], (), (), None, point, 2), reward)[0] for point in np.eye(2)])
        weights, bonuses = rounded(self.designs[0].weights(values)), self.beta5 * self.norms(0, self.sigma(0))
        problem = Problem(rows, (towards(weights, values),), (bonuses,), None, self.start, 2)
        return *solve_optq(problem, reward), min(gap_of(reward), gap_of(np.clip(rows[0] @ weights + bonuses, 0, 1)))

    def estimate(self, layer: int, policy: np.ndarray) -> np.ndarray:
        """EstimateCovMatrix, entry by entry, as each entry has weights of its own."""
        phi, made = self.phi[:layer + 1], np.zeros((2, 2))
        for a, b in product(range(2), range(2)):
            chosen = self.phi[layer, STATES, policy[layer]]
            values = (1 + chosen[:, a] * chosen[:, b]) / 2
            designs = [Design(None, towards(rounded(self.designs[0].weights(values)), values))] * layer
            made[a, b] = estimate_covariance(phi, designs, policy, self.start, way="backward")[a, b]
        return made

    def cover(self, layer: int) -> Cover:
        """The loop for a layer, without its stopping rule."""
        total, found = np.eye(2), Cover([], [], [], np.inf)
        for _ in range(PASSES + 1):
            shape = np.eye(2) + rounded(total)
            if np.linalg.eigvalsh(shape)[0] < 0.2 or self.norms(layer, shape).max() > 1:
                return Cover([], [], [], 0.0)
            value, policy, gap = self.solved(layer, shape)
            found = Cover([*found.shapes, shape], [*found.values, value], [*found.policies, policy],
                          min(gap, found.gap))
            total = total + self.estimate(layer, policy)
        return found

    def planned(self) -> tuple[np.ndarray, float]:
        """Algorithm 4 for the reward with the weights `rewards`: the policy, the smallest difference of two actions."""
        later, policy, gaps = np.zeros(2), [], []
        for h in reversed(range(HORIZON)):
            weights = rounded((self.designs[h].weights(later) if later.any() else 0) + self.rewards[h])
            design = Design(np.linalg.cholesky(self.sigma(h)).T, towards(weights, np.ones(2)))
            step = optimistic_backup(self.phi[h], np.zeros((2, 2)), np.ones(2), design, self.beta, HORIZON)
            q = np.maximum(step.q, 0)
            later, policy, gaps = q.max(axis=1), [step.policy, *policy], [gap_of(q), *gaps]
        return np.array(policy), min(gaps)


def gap_of(q: np.ndarray) -> float:
    """The smallest difference of the values of two actions."""
    return float(abs(np.subtract(*q.reshape(-1, 2).T)).min())


def tenths(value: float) -> str:
    """A multiple of 1/10 as a rational number of Coq's own library."""
    number = round(value * UNIT)
    return f"(Refined.{'minus_' if number < 0 else ''}tenths {abs(number)}%N)"


def pair(values) -> str:
    return f"({tenths(values[0])}, {tenths(values[1])})"


def instance(of: Explored, name: str) -> list[str]:
    """Features, the law of the first state, batches and the weights of a reward."""
    rational = "QArith_base.Q"
    steps = [[[f"({truth(s)}, {truth(a)})" for s, a in layer] for layer in batch] for batch in of.steps]
    phi = [[[pair(of.phi[h, s, a]) for a in range(2)] for s in STATES] for h in range(HORIZON)]
    zero = f"({tenths(0)}, {tenths(0)})"
    return [
        looked_up(f"f_{name}", f"{rational} * {rational}", table(phi, 3, str), "nbb", zero),
        looked_up(f"start_{name}", rational, table([tenths(x) for x in of.start], 1, str), "b", tenths(0)),
        looked_up(f"steps_{name}", "bool * bool", table(steps, 3, str), "nnn", "(true, true)"),
        looked_up(f"theta_{name}", f"{rational} * {rational}", table([pair(x) for x in of.rewards], 1, str), "n", zero)]


def explored(rng, name: str) -> str:
    """What `algorithm_two` deploys for both layers, after no batch and after one, and what it plans after two."""
    of = Explored(np.random.default_rng(int(rng.choice(SEEDS))))
    assert of.gap > CLEAR
    numbers = " ".join(f"(Rdefinitions.Q2R {tenths(x)})" for x in (of.beta, of.beta5, of.nu))
    run = f"({A}.algorithm_two {BATCH} {HORIZON} {MARKS} {PASSES} (Refined.phi f_{name}) (Refined.rho start_{name}) " \
          f"{numbers} true true)"
    parts = instance(of, name)

    def goal(said: str, value: str, lemma: str) -> None:
        parts.append(f"Goal {said} = {value}.\nProof.\napply: Refined.{lemma}; first by [].\n"
                     f"vm_cast_no_check (erefl (Some {value})).\nQed.")

    for layer, cover in enumerate(of.covers):
        done = f"(deploy {run} (mkseq (Refined.batch_of {BATCH} steps_{name}) {layer}))"
        parts.append(f"Goal {done}.1 = {layer}%N.\nProof. exact: Refined.deployed_layer. Qed.")
        last = int(layer > 0)  # the loop of the first layer stops at once
        goal(f"{MIX}.last {done}.2", f"{last}%N", "deployed_last")
        for k, h, s in product(range(last + 1), range(layer + 1), STATES):
            goal(f"{MIX}.member {done}.2 {k} {h} {truth(s)}", truth(cover.policies[k][h, s]), "deployed_member")
    data = f"(mkseq (Refined.batch_of {BATCH} steps_{name}) {HORIZON})"
    for h, s in product(range(HORIZON), STATES):
        goal(f"output {run} {data} {HORIZON}%N (fun h => Refined.asV (theta_{name} h)) {h}%N {truth(s)}",
             truth(of.plan[h, s]), "planned_action")
    return "\n".join(parts)
