(* Algorithm 1 that is not told the rewards: before each deployment they are estimated by ridge regression from the
   rewards in the data.  With the same number of trajectories and the same beta it has the same guarantee. *)
From derl.common Require Import real_prelude forms.
From derl.potential Require Import count.
From derl.lower_bounds Require Import game.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism run sizes theorem.
From derl.algorithm_one Require Import trajectory_law grid values algorithm regressions optimal setting.
From derl.algorithm_one Require Import deployment_complexity.

Section Estimates.
Variables (S A : finType) (d N H : nat) (phi : nat -> S -> A -> 'cV[R]_d) (s0 : S) (a0 : A).
Local Notation O := (batch S A N H).
Local Notation cell := (cell s0 a0).
Local Notation feature := (feature phi s0 a0).
Local Notation matrix_of := (matrix_of phi s0 a0).
Implicit Types (g : nat -> nat -> nat -> R) (w : nat -> O) (r : nat -> S -> A -> R).

(* ridge regression of the rewards of layer h before deployment k; g t h i is the reward in layer h of trajectory i of
   deployment t *)
Definition reward_fit g w k h : 'cV[R]_d :=
  invmx (matrix_of w k h) *m \sum_(t < k) \sum_(i < N) g t h i *: feature w t h i.
(* the estimate of the reward *)
Definition reward_guess g w k h s a : R := ((reward_fit g w k h)^T *m phi h s a) ord0 ord0.
(* the rewards of the pairs in the data *)
Definition rewards_in r w t h i : R := if (h < H)%N then r h (cell w t h i).1 (cell w t h i).2 else 0.

Lemma reward_fit_same g g' w w' k h : agree k w w' -> (forall t i, (t < k)%N -> (i < N)%N -> g t h i = g' t h i) ->
  reward_fit g w k h = reward_fit g' w' k h.
Proof.
move=> hw hg; rewrite /reward_fit (matrix_local _ _ _ _ hw); congr (_ *m _).
by apply: eq_bigr => t _; apply: eq_bigr => i _; rewrite hg // (feature_local _ _ _ _ _ hw).
Qed.

Lemma reward_guess_same g g' w w' k : agree k w w' -> (forall t h i, (t < k)%N -> (i < N)%N -> g t h i = g' t h i) ->
  reward_guess g w k = reward_guess g' w' k.
Proof.
move=> hw hg; do 3!(apply: FunctionalExtensionality.functional_extensionality => ?).
by rewrite /reward_guess (reward_fit_same (g' := g') hw) // => t i; exact: hg.
Qed.

Lemma rewards_in_local r w w' k : agree k w w' ->
  reward_guess (rewards_in r w) w k = reward_guess (rewards_in r w') w' k.
Proof. by move=> hw; apply: (reward_guess_same hw) => t h i tk _; rewrite /rewards_in (cell_local _ _ _ _ hw). Qed.

Section Error.
Variables (r : nat -> S -> A -> R) (theta : nat -> 'cV[R]_d) (w : nat -> O) (k h : nat).
Hypothesis hth : forall s a, r h s a = ((theta h)^T *m phi h s a) ord0 ord0.
Hypothesis short : qf 1%:M (theta h) <= d%:R.
Hypothesis hH : (h < H)%N.
Local Notation L := (matrix_of w k h).

Let pL : pd L. Proof. by apply: pd_before => j; exact: psd_gram. Qed.
Let LE : L = 1%:M + \sum_(t < k) \sum_(i < N) outer (feature w t h i). Proof. by []. Qed.
Let pG : psd (\sum_(t < k) \sum_(i < N) outer (feature w t h i)).
Proof. by apply: psd_sum => t _; apply: psd_sum => i _; exact: psd_outer. Qed.
Let shorter x : qf (invmx L) x <= qf 1%:M x. Proof. by rewrite LE inverse_le. Qed.
Let longer x : qf 1%:M x <= qf L x. Proof. by rewrite LE qfD ler_addl qf_ge0. Qed.

(* exact rewards have no noise, only the bias of ridge regression *)
Lemma reward_fitE : reward_fit (rewards_in r w) w k h = theta h - invmx L *m theta h.
Proof.
rewrite /reward_fit.
have -> : \sum_(t < k) \sum_(i < N) rewards_in r w t h i *: feature w t h i = L *m theta h - theta h.
  rewrite LE mulmxDl mul1mx (addrC (theta h)) addrK mulmx_suml; apply: eq_bigr => t _.
  rewrite mulmx_suml; apply: eq_bigr => i _.
  by rewrite /rewards_in hH hth dotC /outer -mulmxA [X in _ = _ *m X]mx11_scalar mul_mx_scalar.
by rewrite mulmxBr (mulKmx (pd_unit pL)).
Qed.

Lemma reward_fit_small i : `|reward_fit (rewards_in r w) w k h i ord0| <= (2 * d)%N%:R.
Proof.
have entry (v : 'cV[R]_d) : qf 1%:M v <= d%:R -> `|v i ord0| <= d%:R.
  move=> hv; apply: sqr_le_norm; first exact: ler0n.
  apply: le_trans (entry_le v i) (le_trans hv _); rewrite -natrX ler_nat -mulnn; case: (d) => // m; nia.
rewrite reward_fitE !mxE; apply: le_trans (ler_norm_sub _ _) _; rewrite mul2n -addnn natrD.
apply: ler_add; first exact: entry.
have := entry (invmx L *m theta h); rewrite mxE; apply; apply: le_trans (longer _) _.
by rewrite (qf_inv _ pL); exact: le_trans (shorter _) short.
Qed.

Lemma reward_guess_near s a : `|reward_guess (rewards_in r w) w k h s a - r h s a| <=
  Num.sqrt d%:R * Num.sqrt (qf (invmx L) (phi h s a)).
Proof.
have pI := pd_psd (pd_inv pL); rewrite -sqrtrM ?ler0n //.
have -> : reward_guess (rewards_in r w) w k h s a - r h s a = - bil (invmx L) (theta h) (phi h s a).
  rewrite /reward_guess reward_fitE -bil1 bilDm bilNm bil1 -hth addrAC subrr add0r; congr (- _).
  by rewrite -[X in _ = bil X _ _]mulmx1 bil_mull (proj1 pI).
rewrite normrN; apply: sqr_le_norm; first exact: sqrtr_ge0.
rewrite sqr_sqrtr ?mulr_ge0 ?ler0n ?(proj2 pI) //; apply: le_trans (cauchy _ _ pI) _.
by rewrite ler_wpmul2r ?(proj2 pI) //; exact: le_trans (shorter _) short.
Qed.
End Error.
End Estimates.

(* Theorem 4.1, repaired, for rewards that are not told: `deployment_complexity_tail` with estimates from the data *)
Theorem learned_rewards (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R)
    (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A)
    (tail : seq (batch S A N H) -> past_policy R_realFieldType S A) :
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps L <= INR N)%coqR ->
  1 - delta <= success (@past_batch_law R_realFieldType S A P N H rho)
    (told_tail phi beta eps s0 a0 (fun w => reward_guess phi s0 a0 (rewards_in s0 a0 r w) w) tail)
    (fun pi => Jstar H P r rho a0 - eps <= J P r rho (det R_realFieldType pi) H) (floor (cK * d%:R * H%:R) + 1).
Proof.
move=> [dH e01 t01 c2] [mu [theta [hrho lin hr]]] L beta hN.
have hth h s a : r h s a = ((theta h)^T *m phi h s a) ord0 ord0 by case: (lin h) => _ e *; exact: e.
have short h : qf 1%:M (theta h) <= d%:R by case: (lin h).
apply: (printed_success dH e01 t01 c2 hN tail hrho lin hr
  (vec := fun w => reward_fit phi s0 a0 (rewards_in s0 a0 r w) w)) => [k w w'|//|w k h i hH|w k h s a hH].
- exact: rewards_in_local.
- exact: (reward_fit_small _ _ _ _ (hth h) (short h) hH).
- exact: (reward_guess_near _ _ _ _ (hth h) (short h) hH).
Qed.
