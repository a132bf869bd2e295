"""Tables and figure of the recorded study of junk locks."""

import math

import numpy as np
import pytest

from derl.show.beyond import known_law


def cells(table):
    rows = [row for row in table.splitlines()[2:] if row.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_slopes_in_theory_by_hand():
    assert known_law.expected("one", 1, 4) == 2 and known_law.expected("blocks", 2, 4) == 1
    assert known_law.expected("known law", 2, 2) == 0
    assert 2 ** (1 / known_law.expected("known law", 2, 5)) == pytest.approx(2 ** (1 / math.log2(5) + 1 / 2))


def test_the_page_says_where_the_program_does_not_win():
    found = {(line.method, line.deployments, line.d): line for line in known_law.lines()}
    text = known_law.where_it_wins()
    assert "from $H=8$ on" in text and "does not win" in text and "in 29 of 29 comparisons up to $H=24$." in text
    assert found["blocks", 2, 2].median(8) > found["known law", 2, 2].median(8)
    assert found["blocks", 2, 2].median(4) < found["known law", 2, 2].median(4)
    assert found["blocks", 2, 3].median(24) <= found["known law", 2, 3].median(24)


@pytest.fixture
def planted(monkeypatch):
    """Sizes 2^(h + s) of seeds s = 0, 1, 4 with one deployment, 2^(h/2 + s) with two blocks, 2^(h/4) after the law."""
    rows = [{"method": method, "deployments": number, "d": d, "horizon": h, "seed": s, "size": size(h, s), "loss": 0.0}
            for d in (2, 3)
            for method, number, size in (("one", 1, lambda h, s: 2.0 ** (h + s)),
                                         ("blocks", 2, lambda h, s: 2.0 ** (h // 2 + s)),
                                         ("known law", 2, lambda h, s: 2.0 ** (h / 4)))
            for h in (8, 10, 12) for s in (0, 1, 4)]
    rows += [{"method": "one", "deployments": 1, "d": 2, "horizon": 14, "seed": s, "size": None, "loss": 1.0}
             for s in (0, 1, 4)]
    rows += [{"method": "theorem", "deployments": 2, "d": 2, "horizon": 8, "seed": s, "size": 2.0e7, "loss": loss}
             for s, loss in ((0, 0.02), (1, 0.05), (4, 0.0))]
    monkeypatch.setattr(known_law, "recorded", lambda name: (tuple(rows), {}))


def test_the_figure_draws_the_medians_with_the_range_of_the_seeds(planted):
    panel, other = known_law.figure().axes
    assert len(other.containers) == 3
    assert len(panel.containers) == 3
    for container, name, middle, low, high in zip(
            panel.containers, known_law.NAMES.values(), ([9, 11, 13], [5, 6, 7], [2, 2.5, 3]),
            ([8, 10, 12], [4, 5, 6], [2, 2.5, 3]), ([12, 14, 16], [8, 9, 10], [2, 2.5, 3]), strict=True):
        line, (below, above), _ = container
        assert container.get_label() == name + (", K = 2" if name != "one deployment" else "")
        assert list(line.get_xdata()) == [8, 10, 12]  # 14 layers have no finite size
        for drawn, wanted in ((line, middle), (below, low), (above, high)):
            assert drawn.get_ydata() == pytest.approx(wanted)


def test_rows_of_the_tables_by_hand(planted):
    assert cells(known_law.slopes())[:3] == [
        ["2", "one deployment", "1", "1.00 (1.00 to 1.00)", "1.00"],
        ["2", "block exploration", "2", "0.50 (0.50 to 0.50)", "0.50"],
        ["2", "designs modulo the known law", "2", "0.25 (0.25 to 0.25)", "0.00"]]
    assert known_law.slopes().endswith("Layers from 8 on; 95 % intervals over 3 seeds.")
    rows = [["2", "8", "32", "4", "8.00"], ["2", "10", "64", "6", "11.31"], ["2", "12", "128", "8", "16.00"]]
    assert cells(known_law.compared()) == [[d, *row] for d in "23" for row in rows]
    assert cells(known_law.at_the_theorem()) == [["2", "8", "2.0·10⁷", "0.05"]]
    assert known_law.at_the_theorem().endswith("ε = 0.1, δ = 0.1, bias 0.25, 3 seeds each.")


def test_an_interval_is_that_of_student():
    """Slopes 1, 2 and 3 of three seeds: 2 within 4.3027 times 1/sqrt 3, the quantile with two degrees of freedom."""
    line = known_law.Line("one", 1, 2, {h: tuple(2.0 ** (k * h) for k in (1, 2, 3)) for h in (4, 8, 10, 12)})
    assert line.slope() == pytest.approx((2, 2 - 4.3027 / 3**0.5, 2 + 4.3027 / 3**0.5), rel=1e-4)
    assert known_law.Line("one", 1, 2, {h: (4.0, 8.0) for h in (4, 8, 10)}).slope() is None  # two sizes from 8 on
    assert np.isinf(known_law.Line("one", 1, 2, {8: (math.inf, math.inf, 2.0)}).median(8))
    assert (known_law.size(math.inf), known_law.size(40.4)) == ("above 2^27", "40")
