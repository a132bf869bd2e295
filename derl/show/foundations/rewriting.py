"""A statement that the reader edits: its checks run on the edited text, and the text shows which places they read."""

from __future__ import annotations

import difflib
import html
from functools import cache

from matplotlib.patches import Rectangle

from derl.claims import PAPER
from derl.judge import verdicts
from derl.judge.quotes import quotes
from derl.ledger.edited import SAID, Edited, changed, rewritten
from derl.printed import Text
from derl.printed.edits import places
from derl.show.drawing import InvalidChoice, style
from derl.show.foundations.light import checks, recorded
from derl.show.labs.controls import View

LONGEST = 420  # characters of a statement that is offered, and of twice that what may be typed
COLUMNS = 64  # characters of a line of the picture
READ = {"facecolor": f"{style.BLUE}50", "edgecolor": "none"}
UNREAD = {"facecolor": "none", "edgecolor": style.GREY, "linestyle": ":"}
CHANGED = {"facecolor": "none", "edgecolor": style.RED, "linewidth": 2}
ALIKE = 0.6  # how much of a text has to be left of a statement


@cache
def offered() -> tuple[str, ...]:
    """Ids of the statements that are short and whose light checks evaluate their text."""
    found = dict.fromkeys(claim for claim, name in recorded() if len(PAPER.text(claim)) <= LONGEST and any(
        quote.key == (claim, "statement") for quote in quotes(checks()[claim, name].function).values()))
    return tuple(found)


def meant(text: str) -> str:
    """The statement that an edited text comes from.

    Raises
    ------
    InvalidChoice
        If too little of every statement is left in it.
    """
    if not 0 < len(text) <= 2 * LONGEST:
        raise InvalidChoice(f"The text has {len(text)} characters; 1 to {2 * LONGEST} are allowed. Choose a statement "
                            "to begin with.")

    def likeness(claim: str) -> float:
        source = PAPER.text(claim)
        start, end = changed(source, text)
        same = len(text) if source == text else start + len(text) - end
        return same / max(len(source), len(text))

    best = max(offered(), key=likeness)
    if likeness(best) < ALIKE and difflib.SequenceMatcher(None, PAPER.text(best), text).ratio() < ALIKE:
        raise InvalidChoice("The text is far from every statement. Choose a statement to begin with, and change one "
                            "sign of it.")
    return best


def as_text(judged: Edited, start: int | None, end: int | None):
    """The text, with the places that a check reads, those that none reads, and the piece that is changed.

    Parameters
    ----------
    judged : Edited
    start, end : int or None
        The changed piece; None where nothing is changed.

    Returns
    -------
    Figure
    """
    lines = [judged.text[at:at + COLUMNS].replace("\n", " ") for at in range(0, len(judged.text), COLUMNS)]
    figure, axes = style.axes(figsize=(7.4, 0.3 * len(lines) + 0.5))
    axes.set(xlim=(0, COLUMNS), ylim=(len(lines) + 1.1, 0))
    axes.set_axis_off()
    for token in places(Text(judged.text)):
        read = any(first <= token.start and token.end <= last for first, last in judged.read)
        box(axes, token.start, token.end, **(READ if read else UNREAD))
    if start is not None:
        box(axes, start, max(end, start + 1), **CHANGED)
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            axes.text(column + 0.5, row + 0.5, sign, ha="center", va="center", family="monospace", fontsize=8.5,
                      parse_math=False)
    for at, look, words in ((0, READ, "a check reads it"), (22, UNREAD, "no check reads it"),
                            (44, CHANGED, "your change")):
        axes.add_patch(Rectangle((at + 0.1, len(lines) + 0.35), 1.6, 0.6, **look))
        axes.text(at + 2.4, len(lines) + 0.65, words, fontsize=8.5, va="center")
    return figure


def box(axes, start: int, end: int, **look) -> None:
    """A box around the characters from `start` to `end`, line by line."""
    while start < end:
        stop = min(end, (start // COLUMNS + 1) * COLUMNS)
        axes.add_patch(Rectangle((start % COLUMNS, start // COLUMNS + 0.05), stop - start, 0.9, **look))
        start = stop


def statement_view(text: str) -> View:
    """What the checks of a statement say of a text that is typed in its place."""
    claim = meant(text)
    source, statement = PAPER.text(claim), PAPER.statements[claim]
    judged = rewritten(PAPER, claim, text)
    start, end = (None, None) if text == source else changed(source, text)
    name = statement.title if statement.own else f"{statement.name}: {statement.title}"
    if start is None:
        sentence = f"✓ {name}. The text is the printed one, and its checks pass. Change a number, a sign or a letter."
    else:
        sign = verdicts.SIGNS["refuted"] if judged.refuted else "≈"
        sentence = f"{sign} {name}. {judged.verdict[0].upper()}{judged.verdict[1:]}."
    rows = "".join(f"<tr><th>{html.escape(answer.check)}</th><td>{html.escape(SAID[answer.word])}</td>"
                   f"<td>{html.escape(answer.detail)}</td></tr>" for answer in judged.answers)
    return View(sentence.replace("$", ""), (as_text(judged, start, end), f"<table>{rows}</table>"))
