"""The page of trust shows what was recorded, and the record is that of the scripts that made it."""

import ast
import csv
import importlib.util
import sys

import faults
import fuzz_arrays
import fuzz_files
import pytest
import rules

from derl.show.drawing import trusted

BENCHMARKS = rules.ROOT / "attacks"
FILE = BENCHMARKS / "trust.json"


@pytest.fixture(scope="module")
def trust():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        spec = importlib.util.spec_from_file_location("trust_of_benchmarks", BENCHMARKS / "trust.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def recorded():
    return trusted.load(FILE)


def test_what_the_scripts_print_is_read(trust):
    found = trust.counted("noise\nverify {'kills': 4, 'runs to the end': 2} 0 faults\n"
                          "command lines 30 {'status 2': 29, 'slowest of status 2 (ms of processor)': 80} 1 faults\n")
    assert found == {"verify": {"tried": 4, "counts": {"kills": 4, "runs to the end": 2}, "faults": 0},
                     "command lines": {"tried": 30, "faults": 1,
                                       "counts": {"status 2": 29, "slowest of status 2 (ms of processor)": 80}}}
    with pytest.raises(ValueError, match="nothing was counted"):
        trust.counted("Traceback")


def test_day_and_code_are_those_that_the_script_printed(trust):
    assert trust.origin("2026-01-02 code 0123456789ab\nverify {}") == {"day": "2026-01-02", "code": "0123456789ab"}
    assert trust.origin("verify {'kills': 4} 0 faults") == {"day": "unknown", "code": "unknown"}


def test_the_summary_adds_up_what_was_tried_and_noticed():
    part = {"planted": 10, "noticed": 9, "caught": 8, "tried": 5, "refused": 4, "faults": 1, "counts": {"kills": 4}}
    kinds = dict.fromkeys(("texts", "weakened", "shortened", "tautologies"), part)
    results = {name: {"of": {"a": part, "b": part}} for name in ("mutants", "programs", "forged", "input", "kills")}
    shown = trusted.summary(results | {"planted": {"of": kinds}}).data
    lines = [[cell.strip() for cell in line.strip("|").split("|")][1:] for line in shown.splitlines() if "%" in line]
    assert lines == [["10", "9", "90%"], ["30", "27", "90%"], ["20", "16", "80%"], ["20", "16", "80%"],
                     ["10", "8", "80%"], ["10", "8", "80%"], ["8", "6", "75%"]]


def test_runs_with_other_pythons_are_read(trust, tmp_path):
    log = tmp_path / "log"
    log.write_text("2026-11-23 code 0123456789ab\n"
                   "382 statements, 9 checks, 1 of 1 controls rejected, 0 not as expected, 1 s\n"
                   "853 passed, 6 warnings in 9 s\nPython 3.12: the wheel runs\n+ x\nPython 3.13: too\n"
                   "1 statements, 2 checks, 3 of 3 controls rejected, 1 not as expected, 1 s\n")
    found = trust.of_pythons(log)
    assert (found["day"], found["code"]) == ("2026-11-23", "0123456789ab")
    assert found["of"] == {"3.12": [{"said": "the wheel runs", "statements": 382, "tests": 853}],
                           "3.13": [{"said": "too", "statements": 0, "tests": 0}]}
    log.write_text("pythons: this failed: x\n")
    with pytest.raises(ValueError, match="no Python"):
        trust.of_pythons(log)


def test_planted_falsehoods_are_counted_by_kind(trust, tmp_path):
    table = tmp_path / "planted.csv"
    lines = ["kind,noticed,day,code,seed", *(f"{way},2026-11-26,0123456789ab,7" for way in (
        "texts,1", "texts,1", "texts,0", "steps,0"))]
    table.write_text("\n".join(lines), encoding="utf-8")
    assert trust.of_planted(table) == {"day": "2026-11-26", "code": "0123456789ab", "of": {
        "texts": {"seed": 7, "planted": 3, "noticed": 2}, "steps": {"seed": 7, "planted": 1, "noticed": 0}}}


def test_changed_texts_that_were_not_noticed_are_kept_with_their_reasons(trust, tmp_path, monkeypatch):
    table, left = tmp_path / "planted.csv", tmp_path / "unnoticed.csv"
    table.write_text("kind,noticed,day,code,seed\ntexts,1,d,c,7\ntexts,0,d,c,7\n", encoding="utf-8")
    left.write_text("seed,about,change,kind,reason\n7,a,[2 -> 3],harmless,weaker\n8,b,[1 -> 0],false,\n",
                    encoding="utf-8")
    monkeypatch.setattr(trust, "UNNOTICED", left)
    assert trust.of_planted(table)["of"]["texts"]["unnoticed"] == [
        {"about": "a", "change": "[2 -> 3]", "kind": "harmless", "reason": "weaker"}]
    table.write_text("kind,noticed,day,code,seed\nother,0,d,c,8\n", encoding="utf-8")
    assert [row["about"] for row in trust.of_planted(table)["of"]["other"]["unnoticed"]] == ["b"]
    table.write_text("kind,noticed,day,code,seed\ntexts,1,d,c,7\ntexts,0,d,c,7\n", encoding="utf-8")
    left.write_text(left.read_text(encoding="utf-8") + "7,c,[1 -> 0],false,unread\n", encoding="utf-8")
    with pytest.raises(ValueError, match="2 changes of seed 7, and 1 were not noticed"):
        trust.of_planted(table)


def test_other_kinds_are_added_and_the_same_errors_are_planted_again(trust):
    part = {"seed": 7, "planted": 3, "noticed": 1}
    before = {"day": "2026-11-26", "code": "a" * 12, "of": {"texts": part}}
    more = {"day": "2026-11-28", "code": "b" * 12, "of": {"steps": part}}
    both = trust.added(before, more)
    assert both == {"day": "2026-11-26 to 2026-11-28", "code": "unknown", "of": {"texts": part, "steps": part}}
    assert trust.added(both, before)["day"] == both["day"] and trust.added(before, before)["code"] == "a" * 12
    mended = {**more, "of": {"texts": part | {"noticed": 2}}}
    assert trust.again(before, mended)["of"] == {"texts": part | {"since": 2}}
    for other in ({"texts": part | {"seed": 8}}, {"texts": part | {"planted": 4}}, {"pages": part}):
        with pytest.raises(ValueError, match="was not recorded before"):
            trust.again(before, {**more, "of": other})


def test_every_part_has_its_maker_and_says_where_it_comes_from(trust, recorded):
    assert set(recorded) == set(trust.WAYS)
    for name, part in recorded.items():
        assert part["command"] == trust.COMMANDS[name]
        assert len(part["code"]) == 12 or (part["code"] == "unknown" and part["note"])  # what is not known is said
        assert {"python", "platform", "numpy"} <= set(part["environment"])


def test_the_counts_are_those_of_the_scripts_of_today(recorded):
    """A way that was added, renamed or dropped asks for a new record."""
    ways = {"try_file", "try_ledger", *(way.__name__ for way, _ in fuzz_arrays.WAYS)}
    names = {key.split(":")[0] for key in recorded["input"]["of"]["arrays"]["counts"]}
    assert names == ways and set(recorded["kills"]["of"]) == set(faults.WAYS)
    assert {key.split(":")[0] for key in recorded["input"]["of"]["files"]["counts"]} == {
        way.__name__ for way, _ in fuzz_files.WAYS}
    for part in (recorded["input"]["of"]["arrays"], recorded["input"]["of"]["files"]):
        tried = sum(count for key, count in part["counts"].items() if "slowest" not in key)
        assert tried + part["faults"] == part["tried"]


def test_forged_certificates_are_those_of_the_tests(recorded, monkeypatch):
    monkeypatch.syspath_prepend(str(rules.ROOT / "tests" / "certificates"))
    import test_forged

    assert recorded["forged"]["of"] == {
        name: {"tried": len(cases), "refused": len(cases)} for name, cases in (
            ("check_potential", test_forged.POTENTIAL), ("check_reachability", test_forged.REACHABILITY))}


def test_survivors_stand_in_the_code_and_have_reasons(recorded):
    parts = [recorded[name] for name in ("mutants", "programs", "strangers")]
    survivors = [row for part in parts for row in part["survivors"]]
    for part in parts:
        for group, counts in part["of"].items():
            missing = [row for row in part["survivors"] if row["group"] == group]
            assert counts["planted"] - counts["caught"] == len(missing)
    assert all(row["kind"] in trusted.WORDS and (rules.ROOT / row["file"]).is_file() for row in survivors)
    assert all(row["reason"] for row in survivors if row["kind"] != "unexplained")
    with (BENCHMARKS / "reasons.csv").open(encoding="utf-8", newline="") as stream:
        reasons = list(csv.DictReader(stream))
    assert all(row["kind"] in ("equal", "since killed", "open") and row["reason"] for row in reasons)
    assert {(row["file"], row["change"]) for row in reasons} <= {(row["file"], row["change"])
                                                              for row in survivors}


MADE = {
    "kills": {"of": {"verify": {"tried": 3, "faults": 0,
                                "counts": {"kills": 3, "with rows kept": 2, "runs to the end": 1}}}},
    "input": {"of": {"arrays": {"tried": 7, "faults": 1, "counts": {
        "try_x: refused": 3, "try_x: accepted": 1, "try_x: long run": 2, "try_x: slowest (ms of processor)": 9}},
                     "command lines": {"tried": 9, "faults": 0, "counts": {
        "status 0": 1, "status 1": 1, "status 2": 4, "status long run": 3,
        "slowest of status long run (ms of processor)": 8}}}},
    "mutants": {"of": {"theory": {"planted": 4, "caught": 2}}, "survivors": [
        {"group": "theory", "file": "derl/theory/a.py", "line": 3, "change": "x | y", "kind": "equal",
         "reason": "same"},
        {"group": "theory", "file": "derl/theory/b.py", "line": 4, "change": "c", "kind": "open", "reason": ""}]},
    "planted": {"of": {"texts": {"seed": 5, "planted": 8, "noticed": 7},
                       "weakened": {"seed": 6, "planted": 4, "noticed": 4, "since": 3}}},
    "programs": {"of": {"tools": {"planted": 2, "caught": 2}}, "survivors": []},
    "forged": {"of": {"check": {"tried": 7, "refused": 6}}},
    "pythons": {"of": {"3.13": [{"said": "tests/mdp pass", "statements": 0, "tests": 9}]}}}


def test_tables_say_what_was_counted():
    assert "| `verify` | 3 | 2 | 1 | 0 |" in trusted.kills(MADE).data
    assert "| arrays | 7 | 3 | 1 | 2 | 1 |" in trusted.inputs(MADE).data
    assert "| command lines | 9 | 4 | 2 | 3 | 0 |" in trusted.inputs(MADE).data
    assert "| theory | 4 | 2 | 50% | 1 | 0 | 1 | 67% |" in trusted.mutants(MADE).data
    assert trusted.survivors(MADE).data == (
        "<details open><summary>no test fails on it yet: 1</summary>\n\n- `theory/b.py:4`, `` c ``: \n\n"
        "</details>\n\n"
        "<details><summary>changes nothing that is claimed: 1</summary>\n\n- `theory/a.py:3`, `` x | y ``: same\n\n"
        "</details>")
    assert "| 5 | 8 | 7 (88%) |  |" in trusted.planted(MADE).data
    assert "| 6 | 4 | 4 (100%) | 3 (75%) |" in trusted.planted(MADE).data
    assert trusted.changed(MADE).data == ""
    row = {"about": "a", "change": "...[2 -> 3]...", "reason": "weaker"}
    left = [row | {"kind": kind} for kind in ("false", "harmless")]
    found = {"planted": {"of": {"texts": {"planted": 10, "noticed": 8, "unnoticed": left}}}}
    assert "Of the other 9, 8 were noticed (89%)." in trusted.changed(found).data
    assert "- harmless, `a`, `` ...[2 -> 3]... ``: weaker" in trusted.changed(found).data
    found = {"planted": {"of": {"table": {"planted": 10, "noticed": 8, "seed": 40, "unnoticed": left[:1] * 2}}}}
    assert "was planted 10 times. The stranger says" in trusted.changed(found).data
    assert "8 were noticed (80%)." in trusted.changed(found).data and "| chosen | 10 | 8 (80%) |" in \
        trusted.planted(found).data
    assert " pictures | 2 | 2 | 100% | 0 | 0 | 0 | 100% |" in trusted.mutants(MADE, "programs").data
    assert trusted.survivors(MADE, "programs").data == ""
    assert "| 3.13 |  | 9 | tests/mdp pass |" in trusted.pythons(MADE).data
    assert "| `check.py` | 7 | 6 |" in trusted.forged(MADE).data


def test_drawn_mutants_are_small_false_looking_and_fit_the_code(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import mutants
    import mutants_random

    for group in mutants_random.GROUPS:
        drawn = mutants_random.draw(rules.ROOT, group, 6, seed=3)
        assert len(drawn) == 6 and drawn == mutants_random.draw(rules.ROOT, group, 6, seed=3)
        for mutant in drawn:
            text, _ = mutants.changed(rules.ROOT, mutant)
            ast.parse(text)
            assert mutant.group == group
    silent = ast.parse("import a\nassert 1 < 2\ndef f(x: 'int' = 3) -> 4:\n    raise E(f'{1 + 1}')\n")
    assert [words for *_, words in mutants_random.places(silent, False)] == ["another number"]
