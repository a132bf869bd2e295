"""What the attacks on the project found, as tables: `attacks/trust.json` and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

from IPython.display import Markdown

from derl.show.drawing.tables import table

WORDS = {"equal": "changes nothing that is claimed", "since killed": "a test objects to it now",
         "open": "no test fails on it yet", "unexplained": "not looked into"}
GROUPS = {"environment": "instances, deployments, estimates", "algorithms": "algorithms", "theory": "theory",
          "ledger": "the machinery of the ledger", "claims": "the checks themselves",
          "tools": "files, certificates, experiments, command line, pictures",
          "show": "pictures, films, command line", "provers": "provers, reading of formulas, certificates, ledger"}


def load(path) -> dict:
    """What `attacks/trust.py` wrote."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def unaided(part: dict) -> int:
    """How many planted falsehoods were noticed with neither digests nor recorded counts."""
    return part.get("meaning", part["noticed"])


def summary(results: dict):
    """One row for each kind of attack: how often it was tried, how often the project noticed or withstood it."""
    def line(what, tried, well):
        return what, tried, well, f"{well / tried:.0%}"

    def total(name, *keys):
        return [sum(part[key] for part in results[name]["of"].values()) for key in keys]

    texts = results["planted"]["of"]
    weakened = [texts[kind] for kind in ("weakened", "shortened", "tautologies")]
    killed = [part["counts"]["kills"] for part in results["kills"]["of"].values()]
    (tried,), (faults,), (torn,) = total("input", "tried"), total("input", "faults"), total("kills", "faults")
    return table(("attack", "tried", "noticed or withstood", "share"), [
        line("a change of one sign of a formula", texts["texts"]["planted"], unaided(texts["texts"])),
        line("a check that is made weaker", sum(part["planted"] for part in weakened), sum(map(unaided, weakened))),
        line("a random change of one line of code, all tests", *total("mutants", "planted", "caught")),
        line("the same, the quick tests only", *total("programs", "planted", "caught")),
        line("a forged certificate", *total("forged", "tried", "refused")),
        line("bad input", tried, tried - faults),
        line("a kill at a random moment", sum(killed), sum(killed) - torn)])


def kills(results: dict):
    """How often each kind of run was killed, and what was found afterwards."""
    rows = []
    for name, part in results["kills"]["of"].items():
        counts = part["counts"]
        kept = counts.get("with rows kept", counts.get("with results kept", ""))
        rows.append((f"`{name}`", counts["kills"], kept, counts["runs to the end"], part["faults"]))
    return table(("run", "killed", "of these with finished work to keep", "run to the end afterwards",
                  "lost, torn or different"), rows)


def inputs(results: dict):
    """How many bad inputs of each kind were tried, and the outcomes; a stopped algorithm counts as neither."""
    rows = []
    for name, part in results["input"]["of"].items():
        counts = part["counts"]
        refused, stopped = (sum(count for key, count in counts.items() if key.endswith(ends) and "slowest" not in key)
                            for ends in ((": refused", "status 2"), "long run"))
        rows.append((name, part["tried"], refused, part["tried"] - refused - stopped - part["faults"], stopped,
                     part["faults"]))
    return table(("input", "tried", "refused in one line", "answered", "a run at work when the patience ended",
                  "foreign exceptions, hangs, files left"), rows)


def mutants(results: dict, sample: str = "mutants"):
    """Random changes of the code by group: planted, caught, what the survivors are, and what is caught by now of those
    that change something; of the large sample, the fresh one, "programs", or that of a reader, "strangers"."""
    rows, survivors = [], results[sample]["survivors"]
    for group, part in results[sample]["of"].items():
        kinds = [row["kind"] for row in survivors if row["group"] == group]
        equal = kinds.count("equal")
        since = kinds.count("since killed")
        rows.append((GROUPS[group], part["planted"], part["caught"], f"{part['caught'] / part['planted']:.0%}", equal,
                     since, kinds.count("open") + kinds.count("unexplained"),
                     f"{(part['caught'] + since) / max(part['planted'] - equal, 1):.0%}"))
    header = ("group", "planted", "caught", "share", "survivors that change no claim", "killed since", "open",
              "caught by now, of those that change one")
    return table(header, rows)


def survivors(results: dict, sample: str = "mutants") -> Markdown:
    """Every survivor with its reason, a line each, below its kind; the list of those without an objection is open."""
    parts = []
    for kind, words in reversed(WORDS.items()):
        lines = [f"- `{row['file'].removeprefix('derl/')}:{row['line']}`, {_change(row['change'])}: {row['reason']}"
                 for row in results[sample]["survivors"] if row["kind"] == kind]
        if lines:
            start = "" if kind in ("equal", "since killed") else " open"
            parts.append("\n".join((f"<details{start}><summary>{words}: {len(lines)}</summary>", "", *lines, "",
                                    "</details>")))
    return Markdown("\n\n".join(parts))


def _change(words: str) -> str:
    """A change as code; a sentence about one as text, which can be broken into lines."""
    return re.sub(r"([\\`*_{}\[\]<>|$])", r"\\\1", words.rstrip(".")) if words.endswith(".") else f"`` {words} ``"


KINDS = {"texts": "a one-sign change of a formula in a statement",
         "other": "a larger change of a formula in a statement, or of a word",
         "table": "a change of a statement that a stranger has chosen",
         "steps": "a one-sign change of a formula in a proof or an erratum",
         "weakened": "a search over fewer cases, or without its absolute value",
         "shortened": "a search that ends early, skips a branch or forgets a case",
         "tautologies": "a step that compares something with itself"}


def planted(results: dict):
    """Fresh falsehoods by kind: planted, noticed by `derl verify`, and noticed now where they were planted again."""
    def share(part, count):
        return "" if count is None else f"{count} ({count / part['planted']:.0%})"

    return table(("planted", "seed", "number", "noticed by `derl verify`", "noticed now, after mends"), [
        (KINDS[kind], "chosen" if kind == "table" else part["seed"], part["planted"], share(part, unaided(part)),
         share(part, part.get("since")))
        for kind, part in results["planted"]["of"].items()])


def changed(results: dict) -> Markdown:
    """How many changes of statements were noticed, without those known to say nothing false; and the others."""
    parts = results["planted"]["of"].items()
    return Markdown("\n\n".join(_changed(kind, part) for kind, part in parts if part.get("unnoticed")))


def _changed(kind: str, part: dict) -> str:
    left, planted, noticed = (part[key] for key in ("unnoticed", "planted", "noticed"))
    false = planted - sum(row["kind"] == "harmless" for row in left)
    what = KINDS[kind]
    said = f"{what[0].upper()}{what[1:]} was planted {planted} times. "
    if kind == "table":
        said += (f"The stranger says of each why the statement becomes false. {noticed} were noticed "
                 f"({noticed / planted:.0%}).")
    else:
        said += (f"{planted - false} of the changes were not noticed and say nothing false. Of the other {false}, "
                 f"{noticed} were noticed ({noticed / false:.0%}). Nobody has looked whether all of the noticed ones "
                 "say something false; the share among the false ones is at most this one.")
    lines = (f"- {row['kind']}, `{row['about']}`, `` {row['change']} ``: {row['reason']}" for row in left)
    return "\n".join((said, "", f"<details><summary>The changes that were not noticed: {len(left)}</summary>", "",
                      *lines, "", "</details>"))


def forged(results: dict):
    """Forged certificates by checker: how many the tests pass to it, and how many it refuses."""
    return table(("checker", "forgeries", "refused"),
                 [(f"`{name}.py`", part["tried"], part["refused"]) for name, part in results["forged"]["of"].items()])


def pythons(results: dict):
    """The tests of a wheel with other Pythons, outside of the repository."""
    return table(("Python", "statements verified", "tests passed", "what was said"),
                 [(version, row["statements"] or "", row["tests"] or "", row["said"])
                  for version, rows in sorted(results["pythons"]["of"].items()) for row in rows])


def origins(results: dict):
    """Command, day, digest of the code where it is known, versions and a note, for every part."""
    return table(("part", "command, and what was special", "day and code", "Python, numpy, platform"), [
        (name, f"`{part['command']}`" + (f". {part['note'][0].upper()}{part['note'][1:]}." if part["note"] else ""),
         f"{part['day']}, `{part['code']}`",
         ", ".join(part["environment"][key] for key in ("python", "numpy", "platform")))
        for name, part in sorted(results.items())])
