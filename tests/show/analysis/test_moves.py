"""The thresholds of the moving picture are those of the lemma."""

from derl.show.analysis import moves
from derl.theory.analysis import perturbation


def test_more_regularisation_lets_the_lemma_hold_later():
    rows = moves.blow_up()["rows"]
    assert [row["c"] for row in rows] == sorted({row["c"] for row in rows}) == list(moves.REGULARISATIONS)
    for row in rows:
        assert row["from"] == perturbation.blow_up_threshold((1 + row["c"]) ** 0.5)
