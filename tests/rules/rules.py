"""The root of the project and its files."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked() -> list[Path]:
    """Files of the project: what git tracks or would track."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]
