(* The numbers of the theorem about Algorithm 2, on the reals: that its number of iterations is enough, that its union
   bound fits into delta, and that the size of a batch is enough. *)
From Coq Require Import Reals Lra Psatz.
From derl.common Require Import reals.
Local Open Scope R_scope.

(* a line above the logarithm *)
Lemma ln_line y a : 0 < y -> 0 < a -> ln y <= y / a - 1 + ln a.
Proof.
intros y0 a0. assert (ya : 0 < y / a) by (apply Rdiv_lt_0_compat; lra).
pose proof (ln_le (y / a) ya) as h. unfold Rdiv in h at 1; rewrite ln_mult, ln_Rinv in h; try lra.
apply Rinv_0_lt_compat; lra.
Qed.

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
unfold n4. assert (0 < nu * nu <= 1) by (split; nra). split; [nra|].
replace (nu * nu * nu * nu) with ((nu * nu) * (nu * nu)) by ring. nra.
Qed.

Lemma tau_half : 1 / 2 <= tau.
Proof.
apply Rle_trans with (ln 2); [exact ln2_half|apply ln_mono; [lra|]].
apply Rmult_le_reg_r with nu; [lra|]. unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma ln_16 : ln (16 / n4) = 4 * tau.
Proof.
pose proof n4_bounds. assert (q : 0 < 2 / nu) by (apply Rdiv_lt_0_compat; lra).
replace (16 / n4) with ((2 / nu * (2 / nu)) * (2 / nu * (2 / nu))) by (unfold n4; field; lra).
assert (0 < 2 / nu * (2 / nu)) by nra.
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
pose proof (ln_line y (16 / n4) ltac:(lra) a0) as h. rewrite ln_16 in h.
pose proof (ln_ge0 y y1) as ly.
assert (e : d * (y / (16 / n4)) = n4 * d / 16 + n4 * (i + 1) / 32) by (unfold y; field; lra).
assert (k : d * ln y <= 4 * d * tau + n4 * d / 16 + n4 * (i + 1) / 32 - d).
{ apply Rle_trans with (d * (y / (16 / n4) - 1 + 4 * tau)); [apply Rmult_le_compat_l; lra|].
  replace (d * (y / (16 / n4) - 1 + 4 * tau)) with (d * (y / (16 / n4)) - d + 4 * d * tau) by ring. rewrite e; lra. }
assert (dl : 0 <= d * ln y) by (apply Rmult_le_pos; lra).
assert (u : / 2 / ln (1 + / 2) * (d * ln y) <= 3 / 2 * (d * ln y)) by (apply Rmult_le_compat_r; assumption).
assert (dn : n4 * d <= d) by nra.
assert (dt : 1 / 2 <= d * tau) by nra.
assert (ex : n4 * (i + 1) = i * n4 + n4) by ring. lra.
Qed.
End Iterations.

Section Sizes.
Variables d H N eps delta nu i : R.
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
Proof. assert (1 <= d * H) by nra. nra. Qed.
Lemma X4 : 4 <= X. Proof. pose proof X_big; pose proof dHN1; lra. Qed.
Lemma ell_1 : 1 <= ell.
Proof. apply Rle_trans with (ln 4); [exact ln4_1|apply ln_mono; [lra|exact X4]]. Qed.

Hypothesis i_low : 200 * d * tau <= i * n4.
Hypothesis i_up : i * n4 <= 200 * d * tau + n4.
Hypothesis N_big : 10 ^ 13 * (term_one + term_two) * ell <= N.

Let tau2 := tau_half nu nu0 nu1.
Let nb := n4_bounds nu nu0 nu1.

Lemma i_up2 : i * n4 <= 202 * (d * tau).
Proof. pose proof tau2; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in H0; assert (1 / 2 <= d * tau) by nra.
lra. Qed.
Lemma i_up1 : (i + 1) * n4 <= 204 * (d * tau).
Proof. pose proof tau2; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in H0; assert (1 / 2 <= d * tau) by nra.
lra. Qed.
Lemma i_pos : 0 < i.
Proof.
pose proof tau2; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in H0.
assert (1 / 2 <= d * tau) by nra. apply Rmult_lt_reg_r with n4; lra.
Qed.

Lemma terms_pos : 0 < term_one /\ 0 < term_two.
Proof.
pose proof tau2 as a; pose proof nb as [p0 p1]; fold n4 in p0, p1; fold tau in a.
unfold term_one, term_two; fold tau; split;
  repeat first [apply Rmult_lt_0_compat|apply Rinv_0_lt_compat|apply Rdiv_lt_0_compat]; lra.
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
{ apply Rmult_le_reg_r with (n4 * n4); [nra|].
  replace (d * d * i * (n4 * n4)) with (d * d * n4 * (i * n4)) by ring.
  replace (1000 * term_two * (n4 * n4)) with (1000 * (term_two * (n4 * n4))) by ring. rewrite two_eq.
  apply Rle_trans with (d * d * 1 * (202 * (d * tau))).
  { apply Rmult_le_compat; try nra. }
  assert (t4 : 1 / 4 <= tau * tau) by nra.
  assert (d3 : 0 < d * d * d) by nra.
  assert (d4 : 1 <= d * d * d * d) by (assert (1 <= d * d) by nra; replace (d * d * d * d) with ((d * d) * (d * d))
    by ring; nra).
  assert (hh : 1 <= H * H) by nra.
  assert (w : 1 / 4 <= H * H * (d * d * d * d) * (tau * tau)) by (assert (1 <= H * H * (d * d * d * d)) by nra; nra).
  replace (d * d * 1 * (202 * (d * tau))) with (d * d * d * tau * 202) by ring.
  replace (1000 * (H * H * (d * d * d * d * d * d * d) * (tau * tau * tau)))
    with (d * d * d * tau * (1000 * (H * H * (d * d * d * d) * (tau * tau)))) by ring.
  apply Rmult_le_compat_l; [nra|lra]. }
apply Rle_trans with (4 * (10 ^ 13 * term_two * ell)); [|lra].
replace (2048 * (d * d) * ell * i) with (2048 * ell * (d * d * i)) by ring.
apply Rle_trans with (2048 * ell * (1000 * term_two)); [apply Rmult_le_compat_l; lra|].
assert (0 < ell * term_two) by nra. replace (4 * (10 ^ 13 * term_two * ell)) with (4 * 10 ^ 13 * (ell * term_two))
  by ring.
replace (2048 * ell * (1000 * term_two)) with (2048000 * (ell * term_two)) by ring. lra.
Qed.

(* for xi = eps / (2 beta) with beta^2 = 51^2 d^2 H^2 ell *)
Lemma size_plan : 81 * i * (H * H) * n4 * (4 * (2601 * (d * d) * (H * H) * ell)) <= 175 * N * (eps * eps).
Proof.
pose proof one_N as h; pose proof ell_1 as l1; pose proof i_up2 as u.
assert (q : term_one * (eps * eps) = H * H * H * H * (d * d * d) * tau) by (unfold term_one; fold tau; field; lra).
apply Rle_trans with (175 * (10 ^ 13 * term_one * ell) * (eps * eps)).
2: { apply Rmult_le_compat_r; [nra|]. lra. }
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
apply Rmult_le_reg_r with (n4 * n4); [nra|].
replace (175 * (10 ^ 13 * term_two * ell) * (n4 * n4)) with (175 * 10 ^ 13 * ell * (term_two * (n4 * n4))) by ring.
rewrite two_eq.
set (w := H * H * (d * d * d * d) * ell).
assert (w0 : 0 < w) by (unfold w; repeat apply Rmult_lt_0_compat; lra).
set (q := d * tau) in *.
replace (175 * 10 ^ 13 * ell * (H * H * (d * d * d * d * d * d * d) * (tau * tau * tau))) with
  (175 * 10 ^ 13 * (w * (q * q * q))) by (unfold w, q; ring).
replace (81 * i * (H * H) * n4 * (256 * (d * d) * ((i + 1) * (i + 1)) * (2601 * (d * d) * ell)) * (n4 * n4)) with
  (53934336 * (w * ((i * n4) * (((i + 1) * n4) * ((i + 1) * n4))))) by (unfold w; ring).
assert (q0 : 1 / 2 <= q) by (unfold q; nra).
assert (x0 : 0 < i * n4) by nra. assert (y0 : 0 < (i + 1) * n4) by nra.
set (x := i * n4) in *; set (y := (i + 1) * n4) in *.
assert (yy : y * y <= 41616 * (q * q)) by nra.
assert (xyy : x * (y * y) <= 202 * q * (41616 * (q * q))) by (apply Rmult_le_compat; nra).
assert (0 < w * (q * q * q)) by (repeat apply Rmult_lt_0_compat; lra).
apply Rle_trans with (53934336 * (w * (202 * q * (41616 * (q * q))))).
{ apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
replace (53934336 * (w * (202 * q * (41616 * (q * q))))) with (453395328049152 * (w * (q * q * q))) by ring. lra.
Qed.
End Sizes.

(* N stands in a logarithm: this much is enough *)
Lemma log_inside c S N Y L : 0 < c -> 0 < S -> 0 < N -> 0 < Y ->
  ln (Y * (2 * c * S)) <= L -> 2 * c * S * L <= N -> c * S * ln (Y * N) <= N.
Proof.
intros c0 S0 N0 Y0 hL hN. assert (w : 0 < 2 * c * S) by nra.
assert (a : 0 < Y * (2 * c * S)) by nra. assert (y : 0 < Y * N) by nra.
pose proof (ln_line (Y * N) (Y * (2 * c * S)) y a) as h.
assert (e : Y * N / (Y * (2 * c * S)) = N / (2 * c * S)) by (field; repeat split; lra).
rewrite e in h. assert (cs : 0 < c * S) by nra.
apply Rle_trans with (c * S * (N / (2 * c * S) + L)); [apply Rmult_le_compat_l; lra|].
replace (c * S * (N / (2 * c * S) + L)) with (N / 2 + c * S * L) by (field; repeat split; lra). lra.
Qed.

Section Printed.
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
Let X := 4 * d * H * N / (delta * nu).
Let ell := ln X.
Let y := 2 * d * H / (eps * delta * nu).

Lemma below_y a : 0 <= a -> a * (eps * delta * nu) <= 2 * d * H -> a <= y.
Proof.
intros a0 h. assert (q : 0 < eps * delta * nu) by (repeat apply Rmult_lt_0_compat; lra).
unfold y. apply Rmult_le_reg_r with (eps * delta * nu); [lra|].
replace (2 * d * H / (eps * delta * nu) * (eps * delta * nu)) with (2 * d * H) by (field; repeat split; lra). lra.
Qed.
Lemma q1 : 0 < eps * delta * nu <= 1.
Proof. assert (0 < eps * delta <= 1) by (split; nra). split; nra. Qed.
Lemma dH1 : 1 <= d * H. Proof. nra. Qed.
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
pose proof (tau_half nu nu0 nu1); split; [lra|].
assert (q : 0 < 2 / nu) by (apply Rdiv_lt_0_compat; lra). pose proof (ln_le (2 / nu) q).
apply Rle_trans with (2 / nu); [lra|]. pose proof dH1. apply below_y; [lra|].
replace (2 / nu * (eps * delta * nu)) with (2 * (eps * delta)) by (field; repeat split; lra). nra.
Qed.
Lemma ydHt : d * H / (delta * nu) <= y.
Proof.
assert (0 < delta * nu) by nra. pose proof dH1. apply below_y; [left; apply Rdiv_lt_0_compat; nra|].
replace (d * H / (delta * nu) * (eps * delta * nu)) with (d * H * eps) by (field; repeat split; lra). pose proof dH1;
  nra.
Qed.

Lemma powers a b m n : 0 <= a <= y ^ m -> 0 <= b <= y ^ n -> 0 <= a * b <= y ^ (m + n).
Proof. intros [a0 a1] [b0 b1]. rewrite pow_add. split; [nra|]. apply Rmult_le_compat; lra. Qed.
Lemma power1 a : 0 <= a -> a <= y -> 0 <= a <= y ^ 1. Proof. simpl; lra. Qed.

Lemma printed_enough : 10 ^ 16 * (term_one d H eps nu + term_two d H nu) * ln y <= N ->
  10 ^ 13 * (term_one d H eps nu + term_two d H nu) * ell <= N.
Proof.
intros h. pose proof (terms_pos d H eps nu d1 H1 e0 nu0 nu1) as [s1 s2].
set (S := term_one d H eps nu + term_two d H nu) in *.
assert (S0 : 0 < S) by (unfold S; lra).
pose proof y2 as Y2; pose proof ytau as [T0 T1].
pose proof (power1 d ltac:(lra) yd) as pd. pose proof (power1 H ltac:(lra) yH) as pH.
pose proof (power1 (/ eps) (Rlt_le _ _ (Rinv_0_lt_compat _ e0)) ye) as pe.
pose proof (power1 (/ nu) (Rlt_le _ _ (Rinv_0_lt_compat _ nu0)) yn) as pn.
pose proof (power1 _ T0 T1) as pt.
assert (b1 : 0 <= term_one d H eps nu <= y ^ 10).
{ replace (term_one d H eps nu) with (H * H * H * H * (d * d * d) * (/ eps * / eps) * ln (2 / nu)) by (unfold term_one;
    field; lra).
  change 10%nat with (1 + 1 + 1 + 1 + (1 + 1 + 1) + (1 + 1) + 1)%nat.
  repeat apply powers; assumption. }
assert (b2 : 0 <= term_two d H nu <= y ^ 20).
{ replace (term_two d H nu) with (H * H * (d * d * d * d * d * d * d) * ((/ nu * / nu * / nu * / nu)
    * (/ nu * / nu * / nu * / nu)) * (ln (2 / nu) * ln (2 / nu) * ln (2 / nu))) by (unfold term_two; field; lra).
  change 20%nat with (1 + 1 + (1 + 1 + 1 + 1 + 1 + 1 + 1) + ((1 + 1 + 1 + 1) + (1 + 1 + 1 + 1)) + (1 + 1 + 1))%nat.
  repeat apply powers; assumption. }
assert (y1020 : y ^ 10 <= y ^ 20) by (apply Rle_pow; [lra|repeat constructor]).
assert (bS : 0 <= S <= y ^ 21).
{ split; [lra|]. unfold S. replace (y ^ 21) with (y * y ^ 20) by reflexivity.
assert (0 <= y ^ 20) by (apply pow_le; lra). nra. }
pose proof (power1 (d * H / (delta * nu)) ltac:(left; apply Rdiv_lt_0_compat; nra) ydHt) as pq.
assert (c47 : 0 <= 8 * 10 ^ 13 <= y ^ 47).
{ split; [lra|]. apply Rle_trans with (2 ^ 47); [lra|]. apply pow_incr; lra. }
set (Y := 4 * d * H / (delta * nu)).
assert (big : 0 <= Y * (2 * 10 ^ 13 * S) <= y ^ 69).
{ replace (Y * (2 * 10 ^ 13 * S)) with (8 * 10 ^ 13 * (d * H / (delta * nu)) * S) by (unfold Y; field; lra).
  change 69%nat with (47 + 1 + 21)%nat. repeat apply powers; assumption. }
assert (Y0 : 0 < Y) by (unfold Y; apply Rdiv_lt_0_compat; nra).
assert (A0 : 0 < Y * (2 * 10 ^ 13 * S)) by (apply Rmult_lt_0_compat; [lra|]; nra).
assert (lny : 0 <= ln y) by (apply ln_ge0; lra).
assert (L : ln (Y * (2 * 10 ^ 13 * S)) <= 500 * ln y).
{ apply Rle_trans with (ln (y ^ 69)); [apply ln_mono; lra|]. rewrite <- Rpower_pow by lra.
unfold Rpower; rewrite ln_exp.
  replace (INR 69) with 69 by (simpl; lra). lra. }
pose proof (log_inside (10 ^ 13) S N Y (500 * ln y) ltac:(lra) S0 ltac:(lra) Y0 L) as fin.
unfold ell, X. replace (4 * d * H * N / (delta * nu)) with (Y * N) by (unfold Y; field; lra).
apply fin. apply Rle_trans with (2 := h). replace (2 * 10 ^ 13 * S * (500 * ln y)) with (10 ^ 16 * S * ln y) by ring.
lra.
Qed.

(* the number of marks *)
Lemma marks M i : 0 <= M -> M <= 152 * (d * d * d) * (N + 1) * (H + 1) * (i + 2) -> 0 <= i -> i <= N ->
  2 * (M * M) + 1 <= exp (12 * ell).
Proof.
intros M0 hM i0 iN. set (u := d * H * N). assert (u1 : 1 <= u) by (unfold u; assert (1 <= d * H) by nra; nra).
pose proof (X_big d H N delta nu d1 H1 N1 t0 t1 nu0 nu1) as xb. fold X in xb; fold u in xb.
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
    assert (1 <= H * H * N) by nra. assert (0 < H * N * N) by (repeat apply Rmult_lt_0_compat; lra). nra. }
rewrite e. set (v := u * u * u) in *. assert (v1 : 1 <= v) by (unfold v; assert (1 <= u * u) by nra; nra).
apply Rle_trans with ((4 * u) ^ 12); [|apply pow_incr; lra].
replace ((4 * u) ^ 12) with (16777216 * ((v * v) * (v * v))) by (unfold v; ring).
assert (mm : M * M <= 3326976 * (v * v)) by nra.
assert (vv : 1 <= v * v) by nra. nra.
Qed.

Lemma union_fits W S : 0 <= W -> W <= exp (12 * d * ell) -> 0 <= S -> S <= exp (12 * (d * d) * ell) ->
  H * (((1 + W + d * d + (H + 1)) * (2 * (W * S))) * W * exp (- (64 * (d * d) * ell)) + W * exp
  (- (64 * (d * d) * ell))) <= delta.
Proof.
intros W0 hW S0 hS. set (w := exp (12 * d * ell)) in *. set (s := exp (12 * (d * d) * ell)) in *.
set (E := exp (- (64 * (d * d) * ell))). assert (E0 : 0 < E) by apply exp_pos.
pose proof (ell_1 d H N delta nu d1 H1 N1 t0 t1 nu0 nu1) as l1. fold X in l1; fold ell in l1.
set (u := d * H * N). assert (u1 : 1 <= u) by (unfold u; assert (1 <= d * H) by nra; nra).
pose proof (X_big d H N delta nu d1 H1 N1 t0 t1 nu0 nu1) as xb. fold X in xb; fold u in xb.
assert (X0 : 0 < X) by lra. assert (eX : exp ell = X) by (unfold ell; apply exp_ln; lra).
assert (w0 : 0 < w) by apply exp_pos. assert (s0 : 0 < s) by apply exp_pos.
assert (w1 : X * X <= w).
{ rewrite <- eX, <- exp_plus. apply exp_le. nra. }
assert (ud : d <= u) by (unfold u; assert (1 <= H * N) by nra; nra).
assert (uH : H <= u) by (unfold u; assert (1 <= d * N) by nra; nra).
assert (rest : 1 + d * d + (H + 1) <= w).
{ apply Rle_trans with (2 := w1). apply Rle_trans with (16 * (u * u)); [nra|]. nra. }
assert (s1 : 1 <= s).
{ unfold s. rewrite <- exp_0. apply exp_le. nra. }
assert (ww : 1 <= w) by nra.
assert (c : (1 + W + d * d + (H + 1)) * (2 * (W * S)) * W <= 4 * (w * w * w) * s).
{ replace (4 * (w * w * w) * s) with ((2 * w) * (2 * (w * s)) * w) by ring.
  apply Rmult_le_compat; [repeat apply Rmult_le_pos; nra|lra| |lra].
  apply Rmult_le_compat; [nra|repeat apply Rmult_le_pos; lra|lra|].
  apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra. }
assert (c2 : W <= w * w * w * s).
{ assert (1 <= w * w) by nra. assert (1 <= w * w * s) by nra. replace (w * w * w * s) with (w * (w * w * s)) by ring.
  assert (0 <= w * (w * w * s - 1)) by (apply Rmult_le_pos; lra). lra. }
apply Rle_trans with (H * (5 * (w * w * w * s * E))).
{ apply Rmult_le_compat_l; [lra|]. replace (5 * (w * w * w * s * E)) with (4 * (w * w * w) * s * E + w * w * w * s * E)
  by ring.
  apply Rplus_le_compat; apply Rmult_le_compat_r; lra. }
assert (k : w * w * w * s * E <= / X * / X).
{ unfold w, s, E. rewrite <- !exp_plus, <- eX, <- !exp_Ropp, <- exp_plus. apply exp_le.
  assert (a1 : 0 <= ell * (d * (d - 1))) by (repeat apply Rmult_le_pos; lra).
  assert (a2 : 0 <= ell * (d - 1)) by (apply Rmult_le_pos; lra). nra. }
apply Rle_trans with (H * (5 * (/ X * / X))); [apply Rmult_le_compat_l; [lra|]; lra|].
apply Rmult_le_reg_r with (X * X); [nra|].
replace (H * (5 * (/ X * / X)) * (X * X)) with (5 * H) by (field; repeat split; lra).
assert (dx : 4 * u <= delta * X).
{ unfold X. replace (delta * (4 * d * H * N / (delta * nu))) with (4 * u / nu) by (unfold u; field; lra).
  apply Rmult_le_reg_r with nu; [lra|]. replace (4 * u / nu * nu) with (4 * u) by (field; repeat split; lra). nra. }
replace (delta * (X * X)) with (delta * X * X) by ring. nra.
Qed.
End Printed.
