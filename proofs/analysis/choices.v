(* The choices of Theorem E.9 in the generality of the claims, and what is true in the place
   of four displays that are false. *)
From Coq Require Import Reals Lra Psatz ZArith List Lia.
From derl.common Require Import reals.
From derl.analysis Require Import constants.
Local Open Scope R_scope.

(* [res-resolution-choice], whole: the five conditions from N >= H^2 / xi^2, which follows
   from the size of the induction step *)
Theorem res_resolution_choice_whole N i H nu xi beta d : 2 <= i <= N -> 1 <= d -> 1 <= H ->
  1 <= beta -> 0 < xi <= 1 ->
  let eps := 1 / (2 * d * (N + 1)) in
  (H ^ 2 / xi ^ 2 <= N ->
     eps <= 1 / (2 * d * (N + 1)) /\ d * (eps ^ 2 / (4 * d)) <= beta ^ 2 / (N + 1) /\ eps <= 1 / N /\
     eps <= beta * xi / (2 * H) /\ eps <= 1 / sqrt i) /\
  (1 <= i * nu ^ 2 -> 16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 <= N -> H ^ 2 / xi ^ 2 <= N).
Proof.
intros [i2 iN] d1 H1 b1 [x0 x1] eps; split.
- intros hN.
  assert (p : 0 < 2 * d * (N + 1)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (e0 : 0 < eps) by (unfold eps; apply Rdiv_lt_0_compat; lra).
  assert (eN : eps * (2 * (N + 1)) <= 1).
    unfold eps; apply Rmult_le_reg_r with d; [lra|].
    replace (1 / (2 * d * (N + 1)) * (2 * (N + 1)) * d) with 1 by (field; lra); lra.
  assert (k : H ^ 2 <= N * xi ^ 2).
    apply Rmult_le_compat_r with (r := xi ^ 2) in hN; [|apply pow2_ge_0].
    replace (H ^ 2 / xi ^ 2 * xi ^ 2) with (H ^ 2) in hN by (field; lra); exact hN.
  assert (hx : H <= N * xi).
    apply pow2_le_reg; [apply Rmult_le_pos; lra|].
    replace ((N * xi) ^ 2) with (N * (N * xi ^ 2)) by ring.
    assert (0 <= N * xi ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]); nra.
  split; [apply Rle_refl|split; [|split; [|split]]].
  + apply Rmult_le_reg_r with (4 * (N + 1)); [lra|].
    replace (d * (eps ^ 2 / (4 * d)) * (4 * (N + 1))) with (eps * (eps * (N + 1))) by (field; lra).
    replace (beta ^ 2 / (N + 1) * (4 * (N + 1))) with (4 * beta ^ 2) by (field; lra); nra.
  + apply Rmult_le_reg_r with N; [lra|]; replace (1 / N * N) with 1 by (field; lra); nra.
  + apply Rmult_le_reg_r with (2 * H); [lra|].
    replace (beta * xi / (2 * H) * (2 * H)) with (beta * xi) by (field; lra).
    apply Rle_trans with xi; [|nra].
    apply Rle_trans with (eps * (2 * (N + 1)) * xi); [nra|nra].
  + assert (t0 : 0 < sqrt i) by (apply sqrt_lt_R0; lra).
    assert (tt : sqrt i ^ 2 = i) by (apply pow2_sqrt; lra).
    assert (t1 : sqrt i <= i) by (apply pow2_le_reg; [lra|rewrite tt; nra]).
    apply Rmult_le_reg_r with (sqrt i); [exact t0|].
    replace (1 / sqrt i * sqrt i) with 1 by (field; lra); nra.
- intros hi; apply Rle_trans.
  assert (x2 : 0 < xi ^ 2) by (apply pow_lt; exact x0).
  assert (q : 0 <= H ^ 2 / xi ^ 2) by (apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; exact x2]).
  replace (16 * H ^ 2 * nu ^ 2 * i / xi ^ 2) with (16 * (i * nu ^ 2) * (H ^ 2 / xi ^ 2)) by (field; lra); nra.
Qed.

(* [ineq-induction-batch], whole: the equivalence; the order of N for i = c d / nu^4 l, l the
   logarithm; the next layer, for which a quarter of N is enough *)
Theorem ineq_induction_batch_whole (i nu H xi N : R) : 0 < i -> 0 < nu -> 0 < H -> 0 < xi -> 0 < N ->
  (2 * sqrt (i / N) * nu <= xi / (2 * H) <-> 16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 <= N) /\
  (forall c d l, i = c * (d / nu ^ 4) * l ->
     16 * H ^ 2 * nu ^ 2 * i / xi ^ 2 = 16 * c * l * (H ^ 2 * d / (xi ^ 2 * nu ^ 2))) /\
  (4 * H ^ 2 * nu ^ 2 * i / xi ^ 2 <= N -> forall (Pi : Type) (S U : Pi -> R) (h : R),
    (forall pi, S pi <= (h - 1) / H * xi) -> (forall pi, U pi <= 2 * sqrt (i / N) * nu) ->
    forall pi, S pi + U pi <= h / H * xi).
Proof.
intros i0 n0 H0 x0 N0; split; [exact (proj1 (ineq_induction_batch i nu H xi N i0 n0 H0 x0 N0))|split].
- intros c d l ->; field; lra.
- intros hN Pi S U h hS hU pi; specialize (hS pi); specialize (hU pi).
  assert (k : 2 * sqrt (i / N) * nu <= xi / H).
    pose proof (proj2 (proj1 (ineq_induction_batch i nu (H / 2) xi N i0 n0 ltac:(lra) x0 N0))) as b.
    replace (2 * (H / 2)) with H in b by field; apply b.
    replace (16 * (H / 2) ^ 2 * nu ^ 2 * i / xi ^ 2) with (4 * H ^ 2 * nu ^ 2 * i / xi ^ 2) by (field; lra); exact hN.
  replace (h / H * xi) with ((h - 1) / H * xi + xi / H) by (field; lra); lra.
Qed.

(* what is true in the place of err-reward-accuracy *)
Theorem reward_accuracy : accuracy 65.
Proof. exact (proj2 (proj2 err_reward_accuracy_refuted)). Qed.

(* what is true in the place of text-lost-horizon *)
Theorem kept_horizon N d H delta : 0 < N -> 0 < d -> 1 <= H -> 0 < delta ->
  4 * sqrt N * ln (8 * d / delta) <= 4 * sqrt N * ln (8 * d * H / delta).
Proof.
intros N0 d0 [H1| <-] t0; [left; apply text_lost_horizon_refuted; assumption|rewrite Rmult_1_r; lra].
Qed.

(* what is true in the place of ineq-cap-equality *)
Theorem cap_at_most : forall q v, v <= 1 -> Rabs (Rmin q 1 - v) <= Rabs (q - v).
Proof. exact (proj2 ineq_cap_equality_refuted). Qed.

(* what is true in the place of text-cover-size, for d = 1: 2 (L / eps + 1) points at most *)
Theorem cover_size : forall L eps, 0 < L -> 0 < eps -> forall l, NoDup l ->
  (forall w, In w l -> in_grid L eps w) -> INR (length l) <= 2 * (L / eps + 1).
Proof.
intros L eps L0 e0 l nd hl; set (q := L / eps).
assert (q0 : 0 < q) by (apply Rdiv_lt_0_compat; assumption).
destruct (archimed q) as [a1 a2]; set (M := Z.to_nat (up q)).
assert (u0 : (0 < up q)%Z) by (apply lt_IZR; lra).
assert (ME : INR M = IZR (up q)) by (unfold M; rewrite INR_IZR_INZ, Z2Nat.id by lia; reflexivity).
set (c := (map (fun n => INR n * eps) (seq 1 M) ++ map (fun n => - (INR n * eps)) (seq 1 M))%list).
assert (sub : incl l c).
{ intros w hw; destruct (hl w hw) as (k & k1 & k2 & kE); fold q in k2.
  assert (kM : (k < up q + 1)%Z) by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (kn : INR (Z.to_nat k) = IZR k) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; reflexivity).
  assert (mem : In (Z.to_nat k) (seq 1 M)) by (apply in_seq; unfold M; lia).
  unfold c; apply in_or_app; unfold Rabs in kE; destruct (Rcase_abs (w / eps)).
  - right; apply in_map_iff; exists (Z.to_nat k); split; [|exact mem].
    rewrite kn, <- kE; field; lra.
  - left; apply in_map_iff; exists (Z.to_nat k); split; [|exact mem].
    rewrite kn, <- kE; field; lra. }
pose proof (NoDup_incl_length nd sub) as len; apply le_INR in len.
unfold c in len; rewrite app_length, !map_length, !seq_length, plus_INR in len; lra.
Qed.
