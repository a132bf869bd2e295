"""A paper of one claim with its own small folder of proofs, in which something can be planted.

Plain Coq without MathComp, so that a file compiles in under a second.
"""

import csv
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import record

from derl.judge.kernel import IndexRow, checks, pair_digest
from derl.judge.trial import run_check
from derl.judge.verdicts import earned, verdict
from derl.ledger.recordings import Recorded
from derl.ledger.rows import read
from derl.ledger.statements import Statement

COQ = shutil.which("coqc") and shutil.which("coqtop") and shutil.which("coqdep")
CLAIM = "lem-even-sum"
STATEMENTS = {CLAIM: Statement(CLAIM, "lemma", "1", "", 1, "Sums of even numbers",
                               "The sum of two even numbers is even.", (), (), "p/q", "holds", word="proved")}
TEXT = """(* Even numbers. *)
Require Import Arith Lia.
(* n is even *)
Definition even n := exists k, n = 2 * k.

Lemma double a b : 2 * (a + b) = 2 * a + 2 * b.
Proof. now rewrite Nat.mul_add_distr_l. Qed.

Theorem lem_even_sum a b : even a -> even b -> even (a + b).
Proof.
  intros [k ->] [l ->].
  exists (k + l).
  now rewrite double.
Qed.

(* control: odd in the place of even *)
Theorem odd_sum : ~ (forall a b, ~ even a -> ~ even b -> ~ even (a + b)).
Proof.
  intros h; apply (h 1 1); try (intros [k e]; lia).
  now exists 1.
Qed.
"""
ROWS = [("lem_even_sum", "tiny/even.v", CLAIM, "whole", "", "odd_sum", "The sum of two even numbers is even."),
        ("odd_sum", "tiny/even.v", "", "core", "control: odd in the place of even", "", "")]


@dataclass
class Planted:
    """A folder of proofs and the index of what was recorded of it."""

    root: Path
    text: str = TEXT

    @property
    def proofs(self) -> Path:
        return self.root / "proofs"

    def write(self, text: str | None = None, rows=ROWS) -> None:
        (self.proofs / "tiny").mkdir(parents=True, exist_ok=True)
        (self.proofs / "tiny" / "even.v").write_text(text or self.text, encoding="utf-8")
        (self.proofs / "_CoqProject").write_text("-Q . derl\ntiny/even.v\n", encoding="utf-8")
        with (self.proofs / "theorems.csv").open("w", newline="", encoding="utf-8") as handle:
            csv.writer(handle).writerows([record.COLUMNS, *rows])

    def record(self) -> dict:
        """Compile and record."""
        subprocess.run(["coqc", "-Q", ".", "derl", "tiny/even.v"], cwd=self.proofs, check=True, capture_output=True)
        return record.make(self.proofs, self.root / "kernel.json", everything=True)


def formal(proofs: Path | None, index: dict, reviewed: dict | None = None, statements=STATEMENTS) -> Recorded:
    """The recordings `index`, compared with the claims as they are unless `reviewed` says otherwise."""
    made = Recorded("derl.claims", proofs)
    made.__dict__["index"] = read(IndexRow, index)
    made.__dict__["reviewed"] = pairs(index, statements) if reviewed is None else reviewed
    return made


def pairs(index: dict, statements=STATEMENTS) -> dict:
    of = formal(None, index, {})
    return {theorem.key: pair_digest(statements[theorem.claim].statement, theorem, of.control(theorem))
            for theorem in read(IndexRow, index).theorems if theorem.claim}


def judged(of: Recorded, statements=STATEMENTS, claim=CLAIM) -> tuple[str, str]:
    """The verdict on a claim from its theorems alone, and what failed."""
    rows = [run_check(check) for check in checks(of, statements) if check.claim == claim]
    word, gap = earned(*verdict(rows), statements[claim].kind, ["there is none"])
    return word, "; ".join(row["detail"] for row in rows) or gap
