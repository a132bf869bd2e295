"""What only weakens a refinement is accepted; each refinement has false variants."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened_refinements import REFINED
from derl.judge.quotes import quotes


@pytest.mark.parametrize("key", REFINED)
def test_weakenings_are_accepted(key):
    check, weaker = REFINED[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_theorem_has_false_variants():
    assert [key for key in REFINED if not any(
        check.controls or quotes(check.function) for check in PAPER.register().of(key))] == []
    assert set(REFINED) == {key for key, found in PAPER.statements.items()
                            if found.page in (
                                "beyond/deterministic-count", "beyond/refinements", "beyond/search")}
