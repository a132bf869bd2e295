"""Changes of words of a text: a word that decides becomes its opposite, and a sentence with a hypothesis is left out.

Which words decide is a question of the language and not of a paper: quantifiers, comparisons, directions, negations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from derl.printed.edits import Edit
from derl.printed.text import MATHS, Text

OPPOSITES = {
    "for every": "for some", "for all": "for some", "for each": "for some", "every": "some", "all": "some",
    "each": "some", "for some": "for every", "some": "every", "any": "one", "there is": "there is no",
    "there are": "there are no", "no": "some", "not": "", "never": "always", "always": "never", "none": "all",
    "both": "one", "at least": "at most", "at most": "at least", "more than": "less than", "less than": "more than",
    "fewer than": "more than", "larger": "smaller", "smaller": "larger", "above": "below", "below": "above",
    "largest": "smallest", "smallest": "largest", "maximum": "minimum", "minimum": "maximum", "lower": "upper",
    "upper": "lower", "increasing": "decreasing", "decreasing": "increasing", "increases": "decreases",
    "decreases": "increases", "grows": "falls", "falls": "grows", "positive": "negative", "negative": "positive",
    "nonnegative": "negative", "before": "after", "after": "before", "first": "last", "last": "first",
    "without": "with", "only": "also", "if and only if": "if", "unless": "if", "necessary": "sufficient",
    "sufficient": "necessary", "finite": "infinite", "infinite": "finite", "known": "unknown", "unknown": "known",
    "independent": "dependent", "same": "different", "different": "same", "deterministic": "arbitrary",
    "arbitrary": "deterministic", "polynomial": "exponential", "exponential": "polynomial", "reward-free": "offline",
    "offline": "reward-free", "online": "offline", "symmetric": "square", "exactly": "about", "fails": "succeeds",
    "succeeds": "fails", "best": "worst", "worst": "best", "bounded": "unbounded", "longest": "shortest",
    "shortest": "longest", "exceeds": "is below", "linear": "nonlinear", "orthogonal": "parallel", "twice": "half",
    "half": "twice", "random": "fixed", "uniform": "arbitrary", "convex": "concave", "cannot": "can",
}
WORD = re.compile(r"(?<![\w-])(?:" + "|".join(r"\s+".join(words.split()) for words in sorted(OPPOSITES, key=len,
                                                                                            reverse=True))
                  + r")(?![\w-])", re.IGNORECASE)
SENTENCE = re.compile(r"(?<![^.\s])\s*(?:Let|Suppose|Assume|Consider|Here|Fix)\b[^.$]*(?:\$[^$]*\$[^.$]*)*\.(?=\s|$)")


def deciding(text: Text) -> Iterator[re.Match]:
    """The words of a text that decide what it says, outside of its formulas."""
    inside = [found.span() for found in MATHS.finditer(text.source)]
    for word in WORD.finditer(text.source):
        if not any(start < word.end() and word.start() < end for start, end in inside):
            yield word


def opposites(text: Text) -> Iterator[Edit]:
    """Each word that decides with its opposite in its place, and each hypothesis of one sentence left out."""
    for word in deciding(text):
        new = OPPOSITES[" ".join(word[0].lower().split())]
        new = new.capitalize() if word[0][0].isupper() else new
        yield _edit(text, *word.span(), new)
    for sentence in SENTENCE.finditer(text.source):
        if sentence[0].strip() != text.source.strip():
            yield _edit(text, *sentence.span(), "")


def _edit(text: Text, start: int, end: int, new: str) -> Edit:
    return Edit(start, end, text.source[start:end], new, text.source[:start] + new + text.source[end:])
