"""Card and graph say the same of what a statement rests on: what the ledger says, and nothing of their own."""

from dataclasses import replace

import pytest
from claim_cards import Surroundings, card
from docutils import nodes

from derl.claims import PAPER
from derl.judge.verdicts import STRONG
from derl.show.drawing import graph


def weakest(statement, row) -> set[str]:
    """The statements that a card lists as not proved below this one."""
    shown = card(statement, row, Surroundings(lambda text: [nodes.literal("", text)]))
    (box, *_) = shown.findall(nodes.definition_list)
    return {text.astext().removeprefix("{claim}`").removesuffix("`") for item in box
            if item[0].astext() == "Not proved below" for text in item.findall(nodes.literal)}


def test_a_ring_is_drawn_where_the_card_has_no_weak_link(ledger):
    drawn = graph.nodes(ledger.claims)
    for key, statement in PAPER.statements.items():
        row = ledger.claims[key]
        assert weakest(statement, row) == set(row["weakest"]), key
        assert drawn[key].solid == (row["verdict"] in STRONG and not weakest(statement, row)), key


@pytest.mark.parametrize("grounded, weak", [(False, ["def-deployment"]), (True, []), (None, None)])
def test_both_read_the_ledger_and_nothing_else(ledger, grounded, weak):
    key = next(key for key, row in ledger.claims.items() if row["grounded"] and row["rests_on"])
    row = replace(ledger.claims[key], grounded=grounded, weakest=weak)
    assert graph.nodes(ledger.claims | {key: row})[key].solid is bool(grounded)
    assert weakest(PAPER.statements[key], row) == set(weak or ())
