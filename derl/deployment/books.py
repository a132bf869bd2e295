"""The records of a deployer: its limits, the random stream of every deployment, and the log."""

from __future__ import annotations

import numpy as np

from derl.boundary import Invalid, display
from derl.deployment.counts import Batch
from derl.deployment.known import KnownPart
from derl.deployment.layer_sums import LayerSums
from derl.deployment.log import LogRow, fingerprint
from derl.deployment.sums import Sums
from derl.mdp import LinearMDP
from derl.mdp.policies import Mixture, as_policy, validate

POLICY_CLASSES = ("deterministic", "any")
STREAM = 21  # keeps the streams of deployments apart from others with the same seed


class ProtocolViolation(Invalid, RuntimeError):
    """An algorithm did what Definition 2.1 forbids."""


class Books(display.Shown):
    """The part that all ways to deploy share; `Deployer` sets it up."""

    _mdp: LinearMDP
    _known: KnownPart
    _batch_size: int
    _max_deployments: int
    _policy_class: str
    _mode: str
    _seed: int
    _used: int
    _log: list[LogRow]

    def _facts(self):
        return {"batch_size": self._batch_size, "max_deployments": self._max_deployments, "deployments": self._used,
                "policy_class": self._policy_class, "mode": self._mode, "seed": str(self._seed)}

    def _more(self):
        rows = [{"deployment": row.deployment, "repeats": row.repeats, "policy": row.policy,
                 "deterministic": "yes" if row.deterministic else "no"} for row in self._log]
        return display.table(rows) if rows else ""

    def _next(self) -> int:
        """The number of the next deployment."""
        index = self._used + 1
        if index > self._max_deployments:
            raise ProtocolViolation(f"all K = {self._max_deployments} deployments are used; none is left")
        return index

    def _permitted(self, policy):
        policy = as_policy(policy)
        validate(self._mdp, policy)
        if self._policy_class == "deterministic" and (isinstance(policy, Mixture) or policy.ndim != 2):
            kind = "a mixture" if isinstance(policy, Mixture) else "given by action probabilities"
            raise ProtocolViolation(f"deployment {self._used + 1}: the policy is {kind}; the class 'deterministic' "
                                    "allows only actions as integers (H, S)")
        return policy

    def _stream(self, index: int, *at: int) -> np.random.Generator:
        """The stream of a deployment, or of a part of it."""
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self._seed, spawn_key=(STREAM, index, *at))))

    def _enter(self, policy, batch: Batch | Sums | LayerSums | None, made: int = 1) -> None:
        exact, mode = (True, "exact") if batch is None else (batch.exact, batch.mode)
        self._log.append(LogRow(self._used + 1, *fingerprint(policy), self._batch_size, exact, mode, made))
        self._used += made

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
    def seed(self) -> int:
        """Root of the random streams: a deployer with this seed draws the same again."""
        return self._seed

    @property
    def log(self) -> tuple[LogRow, ...]:
        """One row per deployment, or per run of deployments of one policy."""
        return tuple(self._log)

    @property
    def deployments(self) -> int:
        """Deployments made so far."""
        return self._used

    @property
    def trajectories(self) -> int:
        """Trajectories collected so far."""
        return self._used * self._batch_size
