"""Certificates of a reproduction: what confirms, what does not, what is no certificate."""

import copy
import json
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from derl.claims import PAPER
from derl.cli import main
from derl.ledger import reproduced

MADE = {"schema": 1, "commit": "0123456789ab", "environment": {"python": "3.11.7", "numpy": "2.4.6"},
        "steps": [{"name": "verify", "command": "make verify", "minutes": 1.5, "passed": True},
                  {"name": "book", "command": "make book", "minutes": 4, "passed": True}],
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
    (put("steps", 1, "passed", value=False), "NOT  the second did not pass: book"),
    (put("steps", value=[]), "NOT  the second did not pass: it has no steps"),
    (put("commit", value="0123456789ac"), "NOT  commit"), (put("commit", value="0123456789ab+"), "changed files"),
])
def test_what_must_be_the_same_and_is_not(tmp_path, yours, words):
    for pair in ((MADE, yours), (yours, MADE)):
        result = said(tmp_path, *pair)
        assert result.exit_code == 1 and "do NOT confirm each other" in result.stdout
    assert words in said(tmp_path, MADE, yours).stdout


def test_two_that_failed_alike_confirm_nothing():
    bad = put("steps", 1, "passed", value=False)
    assert not reproduced.compared(bad, bad)[1]
    changed = put("commit", value="0123456789ab+")
    assert not reproduced.compared(changed, changed)[1]


@pytest.mark.parametrize("body", [[], 5, {}, put("schema", value=2), put("steps", value={}), put("here", value=None),
                                  put("everywhere", value={}), put("everywhere", "sources", value=5),
                                  put("steps", 0, "minutes", value="x"), put("steps", 0, value="x"),
                                  put("more", value="x")])
def test_what_is_no_certificate_is_one_line(tmp_path, body):
    result = said(tmp_path, MADE, body)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and "yours.json" in result.stderr


def test_half_a_certificate_is_one_line(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(MADE)[:50], encoding="utf-8")
    result = CliRunner().invoke(main, ["compare", str(tmp_path / "x.json"), str(tmp_path / "absent.json")])
    assert result.exit_code == 2 and "is no whole JSON file" in result.stderr


def changed_claims(ledger, change):
    claims = json.loads(json.dumps(ledger.claims))
    change(claims["rem-feature-norm"])
    return replace(ledger, claims=claims)


def test_digests_of_a_ledger_see_words_and_numbers_apart():
    ledger = PAPER.verify(["rem-feature-norm"])
    slower = changed_claims(ledger, lambda row: row.update(seconds=99.0))
    other = changed_claims(ledger, lambda row: row["checks"][0].update(measured="9/7"))
    worse = changed_claims(ledger, lambda row: row["checks"][0]["controls"][0].update(outcome="accepted"))
    below = changed_claims(ledger, lambda row: row.update(verdict="tested"))
    words, numbers = reproduced.of_verdicts, reproduced.of_numbers
    assert words(slower) == words(ledger) == words(other) and numbers(slower) == numbers(ledger) != numbers(other)
    assert len({words(ledger), words(worse), words(below)}) == 3


def test_words_of_a_page_are_without_numbers_scripts_and_pictures():
    page = "<p>It took <b>5</b> s &amp; more</p><script>var x = 'no';</script><svg><text>no</text></svg>"
    assert reproduced.of_words(page) == reproduced.of_words("<p>It took 77.3 s and more</p>".replace("and ", ""))
    assert reproduced.of_words(page) != reproduced.of_words(page.replace("more", "less"))


def test_a_certificate_of_a_small_checkout(tmp_path, monkeypatch):
    """The script on a folder with a ledger and two pages: everything in it is seen by some digest."""
    import subprocess

    import reproduce

    monkeypatch.setattr(reproduce, "SOURCES", ("derl",))
    (tmp_path / "derl").mkdir()
    (tmp_path / "derl" / "x.py").write_text("1", encoding="utf-8")
    for words in (["init", "-q"], ["add", "derl"]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    PAPER.verify(["rem-feature-norm"]).save(tmp_path / "_build" / "ledger.json")
    html = tmp_path / "_build" / "html"
    html.mkdir()
    (html / "index.html").write_text("<p>one 1</p>", encoding="utf-8")
    (tmp_path / "_build" / ".html").touch()
    everywhere, here = reproduce.digests(tmp_path)
    assert {"sources", "recorded results", "formal statements", "verdicts, tier quick", "names of the pages"} == set(
        everywhere)
    assert set(here) == {"ledger without times", "words of index.html", "page index.html"}
    (tmp_path / "derl" / "x.py").write_text("2", encoding="utf-8")
    (html / "index.html").write_text("<p>one 2</p>", encoding="utf-8")
    again = reproduce.digests(tmp_path)
    assert {name for name in everywhere if everywhere[name] != again[0][name]} == {"sources"}
    assert {name for name in here if here[name] != again[1][name]} == {"page index.html"}
    assert "reproduce" in sys.modules
