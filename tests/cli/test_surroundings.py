"""Commands under every row of the list of what the program depends on: the same verdicts, the same results."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from looked_for import Watched

from derl.claims import PAPER
from derl.cli.stopping import MISTAKE
from derl.inputs.ambient import LEFT_OUT, ROWS, USED

ROOT = Path(__file__).parents[2]
STATEMENTS = ("C.3", "res-nu-certified", "lem-concentration")
RUN = ("run", "2", "--instance", "lock:d=3,horizon=3,digits=1-2-0,bias=1/5", "--epsilon", "0.1", "--delta", "0.1",
       "--batch-size", "theorem", "--json")
SPEC = """study: run
fixed: {epsilon: 0.2, delta: 0.1, batch_size: 1e9, algorithm: layerwise_exploration, instance: optimism_trap}
seeds: {count: 2, block: 1}
"""
# what is used one row at a time; what is left out is gone before anything else happens, so all of it at once
TRIED = {row.name: row.tried for row in ROWS if row.tried and row.answer == USED}
TRIED["left out"] = {name: value for row in ROWS if row.answer == LEFT_OUT for name, value in row.tried.items()}
FLOATING = ("run", "certificate", "stress", "interval", "statistical")  # methods that compute with floats
FINDING = ("PATH", "HOME, XDG_*, TMPDIR")  # jupyter finds its kernels with them
QUICK = ("OPENBLAS_CORETYPE", "NUMBA_DISABLE_JIT", "left out")
ROLES = """
import multiprocessing, sys
from derl import claims
from derl.experiments import Spec, run_sweep
def work(folder):
    run_sweep(Spec.parse(open(sys.argv[2]).read()), folder, 2)
    return claims.verify(["C.3", "rem-feature-norm"], jobs=2).claims["lem-trace-det"].verdict
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.apply(work, (sys.argv[1],)))
"""


def derl(*words, folder, settings=None, **options):
    return subprocess.run([sys.executable, "-m", "derl", *words], capture_output=True, text=True, errors="replace",
                          cwd=folder, check=False, env={**os.environ, "PYTHONPATH": str(ROOT), **(settings or {})},
                          **options)


def words(done):
    return [line[:20] for line in done.stdout.splitlines() if line.startswith(("ok ", "NOT"))]


@pytest.mark.parametrize("name", [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in TRIED])
def test_no_variable_turns_a_verdict(tmp_path, name):
    done = derl("verify", *STATEMENTS, folder=tmp_path, settings=TRIED[name])
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert len(words(done)) == len(STATEMENTS) + 1  # the mended statement of one of them too


@pytest.mark.parametrize("name", ["left out", pytest.param("used", marks=pytest.mark.slow)])
def test_no_variable_turns_a_run_or_a_sweep(tmp_path, name):
    """All variables of a kind at once."""
    settings = {variable: value for row in ROWS if row.answer == name for variable, value in row.tried.items()}
    ran = derl(*RUN, folder=tmp_path, settings=settings)
    assert ran.returncode == 0 and ran.stdout.startswith("{") and '"converged": true' in ran.stdout, ran.stderr
    (tmp_path / "spec.yml").write_text(SPEC, encoding="utf-8")
    swept = derl("sweep", "spec.yml", "--out", "out", "--jobs", "2", folder=tmp_path, settings=settings)
    assert swept.returncode == 0 and "2 tasks" in swept.stdout, swept.stderr


@pytest.mark.slow
@pytest.mark.parametrize("core", ["Sandybridge"])  # all statements for Prescott: test_machines
def test_no_kind_of_processor_turns_a_verdict(tmp_path, core):
    numeric = dict.fromkeys(check.claim for check in PAPER.register().checks if check.method in FLOATING)
    done = derl("verify", *numeric, folder=tmp_path, settings={"OPENBLAS_CORETYPE": core})
    assert done.returncode == 0 and "0 not as expected" in done.stdout, done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.parametrize("answer", [LEFT_OUT, USED])
def test_no_variable_turns_a_page(tmp_path, answer):
    """The book's machinery makes the page of a small paper under all rows of a kind at once."""
    settings = {name: value for row in ROWS if row.answer == answer and row.name not in FINDING
                for name, value in row.tried.items()}
    assert derl("paper", "new", "primes", folder=tmp_path, settings=settings).returncode == 0
    built = derl("paper", "build", "primes", folder=tmp_path, settings=settings)
    assert built.returncode == 0 and "ok  enumerated" in built.stdout, built.stderr


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-", *(pytest.param(way, marks=pytest.mark.slow) for way in (
    "<&-", ">&-", "<&- >&- 2>&-", "2>/dev/full"))])
def test_a_stream_that_is_closed_is_no_verdict(tmp_path, closed):
    line = f'"$0" -m derl verify C.3 --out ledger.json {closed}; echo "status $?" >status'
    done = subprocess.run(["sh", "-c", line, sys.executable], cwd=tmp_path, capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert (tmp_path / "status").read_text() == "status 0\n"
    assert (tmp_path / "ledger.json").read_text().startswith("{\n")  # and no message is in it
    assert ">&-" in closed.replace("2>&-", "") or "machine-checked" in done.stdout


def test_a_mistake_of_derl_is_no_verdict(tmp_path):
    """Whatever is raised, in a command or in an import, the status is not 1."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif 'verify' in sys.argv:\n    import derl.claims\n"
        "    def broken(*what, **more): raise RuntimeError('planted')\n    derl.claims.verify = broken\n"
        "elif 'list' in sys.argv:\n    sys.modules['derl.cli.commands'] = None\n", encoding="utf-8")
    path = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    for command in (("verify", "C.3"), ("list",)):
        done = derl(*command, folder=tmp_path, settings=path)
        assert done.returncode == MISTAKE == 70 and "Traceback" in done.stderr, done.stderr


def test_a_worker_of_a_pool_does_the_work_itself(tmp_path):
    (tmp_path / "spec.yml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "role.py").write_text(ROLES, encoding="utf-8")
    done = subprocess.run([sys.executable, "role.py", "out", "spec.yml"], cwd=tmp_path, text=True, capture_output=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert done.stdout == "machine-checked\n", done.stderr
    assert len(list((tmp_path / "out").rglob("*.json"))) == 2


@pytest.mark.slow
def test_ignored_signals_and_a_folder_that_is_gone_change_nothing(tmp_path):
    for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGHUP):
        done = derl("verify", "C.3", folder=tmp_path, preexec_fn=lambda n=number: signal.signal(n, signal.SIG_IGN))
        assert done.returncode == 0 and len(words(done)) == 1, done.stderr
    gone = tmp_path / "gone"
    gone.mkdir()
    done = derl("verify", "C.3", folder=gone, preexec_fn=lambda: os.rmdir(gone))
    assert done.returncode == 0 and len(words(done)) == 1, done.stderr
    for mask in (0, 0o777):
        done = derl("verify", "C.3", "--out", f"{mask}.json", folder=tmp_path, preexec_fn=lambda m=mask: os.umask(m))
        assert done.returncode in (0, 2) and "Traceback" not in done.stderr, done.stderr


GIVEN = {"spec.yml", "out", "x.npz", "x.svg", "ledger.json", ".ledger.json.journal"}


@pytest.mark.parametrize("command", [
    RUN[:-1], ("run", "lsvi_ucb", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size",
               "100", "--max-deployments", "20", "--plot", "x.svg"),
    *(pytest.param(words, marks=pytest.mark.slow) for words in (
        ("verify", *STATEMENTS, "--tier", "quick", "--out", "ledger.json"), ("sweep", "spec.yml", "--out", "out"),
        ("instance", "optimism_trap", "--out", "x.npz"), ("lab", "--list"), ("list",), ("show", "C.3", "--code"),
        ("demo",)))])
def test_a_command_looks_for_nothing_in_the_current_folder(tmp_path, command):
    """In a folder with files that would run code or stop the command, if they were read."""
    watched = Watched(tmp_path, ROOT)
    (watched.here / "spec.yml").write_text(SPEC, encoding="utf-8")
    done = derl(*command, folder=watched.here, settings=watched.settings, timeout=1200)
    assert done.returncode == 0, done.stderr
    assert watched.names() <= GIVEN
    assert not (watched.here / "cache").exists() and "dump" not in done.stdout

