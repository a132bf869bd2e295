r"""The constants of Qiao and Wang 2023, nominal: C1 = C2 = C3 = 1 where the paper proves that some constants exist.

    iota = log(dH/(epsilon delta))     e = C1 epsilon/(H^2 sqrt(d) iota)     N = C2 d iota/e^2

The design of a layer must satisfy lambda_min >= C3 d^2 H e iota. The theorem wants epsilon < H lambda*^2/(C4 d^{7/2}
log(1/lambda*)) with C4 = 80 C1 C3, where lambda* = min_h max_pi lambda_min(E phi phi^T); lambda* is no input.

Source: Qiao and Wang (2023), Theorem 5.1 and Section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.theory.foundations.setting import Setting


@dataclass(frozen=True)
class Constants:
    """Nominal numbers.

    Attributes
    ----------
    iota, accuracy : float
        The logarithm, and e.
    batch_size : int
        N.
    eigenvalue : float
        What the smallest eigenvalue of a design must be.
    """

    iota: float
    accuracy: float
    batch_size: int
    eigenvalue: float


def nominal(d: int, horizon: int, epsilon: float, delta: float) -> Constants:
    """All of them, with C1 = C2 = C3 = 1."""
    s = Setting(d, horizon, epsilon, delta)
    iota = max(math.log(d * horizon / (s.epsilon * s.delta)), math.log(2))
    accuracy = epsilon / (horizon**2 * math.sqrt(d) * iota)
    return Constants(iota, accuracy, math.ceil(d * iota / accuracy**2), d**2 * horizon * accuracy * iota)
