r"""Quotes of a printed text and the changes that the judge plants in it: rejected, refused, weaker, free, not read."""

import pytest

from derl.judge.planting import _weaker
from derl.judge.quotes import Quote, quotes
from derl.judge.registry import Registry
from derl.judge.trial import run_check
from derl.ledger import Evidence
from derl.printed import Text, Unreadable
from derl.printed.edits import edits

TEXTS = {("thm", "statement"): r"For $n\ge3$, $\binom n2\le\frac{n^2}{2}$ and $1+1=x-y$; the rest is $7$ times $y^2$.",
         ("thm", "corrected"): "$c=5$", ("other", "statement"): "$c=8$"}


def look(claim, field):
    return TEXTS[claim, field]


def printed(claim="thm", field="statement"):
    return Quote(look, claim, field)


def registered(function, **more):
    registry = Registry()
    registry.claim("thm", **{"method": "exhaustive"} | more)(function)
    (check,) = registry.checks
    return check


def pairs(said=printed()):
    """The number of pairs of n things against the bound."""
    n = said.range("n").low + 3
    left, right = said.sides(r"\binom n2\le", n=n)
    return Evidence(left, right, "upper", f"n = {n}")


def outcomes(check, thorough=True):
    row = run_check(check, thorough)
    text = TEXTS["thm", "statement"]
    found = {}
    for key, word in row.variants.outcomes.items():
        _, span, new = key.split(":", 2)
        start, end = map(int, span.split("-"))
        found[text[max(0, start - 4):start] + f"[{text[start:end]}]", new] = word
    return row, found


def test_a_quote_is_resolved_when_the_check_runs():
    check = registered(pairs)
    assert check.function().claimed == 18 and check.function(said=Text(r"$n\ge4$, $\binom n2\le7$")).claimed == 7
    assert quotes(check.function)["said"].key == ("thm", "statement")
    for asked in (printed()("1+1="), printed().function(r"\binom n2\le", "n"), printed().range("n")):
        assert "thm" in repr(asked)
        with pytest.raises(TypeError, match="asked once"):
            asked("x=")
    with pytest.raises(AttributeError, match="no method"):
        printed().nonsense("c=")


def test_changes_of_what_is_read_are_rejected_refused_weaker_or_free():
    row, found = outcomes(registered(pairs))
    assert row.outcome == "pass" and row.control.outcome == "rejected"
    assert found["c{n^[2]", "1"] == "rejected", "3 at n = 6"
    assert found["^2}{[2]", "3"] == "rejected" and found["^2}{[2]", "1"] == "weaker", "a third, and twice the bound"
    assert found[r"n\ge[3]", "4"] == "free", "the bound holds there, too"
    assert found["om n[2]", "3"] == "refused", "what is looked up begins otherwise"
    assert set(found.values()) <= {"rejected", "refused", "weaker", "free"}
    assert not any("7" in place or "y" in place or "x" in place for place, _ in found), "nobody reads it"
    assert row.variants.possible == len(found)


def test_what_is_read_is_recorded_by_place():
    row = run_check(registered(pairs))
    spans = [tuple(map(int, span.split("-"))) for span in row.variants.read["statement"].split()]
    text = TEXTS["thm", "statement"]
    assert [text[start:end] for start, end in spans] == [r"n\ge3", r"\binom n2\le\frac{n^2}{2}"]


def test_a_change_that_decides_nothing_is_free_and_a_check_that_rejects_nothing_has_no_power():
    def reads(said=printed()):
        return Evidence(1, 1 if said("1+1=", x=3, y=1) else 1, "identity", "reads and does not use it")

    row, found = outcomes(registered(reads))
    assert set(found.values()) == {"free", "refused"} and row.control.outcome == "NOT REJECTED" and not row.rejects


def test_a_quick_run_plants_the_first_changes_of_all_places_and_turns_as_many_relations():
    row, found = outcomes(registered(pairs, plants=3), thorough=False)
    assert 3 < len(found) < row.variants.possible and len({place for place, _ in found}) == len(found)
    assert [new for _, new in [*found][3:]] == ["\\ge"], "the second relation is behind the first three places"


def test_a_check_that_raises_on_a_changed_text_has_not_rejected_it():
    def breaks(said=printed()):
        if said.range("n").low != 3:
            raise RuntimeError("a mistake of the check")
        return Evidence(1, 1, "identity", "one")

    _, found = outcomes(registered(breaks))
    assert found[r"n\ge[3]", "4"] == "not run"


def test_a_text_that_cannot_be_read_as_it_is_fails_the_check():
    def asks(said=printed()):
        return Evidence(said("nothing="), 1, "identity", "")

    row = run_check(registered(asks))
    assert row.outcome == "fail" and "no relation that begins with nothing=" in row.detail


def test_only_changes_of_the_own_statement_are_planted_also_of_its_erratum():
    def both(mine=printed(field="corrected")("c="), theirs=printed("other")("c=")):
        return Evidence(theirs - mine, 3, "identity", "eight and five")

    row = run_check(registered(both), True)
    assert set(row.variants.read) == {"corrected"}
    assert set(row.variants.outcomes.values()) == {"rejected"}
    only = registered(lambda theirs=printed("other")("c="): Evidence(theirs, 8, "identity", "eight"))
    assert run_check(only).variants is None


def test_a_text_that_does_not_exist_is_named():
    with pytest.raises((Unreadable, KeyError)):
        printed("nowhere").resolve({})


def test_a_change_is_weaker_only_if_all_that_is_rejected_on_its_side_goes_the_other_way():
    text = Text(r"For all $n\ge3$ one has $x\le10$.", "sample")
    more, less, twice, half = (next(e for e in edits(text) if e.old == "10" and e.new == new)
                               for new in ("11", "9", "20", "5"))
    assert _weaker(text, twice, [less]) and _weaker(text, half, [more]) and _weaker(text, more, [less, half])
    assert not _weaker(text, twice, [more, less]) and not _weaker(text, more, [twice]) and not _weaker(text, more, [])
    elsewhere = next(e for e in edits(text) if e.old == "3")
    assert not _weaker(text, more, [elsewhere])


def test_a_change_without_a_formula_of_the_check_is_refused_before_the_check_computes():
    read = []

    def slow(said=printed()):
        read.append(said.source)
        return pairs(said)

    _, found = outcomes(registered(slow))
    assert found[r"m n2[\le]", r"\ge"] == "refused" and found["c{n^[2]", "3"] == "free"
    assert not any(r"2\ge" in source for source in read) and any(r"\frac{n^3}{2}" in source for source in read)
