"""Numbers for the widgets on the pages beyond the paper."""

from __future__ import annotations

import math

from derl.show.beyond import prices as price_film
from derl.show.beyond.law import DELTA, EPSILON
from derl.theory.beyond import exact_base

DIMENSIONS, HORIZONS, SHOWN = (2, 12), (10, 30, 100, 300, 1000, 3000, 10**4, 10**5, 10**6), 1000


def exchange_law() -> dict:
    """Ranges of the sliders, and log_d of the polynomial and of the N of one deployment, rounded up, for d and H."""
    sizes = [[[math.ceil(1000 * size(d, horizon, EPSILON, DELTA)) / 1000
               for size in (exact_base.polynomial, exact_base.one_deployment)] for horizon in HORIZONS]
             for d in range(DIMENSIONS[0], DIMENSIONS[1] + 1)]
    return {"dimensions": list(DIMENSIONS), "horizons": list(HORIZONS), "shown": SHOWN, "delta": DELTA, "sizes": sizes}


def prices() -> dict:
    """The film of `derl.show.beyond.prices`."""
    return price_film.prices()
