"""These checks establish the sharp batched potential lemma, its batch size for any c_K > 1, and cases of equality.

Batch k violates when tr(A_{k-1}^{-1} Phi_{k-1}) >= N epsilon, where A_0 = I, A_k = A_{k-1} + Phi_{k-1}, and Phi_{k-1}
is a sum of N matrices phi phi^T with |phi| <= 1. Stored certificates attain the bound.
"""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources

import sympy
from sympy import log

from derl.certificates.check_potential import problems
from derl.claims import Evidence, claim, steps
from derl.exact.compared import every
from derl.exact.symbolic import at_least, by_sign, equal
from derl.theory.potential import (
    one_dimensional_count,
    sharp_bound,
)

ONE_AXIS_EACH = tuple(tuple(200 * (i == j) for j in range(4)) for i in range(4)) * 2  # each axis, twice

k, s = sympy.symbols("k s", nonnegative=True)
N, b, d, e, x = sympy.symbols("N b d e x", positive=True)


# --- the sharp lemma ---------------------------------------------------------------------------------------------

@claim("res-sharp-potential", covers="the formulas: the relation at k = d x, both bounds, and the size",
       gap="the determinants and the largest x: Coq proves the whole",
       false={"99/100 of the size": {"share": sympy.Rational(99, 100)}})
def formulas_of_the_sharp_lemma(text, share=1):
    """The relation, both bounds and the size: For k = d x batches (1 + N epsilon)^k against (tr B/d)^d, and
    (N epsilon)^c = c N at the smallest N, for all real c = c_K > 1."""
    c = sympy.Rational(text(r"c_K>")) + b
    left, right = text.sides(r"(1+N\epsilon)^x\le", N=N, epsilon=e, x=x)
    least = sympy.expand_log(log(share * text(r"N\ge", c_K=c, epsilon=e)), force=True)
    return [
        ("the relation: det B >= (1 + N epsilon)^k and tr B <= d + k N for k = d x, per dimension",
         every(equal(left, (1 + N * e) ** x), equal((1 + k * N / d).subs(k, d * x), right))),
        ("k is a whole number up to d x*",
         equal(sympy.floor(d * x), text(r"|\mathcal K^+|\le", {"x^*": x}, after="Then", d=d))),
        ("(N epsilon)^c = c N at the smallest N, and more than c N at a larger one, as c > 1",
         every(equal(c * (least + log(e)), log(c) + least), by_sign(c, 1))),
        ("k <= c d", at_least(text(r"|\mathcal K^+|\le", after="gives", c_K=c, d=d), c * d, b, d)),
        ("epsilon <= 1, so the relation holds at x = 1", at_least(
            1 + N, (1 + N * e).subs(e, sympy.Rational(text.range(r"\epsilon").high) / (1 + s)), N, s)),
    ]


# --- where it is attained ----------------------------------------------------------------------------------------

def certificates(statement: str) -> dict[str, dict]:
    """The stored certificates of a statement, by file name."""
    stored = filter(lambda file: file.name.startswith("potential-"), resources.files("derl.certificates").iterdir())
    loaded = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in stored}
    return {name: result for name, result in sorted(loaded.items()) if result.get("statement") == statement}


def re_checked(statement: str, expected: int, tamper) -> Evidence:
    """How many stored certificates of a statement are right, against how many there have to be."""
    reports = {name: problems(tamper(result)) for name, result in certificates(statement).items()}
    wrong = [f"{name}: {report[0]}" for name, report in reports.items() if report]
    return Evidence(len(reports) - len(wrong), expected, "identity", "; ".join(reports) or "no certificate",
                    detail="; ".join(wrong))


def _stretched(result):
    """Every vector of a certificate twice as long."""
    return result | {"batches": [[part | {"vector": [str(2 * Fraction(v)) for v in part["vector"]]} for part in batch]
                                 for batch in result["batches"]]}


def violations_on_axes(batches, size: int = 200) -> int:
    """How many batches of at most `size` axis vectors have tr(A^-1 Phi) >= size/10; a row counts the copies by axis."""
    result, level = 0, [Fraction(1)] * len(batches[0])
    for batch in batches:
        result += sum(Fraction(copies) / before for copies, before in zip(batch, level, strict=True)) * 10 >= size
        level = [before + copies for before, copies in zip(level, batch, strict=True)]
    return result


@claim("res-sharp-potential-attained", method="certificate",
       false={"batches on several axes": {
                  "axes": ((10, 10, 0, 0), (198, 0, 2, 0), (0, 198, 0, 2), (0, 0, 60, 0), (0, 0, 0, 60))},
              "epsilon doubled": {"tamper": lambda result: result | {"epsilon": str(2 * Fraction(result["epsilon"]))}},
              "the last batch twice, one more violation claimed": {
                  "tamper": lambda result: result | {"violations": result["violations"] + 1,
                                                     "batches": result["batches"] + result["batches"][-1:]}},
              "vectors stretched beyond length 1": {"tamper": _stretched}})
def sharp_bound_is_attained(text, tamper=lambda result: result, axes=ONE_AXIS_EACH):
    """Rational batches that reach the bound: Five stored sequences of rational rank-one batches, re-checked in
    fractions without any solver."""
    result, where = certificates("res-sharp-potential-attained"), "rational batches of rank one attain"
    attained = {text.entries("(N,d,k)="), *(text.entries("", after=where, skip=at) for at in range(2, 6))}
    level, first = text(r"\epsilon="), (text("N="), text("d="))
    cases = {(one["batch_size"], one["dimension"], one["violations"]) for one in result.values()}
    vectors = [[part["vector"] for part in batch] for one in result.values()
               if (one["batch_size"], one["dimension"]) == first for batch in one["batches"]]
    printed_vectors = [text.entries("", after="copies of", skip=at) for at in range(3)]
    return steps([
        *((name, not problems(tamper(one))) for name, one in result.items()),
        ("the cases of the statement, and the bound there", cases == attained and all(
            sharp_bound(int(dim), int(size), level) == text(r"\lfloor d\,x^*\rfloor=", k=most)
            for size, dim, most in attained)),
        ("epsilon = 1/10, each batch copies of one vector",
         all(Fraction(one["epsilon"]) == level and one["bound"] == "sharp"
             and all(len(batch) == 1 for batch in one["batches"]) for one in result.values())),
        ("the vectors printed for N = 200, d = 2", 
         [[tuple(map(Fraction, one)) for one in batch] for batch in vectors] == [[one] for one in printed_vectors]),
        ("one violation per axis", all(one_dimensional_count(int(size), level) == 1 for size, *_ in attained)),
        ("batches that lie on one of four axes each, N = 200: four violations", violations_on_axes(axes) == 4),
    ], scope="; ".join(result) or "no certificate")
