"""Written proofs: numbered steps, each with what carries it.

A step of a proof in claims.yml says something (`say`, MyST) and names what carries it, from these four:

    check   a check of this statement, or a part of it by the name that the check gives it: "name", "name#part"
    use     a statement of the same paper
    joint   what joins computed steps and was read by eye, one of `JOINTS`
    quote   a theorem from elsewhere, one of those that the paper lists as `quotations`

So a proof has no step that rests on prose alone without saying of which kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from derl.judge.evidence import PART
from derl.judge.rows import CheckRow

JOINTS = {
    "definition": "a definition or a hypothesis is written out",
    "induction": "base and step are computed; that they reach all cases is read by eye",
    "cases": "the cases are computed; that there are no others is read by eye",
    "union": "probabilities of bad events are added",
    "averaging": "something is at most, or at least, its average",
    "conditioning": "an expectation is taken in two stages",
    "coupling": "two processes agree until an event happens",
    "limit": "a bound passes to a limit, a supremum or a closure",
    "counting": "members of a finite set are counted",
    "instance": "a general statement is applied to a particular case",
}
CARRIERS = ("check", "use", "joint", "quote")
REFERENCE = re.compile(rf"(?P<check>[A-Za-z_]\w*)(?:#(?P<part>{PART.pattern}))?")


@dataclass(frozen=True)
class Step:
    """One step of a written proof; `check` holds (name of the check, its part) with "" for the whole check."""

    say: str
    check: tuple[tuple[str, str], ...]
    use: tuple[str, ...]
    joint: tuple[str, ...]
    quote: tuple[str, ...]


def read(entry: object, quotations: Collection[str] = ()) -> tuple[tuple[Step, ...], str]:
    """The steps of a `proof` in claims.yml, and what is wrong with it ("" where nothing is).

    Parameters
    ----------
    quotations : collection of str
        Names of the theorems from elsewhere that a step may quote.
    """
    if not isinstance(entry, list) or not entry:
        return (), "a proof is a list of steps"
    steps = []
    for number, raw in enumerate(entry, 1):
        if not isinstance(raw, Mapping) or not isinstance(raw.get("say"), str) or not raw["say"].strip():
            return (), f"step {number} of the proof says nothing; `say` is text"
        unknown = raw.keys() - {"say", *CARRIERS}
        if unknown:
            return (), f"step {number} of the proof has the unknown field {', '.join(sorted(unknown))}"
        parts = {name: _listed(raw.get(name)) for name in CARRIERS}
        if not any(parts.values()):
            return (), f"step {number} of the proof rests on nothing; name one of {', '.join(CARRIERS)}"
        for name, allowed, source in (("joint", JOINTS, ""), ("quote", quotations, "the paper lists no `quotations`")):
            for word in parts[name]:
                if word not in allowed:
                    return (), (f"step {number} of the proof: {name} {word!r} is not allowed; allowed are "
                                f"{', '.join(allowed) or f'none, {source}'}")
        checks = []
        for word in parts["check"]:
            match = REFERENCE.fullmatch(word)
            if not match:
                return (), (f"step {number} of the proof: check {word!r} names neither a check nor a part of one; "
                            "allowed are name and name#part, with the words by which the check calls the part")
            checks.append((match["check"], match["part"] or ""))
        steps.append(Step(raw["say"].strip(), tuple(checks), parts["use"], parts["joint"], parts["quote"]))
    return tuple(steps), ""


def _listed(value: object) -> tuple[str, ...]:
    return () if value is None else (str(value),) if not isinstance(value, list) else tuple(map(str, value))


def problems(steps: tuple[Step, ...], rows: Sequence[CheckRow]) -> list[str]:
    """What the proof of a statement lacks, given the rows of its checks in the ledger.

    Every check that it names has to exist and to have that part. Some step of the proof has to name every part of a
    check, and every step of a passing symbolic check that covers the whole statement.
    """
    known = {row.name: list(dict.fromkeys(step.part for step in row.steps if step.part)) for row in rows}
    found, named = [], set()
    for number, step in enumerate(steps, 1):
        for name, part in step.check:
            if name not in known:
                found.append(f"step {number} names the check {name}, which does not exist")
            elif part and part not in known[name]:
                found.append(f"step {number} names {name}#{part}; the parts of {name} are "
                             f"{', '.join(known[name]) or 'not named'}")
            else:
                named.add((name, part))
    for row in rows:
        if (row.name, "") in named:
            continue
        found += [f"no step names {row.name}#{part}" for part in known[row.name] if (row.name, part) not in named]
        if row.method == "symbolic" and row.covers == "everything" and row.passes:
            found += [f"no step names the step {step.name!r} of {row.name}, which belongs to no part"
                      for step in row.steps if not step.part]
    return found
