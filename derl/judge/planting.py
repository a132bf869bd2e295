"""Planting false variants: each one-sign change of what a check reads of its statement is tried on that check.

A change is *rejected* where the check then fails, and *refused* where the text then holds no formula that the check can
read. It is *weaker* where the check still passes and the values have moved away from those that it rejects. Otherwise
it is *free*.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derl.judge.quotes import arguments, quotes
from derl.judge.registry import Check
from derl.judge.rows import VariantsRow
from derl.printed import Text, Unreadable, read, value
from derl.printed.edits import Edit, edits
from derl.printed.points import points
from derl.printed.text import REVERSED

FEWEST = 3  # points at which two formulas have values, so that they can be compared


def variants(subject: Check, run, most: int | None) -> VariantsRow | None:
    """What a check rejects of the changes of its text; None where it quotes none of its statement.

    Parameters
    ----------
    run : callable
        Keyword arguments -> `Evidence`; raises what the check raises.
    most : int or None
        How many changes are planted at most, and besides them how many relations are turned; None for all.
    """
    quoted = quotes(subject.function)
    if not any(quote.claim == subject.claim for quote in quoted.values()):
        return None
    texts: dict[tuple[str, str], Text] = {}
    held = {name for name, holds in run(arguments(quoted, texts)).steps if holds}
    own = {field: text for (claim, field), text in texts.items() if claim == subject.claim}
    found = [(field, edit) for field, text in own.items() for edit in edits(text, text.places)]
    turned = [(field, edit) for field, edit in found if edit.old in REVERSED]  # a relation with its sign turned
    outcomes, breaks = {}, {}
    for field, edit in dict.fromkeys([*found[:most], *turned[:most]]):
        outcomes[field, edit], failed = _outcome(subject, quoted, run, field, edit, own[field])
        breaks |= dict.fromkeys(failed)
    for (field, edit), outcome in outcomes.items():
        if outcome == "free" and _weaker(own[field], edit, [e for (f, e), o in outcomes.items()
                                                            if f == field and o == "rejected"]):
            outcomes[field, edit] = "weaker"
    return VariantsRow(possible=len(found), outcomes={f"{field}:{edit.key}": word for (field, edit), word
                                                      in outcomes.items()},
                       read={field: " ".join(f"{start}-{end}" for start, end in sorted({*text.places, *text.heard}))
                             for field, text in own.items()}, breaks=tuple(name for name in breaks if name in held))


def _outcome(subject: Check, quoted, run, field: str, edit: Edit, own: Text) -> tuple[str, list[str]]:
    """What became of a change of the text `own`, and the steps that fail then."""
    changed = Text(edit.source, subject.claim)
    try:
        changed.repeat(own)  # before the check computes anything
        evidence = run(arguments(quoted, {(subject.claim, field): changed}))
    except Exception as problem:  # an exception is no rejection, unless the text is what could not be read
        return "refused" if unreadable(problem) else "not run", []
    failed = [name for name, holds in evidence.steps if not holds]
    return "free" if evidence.holds else "rejected" if evidence.finite else "not run", failed


def unreadable(problem: BaseException | None) -> bool:
    """Whether an exception, or one that it comes from, says that a text could not be read."""
    while problem is not None:
        if isinstance(problem, Unreadable):
            return True
        problem = problem.__cause__
    return False


def _weaker(text: Text, edit: Edit, rejected: list[Edit]) -> bool:
    """Whether the values have moved away from those of every rejected change of the same side."""
    place, moved = _side(text, edit), _moved(text, edit)
    if place is None or not moved:
        return False
    others = {_moved(text, other) for other in rejected if _side(text, other) == place}
    return -moved in others and moved not in others


def _side(text: Text, edit: Edit) -> tuple[int, int] | None:
    """(chain, side) in which a change is."""
    for number, chain in enumerate(text.chains):
        for at, side in enumerate(chain.sides):
            if side and side[0].start <= edit.start and edit.end <= side[-1].end:
                return number, at
    return None


def _moved(text: Text, edit: Edit) -> int:
    """1 where the change makes the side larger wherever it changes it, -1 where smaller, 0 where neither is so."""
    place = _side(text, edit)
    if place is None:
        return 0
    after = Text(edit.source)
    if len(after.chains) != len(text.chains) or len(after.chains[place[0]].sides) != len(text.chains[place[0]].sides):
        return 0
    pairs = list(_values(*(tuple(token.text for token in each.chains[place[0]].sides[place[1]])
                           for each in (text, after))))
    signs = {(new > old) - (new < old) for old, new in pairs} - {0}
    return signs.pop() if len(pairs) >= FEWEST and len(signs) == 1 else 0


def _values(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[tuple[Fraction, Fraction]]:
    try:
        before, after = read(old), read(new)
    except Unreadable:
        return
    for point in points({*before.letters(), *after.letters()} - {"e"}):
        try:
            yield tuple(Fraction(value(node, point)) for node in (before, after))
        except (Unreadable, ValueError, OverflowError, TypeError):
            continue

