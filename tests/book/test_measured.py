"""A number of a sentence comes from the run, and a check that the ledger does not know is named."""

import json
from pathlib import Path

import pytest
from measured import in_maths

CHECK = "lem-even/sum_is_twice_a_whole_number"
LEDGER = Path(__file__).parent / "sample_paper" / "ledger.json"


@pytest.mark.parametrize("value, shown", [
    ("6/25", r"\frac{6}{25}"), ("-13/10", r"-\frac{13}{10}"), ("208", "208"), (7, "7"), ("0", "0"), (0.0, "0.00"),
    ("-625650/366061", "-1.71"), (0.123456, "0.123"), (-1623.5857, "-1624"), ("123456789", r"1.23\cdot10^{8}"),
    (2.5e-7, r"2.50\cdot10^{-7}"), ("1" + 400 * "0", r"1.00\cdot10^{400}"), (float("inf"), r"\infty"),
    (float("-inf"), r"-\infty")])
def test_short_exact_numbers_are_shown_as_they_are_and_others_with_three_digits(value, shown):
    assert in_maths(value) == shown


def test_a_sentence_shows_what_the_check_measured_and_changes_with_the_ledger(build):
    page = {"part/one": f"# One\n\nIt is {{measured}}`{CHECK}`, at most {{measured}}`{CHECK} claimed`.\n"}
    rows = json.loads(LEDGER.read_text(encoding="utf-8"))
    check, = [check for check in rows["claims"]["lem-even"]["checks"] if check["name"] == CHECK.partition("/")[2]]
    for measured in ("6/25", "31/40"):
        check["measured"] = measured
        built = build(page, ledger=json.dumps(rows))
        assert built.warnings == "" and in_maths(measured) in built.page("part/one")
        assert in_maths(check["claimed"]) in built.page("part/one")


@pytest.mark.parametrize("place", ["lem-even/no_such_check", "lem-odd/sum", f"{CHECK} guessed", "lem-even"])
def test_a_number_that_no_check_has_measured_is_a_warning(build, place):
    built = build({"part/one": f"# One\n\n{{measured}}`{place}`\n"})
    assert "the ledger has no number" in built.warnings
