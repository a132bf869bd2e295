"""One graph, one walk: what is below, what is above, how deep, and no circles."""

import pytest

from derl.claims import PAPER
from derl.judge.dependencies import CircularProof, Dependencies

DIAMOND = Dependencies({"top": ["left", "right", "left"], "left": ["root"], "right": ["root"], "root": [],
                        "alone": ["elsewhere"]})


def test_below_above_and_depth():
    assert DIAMOND.below("top") == ("left", "right", "root") and DIAMOND.below("root") == ()
    assert DIAMOND.above("root") == ("top", "left", "right") and DIAMOND.above("top") == ()
    assert DIAMOND.depth == {"root": 0, "alone": 0, "left": 1, "right": 1, "top": 2}
    assert DIAMOND.uses["alone"] == () and DIAMOND.used_by["left"] == ("top",)


@pytest.mark.parametrize("uses, names", [({"a": ["a"]}, "a -> a"), ({"a": ["b"], "b": ["c"], "c": ["b"]}, "b -> c")])
def test_a_circle_is_refused_and_named(uses, names):
    with pytest.raises(CircularProof, match="rest on each other") as caught:
        Dependencies(uses)
    circle = str(caught.value).split(": ")[1].split(" -> ")
    assert circle[0] == circle[-1] and set(circle) == set(names.split(" -> "))
    assert all(then in uses[now] for now, then in zip(circle, circle[1:], strict=False))


def test_no_statement_of_the_paper_rests_on_itself():
    graph = PAPER.dependencies
    for key, statement in PAPER.statements.items():
        below = set()  # a walk of its own
        todo = list(statement.uses)
        while todo:
            other = todo.pop()
            if other not in below:
                below.add(other)
                todo += PAPER.statements[other].uses
        assert set(graph.below(key)) == below and key not in below
        assert all(key in graph.above(other) and graph.depth[other] < graph.depth[key] for other in below)
