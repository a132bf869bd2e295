"""K of Algorithm 1 against d and against H."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from derl.algorithms import layerwise_exploration
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.show.drawing import style
from derl.theory import constants, lower_bounds, potential
from derl.theory.layerwise import samples

ACCURACY, CONFIDENCE, TRADE_OFF = 0.5, 0.1, 20
SEEDS, TWICE = (0, 1), 12  # sizes up to 12 are run with both seeds, larger ones with the first
DIMENSIONS, LAYERS = (6, 8, 12, 16, 24, 32), (4, 6, 8, 12, 16, 24)
FIXED_LAYERS, FIXED_DIMENSION = 6, 8
LOOK = {"compact bandit": ("o", style.RED), "lock": ("s", style.BLUE), "random": ("^", style.GREEN)}


@dataclass(frozen=True)
class Count:
    """One run of the repaired Algorithm 1 at the proved N and beta."""

    family: str
    dim: int
    layers: int
    seed: int
    deployments: int
    converged: bool
    gap: float
    upper: int


def instance(family: str, dim: int, layers: int, seed: int):
    """An instance of a family with the given dimension and number of layers; the hidden part is drawn from the seed."""
    rng = np.random.default_rng(np.random.SeedSequence([20220401, dim, layers, seed]))
    if family == "compact bandit":
        arms = instances.compact_bandit_arms(dim - 2, layers - 1)
        return instances.compact_bandit(dim - 2, layers - 1, int(rng.integers(len(arms))), 0.3)
    if family == "lock":
        return instances.lock(dim - 2, layers - 1, rng.integers(dim - 2, size=layers - 1).tolist(), 0.3)
    return instances.random_simplex(n_states=2 * dim, n_actions=3, dim=dim, horizon=layers,
                                    seed=int(rng.integers(2**31)))


@cache  # d = 8 with six layers stands on both axes
def count_deployments(family: str, dim: int, layers: int, seed: int) -> Count:
    """Run the repaired algorithm at its proved N and beta (epsilon = 1/2, delta = 1/10, c_K = 20) and count."""
    mdp = instance(family, dim, layers, seed)
    size = samples.proved_batch_size(dim, layers, ACCURACY, CONFIDENCE, TRADE_OFF)
    beta = samples.proved_bonus_scale(dim, layers, CONFIDENCE, size)
    budget = constants.deployments_layerwise(dim, layers, TRADE_OFF)
    outcome = layerwise_exploration(Deployer(mdp, size, budget, seed=seed), ACCURACY, CONFIDENCE, beta=beta)
    level = (ACCURACY / (4 * layers * beta)) ** 2
    upper = potential.sharp_bound(dim, size, level) * layers + 1  # the lemma at this N, and the count of line 1012
    return Count(family, dim, layers, seed, outcome.deployments, outcome.converged, planning.gap(mdp, outcome.policy),
                 upper)


def all_counts() -> dict[str, list[Count]]:
    """All runs of `deployments_growth`: "d" varies the dimension, "H" the number of layers."""
    return {"d": [count_deployments(f, d, FIXED_LAYERS, s) for f in LOOK for d in DIMENSIONS for s in _seeds(d)],
            "H": [count_deployments(f, FIXED_DIMENSION, h, s) for f in LOOK for h in LAYERS for s in _seeds(h)]}


def _seeds(size: int) -> tuple[int, ...]:
    return SEEDS if size <= TWICE else SEEDS[:1]


def slope(sizes, values, level: float = 0.95) -> tuple[float, float, float]:
    """Least-squares slope of log values against log sizes, and the ends of its confidence interval.

    Parameters
    ----------
    sizes, values : sequence of float, > 0
        At least three sizes; one value each.
    """
    if np.ptp(values) == 0:  # a level line, exactly
        return 0.0, 0.0, 0.0
    fit = stats.linregress(np.log(np.asarray(sizes, float)), np.log(np.asarray(values, float)))
    half = stats.t.ppf((1 + level) / 2, len(sizes) - 2) * fit.stderr
    return float(fit.slope), float(fit.slope - half), float(fit.slope + half)


def slopes(counts: dict[str, list[Count]]) -> list[tuple[str, str, float, float, float]]:
    """(family, "d" or "H", slope, low, high) for the mean K per size, then for the two proved bounds."""
    rows = []
    for axis, sizes in (("d", DIMENSIONS), ("H", LAYERS)):
        for family in LOOK:
            mean = [np.mean([c.deployments for c in counts[axis] if c.family == family and _size(c, axis) == size])
                    for size in sizes]
            rows.append((family, axis, *slope(sizes, mean)))
        rows.append(("lower bound", axis, *slope(sizes, [_lower(size, axis) for size in sizes])))
        upper = [next(c.upper for c in counts[axis] if _size(c, axis) == size) for size in sizes]
        rows.append(("upper bound", axis, *slope(sizes, upper)))
    return rows


def deployments_growth(counts: dict[str, list[Count]]):
    """K against d and against H, between the lower bound on the compact bandit and the proved upper bound."""
    figure, panels = style.axes(2, figsize=(7.6, 4.2), sharey=True)
    for ax, axis, sizes in zip(panels, ("d", "H"), (DIMENSIONS, LAYERS), strict=True):
        for family, (mark, colour) in LOOK.items():
            runs = [c for c in counts[axis] if c.family == family]
            ax.plot([_size(c, axis) for c in runs], [c.deployments for c in runs], mark, color=colour, markersize=5,
                    linestyle="none", label=family)
        upper = [next(c.upper for c in counts[axis] if _size(c, axis) == size) for size in sizes]
        ax.plot(sizes, upper, "--", color=style.INK, label="proved upper bound at this N")
        ax.plot(sizes, [_lower(size, axis) for size in sizes], "-", color=style.INK,
                label="every algorithm, compact bandit")
        fixed = f"$H={FIXED_LAYERS}$" if axis == "d" else f"$d={FIXED_DIMENSION}$"
        ax.set(xscale="log", yscale="log", xlabel=f"${axis}$  ({fixed})", xticks=sizes, xticklabels=sizes)
        ax.minorticks_off()
    panels[0].set_ylabel("deployments K")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8)
    return figure


def _size(count: Count, axis: str) -> int:
    return count.dim if axis == "d" else count.layers


def _lower(size: int, axis: str) -> float:
    """(1 - delta) m - 1 for the m arms of the compact bandit: Theorem B.2, repaired."""
    dim, layers = (size, FIXED_LAYERS) if axis == "d" else (FIXED_DIMENSION, size)
    return (1 - CONFIDENCE) * lower_bounds.compact_arms(dim, layers) - 1
