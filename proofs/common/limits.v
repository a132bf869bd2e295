(* Limits at infinity and the size (c A Y^c)^(1/(c-1)) for real exponents c. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals.
Local Open Scope R_scope.

(* f has the limit l at infinity *)
Definition at_infinity (f : R -> R) (l : R) : Prop :=
  forall e, 0 < e -> exists c0, forall c, c0 < c -> Rabs (f c - l) < e.
(* f exceeds every bound at infinity *)
Definition to_infinity (f : R -> R) : Prop :=
  forall M, exists c0, forall c, c0 < c -> M < f c.

Lemma limit_unique f l m : at_infinity f l -> at_infinity f m -> l = m.
Proof.
intros hl hm; destruct (Req_dec l m) as [h|h]; [exact h|exfalso].
assert (e0 : 0 < Rabs (l - m) / 2) by (pose proof (Rabs_pos_lt (l - m)); lra).
destruct (hl _ e0) as [a ha]; destruct (hm _ e0) as [b hb].
set (c := Rmax a b + 1); pose proof (Rmax_l a b); pose proof (Rmax_r a b).
assert (h1 := ha c ltac:(unfold c; lra)); assert (h2 := hb c ltac:(unfold c; lra)).
pose proof (Rabs_triang (l - f c) (f c - m)) as t.
replace (l - f c + (f c - m)) with (l - m) in t by ring.
rewrite (Rabs_minus_sym l (f c)) in t; lra.
Qed.

Lemma limit_scale f l k : at_infinity f l -> at_infinity (fun c => k * f c) (k * l).
Proof.
intros hf e e0; destruct (Req_dec k 0) as [->|k0].
  exists 0; intros c _; replace (0 * f c - 0 * l) with 0 by ring; rewrite Rabs_R0; exact e0.
assert (ak : 0 < Rabs k) by (apply Rabs_pos_lt; exact k0).
destruct (hf (e / Rabs k) (Rdiv_lt_0_compat _ _ e0 ak)) as [c0 hc]; exists c0; intros c h.
replace (k * f c - k * l) with (k * (f c - l)) by ring; rewrite Rabs_mult.
pose proof (hc c h) as b.
apply Rle_lt_trans with (Rabs k * Rabs (f c - l)); [lra|].
replace e with (Rabs k * (e / Rabs k)) by (field; lra).
apply Rmult_lt_compat_l; assumption.
Qed.

Lemma limit_ext f g l : (forall c, 1 < c -> f c = g c) -> at_infinity g l -> at_infinity f l.
Proof.
intros h hg e e0; destruct (hg e e0) as [c0 hc]; exists (Rmax c0 1); intros c cc.
pose proof (Rmax_l c0 1); pose proof (Rmax_r c0 1); rewrite h by lra; apply hc; lra.
Qed.

(* ln c / (c - 1) is small *)
Lemma ln_over c : 1 < c -> 0 <= ln c / (c - 1) <= 2 / sqrt c.
Proof.
intros c1; assert (s1 : 1 < sqrt c) by (rewrite <- sqrt_1; apply sqrt_lt_1; lra).
assert (ss : sqrt c * sqrt c = c) by (apply sqrt_sqrt; lra).
split.
  apply Rmult_le_pos; [apply ln_ge0; lra|left; apply Rinv_0_lt_compat; lra].
set (s := sqrt c) in *.
assert (l : ln c <= 2 * (s - 1)).
  rewrite <- ss; rewrite ln_mult by lra; pose proof (ln_le s); lra.
apply Rmult_le_reg_r with (c - 1); [lra|].
replace (ln c / (c - 1) * (c - 1)) with (ln c) by (field; lra).
apply Rle_trans with (1 := l); rewrite <- ss.
replace (2 / s * (s * s - 1)) with (2 * (s - / s)) by (field; lra).
assert (/ s < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra); lra.
Qed.

Lemma power_size A Y c : 0 < A -> 0 < Y -> 1 < c ->
  Rpower (c * A * Rpower Y c) (/ (c - 1)) = Y * exp (ln c / (c - 1) + (ln A + ln Y) / (c - 1)).
Proof.
intros A0 Y0 c1; unfold Rpower at 1.
rewrite !ln_mult; try lra; try apply exp_pos; [|apply Rmult_lt_0_compat; lra].
unfold Rpower; rewrite ln_exp.
replace (/ (c - 1) * (ln c + ln A + c * ln Y)) with
  (ln Y + (ln c / (c - 1) + (ln A + ln Y) / (c - 1))) by (field; lra).
rewrite exp_plus, exp_ln by exact Y0; reflexivity.
Qed.

Lemma power_limit A Y : 0 < A -> 0 < Y ->
  at_infinity (fun c => Rpower (c * A * Rpower Y c) (/ (c - 1))) Y.
Proof.
intros A0 Y0 e e0.
assert (eY : 0 < e / Y) by (apply Rdiv_lt_0_compat; assumption).
destruct (derivable_continuous_pt exp 0 (derivable_pt_exp 0) (e / Y) eY) as [t [t0 ht]].
set (q := Rabs (ln A + ln Y)); assert (q0 : 0 <= q) by apply Rabs_pos.
exists (1 + (4 / t) ^ 2 + 2 * q / t).
intros c hc.
assert (p1 : 0 <= (4 / t) ^ 2) by apply pow2_ge_0.
assert (p2 : 0 <= 2 * q / t).
  apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact t0].
assert (c1 : 1 < c) by lra.
rewrite power_size by assumption; set (u := ln c / (c - 1) + (ln A + ln Y) / (c - 1)).
assert (ub : Rabs u < t).
  assert (b1 : ln c / (c - 1) < t / 2).
    destruct (ln_over c c1) as [_ h]; apply Rle_lt_trans with (1 := h).
    assert (s : 4 / t < sqrt c).
      assert (p : 0 < 4 / t) by (apply Rdiv_lt_0_compat; lra).
      rewrite <- (sqrt_pow2 (4 / t)) by lra; apply sqrt_lt_1; lra.
    assert (p : 0 < 4 / t) by (apply Rdiv_lt_0_compat; lra).
    replace (t / 2) with (2 / (4 / t)) by (field; lra).
    apply Rmult_lt_compat_l; [lra|]; apply Rinv_lt_contravar; [|exact s].
    apply Rmult_lt_0_compat; lra.
  assert (b2 : Rabs ((ln A + ln Y) / (c - 1)) < t / 2).
    unfold Rdiv at 1; rewrite Rabs_mult, Rabs_inv, (Rabs_right (c - 1)) by lra; fold q.
    apply Rmult_lt_reg_r with (c - 1); [lra|].
    replace (q * / (c - 1) * (c - 1)) with q by (field; lra).
    apply Rmult_lt_reg_l with (2 / t); [apply Rdiv_lt_0_compat; lra|].
    replace (2 / t * (t / 2 * (c - 1))) with (c - 1) by (field; lra).
    replace (2 / t * q) with (2 * q / t) by (field; lra); lra.
  destruct (ln_over c c1) as [b0 _].
  apply Rle_lt_trans with (1 := Rabs_triang _ _); rewrite (Rabs_right (ln c / _)); lra.
replace (Y * exp u - Y) with (Y * (exp u - 1)) by ring.
rewrite Rabs_mult, (Rabs_right Y) by lra.
replace e with (Y * (e / Y)) by (field; lra); apply Rmult_lt_compat_l; [exact Y0|].
destruct (Req_dec u 0) as [->|u0]; [rewrite exp_0, Rminus_diag_eq, Rabs_R0; trivial|].
assert (k := ht u); simpl in k; unfold R_dist in k; rewrite exp_0 in k; apply k; split.
  split; [exact I|intros h; apply u0; symmetry; exact h].
rewrite Rminus_0_r; exact ub.
Qed.

Lemma deriv_eq f x l m : derivable_pt_lim f x l -> l = m -> derivable_pt_lim f x m.
Proof. intros h <-; exact h. Qed.
