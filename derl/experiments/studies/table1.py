"""One cell of the executed Table 1 for one seed: a method in one of its settings on one instance.

Where N is searched, it is the smallest of 1, 4, 16, ... with which the run ends by its own rule within K deployments
and its policy loses at most epsilon; for reward-free methods also for every reward of `adversarial`. All other columns
are those of the run with this N. Where nu_min is an input it is certified from the instance, over the reachable span.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import numpy as np

from derl.algorithms.baselines.qiao_wang import Regressions
from derl.algorithms.block_model import BlockModel
from derl.algorithms.dataset import Dataset
from derl.algorithms.reward_free import reward_free_planning
from derl.algorithms.run_reports import Task, certified_nu
from derl.boundary import choice
from derl.boundary.threads import one_thread
from derl.estimation.design import fit
from derl.experiments.families import draw
from derl.experiments.invariants import kept
from derl.experiments.methods import METHODS, MODES, Method, Setting
from derl.experiments.promises import certified
from derl.experiments.spec import InvalidSpec
from derl.experiments.watched import Watched, adversarial, loss, mixture_settled, plans, settled
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP

FACTOR = 4  # grid of N
TO_ITS_THEOREM = ("for N", "yes, with its theorem")


@one_thread
def measure(seed: int, family: str, method: str, mode: str, d: int, horizon: int, epsilon: float, delta: float,
            c_beta: float | None = None, probability: float | None = None,
            rotate: bool = False, start: int | None = None, **label) -> list[dict]:
    """The row; see `derl.experiments.methods` for the modes."""
    choice(mode, "mode", MODES, InvalidSpec)
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]
    mdp = draw(family, seed, d, horizon, probability, rotate)
    nu = certified_nu(mdp) if found.nu == "yes" or mode == "theorem" and found.nu in TO_ITS_THEOREM else None
    run = partial(Run, mdp, found, mode, epsilon, delta, seed)
    if mode == "theorem" or not found.searched:
        best = run(found.setting(mdp, epsilon, delta, mode, c_beta or 1.0, 1, nu))
        smallest = None
    else:
        best = searched(lambda size: run(found.setting(mdp, epsilon, delta, mode, c_beta or 1.0, size, nu)),
                        start or found.start, found.most())
        smallest = found.found(best.setting) if best.succeeded else None
    return [{"nu": nu, "smallest": smallest, **best.row()}]


def searched(run, start: int, most: int) -> Run:
    """The run with the smallest N of the grid that succeeds, the successes being those from some N on."""
    best = run(start)
    if best.succeeded:
        while start >= FACTOR:
            start //= FACTOR
            lower = run(start)
            if not lower.succeeded:
                break
            best = lower
        return best
    while not best.succeeded and start * FACTOR <= most:
        start *= FACTOR
        best = run(start)
    return best


class Run:
    """One run and what is read from it."""

    def __init__(self, mdp: LinearMDP, method: Method, mode: str, epsilon: float, delta: float, seed: int,
                 setting: Setting):
        self.mdp, self.method, self.setting, self.mode = mdp, method, setting, mode
        self.epsilon, self.delta = epsilon, delta
        entry = method.entry
        task = Task(mdp, epsilon, delta, setting.batch_size, entry.options | setting.options)
        if method.name == "olive":  # the class around Q*, which the algorithm could not know
            task = entry.prepare(task)[0]
        self.task = task
        self.deployer = Watched(mdp, setting.batch_size, setting.max_deployments, entry.policy_class, seed,
                                setting.draws)
        self._worst = None
        try:
            self.outcome = entry.function(self.deployer, epsilon, delta, **task.options)
        except ArithmeticError:  # with too few trajectories an inner loop need not end
            self.outcome, self.policy, self.loss = None, None, float(mdp.horizon)
            return
        self.policy = self.plan(mdp.theta) if method.reward_free else self.outcome.policy
        self.loss = loss(mdp, self.policy)

    def plan(self, theta: np.ndarray):
        """The policy for a linear reward, from the data."""
        data = self.outcome.dataset
        if isinstance(data, Dataset):
            return reward_free_planning(data, theta).policy
        if isinstance(data, BlockModel):  # a plan for the reward of its instance
            rewards = np.einsum("hsad,hd->hsa", data.known.phi, theta)
            return replace(data, known=replace(data.known, rewards=rewards)).plan()
        if hasattr(data, "plan"):
            return data.plan(theta)
        counts = data if isinstance(data, np.ndarray) and data.ndim == 4 else self.deployer.stages[-1]
        known = self.deployer.known
        designs = tuple(fit(*layer) for layer in zip(known.phi, counts, strict=True))
        return Regressions(known, designs, counts).plan(theta)

    @property
    def worst(self) -> float:
        """The largest loss over the adversarial rewards."""
        if self._worst is None:
            self._worst = max(loss(self.mdp, self.plan(theta), theta) for theta in adversarial(self.mdp))
        return self._worst

    @property
    def succeeded(self) -> bool:
        """Ended by its own rule with what it promises."""
        if self.outcome is None:
            return False
        ended = self.outcome.converged or self.method.scheduled or self.method.searched == "deployments"
        kept = ended and self.loss <= self.epsilon
        return bool(kept and (not self.method.reward_free or self.worst <= self.epsilon))

    def row(self) -> dict:
        """What the table is made of."""
        outcome, log = self.outcome, self.deployer.log
        if outcome is None:
            return {"converged": False, "succeeded": False, "batch_size": self.setting.batch_size}
        anytime = self.anytime()
        optimistic, ratio = self.optimism()
        distinct = (len({row.policy for row in log}) if all(row.deterministic for row in log)
                    else sum(row.n_policies for row in log))
        return {"converged": outcome.converged, "succeeded": self.succeeded, "batch_size": self.setting.batch_size,
                "deployments": outcome.deployments, "trajectories": outcome.trajectories, "loss": self.loss,
                "worst": self.worst, "certified": certified(self.method, outcome, self.epsilon, self.mdp.horizon),
                "anytime": anytime, "anytime_trajectories": anytime and anytime * self.setting.batch_size,
                "optimistic": optimistic, "within": None if ratio is None else ratio <= outcome.beta,
                "distinct": distinct, "changes": changes(log),
                "invariant": kept(self.method.name, self.mdp, outcome, self.task.options, self.epsilon,
                                  self.setting.batch_size, self.delta, self.setting.max_deployments),
                "draws": self.setting.draws}

    def anytime(self) -> int | None:
        """The first deployment after which what would be returned stays epsilon-optimal."""
        if self.method.reward_free or self.method.scheduled:
            return None
        trace = self.outcome.trace
        losses = {}
        for record in trace:
            key = record.policy.tobytes()
            if key not in losses:
                losses[key] = loss(self.mdp, record.policy)
        losses = [losses[record.policy.tobytes()] for record in trace]
        if hasattr(trace[0], "repeats"):
            return mixture_settled(losses, [record.repeats for record in trace], self.epsilon)
        return settled(losses, self.epsilon)

    def optimism(self) -> tuple[float | None, float | None]:
        """Share of optimistic plans, and the largest error of a regression over its bonus at beta = 1."""
        name, trace, beta = self.method.name, self.outcome.trace, self.outcome.beta
        if name == "olive":  # Q* survives, so the most optimistic function promises at least the optimum
            return float(self.outcome.dataset[0]), None
        if not self.method.bonus or self.method.scheduled:
            return None, None
        if hasattr(trace[0], "repeats") and not self.method.reward_free:
            best = float(self.mdp.initial @ optimum(self.mdp))
            return float(np.mean([self.mdp.initial @ record.values >= best - 1e-9 for record in trace])), None
        if isinstance(self.outcome.dataset, Dataset):  # the plan for the instance's own reward
            found = plans(self.mdp, [self.outcome.dataset.counts], [self.mdp.horizon],
                          self.outcome.dataset.scale)
            return found.optimistic, found.ratio
        found = plans(self.mdp, self.deployer.stages[:-1], [record.layer for record in trace], beta)
        return found.optimistic, found.ratio


def changes(log) -> int:
    """Stretches of deployments of one policy: what Table 1 counts for methods that keep a policy for a while."""
    return 1 + sum(one.policy != two.policy for one, two in itertools.pairwise(log))


def optimum(mdp: LinearMDP) -> np.ndarray:
    """V* of the first layer."""
    return planning.optimal(mdp).values[0]
