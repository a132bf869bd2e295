"""What Coq says today of every recorded theorem, asked of the compiled files in one session: statement and axioms.

Goals are not printed again here; `make proofs` does that, sentence by sentence, in some ten minutes.
"""

import json
import re
from pathlib import Path

import pytest
import record
from coq_session import FAILED, WIDTH, axioms, spoken
from tiny import COQ

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
ROWS = record.unpacked((ROOT / record.INDEX).read_text(encoding="utf-8"))["theorems"]
THEOREMS = {row["theorem"]: row for row in ROWS}
# what shapes the text that Coq prints
SETTING = re.compile(r"(From|Require|Import|Local Open|Open|Set|Unset|Local Notation|Notation)\b")
FEW = 18  # theorems that are printed in another way when other files are loaded, too: their files are asked alone
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")]


def groups(rows) -> dict[tuple[str, ...], list[str]]:
    """Axioms -> the theorems that are recorded with these."""
    found: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        found.setdefault(tuple(row["axioms"]), []).append(row["theorem"])
    return found


@pytest.fixture(scope="module")
def known():
    return record.sources(PROOFS)


@pytest.fixture(scope="module")
def said(proofs_built, known):
    """Of every theorem what Coq prints; of every group of theorems the axioms below them, and of one false group."""
    files, of_file = record.by_file(record.rows(PROOFS)), {source.name: source for source in known.values()}
    at = {name: f"@{of_file[file].module}.{name}" for file, names in files.items() for name in names}
    asked = [f"Set Printing Width {WIDTH}.", f"Require {' '.join(sorted(of_file[file].module for file in files))}."]
    places, grouped = {}, groups(ROWS)
    for number, (file, names) in enumerate(files.items()):  # what a file sets ends with the module
        source = of_file[file]
        sentences = [source.say(k) for k in range(len(source.spans))]
        asked += [f"Module spoken{number}.", *filter(SETTING.match, sentences), f"Import {source.module}."]
        for name in names:
            places[name] = len(asked)
            asked.append(f"Check @{name}.")
        asked.append(f"End spoken{number}.")
    most = max(grouped, key=len)
    planted, below = [*grouped[()][:3], grouped[most][0]], []
    for number, names in enumerate([*grouped.values(), planted]):
        asked.append(f"Definition group{number} := ({', '.join(at[name] for name in dict.fromkeys(names))}).")
        below.append(len(asked))
        asked.append(f"Print Assumptions group{number}.")
    answers = spoken(PROOFS, asked)
    ours = [answers[place] for place in (*places.values(), *below)]  # a notation of a section has no sense outside
    assert not [answer[:300] for answer in ours if FAILED.search(answer)]
    stated = {name: answers[place].partition(":")[2].strip().replace("\n       ", "\n")
              for name, place in places.items()}
    *true, false = (axioms(answers[place]) for place in below)
    return stated, dict(zip(grouped, true, strict=True)), (most, false)


def others(stated: dict[str, str], rows) -> list[str]:
    """The theorems that Coq states in other words than the rows."""
    return sorted({row["theorem"] for row in rows if stated.get(row["theorem"]) != row["statement"]})


def test_coq_states_every_theorem_as_it_is_recorded(said, known):
    left = others(said[0], ROWS)
    assert len(left) <= FEW, left
    wanted = record.by_file(record.rows(PROOFS))
    for source in known.values():
        if source.name not in {THEOREMS[name]["file"] for name in left}:
            continue
        file, names = source.name, wanted[source.name]
        alone = record.record(PROOFS, known, source, names)
        assert alone == json.loads(record.recorded(PROOFS, file).read_text(encoding="utf-8")), file
        assert {name: alone["theorems"][name]["statement"] for name in names} == {
            name: THEOREMS[name]["statement"] for name in names}


def test_another_statement_is_seen(said):
    row = next(row for row in ROWS if row["theorem"] not in others(said[0], ROWS) and "<=" in row["statement"])
    forged = [row | {"statement": row["statement"].replace("<=", "<", 1)}]
    assert others(said[0], forged) == [row["theorem"]]


def test_theorems_rest_on_the_recorded_axioms_and_on_no_others(said):
    """Together those of a group rest on its axioms: none of them on more, and not all of them on less."""
    for recorded, found in said[1].items():
        assert found == list(recorded)


def test_an_axiom_that_is_not_recorded_is_seen(said):
    most, found = said[2]
    assert most and found == list(most)
