"""The formal definitions mean what derl computes: evaluated by Coq on random rational instances.

Instances lie on both sides of every threshold. A value that is one off is refused by Coq in every family.
"""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import record
from coq_source import Source, definitions
from evaluations import FAMILIES, source
from prelude import PRELUDE
from tiny import COQ

from derl.show.drawing.evaluated import kind

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
RECORDED = PROOFS / "recorded" / "evaluated.txt"  # shown on the page of formal statements
SEED, EACH = 20260101, 1
REFUSED = re.compile("No applicable tactic|Unable to unify|Cannot apply|not convertible|Tactic failure")
ANONYMOUS = re.compile(r"^Goal .*?Qed\.\n", re.M | re.S)
pytestmark = pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")
# what the issue of fidelity is about; all of them have to be evaluated
NAMED = {"violates", "before", "batches", "rho", "qf", "strategy", "success", "history", "instance", "kernel", "reward",
         "value", "J", "feature", "measure", "theta", "bandit", "lock", "hit", "leading", "Qcap", "mean"}


def compiled(folder: Path, text: str, name: str = "fidelity") -> subprocess.CompletedProcess:
    """Compile a file against the compiled proofs."""
    (folder / f"{name}.v").write_text(text, encoding="utf-8")
    return subprocess.run(["coqc", "-q", "-w", "none", "-Q", str(PROOFS), "derl", "-Q", str(folder), "derl.fidelity",
                           str(folder / f"{name}.v")], capture_output=True, text=True)


@pytest.fixture(scope="module", autouse=True)
def built():
    """The proofs are compiled."""
    made = subprocess.run(["make", "-C", str(PROOFS)], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the compiled prelude."""
    place = tmp_path_factory.mktemp("fidelity")
    made = compiled(place, PRELUDE, "prelude")
    assert made.returncode == 0, made.stderr
    return place


def test_the_definitions_evaluate_to_what_derl_computes(folder):
    made = compiled(folder, source(SEED, EACH))
    assert made.returncode == 0, made.stdout + made.stderr
    known = record.sources(PROOFS)
    own = Source(folder, "fidelity.v")
    own.module = "derl.fidelity.fidelity"
    reached = set().union(*(definitions(known, own, number) for number in range(len(own.spans))))
    assert NAMED <= {name.rpartition(".")[2] for name in reached}
    stated = {name: said["source"] for row in json.loads((ROOT / record.INDEX).read_text(encoding="utf-8"))["theorems"]
              for name, said in row["definitions"].items()}
    said = RECORDED.read_text(encoding="utf-8").split()
    assert said == sorted(reached & set(stated)), f"{RECORDED.name} should have these lines:\n" + "\n".join(
        sorted(reached & set(stated)))
    assert {name for name, source in stated.items() if kind(source) == "a value"} <= reached


def spoilt(text: str) -> str:
    """The last value of an instance, one off; goals before it, on which nothing rests, are left out."""
    text = ANONYMOUS.sub("", text[:text.rindex("Goal ")]) + text[text.rindex("Goal "):]
    value = list(re.finditer(r" =\s+((?:(?! = ).)+)\.\nProof", text))[-1]
    right = value[1]
    other = f"({right}).+1" if right.endswith("%N") else f"{right} + 1"
    wrong = {"true": "false", "false": "true"}.get(right, other)
    return f"{text[:value.start(1)]}{wrong}{text[value.end(1):]}"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_a_value_that_is_one_off_is_refused(folder, family):
    text = family(np.random.default_rng(SEED), "x")
    top = "\n".join(line for line in PRELUDE.splitlines() if re.match(r"From|Import|Set|Unset|Local", line))
    head = f"{top}\nFrom derl.fidelity Require Import prelude.\n"
    made = compiled(folder, head + spoilt(text) + "\n", f"spoilt_{family.__name__}")
    assert made.returncode and REFUSED.search(made.stderr), made.stderr


def test_both_sides_of_the_threshold_are_met():
    text = source(SEED, EACH)
    said = re.findall(r"Goal violates .* = (true|false)\.", text)
    assert said.count("true") >= EACH and said.count("false") >= EACH
    assert source(SEED, EACH) == text
