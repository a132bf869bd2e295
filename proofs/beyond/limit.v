(* The exchange law at fixed d: from its two sides to the limit of K log_(d-1) N / H. *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From derl.common Require Import reals.
Local Open Scope R_scope.

(* the logarithm of x in the base b *)
Definition log_in (b x : R) : R := ln x / ln b.
(* the least whole number that is at least x *)
Definition ceiling (x : R) : R := - IZR (Int_part (- x)).
(* the sequence u goes to infinity *)
Definition diverges (u : nat -> R) : Prop := forall M, exists n, forall i, (n <= i)%nat -> M < u i.

Lemma ceiling_range x : x <= ceiling x < x + 1.
Proof. unfold ceiling; destruct (base_Int_part (- x)); lra. Qed.

Lemma ln_power x n : 0 < x -> ln (x ^ n) = INR n * ln x.
Proof.
intros x0; induction n as [|n IH]; [simpl; rewrite ln_1; ring|].
rewrite S_INR, <- tech_pow_Rmult, ln_mult, IH; try assumption; [ring|apply pow_lt; exact x0].
Qed.

Lemma below_one d H a L1 L s K : 3 <= d -> 0 < a -> 1 <= s -> L1 <= a + 1 -> 0 <= L <= a + 1 -> a + 2 + s <= H ->
  1 + (H - 1 - L1 - / (d - 1) * s) / (L + 1 + / (d - 2) * s) <= K ->
  1 - (a + 2 + s) / H - (2 + s) / a <= K * a / H.
Proof.
intros d3 a0 s1 hL1 hL aH hK.
assert (i1 : 0 < / (d - 1) <= 1).
  split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra].
assert (i2 : 0 < / (d - 2) <= 1).
  split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra].
set (D := L + 1 + / (d - 2) * s) in *; set (T := H - 1 - L1 - / (d - 1) * s) in *.
assert (D0 : 0 < D) by (unfold D; nra).
assert (Da : D <= a + 2 + s) by (unfold D; nra).
assert (Tb : H - (a + 2 + s) <= T) by (unfold T; nra).
assert (low : (H - (a + 2 + s)) / (a + 2 + s) <= K).
  apply Rle_trans with (T / D); [|lra].
  apply Rle_trans with ((H - (a + 2 + s)) / D).
    apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact D0|exact Tb].
assert (ah : 0 < a / H) by (apply Rdiv_lt_0_compat; lra).
replace (K * a / H) with (K * (a / H)) by (field; lra).
apply Rle_trans with ((H - (a + 2 + s)) / (a + 2 + s) * (a / H)); [|apply Rmult_le_compat_r; lra].
set (u := (a + 2 + s) / H); set (v := (2 + s) / (a + 2 + s)).
replace ((H - (a + 2 + s)) / (a + 2 + s) * (a / H)) with ((1 - u) * (1 - v)) by (unfold u, v; field; lra).
assert (u0 : 0 <= u) by (left; apply Rdiv_lt_0_compat; lra).
assert (v0 : 0 <= v) by (left; apply Rdiv_lt_0_compat; lra).
assert (vv : v <= (2 + s) / a).
  apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
nra.
Qed.

Lemma above_one H a e l K : 3 <= H -> 0 < a -> 0 < e < 1 -> (1 - e) * a <= l ->
  K <= 1 + ceiling ((H - 1) / l) -> K * a / H <= 2 * (a / H) + / (1 - e).
Proof.
intros H3 a0 e01 hl hK; destruct (ceiling_range ((H - 1) / l)) as [_ c].
assert (ea : 0 < (1 - e) * a) by nra.
assert (q : (H - 1) / l <= H / ((1 - e) * a)).
  apply Rle_trans with (H / l).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; lra.
  apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
assert (ah : 0 < a / H) by (apply Rdiv_lt_0_compat; lra).
replace (K * a / H) with (K * (a / H)) by (field; lra).
replace (2 * (a / H) + / (1 - e)) with ((2 + H / ((1 - e) * a)) * (a / H)) by (field; lra).
apply Rmult_le_compat_r; lra.
Qed.

(* [res-exact-base-law], the limit: from the two sides, for every i an instance with dimension d, H layers, N
   trajectories and the polynomial Q, and K the least number of deployments *)
Theorem exact_base_limit (d H N Q K : nat -> R) (delta : R) :
  0 < delta < / 2 -> (forall i, 3 <= d i) -> (forall i, 3 <= H i) -> (forall i, 1 < N i) -> (forall i, d i ^ 6 <= Q i)
  -> (forall i, 1 + (H i - 1 - ceiling (log_in (d i) (N i)) - / ((d i - 1) * (1 - 2 * delta))) /
     (ceiling (log_in (d i - 1) (N i)) + 1 + / ((d i - 2) * (1 - 2 * delta))) <= K i) ->
  (forall i (L : nat), (1 <= L)%nat -> INR L < H i -> Q i * (d i - 1) ^ (L - 1) <= N i ->
     K i <= 1 + ceiling ((H i - 1) / INR L)) ->
  diverges (fun i => ln (N i) / ln (Q i)) -> diverges (fun i => H i / log_in (d i - 1) (N i)) ->
  Un_cv (fun i => K i * log_in (d i - 1) (N i) / H i) 1.
Proof.
intros hd d3 H3 N1 hQ low up bigN bigH e e0.
set (s := / (1 - 2 * delta)); assert (s1 : 1 <= s).
  unfold s; rewrite <- Rinv_1 at 1; apply Rinv_le_contravar; lra.
set (eta := e / (2 + e)); assert (eta01 : 0 < eta < 1).
  unfold eta; split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (2 + e); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
assert (etaE : / (1 - eta) = 1 + e / 2) by (unfold eta; field; lra).
set (A := 2 * (2 + s) / e + 2 + s + 1).
assert (es : 0 < 2 * (2 + s) / e) by (apply Rdiv_lt_0_compat; lra).
destruct (bigN (A + / eta)) as [n1 h1]; destruct (bigH (4 / e + 2)) as [n2 h2].
exists (max n1 n2); intros i hi.
assert (g1 := h1 i ltac:(lia)); assert (g2 := h2 i ltac:(lia)); cbv beta in g1, g2; clear h1 h2 bigN bigH.
specialize (low i); specialize (up i); specialize (d3 i); specialize (H3 i); specialize (N1 i); specialize (hQ i).
set (a := log_in (d i - 1) (N i)) in *.
assert (lb : 0 < ln (d i - 1)) by (apply ln_gt0; lra).
assert (lN : 0 < ln (N i)) by (apply ln_gt0; lra).
assert (d6 : 0 < d i ^ 6) by (apply pow_lt; lra).
assert (lQ : ln (d i - 1) <= ln (Q i)).
  apply Rle_trans with (ln (d i ^ 6)); [|apply ln_mono; lra].
  rewrite ln_power by lra; assert (ln (d i - 1) <= ln (d i)) by (apply ln_mono; lra).
  simpl; assert (0 < ln (d i)) by (apply ln_gt0; lra); lra.
assert (iota : 0 < / eta) by (apply Rinv_0_lt_compat; lra).
assert (gQ : (A + / eta) * ln (Q i) < ln (N i)).
  apply Rmult_lt_reg_r with (/ ln (Q i)); [apply Rinv_0_lt_compat; lra|].
  rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; exact g1.
assert (aE : a * ln (d i - 1) = ln (N i)) by (unfold a, log_in; field; lra).
assert (A1 : 1 <= A) by (unfold A; lra).
assert (aA : A < a).
  apply Rmult_lt_reg_r with (ln (d i - 1)); [exact lb|]; rewrite aE.
  assert (0 < / eta * ln (Q i)) by (apply Rmult_lt_0_compat; lra).
  assert (A * ln (d i - 1) <= A * ln (Q i)) by (apply Rmult_le_compat_l; lra); lra.
assert (a0 : 0 < a) by lra.
assert (e4 : 0 < 4 / e) by (apply Rdiv_lt_0_compat; lra).
assert (gH : (4 / e + 2) * a < H i).
  apply Rmult_lt_reg_r with (/ a); [apply Rinv_0_lt_compat; lra|].
  rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; exact g2.
assert (ah : 2 * (a / H i) < e / 2).
  apply Rmult_lt_reg_r with (4 / e * H i); [apply Rmult_lt_0_compat; lra|].
  replace (2 * (a / H i) * (4 / e * H i)) with (2 * (4 / e * a)) by (field; lra).
  replace (e / 2 * (4 / e * H i)) with (2 * H i) by (field; lra); lra.
assert (ea : 0 < 4 / e * a) by (apply Rmult_lt_0_compat; lra).
(* below *)
assert (lower : 1 - (a + 2 + s) / H i - (2 + s) / a <= K i * a / H i).
{ assert (ld : ln (d i - 1) <= ln (d i)) by (apply ln_mono; lra).
  apply (below_one (d i) (H i) a (ceiling (log_in (d i) (N i))) (ceiling a) s (K i)); try lra.
  - destruct (ceiling_range (log_in (d i) (N i))) as [_ c]; assert (log_in (d i) (N i) <= a); [|lra].
    unfold a, log_in; apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
  - destruct (ceiling_range a); lra.
  - unfold A in aA; lra.
  - unfold s; rewrite <- !Rinv_mult; exact low. }
(* above *)
set (z := (1 - eta) * a); assert (z0 : 0 <= z) by (apply Rmult_le_pos; lra).
destruct (base_Int_part z) as [f1 f2]; set (k := Z.to_nat (Int_part z)).
assert (zp : (0 <= Int_part z)%Z).
  assert (-1 < Int_part z)%Z; [apply lt_IZR; simpl; lra|lia].
assert (kE : INR k = IZR (Int_part z)) by (unfold k; rewrite INR_IZR_INZ, Z2Nat.id by exact zp; reflexivity).
assert (SE : INR (S k) = IZR (Int_part z) + 1) by (rewrite S_INR, kE; reflexivity).
assert (za : z <= 1 * a) by (apply Rmult_le_compat_r; lra).
assert (enough : Q i * (d i - 1) ^ (S k - 1) <= N i).
  replace (S k - 1)%nat with k by lia.
  assert (p : 0 < (d i - 1) ^ k) by (apply pow_lt; lra).
  assert (q0 : 0 < Q i) by lra.
  apply Rnot_lt_le; intros bad; apply ln_increasing in bad; [|lra].
  rewrite ln_mult, ln_power in bad by lra.
  assert (b1 : INR k * ln (d i - 1) <= (1 - eta) * ln (N i)).
    rewrite <- aE, <- Rmult_assoc; apply Rmult_le_compat_r; [lra|]; rewrite kE; exact f1.
  assert (b2 : ln (Q i) <= eta * ln (N i)).
    replace (ln (Q i)) with (eta * (/ eta * ln (Q i))) by (field; lra).
    apply Rmult_le_compat_l; [lra|].
    assert (0 < A * ln (Q i)) by (apply Rmult_lt_0_compat; lra); lra.
  lra.
assert (upper : K i * a / H i <= 2 * (a / H i) + / (1 - eta)).
  apply (above_one (H i) a eta (INR (S k)) (K i)); try lra.
    unfold z in *; lra.
  apply up; [lia| |exact enough]; rewrite SE; lra.
rewrite etaE in upper; unfold R_dist; apply Rabs_def1; [lra|].
assert (u : (a + 2 + s) / H i <= 2 * (a / H i)).
  replace (2 * (a / H i)) with ((2 * a) / H i) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]; unfold A in aA; lra.
assert (v : (2 + s) / a < e / 2).
  apply Rmult_lt_reg_r with (2 * a / e); [apply Rdiv_lt_0_compat; lra|].
  replace ((2 + s) / a * (2 * a / e)) with (2 * (2 + s) / e) by (field; lra).
  replace (e / 2 * (2 * a / e)) with a by (field; lra); unfold A in aA; lra.
lra.
Qed.
