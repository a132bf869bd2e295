(* The constants of Theorem 4.1: the bonus, the number of deployments, and the batch size
   that Hoeffding's inequality asks for. *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From derl.common Require Import reals limits.
From derl.layerwise Require Import sizes.
Local Open Scope R_scope.

(* [text-beta-undefined] is false: the logarithm under the root of beta can be negative *)
Theorem text_beta_undefined_refuted : ~ (forall d H eps delta, 1 <= d -> 1 <= H -> 0 < eps -> 0 < delta ->
  0 <= ln (d * H * (/ delta * / eps))).
Proof.
intros h; specialize (h 1 1 2 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
replace (1 * 1 * (/ 1 * / 2)) with (/ 2) in h by field.
rewrite ln_Rinv in h by lra; pose proof ln_lt_2; lra.
Qed.
(* it is not negative for delta eps <= d H *)
Theorem text_beta_defined d H eps delta : 0 < eps -> 0 < delta -> delta * eps <= d * H ->
  0 <= ln (d * H * (/ delta * / eps)).
Proof.
intros e0 t0 h; apply ln_ge0; assert (p : 0 < delta * eps) by (apply Rmult_lt_0_compat; assumption).
apply Rmult_le_reg_r with (delta * eps); [exact p|].
replace (d * H * (/ delta * / eps) * (delta * eps)) with (d * H) by (field; lra); lra.
Qed.

(* [eq-deployments], whole: floor (c_K d H) + 1 is the largest whole number up to c_K d H + 1 *)
Theorem eq_deployments c d H : let K := (Int_part (c * d * H) + 1)%Z in
  IZR K <= c * d * H + 1 /\ forall m, IZR m <= c * d * H + 1 -> (m <= K)%Z.
Proof.
intros K; unfold K; destruct (base_Int_part (c * d * H)) as [h1 h2].
rewrite plus_IZR; simpl; split; [lra|intros m hm].
apply Zlt_succ_le, lt_IZR; unfold Z.succ; rewrite !plus_IZR; simpl; lra.
Qed.

(* control: floor (c_K d H) is not the largest *)
Theorem eq_deployments_control : ~ (forall c d H m, IZR m <= c * d * H + 1 ->
  (m <= Int_part (c * d * H))%Z).
Proof.
intros h; specialize (h 0 0 0 1%Z ltac:(simpl; lra)).
replace (0 * 0 * 0) with (IZR 0) in h by (simpl; lra); destruct (base_Int_part (IZR 0)) as [h1 _].
apply le_IZR in h1; lia.
Qed.

(* the deviation of an average of N numbers in [0, 2 beta H] that Hoeffding's inequality
   allows with the logarithm l *)
Definition deviation (beta H N l : R) : R := 2 * beta * H * sqrt (1 / (2 * N) * l).

Lemma deviation_le beta H N l t : 0 < beta -> 0 < H -> 0 < N -> 0 < t -> 0 <= l ->
  2 * beta ^ 2 * H ^ 2 * l <= N * t ^ 2 -> deviation beta H N l <= t.
Proof.
intros b0 H0 N0 t0 l0 h; unfold deviation.
assert (p : 0 < 2 * beta * H) by (repeat apply Rmult_lt_0_compat; lra).
assert (s : sqrt (1 / (2 * N) * l) <= t / (2 * beta * H)).
  rewrite <- (sqrt_Rsqr (t / (2 * beta * H))) by (left; apply Rdiv_lt_0_compat; assumption).
  apply sqrt_le_1_alt; unfold Rsqr.
  apply Rmult_le_reg_r with (4 * N * beta ^ 2 * H ^ 2).
    repeat apply Rmult_lt_0_compat; try apply pow_lt; lra.
  replace (1 / (2 * N) * l * (4 * N * beta ^ 2 * H ^ 2)) with (2 * beta ^ 2 * H ^ 2 * l) by (field; lra).
  replace (t / (2 * beta * H) * (t / (2 * beta * H)) * (4 * N * beta ^ 2 * H ^ 2)) with (N * t ^ 2)
    by (field; lra); exact h.
apply Rmult_le_compat_l with (r := 2 * beta * H) in s; [|lra].
replace (2 * beta * H * (t / (2 * beta * H))) with t in s by (field; lra); exact s.
Qed.

(* [res-n-constraint-2], whole *)
Theorem res_n_constraint_2 cbeta d H eps delta K N : 0 < cbeta -> 0 < d -> 0 < H -> 0 < eps ->
  0 < delta -> delta <= K -> 1 < d * H / (delta * eps) ->
  let beta := cbeta * d * H * sqrt (ln (d * H / (delta * eps))) in
  8 * beta ^ 2 * H ^ 2 / eps ^ 2 * ln (K / delta) =
    8 * cbeta ^ 2 * (d ^ 2 * H ^ 4 / eps ^ 2) * ln (d * H / (delta * eps)) * ln (K / delta) /\
  (0 < N -> 8 * beta ^ 2 * H ^ 2 / eps ^ 2 * ln (K / delta) <= N ->
    deviation beta H N (ln (K / delta)) <= eps / 2).
Proof.
intros c0 d0 H0 e0 t0 tK big beta.
assert (L0 : 0 < ln (d * H / (delta * eps))) by (apply ln_gt0; exact big).
assert (b2 : beta ^ 2 = cbeta ^ 2 * d ^ 2 * H ^ 2 * ln (d * H / (delta * eps))).
  unfold beta; rewrite !Rpow_mult_distr, pow2_sqrt by lra; ring.
assert (b0 : 0 < beta).
  unfold beta; repeat apply Rmult_lt_0_compat; try assumption; apply sqrt_lt_R0; exact L0.
assert (l0 : 0 <= ln (K / delta)).
  apply ln_ge0, Rmult_le_reg_r with delta; [exact t0|]; unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
split; [rewrite b2; field; lra|intros N0 h].
apply deviation_le; try assumption; [lra|].
apply Rmult_le_compat_r with (r := eps ^ 2 / 4) in h; [|assert (0 < eps ^ 2) by (apply pow_lt; exact e0); lra].
replace (8 * beta ^ 2 * H ^ 2 / eps ^ 2 * ln (K / delta) * (eps ^ 2 / 4)) with
  (2 * beta ^ 2 * H ^ 2 * ln (K / delta)) in h by (field; lra).
replace (N * (eps / 2) ^ 2) with (N * (eps ^ 2 / 4)) by field; exact h.
Qed.

(* control: with 7 in the place of 8 the deviation is too large *)
Theorem res_n_constraint_2_control : ~ (forall beta H eps l N, 0 < beta -> 0 < H -> 0 < eps -> 0 < l -> 0 < N ->
  7 * beta ^ 2 * H ^ 2 / eps ^ 2 * l <= N -> deviation beta H N l <= eps / 2).
Proof.
intros h; specialize (h 1 1 1 1 7 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
unfold deviation in h; replace (1 / (2 * 7) * 1) with (/ 14) in h by field.
assert (s : / 4 < sqrt (/ 14)).
  rewrite <- (sqrt_square (/ 4)) by lra; apply sqrt_lt_1; lra.
lra.
Qed.

(* [eq-n-constraint-2], the order, is false: for no C, however small eps is, is the size at
   most C d^2 H^4 / eps^2 log^2 (K / delta) *)
Theorem eq_n_constraint_2_refuted cbeta d H delta K :
  0 < cbeta -> 1 <= d -> 1 <= H -> 0 < delta < 1 -> 1 <= K ->
  forall C, exists eps, 0 < eps <= 1 /\
  let beta := cbeta * d * H * sqrt (ln (d * H / (delta * eps))) in
  C * (d ^ 2 * H ^ 4 / eps ^ 2 * ln (K / delta) ^ 2) < 8 * beta ^ 2 * H ^ 2 / eps ^ 2 * ln (K / delta).
Proof.
intros c0 d1 H1 [t0 t1] K1 C; set (l := ln (K / delta)).
assert (l0 : 0 < l).
  apply ln_gt0, Rmult_lt_reg_r with delta; [exact t0|]; unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
assert (c2 : 0 < 8 * cbeta ^ 2) by (apply Rmult_lt_0_compat; [lra|apply pow_lt; exact c0]).
set (T := Rabs C * l / (8 * cbeta ^ 2) + 1).
assert (T1 : 1 <= T).
  assert (0 <= Rabs C * l / (8 * cbeta ^ 2)); [|unfold T; lra].
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rabs_pos|lra]|left; apply Rinv_0_lt_compat; exact c2].
exists (exp (- T)); assert (e0 : 0 < exp (- T)) by apply exp_pos.
split; [split; [exact e0|rewrite <- exp_0; apply exp_le; lra]|].
assert (L1 : T <= ln (d * H / (delta * exp (- T)))).
  rewrite <- (ln_exp T) at 1; apply ln_mono; [apply exp_pos|].
  apply Rmult_le_reg_r with (delta * exp (- T)); [apply Rmult_lt_0_compat; lra|].
  replace (exp T * (delta * exp (- T))) with (delta * (exp T * exp (- T))) by ring.
  rewrite <- exp_plus, Rplus_opp_r, exp_0; unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; [nra|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
set (L := ln (d * H / _)) in *; intros beta.
assert (b2 : beta ^ 2 = cbeta ^ 2 * d ^ 2 * H ^ 2 * L).
  unfold beta; rewrite !Rpow_mult_distr, pow2_sqrt by lra; ring.
rewrite b2.
assert (P : 0 < d ^ 2 * H ^ 4 / exp (- T) ^ 2 * l).
  apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat|exact l0]; try apply pow_lt; try exact e0.
  apply Rmult_lt_0_compat; apply pow_lt; lra.
replace (C * (d ^ 2 * H ^ 4 / exp (- T) ^ 2 * l ^ 2)) with
  (C * l * (d ^ 2 * H ^ 4 / exp (- T) ^ 2 * l)) by (field; lra).
replace (8 * (cbeta ^ 2 * d ^ 2 * H ^ 2 * L) * H ^ 2 / exp (- T) ^ 2 * l) with
  (8 * cbeta ^ 2 * L * (d ^ 2 * H ^ 4 / exp (- T) ^ 2 * l)) by (field; lra).
apply Rmult_lt_compat_r; [exact P|].
apply Rlt_le_trans with (8 * cbeta ^ 2 * T); [|apply Rmult_le_compat_l; lra].
replace (8 * cbeta ^ 2 * T) with (Rabs C * l + 8 * cbeta ^ 2) by (unfold T; field; lra).
pose proof (Rle_abs C); nra.
Qed.

(* whatever the constants, for every large trade-off the printed size is below A ln (K / delta) *)
Lemma logarithm_overtakes_printed_size p cst d H eps L A delta :
  1 <= d -> 1 <= H -> 0 < eps -> 0 < L -> 0 < A -> 0 < delta < 1 ->
  exists c0, forall c, c0 < c -> printed_size p cst c d H eps L < A * ln ((c * d * H + 1) / delta).
Proof.
intros d1 H1 e0 L0 A0 [t0 t1].
pose proof (size_limit p cst d H eps L ltac:(lra) ltac:(lra) e0 L0) as lim.
set (l := limit_size p cst d H eps L) in *.
destruct (lim 1 Rlt_0_1) as [c0 hc].
exists (Rmax (Rmax c0 1) (exp ((Rabs l + 1) / A))); intros c h.
pose proof (Rmax_l (Rmax c0 1) (exp ((Rabs l + 1) / A))).
pose proof (Rmax_r (Rmax c0 1) (exp ((Rabs l + 1) / A))).
pose proof (Rmax_l c0 1); pose proof (Rmax_r c0 1).
assert (s := hc c ltac:(lra)); apply Rabs_def2 in s; pose proof (Rle_abs l).
apply Rlt_le_trans with (Rabs l + 1); [lra|].
replace (Rabs l + 1) with (A * ((Rabs l + 1) / A)) by (field; lra).
apply Rmult_le_compat_l; [lra|]; rewrite <- (ln_exp ((Rabs l + 1) / A)).
apply ln_mono; [apply exp_pos|]; apply Rle_trans with c; [lra|].
apply Rmult_le_reg_r with delta; [exact t0|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra.
assert (1 <= d * H) by nra; replace (c * d * H) with (c * (d * H)) by ring; nra.
Qed.

(* [text-combined-n] is false for condition (12): whatever the constant, for every large
   trade-off the printed size is below it *)
Theorem text_combined_n_refuted cst cbeta d H eps delta :
  0 < cbeta -> 1 <= d -> 1 <= H -> 0 < eps <= 1 -> 0 < delta < 1 ->
  let L := ln (H * d / (delta * eps)) in
  let beta := cbeta * d * H * sqrt L in
  exists c0, forall c, c0 < c ->
    printed_size 4 cst c d H eps L < 8 * beta ^ 2 * H ^ 2 / eps ^ 2 * ln ((c * d * H + 1) / delta).
Proof.
intros b0 d1 H1 [e0 e1] [t0 t1] L beta.
assert (L0 : 0 < L).
  apply ln_gt0, Rmult_lt_reg_r with (delta * eps); [apply Rmult_lt_0_compat; lra|]; unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; [nra|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
set (A := 8 * beta ^ 2 * H ^ 2 / eps ^ 2).
assert (A0 : 0 < A).
  unfold A; apply Rdiv_lt_0_compat; [|apply pow_lt; exact e0].
  apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [lra|]|]; apply pow_lt; [|lra].
  unfold beta; repeat apply Rmult_lt_0_compat; try lra; apply sqrt_lt_R0; exact L0.
exact (logarithm_overtakes_printed_size 4 cst d H eps L A delta d1 H1 e0 L0 A0 (conj t0 t1)).
Qed.
