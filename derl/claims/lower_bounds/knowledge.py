"""These checks evaluate the bounds for arbitrary policies on the arrays of the template, for what an algorithm may see.

On the class of Theorem B.3 the action sets show the core of every layer, and the features show the transitions
({claim}`res-zero-deployments`). So the bounds on that class hold for algorithms that see trajectories only; the
controls let the algorithm see more.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from derl.claims import Evidence, claim
from derl.claims.lower_bounds.conclusion import E_ABOVE
from derl.claims.lower_bounds.lock import EPSILON, class_of_theorem
from derl.theory.lower_bounds import improved_deployments_arbitrary, paper_deployments_arbitrary
from derl.theory.lower_bounds.knowledge import best_average, follow, optimal_output, paths, presence

ONE = (4, 4, 1)  # (d, H, N): the text's K is 1
NONE = ((2, 4), (3, 3))  # (d, H), K = 0


@cache  # the class and what is met there are the same, whatever an algorithm sees
def _class(d, H):
    return [mdp for _, _, mdp in class_of_theorem(d, H, EPSILON)]


@cache
def _there(mdp, actions, level, d) -> Fraction:
    """Probability that one trajectory reaches a state of the level."""
    return sum(p for state, p in presence(mdp, follow(mdp, actions), level).items() if state < d)


def missed(d: int, H: int, level: int, sees: str) -> Fraction:
    """Smallest average probability that one deployment of one trajectory reaches no state of `level`."""
    return 1 - best_average(_class(d, H), paths(d, level), sees, lambda mdp, actions: _there(mdp, actions, level, d))


@claim("ineq-miss-probability", method="exhaustive", covers="d = H = 4, N = K = 1", gap="one size", tier="full",
       false={"an algorithm that sees the action sets: it misses with probability 0": {"sees": "actions"},
              "an algorithm that sees the features: it misses with probability 0": {"sees": "features"}})
def first_deployment_on_arrays(sees="trajectories"):
    """On the arrays, for an algorithm that sees trajectories only: Smallest average probability of missing level H-2,
    over all first policies."""
    d, H, N = ONE
    allowed = paper_deployments_arbitrary(d, H, N) >= 1
    return Evidence(missed(d, H, H - 2, sees) if allowed else 0, 1 - 1 / E_ABOVE, "lower",
                    "all 64 instances of the class with d = H = 4, all 16 first policies, N = K = 1",
                    detail="1 - 1/e, rounded up")


@claim("ineq-final-failure", method="exhaustive", covers=f"K = 0, (d, H) in {NONE}", gap="no deployment",
       false={"an algorithm that sees the action sets: it fails with probability 0": {"sees": "actions"}},
       as_printed={"an algorithm that sees the features: it fails with probability 0": {"sees": "features"}})
def output_on_arrays(sees="trajectories"):
    """Outputs on the arrays, for an algorithm that sees trajectories only: Smallest average probability that the output
    is not optimal, over all outputs, without a deployment."""
    failures = [1 - best_average(_class(d, H), paths(d, H - 1), sees, optimal_output) for d, H in NONE]
    return Evidence(min(failures), Fraction(1, 2) / Fraction(271, 100), "lower",
                    f"every instance and every deterministic output with (d, H) in {NONE}",
                    detail="1/(2e), rounded up")


@claim("res-arbitrary-no-factor-two", method="exhaustive", covers="d = H = 4, N = K = 1", gap="one size", tier="full",
       false={"hidden features, action sets seen: missed with probability 0": {"sees": "actions"}})
def level_of_the_arms_on_arrays(sees="trajectories"):
    """On the arrays, for an algorithm that sees trajectories only: Smallest average probability of missing level H-1,
    where the arms are, against (1 - 1/H)^K."""
    d, H, N = ONE
    allowed = improved_deployments_arbitrary(d, H, N) >= 1
    return Evidence(missed(d, H, H - 1, sees) if allowed else 0, 1 - Fraction(1, H), "lower",
                    "all 64 instances of the class with d = H = 4, all 64 first policies, N = K = 1")
