"""The lab on logs: what a log promises, what it leaves open, and what one deployment adds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from derl.algorithms.baselines.pevi import pessimistic_value_iteration
from derl.deployment import Deployer
from derl.estimation import fit, optimistic_backup
from derl.mdp import instances, planning
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import uniform
from derl.show.drawing import style
from derl.show.labs.controls import Lab, Slider, View

HORIZON, STATES, ACTIONS = 4, 6, 3
MARKS = (("old", "old policy", "s", style.GREY), ("plan", "plan, in truth", "o", style.BLUE),
         ("best", "optimum", "^", style.GREEN))


@dataclass(frozen=True)
class Decision:
    """Values from 0 to H: what the data promise, what they leave possible, and the truth about three policies."""

    pessimistic: float
    optimistic: float
    old: float
    plan: float
    best: float


@cache
def truth() -> LinearMDP:
    """A random MDP with 6 states, 3 actions and 4 layers; the rewards depend on layer, state and action."""
    rng = np.random.default_rng(3)
    laws = rng.dirichlet(np.full(STATES, 0.3), size=(HORIZON, STATES, ACTIONS))
    return instances.tabular(laws, rng.random((HORIZON, STATES, ACTIONS)), np.eye(STATES)[0])


@lru_cache(maxsize=256)
def decide(length: int, others: float, beta: float, batch: int) -> Decision:
    """Plan on a log of `length` trajectories, and on one deployment of the uniform policy beside it.

    Parameters
    ----------
    length, batch : int, >= 1 and >= 0
        Trajectories of the log and of the deployment.
    others : float, in [0, 1]
        How often the old policy takes another action than its usual one.
    beta : float, > 0
        Scale of the bonus.
    """
    mdp = truth()
    old = np.broadcast_to([1 - others] + [others / 2] * 2, (HORIZON, STATES, ACTIONS))
    counts = Deployer(mdp, length, 1, policy_class="any", seed=0).deploy(old).counts
    if batch:
        counts = counts + Deployer(mdp, batch, 1, policy_class="any", seed=1).deploy(uniform(mdp)).counts
    seen = counts.sum(axis=3) > 0
    rewards = np.where(seen, mdp.rewards(), 0)
    plan = pessimistic_value_iteration(mdp.phi, rewards, counts, beta)
    values = np.zeros(STATES)
    for h in reversed(range(HORIZON)):
        step = optimistic_backup(mdp.phi[h], rewards[h], values, fit(mdp.phi[h], counts[h]), beta, HORIZON - h)
        values = np.where(seen[h], step.q, HORIZON - h).max(axis=1)
    return Decision(float(mdp.initial @ plan.values[0]), float(mdp.initial @ values),
                    planning.evaluate(mdp, old).value, planning.evaluate(mdp, plan.policy).value,
                    planning.optimal(mdp).value)


def view(length: int, others: float, beta: float, batch: int) -> View:
    """The log alone, and the log with the deployment."""
    found = [decide(length, others, beta, 0), decide(length, others, beta, batch)]
    figure, ax = style.axes(figsize=(7.0, 2.8))
    for row, one in enumerate(found):
        ax.plot([one.pessimistic, one.optimistic], [row, row], color=style.SKY, linewidth=9, alpha=0.6,
                label="left open" if row == 0 else None)
        for field, label, marker, colour in MARKS:
            ax.plot(getattr(one, field), row, marker, color=colour, label=label if row == 0 else None)
    ax.set(xlabel="value", xlim=(-0.1, HORIZON + 0.1), ylim=(1.6, -0.6), yticks=(0, 1),
           yticklabels=("the log", f"and a batch of {batch}"))
    figure.legend(loc="outside upper center", ncols=4, fontsize=8)
    before, after = found
    words = (f"The log promises {before.pessimistic:.2f} and leaves {before.optimistic:.2f} possible; its plan loses "
             f"{before.best - before.plan:.3f}.")
    if batch:
        words += f" With {batch} trajectories more the plan loses {after.best - after.plan:.3f}."
    return View(words, (figure,))


LAB = Lab("foundations_log", "From a log to a decision",
          "Plan on a log without any deployment. See what the data leave open, and what one batch adds.",
          view, (Slider("length", "trajectories in the log", (20, 100, 500, 2500, 12_500), 500),
                 Slider("others", "other actions in the log", (0.0, 0.02, 0.1, 0.3, 0.6), 0.02, "{:.0%}"),
                 Slider("beta", "bonus scale β", (0.03, 0.1, 0.3, 1.0, 3.0), 0.3),
                 Slider("batch", "batch size N of one deployment", (0, 64, 256, 1024, 4096, 16_384), 1024)),
          "your-own-problem")
