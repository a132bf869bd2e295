(* The constants of Theorem E.9: resolution, number of policies, batch size. *)
From Coq Require Import Reals Lra Psatz ZArith List Lia.
From derl.common Require Import reals.
Local Open Scope R_scope.

(* [eq-resolution-bias], whole: layer h of H, counted from 1 *)
Theorem eq_resolution_bias beta xi eps h H : 0 < beta -> 0 < xi -> 1 <= h <= H ->
  eps <= beta * xi / (2 * H) ->
  2 * beta * xi * ((h - 1) / H) + (2 * h + 1) * eps <= 3 * beta * xi.
Proof.
intros b0 x0 [h1 hH] he; assert (p : 0 < beta * xi) by (apply Rmult_lt_0_compat; assumption).
assert (k : (2 * h + 1) * eps <= (2 * h + 1) * (beta * xi / (2 * H))) by (apply Rmult_le_compat_l; lra).
apply Rle_trans with (2 * beta * xi * ((h - 1) / H) + (2 * h + 1) * (beta * xi / (2 * H))); [lra|].
apply Rmult_le_reg_r with (2 * H); [lra|].
replace ((2 * beta * xi * ((h - 1) / H) + (2 * h + 1) * (beta * xi / (2 * H))) * (2 * H)) with
  (beta * xi * (4 * (h - 1) + (2 * h + 1))) by (field; lra).
replace (3 * beta * xi * (2 * H)) with (beta * xi * (6 * H)) by ring.
apply Rmult_le_compat_l; lra.
Qed.
(* control: 29/10 in the place of 3, at h = H = 16 *)
Theorem eq_resolution_bias_control : ~ (forall beta xi eps h H, 0 < beta -> 0 < xi -> 1 <= h <= H ->
  eps <= beta * xi / (2 * H) ->
  2 * beta * xi * ((h - 1) / H) + (2 * h + 1) * eps <= 29 / 10 * beta * xi).
Proof. intros h; specialize (h 1 1 (1 / 32) 16 16 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)); lra. Qed.

(* [eq-xi], whole *)
Theorem eq_xi nu i d beta xi : 0 < nu <= 1 -> 1 <= i -> 1 <= d -> 0 < beta -> 0 <= xi ->
  xi <= nu ^ 4 / (32 * i * d * beta) -> 4 * beta * xi <= nu ^ 2 / 8.
Proof.
intros [n0 n1] i1 d1 b0 x0 h.
assert (id : 1 <= i * d) by nra; assert (p : 0 < 32 * i * d * beta) by (repeat apply Rmult_lt_0_compat; lra).
apply Rmult_le_compat_r with (r := 32 * i * d * beta) in h; [|lra].
replace (nu ^ 4 / (32 * i * d * beta) * (32 * i * d * beta)) with (nu ^ 4) in h by (field; lra).
assert (q : 32 * beta * xi <= nu ^ 4).
  apply Rle_trans with (2 := h); replace (xi * (32 * i * d * beta)) with (32 * beta * xi * (i * d)) by ring.
  assert (0 <= 32 * beta * xi) by (apply Rmult_le_pos; lra); nra.
assert (nu ^ 4 <= nu ^ 2); [|lra].
replace (nu ^ 4) with (nu ^ 2 * nu ^ 2) by ring; assert (0 <= nu ^ 2 <= 1) by nra; nra.
Qed.
Theorem eq_xi_control : ~ (forall nu i d beta xi, 0 < nu <= 1 -> 1 <= i -> 1 <= d -> 0 < beta -> 0 <= xi ->
  xi <= nu ^ 4 / (32 * i * d * beta) -> 4 * beta * xi <= nu ^ 2 / 9).
Proof. intros h; specialize (h 1 1 1 1 (/ 32) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra));
  lra. Qed.

(* [eq-resolution-n], whole *)
Theorem eq_resolution_n N eps : 0 < N -> 0 <= eps -> eps <= 1 / N -> 8 * N ^ 2 * eps ^ 2 <= 8.
Proof.
intros N0 e0 h; assert (k : N * eps <= 1).
  apply Rmult_le_compat_l with (r := N) in h; [|lra].
  replace (N * (1 / N)) with 1 in h by (field; lra); exact h.
assert (0 <= N * eps) by (apply Rmult_le_pos; lra).
replace (8 * N ^ 2 * eps ^ 2) with (8 * ((N * eps) * (N * eps))) by ring; nra.
Qed.
Theorem eq_resolution_n_control : ~ (forall N eps, 0 < N -> 0 <= eps -> eps <= 1 / N -> 8 * N ^ 2 * eps ^ 2 <= 7).
Proof. intros h; specialize (h 1 1 ltac:(lra) ltac:(lra) ltac:(lra)); lra. Qed.

Lemma pow2_le_reg a b : 0 <= b -> a ^ 2 <= b ^ 2 -> a <= b.
Proof. intros b0 h; destruct (Rle_dec a b) as [k|k]; [exact k|exfalso; nra]. Qed.

(* [text-resolution-minimum], whole: H/xi at most sqrt N / 4 and beta' >= 1 *)
Theorem text_resolution_minimum N i H xi beta : 2 <= N -> 1 <= i <= N -> 1 <= H -> 0 < xi -> 1 <= beta ->
  16 * H ^ 2 / xi ^ 2 <= N ->
  Rmin (1 / N) (Rmin (beta / sqrt (N + 1)) (Rmin (1 / sqrt i) (beta * xi / H))) = 1 / N /\
  1 / N <= beta * xi / (2 * H).
Proof.
intros N2 [i1 iN] H1 x0 b1 hN.
assert (s0 : 0 < sqrt (N + 1)) by (apply sqrt_lt_R0; lra).
assert (t0 : 0 < sqrt i) by (apply sqrt_lt_R0; lra).
assert (ss : sqrt (N + 1) ^ 2 = N + 1) by (apply pow2_sqrt; lra).
assert (tt : sqrt i ^ 2 = i) by (apply pow2_sqrt; lra).
assert (k : 16 * H ^ 2 <= N * xi ^ 2).
  apply Rmult_le_compat_r with (r := xi ^ 2) in hN; [|apply pow2_ge_0].
  replace (16 * H ^ 2 / xi ^ 2 * xi ^ 2) with (16 * H ^ 2) in hN by (field; lra); exact hN.
assert (hx : 2 * H <= N * xi).
  apply pow2_le_reg; [apply Rmult_le_pos; lra|].
  replace ((N * xi) ^ 2) with (N * (N * xi ^ 2)) by ring.
  assert (0 <= N * xi ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]); nra.
assert (a3 : 1 / N <= beta * xi / (2 * H)).
  apply Rmult_le_reg_r with (N * (2 * H)); [nra|].
  replace (1 / N * (N * (2 * H))) with (2 * H) by (field; lra).
  replace (beta * xi / (2 * H) * (N * (2 * H))) with (beta * (N * xi)) by (field; lra); nra.
split; [|exact a3]; apply Rmin_left; apply Rmin_glb; [|apply Rmin_glb].
- apply Rmult_le_reg_r with (N * sqrt (N + 1)); [nra|].
  replace (1 / N * (N * sqrt (N + 1))) with (sqrt (N + 1)) by (field; lra).
  replace (beta / sqrt (N + 1) * (N * sqrt (N + 1))) with (beta * N) by (field; lra).
  assert (N <= beta * N) by nra; apply pow2_le_reg; [lra|]; rewrite ss.
  apply Rle_trans with (N ^ 2); [nra|apply pow_incr; lra].
- apply Rmult_le_reg_r with (N * sqrt i); [nra|].
  replace (1 / N * (N * sqrt i)) with (sqrt i) by (field; lra).
  replace (1 / sqrt i * (N * sqrt i)) with N by (field; lra).
  apply pow2_le_reg; [lra|]; rewrite tt; nra.
- apply Rle_trans with (1 := a3); apply Rmult_le_reg_r with (2 * H); [lra|].
  replace (beta * xi / (2 * H) * (2 * H)) with (beta * xi) by (field; lra).
  replace (beta * xi / H * (2 * H)) with (2 * (beta * xi)) by (field; lra); nra.
Qed.
Theorem text_resolution_minimum_control : ~ (forall N i H xi beta, 2 <= N -> 1 <= i -> 1 <= H -> 0 < xi ->
  1 <= beta -> 16 * H ^ 2 / xi ^ 2 <= N ->
  Rmin (1 / N) (Rmin (beta / sqrt (N + 1)) (Rmin (1 / sqrt i) (beta * xi / H))) = 1 / N).
Proof.
intros h; specialize (h 16 1024 1 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
replace (sqrt 1024) with 32 in h by (symmetry; replace 1024 with (32 * 32) by lra; apply sqrt_square; lra).
pose proof (Rmin_r (1 / 16) (Rmin (1 / sqrt (16 + 1)) (Rmin (1 / 32) (1 * 1 / 1)))).
pose proof (Rmin_r (1 / sqrt (16 + 1)) (Rmin (1 / 32) (1 * 1 / 1))).
pose proof (Rmin_l (1 / 32) (1 * 1 / 1)); lra.
Qed.

(* [res-resolution-choice], whole: the input condition of Algorithm 5, (23), (25), (27), (34) *)
Theorem res_resolution_choice N i H nu xi beta d : 2 <= i <= N -> 1 <= d -> 1 <= H ->
  16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 <= N -> 1 <= i * nu ^ 2 -> 1 <= beta -> 0 < xi <= 1 ->
  let eps := 1 / (2 * d * (N + 1)) in
  eps <= 1 / (2 * d * (N + 1)) /\ d * (eps ^ 2 / (4 * d)) <= beta ^ 2 / (N + 1) /\ eps <= 1 / N /\
  eps <= beta * xi / (2 * H) /\ eps <= 1 / sqrt i.
Proof.
intros [i2 iN] d1 H1 hN hi b1 [x0 x1] eps.
assert (p : 0 < 2 * d * (N + 1)) by (repeat apply Rmult_lt_0_compat; lra).
assert (e0 : 0 < eps) by (unfold eps; apply Rdiv_lt_0_compat; lra).
assert (eN : eps * (2 * (N + 1)) <= 1).
  unfold eps; apply Rmult_le_reg_r with d; [lra|].
  replace (1 / (2 * d * (N + 1)) * (2 * (N + 1)) * d) with 1 by (field; lra); lra.
assert (k : 16 * H ^ 2 <= N * xi ^ 2).
  apply Rmult_le_compat_r with (r := xi ^ 2) in hN; [|apply pow2_ge_0].
  replace (16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 * xi ^ 2) with (16 * H ^ 2 * (i * nu ^ 2)) in hN by (field; lra).
  apply Rle_trans with (2 := hN); assert (0 < 16 * H ^ 2) by (apply Rmult_lt_0_compat; [lra|apply pow_lt; lra]); nra.
assert (hx : H <= N * xi).
  apply pow2_le_reg; [apply Rmult_le_pos; lra|].
  replace ((N * xi) ^ 2) with (N * (N * xi ^ 2)) by ring.
  assert (0 <= N * xi ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]); nra.
split; [apply Rle_refl|split; [|split; [|split]]].
- apply Rmult_le_reg_r with (4 * (N + 1)); [lra|].
  replace (d * (eps ^ 2 / (4 * d)) * (4 * (N + 1))) with (eps * (eps * (N + 1))) by (field; lra).
  replace (beta ^ 2 / (N + 1) * (4 * (N + 1))) with (4 * beta ^ 2) by (field; lra); nra.
- apply Rmult_le_reg_r with N; [lra|]; replace (1 / N * N) with 1 by (field; lra); lra.
- apply Rmult_le_reg_r with (2 * H); [lra|].
  replace (beta * xi / (2 * H) * (2 * H)) with (beta * xi) by (field; lra).
  apply Rle_trans with xi; [|nra].
  apply Rle_trans with (eps * (2 * (N + 1)) * xi); [nra|nra].
- assert (t0 : 0 < sqrt i) by (apply sqrt_lt_R0; lra).
  assert (tt : sqrt i ^ 2 = i) by (apply pow2_sqrt; lra).
  assert (t1 : sqrt i <= i) by (apply pow2_le_reg; [lra|rewrite tt; nra]).
  apply Rmult_le_reg_r with (sqrt i); [exact t0|].
  replace (1 / sqrt i * sqrt i) with 1 by (field; lra); nra.
Qed.
(* control: with three times that resolution the conditions (23), (25), (27) and (34) do not follow; N = 3 *)
Theorem res_resolution_choice_control : ~ (forall N i H xi beta d, 2 <= i <= N -> 1 <= d -> 1 <= H ->
  1 <= beta -> 0 < xi <= 1 -> H ^ 2 / xi ^ 2 <= N ->
  let eps := 3 / (2 * d * (N + 1)) in
  d * (eps ^ 2 / (4 * d)) <= beta ^ 2 / (N + 1) /\ eps <= 1 / N /\ eps <= beta * xi / (2 * H) /\ eps <= 1 / sqrt i).
Proof.
intros h; destruct (h 3 2 1 1 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & k & _);
  lra.
Qed.

(* [ineq-induction-batch], whole: U is the uncertainty of the new layer and S the sum of
   those before it, under any policy *)
Theorem ineq_induction_batch (i nu H xi N : R) : 0 < i -> 0 < nu -> 0 < H -> 0 < xi -> 0 < N ->
  (2 * sqrt (i / N) * nu <= xi / (2 * H) <-> 16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 <= N) /\
  (2 * sqrt (i / N) * nu <= xi / (2 * H) -> forall (Pi : Type) (S U : Pi -> R) (h : R),
    (forall pi, S pi <= (h - 1) / H * xi) -> (forall pi, U pi <= 2 * sqrt (i / N) * nu) ->
    forall pi, S pi + U pi <= h / H * xi).
Proof.
intros i0 n0 H0 x0 N0.
assert (q0 : 0 < i / N) by (apply Rdiv_lt_0_compat; assumption).
assert (s0 : 0 < sqrt (i / N)) by (apply sqrt_lt_R0; exact q0).
assert (ss : sqrt (i / N) ^ 2 = i / N) by (apply pow2_sqrt; lra).
set (s := sqrt (i / N)) in *.
assert (E : N * s ^ 2 = i) by (rewrite ss; field; lra).
assert (x2 : 0 < xi ^ 2) by (apply pow_lt; exact x0).
split; [split|].
- intros h; assert (k : 4 * H * nu * s <= xi).
    apply Rmult_le_compat_r with (r := 2 * H) in h; [|lra].
    replace (xi / (2 * H) * (2 * H)) with xi in h by (field; lra); lra.
  apply Rmult_le_reg_r with (xi ^ 2); [exact x2|].
  replace (16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 * xi ^ 2) with (16 * H ^ 2 * nu ^ 2 * i) by (field; lra).
  rewrite <- E; replace (16 * H ^ 2 * nu ^ 2 * (N * s ^ 2)) with (N * (4 * H * nu * s) ^ 2) by ring.
  apply Rmult_le_compat_l; [lra|]; apply pow_incr; split; [|exact k].
  repeat apply Rmult_le_pos; lra.
- intros h; apply Rmult_le_compat_r with (r := xi ^ 2) in h; [|lra].
  replace (16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 * xi ^ 2) with (16 * H ^ 2 * nu ^ 2 * i) in h by (field; lra).
  rewrite <- E in h; replace (16 * H ^ 2 * nu ^ 2 * (N * s ^ 2)) with (N * (4 * H * nu * s) ^ 2) in h by ring.
  apply Rmult_le_reg_l in h; [|exact N0]; apply pow2_le_reg in h; [|lra].
  apply Rmult_le_reg_r with (2 * H); [lra|].
  replace (xi / (2 * H) * (2 * H)) with xi by (field; lra); lra.
- intros h Pi S U t hS hU pi; pose proof (hS pi); pose proof (hU pi).
  assert (xi / (2 * H) <= xi / H).
    apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
  replace (t / H * xi) with ((t - 1) / H * xi + xi / H) by (field; lra); lra.
Qed.
Theorem ineq_induction_batch_control : ~ (forall i nu H xi N, 0 < i -> 0 < nu -> 0 < H -> 0 < xi -> 0 < N ->
  15 * H ^ 2 * nu ^ 2 * i / xi ^ 2 <= N -> 2 * sqrt (i / N) * nu <= xi / (2 * H)).
Proof.
intros h; specialize (h 1 1 1 1 15 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
assert (s : / 4 < sqrt (1 / 15)).
  rewrite <- (sqrt_square (/ 4)) by lra; apply sqrt_lt_1; lra.
lra.
Qed.

(* [eq-reward-error], the second inequality, is false for every nu at x = nu^4 / 32 *)
Theorem eq_reward_error_refuted nu : 0 < nu <= 1 -> let x := nu ^ 4 / 32 in
  nu ^ 2 / 6 < sqrt (x / (1 - x)).
Proof.
intros [n0 n1] x; assert (p : 0 < nu ^ 4) by (apply pow_lt; exact n0).
assert (q : nu ^ 4 <= 1) by (rewrite <- (pow1 4); apply pow_incr; lra).
rewrite <- (sqrt_pow2 (nu ^ 2 / 6)) by (assert (0 <= nu ^ 2) by apply pow2_ge_0; lra).
assert (x1 : 0 < x <= / 32) by (unfold x; lra).
apply sqrt_lt_1_alt; split; [apply pow2_ge_0|].
replace ((nu ^ 2 / 6) ^ 2) with (nu ^ 4 / 36) by field.
apply Rmult_lt_reg_r with (1 - x); [lra|].
replace (x / (1 - x) * (1 - x)) with x by (field; lra); unfold x in *; nra.
Qed.

(* [err-reward-accuracy] is false as printed; with 65 in the place of 32 it is true, with 64
   it is not *)
Definition accuracy (C : R) : Prop := forall nu i d beta xi, 0 < nu <= 1 -> 1 <= i -> 1 <= d -> 0 < beta ->
  0 <= xi -> xi <= nu ^ 4 / (C * i * d * beta) ->
  sqrt (i * d * beta * xi / (1 - i * d * beta * xi)) <= nu ^ 2 / 8.
Theorem err_reward_accuracy_refuted : ~ accuracy 32 /\ ~ accuracy 64 /\ accuracy 65.
Proof.
assert (bad : forall C, 1 < C < 65 -> ~ accuracy C).
  intros C [c0 c1] h; specialize (h 1 1 1 1 (/ C) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)).
  assert (i0 : / 65 < / C) by (apply Rinv_lt_contravar; lra).
  assert (i1 : / C < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (k := h ltac:(lra) ltac:(right; field; lra)).
  replace (1 * 1 * 1 * / C) with (/ C) in k by ring.
  assert (s : / 8 < sqrt (/ C / (1 - / C))); [|lra].
  rewrite <- (sqrt_square (/ 8)) by lra; apply sqrt_lt_1_alt; split; [lra|].
  apply Rmult_lt_reg_r with (1 - / C); [lra|].
  replace (/ C / (1 - / C) * (1 - / C)) with (/ C) by (field; lra); lra.
split; [apply bad; lra|split; [apply bad; lra|]].
intros nu i d beta xi [n0 n1] i1 d1 b0 x0 h.
set (x := i * d * beta * xi) in *.
assert (p : 0 < i * d * beta) by (repeat apply Rmult_lt_0_compat; lra).
assert (xb : 0 <= x <= nu ^ 4 / 65).
  unfold x; split; [apply Rmult_le_pos; lra|].
  apply Rmult_le_compat_l with (r := i * d * beta) in h; [|lra].
  replace (i * d * beta * (nu ^ 4 / (65 * i * d * beta))) with (nu ^ 4 / 65) in h by (field; lra); exact h.
assert (q0 : 0 < nu ^ 4) by (apply pow_lt; exact n0).
assert (q : nu ^ 4 <= 1) by (rewrite <- (pow1 4); apply pow_incr; lra).
rewrite <- (sqrt_pow2 (nu ^ 2 / 8)) by (assert (0 <= nu ^ 2) by apply pow2_ge_0; lra).
apply sqrt_le_1_alt; replace ((nu ^ 2 / 8) ^ 2) with (nu ^ 4 / 64) by field.
apply Rmult_le_reg_r with (1 - x); [lra|].
replace (x / (1 - x) * (1 - x)) with x by (field; lra); nra.
Qed.

(* [ineq-blow-up-proof] is false: c = 1/4, n = 9 *)
Theorem ineq_blow_up_proof_refuted : ~ (forall c n e, 0 < c -> 1 <= n -> 0 < e ->
  sqrt (2 / (sqrt c * (1 + n)) * e) <= sqrt ((c + 1) / (sqrt c * (c + n)) * e)).
Proof.
intros h; specialize (h (1 / 4) 9 1 ltac:(lra) ltac:(lra) ltac:(lra)).
replace (sqrt (1 / 4)) with (1 / 2) in h by
  (symmetry; replace (1 / 4) with (1 / 2 * (1 / 2)) by lra; apply sqrt_square; lra).
revert h; apply Rlt_not_le, sqrt_lt_1; lra.
Qed.

(* [text-lost-horizon] is false for every H > 1 *)
Theorem text_lost_horizon_refuted N d H delta : 0 < N -> 0 < d -> 1 < H -> 0 < delta ->
  4 * sqrt N * ln (8 * d / delta) < 4 * sqrt N * ln (8 * d * H / delta).
Proof.
intros N0 d0 H1 t0; assert (s0 : 0 < sqrt N) by (apply sqrt_lt_R0; exact N0).
apply Rmult_lt_compat_l; [lra|]; apply ln_increasing.
  apply Rdiv_lt_0_compat; lra.
apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; exact t0|]; nra.
Qed.

(* [ineq-cap-equality] is false; the inequality holds *)
Theorem ineq_cap_equality_refuted :
  ~ (forall q v, v <= 1 -> Rabs (Rmin q 1 - v) = Rabs (q - v)) /\
  (forall q v, v <= 1 -> Rabs (Rmin q 1 - v) <= Rabs (q - v)).
Proof.
split.
  intros h; specialize (h 2 1 ltac:(lra)); rewrite Rmin_right in h by lra.
  rewrite !Rabs_right in h by lra; lra.
intros q v v1; unfold Rmin; destruct (Rle_dec q 1) as [k|k]; [lra|].
rewrite !Rabs_right by lra; lra.
Qed.

(* the printed grid: the numbers whose quotient by eps is 1, ..., ceil (L / eps) in
   absolute value *)
Definition in_grid (L eps w : R) : Prop :=
  exists k : Z, (1 <= k)%Z /\ IZR k < L / eps + 1 /\ Rabs (w / eps) = IZR k.
(* [text-cover-size] is false: for d = 1, L = 1, eps = 2/3 the grid has four points *)
Theorem text_cover_size_refuted : ~ (forall L eps, 0 < L -> 0 < eps -> forall l, NoDup l ->
  (forall w, In w l -> in_grid L eps w) -> ln (INR (length l)) <= 1 * ln (2 * L / eps)).
Proof.
intros h; specialize (h 1 (2 / 3) ltac:(lra) ltac:(lra) (2 / 3 :: - (2 / 3) :: 4 / 3 :: - (4 / 3) :: nil)%list).
assert (k : ln (INR 4) <= 1 * ln (2 * 1 / (2 / 3))).
{ apply h.
  { repeat constructor; simpl; intros u; repeat destruct u as [u|u]; lra. }
  simpl; intros w [<-|[<-|[<-|[<-|[]]]]]; [exists 1%Z|exists 1%Z|exists 2%Z|exists 2%Z];
    (split; [lia|split; [lra|]]); [rewrite Rabs_right|rewrite Rabs_left|rewrite Rabs_right|rewrite Rabs_left]; lra. }
replace (2 * 1 / (2 / 3)) with 3 in k by field; simpl in k.
assert (ln 3 < ln (1 + 1 + 1 + 1)) by (apply ln_increasing; lra); lra.
Qed.
