r"""Single trajectories, each by a policy that depends on all before: N = 1, played in blocks.

If a `Deployer` returned one trajectory at a time, most of its time would go into the calls. So it passes to the loop of
the algorithm what the loop needs to take the steps itself:

    play(law, uniforms) -> (policies, starts, played)

`uniforms` (n, H + 1) is the only randomness: one number for the start and one for each step, from the generator of the
deployer. `law` holds the distribution functions of the model. A loop may take from it nothing but the next state of a
pair that the trajectory has reached, the first cell with F > u. A test replaces everything that was never reached by
meaningless numbers and expects the same run.

The loop plays `played` <= n episodes; fewer means that it has stopped by its own rule. Episode i followed the last of
`policies` (m, H, S) whose entry of `starts` (m,) is at most i. The deployer logs these policies and refuses those that
the MDP cannot follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from derl.deployment.trajectories import distribution

BLOCK = 2**13  # episodes
WORK = 2**30  # episodes times cells of the law: a block of a large model takes about a second, and then Ctrl-C is heard


class Law(NamedTuple):
    """The model as distribution functions, exactly 1 from the last possible state on.

    Attributes
    ----------
    start : (S,)
    moves : (H, S, A, S)
    """

    start: np.ndarray
    moves: np.ndarray

    @classmethod
    def of(cls, mdp) -> Law:
        """The law of an instance."""
        rows = mdp.transitions()
        return cls(distribution(mdp.initial[None])[0],
                   distribution(rows.reshape(-1, mdp.n_states)).reshape(rows.shape))


Play = Callable[[Law, np.ndarray], tuple[np.ndarray, np.ndarray, int]]


def episodes(law: Law, rng: np.random.Generator, play: Play, most: int) -> Iterator[tuple[np.ndarray, list[int]]]:
    """Play at most so many episodes; yields the policies of each block and for how many episodes each was kept."""
    made = 0
    while made < most:
        size = min(BLOCK, most - made, max(1, WORK // law.moves.size))
        policies, starts, played = play(law, rng.random((size, len(law.moves) + 1)))
        yield policies, np.diff(starts, append=played).tolist()
        made += played
        if played < size:
            break


def can_follow(mdp, policies) -> bool:
    """Whether the MDP can follow all of some deterministic policies (m, H, S), in one check."""
    shape = (mdp.horizon, mdp.n_states)
    if not isinstance(policies, np.ndarray) or policies.dtype.kind not in "iu" or policies.shape[1:] != shape:
        return False
    if not policies.size or policies.min() < 0 or policies.max() >= mdp.n_actions:
        return False
    layers, states = np.ogrid[:mdp.horizon, :mdp.n_states]
    return mdp.available is None or bool(mdp.available[layers, states, policies].all())


def step(distribution_function: np.ndarray, uniform: float) -> int:
    """The first cell with F > u."""
    return int(np.searchsorted(distribution_function, uniform, side="right"))
