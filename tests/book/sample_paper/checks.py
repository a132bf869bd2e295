"""A check whose source the sample's pages quote; its ledger is written by hand."""

from derl.ledger.evidence import Evidence
from sample_paper import PAPER

# the statements are those of claims.yml beside this file
check, control = PAPER.registry.check, PAPER.registry.control


@check("lem-even", method="symbolic", arithmetic="exact", covers="everything", gap="none")
def sum_is_twice_a_whole_number(parity=0) -> Evidence:
    """One sentence with maths, $a + b$."""
    return Evidence((2 * 3 + 2 * 4 + parity) % 2, 0, "identity", "a sample, for show")


control(sum_is_twice_a_whole_number, "$a$ odd", {"parity": 1})
