"""Specifications and tables go through text and file and back; or they are refused at the door, in one line."""

import json

import generators
import yaml
from generators import outcome
from hypothesis import example, given, settings
from hypothesis import strategies as st

from derl.experiments import Spec, table
from derl.experiments.spec import canonical


@given(generators.parts_of_a_specification())
@settings(max_examples=1500, deadline=None)
def test_a_specification_that_is_let_in_is_the_same_as_text_and_as_tasks(parts):
    spec = outcome(lambda: Spec.of(**parts))
    if spec is None:
        return
    again = Spec.of(spec.study, cells=list(spec.cells), seeds={"first": spec.first, "count": spec.count,
                                                                "block": spec.block})
    assert again == spec and canonical(again.content) == canonical(spec.content)
    assert json.loads(canonical(spec.content)) == spec.content
    tasks = spec.tasks
    assert sum(task.count for task in tasks) <= spec.count * len(spec.cells)
    assert len({task.key for task in tasks}) == len(tasks)
    content = {key: value for key, value in spec.content.items() if key in ("study", "cells")}
    read = Spec.parse(yaml.safe_dump(content | {"seeds": {"first": spec.first, "count": spec.count,
                                                           "block": spec.block}}, allow_unicode=True))
    assert read == spec


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.one_of(
    st.integers(-9, 9), st.integers(-2**70, 2**70), st.floats(),
    st.sampled_from([10**30, 10**399, 2**63, 0.5, "x", "1"]), generators.plain_values()), min_size=1), max_size=4))
@example([{"a": 10**30}, {"a": 0.5}])
@example([{"a": 2**60 + 1}, {"a": 0.5}])
@settings(max_examples=600, deadline=None)
def test_a_table_holds_every_number_exactly(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("tables") / "table.parquet"
    if outcome(lambda: table.save(found, path, {"spec": 1})) is None:
        assert not path.exists()
        return
    again, about = table.load(path)
    assert about == {"spec": 1}
    for before, after in zip(found, again, strict=bool(again)):  # rows without any column leave nothing
        for name, value in after.items():
            given = before.get(name)
            if isinstance(value, str) and not isinstance(given, str):
                value = json.loads(value)
            assert value == given or json.dumps(value) == json.dumps(given, default=float), (name, given, value)
