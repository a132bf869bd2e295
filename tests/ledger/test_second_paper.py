"""The judge knows nothing of the paper: four statements of another field, from claims.yml to a rendered page."""

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import second_paper
import sympy
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

import derl
from derl import claims
from derl.judge import proofs
from derl.judge.proofs import problems
from derl.ledger import InvalidClaims, Ledger, provenance, verify
from derl.ledger.errata import errata
from derl.ledger.statements import parse

PAPER = second_paper.PAPER
WORDS = {"lem-odd-numbers": "proved", "lem-multiples": "proved", "thm-euler-primes": "repaired",
         "res-euler-primes": "enumerated"}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    path = tmp_path_factory.mktemp("second") / "ledger.json"
    verify(PAPER, tier="full", jobs=2).save(path)
    return Ledger.load(path)


def test_each_statement_gets_its_word(ledger):
    assert {key: row["verdict"] for key, row in ledger.claims.items()} == WORDS
    assert not ledger.surprises
    assert all(row["grounded"] for key, row in ledger.claims.items() if key != "thm-euler-primes")


def test_every_planted_falsehood_is_rejected(ledger):
    checks = [check for row in ledger.claims.values() for check in row["checks"]]
    assert [c["control"]["outcome"] for c in checks] == ["rejected"] * 4


def test_the_written_proof_names_every_computed_step(ledger):
    statement = PAPER.statements["lem-odd-numbers"]
    assert problems(statement.proof, ledger.claims["lem-odd-numbers"]["checks"]) == []
    assert problems(statement.proof[:1], ledger.claims["lem-odd-numbers"]["checks"]) == [
        "no step names one_more_odd_number#next"]


def test_the_erratum_has_a_check_on_either_side(ledger):
    (erratum,) = errata(PAPER, ledger.claims)
    assert erratum.fails_on_printed == ("forty_gives_a_square",)
    assert erratum.passes_on_corrected == ("forty_primes", "forty_gives_a_square")


def test_a_ledger_depends_on_the_code_that_judges_and_on_that_of_the_paper(ledger):
    assert PAPER.code == ("derl", "second_paper") and claims.PAPER.code == ("derl", "derl.claims")
    assert ledger.digest == provenance.digest(*PAPER.code) != provenance.digest("second_paper")


def test_a_ledger_names_the_version_and_the_libraries_of_its_paper(ledger, monkeypatch):
    assert (ledger.version, claims.PAPER.version) == ("", derl.__version__)
    assert ledger.environment.keys() == {"python", "platform"}
    monkeypatch.setattr(PAPER, "libraries", ("sympy", "no-such-library"))
    monkeypatch.setattr(second_paper, "__version__", "2.1", raising=False)
    found = verify(PAPER, ["res-euler-primes"])
    assert found.version == "2.1"
    assert (found.environment["sympy"], found.environment["no-such-library"]) == (sympy.__version__, "absent")


def built(ledger, folder):
    """The page of the second paper as HTML, made by the extensions of the book."""
    source = folder / "source"
    source.mkdir()
    shutil.copy(Path(second_paper.__file__).with_name("page.md"), source / "index.md")
    ledger.save(source / "ledger.json")
    settings = {"extensions": ["myst_parser", "claims_domain"], "claims_paper": "second_paper",
                "claims_ledger": "ledger.json", "myst_enable_extensions": ["dollarmath"], "html_theme": "basic",
                "suppress_warnings": ["config.cache"]}
    warnings = io.StringIO()
    with patch_docutils(), docutils_namespace():
        Sphinx(source, None, folder / "html", folder / "trees", "html", settings, status=io.StringIO(),
               warning=warnings, freshenv=True).build()
    assert not warnings.getvalue()
    return BeautifulSoup((folder / "html" / "index.html").read_text(encoding="utf-8"), "html.parser")


def test_the_page_shows_statement_and_verdict(ledger, tmp_path):
    page = built(ledger, tmp_path)
    for key, word in WORDS.items():
        assert word in page.find(id=key).get_text()
    assert "derl" not in page.find(class_="body").get_text()


def test_the_proof_stands_on_the_page_with_what_carries_each_step(ledger, tmp_path):
    page = built(ledger, tmp_path)
    items = page.find(class_="claim-proof").find_all("li")
    assert [item["id"] for item in items] == ["lem-odd-numbers-step-1", "lem-odd-numbers-step-2"]
    assert "(next); read by eye: induction" in items[1].get_text()


def test_what_is_false_has_no_proof_but_a_reason(ledger, tmp_path):
    page = built(ledger, tmp_path)
    titles = {key: page.find(id=key).find_next(class_="claim-proof").summary.get_text() for key in WORDS
              if PAPER.statements[key].proof}
    assert titles == {"lem-odd-numbers": "Proof, 2 steps", "lem-multiples": "Proof, 2 steps",
                      "thm-euler-primes": "Why it fails, 1 step"}


def test_a_theorem_of_another_field_is_quoted_with_what_it_says(ledger, tmp_path):
    (quoted,) = built(ledger, tmp_path).find(id="lem-multiples-step-2").find_all("abbr")
    assert (quoted.get_text(), quoted["title"]) == ("euclid", PAPER.quotations["euclid"])


def test_a_proof_that_quotes_what_the_paper_does_not_list_is_refused_in_one_line(monkeypatch):
    text = PAPER.files[""].read_text(encoding="utf-8")
    assert parse(text, PAPER.quotations)["lem-multiples"].proof[1].quote == ("euclid",)
    for known, allowed in (({"fermat": "a^p = a modulo p"}, "fermat"), ({}, "none, the paper lists no `quotations`")):
        monkeypatch.setattr(PAPER, "quotations", known)
        monkeypatch.delitem(PAPER.__dict__, "statements", raising=False)
        with pytest.raises(InvalidClaims) as refused:
            PAPER.statements  # noqa: B018
        assert str(refused.value) == ("claims.yml: lem-multiples: step 2 of the proof: quote 'euclid' is not allowed; "
                                      f"allowed are {allowed}")


def test_a_page_refuses_the_ledger_of_other_code(ledger, tmp_path):
    with pytest.raises(SphinxError, match="written by other code"):
        built(replace(ledger, digest="0" * 64), tmp_path)


@pytest.mark.parametrize("step, said", [
    ("only text", "says nothing"), (7, "says nothing"), ({}, "says nothing"), ({"say": 7}, "says nothing"),
    ({"say": "  ", "check": ["one"]}, "says nothing"), ({"say": "x", "chek": ["one"]}, "unknown field chek"),
    ({"say": "x"}, "rests on nothing"), ({"say": "x", "quote": ["euler"]}, "euler")])
def test_a_broken_step_of_a_proof_is_named_in_one_line(step, said):
    good = {"say": "x", "joint": "definition"}
    assert proofs.read([good])[1] == ""
    found, problem = proofs.read([good, step])
    assert found == () and said in problem and "2" in problem and "\n" not in problem


@pytest.mark.parametrize("entry", ["only text", {"say": "x"}, [], None, 7])
def test_what_is_no_list_of_steps_is_no_proof(entry):
    assert proofs.read(entry) == ((), "a proof is a list of steps")
