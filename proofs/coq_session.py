"""Coq as a subprocess: one file sentence by sentence, with the goals that each sentence leaves."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

PROMPT = re.compile(r"<prompt>.*?</prompt>", re.DOTALL)
NOISE = re.compile(r"<infomsg>Fetching opaque proofs.*?</infomsg>\n?|</?(?:infomsg|warning)>", re.DOTALL)
GOALS = re.compile(r"(\d+) (?:focused )?goals?(?: \(.*?\))?\n")
FIRST = re.compile(r"\n *={8,}(?: \(.*?\))?\n")
OTHER = re.compile(r"^goal \d+(?: \(.*?\))? is:\n", re.MULTILINE)
WIDTH = 92
LONGEST = 1600  # characters of one goal that are kept; what is longer is a number or a table
HEAPS = {"OCAMLRUNPARAM": "s=32M,o=500"}  # as in the Makefile: garbage is collected less often
FAILED = re.compile(r"^(?:Error|Syntax error|Anomaly)\b.*", re.MULTILINE)


class CoqError(Exception):
    """Coq does not accept something; the message says what."""


def arguments(root: Path) -> list[str]:
    """The arguments of _CoqProject for coqtop and coqc."""
    words = [word for line in (root / "_CoqProject").read_text(encoding="utf-8").splitlines()
             if line.startswith("-arg ") for word in line.split()[1:]]
    return ["-Q", str(root), "derl", *words]


def spoken(root: Path, said: list[str], *more: str) -> list[str]:
    """What Coq answers to each of the sentences, errors included; `more` are arguments of coqtop.

    Raises
    ------
    CoqError
        Coq understood another number of sentences.
    """
    run = subprocess.run(["coqtop", "-emacs", "-q", "-w", "none", *arguments(root), *more],
                         input="\n".join(said) + "\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         encoding="utf-8", cwd=root, env=HEAPS | os.environ | {"LC_ALL": "C.UTF-8"})
    answers = [NOISE.sub("", part).strip("\n") for part in PROMPT.split(run.stdout)[1:]]
    if len(answers) != len(said) + 1:
        raise CoqError(f"{len(said)} sentences were sent, {len(answers) - 1} were understood")
    return answers[:-1]


def dialogue(root: Path, said: list[str]) -> list[str]:
    """What Coq answers to each of the sentences, all of which it accepts.

    Raises
    ------
    CoqError
        Coq refused a sentence, or understood another number of them.
    """
    answers = spoken(root, said)
    for sentence, answer in zip(said, answers, strict=True):
        if FAILED.search(answer):
            message = " ".join(answer[FAILED.search(answer).start():].split())
            raise CoqError(f"{sentence[:80]!r}: {message[:400]}")
    return answers


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def goals(answer: str) -> list[list[str]] | None:
    """The goals in an answer: the first as [hypothesis, ..., conclusion], of the others the conclusions; None if none.

    An empty list says that no goal is left.
    """
    if "No more goals" in answer:
        return []
    head = GOALS.search(answer)
    if not head:
        return None
    parts = OTHER.split(answer[head.end():])
    context, bar, conclusion = parts[0].partition(FIRST.search(parts[0])[0]) if FIRST.search(parts[0]) else \
        ("", "", parts[0])
    hypotheses = re.split(r"\n(?=  ?\S)", "\n" + context.strip("\n"))
    first = [_clean(item) for item in hypotheses if item.strip()]
    return [[*first, _clean(conclusion)], *[[_clean(part)] for part in parts[1:]]]


def _clean(text: str) -> str:
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    depth = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return shortened("\n".join(line[depth:] for line in lines).strip())


def axioms(answer: str) -> list[str]:
    """The axioms in an answer to Print Assumptions."""
    if "Closed under the global context" in answer:
        return []
    if "Axioms:" not in answer:
        raise CoqError(f"no assumptions in {answer[:200]!r}")
    return sorted(set(re.findall(r"^([A-Za-z_][\w.']*)\s*(?:$|:)", answer.partition("Axioms:")[2], re.MULTILINE)))


def versions() -> dict[str, str]:
    """Of Coq and of the Debian packages around it, where there are any."""
    found = {"coq": re.search(r"version (\S+)", subprocess.run(["coqc", "--version"], capture_output=True, text=True,
                                                               check=True).stdout)[1]}
    asked = subprocess.run(["sh", "-c", "dpkg-query -W -f '${Package} ${Version}\\n' 'libcoq-mathcomp*' || true"],
                           capture_output=True, text=True).stdout
    for line in asked.splitlines():
        name, _, version = line.partition(" ")
        if name in ("libcoq-mathcomp", "libcoq-mathcomp-algebra-tactics", "libcoq-mathcomp-analysis") and version:
            found[name.removeprefix("libcoq-")] = version.split("+")[0].split("-")[0]
    return found
