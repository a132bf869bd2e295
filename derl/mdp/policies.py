"""Policies: three kinds, one vocabulary.

- deterministic Markov: integer array (H, S), the action in every layer and state;
- stochastic Markov: float array (H, S, A), rows on the simplex over the available actions;
- `Mixture`: choose one Markov policy at the start of the trajectory and follow it to the end. Such a policy is not
  Markov; it is the kind that Section 4.2 of the paper deploys.

Only sizes and the mask are read from `mdp`, so anything with `horizon`, `n_states`, `n_actions` and `available`
(None means all actions) is enough: what an algorithm may know of an instance.

Layers are counted 1..H in messages; states and actions are array indices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.inputs import Invalid, display, shown, whole
from derl.inputs.arrays import as_array, as_floats
from derl.mdp.layers import sealed
from derl.mdp.validation import layers_of, where

TOLERANCE = 1e-9


class InvalidPolicy(Invalid):
    """A policy that does not fit the instance; the message is one line."""


@dataclass(frozen=True, eq=False, repr=False)
class Mixture(display.Shown):
    """Draw member m with probability weights[m] at the start of the trajectory, then follow it.

    Parameters
    ----------
    policies : tuple of Markov policies
        At least one; duplicates are allowed (multiplicities matter in Algorithm 2).
    weights : (M,)
        Nonnegative, sum 1 (tolerance 1e-9); renormalised and stored read-only.

    Raises
    ------
    InvalidPolicy
        For no member, a nested mixture, or weights off the simplex.
    """

    policies: tuple
    weights: np.ndarray

    def __post_init__(self):
        if not isinstance(self.policies, tuple | list | np.ndarray):
            raise InvalidPolicy(f"policies is {shown(self.policies)}; it must be a tuple of policies")
        members = tuple(np.atleast_1d(self.policies) if isinstance(self.policies, np.ndarray) else self.policies)
        if any(isinstance(member, Mixture) for member in members):
            raise InvalidPolicy("a mixture inside a mixture; its members must be Markov policies")
        members = tuple(sealed(as_policy(member).copy()) for member in members)
        weights = as_floats(self.weights, "mixture weights", InvalidPolicy)
        if not members or weights.shape != (len(members),):
            raise InvalidPolicy(f"{len(members)} policies and weights of shape {weights.shape}; a mixture needs at "
                                "least one policy and one weight per policy")
        with np.errstate(all="ignore"):
            total = weights.sum()
        if not (weights >= 0).all() or not abs(total - 1) <= TOLERANCE:
            raise InvalidPolicy(f"mixture weights have minimum {weights.min():.12g} and sum {total:.12g}; "
                                f"they must be >= 0 and sum to 1 (tolerance {TOLERANCE:g})")
        object.__setattr__(self, "policies", members)
        object.__setattr__(self, "weights", sealed(weights / total))

    def _facts(self):
        return {"policies": len(self.policies), "with positive weight": int((self.weights > 0).sum())}

    def _more(self):
        return display.table([{"member": m, "weight": float(weight), "policy": described(member)}
                              for m, (weight, member) in enumerate(zip(self.weights, self.policies, strict=True))])


Policy = np.ndarray | Mixture


def described(policy) -> str:
    """The kind of a policy and its sizes in a few words."""
    if isinstance(policy, Mixture):
        return f"a mixture of {len(policy.policies)} policies"
    shape = getattr(policy, "shape", ())
    kind = {2: "deterministic, (H, S)", 3: "stochastic, (H, S, A)"}.get(len(shape))
    return f"{kind} = {shape}" if kind else display.cut(policy)


def as_policy(policy) -> Policy:
    """A policy as an array, or the mixture unchanged; probabilities of any width become float64.

    Raises
    ------
    InvalidPolicy
        The policy is not an array, or it has masked entries.
    """
    if isinstance(policy, Mixture):
        return policy
    found = as_array(policy, "policy", InvalidPolicy)
    return found.astype(np.float64, copy=False) if found.dtype.kind == "f" else found


def _mask(mdp):
    if mdp.available is None:
        return np.ones((mdp.horizon, mdp.n_states, mdp.n_actions), dtype=bool)
    return mdp.available


def validate(mdp, policy: Policy, horizon: int | None = None) -> None:
    """Check that the policy fits the instance.

    Parameters
    ----------
    horizon : int, optional
        Only the first `horizon` layers are looked at, and the policy may end there.

    Raises
    ------
    InvalidPolicy
        One line: wrong dtype or shape, an unavailable action, NaN, a row off the simplex.
    """
    for member in policy.policies if isinstance(policy, Mixture) else (policy,):
        _checked(mdp, member, horizon)


def as_probabilities(mdp, policy: np.ndarray, horizon: int | None = None) -> np.ndarray:
    """A Markov policy as probabilities pi_h(a | s), shape (H, S, A); validated and renormalised.

    Raises
    ------
    InvalidPolicy
        As `validate`; also for a `Mixture`, which no Markov policy represents.
    """
    policy = _checked(mdp, policy, horizon)
    if policy.ndim == 3:
        return policy / policy.sum(axis=2, keepdims=True)
    return (policy[..., None] == np.arange(mdp.n_actions)).astype(np.float64)


def _checked(mdp, policy: np.ndarray, horizon: int | None) -> np.ndarray:
    """The layers of a Markov policy that are looked at, valid."""
    layers = layers_of(mdp, horizon)
    if isinstance(policy, Mixture):
        raise InvalidPolicy("a mixture of policies is not Markov; take its members one by one")
    shape = (layers, mdp.n_states, mdp.n_actions)
    policy = as_policy(policy)
    kind = {(2, "i"): shape[:2], (2, "u"): shape[:2], (3, "f"): shape}.get((policy.ndim, policy.dtype.kind))
    if kind is None:
        raise InvalidPolicy(f"policy has dtype {policy.dtype} and shape {policy.shape}; allowed are integers of shape "
                            f"{shape[:2]}, floats of shape {shape}, or a Mixture")
    if not layers <= len(policy) <= mdp.horizon or policy.shape[1:] != kind[1:]:
        raise InvalidPolicy(f"policy has shape {policy.shape}; it must have shape {kind}")
    policy = policy[:layers]
    check = _check_actions if policy.ndim == 2 else _check_rows
    check(policy, mdp.n_actions, _mask(mdp)[:layers])
    return policy


def _check_actions(actions, n_actions, mask):
    outside = (actions < 0) | (actions >= n_actions)
    if outside.any():
        h, s = np.argwhere(outside)[0]
        raise InvalidPolicy(f"{where(h, s)}: action {actions[h, s]}; allowed are 0..{n_actions - 1}")
    if mask.all():
        return
    absent = ~np.take_along_axis(mask, actions[..., None].astype(np.intp), axis=2)[..., 0]
    if absent.any():
        h, s = np.argwhere(absent)[0]
        raise InvalidPolicy(f"{where(h, s)}: action {actions[h, s]} is not available; "
                            f"allowed are {np.flatnonzero(mask[h, s]).tolist()}")


def _check_rows(policy, n_actions, mask):
    bad = ~(policy >= 0)
    if bad.any():
        h, s, a = np.argwhere(bad)[0]
        raise InvalidPolicy(f"{where(h, s, a)}: probability {policy[h, s, a]:.12g}; it must be >= 0")
    if (bad := (policy > 0) & ~mask).any():
        h, s, a = np.argwhere(bad)[0]
        raise InvalidPolicy(f"{where(h, s, a)}: probability {policy[h, s, a]:.12g} on an action that is not available; "
                            f"allowed are {np.flatnonzero(mask[h, s]).tolist()}")
    total = policy.sum(axis=2)
    bad = ~(np.abs(total - 1) <= TOLERANCE)
    if bad.any():
        h, s = np.argwhere(bad)[0]
        raise InvalidPolicy(f"{where(h, s)}: action probabilities sum to {total[h, s]:.12g}; they must sum to 1 "
                            f"(tolerance {TOLERANCE:g})")


def stack(mdp, policy: Policy, horizon: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Members with positive weight and their weights: probabilities (M, H, S, A) and weights (M,).

    A Markov policy counts as the mixture of one member. Every member is validated, those of weight zero too.
    """
    if not isinstance(policy, Mixture):
        return as_probabilities(mdp, policy, horizon)[None], np.ones(1)
    members = [as_probabilities(mdp, member, horizon) for member in policy.policies]
    used = policy.weights > 0
    return np.stack([member for member, use in zip(members, used, strict=True) if use]), policy.weights[used]


def uniform(mdp) -> np.ndarray:
    """Every available action with equal probability, shape (H, S, A)."""
    mask = _mask(mdp)
    return mask / mask.sum(axis=2, keepdims=True)


def is_deterministic(policy: Policy) -> bool:
    """Whether the policy is a function of layer and state.

    True for integer arrays (H, S), for arrays (H, S, A) whose rows are point masses, and for a mixture with one
    deterministic member of positive weight.
    """
    if isinstance(policy, Mixture):
        used = np.flatnonzero(policy.weights > 0)
        return len(used) == 1 and is_deterministic(policy.policies[used[0]])
    policy = as_policy(policy)
    if policy.ndim == 2:
        return policy.dtype.kind in "iu"
    return policy.ndim == 3 and bool(((policy == 0) | (policy == 1)).all() and (policy.sum(axis=2) == 1).all())


def compose(mdp, head: Policy, layer: int, tail: int | str) -> Policy:
    """`head` in layers 1..layer, `tail` in layers layer+1..H.

    Parameters
    ----------
    head : policy
        At least `layer` layers. A mixture is composed member by member.
    layer : int
        0..H.
    tail : int or "uniform"
        An action index, replaced by the first available action where it is not available; or "uniform" over the
        available actions, which makes the result stochastic (unless layer = H).

    Returns
    -------
    policy
        Integers (H, S) when head and tail are deterministic arrays, otherwise floats (H, S, A) or a `Mixture`.

    Raises
    ------
    InvalidPolicy
    """
    layer = whole(layer, "layer", 0, mdp.horizon, InvalidPolicy)
    if isinstance(head, Mixture):
        return Mixture(tuple(compose(mdp, member, layer, tail) for member in head.policies), head.weights)
    fill = _tail(mdp, tail)
    if layer == 0:
        return fill
    upper = as_probabilities(mdp, head, layer)
    if layer == mdp.horizon:
        return np.array(as_policy(head))
    if np.ndim(head) == fill.ndim == 2:
        return np.concatenate([np.asarray(head)[:layer], fill[layer:]]).astype(np.intp)
    lower = fill if fill.ndim == 3 else as_probabilities(mdp, fill)
    return np.concatenate([upper, lower[layer:]])


def _tail(mdp, tail):
    mask = _mask(mdp)
    if isinstance(tail, str) and tail == "uniform":
        return uniform(mdp)
    try:
        tail = whole(tail, "tail", 0, mdp.n_actions - 1)
    except Invalid:
        raise InvalidPolicy(f"tail is {shown(tail)}; allowed are an action 0..{mdp.n_actions - 1} or 'uniform'"
                            ) from None
    return np.where(mask[:, :, tail], tail, mask.argmax(axis=2)).astype(np.intp)
