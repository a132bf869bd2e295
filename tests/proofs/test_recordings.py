"""The recordings are of the sources, every pair of claim and theorem was compared, and the table keeps its promises."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
import record
import stored_cones
from coq_source import STATED as THEOREM
from coq_source import Source, definitions, sentences, unfinished
from tiny import COQ, formal, judged

from derl.claims import PAPER
from derl.judge.kernel import ADMISSIBLE, CONTROL, pair_digest
from derl.judge.proofs import problems

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
INDEX = record.unpacked((ROOT / record.INDEX).read_text(encoding="utf-8"))
ROWS = INDEX["theorems"]
STATED = [row for row in ROWS if row["claim"]]
LARGEST = 6_000_000  # bytes of all recordings


def test_the_recordings_are_of_the_sources():
    assert record.problems(PROOFS, INDEX) == []


def test_every_pair_of_claim_and_theorem_was_compared_as_it_is():
    now = {theorem.key: pair_digest(PAPER.statements[theorem.claim].statement, theorem, PAPER.formal.control(theorem))
           for theorem in PAPER.formal.index.theorems if theorem.claim}
    assert {key: PAPER.formal.reviewed.get(key) for key in now} == now, "derl accept"
    assert PAPER.formal.reviewed.keys() == now.keys()


def test_the_certificates_with_cones_are_the_stored_ones():
    assert (PROOFS / "reachability" / "stored.v").read_text(encoding="utf-8") == stored_cones.source()


def test_no_theorem_shares_its_name_and_no_line_is_longer_than_in_python():
    """Outside of sections; 120 columns."""
    names = []
    for source in record.sources(PROOFS).values():
        depth = 0
        for said in map(source.say, range(len(source.spans))):
            depth += said.startswith("Section ") - said.startswith("End ")
            names += [match[1] for match in [THEOREM.match(said)] if match and not depth]
        assert max(map(len, source.text.splitlines())) <= 120, source.name
    assert [name for name, often in Counter(names).items() if often > 1] == []


def test_nothing_rests_on_another_axiom():
    assert {name for row in ROWS for name in row["axioms"]} <= ADMISSIBLE.keys()


def test_the_table_keeps_its_promises():
    by_name = {row["theorem"]: row for row in ROWS}
    for row in STATED:
        assert row["claim"] in PAPER.statements, row["theorem"]
        assert row["reading"], f"{row['theorem']} has no reading"
        assert (row["scope"] == "core") == bool(row["omits"]), row["theorem"]
        told = {"refuted": "refutes", "holds-with-repair": "refutes", "proof-fails": "breaks"}
        expected = told.get(PAPER.statements[row["claim"]].expected, "whole")
        assert row["scope"] in ("core", expected), f"{row['theorem']}: the scope is {expected} or core"
    for row in ROWS:
        if row["control"]:
            control = by_name[row["control"]]
            assert row["scope"] in ("refutes", "breaks") or control["scope"] == "refutes" or \
                control["omits"].startswith(CONTROL), row["theorem"]
        if not row["claim"]:
            assert row["omits"].startswith((CONTROL, "a tool: ")), row["theorem"]


def test_the_recordings_are_small():
    files = [*(PROOFS / "recorded").glob("*.json"), ROOT / record.INDEX]
    assert sum(path.stat().st_size for path in files) < LARGEST


def test_a_written_proof_beside_a_kernel_is_complete_too(ledger):
    for key, row in ledger.claims.items():
        if row["verdict"] == "machine-checked" and PAPER.statements[key].proof:
            assert problems(PAPER.statements[key].proof, row["checks"]) == [], key


def test_the_ledger_names_theorem_file_and_digest(ledger):
    for key, row in ledger.claims.items():
        read = [check["formal"] for check in row["checks"] if check["method"] == "kernel"]
        assert [entry["theorem"] for entry in read] == [r["theorem"] for r in STATED if r["claim"] == key], key
        assert bool(row["kernel"]) == bool(read), key
        for entry in read:
            assert (ROOT / entry["file"]).is_file() and len(entry["digest"]) == 64 and entry["omits"], key


# --- planted in copies, without Coq -------------------------------------------------------------------------------

WHOLE = next(row for row, theorem in zip(ROWS, PAPER.formal.index.theorems, strict=True)
             if theorem.claim and PAPER.formal.whole(theorem))


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(PROOFS, tmp_path / "proofs", ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*", "__pycache__"))
    return tmp_path / "proofs"


def of_whole(proofs, index=INDEX):
    return judged(formal(proofs, index, PAPER.formal.reviewed), PAPER.statements, WHOLE["claim"])


def test_the_copy_itself_is_green(copy):
    assert of_whole(copy)[0] == "machine-checked"
    assert of_whole(None)[0] == "machine-checked", "as installed, without sources"
    assert record.problems(copy, INDEX) == []


def test_a_source_changed_after_recording_is_red(copy):
    source = copy / WHOLE["file"]
    source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert of_whole(copy) == ("failed", of_whole(copy)[1]) and f"{WHOLE['file']} has changed" in of_whole(copy)[1]
    assert record.problems(copy, INDEX) == [f"{WHOLE['file']} has changed since it was recorded"]


def test_a_changed_file_below_is_red(copy):
    below = copy / INDEX["files"][WHOLE["file"]]["uses"][0]
    below.write_text(below.read_text(encoding="utf-8").replace("Definition psd", "Definition psd'", 1) + " ",
                     encoding="utf-8")
    assert of_whole(copy)[0] == "failed"


def test_admitted_in_a_source_is_seen_without_coq(copy):
    source = copy / WHOLE["file"]
    source.write_text(source.read_text(encoding="utf-8").replace("Qed.", "Admitted.", 1), encoding="utf-8")
    assert f"{WHOLE['file']}: Admitted" in record.problems(copy, INDEX)


def planted(**change):
    at = ROWS.index(WHOLE)
    return INDEX | {"theorems": [*ROWS[:at], WHOLE | change, *ROWS[at + 1:]]}


@pytest.mark.parametrize("change, word", [
    ({"statement": WHOLE["statement"].replace("forall ", "forall (extra : 0 = 1 :> nat) ", 1)}, "stale"),
    ({"axioms": ["some_lemma"]}, "failed"),
    ({"definitions": {name: entry | {"source": entry["source"] + " "} for name, entry in WHOLE["definitions"].items()}},
     "stale"),
])
def test_a_forged_index_is_noticed(change, word):
    assert of_whole(None, planted(**change))[0] == word


def test_the_other_goals_are_seen(copy):
    name = record.recorded(copy, WHOLE["file"])
    name.write_text(name.read_text(encoding="utf-8").replace("forall", "exists", 1), encoding="utf-8")
    assert record.problems(copy, INDEX) == [f"{name.name} is not the recording that the index speaks of"]


# --- reading Coq without Coq ----------------------------------------------------------------------------------------

def test_sentences_know_comments_strings_and_bullets():
    text = 'Lemma a : x = "e. f". (* no. (* deep. *) *)\nProof.\n- by move=> [a.b].\n{ by []. }\nQed.'
    assert [text[a:b] for a, b in sentences(text)] == [
        'Lemma a : x = "e. f".', "Proof.", "-", "by move=> [a.b].", "{", "by [].", "}", "Qed."]


@pytest.mark.parametrize("text, words", [
    ("(* Admitted *) Qed.", []), ("Proof. Admitted.", ["Admitted"]), ("Axiom a : 0 = 1.", ["Axiom"]),
    ("admit.", ["admit"]), ("Unset Guard Checking.", ["Unset Guard Checking"]), ("x_admitted", []),
])
def test_what_is_unfinished_is_seen_outside_comments(text, words):
    assert unfinished(text) == words


# --- with Coq -------------------------------------------------------------------------------------------------------

@pytest.mark.slow
@pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")
def test_everything_compiles_and_coq_still_says_what_was_recorded(proofs_built):
    """All files compile; of the two smallest with an axiom and without one the recordings are made again."""
    known = record.sources(PROOFS)
    for has_axioms in (True, False):
        files = {row["file"] for row in ROWS if bool(row["axioms"]) is has_axioms}
        name = min(files, key=lambda file: ((PROOFS / file).stat().st_size, file))
        wanted = list(dict.fromkeys(row["theorem"] for row in ROWS if row["file"] == name))
        body = record.record(PROOFS, known, Source(PROOFS, name), wanted)
        kept = json.loads(record.recorded(PROOFS, name).read_text(encoding="utf-8"))
        assert body == kept


def strays(rows) -> list[str]:
    """The theorems of which rows say another line, source or definition than the files."""
    known = record.sources(PROOFS)
    of_file = {source.name: source for source in known.values()}

    def read(row):
        source = of_file[row["file"]]
        theorem = source.theorems[row["theorem"]]
        return theorem.line, source.say(theorem.sentence), definitions(known, source, theorem.sentence)

    return [row["theorem"] for row in rows if (row["line"], row["source"], row["definitions"]) != read(row)]


@pytest.mark.slow
@pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")
def test_lines_sources_and_definitions_are_those_of_the_files(proofs_built):
    """Which names a statement speaks of, Coq has written down beside the compiled files."""
    assert strays(ROWS) == []
    name, said = next(iter(WHOLE["definitions"].items()))
    forged = [{"line": WHOLE["line"] + 1}, {"source": WHOLE["source"] + " "},
              {"definitions": WHOLE["definitions"] | {name: said | {"source": said["source"] + " "}}}]
    assert strays([WHOLE | change for change in forged]) == 3 * [WHOLE["theorem"]]
