"""A formula of a statement opens a panel in which the reader puts numbers in.

The formulas of all statements are written into one script of functions, which the browser loads when the first panel
opens: the policy of the site lets no page evaluate text. What became of one-sign changes is taken from the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from derl.inputs import files
from derl.ledger.places import reading
from derl.ledger.rows import CheckRow
from derl.ledger.saying import Formula, formulas
from derl.printed import Range, Text, Unreadable
from derl.printed.javascript import javascript
from derl.printed.text import MATHS

SCRIPT = "said-formulas.js"
MEANS = {"rejected": "false, as a check shows", "refused": "no check can read it", "weaker": "weaker, still true",
         "free": "no check decides it", "not run": "a check could not be run"}


def opens(source: str) -> list[int]:
    """The numbers of the formulas in a text, counted from 0, that a panel can show."""
    return sorted({_at(source, formula) for formula in formulas(Text(source)) if _script(formula)} - {-1})


def data(source: str, checks: Iterable[CheckRow]) -> str:
    """The formulas of a statement and the outcomes of its changes, numbers of `MEANS`, as JavaScript."""
    spans = [found.span() for found in MATHS.finditer(source)]
    made = []
    for formula in formulas(Text(source)):
        script = _script(formula)
        letters = {name: _range(allowed) for name, allowed in formula.ranges.items()}
        made.append(f"{{at:{_at(source, formula)},shown:{json.dumps(formula.shown)},letters:{_compact(letters)},"
                    + (f"value:(v)=>{script}}}" if script else
                       f"why:{json.dumps(formula.why or 'it is no number')}}}"))
    changes = [[f"{source[start:end]} → {new}", list(MEANS).index(word),
                next((at for at, (low, high) in enumerate(spans) if low <= start < high), -1)]
               for (start, end, new), word in reading(source, checks).outcomes.items()]
    return f"{{formulas:[{','.join(made)}],changes:{_compact(changes)}}}"


def _compact(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _script(formula: Formula) -> str:
    try:
        return javascript(formula.node) if formula.node else ""
    except Unreadable:
        return ""


def _at(source: str, formula: Formula) -> int:
    """In which formula of the text it is; -1 where it is cut by something."""
    for at, found in enumerate(MATHS.finditer(source)):
        if formula.shown in [one.shown for one in formulas(Text(found[0]))]:
            return at
    return -1


def _range(allowed: Range | None) -> list:
    ends = [None, True, None, True]
    if allowed is not None:
        try:
            ends = [None if allowed.bottom is None else float(allowed.bottom), allowed.low_belongs,
                    None if allowed.top is None else float(allowed.top), allowed.high_belongs]
        except (TypeError, ValueError, OverflowError):
            pass
    return [int(end) if isinstance(end, float) and end.is_integer() else end for end in ends]


def write(app, error) -> None:
    """Write the script of all formulas beside the other scripts of the site."""
    if error is not None or app.builder.name != "html":
        return
    domain = app.env.get_domain("claims")
    rows = (f"{json.dumps(key)}:{data(domain.statements[key].statement, row.checks)}"
            for key, row in domain.ledger.claims.items() if key in domain.statements)
    made = f"Said.define((F)=>({{{','.join(rows)}}}),{_compact([*MEANS.values()])});\n"
    files.write(Path(app.outdir, "_static", SCRIPT), made.encode())


def setup(app):
    app.add_js_file("said.js", defer="defer")
    app.add_css_file("said.css")
    app.connect("build-finished", write, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
