"""What starting costs, held by the list of imported modules: a clock would depend on the machine."""

import subprocess
import sys

import pytest

HEAVY = {"sympy", "scipy.optimize", "scipy.linalg", "scipy.stats", "cvxpy", "clarabel", "flint", "matplotlib", "plotly",
         "pandas", "gymnasium", "IPython", "ipywidgets"}
PUBLIC = "from derl import LinearMDP, Deployer, instances, planning, algorithms, theory, claims"
COMMAND = "import sys; from derl.cli import main; sys.argv[1:] = {words}; main()"


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running some code."""
    report = f"try:\n    {code}\nexcept SystemExit:\n    pass\nimport sys; print('\\n', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.rsplit("\n", 2)[-2].split())


def test_the_front_door_imports_nothing():
    assert {name for name in loaded("import derl") if name.startswith("derl")} == {"derl"}
    assert not loaded("import derl") & (HEAVY | {"numpy", "yaml", "tqdm"})


@pytest.mark.parametrize("code", [
    PUBLIC, f"{PUBLIC}; claims.load()", COMMAND.format(words=["--help"]), COMMAND.format(words=["run", "--help"]),
    COMMAND.format(words=["show"]),
], ids=["public names", "statements", "help", "help of a command", "list of statements"])
def test_heavy_libraries_wait_until_they_are_used(code):
    assert not loaded(code) & HEAVY


def test_every_public_name_is_where_the_front_door_says():
    import derl

    assert set(derl.__all__) <= set(dir(derl))
    assert all(getattr(derl, name) is not None for name in derl.__all__)
    assert derl.LinearMDP is derl.mdp.LinearMDP and derl.planning is derl.mdp.planning
    with pytest.raises(AttributeError, match="'derl' has no attribute 'planing'"):
        derl.planing  # noqa: B018
