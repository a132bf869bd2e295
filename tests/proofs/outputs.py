"""Instance lemmas for what is deployed and returned: deterministic policies, good outputs, events of the data."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import policy, rat, seq, tree_table, truth

from derl.mdp import exact
from derl.mdp.instances import compact_bandit, lock
from derl.theory.lower_bounds import bandit_game

ACTION = ("ord0", "(lift ord0 ord0)")
WHERE = "derl.lower_bounds"


def nearly(rng, gap) -> list[Fraction]:
    """A tolerance just below and one just above the gap to the best value, in random order."""
    return [gap + sign * Fraction(1, 90) for sign in rng.permutation([-1, 1]).tolist()]


def played(table) -> np.ndarray:
    """Rows (H + 1, 3, 2) of the policy that takes action table[h][s]."""
    return np.array([[[Fraction(int(a == b)) for b in range(2)] for a in row] for row in table], dtype=object)


def outputs(rng, name: str) -> str:
    """`pol`, `puller`, `exit_bias`, `good_output`, `det_output` on the compact bandit: values and gaps that derl
    computes, tolerances on both sides of the gap."""
    arm, bias = int(rng.integers(0, 2)), Fraction(int(rng.integers(1, 5)), 9)
    mdp = compact_bandit(2, 2, (arm, 1), bias, exact=True)
    table, rows = rng.integers(0, 2, (3, 3)).tolist(), policy(rng, 2)
    value, best = exact.evaluate(mdp, played(table)).value, exact.optimal(mdp).value
    leaning = exact.evaluate(mdp, rows).value - 1  # without a bias the value is H / 2
    choices = "[:: " + "; ".join("[:: " + "; ".join(ACTION[a] for a in row) + "]" for row in table) + "]"
    laws = seq([[list(map(Fraction, row)) for row in layer] for layer in rows.tolist()])
    hidden = f"(({ACTION[arm]}, ord0) : arm 2 1)"
    goals = []
    for epsilon in nearly(rng, best - value):
        said = truth(best - value <= epsilon)
        goals.append(f"""Goal {WHERE}.bandit.det_output ({rat(bias)} : rat_realFieldType) {rat(epsilon)}
  {hidden} o_{name} = {said}.
Proof. by rewrite /{WHERE}.bandit.det_output value_{name}; vm_compute. Qed.
Goal {WHERE}.bandit.good_output ({rat(bias)} : rat_realFieldType) {rat(epsilon)} {hidden}
  (Returned (bandit.pol_proper rat_realFieldType o_{name})) = {said}.
Proof. by rewrite /{WHERE}.bandit.good_output /= value_{name}; vm_compute. Qed.""")
    return f"""Definition o_{name} : deterministic 1 := fun pre s =>
  nth ord0 (nth [::] {choices} (size pre)) (if s is Some x then x.+1 else 0%N).
Lemma value_{name} : J 2 (bandit ({rat(bias)} : rat_realFieldType) {hidden}) (bandit.pol rat_realFieldType o_{name}) =
  {rat(value)}.
Proof. rewrite /J /=; counted. Qed.
Goal J 2 (bandit ({rat(bias)} : rat_realFieldType) {hidden}) (bandit.pol rat_realFieldType (best.puller {hidden})) =
  {rat(best)}.
Proof. rewrite /J /=; counted. Qed.
Definition pi_{name} : policy rat_realFieldType 2 := fun pre s a =>
  nth 0 (nth [::] (nth [::] {laws} (size pre)) (if s is Some x then x.+1 else 0%N)) a.
Goal exit_bias (bandit ({rat(bias)} : rat_realFieldType) {hidden}) pi_{name} 0 [::] 2 = {rat(leaning)}.
Proof. rewrite /=; counted. Qed.
""" + "\n".join(goals)


def digits(rng, name: str) -> str:
    """`knows`, `deployed` and `lock.good_output`: a policy that plays a code, the hidden one or another."""
    bias, code = Fraction(int(rng.integers(1, 5)), 9), [int(x) for x in rng.integers(0, 2, 2)]
    mdp, goals = lock(2, 2, code, bias, exact=True), []
    best = exact.optimal(mdp).value
    for turn, guess in enumerate(([*code], [code[0], 1 - code[1]])):
        value = exact.evaluate(mdp, played([[a] * 3 for a in (*guess, 0)])).value
        goals.append(f"""Definition g_{name}_{turn} : code 2 2 :=
  [ffun i : 'I_2 => nth ord0 [:: {"; ".join(ACTION[x] for x in guess)}] i].
Lemma value_{name}_{turn} :
  J 2 (lock ({rat(bias)} : rat_realFieldType) c_{name}) (best.knows rat_realFieldType g_{name}_{turn} ord0) =
  {rat(value)}.
Proof.
by rewrite /J /best.knows /=; do 3 (rewrite ?sum_state ?big_ord_recl ?big_ord0 /= ?hit_{name} ?insubT ?ffunE /=);
  kernel.
Qed.""")
        for epsilon in nearly(rng, best - value):
            goals.append(f"""Goal {WHERE}.lock.good_output ({rat(bias)} : rat_realFieldType) {rat(epsilon)} c_{name}
  (Deployed (best.knows_proper rat_realFieldType g_{name}_{turn} ord0)) = {truth(best - value <= epsilon)}.
Proof. by rewrite /{WHERE}.lock.good_output /= value_{name}_{turn}; vm_compute. Qed.""")
    return f"""Definition c_{name} : code 2 2 :=
  [ffun i : 'I_2 => nth ord0 [:: {"; ".join(ACTION[x] for x in code)}] i].
Lemma hit_{name} h a : hit c_{name} h a = (h < 2)%N && (nth 0%N [:: {code[0]}%N; {code[1]}%N] h == a).
Proof.
rewrite /hit; apply/existsP/idP => [[i /andP[/eqP <- /eqP <-]]|/andP[h2 e]].
  by rewrite ffunE; case: i => [[|[|?]] ?].
by exists (Ordinal h2); rewrite eqxx -val_eqE ffunE /=; move: h2 e; case: h => [|[|?]].
Qed.
""" + "\n".join(goals)


def table(tree, K: int, N: int) -> dict:
    """Data of up to K deployments -> choice."""
    return {data: choice for data, choice in tree_table(tree, N).items() if len(data) <= K}


def events(rng, name: str) -> str:
    """`unpulled`, `event`, `names_arm`, `mixed_success`: two algorithms of the game of coins, one deployment; derl's
    probabilities of the first pull and of success."""
    arms, hidden, bias = 3, int(rng.integers(1, 3)), Fraction(int(rng.integers(1, 4)), 4)
    laws = [[Fraction(x == 0) if arm == bandit_game.NO_ARM else
             bandit_game.binomial(1, x, bias if arm == hidden else Fraction(0)) for x in range(2)]
            for arm in range(arms)]
    trees = [(int(rng.integers(0, arms)), tuple((int(c), ()) for c in rng.integers(0, arms, 2))) for _ in range(2)]
    share, arm = Fraction(int(rng.integers(1, 4)), 4), int(rng.integers(1, 3))
    wins = [bandit_game.success_probability(tree, hidden, bias, 1) for tree in trees]
    first, after = bandit_game.first_choice_probabilities(trees[0], arm, hidden, bias, 1)
    named = sum(laws[trees[0][0]][x] for x in range(2) if trees[0][1][x][0] == arm)
    parts = []
    for turn, tree in enumerate(trees):
        choose = "fun h : seq 'I_2 => match map val h with " + " ".join(
            f"| [:: {'; '.join(f'{x}%N' for x in key)}] => {choice}%N" if key else f"| [::] => {choice}%N"
            for key, choice in tree_table(tree, 1).items()) + " | _ => 0%N end"
        parts.append(f"Definition psi_{name}_{turn} : strategy [finType of 'I_2] nat nat :=\n"
                     f"  Strategy ({choose}) ({choose}).")
    law = f"(fun (x : nat) (o : 'I_2) => nth 0 (nth [::] {seq(laws)} x) o : rat)"
    pulls = "(fun x : nat => if x is y.+1 then Some (inord y : 'I_2) else None)"
    return "\n".join(parts) + f"""
Goal mixed_success (fun v : bool => if v then {rat(share)} else {rat(1 - share)})
  (fun v => if v then psi_{name}_0 else psi_{name}_1) {law} (pred1 {hidden}%N) 1 =
  {rat(share * wins[0] + (1 - share) * wins[1])}.
Proof.
rewrite /mixed_success big_bool !success_nil !success_fromS; do 2 (rewrite ?big_ord_recl ?big_ord0 ?success_from0 /=).
by kernel.
Qed.
Lemma unpulled_{name} o : events.unpulled {pulls} psi_{name}_0 (inord {arm - 1}) [:: o] = {truth(not first)}.
Proof. by rewrite /events.unpulled /= ?(inj_eq Some_inj) -?val_eqE /= ?inordK. Qed.
Goal events.event psi_{name}_0 {law} 1 (fun h =>
  events.unpulled {pulls} psi_{name}_0 (inord {arm - 1}) h && (output psi_{name}_0 h == {arm}%N)) = {rat(after)}.
Proof.
rewrite /events.event sum_single !big_ord_recl big_ord0 !unpulled_{name}.
by kernel.
Qed.
Goal events.names_arm psi_{name}_0 (fun x : nat => if x is y.+1 then Some (y == 1%N) else None) {law} 1
  {truth(arm == 2)} =
  {rat(named)}.
Proof.
rewrite /events.names_arm /events.event sum_single; do 2 (rewrite ?big_ord_recl ?big_ord0 /=).
by kernel.
Qed."""
