"""Instance lemmas for search with exclusion: what one trajectory shows and excludes, and what is played then."""

from __future__ import annotations

from fractions import Fraction

from instances import rat, truth
from outputs import ACTION

WHERE = "search_exact"


def exclusions(rng, name: str) -> str:
    """`played`, `shown`, `excluded`, `allowed`, `uniform_on`, `excluding_policy` after a trajectory of two steps with
    one digit matched or none: the digits shown, then what is left, then both actions alike."""
    actions, matched = [int(a) for a in rng.integers(0, 2, 2)], int(rng.integers(0, 2))
    layer, action = int(rng.integers(0, 2)), int(rng.integers(0, 2))
    same = action == actions[layer]
    chance = Fraction(same) if layer < matched else Fraction(not same) if layer == matched else Fraction(1, 2)
    states = "None" if matched else "Some false", f"Some {truth(layer)}"
    steps = "; ".join(f"({ACTION[a]}, {state})" for a, state in zip(actions, states, strict=True))
    before = "[:: (ord0, None)]" if layer else "[::]"
    return f"""Definition o_{name} : data 2 2 1 := [ffun=> [tuple {steps}]].
Lemma known_{name} : frontier.known (@matched 2 2 1) [:: o_{name}] = {matched + 1}%N.
Proof. by rewrite /frontier.known /matched !big_cons big_nil !big_ord_recl big_ord0 !ffunE. Qed.
Goal {WHERE}.played (o_{name} ord0) {layer} = Some {ACTION[actions[layer]]}.
Proof. by rewrite ffunE. Qed.
Goal {WHERE}.shown [:: o_{name}] {layer} {ACTION[action]} = {truth(layer < matched and same)}.
Proof. by rewrite /{WHERE}.shown /= exists1 ffunE. Qed.
Goal {WHERE}.excluded [:: o_{name}] {layer} {ACTION[action]} = {truth(layer == matched and same)}.
Proof. by rewrite /{WHERE}.excluded /= exists1 ffunE. Qed.
Goal {WHERE}.excluding_policy rat_realFieldType [:: o_{name}] {before} None {ACTION[action]} = {rat(chance)}.
Proof.
rewrite /{WHERE}.excluding_policy /{WHERE}.allowed known_{name} /= ?all2 uniform2.
by rewrite /{WHERE}.shown /{WHERE}.excluded /= ?exists1 ?ffunE /=; kernel.
Qed."""
