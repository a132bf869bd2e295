"""Digests of the labs as they are shipped: a lab runs by itself in JupyterLab only if its cells are exactly these.

    python -m derl.show.labs.shipped notebooks

writes them beside the extension of JupyterLab that compares (notebooks/.lab/labextensions/derl-labs/static/).
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from derl.inputs import files

BESIDE = ".lab/labextensions/derl-labs/static/shipped.json"


def digest(notebook: dict) -> str:
    """SHA-256 of all that a notebook runs or renders: kind, source and attachments of every cell, in order.

    The text that is hashed is the one that `JSON.stringify` makes in the browser.
    """
    cells = [[cell["cell_type"], "".join(cell["source"]), cell.get("attachments", {})] for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(cells, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def digests(folder: Path) -> dict[str, str]:
    """Name of a notebook that asks to be run when it is opened -> its digest."""
    found = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.ipynb"))}
    return {name: digest(body) for name, body in found.items() if body["metadata"].get("derl", {}).get("run_on_open")}


if __name__ == "__main__":
    home = Path(sys.argv[1])
    files.write(home / BESIDE, f"{json.dumps(digests(home), indent=1)}\n".encode())
