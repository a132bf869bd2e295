(* A model, an accuracy, a failure probability and a number of trajectories to which the end-to-end theorem applies. *)
From derl.common Require Import real_prelude.
From derl.potential Require Import sharp.
From derl.layerwise Require Import sizes.
From derl.algorithm_one Require Import numbers setting deployment_complexity certainty.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

(* epsilon = 1/4, delta = 1/2, c_K = 2, and two states, two actions, three dimensions, one layer: 7 deployments of
   3 10^28 trajectories *)
Theorem deployment_complexity_instance :
  numbers_allowed 3 1 4%:R^-1 2%:R^-1 2%:R /\ linear_model two_P two_r two_rho two_phi /\
  (printed_size 4 (10 ^ 20) 2%:R%R (INR 3) (INR 1) 4%:R^-1%R (ln (INR 1 * INR 3 / (2%:R^-1%R * 4%:R^-1%R))) <=
    INR (3 * 10 ^ 28))%coqR.
Proof.
split; [exact: half_allowed|split; [exact: two_model|]].
have -> : (2%:R = 2 :> R)%coqR by rewrite (litE 2).
have -> : (4%:R^-1)%R = (/ 4)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 4).
have -> : (2^-1)%R = (/ 2)%coqR by rewrite -RinvE // -[2]/(2%:R) ?pnatr_eq0 // (litE 2).
have -> : (INR 3 = 3)%coqR by rewrite INR_IZR_INZ.
have -> : (INR 1 = 1)%coqR by rewrite INR_IZR_INZ.
have -> : (1 * 3 / (/ 2 * / 4) = 24)%coqR by field.
have N n : (INR (3 * 10 ^ n) = 3 * 10 ^ n)%coqR.
  elim: n => [|n IH]; first by rewrite (INR_IZR_INZ (3 * 10 ^ 0)) /=; Lra.lra.
  by rewrite expnS mulnCA mult_INR IH (INR_IZR_INZ 10) /=; Lra.lra.
rewrite N.
have up : (ln 24 <= 5)%coqR.
  have := ln_two_pow 5 24 ltac:(Lra.lra) ltac:(simpl; Lra.lra); rewrite (INR_IZR_INZ 5); exact.
have lo : (0 < ln 24)%coqR by rewrite -ln_1; apply: ln_increasing; Lra.lra.
have [-> _] := text_exponents (10 ^ 20) 3 1 (/ 4) (ln 24) ltac:(Lra.lra) ltac:(Lra.lra) ltac:(Lra.lra) lo.
have l4 : (ln 24 ^ 4 <= 5 ^ 4)%coqR by apply: pow_incr; Lra.lra.
move: l4; rewrite /=; Lra.lra.
Qed.
