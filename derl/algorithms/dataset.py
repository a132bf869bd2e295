"""What an exploration has collected: every algorithm returns one, and every one plans for any linear reward.

`Outcome.dataset.plan(theta)` is a policy (H, S) for the reward <phi_h(s, a), theta_h>, made from the data alone: by the
algorithm's own planning where it has one, and otherwise by least squares without a bonus (`Regressions`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from derl.algorithms.outcome import InvalidParameter
from derl.deployment.protocol import KnownPart
from derl.deployment.sums import Sums
from derl.estimation.backup import greedy
from derl.estimation.design import Design, fit, fit_sums
from derl.inputs import display
from derl.inputs.arrays import as_floats

SLACK = 1e-9  # rewards may leave [0, 1] by rounding


class Collected(display.Fields):
    """What an exploration hands to planning; `known` is what was known beforehand."""

    known: KnownPart

    def plan(self, theta: np.ndarray) -> np.ndarray:
        """The policy (H, S) for a linear reward.

        Parameters
        ----------
        theta : (H, d)
            Rewards <phi_h(s, a), theta_h> of available actions lie in [0, 1].

        Raises
        ------
        InvalidParameter
            theta of a wrong shape, an entry that is not finite, or a reward outside [0, 1].
        """
        return self.plan_rewards(linear_rewards(self.known, theta))

    @abstractmethod
    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The same for linear rewards given as (H, S, A); they are not checked."""


@dataclass(frozen=True, eq=False, repr=False)
class Regressions(Collected):
    """Transitions of all deployments, planned on by least squares without a bonus.

    Attributes
    ----------
    known : KnownPart
    counts : (H, S, A, S) or Sums
        Transitions n_h(s, a, s'), read-only, or what least squares reads of them (`derl.deployment.sums`).
    """

    known: KnownPart
    counts: np.ndarray | Sums

    def __post_init__(self):
        if not isinstance(self.counts, Sums):  # sums are read-only already
            self.counts.flags.writeable = False

    @cached_property
    def designs(self) -> tuple[Design, ...]:
        """The regressions of the layers."""
        if isinstance(self.counts, Sums):
            layers = zip(self.known.phi, self.counts.visits, self.counts.moments, strict=True)
            return tuple(fit_sums(*layer) for layer in layers)
        return tuple(fit(*layer) for layer in zip(self.known.phi, self.counts, strict=True))

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The greedy policy (H, S) for rewards (H, S, A)."""
        return best_response(self.known, self.designs, rewards, self.known.horizon)


def best_response(known: KnownPart, designs: Sequence[Design], rewards: np.ndarray, cap: float) -> np.ndarray:
    """Least-squares value iteration without a bonus, values clipped to [0, cap]: the policy (h, S) for h layers.

    Parameters
    ----------
    designs : sequence of Design
        Of the layers 1..h-1 at least; behind layer h nothing is worth anything.
    rewards : (h, S, A)
    """
    values, policy = np.zeros(known.n_states), []
    for h in reversed(range(len(rewards))):
        predicted = known.phi[h] @ designs[h].weights(values) if policy else 0.0
        q = np.where(known.available[h], np.clip(predicted + rewards[h], 0.0, cap), -np.inf)
        values = q.max(axis=1)
        policy.append(greedy(q))
    return np.stack(policy[::-1])


def linear_rewards(known: KnownPart, theta: np.ndarray, horizon: int | None = None, bounded: bool = True
                   ) -> np.ndarray:
    """<phi_h, theta_h> for the layers 1..h~, shape (h~, S, A), validated.

    Parameters
    ----------
    theta : (H, d) or (h~, d)
    horizon : int or None
        h~; by default H.
    bounded : bool
        Whether rewards of available actions must lie in [0, 1].

    Raises
    ------
    InvalidParameter
    """
    horizon = known.horizon if horizon is None else horizon
    theta = as_floats(theta, "theta", InvalidParameter)
    if theta.ndim != 2 or theta.shape[1] != known.dim or not horizon <= len(theta) <= known.horizon:
        wanted = dict.fromkeys(((known.horizon, known.dim), (horizon, known.dim)))
        raise InvalidParameter(f"theta has shape {theta.shape}; it must have shape {' or '.join(map(str, wanted))}")
    if not np.isfinite(theta).all():
        raise InvalidParameter("theta has entries that are NaN or infinite; every entry must be finite")
    rewards = np.einsum("hsad,hd->hsa", known.phi[:horizon], theta[:horizon])
    wrong = np.argwhere((rewards < -SLACK) | (rewards > 1 + SLACK)) if bounded else ()
    if len(wrong):  # unavailable actions have zero features, hence reward 0
        h, s, a = wrong[0]
        raise InvalidParameter(f"layer {h + 1}, state {s}, action {a}: reward {rewards[h, s, a]:.12g}; rewards must "
                               "lie in [0, 1]")
    return rewards
