"""What git says of a checkout: of the one that holds a file, whatever the environment names.

In a hook of git, `GIT_DIR` names another repository; a folder above the package may be the checkout of something else.
So the variables of git are left out, and a commit counts only if it holds the package.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

QUIET = ("-c", "core.fsmonitor=false")  # no program that a repository names is run
UNKNOWN = "unknown"


def git(folder: Path, *words: str) -> str | None:
    """What git prints; None where it fails or there is none.

    Parameters
    ----------
    folder : Path
        Where it is asked.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    if "PATH" in kept:  # no program of the current folder
        kept["PATH"] = os.pathsep.join(filter(os.path.isabs, kept["PATH"].split(os.pathsep)))
    try:
        done = subprocess.run(["git", *QUIET, "-C", str(folder), *words], capture_output=True, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, check=False, env=kept)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def commit(package: Path) -> str:
    """The commit that holds a package, with a + where files of the package differ from it.

    Parameters
    ----------
    package : Path
        Its folder.

    Returns
    -------
    str
        Twelve digits; "unknown" where the package belongs to no checkout, or git cannot be asked.
    """
    if not git(package, "ls-files", "--error-unmatch", "--", "__init__.py"):
        return UNKNOWN
    head = git(package, "rev-parse", "--short=12", "HEAD")
    changed = git(package, "status", "--porcelain", "--untracked-files=normal", "--", ".")
    if changed is None:
        return UNKNOWN
    return (head or "none").strip() + ("+" if changed.strip() else "")
