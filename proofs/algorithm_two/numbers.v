(* The numbers of the theorem about Algorithm 2, on the reals: that its number of iterations is enough, that its union
   bound fits into delta, and that the size of a batch is enough. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals.
Local Open Scope R_scope.
Set Implicit Arguments.

(* a line above the logarithm *)
Lemma ln_line y a : 0 < y -> 0 < a -> ln y <= y / a - 1 + ln a.
Proof.
intros y0 a0. assert (ya : 0 < y / a) by (apply Rdiv_lt_0_compat; lra).
pose proof (ln_le (y / a) ya) as h. unfold Rdiv in h at 1; rewrite ln_mult, ln_Rinv in h; try lra.
apply Rinv_0_lt_compat; lra.
Qed.

Lemma ge1_mul a b : 1 <= a -> 1 <= b -> 1 <= a * b.
Proof. intros h k; rewrite <- (Rmult_1_l 1); apply Rmult_le_compat; lra. Qed.

Lemma ln2_half : 1 / 2 <= ln 2.
Proof. pose proof (ln_ge 2 ltac:(lra)); lra. Qed.
Lemma ln2_1 : ln 2 <= 1.
Proof. pose proof (ln_le 2 ltac:(lra)); lra. Qed.
Lemma ln4_1 : 1 <= ln 4.
Proof. replace 4 with (2 * 2) by lra. rewrite ln_mult by lra. pose proof ln2_half; lra. Qed.

Section Iterations.
Variables d nu i : R.
Hypothesis d1 : 1 <= d.
Hypothesis nu0 : 0 < nu.
Hypothesis nu1 : nu <= 1.
Let tau := ln (2 / nu).
Let n4 := nu * nu * nu * nu.

Lemma n4_bounds : 0 < n4 <= 1.
Proof.
assert (0 < nu * nu <= 1) by (split; nra). replace n4 with ((nu * nu) * (nu * nu)) by (unfold n4; ring). split; nra.
Qed.

Lemma tau_half : 1 / 2 <= tau.
Proof.
apply Rle_trans with (ln 2); [exact ln2_half|apply ln_mono; [lra|]].
apply Rmult_le_reg_r with nu; [lra|]. unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma dtau : 1 * (1 / 2) <= d * tau.
Proof. pose proof tau_half; apply Rmult_le_compat; lra. Qed.

Lemma ln_16 : ln (16 / n4) = 4 * tau.
Proof.
pose proof n4_bounds. assert (q : 0 < 2 / nu) by (apply Rdiv_lt_0_compat; lra).
replace (16 / n4) with ((2 / nu * (2 / nu)) * (2 / nu * (2 / nu))) by (unfold n4; field; lra).
assert (0 < 2 / nu * (2 / nu)) by (repeat apply Rmult_lt_0_compat; lra).
rewrite !ln_mult by assumption. unfold tau; ring.
Qed.

Hypothesis i_big : 200 * d * tau <= i * n4.

Lemma iterations_enough :
  9 * (/ 2 / ln (1 + / 2) * (d * ln (1 + (i + 1) / (d * 2)))) < i * n4.
Proof.
pose proof n4_bounds as [p0 p1]. pose proof tau_half as t0.
assert (i0 : 0 <= i) by nra.
assert (l : / 3 <= ln (1 + / 2)) by (pose proof (ln_ge (1 + / 2) ltac:(lra)) as h; replace (/ (1 + / 2)) with (2 / 3)
  in h by field; lra).
assert (f : / 2 / ln (1 + / 2) <= 3 / 2).
{ apply Rmult_le_reg_r with (ln (1 + / 2)); [lra|]. unfold Rdiv at 1; rewrite Rmult_assoc, Rinv_l by lra; lra. }
set (y := 1 + (i + 1) / (d * 2)).
assert (y1 : 1 <= y) by (unfold y; assert (0 <= (i + 1) / (d * 2)) by (apply Rlt_le, Rdiv_lt_0_compat; lra); lra).
assert (a0 : 0 < 16 / n4) by (apply Rdiv_lt_0_compat; lra).
pose proof (@ln_line y (16 / n4) ltac:(lra) a0) as h. rewrite ln_16 in h.
pose proof (ln_ge0 y y1) as ly.
assert (e : d * (y / (16 / n4)) = n4 * d / 16 + n4 * (i + 1) / 32) by (unfold y; field; lra).
assert (k : d * ln y <= 4 * d * tau + n4 * d / 16 + n4 * (i + 1) / 32 - d).
{ apply Rle_trans with (d * (y / (16 / n4) - 1 + 4 * tau)); [apply Rmult_le_compat_l; lra|].
  replace (d * (y / (16 / n4) - 1 + 4 * tau)) with (d * (y / (16 / n4)) - d + 4 * d * tau) by ring. rewrite e; lra. }
assert (dl : 0 <= d * ln y) by (apply Rmult_le_pos; lra).
assert (u : / 2 / ln (1 + / 2) * (d * ln y) <= 3 / 2 * (d * ln y)) by (apply Rmult_le_compat_r; assumption).
assert (dn : n4 * d <= 1 * d) by (apply Rmult_le_compat_r; lra).
pose proof dtau.
assert (ex : n4 * (i + 1) = i * n4 + n4) by ring. lra.
Qed.
End Iterations.

(* N stands in a logarithm: this much is enough *)
Lemma log_inside c S N Y L : 0 < c -> 0 < S -> 0 < N -> 0 < Y ->
  ln (Y * (2 * c * S)) <= L -> 2 * c * S * L <= N -> c * S * ln (Y * N) <= N.
Proof.
intros c0 S0 N0 Y0 hL hN. assert (cs : 0 < c * S) by (apply Rmult_lt_0_compat; lra).
assert (a : 0 < Y * (2 * c * S)) by (apply Rmult_lt_0_compat; lra).
assert (y : 0 < Y * N) by (apply Rmult_lt_0_compat; lra).
pose proof (ln_line y a) as h.
assert (e : Y * N / (Y * (2 * c * S)) = N / (2 * c * S)) by (field; repeat split; lra).
rewrite e in h.
apply Rle_trans with (c * S * (N / (2 * c * S) + L)); [apply Rmult_le_compat_l; lra|].
replace (c * S * (N / (2 * c * S) + L)) with (N / 2 + c * S * L) by (field; repeat split; lra). lra.
Qed.

Section Numbers.
Variables d H N eps delta nu : R.
Hypothesis d1 : 1 <= d.
Hypothesis H1 : 1 <= H.
Hypothesis N1 : 1 <= N.
Hypothesis e0 : 0 < eps.
Hypothesis e1 : eps <= 1.
Hypothesis t0 : 0 < delta.
Hypothesis t1 : delta < 1.
Hypothesis nu0 : 0 < nu.
Hypothesis nu1 : nu <= 1.
Let tau := ln (2 / nu).
Let n4 := nu * nu * nu * nu.
Let X := 4 * d * H * N / (delta * nu).
Let ell := ln X.
(* the two terms of the size *)
Definition term_one := H * H * H * H * (d * d * d) / (eps * eps) * ln (2 / nu).
Definition term_two := H * H * (d * d * d * d * d * d * d) / (n4 * n4) * (ln (2 / nu) * ln (2 / nu) * ln (2 / nu)).

Lemma X_big : 4 * (d * H * N) <= X.
Proof.
assert (u : 0 < d * H * N) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
assert (q : 0 < delta * nu <= 1) by (split; nra).
unfold X. apply Rmult_le_reg_r with (delta * nu); [lra|].
replace (4 * d * H * N / (delta * nu) * (delta * nu)) with (4 * (d * H * N)) by (field; repeat split; lra). nra.
Qed.
Lemma dHN1 : 1 <= d * H * N.
Proof. repeat apply ge1_mul; assumption. Qed.
Lemma X4 : 4 <= X. Proof. pose proof X_big; pose proof dHN1; lra. Qed.
Lemma ell_1 : 1 <= ell.
Proof. apply Rle_trans with (ln 4); [exact ln4_1|apply ln_mono; [lra|exact X4]]. Qed.

Let tau2 := tau_half nu0 nu1.
Let nb := n4_bounds nu0 nu1.
Let dt := dtau d1 nu0 nu1.

Lemma terms_pos : 0 < term_one /\ 0 < term_two.
Proof.
pose proof tau2 as a; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in a.
unfold term_one, term_two; fold tau; split;
  repeat first [apply Rmult_lt_0_compat|apply Rinv_0_lt_compat|apply Rdiv_lt_0_compat]; lra.
Qed.

Section Sizes.
Variable i : R.
Hypothesis i_low : 200 * d * tau <= i * n4.
Hypothesis i_up : i * n4 <= 200 * d * tau + n4.
Hypothesis N_big : 10 ^ 13 * (term_one + term_two) * ell <= N.

Lemma i_up2 : i * n4 <= 202 * (d * tau).
Proof. pose proof nb as [p0 p1]; pose proof dt as h; fold n4 in p0, p1; fold tau in h; lra. Qed.
Lemma i_up1 : (i + 1) * n4 <= 204 * (d * tau).
Proof. pose proof nb as [p0 p1]; pose proof dt as h; fold n4 in p0, p1; fold tau in h; lra. Qed.
Lemma i_pos : 0 < i.
Proof.
pose proof nb as [p0 p1]; pose proof dt as h; fold n4 in p0, p1; fold tau in h; apply Rmult_lt_reg_r with n4; lra.
Qed.

Lemma one_N : 10 ^ 13 * term_one * ell <= N.
Proof.
destruct terms_pos as [a b]; pose proof ell_1. apply Rle_trans with (2 := N_big).
apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
Qed.
Lemma two_N : 10 ^ 13 * term_two * ell <= N.
Proof.
destruct terms_pos as [a b]; pose proof ell_1. apply Rle_trans with (2 := N_big).
apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
Qed.

(* the second term in the powers of 1 / n4 *)
Lemma two_eq : term_two * (n4 * n4) = H * H * (d * d * d * d * d * d * d) * (tau * tau * tau).
Proof. pose proof nb as [p0 p1]; fold n4 in p0, p1. unfold term_two; fold tau; field; lra. Qed.

Lemma size_coverage : 2048 * (d * d) * ell * i <= 4 * N.
Proof.
pose proof two_N as h; pose proof ell_1 as l1; pose proof i_up2 as u; pose proof i_pos as i0.
pose proof tau2 as a; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in a.
destruct terms_pos as [_ b].
assert (k : d * d * i <= 1000 * term_two).
{ apply Rmult_le_reg_r with (n4 * n4); [apply Rmult_lt_0_compat; lra|].
  replace (d * d * i * (n4 * n4)) with (d * d * n4 * (i * n4)) by ring.
  replace (1000 * term_two * (n4 * n4)) with (1000 * (term_two * (n4 * n4))) by ring. rewrite two_eq.
  apply Rle_trans with (d * d * 1 * (202 * (d * tau))).
  { apply Rmult_le_compat; [repeat apply Rmult_le_pos; lra|apply Rmult_le_pos; lra| |exact u].
    apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra. }
  assert (t4 : 1 / 2 * (1 / 2) <= tau * tau) by (apply Rmult_le_compat; lra).
  assert (d3 : 0 < d * d * d) by (repeat apply Rmult_lt_0_compat; lra).
  assert (w : 1 * (1 / 4) <= H * H * (d * d * d * d) * (tau * tau)) by (apply Rmult_le_compat; try lra;
    repeat apply ge1_mul; lra).
  replace (d * d * 1 * (202 * (d * tau))) with (d * d * d * tau * 202) by ring.
  replace (1000 * (H * H * (d * d * d * d * d * d * d) * (tau * tau * tau)))
    with (d * d * d * tau * (1000 * (H * H * (d * d * d * d) * (tau * tau)))) by ring.
  apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra. }
apply Rle_trans with (4 * (10 ^ 13 * term_two * ell)); [|lra].
replace (2048 * (d * d) * ell * i) with (2048 * ell * (d * d * i)) by ring.
apply Rle_trans with (2048 * ell * (1000 * term_two)); [apply Rmult_le_compat_l; lra|].
assert (0 < ell * term_two) by (apply Rmult_lt_0_compat; lra).
replace (4 * (10 ^ 13 * term_two * ell)) with (4 * 10 ^ 13 * (ell * term_two)) by ring.
replace (2048 * ell * (1000 * term_two)) with (2048000 * (ell * term_two)) by ring. lra.
Qed.

(* for xi = eps / (2 beta) with beta^2 = 51^2 d^2 H^2 ell *)
Lemma size_plan : 81 * i * (H * H) * n4 * (4 * (2601 * (d * d) * (H * H) * ell)) <= 175 * N * (eps * eps).
Proof.
pose proof one_N as h; pose proof ell_1 as l1; pose proof i_up2 as u.
assert (q : term_one * (eps * eps) = H * H * H * H * (d * d * d) * tau) by (unfold term_one; fold tau; field; lra).
apply Rle_trans with (175 * (10 ^ 13 * term_one * ell) * (eps * eps)).
2: { apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra. }
replace (175 * (10 ^ 13 * term_one * ell) * (eps * eps)) with (175 * 10 ^ 13 * ell * (term_one * (eps * eps))) by ring.
rewrite q.
replace (81 * i * (H * H) * n4 * (4 * (2601 * (d * d) * (H * H) * ell))) with
  (842724 * (H * H * H * H * (d * d) * ell) * (i * n4)) by ring.
replace (175 * 10 ^ 13 * ell * (H * H * H * H * (d * d * d) * tau)) with
  (175 * 10 ^ 13 * ((H * H * H * H * (d * d) * ell) * (d * tau))) by ring.
set (w := H * H * H * H * (d * d) * ell).
assert (w0 : 0 < w) by (unfold w; repeat apply Rmult_lt_0_compat; lra).
pose proof tau2 as a; fold tau in a.
assert (0 < w * (d * tau)) by (repeat apply Rmult_lt_0_compat; lra).
apply Rle_trans with (842724 * w * (202 * (d * tau))); [apply Rmult_le_compat_l; lra|].
replace (842724 * w * (202 * (d * tau))) with (170230248 * (w * (d * tau))) by ring. lra.
Qed.

(* for xi = 1 / (16 d (i + 1) beta5) with beta5^2 = 51^2 d^2 ell *)
Lemma size_loop : 81 * i * (H * H) * n4 * (256 * (d * d) * ((i + 1) * (i + 1)) * (2601 * (d * d) * ell)) <= 175 * N.
Proof.
pose proof two_N as h; pose proof ell_1 as l1; pose proof i_up2 as u; pose proof i_up1 as u1; pose proof i_pos as i0.
pose proof tau2 as a; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in a.
apply Rle_trans with (175 * (10 ^ 13 * term_two * ell)); [|lra].
apply Rmult_le_reg_r with (n4 * n4); [apply Rmult_lt_0_compat; lra|].
replace (175 * (10 ^ 13 * term_two * ell) * (n4 * n4)) with (175 * 10 ^ 13 * ell * (term_two * (n4 * n4))) by ring.
rewrite two_eq.
set (w := H * H * (d * d * d * d) * ell).
assert (w0 : 0 < w) by (unfold w; repeat apply Rmult_lt_0_compat; lra).
set (q := d * tau) in *.
replace (175 * 10 ^ 13 * ell * (H * H * (d * d * d * d * d * d * d) * (tau * tau * tau))) with
  (175 * 10 ^ 13 * (w * (q * q * q))) by (unfold w, q; ring).
replace (81 * i * (H * H) * n4 * (256 * (d * d) * ((i + 1) * (i + 1)) * (2601 * (d * d) * ell)) * (n4 * n4)) with
  (53934336 * (w * ((i * n4) * (((i + 1) * n4) * ((i + 1) * n4))))) by (unfold w; ring).
pose proof dt as q0; fold tau in q0; fold q in q0.
assert (x0 : 0 < i * n4) by (apply Rmult_lt_0_compat; lra).
assert (y0 : 0 < (i + 1) * n4) by (apply Rmult_lt_0_compat; lra).
set (x := i * n4) in *; set (y := (i + 1) * n4) in *.
assert (yy : y * y <= 204 * q * (204 * q)) by (apply Rmult_le_compat; lra).
assert (xyy : x * (y * y) <= 202 * q * (204 * q * (204 * q)))
  by (apply Rmult_le_compat; [lra|apply Rmult_le_pos; lra|exact u|exact yy]).
assert (0 < w * (q * q * q)) by (repeat apply Rmult_lt_0_compat; lra).
apply Rle_trans with (53934336 * (w * (202 * q * (204 * q * (204 * q))))).
{ apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
replace (53934336 * (w * (202 * q * (204 * q * (204 * q))))) with (453395328049152 * (w * (q * q * q))) by ring. lra.
Qed.
End Sizes.

Let y := 2 * d * H / (eps * delta * nu).

Lemma below_y a : 0 <= a -> a * (eps * delta * nu) <= 2 * d * H -> a <= y.
Proof.
intros a0 h. assert (q : 0 < eps * delta * nu) by (repeat apply Rmult_lt_0_compat; lra).
unfold y. apply Rmult_le_reg_r with (eps * delta * nu); [lra|].
replace (2 * d * H / (eps * delta * nu) * (eps * delta * nu)) with (2 * d * H) by (field; repeat split; lra). lra.
Qed.
Lemma q1 : 0 < eps * delta * nu <= 1.
Proof. assert (0 < eps * delta <= 1) by (split; nra). split; nra. Qed.
Lemma dH1 : 1 <= d * H. Proof. exact (ge1_mul d1 H1). Qed.
Lemma y2 : 2 <= y. Proof. pose proof q1; pose proof dH1; apply below_y; nra. Qed.
Lemma yd : d <= y. Proof. pose proof q1; apply below_y; nra. Qed.
Lemma yH : H <= y. Proof. pose proof q1; apply below_y; nra. Qed.
Lemma ye : / eps <= y.
Proof.
pose proof dH1. apply below_y; [left; apply Rinv_0_lt_compat; lra|].
replace (/ eps * (eps * delta * nu)) with (delta * nu) by (field; repeat split; lra). nra.
Qed.
Lemma yn : / nu <= y.
Proof.
pose proof dH1. apply below_y; [left; apply Rinv_0_lt_compat; lra|].
replace (/ nu * (eps * delta * nu)) with (eps * delta) by (field; repeat split; lra). nra.
Qed.
Lemma ytau : 0 <= ln (2 / nu) <= y.
Proof.
pose proof (tau_half nu0 nu1); split; [lra|].
assert (q : 0 < 2 / nu) by (apply Rdiv_lt_0_compat; lra). pose proof (ln_le (2 / nu) q).
apply Rle_trans with (2 / nu); [lra|]. pose proof dH1. apply below_y; [lra|].
replace (2 / nu * (eps * delta * nu)) with (2 * (eps * delta)) by (field; repeat split; lra). nra.
Qed.
Lemma ydHt : d * H / (delta * nu) <= y.
Proof.
assert (0 < delta * nu) by (apply Rmult_lt_0_compat; lra). pose proof dH1.
apply below_y; [left; apply Rdiv_lt_0_compat; lra|].
replace (d * H / (delta * nu) * (eps * delta * nu)) with (d * H * eps) by (field; lra). nra.
Qed.

Lemma powers a b m n : 0 <= a <= y ^ m -> 0 <= b <= y ^ n -> 0 <= a * b <= y ^ (m + n).
Proof. intros [a0 a1] [b0 b1]. rewrite pow_add. split; [nra|]. apply Rmult_le_compat; lra. Qed.
Lemma power1 a : 0 <= a -> a <= y -> 0 <= a <= y ^ 1. Proof. simpl; lra. Qed.

Lemma printed_enough : 10 ^ 16 * (term_one + term_two) * ln y <= N -> 10 ^ 13 * (term_one + term_two) * ell <= N.
Proof.
intros h. pose proof terms_pos as [s1 s2].
set (S := term_one + term_two) in *.
assert (S0 : 0 < S) by (unfold S; lra).
pose proof y2 as Y2; pose proof ytau as [T0 T1].
pose proof (@power1 d ltac:(lra) yd) as pd. pose proof (@power1 H ltac:(lra) yH) as pH.
pose proof (power1 (Rlt_le _ _ (Rinv_0_lt_compat _ e0)) ye) as pe.
pose proof (power1 (Rlt_le _ _ (Rinv_0_lt_compat _ nu0)) yn) as pn.
pose proof (power1 T0 T1) as pt.
assert (b1 : 0 <= term_one <= y ^ 10).
{ replace term_one with (H * H * H * H * (d * d * d) * (/ eps * / eps) * ln (2 / nu))
    by (unfold term_one; field; lra).
  change 10%nat with (1 + 1 + 1 + 1 + (1 + 1 + 1) + (1 + 1) + 1)%nat.
  repeat apply powers; assumption. }
assert (b2 : 0 <= term_two <= y ^ 20).
{ replace term_two with (H * H * (d * d * d * d * d * d * d) * ((/ nu * / nu * / nu * / nu)
    * (/ nu * / nu * / nu * / nu)) * (ln (2 / nu) * ln (2 / nu) * ln (2 / nu))) by (unfold term_two, n4; field; lra).
  change 20%nat with (1 + 1 + (1 + 1 + 1 + 1 + 1 + 1 + 1) + ((1 + 1 + 1 + 1) + (1 + 1 + 1 + 1)) + (1 + 1 + 1))%nat.
  repeat apply powers; assumption. }
assert (y1020 : y ^ 10 <= y ^ 20) by (apply Rle_pow; [lra|repeat constructor]).
assert (bS : 0 <= S <= y ^ 21).
{ split; [lra|]. unfold S. replace (y ^ 21) with (y * y ^ 20) by reflexivity.
assert (0 <= y ^ 20) by (apply pow_le; lra).
apply Rle_trans with (2 * y ^ 20); [lra|apply Rmult_le_compat_r; lra]. }
assert (q0 : 0 < d * H / (delta * nu)) by (apply Rdiv_lt_0_compat; apply Rmult_lt_0_compat; lra).
pose proof (power1 (Rlt_le _ _ q0) ydHt) as pq.
assert (c47 : 0 <= 8 * 10 ^ 13 <= y ^ 47).
{ split; [lra|]. apply Rle_trans with (2 ^ 47); [lra|]. apply pow_incr; lra. }
set (Y := 4 * d * H / (delta * nu)).
assert (big : 0 <= Y * (2 * 10 ^ 13 * S) <= y ^ 69).
{ replace (Y * (2 * 10 ^ 13 * S)) with (8 * 10 ^ 13 * (d * H / (delta * nu)) * S) by (unfold Y; field; lra).
  change 69%nat with (47 + 1 + 21)%nat. repeat apply powers; assumption. }
assert (Y0 : 0 < Y) by (unfold Y; apply Rdiv_lt_0_compat; repeat apply Rmult_lt_0_compat; lra).
assert (A0 : 0 < Y * (2 * 10 ^ 13 * S)) by (apply Rmult_lt_0_compat; lra).
assert (lny : 0 <= ln y) by (apply ln_ge0; lra).
assert (L : ln (Y * (2 * 10 ^ 13 * S)) <= 500 * ln y).
{ apply Rle_trans with (ln (y ^ 69)); [apply ln_mono; lra|]. rewrite <- Rpower_pow by lra.
unfold Rpower; rewrite ln_exp.
  replace (INR 69) with 69 by (simpl; lra). lra. }
pose proof (@log_inside (10 ^ 13) S N Y (500 * ln y) ltac:(lra) S0 ltac:(lra) Y0 L) as fin.
unfold ell, X. replace (4 * d * H * N / (delta * nu)) with (Y * N) by (unfold Y; field; lra).
apply fin. apply Rle_trans with (2 := h). replace (2 * 10 ^ 13 * S * (500 * ln y)) with (10 ^ 16 * S * ln y) by ring.
lra.
Qed.

(* the number of marks *)
Lemma marks M i : 0 <= M -> M <= 152 * (d * d * d) * (N + 1) * (H + 1) * (i + 2) -> 0 <= i -> i <= N ->
  2 * (M * M) + 1 <= exp (12 * ell).
Proof.
intros M0 hM i0 iN. set (u := d * H * N). pose proof dHN1 as u1; fold u in u1.
pose proof X_big as xb. fold u in xb.
assert (X0 : 0 < X) by lra.
assert (e : exp (12 * ell) = X ^ 12).
{ rewrite <- Rpower_pow by lra. unfold Rpower, ell. replace (INR 12) with 12 by (simpl; lra). reflexivity. }
assert (m : M <= 1824 * (u * u * u)).
{ apply Rle_trans with (1 := hM).
  apply Rle_trans with (152 * (d * d * d) * (2 * N) * (2 * H) * (3 * N)).
  - apply Rmult_le_compat; try lra.
    + repeat apply Rmult_le_pos; lra.
    + apply Rmult_le_compat; try lra; [repeat apply Rmult_le_pos; lra|].
      apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra|lra].
  - unfold u. replace (152 * (d * d * d) * (2 * N) * (2 * H) * (3 * N)) with (1824 * (d * d * d * (H * N * N))) by ring.
    replace (1824 * (d * H * N * (d * H * N) * (d * H * N))) with (1824 * (d * d * d * (H * N * N * (H * H * N))))
      by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra|].
    rewrite <- (Rmult_1_r (H * N * N)) at 1.
    apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra|repeat apply ge1_mul; assumption]. }
rewrite e. set (v := u * u * u) in *. assert (v1 : 1 <= v) by (repeat apply ge1_mul; assumption).
apply Rle_trans with ((4 * u) ^ 12); [|apply pow_incr; lra].
replace ((4 * u) ^ 12) with (16777216 * ((v * v) * (v * v))) by (unfold v; ring).
assert (mm : M * M <= 1824 * v * (1824 * v)) by (apply Rmult_le_compat; assumption).
assert (v2 : 1 <= v * v) by (apply ge1_mul; assumption).
assert (vv : 1 * (v * v) <= v * v * (v * v)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma union_fits W S : 0 <= W -> W <= exp (12 * d * ell) -> 0 <= S -> S <= exp (12 * (d * d) * ell) ->
  H * (((1 + W + d * d + (H + 1)) * (2 * (W * S))) * W * exp (- (64 * (d * d) * ell)) + W * exp
  (- (64 * (d * d) * ell))) <= delta.
Proof.
intros W0 hW S0 hS. set (w := exp (12 * d * ell)) in *. set (s := exp (12 * (d * d) * ell)) in *.
set (E := exp (- (64 * (d * d) * ell))). assert (E0 : 0 < E) by apply exp_pos.
pose proof ell_1 as l1.
set (u := d * H * N). pose proof dHN1 as u1; fold u in u1.
pose proof X_big as xb. fold u in xb.
assert (X0 : 0 < X) by lra. assert (eX : exp ell = X) by (unfold ell; apply exp_ln; lra).
assert (w0 : 0 < w) by apply exp_pos. assert (s0 : 0 < s) by apply exp_pos.
assert (w1 : X * X <= w).
{ rewrite <- eX, <- exp_plus. apply exp_le. replace (ell + ell) with (2 * ell) by ring. apply Rmult_le_compat_r; lra. }
assert (ud : d * 1 <= d * (H * N)) by (apply Rmult_le_compat_l; [lra|apply ge1_mul; assumption]).
assert (uH : H * 1 <= H * (d * N)) by (apply Rmult_le_compat_l; [lra|apply ge1_mul; assumption]).
replace (d * (H * N)) with u in ud by (unfold u; ring); replace (H * (d * N)) with u in uH by (unfold u; ring).
assert (rest : 1 + d * d + (H + 1) <= w).
{ apply Rle_trans with (2 := w1). assert (d * d <= u * u) by (apply Rmult_le_compat; lra).
  assert (u * 1 <= u * u) by (apply Rmult_le_compat_l; lra).
  apply Rle_trans with (4 * u * (4 * u)); [lra|apply Rmult_le_compat; lra]. }
pose proof (ge1_mul d1 d1) as dd.
assert (s1 : 1 <= s).
{ unfold s. rewrite <- exp_0. apply exp_le, Rmult_le_pos; lra. }
assert (ww : 1 <= w) by (apply Rle_trans with (2 := w1); apply ge1_mul; lra).
assert (c : (1 + W + d * d + (H + 1)) * (2 * (W * S)) * W <= 4 * (w * w * w) * s).
{ replace (4 * (w * w * w) * s) with ((2 * w) * (2 * (w * s)) * w) by ring.
  apply Rmult_le_compat; [repeat apply Rmult_le_pos; lra|lra| |lra].
  apply Rmult_le_compat; [lra|repeat apply Rmult_le_pos; lra|lra|].
  apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra. }
assert (c2 : W <= w * w * w * s).
{ assert (1 <= w * w * s) by (repeat apply ge1_mul; assumption). replace (w * w * w * s) with (w * (w * w * s)) by ring.
  assert (0 <= w * (w * w * s - 1)) by (apply Rmult_le_pos; lra). lra. }
apply Rle_trans with (H * (5 * (w * w * w * s * E))).
{ apply Rmult_le_compat_l; [lra|]. replace (5 * (w * w * w * s * E)) with (4 * (w * w * w) * s * E + w * w * w * s * E)
  by ring.
  apply Rplus_le_compat; apply Rmult_le_compat_r; lra. }
assert (k : w * w * w * s * E <= / X * / X).
{ unfold w, s, E. rewrite <- !exp_plus, <- eX, <- !exp_Ropp, <- exp_plus. apply exp_le.
  assert (a1 : 0 <= ell * (d * (d - 1))) by (repeat apply Rmult_le_pos; lra).
  assert (a2 : 0 <= ell * (d - 1)) by (apply Rmult_le_pos; lra). lra. }
apply Rle_trans with (H * (5 * (/ X * / X))); [apply Rmult_le_compat_l; [lra|]; lra|].
apply Rmult_le_reg_r with (X * X); [apply Rmult_lt_0_compat; lra|].
replace (H * (5 * (/ X * / X)) * (X * X)) with (5 * H) by (field; repeat split; lra).
assert (dx : 4 * u <= delta * X).
{ unfold X. replace (delta * (4 * d * H * N / (delta * nu))) with (4 * u / nu) by (unfold u; field; lra).
  apply Rmult_le_reg_r with nu; [lra|]. replace (4 * u / nu * nu) with (4 * u * 1) by (field; lra).
  apply Rmult_le_compat_l; lra. }
replace (delta * (X * X)) with (delta * X * X) by ring.
apply Rle_trans with (4 * u * X); [|apply Rmult_le_compat_r; lra].
apply Rle_trans with (4 * u * 4); [lra|apply Rmult_le_compat_l; lra].
Qed.
End Numbers.
