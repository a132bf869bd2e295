"""Run tests or statements in forks of one process that has imported the libraries; `mutants.py` starts it.

Reads lines of JSON: {"kind": "tests" or "statements", "names": [...], "output": file, "seconds": of the processor,
"without": tests that are left out, "quick": whether slow tests are left out, too}.
Answers each with the exit status of the fork: 0 if nothing objects. The libraries are imported once, derl in each fork.
"""

import importlib
import json
import os
import resource
import signal
import sys
import traceback

LIBRARIES = ("numpy", "scipy.linalg", "scipy.optimize", "sympy", "sympy.polys.matrices", "yaml", "click", "tqdm",
             "threadpoolctl", "pytest", "_pytest.assertion.rewrite", "hypothesis", "flint", "cvxpy", "gymnasium")
FINE, LEFT = 100, 101  # a fork that came to its end, and one that something ended with 0 before: the latter objects
PATIENCE = 10  # times the limit in seconds of the processor


class WithoutLedger:
    """Leaves out what reads the ledger of a whole run, a fixture of tests/conftest.py: in a copy there is none."""

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if not any(
            definition.baseid == "tests" for definition in item._fixtureinfo.name2fixturedefs.get("ledger", ()))]


def tests(names: list[str], without: list[str], quick: bool) -> int:
    import pytest

    left_out = [word for name in without for word in ("--deselect", name)] + ["-m", "not slow"] * quick
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", *left_out, *names],
                       [WithoutLedger()])


def statements(names: list[str], without: list[str], quick: bool) -> int:
    """Verify one after the other, so that the first objection ends the run; always by the checks of the quick tier."""
    from derl import claims

    for key in names:
        row = claims.verify([key]).claims[key]
        if not row.as_expected:
            bad = [check.name for check in row.checks if not (check.passes and check.rejects)]
            print("OBJECTS", key, ",".join(bad) or row.verdict)
            return 1
    return 0


def fork(kind: str, names: list[str], output: str, seconds: int, without: list[str], quick: bool) -> int:
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return 0 if status == FINE else status or LEFT
    status = 1
    try:
        target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(target, 1)
        os.dup2(target, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        signal.alarm(PATIENCE * seconds)
        status = int({"tests": tests, "statements": statements}[kind](names, without, quick))
    except BaseException:  # whatever it is, the truth does not raise it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or FINE)


def main() -> None:
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:  # an extra that is not installed
            pass
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.getcwd())
    for line in sys.stdin:
        print(fork(**json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
