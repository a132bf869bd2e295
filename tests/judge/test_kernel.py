"""Which theorems of the proof kernel speak of a statement, and in which order they are read."""

import json
from dataclasses import replace

import pytest

from derl.claims import PAPER
from derl.exact.base import digest
from derl.judge.kernel import IndexRow
from derl.ledger.recordings import Recorded, packed, unpacked
from derl.ledger.rows import Malformed


@pytest.fixture(scope="module")
def formal():
    return Recorded(PAPER.package)


def test_theorems_that_say_the_whole_come_before_those_that_say_the_core(formal):
    claims = {row.claim for row in formal.index.theorems if row.claim}
    scopes = {claim: [row.scope for row in formal.of(claim)] for claim in claims}
    assert any({"whole", "core"} <= set(found) for found in scopes.values())
    for claim, found in scopes.items():
        assert found == sorted(found, key="core".__eq__), claim
        assert {row.theorem for row in formal.of(claim)} == {
            row.theorem for row in formal.index.theorems if row.claim == claim}


def test_a_control_is_another_theorem_that_is_there(formal):
    theorems = formal.index.theorems
    assert all(formal.control(row) is None for row in theorems if not row.control)
    found = [(row, formal.control(row)) for row in theorems if row.control]
    assert found and all(other.theorem == row.control and other is not row for row, other in found)
    own = replace(theorems[0], theorem="x", control="x")
    alone = Recorded(PAPER.package)
    alone.index = IndexRow(versions={}, files={}, theorems=(own,))
    assert alone.control(own) is None


ROW = {"theorem": "t", "file": "a.v", "claim": "", "scope": "whole", "omits": "", "control": "", "reading": "",
       "line": 1, "source": "", "statement": "", "definitions": [], "axioms": []}
FILE = {"sha256": "", "uses": [], "unfinished": []}
GOOD = {"versions": {}, "files": {"a.v": FILE}, "definitions": {}, "theorems": [ROW]}


def recorded(folder, index="", reviewed=""):
    found = Recorded(PAPER.package)
    found.folder = folder
    (folder / "kernel.json").write_text(index, encoding="utf-8")
    (folder / "reviewed.csv").write_text(reviewed, encoding="utf-8")
    return found


@pytest.mark.parametrize("text, complaint", [
    ("{", "kernel.json is no JSON: "), ("[" * 100_000, "kernel.json is no JSON: "),
    ("5", "kernel.json is 5, not an object"),
    (json.dumps(GOOD | {"definitions": []}), "kernel.json needs an object `definitions` and a list `theorems`"),
    (json.dumps(GOOD | {"theorems": [5]}), "a theorem of kernel.json has no list of definitions: 5"),
    (json.dumps(GOOD | {"theorems": [ROW | {"definitions": ["n"]}]}),
     "the theorem t of kernel.json names the definition n, which is not among its definitions"),
    (json.dumps(GOOD | {"theorems": [ROW | {"file": "b.v"}]}), "the theorem t of kernel.json names the file 'b.v'"),
    (json.dumps(GOOD | {"files": {"a.v": FILE | {"uses": ["c.v"]}}}),
     "the file a.v of kernel.json names the file 'c.v'")])
def test_a_malformed_recording_is_one_line(tmp_path, text, complaint):
    assert recorded(tmp_path, json.dumps(GOOD)).index.theorems[0].theorem == "t"
    with pytest.raises(Malformed) as said:
        recorded(tmp_path, text).index  # noqa: B018
    assert complaint in str(said.value) and "\n" not in str(said.value)


def test_a_table_of_comparisons_has_its_columns(tmp_path):
    assert recorded(tmp_path, reviewed="file,theorem,claim,digest\na,b,c,d\n").reviewed == {("a", "b", "c"): "d"}
    with pytest.raises(Malformed, match="reviewed.csv has no column 'digest'"):
        recorded(tmp_path, reviewed="file,theorem,claim\n").reviewed  # noqa: B018


def test_a_recording_has_one_theorem_a_line_and_every_definition_once(tmp_path):
    said = {"source": "Definition n := 1.", "models": "one"}
    whole = {"versions": {"coq": "8"}, "files": {"a.v": FILE},
             "theorems": [ROW | {"definitions": {"n": said}}, ROW | {"theorem": "u", "definitions": {"n": said}}]}
    text = packed(whole)
    assert unpacked(text) == whole and text.count("Definition n") == 1
    assert [line[:14] for line in text.splitlines() if "theorem\"" in line] == ['{"theorem":"t"', '{"theorem":"u"']
    whole["theorems"][1]["definitions"] = {"n": said | {"models": "two"}}
    with pytest.raises(Malformed, match="two theorems use different definitions of n"):
        packed(whole)


def test_a_theorem_rests_on_the_files_that_its_file_uses(tmp_path):
    """What is unfinished, changed or gone in an imported file is seen at the theorem."""
    sources = {"a.v": b"imports b", "b.v": b"a lemma"}
    files = {name: FILE | {"sha256": digest(source)} for name, source in sources.items()}
    files["a.v"] |= {"uses": ["b.v"]}
    for name, source in sources.items():
        (tmp_path / name).write_bytes(source)
    found = recorded(tmp_path, json.dumps(GOOD | {"files": files}))
    found.proofs = tmp_path
    (row,) = found.index.theorems
    assert [good for _, good in found.sound(row)] == [True, True, True]
    (tmp_path / "b.v").write_bytes(b"another lemma")
    assert found.changed(row) == ["b.v"] and [good for _, good in found.sound(row)] == [True, False, True]
    (tmp_path / "b.v").unlink()
    assert found.changed(row) == ["b.v"]
    files["b.v"] |= {"unfinished": ["Admitted"]}
    found = recorded(tmp_path, json.dumps(GOOD | {"files": files}))
    assert found.unfinished(found.index.theorems[0]) == ["b.v: Admitted"]
    assert not found.sound(found.index.theorems[0])[0][1]


def test_one_admissible_axiom_does_not_excuse_another(formal):
    theorem = next(row for row in formal.index.theorems if row.axioms)
    assert dict(formal.sound(theorem))["its axioms are on the fixed list"]
    for axioms in ((*theorem.axioms, "lemma_admitted"), ("lemma_admitted",)):
        assert not dict(formal.sound(replace(theorem, axioms=axioms)))["its axioms are on the fixed list"]
