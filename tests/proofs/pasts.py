"""Instance lemmas for policies that depend on the past, and for Definition 2.1: laws, values, a small task."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from instances import law, rat, truth
from runs import AXES, HORIZON
from texts import greater, looked_up, number, table

P, DEFINITION, UPPER = "derl.foundations.policies", "derl.complexity.definition", "derl.complexity.upper"
UNKNOWN = "derl.complexity.unknown_rewards"


def pasts(rng, name: str) -> str:
    """`past_law`, `past_batch_law`, `past_value`, `past_return`: two layers; the first action decides on the second.
    `cut_off`; `best_return`, `near_best`, `chance_near_best` of a task with one layer and two actions."""
    moves = np.array([[[law(rng, 2) for _ in AXES] for _ in AXES] for _ in range(HORIZON)], dtype=object)
    first = law(rng, 2)
    rewards = np.vectorize(lambda n: Fraction(int(n), 4), otypes=[object])(rng.integers(0, 5, (HORIZON, 2, 2)))
    chance = [law(rng, 2)[0] for _ in range(3)]  # of the action true: at first, after false, after true

    def acts(past, a):
        of = chance[0] if not past else chance[1 + past[0][1]]
        return of if a else 1 - of

    def value(h, past, s):
        if h == HORIZON:
            return Fraction(0)
        return sum(acts(past, a) * (rewards[h, s, a] + sum(moves[h, s, a, t] * value(h + 1, [*past, (s, a)], t)
                                                           for t in AXES)) for a in AXES)

    paths = rng.integers(0, 2, (2, HORIZON, 2))
    chances = [first[p[0][0]] * acts([], p[0][1]) * moves[0, p[0][0], p[0][1], p[1][0]] * acts([tuple(p[0])], p[1][1])
               for p in paths.tolist()]
    texts = ["[:: " + "; ".join(f"({truth(s)}, {truth(a)})" for s, a in path) + "]" for path in paths.tolist()]
    parts = [
        looked_up(f"P_{name}", "rat", table(moves.tolist(), 4, number), "nbbb", "0"),
        looked_up(f"rho_{name}", "rat", table(first, 1, number), "b", "0"),
        looked_up(f"r_{name}", "rat", table(rewards.tolist(), 3, number), "nbb", "0"),
        f"""Definition pi_{name} (past : seq (bool * bool)) (s a : bool) : rat :=
  let p : rat := if past is x :: _ then (if x.2 then {rat(chance[2])} else {rat(chance[1])}) else {rat(chance[0])} in
  if a then p else 1 - p.
Lemma law_{name} past s : is_law (pi_{name} past s).
Proof. by case: past => [|[s' []] past]; split=> [[]|]; rewrite ?big_bool; first [by vm_compute|kernel]. Qed.
Definition policy_{name} := @{P}.PastPolicy rat_realFieldType bool_finType bool_finType pi_{name} law_{name}.""",
    ]
    parts += [f"""Goal {P}.past_law P_{name} pi_{name} 0 [::] rho_{name} {text} = {rat(x)}.
Proof. by kernel. Qed.""" for text, x in zip(texts, chances, strict=True)]
    parts.append(f"""Goal {P}.past_batch_law (N := 2) (H := 2) P_{name} rho_{name} policy_{name}
  [ffun i : 'I_2 => nth [tuple (true, true); (true, true)] [:: [tuple of {texts[0]}]; [tuple of {texts[1]}]] i] =
  {rat(chances[0] * chances[1])}.
Proof.
rewrite /{P}.past_batch_law /hoeffding.product_law !big_ord_recl big_ord0 !ffunE /=; kernel.
Qed.
Goal {P}.past_value P_{name} r_{name} pi_{name} 0 [::] 2 true = {rat(value(0, [], 1))}.
Proof. by do 4 (rewrite ?big_bool /=); kernel. Qed.
Goal {P}.past_return P_{name} r_{name} rho_{name} 2 pi_{name} =
  {rat(first[0] * value(0, [], 0) + first[1] * value(0, [], 1))}.
Proof. by rewrite /{P}.past_return; do 5 (rewrite ?big_bool /=); kernel. Qed.""")
    g, tail = rng.integers(0, 2, (HORIZON, 2)), rng.integers(0, 2, (HORIZON, 2))
    parts += [looked_up(f"{word}_{name}", "bool", table(x.tolist(), 2, truth), "nb", "false")
              for word, x in (("g", g), ("tail", tail))]
    for h, s, a in product(range(HORIZON), AXES, AXES):
        past = "[::]" if not h else "[:: (true, false)]"
        taken = (tail if h else g)[h, s]
        parts.append(f"""Goal {P}.chance ({P}.cut_off g_{name} 0 ({P}.pure rat_realFieldType tail_{name}))
  {past} {truth(s)} {truth(a)}
  = {"1" if taken == a else "0"}.
Proof. by kernel. Qed.""")
    return "\n".join([*parts, one_layer(rng, name)])


def one_layer(rng, name: str) -> str:
    """A task with one state and two actions: what is near the best for accuracies on both sides of the loss."""
    pay = sorted(Fraction(int(x), 8) for x in rng.choice(range(1, 8), 2, replace=False))
    loss = pay[1] - pay[0]
    parts = [f"""Definition t_{name} : {DEFINITION}.task 2 := @{DEFINITION}.Task 2 unit_finType bool_finType true
  (fun _ _ a => v2 a%:R 0) (fun _ _ a => if a then {rat(pay[1])} else {rat(pay[0])}).
Definition u_{name} : {DEFINITION}.world t_{name} := @{DEFINITION}.World 2 t_{name} (fun _ => 1) (fun _ _ _ _ => 1).
Definition low_{name} : {DEFINITION}.policy_of t_{name} := {P}.pure _ (fun _ _ => false).
Lemma single_{name} (W : zmodType) (F : unit -> W) : \\sum_s F s = F tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.
Lemma best_{name} : {P}.best_return ({DEFINITION}.some_action t_{name}) ({DEFINITION}.transitions u_{name})
  ({DEFINITION}.rewards t_{name}) ({DEFINITION}.first u_{name}) 1 = {rat(pay[1])}.
Proof.
rewrite -{UPPER}.JstarE /derl.algorithm_one.optimal.Jstar single_{name} mul1r.
apply: (@best_value_is _ _ _ _ _ _ true {rat(pay[0])} {rat(pay[1])}); rewrite ?single_{name} ?mulr0 ?addr0 //.
by {greater(pay[1], pay[0], True)}.
Qed.
Lemma low_return_{name} : {P}.past_return ({DEFINITION}.transitions u_{name}) ({DEFINITION}.rewards t_{name})
  ({DEFINITION}.first u_{name}) 1 ({P}.chance low_{name}) = {rat(pay[0])}.
Proof.
rewrite /{P}.past_return single_{name} mul1r /= big_bool /= mul0r add0r mul1r.
by rewrite big1 ?addr0 // => s _; rewrite mulr0.
Qed.
Lemma unit_mean_{name} : features.averaging (R := R_realFieldType) (W := unit) (fun _ => True) (fun f => f tt).
Proof. by split=> [k|I f _|f g _ _ fg] //; exact: fg. Qed.
Definition l_{name} : {DEFINITION}.learner 1 1 t_{name} := {DEFINITION}.Learner unit_mean_{name}
  (fun _ => Strategy (fun _ => low_{name}) (fun _ => low_{name}))."""]
    for epsilon in (loss, loss - Fraction(1, 64)):
        good = epsilon >= loss
        decided = greater(pay[0], pay[1] - epsilon, False) if good else \
            f"apply/negbTE; rewrite -ltNge; {greater(pay[1] - epsilon, pay[0], True)}"
        parts.append(f"""Lemma near_{name}_{int(good)} :
  {DEFINITION}.near_best 1 {rat(epsilon)} u_{name} low_{name} = {truth(good)}.
Proof. by rewrite /{DEFINITION}.near_best best_{name} low_return_{name}; {decided}. Qed.
Goal {DEFINITION}.chance_near_best u_{name} (L := l_{name}) 0 {rat(epsilon)} tt = {"1" if good else "0"}.
Proof.
by rewrite /{DEFINITION}.chance_near_best success_nil success_from0 /= near_{name}_{int(good)}.
Qed.""")
    return "\n".join([*parts, shown(rng, name)])


def shown(rng, name: str) -> str:
    """The same task with other rewards, which a learner is not told: it sees that of the action that was played."""
    pay = [rat(Fraction(int(x), 8)) for x in rng.choice(range(1, 8), 2, replace=False)]
    says = f"pure _ (fun _ _ => if hs is o :: _ then o.2 ord0 ord0 == {pay[1]} else false)"
    learner = f"{DEFINITION}.plays (@{UNKNOWN}.facing 1 1 2 t_{name} paid_{name} seen_{name}) tt"
    return f"""Definition paid_{name} (h : nat) (s : unit) (a : bool) : Rdefinitions.R :=
  if a then {pay[1]} else {pay[0]}.
Definition day_{name} : derl.algorithm_one.trajectory_law.batch unit_finType bool_finType 1 1 :=
  [ffun _ => [tuple (tt, true)]].
Goal ({UNKNOWN}.shows (t := t_{name}) paid_{name} day_{name}).2 ord0 ord0 = {pay[1]}.
Proof. by rewrite /{UNKNOWN}.shows /= ffunE. Qed.
Goal {DEFINITION}.rewards ({UNKNOWN}.with_rewards (t := t_{name}) paid_{name}) 0 tt false = {pay[0]}.
Proof. by []. Qed.
Definition seen_{name} : {UNKNOWN}.observer 1 1 t_{name} := @{UNKNOWN}.Observer 1 1 2 t_{name} unit (fun _ => True)
  (fun f => f tt) unit_mean_{name} (fun _ hs => {P}.{says}) (fun _ hs => {P}.{says}).
Goal {P}.chance (deploy ({learner}) [:: day_{name}]) [::] tt true = 1.
Proof. by rewrite /= ffunE /= eqxx. Qed.
Goal {P}.chance (output ({learner}) [::]) [::] tt false = 1.
Proof. by []. Qed."""
