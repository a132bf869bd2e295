(* What the paper says beside the potential lemma: four sentences that are false, and the
   batch size of Equation (7) as a function of its exponent. *)
From Coq Require Import Reals Lra Lia.
From derl.common Require Import reals.
Local Open Scope R_scope.

Lemma Rpower_2 x : 0 < x -> Rpower x 2 = x * x.
Proof. intros h; replace 2 with (1 + 1) by ring; rewrite Rpower_plus, Rpower_1; auto. Qed.

Lemma INR_ge1 n : (1 <= n)%nat -> 1 <= INR n.
Proof. intros h; apply (le_INR 1) in h; exact h. Qed.

(* [text-c-k-at-least-two], whole: 1 < p <= c_K does not imply c_K >= 2 *)
Theorem text_c_k_at_least_two : ~ (forall p cK : R, 1 < p <= cK -> 2 <= cK).
Proof. intros h; pose proof (h (5 / 4) (3 / 2)); lra. Qed.

(* control: it does imply c_K > 1, so the same sentence with 1 is not refuted *)
Theorem text_c_k_at_least_two_control : forall p cK : R, 1 < p <= cK -> 1 < cK.
Proof. intros; lra. Qed.

(* [text-first-entry], whole: c_1 (d/eps) log (d/eps) is not always at least
   c_1 (d/eps) log (d H/eps) *)
Theorem text_first_entry : ~ (forall (c1 eps : R) (d H : nat), 0 < c1 -> 0 < eps < 1 ->
  (1 <= d)%nat -> (1 <= H)%nat ->
  c1 * (INR d / eps) * ln (INR d * INR H / eps) <= c1 * (INR d / eps) * ln (INR d / eps)).
Proof.
intros h; assert (e0 : 0 < / 2 < 1) by lra.
pose proof (h 1 (/ 2) 1%nat 2%nat Rlt_0_1 e0 (le_n 1) (le_S _ _ (le_n 1))).
simpl in H; replace (1 * (1 + 1) / / 2) with 4 in H by field.
replace (1 / / 2) with 2 in H by field.
assert (ln 2 < ln 4) by (apply ln_increasing; lra); lra.
Qed.

(* control: for H = 1 the inequality is true *)
Theorem text_first_entry_control : forall (c1 eps : R) (d : nat),
  c1 * (INR d / eps) * ln (INR d * INR 1 / eps) <= c1 * (INR d / eps) * ln (INR d / eps).
Proof. intros; simpl; rewrite Rmult_1_r; lra. Qed.

(* [text-division-at-equality], whole: N >= (d/eps) log (1 + K N/d) leaves the case in
   which log (N eps / (d log (1 + K N/d))) is zero *)
Theorem text_division_at_equality : ~ (forall (eps : R) (d K N : nat), 0 < eps < 1 ->
  (1 <= d)%nat -> (1 <= K)%nat -> (1 <= N)%nat ->
  INR d / eps * ln (1 + INR K * INR N / INR d) <= INR N ->
  ln (INR N * eps / (INR d * ln (1 + INR K * INR N / INR d))) <> 0).
Proof.
intros h; set (L := ln 13).
assert (L0 : 0 < L) by (apply ln_gt0; lra).
assert (L4 : L < 4).
{ unfold L; rewrite <- (ln_exp 4); apply ln_increasing; [lra|].
  replace 4 with (1 + 1 + (1 + 1)) by ring; rewrite !exp_plus.
  pose proof (exp_ge 1); set (e := exp 1) in *; assert (4 <= e * e) by nra; nra. }
assert (e0 : 0 < L / 4 < 1) by lra.
assert (b : 1 + INR 3 * INR 4 / INR 1 = 13) by (simpl; field).
assert (E : INR 1 / (L / 4) * ln (1 + INR 3 * INR 4 / INR 1) <= INR 4).
{ rewrite b; fold L; simpl; right; field; lra. }
apply (h (L / 4) 1%nat 3%nat 4%nat e0 (le_n 1) (le_S _ _ (le_S _ _ (le_n 1))) ltac:(lia) E).
rewrite b; fold L; replace (INR 4 * (L / 4) / (INR 1 * L)) with 1 by (simpl; field; lra).
apply ln_1.
Qed.

(* control: with > in the place of >= the logarithm is not zero *)
Theorem text_division_at_equality_control : forall (eps : R) (d K N : nat), 0 < eps < 1 ->
  (1 <= d)%nat -> (1 <= K)%nat -> (1 <= N)%nat ->
  INR d / eps * ln (1 + INR K * INR N / INR d) < INR N ->
  0 < ln (INR N * eps / (INR d * ln (1 + INR K * INR N / INR d))).
Proof.
intros eps d K N [e0 _] d1 K1 N1 h.
apply INR_ge1 in d1; apply INR_ge1 in K1; apply INR_ge1 in N1.
set (G := ln (1 + INR K * INR N / INR d)) in *.
assert (G0 : 0 < G).
{ apply ln_gt0; assert (0 < INR K * INR N / INR d); [|lra].
  apply Rdiv_lt_0_compat; [nra|lra]. }
apply ln_gt0; apply Rmult_lt_reg_r with (INR d * G / eps).
- apply Rdiv_lt_0_compat; nra.
- replace (INR N * eps / (INR d * G) * (INR d * G / eps)) with (INR N) by (field; nra).
  replace (1 * (INR d * G / eps)) with (INR d / eps * G) by (field; lra); exact h.
Qed.

(* the batch size of Equation (7), with the constant c2 and the exponent p *)
Definition batch_size (c2 cK : R) (d H : nat) (eps p : R) : R :=
  c2 * Rpower (cK * (INR H * Rpower (INR d) p / Rpower eps p) *
               Rpower (ln (INR H * INR d / eps)) p) (/ (p - 1)).

(* [eq-upper-bound-n], refuted as printed, whole: no absolute constant c_2 does *)
Theorem eq_upper_bound_n : ~ (exists c2 : R, 0 < c2 /\
  forall (d H N : nat) (cK p eps : R), (1 <= d)%nat -> (1 <= H)%nat -> (1 <= N)%nat ->
    0 < eps < 1 -> 2 <= cK -> 1 < p <= cK -> batch_size c2 cK d H eps p <= INR N ->
    let K := cK * INR d * INR H + 1 in
    let G := INR d * ln (1 + K * INR N / INR d) in
    G <= INR N * eps /\ 2 * K * INR N / INR d <= Rpower (INR N * eps / G) p).
Proof.
intros (c2 & c0 & h); set (n := 8 * c2 + 1); assert (n0 : 1 <= n) by (unfold n; lra).
set (eps := n / (n + 1)).
assert (e1 : eps = 1 - / (n + 1)) by (unfold eps; field; lra).
assert (i1 : / (n + 1) <= / 2) by (apply Rinv_le_contravar; lra).
assert (i0 : 0 < / (n + 1)) by (apply Rinv_0_lt_compat; lra).
assert (e0 : 0 < eps < 1) by lra.
assert (ie : / eps = 1 + / n) by (unfold eps; field; lra).
assert (in0 : 0 < / n) by (apply Rinv_0_lt_compat; lra).
assert (in1 : / n <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
assert (l0 : 0 < ln (/ eps)) by (apply ln_gt0; lra).
assert (l1 : ln (/ eps) <= / n) by (pose proof (ln_le (/ eps)); lra).
assert (size : batch_size c2 2 1 1 eps 2 <= INR 1).
{ unfold batch_size; simpl; replace (2 - 1) with 1 by ring; rewrite Rinv_1, !Rmult_1_l.
  replace (1 / eps) with (/ eps) by (field; lra).
  rewrite (Rpower_2 1), (Rpower_2 eps), (Rpower_2 (ln (/ eps))) by lra.
  replace (1 * 1 / (eps * eps)) with (/ eps * / eps) by (field; lra).
  set (l := ln (/ eps)) in *; set (i := / eps) in *.
  assert (p0 : 0 < i * i) by nra.
  rewrite Rpower_1 by (repeat apply Rmult_lt_0_compat; lra).
  assert (i2 : 0 < i <= 2) by lra.
  assert (b1 : i * i <= 2 * 2) by (apply Rmult_le_compat; lra).
  assert (b2 : l * l <= / n * / n) by (apply Rmult_le_compat; lra).
  assert (b3 : i * i * (l * l) <= 2 * 2 * (/ n * / n)) by (apply Rmult_le_compat; nra).
  assert (b4 : / n * / n <= / n) by nra.
  assert (b5 : 8 * c2 * / n <= 1).
  { apply Rmult_le_reg_r with n; [lra|].
    replace (8 * c2 * / n * n) with (8 * c2) by (field; lra); unfold n; lra. }
  replace (c2 * (2 * (i * i) * (l * l))) with (2 * c2 * (i * i * (l * l))) by ring.
  apply Rle_trans with (2 * c2 * (2 * 2 * (/ n * / n))); [apply Rmult_le_compat_l; lra|nra]. }
destruct (h 1%nat 1%nat 1%nat 2 2 eps (le_n 1) (le_n 1) (le_n 1) e0 ltac:(lra) ltac:(lra) size) as [f _].
simpl in f; replace (1 + (2 * 1 * 1 + 1) * 1 / 1) with 4 in f by field.
assert (1 < ln 4); [|lra].
rewrite <- (ln_exp 1); apply ln_increasing; [apply exp_pos|].
pose proof exp_le_3; lra.
Qed.

(* the batch size is a multiple of the power of one number *)
Lemma batch_sizeE c2 cK d H eps p : 0 < cK -> (1 <= d)%nat -> (1 <= H)%nat -> 0 < eps ->
  0 < ln (INR H * INR d / eps) -> 1 < p ->
  batch_size c2 cK d H eps p =
  c2 * (INR d * ln (INR H * INR d / eps) / eps *
        Rpower (cK * INR H * (INR d * ln (INR H * INR d / eps)) / eps) (/ (p - 1))).
Proof.
intros c0 d1 H1 e0; unfold batch_size; set (L := ln _); intros L0 p1.
apply INR_ge1 in d1; apply INR_ge1 in H1; f_equal.
set (a := INR d * L / eps).
assert (a0 : 0 < a) by (unfold a; apply Rdiv_lt_0_compat; nra).
assert (E : cK * (INR H * Rpower (INR d) p / Rpower eps p) * Rpower L p = cK * INR H * a * Rpower a (p - 1)).
{ replace (cK * INR H * a * Rpower a (p - 1)) with (cK * INR H * (Rpower a (p - 1) * Rpower a 1)).
  2:{ rewrite (Rpower_1 a) by lra; ring. }
  rewrite <- Rpower_plus; replace (p - 1 + 1) with p by ring.
  replace (Rpower a p) with (Rpower (INR d) p * Rpower L p / Rpower eps p).
  { field; apply Rgt_not_eq, exp_pos. }
  assert (P : 0 < Rpower eps p) by apply exp_pos.
  apply Rmult_eq_reg_r with (Rpower eps p); [|lra].
  rewrite (Rpower_mult_distr a eps) by lra.
  replace (a * eps) with (INR d * L) by (unfold a; field; lra).
  rewrite <- Rpower_mult_distr by lra; field; lra. }
rewrite E, <- Rpower_mult_distr; [|apply Rmult_lt_0_compat; nra|apply exp_pos].
rewrite Rpower_mult, Rinv_r, Rpower_1 by lra.
replace (cK * INR H * (INR d * L) / eps) with (cK * INR H * a) by (unfold a; field; lra).
fold a; ring.
Qed.

Lemma Rpower_lt_exp b u v : 0 < b -> u < v -> (Rpower b u < Rpower b v <-> 1 < b).
Proof.
intros b0 uv; split; intros h.
- apply Rnot_le_lt; intros b1; destruct b1 as [b1|b1].
  + assert (ln b < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
    unfold Rpower in h; apply exp_lt_inv in h; nra.
  + rewrite b1 in h; unfold Rpower in h; rewrite ln_1, !Rmult_0_r in h; lra.
- assert (0 < ln b) by (apply ln_gt0; lra).
  unfold Rpower; apply exp_increasing; nra.
Qed.

(* [text-n-smallest-at-c-k], whole: the batch size of Equation (7) is not always smallest
   at p = c_K; it decreases in p exactly when c_K H d log (H d/eps) > eps *)
Theorem text_n_smallest_at_c_k :
  ~ (forall (c2 cK : R) (d H : nat) (eps p : R), 0 < c2 -> 2 <= cK -> (1 <= d)%nat ->
       (1 <= H)%nat -> 0 < eps < 1 -> 1 < p <= cK ->
       batch_size c2 cK d H eps cK <= batch_size c2 cK d H eps p) /\
  forall (c2 cK : R) (d H : nat) (eps p q : R), 0 < c2 -> 2 <= cK -> (1 <= d)%nat ->
    (1 <= H)%nat -> 0 < eps < 1 -> 1 < p < q ->
    (batch_size c2 cK d H eps q < batch_size c2 cK d H eps p <->
     eps < cK * INR H * INR d * ln (INR H * INR d / eps)).
Proof.
assert (main : forall (c2 cK : R) (d H : nat) (eps p q : R), 0 < c2 -> 2 <= cK ->
    (1 <= d)%nat -> (1 <= H)%nat -> 0 < eps < 1 -> 1 < p < q ->
    (batch_size c2 cK d H eps q < batch_size c2 cK d H eps p <->
     eps < cK * INR H * INR d * ln (INR H * INR d / eps))).
{ intros c2 cK d H eps p q c0 c1 d1 H1 [e0 e1] [p1 pq].
  pose proof (INR_ge1 _ d1) as d2; pose proof (INR_ge1 _ H1) as H2.
  assert (L0 : 0 < ln (INR H * INR d / eps)).
  { apply ln_gt0; apply Rmult_lt_reg_r with eps; [lra|].
    replace (INR H * INR d / eps * eps) with (INR H * INR d) by (field; lra); nra. }
  rewrite !batch_sizeE; try lra; try assumption.
  set (L := ln _) in *; set (a := INR d * L / eps).
  set (b := cK * INR H * (INR d * L) / eps).
  assert (dL : 0 < INR d * L) by nra.
  assert (a0 : 0 < a) by (unfold a; apply Rdiv_lt_0_compat; lra).
  assert (cH : 0 < cK * INR H) by nra.
  assert (b0 : 0 < b) by (unfold b; apply Rdiv_lt_0_compat; nra).
  assert (lt : / (q - 1) < / (p - 1)) by (apply Rinv_lt_contravar; nra).
  assert (s : 1 < b <-> eps < cK * INR H * INR d * L).
  { replace (cK * INR H * INR d * L) with (b * eps) by (unfold b; field; lra).
    split; intros; nra. }
  rewrite <- s, <- (Rpower_lt_exp b _ _ b0 lt).
  assert (ca : 0 < c2 * a) by nra.
  rewrite <- !Rmult_assoc; split; intros h; nra. }
split; [|exact main].
intros h; set (eps := 7 / 8).
assert (e0 : 0 < eps < 1) by (unfold eps; lra).
pose proof (h 1 3 1%nat 1%nat eps 2 Rlt_0_1 ltac:(lra) (le_n 1) (le_n 1) e0 ltac:(lra)) as no.
assert (L0 : 0 < ln (INR 1 * INR 1 / eps)) by (apply ln_gt0; unfold eps; simpl; lra).
assert (L1 : ln (INR 1 * INR 1 / eps) <= / 7).
{ pose proof (ln_le (INR 1 * INR 1 / eps)); unfold eps in *; simpl in *; lra. }
rewrite !batch_sizeE in no; try lra; try lia.
set (L := ln _) in *; simpl in no.
set (b := 3 * 1 * (1 * L) / eps) in no.
assert (b0 : 0 < b < 1) by (unfold b, eps; lra).
assert (lt : Rpower b (/ (2 - 1)) < Rpower b (/ (3 - 1))).
{ unfold Rpower; apply exp_increasing.
  assert (ln b < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  replace (/ (2 - 1)) with 1 by field; replace (/ (3 - 1)) with (/ 2) by field; lra. }
assert (a0 : 0 < 1 * L / eps) by (unfold eps; lra).
nra.
Qed.

(* control: on the side where the condition holds, p = c_K is the smallest *)
Theorem text_n_smallest_at_c_k_control : forall (c2 cK : R) (d H : nat) (eps p : R), 0 < c2 ->
  2 <= cK -> (1 <= d)%nat -> (1 <= H)%nat -> 0 < eps < 1 -> 1 < p < cK ->
  eps < cK * INR H * INR d * ln (INR H * INR d / eps) ->
  batch_size c2 cK d H eps cK < batch_size c2 cK d H eps p.
Proof. intros; apply (proj2 text_n_smallest_at_c_k c2 cK d H eps p cK); assumption. Qed.
