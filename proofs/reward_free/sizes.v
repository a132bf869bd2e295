(* Batch sizes of reward-free exploration, and which deployments violate. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals limits.
From derl.layerwise Require Import sizes constants.
Local Open Scope R_scope.

(* the batch size of Equation (19), with the logarithm l *)
Definition hoeffding_size (beta H eps l : R) : R :=
  8 * beta ^ 2 * H ^ 2 * (2 * H + 1) ^ 2 / eps ^ 2 * l.

(* [res-hoeffding-size-reward-free], whole *)
Theorem res_hoeffding_size_reward_free beta H eps l : 0 < beta -> 1 <= H -> 0 < eps -> 0 < l ->
  deviation beta H (hoeffding_size beta H eps l) l = eps / (4 * H + 2) /\
  forall cbeta d L, 0 < cbeta -> 0 < d -> 0 < L -> beta = cbeta * d * H * sqrt L ->
    hoeffding_size beta H eps l <= 72 * cbeta ^ 2 * d ^ 2 * H ^ 6 * / eps ^ 2 * L * l.
Proof.
intros b0 H1 e0 l0; split.
- unfold deviation, hoeffding_size.
  replace (1 / (2 * (8 * beta ^ 2 * H ^ 2 * (2 * H + 1) ^ 2 / eps ^ 2 * l)) * l) with
    (Rsqr (eps / (4 * beta * H * (2 * H + 1)))) by (unfold Rsqr; field; lra).
  rewrite sqrt_Rsqr; [field; lra|].
  left; apply Rdiv_lt_0_compat; [exact e0|]; repeat apply Rmult_lt_0_compat; lra.
- intros cbeta d L c0 d0 L0 bE; unfold hoeffding_size.
  assert (b2 : beta ^ 2 = cbeta ^ 2 * d ^ 2 * H ^ 2 * L).
    rewrite bE, !Rpow_mult_distr, pow2_sqrt by lra; ring.
  rewrite b2; set (q := cbeta ^ 2 * d ^ 2 * H ^ 4 * / eps ^ 2 * L * l).
  assert (q0 : 0 < q).
    unfold q; repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; try apply pow_lt; lra.
  replace (8 * (cbeta ^ 2 * d ^ 2 * H ^ 2 * L) * H ^ 2 * (2 * H + 1) ^ 2 / eps ^ 2 * l) with
    (8 * (2 * H + 1) ^ 2 * q) by (unfold q; field; lra).
  replace (72 * cbeta ^ 2 * d ^ 2 * H ^ 6 * / eps ^ 2 * L * l) with (72 * H ^ 2 * q)
    by (unfold q; field; lra).
  apply Rmult_le_compat_r; [lra|]; nra.
Qed.

(* control: 71 in the place of 72 is not enough, for H = 1 *)
Theorem res_hoeffding_size_reward_free_control :
  ~ (forall H, 1 <= H -> hoeffding_size H H 1 1 <= 71 * H ^ 6).
Proof. intros h; specialize (h 1 ltac:(lra)); unfold hoeffding_size in h; lra. Qed.

(* [eq-hoeffding-size-reward-free], the order, is false: eps can be so small that the size
   exceeds C d^2 H^6 / eps^2 log^2 (K / delta) *)
Theorem eq_hoeffding_size_reward_free_refuted cbeta d H delta K :
  0 < cbeta -> 1 <= d -> 1 <= H -> 0 < delta < 1 -> 1 <= K ->
  forall C, exists eps, 0 < eps <= 1 /\
  let beta := cbeta * d * H * sqrt (ln (d * H / (delta * eps))) in
  C * (d ^ 2 * H ^ 6 / eps ^ 2 * ln (K / delta) ^ 2) < hoeffding_size beta H eps (ln (K / delta)).
Proof.
intros c0 d1 H1 t K1 C.
destruct (eq_n_constraint_2_refuted cbeta d H delta K c0 d1 H1 t K1 (Rabs C)) as [eps [[e0 e1] h]].
exists eps; split; [split; assumption|]; intros beta; cbv zeta in h; fold beta in h.
unfold hoeffding_size; set (l := ln (K / delta)) in *.
set (u := d ^ 2 * H ^ 4 / eps ^ 2 * l ^ 2) in *.
assert (u0 : 0 <= u).
  unfold u, Rdiv; apply Rmult_le_pos; [|apply pow2_ge_0].
  apply Rmult_le_pos; [apply Rmult_le_pos; apply pow_le; lra|left; apply Rinv_0_lt_compat, pow_lt; exact e0].
replace (C * (d ^ 2 * H ^ 6 / eps ^ 2 * l ^ 2)) with (C * u * H ^ 2) by (unfold u; field; lra).
replace (8 * beta ^ 2 * H ^ 2 * (2 * H + 1) ^ 2 / eps ^ 2 * l) with
  (8 * beta ^ 2 * H ^ 2 / eps ^ 2 * l * (2 * H + 1) ^ 2) by (field; lra).
set (w := 8 * beta ^ 2 * H ^ 2 / eps ^ 2 * l) in *.
pose proof (Rle_abs C); pose proof (Rabs_pos C).
assert (hH : 0 < H ^ 2) by (apply pow_lt; lra).
assert (w0 : 0 <= w) by nra.
apply Rle_lt_trans with (Rabs C * u * H ^ 2).
  apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_r; assumption.
apply Rlt_le_trans with (w * H ^ 2); [apply Rmult_lt_compat_r; assumption|].
apply Rmult_le_compat_l; [exact w0|nra].
Qed.

(* [eq-batch-size-reward-free], that (16) implies (19) with one constant for all c_K, is
   false: for every large trade-off the printed size (16) is below (19) *)
Theorem eq_batch_size_reward_free_refuted cst cbeta d H eps delta :
  0 < cbeta -> 1 <= d -> 1 <= H -> 0 < eps <= 1 -> 0 < delta < 1 ->
  let L := ln (H * d / (delta * eps)) in
  let beta := cbeta * d * H * sqrt L in
  exists c0, forall c, c0 < c ->
    printed_size 6 cst c d H eps L < hoeffding_size beta H eps (ln ((c * d * H + 1) / delta)).
Proof.
intros b0 d1 H1 [e0 e1] [t0 t1] L beta.
assert (L0 : 0 < L).
  apply ln_gt0, Rmult_lt_reg_r with (delta * eps); [apply Rmult_lt_0_compat; lra|]; unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; [nra|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
set (A := 8 * beta ^ 2 * H ^ 2 * (2 * H + 1) ^ 2 / eps ^ 2).
assert (A0 : 0 < A).
  unfold A; apply Rdiv_lt_0_compat; [|apply pow_lt; exact e0].
  apply Rmult_lt_0_compat; [|apply pow_lt; lra].
  apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [lra|]|]; apply pow_lt; [|lra].
  unfold beta; repeat apply Rmult_lt_0_compat; try lra; apply sqrt_lt_R0; exact L0.
exact (logarithm_overtakes_printed_size 6 cst d H eps L A delta d1 H1 e0 L0 A0 (conj t0 t1)).
Qed.

(* One state, one action, the feature 1, d = H = N = 1: before deployment k + 1 the
   covariance is 1 + k, so the norm is 1 / sqrt (1 + k) and Delta twice beta times it. *)
Definition lone_delta (beta : R) (k : nat) : R := 2 * beta * / sqrt (1 + INR k).

(* [text-counted-event] is false: with beta = 1 and eps = 1/2 a deployment does not finish
   its layer, eps / ((4H+2)H) <= Delta, while the square of the norm is below the level
   eps^2 / (16 H^2 beta^2) of inequality (9); it is at the level of (17) *)
Theorem text_counted_event_refuted :
  ~ (forall k eps beta, 0 < eps -> 0 < beta -> eps / ((4 * 1 + 2) * 1) <= lone_delta beta k ->
     eps ^ 2 / (16 * 1 ^ 2 * beta ^ 2) <= / (1 + INR k)) /\
  (forall k eps beta, 0 < eps -> 0 < beta -> eps / ((4 * 1 + 2) * 1) <= lone_delta beta k ->
     eps ^ 2 / (16 * 1 ^ 2 * (2 * 1 + 1) ^ 2 * beta ^ 2) <= / (1 + INR k)).
Proof.
split.
- intros h; specialize (h 575%nat (1 / 2) 1 ltac:(lra) ltac:(lra)).
  assert (e : 1 + INR 575 = 24 * 24) by (simpl INR; lra).
  unfold lone_delta in h; rewrite e, sqrt_square in h by lra.
  assert (k := h ltac:(lra)); lra.
- intros k eps beta e0 b0; unfold lone_delta; pose proof (pos_INR k).
  set (n := 1 + INR k) in *; assert (n0 : 0 < n) by (unfold n; lra).
  assert (s0 : 0 < sqrt n) by (apply sqrt_lt_R0; exact n0).
  assert (ss : sqrt n * sqrt n = n) by (apply sqrt_sqrt; lra).
  intros h.
  assert (i : / n = / sqrt n * / sqrt n) by (rewrite <- ss at 1; field; lra).
  rewrite i; set (q := / sqrt n) in *; assert (q0 : 0 < q) by (apply Rinv_0_lt_compat; exact s0).
  assert (m : eps / (12 * beta) <= q).
    apply Rmult_le_reg_r with (2 * beta); [lra|].
    replace (eps / (12 * beta) * (2 * beta)) with (eps / ((4 * 1 + 2) * 1)) by (field; lra); lra.
  assert (p : 0 < eps / (12 * beta)) by (apply Rdiv_lt_0_compat; lra).
  replace (eps ^ 2 / (16 * 1 ^ 2 * (2 * 1 + 1) ^ 2 * beta ^ 2)) with
    (eps / (12 * beta) * (eps / (12 * beta))) by (field; lra).
  apply Rmult_le_compat; lra.
Qed.
