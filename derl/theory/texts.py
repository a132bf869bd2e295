"""The printed statements, for functions that compute what a statement says: they evaluate its formula.

Each text is read once; no check and no verdict is involved.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from derl.inputs.mappings import mapping
from derl.printed import Text, Unreadable

CLAIMS = Path(__file__).resolve().parents[1] / "claims"


@cache
def said(claim: str) -> Text:
    """The text of a statement.

    Raises
    ------
    Unreadable
        There is no statement with this id.
    """
    for file in sorted(CLAIMS.glob("*/claims.yml")):
        if claim in (entries := _entries(file)):
            return Text(entries[claim]["statement"].strip(), claim)
    raise Unreadable(f"no statement has the id {claim!r}")


@cache
def _entries(file: Path) -> dict:
    return mapping(file.read_text(encoding="utf-8"), file.name)
