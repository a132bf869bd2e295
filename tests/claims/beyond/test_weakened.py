"""What only weakens a result is accepted, by the checks that reject its false variants."""

import pytest

from derl.claims import PAPER
from derl.claims.beyond.weakened import WEAKENED
from derl.claims.beyond.weakened_base import BASE
from derl.claims.beyond.weakened_cuts import CUTS
from derl.claims.beyond.weakened_refinements import REFINED
from derl.judge.quotes import quotes

ALL = WEAKENED | BASE | CUTS | REFINED


def on(*pages: str, word: str = "") -> set[str]:
    """The statements of some pages, with this verdict if one is named."""
    return {key for key, found in PAPER.statements.items() if found.page in pages and word in ("", found.word)}


@pytest.mark.parametrize("key", ALL)
def test_weakenings_are_accepted(key):
    check, weaker = ALL[key]
    assert [says for says, arguments in weaker if not check(**arguments).holds] == []


def test_every_theorem_has_false_variants():
    assert len(ALL) == len(WEAKENED) + len(BASE) + len(CUTS) + len(REFINED)
    assert [key for key in ALL if not any(
        check.controls or quotes(check.function) for check in PAPER.register().of(key))] == []


def test_no_theorem_is_left_out():
    """But for those whose checks compute the sizes, or read every number from the text, and accept no others."""
    proved = on("beyond/exchange-law", "beyond/blocks", word="proved")
    assert proved - WEAKENED.keys() == {"res-blocks-mean"} and WEAKENED.keys() <= proved
    assert set(REFINED) == on("beyond/deterministic-count", "beyond/refinements", "beyond/search")
    pages = {found.page for found in PAPER.statements.values() if found.page.startswith("beyond/no-reachability")}
    assert on(*pages, word="proved") - set(CUTS) == {
        "res-no-reachability-known", "res-cut-estimates", "res-cut-regression"}
