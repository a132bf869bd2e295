"""The exchange law as it is drawn: needed and enough, with logarithms that are counted here."""

import numpy as np
import pytest

from derl.show.beyond import figures
from derl.show.beyond.smallest import LAYERS, Smallest, slopes


def ceil_log(base: int, number: int) -> int:
    return next(k for k in range(10**4) if base**k >= number)


def test_the_law_is_drawn_from_counted_logarithms():
    d, horizon = 3, 12
    lines = {line.get_label(): line for line in figures.law(d, horizon).axes[0].lines}
    x, rough = lines[r"$H/\log_dN$"].get_data()
    assert list(x) == list(range(1, len(x) + 1)) and rough == pytest.approx([max(1, 12 / k) for k in x])
    x, needed = lines["needed: Theorem B.3, repaired"].get_data()
    assert list(x) == list(range(len(x)))
    assert list(needed) == [10 // ceil_log(2, 3**k * 11) + 1 for k in x]
    counted = lines[r"needed: without $H$ in the logarithm"].get_ydata()
    exponents, enough = next(line for label, line in lines.items() if label.startswith("enough")).get_data()
    assert (np.diff(exponents) >= 0).all() and (np.diff(enough) <= 0).all() and enough[-1] == enough[-2] == 1
    for exponent, deployments in zip(exponents, enough, strict=True):  # what is enough is never below what is needed
        assert deployments >= counted[int(exponent)] and deployments >= needed[int(exponent)]
    assert set(map(int, enough)) <= {-(-horizon // block) for block in range(1, horizon + 1)}


def test_the_smallest_batches_with_their_spread():
    rates = (2.0, 3.0)
    found = [Smallest(**fields(block, d, rate)) for block, rate in zip((1, 2), rates, strict=True) for d in (2, 4, 8)]
    left, right = figures.smallest(found).axes
    for container, block, rate in zip(left.containers, (1, 2), rates, strict=True):
        line, caps, _ = container
        assert list(line.get_xdata()) == [2, 4, 8]
        assert line.get_ydata() == pytest.approx([8 * d**rate for d in (2, 4, 8)])
        assert caps[0].get_ydata() == pytest.approx([4 * d**rate for d in (2, 4, 8)])
        assert caps[1].get_ydata() == pytest.approx([16 * d**rate for d in (2, 4, 8)])
        assert container.get_label() == f"$L={block}$: slope {rate:.1f}"
        assert slopes(found)[block].mean == pytest.approx(rate)
    for line, block, rate in zip(right.lines, (1, 2), rates, strict=False):
        assert line.get_xdata() == pytest.approx([np.log(8 * d**rate) / np.log(d) for d in (2, 4, 8)])
        assert list(line.get_ydata()) == [-(-LAYERS // block)] * 3
    grey = right.lines[-1]
    assert grey.get_ydata() == pytest.approx([max(1, LAYERS / x) for x in range(1, 12)])


def fields(block: int, d: int, rate: float) -> dict:
    """Batches 4, 8, 16 times d^rate of three seeds."""
    known = {"block": block, "d": d, "by_seed": tuple(round(c * d**rate) for c in (4, 8, 16)),
             "deployments": -(-LAYERS // block), "batch_size": round(8 * d**rate)}
    return {name: known[name] for name in Smallest.__dataclass_fields__ if name in known}
