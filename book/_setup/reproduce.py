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

from derl.boundary import files  # noqa: E402
from derl.ledger import Ledger, reproduced  # noqa: E402
from derl.ledger.provenance import commit, environment  # noqa: E402

STEPS = {"verify": "make verify", "book": "make book", "test": "make test", "proofs": "make proofs"}
RECORDED = ("derl/experiments/results/*.parquet", "derl/certificates/*.json", "benchmarks/*.json")
FORMAL = ("proofs/*.csv", "proofs/recorded/*.json", "derl/claims/kernel.json")
SOURCES = ("derl", "book", "notebooks", "tests", "proofs", "benchmarks")


def sources(root: Path) -> list[str]:
    """Files of the repository, as git knows them."""
    words = ["git", "-C", str(root), "ls-files", "-z", *SOURCES]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (root / name).is_file()]


def digests(root: Path) -> tuple[dict, dict]:
    """(those that are the same everywhere, those that may differ) of what lies in a checkout and its _build."""
    def matching(patterns):
        return [path.relative_to(root).as_posix() for pattern in patterns for path in sorted(root.glob(pattern))]

    everywhere = {"sources": reproduced.of_files(root, sources(root)),
                  "recorded results": reproduced.of_files(root, matching(RECORDED)),
                  "formal statements": reproduced.of_files(root, matching(FORMAL))}
    here, build = {}, root / "_build"
    if (build / "ledger.json").is_file():
        ledger = Ledger.load(build / "ledger.json")
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


def run(name: str) -> dict:
    """One step, its output as it comes."""
    print(f"== {STEPS[name]}", flush=True)
    started = time.monotonic()
    status = subprocess.run(STEPS[name].split(), cwd=ROOT, check=False).returncode
    return {"name": name, "command": STEPS[name], "minutes": round((time.monotonic() - started) / 60, 1),
            "passed": status == 0}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=STEPS, help="one step alone, without deleting anything")
    options = parser.parse_args()
    names = [options.only] if options.only else [name for name in STEPS if name != "proofs" or shutil.which("coqc")]
    if not options.only:
        shutil.rmtree(ROOT / "_build", ignore_errors=True)
    steps = [run(name) for name in names]
    everywhere, here = digests(ROOT)
    about = environment() | {"cores": str(os.cpu_count()), "coqc": shutil.which("coqc") and "there" or "absent"}
    certificate = {"schema": reproduced.SCHEMA, "commit": commit("derl"), "environment": about, "steps": steps,
                   "everywhere": everywhere, "here": here}
    files.write(ROOT / "_build" / "certificate.json", f"{json.dumps(certificate, indent=1)}\n".encode())
    for step in steps:
        print(f"{'passed' if step['passed'] else 'FAILED'} {step['command']:<14} {step['minutes']:7.1f} minutes")
    for name, value in everywhere.items():
        print(f"the same everywhere: {name:<24} {value}")
    print(f"may differ: {reproduced.digest(here)} of {len(here)} digests; all are in _build/certificate.json")
    return int(not all(step["passed"] for step in steps))


if __name__ == "__main__":
    sys.exit(main())
