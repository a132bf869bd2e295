"""The box "Checked in Coq" and the page of formal statements, from recordings and without Coq."""

import re
from html import unescape

import pytest
from kernel_box import after, joined

from derl.claims import PAPER, verify
from derl.ledger.kernel import CONTROL

WHOLE = next(row for row in PAPER.formal.index["theorems"] if PAPER.formal.whole(row) and row["definitions"])
CORE = next(row for row in PAPER.formal.index["theorems"]
            if row["claim"] and {other["scope"] for other in PAPER.formal.of(row["claim"])} == {"core"})
NEEDED = list(dict.fromkeys(key for top in (WHOLE["claim"], CORE["claim"])
                            for key in (top, *PAPER.statements[top].uses)))


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", html)))


@pytest.fixture(scope="module")
def ledger_text(tmp_path_factory):
    file = tmp_path_factory.mktemp("ledger") / "ledger.json"
    verify(NEEDED).save(file)
    return file.read_text(encoding="utf-8")


@pytest.fixture
def built(build, ledger_text):
    shown = "\n".join(f"```{{claim}} {row['claim']}\n```\n" for row in (WHOLE, CORE))
    return build({"one": f"# One\n\n{shown}", "formal": "# Formal\n\n```{formal-statements}\n```\n"}, ledger_text,
                 "derl.claims")


def test_the_box_shows_statement_axioms_omissions_and_proof(built):
    page = plain(built.page("one"))
    assert "Checked in Coq: machine-checked" in page and "Checked in Coq: core machine-checked" in page
    for row in (WHOLE, CORE):
        assert re.sub(r"\s+", " ", row["statement"]) in page
        assert f"proofs/{row['file']}:{row['line']}" in page
    control = PAPER.formal.control(WHOLE)
    assert re.sub(r"\s+", " ", control["statement"]) in page
    assert control["omits"].removeprefix(CONTROL) in page
    assert page.count("with the goals after each") >= 2 and "no goal left" in page
    assert page.count("MathComp, and the axioms named here") == 2 and "coqchk reads our compiled files again" in page


def test_the_statement_is_one_click_away_and_needs_no_script(built):
    box = built.page("one").partition('class="claim-kernel')[2].partition("</summary>")[2]
    assert box.index("<pre") < (box.index("<details") if "<details" in box else len(box))
    assert "<script" not in box.partition("</details>")[0] and " open" not in box.partition("<pre")[0]


def test_the_page_puts_claim_and_statement_side_by_side(built):
    page = built.page("formal")
    stated = [key for key in NEEDED if PAPER.formal.of(key)]
    assert page.count("formal-pair") == page.count("formal-coq") == len(stated) > 1
    assert re.sub(r"\s+", " ", WHOLE["statement"]) in plain(page)
    assert "admitted steps in them" in page and "mathcomp" in page


def test_bullets_stand_before_what_they_open():
    assert joined([["-", None], ["+", None], ["by [].", [[0]]], ["Qed.", None]]) == [
        ("- + by [].", [[0]]), ("Qed.", None)]
    assert after([[0, 1], [2]], ["n : nat", "n = n", "0 = 0"]).split("\n") == [
        "n : nat", "─" * 24, "n = n", "then: 0 = 0"]
    assert after([], []) == "no goal left"
