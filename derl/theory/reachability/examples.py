"""Small rational instances on which reachability is known or worth knowing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from derl.inputs import whole
from derl.mdp import instances
from derl.mdp.exact import ExactMDP, rationals
from derl.mdp.validation import InvalidInstance

MOST = 64  # states, actions, dimensions and layers of a random instance: every entry is a Fraction


def one_state(features, normal) -> ExactMDP:
    """One state, one layer, an action per feature; `normal` has inner product 1 with every feature.

    Parameters
    ----------
    features : (A, d)
    normal : (d,)
        Both of rational numbers; floats are taken at their exact binary value.

    Raises
    ------
    InvalidInstance
    """
    features, normal = rationals(features), rationals(normal)
    if features.ndim != 2 or features.shape[1:] != normal.shape:
        raise InvalidInstance(f"features have shape {features.shape} and the normal has {normal.shape}; they must be "
                              "(A, d) and (d,)")
    return ExactMDP(features[None, None], normal[None, :, None], np.zeros((1, len(normal)), dtype=int), np.array([1]))


def orthonormal(d) -> ExactMDP:
    """The unit vectors as actions, d = 1..64."""
    d = whole(d, "d", 1, MOST, InvalidInstance)
    return one_state(np.eye(d, dtype=int), [1] * d)


def round_bandit() -> ExactMDP:
    """Features (4/5, 3/5 u), u twelve rational points of the circle: nu^2 = 81/250, lambda* = 9/50."""
    circle = [(1, 0), (0, 1)] + [(Fraction(3, 5), Fraction(4, 5)), (Fraction(4, 5), Fraction(3, 5))]
    points = sorted({(x * p, y * q) for p, q in circle for x, y in product((1, -1), repeat=2)})
    return one_state([(Fraction(4, 5), Fraction(3, 5) * p, Fraction(3, 5) * q) for p, q in points],
                     (Fraction(5, 4), 0, 0))


def tilted() -> ExactMDP:
    """Two states with probability 1/2 each and features (4/5, +-3/5): no policy moves the mean of the second one."""
    phi = np.array([[[[Fraction(4, 5), sign * Fraction(3, 5)]] for sign in (1, -1)]], dtype=object)
    mu = np.array([[[Fraction(5, 4), 0], [0, 0]]], dtype=object)
    return ExactMDP(phi, mu, np.zeros((1, 2), dtype=int), np.array([Fraction(1, 2)] * 2))


def two_states(seed, horizon=3) -> ExactMDP:
    """A random rational tabular instance with two states and two actions, d = 4; horizon 1..64."""
    seed, horizon = whole(seed, "seed", 0, error=InvalidInstance), whole(horizon, "horizon", 1, MOST, InvalidInstance)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    stay = rng.integers(1, 10, size=(horizon, 4))
    mu = np.array([[[Fraction(int(p), 10), 1 - Fraction(int(p), 10)] for p in row] for row in stay], dtype=object)
    start = Fraction(int(rng.integers(1, 10)), 10)
    phi = np.broadcast_to(np.eye(4, dtype=int).reshape(2, 2, 4), (horizon, 2, 2, 4))
    return ExactMDP(phi, mu, np.zeros((horizon, 4), dtype=int), np.array([start, 1 - start]))


def twelfths(n_states, n_actions, d, horizon, seed) -> ExactMDP:
    """Random features and measures on the simplex with small denominators, 12 and 10; random start. Sizes are 1..64."""
    sizes = {"n_states": n_states, "n_actions": n_actions, "d": d, "horizon": horizon}
    n_states, n_actions, d, horizon = (whole(size, name, 1, MOST, InvalidInstance) for name, size in sizes.items())
    seed = whole(seed, "seed", 0, error=InvalidInstance)
    rng = np.random.default_rng(np.random.SeedSequence(seed))

    def points(count, total, shape):
        cuts = np.sort(rng.integers(0, total + 1, size=(*shape, count - 1)), axis=-1)
        parts = np.diff(cuts, prepend=0, append=total, axis=-1)
        return np.frompyfunc(lambda x: Fraction(int(x), total), 1, 1)(parts)

    return ExactMDP(points(d, 12, (horizon, n_states, n_actions)), points(n_states, 10, (horizon, d)),
                    np.zeros((horizon, d), dtype=int), points(n_states, 10, (1,))[0],
                    info={"family": "twelfths", "seed": seed})


def mixed_instances() -> dict[str, tuple[ExactMDP, int]]:
    """Rational instances on which inequalities are tried, with a layer each."""
    return {"hexagon": (instances.hexagon(5, exact=True), 1), "round": (round_bandit(), 1), "tilted": (tilted(), 1),
            "tabular": (two_states(0), 3), "random d=3": (twelfths(4, 3, 3, 2, 1), 2),
            "random d=2": (twelfths(3, 2, 2, 3, 0), 3)}


def ends(found) -> tuple[Fraction, Fraction]:
    """Both ends of an interval as its certificate has them, in fractions (of nu^2, not nu)."""
    return Fraction(found.certificate["lower"]["value"]), Fraction(found.certificate["upper"]["value"])
