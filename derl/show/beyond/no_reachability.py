"""Tables and figures for the page of the theorem without reachability, from the functions and runs named."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from IPython.display import Markdown

from derl.algorithms.baselines.zhang import zhang_2025
from derl.algorithms.outcome import Unfinished
from derl.algorithms.truncated_exploration import truncated_block_exploration
from derl.deployment import LARGEST_EXACT, Deployer
from derl.experiments.blocks_at_size import FAMILIES, instance
from derl.mdp import instances, planning
from derl.mdp.policies import uniform
from derl.show.drawing import style
from derl.show.drawing.tables import folded, table
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.beyond import truncation
from derl.theory.comparison import zhang

MODERATE = {"kappa": 0.3, "eta": 1e-9, "dummy": 1e-3}  # by hand; no theorem covers them


def sizes(settings: Iterable[tuple[int, int, float]], delta: float = 0.1):
    """Trajectories in all, for one layer per deployment: Zhang et al. with their literal constants, and this page."""
    rows = []
    for d, horizon, epsilon in settings:
        ours = [(horizon - 1) * truncation.batch_size(d, horizon, 1, epsilon, delta, cover)
                for cover in ("spanner", "design")]
        rows.append((d, horizon, epsilon, f"{zhang.trajectories(d, horizon, epsilon, delta):.1e}",
                     *(f"{float(total):.1e}" for total in ours)))
    return table(("$d$", "$H$", r"$\epsilon$", "Zhang et al. 2025", "spanners", "designs"), rows)


def flat_in_nu(d: int = 4, horizon: int = 4, epsilon: float = 0.5, delta: float = 0.1):
    """N of Algorithm 2's best theorem in this book against nu_min, and N of this page."""
    figure, ax = style.axes()
    nus = np.logspace(0, -6, 25)
    ax.loglog(nus**2, [arbitrary_constants(d, horizon, epsilon, delta, nu, "spectral").batch_size for nu in nus],
              label="Algorithm 2, spectral error", linewidth=2)
    for cover, marks in (("spanner", "--"), ("design", ":")):
        ax.axhline(truncation.batch_size(d, horizon, 1, epsilon, delta, cover), linestyle=marks,
                   color=style.RED if cover == "spanner" else style.GREEN, label=f"without reachability, {cover}")
    ax.invert_xaxis()
    ax.set(xlabel=r"$\nu_{\min}^2$, at most the probability of the rare state", ylabel="$N$")
    ax.legend(fontsize=8)
    return figure


def at_the_theorem(epsilon: float = 0.2, delta: float = 0.1, seed: int = 1):
    """Runs at the theorem's own N, H - 1 deployments, half, a third, one: a sentence, and below it a table of the loss
    for the instance's reward, and of the uniform policy; pairs that were cut; policies of a cover."""
    rows, losses = [], []
    cases = {**{name: instance(name) for name in FAMILIES}, "rare state, p = 0": instances.rare_state(0, 6, 0)}
    for name, mdp in cases.items():
        idle = planning.optimal(mdp).value - planning.evaluate(mdp, uniform(mdp)).value
        if mdp.horizon == 1:
            rows.append((name, mdp.dim, mdp.horizon, 0, "–", "–", "0", f"{idle:.2g}", "–", "–"))
        for block in sorted({1, 2, 3, mdp.horizon - 1} & set(range(1, mdp.horizon))):
            size = truncation.batch_size(mdp.dim, mdp.horizon, block, epsilon, delta)
            mode = "exact" if size <= LARGEST_EXACT else "gaussian"
            parts = truncation.blocks(mdp.horizon, block)
            deployer = Deployer(mdp, size, len(parts), "any", seed, mode)
            outcome = truncated_block_exploration(deployer, epsilon, delta, block)
            losses.append(max(planning.gap(mdp, outcome.policy), 0.0))
            rows.append((name, mdp.dim, mdp.horizon, len(parts), block, f"{float(size):.1e}", f"{losses[-1]:.1g}",
                         f"{idle:.2g}", sum(sum(record.cut) for record in outcome.trace),
                         max(record.n_policies for record in outcome.trace)))
    shown = folded("Every run", ("instance", "$d$", "$H$", "$K$", "$L$", "$N$", "loss", "loss of the uniform policy",
                                 "pairs cut", "policies in a cover, at most"), rows)
    return Markdown(f"{len(losses)} runs on {len(cases)} instances at ε = {epsilon}, δ = {delta}: the largest loss is "
                    f"{max(losses):.1g}.\n\n{shown.data}")


def by_deployment(mdp, epsilon: float, delta: float, seed: int):
    """One run at the theorem's own N, L = 1: what each deployment covers and cuts, and how often any policy meets it.

    The last column is of the true model: the largest probability, over policies, that a trajectory meets a pair that
    is cut in this layer and met none before.
    """
    size = truncation.batch_size(mdp.dim, mdp.horizon, 1, epsilon, delta)
    deployer = Deployer(mdp, size, mdp.horizon - 1, "any", seed, "exact" if size <= LARGEST_EXACT else "gaussian")
    outcome = truncated_block_exploration(deployer, epsilon, delta)
    layers, rows = outcome.dataset.model.layers, []
    for record in outcome.trace:
        layer = record.layers[0]
        rows.append((record.deployment, layer, record.n_policies, int(layers[layer - 1].kept.sum()), record.cut[0],
                     f"{met(mdp, [one.kept for one in layers[:layer]]):.1e}"))
    allowed = 2 * truncation.truncation(mdp.dim, mdp.horizon, 1, epsilon, delta, size).tau
    shown = table(("deployment", "layer", "policies in the cover", "pairs kept", "pairs cut",
                   "largest probability to meet a cut pair"), rows)
    return Markdown(f"{shown.data}\n\nN = {float(size):.1e}; the proof allows a probability of 2τ = {allowed:.3f} "
                    f"per deployment. Loss of the plan: {max(planning.gap(mdp, outcome.policy), 0.0):.1e}.")


def met(mdp, kept: list[np.ndarray]) -> float:
    """The largest probability, over policies, of a trajectory that meets its first cut pair in the last of the layers.

    Parameters
    ----------
    kept : list of (S, A) bool
        Of layers 1, 2, ... in this order.
    """
    value = np.where(mdp.available[len(kept) - 1], ~kept[-1], 0).max(axis=1)
    for h in reversed(range(len(kept) - 1)):
        q = np.where(kept[h], mdp.phi[h] @ (mdp.mu[h] @ value), 0.0)
        value = np.where(mdp.available[h], q, 0.0).max(axis=1)
    return float(mdp.initial @ value)


def moderate(seeds: int = 10, epsilon: float = 0.1):
    """Share of seeds with a loss of at most epsilon at moderate N, by deployments, beside Zhang et al."""
    rows = []
    cases = [("lock, 3 actions, 7 layers", instances.lock(3, 6, 1, 0.5)),
             ("rare state, $p=10^{-3}$", instances.rare_state(1e-3, 7, 3)),
             ("rare state, $p=0$", instances.rare_state(0, 7, 3))]
    for name, mdp in cases:
        for size in (300, 3_000, 30_000):
            found = [_share(mdp, seeds, epsilon, size, block) for block in (1, 2, 3, 6)]
            rows.append((name, size, *found, _share(mdp, min(seeds, 2), epsilon, size, None)))
    return folded("By instance, N and number of deployments",
                  ("instance", "$N$", "$K=6$", "$K=3$", "$K=2$", "$K=1$", "Zhang et al., $K=7$"), rows)


def _share(mdp, seeds: int, epsilon: float, size: int, block: int | None) -> str:
    good = 0
    for seed in range(seeds):
        deployer = Deployer(mdp, size, mdp.horizon, "any", seed)
        try:
            outcome = (zhang_2025(deployer, 0.5, 0.1, most=300) if block is None
                       else truncated_block_exploration(deployer, 0.5, 0.1, block, **MODERATE))
        except Unfinished:  # a matrix evaluation that does not end on so few data
            continue
        good += planning.gap(mdp, outcome.policy) <= epsilon
    return f"{good}/{seeds}"
