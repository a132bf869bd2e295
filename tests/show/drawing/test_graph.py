"""The graph of statements: depth, rings, links, and that every statement and every use is drawn."""

import re

import made_rows
import pytest

from derl.claims import PAPER
from derl.show.drawing import graph as dg

PROVED = {key: made_rows.statement() for key in PAPER.statements}
@pytest.fixture(scope="module")
def graph():
    return dg.nodes(PROVED)


def test_every_statement_stands_deeper_than_what_it_uses(graph):
    assert set(graph) == set(PAPER.statements)
    assert all(node.depth > graph[other].depth for node in graph.values() for other in node.uses)
    assert all(node.depth == 0 for node in graph.values() if not node.uses)


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
