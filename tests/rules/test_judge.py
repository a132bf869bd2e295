"""`derl/ledger` judges where no library that computes is installed."""

import subprocess
import sys

import pytest

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

@PAPER.registry.claim("lem-two", method="exhaustive"{false})
def doubled(two=2):
    return Evidence(1 + 1, two, "identity", "one case")
"""
CONTROL = ', false={"1 + 1 = 3": {"two": 3}}'
STATEMENT = """
lem-two: {kind: lemma, number: "1", label: "", line: 1, title: Two, statement: 1 + 1 = 2, page: index,
          reviewed: "52ae9603", expected: holds, word: enumerated}
"""


def judged(folder, absent, source):
    package = folder / "bare_paper"
    package.mkdir()
    (package / "__init__.py").write_text(source, encoding="utf-8")
    (package / "claims.yml").write_text(STATEMENT, encoding="utf-8")
    return subprocess.run([sys.executable, "-c", ALONE.format(absent=absent, folder=str(folder))], text=True,
                          capture_output=True, check=False)


@pytest.mark.parametrize("more, word", [(CONTROL, "enumerated"), ("", "failed")])
def test_it_judges_where_numpy_scipy_and_sympy_cannot_be_imported(tmp_path, more, word):
    done = judged(tmp_path, ("numpy", "scipy", "sympy"), BARE.replace("{false}", more))
    assert done.stdout.split("\n")[:2] == [f"['{word}']"] * 2, done.stderr
