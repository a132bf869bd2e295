"""Algorithms 1, 2, 3 and 4 in the executed Table 1, with what this book made of them.

What must hold in every run: Algorithms 1 and 3 and their relatives make no more deployments than the count of
violations allows at this N; Algorithm 2, told nu, makes at most i_max iterations in a layer with probability 1 - delta;
with the best prefix, i V_i <= G with probability 1 - delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from derl.algorithms import catalogue
from derl.experiments.methods.method import (
    TRADE_OFF,
    Asked,
    Method,
    Places,
    RunSetting,
    by_threshold,
    drawn,
    fixed,
    of_every_plan,
    of_the_last_plan,
    one_each,
)
from derl.experiments.methods.run import MethodRun
from derl.theory.arbitrary.constants import arbitrary_constants, iteration_bound, planning_scale
from derl.theory.beyond import prefix
from derl.theory.constants import InvalidConstant
from derl.theory.layerwise import samples as layerwise
from derl.theory.reward_free import direct
from derl.theory.reward_free import samples as reward_free
from derl.theory.safety.sample_efficient import deployments_at


def algorithm_1(asked: Asked) -> RunSetting:
    """Algorithm 1, the sharp form of its theorem."""
    found = layerwise.budget(*asked.task, TRADE_OFF, "sharp")
    return drawn(found.batch_size, found.deployments, beta=found.beta)


def flat(asked: Asked) -> RunSetting:
    """One threshold for all layers."""
    found = layerwise.budget(*asked.task, TRADE_OFF, "share")
    return drawn(found.batch_size, found.deployments, beta=found.beta, share=found.share)


def algorithm_3(asked: Asked) -> RunSetting:
    """Algorithms 3 and 4."""
    size = reward_free.batch_size_reward_free(*asked.task, TRADE_OFF, version="sharp")
    deployments = reward_free.deployments_reward_free(asked.d, asked.horizon, TRADE_OFF, "sharp")
    return drawn(size, deployments, beta=reward_free.bonus_scale_reward_free(asked.d, asked.horizon, asked.delta,
                                                                            deployments, size))


def algorithm_3_direct(asked: Asked) -> RunSetting:
    """Algorithm 3 with the uncertainty explored itself."""
    found = direct.budget(*asked.task, TRADE_OFF)
    return drawn(found.batch_size, found.deployments, beta=found.beta, threshold="flat")


def algorithm_2(version: str) -> Callable[[Asked], RunSetting]:
    """Algorithm 2 in one of its versions."""
    def theorem(asked: Asked) -> RunSetting:
        return drawn(arbitrary_constants(*asked.task, asked.nu, version).batch_size, asked.horizon, nu_min=asked.nu,
                     version=version)
    return theorem


def self_certifying(asked: Asked) -> tuple[float, float]:
    """What the theorem of the version requires: nu is no input, but N depends on it."""
    size = arbitrary_constants(*asked.task, asked.nu, "self-certifying").batch_size if asked.nu else math.inf
    return float(asked.horizon), float(asked.horizon * size)


def in_units(beta: float, asked: Asked, size: int) -> dict[str, float]:
    """The bonus scale as the option `c_beta` of Algorithm 2, a multiple of its theorem's."""
    return {"c_beta": beta / planning_scale(asked.d, asked.horizon, asked.delta, size)}


def few_deployments(share: Callable[[int, dict], float]) -> Callable[[MethodRun], bool | None]:
    """Deployments within what the sharp potential lemma allows at this N; None where the lemma says nothing.

    Parameters
    ----------
    share : callable
        (H, options) -> what the threshold is, as a share of epsilon h/(2H).
    """
    def kept(run: MethodRun) -> bool | None:
        d, horizon = run.mdp.dim, run.mdp.horizon
        try:
            return run.outcome.deployments <= deployments_at(d, horizon, share(horizon, run.options) * run.epsilon,
                                                             run.outcome.beta, run.setting.batch_size)
        except InvalidConstant:  # the lemma says nothing at this N
            return None
    return kept


def few_iterations(run: MethodRun) -> bool | None:
    """Iterations of a layer within i_max, where nu_min was given."""
    nu_min, version = run.options["nu_min"], run.options["version"]
    if nu_min is None:
        return None
    return max(record.iterations for record in run.outcome.trace) <= iteration_bound(version, run.mdp.dim, nu_min)


def short_prefixes(run: MethodRun) -> bool | None:
    """i V_i <= G in every layer that finished its list; None where none did."""
    lists = [record.cover for record in run.outcome.trace if record.cover is not None and record.finished]
    if not lists:
        return None
    return all(one.iterations * one.values[-1] <= prefix.value_bound(run.mdp.dim, one.iterations) for one in lists)


def by_uncertainties(run: MethodRun) -> float:
    """The certificate of Algorithm 2: twice beta times the sum of what it knows of the uncertainties."""
    total = sum(record.uncertainty for record in run.outcome.trace)
    return min(2 * run.outcome.beta * total, float(run.mdp.horizon))


def of_threshold(label: str, name: str, theorem, share: Callable[[int, dict], float], reward_free: bool = False,
                 places: Places | None = None, **declared) -> Method:
    """Algorithm 1 or 3 or a relative: layers end by a threshold on Delta_k."""
    return Method(label, catalogue.named(name), reward_free, theorem=theorem, certificate=by_threshold,
                  invariant=few_deployments(share), optimism=of_the_last_plan if reward_free else of_every_plan,
                  places=places or Places(), **declared)


def of_covers(label: str, name: str, version: str = "", **declared) -> Method:
    """Algorithm 2 in one of its versions, or with the best prefix."""
    return Method(label, catalogue.named(name), True, deployments=one_each, calibrated=in_units,
                  options=fixed(version=version) if version else fixed(), tells_nu=bool(version),
                  certificate=by_uncertainties, invariant=few_iterations if version else short_prefixes,
                  optimism=of_the_last_plan, **declared)


CAPS = "repaired: the bonus is not capped by itself, and that of the theorem contains $N$"
LISTS = "repaired: a list with its first policy, $2I$ once, values in $[0,1]$"
METHODS = (
    of_threshold("Algorithm 1", "layerwise_exploration", algorithm_1, lambda horizon, options: 1.0, listing=CAPS,
                 row="tab-row-layerwise"),
    of_threshold("Algorithm 1, flat", "flat_exploration", flat, lambda horizon, options: 2 * options["share"],
                 places=Places(calibrated=("template",), varied=False)),
    of_threshold("batched LSVI-UCB", "direct_exploration", flat, lambda horizon, options: 2 * options["share"],
                 listing="lines 327 and 1053 of the paper, repaired, with the threshold of the row above"),
    of_threshold("Algorithms 3 and 4", "reward_free_exploration", algorithm_3,
                 lambda horizon, options: 1 / (2 * horizon + 1), True, listing=CAPS, row="tab-row-reward-free"),
    of_threshold("Algorithm 3, direct", "reward_free_direct_exploration", algorithm_3_direct,
                 lambda horizon, options: 0.5, True, Places(rare=0.0)),
    of_covers("Algorithm 2", "arbitrary_policy_exploration", "repaired", nu="yes", theorem=algorithm_2("repaired"),
              listing=LISTS, searched="", places=Places(theorem=("template",), varied=False, rotated=None),
              row="tab-row-arbitrary"),
    of_covers("Algorithm 2, spectral", "arbitrary_policy_exploration", "spectral", nu="yes",
              theorem=algorithm_2("spectral"), places=Places(without=("lake",), varied=False, rotated=None)),
    of_covers("Algorithm 2, self-certifying", "arbitrary_policy_exploration", "self-certifying",
              promise=self_certifying, places=Places(varied=False, rare=0.001)),  # below, lists are too long
)
