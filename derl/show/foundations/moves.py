"""A first lock to be opened by hand; runs of the repaired Algorithm 1 on two almost parallel features."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from derl.exact.balls import log_scale
from derl.mdp.exact import squared_measure_norm
from derl.show.drawing import film, wheels
from derl.theory import constants
from derl.theory.layerwise import replay
from derl.theory.lower_bounds.parallel_features import almost_parallel
from derl.theory.lower_bounds.search_programme import success_curve

SIZE, DIM, HORIZON, TRADE_OFF = 10**14, 2, 2, 6
ACCURACY, CONFIDENCE, C_BETA = Fraction(1, 5), Fraction(1, 10), Fraction(2122, 1000)
WHEELS, DIGITS = 3, 3  # of the first lock
HIDDEN, TRIED = (1, 2, 0), (1, 0, 0)  # in the picture that stands still
STILL = ("The lock after a deployment: the first wheel is right, every trajectory ended at the second, and nothing was "
         "seen of the third.")
SLOPES = (Fraction(1), Fraction(1, 2), Fraction(1, 5), *(Fraction(1, 10**k) for k in range(1, 11)))


def first_lock() -> dict:
    """The lock, and the probability that the best strategy has opened it after 0, 1, ... deployments of one code."""
    most = WHEELS * (DIGITS - 1) + 1  # every wrong digit takes one deployment
    curve = success_curve(DIGITS, WHEELS, 1, most, "exclude", exact=True)
    labels = [str(digit) for digit in range(DIGITS)]
    drawn = film.svg(wheels.lock("l", 0, 0, labels, TRIED, wheels.tried(TRIED, HIDDEN)), wheels.size(WHEELS),
                     wheels.in_words(TRIED, wheels.tried(TRIED, HIDDEN)))
    return {"wheels": WHEELS, "digits": DIGITS, "chance": [float(value) for value in curve],
            "frames": [{"svg": drawn, "said": STILL}]}


@cache
def angles() -> dict:
    """One row per angle: measures, deployments and suboptimality, at N = 10^14 in ball arithmetic."""
    return {"rows": [row(slope) for slope in SLOPES], "limit": math.sqrt(DIM), "epsilon": float(ACCURACY),
            "batch_size": SIZE}


def row(slope: Fraction) -> dict:
    """The run for the angle 2 arctan(slope)."""
    model = almost_parallel(slope)
    beta = log_scale(2 * DIM * HORIZON * Fraction(SIZE) / CONFIDENCE, C_BETA * DIM * HORIZON)
    bound = constants.deployments_layerwise(DIM, HORIZON, TRADE_OFF)
    run = replay.replay(replay.Model(*model), SIZE, bound, ACCURACY, beta, "repaired")
    return {"angle": 2 * math.atan(slope), "longest": float(squared_measure_norm(model[1][0])) ** 0.5,
            "total": math.sqrt(1 + float(slope) ** 2), "deployments": len(run.layers), "loss": float(run.gap)}
