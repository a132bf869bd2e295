(* Algorithm 2 that is not told the rewards: least squares gives their vectors without error, since each batch spans all
   directions (`batch_spans`) and the rewards have no noise.

   reward_vector h o g   least squares for the rewards g of the pairs of layer h in the batch o *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game.
From derl.algorithm_one Require Import trajectory_law grid values algorithm.
From derl.algorithm_two Require Import mixtures algorithm.

Section Learning.
Variables (S A : finType) (d N H M : nat) (phi : nat -> S -> A -> 'cV[R]_d) (s0 : S) (a0 : A).
Local Notation O := (batch S A N H).
Local Notation x0 := (s0, a0).
Local Notation seen h o i := (phi h (here x0 h o i).1 (here x0 h o i).2).

(* least squares for the rewards g of the pairs of layer h in a batch *)
Definition reward_vector h (o : O) (g : 'I_N -> R) : 'cV[R]_d :=
  invmx (gram phi x0 h o) *m \sum_i g i *: seen h o i.

Lemma reward_vector_exact h o g theta : pd (gram phi x0 h o) ->
  (forall i, g i = (theta^T *m seen h o i) ord0 ord0) -> reward_vector h o g = theta.
Proof.
move=> pG hg; rewrite /reward_vector.
have -> : \sum_i g i *: seen h o i = gram phi x0 h o *m theta.
  rewrite /gram /features_sum mulmx_suml; apply: eq_bigr => i _.
  by rewrite hg dotC /outer -mulmxA [X in _ = _ *m X]mx11_scalar mul_mx_scalar.
by rewrite mulKmx // pd_unit.
Qed.

(* the plan for horizon L uses the vectors of the first L layers *)
Lemma plan_same imax rho beta beta5 nu h L theta theta' : (forall t, (t < L)%N -> theta t = theta' t) ->
  output (@algorithm_two S A d N H M imax phi rho beta beta5 nu s0 a0) h L theta =
  output (@algorithm_two S A d N H M imax phi rho beta beta5 nu s0 a0) h L theta'.
Proof.
move=> same; rewrite /=; set w := nth _ h.
have e j : (j <= L)%N -> planned M phi beta s0 a0 w L theta j = planned M phi beta s0 a0 w L theta' j.
  elim: j => [//|j IH] jL; rewrite /= (IH (ltnW jL)) same //.
  by rewrite ltn_subrL (leq_ltn_trans _ jL).
do 2!(apply: FunctionalExtensionality.functional_extensionality => ?).
by rewrite /plan e // leq_subr.
Qed.
End Learning.
