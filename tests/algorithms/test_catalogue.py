"""The one table has every algorithm that there is."""

import importlib
import inspect
import pkgutil

from derl import algorithms
from derl.algorithms.catalogue import CATALOGUE


def test_whatever_has_the_signature_of_an_algorithm_stands_in_the_table():
    """(deployer, epsilon, delta, ...) is that signature; helpers are handed a rule, or a dataset."""
    found = set()
    for module in pkgutil.walk_packages(algorithms.__path__, "derl.algorithms."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if inspect.isfunction(thing) and not name.startswith("_"):
                if list(inspect.signature(thing).parameters)[:3] == ["deployer", "epsilon", "delta"]:
                    found.add(thing)
    assert found == {entry.function for entry in CATALOGUE}
    assert len(CATALOGUE) == len({entry.name for entry in CATALOGUE})
