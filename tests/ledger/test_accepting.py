"""A statement whose words have changed is stale, and `derl accept` records that somebody has read them."""

import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from derl.cli import papers
from derl.cli.commands import main
from derl.judge.rows import CheckRow
from derl.judge.verdicts import carried, verdict
from derl.ledger import accepting, verify
from derl.ledger.accepting import marked
from derl.ledger.statements import InvalidClaims


@pytest.fixture
def primes(tmp_path, monkeypatch):
    """A function: a piece of claims.yml of a new paper is changed -> its row of the ledger, what the command said."""
    folder = tmp_path / "first_numbers"
    papers.begin(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = folder / "first_numbers" / "claims.yml"

    def forget():
        for name in [name for name in sys.modules if name.partition(".")[0] == "first_numbers"]:
            del sys.modules[name]

    def judged(old, new, answer=None):
        forget()
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")
        words = ["accept", "thm-odd-numbers", "--paper", str(folder)]
        said = answer and CliRunner().invoke(main, [*words, *answer.split()])
        forget()
        return verify(papers.of_folder(folder)).claims["thm-odd-numbers"], said
    yield judged
    forget()


def test_changed_words_are_stale_and_a_changed_formula_is_judged(primes):
    assert primes("$ for $", "$  for\n    $")[0].verdict == "enumerated"  # spaces and line ends
    assert primes("n^2", "n^3")[0].verdict == "failed"
    row, _ = primes("n^3", "n^2")
    assert row.verdict == "enumerated"
    row, _ = primes(" for", ", whenever")
    assert (row.verdict, row.as_expected) == ("stale", False)
    assert row.scope_gap == "nobody has compared its words, as they now are, with its checks"
    assert primes("n^2", "n^3")[0].verdict == "failed"


def test_accepting_records_the_words(primes):
    row, said = primes(" for", ", for every number", "--yes")
    assert said.exit_code == 0 and "recorded its words" in said.output and row.verdict == "enumerated"
    assert "for how many n the sum" in said.output.lower()
    assert "everything is as it was" in primes("title: Sum", "title: The sum", "--yes")[1].output


def test_accepting_two_statements_records_the_pairs_of_both(tmp_path, monkeypatch):
    place = tmp_path / "claims.yml"
    place.write_text("one:\n  statement: x\ntwo:\n  statement: y\n", encoding="utf-8")
    theorems = {key: SimpleNamespace(key=("f.v", key, key), claim=key) for key in ("one", "two")}
    formal = SimpleNamespace(reviewed={}, folder=tmp_path, index=SimpleNamespace(theorems=[*theorems.values()]),
                             of=lambda key: [theorems[key]])
    monkeypatch.setattr(accepting, "_pair", lambda paper, statement, theorem: "digest")
    for key in theorems:
        accepting.accept(SimpleNamespace(files={"": place}, formal=formal),
                         SimpleNamespace(id=key, chapter="", words="00000000"))
    recorded = (tmp_path / "reviewed.csv").read_text(encoding="utf-8").splitlines()
    assert recorded[1:] == ["f.v,one,one,digest", "f.v,two,two,digest"]


def test_nothing_is_recorded_without_an_answer(primes):
    row, said = primes(" for", ", whenever", " ")
    assert said.exit_code == 2 and row.verdict == "stale"


TEXT = """a-one:
  statement: |
    One.

    Two.

a-two:
  statement: short
  reviewed: "00000000"
  page: x
"""


def test_the_field_stands_after_the_statement_and_is_replaced():
    one = marked(TEXT, "a-one", "11111111")
    assert one == TEXT.replace("Two.\n", 'Two.\n  reviewed: "11111111"\n')
    assert marked(one, "a-one", "22222222") == one.replace("11111111", "22222222")
    assert marked(TEXT, "a-two", "33333333") == TEXT.replace("00000000", "33333333")
    with pytest.raises(InvalidClaims, match="a-three: add the line"):
        marked(TEXT, "a-three", "44444444")


def row(outcome, measured=None):
    return CheckRow(name="c", title="", method="symbolic", arithmetic="exact", covers="everything", gap="none",
                    tier="quick", refutes=False, file="", line=0, seconds=0.0, outcome=outcome, controls=(),
                    measured=measured)


def test_words_alone_never_make_a_statement_fail():
    assert verdict([row("fail")], reviewed=False)[0] == "stale"  # a check that cannot find its words
    assert verdict([row("fail", 1)], reviewed=False)[0] == "failed"  # a value differs
    assert verdict([row("fail")])[0] == "failed" and verdict([row("stale")])[0] == "stale"


def test_what_rests_on_the_stale_is_stale():
    assert carried("proved", "none", {"a": "stale"})[0] == "stale"
    assert carried("proved", "none", {"a": "stale", "b": "not checked"})[0] == "not checked"
    assert carried("proved", "none", {"a": "stale", "b": "failed"})[0] == "failed"
    assert carried("machine-checked", "none", {"a": "stale"})[0] == "machine-checked"
    assert verdict([row("pass")], repair="stale")[0] != "stale"
