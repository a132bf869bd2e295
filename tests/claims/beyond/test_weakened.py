"""What only weakens a theorem is accepted, by the checks that reject its false variants."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened import WEAKENED
from derl.judge.quotes import quotes


@pytest.mark.parametrize("key", WEAKENED)
def test_weakenings_are_accepted(key):
    check, weaker = WEAKENED[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_theorem_has_false_variants():
    assert [key for key in WEAKENED if not any(
        check.controls or quotes(check.function) for check in PAPER.register().of(key))] == []
    proved = {key for key, statement in PAPER.statements.items()
              if statement.page in ("beyond/exchange-law", "beyond/blocks") and statement.word == "proved"}
    assert proved - WEAKENED.keys() == {"res-blocks-mean"}  # its check computes the sizes and accepts no others
    assert WEAKENED.keys() <= proved
