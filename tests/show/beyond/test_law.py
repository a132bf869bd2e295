"""The figures and tables of the exchange law."""

from dataclasses import replace
from itertools import product

import made_rows
import numpy as np
import pytest

from derl.claims.beyond.weakened import WEAKENED
from derl.ledger import Ledger
from derl.ledger.verification import verify
from derl.show.beyond import law, moves, smallest, tables
from derl.theory.beyond import exact_base, exchange


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
