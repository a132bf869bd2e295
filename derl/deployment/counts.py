r"""N trajectories drawn as counts, layer by layer, at a cost that does not depend on N.

Write n_h(s,a,s') for the number of trajectories that go from s by action a to s' at layer h. With Markov policies and
transitions, the way by which a trajectory reached s does not matter. Given the numbers n_h(s) of trajectories by state,

    n_h(s, .)    ~ Multinomial(n_h(s),    pi_h(. | s))      independently for every s    (stochastic policies)
    n_h(s, a, .) ~ Multinomial(n_h(s, a), P_h(. | s, a))    independently for every s, a
    n_{h+1}(s')  = sum_{s,a} n_h(s, a, s')

so the counts are a Markov chain with multinomial steps, and their joint law over all layers is exactly that of N
simulated trajectories. Least squares on next-state values, average bonuses, Bellman errors and determinants are
functions of these counts. They do not show which trajectory did what in layers that are not adjacent.

A mixture chooses its policy once per trajectory: the numbers of trajectories per policy are drawn first, then
the counts of each policy, and these are summed. The last layer has a next state too: P_H is part of the
model, so it is drawn like the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from derl.deployment import sizes
from derl.deployment.sizes import LARGEST_EXACT, InvalidDeployment, draw_rows, safe_multinomial
from derl.inputs import shown
from derl.inputs.display import Shown
from derl.mdp.layers import sealed
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import Mixture, as_policy, validate
from derl.mdp.validation import demand

TABLE = 2**20  # transition rows of MDPs with at most this many probabilities are formed once and kept
BLOCK = 2**21  # members of a mixture are drawn together, up to this many cells


@dataclass(frozen=True, eq=False, repr=False)
class Batch(Shown):
    """What one deployment collected, or the sum of several.

    Attributes
    ----------
    counts : (H, S, A, S) int64 or float64
        Transitions n_h(s, a, s'); every layer sums to `batch_size`. Read-only for good, as all arrays here.
    batch_size : int
        N, a Python integer of any size.
    exact : bool
        Whether the counts are integers drawn from the exact law and held without rounding.
    mode : str
        "exact", "gaussian", "expected"; for sums also "rounded" or "mixed", see `total`.
    members : (M,) int64 or float64, or None
        For a mixture: how many trajectories followed each of its policies.
    """

    counts: np.ndarray
    batch_size: int
    exact: bool = True
    mode: str = "exact"
    members: np.ndarray | None = None

    def __post_init__(self):
        object.__setattr__(self, "counts", sealed(self.counts))
        if self.members is not None:
            object.__setattr__(self, "members", sealed(self.members))

    def _facts(self):
        horizon, n_states, n_actions = self.counts.shape[:3]
        return {"batch_size": self.batch_size, "horizon": horizon, "n_states": n_states, "n_actions": n_actions,
                "exact": self.exact, "mode": self.mode}

    @cached_property
    def visits(self) -> np.ndarray:
        """n_h(s, a), shape (H, S, A)."""
        return sealed(self.counts.sum(axis=3))

    @cached_property
    def initial(self) -> np.ndarray:
        """How many trajectories start in each state, shape (S,)."""
        return sealed(self.visits[0].sum(axis=1))

    @classmethod
    def total(cls, batches: Iterable[Batch]) -> Batch:
        """The sum of at least one batch.

        Counts stay int64 as long as all are exact and the sizes add up to at most 2^63 - 1. Beyond that int64
        would overflow: they are float64, rounded at a relative 1e-16, with `exact` False and `mode`
        "rounded". Sums of approximate batches keep their mode, or have mode "mixed". Members are not kept.

        Raises
        ------
        InvalidDeployment
            No batch is given, an argument is not a batch, or the batches are of different instances.
        """
        batches = tuple(batches)
        if not batches:
            raise InvalidDeployment("there is no batch to sum; a total needs at least one")
        strange = [batch for batch in batches if not isinstance(batch, Batch)]
        if strange:
            raise InvalidDeployment(f"{shown(strange[0])} is no Batch; a total sums batches")
        if len({batch.counts.shape for batch in batches}) > 1:
            raise InvalidDeployment(f"batches have shapes {sorted({batch.counts.shape for batch in batches})}; a total "
                                    "sums batches of one instance")
        size = sum(batch.batch_size for batch in batches)
        modes = {batch.mode for batch in batches}
        mode = modes.pop() if len(modes) == 1 else "mixed"
        exact = all(batch.exact for batch in batches)
        if exact and size > LARGEST_EXACT:
            exact, mode = False, "rounded"
        counts = np.zeros(batches[0].counts.shape, np.int64 if exact else np.float64)
        for batch in batches:
            counts += batch.counts
        return cls(counts, size, exact, mode)


def deploy_counts(mdp, policy, n, rng: np.random.Generator, mode: str = "exact") -> Batch:
    """Draw the counts of n trajectories under a policy, without the protocol of a deployer.

    Parameters
    ----------
    policy : (H, S) int, (H, S, A) float or Mixture
    n : int
        1..2^63 - 1, or up to 1e300 in the approximate modes.
    mode : {"exact", "gaussian", "expected"}

    Raises
    ------
    InvalidSize, InvalidPolicy, InvalidDeployment
    """
    demand(LinearMDP, mdp=mdp)
    policy = as_policy(policy)
    n = sizes.batch_size(n, mode, "n")
    validate(mdp, policy)
    return CountSampler(mdp, mode).draw(rng, policy, n)


class CountSampler:
    """Draws the counts of deployments in one MDP; keeps the transition rows of small ones.

    Parameters
    ----------
    mdp : LinearMDP
    mode : {"exact", "gaussian", "expected"}
        How multinomials are drawn, see `safe_multinomial`.
    """

    def __init__(self, mdp, mode: str = "exact"):
        self._mdp, self._mode = mdp, mode
        self._start = (mdp.initial / mdp.initial.sum())[None]
        self._dtype = np.int64 if mode == "exact" else np.float64
        kept = mdp.horizon * mdp.n_states**2 * mdp.n_actions <= TABLE
        self._tables: dict[int, np.ndarray] | None = {} if kept else None

    def draw(self, rng: np.random.Generator, policy, batch_size: int) -> Batch:
        """Draw the counts of `batch_size` trajectories; policy and size are taken to be valid."""
        mdp, mode = self._mdp, self._mode
        counts = np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions, mdp.n_states), self._dtype)
        if not isinstance(policy, Mixture):
            self._add(rng, np.array([batch_size], self._dtype), _stack([policy]), counts)
            return Batch(counts, batch_size, mode == "exact", mode)
        members = safe_multinomial(rng, batch_size, policy.weights, mode)
        for block in self._blocks(members, policy.policies):
            self._add(rng, members[block], _stack([policy.policies[i] for i in block]), counts)
        return Batch(counts, batch_size, mode == "exact", mode, members)

    def _blocks(self, members: np.ndarray, policies: tuple) -> Iterable[list[int]]:
        """Members with trajectories, in blocks that fit in memory; deterministic and stochastic apart."""
        for ndim in (2, 3):
            chosen = [i for i in np.flatnonzero(members).tolist() if policies[i].ndim == ndim]
            cells = self._mdp.n_states**2 * (1 if ndim == 2 else self._mdp.n_actions)
            width = max(1, BLOCK // cells)
            yield from (chosen[start:start + width] for start in range(0, len(chosen), width))

    def _add(self, rng, sizes: np.ndarray, policies: np.ndarray, counts: np.ndarray) -> None:
        """Add the counts of `sizes` (M,) > 0 trajectories under policies (M, H, S) or (M, H, S, A)."""
        occupied = draw_rows(rng, sizes, np.repeat(self._start, len(sizes), axis=0), self._mode)
        for layer in range(self._mdp.horizon):
            member, state = occupied.nonzero()
            n = occupied[member, state]
            if policies.ndim == 3:
                action = policies[member, layer, state]
            else:
                split = safe_multinomial(rng, n, policies[member, layer, state], self._mode)
                row, action = split.nonzero()
                member, state, n = member[row], state[row], split[row, action]
            drawn = draw_rows(rng, n, self._rows(layer, state, action), self._mode)
            if len(sizes) == 1:  # no pair comes twice
                counts[layer, state, action] += drawn
                occupied = drawn.sum(axis=0, keepdims=True)
            else:
                np.add.at(counts[layer], (state, action), drawn)
                occupied = np.zeros_like(occupied)
                np.add.at(occupied, member, drawn)

    def _rows(self, layer: int, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Transition probabilities from (s, a), each (m, S)."""
        mdp = self._mdp
        if self._tables is None:
            return mdp.transition_rows(layer, states, actions)
        if layer not in self._tables:
            pairs = np.indices((mdp.n_states, mdp.n_actions)).reshape(2, -1)
            self._tables[layer] = mdp.transition_rows(layer, *pairs)
        return self._tables[layer].take(states * mdp.n_actions + actions, axis=0)


def _stack(policies) -> np.ndarray:
    """Policies of one kind on a leading axis; actions as indices, whatever integers they came as."""
    stacked = np.stack([np.asarray(policy) for policy in policies])
    return stacked if stacked.ndim == 4 else stacked.astype(np.intp)
