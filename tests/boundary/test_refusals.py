"""Every refusal of derl is a `derl.boundary.Invalid`, and malformed arrays meet nothing else."""

import inspect
import pkgutil

import fuzz

import derl
from derl.boundary import Invalid


def test_malformed_arrays_policies_and_files(tmp_path):
    counts, faults = fuzz.arrays(1200, tmp_path, seed=1)
    assert not faults, faults[:5]
    ways = ("try_instance", "try_policy", "try_algorithm", "try_file", "try_ledger")
    assert all(counts[f"{way}: refused"] for way in ways)


def test_every_exception_that_says_invalid_is_one_of_ours():
    found = set()
    for module in pkgutil.walk_packages(derl.__path__, "derl."):
        if module.name.rpartition(".")[2] != "__main__" and not module.name.startswith("derl.claims."):
            members = inspect.getmembers(__import__(module.name, fromlist=["*"]), inspect.isclass)
            found |= {kind for _, kind in members if issubclass(kind, Exception) and kind.__module__[:5] == "derl."}
    ours = {kind for kind in found if kind.__name__.startswith("Invalid") or issubclass(kind, ValueError)}
    assert {kind.__name__ for kind in ours if not issubclass(kind, Invalid)} == set()
    assert {"ProtocolViolation", "UndefinedStep", "InvalidInstance", "InvalidLedger"} <= {
        kind.__name__ for kind in found if issubclass(kind, Invalid)}
