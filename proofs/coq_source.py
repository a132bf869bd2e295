"""Coq source text without Coq: sentences, theorems, and the definitions that a statement stands on."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

WORDS = re.compile(r"\b(Admitted|admit|give_up|Axiom|Axioms|Parameter|Parameters|Conjecture|Conjectures|Abort"
                   r"|bypass_check|Unset\s+Guard\s+Checking|Unset\s+Positivity\s+Checking|Unset\s+Universe\s+Checking"
                   r"|type-in-type)\b")
STATED = re.compile(r"(?:(?:Local|Global|#\[[^]]*\])\s+)*"
                    r"(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark)\s+([\w']+)")
ENDS = re.compile(r"(?:Qed|Defined|Admitted|Abort)\s*\.")
BULLET = re.compile(r"[-+*]+|\d+\s*:\s*\{|[{}]")
GLOB = re.compile(r"R(\d+):(\d+) (derl\.[\w.]+) (\S+) (\S+) (\w+)$")
DEFINED = re.compile(r"(def|rec|ind|constr|proj|abbrev|not|syndef|coind|inst) (\d+):\d+ (\S+) (\S+)$")
HYPOTHESES = re.compile(r"(?:Variables?|Hypothes[ie]s|Context)\b")


def digest(text: str | bytes) -> str:
    """SHA-256."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def skip(text: str, at: int) -> int:
    """The first place from `at` on that is neither blank nor in a comment."""
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text.startswith("(*", at):
            at = after_comment(text, at)
        else:
            return at
    return at


def after_comment(text: str, at: int) -> int:
    """Behind the comment that begins at `at`; comments nest."""
    depth = 0
    for match in re.finditer(r"\(\*|\*\)", text[at:]):
        depth += 1 if match[0] == "(*" else -1
        if not depth:
            return at + match.end()
    return len(text)


def sentences(text: str) -> list[tuple[int, int]]:
    """(begin, end) of every sentence and every bullet, comments before it left out."""
    found, at = [], skip(text, 0)
    while at < len(text):
        bullet = BULLET.match(text, at)
        end = bullet.end() if bullet else _end(text, at)
        found.append((at, end))
        at = skip(text, end)
    return found


def _end(text: str, at: int) -> int:
    while at < len(text):
        if text.startswith("(*", at):
            at = after_comment(text, at)
        elif text[at] == '"':
            at = text.find('"', at + 1) + 1 or len(text)
        elif text[at] == "." and text[at + 1:at + 2] in ("", " ", "\n", "\t") and text[at - 1] != ".":
            return at + 1
        else:
            at += 1
    return at


def without_comments(text: str) -> str:
    parts, at = [], 0
    while (begin := text.find("(*", at)) >= 0:
        parts.append(text[at:begin])
        at = after_comment(text, begin)
    return "".join([*parts, text[at:]])


def unfinished(text: str) -> list[str]:
    """Words that leave something unproved or switch off a check of the kernel."""
    return WORDS.findall(without_comments(text))


@dataclass(frozen=True)
class Theorem:
    """Where a theorem stands: line from 1, its sentence, and its proof up to and with Qed (indices of sentences)."""

    name: str
    line: int
    sentence: int
    last: int


class Source:
    """One .v file below `root`."""

    def __init__(self, root: Path, name: str):
        self.name, self.path = name, root / name
        self.module = "derl." + name.removesuffix(".v").replace("/", ".")
        self.text = self.path.read_text(encoding="utf-8")
        self.spans = sentences(self.text)

    def say(self, number: int) -> str:
        begin, end = self.spans[number]
        return self.text[begin:end]

    @cached_property
    def theorems(self) -> dict[str, Theorem]:
        """Name -> theorem, for all that the file states and proves."""
        found = {}
        for number in range(len(self.spans)):
            match = STATED.match(self.say(number))
            if match:
                last = next((n for n in range(number + 1, len(self.spans)) if ENDS.match(self.say(n))), number)
                line = self.text.count("\n", 0, self.spans[number][0]) + 1
                found[match[1]] = Theorem(match[1], line, number, last)
        return found

    def comment(self, number: int) -> str:
        """The comment right before a sentence, as one line."""
        before = self.text[self.spans[number - 1][1] if number else 0:self.spans[number][0]].strip()
        last = before[before.rfind("(*") + 2:-2] if before.endswith("*)") else ""
        return re.sub(r"\s+", " ", last).strip()

    @cached_property
    def _glob(self) -> tuple[list, dict]:
        """References (sentence, module, name, kind) and definitions name -> sentence, as coqc has left them."""
        offsets = [len(self.text[:begin].encode()) for begin, _ in self.spans]
        references, defined = [], {}
        for line in self.path.with_suffix(".glob").read_text(encoding="utf-8").splitlines():
            if match := GLOB.match(line):
                references.append((bisect_right(offsets, int(match[1])) - 1, match[3], match[5], match[6]))
            elif match := DEFINED.match(line):
                defined[match[4]] = bisect_right(offsets, int(match[2])) - 1
        return references, defined

    def hypotheses(self, number: int) -> list[int]:
        """The sentences that declare variables and hypotheses of the sections that are open at a sentence."""
        open_sections: list[list[int]] = [[]]
        for n in range(number):
            said = self.say(n)
            if said.startswith("Section "):
                open_sections.append([])
            elif said.startswith("End ") and len(open_sections) > 1:
                open_sections.pop()
            elif HYPOTHESES.match(said):
                open_sections[-1].append(n)
        return [n for section in open_sections for n in section]


def definitions(sources: dict[str, Source], source: Source, number: int) -> dict[str, dict[str, str]]:
    """Qualified name -> every definition of ours that a sentence stands on in the end, and the comment before it.

    Parameters
    ----------
    sources : dict
        Module -> source.
    number : int
        A sentence of `source`; variables and hypotheses of open sections count with it.
    """
    found: dict[tuple[str, int], tuple[str, str, str]] = {}
    waiting = [(source, n) for n in (*source.hypotheses(number), number)]
    while waiting:
        here, at = waiting.pop()
        for sentence, module, name, kind in here._glob[0]:
            if sentence != at or kind in ("thm", "prf", "var", "lib", "sec", "binder") or module not in sources:
                continue
            there = sources[module]
            place = there._glob[1].get(name)
            if place is None or (module, place) in found or (there is source and place == number):
                continue
            found[module, place] = (f"{module}.{name}", re.sub(r"\s+", " ", there.say(place)), there.comment(place))
            waiting += [(there, n) for n in (*there.hypotheses(place), place)]
    return {name: {"source": said, "models": models} for name, said, models in sorted(found.values())}
