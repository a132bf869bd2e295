"""The recordings of Coq in a package of claims.

`kernel.json`, which `proofs/record.py` writes, holds what Coq says; `reviewed.csv` has for every pair of theorem and
claim the digest of the two statements as somebody compared them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path

from derl.inputs import shown
from derl.judge.kernel import INDEX, SOURCES, Formal, IndexRow
from derl.ledger.rows import Malformed, read

REVIEWED = "reviewed.csv"


def packed(index: Mapping) -> str:
    """The text of `kernel.json`: one line for each file, each definition and each theorem.

    Parameters
    ----------
    index : mapping
        As `IndexRow`, of plain values. A definition that several theorems use is written once, and they name it.

    Raises
    ------
    Malformed
        Two theorems use different definitions of one name.
    """
    once: dict[str, Mapping] = {}
    for theorem in index["theorems"]:
        for name, said in theorem["definitions"].items():
            if once.setdefault(name, said) != said:
                raise Malformed(f"two theorems use different definitions of {name}")
    parts = {"versions": index["versions"], "files": index["files"], "definitions": dict(sorted(once.items()))}
    lines = [f'"{part}":{{\n' + ",\n".join(f"{_line(name)}:{_line(said)}" for name, said in entries.items()) + "\n}"
             for part, entries in parts.items()]
    told = ",\n".join(_line({**theorem, "definitions": [*theorem["definitions"]]}) for theorem in index["theorems"])
    return "{" + ",\n".join([*lines, f'"theorems":[\n{told}\n]']) + "}\n"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> dict:
    """The recording in a text of `packed`, with its definitions beside each theorem again.

    Raises
    ------
    Malformed
        The text is no JSON, or no such recording, or a theorem names a definition that is not in it.
    """
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Malformed(f"{INDEX} is no JSON: {error or 'nested too deeply'}") from None
    if not isinstance(found, dict):
        raise Malformed(f"{INDEX} is {shown(found)}, not an object")
    once, theorems = found.pop("definitions", None), found.get("theorems")
    if not isinstance(once, dict) or not isinstance(theorems, list):
        raise Malformed(f"{INDEX} needs an object `definitions` and a list `theorems`")
    for theorem in theorems:
        names = theorem.get("definitions") if isinstance(theorem, dict) else ()
        if not isinstance(names, list):
            raise Malformed(f"a theorem of {INDEX} has no list of definitions: {shown(theorem)}")
        if missing := [name for name in names if name not in once]:
            raise Malformed(f"the theorem {theorem.get('theorem')} of {INDEX} names the definition {missing[0]}, "
                            "which is not among its definitions")
        theorem["definitions"] = {name: once[name] for name in names}
    return found


class Recorded(Formal):
    """The recorded theorems of a package of claims; empty where it has none.

    Parameters
    ----------
    package : str
        Import name of the package.
    proofs : path or None
        Where the sources lie; by default `proofs/` beside the outermost package, if it is there.
    """

    def __init__(self, package: str, proofs: Path | None = None):
        self.folder = resources.files(package)
        beside = Path(str(self.folder)).resolve().parents[package.count(".")] / SOURCES
        self.proofs = proofs or (beside if (beside / "theorems.csv").is_file() else None)

    @cached_property
    def index(self) -> IndexRow:
        """What was recorded.

        Raises
        ------
        Malformed
            It is no such recording, or a theorem is in a file, or a file uses one, that was not recorded.
        """
        file = self.folder.joinpath(INDEX)
        if not file.is_file():
            return IndexRow(versions={}, files={}, theorems=())
        try:
            found = read(IndexRow, unpacked(file.read_text(encoding="utf-8")))
        except UnicodeDecodeError as error:
            raise Malformed(f"{INDEX} is no JSON: {error}") from None
        named = [(f"the theorem {row.theorem}", row.file) for row in found.theorems]
        named += [(f"the file {name}", other) for name, row in found.files.items() for other in row.uses]
        for what, name in named:
            if name not in found.files:
                raise Malformed(f"{what} of {INDEX} names the file {shown(name)}, which is not among its files")
        return found

    @cached_property
    def reviewed(self) -> dict[tuple[str, str, str], str]:
        """(file, theorem, claim) -> digest of the pair as it was compared.

        Raises
        ------
        Malformed
            The file is no such table.
        """
        file = self.folder.joinpath(REVIEWED)
        if not file.is_file():
            return {}
        try:
            table = csv.DictReader(file.read_text(encoding="utf-8").splitlines(), restval="")
            rows = [*table]
        except (UnicodeDecodeError, csv.Error) as error:
            raise Malformed(f"{REVIEWED}: {error}") from None
        columns = ("file", "theorem", "claim", "digest")
        if missing := [name for name in columns if name not in (table.fieldnames or ())]:
            raise Malformed(f"{REVIEWED} has no column {missing[0]!r}; it needs {', '.join(columns)}")
        return {(row["file"], row["theorem"], row["claim"]): row["digest"] for row in rows}
