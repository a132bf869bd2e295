(* Numerical bounds of logarithms, and the printed batch size of Lemma 4.2 against the sharp one. *)
From Coq Require Import Reals Lra Lia.
From derl.common Require Import reals.
From derl.potential Require Import remarks.
Local Open Scope R_scope.

(* exp 1 <= 2.81, from 1 - 1/16 <= exp (-1/16) *)
Lemma exp1_upper : exp 1 <= 281 / 100.
Proof.
assert (h : 15 / 16 <= exp (- / 16)) by (pose proof (exp_ge (- / 16)); lra).
set (a := exp (- / 16)) in h.
assert (h2 : 15 / 16 * (15 / 16) <= a * a) by (apply Rmult_le_compat; lra).
set (b := a * a) in h2.
assert (h4 : 15 / 16 * (15 / 16) * (15 / 16 * (15 / 16)) <= b * b) by (apply Rmult_le_compat; lra).
set (c := b * b) in h4.
assert (h8 : 7724 / 10000 * (7724 / 10000) <= c * c) by (apply Rmult_le_compat; lra).
set (e := c * c) in h8.
assert (h16 : 5966 / 10000 * (5966 / 10000) <= e * e) by (apply Rmult_le_compat; lra).
assert (ee : e * e = exp (- 1)).
{ unfold e, c, b, a; rewrite <- !exp_plus; f_equal; lra. }
assert (exp 1 * exp (- 1) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
pose proof (exp_pos 1); nra.
Qed.

(* 2/3 <= ln 2 *)
Lemma ln2_lower : 2 / 3 <= ln 2.
Proof.
assert (h : exp 2 <= 8).
{ replace 2 with (1 + 1) by ring; rewrite exp_plus; pose proof exp1_upper; pose proof (exp_pos 1).
  apply Rle_trans with (281 / 100 * (281 / 100)); [apply Rmult_le_compat; lra|lra]. }
assert (8 = exp (3 * ln 2)).
{ replace (3 * ln 2) with (ln 2 + ln 2 + ln 2) by ring; rewrite !exp_plus, exp_ln; lra. }
assert (h3 : exp 2 <= exp (3 * ln 2)) by lra.
destruct h3 as [h3|h3]; [apply exp_lt_inv in h3; lra|apply exp_inv in h3; lra].
Qed.

Lemma ln_twice r : 0 < r -> 2 / 3 + (1 - / r) <= ln (2 * r).
Proof. intros h; rewrite ln_mult by lra; pose proof ln2_lower; pose proof (ln_ge r h); lra. Qed.

Lemma ln3_ge1 : 1 <= ln 3.
Proof.
rewrite <- (ln_exp 1); apply ln_mono; [apply exp_pos|exact exp_le_3].
Qed.

(* x < (1 + (ln x)^2)^2 on [2, 3] *)
Lemma square_above x : 2 <= x <= 3 -> x < (1 + ln x * ln x) * (1 + ln x * ln x).
Proof.
intros [h1 h2].
assert (step : forall a l b, a <= x -> 0 < a -> l <= ln a -> 0 <= l -> b < (1 + l * l) * (1 + l * l) -> x <= b ->
  x < (1 + ln x * ln x) * (1 + ln x * ln x)).
{ intros a l b ax a0 la l0 bl xb; apply Rle_lt_trans with (1 := xb); apply Rlt_le_trans with (1 := bl).
  assert (l <= ln x) by (apply Rle_trans with (1 := la); apply ln_mono; lra).
  assert (l * l <= ln x * ln x) by (apply Rmult_le_compat; lra).
  assert (0 <= l * l) by nra.
  apply Rmult_le_compat; lra. }
destruct (Rle_dec x (208 / 100)) as [b|b].
{ apply (step 2 (2 / 3) (208 / 100)); try lra; exact ln2_lower. }
destruct (Rle_dec x (224 / 100)) as [b'|b'].
{ apply (step (2 * (104 / 100)) (2 / 3 + (1 - / (104 / 100))) (224 / 100)); try lra.
  apply ln_twice; lra. }
destruct (Rle_dec x (255 / 100)) as [b''|b''].
{ apply (step (2 * (112 / 100)) (2 / 3 + (1 - / (112 / 100))) (255 / 100)); try lra.
  apply ln_twice; lra. }
apply (step (2 * (1275 / 1000)) (2 / 3 + (1 - / (1275 / 1000))) 3); try lra.
apply ln_twice; lra.
Qed.

(* where H (d L)^c >= 1 the printed batch size is at least the sharp one *)
Lemma printed_larger_if c e d H : 1 < c -> 0 < e -> (1 <= d)%nat -> (1 <= H)%nat ->
  let L := ln (INR H * INR d / e) in 1 <= INR d * L ->
  Rpower (c / Rpower e c) (/ (c - 1)) <= batch_size 1 c d H e c.
Proof.
intros c1 e0 d1 H1 L dL; apply INR_ge1 in d1; apply INR_ge1 in H1.
unfold batch_size; rewrite Rmult_1_l; fold L.
assert (L0 : 0 < L) by nra.
assert (E : 0 < Rpower e c) by apply exp_pos.
apply Rpower_mono; [apply Rdiv_lt_0_compat; lra| |left; apply Rinv_0_lt_compat; lra].
assert (P : 1 <= Rpower (INR d) c * Rpower L c).
{ rewrite Rpower_mult_distr by lra; apply Rpower_ge1; lra. }
set (D' := Rpower (INR d) c) in *; set (L' := Rpower L c) in *; set (E' := Rpower e c) in *.
replace (c * (INR H * D' / E') * L') with (c / E' * (INR H * (D' * L'))) by (field; lra).
assert (Q : 1 <= INR H * (D' * L')) by nra.
rewrite <- (Rmult_1_r (c / E')) at 1.
apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|exact Q].
Qed.

(* d = H = 1 and log (1/eps) < 1: N eps >= log^2 (1/eps) *)
Lemma printed_square c e N : 2 <= c -> 0 < e < 1 -> ln (/ e) < 1 ->
  batch_size 1 c 1 1 e c <= N -> ln (/ e) * ln (/ e) <= N * e.
Proof.
intros c2 [e0 e1] L1; set (L := ln (/ e)) in *.
assert (ie : 1 < / e) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
assert (L0 : 0 < L) by (apply ln_gt0; exact ie).
assert (LE : ln (INR 1 * INR 1 / e) = L) by (unfold L; f_equal; simpl; field; lra).
rewrite batch_sizeE; try lra; try lia; rewrite LE.
simpl; set (P := Rpower _ _); intros h.
assert (LP : L <= P).
{ unfold P; replace (c * 1 * (1 * L) / e) with (c / e * L) by (field; lra).
  assert (ce : 1 <= c / e).
  { apply Rmult_le_reg_r with e; [lra|]; replace (c / e * e) with c by (field; lra); lra. }
  assert (i : 0 < / (c - 1) <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]; rewrite <- Rinv_1 at 2; apply Rinv_le_contravar; lra. }
  rewrite <- Rpower_mult_distr by lra.
  assert (1 <= Rpower (c / e) (/ (c - 1))) by (apply Rpower_ge1; lra).
  assert (L <= Rpower L (/ (c - 1))).
  { rewrite <- (Rpower_1 L) at 1 by lra; unfold Rpower; apply exp_le.
    assert (ln L < 0) by (rewrite <- ln_1; apply ln_increasing; lra); nra. }
  pose proof (exp_pos (/ (c - 1) * ln L)); unfold Rpower in *; nra. }
apply Rle_trans with (1 * (1 * L / e * P) * e).
- replace (1 * (1 * L / e * P) * e) with (L * P) by (field; lra); apply Rmult_le_compat_l; lra.
- apply Rmult_le_compat_r; lra.
Qed.
