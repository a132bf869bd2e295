(* (1 - 1/H)^H against 1/e, and what the bound of Theorem 3.2 is not. *)
From Coq Require Import Reals Lra Lia Arith.
From derl.common Require Import reals.
Local Open Scope R_scope.

Lemma base_pos H : (2 <= H)%nat -> 0 < 1 - / INR H < 1.
Proof.
intros h; apply le_INR in h; simpl in h.
assert (0 < / INR H) by (apply Rinv_0_lt_compat; lra).
assert (/ INR H <= / 2) by (apply Rinv_le_contravar; lra); lra.
Qed.

(* log (1 - 1/H) < -1/H, and -1/(H-1) < log (1 - 1/H) *)
Lemma log_base H : (2 <= H)%nat ->
  - / (INR H - 1) < ln (1 - / INR H) /\ ln (1 - / INR H) < - / INR H.
Proof.
intros h; destruct (base_pos H h) as [b0 b1]; apply le_INR in h; simpl in h.
assert (i0 : 0 < / INR H) by (apply Rinv_0_lt_compat; lra).
assert (j0 : 0 < / (INR H - 1)) by (apply Rinv_0_lt_compat; lra).
split.
- assert (e : / (1 - / INR H) = 1 + / (INR H - 1)) by (field; lra).
  assert (ln (/ (1 - / INR H)) < / (INR H - 1)).
  { rewrite e; apply exp_lt_inv; rewrite exp_ln by lra; apply exp_ineq1; lra. }
  rewrite ln_Rinv in H0 by lra; lra.
- apply exp_lt_inv; rewrite exp_ln by lra; assert (n0 : - / INR H <> 0) by lra.
  pose proof (exp_ineq1 _ n0); lra.
Qed.

(* [ineq-one-over-e], refuted as printed: (1 - 1/H)^H >= 1/e *)
Theorem ineq_one_over_e : ~ (forall H : nat, (2 <= H)%nat -> exp (-1) <= (1 - / INR H) ^ H).
Proof.
intros h; pose proof (h 2%nat (le_n 2)) as h2; simpl in h2.
pose proof exp_le_3;
  assert (p : exp 1 * exp (-1) = 1) by (rewrite <- exp_plus; replace (1 + -1) with 0 by ring; apply exp_0).
pose proof (exp_pos (-1)).
replace ((1 - / (1 + 1)) * ((1 - / (1 + 1)) * 1)) with (/ 4) in h2 by field.
assert (exp 1 * exp (-1) <= 3 * exp (-1)) by (apply Rmult_le_compat_r; lra); lra.
Qed.

(* it is false for every H *)
Theorem ineq_one_over_e_every (H : nat) : (2 <= H)%nat -> (1 - / INR H) ^ H < exp (-1).
Proof.
intros h; destruct (base_pos H h) as [b0 _]; destruct (log_base H h) as [_ l].
rewrite <- Rpower_pow by exact b0; unfold Rpower; apply exp_increasing.
apply le_INR in h; simpl in h.
apply Rmult_lt_compat_l with (r := INR H) in l; [|lra].
replace (INR H * - / INR H) with (-1) in l by (field; lra); exact l.
Qed.

(* [ineq-one-over-e-repaired], whole *)
Theorem ineq_one_over_e_repaired_whole (H : nat) : (2 <= H)%nat ->
  exp (-1) < (1 - / INR H) ^ (H - 1) /\
  forall c : R, 1 <= c -> exp (- / 2) <= Rpower (1 - / INR H) ((INR H - 2) / (2 * c)).
Proof.
intros h; destruct (base_pos H h) as [b0 b1]; destruct (log_base H h) as [l l'].
assert (hR := h); apply le_INR in hR; simpl in hR.
assert (j0 : 0 < / (INR H - 1)) by (apply Rinv_0_lt_compat; lra).
split.
- rewrite <- Rpower_pow by exact b0; unfold Rpower; apply exp_increasing.
  rewrite minus_INR by lia; simpl (INR 1).
  apply Rmult_lt_compat_l with (r := INR H - 1) in l; [|lra].
  replace ((INR H - 1) * - / (INR H - 1)) with (-1) in l by (field; lra); exact l.
- intros c c1; unfold Rpower; apply exp_le.
  assert (i0 : 0 < / INR H) by (apply Rinv_0_lt_compat; lra).
  set (x := (INR H - 2) / (2 * c)).
  assert (c0 : 0 < / (2 * c)) by (apply Rinv_0_lt_compat; lra).
  assert (c2 : / (2 * c) <= / 2) by (apply Rinv_le_contravar; lra).
  assert (x1 : x <= (INR H - 1) / 2).
  { unfold x, Rdiv; apply Rle_trans with ((INR H - 2) * / 2); [apply Rmult_le_compat_l; lra|lra]. }
  set (y := ln (1 - / INR H)) in *.
  assert (y0 : y < 0) by lra.
  apply Rle_trans with ((INR H - 1) / 2 * y).
  + apply Rmult_lt_compat_l with (r := (INR H - 1) / 2) in l; [|lra].
    replace ((INR H - 1) / 2 * - / (INR H - 1)) with (- / 2) in l by (field; lra); lra.
  + assert (x * - y <= (INR H - 1) / 2 * - y) by (apply Rmult_le_compat_r; lra); lra.
Qed.

Lemma pow2_ge j : INR j + 1 <= 2 ^ j.
Proof.
induction j as [|j IH]; [simpl; lra|]; rewrite S_INR; simpl.
pose proof (pos_INR j); lra.
Qed.

(* exponentials beat powers *)
Lemma power_small C k : exists m, C * (INR m + 1) ^ k < 2 ^ m.
Proof.
set (B := Rabs C * INR (k + 1) ^ k).
assert (B0 : 0 <= B) by (apply Rmult_le_pos; [apply Rabs_pos|apply pow_le, pos_INR]).
assert (exists j, B < INR j) as [j hj].
{ exists (Z.to_nat (up B)); destruct (archimed B) as [a _].
  rewrite INR_IZR_INZ, Z2Nat.id; [exact a|]; apply le_IZR; lra. }
exists ((k + 1) * j)%nat.
assert (k1 : 1 <= INR (k + 1)) by (apply (le_INR 1); lia).
pose proof (pos_INR j) as j0.
assert (h1 : (INR ((k + 1) * j) + 1) ^ k <= (INR (k + 1) * (INR j + 1)) ^ k).
{ apply pow_incr; rewrite mult_INR; split; [pose proof (Rmult_le_pos _ _ (Rle_trans _ _ _ Rle_0_1 k1) j0); lra|].
  rewrite Rmult_plus_distr_l; lra. }
rewrite Rpow_mult_distr in h1.
assert (p0 : 0 < (INR j + 1) ^ k) by (apply pow_lt; lra).
apply Rle_lt_trans with (B * (INR j + 1) ^ k).
- apply Rle_trans with (Rabs C * (INR ((k + 1) * j) + 1) ^ k).
  + apply Rmult_le_compat_r; [apply pow_le; pose proof (pos_INR ((k + 1) * j)); lra|apply Rle_abs].
  + unfold B; rewrite Rmult_assoc; apply Rmult_le_compat_l; [apply Rabs_pos|exact h1].
- apply Rlt_le_trans with ((INR j + 1) * (INR j + 1) ^ k).
  + apply Rmult_lt_compat_r; lra.
  + replace (2 ^ ((k + 1) * j)) with ((2 ^ j) ^ (k + 1)) by (rewrite <- pow_mult; f_equal; lia).
    replace ((INR j + 1) * (INR j + 1) ^ k) with ((INR j + 1) ^ (k + 1)) by (rewrite pow_add; simpl; ring).
    apply pow_incr; split; [lra|apply pow2_ge].
Qed.

(* l is the logarithm of x to the base d, rounded up *)
Definition log_up (d x l : nat) := (x <= d ^ l)%nat /\ forall l', (x <= d ^ l')%nat -> (l <= l')%nat.

(* [text-soft-omega]: for no constant C and no power k is H at most C log^k (d H) times
   H / ceil (log_d (N H)), for every N *)
Theorem text_soft_omega : ~ (exists (C : R) (k : nat), forall d H N l : nat,
  (2 <= d)%nat -> (1 <= H)%nat -> (1 <= N)%nat -> log_up d (N * H) l -> (1 <= l)%nat ->
  INR H <= C * ln (INR d * INR H) ^ k * (INR H / INR l)).
Proof.
intros (C & k & h); destruct (power_small (Rabs C) k) as [m hm].
set (H := (2 ^ m)%nat).
assert (HR : INR H = 2 ^ m) by (unfold H; rewrite pow_INR; reflexivity).
assert (H1 : (1 <= H)%nat) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
assert (up : log_up 2 (2 ^ H * H) (H + m)).
{ unfold log_up; replace (2 ^ H * H)%nat with (2 ^ (H + m))%nat by (rewrite Nat.pow_add_r; reflexivity).
  split; [apply le_n|].
  intros l' hl; apply (Nat.pow_le_mono_r_iff 2); [lia|exact hl]. }
assert (N1 : (1 <= 2 ^ H)%nat) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
pose proof (h 2%nat H (2 ^ H)%nat (H + m)%nat (le_n 2) H1 N1 up (Nat.le_trans _ _ _ H1 (Nat.le_add_r _ _))) as b.
assert (H0 : 1 <= INR H) by (apply (le_INR 1); exact H1).
assert (l0 : 0 < INR (H + m)) by (rewrite plus_INR; pose proof (pos_INR m); lra).
assert (q : INR H / INR (H + m) <= 1).
{ apply Rmult_le_reg_r with (INR (H + m)); [exact l0|].
  replace (INR H / INR (H + m) * INR (H + m)) with (INR H) by (field; lra).
  rewrite plus_INR; pose proof (pos_INR m); lra. }
assert (q0 : 0 <= INR H / INR (H + m)) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
assert (L : ln (INR 2 * INR H) <= INR m + 1).
{ rewrite HR; replace (INR 2 * 2 ^ m) with (2 ^ (S m)) by (simpl; ring).
  rewrite <- Rpower_pow by lra; unfold Rpower; rewrite ln_exp, S_INR.
  pose proof (ln_le 2 ltac:(lra)); pose proof (pos_INR m).
  replace (INR m + 1) with ((INR m + 1) * 1) at 2 by ring; apply Rmult_le_compat_l; lra. }
assert (L0 : 0 <= ln (INR 2 * INR H)) by (apply ln_ge0; simpl; lra).
assert (Lk : ln (INR 2 * INR H) ^ k <= (INR m + 1) ^ k) by (apply pow_incr; lra).
assert (Lk0 : 0 <= ln (INR 2 * INR H) ^ k) by (apply pow_le; exact L0).
set (z := ln (INR 2 * INR H) ^ k) in *.
assert (b2 : C * z <= Rabs C * (INR m + 1) ^ k).
{ apply Rle_trans with (Rabs C * z); [apply Rmult_le_compat_r; [exact Lk0|apply Rle_abs]|].
  apply Rmult_le_compat_l; [apply Rabs_pos|exact Lk]. }
assert (b3 : 0 <= Rabs C * (INR m + 1) ^ k).
{ apply Rmult_le_pos; [apply Rabs_pos|apply pow_le; pose proof (pos_INR m); lra]. }
assert (C * z * (INR H / INR (H + m)) <= Rabs C * (INR m + 1) ^ k).
{ apply Rle_trans with (Rabs C * (INR m + 1) ^ k * (INR H / INR (H + m))); [apply Rmult_le_compat_r; assumption|].
  rewrite <- (Rmult_1_r (Rabs C * (INR m + 1) ^ k)) at 2; apply Rmult_le_compat_l; assumption. }
lra.
Qed.

(* control: for N = 1 and one power of the logarithm it is true with the constant 3 at H = d = 2 *)
Theorem text_soft_omega_control : INR 2 <= 3 * ln (INR 2 * INR 2) ^ 1 * (INR 2 / INR 1).
Proof.
simpl; pose proof (ln_ge ((1 + 1) * (1 + 1)) ltac:(lra)).
replace (/ ((1 + 1) * (1 + 1))) with (/ 4) in H by (f_equal; lra); lra.
Qed.
