"""Commands on machines that lack a part: one line that names its extra, before any work, and status 2."""

import pytest
from broken_machines import MACHINES, Machine

RUN = ("run", "1", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e12")
BARE = MACHINES["no extra is installed"]


@pytest.mark.parametrize("words, package, extra", [
    ((*RUN, "--plot", "x.svg"), "matplotlib", "book"), (("lab", "--list"), "matplotlib", "book"),
    (("lab",), "jupyterlab", "book"), (("paper", "build", "primes"), "jupyter_book", "book"),
    (("table1", "--out", "out"), "pyarrow", "cluster"),
    (("sweep", "no.yml", "--out", "out"), "pyarrow", "cluster"),
    (("instance", "gymnasium:env=FrozenLake-v1,horizon=2", "--out", "x.npz"), "gymnasium", "gym"),
])
def test_a_missing_part_is_named_with_its_extra(tmp_path, words, package, extra):
    (tmp_path / "machine").mkdir()
    done = BARE.run(*words, folder=tmp_path / "machine")
    lines = done.stderr.splitlines()
    assert done.returncode == 2 and done.stdout == "" and len(lines) == 1, done.stderr
    assert lines[0].startswith("derl: ") and package in lines[0] and extra in lines[0] and "derl" in lines[0][6:]


@pytest.mark.parametrize("words", [("show", "C.3", "--code"), RUN, (*RUN, "--json"), ("list", "--help")])
def test_everything_else_needs_no_part(tmp_path, words):
    done = BARE.run(*words, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


def test_a_part_whose_import_fails_is_named_too(tmp_path):
    broken = Machine(broken={"matplotlib": "raise ImportError('libpng16.so: cannot open shared object file')"})
    done = broken.run("lab", "--list", folder=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "extra 'book' of derl" in done.stderr and "libpng16.so" in done.stderr
