"""Specifications: what they mean, and what is refused in one line."""

import pytest

from derl.experiments import InvalidSpec, Spec

TEXT = """
study: run
fixed: {epsilon: 0.2, batch_size: 1e9}
grid:
  algorithm: [one, two]
cells:
  - {delta: 0.1}
  - {delta: 0.2, epsilon: 0.5}
seeds: {first: 10, count: 5, block: 2}
"""


def test_cells_and_blocks():
    spec = Spec.parse(TEXT)
    assert spec.cells == tuple({"epsilon": epsilon, "batch_size": 10**9, "algorithm": name, "delta": delta}
                               for name in ("one", "two") for delta, epsilon in ((0.1, 0.2), (0.2, 0.5)))
    assert [(task.first, task.count) for task in spec.tasks[:3]] == [(10, 2), (12, 2), (14, 1)]
    assert len({task.key for task in spec.tasks}) == 12 and Spec.parse(TEXT) == spec


def test_equal_tasks_are_one():
    assert len(Spec.of("run", grid={"algorithm": ["one", "one"]}).tasks) == 1


@pytest.mark.parametrize("text, complaint", [
    ("", "is empty or no mapping"), ("[1, 2]", "is empty or no mapping"), ("study: [", "not valid YAML"),
    ("study: run\nstudy: run", "the key 'study' stands twice"), ("study: run\nseed: 3", "unknown key 'seed'"),
    ("study: nonsense", "study is 'nonsense'; it must be a module"), ("study: ../run", "it must be a module"),
    ("fixed: {a: 1}", "study is None"), ("study: run\ngrid: {a: 1}", "grid: a is 1; it must be a list"),
    ("study: run\ngrid: {a: []}", "grid: a is []"), ("study: run\nfixed: {'A b': 1}", "must map names"),
    ("study: run\ncells: []", "cells must be a list"), ("study: run\nseeds: {count: 0}", "seeds: count is 0"),
    ("study: run\nseeds: {count: 2.5}", "seeds: count is 2.5"),
    ("study: run\nseeds: {first: -1}", "seeds: first is -1"),
    ("study: run\nfixed: {a: .inf}", "a is inf"), ("study: run\nfixed: {a: {b: 1}}", "a is {'b': 1}"),
    ("study: run\nfixed: {a: 2020-01-01}", "it must be a number"),
    ("study: run\nseeds: {count: 1e6, block: 1}", "has 1000000 tasks; at most 200000"),
    ("study: run\nfixed: {[1]: 2}", "not valid YAML"),
])
def test_what_is_refused(text, complaint):
    with pytest.raises(InvalidSpec) as refused:
        Spec.parse(text)
    assert complaint in str(refused.value) and "\n" not in str(refused.value)
