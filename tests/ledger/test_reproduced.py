"""Certificates of a reproduction: what confirms, what does not, what is no certificate."""

import copy
import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from derl.claims import PAPER
from derl.cli import main
from derl.ledger import reproduced, verify
from derl.ledger.rows import StatementRow, plain, read

MADE = {"schema": 1, "commit": "0123456789ab", "environment": {"python": "3.11.7", "numpy": "2.4.6"},
        "steps": [{"name": "verify", "command": "make verify", "minutes": 1.5, "passed": True},
                  {"name": "book", "command": "make book", "minutes": 4, "passed": True},
                  {"name": "test", "command": "make test", "minutes": 9, "passed": True}],
        "everywhere": {"sources": "a", "verdicts, tier full": "b"}, "here": {"ledger without times": "c"}}


def put(*path, value):
    body = copy.deepcopy(MADE)
    place = body
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return body


def compared(mine, yours):
    return reproduced.compared(read(reproduced.Certificate, mine), read(reproduced.Certificate, yours))


def said(tmp_path, mine, yours):
    for name, body in (("mine", mine), ("yours", yours)):
        (tmp_path / f"{name}.json").write_text(json.dumps(body), encoding="utf-8")
    return CliRunner().invoke(main, ["compare", str(tmp_path / "mine.json"), str(tmp_path / "yours.json")])


@pytest.mark.parametrize("yours", [MADE, put("here", "ledger without times", value="other"),
                                   put("environment", "numpy", value="2.1.0"), put("steps", 0, "minutes", value=90),
                                   put("here", "more", value="x")])
def test_times_versions_and_numbers_may_differ(tmp_path, yours):
    result = said(tmp_path, MADE, yours)
    assert result.exit_code == 0 and "confirm each other" in result.stdout and "NOT" not in result.stdout


@pytest.mark.parametrize(("yours", "words"), [
    (put("everywhere", "sources", value="x"), "NOT  sources differs"),
    (put("everywhere", "verdicts, tier full", value=None), "NOT  verdicts, tier full is in one of them only"),
    (put("steps", 1, "passed", value=False), "NOT  passed or there in the second: book"),
    (put("steps", value=[]), "NOT  passed or there in the second: verify, book, test"),
    (put("commit", value="unknown"), "NOT  commit"),
    (put("commit", value="0123456789ac"), "NOT  commit"), (put("commit", value="0123456789ab+"), "changed files"),
])
def test_what_must_be_the_same_and_is_not(tmp_path, yours, words):
    for pair in ((MADE, yours), (yours, MADE)):
        result = said(tmp_path, *pair)
        assert result.exit_code == 1 and "do NOT confirm each other" in result.stdout
    assert words in said(tmp_path, MADE, yours).stdout


def test_two_that_failed_alike_confirm_nothing():
    bad = put("steps", 1, "passed", value=False)
    assert not compared(bad, bad)[1]
    changed = put("commit", value="0123456789ab+")
    assert not compared(changed, changed)[1]


@pytest.mark.parametrize("little", [
    put("commit", value="unknown"), put("commit", value="none"), put("steps", value=MADE["steps"][:2]),
    put("everywhere", value={"sources": "a", "verdicts, tier quick": "b"})])
def test_two_that_say_little_confirm_nothing(little):
    assert compared(MADE, MADE)[1] and not compared(little, little)[1]


def test_a_step_that_only_one_has_is_named():
    proofs = {"name": "proofs", "command": "make proofs", "minutes": 6, "passed": True}
    more = put("steps", value=[*MADE["steps"], proofs])
    lines, good = compared(MADE, more)
    assert good and "     proofs was run in one of them only" in lines


@pytest.mark.parametrize("body", [[], 5, {}, put("schema", value=2), put("steps", value={}), put("here", value=None),
                                  put("everywhere", value={}), put("everywhere", "sources", value=5),
                                  put("steps", 0, "minutes", value="x"), put("steps", 0, value="x"),
                                  put("more", value="x"), put("steps", 0, "passed", value=1)])
def test_what_is_no_certificate_is_one_line(tmp_path, body):
    result = said(tmp_path, MADE, body)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and "yours.json" in result.stderr


def test_half_a_certificate_is_one_line(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(MADE)[:50], encoding="utf-8")
    result = CliRunner().invoke(main, ["compare", str(tmp_path / "x.json"), str(tmp_path / "absent.json")])
    assert result.exit_code == 2 and "is no whole JSON file" in result.stderr


def changed_claims(ledger, change):
    key = "rem-feature-norm"
    row = plain(ledger.claims[key])
    change(row)
    return replace(ledger, claims=ledger.claims | {key: read(StatementRow, row)})


def test_digests_of_a_ledger_see_words_and_numbers_apart():
    ledger = verify(PAPER, ["rem-feature-norm"])
    slower = changed_claims(ledger, lambda row: row.update(seconds=99.0))
    other = changed_claims(ledger, lambda row: row["checks"][0].update(measured="9/7"))
    worse = changed_claims(ledger, lambda row: row["checks"][0]["controls"][0].update(outcome="NOT REJECTED"))
    below = changed_claims(ledger, lambda row: row.update(verdict="tested"))
    words, numbers = reproduced.of_verdicts, reproduced.of_numbers
    assert words(slower) == words(ledger) == words(other) and numbers(slower) == numbers(ledger) != numbers(other)
    assert len({words(ledger), words(worse), words(below)}) == 3


def test_words_of_a_page_are_without_numbers_scripts_and_pictures():
    page = "<p>It took <b>5</b> s &amp; more</p><script>var x = 'no';</script><svg><text>no</text></svg>"
    assert reproduced.of_words(page) == reproduced.of_words("<p>It took 77.3 s and more</p>".replace("and ", ""))
    assert reproduced.of_words(page) != reproduced.of_words(page.replace("more", "less"))


def test_a_certificate_of_a_small_checkout(tmp_path):
    """The script on a folder with a ledger and two pages: everything in it is seen by some digest."""
    import subprocess

    import reproduce

    (tmp_path / "derl").mkdir()
    (tmp_path / "derl" / "x.py").write_text("1", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("_build\n", encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    assert len(reproduce.commit(tmp_path)) == 12
    verify(PAPER, ["rem-feature-norm"]).save(tmp_path / "_build" / "ledger.json")
    html = tmp_path / "_build" / "html"
    html.mkdir()
    (html / "index.html").write_text("<p>one 1</p>", encoding="utf-8")
    (tmp_path / "_build" / ".html").touch()
    build, here = reproduce.of_build(tmp_path)
    everywhere = reproduce.of_sources(tmp_path) | build
    assert {"sources", "recorded results", "formal statements", "verdicts, tier quick", "names of the pages"} == set(
        everywhere)
    assert set(here) == {"ledger without times", "words of index.html", "page index.html"}
    (tmp_path / "derl" / "x.py").write_text("2", encoding="utf-8")
    (html / "index.html").write_text("<p>one 2</p>", encoding="utf-8")
    assert reproduce.commit(tmp_path).endswith("+")
    build, there = reproduce.of_build(tmp_path)
    again = reproduce.of_sources(tmp_path) | build
    assert {name for name in everywhere if everywhere[name] != again[name]} == {"sources"}
    assert {name for name in here if here[name] != there[name]} == {"page index.html"}
    (tmp_path / "_build" / "ledger.json").write_text("{", encoding="utf-8")
    assert set(reproduce.of_build(tmp_path)[0]) == {"names of the pages"}


def test_without_git_nothing_is_begun(tmp_path):
    import reproduce

    with pytest.raises(SystemExit, match="is no checkout of git"):
        reproduce.commit(tmp_path)
