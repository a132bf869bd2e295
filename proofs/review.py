"""Compare a Coq statement with the claim that it is said to state, and keep the digest of the pair.

    review.py                     list the pairs that nobody has compared as they now are
    review.py THEOREM ...         show the pairs: claim, Coq statement, definitions, omissions, control
    review.py THEOREM --accept    keep the digest of the pairs after they were compared

The digest changes with the text of the claim, the statement as Coq prints it, any definition of ours in it, `scope`,
`omits`, and the statement of the control with its definitions. Needs no Coq: it reads the recordings.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from derl.claims import PAPER
from derl.ledger.kernel import REVIEWED, Formal, TheoremRow, pair_digest

FILE = Path(__file__).resolve().parents[1] / "derl" / "claims" / REVIEWED
FIELDS = ("file", "theorem", "claim", "digest")


def shown(row: TheoremRow, statement: str, near: TheoremRow | None) -> str:
    """A pair for a reader."""
    models = [f"{name}{': ' + entry.models if entry.models else ''}\n  {entry.source}"
              for name, entry in row.definitions.items()]
    control = [f"control: {row.control or '(none)'}", *([near.statement] if near else ())]
    return "\n".join([f"== {row.theorem} ({row.file}:{row.line}) as {row.scope} of {row.claim}", "",
                      statement.strip(), "", row.statement, "", *models, "", f"omits: {row.omits or 'nothing'}",
                      f"reading: {row.reading or '(none)'}", *control, ""])


def store(reviewed: dict[tuple[str, str, str], str]) -> None:
    """Write the digests, sorted."""
    with FILE.open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows([*key, digest] for key, digest in sorted(reviewed.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("theorems", nargs="*")
    parser.add_argument("--accept", action="store_true")
    options = parser.parse_args()
    formal = Formal("derl.claims")
    pairs = {theorem.key: theorem for theorem in formal.index.theorems if theorem.claim}
    now = {key: pair_digest(PAPER.statements[key[2]].statement, row, formal.control(row)) for key, row in pairs.items()}
    if not options.theorems:
        due = [key for key in pairs if formal.reviewed.get(key) != now[key]]
        print("\n".join(f"{key[1]} of {key[0]} as {key[2]}" for key in due) or "every pair was compared")
        return 1 if due else 0
    unknown = set(options.theorems) - {key[1] for key in pairs}
    if unknown:
        print(f"review.py: no recorded theorem about a claim is named {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    kept = {key: digest for key, digest in formal.reviewed.items() if key in pairs}
    for key, row in pairs.items():
        if key[1] in options.theorems:
            print(shown(row, PAPER.statements[key[2]].statement, formal.control(row)))
            kept[key] = now[key] if options.accept else kept.get(key, "")
    if options.accept:
        store(kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
