"""The certificates that are stored beside the checkers: read as they are, standard library only."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources


def folder():
    """Where the certificates lie."""
    return resources.files("derl.certificates")


def load(name: str) -> dict:
    """One stored certificate."""
    return json.loads(folder().joinpath(f"{name}.json").read_text(encoding="utf-8"))


def ends_of(certificate: dict) -> tuple[Fraction, Fraction]:
    """Lower and upper end of the certified number: nu^2, lambda*, or the squared explorability coefficient."""
    return Fraction(certificate["lower"]["value"]), Fraction(certificate["upper"]["value"])


def relative_gap(certificate: dict) -> Fraction:
    """1 - lower/upper of the certified number."""
    low, high = ends_of(certificate)
    return 1 - low / high
