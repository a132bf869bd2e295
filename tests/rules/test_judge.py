"""`derl/ledger` knows neither the paper nor its field, and judges where no library that computes is installed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

LEDGER = Path(__file__).parents[2] / "derl" / "ledger"
FIELD = re.compile(
    r"\b(polic(y|ies)|deploy\w*|mdps?|bellman|markov|rewards?|bandits?|gym(nasium)?|trajector(y|ies)|episodes?|horizon|"
    r"reinforcement|explor\w*|regret|lsvi\w*|linear_mdp|kiefer|reachab\w*|numba|cvxpy|"
    r"this (paper|book)'s|of this (paper|book))\b"
    r"|\bderl\b(?!\.(ledger|inputs|printed)\b)", re.IGNORECASE)  # the package may name its own floor, and no command
# a paper without any library: it is run where numpy, scipy and sympy cannot be imported
ALONE = """
import sys
sys.modules.update(dict.fromkeys({absent}))
from derl.ledger import verify
sys.path.insert(0, {folder!r})
from bare_paper import PAPER
for jobs in (1, 2):
    print([row["verdict"] for row in verify(PAPER, jobs=jobs, apart=jobs > 1).claims.values()])
"""
BARE = """
from derl.ledger import Evidence, Paper
PAPER = Paper(__name__)

@PAPER.registry.check("lem-two", method="exhaustive", arithmetic="exact", covers="everything", gap="none")
def doubled(two=2):
    return Evidence(1 + 1, two, "identity", "one case")
"""
CONTROL = """
PAPER.registry.control(doubled, "1 + 1 = 3", {"two": 3})
"""
STATEMENT = """
lem-two: {kind: lemma, number: "1", label: "", line: 1, title: Two, statement: 1 + 1 = 2, page: index,
          expected: holds, word: enumerated}
"""


def words_of_the_field(text: str) -> list[str]:
    return [match[0] for match in FIELD.finditer(text)]


def test_no_module_of_the_ledger_has_a_word_of_the_field():
    files = sorted(LEDGER.glob("**/*.py"))
    assert len(files) > 10
    assert {path.name: found for path in files if (found := words_of_the_field(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize("line, word", [
    ('"bellman": "equations of a finite-horizon process",', "bellman"), ("the next policy is chosen", "policy"),
    ('"kiefer-wolfowitz": "D- and G-optimal designs"', "kiefer"), ('{"gym": "gymnasium"}', "gym"),
    ("run `derl verify` again", "derl"), ('f"needs derl[{extra}]"', "derl"), ('digest("derl", package)', "derl"),
    ("import derl\n", "derl"), ("from derl.claims import PAPER", "derl"),
    ("the constructs of this paper", "of this paper"),
    ("N Trajectories of an MDP", "Trajectories"), ("no reward", "reward"), ("deployments", "deployments")])
def test_a_planted_word_is_seen(line, word):
    assert words_of_the_field(line)[0] == word


@pytest.mark.parametrize("line", ["from derl.ledger.paper import Paper", "from derl.inputs import Invalid",
                                  "`derl.ledger.provenance.digest`", "the folder that holds its package"])
def test_its_own_names_are_allowed(line):
    assert words_of_the_field(line) == []


def judged(folder, absent, source):
    package = folder / "bare_paper"
    package.mkdir()
    (package / "__init__.py").write_text(source, encoding="utf-8")
    (package / "claims.yml").write_text(STATEMENT, encoding="utf-8")
    return subprocess.run([sys.executable, "-c", ALONE.format(absent=absent, folder=str(folder))], text=True,
                          capture_output=True, check=False)


@pytest.mark.parametrize("more, word", [(CONTROL, "enumerated"), ("", "failed")])
def test_it_judges_where_numpy_scipy_and_sympy_cannot_be_imported(tmp_path, more, word):
    done = judged(tmp_path, ("numpy", "scipy", "sympy"), BARE + more)
    assert done.stdout.split("\n")[:2] == [f"['{word}']"] * 2, done.stderr


def test_a_library_that_it_needs_would_be_missed(tmp_path):
    assert "yaml" in judged(tmp_path, ("yaml",), BARE + CONTROL).stderr
