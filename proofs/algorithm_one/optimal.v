(* The best value of all policies, by backward induction; a deterministic policy has it. *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism theorem.
From derl.algorithm_one Require Import algorithm.

Section Optimal.
Variables (S A : finType) (H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R) (a0 : A).
Hypothesis hP : forall h s a, is_law (P h s a).

(* the best value from layer h on with k layers to go *)
Fixpoint best_value h k s : R :=
  if k is k'.+1 then
    let q a := (r h s a + \sum_s' P h s a s' * best_value h.+1 k' s')%R in q (best a0 q)
  else 0%R.
(* the best value, from the law rho of the first state on *)
Definition Jstar : R := \sum_s rho s * best_value 0 H s.
(* a policy that has it *)
Definition best_policy h s : A :=
  best a0 (fun a => (r h s a + \sum_s' P h s a s' * best_value h.+1 (H - h.+1) s')%R).

Lemma best_value_above mu h k s : (forall h s, is_law (mu h s)) -> value P mu r h k s <= best_value h k s.
Proof.
move=> hmu; elim: k h s => [|k IH] h s; first exact: lexx.
rewrite [value _ _ _ _ _ _]/=; apply: mean_bound => // a.
apply: le_trans (best_max a0 (fun a => r h s a + \sum_s' P h s a s' * best_value h.+1 k s') a).
by rewrite ler_add2l; apply: mean_le => // s'; case: (hP h s a).
Qed.

Lemma best_policy_value k h s : (h + k)%N = H -> value P (det R_realFieldType best_policy) r h k s = best_value h k s.
Proof.
elim: k h s => [|k IH] h s hk //.
rewrite [LHS]/= sum_det [RHS]/= /best_policy.
have -> : (H - h.+1 = k)%N by rewrite -hk addnS subSS addKn.
by congr (_ + _); apply: eq_bigr => s' _; rewrite IH // addSnnS.
Qed.

Lemma J_best : J P r rho (det R_realFieldType best_policy) H = Jstar.
Proof. by apply: eq_bigr => s _; rewrite best_policy_value. Qed.

(* no policy has more *)
Theorem Jstar_above mu : (forall s, 0 <= rho s) -> (forall h s, is_law (mu h s)) -> J P r rho mu H <= Jstar.
Proof.
by move=> r0 hmu; apply: ler_sum => s _; rewrite ler_wpmul2l //; exact: best_value_above.
Qed.
End Optimal.
