(* Truncated MDPs: what the layers beyond h can add. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.

Section Truncation.
Variables (R : realFieldType) (S A : finType).
Variables (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R).

Lemma value_bounds mu k h s : (forall h s a, is_law (P h s a)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s, is_law (mu h s)) ->
  0 <= value P mu r h k s <= k%:R.
Proof.
move=> hP hr hmu; elim: k h s => [|k IH] h s /=; first by rewrite lexx.
apply/andP; split.
  apply: sumr_ge0 => a _; rewrite mulr_ge0 ?(proj1 (hmu h s)) // addr_ge0 //.
    by case/andP: (hr h s a).
  apply: sumr_ge0 => s' _; rewrite mulr_ge0 ?(proj1 (hP h s a)) //.
  by case/andP: (IH h.+1 s').
apply: mean_bound => // a; rewrite -[k.+1]add1n natrD; apply: ler_add.
  by case/andP: (hr h s a).
by apply: mean_bound => // s'; case/andP: (IH h.+1 s').
Qed.

Lemma value_truncated mu k m h s : (forall h s a, is_law (P h s a)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s, is_law (mu h s)) ->
  value P mu r h k s <= value P mu r h (k + m) s <= value P mu r h k s + m%:R.
Proof.
move=> hP hr hmu; elim: k h s => [|k IH] h s; first by rewrite add0n add0r; exact: value_bounds.
rewrite addSn /=; apply/andP; split.
  apply: mean_le => [a|a]; first exact: (proj1 (hmu h s)).
  rewrite ler_add2l; apply: mean_le => [s'|s']; first exact: (proj1 (hP h s a)).
  by case/andP: (IH h.+1 s').
have e a : r h s a + \sum_s' P h s a s' * value P mu r h.+1 (k + m) s' <=
    r h s a + \sum_s' P h s a s' * value P mu r h.+1 k s' + m%:R.
  rewrite -addrA ler_add2l.
  apply: (@le_trans _ _ (\sum_s' P h s a s' * (value P mu r h.+1 k s' + m%:R))).
    apply: mean_le => [s'|s']; first exact: (proj1 (hP h s a)).
    by case/andP: (IH h.+1 s').
  under eq_bigr do rewrite mulrDr; rewrite big_split /= -mulr_suml (proj2 (hP h s a)) mul1r.
  exact: lexx.
apply: le_trans (mean_le _ (proj1 (hmu h s)) e) _.
under eq_bigr do rewrite mulrDr; rewrite big_split /= -mulr_suml (proj2 (hmu h s)) mul1r.
exact: lexx.
Qed.
End Truncation.

(* [res-safety-gap], the inequality: a policy that is eps-optimal for the MDP truncated
   at layer h loses at most H - h + eps over all H layers, against every policy. *)
Theorem res_safety_gap (R : realFieldType) (S A : finType)
    (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (pi mu : nat -> S -> A -> R) (h H : nat) (eps : R) :
  (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) -> is_law rho ->
  (forall h s, is_law (pi h s)) -> (forall h s, is_law (mu h s)) -> (h <= H)%N ->
  let J p L := \sum_s rho s * value P p r 0 L s in
  J mu h - J pi h <= eps -> J mu H - J pi H <= (H - h)%:R + eps.
Proof.
move=> hP hr [rho0 rho1] hpi hmu hH J loss.
have up : J mu H <= J mu h + (H - h)%:R.
  apply: (@le_trans _ _ (\sum_s rho s * (value P mu r 0 h s + (H - h)%:R))).
    apply: mean_le => // s.
    by have := value_truncated h (H - h) 0 s hP hr hmu; rewrite subnKC // => /andP[].
  under eq_bigr do rewrite mulrDr; rewrite big_split /= -mulr_suml rho1 mul1r; exact: lexx.
have dn : J pi h <= J pi H.
  apply: mean_le => // s.
  by have := value_truncated h (H - h) 0 s hP hr hpi; rewrite subnKC // => /andP[].
rewrite ler_subl_addr; apply: le_trans up _.
rewrite ler_subl_addr in loss; rewrite addrC -addrA ler_add2l.
by apply: le_trans loss _; rewrite ler_add2l.
Qed.
