"""The pure functions of the sliders of the lower bounds: two games with a hidden object, and their exact values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl import inputs
from derl.show.drawing import InvalidChoice
from derl.theory import lower_bounds
from derl.theory.lower_bounds.game_parameters import whole

FLAT = 1 - 1e-6  # beyond this the curve of a search is not continued
SMALL = 1e-9  # smaller probabilities are not told apart; the curves are good to 1e-12


@dataclass(frozen=True, eq=False)
class SearchLab:
    """A code of H - 2 digits, one of d each, is hidden; a deployment tries N paths. How far do K deployments get?

    Attributes
    ----------
    dim, horizon, batch_size, deployments
        The setting.
    uniform : (K_max + 1,)
        Probability that uniform search has reached the last layer after 0, 1, ... deployments, to 1e-12.
    ceiling : (K_max + 1,)
        The same for a search that is told the digit at the frontier; no algorithm does better.
    printed, improved : int
        Largest K that Theorem B.3 excludes, as printed and without the factor 2.
    """

    dim: int
    horizon: int
    batch_size: int
    deployments: int
    uniform: np.ndarray
    ceiling: np.ndarray
    printed: int
    improved: int

    @property
    def success(self) -> float:
        """Probability that uniform search has reached the last layer after K deployments."""
        return float(self.uniform[self.deployments])

    @property
    def bound(self) -> float:
        """The upper bound for every algorithm after K deployments."""
        return float(self.ceiling[self.deployments])

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        words = "one deployment" if self.deployments == 1 else f"{self.deployments} deployments"
        reached = f"{self.success:.3g}" if self.success > SMALL else f"below {SMALL:g}"
        return (f"after {words} uniform search has reached the last layer with probability {reached}, no algorithm "
                f"with more than {max(self.bound, SMALL):.3g}; the printed theorem excludes K up to {self.printed}, "
                f"the sharper one up to {self.improved}")


def search_lab(dim: int = 10, horizon: int = 60, exponent: int = 6, deployments: int = 8) -> SearchLab:
    """The search game of the lower bound for arbitrary policies.

    Parameters
    ----------
    dim : int, >= 2
    horizon : int, >= 3
    exponent : int, 0 to 30
        N = 10^exponent.
    deployments : int, >= 0
        K. The curve ends where the search has succeeded, or after ten times the K of the sharper bound.

    Raises
    ------
    InvalidChoice, InvalidGame
    """
    exponent = inputs.whole(exponent, "exponent", 0, 30, InvalidChoice)
    dim, deployments = whole(dim, "d", 2), whole(deployments, "K", 0)
    size, digits = 10**exponent, whole(horizon, "H", 3) - 2
    printed = lower_bounds.paper_deployments_arbitrary(dim, horizon, size)
    improved = lower_bounds.improved_deployments_arbitrary(dim, horizon, size)
    length = max(10 * improved + 10, deployments)
    uniform = lower_bounds.success_curve(dim, digits, size, length)
    ceiling = lower_bounds.success_curve(dim, digits, size, length, "reveal")
    end = int(np.argmax(uniform >= FLAT)) if uniform[-1] >= FLAT else length
    shown = max(end, deployments, 2 * improved + 4)
    return SearchLab(dim, horizon, size, deployments, uniform[:shown + 1], ceiling[:shown + 1], printed, improved)


@dataclass(frozen=True)
class BanditLab:
    """One of m arms is biased; a deterministic deployment pulls one arm N times, for any N.

    Attributes
    ----------
    dim, horizon, deployments
        The setting.
    arms : int
        m = (d-1)(H-1).
    failure : Fraction
        Minimax probability of the wrong arm after K deployments: 1 - (K+1)/m, and 0 from K = m - 1 on.
    needed : int
        Smallest K with a failure of at most 1/10.
    """

    dim: int
    horizon: int
    deployments: int
    arms: int
    failure: Fraction
    needed: int

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        return (f"m = {self.arms} arms, K = {self.deployments}: every algorithm fails with probability at least "
                f"{self.failure} = {float(self.failure):.3f} on some arm; a failure of 1/10 needs K = {self.needed}, "
                f"the printed theorem excludes K up to {self.arms // 2}")


def bandit_lab(dim: int = 5, horizon: int = 6, deployments: int = 10) -> BanditLab:
    """The deterministic game on the printed template, exactly.

    Parameters
    ----------
    dim, horizon : int, >= 2
    deployments : int, >= 0

    Raises
    ------
    InvalidGame
    """
    arms = lower_bounds.template_arms(dim, horizon)
    failure = lower_bounds.exact_failure_deterministic(dim, horizon, deployments)
    return BanditLab(dim, horizon, deployments, arms, failure,
                     lower_bounds.deployments_for_failure(arms, Fraction(1, 10)))
