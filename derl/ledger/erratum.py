"""What an erratum has to answer before a statement is called wrong.

Three questions come before the word "false". Is there a reading, or a sentence nearby, under which the statement is
true? How large is the fault: a margin, a corner, the probability of the data? And does what rests on it survive? An
erratum answers them in fields of its own, and names the cause that it shares with others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# the gravest first
CLASSES = ("false", "gap", "corner case", "harmless", "typo")
CLASS_MEANS = {
    "false": "the statement is false as it is printed, under the most charitable reading that we found",
    "gap": "the result is true or open; what is printed does not show it",
    "corner case": "false only at the edge of its range, or by equality",
    "harmless": "a line that is not right as it is printed; nothing that rests on it changes",
    "typo": "a slip of the pen, which the context corrects",
}
FIELDS = {
    "printed": "the formula or the sentence as the paper prints it",
    "corrected": "what is true instead",
    "reading": "the most charitable reading, and what holds under it",
    "nearby": "whether a sentence nearby says it already, with its line, or \"no\"",
    "margin": "by how much it fails: a margin, the size of the corner, or the probability of the data",
    "becomes": "what becomes of the result that uses it",
    "class": 'one of "false" (in quotes), ' + ", ".join(CLASSES[1:]),
    "cause": "a short id, shared by errata with one cause",
}


@dataclass(frozen=True)
class Cause:
    """What several errata have in common: a title, and a sentence or two in MyST."""

    title: str
    says: str


def causes(entries: Mapping[str, object]) -> tuple[dict[str, Cause], str]:
    """The causes by id, in the order of the file, and the first rule that an entry breaks (empty: none)."""
    known = {}
    for key, entry in entries.items():
        if not isinstance(entry, Mapping) or entry.keys() != {"title", "says"}:
            return {}, f"{key}: a cause has the fields title, says"
        known[key] = Cause(str(entry["title"]).strip(), str(entry["says"]).strip())
    return known, ""


def problem(entry: object) -> str:
    """The first rule that an erratum breaks, in one line; empty where it breaks none.

    Parameters
    ----------
    entry : object
        The value of the field `erratum` of an entry of claims.yml.
    """
    if not isinstance(entry, Mapping):
        return f"an erratum is a mapping with the fields {', '.join(FIELDS)}"
    for name, meaning in FIELDS.items():
        if name not in entry:
            return f"the erratum has no field `{name}`: {meaning}"
        if not isinstance(entry[name], str) or not entry[name].strip():
            return f"the field `{name}` of the erratum is not a text: {meaning}"
    if unknown := entry.keys() - FIELDS.keys():
        return f"the erratum has the unknown field `{min(map(str, unknown))}`; allowed are {', '.join(FIELDS)}"
    if entry["class"] not in CLASSES:
        return f"the class of the erratum is {entry['class']!r}; allowed are {', '.join(CLASSES)}"
    return ""
