(* Traces against logarithms of determinants: the inequality before Lemma C.3, the count of
   Equation (6), and the sentence that A^-1 X is a positive form. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import bridge count sharp elliptical numbers log_two.

Section Root.
Variables (R : rcfType) (n : nat).
Implicit Types (A : 'M[R]_n).

(* a positive definite matrix is S^T S with S invertible *)
Lemma pd_root A : pd A -> exists2 S : 'M[R]_n, S \in unitmx & A = S^T *m S.
Proof.
move=> pA; have [s gs [szs sE]] := psd_split_short (pd_psd pA).
pose p (j : nat) := nth (0, 0) s j.
pose S : 'M[R]_n := \matrix_(j, i) (Num.sqrt (p j).1 * (p j).2 i ord0).
have AE : A = S^T *m S.
  apply/matrixP => i k; rewrite sE /spread summxE (big_nth (0, 0)) big_mkord.
  rewrite (big_ord_widen_cond n (fun _ => true) (fun j => ((p j).1 *: outer (p j).2) i k)) //=.
  rewrite mxE [LHS]big_mkcond /=; apply: eq_bigr => j _; rewrite !mxE.
  case: ltnP => js; last by rewrite /p nth_default //= sqrtr0 !mul0r.
  have c0 : 0 <= (p j).1.
    by have /(all_nthP (0, 0)) /(_ j js) /andP[/ltW] := gs.
  rewrite big_ord1 !mxE; have := sqr_sqrtr c0; set r := Num.sqrt _ => e.
  by rewrite -[in LHS]e expr2 mulrACA.
exists S => //; have := pd_unit pA; rewrite AE unitmx_mul unitmx_tr.
by case/andP.
Qed.
End Root.

Lemma ln_leD (x : R) : 0 < x -> ln x <= x - 1.
Proof. by move=> /RltP x0; apply/RleP; exact: ln_le. Qed.

Lemma logdet_trace d (Y : 'M[R]_d) : (0 < d)%N -> pd Y -> ln (\det Y) <= \tr Y - d%:R.
Proof.
move=> d0 pY; have D0 := pd_det_gt0 pY; have dR : 0 < d%:R :> R by rewrite ltr0n.
have h := det_le_trace pY.
have q0 : 0 < \tr Y / d%:R.
  rewrite lt_def divr_ge0 ?ler0n ?psd_tr_ge0 ?andbT //; last exact: pd_psd.
  apply: contraTN h => /eqP ->; rewrite expr0n eqn0Ngt d0 /= -ltNge //.
apply: le_trans (ln_leE D0 h) _; rewrite ln_powE //.
apply: (@le_trans _ _ (d%:R * (\tr Y / d%:R - 1))); first by rewrite ler_wpmul2l ?ln_leD // ltW.
by rewrite mulrBr mulr1 mulrCA divff ?mulr1 // gt_eqF.
Qed.

Lemma trace_logdet d (Y : 'M[R]_d) : (0 < d)%N -> pd Y -> d%:R - \tr (invmx Y) <= ln (\det Y).
Proof.
move=> d0 pY; have D0 := pd_det_gt0 pY.
have := logdet_trace d0 (pd_inv pY); rewrite det_inv.
have -> : ln (\det Y)^-1 = - ln (\det Y).
  have n0 : \det Y != 0 by rewrite gt_eqF.
  by rewrite -RinvE // ln_Rinv //; exact/RltP.
by rewrite ler_oppl opprB.
Qed.

(* [eq-trace-logdet], whole: the two inequalities for symmetric Y >= I; and for A > 0 and
   X >= 0 the matrix Y = I + A^-1 X is similar to a symmetric Z >= I, so both hold for it *)
Theorem eq_trace_logdet d : (0 < d)%N ->
  (forall Y : 'M[R]_d, psd (Y - 1%:M) ->
     \tr (1%:M - invmx Y) <= ln (\det Y) <= \tr (Y - 1%:M)) /\
  forall A X : 'M[R]_d, pd A -> psd X ->
    let Y := 1%:M + invmx A *m X in
    (exists S Z : 'M[R]_d, [/\ S \in unitmx, psd (Z - 1%:M) & Y = invmx S *m Z *m S]) /\
    \tr (1%:M - invmx Y) <= ln (\det Y) <= \tr (Y - 1%:M).
Proof.
move=> d0.
have main (Y : 'M[R]_d) : psd (Y - 1%:M) ->
    \tr (1%:M - invmx Y) <= ln (\det Y) <= \tr (Y - 1%:M).
  move=> pY; have pdY : pd Y by apply: pd_ge pY; exact: pd1.
  by rewrite !raddfB /= !mxtrace1 trace_logdet //= logdet_trace.
split=> // A X pA pX Y; have [S uS AE] := pd_root pA.
pose T := invmx S; have uT : T \in unitmx by rewrite unitmx_inv.
pose Z : 'M[R]_d := 1%:M + T^T *m X *m T.
have pZ : psd (Z - 1%:M).
  rewrite /Z addrC addKr; case: pX => sX hX; split.
    by rewrite /sym !trmx_mul trmxK sX mulmxA.
  move=> x; have -> : qf (T^T *m X *m T) x = qf X (T *m x) by rewrite /qf /bil trmx_mul !mulmxA.
  exact: hX.
have YE : Y = invmx S *m Z *m S.
  rewrite /Y /Z mulmxDr mulmx1 mulmxDl mulVmx //; congr (_ + _).
  rewrite -/T !mulmxA -[RHS]mulmxA.
  have -> : T *m S = 1%:M by rewrite mulVmx.
  rewrite AE; have uSt : S^T \in unitmx by rewrite unitmx_tr.
  have -> : invmx (S^T *m S) = T *m T^T.
    have uA : S^T *m S \in unitmx by rewrite unitmx_mul uSt.
    apply: (can_inj (mulKmx uA)); rewrite mulmxV // /T trmx_inv.
    by rewrite -mulmxA (mulmxA S) mulmxV // mul1mx mulmxV.
  by rewrite mulmx1.
split; first by exists S, Z.
have iY : invmx Y = invmx S *m invmx Z *m S.
  have uZ : Z \in unitmx by apply: pd_unit; apply: pd_ge pZ; exact: pd1.
  have uY : Y \in unitmx by rewrite YE !unitmx_mul uS uZ unitmx_inv uS.
  apply: (can_inj (mulKmx uY)); rewrite mulmxV // YE.
  rewrite -!mulmxA (mulmxA S) mulmxV // mul1mx (mulmxA Z) mulmxV // mul1mx mulVmx //.
have trS (M : 'M[R]_d) : \tr (invmx S *m M *m S) = \tr M.
  by rewrite mxtrace_mulC mulmxA mulmxV // mul1mx.
have -> : \tr (1%:M - invmx Y) = \tr (1%:M - invmx Z) by rewrite !raddfB /= iY trS.
have -> : \tr (Y - 1%:M) = \tr (Z - 1%:M) by rewrite !raddfB /= YE trS.
have -> : \det Y = \det Z.
  by rewrite YE !det_mulmx mulrAC -det_mulmx mulVmx // det1 mul1r.
exact: main.
Qed.

(* control: log det Y <= tr (I - Y^-1) is false, for Y = 2 in dimension one *)
Theorem eq_trace_logdet_control : exists Y : 'M[R]_1, psd (Y - 1%:M) /\
  \tr (1%:M - invmx Y) < ln (\det Y).
Proof.
exists (2%:R%:M); split.
  have -> : 2%:R%:M - 1%:M = 1%:M :> 'M[R]_1 by rewrite -raddfB /= -[2%:R]/(1 + 1) addrK.
  exact/pd_psd/pd1.
rewrite det_scalar1 invmx_scalar -raddfB /= mxtrace_scalar mulr1n; apply/RltP.
have := ln2_lower; rewrite -RinvE ?pnatr_eq0 // natE.
move=> h; change (1 - / INR 2 < ln (INR 2))%coqR.
by rewrite (_ : INR 2 = 2%coqR); [Lra.lra|rewrite /=; Lra.lra].
Qed.

(* [eq-violation-count], whole *)
Theorem eq_violation_count d N K (phi : nat -> nat -> 'cV[R]_d) (eps : R) :
  (0 < d)%N -> (0 < N)%N -> (0 < K)%N -> (forall k i, sqnorm (phi k i) <= 1) ->
  let G := ln (1 + K%:R * N%:R / d%:R)%R in
  d%:R * G < N%:R * eps ->
  (violations (batches N phi) (N%:R * eps) K)%:R <=
    d%:R * G / ln (N%:R * eps / (d%:R * G))%R.
Proof.
move=> d0 N0 K0 hphi G hN.
have dR : 0 < d%:R :> R by rewrite ltr0n.
have q0 : 0 < K%:R * N%:R / d%:R :> R by rewrite divr_gt0 ?mulr_gt0 ?ltr0n.
have G0 : 0 < G by apply/RltP; apply: ln_gt0; apply/RltP; change (1 < 1 + K%:R * N%:R / d%:R :> R); rewrite ltr_addl.
have dG0 : 0 < d%:R * G by rewrite mulr_gt0.
set lam := ln _.
have lam0 : 0 < lam.
  by apply/RltP; apply: ln_gt0; apply/RltP; change (1 < N%:R * eps / (d%:R * G)); rewrite ltr_pdivl_mulr ?mul1r.
rewrite ler_pdivl_mulr //; set X := batches N phi.
have pX j : psd (X j) by exact: psd_gram.
have pB j : pd (before X j) by exact: pd_before.
have D0 j : 0 < \det (before X j) by exact: pd_det_gt0.
have top j : (j <= K)%N -> ln (\det (before X j)) <= d%:R * G.
  move=> jK; apply: le_trans (ln_leE (D0 j) (det_le_trace (pB j))) _.
  have t0 : 0 < \tr (before X j) / d%:R.
    rewrite divr_gt0 // /before raddfD /= mxtrace1 ltr_paddr // raddf_sum.
    by apply: sumr_ge0 => i _; exact: psd_tr_ge0.
  rewrite ln_powE // ler_pmul2l //; apply: ln_leE => //.
  rewrite ler_pdivr_mulr // mulrDl mul1r mulfVK ?gt_eqF // /before raddfD /= mxtrace1 ler_add2l.
  rewrite raddf_sum /=; apply: (@le_trans _ _ (\sum_(i < j) N%:R)).
    by apply: ler_sum => i _; exact: tr_gram.
  by rewrite sumr_const card_ord -mulr_natl ler_wpmul2r ?ler0n // ler_nat.
have step j : (j < K)%N -> (violates X (N%:R * eps) j)%:R * lam <=
    ln (\det (before X j.+1)) - ln (\det (before X j)).
  move=> jK; set r := \det (before X j.+1) / \det (before X j).
  have r1 : 1 <= r by rewrite /r beforeS; exact: (rho_ge1 (pB j) (pX j)).
  have r0 : 0 < r by exact: lt_le_trans ltr01 r1.
  have lE : ln (\det (before X j.+1)) - ln (\det (before X j)) = ln r.
    by rewrite -[in LHS](mulfVK (lt0r_neq0 (D0 j)) (\det (before X j.+1))) -/r ln_mulE // addrK.
  rewrite lE; case v : (violates X _ j); last first.
    by rewrite mul0r; apply/RleP; apply: ln_ge0; apply/RleP.
  rewrite mul1r; have [h1 h2 _] := res_sharp_bridge (pB j) (pX j).
  rewrite /rho -beforeS -/r in h1 h2.
  have lr : ln r <= d%:R * G.
    rewrite -lE; apply: le_trans (top j.+1 jK); rewrite ler_subl_addr ler_addl.
    apply/RleP; apply: ln_ge0; apply/RleP.
    apply: le_trans (_ : \det (1%:M : 'M[R]_d) <= _); first by rewrite det1.
    by apply: det_mono; [exact: pd1|rewrite /before addrC addKr; exact: psd_sum].
  apply: ln_leE; first by rewrite divr_gt0 // (lt_trans dG0).
  rewrite ler_pdivr_mulr //; apply: le_trans v _; apply: le_trans h1 (le_trans h2 _).
  by rewrite ler_wpmul2l // ltW.
suff h j : (j <= K)%N -> (violations X (N%:R * eps) j)%:R * lam <= ln (\det (before X j)).
  exact: le_trans (h K (leqnn K)) (top K (leqnn K)).
elim: j => [|j IH] jK.
  rewrite violations0 mul0r; apply/RleP; rewrite /before big_ord0 addr0 det1 ln_1; exact: Rle_refl.
rewrite violationsS natrD mulrDl.
apply: le_trans (ler_add (IH (ltnW jK)) (step j jK)) _.
by rewrite addrC subrK.
Qed.

(* control: a third of the bound is exceeded by one batch with one vector, at eps = 1 *)
Theorem eq_violation_count_control : exists phi : nat -> nat -> 'cV[R]_1,
  [/\ forall k i, sqnorm (phi k i) <= 1, violations (batches 1 phi) (1%:R * 1) 1 = 1%N &
      (/ 3 * (ln 2 / ln (1 / ln 2)) < 1)%coqR].
Proof.
exists (fun _ _ => 1%:M); split.
- by move=> k i; rewrite /sqnorm big_ord1 mxE expr1n.
- rewrite violationsS violations0 /violates /before big_ord0 addr0 invmx1 mul1mx.
  by rewrite /batches /gram big_ord1 tr_outer qfE big_ord1 mxE expr1n mulr1 lexx.
- have [h1 h2] := ln_two; have p0 : (0 < / ln 2)%coqR by apply: Rinv_0_lt_compat; Lra.lra.
  have e : (1 / ln 2 = / ln 2)%coqR by rewrite /Rdiv Rmult_1_l.
  have l : (1 - ln 2 <= ln (1 / ln 2))%coqR.
    by have := ln_ge _ p0; rewrite e Rinv_inv.
  apply: (Rmult_lt_reg_r (ln (1 / ln 2))); first by Lra.lra.
  rewrite Rmult_assoc div_mul; [Lra.lra|apply: Rgt_not_eq; Lra.lra].
Qed.

Lemma qf_diag d (D : 'rV[R]_d) x : qf (diag_mx D) x = \sum_i D 0 i * x i 0 ^+ 2.
Proof.
rewrite /qf /bil mul_mx_diag mxE; apply: eq_bigr => i _; rewrite !mxE expr2.
by rewrite mulrAC mulrC mulrA.
Qed.

(* [text-bridge-not-symmetric], whole: the form of A^-1 X need not be positive *)
Theorem text_bridge_not_symmetric : ~ (forall (d : nat) (A X : 'M[R]_d) (x : 'cV[R]_d),
  pd A -> psd X -> 0 <= qf (invmx A *m X) x).
Proof.
move=> h; pose v : 'cV[R]_2 := const_mx 1.
pose A : 'M[R]_2 := diag_mx (\row_i (if i == 0 then 1 else 100%:R)).
pose B : 'M[R]_2 := diag_mx (\row_i (if i == 0 then 1 else 100%:R^-1)).
pose x : 'cV[R]_2 := \col_i (if i == 0 then 1 else - 2%:R).
have AB : A *m B = 1%:M.
  rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP => i; rewrite !mxE.
  by case: ifP => _; rewrite ?mulr1 // divff // pnatr_eq0.
have uA : A \in unitmx by case/mulmx1_unit: AB.
have iA : invmx A = B by apply: (can_inj (mulKmx uA)); rewrite mulmxV // AB.
have pA : pd A.
  split=> [|y y0]; first by rewrite /sym tr_diag_mx.
  rewrite qf_diag; have := qf1_gt0 y0; rewrite qfE => q0; apply: lt_le_trans q0 _.
  apply: ler_sum => i _; rewrite ler_pemull ?sqr_ge0 // mxE.
  by case: ifP => _; rewrite // ler1n.
have := h 2%N A (outer v) x pA (psd_outer v); rewrite iA leNgt => /negP [].
have -> : qf (B *m outer v) x = - (49%:R / 50%:R).
  have -> : qf (B *m outer v) x = (x^T *m (B *m v)) 0 0 * (v^T *m x) 0 0.
    have e : x^T *m (B *m outer v) *m x = (x^T *m (B *m v)) *m (v^T *m x) by rewrite /outer !mulmxA.
    by rewrite /qf /bil e [LHS]mxE big_ord1.
  rewrite /B mul_diag_mx !mxE !big_ord_recl !big_ord0 !mxE /=.
  by field.
by rewrite oppr_lt0 divr_gt0 // ltr0n.
Qed.

(* control: for a vector x = A y it is positive in the form of A, which is what is true *)
Theorem text_bridge_not_symmetric_control d (A X : 'M[R]_d) (x : 'cV[R]_d) :
  pd A -> psd X -> 0 <= bil A x (invmx A *m X *m x).
Proof.
move=> pA [_ hX]; rewrite /bil -!mulmxA (mulmxA A) mulmxV ?pd_unit // mul1mx mulmxA.
exact: hX.
Qed.
