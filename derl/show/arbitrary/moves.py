"""N of Algorithm 2 against the reachability coefficient, for every version of its proof."""

from __future__ import annotations

import math
from functools import cache

from derl.show.arbitrary import joining as cover_film
from derl.show.arbitrary.sizes import NAMES
from derl.theory.arbitrary.constants import arbitrary_constants

DIMENSIONS, ACCURACIES, HORIZON, CONFIDENCE = (2, 3, 5, 10), (0.3, 0.1, 0.03), 5, 0.1
POINTS = 9


@cache
def reach() -> dict:
    """log10 N for each dimension, accuracy and version, on a grid of log10 nu from -2 to the largest value 1/sqrt d."""
    curves = []
    for d in DIMENSIONS:
        logs = [-2 + i * (2 - 0.5 * math.log10(d)) / (POINTS - 1) for i in range(POINTS)]
        for epsilon in ACCURACIES:
            sizes = {version: [round(math.log10(size(d, epsilon, 10**log, version)), 4) for log in logs]
                     for version in NAMES}
            curves.append({"d": d, "epsilon": epsilon, "logs": logs, "sizes": sizes})
    return {"dims": list(DIMENSIONS), "epsilons": list(ACCURACIES), "horizon": HORIZON, "delta": CONFIDENCE,
            "names": NAMES, "curves": curves}


def size(d: int, epsilon: float, nu: float, version: str) -> int:
    """N of one version; the law of the first state is known."""
    return arbitrary_constants(d, HORIZON, epsilon, CONFIDENCE, nu, version, known_start=True).batch_size


def joining() -> dict:
    """The film of `derl.show.arbitrary.joining`."""
    return cover_film.joining()
