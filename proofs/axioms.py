"""Print the axioms of every theorem in theorems.csv, as Coq sees them.

One line per theorem: its name, and "closed" or the names of its axioms. Exit status 1 if a theorem is missing, rests
on an axiom outside the list below, or a source file contains an unfinished proof.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# the axioms of Coq's real numbers, and the choice operator of mathcomp-analysis that makes them a MathComp field
ALLOWED = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
    "Epsilon.epsilon_statement",
}
UNFINISHED = re.compile(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort)\b")


def rows() -> list[dict[str, str]]:
    with (HERE / "theorems.csv").open(newline="") as handle:
        return list(csv.DictReader(handle))


def unfinished() -> list[str]:
    found = []
    for source in sorted(HERE.rglob("*.v")):
        text = re.sub(r"\(\*.*?\*\)", "", source.read_text(), flags=re.DOTALL)
        found += [f"{source.relative_to(HERE)}: {word}" for word in UNFINISHED.findall(text)]
    return found


def axioms(table: list[dict[str, str]]) -> dict[str, list[str] | None]:
    """Qualified theorem -> names of its axioms, or None where Coq does not know it."""
    files = list(dict.fromkeys(row["file"] for row in table))
    modules = {file: "derl." + file.removesuffix(".v").replace("/", ".") for file in files}
    lines = [f"Require {module}." for module in modules.values()]
    names = [f"{modules[row['file']]}.{row['theorem']}" for row in table]
    for name in names:
        lines += [f'Eval compute in "## {name}"%string.', f"Print Assumptions {name}."]
    script = "Require Import Coq.Strings.String.\n" + "\n".join(lines) + "\n"
    run = subprocess.run(["coqtop", "-quiet", "-Q", str(HERE), "derl"], input=script, capture_output=True, text=True, check=True)
    result: dict[str, list[str] | None] = {}
    for part in run.stdout.split('= "## ')[1:]:
        name, _, rest = part.partition('"')
        if "Closed under the global context" in rest:
            result[name] = []
        elif "Axioms:" in rest:
            result[name] = re.findall(r"^([A-Za-z_][\w.']*)\s*(?:$|:)", rest.partition("Axioms:")[2], flags=re.MULTILINE)
        else:
            result[name] = None
    return {name: result.get(name) for name in names}


def main() -> int:
    table, wrong = rows(), unfinished()
    for name, found in axioms(table).items():
        print(f"{name.removeprefix('derl.'):60s} {'MISSING' if found is None else ', '.join(found) or 'closed'}")
        if found is None or not set(found) <= ALLOWED:
            wrong.append(name)
    for item in wrong:
        print(f"not accepted: {item}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
