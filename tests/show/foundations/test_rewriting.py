"""The lab in which a statement is edited: what is refuted, what passes, what no check reads, and what is refused."""

import pytest

from derl.claims import PAPER
from derl.ledger.edited import changed, rewritten
from derl.show.drawing import InvalidChoice
from derl.show.foundations.rewriting import COLUMNS, READ, as_text, meant, offered, statement_view

ID = "res-sharp-potential"
TEXT = PAPER.text(ID)


def test_statements_of_every_kind_are_offered():
    assert len(offered()) > 100 and {"lem-trace-det", "ineq-tenth", ID} <= set(offered())
    assert len({PAPER.statements[claim].chapter for claim in offered()}) >= 8


@pytest.mark.parametrize("old, new, sign, answer", [
    (r"x^*\rfloor", r"x^*\rfloor-1", "✗", "A step of its proof is false"),
    ("c_K>1", "c_K>0", "✗", "A step of its proof is false"),
    ("c_K-1)}", "c_K+1)}", "✗", "A step of its proof"), (r"\rfloor .$$", r"\rfloor +7 .$$", "✗", "or weaker than"),
    ("Lemma 4.2", "Lemma 4.3", "≈", "No check reads"), ("(1+N", "(2+N", "≈", "No check can read")])
def test_an_edit_has_one_answer(old, new, sign, answer):
    assert TEXT.count(old) == 1
    view = statement_view(TEXT.replace(old, new))
    assert view.sentence.startswith(sign) and answer in view.sentence, view.sentence


@pytest.mark.parametrize("claim, old, new, answer", [
    ("ineq-tenth", r"\frac9{10}", r"\frac7{10}", "A step of its proof is false"),
    ("ineq-tenth", r"\frac9{10}", r"\frac{19}{20}", "weaker, or still true"),
    ("count-hard-instances", "(d-1)", "(d+1)", "is refuted")])
def test_statements_of_other_kinds(claim, old, new, answer):
    text = PAPER.text(claim)
    assert answer in statement_view(text.replace(old, new)).sentence


def test_the_printed_text_passes_and_the_same_checks_run_as_in_the_ledger():
    view = statement_view(TEXT)
    assert view.sentence.startswith("✓") and "formulas_of_the_sharp_lemma" in view.pictures[1]


@pytest.mark.parametrize("text, words", [("", "0 characters"), ("x" * 2000, "2000 characters"),
                                         ("one", "far from every statement")])
def test_a_text_that_is_no_statement_is_refused(text, words):
    with pytest.raises(InvalidChoice, match=words):
        statement_view(text)


def test_the_statement_is_recognised_with_any_one_character_missing():
    for claim in offered()[::12]:
        text = PAPER.text(claim)
        for at in range(0, len(text), 17):
            assert meant(text[:at] + text[at + 1:]) == claim


@pytest.mark.parametrize("old, new, piece", [("abc", "abc", "abc"), ("abc", "axc", "x"), ("abc", "ac", ""),
                                             ("abc", "abbc", "b"), ("aa", "aaa", "a"), ("", "x", "x"), ("x", "", "")])
def test_the_changed_piece(old, new, piece):
    start, end = changed(old, new)
    assert new[start:end] == piece
    assert old == new or old.startswith(new[:start]) and old.endswith(new[end:]) and start + len(new) - end <= len(old)


def test_the_picture_marks_what_is_read_and_only_that():
    """The sign of the bound is read; the number of the lemma that is named is no place."""
    figure = as_text(rewritten(PAPER, ID, TEXT), None, None)
    opacity = pytest.approx(int(READ["facecolor"][-2:], 16) / 255)
    boxes = {(patch.get_x(), int(patch.get_y())) for patch in figure.axes[0].patches
             if patch.get_facecolor()[3] == opacity}
    at = TEXT.index(r"\le\lfloor")
    assert (at % COLUMNS, at // COLUMNS) in boxes
    other = TEXT.index("4.2")
    assert (other % COLUMNS, other // COLUMNS) not in boxes
