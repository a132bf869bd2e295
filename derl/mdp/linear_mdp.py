"""A finite linear MDP as arrays: P_h(s' | s, a) = <phi_h(s, a), mu_h(s')>, r_h(s, a) = <phi_h(s, a), theta_h>.

Source: Assumption 1. Layers are h = 1..H in the paper and in messages, and h = 0..H-1 as array indices.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from derl.inputs import display, whole
from derl.mdp import labels, storage, validation
from derl.mdp.layers import distinct, frozen, hidden, repeated
from derl.mdp.sizes import Sized
from derl.mdp.validation import SNAP, InvalidInstance

ARRAYS = ("phi", "mu", "theta", "initial", "available")


@dataclass(frozen=True, eq=False, repr=False)
class LinearMDP(Sized, display.Shown):
    """A finite-horizon linear MDP with known features.

    Parameters
    ----------
    phi : (H, S, A, d)
        Features, |phi| <= 1.
    mu : (H, d, S)
        Signed measures; <phi, mu> is a distribution for every available action, and
        sup over v in [-1, 1]^S of |sum_s v(s) mu_h(s)| is at most sqrt d.
    theta : (H, d)
        Reward vectors, |theta_h| <= sqrt d, rewards in [0, 1].
    initial : (S,)
        Distribution of the state in layer 1.
    available : (H, S, A) bool, optional
        Which actions can be taken; all by default. Features of other actions must be finite; they are otherwise
        ignored and stored as zero.
    state_names, action_names : tuples of str
        For figures and tables; empty by default.
    info : mapping
        Facts worth keeping with the instance (family, parameters, reward scale); what JSON can hold.

    Raises
    ------
    InvalidInstance
        One line with layer, state, action, the value found, the rule broken, and what is allowed. Row sums, norms
        and rewards have a tolerance of 1e-9. The bound on sup_v is decided exactly when the mu columns of a layer
        lie on at most 14 lines, or when the triangle inequality already gives it; otherwise a violation that the
        search does not find is let through (`validation.measure_norm` gives the bracket).

    Notes
    -----
    Arrays are copied to float64 and read-only for good (`setflags` cannot change that). Input that repeats one layer
    (`np.broadcast_to`) is kept as one layer, so a stationary instance costs the memory of a single layer.

    Source: Assumption 1, with rewards in [0, 1] as the proofs use them.

    Examples
    --------
    >>> import numpy as np
    >>> from derl import LinearMDP
    >>> phi = np.eye(2).reshape(1, 1, 2, 2)              # one layer, one state, two actions
    >>> theta, initial = np.array([[0.25, 1.0]]), np.ones(1)
    >>> mdp = LinearMDP(phi, np.ones((1, 2, 1)), theta, initial)
    >>> mdp.horizon, mdp.n_states, mdp.n_actions, mdp.dim
    (1, 1, 2, 2)
    >>> mdp.rewards()[0]
    array([[0.25, 1.  ]])
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
        with np.errstate(all="ignore"):  # what overflows is infinite, and refused as such
            self._validate()

    def _validate(self):
        phi = validation.as_numbers("phi", self.phi, ("H", "S", "A", "d"))
        horizon, n_states, n_actions, dim = phi.shape
        mu = validation.as_numbers("mu", self.mu, (horizon, dim, n_states))
        theta = validation.as_numbers("theta", self.theta, (horizon, dim))
        initial = validation.as_numbers("initial", self.initial, (n_states,))
        mask = np.broadcast_to(True, phi.shape[:3]) if self.available is None else self.available
        mask = validation.as_mask(mask, phi.shape[:3])
        for name, array in (("phi", phi), ("mu", mu), ("theta", theta), ("initial", initial)):
            validation.check_finite(name, distinct(array))
        validation.check_initial(initial)
        self._set(phi=frozen(hidden(phi, mask)), mu=frozen(mu), theta=frozen(theta), initial=frozen(initial),
                  available=frozen(mask), info=labels.facts(self.info),
                  state_names=labels.names("state_names", self.state_names, n_states),
                  action_names=labels.names("action_names", self.action_names, n_actions))
        layers = range(1) if self.repeats_one_layer else range(horizon)
        for h in layers:
            validation.check_features(h, self.phi[h], self.available[h])
        self._check_rewards(self.theta)
        for h in layers:
            validation.check_rows(h, self.phi[h], self.mu[h], self.available[h])
            validation.check_measures(h, self.mu[h])

    def _set(self, **values):
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _check_rewards(self, theta):
        for h in range(1 if self.repeats_one_layer and repeated(theta) else self.horizon):
            validation.check_rewards(h, self.phi[h], theta[h], self.available[h])

    def _fields(self) -> dict:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def _with(self, **changes) -> LinearMDP:
        """A copy with some fields replaced, without validation (the caller has done it)."""
        new = object.__new__(LinearMDP)
        new._set(**self._fields() | changes)
        return new

    @property
    def repeats_one_layer(self) -> bool:
        """Whether features, measures and mask are stored as one layer that is repeated (rewards may differ)."""
        return all(repeated(array) for array in (self.phi, self.mu, self.available))

    @cached_property
    def _all_available(self):
        return bool(distinct(self.available).all())

    @cached_property
    def _rewards(self):
        layers = 1 if repeated(self.phi) and repeated(self.theta) else self.horizon
        rewards = np.stack([self.phi[h] @ self.theta[h] for h in range(layers)])
        return frozen(np.broadcast_to(rewards, self.phi.shape[:3]))

    def rewards(self) -> np.ndarray:
        """r_h(s, a) = <phi_h(s, a), theta_h>, shape (H, S, A), read-only; 0 for unavailable actions."""
        return self._rewards

    def transitions(self) -> np.ndarray:
        """P_h(s' | s, a), shape (H, S, A, S): for small instances, figures and tests.

        Entries below 1e-15 are exact zeros and available rows are renormalised; unavailable rows are zero.
        """
        states, actions = np.indices((self.n_states, self.n_actions)).reshape(2, -1)
        rows = [self.transition_rows(h, states, actions) for h in range(self.horizon)]
        return np.stack(rows).reshape(*self.phi.shape[:3], self.n_states)

    def transition_rows(self, h, s, a) -> np.ndarray:
        """P_h(. | s_i, a_i) for layer index h and index arrays s, a: shape (len(s), S), without forming P.

        Entries below 1e-15 are snapped to exact 0 and the rest is renormalised, so that an impossible transition has
        probability exactly zero. Rows of unavailable actions are zero.
        """
        rows = self.phi[h, s, a] @ self.mu[h]
        rows[rows < SNAP] = 0.0
        total = rows.sum(axis=-1, keepdims=True)
        return np.divide(rows, total, out=rows, where=total > 0)

    def expected_next(self, h, values) -> np.ndarray:
        """E[V(s') | s, a] in layer index h for V = values (S,), shape (S, A); 0 for unavailable actions."""
        return self._along(h, self.mu[h] @ values)

    def _along(self, h, weights) -> np.ndarray:
        """<phi_h(s, a), weights>, shape (S, A): one product with a matrix, which is faster than S small ones."""
        return (self.phi[h].reshape(-1, self.dim) @ weights).reshape(self.n_states, self.n_actions)

    def backup(self, h, values, theta=None) -> np.ndarray:
        """Q_h = phi_h (mu_h V + theta_h) in layer index h, shape (S, A); -inf for unavailable actions.

        Parameters
        ----------
        values : (S,)
            V of the next layer.
        theta : (H, d), optional
            Reward vectors in place of the instance's own.
        """
        rewards = self.theta if theta is None else theta
        q = self._along(h, self.mu[h] @ values + rewards[h])
        if not self._all_available:
            q[~self.available[h]] = -np.inf
        return q

    def with_reward(self, theta) -> LinearMDP:
        """The same dynamics with reward vectors theta (H, d), validated."""
        theta = validation.as_numbers("theta", theta, (self.horizon, self.dim))
        validation.check_finite("theta", theta)
        self._check_rewards(theta)
        return self._with(theta=frozen(theta))

    def truncate(self, horizon) -> LinearMDP:
        """The first `horizon` layers, 1 <= horizon <= H."""
        horizon = whole(horizon, "horizon", 1, self.horizon, InvalidInstance)
        return self._with(**{name: getattr(self, name)[:horizon] for name in ("phi", "mu", "theta", "available")})

    def save(self, path) -> None:
        """Write a .npz file (no pickle), all at once: an interrupted write leaves no file."""
        storage.save(self, path)

    @classmethod
    def load(cls, path, limited=True) -> LinearMDP:
        """Read what `save` wrote and validate it. Raises InvalidInstance for anything else.

        `limited=False` also reads instances beyond the sizes of `derl.mdp.limits`, from a file that you trust.
        """
        return cls(**storage.load(path, limited))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the arrays, as hexadecimal text: equal instances have equal digests."""
        state = hashlib.sha256(repr(self.phi.shape).encode())
        for name in ARRAYS:
            array = getattr(self, name)
            layers = [hashlib.sha256(np.ascontiguousarray(layer)).digest() for layer in distinct(array)]
            state.update(b"".join(layers * (len(array) // len(layers))))
        return state.hexdigest()

    def __eq__(self, other):
        if not isinstance(other, LinearMDP):
            return NotImplemented
        return self.phi.shape == other.phi.shape and self.digest == other.digest

    def __hash__(self):
        return hash(self.digest)

    def __reduce__(self):
        return _rebuild, (self._fields() | {"info": dict(self.info)},)

    def _facts(self):
        return {"horizon": self.horizon, "n_states": self.n_states, "n_actions": self.n_actions, "dim": self.dim}

    def _more(self):
        return display.html("info", self.info) if self.info else ""


def _rebuild(fields):
    """Unpickled instances pass through the constructor, so that they are read-only and valid again."""
    return LinearMDP(**fields)
