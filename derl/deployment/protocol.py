"""Deployments under the rules of Definition 2.1.

The batch size N is fixed beforehand and cannot change; at most K deployments; where the class is that of
deterministic policies, nothing else is deployed. Every deployment is logged. Each has a random stream of its
own, named by the seed and the number of the deployment: what an earlier one consumed does not matter.

Source: Definition 2.1 (`def:deployment_efficient_linear_mdp`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from derl.boundary import Invalid, choice, whole
from derl.deployment import sizes
from derl.deployment.counts import Batch, CountSampler
from derl.deployment.sizes import InvalidDeployment
from derl.mdp import LinearMDP
from derl.mdp.policies import Mixture, as_policy, validate

POLICY_CLASSES = ("deterministic", "any")
STREAM = 21  # keeps the streams of deployments apart from others with the same seed


class ProtocolViolation(Invalid, RuntimeError):
    """An algorithm did what Definition 2.1 forbids."""


@dataclass(frozen=True, eq=False)
class KnownPart:
    """What an algorithm may know beforehand: features, rewards, actions; nothing of the dynamics.

    Attributes
    ----------
    phi : (H, S, A, d)
    rewards : (H, S, A)
        In [0, 1]; 0 where the action is not available.
    available : (H, S, A) bool
        Which actions exist.
    """

    phi: np.ndarray
    rewards: np.ndarray
    available: np.ndarray

    @property
    def horizon(self) -> int:
        """H, the number of layers."""
        return self.phi.shape[0]

    @property
    def n_states(self) -> int:
        """S."""
        return self.phi.shape[1]

    @property
    def n_actions(self) -> int:
        """A."""
        return self.phi.shape[2]

    @property
    def dim(self) -> int:
        """d."""
        return self.phi.shape[3]


@dataclass(frozen=True)
class LogRow:
    """One deployment, as logged; the same run writes the same rows.

    Attributes
    ----------
    deployment : int
        k, from 1.
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
    """

    deployment: int
    policy: str
    deterministic: bool
    n_policies: int
    batch_size: int
    exact: bool
    mode: str


class Deployer:
    """Runs policies in an MDP that the algorithm does not see, N trajectories at a time, at most K times.

    Parameters
    ----------
    mdp : LinearMDP
    batch_size : int
        N: 1..2^63 - 1, or up to 1e300 in the approximate modes. Whole floats such as 1e12 are accepted.
    max_deployments : int, >= 1
        K.
    policy_class : {"deterministic", "any"}
        "any": stochastic Markov policies and mixtures as well.
    seed : int, >= 0
    mode : {"exact", "gaussian", "expected"}
        "gaussian" replaces draws of 2^62 trajectories and more by Gaussian ones of the same mean and
        covariance; "expected" puts the mean in place of every draw. Every batch and log row says so.

    Raises
    ------
    InvalidSize
        N is not a whole number, or outside what the mode can draw.
    InvalidDeployment
        Any other parameter is outside its range.
    """

    def __init__(self, mdp: LinearMDP, batch_size: int, max_deployments: int,
                 policy_class: str = "deterministic", seed: int = 0, mode: str = "exact"):
        if not isinstance(mdp, LinearMDP):
            raise InvalidDeployment(f"mdp is of type {type(mdp).__name__}; it must be a LinearMDP")
        self._policy_class = choice(policy_class, "policy_class", POLICY_CLASSES, InvalidDeployment)
        self._batch_size, self._mode = sizes.batch_size(batch_size, mode), mode
        self._max_deployments = whole(max_deployments, "max_deployments", 1, error=InvalidDeployment)
        self._seed = whole(seed, "seed", 0, error=InvalidDeployment)
        self._mdp, self._sampler = mdp, CountSampler(mdp, mode)
        self._known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
        self._log: list[LogRow] = []

    def deploy(self, policy) -> Batch:
        """Collect N trajectories with a policy.

        Parameters
        ----------
        policy : (H, S) int, (H, S, A) float or Mixture
            The last two only where the class is "any".

        Raises
        ------
        InvalidPolicy
            The MDP cannot follow it. This does not count as a deployment.
        ProtocolViolation
            K deployments are used up, or the policy is outside the class.
        """
        index = len(self._log) + 1
        if index > self._max_deployments:
            raise ProtocolViolation(f"all K = {self._max_deployments} deployments are used; none is left")
        policy = as_policy(policy)
        validate(self._mdp, policy)
        deterministic = not isinstance(policy, Mixture) and policy.ndim == 2
        if self._policy_class == "deterministic" and not deterministic:
            kind = "a mixture" if isinstance(policy, Mixture) else "given by action probabilities"
            raise ProtocolViolation(f"deployment {index}: the policy is {kind}; the class 'deterministic' "
                                    "allows only actions as integers (H, S)")
        stream = np.random.SeedSequence(self._seed, spawn_key=(STREAM, index))
        batch = self._sampler.draw(np.random.Generator(np.random.PCG64(stream)), policy, self._batch_size)
        self._log.append(LogRow(index, *_fingerprint(policy), self._batch_size, batch.exact, batch.mode))
        return batch

    @property
    def known(self) -> KnownPart:
        """What an algorithm may know beforehand."""
        return self._known

    @property
    def batch_size(self) -> int:
        """N."""
        return self._batch_size

    @property
    def max_deployments(self) -> int:
        """K."""
        return self._max_deployments

    @property
    def policy_class(self) -> str:
        """Which policies may be deployed."""
        return self._policy_class

    @property
    def mode(self) -> str:
        """How counts are drawn."""
        return self._mode

    @property
    def log(self) -> tuple[LogRow, ...]:
        """One row per deployment."""
        return tuple(self._log)

    @property
    def deployments(self) -> int:
        """Deployments made so far."""
        return len(self._log)

    @property
    def trajectories(self) -> int:
        """Trajectories collected so far."""
        return len(self._log) * self._batch_size


def known_part(deployer) -> KnownPart:
    """What an algorithm may know of the deployer that it was handed; algorithms begin with this.

    Parameters
    ----------
    deployer : Deployer
        Or what stands before one and passes on what it may.

    Raises
    ------
    InvalidDeployment
        It is no deployer.
    """
    try:
        known = deployer.known
    except Exception:  # a foreign object may fail in any way at being asked
        known = None
    if not isinstance(known, KnownPart):
        raise InvalidDeployment(f"deployer is of type {type(deployer).__name__}; it must be a Deployer")
    return known


def _fingerprint(policy) -> tuple[str, bool, int]:
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
