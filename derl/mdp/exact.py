"""The same model in rational numbers: validation without tolerance, planning without rounding.

A rational instance is checked with `==` and `<=`, so a counterexample built here is a proof. The recursions are written
a second time and form P, so they are also an independent check of `derl.mdp.planning`. They are for small instances,
because every entry is a Python object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from derl.inputs import as_fraction, number, shown
from derl.inputs.arrays import unmasked
from derl.inputs.rational_arrays import product
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import InvalidPolicy, as_policy
from derl.mdp.sizes import Sized
from derl.mdp.validation import InvalidInstance, as_mask, demand, layers_of, where

SIGNS_AT_MOST = 10


def rationals(array) -> np.ndarray:
    """An object array of Fractions; floats are taken at their exact binary value, text such as "3/20" is read."""
    array = unmasked(array, "an array of rational numbers", InvalidInstance)
    try:
        array = np.asarray(array, dtype=object)
        entries = [number(entry, "an entry") if isinstance(entry, str) else as_fraction(entry)
                   for entry in array.ravel()]
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        raise InvalidInstance(f"every entry must be a rational number, a finite float, or text such as '3/20' "
                              f"({error})") from None
    return np.array(entries, dtype=object).reshape(array.shape)


@dataclass(frozen=True, eq=False)
class ExactMDP(Sized):
    """A linear MDP with rational entries; fields as in `LinearMDP`.

    Raises
    ------
    InvalidInstance
        When a rule of Assumption 1 fails exactly. sup over |v| <= 1 of |sum_s v(s) mu(s)| is decided by the
        triangle inequality per coordinate, or by enumeration when at most 10 columns of mu are nonzero; an
        instance that neither decides is refused, so that every constructed one satisfies every rule.
    """

    phi: np.ndarray
    mu: np.ndarray
    theta: np.ndarray
    initial: np.ndarray
    available: np.ndarray | None = None
    state_names: tuple[str, ...] = field(default=(), kw_only=True)
    action_names: tuple[str, ...] = field(default=(), kw_only=True)
    info: Mapping = field(default_factory=dict, kw_only=True)

    def __post_init__(self):
        phi = np.asarray(unmasked(self.phi, "phi", InvalidInstance), dtype=object)
        if phi.ndim != 4:
            raise InvalidInstance(f"phi has shape {phi.shape}; it must have shape (H, S, A, d)")
        mask = as_mask(np.ones(phi.shape[:3], bool) if self.available is None else self.available, phi.shape[:3])
        values = {"phi": rationals(np.where(mask[..., None], phi, 0)), "available": mask.copy(),
                  "mu": rationals(self.mu), "theta": rationals(self.theta), "initial": rationals(self.initial)}
        for name, array in values.items():
            object.__setattr__(self, name, _read_only(array))
        self.to_float()  # shapes, names, and every rule up to rounding
        _check(self)

    @cached_property
    def _transitions(self):
        return _read_only(np.stack([product(self.phi[h], self.mu[h]) for h in range(self.horizon)]))

    @cached_property
    def _rewards(self):
        return _read_only(np.stack([product(self.phi[h], self.theta[h]) for h in range(self.horizon)]))

    @cached_property
    def _moves(self):
        """(s, a, s', P_h(s' | s, a)) of every layer where it is not zero: a Fraction that is 0 costs as much as any."""
        return [[(*map(int, at), rows[tuple(at)]) for at in np.argwhere(rows != 0)] for rows in self._transitions]

    def transitions(self) -> np.ndarray:
        """P_h(s' | s, a) as Fractions, shape (H, S, A, S); zero rows for unavailable actions."""
        return self._transitions

    def rewards(self) -> np.ndarray:
        """r_h(s, a) as Fractions, shape (H, S, A); zero for unavailable actions."""
        return self._rewards

    def to_float(self) -> LinearMDP:
        """The same instance rounded to float64."""
        return LinearMDP(self.phi, self.mu, self.theta, self.initial, self.available,
                         state_names=self.state_names, action_names=self.action_names, info=self.info)


def _read_only(array):
    array.flags.writeable = False
    return array


def _check(mdp):
    if min(mdp.initial) < 0 or sum(mdp.initial) != 1:
        raise InvalidInstance(f"initial sums to {shown(sum(mdp.initial))}, minimum {shown(min(mdp.initial))}; "
                              "it must lie on the simplex exactly")
    transitions, rewards = mdp.transitions(), mdp.rewards()
    for h, s, a in np.argwhere(mdp.available):
        feature, row, reward = mdp.phi[h, s, a], transitions[h, s, a], rewards[h, s, a]
        square = sum(entry * entry for entry in feature if entry)
        if square > 1:
            raise InvalidInstance(f"{where(h, s, a)}: |phi|^2 = {shown(square)}; at most 1 is allowed")
        total = sum(entry for entry in row if entry)
        if min(row) < 0 or total != 1:
            raise InvalidInstance(f"{where(h, s, a)}: transition probabilities have minimum {shown(min(row))} and "
                                  f"sum {shown(total)}; they must be >= 0 and sum to 1 exactly")
        if not 0 <= reward <= 1:
            raise InvalidInstance(f"{where(h, s, a)}: reward {shown(reward)}; rewards must lie in [0, 1]")
    for h in range(mdp.horizon):
        if mdp.theta[h] @ mdp.theta[h] > mdp.dim:
            raise InvalidInstance(f"{where(h)}: |theta|^2 = {shown(mdp.theta[h] @ mdp.theta[h])}; "
                                  f"at most {mdp.dim}")
        square = squared_measure_norm(mdp.mu[h], enough=mdp.dim)
        if square > mdp.dim:
            raise InvalidInstance(f"{where(h)}: sup over |v| <= 1 of |sum_s v(s) mu(s)|^2 is {shown(square)}; "
                                  f"at most {mdp.dim} is allowed")


def squared_measure_norm(mu, enough=None) -> Fraction:
    """sup over v in [-1, 1]^S of |sum_s v(s) mu(s)|^2, exactly.

    Parameters
    ----------
    mu : (d, S) Fractions
    enough : number, optional
        Return the upper bound sum_i |mu_i|(S)^2 when it is already at most this.

    Raises
    ------
    InvalidInstance
        When the bound does not decide and more than 10 columns are nonzero.
    """
    columns = [column for column in mu.T if any(column)]
    upper = sum((sum(abs(entry) for entry in row) ** 2 for row in mu), Fraction(0))
    if not columns or enough is not None and upper <= enough:
        return upper
    if len(columns) > SIGNS_AT_MOST:
        raise InvalidInstance(f"{len(columns)} nonzero columns of mu; sup_v is enumerated exactly for at most "
                              f"{SIGNS_AT_MOST}, or decided by sum_i |mu_i|(S)^2 <= d (here {shown(upper)})")
    sums = [columns[0]]
    for column in columns[1:]:
        sums = [total + sign * column for total in sums for sign in (1, -1)]
    return max(total @ total for total in sums)


@dataclass(frozen=True, eq=False)
class ExactPlan:
    """As `planning.Plan`, in Fractions: value, values (H + 1, S), policy."""

    value: Fraction
    values: np.ndarray
    policy: np.ndarray


def _backup(mdp: ExactMDP, h: int, values: np.ndarray) -> np.ndarray:
    """r_h + P_h V, shape (S, A)."""
    q = mdp.rewards()[h].copy()
    for s, a, following, p in mdp._moves[h]:
        if values[following]:
            q[s, a] += p * values[following]
    return q


def optimal(mdp: ExactMDP, horizon: int | None = None) -> ExactPlan:
    """Backward induction in rationals; ties go to the lowest action index."""
    demand(ExactMDP, mdp=mdp)
    horizon = layers_of(mdp, horizon)
    values = np.full((mdp.horizon + 1, mdp.n_states), Fraction(0), dtype=object)
    policy = mdp.available.argmax(axis=2)
    for h in reversed(range(horizon)):
        q = _backup(mdp, h, values[h + 1])
        for s in range(mdp.n_states):
            policy[h, s] = max(np.flatnonzero(mdp.available[h, s]), key=lambda a, row=q[s]: (row[a], -a))
            values[h, s] = q[s, policy[h, s]]
    return ExactPlan(mdp.initial @ values[0], values, policy)


def evaluate(mdp: ExactMDP, policy: np.ndarray, horizon: int | None = None) -> ExactPlan:
    """The exact value of a Markov policy: integers (H, S), or Fractions (H, S, A)."""
    demand(ExactMDP, mdp=mdp)
    horizon = layers_of(mdp, horizon)
    rows = _rows(mdp, policy, horizon)
    values = np.full((mdp.horizon + 1, mdp.n_states), Fraction(0), dtype=object)
    for h in reversed(range(horizon)):
        values[h] = (rows[h] * _backup(mdp, h, values[h + 1])).sum(axis=1)
    return ExactPlan(mdp.initial @ values[0], values, policy)


def occupancy(mdp: ExactMDP, policy: np.ndarray) -> np.ndarray:
    """P(s_h = s, a_h = a) as Fractions, shape (H, S, A)."""
    demand(ExactMDP, mdp=mdp)
    rows, transitions = _rows(mdp, policy, mdp.horizon), mdp.transitions()
    result, mass = np.empty(rows.shape, dtype=object), mdp.initial
    for h in range(mdp.horizon):
        result[h] = mass[:, None] * rows[h]
        mass = result[h].reshape(-1) @ transitions[h].reshape(-1, mdp.n_states)
    return result


def _rows(mdp, policy, horizon):
    """The policy as Fractions (h, S, A), on the simplex over available actions exactly."""
    policy = as_policy(policy)
    shape = (horizon, mdp.n_states, mdp.n_actions)
    if policy.ndim not in (2, 3) or len(policy) < horizon or policy.shape[1:] != shape[1:policy.ndim]:
        raise InvalidPolicy(f"policy has shape {policy.shape}; it must have shape {shape[:2]} or {shape}")
    rows = policy[:horizon]
    if policy.ndim == 2:
        rows = (rows[..., None] == np.arange(mdp.n_actions)).astype(int)
    rows = rationals(rows)
    off = (rows < 0) | ((rows > 0) & ~mdp.available[:horizon])
    if off.any() or (rows.sum(axis=2) != 1).any():
        raise InvalidPolicy("policy leaves the simplex over available actions; rows must be >= 0, sum to 1 exactly")
    return rows


def reachable_states(mdp: ExactMDP) -> np.ndarray:
    """Which states some policy can be in, (H, S) bool, exactly."""
    reached = np.zeros((mdp.horizon, mdp.n_states), bool)
    reached[0] = [p > 0 for p in mdp.initial]
    for h in range(mdp.horizon - 1):
        rows = mdp.transitions()[h][reached[h]][mdp.available[h][reached[h]]]
        reached[h + 1] = (rows > 0).any(axis=0)
    return reached
