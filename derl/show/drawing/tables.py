"""Tables on a page, from what a run returned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from IPython.display import Markdown

POWER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([-+\N{NON-BREAKING HYPHEN}]?\d+)(?![\w.])")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = range(-3, 6)  # powers of ten that are written out


def readable(text: str) -> str:
    """Numbers like 1.2e+18 as 1.2·10¹⁸, and like 2.5e-02 as 0.025; code and formulas stay as they are.

    Parameters
    ----------
    text : str
        A cell, or a whole table in Markdown.
    """
    parts = re.split(r"(`[^`]*`|\$[^$]*\$)", text)  # every other part is code or a formula
    return "".join(part if i % 2 else POWER.sub(_number, part) for i, part in enumerate(parts))


def _number(found: re.Match) -> str:
    mantissa, power = found[1], int(found[2].replace("\N{NON-BREAKING HYPHEN}", "-"))
    if not Decimal(mantissa):
        return "0"
    if power in PLAIN:
        return f"{Decimal(f'{mantissa}e{power}'):f}"
    raised = f"10{str(power).translate(RAISED)}"
    return raised if mantissa == "1" else f"{mantissa}·{raised}"


def _cell(value) -> str:
    return {"True": "yes", "False": "no"}.get(str(value)) or readable(str(value))


def table(header: Sequence, rows: Iterable[Sequence]) -> Markdown:
    """A table in MyST: cells may hold maths and roles; powers of ten and truth values are written for people.

    Raises
    ------
    ValueError
        If a row does not have as many cells as the header.
    """
    lines = [header, ["---"] * len(header), *rows]
    for row in lines:
        if len(row) != len(header):
            raise ValueError(f"a row has {len(row)} cells and the header {len(header)}")
    return Markdown("\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in lines))


def folded(summary: str, header: Sequence, rows: Iterable[Sequence]) -> Markdown:
    """A table below a line that opens it."""
    return Markdown(f"<details><summary>{summary}</summary>\n\n{table(header, rows).data}\n\n</details>")
