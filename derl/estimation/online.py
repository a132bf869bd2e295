r"""Least squares and optimistic planning for methods that change their policy after every trajectory.

One new transition (phi, s') changes Lambda by phi phi^T. With u = Lambda^{-1} phi and c = 1/(1 + phi^T u)

    Lambda^{-1}     <-  Lambda^{-1} - c u u^T                                           (Sherman and Morrison)
    M               <-  M + c u (e_{s'} - M^T phi)^T           M = Lambda^{-1} sum phi e_{s'}^T, so that w = M V
    |phi'|^2        <-  |phi'|^2 - c (phi'^T u)^2              squared norms of all features, kept up to date

so an episode costs S A d per layer, whatever the number of episodes. Rounding adds up, slowly: every block starts again
from the counts, by `derl.estimation.design.fit`.

This is the readable loop. `derl.estimation._online` is the same loop compiled by numba, which is what makes runs of a
million episodes possible; `Learner.play` takes it where numba is installed. Both read the law of the model for nothing
but the next state of a pair that was reached.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from derl.deployment.known import KnownPart
from derl.deployment.online import Law, step
from derl.estimation.backup import TIE, optimistic_backup
from derl.estimation.bonus import bonus
from derl.estimation.design import fit
from derl.inputs.compiled import COMPILED, works


@dataclass(eq=False)
class RankOne:
    """The regression of one layer under rank-one updates; it has the methods of a `Design`.

    Attributes
    ----------
    inverse : (d, d)
        Lambda^{-1}.
    operator : (d, S)
        M.
    squares : (S, A)
        |phi|^2 in the norm of Lambda^{-1}.
    """

    inverse: np.ndarray
    operator: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, phi: np.ndarray, counts: np.ndarray) -> RankOne:
        """From the features (S, A, d) and counts (S, A, S) of a layer."""
        if not counts.any():
            return cls.without_data(phi)
        design = fit(phi, counts)
        root = np.linalg.inv(design.factor)
        return cls(root @ root.T, design.operator.copy(), design.norms(phi) ** 2)

    @classmethod
    def without_data(cls, phi: np.ndarray) -> RankOne:
        """The same before the first episode, to the last bit: Lambda is the identity."""
        features = np.ascontiguousarray(phi)
        norms = np.sqrt(np.einsum("...i,...i->...", features, features))
        return cls(np.eye(phi.shape[2]), np.zeros((phi.shape[2], phi.shape[0])), norms**2)

    def weights(self, values: np.ndarray) -> np.ndarray:
        """Ridge weights w = M V, (d,)."""
        return self.operator @ values

    def norms(self) -> np.ndarray:
        """Elliptical norms of all features, (S, A)."""
        return np.sqrt(np.maximum(self.squares, 0.0))

    def add(self, phi: np.ndarray, state: int, action: int, next_state: int) -> None:
        """Add one transition; phi (S, A, d) are the features of the layer."""
        feature = phi[state, action]
        u = self.inverse @ feature
        c = 1 / (1 + feature @ u)
        residual = -(feature @ self.operator)
        residual[next_state] += 1
        self.operator += c * np.outer(u, residual)
        self.inverse -= c * np.outer(u, u)
        self.squares -= c * (phi @ u) ** 2


@dataclass(eq=False)
class Learner:
    """Optimistic least-squares value iteration, planned again before every episode.

    Attributes
    ----------
    known : KnownPart
    beta : float
        Scale of the bonus; values are capped at H.
    reward_free : bool
        Explore the reward min(beta b, H)/H in place of the instance's.
    width : float
        What a step may cost beyond its optimistic value: min(width beta b, H).
    target, noise : float
        Stops after k episodes when (sum of widths)/k + noise/sqrt(k) <= target.
    counts : (H, S, A, S) float64
        What has been seen.
    episodes, spent : int, float
        Episodes so far, and the sum of their widths.
    compiled : bool
    policies, starts, values : lists
        Every policy, the number of episodes before its first, and the optimistic values of layer 1, (S,), there.
    """

    known: KnownPart
    beta: float
    reward_free: bool = False
    width: float = 2.0
    target: float = -1.0
    noise: float = 0.0
    compiled: bool = COMPILED
    counts: np.ndarray = None
    episodes: int = 0
    spent: float = 0.0
    policies: list = field(default_factory=list)
    starts: list = field(default_factory=list)
    values: list = field(default_factory=list)

    def __post_init__(self):
        known = self.known
        self.counts = np.zeros((known.horizon, known.n_states, known.n_actions, known.n_states))

    @property
    def statistic(self) -> float:
        """Mean width and its noise, infinite before the first episode."""
        if not self.episodes:
            return math.inf
        return self.spent / self.episodes + self.noise / math.sqrt(self.episodes)

    def play(self, law: Law, uniforms: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """A block of episodes for `Deployer.deploy_online`."""
        layers = [RankOne.of(phi, counts) for phi, counts in zip(self.known.phi, self.counts, strict=True)]
        before = self.episodes
        run = self._compiled if self.compiled and works() else self._readable
        policies, starts, values = run(law, uniforms, layers)
        for policy, start, value in zip(policies, starts.tolist(), values, strict=True):
            if not self.policies or (policy != self.policies[-1]).any():
                self.policies.append(policy), self.starts.append(before + start), self.values.append(value)
        return policies, starts, self.episodes - before

    def plan(self, layers: list[RankOne]) -> tuple[np.ndarray, np.ndarray]:
        """The greedy policy (H, S) of one optimistic backward pass, and the values of layer 1."""
        known = self.known
        values, policy = np.zeros(known.n_states), np.empty((known.horizon, known.n_states), np.intp)
        for h in reversed(range(known.horizon)):
            norms = layers[h].norms()
            rewards = bonus(norms, self.beta, known.horizon) / known.horizon if self.reward_free else known.rewards[h]
            found = optimistic_backup(known.phi[h], rewards, values, layers[h], self.beta, known.horizon,
                                      known.available[h], norms=norms)
            values, policy[h] = found.values, found.policy
        return policy, values

    def _readable(self, law, uniforms, layers):
        known, policies, starts, firsts = self.known, [], [], []
        for episode, chances in enumerate(uniforms):
            policy, values = self.plan(layers)
            if not policies or (policy != policies[-1]).any():
                policies.append(policy), starts.append(episode), firsts.append(values)
            state = step(law.start, chances[0])
            for h in range(known.horizon):
                action = policy[h, state]
                following = step(law.moves[h, state, action], chances[h + 1])
                self.spent += min(self.width * self.beta * layers[h].norms()[state, action], known.horizon)
                layers[h].add(known.phi[h], state, action, following)
                self.counts[h, state, action, following] += 1
                state = following
            self.episodes += 1
            if self.statistic <= self.target:
                break
        return np.array(policies), np.array(starts), np.array(firsts)

    def _compiled(self, law, uniforms, layers):
        from derl.estimation._online import play

        known = self.known
        inverse, operator, squares = (np.stack([getattr(layer, name) for layer in layers])
                                      for name in ("inverse", "operator", "squares"))
        policies = np.empty((len(uniforms), known.horizon, known.n_states), np.intp)
        starts, firsts = np.empty(len(uniforms), np.intp), np.empty((len(uniforms), known.n_states))
        phi, rewards, available = (np.array(array, order="C") for array in (known.phi, known.rewards, known.available))
        found, self.episodes, self.spent = play(
            law.start, law.moves, uniforms, phi, rewards, available, inverse, operator, squares, self.counts,
            policies, starts, firsts, float(self.beta), self.reward_free, float(self.width), float(self.target),
            float(self.noise), self.episodes, float(self.spent), TIE)
        return policies[:found].copy(), starts[:found].copy(), firsts[:found].copy()
