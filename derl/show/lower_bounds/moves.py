"""Numbers for what moves on the pages of the lower bounds, and for the two games with a hidden object."""

from __future__ import annotations

from fractions import Fraction

from derl.theory import lower_bounds

LEVEL = Fraction(1, 10)
ARMS = (2, 80)
DIGITS, HORIZONS, EXPONENTS = (2, 20), (4, 60), (0, 12)


def exact_game() -> dict:
    """Ranges of the sliders, and how many deployments failure 1/10 needs for each number of arms."""
    arms = range(ARMS[0], ARMS[1] + 1)
    return {"arms": list(ARMS), "level": float(LEVEL),
            "needed": [lower_bounds.deployments_for_failure(m, LEVEL) for m in arms]}


def lock() -> dict:
    """Ranges of the sliders; the search itself is computed in the page."""
    return {"digits": list(DIGITS), "horizons": list(HORIZONS), "exponents": list(EXPONENTS)}
