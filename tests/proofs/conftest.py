"""The proofs, compiled once for all tests that ask Coq about them."""

import fcntl
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def proofs_built():
    """The proofs are compiled; where two workers ask at once, by one of them."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with (ROOT / "_build" / "proofs.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(["make", "-C", str(ROOT / "proofs")], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
