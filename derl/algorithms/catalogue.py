"""The registry of algorithms: one table for `derl.algorithms`, `derl run` and the page of the labs.

A new algorithm `name(deployer, epsilon, delta, **options) -> Outcome` is one file, and one line of `CATALOGUE`. Options
and their defaults are those of its signature.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from derl.algorithms import run_defaults as defaults
from derl.algorithms.arbitrary import arbitrary_policy_exploration
from derl.algorithms.baselines.francis import francis
from derl.algorithms.baselines.low_switching import direct_reduction, low_switching_lsvi
from derl.algorithms.baselines.lsvi_ucb import lsvi_ucb
from derl.algorithms.baselines.moffle import moffle
from derl.algorithms.baselines.olive import olive
from derl.algorithms.baselines.pevi import uniform_pessimism
from derl.algorithms.baselines.qiao_wang import qiao_wang_2023
from derl.algorithms.baselines.reward_free_lsvi import reward_free_lsvi_ucb
from derl.algorithms.baselines.zhang import zhang_2025
from derl.algorithms.best_prefix import prefix_exploration
from derl.algorithms.blocks import block_exploration
from derl.algorithms.known_law import two_deployment_exploration
from derl.algorithms.known_law_blocks import known_law_block_exploration
from derl.algorithms.layerwise import direct_exploration, flat_exploration, layerwise_exploration
from derl.algorithms.mean_spanner import spanner_exploration
from derl.algorithms.mixture import safe_mixture
from derl.algorithms.one_deployment import one_deployment_exploration
from derl.algorithms.outcome import InvalidParameter, Outcome
from derl.algorithms.reward_free import reward_free_direct_exploration, reward_free_exploration
from derl.algorithms.run_defaults import Request
from derl.algorithms.truncated_exploration import truncated_block_exploration
from derl.inputs import choice, plugins

ARRAYS = ("initial", "logged", "functions", "first")  # options that only a program can give
SEED = "seed"  # of what an algorithm draws itself; a run by name has one seed for everything


@dataclass(frozen=True)
class Entry:
    """One algorithm.

    Attributes
    ----------
    function : callable
        (deployer, epsilon, delta, **options) -> Outcome.
    does : str
        One line.
    number : str
        The paper's, or "" for a result of this book and for a baseline.
    policy_class : {"deterministic", "any"}
        What it needs of its deployer.
    deployments : callable
        Request -> K, where none is given.
    prepare : callable
        Request -> (Request, notes): what the algorithm must be told beyond its options, and what the report says of it.
    plan : callable
        (Request, Outcome) -> policy for the instance's own reward.
    measure : callable
        (Request, Outcome) -> what is reported beyond the suboptimality, by name.
    caveat : str
        What of Definition 2.1 (N fixed beforehand, at most K deployments) the method as published does not satisfy, or
        satisfies in name only; "" where it does.
    """

    function: Callable[..., Outcome]
    does: str
    number: str = ""
    policy_class: str = "deterministic"
    deployments: Callable[[Request], int] = defaults.violations()
    prepare: Callable[[Request], tuple[Request, dict[str, Any]]] = lambda request: (request, {})
    plan: Callable[[Request, Outcome], Any] = lambda request, outcome: outcome.policy
    measure: Callable[[Request, Outcome], dict[str, Any]] = lambda request, outcome: {}
    caveat: str = ""

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @property
    def options(self) -> Mapping[str, Any]:
        """Option -> default, `inspect.Parameter.empty` where there is none."""
        taken = list(inspect.signature(self.function).parameters.values())[3:]
        return {p.name: p.default for p in taken if p.name not in (*ARRAYS, SEED)}

    @property
    def annotations(self) -> Mapping[str, str]:
        """Option -> its type as written in the signature."""
        return {name: str(inspect.signature(self.function).parameters[name].annotation) for name in self.options}

    @property
    def draws(self) -> bool:
        """Whether the algorithm draws something itself, from a seed."""
        return SEED in inspect.signature(self.function).parameters

    @property
    def needs(self) -> tuple[str, ...]:
        """Options without a default."""
        return tuple(name for name, default in self.options.items() if default is inspect.Parameter.empty)


CATALOGUE = (
    Entry(layerwise_exploration, "a known reward, deterministic policies, layer by layer", "1"),
    Entry(arbitrary_policy_exploration, "every linear reward in H deployments of mixtures, one per layer", "2", "any",
          lambda request: request.mdp.horizon, prepare=defaults.with_reachability, measure=defaults.audited),
    Entry(reward_free_exploration, "every linear reward, deterministic policies; Algorithm 4 plans afterwards", "3",
          deployments=defaults.violations(lambda request: 1 / (2 * request.mdp.horizon + 1)),
          plan=defaults.algorithm_4),
    Entry(safe_mixture, "a share alpha of every batch explores, the rest follows a pessimist", "7", "any",
          defaults.violations(lambda request: request.options["alpha"]), measure=defaults.drops),
    Entry(flat_exploration, "Algorithm 1 with one threshold for all layers, fewer samples",
          deployments=defaults.violations(lambda request: 2 * request.options["share"], defaults.beta_with_batch)),
    Entry(direct_exploration, "batched LSVI-UCB: Algorithm 1 without layers",
          deployments=defaults.violations(lambda request: 2 * request.options["share"], defaults.beta_with_batch)),
    Entry(reward_free_direct_exploration, "every linear reward, by exploring the uncertainty itself",
          deployments=defaults.violations(lambda request: 1 / 2), plan=defaults.algorithm_4),
    Entry(prefix_exploration, "Algorithm 2 without nu_min: the best prefix of a list twice as long", "", "any",
          lambda request: request.mdp.horizon, prepare=defaults.with_prefix, measure=defaults.audited),
    Entry(spanner_exploration, "d deterministic policies per layer that span the means of all others; lists all rules",
          deployments=lambda request: request.mdp.dim * request.mdp.horizon + 1),
    Entry(block_exploration, "L layers per deployment by designs; with one block no reachability is needed", "", "any",
          defaults.blocks_of, prepare=defaults.with_blocks),
    Entry(one_deployment_exploration, "one deployment of designs, at the right number of trajectories up to a constant",
          "", "any", lambda request: 1, prepare=defaults.with_one_deployment),
    Entry(two_deployment_exploration, "two deployments: the second builds on the law that the first shows", "", "any",
          lambda request: 2, prepare=defaults.with_two_deployments),
    Entry(known_law_block_exploration, "every linear reward, blocks at a factor d - 1 per layer after the first", "",
          "any", defaults.known_law_blocks, prepare=defaults.with_known_law),
    Entry(truncated_block_exploration, "every linear reward, blocks of layers, no reachability; rare pairs are cut",
          "", "any", defaults.cut_blocks, prepare=defaults.with_cuts),
    Entry(uniform_pessimism, "a baseline: one batch of the uniform policy, then pessimistic value iteration",
          policy_class="any", deployments=lambda request: 1),
    Entry(lsvi_ucb, "a baseline (Jin et al. 2020): a new optimistic policy for every trajectory",
          deployments=defaults.lsvi_ucb, measure=defaults.distinct, caveat=defaults.EVERY_TRAJECTORY),
    Entry(low_switching_lsvi, "a baseline (Gao et al. 2021): LSVI-UCB, a new policy when a determinant doubles",
          deployments=defaults.low_switching, measure=defaults.distinct, caveat=defaults.RANDOM_TIMES),
    Entry(reward_free_lsvi_ucb, "a baseline (Wang et al. 2020): LSVI-UCB on its own uncertainty, plans afterwards",
          deployments=defaults.reward_free, plan=defaults.algorithm_4, measure=defaults.distinct,
          caveat=defaults.EVERY_TRAJECTORY),
    Entry(direct_reduction, "a baseline (Appendix A): a bound on switches turned into one policy, with probability 2/3",
          deployments=defaults.reduction, measure=defaults.distinct, caveat=defaults.RANDOM_TIMES),
    Entry(olive, "a baseline (Jiang et al. 2017): Q-type OLIVE on a finite class that contains Q*",
          deployments=defaults.phases, prepare=defaults.with_functions, measure=defaults.survivors,
          caveat=defaults.TWO_SIZES),
    Entry(francis, "a baseline (Zanette et al. 2020): random directions layer by layer; a reconstruction",
          deployments=defaults.directions, caveat=defaults.EVERY_TRAJECTORY),
    Entry(moffle, "a baseline (Modi et al. 2021): an elliptical planner per layer; a reconstruction", "", "any",
          defaults.covers, caveat=defaults.TWO_SIZES),
    Entry(zhang_2025, "after the paper (Zhang et al. 2025): H mixtures, no reachability; rare pairs are cut", "", "any",
          lambda request: request.mdp.horizon, measure=defaults.policies),
    Entry(qiao_wang_2023, "after the paper (Qiao and Wang 2023): a design of policies per layer; a reconstruction",
          "", "any", lambda request: request.mdp.horizon, measure=defaults.policies),
)
# what has a name or a number but is not run by itself -> (what is run, why)
PARTS = {
    "4": ("3", "Algorithm 4 plans on the data of Algorithm 3, which is run first"),
    "3+4": ("3", "Algorithm 4 plans on the data of Algorithm 3"),
    "5": ("2", "Algorithm 5 is called inside Algorithm 2, which is run"),
    "6": ("2", "Algorithm 6 is called inside Algorithm 2, which is run"),
    "pevi": ("uniform_pessimism", "pessimistic value iteration on one batch of the uniform policy"),
}
NAMES = tuple(key for entry in CATALOGUE for key in (entry.name, entry.number) if key) + tuple(PARTS)


def find(key: str | int) -> tuple[Entry, str]:
    """The algorithm of a name, of a number or of a file of your own, and a line that says what is run if need be.

    A function `file.py:name` takes (deployer, epsilon, delta, **options) and returns an Outcome. Its deployer has the
    policy class "any".

    Raises
    ------
    InvalidParameter
    """
    if plugins.is_plugin(key):
        function = plugins.load(key)
        does = (inspect.getdoc(function) or "an algorithm of your own").splitlines()[0]
        return Entry(function, does, policy_class="any", deployments=lambda request: defaults.MOST_DEPLOYMENTS), ""
    key = choice(str(key), "algorithm", NAMES, InvalidParameter)
    number, why = PARTS.get(key, (key, ""))
    return next((entry, why) for entry in CATALOGUE if number in (entry.name, entry.number))


def named(name: str) -> Entry:
    """The algorithm of a name.

    Raises
    ------
    InvalidParameter
    """
    return find(name)[0]
