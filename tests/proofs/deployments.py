"""Instance lemmas for the data of deployments on locks: their laws, the digits they match, what is missed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import law, rat, seq
from outputs import ACTION

from derl.mdp.instances import lock
from derl.theory.beyond.laws import state_laws
from derl.theory.lower_bounds import success_curve
from derl.theory.lower_bounds.search_game import matched

WHERE = "derl.lower_bounds"
STATE = ("None", "(Some false)", "(Some true)")
# one deployment of one trajectory of two steps, written out, then the steps of the lock
OPEN = "do 3 (rewrite ?big_bool ?sum_single ?sum_draw ?sum_tupleS ?sum_both ?sum_state ?big_ord_recl ?big_ord0 /=)"


def coded(digits) -> str:
    return f"[ffun i : 'I_2 => nth ord0 [:: {'; '.join(ACTION[x] for x in digits)}] i]"


def share(mdp, rows, level: int) -> Fraction:
    """The probability that one trajectory is still at the gate after `level` right digits, the last of them unseen."""
    return state_laws(mdp, rows)[level, 0]


def batches(rng, name: str) -> str:
    """`data_law`, `matched`, `search_policy`: two trajectories on a lock, one policy."""
    bias, code = Fraction(int(rng.integers(1, 4)), 8), [int(x) for x in rng.integers(0, 2, 2)]
    moves = lock(2, 2, code, bias, exact=True).transitions()
    rows, chance, right, batch = [law(rng, 2), [Fraction(1, 2)] * 2], Fraction(1), 0, []
    for _ in range(2):
        state, steps, path = 0, [], [int(a) for a in rng.integers(0, 2, 2)]
        for h, a in enumerate(path):
            # mostly a step that can happen
            to = int(rng.choice(np.flatnonzero(moves[h, state, a] != 0)))
            chance *= rows[h][a] * moves[h, state, a, to]
            state = to
            steps.append(f"({ACTION[a]}, {STATE[to]})")
        batch.append("[tuple " + "; ".join(steps) + "]")
        right = max(right, min(matched(path, code), 1))
    return f"""Definition c_{name} : code 2 2 := {coded(code)}.
Definition pi_{name} : policy rat_realFieldType 2 := fun pre s a => nth 0 (nth [::] {seq(rows)} (size pre)) a.
Definition o_{name} : data 2 2 2 := [ffun i : 'I_2 => if i == ord0 then {batch[0]} else {batch[1]}].
Goal matched o_{name} = {right}%N.
Proof. by rewrite /matched /o_{name} !big_ord_recl big_ord0 !ffunE. Qed.
Goal data_law (lock ({rat(bias)} : rat_realFieldType) c_{name}) pi_{name} o_{name} = {rat(chance)}.
Proof.
rewrite /data_law /o_{name} !big_ord_recl big_ord0 !ffunE /=; do 2 (rewrite ?hit_at ?insubT ?ffunE /=).
by kernel.
Qed."""


def coins(rng) -> list[Fraction]:
    """The probability of the first action in each of two layers."""
    return [Fraction(int(rng.integers(0, 5)), 4), Fraction(int(rng.integers(0, 3)), 2)]


def tossing(chances) -> np.ndarray:
    return np.array([[[p, 1 - p]] * 3 for p in (*chances, Fraction(1))], dtype=object)


def missing(rng, name: str) -> str:
    """`miss`, `avoids`, `matches`, `search`, `revealed_search` for N trajectories of a policy that tosses coins: the
    probability, from derl's laws of the state, that all leave the gate; after data with one digit matched the
    search knows two."""
    bias, code = Fraction(int(rng.integers(1, 4)), 8), [int(x) for x in rng.integers(0, 2, 2)]
    chances, batch, level = coins(rng), int(rng.integers(1, 4)), int(rng.integers(1, 3))

    def missed(digits, of):
        there = share(lock(2, 2, digits, bias, exact=True), tossing(chances), of) if of < 2 else 0
        return (1 - there) ** batch

    average = sum(missed([a, b], level) for a in range(2) for b in range(2)) / 4
    reach = success_curve(2, 1, batch, 1, "reveal", True)[1]
    known, action = int(rng.integers(0, 2)), int(rng.integers(0, 2))
    later = Fraction(action == code[1]) if known else Fraction(1, 2)
    lay = f"(fun (c : code 2 2) (x : deployed rat_realFieldType 2) => data_law (lock b_{name} c) x)"
    walk = "do 3 (rewrite ?big_ord_recl ?big_ord0 /= ?hit_at ?insubT ?ffunE /=)"
    return f"""Definition b_{name} : rat := {rat(bias)}.
Lemma hb_{name} : 0 <= b_{name} <= 2%:R^-1. Proof. by vm_compute. Qed.
Definition c_{name} : code 2 2 := {coded(code)}.
Definition x_{name} : deployed rat_realFieldType 2 := Deployed (tosses_proper {seq(chances)}).
Definition psi_{name} : strategy [finType of data 2 2 {batch}] (deployed rat_realFieldType 2)
  (deployed rat_realFieldType 2) := Strategy (fun _ => x_{name}) (fun _ => x_{name}).
Lemma miss_{name} (c : code 2 2) : miss {lay} (@matched 2 2 {batch}) c psi_{name} 1 {level} =
  (1 - staying (lock b_{name} c) (tosses {seq(chances)}) 0 [::] {level}) ^+ {batch}.
Proof.
rewrite /miss sum_single -(lock_missed {batch} c x_{name} hb_{name}) //; apply: eq_bigr => o _ /=.
by rewrite mulr1 andbT.
Qed.
Goal miss {lay} (@matched 2 2 {batch}) c_{name} psi_{name} 1 {level} = {rat(missed(code, level))}.
Proof. by rewrite miss_{name} /=; {walk}; kernel. Qed.
Goal corollaries.avoids b_{name} psi_{name} 1 {level + 1} = {rat(average)}.
Proof.
rewrite /corollaries.avoids; under eq_bigr do rewrite miss_{name}; rewrite sum_codes /=.
by {walk}; kernel.
Qed.
Definition o_{name} : data 2 2 {batch} := [ffun=> [tuple ({ACTION[code[0]]}, {"None" if known else "Some true"});
  (ord0, Some true)]].
Lemma known_{name} : frontier.known (@matched 2 2 {batch}) [:: o_{name}] = {known + 1}%N.
Proof.
by rewrite /frontier.known /matched !big_cons big_nil !big_ord_recl big_ord0 !ffunE.
Qed.
Goal lock.pol (deploy (@search_game.revealed_search rat_realFieldType 1 2 {batch} isT c_{name}) [:: o_{name}])
  [:: ({ACTION[code[0]]}, None)] None {ACTION[action]} = {rat(later)}.
Proof.
rewrite /search_game.revealed_search /search_game.search /= known_{name} /search_game.search_policy insubT /= ?ffunE.
by kernel.
Qed.
Goal search_game.matches b_{name} c_{name}
  (@search_game.revealed_search rat_realFieldType 1 2 {batch} isT c_{name}) 1 1 =
  {rat(reach)}.
Proof.
rewrite (@search_game.revealed_value rat_realFieldType 1 2 {batch} b_{name} hb_{name} isT isT c_{name}) //.
by rewrite /= !big_ord_recl !big_ord0; kernel.
Qed."""
