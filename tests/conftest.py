"""The ledger that all tests read, the two tiers, and which tests stay together; the folder becomes importable."""

import os
import shutil
import signal
import time

import pytest
import tiers

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job, where no test could press Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: matrices are small, and two workers share two cores


def pytest_addoption(parser):
    parser.addoption("--full-size", action="store_true",
                     help="as many kills and bad inputs as the book reports (an hour), not the few of every day")
    parser.addoption("--minutes", type=float, metavar="N", help="begin no test after N minutes: the rest is skipped")


@pytest.fixture(scope="session")
def sized(request):
    """sized(small, full) is one of the two, as --full-size says."""
    return lambda small, full: full if request.config.getoption("--full-size") else small


@pytest.fixture(scope="session")
def ledger():
    """What the run of the checks found that `make book` and `make test` have just made."""
    from freshness import LEDGER, stale

    from derl.ledger import Ledger

    problem = stale(LEDGER)
    if problem:
        pytest.fail(f"{problem}; `derl verify --tier quick --out _build/ledger.json` writes a fresh one", pytrace=False)
    return Ledger.load(LEDGER)


def pytest_configure(config):
    config.stash[tiers.BEGUN] = time.monotonic()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    minutes = item.config.getoption("--minutes")
    if minutes is not None and time.monotonic() - item.config.stash[tiers.BEGUN] > 60 * minutes:
        pytest.skip(tiers.TOO_LATE)


def pytest_terminal_summary(terminalreporter):
    """Say what there was no time for, and whether formal proofs were compiled or only compared with their digests."""
    late = sum(tiers.TOO_LATE in str(report.longrepr) for report in terminalreporter.stats.get("skipped", ()))
    if late:
        terminalreporter.write_line(f"NOT run, because the minutes of --minutes were over: {late} tests")
    ran = [report for reports in terminalreporter.stats.values() for report in reports
           if "tests/proofs/" in getattr(report, "nodeid", "") and hasattr(report, "outcome")]
    if not ran:
        return
    slow = any("slow" in getattr(report, "keywords", ()) for report in ran)  # a module that is skipped has no keywords
    missing = "coqc is not installed" if not shutil.which("coqc") else "" if slow else "`make test-slow` does that"
    terminalreporter.write_line(
        f"formal proofs: NOT compiled, {missing}; recordings compared with the sources by digest" if missing else
        "formal proofs: compiled with Coq and compared with their recordings")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Remember all tests before those of another tier are left out; refuse what is in the wrong one."""
    config.stash[tiers.COLLECTED] = [(item.nodeid, tiers.slow(item)) for item in items]
    if wrong := tiers.misplaced(items):
        raise pytest.UsageError(f"tests that use {' or '.join(tiers.SLOW_FIXTURES)} have to be marked slow: "
                                f"{', '.join(wrong)}")
    tiers.begin_with_the_longest(config.rootpath, items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Under `pytest -n 2`, one worker runs a whole file, all that looks at the tour of the book, or all labs.

    Tests of one file share what is computed once. (`--dist loadgroup` writes its groups into ids that pytest 9.2 does
    not read any more.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return tiers.scope(config.rootpath, nodeid.split("::")[0])

    return ByFile(config, log)
