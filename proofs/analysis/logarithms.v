(* Constants of Theorem E.9 that stand beside logarithms. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals.
Local Open Scope R_scope.

(* (1 + x)^n <= exp (n x): for bounds of logarithms *)
Lemma exp_pow_ge n x : 0 <= 1 + x -> (1 + x) ^ n <= exp (INR n * x).
Proof.
intros x0; assert (e : exp (INR n * x) = exp x ^ n).
  rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp; reflexivity.
rewrite e; apply pow_incr; split; [exact x0|apply exp_ge].
Qed.

Lemma ln2_bounds : 66 / 100 <= ln 2 <= 3 / 4.
Proof.
split.
- assert (h : exp (66 / 100) <= 2).
    pose proof (exp_pow_ge 16 (- (66 / 1600)) ltac:(lra)) as k; simpl INR in k.
    replace (_ * - (66 / 1600)) with (- (66 / 100)) in k by lra; rewrite exp_Ropp in k.
    assert (p : / 2 <= (1 + - (66 / 1600)) ^ 16) by lra.
    pose proof (exp_pos (66 / 100)) as e0.
    apply Rmult_le_reg_r with (/ exp (66 / 100)); [apply Rinv_0_lt_compat; exact e0|].
    rewrite Rinv_r by lra; lra.
  rewrite <- (ln_exp (66 / 100)); apply ln_mono; [apply exp_pos|exact h].
- pose proof (exp_pow_ge 8 (3 / 32) ltac:(lra)) as k; simpl INR in k.
  rewrite <- (ln_exp (3 / 4)); apply ln_mono; [lra|].
  replace (3 / 4) with ((1 + 1 + 1 + 1 + 1 + 1 + 1 + 1) * (3 / 32)) by lra.
  apply Rle_trans with (2 := k); lra.
Qed.

Lemma ln12_upper : ln 12 <= 26 / 10.
Proof.
pose proof (exp_pow_ge 32 (26 / 320) ltac:(lra)) as k; simpl INR in k.
rewrite <- (ln_exp (26 / 10)); apply ln_mono; [lra|].
replace (_ * (26 / 320)) with (26 / 10) in k by lra.
apply Rle_trans with (2 := k); lra.
Qed.

(* [eq-beta-prime], whole: with c' = 24 *)
Theorem eq_beta_prime d H N eps delta : 1 <= d -> 1 <= H -> 1 <= N -> 0 < delta <= 1 ->
  0 < eps -> eps <= / N -> eps <= / (4 * d) ->
  let beta := 24 * d * sqrt (ln (d * H * N / (eps * delta))) in
  12 * d * sqrt (ln (d * H * N * beta / (eps * delta))) + sqrt d <= beta.
Proof.
intros d1 H1 N1 [t0 t1] e0 eN ed beta.
set (M := d * H * N / (eps * delta)) in *.
assert (ed0 : 0 < eps * delta) by (apply Rmult_lt_0_compat; assumption).
assert (M4 : 4 * d ^ 2 <= M).
  apply Rmult_le_reg_r with (eps * delta); [exact ed0|].
  unfold M, Rdiv; rewrite (Rmult_assoc (d * H * N)), Rinv_l by lra.
  assert (k : eps * (4 * d) <= 1).
    apply Rmult_le_compat_r with (r := 4 * d) in ed; [|lra]; rewrite Rinv_l in ed by lra; exact ed.
  assert (q : eps * delta * (4 * d) <= 1) by nra.
  assert (w : 1 <= H * N) by nra.
  replace (4 * d ^ 2 * (eps * delta)) with (d * (eps * delta * (4 * d))) by ring.
  replace (d * H * N * 1) with (d * (H * N)) by ring; apply Rmult_le_compat_l; lra.
set (L := ln M) in *; destruct ln2_bounds as [l2 _].
assert (LM : 2 * ln 2 + 2 * ln d <= L).
  apply Rle_trans with (ln (4 * d ^ 2)); [|apply ln_mono; [nra|exact M4]].
  replace (4 * d ^ 2) with (2 * d * (2 * d)) by ring; rewrite !ln_mult by nra; lra.
assert (ld : 0 <= ln d) by (apply ln_ge0; exact d1).
assert (L1 : 132 / 100 <= L) by lra.
assert (s0 : 0 < sqrt L) by (apply sqrt_lt_R0; lra).
assert (ss : sqrt L ^ 2 = L) by (apply pow2_sqrt; lra).
assert (b0 : 0 < beta) by (unfold beta; repeat apply Rmult_lt_0_compat; lra).
assert (lb : ln beta <= 21 / 10 + L).
  unfold beta; rewrite !ln_mult by (try lra; apply Rmult_lt_0_compat; lra).
  assert (ls : ln (sqrt L) <= (L - 1) / 2).
    assert (e : 2 * ln (sqrt L) = ln L).
      rewrite <- ss at 2; simpl; rewrite Rmult_1_r, ln_mult by exact s0; ring.
    pose proof (ln_le L ltac:(lra)); lra.
  assert (l24 : ln 24 = ln 12 + ln 2) by (rewrite <- ln_mult by lra; f_equal; lra).
  pose proof ln12_upper; lra.
assert (M0 : 0 < M) by nra.
assert (E : d * H * N * beta / (eps * delta) = M * beta) by (unfold M; field; lra).
rewrite E, ln_mult by assumption; fold L; set (X := L + ln beta).
assert (Xb : X <= 2 * L + 21 / 10) by (unfold X; lra).
assert (sd : sqrt d <= d).
  rewrite <- (sqrt_square d) at 2 by lra; apply sqrt_le_1_alt; nra.
assert (sX : sqrt X <= 2 * sqrt L - 1 / 12).
  assert (g : 1 / 24 <= sqrt L).
    rewrite <- (sqrt_square (1 / 24)) by lra; apply sqrt_le_1_alt; lra.
  rewrite <- (sqrt_pow2 (2 * sqrt L - 1 / 12)) by lra; apply sqrt_le_1_alt.
  replace ((2 * sqrt L - 1 / 12) ^ 2) with (4 * sqrt L ^ 2 - sqrt L / 3 + 1 / 144) by field.
  rewrite ss; assert (a : sqrt L <= (L + 1) / 2) by nra; lra.
apply Rle_trans with (12 * d * (2 * sqrt L - 1 / 12) + d); [|unfold beta; lra].
apply Rplus_le_compat; [apply Rmult_le_compat_l; lra|exact sd].
Qed.

(* control: with c' = 12 it is false *)
Theorem eq_beta_prime_control : ~ (forall d H N eps delta, 1 <= d -> 1 <= H -> 1 <= N -> 0 < delta <= 1 ->
  0 < eps -> eps <= / N -> eps <= / (4 * d) ->
  let beta := 12 * d * sqrt (ln (d * H * N / (eps * delta))) in
  12 * d * sqrt (ln (d * H * N * beta / (eps * delta))) + sqrt d <= beta).
Proof.
intros h; specialize (h 1 1 1 (/ 4) 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
cbv zeta in h; rewrite sqrt_1 in h.
replace (1 * 1 * 1 / (/ 4 * 1)) with 4 in h by field.
set (s := sqrt (ln 4)) in *.
replace (1 * 1 * 1 * (12 * 1 * s) / (/ 4 * 1)) with (4 * (12 * s)) in h by field.
destruct ln2_bounds as [l2 _].
assert (l4 : ln 4 = ln 2 + ln 2) by (rewrite <- ln_mult by lra; f_equal; lra).
assert (s1 : 1 <= s) by (unfold s; rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra).
assert (m : s <= sqrt (ln (4 * (12 * s)))); [|lra].
unfold s at 1; apply sqrt_le_1_alt, ln_mono; lra.
Qed.

Lemma ln_tangent y a : 0 < a -> 0 < y -> ln y <= ln a + y / a - 1.
Proof.
intros a0 y0; pose proof (ln_le (y / a) ltac:(apply Rdiv_lt_0_compat; assumption)) as h.
unfold Rdiv in *; rewrite ln_mult, ln_Rinv in h; try lra; apply Rinv_0_lt_compat; exact a0.
Qed.

(* [res-i-max], whole *)
Theorem res_i_max d nu i : 1 <= d -> 0 < nu <= 1 -> 1300 * (d / nu ^ 4) * ln (2 / nu) <= i ->
  sqrt (2 * (d * ln (1 + i / d) / i)) <= nu ^ 2 / 8.
Proof.
intros d1 [n0 n1] hi; set (s := / nu ^ 4).
assert (p4 : 0 < nu ^ 4) by (apply pow_lt; exact n0).
assert (s1 : 1 <= s).
  unfold s; rewrite <- Rinv_1; apply Rinv_le_contravar; [exact p4|].
  rewrite <- (pow1 4); apply pow_incr; lra.
assert (ls : ln s = - (4 * ln nu)).
  unfold s; rewrite ln_Rinv by exact p4; f_equal.
  rewrite <- (Rpower_pow 4 nu n0); unfold Rpower; rewrite ln_exp; simpl; ring.
assert (ln2 : ln (2 / nu) = ln 2 + ln s / 4).
  unfold Rdiv at 1; rewrite ln_mult, ln_Rinv, ls; try lra; apply Rinv_0_lt_compat; exact n0.
destruct ln2_bounds as [l2 u2]; pose proof (ln_ge0 s s1) as ls0.
set (y := i / d).
assert (hy : 1300 * ln 2 + 325 * ln s <= y / s).
  apply Rmult_le_reg_r with (d * s); [nra|].
  replace (y / s * (d * s)) with i by (unfold y; field; lra).
  apply Rle_trans with (2 := hi); rewrite ln2; right; unfold s; field; lra.
assert (y0 : 0 < y).
  assert (0 < y / s) by lra; replace y with (y / s * s) by (field; lra).
  apply Rmult_lt_0_compat; lra.
assert (i0 : 0 < i) by (replace i with (y * d) by (unfold y; field; lra); nra).
assert (K : 128 * ln (1 + y) <= y / s).
  assert (t := ln_tangent (1 + y) (1024 * s) ltac:(lra) ltac:(lra)).
  rewrite ln_mult in t by lra.
  assert (l1024 : ln 1024 = 10 * ln 2).
    replace 1024 with (2 ^ 10) by ring; rewrite <- Rpower_pow by lra.
    unfold Rpower; rewrite ln_exp; simpl; ring.
  assert (r : (1 + y) / (1024 * s) <= 1 / 1024 + y / s / 1024).
    replace ((1 + y) / (1024 * s)) with (/ s / 1024 + y / s / 1024) by (field; lra).
    assert (/ s <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra); lra.
  lra.
rewrite <- (sqrt_pow2 (nu ^ 2 / 8)) by (assert (0 <= nu ^ 2) by apply pow2_ge_0; lra).
apply sqrt_le_1_alt.
replace ((nu ^ 2 / 8) ^ 2) with (/ s / 64) by (unfold s; field; lra).
replace (2 * (d * ln (1 + y) / i)) with (2 * (ln (1 + y) / y)) by
  (replace i with (y * d) by (unfold y; field; lra); field; lra).
apply Rmult_le_reg_r with (64 * y * s); [nra|].
assert (Ks : 128 * ln (1 + y) * s <= y / s * s) by (apply Rmult_le_compat_r; lra).
assert (A : 2 * (ln (1 + y) / y) * (64 * y * s) = 128 * ln (1 + y) * s) by (field; lra).
assert (B : / s / 64 * (64 * y * s) = y) by (field; lra).
assert (C : y / s * s = y) by (field; lra).
rewrite A, B; rewrite C in Ks; exact Ks.
Qed.

(* [eq-i-max] is false: for every constant some nu, with d = 1, needs more *)
Theorem eq_i_max_refuted : ~ (exists c, 0 < c /\ forall d nu, 1 <= d -> 0 < nu <= 1 ->
  let i := c * (d / nu ^ 4) * ln (d / nu) in
  0 < i -> sqrt (2 * (d * ln (1 + i / d) / i)) <= nu ^ 2 / 8).
Proof.
intros [c [c0 h]].
set (t := / (c * exp 4 + 1)).
assert (q : 0 < c * exp 4) by (apply Rmult_lt_0_compat; [exact c0|apply exp_pos]).
assert (t0 : 0 < t) by (apply Rinv_0_lt_compat; lra).
assert (t1 : t <= 1) by (unfold t; rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
assert (n0 : 0 < exp (- t)) by apply exp_pos.
assert (n1 : exp (- t) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
specialize (h 1 (exp (- t)) ltac:(lra) (conj n0 n1)); cbv zeta in h.
set (i := c * (1 / exp (- t) ^ 4) * ln (1 / exp (- t))) in h.
assert (E : i = c * exp (4 * t) * t).
  unfold i; f_equal; [f_equal|].
    unfold Rdiv; rewrite Rmult_1_l, <- Rpower_pow by exact n0; unfold Rpower.
    rewrite ln_exp, <- exp_Ropp; f_equal; simpl; ring.
  unfold Rdiv; rewrite Rmult_1_l, <- exp_Ropp, ln_exp; ring.
assert (i0 : 0 < i) by (rewrite E; repeat apply Rmult_lt_0_compat; try apply exp_pos; assumption).
assert (i1 : i <= 1).
  rewrite E; apply Rle_trans with (c * exp 4 * t).
    apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_l; [lra|]; apply exp_le; lra.
  unfold t; apply Rmult_le_reg_r with (c * exp 4 + 1); [lra|].
  rewrite Rmult_assoc, Rinv_l; lra.
specialize (h i0); revert h; apply Rlt_not_le.
assert (n2 : exp (- t) ^ 2 <= 1) by (rewrite <- (pow1 2); apply pow_incr; lra).
apply Rle_lt_trans with (1 / 8); [lra|].
rewrite <- (sqrt_square (1 / 8)) by lra; apply sqrt_lt_1_alt; split; [lra|].
pose proof (ln_ge (1 + i) ltac:(lra)) as g.
replace (2 * (1 * ln (1 + i / 1) / i)) with (2 * (ln (1 + i) / i)) by
  (replace (i / 1) with i by field; field; lra).
apply Rmult_lt_reg_r with i; [exact i0|].
replace (2 * (ln (1 + i) / i) * i) with (2 * ln (1 + i)) by (field; lra).
assert (k : i / 2 <= 1 - / (1 + i)); [|lra].
apply Rmult_le_reg_r with (2 * (1 + i)); [lra|].
replace ((1 - / (1 + i)) * (2 * (1 + i))) with (2 * i) by (field; lra); nra.
Qed.
