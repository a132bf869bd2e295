(* Lemma C.1, repaired: the classical elliptical potential with its sharp constant. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import bridge.

Section Elliptical.
Variables (d : nat) (X : nat -> 'M[R]_d) (lam : R).

(* M_t = lambda I + X_0 + ... + X_(t-1) *)
Definition total t : 'M[R]_d := lam%:M + \sum_(j < t) X j.

Lemma totalS t : total t.+1 = total t + X t.
Proof. by rewrite /total big_ord_recr addrA. Qed.

Lemma pd_total t : 0 < lam -> (forall j, psd (X j)) -> pd (total t).
Proof.
move=> l0 pX; apply: pdD; last exact: psd_sum.
by rewrite -scalemx1; apply: pdZ => //; exact: pd1.
Qed.

Lemma ln_chordE (x L : R) : 0 < L -> 0 <= x <= L -> x * ln (1 + L)%R <= L * ln (1 + x)%R.
Proof.
move=> /RltP L0 /andP[/RleP x0 /RleP x1]; apply/RleP.
exact: ln_chord.
Qed.

Lemma ln_leE (x y : R) : 0 < x -> x <= y -> ln x <= ln y.
Proof. by move=> /RltP x0 /RleP xy; apply/RleP; exact: ln_mono. Qed.

Lemma ln_mulE (x y : R) : 0 < x -> 0 < y -> ln (x * y)%R = ln x + ln y.
Proof. by move=> /RltP x0 /RltP y0; exact: ln_mult. Qed.

Lemma ln_powE (x : R) n : 0 < x -> ln (x ^+ n)%R = n%:R * ln x.
Proof.
by move=> /RltP x0; rewrite -RpowE -Rpower_pow // /Rpower ln_exp INRE.
Qed.

Lemma elliptical_sum T : 0 < lam -> (forall j, psd (X j)) -> (forall j, \tr (X j) <= 1) ->
  (\sum_(t < T) \tr (X t *m invmx (total t))) * ln (1 + lam^-1)%R <=
  lam^-1 * (ln (\det (total T)) - ln (\det (total 0))).
Proof.
move=> l0 pX tX; have L0 : 0 < lam^-1 by rewrite invr_gt0.
elim: T => [|T IH]; first by rewrite big_ord0 mul0r subrr mulr0.
rewrite big_ord_recr /= mulrDl.
have pM := pd_total T l0 pX; have D0 := pd_det_gt0 pM.
set x := \tr (X T *m _); have xE : x = \tr (invmx (total T) *m X T) by rewrite /x mxtrace_mulC.
have x0 : 0 <= x by rewrite xE; apply: tr_psd => //; exact/pd_psd/pd_inv.
have x1 : x <= lam^-1.
  rewrite xE; have [s gs sE] := psd_split (pX T).
  apply: (@le_trans _ _ (lam^-1 * \tr (X T))); last by rewrite ler_pimulr // ltW.
  rewrite sE -[X in lam^-1 * \tr X]mul1mx !tr_mul_spread mulr_sumr big_seq [leRHS]big_seq.
  apply: ler_sum => p ps; have /andP[p0 _] := allP gs _ ps.
  rewrite [leRHS]mulrCA ler_pmul2l //.
  have -> : lam^-1 * qf 1%:M p.2 = qf (invmx (lam%:M)) p.2.
    by rewrite invmx_scalar -[in RHS]scalemx1 qfZ.
  apply: inv_antitone; first by rewrite -scalemx1; apply: pdZ => //; exact: pd1.
  by rewrite /total addrC addKr; exact: psd_sum.
have br := bridge pM (pX T); rewrite -xE ler_subr_addr addrC in br.
have step : x * ln (1 + lam^-1)%R <= lam^-1 * (ln (\det (total T.+1)) - ln (\det (total T))).
  apply: le_trans (ln_chordE L0 (introT andP (conj x0 x1))) _.
  rewrite ler_pmul2l //.
  have r0 : 0 < 1 + x by rewrite ltr_paddr ?ltr01.
  apply: le_trans (ln_leE r0 br) _.
  rewrite /rho -totalS ler_subr_addr -ln_mulE ?mulfVK ?gt_eqF //.
  by rewrite divr_gt0 // pd_det_gt0 //; exact: pd_total.
apply: le_trans (ler_add IH step) _; rewrite -mulrDr ler_pmul2l //.
by rewrite addrC addrA subrK.
Qed.

(* [res-elliptical-potential], the inequality, for every lambda > 0 *)
Theorem res_elliptical_potential T : (0 < d)%N -> 0 < lam ->
  (forall j, psd (X j)) -> (forall j, \tr (X j) <= 1) ->
  \sum_(t < T) \tr (X t *m invmx (total t)) <=
  lam^-1 / ln (1 + lam^-1)%R * (d%:R * ln (1 + T%:R / (d%:R * lam))%R).
Proof.
move=> d0 l0 pX tX; have L0 : 0 < lam^-1 by rewrite invr_gt0.
have dR : 0 < d%:R :> R by rewrite ltr0n.
have ln0 : 0 < ln (1 + lam^-1)%R.
  apply/RltP; apply: ln_gt0; apply/RltP; change (1 < 1 + lam^-1).
  by rewrite ltr_addl.
rewrite mulrAC ler_pdivl_mulr //; apply: le_trans (elliptical_sum T l0 pX tX) _.
rewrite ler_pmul2l //.
have pM := pd_total T l0 pX.
have dM0 : \det (total 0) = lam ^+ d by rewrite /total big_ord0 addr0 det_scalar.
have trM : \tr (total T) <= d%:R * lam + T%:R.
  rewrite /total raddfD /= mxtrace_scalar -mulr_natl; apply: ler_add => //.
  rewrite raddf_sum /= -[T in leRHS](card_ord T) -sumr_const; exact: ler_sum.
have base0 : 0 < 1 + T%:R / (d%:R * lam).
  by rewrite ltr_paddr ?ltr01 // divr_ge0 ?ler0n // ltW // mulr_gt0.
have detM : \det (total T) <= (lam * (1 + T%:R / (d%:R * lam))) ^+ d.
  apply: le_trans (det_le_trace pM) _; have t0 := psd_tr_ge0 (pd_psd pM).
  apply: ler_expn2r; rewrite ?nnegrE.
  - by rewrite divr_ge0 ?ler0n.
  - by rewrite ltW // mulr_gt0.
  - rewrite ler_pdivr_mulr //; apply: le_trans trM _.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite !gt_eqF.
rewrite ler_subl_addr dM0 !ln_powE // -mulrDr.
apply: le_trans (ln_leE (pd_det_gt0 pM) detM) _.
rewrite ln_powE; last exact: mulr_gt0.
by rewrite ler_pmul2l // ln_mulE // addrC.
Qed.
End Elliptical.
