r"""JavaScript computes what Python computes: every readable formula of claims.yml at many points, in node."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from derl.claims import PAPER
from derl.ledger.saying import formulas
from derl.printed import Text, Unreadable, read, value, words
from derl.printed.javascript import javascript
from derl.printed.points import points

SCRIPT = Path(__file__).parents[2] / "book" / "_static" / "said.js"
MADE = [r"\sqrt[3]{a}+\binom{a}{b}", r"a!-b!", r"\lceil\log_2 a\rceil\lfloor a/b\rfloor",
        r"\sum_{i=1}^{a}\sum_{j=1}^{i}j^2",
        r"\min\{a,b\}\max\{a,b,3\}", r"|a-b|\exp(-a)", r"\sin a\cos b", "a(b+1)^2", "a^{-b}", r"e^{a}\log^2 b", "0.5a",
        r"\lceil\log_{a}(ab)\rceil", r"\frac12^{b}", r"\lfloor\log_ba\rfloor+\lceil\frac{a}{b}\rceil"]


def run(source: str) -> list:
    if (node := shutil.which("node")) is None:
        pytest.skip("node is not installed")
    done = subprocess.run([node, "-"], input=SCRIPT.read_text(encoding="utf-8") + source, capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


def test_every_readable_formula_has_the_value_that_python_finds():
    trees = [read(words(formula)) for formula in MADE]
    trees += [formula.node for key, statement in PAPER.statements.items()
              for formula in formulas(Text(statement.statement, key)) if formula.node is not None]
    rows, wanted = [], []
    for node in trees:
        try:
            script = javascript(node)
        except Unreadable:
            continue
        for point in points({*node.letters()} - {"e"}):
            try:
                found = float(value(node, point))
            except (Unreadable, OverflowError):
                found = None
            if found is None or math.isfinite(found):
                rows.append(f"(v)=>{script},{json.dumps({name: float(one) for name, one in point.items()})}")
                wanted.append(found)
    found = run("Said.define((F)=>console.log(JSON.stringify([" + ",".join(f"[{row}]" for row in rows)
                + "].map(([f,v])=>{try{return f(v)}catch(e){if(e instanceof F.NoValue)return null;throw e}}))));")
    assert len(rows) > 5000 and len(found) == len(rows)
    apart = [(row, one, other) for row, one, other in zip(rows, found, wanted, strict=True)
             if (one is None) != (other is None) and (other is None or 1e-290 < abs(other) < 1e290)
             or None not in (one, other) and not math.isclose(one, other, rel_tol=1e-7, abs_tol=1e-12)]
    assert len(apart) <= 10 and all(None in pair[1:] for pair in apart), "only where one of them has no value"


@pytest.mark.parametrize("typed, says", [
    ({"d": "4", "epsilon": "1/10"}, "= 160"), ({"d": "4", "epsilon": "0.1"}, "= 160"), ({"d": ""}, "Give d a number."),
    ({"d": "x", "epsilon": "1"}, "d is “x”; allowed are"), ({"d": "1", "epsilon": "1"}, "the statement allows 2 ≤ d"),
    ({"d": "2", "epsilon": "0"}, "0 < epsilon ≤ 1"), ({"d": "2", "epsilon": "1/0"}, "allowed are numbers")])
def test_the_panel_says_one_clear_line(typed, says):
    letters = {"d": [2, True, None, True], "epsilon": [0, False, 1, True]}
    script = javascript(read(words(r"\frac{d^2}{\epsilon}")))
    (line,) = run(f"Said.define((F)=>console.log(JSON.stringify([Said.say({{letters:{json.dumps(letters)},"
                  f"value:(v)=>{script}}},{json.dumps(typed)})])));")
    assert says in line


def test_a_formula_that_cannot_be_read_says_why():
    assert run('console.log(JSON.stringify([Said.say({letters:{},why:"x"},{})]));') == [
        "This formula cannot be computed here: x."]
