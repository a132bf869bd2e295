"""The algorithms of others in the executed Table 1.

What must hold in every run:

    LSVI-UCB, also reward-free        the statistic is at most what the elliptical potential leaves   on every path
    low switching, direct reduction   policies <= 1 + dH log_2(1 + K/d)                               on every path
    OLIVE                             Q* is never eliminated                                          with 1 - delta
    FRANCIS                           log det Sigma of n features is at most d log(1 + n/d), and grows  on every path
    MOFFLE                            policies of a layer <= what the elliptical potential allows     on every path
    Qiao and Wang                     the Kiefer-Wolfowitz gap of every design is at most its tolerance
    Zhang et al.                      rounds of a matrix evaluation <= 10 d log(2x/zeta + 1)          by Lemma 18 there
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable

from derl.algorithms import catalogue
from derl.deployment import LARGEST_EXACT
from derl.experiments.methods.method import (
    Asked,
    Method,
    Places,
    RunSetting,
    drawn,
    fixed,
    of_every_stretch,
    of_the_last_plan,
    one_each,
)
from derl.experiments.methods.run import MethodRun
from derl.theory.comparison import online, qiao_wang, quoted, zhang

EPISODES = 2**21  # of LSVI-UCB: patience; its noise term alone is above epsilon at 2^15
SKIPPED = 10**12  # deployments of the low-switching form
FUNCTIONS, PACE, LEVEL = 500, 0.05, 0.2
NOISE = 1e-9  # what rounding may add
STOP = "as published, with a rule of this book that stops it"
REBUILT = "a reconstruction"  # its paper leaves constants or steps open that the algorithm fills in
FEW = 6  # seeds where a run takes seconds: the fewest that have an interval
LAKE = ("lake",)  # d = 16: seconds a run


def low_switching(asked: Asked) -> RunSetting:
    """Gao et al., up to a matter of patience."""
    return RunSetting(1, min(2 * online.episodes_lsvi_ucb(*asked.task, eta=2.0), SKIPPED))


def reduction(asked: Asked) -> RunSetting:
    """The direct reduction of Appendix A."""
    return RunSetting(1, min(online.episodes_of_the_reduction(*asked.task), SKIPPED))


def olive(asked: Asked) -> RunSetting:
    """OLIVE at a quarter of epsilon."""
    size = quoted.olive(asked.d, asked.horizon, asked.epsilon / 4, asked.delta, FUNCTIONS).batch_size
    return RunSetting(size, phases(asked.d, asked.horizon, size), {"n_functions": FUNCTIONS})


def qiao_wang_2023(asked: Asked) -> RunSetting:
    """At c = 1."""
    return drawn(qiao_wang.nominal(*asked.task).batch_size, asked.horizon)


def zhang_2025(asked: Asked) -> RunSetting:
    """The exact limit: the literal N is too large to draw, so every draw is replaced by its mean."""
    return RunSetting(LARGEST_EXACT, asked.horizon, {"pace": PACE}, "expected")


def phases(d: int, horizon: int, size: int) -> int:
    """K of OLIVE where N is searched: four times what its theorem needs."""
    return 4 * (d * horizon + 1)


def episodes(count: Callable[..., int]) -> Callable[[Asked], tuple[float, float]]:
    """A promise in single trajectories, each a deployment."""
    def promise(asked: Asked) -> tuple[float, float]:
        found = float(count(*asked.task))
        return found, found
    return promise


def switches(count: Callable[..., int], **more) -> Callable[[Asked], tuple[float, float]]:
    """A promise in trajectories, of which the switches of the policy are the deployments."""
    def promise(asked: Asked) -> tuple[float, float]:
        found = count(*asked.task, **more)
        return float(online.switches(asked.d, asked.horizon, found)), float(found)
    return promise


def phases_promised(asked: Asked) -> tuple[float, float]:
    """Phases of OLIVE and their trajectories."""
    sizes = quoted.olive(asked.d, asked.horizon, asked.epsilon / 4, asked.delta, FUNCTIONS)
    return float(sizes.phases), float(sizes.phases * sizes.batch_size)


def moffle_rate(asked: Asked) -> tuple[float, float]:
    """The printed rate of MOFFLE with constant 1, eta = nu^2."""
    eta, d, horizon, n_actions = asked.nu**2, asked.d, asked.horizon, asked.n_actions
    if not eta:
        return math.inf, math.inf
    return horizon * d**3 * n_actions**4 / eta**2, (d**8 * horizon**7 * n_actions**13
                                                    / min(asked.epsilon**2 * eta, eta**5))


def statistic(run: MethodRun) -> float:
    """The bound of the mean loss at the end."""
    return run.outcome.trace[-1].statistic


def small_statistic(factor: Callable[[int], float]) -> Callable[[MethodRun], bool]:
    """The statistic of LSVI-UCB, for a bonus that is `factor`(H) times as wide, is what the potential leaves of it."""
    def kept(run: MethodRun) -> bool:
        d, horizon, made = run.mdp.dim, run.mdp.horizon, run.outcome.deployments
        hidden = online.noise(horizon, run.delta, run.setting.max_deployments) - online.noise(horizon, run.delta, made)
        allowed = (online.mean_loss(d, horizon, run.delta, factor(horizon) * run.outcome.beta, made)
                   + hidden / math.sqrt(made))
        return run.outcome.trace[-1].statistic <= allowed * (1 + NOISE)
    return kept


def few_switches(run: MethodRun) -> bool:
    """Policies within the bound on switches."""
    return len(run.outcome.trace) <= online.switches(run.mdp.dim, run.mdp.horizon, run.outcome.trajectories,
                                                     run.options["eta"])


def growing_determinants(run: MethodRun) -> bool:
    """The log-determinants of FRANCIS in every layer, before each of its batches, can be those of unit features."""
    d = run.mdp.dim
    for layer in range(1, run.mdp.horizon + 1):
        found = [record.log_det for record in run.outcome.trace if record.layer == layer]
        bounds = [d * math.log1p(k * run.setting.batch_size / d) for k in range(len(found))]
        if not (all(one <= bound + NOISE for one, bound in zip(found, bounds, strict=True))
                and all(later >= one - NOISE for one, later in itertools.pairwise(found))):
            return False
    return True


def few_covering_policies(run: MethodRun) -> bool:
    """Policies of the planner of MOFFLE in a layer; the last one ends the layer."""
    per_layer = Counter(record.layer for record in run.outcome.trace if not record.cover)
    return max(per_layer.values()) <= quoted.moffle_policies(run.mdp.dim, run.options["level"]) + 1


def good_designs(run: MethodRun) -> bool:
    """Gaps of the designs of Qiao and Wang."""
    return all(record.gap <= run.options["tolerance"] * run.mdp.dim * (1 + NOISE) for record in run.outcome.trace)


def few_rounds(run: MethodRun) -> bool:
    """Rounds of the matrix evaluations of Zhang et al."""
    used = run.outcome.dataset.constants
    most = 10 * run.mdp.dim * math.log(2 * used.x / used.zeta + 1)
    return max(record.rounds for record in run.outcome.trace) <= most


def optimum_alive(run: MethodRun) -> bool:
    """Whether Q* was never eliminated."""
    return bool(run.outcome.dataset.alive[0])


METHODS = (
    Method("LSVI-UCB", catalogue.named("lsvi_ucb"), deployments=lambda d, horizon, size: EPISODES, searched="",
           modes=("calibrated",), promise=episodes(online.episodes_lsvi_ucb), listing=STOP, mixture=True,
           certificate=statistic, invariant=small_statistic(lambda horizon: 1.0), optimism=of_every_stretch,
           places=Places(without=LAKE, varied=False, seeds=FEW), row="tab-row-lsvi-ucb"),
    Method("reward-free LSVI-UCB", catalogue.named("reward_free_lsvi_ucb"), True, searched="deployments",
           scheduled=True, listing="repaired: the bonus is not capped by itself",
           promise=episodes(online.episodes_reward_free), certificate=lambda run: 2 * run.mdp.horizon * statistic(run),
           invariant=small_statistic(lambda horizon: 1 + 1 / (2 * horizon)), optimism=of_the_last_plan,
           places=Places(without=LAKE, varied=False, rare=0.1, rotated=256), row="tab-row-reward-free-lsvi"),
    Method("low switching", catalogue.named("low_switching_lsvi"), deployments=lambda d, horizon, size: SKIPPED,
           searched="", modes=("calibrated",), theorem=low_switching,
           promise=switches(online.episodes_lsvi_ucb, eta=2.0), explicit=False, listing=STOP, mixture=True,
           certificate=statistic,
           invariant=few_switches, optimism=of_every_stretch,
           places=Places(theorem=("template",), calibrated=("template",), varied=False, rotated=None),
           row="tab-row-gao"),
    Method("direct reduction", catalogue.named("direct_reduction"), searched="", theorem=reduction,
           promise=switches(online.episodes_of_the_reduction), explicit=False,
           listing="the conversion of Appendix A, on the row above", mixture=True, invariant=few_switches,
           optimism=of_every_stretch, places=Places(theorem=("template",), varied=False, rotated=None)),
    Method("OLIVE", catalogue.named("olive"), deployments=phases, theorem=olive, promise=phases_promised,
           explicit=False, bonus=False, options=fixed(n_functions=FUNCTIONS), prepared=True,
           listing="as published, with one batch for both of its sizes and a finite class",
           certificate=lambda run: run.outcome.trace[-1].error, invariant=optimum_alive,
           sound=optimum_alive,
           # while Q* is alive, the most optimistic function promises at least the optimum
           optimism=lambda run: (float(optimum_alive(run)), None), row="tab-row-olive"),
    Method("FRANCIS", catalogue.named("francis"), True, "explorability, above epsilon", bonus=False,
           searched="episodes", scheduled=True,
           promise=episodes(lambda d, horizon, *accuracy: horizon * quoted.francis_episodes(d, horizon, *accuracy)),
           invariant=growing_determinants, listing=REBUILT,
           places=Places(without=LAKE, varied=False, rare=0.1, rotated=64), row="tab-row-francis"),
    Method("MOFFLE", catalogue.named("moffle"), True, "eta_min of latent states", lambda d, horizon, size: 10_000,
           promise=moffle_rate, bonus=False, options=fixed(level=LEVEL), invariant=few_covering_policies,
           listing=REBUILT, row="tab-row-moffle",
           places=Places(varied=False, rare=0.0, rotated=None)),  # in another basis features leave the simplex
    Method("Qiao and Wang 2023", catalogue.named("qiao_wang_2023"), True, "in the range of epsilon", one_each,
           qiao_wang_2023, explicit=False, bonus=False, invariant=good_designs, listing=REBUILT,
           places=Places(rare=0.0)),
    Method("Zhang et al. 2025", catalogue.named("zhang_2025"), True, "no", one_each, zhang_2025,
           promise=lambda asked: (float(asked.horizon), zhang.trajectories(*asked.task)), explicit=False, bonus=False,
           options=fixed(pace=PACE), invariant=few_rounds, listing=REBUILT, places=Places(rare=0.0)),
)
