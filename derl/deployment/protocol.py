"""Deployments under the rules of Definition 2.1.

The batch size N is fixed beforehand and cannot change, and there are at most K deployments. If the class is that of
deterministic policies, no other policy is deployed. Every deployment is logged. Each has its own random stream, named
by the seed and the number of the deployment, so it does not depend on how many numbers an earlier one drew.

Source: Definition 2.1 (`def:deployment_efficient_linear_mdp`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from derl.deployment import repeats, sizes
from derl.deployment.counts import Batch, CountSampler
from derl.deployment.known import KnownPart, known_part
from derl.deployment.layer_sums import LayerSums, draw_layer
from derl.deployment.log import LogRow, fingerprint
from derl.deployment.online import Law, Play, can_follow, episodes
from derl.deployment.paths import Paths, draw_paths
from derl.deployment.sizes import InvalidDeployment
from derl.deployment.sums import BlockMap, Sums, draw_sums
from derl.inputs import Invalid, choice, display, seeds, whole
from derl.mdp import LinearMDP
from derl.mdp.policies import Mixture, as_policy, validate

__all__ = ["POLICY_CLASSES", "Deployer", "KnownPart", "ProtocolViolation", "known_part"]

POLICY_CLASSES = ("deterministic", "any")
STREAM = 21  # keeps the streams of deployments apart from others with the same seed


class ProtocolViolation(Invalid, RuntimeError):
    """An algorithm did what Definition 2.1 forbids."""


class Deployer(display.Shown):
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
    seed : int, >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        Root of the random streams; None draws one, and the attribute `seed` says which.
    mode : {"exact", "gaussian", "expected"}
        "gaussian" replaces draws of 2^62 trajectories and more by Gaussian ones of the same mean and
        covariance; "expected" puts the mean in place of every draw. Every batch and log row says so.

    Raises
    ------
    InvalidSize
        N is not a whole number, or outside what the mode can draw.
    InvalidDeployment
        Any other parameter is outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from derl import Deployer, instances
    >>> mdp = instances.random_simplex(n_states=4, n_actions=2, dim=3, horizon=2, seed=0)
    >>> deployer = Deployer(mdp, batch_size=10**15, max_deployments=2, seed=0)
    >>> batch = deployer.deploy(np.zeros((2, 4), dtype=int))
    >>> batch.counts.shape, int(batch.counts[0].sum()) == 10**15, deployer.deployments
    ((2, 4, 2, 4), True, 1)
    """

    def __init__(self, mdp: LinearMDP, batch_size: int, max_deployments: int,
                 policy_class: str = "deterministic", seed=0, mode: str = "exact"):
        if not isinstance(mdp, LinearMDP):
            raise InvalidDeployment(f"mdp is of type {type(mdp).__name__}; it must be a LinearMDP")
        self._policy_class = choice(policy_class, "policy_class", POLICY_CLASSES, InvalidDeployment)
        self._batch_size, self._mode = sizes.batch_size(batch_size, mode), mode
        self._max_deployments = whole(max_deployments, "max_deployments", 1, error=InvalidDeployment)
        self._seed = seeds.root(seed, InvalidDeployment)
        self._mdp, self._sampler = mdp, CountSampler(mdp, mode)
        self._known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
        self._log = []
        self._used, self._law = 0, None
        self.report: Callable[[int], None] | None = None  # called with the number of deployments after each of them

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

    def deploy(self, policy) -> Batch:
        """Collect N trajectories with a policy.

        Parameters
        ----------
        policy : (H, S) int, (H, S, A) float or Mixture
            The last two only where the class is "any".

        Raises
        ------
        InvalidPolicy
            The MDP cannot follow the policy. This does not count as a deployment.
        ProtocolViolation
            K deployments are used up, or the policy is outside the class.
        """
        return self.deploy_in_parts(policy, [self._batch_size])[0]

    def deploy_in_parts(self, policy, parts: Sequence[int]) -> tuple[Batch, ...]:
        """One deployment as in `deploy`, with its trajectories in parts: the first parts[0], the next parts[1], ...

        Parameters
        ----------
        parts : sequence of int, >= 1
            They add up to N.

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            The parts do not add up to N.
        """
        parts = self._parts(parts)
        index, policy = self._next(), self._permitted(policy)
        stream = self._stream(index)
        batches = tuple(self._sampler.draw(stream, policy, part) for part in parts)
        self._enter(policy, batches[0])
        return batches

    def deploy_paths(self, policy, parts: Sequence[int]) -> Paths:
        """One deployment as in `deploy_in_parts`, with its whole trajectories (`derl.deployment.paths`).

        Parameters
        ----------
        policy : (H, S, A) float
        parts : sequence of int, >= 1
            They add up to N.

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            The parts do not add up to N, the mode is not "exact", the policy is deterministic or a mixture, or too many
            different trajectories are possible.
        """
        parts = self._parts(parts)
        index, policy = self._next(), self._permitted(policy)
        if self._mode != "exact" or isinstance(policy, Mixture) or policy.ndim != 3:
            raise InvalidDeployment(f"mode is {self._mode!r}; trajectories need exact draws of a policy (H, S, A)")
        found = draw_paths(self._mdp, policy, parts, self._stream(index))
        self._enter(policy, found)
        return found

    def deploy_in_groups(self, mixture: Mixture, groups: Sequence[int]) -> tuple[Batch, ...]:
        """One deployment of a mixture, with its trajectories apart by the group of the policy that they follow.

        Parameters
        ----------
        mixture : Mixture
            Of a deployer of the class "any".
        groups : sequence of int
            The group of each of its policies, 0..G-1, each at least once.

        Returns
        -------
        tuple of G Batch
            Their sizes are random and add up to N; a group may have no trajectory.

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            The policy is no mixture, or the groups do not fit it.
        """
        if not isinstance(mixture, Mixture):
            raise InvalidDeployment(f"the policy is of type {type(mixture).__name__}; groups need a Mixture")
        groups = np.array([whole(group, "a group", 0, error=InvalidDeployment) for group in groups], np.intp)
        number = len(np.unique(groups))
        if len(groups) != len(mixture.policies) or number != groups.max(initial=-1) + 1:
            raise InvalidDeployment(f"{len(groups)} groups with {number} different numbers for "
                                    f"{len(mixture.policies)} policies; each policy needs a group in 0..{number - 1}, "
                                    "and each group a policy")
        index, mixture = self._next(), self._permitted(mixture)
        stream = self._stream(index)
        shares = np.bincount(groups, mixture.weights)
        drawn = []
        for size, group in zip(sizes.safe_multinomial(stream, self._batch_size, shares, self._mode).tolist(),
                               range(number), strict=True):
            own = np.flatnonzero(groups == group)
            weights = mixture.weights[own] if shares[group] else np.ones(len(own))
            part = Mixture(tuple(mixture.policies[i] for i in own), weights / weights.sum())
            drawn.append(self._sampler.draw(stream, part, size))
        self._enter(mixture, drawn[0])
        return tuple(drawn)

    def deploy_sums(self, policy, run: BlockMap = map) -> Sums:
        """Collect N trajectories as `deploy`, without the counts of single transitions (`derl.deployment.sums`).

        Time and memory are those of H S (A + d) numbers, and the draws differ from those of `deploy`.

        Parameters
        ----------
        policy : (H, S) int, (H, S, A) float or Mixture
            The last two only where the class is "any".
        run : callable
            Like `map`, for blocks of rows: other processes and machines draw the same numbers.

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            The mode is "gaussian".
        """
        index, policy = self._next(), self._permitted(policy)
        sums = draw_sums(self._mdp, policy, self._batch_size, lambda *at: self._stream(index, *at), self._mode, run)
        self._enter(policy, sums)
        return sums

    def deploy_layer(self, policy, layer: int, run: BlockMap = map) -> LayerSums:
        """Collect N trajectories as in `deploy_sums`, and return one layer only (`derl.deployment.layer_sums`).

        Parameters
        ----------
        policy : (H, S) int, (H, S, A) float or Mixture
            The last two only where the class is "any".
        layer : int
            h in 1..H.
        run : callable
            As in `deploy_sums`.

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            The mode is "gaussian", or there is no such layer.
        """
        index, policy = self._next(), self._permitted(policy)
        layer = whole(layer, "layer", 1, self._mdp.horizon, InvalidDeployment)
        sums = draw_layer(self._mdp, policy, self._batch_size, layer, lambda *at: self._stream(index, *at), self._mode,
                          run)
        self._enter(policy, sums)
        return sums

    def deploy_until(self, policy, most: int, progress: Callable[[np.ndarray], float],
                     block: int = 1) -> tuple[Batch, int]:
        """Deploy one policy repeatedly, until the first deployment after which `progress` is at least 1.

        The law is that of single deployments with a test after each; the cost is logarithmic in the number of
        deployments (`derl.deployment.repeats`).

        Parameters
        ----------
        policy : (H, S) int
        most : int, >= 1
            Deployments at most; what is left of K is a limit too.
        progress : callable
            Counts (H, S, A, S) that these deployments collected -> float. It must not decrease when counts grow.
        block : int, >= 1
            How many are drawn at first; a good guess saves time.

        Returns
        -------
        batch : Batch
            The sum of what was collected.
        deployments : int

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            The mode is not "exact", or the policy is not deterministic: repeats are split for these only.
        """
        index, policy = self._next(), self._permitted(policy)
        if self._mode != "exact" or isinstance(policy, Mixture) or policy.ndim != 2:
            raise InvalidDeployment(f"mode is {self._mode!r}; repeats need exact draws of a deterministic policy")
        most = min(whole(most, "most", 1, error=InvalidDeployment), self._max_deployments - index + 1)
        counts, made = repeats.until(self._sampler, self._stream(index), policy, self._batch_size, most, progress,
                                     whole(block, "block", 1, error=InvalidDeployment))
        batch = Batch(counts, made * self._batch_size)
        self._enter(policy, batch, made)
        return batch, made

    def deploy_online(self, play: Play, most: int) -> int:
        """Deploy single trajectories (N = 1), each by a deterministic policy that depends on those before.

        Parameters
        ----------
        play : callable
            Runs a block of episodes, see `derl.deployment.online`.
        most : int, >= 1
            Deployments at most; what is left of K is a limit too.

        Returns
        -------
        int
            Deployments made.

        Raises
        ------
        InvalidPolicy, ProtocolViolation
        InvalidDeployment
            N is not 1, or the mode is not "exact".
        """
        index = self._next()
        if self._batch_size != 1 or self._mode != "exact":
            raise InvalidDeployment(f"batch_size is {self._batch_size} and mode {self._mode!r}; single trajectories "
                                    "are played with batch_size 1 in mode 'exact'")
        most = min(whole(most, "most", 1, error=InvalidDeployment), self._max_deployments - index + 1)
        if self._law is None:
            self._law = Law.of(self._mdp)
        for policies, often in episodes(self._law, self._stream(index), play, most):
            sound = can_follow(self._mdp, policies)
            for policy, made in zip(policies, often, strict=True):
                self._enter(policy if sound else self._permitted(policy), None, made)
        return self._used - index + 1

    def _facts(self):
        return {"batch_size": self._batch_size, "max_deployments": self._max_deployments, "deployments": self._used,
                "policy_class": self._policy_class, "mode": self._mode, "seed": str(self._seed)}

    def _more(self):
        rows = [{"deployment": row.deployment, "repeats": row.repeats, "policy": row.policy,
                 "deterministic": "yes" if row.deterministic else "no"} for row in self._log]
        return display.table(rows) if rows else ""

    def _parts(self, parts: Sequence[int]) -> list[int]:
        parts = [whole(part, "a part", 1, error=InvalidDeployment) for part in parts]
        if sum(parts) != self._batch_size:
            raise InvalidDeployment(f"the parts add up to {sum(parts)}; they must add up to N = {self._batch_size}")
        return parts

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
        if self.report is not None:
            self.report(self._used)
