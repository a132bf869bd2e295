"""One run of a method of Table 1, and what is read from it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from derl.algorithms.catalogue import SEED
from derl.algorithms.outcome import Outcome, Unfinished
from derl.algorithms.run_defaults import Request
from derl.experiments.methods.method import Method, RunSetting
from derl.experiments.watched import Watched, adversarial, loss, mixture_settled, settled
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP


@dataclass(frozen=True, eq=False)
class MethodRun:
    """A run.

    Attributes
    ----------
    mode : str
        One of `derl.experiments.methods.MODES`.
    options : dict
        Of the algorithm, defaults included.
    outcome : Outcome or None
        None where an inner loop did not end, as with too few trajectories it need not.
    """

    mdp: LinearMDP
    method: Method
    mode: str
    epsilon: float
    delta: float
    setting: RunSetting
    options: dict[str, Any]
    deployer: Watched
    outcome: Outcome | None

    @classmethod
    def of(cls, mdp: LinearMDP, method: Method, mode: str, epsilon: float, delta: float, seed: int,
           setting: RunSetting) -> MethodRun:
        """Run a method on an instance; what the algorithm draws itself, or is given at random, comes from the seed."""
        entry = method.entry
        request = Request(mdp, epsilon, delta, setting.batch_size, entry.options | setting.options, seed)
        if method.prepared:
            request = entry.prepare(request)[0]
        deployer = Watched(mdp, setting.batch_size, setting.max_deployments, entry.policy_class, seed, setting.draws)
        own = {SEED: seed} if entry.draws else {}
        try:
            outcome = entry.function(deployer, epsilon, delta, **request.options, **own)
        except Unfinished:
            outcome = None
        return cls(mdp, method, mode, epsilon, delta, setting, request.options, deployer, outcome)

    def plan(self, theta: np.ndarray) -> np.ndarray:
        """The policy (H, S) for a linear reward, from the data."""
        return self.outcome.dataset.plan(theta)

    @cached_property
    def policy(self):
        """What the run offers for the instance's own reward."""
        return self.plan(self.mdp.theta) if self.method.reward_free else self.outcome.policy

    @cached_property
    def best(self) -> planning.Plan:
        """The optimum of the instance."""
        return planning.optimal(self.mdp)

    @cached_property
    def loss(self) -> float:
        """The exact loss of the policy; H where there is none."""
        return float(self.mdp.horizon) if self.outcome is None else loss(self.mdp, self.policy)

    @cached_property
    def worst(self) -> float:
        """The largest loss over the adversarial rewards."""
        return max(loss(self.mdp, self.plan(theta), theta) for theta in adversarial(self.mdp, self.deployer.seed))

    @property
    def stop(self) -> str:
        """What ended the run: the "own rule" of the method, its fixed "schedule", or "none" but the cap."""
        if self.outcome is None:
            return "none"
        if self.method.scheduled:
            return "schedule"
        return "own rule" if self.outcome.converged else "none"

    @property
    def succeeded(self) -> bool:
        """Ended by its rule or schedule, not by a cap, with what it promises, and with all that its proof relies on."""
        if self.stop == "none" or not self.method.sound(self):
            return False
        return bool(self.loss <= self.epsilon and (not self.method.reward_free or self.worst <= self.epsilon))

    def row(self) -> dict:
        """What the table is made of."""
        method, outcome, log = self.method, self.outcome, self.deployer.log
        if outcome is None:
            return {"converged": False, "stop": self.stop, "succeeded": False,
                    "batch_size": self.setting.batch_size}
        anytime = self.anytime()
        optimistic, ratio = method.optimism(self)
        distinct = (len({row.policy for row in log}) if all(row.deterministic for row in log)
                    else sum(row.n_policies for row in log))
        return {"converged": outcome.converged, "stop": self.stop, "succeeded": self.succeeded,
                "batch_size": self.setting.batch_size,
                "deployments": outcome.deployments, "trajectories": outcome.trajectories, "loss": self.loss,
                "worst": self.worst, "certified": method.certificate(self), "anytime": anytime,
                "anytime_trajectories": anytime and anytime * self.setting.batch_size, "optimistic": optimistic,
                "within": None if ratio is None else ratio <= outcome.beta, "distinct": distinct,
                "changes": changes(log), "invariant": method.invariant(self), "draws": self.setting.draws}

    def anytime(self) -> int | None:
        """The first deployment after which what would be returned stays epsilon-optimal."""
        if self.method.reward_free or self.method.scheduled:
            return None
        known: dict[bytes, float] = {}
        losses = []
        for record in self.outcome.trace:
            key = record.policy.tobytes()
            if key not in known:
                known[key] = loss(self.mdp, record.policy)
            losses.append(known[key])
        if self.method.mixture:
            return mixture_settled(losses, [record.repeats for record in self.outcome.trace], self.epsilon)
        return settled(losses, self.epsilon)


def changes(log) -> int:
    """Stretches of deployments of one policy: what Table 1 counts for methods that keep a policy for a while."""
    return 1 + sum(one.policy != two.policy for one, two in itertools.pairwise(log))
