"""Numbers, tables and vectors of rational numbers as Coq text."""

from __future__ import annotations

from fractions import Fraction

from instances import rat


def exactly(number: float) -> Fraction:
    """The rational number with a small denominator that derl's float is."""
    found = Fraction(number).limit_denominator(200_000)
    assert abs(found - Fraction(number)) < Fraction(1, 10**11)
    return found


def table(values, depth: int, kind=rat) -> str:
    """A function of `depth` truth values, or of numbers 0 and 1, as a sequence in sequences."""
    return kind(values) if not depth else "[:: " + "; ".join(table(x, depth - 1, kind) for x in values) + "]"


def looked_up(name: str, kind: str, text: str, order: str, default: str) -> str:
    """A definition that looks up the layer, and what else `order` says: n for a number, b for a truth value."""
    arguments = [f"({x}{i} : {'nat' if x == 'n' else 'bool'})" for i, x in enumerate(order)]
    inner = text
    for i, _ in enumerate(order):
        inner = f"nth {default if i == len(order) - 1 else '[::]'} ({inner}) {order[i]}{i}"
    return f"Definition {name} {' '.join(arguments)} : {kind} := {inner}."


def over(size: int, text: str) -> str:
    """The same definition, with a first argument from 0, ..., size - 1."""
    return text.replace("(n0 : nat)", f"(n0 : 'I_{size})")


def greater(x: Fraction, y: Fraction, strictly: bool) -> str:
    """The end of a proof that the number x is (strictly) greater than y."""
    p, q = (x - y).as_integer_ratio()
    return f"apply: ({'lt' if strictly else 'le'}_by (p := {p}) (q := {q})) => //; whole"


def number(x) -> str:
    return rat(x) if x else "0"


def vectors(values, depth: int) -> str:
    """Sequences in sequences of vectors with two entries."""
    if not depth:
        return f"(v2 {number(values[0])} {number(values[1])} : 'cV[real]_2)"
    return "[:: " + "; ".join(vectors(x, depth - 1) for x in values) + "]"
