"""A formula that was read as an expression of JavaScript: the same tree, for the browser.

The expression calls functions of an object `F`, which `book/_static/said.js` gives it, and takes letters from an object
`v`. Values are exact fractions, or floats with a bound of their error; `F` refuses by an exception what has no value.
"""

from __future__ import annotations

import json
from fractions import Fraction

from derl.printed.reading import Node, Unreadable

CALLED = {"sum": "add", "product": "times", "quotient": "over", "power": "power", "log": "log", "exp": "exp",
          "sin": "sin", "cos": "cos", "min": "min", "max": "max", "ceil": "ceil", "floor": "floor", "abs": "abs",
          "factorial": "factorial", "binomial": "binomial", "negative": "negative"}


def javascript(node: Node) -> str:
    """The expression.

    Raises
    ------
    Unreadable
        The formula has no number as its value: an order, or a letter that has to be a function.
    """
    kind = node.kind
    if kind == "number":
        return _number(node.value)
    if kind == "letter":
        return _letter(node.value)
    if kind == "series":
        low, high, body = map(javascript, node.parts)
        return f"F.series({low},{high},(i)=>((v)=>{body})({{...v,[{json.dumps(node.value)}]:i}}))"
    if kind == "order" or kind == "given" or kind == "apply" and len(node.parts) > 1:
        raise Unreadable(f"{node.value} is no number")
    if kind == "quotient" and node.value:
        raise Unreadable(f"what is divided by, {node.value}(...), needs a bracket")
    parts = [javascript(part) for part in node.parts]
    if kind == "root":
        return f"F.root({node.value},{parts[0]})"
    if kind == "apply":
        return f"F.times({_letter(node.value)},{parts[0]})"
    if kind == "powered":
        return f"F.times({_letter(node.value)},F.power({','.join(parts)}))"
    if kind in ("ceil", "floor") and node.parts[0].kind == "log" and len(node.parts[0].parts) == 2:
        inside, base = map(javascript, node.parts[0].parts)
        return f"F.{kind}Log({inside},{base})"
    return f"F.{CALLED[kind]}({','.join(parts)})"


def _letter(name: str) -> str:
    return f"F.letter(v,{json.dumps(name)})"


def _number(value: Fraction) -> str:
    return f"F.q({value.numerator}n" + (f",{value.denominator}n)" if value.denominator > 1 else ")")
