r"""Elliptical potentials of batches: traces, determinant ratios and violations, stable in float64.

Batches Phi_0, Phi_1, ... of N vectors of length at most 1 are added to A_0 = I. Batch k violates at level epsilon when

    tr(A_{k-1}^{-1} Phi_{k-1}) >= N epsilon,

and K^+ is the set of violating k. At N = 1e15 the matrices A_k have condition number 1e15; neither they nor
differences of their log-determinants are formed. With A = R^T R (R triangular, from QR) and Phi = X^T X,

    Z = X R^{-1},   tr(A^{-1} Phi) = |Z|_F^2,   log det(A + Phi)/det A = sum_i log(1 + s_i^2),

where s_i are the singular values of Z. What is left is the rounding of sqrt(N) phi: a relative error of about
1e-16 sqrt(N) in directions that were hardly explored, eight digits at N = 1e15. Bounds and adversaries: see below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.theory.potential.batches import InvalidPotential, count, level, positive, root_of_psd, roots, symmetric
from derl.theory.potential.bounds import (
    one_dimensional_count,
    paper_batch_size,
    paper_inequality,
    refined_bound,
    sharp_batch_size,
    sharp_bound,
    sharp_root,
    smallest_batch_size,
    trade_off,
)
from derl.theory.potential.search import adversary_axis, adversary_greedy, adversary_noncommuting
from derl.theory.potential.sequences import scan, step

__all__ = [
    "Bridge", "InvalidPotential", "Trajectory", "adversary_axis", "adversary_greedy", "adversary_noncommuting",
    "bridge", "one_dimensional_count", "paper_batch_size", "paper_inequality", "refined_bound",
    "sharp_batch_size", "sharp_bound", "sharp_root", "smallest_batch_size",
    "trade_off", "trajectory", "violation_mask", "violations",
]


@dataclass(frozen=True)
class Bridge:
    """Both sides of the bridge between trace and determinant, with rho = det(A + Phi)/det A.

    Attributes
    ----------
    trace : float or (...)
        tr(A^{-1} Phi).
    log_ratio : float or (...)
        log rho, a lower bound of the trace.
    sharp : float or (...)
        rho - 1, an upper bound of the trace, with equality exactly when Phi has rank at most 1.
    paper : float or (...)
        rho log rho, the printed upper bound.
    """

    trace: np.ndarray | float
    log_ratio: np.ndarray | float

    @property
    def ratio(self):
        """rho itself; infinite where it exceeds the largest float."""
        with np.errstate(over="ignore"):
            return np.exp(self.log_ratio)

    @property
    def sharp(self):
        with np.errstate(over="ignore"):
            return np.expm1(self.log_ratio)

    @property
    def paper(self):
        return self.ratio * self.log_ratio


@dataclass(frozen=True)
class Trajectory:
    """What a sequence of K batches does.

    Attributes
    ----------
    trace, log_ratio : (K,)
        tr(A_{k-1}^{-1} Phi_{k-1}) and log det A_k / det A_{k-1} for k = 1..K.
    log_det : (K + 1,)
        log det A_0 = 0, ..., log det A_K.
    violates : (K,) bool
        Whether k is in K^+.
    count : (K,) int
        Violations among the first k batches.
    sharp_bound : int
        floor(d x*), what the sharp lemma allows for any number of batches.
    refined_bound : int
        At most the sharp bound; the exact maximum for d = 1.
    paper_bound : float
        What the inequality inside the printed proof allows for K batches; infinite where it says nothing.
    """

    batch_size: int
    epsilon: float
    trace: np.ndarray
    log_ratio: np.ndarray
    violates: np.ndarray
    sharp_bound: int
    refined_bound: int
    paper_bound: float

    @property
    def log_det(self) -> np.ndarray:
        return np.concatenate([[0.0], np.cumsum(self.log_ratio)])

    @property
    def count(self) -> np.ndarray:
        return np.cumsum(self.violates)


def violations(increments, N, epsilon, kind: str | None = None) -> np.ndarray:
    """K^+ of Lemma 4.2: the violating k, counted from 1.

    Parameters
    ----------
    increments : (K, d, d), (K, d) or (K, n, d)
        The batches; see `kind`.
    N : int, in 1..10^100
        Vectors in a batch.
    epsilon : float, in [1e-100, 1e100]
    kind : {"matrices", "copies", "vectors"}, optional
        "matrices": the matrices Phi_k >= 0, of trace at most N (default for three axes).
        "copies": batch k is N copies of row k, of length at most 1 (default for two axes).
        "vectors": the at most N vectors of each batch, one per row; zero rows where a batch has fewer.

    Returns
    -------
    (|K^+|,) int
        Increasing; its length is what the lemma bounds.

    Raises
    ------
    InvalidPotential
        One line: which argument, what was found, what is allowed.

    Notes
    -----
    Source: Lemma 4.2. A batch whose trace equals N epsilon up to rounding may fall on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from derl.theory import potential
    >>> axes = np.eye(2)[[0, 1, 0]]                      # batches of N copies of e_1, e_2, e_1
    >>> potential.violations(axes, 100, 0.1)
    array([1, 2])
    """
    return np.flatnonzero(violation_mask(increments, N, epsilon, kind)) + 1


def violation_mask(increments, N, epsilon, kind: str | None = None) -> np.ndarray:
    """Whether each batch violates: shape (..., K) for increments with any number of leading axes (then name `kind`)."""
    N, epsilon = count(N, "N"), positive(epsilon)
    trace, _ = scan(roots(increments, N, kind))
    return trace >= N * epsilon


def trajectory(increments, N, epsilon, kind: str | None = None) -> Trajectory:
    """Traces, determinants and violations of one sequence of batches, beside the bounds.

    Parameters and errors as in `violations`, with epsilon in (0, 1].
    """
    N, exact_epsilon = count(N, "N"), level(epsilon)
    batches = roots(increments, N, kind)
    if batches.ndim != 3:
        raise InvalidPotential(f"increments has {np.ndim(increments)} axes; a trajectory is one sequence of batches")
    trace, log_ratio = scan(batches)
    n_batches, dim = batches.shape[0], batches.shape[-1]
    return Trajectory(
        batch_size=N, epsilon=float(exact_epsilon), trace=trace, log_ratio=log_ratio,
        violates=trace >= N * float(exact_epsilon), sharp_bound=sharp_bound(dim, N, exact_epsilon),
        refined_bound=refined_bound(dim, N, exact_epsilon),
        paper_bound=paper_inequality(dim, N, exact_epsilon, n_batches) if n_batches else 0.0,
    )


def bridge(A, Phi) -> Bridge:
    """tr(A^{-1} Phi) and det(A + Phi)/det A for A > 0, Phi >= 0, of shapes (..., d, d).

    Raises
    ------
    InvalidPotential
        If A is not positive definite or Phi not positive semi-definite.

    Notes
    -----
    Source: Lemma C.3 (trace <= rho log rho); sharper: log rho <= trace <= rho - 1.

    Examples
    --------
    >>> import numpy as np
    >>> from derl.theory import potential
    >>> b = potential.bridge(np.eye(2), np.diag([3.0, 0.0]))
    >>> [round(float(side), 6) for side in (b.trace, b.sharp, b.paper)]
    [3.0, 3.0, 5.545177]
    """
    A = symmetric(A, "A")
    try:
        factor = np.swapaxes(np.linalg.cholesky(A), -1, -2)
    except np.linalg.LinAlgError:
        raise InvalidPotential("A is not positive definite") from None
    root = root_of_psd(Phi, "Phi")
    if root.shape[-1] != A.shape[-1]:
        raise InvalidPotential(f"A is {A.shape[-1]} x {A.shape[-1]} and Phi {root.shape[-1]} x {root.shape[-1]}")
    trace, log_ratio = step(factor, root)
    return Bridge(trace, log_ratio) if trace.ndim else Bridge(float(trace), float(log_ratio))
