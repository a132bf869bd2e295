"""Instance lemmas for the search game: the chain with the revealed digit, and the search that plays it."""

from __future__ import annotations

from fractions import Fraction

from instances import rat

from derl.theory.lower_bounds.search_programme import success_curve


def searches(rng, name: str) -> str:
    """`advance`, `reveal`, `lacking`: the curve of derl's revealed search; `search_policy` on a known and on an unknown
    digit; `known` on data with given matches."""
    d, N, K, digits = int(rng.integers(2, 4)), int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    curve = success_curve(d, digits, N, K, "reveal", True)
    once = success_curve(d, digits, N, 1, "reveal", True)[1]
    code = [int(x) for x in rng.integers(0, 2, 2)]
    known, layer, action = int(rng.integers(0, 3)), int(rng.integers(0, 2)), int(rng.integers(0, 2))
    played = Fraction(int(code[layer] == action)) if layer < known else Fraction(1, 2)
    hits = [int(x) for x in rng.integers(0, 4, 2)]
    act = ("ord0", "(lift ord0 ord0)")
    before = "[:: " + "; ".join(["(ord0, None)"] * layer) + "]" if layer else "[::]"
    return f"""Definition sg_{name} : code 2 2 := [ffun i : 'I_2 => nth ord0 [:: {act[code[0]]}; {act[code[1]]}] i].
Goal search_game.search_policy rat_realFieldType sg_{name} {known} {before} None {act[action]} = {rat(played)}.
Proof. by rewrite /search_game.search_policy insubT /= /sg_{name} ?ffunE; kernel. Qed.
Goal frontier.known (fun o : 'I_4 => o : nat) [:: inord {hits[0]}; inord {hits[1]}] = {max(hits) + 1}%N.
Proof. by rewrite /frontier.known !big_cons big_nil !inordK. Qed.
Goal search_game.advance rat_realFieldType {d} {N} {digits} = {rat(once)}.
Proof. by kernel. Qed.
Goal chains.lacking (search_game.advance rat_realFieldType {d} {N}) 0 ({digits} - {digits - 1}) = {rat(0)}.
Proof. by []. Qed.
Goal chains.lacking (search_game.advance rat_realFieldType {d} {N}) 0 ({digits} - {digits}) = {rat(1)}.
Proof. by []. Qed.
Goal chains.reveal (search_game.advance rat_realFieldType {d} {N}) {K} {digits} = {rat(curve[K])}.
Proof. by do 4 rewrite /= ?big_ord_recl ?big_ord0; kernel. Qed."""
