"""What an erratum has to answer before a statement is called wrong.

Three questions come before the word "false". Is there a reading, or a sentence nearby, under which the statement is
true? How large is the fault: a margin, a corner, the probability of the data? And does what rests on it survive? An
erratum answers them in fields of its own, and names the cause that it shares with others. What a statement is as
printed and what it is under the reading are two fields. The class is not written down: it follows from the fields, so
that equal faults have equal classes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# the gravest first
CLASSES = ("false", "gap", "corner case", "harmless", "typo")
CLASS_MEANS = {
    "false": "false as it is printed, at ordinary parameters, and it has to be stated otherwise: with another "
             "hypothesis, algorithm or constant. What holds under the most charitable reading is a field of its own.",
    "gap": "what is printed does not show the result that it is for. The result stays, or is open, and its proof needs "
           "another step or a hypothesis that the source names elsewhere.",
    "corner case": "false only at the edge of its range, by equality, or where the source does not use it",
    "harmless": "not right as it is printed; no result, proof or algorithm that uses it needs more than is right",
    "typo": "a slip in writing; the line that is named nearby has the right form",
}
AS_PRINTED = {
    "false": "false to the letter, at ordinary parameters",
    "false at the edge": "false to the letter only at the edge of its range, by equality, or where it is not used",
    "a misprint": "false to the letter by a slip in writing",
    "unclear": "something in it is not named, or can be read in two ways, and in one of them it is false",
    "not shown": "true, or open; what is printed does not show it",
}
UNDER_READING = {"true": "true under the reading that is named", "open": "open under the reading that is named"}
CHANGES = {
    "nothing": "no result, proof or algorithm that uses it needs more than is right in it",
    "a proof": "a proof that uses it needs another step, and the result stays or is open",
    "a normalisation": "its range has to be named, as the works do that the source follows; the source leaves it out "
                       "once, and the fault is counted once",
    "the statement": "it has to be stated otherwise",
}
FIELDS = {
    "printed": "the words of the paper in quotation marks, and the line where it is another one",
    "corrected": "what is true instead",
    "as_printed": "what it is to the letter: " + ", ".join(AS_PRINTED),
    "reading": "the most charitable reading, and what holds under it",
    "under_reading": "what it is under that reading: " + ", ".join(UNDER_READING),
    "nearby": "the line of a sentence or footnote that already says it, or \"no\" and what was searched",
    "margin": "by how much it fails: a margin, the size of the corner, or the probability of the data",
    "changes": "what has to change: " + ", ".join(CHANGES),
    "becomes": "what becomes of the result that uses it",
    "cause": "a short id, shared by errata with one cause",
}
_WORDS = {"as_printed": AS_PRINTED, "under_reading": UNDER_READING, "changes": CHANGES}
_LINE = re.compile(r"\blines? \d+")


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
    for name, words in _WORDS.items():
        if entry[name] not in words:
            return f"the field `{name}` of the erratum is {entry[name]!r}; allowed are {', '.join(words)}"
    return _contradiction(entry)


def _contradiction(entry: Mapping[str, str]) -> str:
    """The first two fields of an erratum that contradict each other, in one line; empty where none do."""
    printed, changes, nearby = entry["as_printed"], entry["changes"], entry["nearby"].strip()
    said = f"the erratum is {printed} as printed and changes {changes}"
    if printed in ("a misprint", "false at the edge") and changes != "nothing":
        return f"{said}: a slip in writing and an edge change nothing"
    if changes in ("the statement", "a normalisation") and printed != "false":
        return f"{said}: what has to be stated otherwise is false"
    if changes == "nothing" and entry["under_reading"] == "open":
        return f"{said}, and is open under its reading: what is open changes a proof"
    if not (nearby.startswith("no; searched for ") or _LINE.search(nearby)):
        return "the field `nearby` of the erratum names a line (\"line 12\"), or begins with \"no; searched for \""
    if printed == "a misprint" and not _LINE.search(nearby):
        return "the erratum is a misprint: the field `nearby` names the line that has the right form"
    if changes != "nothing" and "nothing changes" in entry["becomes"].lower():
        return f"{said}, and its field `becomes` says that nothing changes"
    return ""


def unequal(entries: Mapping[str, Mapping[str, str]]) -> str:
    """Two errata with one cause and one sentence nearby that differ in class, in one line; else an empty text."""
    first: dict[tuple[str, str], str] = {}
    for key, entry in entries.items():
        other = first.setdefault((entry["cause"], entry["nearby"].strip()), key)
        if class_of(entry) != class_of(entries[other]):
            return (f"{other} and {key} have one cause and one line nearby, and the classes "
                    f"{class_of(entries[other])} and {class_of(entry)}")
    return ""


def class_of(entry: Mapping[str, str]) -> str:
    """The class of an erratum, which follows from what it is as printed and what has to change.

    Parameters
    ----------
    entry : mapping
        An erratum in which `problem` finds nothing.

    Returns
    -------
    str
        One of `CLASSES`.
    """
    of_printed = {"a misprint": "typo", "false at the edge": "corner case"}
    if entry["changes"] == "nothing":
        return of_printed.get(entry["as_printed"], "harmless")
    return "false" if entry["changes"] == "the statement" else "gap"


def standing_of(entry: Mapping[str, str]) -> str:
    """The class of an erratum, or "open" where the result is open under the most charitable reading."""
    return "open" if entry["under_reading"] == "open" and class_of(entry) == "gap" else class_of(entry)
