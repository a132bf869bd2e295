"""Where a run comes from: the code, the commit, the libraries."""

from __future__ import annotations

import importlib
import platform
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from derl.exact import base
from derl.inputs import digests, git


def environment(libraries: Iterable[str] = ()) -> dict[str, str]:
    """Versions of Python, of the platform, and of the libraries that compute.

    Parameters
    ----------
    libraries : iterable of str
        The names under which they are installed; see `Paper.libraries`.
    """
    here = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    return here | digests.versions(libraries)


def commit(package: str) -> str:
    """The commit of the checkout that holds a package, with a + where the package has uncommitted changes.

    "unknown" where no checkout holds it, or there is no git that could be asked.
    """
    return git.commit(_folder(package))


def digest(*packages: str) -> str:
    """SHA-256 of all that a row of the ledger depends on.

    Every file of the packages, by name and content; the sources of formal proofs beside them; the Python that runs;
    every installed library with its version.
    """
    libraries = {(found.metadata["Name"] or "", found.version) for found in metadata.distributions()}
    folders = dict.fromkeys(_folder(package.partition(".")[0]) for package in packages)
    return base.digest({
        "python": sys.version, "machine": platform.machine(), "libraries": sorted(libraries),
        "files": [digests.contents(folder.parent, [*_proofs(folder.parent / "proofs"), *digests.below(folder)])
                  for folder in folders]})


def _proofs(beside: Path) -> list[Path]:
    return digests.below(beside, "*.v") if (beside / "theorems.csv").is_file() else []


def _folder(package: str) -> Path:
    return Path(importlib.import_module(package).__file__).resolve().parent
