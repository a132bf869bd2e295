"""The graph of statements: depth, rings, links, and that every statement and every use is drawn."""

import re

import made_rows
import pytest

from derl.claims import PAPER
from derl.ledger import InvalidLedger
from derl.ledger.dependencies import Dependencies
from derl.ledger.statements import parse
from derl.show.drawing import graph as dg

PROVED = {key: made_rows.statement() for key in PAPER.statements}
ENTRY = "{}: {{kind: lemma, number: '1', label: '', line: 1, title: {}, statement: s, page: {}/q, expected: cited}}\n"


@pytest.fixture(scope="module")
def graph():
    return dg.nodes(PROVED)


def test_every_statement_stands_deeper_than_what_it_uses(graph):
    assert set(graph) == set(PAPER.statements)
    assert all(node.depth > graph[other].depth for node in graph.values() for other in node.uses)
    assert all(node.depth == 0 for node in graph.values() if not node.uses)


def test_rings_and_words_are_those_of_the_ledger(ledger):
    for key, node in dg.nodes(ledger.claims).items():
        assert (node.verdict, node.solid) == (ledger.claims[key]["verdict"], ledger.claims[key]["grounded"])


def test_statements_without_a_row_are_not_checked_and_have_no_ring():
    bare = dg.nodes({})
    assert {(node.verdict, node.solid) for node in bare.values()} == {("not checked", False)}
    assert not dg.nodes({"def-deployment": made_rows.statement(grounded=None)})["def-deployment"].solid


def test_another_paper_is_drawn_from_its_own_statements():
    class Other:
        statements = parse(ENTRY.format("lem-a", "A", "one") + ENTRY.format("lem-b", "B", "two").replace(
            "}", ", uses: {proof: [lem-a]}}"))
        dependencies = Dependencies({key: statement.uses for key, statement in statements.items()})

    graph = dg.nodes({"lem-a": made_rows.statement()}, Other)
    assert {key: (node.depth, node.page, node.verdict, node.solid) for key, node in graph.items()} == {
        "lem-a": (0, "one/q", "proved", True), "lem-b": (1, "two/q", "not checked", False)}
    assert dg.overview(graph).data.count('class="mark ') == 2


def test_the_overview_draws_every_statement_and_every_use_once(graph):
    page = dg.overview(graph).data
    assert sorted(re.findall(r'class="mark [^"]*"', page)) and page.count('class="mark ') == len(graph)
    edges = re.findall(r'data-from="([^"]+)" data-to="([^"]+)"', page)
    wanted = {(key, other) for key, node in graph.items() for other in (*node.uses, *filter(None, [node.repair]))}
    assert set(edges) == wanted and len(edges) >= len(wanted)
    places = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="18"', page)
    assert len(set(places)) == len(graph)  # no mark lies on another
    assert int(re.search(r'<svg [^>]*width="(\d+)"', page)[1]) <= 748  # as wide as the text of a page on a desk


def test_links_lead_to_the_homes_of_the_statements(graph):
    page = dg.page_diagrams(graph).data
    homes = {f"../{s.page}.html#{key}" for key, s in PAPER.statements.items()}
    assert set(re.findall(r'href="([^"]+)"', page)) == homes


def test_names_carry_no_formula_marks_and_are_escaped():
    node = dg.Node("a-b", "x < y & z", "p/q", "proved", (), (), None, 0, True)
    assert "x &lt; y &amp; z" in dg.page_diagram({"a-b": node}, "p/q")
    assert not re.search(r"[$\\{}]", "".join(n.name for n in dg.nodes({}).values()))


def test_a_missing_ledger_is_said(tmp_path):
    with pytest.raises(InvalidLedger, match="cannot read"):
        dg.latest_ledger(tmp_path)


def test_titles_come_from_the_pages_and_fall_back_to_the_path(tmp_path):
    (tmp_path / "book" / "part").mkdir(parents=True)
    (tmp_path / "book" / "part" / "one.md").write_text("---\n---\n\n# The title\n", encoding="utf-8")
    assert dg.page_titles(["part/one", "part/two"], tmp_path) == {"part/one": "The title", "part/two": "part/two"}
