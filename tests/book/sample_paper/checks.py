"""A check whose source the sample's pages quote; its ledger is written by hand."""

from derl.judge.evidence import Evidence
from sample_paper import PAPER

# the statements are those of claims.yml beside this file
claim = PAPER.registry.claim


@claim("lem-even", false={"$a$ odd": {"parity": 1}})
def sum_is_twice_a_whole_number(parity=0):
    """One sentence with maths, $a + b$."""
    return Evidence((2 * 3 + 2 * 4 + parity) % 2, 0, "identity", "a sample, for show")
