"""The ledger that all tests read, the files that `make test` leaves out, and their order: the longest begin."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: matrices are small, and two workers share two cores
LEDGER = Path(__file__).parents[1] / "_build" / "ledger.json"
# whole folders and files of `make test-slow`: they start programs, or look again at what the core looks at
SLOW = ("tests/cli/", "tests/labs/", "tests/book/test_moves.py", "tests/book/test_from_scratch.py",
        "tests/experiments/test_commands", "tests/experiments/test_sweep",
        "tests/ledger/test_workers", "tests/show/drawing/test_trusted",
        "tests/deployment/test_sums", "tests/deployment/test_repeats", "tests/deployment/test_layer_sums")
CORE = ("tests/cli/test_cli.py", "tests/cli/test_unusable.py")
FIRST = ("tests/book/test_browser.py", "tests/proofs/", "tests/labs/test_in_jupyterlab.py", "tests/book/")


@pytest.fixture(scope="session")
def ledger():
    """What the run of the checks found that `make book` and `make test` have just made."""
    from derl.claims import PAPER
    from derl.ledger import Ledger
    from derl.ledger.provenance import digest

    found = Ledger.load(LEDGER)
    assert found.digest == digest(*PAPER.code), "the ledger is of other code; run `make book`"
    return found


@pytest.fixture(scope="session")
def sized():
    """sized(small, full) is the first: as many kills and bad inputs as every day can have."""
    return lambda small, full: small


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith(SLOW) and not item.nodeid.startswith(CORE):
            item.add_marker("slow")
        if {"ledger", "html"} & {*item.fixturenames}:
            item.add_marker("built")
    items.sort(key=lambda item: next((n for n, begin in enumerate(FIRST) if item.nodeid.startswith(begin)), len(FIRST)))
