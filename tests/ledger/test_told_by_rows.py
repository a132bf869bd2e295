"""What the ledger says in words, from rows made by hand: readings, answers, phrases, numbers of lines, the dead."""

from dataclasses import replace
from fractions import Fraction as F
from types import SimpleNamespace

import made_rows
import mpmath
import pytest
import second_paper

from derl.judge.places import Reading, reading
from derl.judge.rows import FormalRow, VariantsRow
from derl.ledger import power, verify
from derl.ledger.edited import FALSE, SAID, Answer, Edited, _line, changed, edited
from derl.ledger.numbering import read, sections
from derl.ledger.paper import Paper
from derl.ledger.rows import PowerRow
from derl.ledger.saying import Unsayable, letters, number, shown_range, shown_value
from derl.ledger.statements import Statement
from derl.ledger.verification import by_kernel
from derl.printed import Range

PAPER = second_paper.PAPER
SOURCE = "First $a=12b+c$ is said, then $d\\le3$."


def planted(**outcomes):
    """A check that reads a=12b+c, with its planted changes: "start-end:new" -> word."""
    return replace(made_rows.check(), variants=VariantsRow(possible=9, outcomes=outcomes, read={"statement": "7-14"}))


def test_a_reading_counts_what_all_checks_say_and_the_strongest_word_counts():
    one = planted(**{"statement:9-11:13": "free", "statement:9-11:24": "rejected", "statement:12-13:-": "not run"})
    other = planted(**{"statement:9-11:13": "weaker", "statement:12-13:-": "refused", "corrected:0-1:7": "rejected",
                       "statement:13-14:a": "free"})
    found = reading(SOURCE, [one, other, made_rows.check()])
    assert found.outcomes == {(9, 11, "13"): "weaker", (9, 11, "24"): "rejected", (12, 13, "-"): "refused",
                              (13, 14, "a"): "free"}
    assert [found.count(each) for each in ("rejected", "refused", "weaker", "free", "not run")] == [1, 1, 1, 1, 0]
    assert (found.places, found.read, found.unread) == (7, 5, (r"d\le3",))
    assert found.free == ("...irst $a=12b+[c -> a]$ is said, t...",)
    assert str(found) == ("4 changes planted: 1 rejected, 1 refused, 1 weaker, 1 free; "
                          "checks read 5 of 7 places and evaluate 1 of 2 formulas")
    assert found.without_reason({}) == [r"d\le3"] and found.without_reason({"range": (r"d\le3",)}) == []
    assert str(Reading({}, 7, 0, (), ())) == "checks read 0 of 7 places and evaluate 0 of 0 formulas"


@pytest.mark.parametrize("told, verdict", [
    (["refuted", "other value"], "the edited statement is refuted"),
    (["still refuted"], "the edited statement is refuted"),
    (["other value", "false step"], "a check computes another value: "), (["false step", "not shown"], "a step of its"),
    (["not shown", "holds"], "the edited statement is not shown any more"),
    (["holds", "unreadable"], "the edited statement is weaker"),
    (["unreadable", "elsewhere"], "no check can read the edited statement"),
    (["elsewhere", "not run"], "no check reads this place"),
    (["not refuted"], "no check reads this place"), ([], "no check reads this place")])
def test_the_strongest_answer_decides_what_is_said_of_an_edit(told, verdict):
    made = Edited("text", tuple(Answer(f"check_{number}", each) for number, each in enumerate(told)))
    assert made.verdict.startswith(verdict)
    assert made.refuted == any(each in FALSE for each in told)


def test_an_answer_is_a_line_with_its_reason():
    assert str(Answer("sums", "other value", "3 != 4")) == "sums: not what the check computes (3 != 4)"
    assert str(Answer("sums", "holds")) == "sums: still holds" and {*FALSE} < {*SAID}


@pytest.mark.parametrize("old, new, piece", [
    ("abc", "abc", (0, 3)), ("abc", "abXc", (2, 3)), ("abc", "ac", (1, 1)), ("abc", "", (0, 0)), ("", "abc", (0, 3)),
    ("aaa", "aaaa", (3, 4)), ("aaaa", "aa", (2, 2)), ("abcd", "aXYd", (1, 3)), ("abc", "xbz", (0, 3))])
def test_the_changed_piece_is_the_shortest_outside_of_which_nothing_changed(old, new, piece):
    start, end = piece
    assert changed(old, new) == piece
    assert old == new or old.startswith(new[:start]) and old.endswith(new[end:] or "")


@pytest.mark.parametrize("entry, words", [
    ({"smallest": 0.001, "room": 1.5, "closest": "c: s", "control": 0.25, "flipped": 1, "asked": 2},
     "rejects a change of 1 part in 1000; its closest inequality has room for a factor 1.5; its closest planted number "
     "is off by 25 %; 3 steps: 1 made false by controls, 2 asked for the falsehood next to them"),
    ({"room": 1.0}, "its closest inequality has no room"), ({"room": 1.23456789}, "room for a factor 1.235"),
    ({"control": 0.0999}, "its closest planted number is off by 1 part in 10"),
    ({"bookkeeping": 1}, "1 step: 1 bookkeeping"),
    ({"control": 0.1}, "off by 10 %"), ({"unasked": 2, "asked": 1}, "3 steps: 1 asked for the falsehood next to them, "
                                                                  "2 with nothing tried"), ({}, "")])
def test_power_in_words(entry, words):
    nothing = {"flipped": 0, "asked": 0, "bookkeeping": 0, "unasked": 0, "smallest": None, "room": None,
    "closest": None,
               "control": None}
    assert power.phrase(PowerRow(**nothing | entry)).endswith(words) and power.phrase(None) == ""


@pytest.mark.parametrize("measured, claimed, miss", [("9", "3", 2.0), ("33/10", "3", 0.1), ("-1", "1", 2.0),
    ("3", "-6", 1.5),
                                                     ("1", "0", None)])
def test_a_control_is_off_by_a_part_of_what_is_claimed(measured, claimed, miss):
    row = made_rows.check(method="run", controls=[{"measured": measured, "claimed": claimed}])
    assert power.power([row]).control == miss
    assert power.power([replace(row, outcome="fail")]).control is None


def test_lines_and_labels_of_a_source():
    source = "\n".join([
        r"\newtheorem{theorem}{Theorem}[section]", r"\newtheorem{fact}[theorem]{Fact}", r"\section{A} % \section{B}",
        r"50\% \begin{fact}", r"\label{lem:one}", r"\end{fact}", r"\begin{table}", r"\label{table:t}", r"\end{table}",
        r"\begin{equation}", r"a", r"\end{equation}", r"\begin{algorithm}\label{alg:a}", r"\end{algorithm}",
        r"\section{C}", r"\begin{theorem} no label", r"\end{theorem}", r"\begin{figure}\label{sec:x}", r"\end{figure}",
        r"\begin{align}", r"a \\", r"b \label{eq:b} \\", r"c \notag", r"\end{align}", r"\subsection{D}",
        r"\subsection{E}"])
    assert read(source) == [
        ("lem:one", "fact", "1.1", 4), ("table:t", "table", "1", 7), ("line-11", "equation", "(1)", 11),
        ("alg:a", "algorithm", "1", 13), ("line-16", "theorem", "2.1", 16), ("line-18", "figure", "1", 18),
        ("line-21", "equation", "(2)", 21), ("eq:b", "equation", "(3)", 22)]
    assert sections(source) == [("1", 3), ("2", 15), ("2.1", 25), ("2.2", 26)]


@pytest.mark.parametrize("kind, number, line, name", [
    ("equation", "(7)", 3, "Equation (7)"), ("inequality", "(7)", 3, "Inequality (7)"),
    ("condition", "4", 3, "Condition (4)"),
    ("lemma", "C.3", 3, "Lemma C.3"), ("lemma", "", 781, "Line 781"), ("definition", "", 0, "Definition"),
    ("result", "", 0, "Result"), ("equation", "", 5, "Line 5")])
def test_how_a_statement_is_called(kind, number, line, name):
    made = Statement("x", kind, number, "", line, "T", "s", ("a", "b"), ("b", "c"), "p", "holds")
    assert (made.name, made.uses, made.own) == (name, ("a", "b", "c"), line == 0)


@pytest.mark.parametrize("line, place", [(0, ""), (4, "line 4"), (5, "Section 1, line 5"), (11, "Section 1.1, line 11"),
                                         (20, "Appendix A, line 20"), (99, "Appendix A, line 99")])
def test_the_place_of_a_statement_is_its_section(line, place):
    paper = Paper("second_paper")
    paper.__dict__["sections"] = (("1", 5), ("1.1", 10), ("A", 20))
    assert paper.place(SimpleNamespace(line=line)) == place


@pytest.mark.parametrize("range_, text", [
    (Range(2), "2 <= d"), (Range(1, whole=True), "1 <= d, whole"), (Range(0, 1, low_belongs=False), "0 < d <= 1"),
    (Range(top=F(1, 2), high_belongs=False), "d < 1/2"), (Range(), "d")])
def test_a_range_as_text(range_, text):
    assert shown_range("d", range_) == text


@pytest.mark.parametrize("found, text", [
    (F(10**15 - 1), "999999999999999"), (F(10**15), "1000000000000000 = about 1e+15"),
    (F(-(10**15)), "-1000000000000000 = about -1e+15"),
    (F(1, 8), "1/8 = about 0.125"), (F(10**70), "about 1e+70"), (F(10) ** 400, "about 1e+400"),
    (F(2) ** 10**6, "about 9.900656229e+301029"), (mpmath.iv.mpf([1, 2]), "no digit is certain: between 1.0 and 2.0")])
def test_a_value_for_a_reader(found, text):
    assert shown_value(found) == text


def test_letters_as_they_are_typed():
    assert letters(["d=3", "\\epsilon = 1/10", " x = 0.5"]) == {"d": 3, "epsilon": F(1, 10), "x": F(1, 2)}
    for wrong in (["d"], ["d=1", "d=2"]):
        with pytest.raises(Unsayable, match="is no letter=value, or gives a letter a second value"):
            letters(wrong)
    assert number("1e300", "d") == 10**300 and number("0." + "1" * 58, "d") > 0
    for typed in ("1e301", "1e-301", "0." + "1" * 59):
        with pytest.raises(Unsayable, match="d is '"):
            number(typed, "d")


@pytest.mark.parametrize("scopes, said", [
    (["core", "whole"], "machine-checked"), (["core", "breaks"], "failure of the proof machine-checked"),
    (["breaks", "refutes"], "refutation machine-checked"), (["core"], "core machine-checked"), ([], "")])
def test_how_much_a_kernel_has_checked(scopes, said):
    rows = [replace(made_rows.check(method="kernel"), formal=FormalRow(
        theorem="t", file="f", line=1, digest="", scope=scope, omits="", axioms=(), control="")) for scope in scopes]
    assert by_kernel([made_rows.check(), *rows]) == said
    assert by_kernel([replace(row, outcome="fail") for row in rows]) == ""


def test_progress_counts_up_to_the_checks_that_are_run():
    seen = []
    verify(PAPER, ["lem-odd-numbers"], progress=lambda *what: seen.append(what))
    (check,) = PAPER.register().of("lem-odd-numbers")
    assert seen == [(check.name, 1, 1)]
    seen.clear()
    verify(PAPER, progress=lambda *what: seen.append(what[1:]))
    assert seen == [(number, 4) for number in (1, 2, 3, 4)]


def test_a_row_has_as_many_fields_as_it_names():
    for row in (made_rows.check(), made_rows.statement(), made_rows.control()):
        assert len(row) == len(list(row)) == len(dict(row)) > 5


def test_the_reason_of_an_answer_is_a_line_of_at_most_three_hundred_signs():
    (answer,) = edited(PAPER, "lem-odd-numbers", "=n^2", r"=\|n\|").answers
    assert answer.word == "unreadable" and "n" in answer.detail and len(answer.detail) > 20
    assert len(_line(ValueError("a b\n" * 200))) == 300 and _line(ValueError(" a\n b ")) == "a b"
    inner = ValueError("outer")
    inner.__cause__ = KeyError("inner")
    assert _line(inner) == "'inner'"
