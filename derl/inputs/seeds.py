"""Seeds: which values are allowed, and the whole number that each becomes.

A run can be repeated from that number alone, so objects store it in a readable attribute.
"""

from __future__ import annotations

import numpy as np

from derl.inputs.values import Invalid, shown, whole


def root(seed, error: type[Invalid] = Invalid) -> int:
    """The root of a random stream.

    Parameters
    ----------
    seed : int >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        A whole number is returned as it is. None stands for a number that the operating system draws. From a Generator
        a number is drawn, which moves it on; a SeedSequence gives the same number each time.

    Returns
    -------
    int
        Below 2^128 where it is drawn.

    Raises
    ------
    error

    Examples
    --------
    >>> import numpy as np
    >>> from derl.inputs.seeds import root
    >>> root(7), root(np.random.default_rng(0)) == root(np.random.default_rng(0))
    (7, True)
    """
    if seed is None:
        return int(np.random.SeedSequence().entropy)
    if isinstance(seed, np.random.Generator):
        return int.from_bytes(seed.bytes(16), "little")
    if isinstance(seed, np.random.SeedSequence):
        return int.from_bytes(seed.generate_state(4, np.uint32).tobytes(), "little")
    try:
        return whole(seed, "seed", 0)
    except Invalid:
        raise error(f"seed is {shown(seed)}; it must be a whole number >= 0, None, a numpy.random.Generator or a "
                    "numpy.random.SeedSequence") from None
