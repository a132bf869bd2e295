"""Numbers for the game of the potential lemma: levels in the plane whose exact optimum is known."""

from __future__ import annotations

from functools import cache

from derl.theory import potential

LEVELS = ((10, 0.3), (5, 0.3), (20, 0.1))


@cache
def adversary() -> dict:
    """For each level the sharp bound, what two simple adversaries reach, and a best play.

    The best play is found by search and has as many violations as the refined bound allows, so it is optimal.
    """
    return {"levels": [level(size, epsilon) for size, epsilon in LEVELS]}


def level(size: int, epsilon: float) -> dict:
    """One level: N = `size` vectors in a batch of the plane."""
    best = potential.adversary_noncommuting(2, size, epsilon, starts=3)
    return {"size": size, "epsilon": epsilon, "sharp": potential.sharp_bound(2, size, epsilon),
            "refined": potential.refined_bound(2, size, epsilon),
            "axes": len(potential.adversary_axis(2, size, epsilon)),
            "greedy": len(potential.adversary_greedy(2, size, epsilon)) - 1,  # its last batch does not violate
            "best": [[float(x) for x in row] for row in best]}
