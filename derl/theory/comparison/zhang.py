r"""The constants of Zhang et al. 2025, literal and practical.

Literal (Appendix A there, for d, H >= 40 and epsilon <= 1/40): with m policies a layer and N trajectories a sub-dataset

    x = 1/(1000 d^2 H)        f = 320 d H^2/epsilon       zeta = epsilon^5/(10^4 d^5 H^15)
    z = 10^5 d^4 H^5/epsilon^2    m = 32000 d^4 H^3/epsilon    N = 10^9 d^7 H^7 log(dH/(epsilon delta))/epsilon^3

and H (2 m^2 + 1) sub-datasets in each of H deployments: O~(d^15 H^15/epsilon^5) trajectories. At d = H = 4 and
epsilon = 0.1 that is 10^42, so no run of the theorem exists at any size.

Practical: x, f and the accuracy of the exploration as there, zeta = 10^-12, z = max(1, N zeta/(16 x)). Two couplings of
the literal constants are kept, since without them the method is another one:

    m zeta/(2x) < 1           else the matrix of a layer is at least I everywhere, and nothing can ever be cut;
    z >= N zeta/(16x)         else directions that nothing reaches are said to be known.

Source: Zhang, Chen, Lee, Du, Yang and Wang (2025), Theorem 4 and Appendix A. Two values differ elsewhere in the text
that was read: x is 1/(100 d^2 H) in one lemma, and z has d^2 in another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.theory.foundations.setting import Setting

TINY = 1e-12


@dataclass(frozen=True)
class Constants:
    """The parameters of the exploration.

    Attributes
    ----------
    x, f, zeta, z : float
        Slack of the matrix evaluation, largest weight of a feature, start of the matrices, ridge.
    value : float
        The exploration of a layer ends when no policy is believed to meet more uncertainty.
    policies : float
        m.
    sub_dataset : float
        N, trajectories of one sub-dataset; for the practical set, those of a deployment.
    """

    x: float
    f: float
    zeta: float
    z: float
    value: float
    policies: float
    sub_dataset: float

    @property
    def can_cut(self) -> bool:
        """Whether m zeta/(2x) < 1."""
        return self.policies * self.zeta / (2 * self.x) < 1

    @property
    def covers(self) -> bool:
        """Whether z >= N zeta/(16x)."""
        return self.z >= self.sub_dataset * self.zeta / (16 * self.x) * (1 - 1e-12)


def literal(d: int, horizon: int, epsilon: float, delta: float) -> Constants:
    """Appendix A of Zhang et al. 2025."""
    s = Setting(d, horizon, epsilon, delta)
    n = 1e9 * d**7 * horizon**7 * math.log(d * horizon / (s.epsilon * s.delta)) / epsilon**3
    return Constants(1 / (1000 * d**2 * horizon), 320 * d * horizon**2 / epsilon,
                     epsilon**5 / (10_000 * d**5 * horizon**15), 1e5 * d**4 * horizon**5 / epsilon**2,
                     epsilon / (8 * horizon**2), 32_000 * d**4 * horizon**3 / epsilon, n)


def trajectories(d: int, horizon: int, epsilon: float, delta: float) -> float:
    """H deployments of H (2 m^2 + 1) sub-datasets of N trajectories."""
    found = literal(d, horizon, epsilon, delta)
    return horizon**2 * (2 * found.policies**2 + 1) * found.sub_dataset


def practical(d: int, horizon: int, epsilon: float, batch_size: float, policies: int,
              zeta: float | None = None) -> Constants:
    """The set that runs: at most so many policies a layer, all of a deployment's trajectories in one dataset."""
    x = 1 / (1000 * d**2 * horizon)
    zeta = min(TINY, x / policies) if zeta is None else zeta  # so small that something can be cut
    return Constants(x, 320 * d * horizon**2 / epsilon, zeta, max(1.0, batch_size * zeta / (16 * x)),
                     epsilon / (8 * horizon**2), policies, batch_size)
