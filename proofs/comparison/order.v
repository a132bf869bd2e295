(* The total of Algorithm 2 that the table prints is too small by a factor of H. *)
From Coq Require Import Reals Lra Psatz Lia.
From derl.common Require Import reals.
From derl.lower_bounds Require Import exponents.
From derl.comparison Require Import totals.
Local Open Scope R_scope.

(* [tab-row-arbitrary], the order, is false: no constant and no power of the logarithm makes
   the printed total an upper bound of H N, with N as Theorem E.9 prints it *)
Theorem tab_row_arbitrary_order cst : 0 < cst -> ~ (exists (C : R) (k : nat), forall d H eps delta nu,
  1 <= d -> 1 <= H -> 0 < eps < 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  let L := ln (d * H / (eps * delta * nu)) in
  H * arbitrary_size cst d H eps nu L <=
    C * L ^ k * (d ^ 3 * H ^ 4 / (eps ^ 2 * nu ^ 2) + d ^ 7 * H ^ 2 / nu ^ 14)).
Proof.
intros c0 (C & k & h).
set (B := Rabs C * 4 ^ k / cst); destruct (power_small B k) as [m hm].
assert (H1 : 1 <= 2 ^ m) by (apply pow_R1_Rle; lra).
specialize (h 1 (2 ^ m) (/ 2) (/ 2) 1 ltac:(lra) H1 ltac:(lra) ltac:(lra) ltac:(lra)).
set (H := 2 ^ m) in *; cbv zeta in h.
replace (1 * H / (/ 2 * / 2 * 1)) with (2 ^ (m + 2)) in h by (rewrite pow_add; fold H; simpl; field).
set (L := ln (2 ^ (m + 2))) in *; pose proof (pos_INR m) as m0.
assert (LE : L = (INR m + 2) * ln 2).
{ unfold L; rewrite <- Rpower_pow by lra; unfold Rpower; rewrite ln_exp, plus_INR; reflexivity. }
pose proof (ln_le 2 ltac:(lra)) as l1; pose proof ln_lt_2 as l2.
set (x := ln 2) in *; assert (mx : 0 <= INR m * x <= INR m * 1) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l];
  lra).
assert (L1 : 1 <= L) by (rewrite LE; lra).
assert (L4 : L <= 4 * (INR m + 1)) by (rewrite LE; lra).
assert (Lk : L ^ k <= 4 ^ k * (INR m + 1) ^ k) by (rewrite <- Rpow_mult_distr; apply pow_incr; lra).
assert (Lk0 : 0 <= L ^ k) by (apply pow_le; lra).
set (T := 1 ^ 3 * H ^ 4 / ((/ 2) ^ 2 * 1 ^ 2) + 1 ^ 7 * H ^ 2 / 1 ^ 14) in *.
assert (T0 : 0 < T).
{ unfold T; replace (1 ^ 3 * H ^ 4 / ((/ 2) ^ 2 * 1 ^ 2) + 1 ^ 7 * H ^ 2 / 1 ^ 14) with (4 * H ^ 4 + H ^ 2) by field.
  assert (0 < H ^ 4) by (apply pow_lt; lra); assert (0 < H ^ 2) by (apply pow_lt; lra); lra. }
assert (e : H * arbitrary_size cst 1 H (/ 2) 1 L = H * cst * L ^ 2 * T).
{ unfold arbitrary_size, T; field. }
rewrite e in h; apply Rmult_le_reg_r in h; [|exact T0].
assert (a1 : H * cst <= H * cst * L ^ 2).
{ assert (L2 : 1 <= L ^ 2) by (apply pow_R1_Rle; exact L1).
  rewrite <- (Rmult_1_r (H * cst)) at 1; apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact L2]. }
assert (a2 : C * L ^ k <= Rabs C * (4 ^ k * (INR m + 1) ^ k)).
{ apply Rle_trans with (Rabs C * L ^ k); [apply Rmult_le_compat_r; [exact Lk0|apply Rle_abs]|].
  apply Rmult_le_compat_l; [apply Rabs_pos|exact Lk]. }
assert (a3 : B * (INR m + 1) ^ k * cst < H * cst) by (apply Rmult_lt_compat_r; assumption).
replace (B * (INR m + 1) ^ k * cst) with (Rabs C * (4 ^ k * (INR m + 1) ^ k)) in a3 by (unfold B; field; lra).
lra.
Qed.
