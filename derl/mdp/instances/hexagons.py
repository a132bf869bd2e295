"""One state and six actions whose features are the corners of a hexagon: two coefficients that differ."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from derl.inputs import choice
from derl.mdp.exact import ExactMDP
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

CORNERS = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))  # of length sqrt 2, 60 degrees apart


def hexagon(dim, *, exact=False) -> LinearMDP | ExactMDP:
    """Features (1, u)/sqrt 2 with u a corner of the regular hexagon; one state, one layer.

    max_pi E[<phi, theta>^2] is at least 3/8 in every direction of the span, but no policy has a smallest eigenvalue
    of E[phi phi'] above 1/4 there.

    Parameters
    ----------
    dim : 3 or 5
        In R^3 the features need square roots. In R^5 an isometric copy is rational: (1, 1, x, y, z)/2 with (x, y, z)
        the permutations of (1, -1, 0); its features span three dimensions.
    exact : bool
        Return the rational instance; dim must be 5.

    Source: an example of this book for Appendix E.8.
    """
    dim = choice(dim, "dim", (3, 5), InvalidInstance)
    if exact and dim == 3:
        raise InvalidInstance("the hexagon in three dimensions is not rational; dim must be 5 for exact=True")
    if dim == 3:
        angles = np.arange(6) * np.pi / 3
        features = np.stack([np.ones(6), np.cos(angles), np.sin(angles)], axis=1) / math.sqrt(2)
        features[[0, 3], 2] = 0.0  # sin 0 and sin pi
        measure, theta = np.array([math.sqrt(2), 0, 0]), features[0]
    else:
        features = np.array([[Fraction(x, 2) for x in (1, 1, *corner)] for corner in CORNERS], dtype=object)
        measure, theta = np.array([1, 1, 0, 0, 0], dtype=object), features[0]
    kind = ExactMDP if exact else LinearMDP
    return kind(features[None, None], measure[None, :, None], theta[None], np.array([1]), state_names=("s",),
                info={"family": "hexagon", "dim": dim})
