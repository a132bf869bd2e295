(* The first deployment violates in every layer. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals.
Local Open Scope R_scope.

(* the arithmetic of [text-first-deployment]: q i is the squared length of feature i of a layer, that is
   its squared norm in Lambda^-1, since Lambda = I at the first deployment; N + 1 trajectories *)
Lemma text_first_deployment d H eps delta cbeta (N : nat) (q : nat -> R) :
  1 <= d -> 1 <= H -> 2 <= d * H -> 0 < eps <= 1 -> 0 < delta <= 1 -> 1 <= cbeta ->
  (forall i, (i <= N)%nat -> / d <= q i) ->
  let beta := cbeta * d * H * sqrt (ln (d * H / (delta * eps))) in
  eps ^ 2 / (16 * H ^ 2 * beta ^ 2) <= sum_f_R0 q N / INR (S N).
Proof.
intros d1 H1 dH [e0 e1] [t0 t1] c1 hq beta.
assert (p : 0 < delta * eps <= 1) by nra.
assert (L2 : / 2 <= ln (d * H / (delta * eps))).
  apply Rle_trans with (ln 2); [left; exact ln_lt_2|]; apply ln_mono; [lra|].
  apply Rmult_le_reg_r with (delta * eps); [lra|].
  replace (d * H / (delta * eps) * (delta * eps)) with (d * H) by (field; lra); nra.
set (L := ln _) in *.
assert (b2 : beta ^ 2 = cbeta ^ 2 * d ^ 2 * H ^ 2 * L).
  unfold beta; fold L; rewrite !Rpow_mult_distr, pow2_sqrt by lra; ring.
assert (mean : / d <= sum_f_R0 q N / INR (S N)).
  assert (s : / d * INR (S N) <= sum_f_R0 q N).
    rewrite <- sum_cte; apply sum_Rle; intros i hi; apply hq; exact hi.
  assert (n0 : 0 < INR (S N)) by (apply lt_0_INR; apply Nat.lt_0_succ).
  apply Rmult_le_reg_r with (INR (S N)); [exact n0|].
  replace (sum_f_R0 q N / INR (S N) * INR (S N)) with (sum_f_R0 q N) by (field; lra); exact s.
apply Rle_trans with (2 := mean).
assert (B : d <= 16 * H ^ 2 * beta ^ 2).
  rewrite b2; assert (c2 : 1 <= cbeta ^ 2) by nra; assert (H2 : 1 <= H ^ 2) by nra.
  assert (d2 : d <= d ^ 2) by nra.
  assert (a1 : 1 <= cbeta ^ 2 * H ^ 2) by nra; assert (a2 : 1 <= cbeta ^ 2 * H ^ 2 * H ^ 2) by nra.
  assert (a3 : / 2 <= cbeta ^ 2 * H ^ 2 * H ^ 2 * L) by nra.
  replace (16 * H ^ 2 * (cbeta ^ 2 * d ^ 2 * H ^ 2 * L)) with
    (16 * (cbeta ^ 2 * H ^ 2 * H ^ 2 * L) * d ^ 2) by ring.
  apply Rle_trans with (8 * d ^ 2); [nra|]; apply Rmult_le_compat_r; [apply pow2_ge_0|lra].
apply Rmult_le_reg_r with (16 * H ^ 2 * beta ^ 2 * d); [nra|].
replace (eps ^ 2 / (16 * H ^ 2 * beta ^ 2) * (16 * H ^ 2 * beta ^ 2 * d)) with (eps ^ 2 * d).
  replace (/ d * (16 * H ^ 2 * beta ^ 2 * d)) with (16 * H ^ 2 * beta ^ 2) by (field; lra).
  apply Rle_trans with (2 := B); assert (e2 : eps ^ 2 <= 1) by nra; nra.
assert (16 * H ^ 2 * beta ^ 2 <> 0) by lra.
unfold Rdiv; rewrite Rmult_assoc, <- (Rmult_assoc (/ _)), Rinv_l by assumption; ring.
Qed.

(* with c_beta = 1/6 in the place of c_beta >= 1 it is false; d = 2, H = eps = delta = 1 *)
Lemma text_first_deployment_sixth : ~ (forall d H eps delta cbeta (N : nat) (q : nat -> R),
  1 <= d -> 1 <= H -> 2 <= d * H -> 0 < eps <= 1 -> 0 < delta <= 1 -> / 6 <= cbeta ->
  (forall i, (i <= N)%nat -> / d <= q i) ->
  let beta := cbeta * d * H * sqrt (ln (d * H / (delta * eps))) in
  eps ^ 2 / (16 * H ^ 2 * beta ^ 2) <= sum_f_R0 q N / INR (S N)).
Proof.
intros h; specialize (h 2 1 1 1 (/ 6) 0%nat (fun _ => / 2) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)
  ltac:(lra) ltac:(lra) ltac:(intros; lra)); cbv zeta in h; simpl sum_f_R0 in h; simpl INR in h.
replace (2 * 1 / (1 * 1)) with 2 in h by field.
pose proof (ln_le 2 ltac:(lra)) as l1; pose proof ln_lt_2 as l2.
assert (e : (/ 6 * 2 * 1 * sqrt (ln 2)) ^ 2 = ln 2 / 9).
  rewrite !Rpow_mult_distr, pow2_sqrt by lra; field.
rewrite e in h; set (x := ln 2) in *.
replace (1 ^ 2 / (16 * 1 ^ 2 * (x / 9))) with (9 / 16 * / x) in h by (field; lra).
assert (1 <= / x) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra); lra.
Qed.
