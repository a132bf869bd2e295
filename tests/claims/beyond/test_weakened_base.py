"""What only weakens the exact base is accepted, and its statements have false variants enough."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened_base import BASE
from derl.judge.quotes import quotes


@pytest.mark.parametrize("key", BASE)
def test_weakenings_are_accepted(key):
    check, weaker = BASE[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_theorem_has_false_variants():
    assert [key for key in BASE if not any(
        check.controls or quotes(check.function) for check in PAPER.register().of(key))] == []
