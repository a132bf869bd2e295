r"""How many features a class of MDPs with a common, known feature map needs.

Let P^(c), c in a class, be transition matrices over the same state-action pairs. If P^(c) = Phi M_c with one
Phi, then the stacked matrix [P^(1) ... P^(n)] = Phi [M_1 ... M_n] has rank at most d; and a Phi with d = rank
columns exists. So the rank is the smallest dimension in which the whole class is linear with one feature map,
that is, with features that do not tell the members apart.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import sympy
from sympy.polys.matrices import DomainMatrix

HALF = sympy.Rational(1, 2)


def common_rank(kernels: Iterable[np.ndarray]) -> int:
    """Exact rank of the stacked transition matrices.

    Parameters
    ----------
    kernels : iterable of (S, A, S) arrays of exact numbers
        P(s' | s, a) of one layer, for every member of the class.
    """
    stacked = np.concatenate([kernel.reshape(-1, kernel.shape[-1]) for kernel in kernels], axis=1)
    return DomainMatrix.from_Matrix(sympy.Matrix(stacked.tolist())).to_field().rank()


def template_layer(d: int, core: int) -> np.ndarray:
    """Transitions of one layer of the hard template when all d states offer all d actions, (d+2, d, d+2).

    Action j leads from the core state to state j; from every other state any action leads to u1 or u2 fairly.
    This is what the printed layer looks like to somebody whose action sets do not show which state is the core.
    """
    kernel = np.full((d + 2, d, d + 2), sympy.Integer(0), dtype=object)
    kernel[:d, :, d:] = HALF
    kernel[core, :, d:] = 0
    kernel[core, range(d), range(d)] = 1
    kernel[d, :, d] = kernel[d + 1, :, d + 1] = 1
    return kernel
