"""What only weakens a theorem is accepted, by the checks that reject its falsehoods; each has ten of these."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened import WEAKENED


@pytest.mark.parametrize("key", WEAKENED)
def test_weakenings_are_accepted(key):
    check, weaker = WEAKENED[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_theorem_of_the_exchange_law_has_ten_falsehoods():
    planted = {key: sum(len(check.controls) for check in PAPER.register().of(key)) for key in WEAKENED}
    assert min(planted.values()) >= 10
    proved = {key for key, statement in PAPER.statements.items()
              if statement.page in ("beyond/exchange-law", "beyond/blocks") and statement.word == "proved"}
    assert set(WEAKENED) == proved
