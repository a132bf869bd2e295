"""Keep what the attacks on the project found, for the page "Why believe this book".

    python tests/fuzz.py > input.log          && python attacks/trust.py input input.log
    python tests/faults.py 100 > kills.log    && python attacks/trust.py kills kills.log
    python attacks/mutants_random.py ...   && python attacks/mutants.py --table drawn.csv --out found.csv ...
    python attacks/trust.py mutants found.csv
    python attacks/trust.py programs found.csv                    a fresh and smaller sample
    python attacks/trust.py strangers found.csv                   of --table attacks/strangers.csv, with the first tests
    python attacks/planted.py ...  && python attacks/trust.py planted _build/attacks/planted.csv
    python attacks/trust.py planted more.csv --add                kinds of another seed; the other kinds stay
    python attacks/trust.py planted again.csv --again             the same errors once more, after mends
    python attacks/trust.py forged
    make pythons > pythons.log                && python attacks/trust.py pythons pythons.log

Each writes one part of `trust.json`, with the command, the day, a digest of the code and the versions. `fuzz.py`,
`faults.py` and `pythons.py` print their own day and code first, `mutants.py` writes them to every row, and these are
kept; `--note` says what differed from the command. `reasons.csv` says of surviving mutants why they survive, and
`unnoticed.csv` of changed texts that were not noticed whether they are false.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import datetime
import io
import json
import re
from collections import Counter
from pathlib import Path

from derl.claims import PAPER
from derl.inputs import files
from derl.ledger.provenance import digest, environment

ROOT = Path(__file__).resolve().parents[1]
FILE = Path(__file__).with_suffix(".json")
REASONS = Path(__file__).with_name("reasons.csv")
UNNOTICED = Path(__file__).with_name("unnoticed.csv")
ORIGIN = re.compile(r"^(?P<day>\d{4}-\d\d-\d\d) code (?P<code>[0-9a-f]{12})$", re.MULTILINE)
LINE = re.compile(r"^(?P<name>[a-z ]+?)(?: (?P<size>\d+))? (?P<counts>\{.*\}) (?P<faults>\d+) faults", re.MULTILINE)
COMMANDS = {"input": "python tests/fuzz.py", "kills": "python tests/faults.py 100",
            "mutants": "python attacks/mutants_random.py --count 100 --seed 3 --out drawn.csv && "
                       "python attacks/mutants.py --table drawn.csv --out found.csv --limit 60 --nearest 8",
            "programs": "python attacks/mutants_random.py --count 8 --seed 20261126 --groups environment,algorithms,"
                        "theory,ledger,tools --out drawn.csv && python attacks/mutants.py --table drawn.csv --quick "
                        "--out found.csv",
            "strangers": "python attacks/mutants.py --table attacks/strangers.csv --quick --nearest 8 --out found.csv",
            "planted": "python attacks/planted.py --kind K --seed N",
            "forged": "python -m pytest tests/certificates", "pythons": "make pythons"}
CHANGED = ("texts", "other", "table")  # kinds of changed texts; those that were not noticed are listed, by seed
PYTHON = re.compile(r"^Python (?P<version>[\d.]+): (?P<said>.*)$", re.MULTILINE)


def counted(text: str) -> dict:
    """name -> {counts, faults} of the lines that `fuzz.py` and `faults.py` print.

    Raises
    ------
    ValueError
        There is none.
    """
    found = {}
    for line in LINE.finditer(text):
        counts = ast.literal_eval(line["counts"])
        found[line["name"]] = {"tried": int(line["size"] or counts.get("kills", 0)), "counts": counts,
                               "faults": int(line["faults"])}
    if not found:
        raise ValueError("nothing was counted there")
    return found


def origin(text: str) -> dict:
    """Day and code that a script printed when it began; "unknown" where it printed none."""
    found = ORIGIN.search(text)
    return found.groupdict() if found else {"day": "unknown", "code": "unknown"}


def of_input(path: Path) -> dict:
    text = path.read_text(encoding="utf-8")
    return {**origin(text), "of": counted(text)}


def of_mutants(path: Path) -> dict:
    """Planted and caught in every group, and the survivors with their reasons."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    planted, caught = Counter(row["group"] for row in rows), Counter()
    reasons, survivors = read_reasons(), []
    for row in rows:
        caught[row["group"]] += row["outcome"] == "caught"
        if row["outcome"] != "caught":
            kind, reason = reasons.get((row["file"], row["meaning"]), ("unexplained", ""))
            survivors.append({"group": row["group"], "file": row["file"], "line": int(row["line"]),
                              "change": row["meaning"], "kind": kind, "reason": reason or row["by"]})
    days, codes = (sorted({row.get(key) or "unknown" for row in rows}) for key in ("day", "code"))
    return {"day": " to ".join(dict.fromkeys((days[0], days[-1]))), "code": codes[0] if len(codes) == 1 else "unknown",
            "of": {group: {"planted": planted[group], "caught": caught[group]} for group in sorted(planted)},
            "survivors": sorted(survivors, key=lambda row: (row["group"], row["file"], row["line"]))}


def of_planted(path: Path, again: bool = False) -> dict:
    """Falsehoods of every kind: seed, planted, noticed by `derl verify`; and the changed texts that were not, by hand.

    Raises
    ------
    ValueError
        The list of unnoticed changes is not that of this sample.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = {}
    for row in rows:
        part = found.setdefault(row["kind"], {"seed": int(row["seed"]), "planted": 0, "noticed": 0})
        part["planted"] += 1
        part["noticed"] += int(row["noticed"])
    for part in (found[kind] for kind in CHANGED if kind in found and UNNOTICED.is_file()):
        if (left := [row for row in read_unnoticed() if int(row["seed"]) == part["seed"]]):
            part["unnoticed"] = [{key: row[key] for key in ("about", "change", "kind", "reason")} for row in left]
            if not again and len(left) != part["planted"] - part["noticed"]:
                raise ValueError(f"{UNNOTICED.name} has {len(left)} changes of seed {part['seed']}, and "
                                 f"{part['planted'] - part['noticed']} were not noticed")
    return {"day": rows[0]["day"], "code": rows[0]["code"], "of": found}


def added(before: dict, now: dict) -> dict:
    """The kinds of an earlier record and those of a new one; day and code are those of both."""
    days = sorted({*before["day"].split(" to "), *now["day"].split(" to ")})
    return {"day": " to ".join(dict.fromkeys((days[0], days[-1]))), "of": before["of"] | now["of"],
            "code": now["code"] if now["code"] == before["code"] else "unknown"}


def again(before: dict, now: dict) -> dict:
    """An earlier record in which each kind that was planted again says how many are noticed now.

    Raises
    ------
    ValueError
        Another seed, or another number of errors.
    """
    kinds = dict(before["of"])
    for kind, part in now["of"].items():
        was = kinds.get(kind, {})
        if (was.get("seed"), was.get("planted")) != (part["seed"], part["planted"]):
            raise ValueError(f"{kind}: seed {part['seed']} with {part['planted']} errors was not recorded before")
        kinds[kind] = was | {"since": part["noticed"]}
    return added(before, now | {"of": kinds})


def read_reasons() -> dict[tuple[str, str], tuple[str, str]]:
    """(file, change) -> (kind, reason): "equal" where nothing that is claimed changes, "since killed", "open"."""
    with REASONS.open(encoding="utf-8", newline="") as stream:
        return {(row["file"], row["change"]): (row["kind"], row["reason"]) for row in csv.DictReader(stream)}


def read_unnoticed() -> list[dict]:
    """Changes of texts that were not noticed, each with its kind, "false" or "harmless", and the reason."""
    with UNNOTICED.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def of_forged(path: Path | None = None) -> dict:
    """Runs the tests that hand forged certificates to the checkers; counts those that were refused."""
    import pytest

    class Counting:
        def __init__(self):
            self.checker, self.tried, self.refused = {}, Counter(), Counter()

        def pytest_collection_modifyitems(self, items):
            self.checker = {item.nodeid: item.callspec.params["checker"].__name__.rpartition(".")[2] for item in items
                            if item.name.startswith("test_a_forgery")}

        def pytest_runtest_logreport(self, report):
            if report.when == "call" and report.nodeid in self.checker:
                self.tried[self.checker[report.nodeid]] += 1
                self.refused[self.checker[report.nodeid]] += report.passed

    counting = Counting()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-p", "no:cacheprovider", str(ROOT / "tests" / "certificates" / "test_forged.py")],
                    plugins=[counting])
    return {"day": datetime.date.today().isoformat(), "code": digest("derl")[:12],
            "of": {name: {"tried": tried, "refused": counting.refused[name]}
                   for name, tried in sorted(counting.tried.items())}}


def of_pythons(path: Path) -> dict:
    """Version -> what every run with it said, how many statements were verified and how many tests passed."""
    text, found, begin = path.read_text(encoding="utf-8"), {}, 0
    for line in PYTHON.finditer(text):
        part, begin = text[begin:line.start()], line.end()
        statements, tests = (sum(map(int, re.findall(pattern, part, re.MULTILINE))) for pattern in (
            r"^(\d+) statements?, .*, 0 not as expected,", r"^(\d+) passed"))
        found.setdefault(line["version"], []).append({"said": line["said"], "statements": statements, "tests": tests})
    if not found:
        raise ValueError("no Python has come to its end there")
    return {**origin(text), "of": found}


WAYS = {"input": of_input, "kills": of_input, "mutants": of_mutants, "programs": of_mutants, "strangers": of_mutants,
        "planted": of_planted, "forged": of_forged, "pythons": of_pythons}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=WAYS)
    parser.add_argument("path", nargs="?", type=Path, help="what the script printed, or its table")
    parser.add_argument("--note", default="", help="what differed from the command")
    parser.add_argument("--add", action="store_true", help="of `planted`: keep the kinds that the table does not have")
    parser.add_argument("--again", action="store_true", help="of `planted`: the errors of the record, after mends")
    options = parser.parse_args()
    if (options.add or options.again) and options.part != "planted":
        parser.error("--add and --again are for `planted`")
    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    found = of_planted(options.path, again=True) if options.again else WAYS[options.part](options.path)
    if options.add or options.again:
        found = (again if options.again else added)(kept[options.part], found)
    kept[options.part] = {"command": COMMANDS[options.part], **origin(""),
                          "environment": environment(PAPER.libraries), "note": options.note, **found}
    files.write(FILE, f"{json.dumps(kept, indent=1, sort_keys=True)}\n".encode())


if __name__ == "__main__":
    main()
