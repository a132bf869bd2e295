(* From a small uncertainty to a smaller one with more data: Lemma E.14, its sharp form, and
   the second step of Theorem E.9. *)
From derl.common Require Import prelude forms determinants.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.analysis Require Import matrices eigenvalue slips.

Lemma sharp_above (R : realFieldType) (d : nat) (A : 'M[R]_d) (lam b c n : R) :
  above A lam%:M -> 0 <= lam -> 0 < b -> 0 < c -> b <= n * c ->
  above (b%:M + n *: A) (((b + n * lam) / (c + lam)) *: (c%:M + A)).
Proof.
move=> hA l0 b0 c0 nc; have s0 : 0 < c + lam by rewrite ltr_paddr.
rewrite /above.
have -> : b%:M + n *: A - ((b + n * lam) / (c + lam)) *: (c%:M + A) =
    ((n * c - b) / (c + lam)) *: (A - lam%:M).
  apply/matrixP => i j; rewrite !mxE; case: (i == j); rewrite ?mulr1n ?mulr0n.
    by move: (A i j) => u; field; rewrite gt_eqF.
  by move: (A i j) => u; field; rewrite gt_eqF.
by apply: psdZ => //; rewrite divr_ge0 ?subr_ge0 // ltW.
Qed.

Section Uncertainty.
Variables (R : rcfType) (d : nat) (T : finType) (Pi : Type).
Variables (phi : T -> 'cV[R]_d) (p : Pi -> T -> R).

(* the expected norm, and the expected squared norm, of the feature in M^-1 *)
Definition uncertainty (M : 'M[R]_d) pi : R := mean (p pi) (fun t => Num.sqrt (qf (invmx M) (phi t))).
(* the expected squared norm of the feature in M^-1 *)
Definition uncertainty2 (M : 'M[R]_d) pi : R := mean (p pi) (fun t => qf (invmx M) (phi t)).

Lemma shrink (A : 'M[R]_d) lam b c n t : above A lam%:M -> 0 <= lam -> 0 < b -> 0 < c -> b <= n * c ->
  0 < n -> qf (invmx (b%:M + n *: A)) (phi t) <= (c + lam) / (b + n * lam) * qf (invmx (c%:M + A)) (phi t).
Proof.
move=> hA l0 b0 c0 nc n0; have s0 : 0 < c + lam by rewrite ltr_paddr.
have t0 : 0 < b + n * lam by rewrite ltr_paddr // mulr_ge0 // ltW.
have -> : (c + lam) / (b + n * lam) = ((b + n * lam) / (c + lam))^-1 by rewrite invf_div.
apply: inv_above; first exact: divr_gt0.
  have pA : psd A.
    have -> : A = (A - lam%:M) + lam%:M by rewrite subrK.
    by apply: psdD => //; rewrite -scalemx1; apply: psdZ => //; apply: pd_psd; exact: pd1.
  by apply: pdD => //; exact: pd_scalar.
exact: sharp_above.
Qed.

(* [res-sharp-blow-up], the two bounds *)
Theorem res_sharp_blow_up (nu c b n e : R) (A : 'M[R]_d) :
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
  0 < c -> 0 < b -> 0 < n -> b <= n * c -> 0 < e -> 0 < nu ->
  (forall lam, above A lam%:M -> 0 <= lam ->
     above (b%:M + n *: A) (((b + n * lam) / (c + lam)) *: (c%:M + A))) /\
  ((forall pi, uncertainty (c%:M + A) pi <= e) -> let lam := nu ^+ 4 / e ^+ 2 - c in 0 <= lam ->
     forall pi, uncertainty (b%:M + n *: A) pi <= nu ^+ 2 / Num.sqrt (b + n * lam)) /\
  ((forall pi, uncertainty2 (c%:M + A) pi <= e) -> let lam := nu ^+ 2 / e - c in 0 <= lam ->
     forall pi, uncertainty2 (b%:M + n *: A) pi <= nu ^+ 2 / (b + n * lam)).
Proof.
move=> hp hphi hnu pA c0 b0 n0 nc e0 nu0; split; [|split].
- by move=> lam hA l0; exact: sharp_above.
- move=> he lam l0 pi; have [p0 _] := hp pi.
  have hA : above A lam%:M by exact: sharp_eigenvalue hp hphi hnu pA c0 e0 he.
  have t0 : 0 < b + n * lam by rewrite ltr_paddr // mulr_ge0 // ltW.
  have k0 : 0 <= (c + lam) / (b + n * lam) by rewrite divr_ge0 ?ltW // ltr_paddr.
  apply: (@le_trans _ _ (Num.sqrt ((c + lam) / (b + n * lam)) * uncertainty (c%:M + A) pi)).
    rewrite /uncertainty /mean mulr_sumr; apply: ler_sum => t _; rewrite mulrCA ler_wpmul2l //.
    by rewrite -sqrtrM //; apply: ler_wsqrtr; exact: shrink.
  apply: (@le_trans _ _ (Num.sqrt ((c + lam) / (b + n * lam)) * e)).
    by rewrite ler_wpmul2l ?sqrtr_ge0 //; exact: he.
  have -> : c + lam = (nu ^+ 2 / e) ^+ 2 by rewrite /lam; field; rewrite gt_eqF.
  rewrite sqrtrM ?sqr_ge0 // (sqrtrV (ltW t0)) sqrtr_sqr (ger0_norm (divr_ge0 (sqr_ge0 _) (ltW e0))).
  by rewrite mulrAC mulfVK ?lexx ?gt_eqF.
- move=> he lam l0 pi; have [p0 _] := hp pi.
  have hA : above A lam%:M by exact: sharp_eigenvalue_square hp hnu pA c0 e0 he.
  have t0 : 0 < b + n * lam by rewrite ltr_paddr // mulr_ge0 // ltW.
  have k0 : 0 <= (c + lam) / (b + n * lam) by rewrite divr_ge0 ?ltW // ltr_paddr.
  apply: (@le_trans _ _ ((c + lam) / (b + n * lam) * uncertainty2 (c%:M + A) pi)).
    rewrite /uncertainty2 /mean mulr_sumr; apply: ler_sum => t _; rewrite mulrCA ler_wpmul2l //.
    exact: shrink.
  apply: (@le_trans _ _ ((c + lam) / (b + n * lam) * e)); first by rewrite ler_wpmul2l.
  have -> : c + lam = nu ^+ 2 / e by rewrite /lam addrC subrK.
  by rewrite mulrAC mulfVK ?lexx ?gt_eqF.
Qed.

(* [res-mixture-uncertainty], whole: m = |Pi| policies, A the sum of their covariances, at
   most i of them *)
Theorem res_mixture_uncertainty (nu : R) (m i N : nat) (A : 'M[R]_d) :
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
  0 < nu <= 1 -> (0 < m)%N -> (m <= i)%N -> (m <= 2 * N)%N ->
  (forall pi, uncertainty (2%:R%:M + A) pi <= nu ^+ 2 / 2%:R) ->
  above A 2%:R%:M /\
  forall pi, uncertainty (1%:M + (N%:R / m%:R) *: A) pi <= nu ^+ 2 / Num.sqrt (1 + 2%:R * (N%:R / m%:R)) /\
    nu ^+ 2 / Num.sqrt (1 + 2%:R * (N%:R / m%:R)) <= Num.sqrt (i%:R / N%:R) * nu.
Proof.
move=> hp hphi hnu pA /andP[nu0 nu1] m0 mi mN he.
have N0 : (0 < N)%N by case: N mN => //; rewrite muln0 leqNgt m0.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have mR : 0 < m%:R :> R by rewrite ltr0n.
have e0 : 0 < nu ^+ 2 / 2%:R by rewrite divr_gt0 ?exprn_gt0 ?ltr0n.
have n0 : 0 < N%:R / m%:R :> R by rewrite divr_gt0.
have lE : nu ^+ 4 / (nu ^+ 2 / 2%:R) ^+ 2 - 2%:R = 2%:R by field; rewrite gt_eqF.
have nc : 1 <= N%:R / m%:R * 2%:R :> R.
  by rewrite mulrAC ler_pdivl_mulr // mul1r -natrM ler_nat mulnC.
have two : 0 < 2%:R :> R by rewrite ltr0n.
have [_ [h _]] := res_sharp_blow_up hp hphi hnu pA two ltr01 n0 nc e0 nu0.
split; first by have := sharp_eigenvalue hp hphi hnu pA two e0 he; rewrite lE.
move=> pi; split.
  by have := h he; cbv zeta; rewrite lE => /(_ (ltW two) pi); rewrite [2%:R * _]mulrC.
have s0 : 0 < 1 + 2%:R * (N%:R / m%:R) :> R by apply: addr_gt0; [exact: ltr01|exact: mulr_gt0].
rewrite ler_pdivr_mulr ?sqrtr_gt0 // mulrAC -sqrtrM ?divr_ge0 ?ler0n //.
rewrite expr2 ler_pmul2r //; apply: le_trans nu1 _; rewrite -[X in X <= _](sqrtr1 R); apply: ler_wsqrtr.
rewrite mulrDr mulr1; have -> : i%:R / N%:R * (2%:R * (N%:R / m%:R)) = 2%:R * (i%:R / m%:R) :> R.
  by field; rewrite !gt_eqF.
have : 1 <= i%:R / m%:R :> R by rewrite ler_pdivl_mulr // mul1r ler_nat.
move=> q; apply: (@le_trans _ _ (2%:R * (i%:R / m%:R))); last by rewrite ler_addr divr_ge0 ?ler0n.
by rewrite -[leLHS]mulr1 ler_pmul // ?ler01 // ler1n.
Qed.

(* [lem-blow-up], whole (the policies' second moments reach nu, and nu <= 1) *)
Theorem lem_blow_up (nu c n e : R) (A : 'M[R]_d) :
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
  0 < nu <= 1 -> 0 < c -> 1 <= n -> 0 < e -> e <= nu ^+ 2 / (2%:R * Num.sqrt c) ->
  (forall pi, uncertainty (c%:M + A) pi <= e) ->
  forall pi, uncertainty (c%:M + n *: A) pi <= Num.sqrt ((c + 1) / (Num.sqrt c * (c + n)) * e).
Proof.
move=> hp hphi hnu pA /andP[nu0 nu1] c0 n1 e0 small he pi.
have n0 : 0 < n by exact: lt_le_trans ltr01 n1.
set r := Num.sqrt c in small *; have r0 : 0 < r by rewrite sqrtr_gt0.
have rr : r ^+ 2 = c by rewrite sqr_sqrtr // ltW.
(* s = nu^2 / (e r) is at least 2 *)
pose s := nu ^+ 2 / (e * r); have er0 : 0 < e * r by exact: mulr_gt0.
have s2 : 2%:R <= s.
  rewrite /s ler_pdivl_mulr //; move: small; rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // => h.
  by apply: le_trans h; rewrite mulrCA.
have s0 : 0 < s by apply: lt_le_trans s2; rewrite ltr0n.
have lE : nu ^+ 4 / e ^+ 2 - c = c * (s ^+ 2 - 1).
  by rewrite -rr /s; field; rewrite !gt_eqF.
have ss1 : 1 <= s ^+ 2 - 1.
  rewrite ler_subr_addr; apply: (@le_trans _ _ (2%:R * s)); last by rewrite expr2 ler_wpmul2r // ltW.
  by apply: (@le_trans _ _ (2%:R * 2%:R)); [rewrite -[1 + 1]/(2%:R) -natrM ler_nat|rewrite ler_wpmul2l ?ler0n].
have ss0 : 0 <= s ^+ 2 - 1 by exact: le_trans ler01 ss1.
have l0 : 0 <= nu ^+ 4 / e ^+ 2 - c by rewrite lE; apply: mulr_ge0; [exact: ltW|exact: ss0].
have cn : c <= n * c by rewrite ler_pmull.
have [_ [h _]] := res_sharp_blow_up hp hphi hnu pA c0 c0 n0 cn e0 nu0.
apply: le_trans (h he l0 pi) _; rewrite lE.
have d0 : 0 < c + n * (c * (s ^+ 2 - 1)).
  by apply: ltr_paddr => //; apply: mulr_ge0; [exact: ltW|apply: mulr_ge0 => //; exact: ltW].
have -> : nu ^+ 2 / Num.sqrt (c + n * (c * (s ^+ 2 - 1))) =
    Num.sqrt (nu ^+ 4 / (c + n * (c * (s ^+ 2 - 1)))).
  rewrite sqrtrM ?exprn_ge0 ?(ltW nu0) // (sqrtrV (ltW d0)); congr (_ / _).
  by rewrite -[4%N]/(2 * 2)%N exprM sqrtr_sqr ger0_norm ?sqr_ge0.
apply: ler_wsqrtr.
have cn0 : 0 < r * (c + n) by rewrite mulr_gt0 ?addr_gt0.
rewrite ler_pdivr_mulr // [_ / _ * e]mulrAC [X in _ <= X]mulrAC ler_pdivl_mulr //.
(* nu^2 <= 1 and nu^2 = s e r *)
have nuE : nu ^+ 2 = s * (e * r) by rewrite /s mulfVK // gt_eqF.
have nu2 : nu ^+ 2 <= 1 by rewrite expr_le1 // ltW.
have -> : nu ^+ 4 * (r * (c + n)) = nu ^+ 2 * (e * (c * (s * (c + n)))).
  by rewrite -rr -[4%N]/(2 + 2)%N exprD {2}nuE; ring.
have -> : (c + 1) * e * (c + n * (c * (s ^+ 2 - 1))) = e * (c * ((c + 1) * (1 + n * (s ^+ 2 - 1)))) by ring.
have w0 : 0 <= e * (c * (s * (c + n))).
  apply: mulr_ge0; first exact: ltW.
  apply: mulr_ge0; first exact: ltW.
  by apply: mulr_ge0; [exact: ltW|apply: addr_ge0; exact: ltW].
apply: (@le_trans _ _ (e * (c * (s * (c + n))))); first by rewrite ler_pimull.
rewrite !ler_pmul2l // -subr_ge0.
have -> : (c + 1) * (1 + n * (s ^+ 2 - 1)) - s * (c + n) =
  c * ((n - 1) * (s ^+ 2 - 1) + s * (s - 1)) + (1 + n * ((s + 1) * (s - 2%:R) + 1)) by ring.
have sm1 : 0 <= s - 1 by rewrite subr_ge0 (le_trans _ s2) // ler1n.
have sm2 : 0 <= s - 2%:R by rewrite subr_ge0.
have q1 : 0 <= (n - 1) * (s ^+ 2 - 1) by apply: mulr_ge0 => //; rewrite subr_ge0.
have q2 : 0 <= s * (s - 1) by rewrite mulr_ge0 // ltW.
have q3 : 0 <= (s + 1) * (s - 2%:R) by rewrite mulr_ge0 // addr_ge0 ?ler01 // ltW.
apply: addr_ge0; first by rewrite mulr_ge0 ?(ltW c0) //; exact: addr_ge0.
by rewrite addr_ge0 ?ler01 // mulr_ge0 ?(ltW n0) // addr_ge0 ?ler01.
Qed.

(* [ineq-smallest-eigenvalue], whole: after Step 1, that is with an uncertainty of at most half of nu^2 in the inverse
   of 2 I + m E, where m = |Pi| policies are in the list, at most i of them, and E is their mean covariance *)
Theorem ineq_smallest_eigenvalue (nu : R) (m i N : nat) (E : 'M[R]_d) :
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd E -> 0 < nu ->
  (0 < m)%N -> (m <= i)%N -> (forall pi, uncertainty (2%:R%:M + m%:R *: E) pi <= nu ^+ 2 / 2%:R) ->
  [/\ above (N%:R *: E) (2%:R * (N%:R / m%:R))%:M, above (N%:R *: E) (N%:R / m%:R)%:M & N%:R / i%:R <= N%:R / m%:R
  :> R].
Proof.
move=> hp hphi hnu pE nu0 m0 mi he; have mR : 0 < m%:R :> R by rewrite ltr0n.
have iR : 0 < i%:R :> R by rewrite ltr0n (leq_trans m0).
have e0 : 0 < nu ^+ 2 / 2%:R by rewrite divr_gt0 ?exprn_gt0 ?ltr0n.
have h : above (m%:R *: E) 2%:R%:M.
  have := sharp_eigenvalue hp hphi hnu (psdZ (ltW mR) pE) (ltr0n _ 2) e0 he.
  by have -> : nu ^+ 4 / (nu ^+ 2 / 2%:R) ^+ 2 - 2%:R = 2%:R by field; rewrite gt_eqF.
have two : above (N%:R *: E) (2%:R * (N%:R / m%:R))%:M.
  rewrite /above; have -> : N%:R *: E - (2%:R * (N%:R / m%:R))%:M = (N%:R / m%:R) *: (m%:R *: E - 2%:R%:M).
    by rewrite scalerBr scalerA mulfVK ?gt_eqF // scale_scalar_mx [2%:R * _]mulrC.
  by apply: psdZ => //; rewrite divr_ge0 ?ler0n.
split=> //; last by rewrite ler_wpmul2l ?ler0n // lef_pinv ?posrE // ler_nat.
rewrite /above; have -> : N%:R *: E - (N%:R / m%:R)%:M = (N%:R *: E - (2%:R * (N%:R / m%:R))%:M) + (N%:R / m%:R)%:M.
  rewrite -addrA; congr (_ + _); rewrite -!raddfN -raddfD /=; congr (_%:M); ring.
by apply: psdD => //; rewrite -scalemx1; apply: psdZ; [rewrite divr_ge0 ?ler0n|exact/pd_psd/pd1].
Qed.
End Uncertainty.

(* In dimension one, with one policy and one feature of length 1. *)
Section One.
Variable R : rcfType.
Definition one_feature (_ : unit) : 'cV[R]_1 := 1%:M.
Definition one_law (_ _ : unit) : R := 1.
Lemma one_laws pi : is_law (one_law pi).
Proof. by split=> [t|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]]. Qed.
Lemma one_mean pi (F : unit -> R) : mean (one_law pi) F = F tt.
Proof. by rewrite /mean (big_pred1 tt) ?mul1r // => -[]. Qed.
Lemma one_qf (k : R) : qf (k%:M : 'M[R]_1) 1%:M = k.
Proof. by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n. Qed.
Lemma one_short t : sq (one_feature t) <= 1. Proof. by rewrite /sq one_qf. Qed.
Lemma one_reaches : reaches one_feature one_law 1.
Proof. by move=> u u1; exists tt; rewrite one_mean trmx1 mul1mx expr1n -[leLHS]u1 /sq qfE big_ord1. Qed.
Lemma one_uncertainty (k : R) pi : 0 <= k -> uncertainty one_feature one_law k%:M pi = (Num.sqrt k)^-1.
Proof. by move=> k0; rewrite /uncertainty one_mean invmx_scalar one_qf sqrtrV. Qed.
Lemma one_add (a b : R) : a%:M + b%:M = (a + b)%:M :> 'M[R]_1. Proof. by rewrite raddfD. Qed.
Lemma one_sub (a b : R) : a%:M - b%:M = (a - b)%:M :> 'M[R]_1. Proof. by rewrite raddfB. Qed.
Lemma four_ge0 : 0 <= 2%:R + 2%:R :> R. Proof. by rewrite -natrD ler0n. Qed.
Lemma four : Num.sqrt (2%:R + 2%:R) = 2%:R :> R.
Proof. by rewrite -natrD -[(2 + 2)%N]/(2 ^ 2)%N natrX sqrtr_sqr ger0_norm ?ler0n. Qed.
Lemma one_psd (k : R) : 0 <= k -> psd (k%:M : 'M[R]_1).
Proof. by move=> k0; rewrite -scalemx1; apply: psdZ => //; exact/pd_psd/pd1. Qed.

(* [text-blow-up-range] is false, and a control for Lemma E.14: with n below 1 its bound does not hold for every
   A >= 0; here A = 8, n = 1/100, nu = c = 1 and e = 1/3 *)
Theorem text_blow_up_range_refuted : ~ (forall (d : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d) (p : Pi -> T ->
    R) (nu c n e : R) (A : 'M[R]_d),
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
  0 < nu <= 1 -> 0 < c -> 0 < n -> 0 < e -> e <= nu ^+ 2 / (2%:R * Num.sqrt c) ->
  (forall pi, uncertainty phi p (c%:M + A) pi <= e) ->
  forall pi, uncertainty phi p (c%:M + n *: A) pi <= Num.sqrt ((c + 1) / (Num.sqrt c * (c + n)) * e)).
Proof.
move=> h; have := h 1%N _ _ one_feature one_law 1 1 100%:R^-1 3%:R^-1 8%:R%:M one_laws one_short one_reaches
  (one_psd (ler0n _ 8)).
rewrite ltr01 lexx sqrtr1 => /(_ isT isT).
have n0 : 0 < 100%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have e0 : 0 < 3%:R^-1 :> R by rewrite invr_gt0 ltr0n.
move=> /(_ n0 e0); rewrite expr1n mulr1 mul1r lef_pinv ?posrE ?ltr0n // ler_nat => /(_ isT).
have first pi : uncertainty one_feature one_law (1%:M + 8%:R%:M) pi <= 3%:R^-1.
  rewrite one_add one_uncertainty ?addr_ge0 ?ler0n ?ler01 // -[1 + 8%:R]/(1%:R + 8%:R) -natrD.
  by rewrite -[(1 + 8)%N]/(3 ^ 2)%N natrX sqrtr_sqr ger0_norm ?ler0n.
move=> /(_ first tt); rewrite scale_scalar_mx one_add one_uncertainty; last first.
  by rewrite addr_ge0 ?ler01 // mulr_ge0 ?invr_ge0 ?ler0n.
have p0 : 0 < 1 + 100%:R^-1 * 8%:R :> R by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?invr_ge0 ?ler0n.
rewrite -(sqrtrV (ltW p0)); apply/negP; rewrite -ltNge ltr_sqrt; last by rewrite invr_gt0.
rewrite -subr_gt0; set x := (X in 0 < X).
have -> : x = 25%:R / 27%:R - 200%:R / 303%:R by rewrite /x; field; rewrite ?pnatr_eq0.
by rewrite subr_gt0 ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // -!natrM ltr_nat.
Qed.

(* control for [res-mixture-uncertainty]: with 3 in the place of 2 in the root it is false; A = 2, one policy, N = 1 *)
Theorem mixture_uncertainty_control : ~ (forall (d : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
    (p : Pi -> T -> R) (nu : R) (m i N : nat) (A : 'M[R]_d),
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd A ->
  0 < nu <= 1 -> (0 < m)%N -> (m <= i)%N -> (m <= 2 * N)%N ->
  (forall pi, uncertainty phi p (2%:R%:M + A) pi <= nu ^+ 2 / 2%:R) ->
  forall pi, uncertainty phi p (1%:M + (N%:R / m%:R) *: A) pi <= nu ^+ 2 / Num.sqrt (1 + 3%:R * (N%:R / m%:R))).
Proof.
move=> h; have := h 1%N _ _ one_feature one_law 1 1%N 1%N 1%N 2%:R%:M one_laws one_short one_reaches
  (one_psd (ler0n _ 2)).
rewrite ltr01 lexx => /(_ isT isT isT isT).
have first pi : uncertainty one_feature one_law (2%:R%:M + 2%:R%:M) pi <= 1 ^+ 2 / 2%:R.
  rewrite one_add (one_uncertainty _ four_ge0) four.
  by rewrite expr1n mul1r.
move=> /(_ first tt);
  rewrite divff ?oner_neq0 // scale1r mulr1 one_add (one_uncertainty _ (addr_ge0 ler01 (ler0n _ 2))).
rewrite expr1n mul1r; apply/negP; rewrite -ltNge ltf_pinv ?posrE ?sqrtr_gt0 ?addr_gt0 ?ltr01 ?ltr0n //.
by rewrite ltr_sqrt ?addr_gt0 ?ltr01 ?ltr0n // ltr_add2l ltr_nat.
Qed.

(* control for [ineq-smallest-eigenvalue]: 3 in the place of 2 in what Step 1 gives; E = 2, one policy, N = 1 *)
Theorem smallest_eigenvalue_control : ~ (forall (d : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d)
    (p : Pi -> T -> R) (nu : R) (m i N : nat) (E : 'M[R]_d),
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd E -> 0 < nu ->
  (0 < m)%N -> (m <= i)%N -> (forall pi, uncertainty phi p (2%:R%:M + m%:R *: E) pi <= nu ^+ 2 / 2%:R) ->
  above (N%:R *: E) (3%:R * (N%:R / m%:R))%:M).
Proof.
move=> h; have := h 1%N _ _ one_feature one_law 1 1%N 1%N 1%N 2%:R%:M one_laws one_short one_reaches
  (one_psd (ler0n _ 2)) ltr01.
move=> /(_ isT isT); rewrite scale1r.
have first pi : uncertainty one_feature one_law (2%:R%:M + 2%:R%:M) pi <= 1 ^+ 2 / 2%:R.
  rewrite one_add (one_uncertainty _ four_ge0) four.
  by rewrite expr1n mul1r.
move=> /(_ first) [_ /(_ 1%:M)]; rewrite divff ?oner_neq0 // mulr1 one_sub one_qf subr_ge0 ler_nat.
by [].
Qed.
End One.
