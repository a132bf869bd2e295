"""Which definitions of the formal statements were run against `derl`, and what the others are."""

from __future__ import annotations

import re
from pathlib import Path

from IPython.display import Markdown

from derl.ledger.recordings import Recorded

KINDS = {"a value": re.compile(""),
         "an abbreviation of something that occurs in the statements too": re.compile(r"^Local Notation"),
         "a sentence about all or some of something: it is read, there is nothing to run":
             re.compile(r"\bforall\b|\bexists\b|\bProp\b|\bTrue\b|\bFalse\b|/\\|<->"),
         "a root, a power or a logarithm of real numbers: no rational number comes out":
             re.compile(r"\bsqrt\b|\bRpower\b|\bln\b|\bexp\b|\bINR\b|\bInt_part\b")}


def kind(source: str) -> str:
    """The last of `KINDS` that the text of a definition speaks of."""
    return [name for name, words in KINDS.items() if words.search(source)][-1]


def summary(path) -> Markdown:
    """Counts of the definitions by kind, and the names of those that were not run.

    Parameters
    ----------
    path : path-like
        The names that Coq evaluated, one a line.

    Raises
    ------
    ValueError
        A name does not occur in any formal statement.
    """
    run = set(Path(path).read_text(encoding="utf-8").split())
    theorems = Recorded("derl.claims").index.theorems
    known = {name: said.source for theorem in theorems for name, said in theorem.definitions.items()}
    if run - set(known):
        raise ValueError(f"{path}: {min(run - set(known))} occurs in no formal statement")
    groups = {words: sorted(name.removeprefix("derl.") for name, text in known.items()
                            if name not in run and kind(text) == words) for words in reversed(KINDS)}
    all_values = "" if groups["a value"] else ", among them all but sentences, roots, logarithms and abbreviations"
    parts = [f"{len(run)} of {len(known)} definitions occur in an instance that Coq evaluates, by themselves or inside "
             f"another definition{all_values}. This does not say that every branch of them was met. The others:"]
    for words, names in groups.items():
        if not names:
            continue
        words = f"{words} that could be run, and is not yet" if words == "a value" else words
        parts.append(f"<details><summary>{words}: {len(names)}</summary>\n\n"
                     f"{', '.join(f'`{name}`' for name in names)}\n\n</details>")
    return Markdown("\n\n".join(parts))
