"""Threads, processes and variables of the surroundings."""

import decimal
import os
import signal
import subprocess
import sys
import warnings

import flint
import mpmath
import numpy as np
import pytest
import sympy
from second_paper import PAPER

from derl.inputs.ambient import as_delivered, settle
from derl.ledger import verify


def test_what_is_left_out_is_gone_and_what_is_used_stays(monkeypatch):
    for name in ("SYMPY_GROUND_TYPES", "GIT_DIR", "MATPLOTLIBRC", "NUMBA_DUMP_BYTECODE", "HOME"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    with warnings.catch_warnings():
        settle()
    assert {"SYMPY_GROUND_TYPES", "GIT_DIR", "MATPLOTLIBRC", "NUMBA_DUMP_BYTECODE"}.isdisjoint(os.environ)
    assert os.environ["MPLBACKEND"] == "agg" and os.environ["HOME"] == "x"


@pytest.mark.parametrize("change, now", [
    (lambda: sympy.evaluate(False), lambda: sympy.Integer(1) + 1 == 2 and (1 + sympy.Integer(1)).is_Integer),
    (lambda: mpmath.workprec(10), lambda: mpmath.mp.prec == 53),
    (lambda: flint.ctx.workprec(10), lambda: flint.ctx.prec == 53),
    (lambda: np.errstate(all="raise"), lambda: np.geterr()["under"] == "ignore"),
    (lambda: decimal.localcontext(decimal.Context(prec=2)), lambda: decimal.getcontext().prec == 28)])
def test_a_check_does_not_depend_on_the_settings_of_its_caller(change, now):
    with change():
        with as_delivered():
            assert now()
        assert not now()


def test_a_statement_has_its_verdict_where_sympy_does_not_evaluate():
    with sympy.evaluate(False):
        assert verify(PAPER, ["lem-odd-numbers"]).claims["lem-odd-numbers"].as_expected


REPORT = """
import sys
import numpy
from threadpoolctl import threadpool_info, threadpool_limits
from derl.inputs.threads import one_thread

def widths():
    import scipy.linalg
    return sorted({library["num_threads"] for library in threadpool_info()})

wrapped = {"ours": one_thread, "theirs": threadpool_limits.wrap(limits=1)}[sys.argv[1]](widths)
print(wrapped(), widths(), wrapped())
"""


@pytest.mark.parametrize("way, first", [("ours", "[1]"), ("theirs", "[1, 2]")])
def test_the_limit_holds_for_libraries_that_are_loaded_later(way, first):
    """That of threadpoolctl does not, at the first call: scipy loads its BLAS within."""
    done = subprocess.run([sys.executable, "-c", REPORT, way], env=os.environ | {"OPENBLAS_NUM_THREADS": "2"},
                          capture_output=True, text=True, check=True)
    assert done.stdout == f"{first} [2] [1]\n"


PARENT = """
import os, signal, time
from concurrent.futures import ProcessPoolExecutor
from derl.inputs.processes import CONTEXT, begin
def work():
    os.kill(os.getpid(), signal.SIGINT)
    print("after Ctrl-C", flush=True)
    time.sleep(60)
with ProcessPoolExecutor(1, CONTEXT, begin) as pool:
    pool.submit(work).result()
"""


def test_a_worker_leaves_ctrl_c_to_its_parent_and_ends_with_it():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout.readline() == "after Ctrl-C\n"
    os.kill(parent.pid, signal.SIGKILL)
    assert parent.stdout.read() == ""  # ends when the last process that could write has ended
    parent.wait()
    parent.stdout.close()
