"""Numbers in the prose of a page that look like results, each with the sentence around it.

Looked at are decimals, powers of ten, whole numbers with three digits in a formula and with two in words, percentages,
and words such as "ten times" or "a factor of two". Passed over are code, what a role or a cell prints, worked examples,
exercises and proofs (a cell or a check computes them), numbers of statements, lines and years, and parameters that are
given, "N = 10^6".
"""

from __future__ import annotations

import re
from typing import NamedTuple

FENCE = re.compile(r"^(?P<mark>[`:]{3,})(?P<kind>[^\n]*)\n(?P<body>.*?)^(?P=mark)[ ]*$", re.MULTILINE | re.DOTALL)
SHOWN = ("{admonition}", "{dropdown}", "{headline}", "{moves}")  # directives whose text is prose
COMPUTED = re.compile(r"\{dropdown\}\s+(?:Proof|Complete proof|A proof|Why|What changes|What a leaf|The event|Hint)"
                      r"|\{admonition\}\s+(?:Exercise|Solution)")  # by a check, or by the cell of the solution
BY_HAND = re.compile(r"^## The smallest example, by hand\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r'\b(?:alt|caption): *"((?:\\.|[^"\\])*)"|^: +alt: *([^"\n][^\n]*)$', re.MULTILINE)  # of a cell
DROPPED = re.compile(r"\A---\n.*?\n---\n|\{[a-z:]+\}`[^`]*`|`[^`\n]*`|\]\([^)\n]*\)|^:[a-z_]+:[^\n]*$"
                     r"|^%[^\n]*$|</?(?:a|script|link|img)\b[^>\n]*>"
                     r"|arXiv:[\d.]+", re.MULTILINE | re.DOTALL)
NAMED = ("theorem lemma corollary definition claim condition property algorithm remark assumption equation appendix "
         "appendices section step line table figure layer page python coq numpy version december november").split()
PLACE = re.compile(rf"\b(?:{'|'.join(NAMED)})s?\s+\$?[A-F]?\.?\d+(?:\.\d+)*\$?"
                   r"(?:(?:,| and| to| or|-)\s*\$?[A-F]?\.?\d+(?:\.\d+)*\$?)*|\(\d+\)|\b(?:19|20)\d\d\b", re.IGNORECASE)
MATHS = re.compile(r"(?<!\\)\$\$.*?\$\$|(?<!\\)\$(?:\\.|[^$\\])+\$", re.DOTALL)
VALUE = r"(?:\\frac\d\{?\d+\}?|\\frac\{\d+\}\{?\d+\}?|\d+(?:\.\d+|\\,\d{3})*|\\cdot\s*|10\^\{?-?\d+\}?|[-, ]|\\dots)+"
GIVEN = re.compile(rf"(?:\\?(?:epsilon|delta|alpha|theta|kappa|beta|eta|nu|p)|[A-JL-Za-z])(?:_\{{?\w+\}}?|')?\s*"
                   rf"(?:=|\\in|\\le|\\ge|<|>)\s*{VALUE}")
IN_MATHS = re.compile(r"-?\d+\.\d+|(?:\d+(?:\.\d+)?\s*\\cdot\s*)?10\^(?:\{-?\d+\}|\d)|e\^\{-?\d+\}|\d{1,3}(?:\\,\d{3})+"
                      r"|(?<![\^_{\d])\d{3,}")
SMALL = re.compile(r"\b\d+/\d+\b")  # fractions are looked at in neither place
COUNT = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundreds?|thousands?|millions?"
IN_WORDS = re.compile(
    rf"\d+\.\d+|\d[\d,]*\s*(?:%|per cent)|\b\d{{2,}}(?:,\d{{3}})*\b|\b\d+ times\b|\b(?:{COUNT}) (?:times|per cent)\b"
    rf"|\borders? of magnitude\b|\bfactors? (?:of )?(?:about |up to |at least )?(?:a )?(?:{COUNT})\b"
    r"|\b(?:a|one|two|five|about) (?:hundred|thousand|million|dozen)\b")


class Typed(NamedTuple):
    """A number in prose, and the sentence that it stands in."""

    number: str
    sentence: str


def prose(text: str) -> str:
    """A page, and what its pictures are said to show, without code, proofs, worked examples, addresses and roles."""
    def kept(found: re.Match) -> str:
        words = found["kind"].split()
        return found["body"] if words and words[0] in SHOWN and not COMPUTED.match(found["kind"].strip()) else ""

    pictures = "\n\n".join((a or b).replace("\\\\", "\\") for a, b in PICTURE.findall(text))
    text = BY_HAND.sub(lambda found: "" if "{code-cell}" in found["body"] else found[0], text)
    for _ in range(2):  # a directive within another
        text = FENCE.sub(kept, text)
    return DROPPED.sub(" ", f"{text}\n\n{pictures}")


def sentences(text: str) -> list[str]:
    """The sentences of a text, and the rows of its tables."""
    ends = r"(?<=[.:;?!])\s+(?=[A-Z*(\"$|-])|\n\s*\n|\n(?=[-|#>] ?)"
    return [" ".join(part.split()) for part in re.split(ends, text)]


def typed(text: str) -> list[Typed]:
    """Numbers of a page that look like results and that nothing on the page or in the ledger prints."""
    found = []
    for sentence in sentences(prose(text)):
        bare = PLACE.sub(" ", sentence)
        numbers = [number for maths in MATHS.findall(bare) for number in IN_MATHS.findall(GIVEN.sub(" ", maths))]
        numbers += IN_WORDS.findall(GIVEN.sub(" ", SMALL.sub(" ", MATHS.sub(" ", bare))))
        found += [Typed(number, sentence) for number in numbers]
    return found
