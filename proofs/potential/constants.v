(* The right side printed in Lemma C.1 against the sharp one, as functions of x = 1/lambda
   and u = T/d. *)
From Coq Require Import Reals Lra.
From derl.common Require Import reals.
From derl.potential Require Import numbers.
Local Open Scope R_scope.

(* the power lies above its chord outside the chord: (1 + u)^p >= 1 + (2^p - 1) u for u >= 1 *)
Lemma power_chord p u : 1 <= p -> 1 <= u -> 1 + (Rpower 2 p - 1) * u <= Rpower (1 + u) p.
Proof.
intros p1 u1; assert (P : 0 < Rpower 2 p) by apply exp_pos.
pose proof (bernoulli_real (/ 2) p ltac:(lra) p1) as h1.
pose proof (bernoulli_real ((1 + u) / 2) p ltac:(lra) p1) as h2.
assert (e1 : Rpower (/ 2) p * Rpower 2 p = 1).
{ rewrite Rpower_mult_distr by lra; rewrite Rinv_l by lra.
  unfold Rpower; rewrite ln_1, Rmult_0_r; apply exp_0. }
assert (e2 : Rpower ((1 + u) / 2) p * Rpower 2 p = Rpower (1 + u) p).
{ rewrite Rpower_mult_distr by lra; f_equal; field. }
set (a := Rpower (/ 2) p) in *; set (b := Rpower ((1 + u) / 2) p) in *; set (c := Rpower 2 p) in *.
assert (h : u <= (u - 1) * a + b).
{ assert ((u - 1) * (1 + p * (/ 2 - 1)) <= (u - 1) * a) by (apply Rmult_le_compat_l; lra).
  replace ((u - 1) * (1 + p * (/ 2 - 1))) with (u - (1 + p * ((1 + u) / 2 - 1))) in H by field; lra. }
apply (Rmult_le_compat_r c) in h; [|lra]; rewrite <- e2.
replace (((u - 1) * a + b) * c) with ((u - 1) * (a * c) + b * c) in h by ring; rewrite e1 in h; lra.
Qed.

Lemma log_ratio x u : 1 <= x -> 1 <= u -> ln (1 + x * u) * ln 2 <= ln (1 + u) * ln (1 + x).
Proof.
intros x1 u1; assert (l2 : 0 < ln 2) by (apply ln_gt0; lra).
set (p := ln (1 + x) / ln 2).
assert (E : p * ln 2 = ln (1 + x)) by (unfold p; field; lra).
assert (p1 : 1 <= p).
{ apply Rmult_le_reg_r with (ln 2); [lra|]; rewrite E, Rmult_1_l; apply ln_mono; lra. }
assert (c : Rpower 2 p = 1 + x) by (unfold Rpower; rewrite E; apply exp_ln; lra).
pose proof (power_chord p u p1 u1); rewrite c in H.
replace (1 + (1 + x - 1) * u) with (1 + x * u) in H by ring.
assert (xu : 0 <= x * u) by (apply Rmult_le_pos; lra).
apply ln_mono in H; [|lra]; unfold Rpower in H; rewrite ln_exp in H.
rewrite <- E; replace (ln (1 + u) * (p * ln 2)) with (p * ln (1 + u) * ln 2) by ring.
apply Rmult_le_compat_r; lra.
Qed.

(* x <= (1 + x) ln 2 makes the printed right side a bound *)
Lemma printed_constant x u : 0 < x -> x <= (1 + x) * ln 2 -> 0 <= u ->
  (u <= 1 -> x * u <= (1 + x) * ln (1 + u)) /\
  (1 <= u -> x / ln (1 + x) * ln (1 + x * u) <= (1 + x) * ln (1 + u)).
Proof.
intros x0 hx u0; assert (l2 : 0 < ln 2) by (apply ln_gt0; lra); split; intros u1.
- pose proof (ln_chord u 1 ltac:(lra) (conj u0 u1)) as h; replace (1 + 1) with 2 in h by ring.
  apply Rle_trans with ((1 + x) * ln 2 * u); [apply Rmult_le_compat_r; lra|].
  rewrite Rmult_assoc; apply Rmult_le_compat_l; lra.
- assert (lx : 0 < ln (1 + x)) by (apply ln_gt0; lra).
  assert (lu : 0 < ln (1 + u)) by (apply ln_gt0; lra).
  apply Rmult_le_reg_r with (ln (1 + x)); [lra|].
  replace (x / ln (1 + x) * ln (1 + x * u) * ln (1 + x)) with (x * ln (1 + x * u)) by (field; lra).
  destruct (Rle_dec 1 x) as [x1|x1].
  + pose proof (log_ratio x u x1 u1) as h.
    apply Rmult_le_reg_r with (ln 2); [lra|].
    replace (x * ln (1 + x * u) * ln 2) with (x * (ln (1 + x * u) * ln 2)) by ring.
    apply Rle_trans with (x * (ln (1 + u) * ln (1 + x))); [apply Rmult_le_compat_l; lra|].
    replace ((1 + x) * ln (1 + u) * ln (1 + x) * ln 2) with ((1 + x) * ln 2 * (ln (1 + u) * ln (1 + x))) by ring.
    apply Rmult_le_compat_r; [|lra]; apply Rmult_le_pos; lra.
  + pose proof (x_ln_x (1 + x) ltac:(lra)) as h.
    assert (xu : x * u <= 1 * u) by (apply Rmult_le_compat_r; lra).
    assert (xu0 : 0 <= x * u) by (apply Rmult_le_pos; lra).
    assert (m : ln (1 + x * u) <= ln (1 + u)) by (apply ln_mono; lra).
    apply Rle_trans with (x * ln (1 + u)); [apply Rmult_le_compat_l; lra|].
    replace ((1 + x) * ln (1 + u) * ln (1 + x)) with ((1 + x) * ln (1 + x) * ln (1 + u)) by ring.
    apply Rmult_le_compat_r; lra.
Qed.
