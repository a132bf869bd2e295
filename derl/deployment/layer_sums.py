r"""One layer of a deployment: how often its pairs were visited, and sum_{s,a} phi_h(s, a) n_h(s, a, s').

Algorithm 2 reads one layer of every deployment. Of the earlier layers only the arrivals matter, and later layers do not
matter at all. The next states of the layer do not depend on which policy of a mixture was followed, so all members are
drawn together. So a mixture of M policies costs M S d H numbers and one layer of `derl.deployment.sums`, not M of them.

Where features and measures have no negative entry, arrivals need no rows: with chances <phi, |mu_i|> a trajectory
belongs to coordinate i, and its next state follows mu_i, whatever its pair was. The law of the returned numbers is that
of the cube n(s, a, s') of `derl.deployment.counts`, with one difference in the last digits: next states that are less
likely than 1e-15 are impossible there; here they are only where every coordinate says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.deployment.sizes import CHUNK, InvalidDeployment, safe_multinomial
from derl.deployment.sums import MODES, Block, BlockMap, Stream, blocks, draw_block, mean
from derl.inputs.display import Shown
from derl.mdp.layers import sealed
from derl.mdp.policies import Mixture


@dataclass(frozen=True, eq=False, repr=False)
class LayerSums(Shown):
    """What one layer of a deployment collected, as far as least squares needs it.

    Attributes
    ----------
    layer : int
        h, from 1.
    visits : (S, A) int64 or float64
        n_h(s, a), sum `batch_size`. Read-only for good, as all arrays here.
    moments : (d, S) float64
        sum_{s,a} phi_h(s, a) n_h(s, a, s').
    initial : (S,)
        How many trajectories started in each state.
    arrivals : (S,)
        How many the layer sent to each next state.
    batch_size : int
        N.
    exact : bool
        Whether the counts were drawn from the exact law and N <= 2^53, so that float64 holds each of them.
    mode : {"exact", "expected"}
    members : (M,) or None
        For a mixture: how many trajectories followed each of its policies.
    """

    layer: int
    visits: np.ndarray
    moments: np.ndarray
    initial: np.ndarray
    arrivals: np.ndarray
    batch_size: int
    exact: bool = True
    mode: str = "exact"
    members: np.ndarray | None = None

    def __post_init__(self):
        for name in ("visits", "moments", "initial", "arrivals", "members"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, sealed(getattr(self, name)))

    def _facts(self):
        return {"layer": self.layer, "batch_size": self.batch_size, "n_states": self.visits.shape[0],
                "n_actions": self.visits.shape[1], "dim": len(self.moments), "exact": self.exact, "mode": self.mode}


def draw_layer(mdp, policy, n: int, layer: int, stream: Stream, mode: str = "exact", run: BlockMap = map
               ) -> LayerSums:
    """Draw what n trajectories under a valid policy do in one layer.

    Parameters
    ----------
    policy : (H, S) int, (H, S, A) float or Mixture
    layer : int
        h in 1..H.
    stream, mode, run
        As in `derl.deployment.sums.draw_sums`.

    Raises
    ------
    InvalidDeployment
        Another mode.
    """
    if mode not in MODES:
        raise InvalidDeployment(f"mode is {mode!r}; sums are drawn in the modes {MODES}")
    kind = np.int64 if mode == "exact" else np.float64
    members, parts = None, [(n, policy)]
    if isinstance(policy, Mixture):
        members = safe_multinomial(stream(0), n, policy.weights, mode)
        parts = [(size, member) for size, member in zip(members.tolist(), policy.policies, strict=True) if size]
    visits, initial = np.zeros(mdp.phi.shape[1:3], kind), np.zeros(mdp.n_states, kind)
    for number, (size, member) in enumerate(parts, 1):
        occupied = safe_multinomial(stream(number, 0), size, mdp.initial, mode)
        initial += occupied
        for before in range(layer):
            states, actions, sizes = _chosen(np.asarray(member)[before], occupied, stream(number, before + 1, 0), mode)
            if before < layer - 1:
                occupied = _arrived(mdp, before, states, actions, sizes, stream(number, before + 1, 1), mode)
        visits[states, actions] += sizes
    following, moments = np.zeros(mdp.n_states, kind), np.zeros((mdp.dim, mdp.n_states))
    states, actions = visits.nonzero()
    if mode == "expected":
        mean(mdp, layer - 1, states, actions, visits[states, actions], following, moments)
    else:
        rows = blocks(mdp, layer - 1, states, actions, visits[states, actions], lambda *at: stream(0, *at))
        for arrived, moment in run(draw_block, rows):
            following += arrived
            moments += moment
    return LayerSums(layer, visits, moments, initial, following, n, mode == "exact" and n <= CHUNK, mode, members)


def _chosen(policy, occupied, rng, mode) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States, actions and trajectories of one layer, for a policy (S,) or (S, A)."""
    states = occupied.nonzero()[0]
    if policy.ndim == 1:
        return states, policy[states].astype(np.intp), occupied[states]
    split = safe_multinomial(rng, occupied[states], policy[states], mode)
    row, actions = split.nonzero()
    return states[row], actions, split[row, actions]


def _arrived(mdp, layer, states, actions, sizes, rng, mode) -> np.ndarray:
    """Arrivals (S,) after a layer."""
    phi, mu = mdp.phi[layer, states, actions], np.array(mdp.mu[layer])
    if mode == "expected":
        return np.maximum((sizes @ phi) @ mu, 0.0)
    if phi.min() < 0.0 or mu.min() < 0.0:
        return draw_block(Block(phi, sizes, mu, rng))[0]
    coordinates = draw_block(Block(phi, sizes, np.diag(mu.sum(axis=1)), rng))[0]
    seen = coordinates.nonzero()[0]
    return draw_block(Block(np.eye(mdp.dim)[seen], coordinates[seen], mu, rng))[0]
