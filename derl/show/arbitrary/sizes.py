"""Sizes and losses of the versions of Algorithm 2: N by theorem and by trial, N against nu_min, losses."""

from __future__ import annotations

from functools import cache

import numpy as np

from derl.algorithms.arbitrary import arbitrary_policy_planning
from derl.algorithms.audit import random_reward
from derl.experiments import audited_runs as runs
from derl.mdp import planning
from derl.show.arbitrary.figures import MARKS
from derl.show.drawing import InvalidChoice, style
from derl.theory.arbitrary.constants import arbitrary_constants, printed_theorem
from derl.theory.arbitrary.exponents import exponents
from derl.theory.arbitrary.rules import RULES

SYMBOLS = {"simplex": "o", "lock": "s", "template": "^"}
NAMES = {"repaired": "paper, constants corrected", "relative": "Theorem R", "squared": "squared reward",
         "spectral": "linear evaluation", "self-certifying": "self-certifying"}
START = "known"


@cache
def smallest_size(name: str, version: str) -> int:
    """The least power of ten for N at which a run ends by its own rule with a certified loss of at most epsilon.

    Found by bisection below 1e12, which is enough on these instances, with one seed. ("relative" is the same algorithm
    as "repaired", with another analysis.)
    """
    if version == "relative":
        return smallest_size(name, "repaired")
    low, high = 4, 12
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if succeeds(name, version, 10**middle) else (middle, high)
    if not succeeds(name, version, 10**high):
        raise InvalidChoice(f"{name}, {version}: no success up to N = 1e12")
    return 10**high


def succeeds(name: str, version: str, batch_size: int) -> bool:
    """Whether a run at this N converges and its loss, over all rewards and horizons, is at most epsilon."""
    found = at_size(name, version, batch_size)
    return bool(found.outcome.converged and found.audit.loss_bound.max() <= runs.EPSILON)


def at_size(name: str, version: str, batch_size: int) -> runs.AuditedRun:
    """A run of `derl.experiments.audited_runs` at about this N, which must not exceed the theorem's."""
    return runs.run(name, version, start=START, shrink=max(1.0, theorem_size(name, version) / batch_size))


@cache
def theorem_size(name: str, version: str) -> int:
    """N of the theorem on an instance of the suite."""
    mdp, nu = runs.instance(name), float(runs.certified_nu_squared(name)) ** 0.5
    return arbitrary_constants(mdp.dim, mdp.horizon, runs.EPSILON, runs.DELTA, nu, version, True).batch_size


def batch_sizes(names=runs.SUITE):
    """N by version: that of the theorem, and the least at which a run succeeds.

    Parameters
    ----------
    names : sequence of str
        Instances of `derl.experiments.audited_runs`.
    """
    figure, ax = style.axes(figsize=(6.6, 3.6))
    for row, (version, color) in enumerate(zip(RULES, style.CYCLE, strict=False)):
        for name, shift in zip(names, np.linspace(-0.22, 0.22, len(names)), strict=True):
            theorem = theorem_size(name, version)
            least = smallest_size(name, version)
            ax.plot([float(least), float(theorem)], [row + shift] * 2, color=color, linewidth=0.8, alpha=0.6)
            ax.plot(float(theorem), row + shift, SYMBOLS[name], color=color, label=name if row == 0 else None)
            ax.plot(float(least), row + shift, SYMBOLS[name], color=color, fillstyle="none")
    ax.set(xscale="log", xlabel="N: filled by theorem, open by trial", yticks=range(len(RULES)),
           yticklabels=[NAMES[version] for version in RULES])
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    ax.legend(loc="lower right")
    return figure


def batch_sizes_against_reachability(d: int = 3, horizon: int = 3, epsilon: float = 0.1, delta: float = 0.1,
                                     coefficients=None):
    """N of each theorem against nu_min on logarithmic axes, with the exponents that follow from its constraints.

    Parameters
    ----------
    coefficients : sequence of float or None
        Values of nu_min; by default from 0.02 to 1. The first state is known.
    """
    nus = np.logspace(np.log10(0.02), 0, 40) if coefficients is None else np.asarray(coefficients)
    figure, ax = style.axes(figsize=(6.6, 3.8))
    for version, color, line in zip(RULES, style.CYCLE, MARKS, strict=False):
        found = [arbitrary_constants(d, horizon, epsilon, delta, nu, version, True).batch_size for nu in nus]
        power = exponents(RULES[version], "covariance")["nu"]
        ax.plot(nus, np.array(found, float), linestyle=line, color=color, label=rf"{NAMES[version]}: $\nu^{{{power}}}$")
    printed = [printed_theorem(d, horizon, epsilon, delta, nu)["batch_size"] for nu in nus]
    ax.plot(nus, printed, color=style.GREY, linewidth=1, label=r"printed formula, c = 1: $\nu^{-14}$")
    ax.set(xscale="log", yscale="log", xlabel=r"$\nu_{\min}$", ylabel="N")
    ax.legend(fontsize=8)
    return figure


def losses(names=runs.SUITE, version: str = "spectral", seed: int = 0, rewards: int = 40):
    """Loss when the MDP is truncated at h and the first h deployments are used: certified, and by random rewards.

    Parameters
    ----------
    names : sequence of str
    version : str
    seed, rewards : int
        For the rewards tried at the smaller N.
    """
    figure, panels = style.axes(len(names), figsize=(6.8, 3.6), sharey=True, squeeze=False)
    for ax, name in zip(panels[0], names, strict=True):
        full = runs.run(name, version, start=START)
        small = at_size(name, version, smallest_size(name, version))
        h = np.arange(1, full.mdp.horizon + 1)
        ax.axhline(runs.EPSILON, color=style.RED, linestyle="--", label=r"allowed: $\epsilon$")
        for run, mark, color, label in ((small, "s-.", style.ORANGE, "smallest N that succeeds"),
                                        (full, "o-", style.BLUE, "N of the theorem")):
            ax.plot(h, run.audit.loss_bound, mark, color=color, label=label)
        tried = sampled_losses(small, np.random.default_rng(np.random.SeedSequence(seed)), rewards)
        ax.plot(h[tried > 0], tried[tried > 0], "x", color=style.ORANGE, label="random rewards, smallest N")
        ax.set(title=name, xlabel="layer h", yscale="log", xticks=h)
        ax.title.set_fontsize(9)
    panels[0, 0].set_ylabel("loss after h deployments")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8)
    return figure


def sampled_losses(run: runs.AuditedRun, rng: np.random.Generator, rewards: int) -> np.ndarray:
    """Largest loss over random linear rewards, for h = 1..H with the first h deployments, (H,)."""
    worst = np.zeros(run.mdp.horizon)
    for _ in range(rewards):
        theta = random_reward(run.mdp, rng)
        for h in range(1, run.mdp.horizon + 1):
            plan = arbitrary_policy_planning(run.outcome.dataset, theta, h if h < run.mdp.horizon else None)
            worst[h - 1] = max(worst[h - 1], planning.gap(run.mdp, plan.policy, h, theta))
    return worst
