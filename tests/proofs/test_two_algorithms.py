"""Algorithms 1 and 2 as Coq defines them: Algorithm 2 evaluated with two layers and mixtures of two policies, and
changes of the definitions of both."""

import re
import subprocess

import numpy as np
import pytest
import record
from coq_session import FAILED, spoken
from coq_source import sentences
from explored import CONDITIONS, REFINED, explored
from mixtures import mixed
from near import EXEMPT, NEAR, ONE, TWO, conversation, full, named
from nets import nets, optimal
from prelude import PRELUDE
from strategies import strategies
from test_fidelity import PROOFS, REFUSED, compiled, spoilt
from tiny import COQ

SEED, FAMILIES = 20261127, (explored, mixed, strategies, nets, optimal)
HEADER = [*(line for line in PRELUDE.splitlines() if re.match(r"From|Import|Set|Unset|Local", line)),
          "From derl.fidelity Require Import fidelity."]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")]


def split(text: str) -> list[str]:
    return [text[begin:end] for begin, end in sentences(text)]


def asked(folder, said: list[str]) -> list[str]:
    return spoken(PROOFS, [" ".join(x.split()) for x in said], "-Q", str(folder), "derl.fidelity")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The families of evaluations, one instance of each."""
    spread = np.random.SeedSequence(SEED).spawn(len(FAMILIES))
    return {family.__name__: family(np.random.default_rng(sequence), f"{family.__name__}0")
            for family, sequence in zip(FAMILIES, spread, strict=True)}


@pytest.fixture(scope="module")
def folder(proofs_built, texts, tmp_path_factory):
    """A folder with the compiled evaluations: Coq accepts what derl computes."""
    place = tmp_path_factory.mktemp("two_algorithms")
    made: subprocess.CompletedProcess = compiled(place, "\n".join([PRELUDE, REFINED, CONDITIONS, *texts.values()]))
    assert made.returncode == 0, made.stdout + made.stderr
    return place


def test_another_value_of_a_run_of_algorithm_two_is_refused(folder, texts):
    """Every value of the run, each with the proof that Coq has just accepted, and changed."""
    said, begins = list(HEADER), []
    lines = split(texts["explored"])
    for n, sentence in enumerate(lines):
        if sentence.startswith("Goal "):
            steps = lines[n + 1:lines.index("Qed.", n) + 1]
            begins.append((len(said), len(steps), sentence))
            said += [spoilt(sentence), *steps, "Abort All."]
    answers = asked(folder, said)
    assert len(begins) > 10 and not any(map(FAILED.search, answers[:len(HEADER)]))
    for begin, steps, sentence in begins:
        assert not FAILED.search(answers[begin]), answers[begin]
        assert any(map(REFUSED.search, answers[begin + 1:begin + 1 + steps])), sentence


def test_a_change_of_a_definition_is_refused(folder, texts):
    """What Coq has accepted about a definition, said about a copy, a changed copy and a twin of it; see `near.py`."""
    families = {name: split(x) for name, x in texts.items()}
    said, defined, places = conversation(HEADER, split(REFINED + CONDITIONS), families)
    answers = asked(folder, said)
    assert not [answer for answer in answers[:defined] if FAILED.search(answer)]
    assert len(places) == sum(map(len, map(named, NEAR)))
    for (name, word), (begin, end) in places.items():
        stated, proved = answers[begin], answers[begin + 1:end]
        assert not FAILED.search(stated), f"{word} of {name}: {stated}"
        assert not any("Timeout!" in answer for answer in proved), f"{word} of {name}: neither accepted nor refused"
        assert any(map(FAILED.search, proved)) == (word == "near"), f"{word} of {name}: {proved}"


def test_every_definition_of_the_two_algorithms_is_changed():
    """Those of the two files `algorithm.v`, and of both folders those that a recorded statement has."""
    changed = {entry[:2] for entry in NEAR}
    assert len(changed) == len(NEAR) and not changed & set(EXEMPT)
    index = record.unpacked((PROOFS.parent / record.INDEX).read_text(encoding="utf-8"))
    stated = {name for row in index["theorems"] for name in row["definitions"]}
    for folder in "algorithm_one", "algorithm_two":
        for path in sorted((PROOFS / folder).glob("*.v")):
            file = f"{folder}/{path.stem}"
            said = (re.match(r"(?:Definition|Fixpoint) (\w+)", x) for x in split(path.read_text(encoding="utf-8")))
            own = {(file, x[1]) for x in said if x}
            due = own if file in (ONE, TWO) else {entry for entry in own if full(*entry) in stated}
            assert due <= changed | set(EXEMPT), due - changed - set(EXEMPT)
            assert {entry for entry in changed | set(EXEMPT) if entry[0] == file} <= own
