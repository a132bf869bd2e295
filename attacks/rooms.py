"""How close the falsehoods are that the checks reject: the room of every step, and the miss of every control.

    python attacks/rooms.py            compare `_build/ledger.json` with what is recorded in tests/claims/rooms.csv
    python attacks/rooms.py --renew    record what the ledger says

A step with more room than was recorded shows less than it did: its falsehood lies further away. So does a control whose
measured number is further from the claimed one, or that makes fewer steps false. Each such line names the check. Less
room is no complaint; record it. Exit status: 0 nothing has grown; 1 something has, or a check has other steps.
"""

from __future__ import annotations

import argparse
import csv
import sys
from fractions import Fraction
from pathlib import Path

from derl.inputs.files import table

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "claims" / "rooms.csv"
LEDGER = ROOT / "_build" / "ledger.json"
COLUMNS = ("claim", "check", "steps", "controls")
GROWN = 1.01  # a room, or a miss, that grows by less is rounding
DIGITS = 4


def rooms(check) -> list[str]:
    """One word for each step: the factor or the sum by which it could be sharpened, "=", "book", or "?"."""
    found = []
    for step in check.steps:
        if step.bookkeeping or not step.near_miss:
            found.append("book" if step.bookkeeping else "?")
        elif step.near_miss.room == "none":
            found.append("=")
        else:
            kind, _, number = step.near_miss.room.rpartition(" ")
            found.append(f"{'x' if kind == 'factor' else '+'}{_short(number)}")
    return found


def misses(check) -> list[str]:
    """One word for each control: by which part of the claimed number it is off, or which steps it makes false."""
    found = []
    for control in check.controls:
        if check.steps:
            broken = [str(at) for at, step in enumerate(check.steps, 1) if step.name in control.breaks]
            found.append(f"n{','.join(broken)}")
            continue
        measured, claimed = (Fraction(str(side)) for side in (control.measured, control.claimed))
        found.append(_short(abs(measured - claimed) / abs(claimed) if claimed else abs(measured)))
    return found


def _short(number) -> str:
    try:
        return f"{float(Fraction(str(number))):.{DIGITS}g}"
    except (ValueError, OverflowError):
        return "far"


def present(claims: dict) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    """(claim, check) -> rooms and misses, from the statements of a ledger."""
    return {(key, check.name): (rooms(check), misses(check)) for key, row in claims.items()
            for check in row.checks if check.method != "kernel" and check.passes}


def one_sided(claims: dict) -> list[tuple[str, str]]:
    """(claim, check) of checks that claim one number exactly while every control errs on the same side of it.

    A check in steps is left out, and so is one that counts cases and claims all of them: there is no more than all.
    """
    found = []
    for key, row in claims.items():
        for check in row.checks:
            if check.method == "kernel" or check.steps or check.direction not in ("identity", "tight"):
                continue
            claimed = Fraction(str(check.claimed))
            sides = {Fraction(str(control.measured)) > Fraction(str(control.claimed)) for control in check.controls}
            counted = claimed.denominator == 1 and claimed > 2 and sides == {False}
            if len(sides) < 2 and claimed and not counted:
                found.append((key, check.name))
    return found


def recorded() -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    """What was recorded last."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {(row["claim"], row["check"]): (row["steps"].split(), row["controls"].split())
                for row in csv.DictReader(stream)}


def problems(now: dict, before: dict) -> list[str]:
    """What is weaker than was recorded, a line each."""
    found = [f"{key} {name}: its rooms were never recorded" for key, name in now if (key, name) not in before]
    found += [f"{key} {name}: it is recorded, and is no passing check of the ledger" for key, name in before
              if (key, name) not in now]
    for (key, name), (steps, controls) in now.items():
        old_steps, old_controls = before.get((key, name), (steps, controls))
        for what, new, old in (("step", steps, old_steps), ("control", controls, old_controls)):
            if len(new) != len(old):
                found.append(f"{key} {name}: it has {len(new)} {what}s; {len(old)} are recorded")
                continue
            found += [f"{key} {name}: {what} {at} {said}" for at, (is_, was) in
                      enumerate(zip(new, old, strict=True), 1) if (said := _weaker(is_, was))]
    return found


def _weaker(now: str, before: str) -> str:
    """How a word is weaker than another; "" where it is not."""
    if now == before:
        return ""
    if now == "book":
        return "has become bookkeeping: nothing can make it false"
    if now[0] != before[0] and not (now[0].isdigit() and before[0].isdigit()) or "far" in (now, before):
        return f"leaves {now}; {before} is recorded"
    if now[0] == "n":
        lost = [at for at in before[1:].split(",") if at not in now[1:].split(",")]
        return f"no longer makes step {', '.join(lost)} false" if lost else ""
    new, old = (abs(float(word.lstrip("x+"))) for word in (now, before))
    return f"leaves the room {now}; {before} is recorded" if new > GROWN * old + 1e-12 else ""


def main() -> int:
    from derl.ledger import Ledger

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--ledger", type=Path, default=LEDGER)
    parser.add_argument("--sides", action="store_true", help="list exact numbers whose controls all err on one side")
    options = parser.parse_args()
    claims = Ledger.load(options.ledger).claims
    now = present(claims)
    if options.sides:
        print(*map(" ".join, one_sided(claims)), sep="\n")
        return 0
    if options.renew:
        rows = ([*key, " ".join(steps), " ".join(controls)] for key, (steps, controls) in sorted(now.items()))
        FILE.write_text(table(COLUMNS, rows), encoding="utf-8")
    found = problems(now, recorded())
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
