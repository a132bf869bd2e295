(* A model, an accuracy, a failure probability and a number of trajectories to which the theorem about Algorithm 2
   applies. *)
From derl.common Require Import real_prelude reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game.
From derl.algorithm_one Require numbers.
From derl.algorithm_two Require Import whole_run numbers exploration controls.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

(* two actions, two dimensions, one layer, epsilon = 1/4, delta = 1/2, nu = 1/10: 10^30 trajectories *)
Theorem exploration_instance :
  [/\ is_law arms_rho, forall h, linear_transitions (arms_phi true h) (arms_mu h) (arms_P h),
      forall h, (h < 1)%N -> reachable arms_P arms_rho (arms_phi true) (10%:R^-1) h &
      (sample_size 2 1 4%:R^-1%R 2%:R^-1%R 10%:R^-1%R <= INR (10 ^ 30))%coqR].
Proof.
split; [exact: arms_laws|exact: arms_transitions|by move=> h; exact: arms_reachable|].
have -> : (4%:R^-1)%R = (/ 4)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 4).
have -> : (2%:R^-1)%R = (/ 2)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 2).
have -> : (10%:R^-1)%R = (/ 10)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 10).
rewrite /sample_size /term_one /term_two.
have -> : (INR 2 = 2)%coqR by rewrite INR_IZR_INZ.
have -> : (INR 1 = 1)%coqR by rewrite INR_IZR_INZ.
have pow n : (INR (10 ^ n) = 10 ^ n)%coqR.
  elim: n => [|n IH]; first by rewrite (INR_IZR_INZ (10 ^ 0)).
  by rewrite expnS mult_INR IH (INR_IZR_INZ 10) /=; Lra.lra.
rewrite pow.
have -> : (2 * 2 * 1 / (/ 4 * / 2 * / 10) = 320)%coqR by field.
have -> : (2 / / 10 = 20)%coqR by field.
have u1 : (ln 320 <= 9)%coqR.
  have := algorithm_one.numbers.ln_two_pow 9 320 ltac:(Lra.lra) ltac:(simpl; Lra.lra); rewrite (INR_IZR_INZ 9); exact.
have u2 : (ln 20 <= 5)%coqR.
  have := algorithm_one.numbers.ln_two_pow 5 20 ltac:(Lra.lra) ltac:(simpl; Lra.lra); rewrite (INR_IZR_INZ 5); exact.
have l1 : (0 < ln 320)%coqR by apply: ln_gt0; Lra.lra.
have l2 : (0 < ln 20)%coqR by apply: ln_gt0; Lra.lra.
set x := ln 320 in u1 l1 *; set y := ln 20 in u2 l2 *.
have -> : (1 * 1 * 1 * 1 * (2 * 2 * 2) / (/ 4 * / 4) * y = 128 * y)%coqR by field.
have -> : (1 * 1 * (2 * 2 * 2 * 2 * 2 * 2 * 2) / (/ 10 * / 10 * / 10 * / 10 * (/ 10 * / 10 * / 10 * / 10)) * (y * y * y)
  = 12800000000 * (y * y * y))%coqR by field.
have y2 : (y * y <= 25)%coqR by apply: (Rle_trans _ (5 * 5)); [apply: Rmult_le_compat; Lra.lra|Lra.lra].
have y3 : (y * y * y <= 125)%coqR.
  apply: (Rle_trans _ (25 * 5)); last by Lra.lra.
  by apply: Rmult_le_compat => //; [apply: Rmult_le_pos; Lra.lra|Lra.lra].
apply: (Rle_trans _ (10 ^ 16 * (128 * 5 + 12800000000 * 125) * 9)); last by Lra.lra.
apply: Rmult_le_compat => //; [|by Lra.lra|].
  apply: Rmult_le_pos; first by Lra.lra.
  by apply: Rplus_le_le_0_compat; repeat (apply: Rmult_le_pos; try Lra.lra).
by apply: Rmult_le_compat_l; Lra.lra.
Qed.
