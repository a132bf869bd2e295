"""Numbers for the widgets on the pages beyond the paper."""

from __future__ import annotations

from derl.show.beyond.law import DELTA, EPSILON
from derl.theory.beyond import exchange

DIMENSIONS, HORIZONS, EXPONENTS = (4, 12), (10, 120), (0, 200)


def exchange_law() -> dict:
    """Ranges of the sliders and the constants of the theorems; the bounds are computed in the page."""
    return {"dimensions": list(DIMENSIONS), "horizons": list(HORIZONS), "exponents": list(EXPONENTS),
            "epsilon": EPSILON, "delta": DELTA, "cover": exchange.COVER, "phantom": exchange.PHANTOM,
            "accuracy": exchange.ACCURACY, "chernoff": exchange.CHERNOFF}
