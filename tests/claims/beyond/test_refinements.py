"""What only weakens a refinement is accepted; each refinement has ten planted falsehoods."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened_refinements import REFINED


@pytest.mark.parametrize("key", REFINED)
def test_weakenings_are_accepted(key):
    check, weaker = REFINED[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_refinement_has_ten_falsehoods():
    assert min(sum(len(check.controls) for check in PAPER.register().of(key)) for key in REFINED) >= 10
    assert set(REFINED) == {key for key, found in PAPER.statements.items()
                            if found.page in (
                                "beyond/deterministic-count", "beyond/refinements", "beyond/search")}
