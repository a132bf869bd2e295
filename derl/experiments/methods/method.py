"""What a method of Table 1 declares of itself: its algorithm, how it is run, what it promises, and where it is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from derl.algorithms import catalogue
from derl.deployment import LARGEST_EXACT
from derl.experiments.sweep import InvalidSpec
from derl.experiments.watched import plans
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.constants import bonus_scale

if TYPE_CHECKING:
    from derl.experiments.methods.run import MethodRun

TRADE_OFF, SMALL_TRADE_OFF = 6, 2  # c_K at a theorem's N, and where N is searched
MOST, MOST_EPISODES = 4**28, 4**6  # where a search for N gives up: 7e16, and 4096 where N is 1
MODES = ("theorem", "nominal", "calibrated")
FAIR = 1e-9  # optimism up to rounding


@dataclass(frozen=True)
class Asked:
    """What a theorem is asked: the task, and what the algorithm may be told beyond it.

    Attributes
    ----------
    nu : float or None
        Reachability, where it is an input.
    leverage : float
        Of the designs over actions; it is computed from the features.
    log_rules : float or None
        log of the number of decision rules of a layer; None for those of a net.
    n_actions : int or None
        Where a promise depends on it.
    """

    d: int
    horizon: int
    epsilon: float
    delta: float
    nu: float | None = None
    leverage: float = 1.0
    log_rules: float | None = None
    n_actions: int | None = None

    @property
    def task(self) -> tuple[int, int, float, float]:
        """d, H, epsilon, delta."""
        return self.d, self.horizon, self.epsilon, self.delta


@dataclass(frozen=True)
class RunSetting:
    """What a run is given beyond the instance: N, K, options of the algorithm, how counts are drawn."""

    batch_size: int
    max_deployments: int
    options: dict[str, Any] = field(default_factory=dict)
    draws: str = "exact"


def drawn(size: int, deployments: int, **options) -> RunSetting:
    """A setting in which counts are drawn as exactly as that N allows."""
    return RunSetting(size, deployments, options, "exact" if size <= LARGEST_EXACT else "gaussian")


@dataclass(frozen=True)
class Places:
    """On which cells of the executed table a method is run; by default on all of them.

    Attributes
    ----------
    theorem : tuple of str or None
        Families on which it is run at its theorem's N; None for all.
    calibrated : tuple of str or None
        Families on which it is run with the calibrated bonus.
    without : tuple of str
        Families on which it is not run at all.
    varied : bool
        Whether it is run where d, H or epsilon vary.
    horizon : int
        The least H.
    seeds : int or None
        The most seeds of a cell, where a run is long; None for no limit.
    rare : float or None
        The smallest probability of the rare state at which it is run; None for no run on that family.
    rare_theorem : bool
        Whether it is also run there at its theorem's N.
    rotated : int or None
        N, or what else would be searched, of its runs in two bases of the features; None for no such run.
    """

    theorem: tuple[str, ...] | None = ("template", "tabular")
    calibrated: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    varied: bool = True
    horizon: int = 1
    seeds: int | None = None
    rare: float | None = None
    rare_theorem: bool = False
    rotated: int | None = 4**10


def fixed(**options) -> Callable[[int], dict[str, Any]]:
    """Options that are the same for every horizon."""
    return lambda horizon: dict(options)


def violations(d: int, horizon: int, size: int) -> int:
    """K = 2dH + 1, the theorem's at c_K = 2."""
    return SMALL_TRADE_OFF * d * horizon + 1


def one_each(d: int, horizon: int, size: int) -> int:
    """K = H: one deployment a layer."""
    return horizon


def given_scale(beta: float, asked: Asked, size: int) -> dict[str, float]:
    """The bonus scale as the option `beta`."""
    return {"beta": beta}


def nothing(*what) -> None:
    """No such number, and nothing that must hold."""
    return None


def unknown(run: MethodRun) -> tuple[None, None]:
    """Plans without optimism."""
    return None, None


def of_every_plan(run: MethodRun) -> tuple[float, float]:
    """Share of optimistic plans, and the largest error over its bonus at beta = 1, of the plans of all deployments."""
    layers = [record.layer for record in run.outcome.trace]
    found = plans(run.mdp, run.deployer.stages[:-1], layers, run.outcome.beta)
    return found.optimistic, found.ratio


def of_the_last_plan(run: MethodRun) -> tuple[float, float]:
    """The same of one plan for the instance's own reward, from the data at the end."""
    data = run.outcome.dataset
    found = plans(run.mdp, [data.counts], [run.mdp.horizon], data.scale)
    return found.optimistic, found.ratio


def of_every_stretch(run: MethodRun) -> tuple[float, None]:
    """Share of the policies whose promised value was at least the optimum."""
    best = float(run.mdp.initial @ run.best.values[0])
    return float(np.mean([run.mdp.initial @ record.values >= best - FAIR for record in run.outcome.trace])), None


def by_threshold(run: MethodRun) -> float | None:
    """The certificate of a threshold rule: epsilon times statistic over threshold in the last layer."""
    last = run.outcome.trace[-1]
    return run.epsilon * last.statistic / last.threshold if last.layer == run.mdp.horizon else None


@dataclass(frozen=True)
class Method:
    """One row of the executed table, declared once; see `derl.experiments.methods`.

    Attributes
    ----------
    label : str
        Its name in the table.
    entry : catalogue.Entry
        Its algorithm.
    reward_free : bool
        Whether it promises something for every linear reward.
    nu : str
        Whether a reachability coefficient is an input: "no", "yes", "for N" where the algorithm itself is told
        nothing, or what else.
    deployments : callable
        (d, H, N) -> K where N is searched.
    theorem : callable or None
        Asked -> RunSetting, literally that of its theorem; None where it cannot be run.
    theorem_inputs : callable
        LinearMDP -> what the theorem asks for and the algorithm computes from the features alone, by name as in
        `Asked`.
    promise : callable or None
        Asked -> (deployments, trajectories) of its theorem where that is not `theorem`.
    explicit : bool
        Whether all constants of its N are known.
    listing : str
        What is run: the listing of a paper, what was repaired in it, or what this book added or filled in.
    bonus : bool
        Whether it has a bonus scale.
    calibrated : callable
        (beta, Asked, N) -> the options that set the bonus scale to beta.
    options : callable
        H -> options of the algorithm where N is searched.
    tells_nu : bool
        Whether nu_min is an option of the algorithm there.
    prepared : bool
        Whether its entry makes what a program must give it, from the instance.
    searched : str
        What the search for N varies: "batch_size"; where N = 1 the "episodes" of a layer, the "deployments" K
        without a rule to stop, or "" where nothing is searched.
    modes : tuple of str or None
        In which settings beside its theorem's it is run; None for "nominal", and "calibrated" with a bonus, where N is
        searched.
    scheduled : bool
        Whether it ends after a number of deployments fixed beforehand, and returns nothing before.
    sound : callable
        MethodRun -> whether what its proof relies on held; a run in which it did not is no success.
    mixture : bool
        Whether its record has a row per change of the policy, and it returns the mixture of all policies.
    certificate : callable
        MethodRun -> the loss that the run vouches for by itself, or None.
    invariant : callable
        MethodRun -> whether what must hold in every run held in this one, or None.
    optimism : callable
        MethodRun -> share of optimistic plans and largest error over its bonus at beta = 1, None where there is none.
    places : Places
    row : str
        Id of the row of the printed table that it executes; "" for a method that the table does not have.
    """

    label: str
    entry: catalogue.Entry
    reward_free: bool = False
    nu: str = "no"
    deployments: Callable[[int, int, int], int] = violations
    theorem: Callable[[Asked], RunSetting] | None = None
    theorem_inputs: Callable[[LinearMDP], dict[str, float]] = lambda mdp: {}
    promise: Callable[[Asked], tuple[float, float]] | None = None
    explicit: bool = True
    listing: str = "of this book"
    bonus: bool = True
    calibrated: Callable[[float, Asked, int], dict[str, float]] = given_scale
    options: Callable[[int], dict[str, Any]] = fixed()
    tells_nu: bool = False
    prepared: bool = False
    searched: str = "batch_size"
    modes: tuple[str, ...] | None = None
    scheduled: bool = False
    sound: Callable[[MethodRun], bool] = lambda run: True
    mixture: bool = False
    certificate: Callable[[MethodRun], float | None] = nothing
    invariant: Callable[[MethodRun], bool | None] = nothing
    optimism: Callable[[MethodRun], tuple[float | None, float | None]] = unknown
    places: Places = Places()
    row: str = ""

    @property
    def runs(self) -> tuple[str, ...]:
        """The settings, beside its theorem's, in which it is run."""
        if self.modes is not None:
            return self.modes
        return () if not self.searched else ("nominal", "calibrated") if self.bonus else ("nominal",)

    def most(self) -> int:
        """Where the search gives up."""
        return MOST_EPISODES if self.searched in ("episodes", "deployments") else MOST

    def found(self, setting: RunSetting) -> int:
        """What was searched, read from a setting."""
        return {"episodes": setting.options.get("episodes"), "deployments": setting.max_deployments,
                "batch_size": setting.batch_size}[self.searched]

    def setting(self, mdp: LinearMDP, epsilon: float, delta: float, mode: str, c_beta: float, size: int,
                nu: float | None = None) -> RunSetting:
        """For one run.

        Raises
        ------
        InvalidSpec
        """
        d, horizon = mdp.dim, mdp.horizon
        if mode == "theorem":
            if self.theorem is None:
                raise InvalidSpec(f"{self.label}: its theorem cannot be run")
            return self.theorem(Asked(d, horizon, epsilon, delta, nu, **self.theorem_inputs(mdp)))
        options = self.options(horizon)
        if mode == "calibrated":
            beta = bonus_scale(d, horizon, epsilon, delta, c_beta)
            options |= self.calibrated(beta, Asked(d, horizon, epsilon, delta), size)
        if self.tells_nu and nu is not None:
            options["nu_min"] = nu
        if self.searched == "episodes":
            return RunSetting(1, horizon * size, options | {"episodes": size})
        if self.searched == "deployments":
            return RunSetting(1, size, options)
        return RunSetting(size, self.deployments(d, horizon, size), options)

    def literal(self, d: int, horizon: int, epsilon: float, delta: float, nu: float, n_actions: int
                ) -> tuple[float, float]:
        """Deployments and trajectories that its theorem requires; absolute constants 1 where unknown.

        Designs over actions have the leverage min(d, A) that exists for every set of features. Infinite where nothing
        is promised.
        """
        asked = Asked(d, horizon, epsilon, delta, nu, leverage=float(min(d, n_actions)), n_actions=n_actions)
        if self.promise is not None:
            return self.promise(asked)
        if self.theorem is None or self.nu != "no" and not nu:
            return float(self.deployments(d, horizon, 1)), np.inf
        found = self.theorem(asked)
        return float(found.max_deployments), float(found.max_deployments) * float(found.batch_size)

    def exact_batch(self, d: int, horizon: int, epsilon: float, delta: float, nu: float, n_actions: int) -> int | None:
        """N of its theorem to the last digit; None where its constants are not known, or N is 1."""
        if self.theorem is None or not self.explicit:
            return None
        return self.theorem(Asked(d, horizon, epsilon, delta, nu, leverage=float(min(d, n_actions)))).batch_size
