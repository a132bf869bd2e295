"""The examples in the docstrings of the public names run, and what they print is what stands there."""

import doctest
import re
from importlib import import_module

import pytest
from rules import ROOT

MODULES = sorted({name for page in (ROOT / "book" / "back" / "api").glob("*.md")
                  for name in re.findall(r"automodule:: ([\w.]+)", page.read_text(encoding="utf-8"))})


def examples(module: str) -> dict[str, doctest.DocTest]:
    """Public name -> its examples, for the names that have any."""
    room = import_module(module)
    public = getattr(room, "__all__", [name for name in vars(room) if not name.startswith("_")])
    found = {test.name: test for test in doctest.DocTestFinder(recurse=False).find(room, f"{module}.front")
             if test.examples}
    for name in public:
        thing = getattr(room, name)
        if callable(thing) and getattr(thing, "__module__", "").startswith("derl"):
            tests = doctest.DocTestFinder(recurse=False).find(thing, f"{module}.{name}", globs={})
            found |= {test.name: test for test in tests if test.examples}
    return found


ALL = {name: test for module in MODULES for name, test in examples(module).items()}


def failures(test: doctest.DocTest) -> int:
    return doctest.DocTestRunner(verbose=False).run(test, out=lambda line: None).failed


@pytest.mark.parametrize("name", ALL)
def test_an_example_says_what_happens(name):
    assert failures(ALL[name]) == 0


def test_every_room_has_examples():
    assert len(MODULES) > 8 and len(ALL) >= 25
    assert [module for module in MODULES if not any(name.startswith(f"{module}.") for name in ALL)] == []
