"""Everything from nothing: `make reproduce` deletes what was built, builds it again, and says what came out.

Runs the full tier of checks, builds the book, runs the tests, and compiles the formal proofs where Coq is installed.
Prints and writes _build/certificate.json: the commit, what became of each step, the verdict of every statement. Two of
them are compared with `diff`, two ledgers with `derl compare`. Exit status 1 where a step fails.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from derl.claims import PAPER, Ledger  # noqa: E402
from derl.ledger.provenance import commit, environment  # noqa: E402

STEPS = ("make verify", "make book", "make test-all", "make proofs")


def main() -> int:
    shutil.rmtree(ROOT / "_build", ignore_errors=True)
    steps = {}
    for step in STEPS if shutil.which("coqc") else STEPS[:-1]:
        print(f"== {step}", flush=True)
        steps[step] = "passed" if subprocess.run(step.split(), cwd=ROOT, check=False).returncode == 0 else "FAILED"
    ledger = Ledger.load(ROOT / "_build" / "ledger.json")
    certificate = {"commit": commit(PAPER.package), "steps": steps, "tier": ledger.tier,
                   "verdicts": {key: row.verdict for key, row in ledger.claims.items()},
                   "environment": environment(PAPER.libraries)}
    text = json.dumps(certificate, indent=1)
    (ROOT / "_build" / "certificate.json").write_text(f"{text}\n", encoding="utf-8")
    print(text)
    return int("FAILED" in steps.values())


if __name__ == "__main__":
    sys.exit(main())
