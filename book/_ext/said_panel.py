"""A formula of a statement opens a panel in which the reader puts numbers in.

The formulas of all statements are written into one script of functions, which the browser loads when the first panel
opens: the policy of the site lets no page evaluate text. What became of one-sign changes is taken from the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from derl.inputs import files
from derl.judge.places import reading
from derl.judge.rows import CheckRow
from derl.ledger.saying import Formula, Letter, formulas
from derl.printed import Range, Text
from derl.printed.text import MATHS
from derl.show.drawing.javascript import javascript

SCRIPT = "said-formulas.js"
MEANS = {"rejected": "false, as a check shows", "refused": "no check can read it", "weaker": "weaker, still true",
         "free": "no check decides it", "not run": "a check could not be run"}


def opens(source: str, numbers: Mapping[str, Letter | None]) -> list[int]:
    """The numbers of the formulas in a text, counted from 0, that a panel can compute."""
    return sorted({_at(source, formula) for formula in formulas(Text(source), numbers) if formula.node} - {-1})


def data(source: str, numbers: Mapping[str, Letter | None], checks: Iterable[CheckRow]) -> str:
    """The formulas of a statement and the outcomes of its changes, numbers of `MEANS`, as JavaScript."""
    spans = [found.span() for found in MATHS.finditer(source)]
    made = []
    for formula in formulas(Text(source), numbers):
        letters = {name: {"shown": letter.shown, "range": _range(letter.allowed), "example": letter.example}
                   for name, letter in formula.numbers.items()}
        made.append(f"{{at:{_at(source, formula)},shown:{json.dumps(formula.shown)},letters:{_compact(letters)},"
                    + (f"value:(v)=>{javascript(formula.node)}}}" if formula.node else
                       f"why:{json.dumps(formula.why)}}}"))
    changes = [[f"{source[start:end]} → {new}", list(MEANS).index(word),
                next((at for at, (low, high) in enumerate(spans) if low <= start < high), -1)]
               for (start, end, new), word in reading(source, checks).outcomes.items()]
    return f"{{formulas:[{','.join(made)}],changes:{_compact(changes)}}}"


def _compact(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _at(source: str, formula: Formula) -> int:
    """In which formula of the text it is; -1 where it is cut by something."""
    for at, found in enumerate(MATHS.finditer(source)):
        if formula.shown in [one.shown for one in formulas(Text(found[0]))]:
            return at
    return -1


def _range(allowed: Range) -> list:
    ends = [end if end is None else [str(end.numerator), str(end.denominator)] for end in (allowed.bottom, allowed.top)]
    return [ends[0], allowed.low_belongs, ends[1], allowed.high_belongs, allowed.whole]


def write(app, error) -> None:
    """Write the script of all formulas beside the other scripts of the site."""
    if error is not None or app.builder.name != "html":
        return
    domain = app.env.get_domain("claims")
    rows = (f"{json.dumps(key)}:{data(domain.statements[key].statement, domain.paper.letters(key), row.checks)}"
            for key, row in domain.ledger.claims.items() if key in domain.statements)
    made = f"Said.define((F)=>({{{','.join(rows)}}}),{_compact([*MEANS.values()])});\n"
    files.write(Path(app.outdir, "_static", SCRIPT), made.encode())


def setup(app):
    app.add_js_file("said.js", defer="defer")
    app.add_css_file("said.css")
    app.connect("build-finished", write, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
