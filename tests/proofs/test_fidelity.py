"""The formal definitions mean what derl computes: evaluated by Coq on random rational instances.

Instances lie on both sides of every threshold. A value that is one off is refused by Coq in every family.
"""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import record
from changed import CHANGED
from coq_session import FAILED, HEAPS, spoken
from coq_source import Source, definitions, sentences
from evaluations import FAMILIES, source
from prelude import PRELUDE
from tiny import COQ

from derl.show.drawing.evaluated import kind

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
RECORDED = PROOFS / "recorded" / "evaluated.txt"  # shown on the page of formal statements
SEED, EACH = 20260101, 1
# by a tactic, or at Qed by the kernel, which says of what the proof ends with that its type is another
REFUSED = re.compile(r"No applicable tactic|Unable to unify|Cannot apply|not convertible|Tactic failure"
                     r"|has\s+type[^:]*while\s+it\s+is\s+expected\s+to\s+have\s+type")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")]
# what the issue of fidelity is about; all of them have to be evaluated
NAMED = {"violates", "before", "batches", "rho", "qf", "strategy", "success", "history", "instance", "kernel", "reward",
         "value", "J", "feature", "measure", "theta", "bandit", "lock", "hit", "leading", "Qcap", "mean"}


def compiled(folder: Path, text: str) -> subprocess.CompletedProcess:
    """Compile a file against the compiled proofs."""
    (folder / "fidelity.v").write_text(text, encoding="utf-8")
    return subprocess.run(["coqc", "-q", "-w", "none", "-Q", str(PROOFS), "derl", "-Q", str(folder), "derl.fidelity",
                           str(folder / "fidelity.v")], capture_output=True, text=True, env=HEAPS | os.environ)


@pytest.fixture(scope="module")
def folder(proofs_built, tmp_path_factory):
    """A folder with the compiled evaluations, which begin with the prelude."""
    place = tmp_path_factory.mktemp("fidelity")
    made = compiled(place, source(SEED, EACH))
    assert made.returncode == 0, made.stdout + made.stderr
    return place


def test_the_definitions_evaluate_to_what_derl_computes(folder):
    known = record.sources(PROOFS)
    own = Source(folder, "fidelity.v")
    own.module = "derl.fidelity.fidelity"
    reached = set().union(*(definitions(known, own, number) for number in range(len(own.spans))))
    assert NAMED <= {name.rpartition(".")[2] for name in reached}
    index = record.unpacked((ROOT / record.INDEX).read_text(encoding="utf-8"))
    stated = {name: said["source"] for row in index["theorems"] for name, said in row["definitions"].items()}
    said = RECORDED.read_text(encoding="utf-8").split()
    assert said == sorted(reached & set(stated)), f"{RECORDED.name} should have these lines:\n" + "\n".join(
        sorted(reached & set(stated)))
    assert {name for name, source in stated.items() if kind(source) == "a value"} <= reached


def spoilt(goal: str) -> str:
    """A goal whose value is one off."""
    value = list(re.finditer(r" =\s+((?:(?! = ).)+)\.$", goal, re.S))[-1]
    right = value[1]
    other = f"({right}).+1" if right.endswith("%N") else f"{right} + 1"
    wrong = {"true": "false", "false": "true"}.get(right, other)
    return f"{goal[:value.start(1)]}{wrong}{goal[value.end(1):]}"


def last_goal(text: str) -> tuple[list[str], list[str]]:
    """What is opened and imported before the last goal of a family that states a value, and the goal with its proof."""
    said = [text[begin:end] for begin, end in sentences(text)]
    at = max(n for n, sentence in enumerate(said) if sentence.startswith("Goal ") and re.search(r" =\s", sentence))
    until = next(n for n in range(at, len(said)) if said[n] == "Qed.")
    return [x for x in said[:at] if x.startswith(("Section ", "Import ", "Local Open "))], said[at:until + 1]


def test_values_that_are_one_off_are_refused(folder):
    """The same proofs that Coq has just accepted, with one value of every family changed."""
    top = [line for line in PRELUDE.splitlines() if re.match(r"From|Import|Set|Unset|Local", line)]
    said = [*top, "From derl.fidelity Require Import fidelity."]
    begin, places = len(said), {}
    for family, sequence in zip(FAMILIES, np.random.SeedSequence(SEED).spawn(len(FAMILIES)), strict=True):
        opened, (goal, *proof) = last_goal(family(np.random.default_rng(sequence), f"{family.__name__}0"))
        closed = [x.replace("Section ", "End ") for x in opened if x.startswith("Section ")]
        places[family.__name__] = range(len(said) + len(opened), len(said) + len(opened) + 1 + len(proof))
        said += [*opened, spoilt(goal), *(f"Timeout 60 {x}" for x in proof), "Abort All.", *closed]
    answers = spoken(PROOFS, [" ".join(x.split()) for x in said], "-Q", str(folder), "derl.fidelity")
    assert not [answer for answer in answers[:begin] if FAILED.search(answer)]
    for name, place in places.items():
        goal, *steps = (answers[n] for n in place)
        assert not FAILED.search(goal), f"{name}: {goal}"
        assert any(REFUSED.search(step) for step in steps), f"{name}: {steps}"
        assert FAILED.search(steps[-1]), f"{name}: Qed was accepted"


def planted(entry) -> tuple[list[str], str, list[str]]:
    """The two definitions, and the first sentence of the family that speaks of the name, as a goal with its proof."""
    family, name, text = entry
    parts = re.split(r"{([^{}]*?)\|([^{}]*?)}", text)
    both = ["".join(part for n, part in enumerate(parts) if n % 3 != drop) for drop in (2, 1)]
    place = [f.__name__ for f in FAMILIES].index(family)
    rng = np.random.default_rng(np.random.SeedSequence(SEED).spawn(len(FAMILIES))[place])
    whole = next(f for f in FAMILIES if f.__name__ == family)(rng, f"{family}0")
    said = [whole[begin:end] for begin, end in sentences(whole)]
    at = next(n for n, x in enumerate(said) if x.startswith(("Goal ", "Lemma ")) and f"{name} " in x)
    until = next(n for n in range(at, len(said)) if said[n] == "Qed.")
    goal = re.sub(r"^Lemma \w+ :", "Goal", said[at], count=1)
    return [f"Definition {word} {body}." for word, body in zip(("honest", "changed"), both, strict=True)], goal, \
        said[at + 1:until + 1]


def test_definitions_that_mean_something_else_are_refused(folder):
    """The same proofs again, with the definition written once more: as it is, then with something near in it."""
    said = [line for line in PRELUDE.splitlines() if re.match(r"From|Import|Set|Unset|Local", line)]
    said.append("From derl.fidelity Require Import fidelity.")
    places = {}
    for number, entry in enumerate(CHANGED):
        definitions, goal, proof = planted(entry)
        for word, definition in zip(("honest", "changed"), definitions, strict=True):
            steps = [x.replace(entry[1], f"{word}{number}") for x in (goal, *proof)]
            said.append(definition.replace(word, f"{word}{number}", 1))
            places[entry[1], word] = len(said) - 1, len(said) + len(steps)
            said += [steps[0], *(f"Timeout 60 {x}" for x in steps[1:]), "Abort All."]
    answers = spoken(PROOFS, [" ".join(x.split()) for x in said], "-Q", str(folder), "derl.fidelity")
    for (name, word), (begin, end) in places.items():
        stated, proved = answers[begin:begin + 2], answers[begin + 2:end]
        assert not any(map(FAILED.search, stated)), f"{word} {name}: {stated}"
        assert any(map(FAILED.search, proved)) == (word == "changed"), f"{word} {name}: {proved}"
        assert not any("Timeout!" in answer for answer in proved), f"{word} {name}: neither accepted nor refused"


def test_both_sides_of_the_threshold_are_met():
    text = source(SEED, EACH)
    said = re.findall(r"Goal violates .* = (true|false)\.", text)
    assert said.count("true") >= EACH and said.count("false") >= EACH
    assert source(SEED, EACH) == text
