(* Logarithms and real powers in Coq's real numbers: the few inequalities that
   the chapters need, each from 1 + u <= exp u. *)
From Coq Require Import Reals Lra Lia.
Local Open Scope R_scope.

Lemma exp_ge u : 1 + u <= exp u.
Proof.
destruct (Req_dec u 0) as [->|h]; [rewrite exp_0; lra|].
left; exact (exp_ineq1 u h).
Qed.

(* ln x <= x - 1 *)
Lemma ln_le x : 0 < x -> ln x <= x - 1.
Proof. intros h; pose proof (exp_ge (ln x)); rewrite exp_ln in H; lra. Qed.

(* 1 - 1/x <= ln x *)
Lemma ln_ge x : 0 < x -> 1 - / x <= ln x.
Proof.
intros h; pose proof (ln_le (/ x) (Rinv_0_lt_compat _ h)).
rewrite ln_Rinv in H; lra.
Qed.

(* x - 1 <= x ln x *)
Lemma x_ln_x x : 0 < x -> x - 1 <= x * ln x.
Proof.
intros h; pose proof (ln_ge x h).
apply Rle_trans with (x * (1 - / x)); [right; field; lra|].
apply Rmult_le_compat_l; lra.
Qed.

Lemma ln_ge0 x : 1 <= x -> 0 <= ln x.
Proof.
intros [h|<-]; [|rewrite ln_1; lra].
rewrite <- ln_1; left; apply ln_increasing; lra.
Qed.

Lemma ln_gt0 x : 1 < x -> 0 < ln x.
Proof. intros h; rewrite <- ln_1; apply ln_increasing; lra. Qed.

Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros h [h1| ->]; [left; apply ln_increasing; lra|lra]. Qed.

Lemma Rpower_gt0 x r : 0 < Rpower x r.
Proof. apply exp_pos. Qed.

(* the tangent of the power at 1: a^p <= p a + (1 - p) for 0 <= p <= 1 *)
Lemma young a p : 0 < a -> 0 <= p <= 1 -> Rpower a p <= p * a + (1 - p).
Proof.
intros a0 [p0 p1]; unfold Rpower; set (u := ln a).
assert (ea : exp u = a) by (apply exp_ln; exact a0).
set (e := exp (p * u)); assert (e0 : 0 < e) by apply exp_pos.
assert (h1 : e * (1 + (1 - p) * u) <= a).
{ rewrite <- ea; replace u with (p * u + (1 - p) * u) at 2 by ring.
  rewrite exp_plus; apply Rmult_le_compat_l; [left; exact e0|apply exp_ge]. }
assert (h2 : e * (1 - p * u) <= 1).
{ assert (E : e * exp (- (p * u)) = 1).
  { unfold e; rewrite <- exp_plus, Rplus_opp_r; apply exp_0. }
  rewrite <- E; apply Rmult_le_compat_l; [left; exact e0|].
  pose proof (exp_ge (- (p * u))); lra. }
pose proof (Rmult_le_compat_l p _ _ p0 h1).
assert (p2 : 0 <= 1 - p) by lra.
pose proof (Rmult_le_compat_l (1 - p) _ _ p2 h2).
nra.
Qed.

(* x^r >= 1 + r (x - 1) for r >= 1 *)
Lemma bernoulli_real x r : 0 < x -> 1 <= r -> 1 + r * (x - 1) <= Rpower x r.
Proof.
intros x0 r1.
assert (h : Rpower (Rpower x r) (/ r) <= / r * Rpower x r + (1 - / r)).
{ apply young; [apply exp_pos|split].
  - left; apply Rinv_0_lt_compat; lra.
  - rewrite <- Rinv_1; apply Rinv_le_contravar; lra. }
rewrite Rpower_mult, Rinv_r, Rpower_1 in h by lra.
pose proof (Rmult_le_compat_l r _ _ (Rle_trans _ _ _ Rle_0_1 r1) h).
replace (r * (/ r * Rpower x r + (1 - / r))) with (Rpower x r + r - 1) in H by (field; lra).
lra.
Qed.

Lemma Rpower_lt1 t c : 0 < t < 1 -> 1 < c -> Rpower t c < t.
Proof.
intros [t0 t1] c1; rewrite <- (Rpower_1 t) at 2 by exact t0.
unfold Rpower; apply exp_increasing.
assert (ln t < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
nra.
Qed.

(* 1 + y^c < (1 + y)^c for c > 1 *)
Lemma superadditive y c : 0 < y -> 1 < c -> 1 + Rpower y c < Rpower (1 + y) c.
Proof.
intros y0 c1; set (P := Rpower (1 + y) c).
assert (P0 : 0 < P) by apply exp_pos.
assert (s : forall t, 0 < t -> Rpower (t * (1 + y)) c = Rpower t c * P).
{ intros t t0; unfold P; rewrite Rpower_mult_distr; [reflexivity|lra|lra]. }
assert (e1 : 1 = Rpower (/ (1 + y)) c * P).
{ rewrite <- s by (apply Rinv_0_lt_compat; lra).
  replace (/ (1 + y) * (1 + y)) with 1 by (field; lra).
  unfold Rpower; rewrite ln_1, Rmult_0_r, exp_0; reflexivity. }
assert (e2 : Rpower y c = Rpower (y / (1 + y)) c * P).
{ rewrite <- s by (apply Rdiv_lt_0_compat; lra).
  f_equal; field; lra. }
assert (i0 : 0 < / (1 + y) < 1).
{ split; [apply Rinv_0_lt_compat; lra|].
  rewrite <- Rinv_1; apply Rinv_lt_contravar; lra. }
assert (i1 : y / (1 + y) = 1 - / (1 + y)) by (field; lra).
pose proof (Rpower_lt1 _ c i0 c1).
assert (j0 : 0 < y / (1 + y) < 1) by lra.
pose proof (Rpower_lt1 _ c j0 c1).
rewrite e1, e2, <- Rmult_plus_distr_r.
rewrite <- (Rmult_1_l P) at 2.
apply Rmult_lt_compat_r; lra.
Qed.

Lemma Rpower_mono x y r : 0 < x -> x <= y -> 0 <= r -> Rpower x r <= Rpower y r.
Proof.
intros x0 xy r0; unfold Rpower.
assert (h : r * ln x <= r * ln y) by (apply Rmult_le_compat_l; [lra|apply ln_mono; lra]).
destruct h as [h| ->]; [left; apply exp_increasing; exact h|right; reflexivity].
Qed.

Lemma exp_le u v : u <= v -> exp u <= exp v.
Proof. intros [h| ->]; [left; apply exp_increasing; exact h|lra]. Qed.

Lemma Rpower_ge1 x r : 1 <= x -> 0 <= r -> 1 <= Rpower x r.
Proof.
intros; rewrite <- exp_0 at 1; apply exp_le.
pose proof (ln_ge0 x H); nra.
Qed.

(* b is the largest member of the set *)
Definition largest (P : R -> Prop) (b : R) := P b /\ forall x, P x -> x <= b.

(* the condition of the sharp lemma, (1 + y)^x <= 1 + x N *)
Definition allowed (y N x : R) := Rpower (1 + y) x <= 1 + x * N.

Lemma allowed0 y N : allowed y N 0.
Proof. unfold allowed, Rpower; rewrite Rmult_0_l, exp_0; lra. Qed.

(* the largest x exists *)
Lemma largest_allowed y N : 0 < y -> 0 <= N -> exists b, largest (allowed y N) b.
Proof.
intros y0 N0; set (l := ln (1 + y)).
assert (l0 : 0 < l) by (apply ln_gt0; lra).
assert (pos : forall x, allowed y N x -> 0 < 1 + x * N).
{ intros x h; apply Rlt_le_trans with (2 := h); apply exp_pos. }
destruct (completeness (allowed y N)) as [s [ub lub]].
- exists (Rmax 1 (4 * (1 + N) / (l * l))); intros x h.
  destruct (Rle_dec x 1) as [x1|x1].
  { apply Rle_trans with (2 := Rmax_l _ _); exact x1. }
  apply Rle_trans with (2 := Rmax_r _ _).
  apply Rnot_le_lt in x1.
  assert (e : (x * l / 2) * (x * l / 2) <= 1 + x * N).
  { apply Rle_trans with (2 := h); unfold Rpower; fold l.
    replace (x * l) with (x * l / 2 + x * l / 2) at 3 by field.
    rewrite exp_plus.
    assert (0 <= x * l / 2) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
    pose proof (exp_ge (x * l / 2)).
    apply Rmult_le_compat; lra. }
  apply Rmult_le_reg_r with (l * l); [apply Rmult_lt_0_compat; lra|].
  replace (4 * (1 + N) / (l * l) * (l * l)) with (4 * (1 + N)) by (field; lra).
  apply Rmult_le_reg_r with (x / 4); [lra|].
  replace (x * (l * l) * (x / 4)) with ((x * l / 2) * (x * l / 2)) by field.
  nra.
- exists 0; apply allowed0.
- assert (s0 : 0 <= s) by (apply ub, allowed0).
  exists s; split; [|exact ub].
  destruct (Rle_dec (Rpower (1 + y) s) (1 + s * N)) as [h|h]; [exact h|].
  apply Rnot_le_lt in h; exfalso.
  assert (q0 : 0 < 1 + s * N) by nra.
  set (t := ln (1 + s * N) / l).
  assert (ts : t < s).
  { unfold t; apply Rmult_lt_reg_r with l; [exact l0|].
    replace (ln (1 + s * N) / l * l) with (ln (1 + s * N)) by (field; lra).
    apply exp_lt_inv; rewrite exp_ln by exact q0; exact h. }
  assert (s <= t); [|lra].
  apply lub; intros x hx.
  unfold t; apply Rmult_le_reg_r with l; [exact l0|].
  replace (ln (1 + s * N) / l * l) with (ln (1 + s * N)) by (field; lra).
  rewrite <- (ln_exp (x * l)); apply ln_mono; [apply exp_pos|].
  apply Rle_trans with (1 := hx).
  pose proof (ub x hx); nra.
Qed.

(* above c nothing is allowed, if c itself is not *)
Lemma not_allowed_above y N c x : 0 < y -> 0 <= N -> 0 < c -> c <= x ->
  1 + c * N < Rpower (1 + y) c -> ~ allowed y N x.
Proof.
intros y0 N0 c0 cx hc hx; unfold allowed in hx.
assert (r1 : 1 <= x / c).
{ apply Rmult_le_reg_r with c; [exact c0|].
  replace (x / c * c) with x by (field; lra); lra. }
assert (z0 : 0 < 1 + c * N) by nra.
pose proof (bernoulli_real (1 + c * N) (x / c) z0 r1).
assert (e : Rpower (1 + y) x = Rpower (Rpower (1 + y) c) (x / c)).
{ rewrite Rpower_mult; f_equal; field; lra. }
assert (lt : Rpower (1 + c * N) (x / c) < Rpower (Rpower (1 + y) c) (x / c)).
{ unfold Rpower at 1 2; apply exp_increasing; apply Rmult_lt_compat_l; [lra|].
  apply ln_increasing; assumption. }
replace (x / c * (1 + c * N - 1)) with (x * N) in H by (field; lra).
rewrite <- e in lt; lra.
Qed.

(* the batch size (c / e^c)^(1/(c-1)) makes c not allowed *)
Lemma batch_size_enough N e c : 0 < N -> 0 < e -> 1 < c ->
  Rpower (c / Rpower e c) (/ (c - 1)) <= N -> 1 + c * N < Rpower (1 + N * e) c.
Proof.
intros N0 e0 c1 h.
assert (y0 : 0 < N * e) by (apply Rmult_lt_0_compat; lra).
apply Rle_lt_trans with (2 := superadditive (N * e) c y0 c1).
apply Rplus_le_compat_l.
assert (q0 : 0 < c / Rpower e c) by (apply Rdiv_lt_0_compat; [lra|apply exp_pos]).
assert (h1 : c / Rpower e c <= Rpower N (c - 1)).
{ replace (c / Rpower e c) with (Rpower (Rpower (c / Rpower e c) (/ (c - 1))) (c - 1)).
  - apply Rpower_mono; [apply exp_pos|exact h|lra].
  - rewrite Rpower_mult, Rinv_l, Rpower_1; lra. }
rewrite <- Rpower_mult_distr by lra.
replace (Rpower N c) with (Rpower N (c - 1) * N).
2:{ replace c with (c - 1 + 1) at 2 by ring. rewrite Rpower_plus, Rpower_1; lra. }
assert (p0 : 0 < Rpower e c) by apply exp_pos.
apply Rmult_le_compat_r with (r := Rpower e c * N) in h1.
- replace (c / Rpower e c * (Rpower e c * N)) with (c * N) in h1 by (field; lra).
  lra.
- apply Rmult_le_pos; lra.
Qed.

(* the concave logarithm above its chord: x <= L / ln (1 + L) ln (1 + x) *)
Lemma ln_chord x L : 0 < L -> 0 <= x <= L -> x * ln (1 + L) <= L * ln (1 + x).
Proof.
intros L0 [x0 x1].
assert (p : 0 <= x / L <= 1).
{ split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
  apply Rmult_le_reg_r with L; [lra|]. replace (x / L * L) with x by (field; lra); lra. }
assert (a0 : 0 < 1 + L) by lra.
pose proof (young (1 + L) (x / L) a0 p).
replace (x / L * (1 + L) + (1 - x / L)) with (1 + x) in H by (field; lra).
assert (q0 : 0 < Rpower (1 + L) (x / L)) by apply exp_pos.
pose proof (ln_mono _ _ q0 H).
unfold Rpower in H0; rewrite ln_exp in H0.
apply Rmult_le_compat_l with (r := L) in H0; [|lra].
replace (L * (x / L * ln (1 + L))) with (x * ln (1 + L)) in H0 by (field; lra).
exact H0.
Qed.

Lemma div_mul x y : y <> 0 -> x / y * y = x.
Proof. intros; field; assumption. Qed.
Lemma mul_div x y : y <> 0 -> y * x * / y = x.
Proof. intros; field; assumption. Qed.
Lemma mul_div_comm x y z : y <> 0 -> x * z / y = x / y * z.
Proof. intros; field; assumption. Qed.

(* the printed batch size of Lemma 4.2 is at least the sharp one, where the logarithm is
   at least 1 *)
Lemma printed_larger c e H d l : 1 < c -> 0 < e -> 1 <= H -> 1 <= d -> 1 <= l ->
  Rpower (c / Rpower e c) (/ (c - 1)) <=
  Rpower (c * (H * Rpower d c / Rpower e c * Rpower l c)) (/ (c - 1)).
Proof.
intros c1 e0 h1 d1 l1.
assert (E : 0 < Rpower e c) by apply exp_pos.
assert (D : 1 <= Rpower d c) by (apply Rpower_ge1; lra).
assert (L : 1 <= Rpower l c) by (apply Rpower_ge1; lra).
apply Rpower_mono.
- apply Rdiv_lt_0_compat; lra.
- set (D' := Rpower d c) in *; set (L' := Rpower l c) in *; set (E' := Rpower e c) in *.
  replace (c * (H * D' / E' * L')) with (c / E' * (H * (D' * L'))) by (field; lra).
  assert (P : 1 <= D' * L') by nra.
  assert (Q : 1 <= H * (D' * L')) by nra.
  rewrite <- (Rmult_1_r (c / E')) at 1.
  apply Rmult_le_compat_l; [|exact Q].
  left; apply Rdiv_lt_0_compat; lra.
- left; apply Rinv_0_lt_compat; lra.
Qed.
