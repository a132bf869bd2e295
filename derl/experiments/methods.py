r"""How each method of Table 1 is run in three settings.

    "theorem"      N, K, bonus and thresholds literally those of its theorem, where that can be run at all
    "nominal"      the bonus scale of its theorem with the absolute constant 1; N is searched
    "calibrated"   the bonus beta = c dH sqrt(log(dH/(delta epsilon))) with a common c found beforehand; N is searched

Methods without a bonus have no calibrated form; their "nominal" one has constants of its own. Where N is
searched, K is 2dH + 1 (c_K = 2), or what the method fixes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log
from typing import Any

from derl.algorithms import catalogue
from derl.algorithms.block_setup import largest_leverage
from derl.algorithms.first_layer import state_designs
from derl.algorithms.mean_spanner import distinct_rules
from derl.deployment.protocol import KnownPart
from derl.experiments import at_theorem
from derl.experiments.at_theorem import ALL, FUNCTIONS, PACE, SKIPPED, Asked, Setting
from derl.experiments.spec import InvalidSpec
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.arbitrary.constants import planning_scale
from derl.theory.constants import bonus_scale

SMALL_TRADE_OFF = 2  # c_K where N is searched
EPISODES = 2**15  # of LSVI-UCB: patience
MOST, MOST_EPISODES = 4**28, 4**7  # where a search for N gives up: 7e16, and 16384 where N is 1
MODES = ("theorem", "nominal", "calibrated")


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
        Whether a reachability coefficient is an input: "no", "yes", "for N" where the algorithm itself is told
        nothing, or what else.
    deployments : callable
        (d, H, N) -> K where N is searched.
    theorem : callable or None
        Asked -> Setting; None where it cannot be run.
    bonus : bool
        Whether it has a bonus scale.
    searched : str
        What the search for N varies: "batch_size"; where N = 1 the "episodes" of a layer, the "deployments" K
        without a rule to stop, or "" where nothing is searched.
    options : dict
    start : int
        Where the search begins.
    scheduled : bool
        Whether it ends after a number of deployments fixed beforehand, and returns nothing before.
    block : int
        Layers of a deployment, for methods that explore several at once; `ALL` for as many as there are.
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
    scheduled: bool = False
    block: int = 0

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

    def told(self, mdp: LinearMDP) -> dict[str, float]:
        """What the algorithm computes from the features alone, and its theorem asks for."""
        known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
        if self.name == "block_exploration":
            designs = [state_designs(*layer)[0] for layer in zip(known.phi, known.available, strict=True)]
            return {"leverage": largest_leverage(known, designs)}
        if self.name == "spanner_exploration":
            return {"log_rules": log(max(len(distinct_rules(known, h)) for h in range(mdp.horizon)))}
        return {}

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
            return self.theorem(Asked(d, horizon, epsilon, delta, nu, **self.told(mdp)))
        options = dict(self.options)
        if mode == "calibrated":
            beta = bonus_scale(d, horizon, epsilon, delta, c_beta)
            options |= ({"c_beta": beta / planning_scale(d, horizon, delta, size)}
                        if self.name in IN_UNITS else {"beta": beta})
        if self.name == "arbitrary_policy_exploration" and nu is not None:
            options["nu_min"] = nu
        if self.block:
            last = horizon if self.name == "block_exploration" else horizon - 1
            options["block"] = min(self.block, last)
        if self.searched == "episodes":
            return Setting(1, horizon * size, options | {"episodes": size})
        if self.searched == "deployments":
            return Setting(1, size, options)
        return Setting(size, self.deployments(d, horizon, size), options)


def _layers(d, horizon, size) -> int:
    return horizon


LEVEL = 0.2
IN_UNITS = ("arbitrary_policy_exploration", "prefix_exploration")  # their option is c, not beta
POOLED = {"data": "pooled"}
BY_HAND = {"kappa": 0.3, "eta": 1e-9, "dummy": 1e-3}
def _designs(block: int) -> Method:
    return Method("block_exploration", False, "no" if block == ALL else "yes, with its theorem",
                  at_theorem.block_deployments(block), at_theorem.blocks(block), bonus=False, options=POOLED,
                  scheduled=True, block=block)


def _cuts(block: int) -> Method:
    return Method("truncated_block_exploration", True, "no", at_theorem.cut_deployments(block),
                  at_theorem.cut_blocks(block), bonus=False, scheduled=True, block=block, options=BY_HAND)


METHODS = {
    "Algorithm 1": Method("layerwise_exploration", False, theorem=at_theorem.algorithm_1),
    "Algorithm 1, flat": Method("flat_exploration", False, theorem=at_theorem.flat),
    "batched LSVI-UCB": Method("direct_exploration", False, theorem=at_theorem.flat),
    "Algorithms 3 and 4": Method("reward_free_exploration", True, theorem=at_theorem.algorithm_3),
    "Algorithm 3, direct": Method("reward_free_direct_exploration", True, theorem=at_theorem.algorithm_3_direct),
    "Algorithm 2": Method("arbitrary_policy_exploration", True, "yes", _layers, at_theorem.algorithm_2("repaired"),
                          searched="", options={"version": "repaired"}),
    "Algorithm 2, spectral": Method("arbitrary_policy_exploration", True, "yes", _layers,
                                    at_theorem.algorithm_2("spectral"), options={"version": "spectral"}),
    "Algorithm 2, self-certifying": Method("arbitrary_policy_exploration", True, "no", _layers,
                                           options={"version": "self-certifying"}),
    "LSVI-UCB": Method("lsvi_ucb", False, deployments=lambda d, horizon, size: EPISODES, searched=""),
    "reward-free LSVI-UCB": Method("reward_free_lsvi_ucb", True, searched="deployments", start=4**5),
    "low switching": Method("low_switching_lsvi", False, deployments=lambda d, horizon, size: SKIPPED, searched="",
                            theorem=at_theorem.low_switching),
    "direct reduction": Method("direct_reduction", False, searched="", theorem=at_theorem.reduction),
    "OLIVE": Method("olive", False, deployments=lambda d, horizon, size: 4 * (d * horizon + 1),
                    theorem=at_theorem.olive, bonus=False, options={"n_functions": FUNCTIONS}),
    "FRANCIS": Method("francis", True, "explorability, above epsilon", bonus=False, searched="episodes", start=64),
    "MOFFLE": Method("moffle", True, "eta_min of latent states", lambda d, horizon, size: 10_000, bonus=False,
                     options={"level": LEVEL}, start=4**5),
    "Qiao and Wang 2023": Method("qiao_wang_2023", True, "in the range of epsilon", _layers,
                                 at_theorem.qiao_wang_2023, bonus=False),
    "Zhang et al. 2025": Method("zhang_2025", True, "no", _layers, at_theorem.zhang_2025, bonus=False,
                                options={"pace": PACE}),
    "Algorithm 2, best prefix": Method("prefix_exploration", True, "for N", _layers, at_theorem.best_prefix),
    "spanning policies": Method("spanner_exploration", False, deployments=lambda d, horizon, size: d * horizon + 1,
                                theorem=at_theorem.spanners, bonus=False, scheduled=True),
    "uniform, pessimistic": Method("uniform_pessimism", False, deployments=lambda d, horizon, size: 1, scheduled=True),
    "designs, L = 1": _designs(1),
    "designs, L = 2": _designs(2),
    "designs, L = H": _designs(ALL),
    "cuts, L = 1": _cuts(1),
    "cuts, L = 2": _cuts(2),
    "cuts, L = H - 1": _cuts(ALL),
}
