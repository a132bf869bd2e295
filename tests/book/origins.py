"""Where a typed number comes from: a statement, a file or a cell that contains it, or arithmetic that is done again."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from rules import ROOT

from derl.claims import PAPER

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
WORDS = {"five times": 5, "a hundred": 100, "a thousand": 1000, "a million": 10**6}


def value(number: str) -> float:
    """What a typed number says: "3\\cdot10^{12}", "90 %", "five times"."""
    if number in WORDS:
        return WORDS[number]
    power = re.fullmatch(r"(?:([\d.]+)\\cdot)?10\^\{?(-?\d+)\}?", number)
    if power:
        return float(power[1] or 1) * 10.0 ** int(power[2])
    return float(re.sub(r"[\s,%]|per cent|\\", "", number))


def amiss(row: dict, pages: Mapping[str, str]) -> str:
    """What is wrong with the origin of a number, in one line; empty where it is the origin."""
    where, literal = row["where"], row["literal"]
    if where == "arithmetic":
        if not re.fullmatch(r"(?:log|exp|[\d\s+*/().-])+", literal):
            return f"{literal} is no arithmetic"
        found, said = eval(literal, {"__builtins__": {}, "log": math.log, "exp": math.exp}), value(row["number"])  # noqa: S307
        return "" if abs(found - said) <= 0.03 * abs(said) else f"{literal} is {found:.4g}"
    if where == "cell":
        text = "\n".join(CELL.findall(pages[row["page"]]))
    elif where in PAPER.statements:
        text = PAPER.statements[where].statement
    elif (ROOT / where).is_file():
        text = (ROOT / where).read_text(encoding="utf-8")
    else:
        return f"{where} is no statement and no file"
    return "" if literal in text else f"{where} does not contain {literal}"
