"""A search that got narrower or compares less, and a step or control that got weaker, is one line that names the check.

The quick test counts searches, the slow one every check. `python attacks/cases.py --renew` and
`python attacks/rooms.py --renew` record a change that is meant.
"""

import functools
import importlib
import itertools
import json
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
import rules

BENCHMARKS = rules.ROOT / "attacks"
SEARCHES = "exhaustive,stress,interval,certificate,statistical"


@pytest.fixture(scope="module")
def cases():
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("cases")
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def rooms(cases):
    return importlib.import_module("rooms")


def counted(*words):
    done = subprocess.run([sys.executable, BENCHMARKS / "cases.py", "--json", *words], capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)


def compared(cases, found, whole=False):
    return cases.problems({name: tuple(row) for name, row in found.items()}, cases.recorded(), whole)


def test_searches_meet_as_many_cases_as_are_recorded(cases):
    found = counted("--methods", SEARCHES)
    assert len(found) > 200 and compared(cases, found) == []


@pytest.mark.slow
def test_every_check_meets_as_many_cases_as_are_recorded(cases):
    found = counted()
    assert len(found) > 500 and compared(cases, found, whole=True) == []


def test_a_count_does_not_depend_on_the_checks_before(cases, monkeypatch):
    """What a module of checks remembers is forgotten before each count; other modules keep theirs."""
    kept, other = (functools.cache(itertools.count().__next__) for _ in "ab")
    monkeypatch.setitem(sys.modules, "derl.claims.made", SimpleNamespace(kept=kept, number=3))
    monkeypatch.setitem(sys.modules, "made", SimpleNamespace(other=other))
    assert (kept(), other()) == (kept(), other()) == (0, 0)
    cases.forget()
    assert (kept(), other()) == (1, 0)


def test_a_narrower_search_and_a_new_one_are_seen(cases):
    before = {"a.search": (100, 0, 7), "b.sample": (2, 5000, 7)}
    assert cases.problems({"a.search": (100, 0, 7)}, before) == []
    assert cases.problems({"a.search": (25, 0, 7), "b.sample": (2, 500, 6), "c": (1, 1, 1)}, before) == [
        "c: its cases were never counted", "a.search: its loops meet 25 cases; 100 are recorded",
        "b.sample: its arrays hold 500 numbers; 5,000 are recorded",
        "b.sample: its judgement takes in 6 numbers; 7 are recorded"]
    assert cases.problems({"a.search": before["a.search"]}, before, whole=True) == [
        "b.sample: it is recorded, and was not met"]


def met(cases, text):
    """What the counters say of a piece of code."""
    cases.met.clear()
    tree = cases.ast.fix_missing_locations(cases.Counted().visit(cases.ast.parse(text)))
    exec(compile(tree, "planted", "exec"), {"_turns": cases.turns, "_entries": cases.entries,
                                            "_compared": cases.compared, "np": importlib.import_module("numpy")})
    return dict(cases.met)


def test_turns_and_entries_are_counted(cases):
    assert met(cases, "found = [x + y for x in range(3) for y in range(2)]\nfor z in (1, 2):\n"
                      "    w = np.zeros((2, 5)).T") == {"turns": 3 + 6 + 2, "entries": 20}


SEARCH = ("worst, k = 0, 0\nfor x in range(6):\n    worst = max(worst, abs(x - 3))\n    if x > 3:\n        worst += x\n"
          "worst = 1 if k == 0 else 2\nwhile k < 4:\n    k = k + 1\nlargest = (1 - np.eye(3)).max()\n"
          "smallest = min(*[1, 2], 3)\nfew = [x for x in range(5) if x == k]")


@pytest.mark.parametrize("was, becomes", [
    ("abs(x - 3)", "(x - 3)"), ("max(worst, abs(x - 3))", "abs(x - 3)"), ("x > 3", "x > 4"), ("x > 3", "False"),
    ("k == 0", "False"), ("x == k", "False"),
    ("worst += x\n", "break\n"), ("k < 4", "k < 3"), ("np.eye(3)).max()", "np.eye(3))[0].max()"), (", 3)", ")")])
def test_a_search_that_compares_less_is_counted(cases, was, becomes):
    """An absolute value left out, a maximum that forgets, a branch skipped, a loop left early, and fewer numbers."""
    whole = met(cases, SEARCH)
    assert whole["compared"] == 6 * (2 + 1 + 1) + 2 * 2 + 2 + 5 + 4 + 9 + 1 + 5 + 1
    assert SEARCH.count(was) == 1 and met(cases, SEARCH.replace(was, becomes))["compared"] < whole["compared"]


def test_no_step_and_no_control_is_weaker_than_it_was(rooms, ledger):
    assert rooms.problems(rooms.present(ledger.claims), rooms.recorded()) == []


@pytest.mark.parametrize("now, before, said", [
    ("x1.5", "x1", "leaves the room x1.5; x1 is recorded"), ("book", "=", "has become bookkeeping"),
    ("x1", "x1.5", ""), ("n1", "n1,3", "no longer makes step 3 false"), ("n2,3", "n2", ""), ("+1", "+0", "leaves"),
    ("+1", "x1", "leaves +1; x1 is recorded"), ("0.5", "0.01", "leaves the room 0.5"), ("0.01", "0.5", ""),
    ("0.1001", "0.1", ""), ("x1.02", "x1", "leaves the room x1.02"), ("?", "=", "leaves ?")])
def test_a_weaker_step_or_control_is_seen(rooms, now, before, said):
    found = rooms.problems({("lem", "check"): ([now], [])}, {("lem", "check"): ([before], [])})
    assert bool(found) == bool(said) and all(said in line for line in found)


def test_a_check_that_is_gone_is_seen(rooms):
    assert rooms.problems({}, {("lem", "check"): (["="], [])}) == [
        "lem check: it is recorded, and is no passing check of the ledger"]


def test_a_step_less_is_seen(rooms):
    assert rooms.problems({("lem", "check"): (["="], ["n1"])}, {("lem", "check"): (["=", "="], ["n1", "n1"])}) == [
        "lem check: it has 1 steps; 2 are recorded", "lem check: it has 1 controls; 2 are recorded"]


MOST_ONE_SIDED = 22  # exact numbers whose controls all err on one side; may only shrink


def test_an_exact_number_has_a_control_on_each_side(rooms, ledger):
    found = rooms.one_sided(ledger.claims)
    assert len(found) <= MOST_ONE_SIDED, found
    assert ("text-exponents", "logarithm_in_the_size") not in found
    row = ledger.claims["text-exponents"]
    spoilt = replace(row, checks=tuple(replace(check, controls=check.controls[:1]) for check in row.checks))
    assert ("text-exponents", "logarithm_in_the_size") in rooms.one_sided({"text-exponents": spoilt})
