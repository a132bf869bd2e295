"""A broken machine changes no verdict: each word is that of a sound machine, or "not checked" with a reason."""

import re

import pytest
from broken_machines import ALONE, MACHINES, NO_CACHE, SOUND, Machine, words, wrong

# a bound with a compiled kernel, ball arithmetic, a run of an algorithm, a refutation with its repair, a symbolic proof
FEW = ("lem-batched-potential", "res-safe-mixture", "def-deployment", "thm-arbitrary-formal", "lem-trace-det")

SOON = ("flint is broken",)  # machines of the quick tests
# the whole quick tier, which takes minutes: where nothing is kept, one process does all, and the processor is old
BARE = Machine(NO_CACHE | {"OPENBLAS_CORETYPE": "Prescott"}, code=ALONE)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return words(SOUND.run("verify", *FEW, folder=tmp_path_factory.mktemp("sound")))


def test_what_a_machine_must_not_say_is_seen():
    good, told = {"a": "proved", "b": "refuted", "c": "tested"}, "derl: a is not checked, expected holds: MemoryError"
    assert wrong(good, good, "") == [] == wrong(good, good | {"a": "not checked"}, told)
    assert wrong(good, good | {"b": "not checked"}, told) == ["b is not checked, without a reason"]
    assert wrong(good, good | {"a": "failed"}, told) == ["a is failed, soundly proved"]
    assert wrong(good, good | {"a": "tested", "c": "refuted"}, "") == ["a is tested, soundly proved",
                                                                       "c is refuted, soundly tested"]
    assert wrong(good, {"a": "proved", "b": "refuted"}, "") == ["c is absent, soundly tested"]


@pytest.mark.parametrize("name", [name if name in SOON else pytest.param(name, marks=pytest.mark.slow)
                                  for name in MACHINES])
def test_a_few_statements_on_a_broken_machine(tmp_path, sound, name):
    done = MACHINES[name].run("verify", *FEW, folder=tmp_path)
    found = words(done)
    assert len(sound) >= len(FEW) and wrong(sound, found, done.stderr) == [] and "Traceback" not in done.stderr
    assert done.returncode == ("not checked" in found.values() or "Error" in done.stderr)
    if name == "no cache can be written":
        assert found == sound


def test_a_check_that_raises_is_not_checked_and_the_exit_status_shows_it(tmp_path):
    """The library's own code is spoilt: whatever the error is, the statement gets no verdict."""
    spoilt = Machine(code="""
import derl.theory.exact.symbolic as symbolic
def raises(*what, **more):
    raise TypeError("of the check")
symbolic.equal = symbolic.at_least = raises
""")
    done = spoilt.run("verify", "res-upper-bound-n", "lem-trace-det", folder=tmp_path)
    found = words(done)
    assert done.returncode == 1 and found == {"res-upper-bound-n": "not checked", "lem-trace-det": "machine-checked"}
    assert re.search(r"^derl: \S+ is not checked, expected holds: .*TypeError: of the check", done.stderr, re.MULTILINE)
    alone = Machine(code=spoilt.code).run("verify", "lem-trace-det", folder=tmp_path)
    assert alone.returncode == 1 and "could not be run: TypeError: of the check" in alone.stderr


@pytest.mark.slow
@pytest.mark.release
def test_the_quick_tier_on_a_bare_machine(tmp_path, ledger):
    good = {key: row["verdict"] for key, row in ledger.claims.items()}
    done = BARE.run("verify", folder=tmp_path)
    assert wrong(good, words(done), done.stderr) == [] and "Traceback" not in done.stderr
