"""A theorem that says a whole claim about deployments has transitions, a law of trajectories and, where the claim uses
it, Assumption 1 in its formal statement."""

from dataclasses import replace

from derl.claims import PAPER
from derl.show.drawing.objects import OBJECTS, lacking, occurring, summary

ROWS = {row.theorem: row for row in PAPER.formal.index.theorems if row.claim}


def test_whole_rows_have_the_objects_that_their_claims_are_about():
    whole = [row for row in ROWS.values() if row.scope == "whole"]
    found = {row.theorem: lacking(row, PAPER.statements[row.claim]) for row in whole}
    assert found == {row.theorem: [] for row in whole}
    assert sum("def-deployment" in PAPER.statements[row.claim].uses_statement for row in whole) >= 5


def test_a_core_without_a_law_of_trajectories_is_not_whole():
    row = ROWS["later_deployments"]
    assert row.scope == "core"
    assert {"law of a trajectory", "Assumption 1"} <= set(lacking(row, PAPER.statements[row.claim]))


def test_objects_are_found_in_the_statement_itself():
    row = ROWS["deterministic_deployment_complexity"]
    found = occurring(row)
    assert {"transitions", "law of a trajectory", "deployments that see the earlier data", "Assumption 1",
            "random seeds of any law", "the best value", "the printed number of trajectories"} <= set(found)
    without = replace(row, definitions={name: said for name, said in row.definitions.items()
                                        if "assumption_one" not in name and "linear_mdp" not in said.source})
    assert "Assumption 1" not in occurring(without)
    assert all(any(name in occurring(other) for other in ROWS.values()) for name in OBJECTS)


def test_the_table_has_every_whole_theorem():
    text = summary(PAPER.statements).data
    assert all(f"`{row.theorem}`" in text for row in ROWS.values() if row.scope == "whole")
