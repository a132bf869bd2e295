"""Steps that hold whatever the texts say.

A step whose two sides are literally the same, or whose left side is the right one and more, says something only if what
a check reads of a text made it so. So the check runs once more, with every value that it reads changed; a step of this
kind that has the same sides again is a tautology.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from derl.exact.base import ONLY_SIDES
from derl.judge.evidence import Evidence
from derl.judge.quotes import Quote, arguments

# small numbers only: a rational with a long denominator may stand in an exponent, and no computation survives that
CHANGES = (lambda found, start: (2 + start % 3) * found + 1,
           lambda found, start: (found + Fraction(1, 2)) / (2 + start % 3),  # where a number below 1 is needed
           lambda found, start: found + 1)  # where a whole number is needed


def tautologies(evidence: Evidence, quoted: Mapping[str, Quote], run: Callable[[dict], Evidence],
                broken: Collection[str] = ()) -> list[str]:
    """The names of the tautologies of a check; none where no changed run comes to an end.

    Parameters
    ----------
    evidence : Evidence
        What the check finds.
    run : callable
        Keyword arguments -> `Evidence`; raises what the check raises.
    broken : collection of str
        Steps that something planted has made false: no tautologies.
    """
    empty = [at for at, step in evidence.askable.items()
             if step.trivial and _sides(step) and evidence.steps[at][0] not in broken]
    for change in CHANGES if empty and quoted else ():
        texts = {quote.key: replace(quote.text(), change=change) for quote in quoted.values()}
        only = ONLY_SIDES.set(True)
        try:
            again = run(arguments(quoted, texts))
        except Exception:  # a text with other values may have none for the check to compute with
            continue
        finally:
            ONLY_SIDES.reset(only)
        if len(again.steps) == len(evidence.steps):
            empty = [at for at in empty if _sides(evidence.askable[at]) == _sides(again.askable.get(at))]
            break
    else:
        empty = [] if quoted else empty
    return [evidence.steps[at][0] for at in empty]


def _sides(step: Any) -> list[tuple]:
    return [(part.left, part.right) for part in getattr(step, "parts", (step,)) if hasattr(part, "left")]
