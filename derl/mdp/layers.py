"""Arrays with one entry per layer: read-only copies that keep a repeated layer as one layer in memory."""

from __future__ import annotations

import numpy as np


def repeated(array):
    """Whether the first axis repeats one layer without storing it again, as `np.broadcast_to` makes it."""
    return array.ndim > 1 and array.shape[0] > 1 and array.strides[0] == 0


def distinct(array):
    """The layers, a repeated one once."""
    return array[:1] if repeated(array) else array


def hidden(phi, mask):
    """Features with zeros for unavailable actions."""
    if mask.all():
        return phi
    if repeated(phi) and repeated(mask):
        return np.broadcast_to(np.where(mask[0, ..., None], phi[0], 0.0), phi.shape)
    return np.where(mask[..., None], phi, 0.0)


def frozen(array):
    """A sealed copy; an array that repeats one layer (stride 0) stays one layer in memory."""
    if repeated(array):
        return np.broadcast_to(frozen(array[:1])[0], array.shape)
    copy = np.array(array, order="C")
    if copy.dtype == np.float64:
        copy += 0.0  # turns -0.0 into 0.0, so that equal instances have equal bytes
    return sealed(copy)


def sealed(array):
    """The same memory, read-only for good: no copy, and `setflags(write=True)` fails on it and on its parts.

    The array that is handed in becomes read-only, too. Arrays of objects have no such form and only lose their flag.
    """
    array.flags.writeable = False
    if array.dtype.kind not in "biuf":
        return array
    return np.asarray(memoryview(array))
