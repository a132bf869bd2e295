"""Every superlative where a hurried reader looks is listed with the statement that carries it and its hypotheses."""

import pytest
from travelling import listed, pages, scope, travelling, unlisted

from derl.claims import PAPER

ELSE = ("description", "cited")  # how the book or a program works; a result of others, cited on the page


def amiss(row: dict, texts: dict[str, str], whole: dict[str, str]) -> str:
    """What is wrong with a row, in one line: nothing that it lists, or nothing on the page that carries it."""
    if not any(sentence.startswith(row["sentence"]) for sentence in travelling(texts.get(row["page"], ""))):
        return "no sentence that is looked at begins so"
    if row["statement"] in ELSE:
        return ""
    if row["statement"] not in PAPER.statements:
        return f"{row['statement']} is no statement"
    return "" if row["statement"] in whole[row["page"]] else f"the page does not name {row['statement']}"


def test_every_sentence_that_travels_is_listed():
    assert unlisted(pages(), listed()) == []


def test_every_row_is_about_a_sentence_of_its_page_which_names_the_statement_that_carries_it():
    rows, texts, whole = listed(), pages(), pages(everything=True)
    assert len(rows) > 50 and len({(row["page"], row["sentence"]) for row in rows}) == len(rows)
    assert {row["sentence"]: amiss(row, texts, whole) for row in rows if amiss(row, texts, whole)} == {}


@pytest.mark.parametrize("planted", [
    "This closes the gap.", "It is the best known bound.", "All constants are explicit.", "It holds for every $N$.",
    "This is the first to do so: it never fails.", "No one can do better.", "Nobody needs more.", "It is optimal.",
    "The game is solved.", "The bound is attained.", "Only if $N$ is large, it holds.", "It is exactly $dH$.",
])
def test_a_planted_superlative_is_seen_where_readers_look_and_only_there(planted):
    page = f"# Page\n\n## In plain words\n\n{planted}\n\n## Proof\n\nThat is not quoted, and never will be.\n"
    (found,) = unlisted({"book/a": scope(page, False)}, [])
    assert found == ("book/a", planted)
    assert unlisted({"book/a": scope(page, False)}, [{"page": "book/a", "sentence": planted[:12]}]) == []
    assert len(unlisted({"book/a": scope(page, True)}, [])) == 2


@pytest.mark.parametrize("innocent", ["An $\\epsilon$-optimal policy and a near-optimal plan.", "A G-optimal design.",
                                      "The first layer, and only then the second.", "Run `always.py`."])
def test_an_innocent_sentence_is_not_listed(innocent):
    assert travelling(f"## Recap\n\n{innocent}\n") == []


@pytest.mark.parametrize("row, complaint", [
    ({"sentence": "It is gone", "statement": "description"}, "no sentence"),
    ({"sentence": "It never", "statement": "lem-gone"}, "is no statement"),
    ({"sentence": "It never", "statement": "lem-trace-det"}, "does not name lem-trace-det"),
])
def test_a_broken_row_is_named(row, complaint):
    text = {"book/a": "It never fails.\n"}
    assert complaint in amiss({"page": "book/a"} | row, text, text)
    assert amiss({"page": "book/a", "sentence": "It never", "statement": "cited"}, text, text) == ""
