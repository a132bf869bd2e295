"""What the page of the theorem without reachability shows of one run."""

import numpy as np
import pytest

from derl import instances
from derl.show.beyond import no_reachability


def test_the_rare_state_is_cut_and_no_policy_meets_it_more_often_than_it_is_reached():
    shown = no_reachability.by_deployment(instances.rare_state(1e-9, 4, seed=3), epsilon=1, delta=0.1, seed=0).data
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in shown.splitlines()[2:5]]
    assert [row[:2] + row[4:] for row in rows] == [
        ["1", "1", "8", "0"], ["2", "2", "2", "1.0·10⁻⁹"], ["3", "3", "2", "1.0·10⁻⁹"]]
    assert "2τ" in shown and "Loss of the plan: 0" in shown


@pytest.mark.parametrize("probability", [0.25, 1e-3, 0.0])
def test_a_cut_pair_is_met_as_often_as_its_state_is_reached(probability):
    mdp = instances.rare_state(probability, 3, seed=3)
    kept = np.ones(mdp.phi.shape[1:3], bool)
    rare = kept.copy()
    rare[4] = False
    assert no_reachability.met(mdp, [kept, rare]) == pytest.approx(probability)
    assert no_reachability.met(mdp, [kept, kept]) == 0
    assert no_reachability.met(mdp, [rare, rare]) == pytest.approx(probability)
    nothing = np.zeros_like(kept)
    assert no_reachability.met(mdp, [nothing, rare]) == 0
