r"""One layer of an instance in whole numbers: how its features can be reached, without rounding.

Everything that Definition 4.3 asks of a layer h is the set of distributions of (s_h, a_h) that policies can produce. A
`LayerProblem` keeps the features of layer h and the transitions of the layers before it as integers over common
denominators, so that values, moments, supports and ranks come out exactly.

An `ExactMDP` is taken as it is. A `LinearMDP` in float64 is read as the rational instance whose features are the
stored numbers and whose rows of transitions are those of `transition_rows`, rounded to multiples of 2^-53, the largest
entry taking the remainder. It also stands for all instances that round to it: an entry that is a multiple of 2^-20 is
taken to be meant exactly, any other may be off by four units in the last place. `feature_radius` and `mass_radius` say
how far that can carry. nu moves by no more, because for features phi, phi' and laws q, q' of (s_h, a_h)

    | (E_q <phi, theta>^2)^{1/2} - (E_q <phi', theta>^2)^{1/2} | <= max |phi - phi'|     (triangle inequality in L2)
    | E_q <phi, theta>^2 - E_q' <phi, theta>^2 | <= |q - q'|_1 max |phi|^2 .
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

import numpy as np

from derl import inputs
from derl.mdp.exact import ExactMDP
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import SNAP
from derl.theory.reachability.algebra import in_integers, independent

UNIT = 2.0**-53
GRID = 2.0**20  # multiples of 1/GRID are taken to be meant exactly


class InvalidLayer(inputs.Invalid):
    """A layer, or an option of the functions on it, that does not exist; the message says what is allowed."""


@dataclass(frozen=True, eq=False)
class LayerProblem:
    """The features of one layer and the ways to reach them.

    Attributes
    ----------
    features : (S, A, d) of int
        phi_h times `feature_scale`; zero for unavailable actions.
    transitions : tuple of (S, A, S) arrays of int
        P_1, ..., P_{h-1} times `scales[k]`; rows of available actions sum to the scale.
    initial : (S,) of int
        Sums to `initial_scale`.
    available : (h, S, A) bool
    feature_radius, mass_radius : float, >= 0
        Rounding of the instance behind it: max |phi - phi'| and |q - q'|_1; 0 for an exact instance.
    """

    features: np.ndarray
    feature_scale: int
    transitions: tuple[np.ndarray, ...]
    scales: tuple[int, ...]
    initial: np.ndarray
    initial_scale: int
    available: np.ndarray
    feature_radius: float = 0.0
    mass_radius: float = 0.0

    @property
    def layer(self) -> int:
        """h, counted from 1."""
        return len(self.available)

    @property
    def dim(self) -> int:
        """d, the dimension of the features."""
        return self.features.shape[2]

    @cached_property
    def mass_scale(self) -> int:
        """Common denominator of all probabilities of (s_h, a_h)."""
        return int(np.prod(np.array([self.initial_scale, *self.scales], dtype=object)))

    def best(self, reward: np.ndarray) -> int:
        """max over policies of E[reward(s_h, a_h)] times `mass_scale`, for integer rewards (S, A)."""
        values = _largest(reward, self.available[-1])
        for rows, mask in zip(self.transitions[::-1], self.available[-2::-1], strict=True):
            values = _largest(rows @ values, mask)
        return int(self.initial @ values)

    def best_policy(self, reward: np.ndarray) -> np.ndarray:
        """A deterministic policy (h, S) that attains `best`."""
        policy, values = np.empty(self.available.shape[:2], dtype=np.intp), reward
        for k in reversed(range(self.layer)):
            table = reward if k == self.layer - 1 else self.transitions[k] @ values
            policy[k] = np.where(self.available[k], table, table.min() - 1).argmax(axis=1)
            values = np.take_along_axis(table, policy[k][:, None], axis=1)[:, 0]
        return policy

    def quadratic(self, matrix: np.ndarray) -> np.ndarray:
        """phi' M phi for an integer matrix M (d, d): integers (S, A) over feature_scale^2."""
        return ((self.features @ matrix) * self.features).sum(axis=2)

    def occupancy(self, policy: np.ndarray) -> np.ndarray:
        """P(s_h = s) times `mass_scale`, integers (S,), under a deterministic policy (h, S)."""
        mass, states = self.initial, np.arange(len(self.initial))
        for rows, actions in zip(self.transitions, policy[:-1], strict=True):
            mass = mass @ rows[states, actions]
        return mass

    def second_moment(self, policy: np.ndarray) -> np.ndarray:
        """E[phi phi'] under a deterministic policy (h, S): integers (d, d) over mass_scale feature_scale^2."""
        chosen = self.features[np.arange(len(self.initial)), policy[-1]]
        return (chosen * self.occupancy(policy)[:, None]).T @ chosen

    def first_moment(self, policy: np.ndarray) -> np.ndarray:
        """E[phi] under a deterministic policy (h, S): integers (d,) over mass_scale feature_scale."""
        return self.occupancy(policy) @ self.features[np.arange(len(self.initial)), policy[-1]]

    @cached_property
    def reachable(self) -> np.ndarray:
        """Which states some policy visits, (h, S) bool."""
        visited = [np.array(self.initial > 0, dtype=bool)]
        for rows, mask in zip(self.transitions, self.available[:-1], strict=True):
            pairs = visited[-1][:, None] & mask
            visited.append(np.array(rows[pairs] > 0, dtype=bool).any(axis=0))
        return np.array(visited)

    @cached_property
    def points(self) -> np.ndarray:
        """The distinct features of layer h that some policy meets, (n, d) of int over feature_scale."""
        pairs = self.reachable[-1][:, None] & self.available[-1]
        return np.array(sorted({tuple(row) for row in self.features[pairs]}), dtype=object)

    @cached_property
    def steerable(self) -> bool:
        """Whether every reachable pair can be reached with probability one (fixed start, no chance before h)."""
        certain = (self.initial > 0).sum() == 1
        for rows, mask, visited in zip(self.transitions, self.available[:-1], self.reachable[:-1], strict=True):
            certain &= bool(((rows[visited[:, None] & mask] > 0).sum(axis=1) == 1).all())
        return bool(certain)

    @cached_property
    def rank(self) -> int:
        """Dimension of the span of the reachable features."""
        return len(independent(self.points))

    def stands_for(self, text: dict) -> bool:
        """Whether a problem as JSON holds it is the same instance: equal, up to the rounding that the radii allow.

        A product of matrices is rounded as the library of linear algebra and the processor have it, so two machines
        may read one instance in float64 as two problems whose transitions differ in the last place. Each of them is
        within the radii of the instance that both stand for, so together they differ by at most twice as much. An exact
        instance has radii 0 and must be equal.

        Parameters
        ----------
        text : dict
            As `text` returns it.
        """
        own = self.text()
        shapes = [np.shape(text[key]) == np.shape(own[key]) for key in ("features", "transitions", "initial", "scales")]
        if not all(shapes) or text["available"] != own["available"]:
            return False
        apart = _ratios(text["features"], text["feature_scale"]) - _ratios(own["features"], own["feature_scale"])
        laws = [np.max(np.abs(_ratios(*theirs) - _ratios(*ours)).sum(axis=-1)) for theirs, ours in zip(
            [*zip(text["transitions"], text["scales"], strict=True), (text["initial"], text["initial_scale"])],
            [*zip(own["transitions"], own["scales"], strict=True), (own["initial"], own["initial_scale"])],
            strict=True)]
        return ((apart**2).sum(axis=-1).max() <= (2 * Fraction(self.feature_radius))**2
                and sum(laws) <= 2 * Fraction(self.mass_radius))

    def text(self) -> dict:
        """The problem as JSON can hold it, numbers exact."""
        return {"features": self.features.tolist(), "feature_scale": self.feature_scale,
                "transitions": [rows.tolist() for rows in self.transitions], "scales": list(self.scales),
                "initial": self.initial.tolist(), "initial_scale": self.initial_scale,
                "available": self.available.astype(int).tolist()}


def _ratios(whole, scale: int) -> np.ndarray:
    """Integers over a scale as Fractions, in an array of the same shape."""
    return np.asarray(whole, dtype=object) * Fraction(1, scale)


def _largest(table, mask):
    """Row maxima over available entries; the overall minimum is used for the others."""
    return np.where(mask, table, table.min()).max(axis=1)


def layer_problem(mdp: LinearMDP | ExactMDP, layer: int) -> LayerProblem:
    """Layer `layer` of an instance in whole numbers.

    Parameters
    ----------
    layer : int
        h = 1..H, counted as in the paper.

    Raises
    ------
    InvalidLayer
    """
    layer = check_layer(mdp, layer)
    return _from_exact(mdp, layer) if isinstance(mdp, ExactMDP) else _from_floats(mdp, layer)


def check_layer(mdp: LinearMDP | ExactMDP, layer: int) -> int:
    """h in 1..H, or InvalidLayer in one clear line."""
    return inputs.whole(layer, "layer", 1, mdp.horizon, InvalidLayer)


def _from_exact(mdp, layer):
    steps = [in_integers(rows) for rows in mdp.transitions()[:layer - 1]]
    return LayerProblem(*in_integers(mdp.phi[layer - 1]), tuple(rows for rows, _ in steps),
                        tuple(scale for _, scale in steps), *in_integers(mdp.initial), np.array(mdp.available[:layer]))


def _from_floats(mdp, layer):
    phi = mdp.phi[layer - 1]
    # frexp gives a 53-bit integer and a power of two; the smallest power that occurs is the common denominator
    mantissa, exponent = np.frexp(phi)
    whole = (mantissa / UNIT).astype(np.int64).astype(object)
    powers = np.where(phi == 0, 53, exponent).astype(int)
    lowest = min(int(powers.min()) - 53, 0)
    features = whole * np.frompyfunc(lambda p: 1 << p, 1, 1)(powers - 53 - lowest)
    divisor = gcd(1 << -lowest, *features.ravel())
    states, actions = np.indices((mdp.n_states, mdp.n_actions)).reshape(2, -1)
    steps = [_unit_rows(mdp.transition_rows(k, states, actions)).reshape(*phi.shape[:2], -1)
             for k in range(layer - 1)]
    return LayerProblem(
        features // divisor, (1 << -lowest) // divisor, tuple(steps), (1 << 53,) * (layer - 1),
        _unit_rows(mdp.initial[None])[0], 1 << 53, np.array(mdp.available[:layer]),
        feature_radius=_vector_radius(phi),
        mass_radius=_law_radius(mdp.initial)
        + sum(map(_step_radius, mdp.phi[:layer - 1], mdp.mu[:layer - 1], mdp.available[:layer - 1])))


def _unit_rows(rows) -> np.ndarray:
    """Rows of probabilities as integers over 2^53 with exact sums; rows of zeros stay."""
    whole = np.rint(rows / UNIT).astype(np.int64)
    rest = np.where(whole.any(axis=1), (1 << 53) - whole.sum(axis=1), 0)
    whole[np.arange(len(whole)), whole.argmax(axis=1)] += rest
    return whole.astype(object)


def _exact(array) -> bool:
    return bool((np.asarray(array) * GRID % 1 == 0).all())


def _vector_radius(phi) -> float:
    radius = np.where(phi * GRID % 1 == 0, 0.0, 4 * np.spacing(np.abs(phi)))
    return float(np.sqrt((radius**2).sum(axis=2)).max())


def _law_radius(law) -> float:
    return 0.0 if _exact(law) else float(4 * np.spacing(law).sum() + 2 * abs(law.sum() - 1))


def _step_radius(phi, mu, mask) -> float:
    """How far a row of P may be from its intended value in L1: rounding of the product, snapping, normalisation."""
    if _exact(phi) and _exact(mu):
        return 0.0
    absolute = (np.abs(phi[mask]) @ np.abs(mu)).sum(axis=1).max()
    off = np.abs(phi[mask] @ mu.sum(axis=1) - 1).max()
    return float((len(mu) + 16) * UNIT * absolute + 4 * mu.shape[1] * SNAP + 2 * off)
