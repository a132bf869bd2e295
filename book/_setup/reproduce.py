"""Everything from nothing: `make reproduce` deletes what was built, and says what came out.

Runs the full tier of checks, builds the book, runs the tests, and compiles the formal proofs where Coq is installed.
Writes and prints _build/certificate.json; `derl compare` holds two of them against each other. A step that fails does
not stop the others, but the certificate says so, and the exit status is 1. `--only verify` runs one step, for a try.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from derl.claims import PAPER  # noqa: E402
from derl.inputs import files  # noqa: E402
from derl.inputs.git import git as ask  # noqa: E402
from derl.ledger import InvalidLedger, Ledger, reproduced  # noqa: E402
from derl.ledger.provenance import environment  # noqa: E402
from derl.ledger.rows import plain  # noqa: E402

STEPS = {"verify": "make verify", "book": "make book", "test": "make test-all", "proofs": "make proofs"}
RECORDED = ("derl/experiments/results/*.parquet", "derl/certificates/*.json", "speed/*.json", "attacks/*.json")
FORMAL = ("proofs/*.csv", "proofs/**/*.v")


def git(root: Path, *words: str) -> str:
    """What git says of a checkout."""
    if shutil.which("git") is None:
        sys.exit("reproduce: git is needed to tell which files belong to the project; install it")
    asked = ask(root, *words)
    if asked is None:
        sys.exit(f"reproduce: {root} is no checkout of git; clone the repository")
    return asked


def commit(root: Path) -> str:
    """The commit of the checkout, with a + where any of its files differs."""
    return git(root, "rev-parse", "--short=12", "HEAD").strip() + "+" * bool(git(root, "status", "--porcelain").strip())


def of_sources(root: Path) -> dict:
    """Digests of what the repository holds: taken before the steps, some of which record again."""
    def matching(patterns):
        return [path.relative_to(root).as_posix() for pattern in patterns for path in sorted(root.glob(pattern))]

    names = [name for name in git(root, "ls-files", "-z").split("\0") if name and (root / name).is_file()]
    return {"sources": reproduced.of_files(root, names),
            "recorded results": reproduced.of_files(root, matching(RECORDED)),
            "formal statements": reproduced.of_files(root, matching(FORMAL))}


def of_build(root: Path) -> tuple[dict, dict]:
    """(digests that are the same everywhere, those that may differ) of what lies in _build."""
    everywhere, here, build = {}, {}, root / "_build"
    try:
        ledger = Ledger.load(build / "ledger.json")
    except InvalidLedger as missing:  # without this digest a certificate confirms nothing
        print(f"reproduce: {missing}", file=sys.stderr)
    else:
        everywhere[f"verdicts, tier {ledger.tier}"] = reproduced.of_verdicts(ledger)
        here["ledger without times"] = reproduced.of_numbers(ledger)
    pages = sorted((build / "html").rglob("*.html")) if (build / ".html").is_file() else []
    pages = [page for page in pages if "_static" not in page.parts]
    if pages:
        everywhere["names of the pages"] = reproduced.digest([page.relative_to(build).as_posix() for page in pages])
    for page in pages:
        name = page.relative_to(build / "html").as_posix()
        text = page.read_text(encoding="utf-8")
        here[f"words of {name}"] = reproduced.of_words(text)
        here[f"page {name}"] = reproduced.digest(text.encode())
    return everywhere, here


def run(name: str) -> reproduced.CommandRow:
    """One step, its output as it comes."""
    print(f"== {STEPS[name]}", flush=True)
    started = time.monotonic()
    status = subprocess.run(STEPS[name].split(), cwd=ROOT, check=False).returncode
    return reproduced.CommandRow(name=name, command=STEPS[name], passed=status == 0,
                                 minutes=round((time.monotonic() - started) / 60, 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=STEPS, help="one step alone, without deleting anything")
    options = parser.parse_args()
    names = [options.only] if options.only else [name for name in STEPS if name != "proofs" or shutil.which("coqc")]
    made_of, before = commit(ROOT), of_sources(ROOT)
    if not options.only:
        if (ROOT / "_build").exists():
            shutil.rmtree(ROOT / "_build")
        if "proofs" in names:
            subprocess.run(["make", "-C", "proofs", "clean"], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    steps = [run(name) for name in names]
    found, here = of_build(ROOT)
    everywhere = before | found
    about = environment(PAPER.libraries) | {
        "cores": str(os.cpu_count()), "coqc": shutil.which("coqc") and "there" or "absent"}
    certificate = reproduced.Certificate(schema=reproduced.SCHEMA, commit=made_of, environment=about,
                                         steps=tuple(steps), everywhere=everywhere, here=here)
    files.write(ROOT / "_build" / "certificate.json", f"{json.dumps(plain(certificate), indent=1)}\n".encode())
    for step in steps:
        print(f"{'passed' if step.passed else 'FAILED'} {step.command:<14} {step.minutes:7.1f} minutes")
    for name, value in everywhere.items():
        print(f"the same everywhere: {name:<24} {value}")
    print(f"may differ: {reproduced.digest(here)} of {len(here)} digests; all are in _build/certificate.json")
    return int(not all(step.passed for step in steps))


if __name__ == "__main__":
    sys.exit(main())
