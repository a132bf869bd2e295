"""The graph of statements: depth, rings, links, and that every statement and every use is drawn."""

import re

import pytest

from derl.claims import ledger, statements
from derl.show import dependency_graph as dg

PROVED = {key: {"verdict": "proved"} for key in statements.load()}


@pytest.fixture(scope="module")
def graph():
    return dg.nodes(PROVED)


def test_every_statement_stands_deeper_than_what_it_uses(graph):
    assert set(graph) == set(statements.load())
    assert all(node.depth > graph[other].depth for node in graph.values() for other in node.uses)
    assert all(node.depth == 0 for node in graph.values() if not node.uses)


def test_a_weak_link_takes_the_ring_from_all_that_rest_on_it(graph):
    assert all(node.solid for node in graph.values())
    weak = "res-sharp-potential"
    spoilt = dg.nodes(PROVED | {weak: {"verdict": "tested"}})
    assert {key for key, node in spoilt.items() if not node.solid} == {
        key for key in graph if key == weak or weak in ledger.footprint(key)}


def test_a_definition_that_only_runs_takes_no_ring_from_others():
    graph = dg.nodes(PROVED | {"asm-linear-mdp": {"verdict": "tested"}})
    assert graph["lem-overestimation-repaired"].solid and not graph["asm-linear-mdp"].solid


def test_statements_without_a_row_are_not_checked():
    assert {node.verdict for node in dg.nodes({}).values()} == {"not checked"}


def test_the_overview_draws_every_statement_and_every_use_once(graph):
    page = dg.overview(graph).data
    assert sorted(re.findall(r'class="mark [^"]*"', page)) and page.count('class="mark ') == len(graph)
    edges = re.findall(r'data-from="([^"]+)" data-to="([^"]+)"', page)
    wanted = {(key, other) for key, node in graph.items() for other in (*node.uses, *filter(None, [node.repair]))}
    assert set(edges) == wanted and len(edges) >= len(wanted)
    places = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="18"', page)
    assert len(set(places)) == len(graph)  # no mark lies on another


def test_links_lead_to_the_homes_of_the_statements(graph):
    page = dg.page_diagrams(graph).data
    homes = {f"../{s.page}.html#{key}" for key, s in statements.load().items()}
    assert set(re.findall(r'href="([^"]+)"', page)) == homes


def test_names_carry_no_formula_marks_and_are_escaped():
    node = dg.Node("a-b", "x < y & z", "p/q", "proved", (), (), None, 0, True)
    assert "x &lt; y &amp; z" in dg.page_diagram({"a-b": node}, "p/q")
    assert not re.search(r"[$\\{}]", "".join(n.name for n in dg.nodes({}).values()))


def test_a_missing_ledger_is_said(tmp_path):
    with pytest.raises(ledger.InvalidLedger, match="cannot read"):
        dg.latest_ledger(tmp_path)


def test_titles_come_from_the_pages_and_fall_back_to_the_path(tmp_path):
    (tmp_path / "book" / "part").mkdir(parents=True)
    (tmp_path / "book" / "part" / "one.md").write_text("---\n---\n\n# The title\n", encoding="utf-8")
    assert dg.page_titles(["part/one", "part/two"], tmp_path) == {"part/one": "The title", "part/two": "part/two"}
