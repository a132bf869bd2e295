"""The rules of the theorem are written with their numbers, statements and formulas; nothing else of them changes."""

from derl.claims.layerwise.theorem import CHAIN
from derl.show.layerwise import chain


def test_every_rule_is_a_row_in_order():
    rows = chain.rules(CHAIN)
    assert [row[0] for row in rows] == list(range(1, len(CHAIN) + 1))
    for (claim, needs, _), (_, by, needed, gives) in zip(CHAIN, rows, strict=True):
        assert by == (f"{{claim}}`{claim}`" if claim else "together, at the last deployment")
        assert needed.count("; ") == len(needs) - 1 and gives
    assert sum(claim is None for claim, *_ in CHAIN) == sum(row[1].startswith("together") for row in rows) >= 1


def test_phrases_become_formulas():
    assert chain.written("with probability delta: bonus <= epsilon") == \
        r"with probability $\delta$: bonus at most $\epsilon$"
    assert chain.written("probability delta/2") == r"probability $\delta/2$"  # the longer phrase comes first
    assert chain.written("nothing") == "nothing"
