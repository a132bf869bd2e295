"""Planted mistakes in the code and what noticed them: the table `attacks/mistakes.csv` and nothing else."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from IPython.display import Markdown

from derl.show.drawing.tables import table

PARTS = {"algorithms": "algorithms", "certificates": "certificates", "cli": "command line",
         "deployment": "deployments", "estimation": "estimates", "experiments": "experiments", "ledger": "judge",
         "mdp": "instances", "printed": "reading of formulas", "show": "figures and labs", "theory": "theory",
         "exact": "provers", "judge": "judge"}


def load(path) -> list[dict]:
    """The rows that `attacks/plant.py --record` wrote and that were planted."""
    with Path(path).open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["day"]]


def _part(row: dict) -> str:
    folder = row["file"].split("/")
    return PARTS["exact" if folder[1:3] == ["theory", "exact"] else folder[1]]


def sentence(rows: list[dict]) -> Markdown:
    """How many mistakes were planted, how many a test noticed, and when."""
    caught, days = sum(bool(row["caught"]) for row in rows), sorted({row["day"] for row in rows})
    return Markdown(f"{len(rows)} mistakes were planted in the code, one at a time; tests noticed {caught} of them "
                    f"({' to '.join(dict.fromkeys((days[0], days[-1])))}).")


def by_part(rows: list[dict]):
    """A row for each part of the code: planted, noticed."""
    planted = Counter(map(_part, rows))
    caught = Counter(_part(row) for row in rows if row["caught"])
    return table(("part of the code", "planted", "noticed by a test"),
                 [(part, planted[part], caught[part]) for part in sorted(planted)])


def missed(rows: list[dict]) -> Markdown:
    """The mistakes that no test noticed, a line each."""
    left = [row for row in rows if not row["caught"]]
    return Markdown("\n".join(f"- `{row['file'].removeprefix('derl/')}`: {row['meaning']}" for row in left)
                    or "None of them was missed.")
