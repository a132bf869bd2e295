"""The box "Checked in Coq" and the page of formal statements, from recordings and without Coq."""

import json
import re
from html import unescape

import pytest
from code_pages import recorded_goals, write

from derl.claims import PAPER, verify
from derl.judge.kernel import CONTROL

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


def test_the_box_shows_reading_axioms_omissions_and_where_the_text_is(built):
    page = plain(built.page("one"))
    assert "Checked in Coq: machine-checked" in page and "Checked in Coq: core machine-checked" in page
    control = PAPER.formal.control(WHOLE)
    for row in (WHOLE, CORE, control):
        address = f'_static/code/proofs/{row["file"].removesuffix(".v")}.html#L{row["line"]}'
        assert f'href="{address}"' in built.page("one")
    assert control["omits"].removeprefix(CONTROL) in page


def test_coq_text_has_pages_of_its_own(built):
    page = built.page("one")
    assert "highlight-text" not in page and re.sub(r"\s+", " ", WHOLE["statement"]) not in plain(page)
    assert "highlight-text" in built.page("formal")


def test_the_page_puts_claim_and_statement_side_by_side(built):
    page = built.page("formal")
    stated = [key for key in NEEDED if PAPER.formal.of(key)]
    assert page.count("formal-pair") == page.count("formal-coq") == len(stated) > 1
    assert re.sub(r"\s+", " ", WHOLE["statement"]) in plain(page)
    assert "admitted steps in them" in page and "mathcomp" in page
    for key, said in WHOLE["definitions"].items():
        _, *folders, name = key.split(".")
        (line,) = set(re.findall(rf'_static/code/proofs/{"/".join(folders)}\.html#L(\d+)"><span>'
                                 rf'{re.escape(name)}<', page))
        text = (PAPER.formal.proofs / f'{"/".join(folders)}.v').read_text(encoding="utf-8")
        assert said["source"].split()[:2] == text.splitlines()[int(line) - 1].split()[:2]


RECORDED = {"texts": ["n : nat", "n = n", "0 = 0"], "theorems": {"t": {"line": 2, "proof": [
    ["Theorem t : n = n.", [[0, 1]]], ["Proof.", None], ["move=> n.\nby [].", [[0, 1], [2]]], ["Qed.", []]]}}}


def test_goals_belong_to_the_line_on_which_their_sentence_ends():
    source = "(* t *)\nTheorem t : n = n.\nProof. (* a remark *)\nmove=> n.\nby [].\nQed.\n"
    found = recorded_goals(source, RECORDED)
    assert found == {"texts": RECORDED["texts"],
                     "sentences": [[5, "move=> n.\nby [].", [[0, 1], [2]]], [6, "Qed.", []]]}
    with pytest.raises(ValueError, match="t has a sentence that its source has not: move"):
        recorded_goals(source.replace("by [].", "done."), RECORDED)


def test_the_page_of_a_file_has_its_lines_and_finds_its_goals(tmp_path):
    (tmp_path / "proofs/part").mkdir(parents=True)
    (tmp_path / "proofs/recorded").mkdir()
    (tmp_path / "proofs/part/one.v").write_text("Theorem t : n = n.\nProof.\nmove=> n.\nby [].\nQed.\n")
    (tmp_path / "proofs/part/two.v").write_text("Check (1 <= 2).\n")
    (tmp_path / "proofs/recorded/part-one.json").write_text(json.dumps(
        RECORDED | {"theorems": {"t": RECORDED["theorems"]["t"] | {"line": 1}}}))
    write({"proofs/part/one.v", "proofs/part/two.v"}, tmp_path, tmp_path / "html/_static/code")
    made = tmp_path / "html/_static/code/proofs/part"
    one, two = ((made / f"{name}.html").read_text() for name in ("one", "two"))
    assert '<li id="L4">by [].' in one and '<li id="L1">Check (1 &lt;= 2).' in two and "goals" not in two
    goals = json.loads(re.search(r'id="goals">(.*?)</script>', one)[1])
    assert goals["sentences"][0] == [4, "move=> n.\nby [].", [[0, 1], [2]]]
    assert re.findall(r'src="([^"]*)"', one) == ["../../../code.js"]
