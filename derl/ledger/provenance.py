"""Where a run comes from: the code, the commit, the libraries."""

from __future__ import annotations

import hashlib
import importlib
import platform
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path


def environment(libraries: Iterable[str] = ()) -> dict[str, str]:
    """Versions of Python, of the platform, and of the libraries that compute.

    Parameters
    ----------
    libraries : iterable of str
        The names under which they are installed; see `Paper.libraries`.
    """
    versions = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for package in libraries:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "absent"
    return versions


def commit(package: str) -> str:
    """The commit of the checkout that a package lies in, with a mark when the package has uncommitted changes.

    "unknown" where there is no checkout, or no git that could be asked.
    """
    folder = _folder(package)
    here = next((above for above in folder.parents if (above / ".git").exists()), None)
    if here is None:
        return "unknown"

    def git(*words):
        line = ["git", "-c", "core.fsmonitor=false", "-C", str(here), *words]  # no program that a repository names
        return subprocess.run(line, capture_output=True, text=True, check=False).stdout
    try:
        head = git("rev-parse", "--short=12", "HEAD").strip()
        return (head or "none") + ("+" if git("status", "--porcelain", "--", str(folder)).strip() else "")
    except OSError:
        return "unknown"


def digest(*packages: str) -> str:
    """SHA-256 of all that a row of the ledger depends on.

    Every file of the packages, by name and content; the sources of formal proofs beside them; the Python that runs;
    every installed library with its version.
    """
    state = hashlib.sha256(repr((sys.version, platform.machine(), sorted(
        {(found.metadata["Name"] or "", found.version) for found in metadata.distributions()}))).encode())
    for folder in dict.fromkeys(_folder(package.partition(".")[0]) for package in packages):
        beside = folder.parent / "proofs"
        read = sorted(beside.rglob("*.v")) if (beside / "theorems.csv").is_file() else []
        for path in read + sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            state.update(f"{path.relative_to(folder.parent).as_posix()} {content}\n".encode())
    return state.hexdigest()


def _folder(package: str) -> Path:
    return Path(importlib.import_module(package).__file__).resolve().parent
