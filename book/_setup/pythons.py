"""One command for every Python: a wheel is built, installed outside the repository, and runs the checks and the tests.

    make pythons                                  # 3.11, 3.12 and 3.13; those that are not there are brought by uv
    python book/_setup/pythons.py 3.13            # one of them
    python book/_setup/pythons.py 3.12 --tests tests/mdp tests/theory

Environments lie in _build/pythons/ and hold what requirements.lock pins, with hashes. The wheel is built with the
setuptools of the lock, without isolation: nothing unpinned is fetched. Afterwards `derl verify` runs in an empty
folder, and its verdicts have to be the expected ones; then the tests, with the installed derl in place of the checkout.
"""

from __future__ import annotations

import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from installers import environment  # beside this file

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.11", "3.12", "3.13")
TESTS = ("tests/inputs", "tests/mdp", "tests/deployment", "tests/estimation", "tests/algorithms", "tests/ledger",
         "tests/certificates", "tests/experiments", "tests/theory", "tests/claims")


def uv() -> str:
    """The uv of the machine, or of the set-up."""
    found = shutil.which("uv", path=os.pathsep.join([str(ROOT / ".venv" / "bin"), os.environ.get("PATH", "")]))
    if found is None:
        sys.exit("pythons: uv is needed to make environments; `make lab` or any other target brings it")
    return found


def call(*words, **options) -> None:
    """Run a command; SystemExit with its name where it fails."""
    print("+", *words, flush=True)
    if subprocess.run([str(word) for word in words], check=False, **options).returncode:
        raise SystemExit(f"pythons: this failed: {' '.join(map(str, words))}")


def wheel(python: Path, folder: Path) -> Path:
    """A wheel of the checkout, built by this Python from a copy, so that nothing is left in the checkout."""
    copy = folder / "source"
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "derl", copy / "derl", ignore=left_out)
    shutil.copytree(ROOT / "notebooks", copy / "notebooks", ignore=left_out)
    shutil.copytree(ROOT / "book" / "_ext", copy / "book" / "_ext", ignore=left_out)
    (copy / "book" / "_static").mkdir()
    shutil.copy(ROOT / "book" / "_static" / "book.css", copy / "book" / "_static")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    call(uv(), "build", "--quiet", "--wheel", "--no-build-isolation", "--python", python, "--out-dir", folder, copy)
    (found,) = folder.glob("derl-*.whl")
    return found


def outside(python: Path, folder: Path, names: list[str]) -> None:
    """`derl verify` of the installed package, in an empty folder; exit status 1 of it is a verdict not as expected."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    call(python.with_name("derl"), "verify", *names, "--out", folder / "ledger.json", cwd=folder, env=environment)


def tried(version: str, tests: list[str], names: list[str], home: Path) -> None:
    """All of it with one Python."""
    place = home / version
    python = place / "bin" / "python"
    if not python.exists() or str(place) not in (place / "bin" / "activate").read_text(encoding="utf-8"):
        shutil.rmtree(place, ignore_errors=True)  # copied or moved, or its Python is gone
        call(uv(), "venv", "--quiet", "--python", version, place)
    call(uv(), "pip", "install", "--quiet", "--python", python, "--require-hashes", "--only-binary",
         ":all:", "-r", ROOT / "requirements.lock", env=environment())
    with tempfile.TemporaryDirectory(prefix="derl-wheel-") as folder:
        built = wheel(python, Path(folder))
        call(uv(), "pip", "install", "--quiet", "--python", python, "--no-deps", "--reinstall", built,
             env=environment())
        outside(python, Path(folder) / "empty", names)
        if tests:
            bare = Path(folder) / "tests-only"  # the tests without the checkout's derl beside them
            bare.mkdir()
            for name in ("tests", "book", "speed", "attacks", "proofs", "notebooks", "pyproject.toml",
                         "requirements.lock", "environment.yml", "Makefile"):
                os.symlink(ROOT / name, bare / name)
            (bare / "_build").mkdir()  # tests that look at the ledger look at the one that this Python has written
            os.symlink(Path(folder) / "empty" / "ledger.json", bare / "_build" / "ledger.json")
            call(python, "-m", "pytest", *tests, "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile", cwd=bare)


def said(version: str, tests: list[str], names: list[str]) -> str:
    """What one Python has been through, and no more than that."""
    verdicts = f"the verdicts of {' '.join(names)}" if names else "all verdicts"
    words = f", {' '.join(tests)} pass" if tests != list(TESTS) else ", the tests pass"
    return (f"Python {version}: the wheel runs, {verdicts} are the expected ones"
            f"{words if tests else '; no test was asked for'}")


def origin() -> str:
    """The day and the code, for `attacks/trust.py`."""
    sys.path.insert(0, str(ROOT))
    from derl.ledger.provenance import digest

    return f"{datetime.date.today()} code {digest('derl')[:12]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", nargs="*", default=VERSIONS, metavar="VERSION")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="which tests; none for none")
    parser.add_argument("--verify", nargs="*", default=[], metavar="ID", help="which statements; all by default")
    options = parser.parse_args()
    print(origin(), flush=True)
    for version in options.versions:
        tried(version, list(options.tests), options.verify, ROOT / "_build" / "pythons")
        print(said(version, list(options.tests), options.verify), flush=True)


if __name__ == "__main__":
    main()
