"""Re-check stored certificates with nothing but the standard library: fractions and json.

    python derl/certificates/check_potential.py FILE...

A certificate lists batches of rational vectors in R^d and claims that k of them violate: with A_0 = I and
A_j = A_{j-1} + Phi_{j-1}, batch j violates when tr(A_{j-1}^{-1} Phi_{j-1}) >= N epsilon. It also claims that k is the
most that one of two bounds allows:

    sharp:    (1 + N epsilon)^k <= (1 + k N/d)^d
    refined:  (1 + N epsilon)^(k-1) <= m ((T - m)/(d - 1))^(d - 1),   T = d + (k-1) N,   m = min(1/epsilon, T/d)

holds at k and fails at k + 1. Every number is a fraction, every comparison exact. A file with any other field, or
with a field that occurs twice, is refused. Exit status 0: all files are right.
"""

import json
import sys
from fractions import Fraction

FIELDS = {"statement", "bound", "dimension", "batch_size", "epsilon", "violations", "batches"}
STATEMENTS = {"sharp": "res-sharp-potential-attained", "refined": "res-refined-potential"}


def problems(certificate):
    """What is wrong with a certificate: a list of lines, empty when everything it claims is true."""
    try:
        if unknown := set(certificate) - FIELDS:
            return [f"not a certificate: unknown field {', '.join(sorted(unknown))}"[:200]]
        d, size, claimed = (whole(certificate[key]) for key in ("dimension", "batch_size", "violations"))
        level, bound = exact(certificate["epsilon"]), {"sharp": sharp, "refined": refined}[certificate["bound"]]
        batches = [[([exact(x) for x in part["vector"]], whole(part["copies"])) for part in batch]
                   for batch in certificate["batches"]]
        about = certificate.get("statement", STATEMENTS[certificate["bound"]])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return [" ".join(f"not a certificate: {type(error).__name__} {error}".split())[:200]]
    if about != STATEMENTS[certificate["bound"]]:
        return [f"the bound {certificate['bound']!r} is not that of the statement {about!r}"[:200]]
    if not 0 < level <= 1:
        return [f"epsilon is {level}; it must lie in (0, 1]"]
    if not batches:
        return ["there is no batch"]
    found = []
    for j, batch in enumerate(batches, 1):
        if any(len(vector) != d for vector, _ in batch):
            return [f"batch {j}: a vector is not in R^{d}"]
        if sum(copies for _, copies in batch) != size:
            found.append(f"batch {j}: the copies do not add up to {size} vectors")
        if any(sum(x * x for x in vector) > 1 for vector, _ in batch):
            found.append(f"batch {j}: a vector is longer than 1")
    count = count_violations(batches, d, size * level)
    if count != claimed:  # the powers below would have the claimed exponent
        return [*found, f"{count} batches violate, not {claimed}"[:200]]
    if not bound(claimed, d, size, level):
        found.append(f"the bound does not allow {claimed} violations")
    if bound(claimed + 1, d, size, level):
        found.append(f"the bound allows {claimed + 1} violations, so it is not attained")
    return found


def whole(value):
    """A whole number >= 1; 2.5 and true are refused."""
    if type(value) is not int or value < 1:
        raise ValueError(f"{value!r} is not a whole number >= 1")
    return value


def exact(value):
    """A fraction from text such as "-3/5" or a whole number; JSON's 0.1 is not 1/10, and 1e9 may be 1e999999999."""
    if type(value) is not int and not (type(value) is str and set(value) <= set("-/0123456789")):
        raise ValueError(f"{value!r} is not a fraction")
    return Fraction(value)


def count_violations(batches, d, threshold):
    """How many batches have tr(A^{-1} Phi) >= threshold; batches are lists of (vector, copies)."""
    matrix = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    count = 0
    for batch in batches:
        trace = Fraction(0)
        for vector, copies in batch:
            trace += copies * sum(x * y for x, y in zip(vector, solve(matrix, vector), strict=True))
        count += trace >= threshold
        for vector, copies in batch:
            for i in range(d):
                for j in range(d):
                    matrix[i][j] += copies * vector[i] * vector[j]
    return count


def solve(matrix, right):
    """Solve matrix x = right by elimination in fractions (positive definite, so no pivot is 0)."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(n):
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    x = [Fraction(0)] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def sharp(k, d, size, level):
    return (1 + size * level) ** k <= (1 + Fraction(k * size, d)) ** d


def refined(k, d, size, level):
    total = Fraction(d + (k - 1) * size)
    least = min(1 / level, total / d)
    others = ((total - least) / (d - 1)) ** (d - 1) if d > 1 else 1
    return (1 + size * level) ** (k - 1) <= least * others


def unique(pairs):
    """An object of JSON in which no key occurs twice: a reader may have seen the first, `json` takes the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def main(paths):
    wrong = False
    for path in paths:
        try:
            with open(path, encoding="utf-8") as stream:
                found = problems(json.load(stream, object_pairs_hook=unique))
        except (OSError, ValueError, RecursionError) as error:
            found = [f"cannot be read: {error}"]
        wrong = wrong or bool(found)
        line = f"{path}: {'; '.join(found) or 'right'}"
        print("".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line))
    return int(wrong or not paths)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
