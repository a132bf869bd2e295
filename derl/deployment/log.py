"""What is recorded of every deployment."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from derl.mdp.policies import Mixture


@dataclass(frozen=True)
class LogRow:
    """One deployment, or several of the same policy without a break, as logged; the same run writes the same rows.

    Attributes
    ----------
    deployment : int
        k, from 1: the first of the row's deployments.
    policy : str
        First 16 hexadecimal digits of the SHA-256 of the policy.
    deterministic : bool
        Whether it was one deterministic Markov policy, given as integers (H, S).
    n_policies : int
        Distinct Markov policies in it: 1, or for a mixture its different members with positive weight.
    batch_size : int
        N.
    exact : bool
        Whether the counts were drawn exactly.
    mode : str
        "exact", "gaussian" or "expected".
    repeats : int
        Deployments that this row stands for.
    """

    deployment: int
    policy: str
    deterministic: bool
    n_policies: int
    batch_size: int
    exact: bool
    mode: str
    repeats: int = 1


def fingerprint(policy) -> tuple[str, bool, int]:
    """Digest of a policy, whether it is deterministic, and how many distinct Markov policies it uses."""
    if not isinstance(policy, Mixture):
        return _digest(policy), policy.ndim == 2, 1
    pairs = zip(policy.weights.tolist(), policy.policies, strict=True)
    used = [(weight, _digest(member)) for weight, member in pairs if weight > 0]
    return hashlib.sha256(repr(used).encode()).hexdigest()[:16], False, len({digest for _, digest in used})


def _digest(policy: np.ndarray) -> str:
    """Equal actions or probabilities have equal digests, whatever their integer type or byte order."""
    plain = policy.astype("<i8" if policy.ndim == 2 else "<f8", order="C", copy=False)
    return hashlib.sha256(repr(plain.shape).encode() + plain.tobytes()).hexdigest()[:16]
