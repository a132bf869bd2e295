r"""A formula of a statement in a sentence, and its value.

- `` {said}`thm-layerwise N\ge` `` is the relation of the statement that begins so, as it is printed there.
- `` {said}`thm-layerwise \nu_{\min}^4` `` is a piece of a formula of the statement.
- `` {said}`thm-layerwise N\ge @` `` is the right side of the relation alone.
- `` {said}`thm-layerwise N\ge @ d=10, H=20` `` is its value; short exact numbers are shown as they are.

After the id, `/printed` or `/corrected` means that field of its erratum: `` {said}`thm-layerwise/printed N\ge` ``.
A formula that is not in the text, a letter that it does not have, or a value out of range is a warning, and warnings
fail the build.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction

from docutils import nodes
from measured import in_maths
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from derl.inputs import Invalid
from derl.ledger import saying
from derl.printed import Text, words
from derl.printed.text import SIGNS

logger = logging.getLogger(__name__)
FENCED = re.compile(r"^(```+|~~~+).*?^\1`*\s*$", re.MULTILINE | re.DOTALL)  # code, and content of directives
ROLE = re.compile(r"\{said\}`[^`]+`")
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+?)\$|\{math\}`([^`]+)`", re.DOTALL)
CLAIMS = re.compile(r"\d|\^|[=<>]|\\(le|ge|leq|geq|lt|gt|approx|frac|sqrt|log|Omega|Theta|tilde)\b")
AT = "@"
QUOTED = "said-formula"  # the class of what the role prints


def in_prose(pages: Iterable[str]) -> tuple[int, int]:
    """How many formulas of these pages are printed by the role, and how many are typed and say something.

    A letter, a name or an interval such as `K` or `[a,b]` says nothing that a statement could print; a number, a
    power, a relation or a function does. Code and the content of directives do not count.

    Parameters
    ----------
    pages : iterable of str
        Their MyST texts.
    """
    printed = typed = 0
    for page in pages:
        page = FENCED.sub("", page)
        printed += len(ROLE.findall(page))
        formulas = (" ".join(filter(None, found)) for found in FORMULA.findall(ROLE.sub("", page)))
        typed += sum(bool(CLAIMS.search(formula)) for formula in formulas)
    return printed, typed


def quoted(look: Callable[[str, str], str], source: str) -> str:
    """The LaTeX that the role prints for its text.

    Parameters
    ----------
    look : callable
        (id, name of a field) -> the text.
    source : str
        What is written between the backticks.

    Raises
    ------
    Invalid
        With one line that says what was wrong and what is allowed.
    """
    place, _, asked = source.strip().partition(" ")
    key, _, field = place.partition("/")
    begins, at, values = (part.strip() for part in asked.partition(AT))
    text = Text(look(key, field or "statement"), place)
    if not begins:
        raise saying.Unsayable(f"no formula is named; {place} has "
                               + ("; ".join(formula.shown for formula in saying.formulas(text)) or "none"))
    if not values:
        relation = at or words(begins)[-1:] and words(begins)[-1] in SIGNS
        return text.shown(begins, right=bool(at)).strip("$") if relation else text.piece(begins)
    formula = saying.chosen(text, begins)
    found = saying.said(formula, saying.letters(values.split(",")))
    return in_maths(found if isinstance(found, Fraction) else float(found.mid))


class SaidRole(SphinxRole):
    """A formula of a statement, or its value, as a formula of the sentence."""

    def run(self):
        domain = self.env.get_domain("claims")
        domain.note_sources(self.env)
        try:
            return [nodes.math("", quoted(domain.paper.text, self.text), classes=[QUOTED])], []
        except Invalid as problem:
            logger.warning("said: %s", problem, location=self.get_location())
            return [nodes.literal("", self.text)], []
