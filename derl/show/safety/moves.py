"""One coin for each trajectory: how many trajectories explore, and what a mixture loses."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from derl.theory.safety import mixture

NEEDED, SHARES = (5, 10, 20, 40, 80), tuple(Fraction(k, 20) for k in range(1, 11))
LEVEL = Fraction(7)  # e^{-7}, about 1/1100


@cache
def coin() -> dict:
    """For each number of needed trajectories and each alpha, how many must be collected for exp(-LEVEL)."""
    rows = [{"needed": needed, "alpha": float(alpha),
             "enough": mixture.enough_trajectories(needed, alpha, LEVEL)} for needed in NEEDED for alpha in SHARES]
    return {"needed": list(NEEDED), "alphas": [float(alpha) for alpha in SHARES], "level": float(LEVEL), "rows": rows}
