"""What only weakens the theorem without reachability is accepted; each of its statements has ten planted falsehoods."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened_cuts import CUTS


@pytest.mark.parametrize("key", CUTS)
def test_weakenings_are_accepted(key):
    check, weaker = CUTS[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_statement_has_ten_falsehoods():
    assert min(sum(len(check.controls) for check in PAPER.register().of(key)) for key in CUTS) >= 10
    proved = {key for key, found in PAPER.statements.items() if found.page.startswith("beyond/no-reachability")
              and found.word == "proved"}
    assert set(CUTS) == proved
