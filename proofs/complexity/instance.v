(* Numbers to which the theorem about deployment complexity applies. *)
From derl.common Require Import real_prelude.
From derl.potential Require Import sharp.
From derl.layerwise Require Import sizes.
From derl.algorithm_one Require Import numbers setting deployment_complexity.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

(* numbers to which deterministic_deployment_complexity applies: d = 8, H = 2, epsilon = 1/8, delta = 1/2 and 10^36
   trajectories; the complexity is between 2 and 33 there *)
Theorem deterministic_complexity_instance :
  [/\ (6 <= 8)%N, (2 <= 2)%N, (16 <= 8 * 2)%N, 0 < (8%:R^-1 : R) < 4%:R^-1 & 0 < (2%:R^-1 : R) <= 2%:R^-1] /\
  (printed_size 4 (10 ^ 20) 2 (INR 8) (INR 2) 8%:R^-1%R (ln (INR 2 * INR 8 / (2%:R^-1%R * 8%:R^-1%R))) <=
    INR (10 ^ 36))%coqR.
Proof.
split; first by split=> //; rewrite invr_gt0 ltr0n ?lexx // ltf_pinv ?posrE ?ltr0n // ltr_nat.
have -> : (8%:R^-1)%R = (/ 8)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 8).
have -> : (2%:R^-1)%R = (/ 2)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 2).
have -> : (INR 8 = 8)%coqR by rewrite INR_IZR_INZ.
have -> : (INR 2 = 2)%coqR by rewrite INR_IZR_INZ.
have -> : (2 * 8 / (/ 2 * / 8) = 256)%coqR by field.
have N n : (INR (10 ^ n) = 10 ^ n)%coqR.
  elim: n => [|n IH]; first by rewrite (INR_IZR_INZ (10 ^ 0)) /=; Lra.lra.
  by rewrite expnS mult_INR IH (INR_IZR_INZ 10) /=; Lra.lra.
rewrite N.
have up : (ln 256 <= 8)%coqR.
  have := ln_two_pow 8 256 ltac:(Lra.lra) ltac:(simpl; Lra.lra); rewrite (INR_IZR_INZ 8); exact.
have lo : (0 < ln 256)%coqR by rewrite -ln_1; apply: ln_increasing; Lra.lra.
have [-> _] := text_exponents (10 ^ 20) 8 2 (/ 8) (ln 256) ltac:(Lra.lra) ltac:(Lra.lra) ltac:(Lra.lra) lo.
have l4 : (ln 256 ^ 4 <= 8 ^ 4)%coqR by apply: pow_incr; Lra.lra.
move: l4; rewrite /=; Lra.lra.
Qed.
