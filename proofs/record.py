"""Record what Coq says of every theorem in theorems.csv.

    record.py            record the files that have changed
    record.py --all      record all files
    record.py --check    compare the recordings with the sources; needs no Coq

Compiled files have to be there (`make`). Written are `recorded/`, one JSON per file of proofs: the sentences of each
proof and the goals after each of them; and `derl/claims/kernel.json`, which the installed package reads: files with
their digests, definitions, and theorems with their statements and axioms, one a line.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from coq_session import WIDTH, CoqError, arguments, axioms, dialogue, goals, versions
from coq_source import Source, definitions, digest, unfinished

from derl.judge.kernel import ADMISSIBLE, SCOPES
from derl.ledger.recordings import packed, unpacked
from derl.ledger.rows import Malformed

HERE = Path(__file__).resolve().parent
INDEX = Path("derl", "claims", "kernel.json")
JOBS = 2
COLUMNS = ("theorem", "file", "claim", "scope", "omits", "control", "reading")


def rows(root: Path) -> list[dict[str, str]]:
    """The rows of theorems.csv; columns left away at the end of a line are empty.

    Raises
    ------
    CoqError
        A column or a scope is unknown, or a pair of theorem and claim stands twice.
    """
    with (root / "theorems.csv").open(newline="", encoding="utf-8") as handle:
        reader = csv.DictReader(handle, restval="")
        if not set(reader.fieldnames or ()) <= set(COLUMNS):
            raise CoqError(f"theorems.csv has the columns {reader.fieldnames}, allowed are {', '.join(COLUMNS)}")
        table = [{name: (row.get(name) or "").strip() for name in COLUMNS} for row in reader]
    seen, home = set(), {}
    for row in table:
        if home.setdefault(row["theorem"], row["file"]) != row["file"]:
            raise CoqError(f"theorems.csv: two theorems are named {row['theorem']}; one name, one theorem")
        key = row["file"], row["theorem"], row["claim"]
        if key in seen:
            raise CoqError(f"theorems.csv has {' '.join(key)} twice")
        if row["scope"] not in SCOPES:
            raise CoqError(f"theorems.csv: {row['theorem']}: scope is {row['scope']!r}, not {', '.join(SCOPES)}")
        seen.add(key)
    return table


def sources(root: Path) -> dict[str, Source]:
    """Module -> source, for all files of _CoqProject."""
    names = [line.strip() for line in (root / "_CoqProject").read_text(encoding="utf-8").splitlines()
             if line.strip().endswith(".v")]
    stray = {path.relative_to(root).as_posix() for path in root.rglob("*.v")} - set(names)
    if stray:
        raise CoqError(f"_CoqProject does not name {', '.join(sorted(stray))}")
    return {source.module: source for source in (Source(root, name) for name in names)}


def uses(root: Path, known: dict[str, Source]) -> dict[str, list[str]]:
    """File -> all files of ours that it depends on, itself first, as coqdep sees them."""
    names = [source.name for source in known.values()]
    run = subprocess.run(["coqdep", *arguments(root)[:3], *names], cwd=root, capture_output=True, text=True, check=True)
    direct = {name: set() for name in names}
    for line in run.stdout.splitlines():
        made, _, needed = line.partition(":")
        name = made.split()[0].removesuffix("o") if made.split() else ""
        if name in direct:
            for word in needed.split():
                other = Path(root, word).resolve()
                if word.endswith(".vo") and other.is_relative_to(root):
                    direct[name].add(other.relative_to(root).as_posix().removesuffix("o"))
    def below(name, found):
        for other in sorted(direct[name] - found):
            found.add(other)
            below(other, found)
        return found
    return {name: [name, *sorted(below(name, set()))] for name in names}


def record(root: Path, known: dict[str, Source], source: Source, wanted: list[str]) -> dict:
    """What Coq says of the wanted theorems of one file: name -> statement, axioms, definitions, line, proof."""
    missing = [name for name in wanted if name not in source.theorems]
    if missing:
        raise CoqError(f"{source.name} does not state {', '.join(missing)}")
    said = [source.say(number) for number in range(len(source.spans))]
    asked = [f"{word} {at}{name}." for name in wanted for word, at in (("Check", "@"), ("Print Assumptions", ""))]
    answers = dialogue(root, [f"Set Printing Width {WIDTH}.", *said, *asked])
    replies, texts, index, found = answers[1 + len(said):], [], {}, {}

    def kept(text: str) -> int:
        if text not in index:
            index[text] = len(texts)
            texts.append(text)
        return index[text]

    for number, name in enumerate(wanted):
        theorem, checked = source.theorems[name], replies[2 * number]
        proof = []
        for at in range(theorem.sentence, theorem.last + 1):
            left = goals(answers[1 + at])
            proof.append([said[at], None if left is None else [[kept(text) for text in goal] for goal in left]])
        found[name] = {
            "line": theorem.line, "source": said[theorem.sentence],
            "statement": checked.partition(":")[2].strip().replace("\n       ", "\n"),
            "definitions": definitions(known, source, theorem.sentence), "axioms": axioms(replies[2 * number + 1]),
            "proof": proof,
        }
    return {"file": source.name, "texts": texts, "theorems": found}


def recorded(root: Path, name: str) -> Path:
    return root / "recorded" / (name.removesuffix(".v").replace("/", "-") + ".json")


def held(root: Path, name: str) -> list[str]:
    """The theorems in the recording of a file, in its order; none where there is no recording, or a damaged one."""
    path = recorded(root, name)
    try:
        return list(json.loads(path.read_text(encoding="utf-8"))["theorems"])
    except (OSError, ValueError, KeyError):
        return []


def stale(index: dict, known: dict[str, Source], root: Path, closure: list[str], wanted: list[str]) -> bool:
    """Whether the recording of the first file of `closure` is not of these sources or these theorems."""
    now = {source.name: digest(source.text) for source in known.values()}
    before = index.get("files", {})
    return any(before.get(file, {}).get("sha256") != now[file] for file in closure) or held(root, closure[0]) != wanted


def by_file(table: list[dict[str, str]]) -> dict[str, list[str]]:
    """File -> the theorems that the table names of it, in the order of the table."""
    wanted: dict[str, list[str]] = {}
    for row in table:
        names = wanted.setdefault(row["file"], [])
        names += [row["theorem"]] * (row["theorem"] not in names)
    return wanted


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make(root: Path = HERE, target: Path | None = None, everything: bool = False) -> dict:
    """Record what has changed; return the index.

    Parameters
    ----------
    target : path or None
        Where the index is written; by default in the package beside `root`.

    Raises
    ------
    CoqError
    """
    target = target or root.parent / INDEX
    old = unpacked(target.read_text(encoding="utf-8")) if target.is_file() and not everything else {}
    table, known = rows(root), sources(root)
    by_name = {source.name: source for source in known.values()}
    unknown = sorted({row["file"] for row in table} - by_name.keys())
    if unknown:
        raise CoqError(f"theorems.csv names {', '.join(unknown)}, which _CoqProject does not")
    closure, tools = uses(root, known), versions()
    wanted = by_file(table)
    due = [name for name in wanted
           if old.get("versions") != tools or stale(old, known, root, closure[name], wanted[name])]
    with ThreadPoolExecutor(JOBS) as pool:
        done = pool.map(lambda name: record(root, known, by_name[name], wanted[name]), due)
        for name, body in zip(due, done, strict=True):
            write(recorded(root, name), json.dumps(body, ensure_ascii=False, separators=(",", ":")).replace(
                ',"theorems"', ',\n"theorems"') + "\n")
    for path in (root / "recorded").glob("*.json"):
        if path not in {recorded(root, name) for name in wanted}:
            path.unlink()
    said = {name: json.loads(recorded(root, name).read_text(encoding="utf-8"))["theorems"] for name in wanted}
    index = {
        "versions": tools,
        "files": {name: {"sha256": digest(source.text), "uses": closure[name][1:],
                         "unfinished": unfinished(source.text)}
                  | ({"goals": digest(recorded(root, name).read_bytes())} if name in wanted else {})
                  for name, source in by_name.items()},
        "theorems": [row | {key: value for key, value in said[row["file"]][row["theorem"]].items() if key != "proof"}
                     for row in table],
    }
    write(target, packed(index))
    print(f"recorded {len(due)} of {len(wanted)} files", file=sys.stderr)
    return index


def problems(root: Path, index: dict) -> list[str]:
    """Where recordings and sources differ, one line each; needs no Coq."""
    known, found = {source.name: source for source in sources(root).values()}, []
    if known.keys() != index["files"].keys():
        found.append(f"recorded are other files: {', '.join(sorted(known.keys() ^ index['files'].keys()))}")
    for name in sorted(known.keys() & index["files"].keys()):
        of_file = index["files"][name]
        found += [f"{name} has changed since it was recorded"] * (digest(known[name].text) != of_file["sha256"])
        found += [f"{name}: {word}" for word in unfinished(known[name].text)]
        path = recorded(root, name)
        if "goals" in of_file and (not path.is_file() or digest(path.read_bytes()) != of_file["goals"]):
            found.append(f"{path.name} is not the recording that the index speaks of")
    found += [f"{recorded(root, name).name} records other theorems of {name} than theorems.csv names"
              for name, names in by_file(rows(root)).items() if held(root, name) != names]
    if [{key: row[key] for key in COLUMNS} for row in index["theorems"]] != rows(root):
        found.append("theorems.csv has changed since it was recorded")
    return found


def table(index: dict) -> list[str]:
    """One line per theorem: name, claim, axioms, what is omitted."""
    return [f"{row['theorem']:34s} {row['claim'] or '-':34s} {row['scope']:8s} {len(row['axioms']) or 'no':>2} axioms"
            f"  {row['omits'] or ('-' if row['control'] else 'no control')}" for row in index["theorems"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="record all files again")
    parser.add_argument("--check", action="store_true", help="compare only; needs no Coq")
    options = parser.parse_args()
    try:
        target = HERE.parent / INDEX
        index = unpacked(target.read_text(encoding="utf-8")) if options.check else make(everything=options.all)
        wrong = problems(HERE, index)
    except (CoqError, Malformed, OSError) as error:
        print(f"proofs: {error}", file=sys.stderr)
        return 1
    wrong += [f"{row['file']}: {row['theorem']} rests on {name}" for row in index["theorems"]
              for name in row["axioms"] if name not in ADMISSIBLE]
    if not options.check:
        print("\n".join(table(index)))
        whole = sum(bool(row["claim"]) and row["scope"] == "whole" for row in index["theorems"])
        print(f"{len(index['theorems'])} theorems, {whole} say a whole claim; "
              f"{sum(map(len, (f['unfinished'] for f in index['files'].values())))} admitted")
    for line in wrong:
        print(f"not accepted: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
