"""The exchange law and one deployment as they are drawn and told: needed and enough, spreads of batches, slopes."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import made_rows
import numpy as np
import pytest

from derl.claims.beyond.weakened import WEAKENED
from derl.ledger import Ledger
from derl.ledger.verification import verify
from derl.show.beyond import figures, law, moves, one_deployment, smallest, tables
from derl.show.beyond.smallest import LAYERS, Smallest, slopes
from derl.theory.beyond import exact_base, exchange


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


def test_enough_is_the_theorem():
    steps = dict(law.enough(4, 12))
    assert steps[1] == pytest.approx(np.log(float(exchange.batch_size(4, 12, 0.1, 0.1, 12, 4.0))) / np.log(4))
    assert list(steps) == sorted(steps, reverse=True) and list(steps.values()) == sorted(steps.values())


def test_a_lock_of_two_digits_opens():
    one = smallest.smallest(2, 4, seeds=2)
    assert one.deployments == 2 and 16 <= one.batch_size < 10**4
    assert all(smallest.succeeds(2, 4, size, seed) for seed, size in enumerate(one.by_seed))
    assert not smallest.succeeds(2, 4, 16, 0)


def test_an_interval_of_slopes_holds_the_slopes_of_its_seeds_on_average():
    found = [smallest.Smallest(d, 1, 8, (d, d**2, d**3)) for d in (2, 4)]
    (slope,) = smallest.slopes(found).values()
    assert slope.mean == pytest.approx(2)
    assert slope.high - slope.mean == pytest.approx(4.3027 / 3**0.5, rel=1e-4)  # t at 97.5 % with 2 degrees, sd 1


def test_tables():
    assert tables.own_size(("hexagon",)).count("hexagon") == 1
    rows = [row.split("|") for row in tables.planted(WEAKENED).splitlines()[2:]]
    assert len(rows) == 11
    assert all(row[2] == row[3] and row[4] == row[5] for row in rows)


def test_falsehoods_are_read_from_a_ledger_of_this_code_and_of_no_other(monkeypatch):
    key = next(iter(WEAKENED))
    row = made_rows.statement(
        made_rows.check(tier="quick", controls=[{"planted": "said", "outcome": "NOT REJECTED"}]),
        made_rows.check(tier="full", controls=[{"planted": "of the full tier"}]))
    own = Ledger("full", {key: row}, {}, "", digest=tables.provenance.digest("derl", "derl.claims"))
    seen = {}
    for name, ledger in (("own", own), ("other", replace(own, digest="0" * 64)), ("silent", replace(own, claims={}))):
        monkeypatch.setattr(tables, "latest_ledger", lambda ledger=ledger: ledger)
        tables.falsehoods.cache_clear()
        tables._ledger.cache_clear()
        seen[name] = tables.falsehoods(key)
    tables.falsehoods.cache_clear()
    tables._ledger.cache_clear()
    assert seen["own"] == (("said", "NOT REJECTED"),)
    assert seen["other"] == seen["silent"] and len(seen["other"]) >= 3
    assert {outcome for _, outcome in seen["other"]} == {"rejected"}


def test_the_ledger_records_what_the_page_would_run(monkeypatch):
    key = min(WEAKENED, key=lambda key: len(tables.PAPER.register().of(key, "quick")))
    recorded = verify(tables.PAPER, [key])
    found = []
    for ledger in (recorded, None):
        monkeypatch.setattr(tables, "_ledger", lambda ledger=ledger: ledger)
        tables.falsehoods.cache_clear()
        found.append(tables.falsehoods(key))
    tables.falsehoods.cache_clear()
    assert found[0] == found[1] != ()


def test_the_numbers_that_move():
    data = moves.exchange_law()
    sizes = enumerate(data["sizes"], data["dimensions"][0])
    for (d, rows), (at, horizon) in product(sizes, enumerate(data["horizons"])):
        own = [size(d, horizon, law.EPSILON, law.DELTA) for size in (exact_base.polynomial, exact_base.one_deployment)]
        assert all(0 <= shown - exact <= 0.001 for shown, exact in zip(rows[at], own, strict=True))  # rounded up
    assert d == data["dimensions"][1] and len(rows) == len(data["horizons"])


def test_slopes_in_a_sentence():
    """Batches d, d^2 and d^3 of three seeds: slope 2, and Student's interval 2 +- 4.30/sqrt 3 = 2.48."""
    found = [smallest.Smallest(d, 1, 8, (d, d**2, d**3)) for d in (2, 4, 8)]
    assert figures.said(found).startswith(
        "Slopes of log N against log d on locks with 8 layers, means over 3 seeds with 95 % intervals: 2.0 (-0.5 to "
        "4.5) for L = 1.")


def test_needed_deployments_are_drawn_for_the_largest_dimension(monkeypatch):
    """With a pace of 1, 2, 3, ... digits for N = 1, d, d^2, ...: 8 // (2 pace) + 1 deployments."""
    monkeypatch.setattr(figures.lower_bounds, "largest_pace",
                        lambda d, size: next(k for k in range(99) if d**k >= size) + 1)
    right = figures.smallest([smallest.Smallest(d, 1, 8, (d, 2 * d)) for d in (2, 5)]).axes[1]
    needed = next(line for line in right.lines if line.get_label() == "needed, $d=5$")
    assert list(needed.get_xdata()) == list(range(12))
    assert list(needed.get_ydata()) == [8 // (2 * (k + 1)) + 1 for k in range(12)]


@pytest.mark.parametrize("d, horizon, size", [(3, 9, 1), (3, 12, 9), (4, 30, 27), (5, 40, 10**6)])
def test_what_is_excluded_by_counting(d, horizon, size):
    """With d = 3 and H = 9 the logarithm of H - 1 = 8 codes is 3, and that of H would be 4."""
    assert law.printed(d, horizon, size) == (horizon - 2) // ceil_log(d - 1, size * (horizon - 1))
    assert law.sharpened(d, horizon, size) == int(horizon / (2 * law.lower_bounds.largest_pace(d - 1, size)))


@pytest.mark.parametrize("lost, good", [(0.19, True), (0.2, True), (0.21, False)])
def test_a_run_succeeds_within_epsilon(monkeypatch, lost, good):
    monkeypatch.setattr(smallest, "block_exploration", lambda deployer, *words, **options: SimpleNamespace(policy=None))
    monkeypatch.setattr(smallest.planning, "gap", lambda mdp, policy: lost)
    assert smallest.succeeds(2, 4, 100, 0) is good


def test_the_measured_loss_is_between_its_bounds_in_both_panels(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (4,))
    monkeypatch.setattr(one_deployment, "HORIZONS", (4,))
    for panel in one_deployment.figure().axes[:2]:
        old, new, measured, necessary = (np.asarray(line.get_ydata()) for line in panel.lines)
        assert (necessary <= measured).all() and (measured < new).all() and (100 * new**2 < old**2).all()


def test_sizes_lie_between_the_two_sides_and_grow_with_the_power_of_the_horizon(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (2, 4, 6))
    monkeypatch.setattr(one_deployment, "LOCKS", 12)
    sufficient, measured, uniform, necessary = (np.array(found) for found in one_deployment.sizes().values())
    assert (necessary <= uniform).all() and (uniform <= 2 * necessary).all()
    assert (necessary <= 1.2 * measured).all() and (measured < sufficient).all()  # a mean over twelve locks
    lines = one_deployment.sides().axes[0].lines
    assert len(lines) == 4 and all("slope" in line.get_label() for line in lines)
    assert one_deployment.slope([d**3.0 for d in (2, 4, 6)]) == pytest.approx(3)
