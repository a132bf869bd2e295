r"""How each method of Table 1 is run in three settings.

    "theorem"      N, K, bonus and thresholds literally those of its theorem, where that can be run at all
    "nominal"      the bonus scale of its theorem with the absolute constant 1; N is searched
    "calibrated"   the bonus beta = c dH sqrt(log(dH/(delta epsilon))) with a common c found beforehand; N is searched

Methods without a bonus have no calibrated form. Where N is searched, K is 2dH + 1 (c_K = 2), or what the method fixes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from derl.algorithms import catalogue
from derl.deployment import LARGEST_EXACT
from derl.experiments.spec import InvalidSpec
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.arbitrary.constants import arbitrary_constants, planning_scale
from derl.theory.comparison import online, qiao_wang, quoted
from derl.theory.constants import bonus_scale
from derl.theory.layerwise import samples as layerwise
from derl.theory.reward_free import direct
from derl.theory.reward_free import samples as reward_free

TRADE_OFF = 6  # c_K of a theorem
SMALL_TRADE_OFF = 2  # c_K where N is searched
EPISODES = 2**15  # of LSVI-UCB: patience
MOST, MOST_EPISODES = 4**28, 4**7  # where a search for N gives up: 7e16, and 16384 where N is 1
SKIPPED = 10**12  # of the low-switching form
MODES = ("theorem", "nominal", "calibrated")


@dataclass(frozen=True)
class Setting:
    """What a run is given beyond the instance: N, K, options of the algorithm, how counts are drawn."""

    batch_size: int
    max_deployments: int
    options: dict[str, Any] = field(default_factory=dict)
    draws: str = "exact"


@dataclass(frozen=True)
class Method:
    """One row of the executed table.

    Attributes
    ----------
    name : str
        Its algorithm in the catalogue.
    reward_free : bool
        Whether it promises something for every linear reward.
    nu : str
        Whether a reachability coefficient is an input: "no", "yes", or what else.
    deployments : callable
        (d, H, N) -> K where N is searched.
    theorem : callable or None
        (d, H, epsilon, delta, nu) -> Setting; None where it cannot be run.
    bonus : bool
        Whether it has a bonus scale.
    searched : str
        What the search for N varies: "batch_size"; where N = 1 the "episodes" of a layer, the "deployments" K
        without a rule to stop, or "" where nothing is searched.
    options : dict
    start : int
        Where the search begins.
    """

    name: str
    reward_free: bool
    nu: str = "no"
    deployments: Callable[[int, int, int], int] = lambda d, horizon, size: SMALL_TRADE_OFF * d * horizon + 1
    theorem: Callable[..., Setting] | None = None
    bonus: bool = True
    searched: str = "batch_size"
    options: dict[str, Any] = field(default_factory=dict)
    start: int = 4**8

    @property
    def entry(self) -> catalogue.Entry:
        """Its line in the table of algorithms."""
        return catalogue.find(self.name)[0]

    def most(self) -> int:
        """Where the search gives up."""
        return MOST_EPISODES if self.searched in ("episodes", "deployments") else MOST

    def found(self, setting: Setting) -> int:
        """What was searched, read from a setting."""
        return {"episodes": setting.options.get("episodes"), "deployments": setting.max_deployments,
                "batch_size": setting.batch_size}[self.searched]

    def setting(self, mdp: LinearMDP, epsilon: float, delta: float, mode: str, c_beta: float, size: int,
                nu: float | None = None) -> Setting:
        """For one run.

        Raises
        ------
        InvalidSpec
        """
        d, horizon = mdp.dim, mdp.horizon
        if mode == "theorem":
            if self.theorem is None:
                raise InvalidSpec(f"{self.name}: its theorem cannot be run")
            return self.theorem(d, horizon, epsilon, delta, nu)
        options = dict(self.options)
        if mode == "calibrated":
            beta = bonus_scale(d, horizon, epsilon, delta, c_beta)
            options |= ({"c_beta": beta / planning_scale(d, horizon, delta, size)}
                        if self.name == "arbitrary_policy_exploration" else {"beta": beta})
        if self.name == "arbitrary_policy_exploration" and nu is not None:
            options["nu_min"] = nu
        if self.searched == "episodes":
            return Setting(1, horizon * size, options | {"episodes": size})
        if self.searched == "deployments":
            return Setting(1, size, options)
        return Setting(size, self.deployments(d, horizon, size), options)


def _layerwise(d, horizon, epsilon, delta, nu) -> Setting:
    found = layerwise.budget(d, horizon, epsilon, delta, TRADE_OFF, "sharp")
    return _setting(found.batch_size, found.deployments, beta=found.beta)


def _flat(d, horizon, epsilon, delta, nu) -> Setting:
    found = layerwise.budget(d, horizon, epsilon, delta, TRADE_OFF, "share")
    return _setting(found.batch_size, found.deployments, beta=found.beta, share=found.share)


def _reward_free(d, horizon, epsilon, delta, nu) -> Setting:
    size = reward_free.batch_size_reward_free(d, horizon, epsilon, delta, TRADE_OFF, version="sharp")
    deployments = reward_free.deployments_reward_free(d, horizon, TRADE_OFF, "sharp")
    return _setting(size, deployments,
                    beta=reward_free.bonus_scale_reward_free(d, horizon, delta, deployments, size))


def _direct(d, horizon, epsilon, delta, nu) -> Setting:
    found = direct.budget(d, horizon, epsilon, delta, TRADE_OFF)
    return _setting(found.batch_size, found.deployments, beta=found.beta, threshold="flat")


def _arbitrary(version):
    def theorem(d, horizon, epsilon, delta, nu) -> Setting:
        return _setting(arbitrary_constants(d, horizon, epsilon, delta, nu, version).batch_size, horizon, nu_min=nu,
                        version=version)
    return theorem


def _low_switching(d, horizon, epsilon, delta, nu) -> Setting:
    return Setting(1, min(2 * online.episodes_lsvi_ucb(d, horizon, epsilon, delta, eta=2.0), SKIPPED))


def _reduction(d, horizon, epsilon, delta, nu) -> Setting:
    return Setting(1, min(online.episodes_of_the_reduction(d, horizon, epsilon, delta), SKIPPED))


def _olive(d, horizon, epsilon, delta, nu) -> Setting:
    return Setting(quoted.olive(d, horizon, epsilon / 4, delta, FUNCTIONS).batch_size, 4 * (d * horizon + 1),
                   {"n_functions": FUNCTIONS})


def _qiao_wang(d, horizon, epsilon, delta, nu) -> Setting:
    return _setting(qiao_wang.nominal(d, horizon, epsilon, delta).batch_size, horizon)


def _zhang(d, horizon, epsilon, delta, nu) -> Setting:
    """The exact limit: the literal N has no draw, so the mean stands in the place of every draw."""
    return Setting(LARGEST_EXACT, horizon, {"pace": PACE}, "expected")


def _setting(size: int, deployments: int, **options) -> Setting:
    return Setting(size, deployments, options, "exact" if size <= LARGEST_EXACT else "gaussian")


def _layers(d, horizon, size) -> int:
    return horizon


FUNCTIONS, PACE, LEVEL = 500, 0.05, 0.2
METHODS = {
    "Algorithm 1": Method("layerwise_exploration", False, theorem=_layerwise),
    "Algorithm 1, flat": Method("flat_exploration", False, theorem=_flat),
    "batched LSVI-UCB": Method("direct_exploration", False, theorem=_flat),
    "Algorithms 3 and 4": Method("reward_free_exploration", True, theorem=_reward_free),
    "Algorithm 3, direct": Method("reward_free_direct_exploration", True, theorem=_direct),
    "Algorithm 2": Method("arbitrary_policy_exploration", True, "yes", _layers, _arbitrary("repaired"), searched="",
                          options={"version": "repaired"}),
    "Algorithm 2, spectral": Method("arbitrary_policy_exploration", True, "yes", _layers, _arbitrary("spectral"),
                                    options={"version": "spectral"}),
    "Algorithm 2, self-certifying": Method("arbitrary_policy_exploration", True, "no", _layers,
                                           options={"version": "self-certifying"}),
    "LSVI-UCB": Method("lsvi_ucb", False, deployments=lambda d, horizon, size: EPISODES, searched=""),
    "reward-free LSVI-UCB": Method("reward_free_lsvi_ucb", True, searched="deployments", start=4**5),
    "low switching": Method("low_switching_lsvi", False, deployments=lambda d, horizon, size: SKIPPED, searched="",
                            theorem=_low_switching),
    "direct reduction": Method("direct_reduction", False, searched="", theorem=_reduction),
    "OLIVE": Method("olive", False, deployments=lambda d, horizon, size: 4 * (d * horizon + 1), theorem=_olive,
                    bonus=False, options={"n_functions": FUNCTIONS}),
    "FRANCIS": Method("francis", True, "explorability, above epsilon", bonus=False, searched="episodes", start=64),
    "MOFFLE": Method("moffle", True, "eta_min of latent states", lambda d, horizon, size: 10_000, bonus=False,
                     options={"level": LEVEL}, start=4**5),
    "Qiao and Wang 2023": Method("qiao_wang_2023", True, "in the range of epsilon", _layers, _qiao_wang, bonus=False),
    "Zhang et al. 2025": Method("zhang_2025", True, "no", _layers, _zhang, bonus=False, options={"pace": PACE}),
}
