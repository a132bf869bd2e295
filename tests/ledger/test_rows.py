"""Rows have types, become JSON and come back as they were, and what is malformed is named in one line."""

import json
import math
import pickle
from dataclasses import FrozenInstanceError, fields

import made_rows
import pytest
import troubled_paper
from second_paper import PAPER

from derl.judge import rows
from derl.judge.rows import CheckRow, StepRow
from derl.ledger import InvalidLedger, Ledger, verify
from derl.ledger.rows import LedgerRow, Malformed, PowerRow, StatementRow, plain, read


@pytest.fixture(scope="module")
def ledger():
    return verify(PAPER, tier="full")


@pytest.fixture
def body(ledger, tmp_path):
    ledger.save(tmp_path / "ledger.json")
    return json.loads((tmp_path / "ledger.json").read_text(encoding="utf-8"))


def test_a_ledger_that_is_read_and_written_is_the_same_file(ledger, tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    ledger.save(first)
    again = Ledger.load(first)
    again.save(second)
    assert first.read_bytes() == second.read_bytes()
    assert again.claims == ledger.claims and all(isinstance(row, StatementRow) for row in again.claims.values())


def test_the_fields_stand_in_the_file_in_the_order_in_which_they_are_declared(body):
    """Other programs read them: a change of these names is a change of the format."""
    row = body["claims"]["lem-odd-numbers"]
    check = row["checks"][0]
    assert list(body) == ["schema", "version", "commit", "tier", "seed", "seconds", "environment", "digest", "seal",
                          "claims"]
    assert list(row) == ["number", "kind", "chapter", "verdict", "expected", "as_expected", "scope_gap", "rests_on",
                         "weakest", "grounded", "power", "seconds", "kernel", "checks"]
    assert list(check) == ["name", "title", "source", "summary", "method", "arithmetic", "covers", "gap", "tier",
                           "refutes", "breaks_proof", "file", "line", "seconds", "outcome", "scope", "direction",
                           "measured", "claimed", "margin", "tolerance", "detail", "steps", "controls", "control",
                           "variants"]
    assert list(check["controls"][0]) == ["planted", "variant", "outcome", "measured", "claimed", "detail", "breaks",
                                          "witness"]
    assert list(row["power"]) == ["flipped", "asked", "bookkeeping", "unasked", "smallest", "room", "closest",
                                  "control"]


def test_what_could_not_be_run_has_no_numbers_in_the_file():
    claims = verify(troubled_paper.PAPER, ["lem-quits", "lem-plants"], apart=True).claims
    check, = claims["lem-quits"].checks
    written = plain(check)
    assert check.outcome == "error" and check.measured is None
    assert not written.keys() & {"measured", "claimed", "margin", "scope", "direction", "tolerance", "steps", "control"}
    assert read(CheckRow, written) == check
    control, = plain(claims["lem-plants"].checks[0])["controls"]
    assert list(control) == ["planted", "variant", "outcome", "detail"]


def test_a_row_is_read_in_the_words_of_its_file_too(ledger):
    row = ledger.claims["lem-odd-numbers"]
    check = row["checks"][0]
    assert row["verdict"] == row.verdict and check is row.checks[0] and row["rests_on"] == list(row.rests_on)
    assert check["control"]["outcome"] == "rejected" and dict(row).keys() == plain(row).keys()
    assert "measured" in check and "formal" not in check and check.get("formal", "none") == "none"
    for name in ("verdicts", "formal", "passes"):
        with pytest.raises(KeyError):
            check[name]


def test_a_row_cannot_be_changed_and_travels_to_another_process(ledger):
    row = ledger.claims["lem-odd-numbers"]
    with pytest.raises(FrozenInstanceError):
        row.verdict = "machine-checked"
    with pytest.raises(TypeError):
        row["verdict"] = "machine-checked"
    assert pickle.loads(pickle.dumps(row)) == row and hash(row) == hash(pickle.loads(pickle.dumps(row)))


def test_a_row_shows_a_few_of_its_fields(ledger):
    shown = repr(ledger.claims["lem-odd-numbers"])
    assert "verdict=" in shown and "checks" not in shown and "\n" not in shown


def test_what_is_declared_is_kept_under_its_own_name():
    for kind in vars(rows).values():
        if isinstance(kind, type) and issubclass(kind, rows.Row) and kind is not rows.Row:
            names = [field.name for field in fields(kind)]
            assert {*kind.FOUND, *kind.NEEDED} <= {*names} and not {*names} & {"keys", "items", "values", "get"}, kind


@pytest.mark.parametrize("place, change, complaint", [
    ((), {"seed": "0"}, "'seed' of the ledger is '0'; it must be a whole number"),
    ((), {"claims": []}, "is not a ledger of schema"),
    ((), {"environment": {"python": 3}}, "'python' of 'environment' of the ledger is 3; it must be a text"),
    (("claims",), {"lem-odd-numbers": 5}, "'lem-odd-numbers' is 5, not an object with number, kind"),
    (("claims", "lem-odd-numbers"), {"verdict": None}, "'verdict' of 'lem-odd-numbers' is None; it must be a text"),
    (("claims", "lem-odd-numbers"), {"as_expected": 1}, "'as_expected' of 'lem-odd-numbers' is 1; it must be true or"),
    (("claims", "lem-odd-numbers"), {"seconds": True}, "'seconds' of 'lem-odd-numbers' is True; it must be a number"),
    (("claims", "lem-odd-numbers"), {"rests_on": "all"}, "'rests_on' of 'lem-odd-numbers' is 'all'; it must be a list"),
    (("claims", "lem-odd-numbers"), {"rests_on": ["a", 5]}, "'rests_on[1]' of 'lem-odd-numbers' is 5"),
    (("claims", "lem-odd-numbers"), {"weakest": 5}, "'weakest' of 'lem-odd-numbers' is 5; it must be a list"),
    (("claims", "lem-odd-numbers"), {"grounded": "yes"}, "it must be true or false or null"),
    (("claims", "lem-odd-numbers"), {"seconds": 10**400}, "a whole number of about 401 digits; it must be a number"),
    (("claims", "lem-odd-numbers", "power"), {"room": "wide"}, "'room' of the power of 'lem-odd-numbers' is 'wide'"),
    (("claims", "lem-odd-numbers", "checks", 0), {"line": 1.5}, "'line' of a check of 'lem-odd-numbers' is 1.5"),
    (("claims", "lem-odd-numbers", "checks", 0), {"controls": [5]}, "a control of a check of 'lem-odd-numbers' is 5"),
    (("claims", "lem-odd-numbers", "checks", 0, "control"), {"outcome": 5},
     "'outcome' of the control of a check of 'lem-odd-numbers' is 5; it must be a text"),
    (("claims", "lem-odd-numbers", "checks", 0), {"outcome": "passes"}, "allowed are pass, fail, stale, error"),
    (("claims", "lem-odd-numbers", "checks", 0, "control"), {"outcome": "pass"}, "allowed are rejected, NOT REJECTED"),
    (("claims", "lem-odd-numbers", "checks", 0), {"measured": math.inf}, "is inf, and the check passes"),
    (("claims", "lem-odd-numbers"), {"seconds": math.nan}, "'seconds' of 'lem-odd-numbers' is nan; it must be a"),
    (("claims", "lem-odd-numbers", "checks", 0, "steps", 0), {"holds": "yes"}, "'holds' of a step of a check"),
])
def test_what_is_malformed_is_named_in_one_line(body, tmp_path, place, change, complaint):
    inside = body = body | {"digest": ""}  # without a digest no seal is asked for
    for part in place:
        inside = inside[part]
    inside.update(change)
    path = tmp_path / "malformed.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    with pytest.raises(InvalidLedger) as said:
        Ledger.load(path)
    assert complaint in str(said.value) and "\n" not in str(said.value)


@pytest.mark.parametrize("field", ["verdict", "scope_gap", "checks", "seconds"])
def test_what_a_statement_needs_is_missed(field):
    row = plain(made_rows.statement())
    assert read(StatementRow, row, "lem-a") == made_rows.statement()
    del row[field]
    with pytest.raises(Malformed, match=f"^lem-a has no '{field}'$"):
        read(StatementRow, row, "lem-a")


@pytest.mark.parametrize("field", ["scope", "direction", "claimed", "margin", "control"])
def test_a_measured_number_comes_with_what_was_claimed(field):
    row = plain(made_rows.check())
    del row[field]
    with pytest.raises(Malformed, match=f"has no '{field}', and a number is measured"):
        read(CheckRow, row)
    del row["measured"]
    assert read(CheckRow, row).measured is None


def test_fields_of_a_later_version_are_passed_over_and_none_of_an_earlier_one_is_needed():
    row = plain(made_rows.statement())
    assert read(StatementRow, row | {"colour": "red"}) == made_rows.statement()
    older = {key: value for key, value in row.items() if key not in ("power", "kernel", "weakest", "grounded")}
    assert read(StatementRow, older).grounded is None and read(StatementRow, older).power is None


def test_numbers_keep_their_kind():
    exact = read(CheckRow, plain(made_rows.check(measured="1/3", claimed=0.5, tolerance=1e-9)))
    assert (exact.measured, exact.claimed, exact.tolerance) == ("1/3", 0.5, 1e-9)
    assert type(read(CheckRow, plain(made_rows.check(seconds=0))).seconds) is int
    assert plain(read(CheckRow, plain(exact))) == plain(exact)


def test_a_step_says_only_what_was_tried_on_it():
    miss = {"planted": "1 < 1", "at": "x = 0", "room": "", "rejected": True, "factor": None}
    assert plain(read(StepRow, {"name": "a", "holds": True})) == {"name": "a", "holds": True}
    for more in ({"bookkeeping": True}, {"near_miss": miss}):
        step = {"name": "a", "holds": True} | more
        assert plain(read(StepRow, step)) == step


def test_the_steps_of_a_power_are_those_of_all_kinds():
    assert PowerRow(flipped=1, asked=2, bookkeeping=3, unasked=4, smallest=None, room=None, closest=None,
                    control=None).steps == 10
    assert issubclass(LedgerRow, rows.Row)
