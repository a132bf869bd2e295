"""Hypotheses that many statements of this chapter share, read from the printed texts as one step of a check."""

from __future__ import annotations

from derl.exact.compared import at_most, every, exactly
from derl.printed import Text


def hypotheses(text: Text, values: tuple[str, ...] = (), probability: str = "", after: str = "", least=()) -> tuple:
    r"""A step: which values, confidences and sizes a proof allows, as the text says them.

    Parameters
    ----------
    said : Text
    values : tuple of str
        Words before an interval of rewards or values; each has to be [0, 1], so that H of them sum up to at most H.
    probability : str
        Words before the probability of success, which has to be one minus the delta of the union bounds.
    after : str
        Words from where on the range of delta is looked for; `least` is looked for from the beginning on.
    least : sequence of (str, int)
        Letters with the least number for which the steps of the proof are made; the text may allow no smaller one.
    """
    result = []
    for words in values:
        interval = text.interval(after=words)
        result.append(exactly((interval.low, interval.high), (0, 1)))
    if probability:
        failing = text.range(r"\delta", after=after)
        ends = [end for end in (failing.bottom, failing.top) if end is not None]
        result += [exactly([1 - text("", after=probability, delta=end) for end in ends], ends),
                   at_most(failing.high, 1), *(exactly(end, 0) for end in ends[:-1])]
    result += [at_most(number, text.range(letter).low) for letter, number in least]
    return "rewards or values between 0 and 1, the probability of failure, the least sizes", every(*result)
