"""claims.yml obeys its rules, and its numbers are those that LaTeX prints."""

import json
from dataclasses import replace

import pytest
import second_paper

from derl.claims import PAPER, find, load
from derl.judge.places import reading
from derl.judge.verdicts import EXPECTED
from derl.ledger import Paper, numbering
from derl.ledger.numbering import read, sections
from derl.ledger.statements import InvalidClaims, UnknownClaim, join, parse

ENTRY = """
lem-a:
  kind: lemma
  number: "1.1"
  label: lem:a
  line: 3
  title: A
  statement: text
  uses: {statement: [], proof: []}
  page: p/q
  expected: holds
  word: proved
"""


def test_every_number_is_in_the_table_of_what_latex_prints():
    places = {(kind, number): line for kind, number, line in PAPER.printed_numbers.values()}
    for statement in load().values():
        assert not statement.number or places[statement.kind, statement.number] == statement.line, statement.id


def test_a_wrong_number_would_be_caught():
    printed = PAPER.printed_numbers
    assert printed["lem:TraceDetLogDetLemma"] == ("lemma", "C.3", 854)
    assert printed["lem:TraceDetLogDetLemma"][1] != "C.4"


def test_results_of_the_book_have_neither_number_nor_line():
    assert all((s.number, s.line) == ("", 0) for s in load().values() if s.kind == "result")


@pytest.mark.parametrize("change, rule", [
    (("kind: lemma", "kind: lemming"), "kind"), (("expected: holds", "expected: maybe"), "expected"),
    (("word: proved", "word: refuted"), "word is 'refuted'"),
    (("word: proved", "word: sure"), "allowed are machine-checked, proved, certified, enumerated, tested"),
    (("  title: A\n", ""), "missing title"), (("proof: []", "proof: [lem-b]"), "unknown id 'lem-b'"),
    (("lem-a:", "Lem_A:"), "lower-case"), (("expected: holds", "expected: holds-with-repair"), "repair"),
    (('"1.1"', "1.1"), "text"), (("  title: A", "  titel: A\n  title: A"), "unknown field titel"),
    (("  title: A", "  title: A\n  title: B"), "twice"), (("statement: text", "statement: [text"), "not valid YAML"),
])
def test_a_broken_entry_is_named_in_one_line(change, rule):
    assert parse(ENTRY)["lem-a"].name == "Lemma 1.1"
    with pytest.raises(InvalidClaims, match=rule) as caught:
        parse(ENTRY.replace(*change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("added, line, rule", [
    ("  added: ''", "line: 3", "`added` is a text"), ("  added: [d]", "line: 3", "`added` is a text"),
    ("  added: d > 1", "line: 0", "which has a line"),
])
def test_what_is_added_is_a_text_about_a_statement_of_the_paper(added, line, rule):
    assert ENTRY.count("line: 3") == 1
    assert parse(f"{ENTRY.rstrip()}\n  added: d > 1\n")["lem-a"].added == "d > 1"
    with pytest.raises(InvalidClaims, match=rule):
        parse(f"{ENTRY.replace('line: 3', line).rstrip()}\n{added}\n")


def test_what_an_entry_leaves_out_has_its_default():
    short = ENTRY.replace("  label: lem:a\n  line: 3\n", "").replace("  expected: holds\n  word: proved\n", "")
    places = {("lemma", "1.1"): {"label": "lem:a", "line": 3}}
    assert join({"": short}, places=places) == parse(ENTRY)
    repaired = join({"": f"{short}  repair: res-b\n{ENTRY.replace('lem-a:', 'res-b:')}"})["lem-a"]
    assert (repaired.expected, repaired.word, repaired.line) == ("holds-with-repair", None, 0)


def test_an_entry_may_have_every_field():
    whole = ENTRY.replace("expected: holds\n  word: proved\n", "expected: holds-with-repair\n") + """
  repair: res-b
  erratum: {printed: x, corrected: y, reading: r, nearby: "no; searched for y", margin: m, becomes: b,
            as_printed: "false", under_reading: "true", changes: the statement, cause: c}
  proof:
    - say: It is seen at once.
      joint: instance
"""
    word = EXPECTED["holds-with-repair"][0]
    other = ENTRY.replace("lem-a:", "res-b:")
    entry = parse(f"{whole}  word: {word}\n{other}")["lem-a"]
    assert (entry.repair, entry.word, entry.fault, len(entry.proof)) == ("res-b", word, "false", 1)


def test_find_takes_ids_numbers_and_names():
    assert find("C.3") is find("lem-trace-det") is find("lemma c.3")
    with pytest.raises(UnknownClaim, match="did you mean lem-trace-det"):
        find("lem-trace-dte")


def test_a_number_that_two_statements_have_finds_neither():
    paper = Paper("second_paper")
    first, second, third = (replace(statement, number=number) for statement, number in zip(
        list(second_paper.PAPER.statements.values())[:3], ("1.1", "1.1", "1.2"), strict=True))
    paper.__dict__["statements"] = {statement.id: statement for statement in (first, second, third)}
    assert paper.find("1.2") is third and paper.find(first.id) is first
    with pytest.raises(UnknownClaim, match=f"ambiguous: {first.id}, {second.id}"):
        paper.find("1.1")


def test_a_name_that_is_like_no_other_is_answered_with_where_the_names_are():
    for paper, said in ((second_paper.PAPER, "there are lem-odd-numbers, "), (PAPER, "`derl show` lists them")):
        with pytest.raises(UnknownClaim, match=f"no statement has the id or number '9876543210'; {said}"):
            paper.find("9876543210")


def test_numbering_follows_latex():
    source = r"""
\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{claim}{Claim}
\section{One}
\newcommand{\lemmas}{\begin{lemma}\end{lemma}}
\begin{lemma}\label{lem:one} x \end{lemma}
% \begin{lemma}\label{lem:commented}\end{lemma}
\begin{align}
 a \notag\\
 b \label{eq:b}\\
 c \label{eq:c}
\end{align}
\begin{align*}
 d \numberthis\label{eq:d}
\end{align*}
\section*{Thanks}
\appendix
\section{First}
\begin{restatable}{theorem}{Name}[Title]\label{thm:main}
\end{restatable}
\Name*
\begin{claim}\label{claim:x}\end{claim}
"""
    rows = {label: (kind, number) for label, kind, number, _ in read(source)}
    assert rows == {"lem:one": ("lemma", "1.1"), "eq:b": ("equation", "(1)"), "eq:c": ("equation", "(2)"),
                    "eq:d": ("equation", "(3)"), "thm:main": ("theorem", "A.1"), "claim:x": ("claim", "1")}


def test_an_equation_may_begin_on_the_line_of_its_environment_and_end_there():
    source = r"""\begin{align} a \label{eq:a} \\
b \label{eq:b}
\end{align}
\begin{equation} x \label{eq:x} \end{equation}"""
    assert [(label, number, line) for label, _, number, line in read(source)] == [
        ("eq:a", "(1)", 1), ("eq:b", "(2)", 2), ("eq:x", "(3)", 4)]


@pytest.mark.parametrize("words, printed", [((), "label,kind,number,line\nlem:one,lemma,1.1,4\n"),
                                           (("sections",), "number,line\n1,3\n")])
def test_a_table_of_the_numbering_as_csv(tmp_path, monkeypatch, capsys, words, printed):
    file = tmp_path / "paper.tex"
    file.write_text("\\newtheorem{theorem}{Theorem}[section]\n\\newtheorem{lemma}[theorem]{Lemma}\n\\section{One}\n"
                    "\\begin{lemma}\\label{lem:one} x \\end{lemma}\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["numbering", str(file), *words])
    numbering.main()
    assert capsys.readouterr().out == printed


def test_sections_are_numbered_as_latex_does():
    source = ("\\section{A}\n\\subsection{B}\n\\section*{Thanks}\n\\subsection{C}\n"
              "\\appendix\n\\section{D}\n\\subsection{E}\n")
    assert sections(source) == [("1", 1), ("1.1", 2), ("1.2", 4), ("A", 6), ("A.1", 7)]


def test_a_formula_that_no_check_evaluates_is_one_of_the_statement():
    for key, statement in PAPER.statements.items():
        says = reading(statement.statement, ()).says
        assert [one for some in statement.unread.values() for one in some if one not in says] == [], key


@pytest.mark.parametrize("formula, says", [
    ("V_h^k(s,a)", False), (r"\bar\pi_{h,i+1}", False), (r"x\in\mathcal X", False), (r"\hat V_1", False),
    ("d^2", True), ("H-1", True), (r"d\ge2", True), (r"\epsilon\in(0,1)", True), (r"\frac1\epsilon", True),
    ("dH", True)])
def test_a_name_says_nothing(formula, says):
    assert bool(reading(f"Take ${formula}$.", ()).says) == says


@pytest.mark.parametrize("text", ["<script>x</script>", "a <img src=x onerror=y>", "</p>", "<!-- x -->", "<b>x</b>",
                                  "```{raw} html\nx\n```", "```{include} /etc/passwd\n```",
                                  "```{literalinclude} x\n```"])
def test_a_text_that_a_page_would_run_or_publish_is_refused(text):
    def entry(words):
        return ENTRY.replace("statement: text", f"statement: {json.dumps(words)}")

    with pytest.raises(InvalidClaims, match="texts hold no HTML"):
        parse(entry(f"For $t<h$ and $a<b\\le2$.\n\n{text}"))
    assert parse(entry("For $t<h$ and $a<b\\le2$."))
