"""The race: four methods on one instance, deployment by deployment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from derl.algorithms import arbitrary_policy_exploration, layerwise_exploration
from derl.algorithms.baselines import low_switching, lsvi_ucb, zhang
from derl.algorithms.outcome import Unfinished
from derl.deployment import Deployer
from derl.estimation.online import Learner
from derl.mdp import instances, planning
from derl.show.drawing import style
from derl.show.foundations.draft import cells_of, fault, linear_mdp, read
from derl.show.foundations.draft_figure import one_step
from derl.show.foundations.sheet import EDITORS, VALID, WORDS, sheet, text_of
from derl.show.labs.controls import Choice, Lab, Slider, Steps, View
from derl.show.labs.texts import Table
from derl.theory.comparison.online import noise

INSTANCES = {"simplex": lambda: instances.random_simplex(6, 3, 3, 3, seed=5),
             "plane": lambda: instances.random_simplex(6, 4, 2, 4, seed=0),
             "lock": lambda: instances.lock(3, 3, (1, 2, 0), 0.2)}
OWN = "your own"
HORIZON = 3  # of your own
DELTA, PATIENCE = 0.1, 120  # deployments after which a method is stopped
PACE = 0.01  # of Zhang et al.: how far its list of policies may be longer than it has to be
STARTS = {"a ladder": VALID,
          "two ways": """1 0 0 | 0.2 0.8 0 | 0
0 1 0 | 0 0 1 | 0
0.5 0.5 0 | 0.1 0.4 0.5 | 0
0 0 1 | 0.3 0.3 0.4 | 1
0 0.5 0.5 | 0.15 0.15 0.7 | 0.5
1 0 0 | 0.2 0.8 0 | 0""",
          "a table of its own for every pair": """1 0 0 0 | 0.9 0.1 | 0
0 1 0 0 | 0.5 0.5 | 0.1
0 0 1 0 | 0 1 | 1
0 0 0 1 | 1 0 | 0""",
          "not linear yet": """1 0 | 0.5 0.5 | 0
0 1 | 0.1 0.9 | 0.2
1 0 | 0.2 0.8 | 1
0 1 | 0.1 0.9 | 0.2"""}
CLOCK = (*range(1, 13), 15, 20, 25, 30, 40, 50, 70, 90, PATIENCE)  # deployments at each tick
LOOKS = (("o", "-"), ("s", "--"), ("x", ":"), ("^", "-."))


@dataclass(frozen=True, eq=False)
class Runner:
    """One method after its run.

    Attributes
    ----------
    name : str
    deployments : int
    batch_size : int
    finished : bool
        Whether it stopped by its own rule.
    at, loss : (n,)
        After how many deployments what was lost against the optimum: by the policy just deployed, or at the end by the
        one that is returned. Empty where it broke off.
    """

    name: str
    deployments: int
    batch_size: int
    finished: bool
    at: np.ndarray
    loss: np.ndarray

    @property
    def end(self) -> str:
        """How it ended: by its rule, at the limit of deployments, after the last layer without the rule, by an
        error."""
        if self.finished:
            return "stopped"
        if not len(self.loss):
            return "broke off"
        return "gave up" if self.deployments == PATIENCE else "ended unsure"


@lru_cache(maxsize=16)
def race(instance: str, exponent: int, epsilon: float, c_beta: float, text: str = "") -> tuple[Runner, ...]:
    """All four methods with batches of 10^exponent (LSVI-UCB: of 1), the same delta, and at most 120 deployments.

    `text` is what was typed, where the instance is your own.
    """
    mdp, size = linear_mdp(read(text), HORIZON) if instance == OWN else INSTANCES[instance](), 10**exponent
    with np.errstate(over="ignore"):
        first = layerwise_exploration(Deployer(mdp, size, PATIENCE), epsilon, DELTA, c_beta)
        second = arbitrary_policy_exploration(Deployer(mdp, size, mdp.horizon, "any"), epsilon, DELTA, None,
                                              "self-certifying", c_beta=c_beta)
        later = truncating(mdp, size, epsilon)
    online = single_trajectories(Deployer(mdp, 1, PATIENCE), epsilon, c_beta)
    return (_runner("Algorithm 1", mdp, first, size), _runner("Algorithm 2", mdp, second, size),
            _runner("LSVI-UCB", mdp, online, 1), later)


def truncating(mdp, size: int, epsilon: float) -> Runner:
    """Zhang et al.; with too little data the matrices that it regresses can become indefinite, and it breaks off."""
    deployer = Deployer(mdp, size, mdp.horizon, "any")
    try:
        return _runner("Zhang et al.", mdp, zhang.zhang_2025(deployer, epsilon, DELTA, pace=PACE), size)
    except Unfinished:
        return Runner("Zhang et al.", len(deployer.log), size, False, np.empty(0), np.empty(0))


def single_trajectories(deployer: Deployer, epsilon: float, c_beta: float):
    """LSVI-UCB by its readable loop: for so few trajectories it is faster than compiling the other one."""
    beta, known = low_switching.scale(deployer, DELTA, c_beta, None), deployer.known
    learner = Learner(known, beta, target=epsilon, noise=noise(known.horizon, DELTA, deployer.max_deployments),
                      compiled=False)
    return lsvi_ucb.play(deployer, learner)


def _runner(name: str, mdp, outcome, size: int) -> Runner:
    """What is worth drawing of an outcome; a stretch of the same policy is one point."""
    at = [record.deployment for record in outcome.trace]
    loss = [planning.gap(mdp, record.policy) for record in outcome.trace]
    return Runner(name, outcome.deployments, size, outcome.converged, np.array([*at, outcome.deployments]),
                  np.array([*loss, planning.gap(mdp, outcome.policy)]))


def losses(runners, clock: int, epsilon: float):
    """Loss of what each method deploys, up to this deployment."""
    figure, ax = style.axes(figsize=(5.6, 3.8))
    for runner, color, (marker, line) in zip(runners, style.CYCLE, LOOKS, strict=False):
        seen = runner.at <= clock
        ax.plot(runner.at[seen], runner.loss[seen], marker + line, color=color, label=runner.name, markersize=4)
        if runner.deployments <= clock and runner.finished:
            ax.plot(runner.deployments, runner.loss[-1], "*", color=color, markersize=15)
    ax.axhline(epsilon, color=style.GREY, linewidth=1, linestyle="--")
    ax.set(xscale="log", xlim=(0.9, 1.2 * PATIENCE), xlabel="deployments", ylim=(-0.05, None),
           ylabel="loss of the policy (star: has stopped)")
    figure.legend(loc="outside upper center", ncols=4, fontsize=8)
    return figure


def spent(runners, clock: int):
    """Trajectories that each method has collected so far."""
    figure, ax = style.axes(figsize=(5.0, 2.8))
    for i, (runner, color) in enumerate(zip(runners, style.CYCLE, strict=False)):
        made = min(clock, runner.deployments)
        ax.barh(-i, np.log10(max(made * runner.batch_size, 1)) + 0.05, color=color)
        word = runner.end if runner.deployments <= clock else "runs"
        ax.annotate(f"K = {made}, {word}", (0.2, -i), va="center", fontsize=8, color="black",
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    ax.set(yticks=[-i for i in range(len(runners))], yticklabels=[runner.name for runner in runners],
           xlabel=r"$\log_{10}$ of the trajectories so far",
           xlim=(0, np.log10(max(r.deployments * r.batch_size for r in runners)) + 0.3))
    return figure


def view(tick: int, instance: str, text: str, exponent: int, epsilon: float, c_beta: float) -> View:
    """The race at a tick of the clock."""
    if instance == OWN and (wrong := fault(draft := read(text))):
        return View(f"✗ No race: this is no linear MDP. {wrong.sentence[0].upper()}{wrong.sentence[1:]}.",
                    (one_step(draft, wrong),), None, ("tick", "exponent", "epsilon", "c_beta"), cells_of(draft, wrong))
    runners = race(instance, exponent, epsilon, c_beta, text if instance == OWN else "")
    clock, words = CLOCK[tick - 1], []
    for runner in runners:
        if runner.deployments > clock:
            words.append(f"{runner.name} runs")
        else:
            lost = f" with loss {runner.loss[-1]:.3f}" if len(runner.loss) else ", on too little data"
            words.append(f"{runner.name} {runner.end} at K = {runner.deployments}{lost}")
    return View(f"After {clock} deployment{'s' * (clock > 1)}: {'; '.join(words)}.",
                (losses(runners, clock, epsilon), spent(runners, clock)), len(CLOCK),
                () if instance == OWN else ("text",))


LAB = Lab("comparison", "The race",
          "Algorithm 1, Algorithm 2, LSVI-UCB and Zhang et al. run side by side, on an instance of the book "
          "or on your own. You see their deployments and trajectories.",
          view, (
              Steps("tick", "clock", 6, 1, len(CLOCK)),
              Choice("instance", "instance", (*INSTANCES, OWN), OWN),
              Slider("exponent", "batch size N", tuple(range(4, 16)), 6, "1e{}"),
              Slider("epsilon", "accuracy epsilon", (0.1, 0.2, 0.4, 0.8), 0.2),
              Slider("c_beta", "bonus constant", (0.01, 0.1, 0.3, 1.0), 1.0),
              Table("text", f"Your own instance, with {HORIZON} layers from state 0. {WORDS}", STARTS, "a ladder",
                    sheet, text_of, EDITORS, below=True)), "comparison/table1")
