"""Every refusal of derl is a `derl.inputs.Invalid`, and malformed arrays meet nothing else."""

import inspect
import pkgutil

import fuzz
import fuzz_arrays
import fuzz_files

import derl
from derl.inputs import Invalid


def test_malformed_arrays_policies_and_files(tmp_path, sized):
    counts, faults = fuzz.arrays(sized(1200, 20_000), tmp_path, seed=1)
    assert not faults, faults[:5]
    ways = ("try_file", "try_ledger", *(way.__name__ for way, _ in fuzz_arrays.WAYS))
    assert all(counts[f"{way}: refused"] for way in ways)


def test_damaged_files_of_every_kind(tmp_path, sized):
    counts, faults = fuzz.damaged_files(sized(150, 2000), tmp_path, seed=1)
    assert not faults, faults[:5]
    ways = {way.__name__ for way, _ in fuzz_files.WAYS} - {"damaged_journal"}  # that one costs rows, never a run
    assert all(counts[f"{way}: refused"] for way in ways) and counts["damaged_journal: accepted"]


def test_the_fuzzer_sees_what_is_wrong(tmp_path, monkeypatch):
    def foreign(rng, folder, whole):
        raise KeyError("planted")

    def untidy(rng, folder, whole):
        (folder / "x.part").touch()

    def chatty(rng, folder, whole):
        raise Invalid("two\nlines")

    monkeypatch.setattr(fuzz_files, "WAYS", [(foreign, 1), (untidy, 1), (chatty, 1)])
    _, faults = fuzz.damaged_files(30, tmp_path)
    assert {fault[0].split()[0] for fault in faults} == {"foreign", "x.part", "long"}


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
