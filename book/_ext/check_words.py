"""What a check found, in words: numbers for the eye, one sentence per kind of check, plain text set as formulas."""

from __future__ import annotations

import re
from fractions import Fraction

from derl.judge.rows import CheckRow, ControlRow

LONGEST = 24  # digits of an exact number that are still pleasant to read
GIVES = {"kernel": "The kernel of Coq gives", "symbolic": "The computation gives",
         "certificate": "The certificate, checked again exactly, gives",
         "exhaustive": "Over all cases that were tried, the worst gives", "interval": "The enclosure gives",
         "stress": "The worst that the search found gives", "statistical": "The statistic is",
         "run": "The worst of the runs gives"}
CONTRARY = "no recorded theorem says the contrary"  # the step of a kernel check that a refuted falsehood fails
BOUND = {"upper": "at most", "lower": "at least"}

GREEK = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
         "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega").split()
NAMED = {**{name: f"\\{name} " for name in GREEK}, "eps": "\\epsilon ", "lam": "\\lambda ", "log": "\\log ",
         "exp": "\\exp ", "max": "\\max ", "min": "\\min ", "sup": "\\sup ", "inf": "\\inf ", "det": "\\det ",
         "tr": "\\operatorname{tr}", "sqrt": "\\sqrt ", "sum": "\\textstyle\\sum ", "oo": "\\infty ",
         "infinity": "\\infty ", "floor": "\\operatorname{floor}", "ceil": "\\operatorname{ceil}", "dH": "dH",
         "KN": "KN", "KdH": "KdH"}
ATOM = re.compile(r"""(?P<power>\d+(?:\.\d+)?e[+-]?\d+) | (?P<figure>\d+(?:\.\d+)?) | (?P<word>[A-Za-z]+'*)
                      | (?P<sign><=|>=|!=|->|\.\.\.|[-+*/=<>()\[\]|!.,:]) | (?P<raised>[_^](?:\{[^{}]*\}|-?\w+))""",
                  re.VERBOSE)
SIGN = {"<=": "\\le ", ">=": "\\ge ", "!=": "\\ne ", "->": "\\to ", "*": "\\,", "...": "\\dots "}
TELLING = re.compile(rf"[<>=^_]|\b(?:{'|'.join((*GREEK, 'eps', 'lam'))})\b")


def number(value) -> str:
    """A number of the ledger for the eye; an exact one that is too long is rounded, and says so."""
    if isinstance(value, str):
        if len(value) <= LONGEST:
            return value
        try:
            exact = Fraction(value)
        except ValueError:
            return value
        return f"≈ {rounded(exact)} (exact, {len(value)} characters)"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def rounded(exact: Fraction) -> str:
    """Six significant digits, also where float overflows."""
    try:
        return f"{float(exact):.6g}"
    except OverflowError:
        digits = str(abs(exact.numerator) // exact.denominator)
        return f"{'-' if exact < 0 else ''}{digits[0]}.{digits[1:6]}e+{len(digits) - 1}"


def found(check: CheckRow) -> str:
    """One or two sentences: what was measured, what was claimed, how much room is left."""
    steps = check.steps
    if steps:
        held = sum(step.holds for step in steps)
        every = f"All {held} steps hold" if held == len(steps) > 1 else f"{held} of {counted(len(steps), 'step')} holds"
        misses = sum(step.near_miss is not None for step in steps)
        beside = f"; beside {misses} of them stands a falsehood, which the same code rejects" if misses else ""
        return f"{every}{beside}. {_purpose(check)}".strip()
    measured, claimed = number(check.measured), number(check.claimed)
    bound = BOUND.get(check.direction, "exactly")
    if check.refutes or check.breaks_proof:
        what = "printed statement" if check.refutes else "printed deduction"
        spare = _room(check).replace("of room", "to spare")
        surplus = f", with {spare}" if bound != "exactly" and _fraction(check.margin) else ""
        return (f"Computed: {measured}. The {what} is wrong if this is {bound} {claimed}; "
                f"{'it is' if check.outcome == 'pass' else 'it is not'}{surplus}.")
    if bound == "exactly":
        gap = abs(_fraction(check.margin) or 0)
        agree = "the two agree" if not gap else f"the difference {number(float(gap))} is within rounding"
        agree = agree if check.outcome == "pass" else "they differ"
        return f"Computed: {measured}; claimed: exactly {claimed}; {agree}."
    if measured == claimed == "0":
        return f"{GIVES[check.method]} 0, and no more is claimed."
    return f"{GIVES[check.method]} {measured}; claimed: {bound} {claimed}: {_room(check)}."


def answer(control: ControlRow, check: CheckRow) -> str:
    """What the check says when the truth is changed into a false variant: which step fails, where, by how much."""
    if control.outcome != "rejected":
        return f"the check does not object: {control.outcome}"
    measured, claimed = number(control.measured), number(control.claimed)
    witness, broken = control.witness or "", control.breaks
    if not check.steps:
        bound = BOUND.get(check.direction, "exactly")
        open_ = "" if not (check.refutes or check.breaks_proof) else ", so nothing is refuted"
        where = f" ({control.detail})" if control.detail else ""
        return f"it computes {measured}, which is not {bound} {claimed}{open_}{where}"
    if broken == (CONTRARY,):
        return "the kernel of Coq has accepted a proof of the contrary"
    said = witness if witness not in broken else ""
    for name in broken:
        said = said.removeprefix(f"{name}: ")
    said = re.sub(r"(?:^|; )failed: .*", "", said, flags=re.DOTALL)
    fails = f"; {'this one fails' if len(broken) == 1 else 'these fail'}: {'; '.join(broken[:3])}" if broken else ""
    fails += f"; and {len(broken) - 3} more" if len(broken) > 3 else ""
    place = f"; {'at ' if ' = ' in said.partition(':')[0] else ''}{said}" if said else ""
    return f"{measured} of {claimed} steps hold{fails}{place}"


def _purpose(check: CheckRow) -> str:
    if check.refutes:
        return "Together they confirm a counterexample to the printed statement."
    return "Together they show that the printed deduction is wrong." if check.breaks_proof else ""


def _fraction(value) -> Fraction | None:
    try:
        return Fraction(value)
    except (ValueError, TypeError, OverflowError):
        return None


def _room(check: CheckRow) -> str:
    margin, claimed = _fraction(check.margin), _fraction(check.claimed)
    if margin is None or margin < 0:
        return f"a margin of {number(check.margin)}"
    if not margin:
        return "no room left: the bound is attained"
    share = margin / abs(claimed) if claimed else None
    if share is None or share > 10:
        return f"room of {number(check.margin)}"
    return "less than 0.1 % of room" if share < Fraction(1, 1000) else f"{float(share):.1%} of room".replace("%", " %")


def counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def as_maths(text: str) -> str:
    """Plain text of a check with what is clearly a formula between dollar signs: `c_beta >= 1` becomes a formula.

    Text that carries markup of its own stays as it is.
    """
    if any(mark in text for mark in "$`{}\\"):
        return text
    pieces, run = [], []

    def close():
        if run:
            tail = ""
            while run and _latex(run[-1]) in ("-", "\\to ", "/", "|"):
                tail = f" {run.pop()}{tail}"
            joined = " ".join(run)
            if run:
                pieces.append(f"${''.join(map(_latex, run))}$" if TELLING.search(joined) and _whole(joined) else joined)
            pieces.extend(tail.split())
            run.clear()

    for token in text.split(" "):
        core = token.rstrip(",;:.")
        if core and _latex(core) is not None and core != "a" and not (core in ("A", "I") and not run):
            run.append(core)
            if core != token:
                close()
                pieces[-1] += token[len(core):]
        else:
            close()
            pieces.append(token)
    close()
    return " ".join(pieces)


def _whole(text: str) -> bool:
    """Brackets close, and the formula neither begins nor ends with a relation."""
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]")) and text.count("|") % 2 == 0 \
        and text[0] not in "=<>/*)" and text[-1] not in "=<>/*+("


def _latex(token: str) -> str | None:
    """A token without spaces as LaTeX, or nothing where a part of it is no mathematics."""
    made, at = [], 0
    for part in ATOM.finditer(token):
        if part.start() != at:
            return None
        at, kind, text = part.end(), part.lastgroup, part.group()
        if kind == "power":
            base, power = text.split("e")
            factor = "" if base == "1" else base + "\\cdot "
            made.append(f"{factor}10^{{{int(power)}}}")
        elif kind == "word":
            name, primes = text.rstrip("'"), "'" * text.count("'")
            if name not in NAMED and len(name) > 1:
                return None
            made.append(NAMED.get(name, name).rstrip() + primes + " ")
        elif kind == "raised":
            inner = text[1:].strip("{}")
            inside = _latex(inner) if inner not in NAMED else NAMED[inner]
            if inside is None:
                return None
            made.append(f"{text[0]}{{{inside.strip()}}}")
        else:
            made.append(SIGN.get(text, text))
    joined = re.sub(r"\\sqrt\s*\(([^()]*)\)", r"\\sqrt{\1}", "".join(made))
    return re.sub(r"\\sqrt(?!\{)", r"\\operatorname{sqrt}", joined) if at == len(token) and made else None
