"""The rooms of `derl.theory` open when they are entered, and every refusal in them is one of the project's own."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

from derl import algorithms, inputs, theory
from derl.claims import CHAPTERS


@pytest.mark.parametrize("name", theory.__all__)
def test_every_room_opens(name):
    assert getattr(theory, name).__name__ == f"derl.theory.{name}" and name in dir(theory)


def test_all_chapters_are_there_in_a_fresh_python():
    assert {*CHAPTERS, "constants"} == {*theory.__all__}
    code = f"from derl import theory; print([getattr(theory, name).__name__ for name in {theory.__all__}])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str([f"derl.theory.{name}" for name in theory.__all__])


def test_another_name_is_refused():
    with pytest.raises(AttributeError, match="cellar"):
        theory.cellar  # noqa: B018


def test_entering_brings_no_solver_along():
    code = ("import sys; from derl.theory import constants; constants.batch_size_layerwise(5, 5, .1, .1, 2);"
            "print([name for name in ('scipy.optimize', 'cvxpy') if name in sys.modules])")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("package", [theory, algorithms], ids=lambda package: package.__name__)
def test_every_refusal_is_an_invalid(package):
    classes = {cls for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
               for cls in vars(importlib.import_module(module.name)).values()
               if isinstance(cls, type) and cls.__name__.startswith("Invalid")
               and cls.__module__.startswith(package.__name__)}
    assert len(classes) >= 1 and all(issubclass(cls, inputs.Invalid) for cls in classes)
