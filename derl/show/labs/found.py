"""All labs: every `Lab` that a chapter keeps in its `playground` is found, none is listed."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec

from derl.claims import CHAPTERS
from derl.show.labs.controls import Lab


@cache
def labs() -> dict[str, Lab]:
    """Name of the notebook -> lab, chapter by chapter."""
    found = {}
    for chapter in CHAPTERS:
        name = f"derl.show.{chapter}.playground"
        if find_spec(name):
            module = importlib.import_module(name)
            found |= {lab.name: lab for lab in vars(module).values() if isinstance(lab, Lab)}
    return found
