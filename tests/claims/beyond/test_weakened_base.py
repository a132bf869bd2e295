"""What only weakens the exact base is accepted, and its statements have false variants enough."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened_base import BASE


@pytest.mark.parametrize("key", BASE)
def test_weakenings_are_accepted(key):
    check, weaker = BASE[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_theorem_has_ten_falsehoods():
    assert min(sum(len(check.controls) for check in PAPER.register().of(key)) for key in BASE) >= 10
