"""Parts that derl can do without: each missing or broken one is one line with the extra that brings it."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from derl.exact import base
from derl.exact.base import Unavailable, installed, of_machine
from derl.inputs import Invalid
from derl.inputs.parts import EXTRAS, demand, part, wanting

# where the package is installed under another name
DISTRIBUTIONS = {"flint": "python-flint", "jupyter_book": "jupyter-book"}


def lacking(extras):
    """Packages that stand in the table with an extra that does not bring them."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {extra: " ".join(project["optional-dependencies"][extra]) for extra in extras.values()}
    return [name for name, extra in extras.items()
            if not re.search(rf"\b{DISTRIBUTIONS.get(name, name)}\b", wanted[extra])]


def test_the_extras_are_those_of_pyproject():
    assert lacking(EXTRAS) == []
    assert lacking(EXTRAS | {"cvxpy": "rigor"}) == ["cvxpy"]


@pytest.fixture
def hidden(monkeypatch):
    def hide(name, error=None):
        class Finder:
            def find_spec(self, found, path=None, target=None):
                if found.partition(".")[0] == name:
                    raise error or ModuleNotFoundError(f"No module named {name!r}", name=name)

        monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            monkeypatch.delitem(sys.modules, module)
    return hide


def test_a_missing_part_is_one_line_with_its_extra(hidden):
    assert installed("flint") and part("flint", "ball arithmetic").arb(1) == 1
    demand("ball arithmetic", "flint")
    hidden("flint")
    assert not installed("flint")
    line = "ball arithmetic needs flint (extra 'rigor' of derl), which is not installed: " \
           "pip install '.[rigor]' in the folder of derl's source"
    for ask in (lambda: part("flint", "ball arithmetic"), lambda: demand("ball arithmetic", "click", "flint")):
        with pytest.raises(Unavailable, match=f"^{re.escape(line)}$"):
            ask()


@pytest.mark.parametrize("error", [ImportError("libflint.so.20: cannot open\nshared object"), OSError("bad file"),
                                   ModuleNotFoundError("No module named 'other'", name="other"), RuntimeError("odd")])
def test_a_broken_part_is_one_line_with_what_its_import_says(hidden, error):
    hidden("flint", error)
    with pytest.raises(Unavailable) as caught:
        part("flint", "ball arithmetic")
    line = str(caught.value)
    assert "\n" not in line and f"cannot be imported ({type(error).__name__}: " in line and "'.[rigor]'" in line
    assert "not installed" not in line


def test_lack_of_memory_is_no_broken_part(hidden):
    hidden("flint", MemoryError())
    with pytest.raises(MemoryError):
        part("flint", "ball arithmetic")


def test_what_is_unavailable_refuses_no_instance():
    from derl import InvalidInstance, InvalidPolicy, ProtocolViolation

    assert issubclass(Unavailable, Invalid)
    assert not any(issubclass(Unavailable, kind) for kind in (InvalidInstance, InvalidPolicy, ProtocolViolation))


class Broken(Exception):
    """An error of a solver."""


Broken.__module__ = "clarabel.solver"


class Derived(Broken):
    """One of somebody else's that is derived from it."""


@pytest.mark.parametrize("error, of", [
    (MemoryError(), True), (ImportError(), True), (OSError(), True), (RecursionError(), True), (Broken(), True),
    (Derived(), True), (Unavailable("x"), True), (TypeError(), False), (ValueError(), False), (Invalid("x"), False),
    (ZeroDivisionError(), False), (AssertionError(), False)])
def test_which_errors_are_about_the_machine(error, of):
    assert of_machine(error) is of


def test_a_name_is_known_by_its_package():
    assert wanting("pyarrow.parquet") == wanting("pyarrow").replace("pyarrow.parquet", "pyarrow")
    assert set(base.TOOLS) - {"llvmlite"} <= EXTRAS.keys()
