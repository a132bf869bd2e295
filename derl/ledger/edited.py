"""What becomes of a statement whose text is edited: its checks run on the edited text.

The command line, a lab and the pages of a book ask here.
"""

from __future__ import annotations

from dataclasses import dataclass

from derl.inputs import Invalid, parts
from derl.judge.planting import unreadable
from derl.judge.quotes import arguments, quotes
from derl.judge.registry import Check
from derl.judge.trial import evidence_of, witness_of
from derl.ledger.paper import Paper
from derl.printed import Text, Unreadable
from derl.printed.text import wording

SAID = {"refuted": "refuted", "other value": "not what the check computes",
        "false step": "a step of its proof is false", "not shown": "no longer shown",
        "still refuted": "refuted, as before",
        "holds": "still holds", "not refuted": "no longer refuted by this check",
        "unreadable": "cannot be read by this check", "elsewhere": "does not read this place",
        "not run": "could not be run"}
FALSE = ("refuted", "other value", "false step", "not shown", "still refuted")
EXACT = ("tight", "identity")  # directions of evidence that a weaker bound fails, too


class UnusableEdit(Invalid):
    """The edit names no single piece of the text, or changes nothing."""


@dataclass(frozen=True)
class Answer:
    """What one check says of the edited text: its name, one of the words of `SAID`, and where or why."""

    check: str
    word: str
    detail: str = ""

    def __str__(self):
        return f"{self.check}: {SAID[self.word]}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True)
class Edited:
    """What all checks say of the edited text, and the places (start, end) of it that one of them reads.

    `reworded` says whether its words are others, and not only its formulas.
    """

    text: str
    answers: tuple[Answer, ...]
    read: tuple[tuple[int, int], ...] = ()
    reworded: bool = False

    @property
    def refuted(self) -> bool:
        """Whether a check fails on it."""
        return any(answer.word in FALSE for answer in self.answers)

    @property
    def checked(self) -> bool:
        """Whether a check has read the edited place."""
        return any(answer.word in (*FALSE, "holds", "not refuted") for answer in self.answers)

    @property
    def verdict(self) -> str:
        """All answers in one, the strongest first."""
        words = {answer.word for answer in self.answers}
        if words & {"refuted", "still refuted"}:
            return "the edited statement is refuted"
        if "other value" in words:
            return "a check computes another value: the edited statement is false, or weaker than the printed one"
        if "false step" in words:
            return "a step of its proof is false: the edited statement is false, or weaker than the printed one"
        if "not shown" in words:
            return "the edited statement is not shown any more, and no point at which it is false was found"
        if any(answer.word == "holds" for answer in self.answers):
            return "the edited statement is weaker, or still true: the checks that read this place pass"
        if any(answer.word == "unreadable" for answer in self.answers):
            return "no check can read the edited statement"
        if self.reworded:
            return "no check reads these words: the statement is stale until somebody has compared it with its checks"
        return "no check reads this place"


def edited(paper: Paper, claim: str, old: str, new: str, tier: str = "quick") -> Edited:
    """Run the checks of a statement on its text with one piece changed.

    Parameters
    ----------
    claim : str
        Id of the statement.
    old, new : str
        A piece that the text holds once, and what comes there.
    tier : {"quick", "full"}
        Which checks run.

    Raises
    ------
    UnusableEdit
    """
    source = paper.text(claim)
    try:
        text = Text(source, claim).edit(old, new)
    except Unreadable as problem:
        raise UnusableEdit(str(problem)) from None
    start = source.index(old)
    return _judged(paper, claim, text.source, start, start + len(new), tier)


def rewritten(paper: Paper, claim: str, source: str, tier: str = "quick") -> Edited:
    """Run the checks of a statement on another text in its place, such as one that a reader has typed.

    Parameters
    ----------
    claim : str
        Id of the statement.
    source : str
        The whole text; the printed one, too, may be given.
    tier : {"quick", "full"}
        Which checks run.
    """
    start, end = changed(paper.text(claim), source)
    return _judged(paper, claim, source, start, end, tier)


def changed(old: str, new: str) -> tuple[int, int]:
    """The piece (start, end) of `new` outside of which both texts are equal; all of it where nothing is changed."""
    if old == new:
        return 0, len(new)
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return start, len(new) - tail


def _judged(paper: Paper, claim: str, source: str, start: int, end: int, tier: str) -> Edited:
    texts = [(check, Text(source, claim)) for check in paper.register().of(claim, tier) if _asked(check, claim)]
    answers = tuple(_answer(check, text, start, end) for check, text in texts)
    return Edited(source, answers, tuple(sorted({place for _, text in texts for place in (*text.places, *text.heard)})),
                  wording(source) != wording(paper.text(claim)))


def _asked(check: Check, claim: str) -> bool:
    return not check.breaks_proof and any(quote.key == (claim, "statement")
                                          for quote in quotes(check.function).values())


def _answer(check: Check, text: Text, start: int, end: int) -> Answer:
    if check.needs and not parts.installed(check.needs.package):
        return Answer(check.name, "not run", f"needs {check.needs.install}")
    texts = {(check.claim, "statement"): text}
    try:
        evidence = evidence_of(check, arguments(quotes(check.function), texts))
    except Exception as problem:
        if unreadable(problem):
            return Answer(check.name, "unreadable", _line(problem))
        return Answer(check.name, "not run", _line(problem))
    if not any(first < max(end, start + 1) and start < last for first, last in (*text.places, *text.heard)):
        return Answer(check.name, "elsewhere")
    if evidence.holds:
        return Answer(check.name, "still refuted" if check.refutes else "holds")
    if not evidence.finite:
        return Answer(check.name, "not run", "nothing finite was measured")
    if check.refutes:
        return Answer(check.name, "not refuted")
    where = witness_of(evidence, check.method)
    failed = next((name for name, holds in evidence.steps if not holds), "")
    return Answer(check.name, _failure(evidence, where, _equation(text, start)), where or failed or evidence.detail)


def _failure(evidence, where: str, equation: bool) -> str:
    """What the failure of a check says of the statement: a false step, or a number that is exact, may say less."""
    if not where:
        return "not shown"
    if equation:
        return "refuted"
    if evidence.steps:
        return "false step"
    return "other value" if evidence.direction in EXACT else "refuted"


def _equation(text: Text, start: int) -> bool:
    """Whether the place is in a formula whose only relation is `=`."""
    inside = [chain for chain in text.chains if (tokens := [token for side in chain.sides for token in side])
              and tokens[0].start <= start < tokens[-1].end]
    return any(chain.signs and all(sign.text == "=" for sign in chain.signs) for chain in inside)


def _line(problem: BaseException) -> str:
    """The innermost reason, in one line."""
    while problem.__cause__ is not None and not isinstance(problem, Unreadable):
        problem = problem.__cause__
    return " ".join(str(problem).split())[:300]
