r"""The reference sampler: whole trajectories, one step after the other.

Plain, to check the counts against and to measure them against; its cost grows with N. It is vectorised over
trajectories: at every step each of them draws a uniform number u and inverts the distribution function F of
its row, taking the first cell j with F(j) > u. All rows of a layer are laid end to end, row r shifted by r,
so that one binary search serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.deployment.sizes import InvalidSize, batch_size
from derl.inputs import seeds
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import stack
from derl.mdp.validation import demand

BLOCK = 2**16  # trajectories per block: the arrays of a step stay in the cache


@dataclass(frozen=True, eq=False)
class Trajectories:
    """N trajectories.

    Attributes
    ----------
    states : (N, H+1) int32
        s_1, ..., s_H and the state after the last action.
    actions : (N, H) int32
    members : (N,) int32
        The policy that each trajectory follows, counted among those of a mixture that have positive weight.
    """

    states: np.ndarray
    actions: np.ndarray
    members: np.ndarray


def sample(mdp, policy, n: int, rng=None, mix_each_step: bool = False) -> Trajectories:
    """Simulate n trajectories under a policy: (H, S) int, (H, S, A) float, or Mixture.

    Parameters
    ----------
    n : int, >= 1
    rng : numpy.random.Generator, numpy.random.SeedSequence, int >= 0 or None
        A Generator is used and moved on; anything else is the seed of a new one.
    mix_each_step : bool
        A wrong reading of mixtures, kept for negative controls: draw the policy afresh at every step.

    Raises
    ------
    InvalidSize, InvalidPolicy
    """
    demand(LinearMDP, mdp=mdp)
    n = batch_size(n, name="n")
    rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(seeds.root(rng, InvalidSize))
    probabilities, weights = stack(mdp, policy)  # (M, H, S, A), (M,)
    choose, start = distribution(weights[None]), distribution(mdp.initial[None])
    act = [distribution(probabilities[:, h].reshape(-1, mdp.n_actions)) for h in range(mdp.horizon)]
    pairs = np.indices((mdp.n_states, mdp.n_actions)).reshape(2, -1)
    move = [distribution(mdp.transition_rows(h, *pairs)) for h in range(mdp.horizon)]
    states, actions = np.empty((mdp.horizon + 1, n), np.int32), np.empty((mdp.horizon, n), np.int32)
    members = np.empty(n, np.int32)
    for first in range(0, n, BLOCK):
        block = slice(first, min(first + BLOCK, n))
        none = np.zeros(block.stop - first, np.int64)
        member = members[block] = _invert(rng, choose, none)
        state = states[0, block] = _invert(rng, start, none)
        for h in range(mdp.horizon):
            if mix_each_step:
                member = _invert(rng, choose, none)
            action = actions[h, block] = _invert(rng, act[h], member * mdp.n_states + state)
            state = states[h + 1, block] = _invert(rng, move[h], state * mdp.n_actions + action)
    return Trajectories(states.T, actions.T, members)


def distribution(rows: np.ndarray) -> np.ndarray:
    """Distribution functions of the rows, (m, S): exactly 1 from the last possible cell on.

    Rows of zeros, where no available action leads, become rows of ones.
    """
    sums = np.cumsum(rows, axis=1)
    return np.divide(sums, sums[:, -1:], out=np.ones_like(sums), where=sums[:, -1:] > 0)


def _invert(rng, functions: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """One draw from the row of each entry of `rows`; no random number where no row leaves a choice."""
    n_rows, width = functions.shape
    if ((functions == 0) | (functions == 1)).all():
        return (functions == 0).sum(axis=1)[rows]
    keys = rng.random(len(rows))
    keys *= 1 - n_rows * 2.0**-51  # row + u stays below row + 1 after rounding
    keys += rows
    shifted = (functions + np.arange(n_rows)[:, None]).ravel()
    return np.searchsorted(shifted, keys, side="right") - rows * width


def counts_of(trajectories: Trajectories, n_states: int, n_actions: int) -> np.ndarray:
    """Transition counts n_h(s, a, s') of simulated trajectories, shape (H, S, A, S) int64."""
    states, actions, cells = trajectories.states.T, trajectories.actions.T, n_states * n_actions * n_states
    flat = [np.bincount((s.astype(np.int64) * n_actions + a) * n_states + t, minlength=cells)
            for s, a, t in zip(states[:-1], actions, states[1:], strict=True)]
    return np.stack(flat).reshape(len(actions), n_states, n_actions, n_states)
