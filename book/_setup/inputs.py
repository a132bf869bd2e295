"""Digests of all that a page may read, so that `make book` builds again when any of it changes, and only then.

    python book/_setup/inputs.py _build/.pages

rewrites the list if it has changed. Nothing is listed by hand: every file of the repository is an input, but for what
is built, installed or compiled, for the tests, and for what speaks to people who change the project. The address of the
repository (REPOSITORY) is one, too. File names never reach a shell; they may hold any character.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = {"_build", "tests", "build", ".git", ".ci", ".github", ".devcontainer"}  # folders at the root
APART = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Containerfile", ".containerignore", ".dockerignore"}
ANYWHERE = {"node_modules", "__pycache__", "vendor", ".venv", ".ipynb_checkpoints", ".pytest_cache", ".ruff_cache",
            ".hypothesis", ".jupyter_cache"}
COMPILED = {".vo", ".vok", ".vos", ".glob", ".aux", ".pyc", ".d"}  # by Coq and by Python
MADE = {"Makefile.coq", "Makefile.coq.conf", ".lia.cache", ".nra.cache"}  # by Coq, in proofs/


def inputs(root: Path) -> list[Path]:
    """Every file that may be read, in order; a link counts as what it leads to."""
    found = []
    for folder, below, names in os.walk(root):
        here = Path(folder)
        below[:] = [name for name in below if name not in ANYWHERE and not name.endswith(".egg-info")
                    and not (here == root and name in TOP)]
        found += [here / name for name in names if Path(name).suffix not in COMPILED and name not in MADE
                  and not (here == root and name in APART)]
    return sorted(path for path in found if path.is_file())


def listed(root: Path) -> str:
    """A line for each file: the digest of its content, and its name with every strange character written out."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()} {os.fsencode(path.relative_to(root))!r}\n"
                   for path in inputs(root))


def main(out: Path) -> None:
    found = f"{listed(ROOT)}REPOSITORY {os.environ.get('REPOSITORY', '')!r}\n"
    if not out.is_file() or out.read_text(encoding="utf-8") != found:
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_name(f"{out.name}.new")
        part.write_text(found, encoding="utf-8")
        part.replace(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
