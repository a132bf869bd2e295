(* The printed batch size of Theorem 4.1 (p = 4) and of Theorem D.4 (p = 6):
   its exponents, its limit for a large trade-off, and where it decreases. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals limits.
Local Open Scope R_scope.

(* N = cst (c H^(pc+1) d^(3c) / eps^(2c) L^(2c))^(1/(c-1)); c is the trade-off c_K, L the
   logarithm of H d / (delta eps) *)
Definition printed_size (p cst c d H eps L : R) : R :=
  cst * Rpower (c * (Rpower H (p * c + 1) * Rpower d (3 * c) / Rpower eps (2 * c)) *
                Rpower L (2 * c)) (/ (c - 1)).

Lemma Rpower_div x a : / Rpower x a = Rpower x (- a).
Proof. symmetry; apply Rpower_Ropp. Qed.

Lemma size_inner p c d H eps L : 0 < c ->
  c * (Rpower H (p * c + 1) * Rpower d (3 * c) / Rpower eps (2 * c)) * Rpower L (2 * c) =
  exp (ln c + (p * c + 1) * ln H + 3 * c * ln d - 2 * c * ln eps + 2 * c * ln L).
Proof.
intros c0; unfold Rdiv; rewrite Rpower_div; unfold Rpower.
rewrite <- (exp_ln c) at 1 by exact c0; rewrite <- !exp_plus; f_equal; ring.
Qed.

Lemma size_exp p cst c d H eps L : 0 < c ->
  printed_size p cst c d H eps L = cst * exp (/ (c - 1) *
    (ln c + (p * c + 1) * ln H + 3 * c * ln d - 2 * c * ln eps + 2 * c * ln L)).
Proof.
intros c0; unfold printed_size; rewrite size_inner by exact c0.
unfold Rpower; rewrite ln_exp; reflexivity.
Qed.

(* the exponents of H, d, 1/eps and L *)
Lemma size_exponents p cst c d H eps L : 1 < c ->
  printed_size p cst c d H eps L = cst * Rpower c (/ (c - 1)) *
    (Rpower H ((p * c + 1) / (c - 1)) * Rpower d (3 * c / (c - 1)) /
     Rpower eps (2 * c / (c - 1))) * Rpower L (2 * c / (c - 1)).
Proof.
intros c1; rewrite size_exp by lra; unfold Rdiv; rewrite Rpower_div; unfold Rpower.
rewrite !Rmult_assoc, <- !exp_plus; do 2 f_equal; field; lra.
Qed.

Lemma Rpower_nat x n r : 0 < x -> r = INR n -> Rpower x r = x ^ n.
Proof. intros x0 ->; apply Rpower_pow; exact x0. Qed.

Definition limit_size (p : R) (cst d H eps L : R) : R :=
  cst * (Rpower H p * d ^ 3 / eps ^ 2 * L ^ 2).

Lemma size_limit p cst d H eps L : 0 < d -> 0 < H -> 0 < eps -> 0 < L ->
  at_infinity (fun c => printed_size p cst c d H eps L) (limit_size p cst d H eps L).
Proof.
intros d0 H0 e0 L0; unfold limit_size.
set (Y := Rpower H p * d ^ 3 / eps ^ 2 * L ^ 2).
assert (YE : Y = exp (p * ln H + 3 * ln d - 2 * ln eps + 2 * ln L)).
  unfold Y, Rdiv; rewrite <- (Rpower_nat d 3 3), <- (Rpower_nat eps 2 2), <- (Rpower_nat L 2 2);
    try assumption; try (simpl; ring).
  rewrite Rpower_div; unfold Rpower; rewrite <- !exp_plus; f_equal; ring.
apply limit_scale; apply limit_ext with (fun c => Rpower (c * H * Rpower Y c) (/ (c - 1))).
  intros c c1; f_equal; rewrite size_inner by lra.
  unfold Rpower; rewrite YE, ln_exp.
  transitivity (exp (ln c) * exp (ln H) * exp (c * (p * ln H + 3 * ln d - 2 * ln eps + 2 * ln L))).
    rewrite <- !exp_plus; f_equal; ring.
  rewrite !exp_ln by lra; reflexivity.
apply power_limit; [exact H0|rewrite YE; apply exp_pos].
Qed.

(* [text-exponents], whole: the printed size at c_K = 2, at c_K = 6, and its limit *)
Theorem text_exponents cst d H eps L : 0 < d -> 0 < H -> 0 < eps -> 0 < L ->
  printed_size 4 cst 2 d H eps L = 2 * cst * (H ^ 9 * d ^ 6 / eps ^ 4) * L ^ 4 /\
  printed_size 4 cst 6 d H eps L =
    cst * Rpower 6 (1 / 5) * (H ^ 5 * Rpower d (36 / 10) / Rpower eps (24 / 10)) *
    Rpower L (24 / 10) /\
  at_infinity (fun c => printed_size 4 cst c d H eps L) (cst * (H ^ 4 * d ^ 3 / eps ^ 2 * L ^ 2)).
Proof.
intros d0 H0 e0 L0; split; [|split].
- rewrite size_exponents by lra.
  replace (/ (2 - 1)) with 1 by field; rewrite Rpower_1 by lra.
  rewrite (Rpower_nat H 9), (Rpower_nat d 6), (Rpower_nat eps 4), (Rpower_nat L 4); try lra;
    simpl; try lra.
- rewrite size_exponents by lra.
  replace (/ (6 - 1)) with (1 / 5) by field.
  rewrite (Rpower_nat H 5); [|lra|simpl; lra].
  replace (3 * 6 / (6 - 1)) with (36 / 10) by field.
  replace (2 * 6 / (6 - 1)) with (24 / 10) by field; reflexivity.
- rewrite <- (Rpower_nat H 4 4) by (simpl; lra); apply size_limit; assumption.
Qed.

(* control: with H^5 the limit is false, for H = 2 *)
Theorem text_exponents_control :
  ~ (forall cst d H eps L, 0 < cst -> 0 < d -> 0 < H -> 0 < eps -> 0 < L ->
     at_infinity (fun c => printed_size 4 cst c d H eps L) (cst * (H ^ 5 * d ^ 3 / eps ^ 2 * L ^ 2))).
Proof.
intros h; destruct (text_exponents 1 1 2 1 1) as [_ [_ l]]; try lra.
pose proof (limit_unique _ _ _ l (h 1 1 2 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra))).
lra.
Qed.

Lemma Rpower_one_l r : Rpower 1 r = 1.
Proof. unfold Rpower; rewrite ln_1, Rmult_0_r; apply exp_0. Qed.

Lemma derivable_local f g c l : 0 < c -> (forall x, 0 < x -> f x = g x) ->
  derivable_pt_lim g c l -> derivable_pt_lim f c l.
Proof.
intros c0 h hg e e0; destruct (hg e e0) as [[t t0] ht].
assert (m0 : 0 < Rmin t c) by (apply Rmin_pos; assumption).
exists (mkposreal _ m0); intros u u0 hu; simpl in hu.
pose proof (Rmin_l t c); pose proof (Rmin_r t c).
pose proof (Rle_abs (- u)) as au; rewrite Rabs_Ropp in au.
rewrite !h by lra; apply ht; [exact u0|simpl; lra].
Qed.

Lemma ln_gt x : 1 < x -> 1 - / x < ln x.
Proof.
intros x1; assert (l : 0 < ln x) by (apply ln_gt0; exact x1).
pose proof (exp_ineq1 (- ln x) ltac:(lra)) as h.
rewrite exp_Ropp, exp_ln in h; lra.
Qed.

(* [res-n-decreasing], whole: the derivative of log N in c_K, its sign, and the instance *)
Theorem res_n_decreasing cst d H eps L c :
  0 < cst -> 0 < d -> 0 < H -> 0 < eps -> 0 < L -> 1 < c ->
  let slope := (1 - 1 / c - ln c - ln (H ^ 5 * d ^ 3 * L ^ 2 / eps ^ 2)) / (c - 1) ^ 2 in
  derivable_pt_lim (fun t => ln (printed_size 4 cst t d H eps L)) c slope /\
  (eps ^ 2 <= H ^ 5 * d ^ 3 * L ^ 2 -> slope < 0).
Proof.
intros k0 d0 H0 e0 L0 c1 slope.
set (B := 4 * ln H + 3 * ln d - 2 * ln eps + 2 * ln L).
assert (Y : ln (H ^ 5 * d ^ 3 * L ^ 2 / eps ^ 2) = ln H + B).
  rewrite <- (ln_exp (ln H + B)); f_equal.
  rewrite <- (Rpower_nat H 5 5), <- (Rpower_nat d 3 3), <- (Rpower_nat L 2 2),
    <- (Rpower_nat eps 2 2); try assumption; try (simpl; ring).
  unfold Rdiv; rewrite Rpower_div; unfold Rpower; rewrite <- !exp_plus; f_equal; unfold B; ring.
split.
- apply derivable_local with
    (fun t => ln cst + ((ln t + (ln H + t * B)) / (t - 1))); [lra| |].
    intros t t0; rewrite size_exp, ln_mult, ln_exp; try assumption; [|apply exp_pos].
    unfold B, Rdiv; ring.
  assert (D1 : derivable_pt_lim (fun t => ln H + t * B) c B).
    apply deriv_eq with (0 + (1 * B + id c * 0)); [|ring].
    apply (derivable_pt_lim_plus (fun _ => ln H) (fun t => t * B)).
      apply derivable_pt_lim_const.
    apply (derivable_pt_lim_mult id (fun _ => B)).
      apply derivable_pt_lim_id.
    apply derivable_pt_lim_const.
  assert (D2 : derivable_pt_lim (fun t => ln t + (ln H + t * B)) c (/ c + B)).
    apply (derivable_pt_lim_plus ln (fun t => ln H + t * B)); [|exact D1].
    apply derivable_pt_lim_ln; lra.
  assert (D3 : derivable_pt_lim (fun t => t - 1) c (1 - 0)).
    apply (derivable_pt_lim_minus id (fun _ => 1)).
      apply derivable_pt_lim_id.
    apply derivable_pt_lim_const.
  assert (z : c - 1 <> 0) by lra.
  apply deriv_eq with (0 + ((/ c + B) * (c - 1) - (1 - 0) * (ln c + (ln H + c * B))) / Rsqr (c - 1)).
    apply (derivable_pt_lim_plus (fun _ => ln cst)
      (fun t => (ln t + (ln H + t * B)) / (t - 1))).
      apply derivable_pt_lim_const.
    exact (derivable_pt_lim_div _ _ _ _ _ D2 D3 z).
  unfold slope; rewrite Y; unfold Rsqr; field; lra.
- intros big; unfold slope; apply Rmult_lt_reg_r with ((c - 1) ^ 2); [apply pow_lt; lra|].
  rewrite Rmult_0_l; unfold Rdiv at 1; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by
    (apply pow_nonzero; lra).
  assert (l0 : 0 <= ln (H ^ 5 * d ^ 3 * L ^ 2 / eps ^ 2)).
    apply ln_ge0; apply Rmult_le_reg_r with (eps ^ 2); [apply pow_lt; exact e0|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l; [lra|apply pow_nonzero; lra].
  pose proof (ln_gt c c1); lra.
Qed.

(* the instance of [res-n-decreasing]: natural d and H with d H >= 2, and eps, delta <= 1 *)
Theorem res_n_decreasing_instance d H eps delta :
  (1 <= d)%nat -> (1 <= H)%nat -> (2 <= d * H)%nat -> 0 < eps <= 1 -> 0 < delta <= 1 ->
  let L := ln (INR H * INR d / (delta * eps)) in
  0 < L /\ eps ^ 2 <= INR H ^ 5 * INR d ^ 3 * L ^ 2.
Proof.
intros d1 H1 dH [e0 e1] [t0 t1] L.
apply le_INR in d1, H1, dH; rewrite mult_INR in dH; simpl in d1, H1, dH.
set (x := INR d) in *; set (y := INR H) in *.
assert (q : 0 < delta * eps <= 1) by nra.
assert (l2 : ln 2 <= L).
  apply ln_mono; [lra|]; apply Rmult_le_reg_r with (delta * eps); [lra|].
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
pose proof ln_lt_2; split; [lra|].
assert (h : 4 <= (x * y) ^ 2) by nra.
assert (k : 8 <= (x * y) ^ 3) by (simpl; nra).
assert (m : 8 <= y ^ 5 * x ^ 3).
  replace (y ^ 5 * x ^ 3) with ((x * y) ^ 3 * (y * y)) by ring; nra.
assert (l : / 4 <= L ^ 2) by nra.
apply Rle_trans with 1; [nra|].
apply Rle_trans with (8 * / 4); [lra|]; apply Rmult_le_compat; lra.
Qed.

(* [text-n-decreasing] is false: at d = H = 1, eps = delta = 9/10 the size grows from
   c_K = 2 to c_K = 3, whatever the constant *)
Theorem text_n_decreasing_refuted :
  ~ (forall cst d H eps delta c c', 0 < cst -> 1 <= d -> 1 <= H -> 0 < eps < 1 -> 0 < delta < 1 ->
     2 <= c < c' ->
     printed_size 4 cst c' d H eps (ln (H * d / (delta * eps))) <
     printed_size 4 cst c d H eps (ln (H * d / (delta * eps)))).
Proof.
intros h; specialize (h 1 1 1 (9/10) (9/10) 2 3 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)
  ltac:(lra) ltac:(lra)); revert h; apply Rle_not_lt.
set (L := ln (1 * 1 / (9 / 10 * (9 / 10)))).
assert (L0 : 0 < L) by (apply ln_gt0; lra).
assert (L1 : L <= 3 / 10).
  pose proof (ln_le (1 * 1 / (9 / 10 * (9 / 10))) ltac:(lra)) as u; unfold L; lra.
destruct (text_exponents 1 1 1 (9/10) L ltac:(lra) ltac:(lra) ltac:(lra) L0) as [-> _].
rewrite size_exponents by lra.
rewrite (Rpower_nat L 3); [|lra|simpl; lra].
rewrite (Rpower_nat (9/10) 3); [|lra|simpl; lra].
rewrite !Rpower_one_l; replace (/ (3 - 1)) with (/ 2) by field; rewrite Rpower_sqrt by lra.
assert (s : 3 / 2 <= sqrt 3).
  rewrite <- (sqrt_square (3 / 2)) by lra; apply sqrt_le_1; lra.
assert (L3 : 0 < L ^ 3) by (apply pow_lt; exact L0).
replace (L ^ 4) with (L * L ^ 3) by ring.
apply Rle_trans with (2 * (1 / (9 / 10) ^ 4) * (3 / 10) * L ^ 3); [nra|].
apply Rle_trans with (3 / 2 * (1 / (9 / 10) ^ 3) * L ^ 3); [nra|nra].
Qed.

(* [res-n-decreasing], whole: both parts *)
Theorem res_n_decreasing_whole :
  (forall cst d H eps L c, 0 < cst -> 0 < d -> 0 < H -> 0 < eps -> 0 < L -> 1 < c ->
     let slope := (1 - 1 / c - ln c - ln (H ^ 5 * d ^ 3 * L ^ 2 / eps ^ 2)) / (c - 1) ^ 2 in
     derivable_pt_lim (fun t => ln (printed_size 4 cst t d H eps L)) c slope /\
     (eps ^ 2 <= H ^ 5 * d ^ 3 * L ^ 2 -> slope < 0)) /\
  (forall d H eps delta,
     (1 <= d)%nat -> (1 <= H)%nat -> (2 <= d * H)%nat -> 0 < eps <= 1 -> 0 < delta <= 1 ->
     let L := ln (INR H * INR d / (delta * eps)) in
     0 < L /\ eps ^ 2 <= INR H ^ 5 * INR d ^ 3 * L ^ 2).
Proof. split; [exact res_n_decreasing|exact res_n_decreasing_instance]. Qed.
