"""The families on which Table 1 is executed: an instance for a dimension, a horizon and a seed.

`d` and `horizon` are those of the linear MDP: dimension of the features, number of layers. What is hidden (layer and
index of the optimal state, digits, arm), or everything where the family is random, is drawn from the seed, so that a
frequency over seeds is one over instances too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from derl.experiments.sweep import InvalidSpec
from derl.inputs import choice, whole
from derl.mdp import instances
from derl.mdp.linear_mdp import LinearMDP

STREAM = 41  # keeps what is hidden apart from other streams of the same seed
BIAS = Fraction(1, 2)  # by how much the hidden choice is better
LAKE = ("SF", "FG")
LEAST = {"template": (5, 3), "lock": (4, 2), "bandit": (4, 2)}  # d and horizon
LARGEST = 10**4


def draw(family: str, seed: int, d: int, horizon: int, probability: float | None = None,
         rotate: bool = False) -> LinearMDP:
    """An instance.

    Parameters
    ----------
    family : one of `FAMILIES`
    seed : int
    d, horizon : int
        Dimension and number of layers; the family says which it has.
    probability : float or None
        Of the rare state.
    rotate : bool
        Features turned by a random orthogonal matrix: the same MDP in another basis.

    Raises
    ------
    InvalidSpec
    """
    family = choice(family, "family", tuple(FAMILIES), InvalidSpec)
    build, (least_d, least_horizon) = FAMILIES[family], LEAST.get(family, (2, 2))
    seed = whole(seed, "seed", 0, error=InvalidSpec)
    d = whole(d, f"d of the family {family}", least_d, LARGEST, InvalidSpec)
    horizon = whole(horizon, f"horizon of the family {family}", least_horizon, LARGEST, InvalidSpec)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(STREAM,)))
    more = {"probability": probability} if family == "rare" else {}
    mdp = build(rng, seed, d, horizon, **more)
    if mdp.dim != d or mdp.horizon != horizon:
        raise InvalidSpec(f"family {family} has no instance of dimension {d} with {horizon} layers")
    return turned(mdp, rng) if rotate else mdp


def turned(mdp: LinearMDP, rng: np.random.Generator) -> LinearMDP:
    """The same MDP in another orthonormal basis."""
    basis, upper = np.linalg.qr(rng.standard_normal((mdp.dim, mdp.dim)))
    basis = basis * np.sign(np.diag(upper))
    return LinearMDP(mdp.phi @ basis, np.einsum("ij,hit->hjt", basis, mdp.mu), mdp.theta @ basis, mdp.initial,
                     mdp.available)


def _template(rng, seed, d, horizon) -> LinearMDP:
    """Appendix B: (d - 1)/2 states a layer, the optimal one hidden among the layers 1..H-2."""
    size = (d - 1) // 2
    return instances.hard_template(size, horizon - 1, int(rng.integers(1, horizon - 1)), int(rng.integers(1, size)), 0,
                                   BIAS)


def _lock(rng, seed, d, horizon) -> LinearMDP:
    return instances.lock(d - 2, horizon - 1, rng.integers(d - 2, size=horizon - 1).tolist(), BIAS)


def _bandit(rng, seed, d, horizon) -> LinearMDP:
    arms = instances.compact_bandit_arms(d - 2, horizon - 1)
    return instances.compact_bandit(d - 2, horizon - 1, arms[rng.integers(len(arms))], BIAS)


def _simplex(rng, seed, d, horizon) -> LinearMDP:
    return instances.random_simplex(8, 3, d, horizon, seed)


def _tabular(rng, seed, d, horizon) -> LinearMDP:
    """d/2 states with two actions, transitions drawn from a Dirichlet distribution, rewards uniform."""
    size = d // 2
    return instances.tabular(rng.dirichlet(np.full(size, 0.5), size=(horizon, size, 2)),
                             rng.random((horizon, size, 2)), np.eye(size)[0])


def _lake(rng, seed, d, horizon) -> LinearMDP:
    """FrozenLake on four fields, slippery; nothing of it is random but the ice."""
    return instances.from_gymnasium("FrozenLake-v1", horizon, desc=list(LAKE))


def _rare(rng, seed, d, horizon, probability) -> LinearMDP:
    return instances.rare_state(probability, horizon, seed)


FAMILIES: dict[str, Callable[..., LinearMDP]] = {
    "template": _template, "lock": _lock, "bandit": _bandit, "simplex": _simplex, "tabular": _tabular,
    "lake": _lake, "rare": _rare}
