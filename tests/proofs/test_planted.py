"""What must turn the ledger red, planted in a folder of proofs that Coq compiles and the recorder records."""

import subprocess

import pytest
import record
from coq_session import CoqError
from tiny import COQ, ROWS, STATEMENTS, TEXT, Planted, formal, judged, pairs

from derl.judge.kernel import NO_CONTROL, checks

pytestmark = [pytest.mark.slow,
              pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """The folder with nothing planted, and its index."""
    planted = Planted(tmp_path_factory.mktemp("proofs"))
    planted.write()
    return planted, planted.record()


def after(tmp_path, old, new, rows=ROWS):
    """The folder and the index after `old` has become `new`, compiled and recorded again."""
    assert old in TEXT
    planted = Planted(tmp_path)
    planted.write(TEXT.replace(old, new), rows)
    return planted, planted.record()


def test_what_is_whole_and_honest_is_machine_checked(honest):
    planted, index = honest
    assert judged(formal(planted.proofs, index)) == ("machine-checked", "none")
    first = index["theorems"][0]
    assert first["statement"] == "forall a b : nat, even a -> even b -> even (a + b)"
    assert list(first["definitions"].values()) == [
        {"source": "Definition even n := exists k, n = 2 * k.", "models": "n is even"}]
    assert first["axioms"] == [] and record.problems(planted.proofs, index) == []


def test_goals_are_recorded_after_each_sentence(honest):
    planted, _ = honest
    body = record.json.loads(record.recorded(planted.proofs, "tiny/even.v").read_text(encoding="utf-8"))
    proof, texts = body["theorems"]["lem_even_sum"]["proof"], body["texts"]
    assert [said for said, _ in proof] == ["Theorem lem_even_sum a b : even a -> even b -> even (a + b).", "Proof.",
                                          "intros [k ->] [l ->].", "exists (k + l).", "now rewrite double.", "Qed."]
    assert [texts[i] for i in proof[2][1][0]] == ["k, l : nat", "even (2 * k + 2 * l)"]
    assert [texts[i] for i in proof[3][1][0]] == ["k, l : nat", "2 * k + 2 * l = 2 * (k + l)"]
    assert proof[4][1] == [] and proof[5][1] is None


def test_recording_twice_gives_the_same_bytes(honest, tmp_path):
    planted, index = honest
    again = record.make(planted.proofs, tmp_path / "kernel.json", everything=True)
    assert again == index


@pytest.mark.parametrize("change", [lambda rows: rows[:1], lambda rows: rows[::-1]], ids=["taken away", "reordered"])
def test_recording_what_changed_gives_the_bytes_of_recording_all(tmp_path, change):
    """A row that leaves the table leaves the recording of its file, although no source has changed."""
    planted = Planted(tmp_path)
    planted.write()
    before, index = planted.record(), planted.root / "kernel.json"
    planted.write(rows=change(ROWS))
    path = record.recorded(planted.proofs, "tiny/even.v")
    assert f"{path.name} records other theorems of tiny/even.v than theorems.csv names" in \
        record.problems(planted.proofs, before)
    found = []
    for everything in False, True:
        made = record.make(planted.proofs, index, everything=everything)
        found.append((made, path.read_bytes(), index.read_bytes()))
    assert found[0] == found[1] and record.problems(planted.proofs, made) == []


def test_a_damaged_recording_is_made_again(tmp_path):
    planted = Planted(tmp_path)
    planted.write()
    index, path = planted.record(), record.recorded(planted.proofs, "tiny/even.v")
    whole = path.read_bytes()
    for damaged in whole[:len(whole) // 2], b"", b"{}\n":
        path.write_bytes(damaged)
        assert f"{path.name} is not the recording that the index speaks of" in record.problems(planted.proofs, index)
        assert record.make(planted.proofs, planted.root / "kernel.json") == index and path.read_bytes() == whole


@pytest.mark.parametrize("what, old, new", [
    ("Admitted", "now rewrite Nat.mul_add_distr_l. Qed.", "Admitted."),
    ("an axiom", "Lemma double a b : 2 * (a + b) = 2 * a + 2 * b.\nProof. now rewrite Nat.mul_add_distr_l. Qed.",
     "Axiom double : forall a b, 2 * (a + b) = 2 * a + 2 * b."),
    ("admit", "now exists 1.\nQed.", "admit.\nAdmitted."),
])
def test_something_unproved_is_red_although_it_was_compared(tmp_path, what, old, new):
    planted, index = after(tmp_path, old, new)
    word, why = judged(formal(planted.proofs, index))
    assert word == "failed" and "nothing in its files is unfinished" in why
    if what != "admit":
        assert "axioms are on the fixed list" in why and "double" in str(index["theorems"][0]["axioms"])
    assert record.problems(planted.proofs, index)


def test_a_changed_definition_is_stale_until_compared_again(honest, tmp_path):
    _, before = honest
    planted, index = after(tmp_path, "exists k, n = 2 * k", "exists k, n = (1 + 1) * k")
    with_old_eyes = formal(planted.proofs, index, pairs(before))
    assert index["theorems"][0]["statement"] == before["theorems"][0]["statement"]
    assert judged(with_old_eyes)[0] == "stale" and "last compared" in judged(with_old_eyes)[1]


def test_a_stale_recording_is_red(honest, tmp_path):
    _, index = honest
    planted = Planted(tmp_path)
    planted.write(TEXT.replace("[k ->] [l ->].", "[k ek] [l el]; subst."))
    word, why = judged(formal(planted.proofs, index))
    assert word == "failed" and "tiny/even.v has changed" in why
    assert record.problems(planted.proofs, index)[0] == "tiny/even.v has changed since it was recorded"
    planted.record()
    assert judged(formal(planted.proofs, record.make(planted.proofs, planted.root / "kernel.json")))[0] == \
        "machine-checked"


def test_a_theorem_weaker_than_its_claim_is_stale(honest, tmp_path):
    _, before = honest
    planted = Planted(tmp_path)
    planted.write(TEXT.replace("lem_even_sum a b : even a ->", "lem_even_sum a b : a <= b -> even a ->")
                  .replace("intros [k ->] [l ->].", "intros _ [k ->] [l ->]."))
    index = planted.record()
    assert index["theorems"][0]["axioms"] == []
    assert judged(formal(planted.proofs, index, pairs(before)))[0] == "stale"


def test_a_hypothesis_of_a_section_is_seen(honest, tmp_path):
    """It stands outside the theorem's own sentence; the kernel's statement has it in front."""
    _, before = honest
    planted = Planted(tmp_path)
    planted.write(TEXT.replace("Theorem lem_even_sum", "Section S.\nHypothesis small : 0 = 1.\nTheorem lem_even_sum")
                  .replace("exists (k + l).\n  now rewrite double.\nQed.",
                           "exists (k + l); pose proof small.\n  now rewrite double.\nQed.\nEnd S."))
    index = planted.record()
    assert index["theorems"][0]["statement"].startswith("0 = 1 ->")
    assert judged(formal(planted.proofs, index, pairs(before)))[0] == "stale"


def test_a_changed_claim_is_stale_until_compared_again(honest):
    planted, index = honest
    changed = {key: type(s)(**(vars(s) | {"statement": "The sum of two numbers is even."}))
               for key, s in STATEMENTS.items()}
    assert judged(formal(planted.proofs, index, pairs(index)), changed)[0] == "stale"


def test_a_swapped_or_changed_control_is_stale_until_compared_again(honest, tmp_path):
    """A theorem that refutes something else is not the near variant that somebody has read."""
    _, before = honest
    other = TEXT + "\n(* control: nothing near *)\nTheorem one_odd : ~ even 1.\nProof. intros [k e]; lia. Qed.\n"
    changed = TEXT.replace("~ (forall a b,", "~ (forall a b : nat, a = a ->").replace("(h 1 1)", "(h 1 1 eq_refl)")
    for text, rows in ((other, [(*ROWS[0][:5], "one_odd", ROWS[0][6]), ("one_odd", *ROWS[1][1:])]), (changed, ROWS)):
        planted = Planted(tmp_path)
        planted.write(text, rows)
        index = planted.record()
        assert index["theorems"][0]["statement"] == before["theorems"][0]["statement"]
        assert judged(formal(planted.proofs, index))[0] == "machine-checked"
        word, why = judged(formal(planted.proofs, index, pairs(before)))
        assert word == "stale" and "last compared" in why


def test_without_a_control_it_is_no_more_than_a_core(tmp_path):
    planted, index = after(tmp_path, "(* Even numbers. *)", "", [(*ROWS[0][:5], "", ROWS[0][6]), ROWS[1]])
    word, _ = judged(formal(planted.proofs, index))
    assert word == "tested" and checks(formal(planted.proofs, index), STATEMENTS)[0].gap == NO_CONTROL


def test_a_control_that_is_not_proved_rejects_nothing(honest):
    planted, index = honest
    index = index | {"theorems": [index["theorems"][0], index["theorems"][1] | {"axioms": ["by_fiat"]}]}
    assert judged(formal(planted.proofs, index))[0] == "failed"


@pytest.mark.parametrize("rows, complaint", [
    ([("nobody", *ROWS[0][1:]), ROWS[1]], "does not state nobody"),
    ([ROWS[0], ROWS[0]], "twice"),
    ([(*ROWS[0][:3], "most", *ROWS[0][4:])], "scope is 'most'"),
    ([("lem_even_sum", "tiny/odd.v", *ROWS[0][2:])], "_CoqProject does not"),
])
def test_a_bad_table_is_one_line(honest, tmp_path, rows, complaint):
    planted = Planted(tmp_path)
    planted.write(rows=rows)
    subprocess.run(["coqc", "-Q", ".", "derl", "tiny/even.v"], cwd=planted.proofs, check=True, capture_output=True)
    with pytest.raises(CoqError, match=complaint):
        record.make(planted.proofs, planted.root / "kernel.json")
