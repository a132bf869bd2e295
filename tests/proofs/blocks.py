"""Instance lemmas for blocks of layers: laws of pairs after a mixture."""

from __future__ import annotations

from fractions import Fraction

from instances import law, policy, rat, seq
from outputs import ACTION

from derl.mdp.instances import compact_bandit
from derl.theory.beyond.laws import state_laws

PLACE = ("(ord0 : 'I_3)", "(lift ord0 ord0 : 'I_3)", "(lift ord0 (lift ord0 ord0) : 'I_3)")


def chains(rng, name: str) -> str:
    """`pair_law`, `plays` in the second layer of derl's exact bandit; `pair_after`, `state_after` where
    two members of a mixture enter a block, in its first layer; `plays_digits`, `at_gate`."""
    mdp = compact_bandit(2, 2, (0, 1), Fraction(1, 4), exact=True)
    rows, share = [policy(rng, 2) for _ in range(2)], Fraction(int(rng.integers(1, 4)), 4)
    state, action = int(rng.integers(0, 3)), int(rng.integers(0, 2))
    alone = state_laws(mdp, rows[0])[1][state] * rows[0][1, state, action]
    entered = [[share * x for x in law(rng, 3)], [(1 - share) * x for x in law(rng, 3)]]
    pairs = [[sum(p[s] * r[0, s, a] for p, r in zip(entered, rows, strict=True)) for a in range(2)] for s in range(3)]
    digits = [int(x) for x in rng.integers(0, 2, 2)]
    place, chain = PLACE[state], "derl.beyond.chain"
    tables = seq([[[list(map(Fraction, row)) for row in layer] for layer in r.tolist()] for r in rows])
    after = f"past_{name} (fun w => {chain}.plays (mu_{name} w)) 0"
    return f"""Definition P_{name} (h : nat) (s : 'I_3) (a : 'I_2) (s' : 'I_3) : rat :=
  nth 0 (nth [::] (nth [::] (nth [::] {seq(mdp.transitions().tolist())} h) s) a) s'.
Definition mu_{name} (w : bool) (h : nat) (s : 'I_3) (a : 'I_2) : rat :=
  nth 0 (nth [::] (nth [::] (nth [::] {tables} (if w then 0%N else 1%N)) h) s) a.
Definition past_{name} (w : bool) (s : 'I_3) : rat := nth 0 (nth [::] {seq(entered)} (if w then 0%N else 1%N)) s.
Goal {chain}.pair_law P_{name} ({chain}.plays (mu_{name} true)) [::] ord0 1 {place} {ACTION[action]} = {rat(alone)}.
Proof. rewrite /{chain}.plays /=; counted. Qed.
Goal {chain}.pair_after P_{name} {after} {place} {ACTION[action]} = {rat(pairs[state][action])}.
Proof. rewrite /{chain}.pair_after /{chain}.plays /=; counted. Qed.
Goal {chain}.state_after P_{name} {after} {place} = {rat(sum(pairs[state]))}.
Proof. rewrite /{chain}.state_after /{chain}.pair_after /{chain}.plays /=; counted. Qed.
Goal {chain}.at_gate rat_realFieldType tt None = {rat(mdp.initial[0])}.
Proof. by []. Qed.
Goal {chain}.at_gate rat_realFieldType tt (Some true) = {rat(mdp.initial[2])}.
Proof. by []. Qed.
Goal {chain}.plays_digits rat_realFieldType
  ([ffun i : 'I_2 => nth ord0 [:: {ACTION[digits[0]]}; {ACTION[digits[1]]}] i] : code 2 2)
  ord0 [:: (None, ord0)] None {ACTION[action]} = {rat(digits[1] == action)}.
Proof. by rewrite /{chain}.plays_digits insubT /= ffunE; kernel. Qed."""
