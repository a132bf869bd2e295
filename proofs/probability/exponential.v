(* Inequalities for the exponential that the tail bounds need: the chord, the moment
   generating function of a coin, and the second order expansion. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals limits.
Local Open Scope R_scope.

(* the exponential is below its chord *)
Lemma exp_chord s x : 0 <= x <= 1 -> exp (s * x) <= 1 - x + x * exp s.
Proof.
intros hx; pose proof (young (exp s) x (exp_pos s) hx) as h; unfold Rpower in h.
rewrite ln_exp, Rmult_comm in h; lra.
Qed.

(* what begins at 0 and does not fall stays above 0 *)
Lemma above_zero f f' s : f 0 = 0 -> 0 <= s ->
  (forall c, 0 <= c <= s -> derivable_pt_lim f c (f' c)) ->
  (forall c, 0 <= c <= s -> 0 <= f' c) -> 0 <= f s.
Proof.
intros f0 [s0|<-] hd hp; [|lra].
destruct (MVT_cor2 f f' 0 s s0 hd) as [c [e hc]].
assert (0 <= f' c) by (apply hp; lra); nra.
Qed.

(* the chord of exp at a coin with mean p *)
Definition coin p s := 1 - p + p * exp s.

Lemma coin_ge1 p s : 0 <= p <= 1 -> 0 <= s -> 1 <= coin p s.
Proof.
intros hp s0; unfold coin; assert (1 <= exp s) by (rewrite <- exp_0; apply exp_le; exact s0); nra.
Qed.

Lemma coin_deriv p c : derivable_pt_lim (coin p) c (p * exp c).
Proof.
apply deriv_eq with (0 + p * exp c); [|ring].
apply (derivable_pt_lim_plus (fun _ => 1 - p) (fun s => p * exp s)).
  apply derivable_pt_lim_const.
apply (derivable_pt_lim_scal exp); apply derivable_pt_lim_exp.
Qed.

Lemma quotient_deriv p c : 0 < coin p c ->
  derivable_pt_lim (fun s => p * exp s / coin p s) c
    ((p * exp c * coin p c - p * exp c * (p * exp c)) / (coin p c * coin p c)).
Proof.
intros h; apply deriv_eq with ((p * exp c * coin p c - p * exp c * (p * exp c)) / Rsqr (coin p c)).
  apply (derivable_pt_lim_div (fun s => p * exp s) (coin p)); [|apply coin_deriv|lra].
  apply (derivable_pt_lim_scal exp); apply derivable_pt_lim_exp.
reflexivity.
Qed.

Lemma line_deriv a c : derivable_pt_lim (fun s => s * a) c a.
Proof.
apply deriv_eq with (1 * a + id c * 0); [|unfold id; ring].
apply (derivable_pt_lim_mult id (fun _ => a)); [apply derivable_pt_lim_id|apply derivable_pt_lim_const].
Qed.

Lemma slope_nonneg p s : 0 <= p <= 1 -> 0 <= s -> 0 <= p + s * / 4 - p * exp s / coin p s.
Proof.
intros hp s0.
apply (above_zero (fun s => p + s * / 4 - p * exp s / coin p s)
  (fun c => / 4 - (p * exp c * coin p c - p * exp c * (p * exp c)) / (coin p c * coin p c))); [|exact s0| |].
- unfold coin; rewrite exp_0; field; lra.
- intros c hc; pose proof (coin_ge1 p c hp (proj1 hc)).
  apply (derivable_pt_lim_minus (fun s => p + s * / 4) (fun s => p * exp s / coin p s)).
    apply deriv_eq with (0 + / 4); [|ring].
    apply (derivable_pt_lim_plus (fun _ => p) (fun s => s * / 4)).
      apply derivable_pt_lim_const.
    apply line_deriv.
  apply quotient_deriv; lra.
- intros c hc; pose proof (coin_ge1 p c hp (proj1 hc)) as D.
  set (u := p * exp c); set (v := coin p c) in *.
  replace (/ 4 - (u * v - u * u) / (v * v)) with (Rsqr ((v - 2 * u) / (2 * v))) by (unfold Rsqr; field; lra).
  apply Rle_0_sqr.
Qed.

(* Hoeffding's lemma for a coin, s >= 0 *)
Lemma coin_mgf p s : 0 <= p <= 1 -> 0 <= s -> coin p s <= exp (s * p + s * s / 8).
Proof.
intros hp s0; pose proof (coin_ge1 p s hp s0) as D.
assert (h : 0 <= s * p + s * s / 8 - ln (coin p s)).
{   apply (above_zero (fun s => s * p + s * s / 8 - ln (coin p s)) (fun c => p + c * / 4 - p * exp c / coin p c));
    [|exact s0| |].
  - unfold coin; rewrite exp_0; replace (1 - p + p * 1) with 1 by ring; rewrite ln_1; lra.
  - intros c hc; pose proof (coin_ge1 p c hp (proj1 hc)).
    apply (derivable_pt_lim_minus (fun s => s * p + s * s / 8) (fun s => ln (coin p s))).
      apply (derivable_pt_lim_plus (fun s => s * p) (fun s => s * s / 8)); [apply line_deriv|].
      apply deriv_eq with ((1 * id c + id c * 1) * / 8 + (id c * id c) * 0); [|unfold id; field].
      apply (derivable_pt_lim_mult (fun s => s * s) (fun _ => / 8)); [|apply derivable_pt_lim_const].
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    apply deriv_eq with (/ coin p c * (p * exp c)); [|field; lra].
    apply (derivable_pt_lim_comp (coin p) ln); [apply coin_deriv|apply derivable_pt_lim_ln; lra].
  - intros c hc; apply slope_nonneg; lra. }
rewrite <- (exp_ln (coin p s)) by lra; apply exp_le; lra.
Qed.

(* exp (- s) <= 1 - s + s^2 / 2 for s >= 0 *)
Lemma exp_neg_second s : 0 <= s -> exp (- s) <= 1 - s + s * s / 2.
Proof.
intros s0.
assert (D1 : forall c, derivable_pt_lim (fun s => exp (- s)) c (- exp (- c))).
  intros c; apply deriv_eq with (exp (- c) * (- 1)); [|ring].
  apply (derivable_pt_lim_comp (fun s => - s) exp); [|apply derivable_pt_lim_exp].
  apply (derivable_pt_lim_opp id c 1); apply derivable_pt_lim_id.
assert (h : 0 <= 1 - s + s * s / 2 - exp (- s)).
{   apply (above_zero (fun s => 1 - s + s * s / 2 - exp (- s)) (fun c => c - 1 + exp (- c))); [|exact s0| |].
  - rewrite Ropp_0, exp_0; lra.
  - intros c hc; apply deriv_eq with ((0 - 1 + ((1 * id c + id c * 1) * / 2 + (id c * id c) * 0)) - - exp (- c));
      [|unfold id; field].
    apply (derivable_pt_lim_minus (fun s => 1 - s + s * s / 2) (fun s => exp (- s))); [|apply D1].
    apply (derivable_pt_lim_plus (fun s => 1 - s) (fun s => s * s / 2)).
      apply (derivable_pt_lim_minus (fun _ => 1) id); [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
    apply (derivable_pt_lim_mult (fun s => s * s) (fun _ => / 2)); [|apply derivable_pt_lim_const].
    apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
  - intros c hc; pose proof (exp_ge (- c)); lra. }
lra.
Qed.

(* the two in the form in which they are used *)
Lemma coin_upper p t : 0 <= p <= 1 -> 0 <= t ->
  coin p (INR 4 * t) <= exp (INR 4 * t * p + INR 2 * (t * t)).
Proof.
intros hp t0; simpl INR; apply Rle_trans with (1 := coin_mgf p ((1 + 1 + 1 + 1) * t) hp ltac:(lra)).
apply exp_le; lra.
Qed.

Lemma coin_lower p t : 0 <= p -> 0 <= t ->
  coin p (- t) <= exp (p * (t * t * / INR 2 - t)).
Proof.
intros p0 t0; unfold coin; simpl INR; pose proof (exp_neg_second t t0).
apply Rle_trans with (2 := exp_ge _); nra.
Qed.

Lemma ln_20_9 : ln (INR 20 * / INR 9) <= INR 8 * / INR 9.
Proof.
replace (INR 20) with 20 by (simpl; lra); replace (INR 9) with 9 by (simpl; lra);
  replace (INR 8) with 8 by (simpl; lra).
rewrite <- (ln_exp (8 * / 9)); apply ln_mono; [lra|].
replace (8 * / 9) with (/ 9 + (/ 9 + (/ 9 + (/ 9 + (/ 9 + (/ 9 + (/ 9 + / 9))))))) by lra.
rewrite !exp_plus; pose proof (exp_ge (/ 9)) as h; set (e := exp (/ 9)) in *.
assert (e2 : 100 / 81 <= e * e) by nra.
assert (e4 : 10000 / 6561 <= (e * e) * (e * e)) by nra.
replace (e * (e * (e * (e * (e * (e * (e * e))))))) with (((e * e) * (e * e)) * ((e * e) * (e * e))) by ring.
nra.
Qed.
