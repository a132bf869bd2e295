"""Numbers for the widgets on the pages of the lower bounds, and for the two games with a hidden object."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from derl import algorithms
from derl.deployment import Deployer
from derl.mdp import instances
from derl.theory import lower_bounds
from derl.theory.lower_bounds import search_programme

LEVEL = Fraction(1, 10)
ARMS = (2, 80)
ACTIONS, LAYERS, BIAS, SIZE = 4, 4, 0.1, 10**12  # of the compact bandit; three of the four actions are arms
PRIZE = 66  # points for the right name; the i-th look costs i points, so that five looks are worth most
LOCKS = ((2, 4, 1, 80), (10, 6, 100, 60))  # digits, wheels, N, deployments up to which the curves go
DIGITS, HORIZONS, EXPONENTS = (2, 20), (4, 60), (0, 12)


def exact_game() -> dict:
    """Ranges of the sliders, and how many deployments failure 1/10 needs for each number of arms."""
    arms = range(ARMS[0], ARMS[1] + 1)
    return {"arms": list(ARMS), "level": float(LEVEL),
            "needed": [lower_bounds.deployments_for_failure(m, LEVEL) for m in arms]}


def lock() -> dict:
    """Ranges of the sliders; the search itself is computed in the page."""
    return {"digits": list(DIGITS), "horizons": list(HORIZONS), "exponents": list(EXPONENTS)}


# ------------------------------------------------------------------------------------- games with a hidden object


@cache
def hidden_arm() -> dict:
    """The compact bandit as a game: its size, and what the two algorithms spend on it, for three places of the arm."""
    arms = instances.compact_bandit_arms(ACTIONS, LAYERS)
    counts = [spent(instances.compact_bandit(ACTIONS, LAYERS, arm, BIAS)) for arm in arms[::5]]
    return {"arms": [list(arm) for arm in arms], "layers": LAYERS, "actions": ACTIONS - 1, "bias": BIAS,
            "prize": PRIZE, "sizes": [100, 10_000, 1_000_000],
            "success": [float(1 - lower_bounds.bandit_failure(len(arms), K)) for K in range(len(arms))],
            **{name: sorted({count[name] for count in counts}) for name in counts[0]}}


@cache
def hidden_code() -> dict:
    """Two locks as games, with the exact optimum of each.

    Uniform search among the codes that are still possible is optimal (Result res-search-optimal), so the programme
    "exclude" gives the optimum.
    """
    levels = []
    for d, n, size, most in LOCKS:
        best, uniform = (search_programme.success_curve(d, n, size, most, memory).tolist()
                         for memory in ("exclude", "forget"))
        counts = spent(instances.lock(d, n, [(3 * h + 1) % d for h in range(n)], BIAS))
        levels.append({"d": d, "n": n, "size": size, "best": best, "uniform": uniform,
                       "least": sum(1 - p for p in best), "average": sum(1 - p for p in uniform), **counts})
    return {"levels": levels}


def spent(mdp) -> dict[str, int]:
    """Deployments of Algorithm 1 and of Algorithm 2 on an instance, with batches so large that chance is left out."""
    first = algorithms.layerwise_exploration(Deployer(mdp, SIZE, 10 * mdp.dim * mdp.horizon, seed=0), BIAS / 2, 0.1)
    second = algorithms.arbitrary_policy_exploration(
        Deployer(mdp, 10**15, mdp.horizon, policy_class="any", seed=0), BIAS / 2, 0.1, version="self-certifying",
        initial=mdp.initial)
    return {"first": first.deployments, "second": second.deployments}
