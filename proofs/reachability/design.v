(* Optimal designs: the largest trace against a mixture of policies bounds the determinant of
   every other mixture. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import bridge sharp elliptical logdet.
From derl.lower_bounds Require Import game.

Section Design.
Variables (d : nat) (Pi : Type) (C : Pi -> 'M[R]_d).

(* the covariance of a finite mixture of policies: C pi is the covariance of pi, the law w
   weighs the policies pi k *)
Definition mixed (I : finType) (w : I -> R) (pi : I -> Pi) : 'M[R]_d := \sum_k w k *: C (pi k).
(* M is the covariance of some finite mixture *)
Definition is_mixture (M : 'M[R]_d) := exists (I : finType) (w : I -> R) (pi : I -> Pi), is_law w /\ M = mixed w pi.

Lemma mixture_trace (A M : 'M[R]_d) g : (forall pi, \tr (A *m C pi) <= g) -> is_mixture M -> \tr (A *m M) <= g.
Proof.
move=> hg [I [w [pi [[w0 w1] ->]]]]; rewrite /mixed mulmx_sumr raddf_sum /= -[leRHS]mul1r -w1 mulr_suml.
by apply: ler_sum => k _; rewrite -scalemxAr mxtraceZ ler_wpmul2l.
Qed.

Lemma mixture_psd M : (forall pi, psd (C pi)) -> is_mixture M -> psd M.
Proof. by move=> hC [I [w [pi [[w0 _] ->]]]]; apply: psd_sum => k _; exact: psdZ. Qed.

Lemma mixture_step M pi t : is_mixture M -> 0 <= t <= 1 -> is_mixture ((1 - t) *: M + t *: C pi).
Proof.
move=> [I [w [rho [[w0 w1] ->]]]] /andP[t0 t1].
exists [finType of option I], (fun k => if k is Some i then (1 - t) * w i else t),
  (fun k => if k is Some i then rho i else pi).
have sum (V : zmodType) (F : option I -> V) : \sum_k F k = F None + \sum_i F (Some i).
  rewrite (bigD1 None) //=; congr (_ + _).
  case: (pickP I) => [i0 _|no]; last first.
    by rewrite !big1 // => [i|[i|]] // _; have := no i.
  rewrite (reindex_onto Some (odflt i0)) => [|[x|] //].
  by apply: eq_bigl => x; rewrite /= eqxx.
split.
  split=> [[i|]|] //=; first by rewrite mulr_ge0 // subr_ge0.
  by rewrite sum -mulr_sumr w1 mulr1 addrC subrK.
rewrite /mixed sum addrC scaler_sumr; congr (_ + _); apply: eq_bigr => i _.
by rewrite scalerA.
Qed.

(* log det M <= log det L + tr (L^-1 M) - d *)
Lemma logdet_tangent (L M : 'M[R]_d) : (0 < d)%N -> pd L -> pd M ->
  ln (\det M) <= ln (\det L) + (\tr (invmx L *m M) - d%:R).
Proof.
move=> d0 pL pM; have [S uS LE] := pd_root pL.
pose T := invmx S; pose Y : 'M[R]_d := T^T *m M *m T.
have uT : T \in unitmx by rewrite unitmx_inv.
have pY : pd Y.
  case: pM => sM hM; split; first by rewrite /sym /Y !trmx_mul trmxK sM mulmxA.
  move=> x x0; have -> : qf Y x = qf M (T *m x) by rewrite /qf /bil /Y trmx_mul !mulmxA.
  by apply: hM; apply: contra x0 => /eqP h; rewrite -(mulKmx uT x) h mulmx0.
have iL : invmx L = T *m T^T.
  have uL := pd_unit pL; apply: (can_inj (mulKmx uL)); rewrite mulmxV // LE /T trmx_inv.
  rewrite -mulmxA (mulmxA S) mulmxV // mul1mx mulmxV // unitmx_tr //.
have trE : \tr Y = \tr (invmx L *m M) by rewrite /Y mxtrace_mulC iL mulmxA.
have detE : \det M = \det L * \det Y.
  rewrite LE /Y !det_mulmx !det_tr; have : \det T * \det S = 1 by rewrite -det_mulmx mulVmx // det1.
  move: (\det T) (\det S) (\det M) => a b c e.
  have -> : b * b * (a * c * a) = (a * b) * (a * b) * c by ring.
  by rewrite e !mul1r.
rewrite detE ln_mulE ?pd_det_gt0 // ler_add2l -trE; exact: logdet_trace.
Qed.

(* [res-design-optimal], whole.  L is the covariance of a mixture, regular, and g the largest
   trace of L^-1 C pi.  Then g >= d; the bound for the determinants of all other mixtures; the
   bound of the second moments; and if L has the largest determinant of all mixtures, g = d. *)
Theorem res_design_optimal (L : 'M[R]_d) (g : R) : (0 < d)%N -> (forall pi, psd (C pi)) ->
  is_mixture L -> pd L -> (exists pi, \tr (invmx L *m C pi) = g) -> (forall pi, \tr (invmx L *m C pi) <= g) ->
  [/\ d%:R <= g,
      forall M, is_mixture M -> pd M -> ln (\det M) <= ln (\det L) + g - d%:R,
      forall pi theta, g^-1 * qf (C pi) theta <= qf L theta &
      (forall M, is_mixture M -> \det M <= \det L) -> g = d%:R].
Proof.
move=> d0 hC mL pL [pi0 g0] hg; have dR : 0 < d%:R :> R by rewrite ltr0n.
have dg : d%:R <= g.
  by have := mixture_trace hg mL; rewrite mulVmx ?pd_unit // mxtrace1.
have gpos : 0 < g by exact: lt_le_trans dR dg.
split=> // [M mM pM|pi theta|best].
- apply: le_trans (logdet_tangent d0 pL pM) _; rewrite -addrA ler_add2l ler_add2r.
  exact: mixture_trace hg mM.
- rewrite mulrC ler_pdivr_mulr //; have [s gs sE] := psd_split (hC pi).
  have h := hg pi; rewrite sE tr_mul_spread in h.
  rewrite sE qf_spread; apply: (@le_trans _ _ ((\sum_(p <- s) p.1 * qf (invmx L) p.2) * qf L theta)).
    rewrite mulr_suml big_seq [leRHS]big_seq; apply: ler_sum => p ps.
    have /andP[p0 _] := allP gs _ ps.
    by rewrite -mulrA ler_pmul2l // dotC [leRHS]mulrC; exact: cauchy_dual.
  by rewrite mulrC ler_wpmul2l //; exact/qf_ge0/pd_psd.
apply/eqP; rewrite eq_le dg andbT leNgt; apply/negP => lt.
(* a small step towards pi0 would enlarge the determinant *)
pose t := (g - d%:R) / (2%:R * g * g).
have gd : 0 < g - d%:R by rewrite subr_gt0.
have g1 : 1 <= g by apply: le_trans dg; rewrite ler1n.
have t0 : 0 < t by rewrite divr_gt0 // !mulr_gt0 // ltr0n.
have gg : g <= g * g by rewrite ler_pmull.
have t1 : t < 1.
  rewrite ltr_pdivr_mulr ?mul1r ?mulr_gt0 ?ltr0n //; apply: (@lt_le_trans _ _ g);
    first by rewrite ltr_subl_addr ltr_addl.
  by apply: le_trans gg _; rewrite -mulrA ler_pemull ?ler1n // mulr_ge0 // ltW.
pose M := (1 - t) *: L + t *: C pi0.
have s0 : 0 < 1 - t by rewrite subr_gt0.
have mM : is_mixture M by apply: mixture_step => //; rewrite (ltW t0) (ltW t1).
have pM : pd M by apply: pdD; [exact: pdZ|apply: psdZ => //; exact: ltW].
(* M <= (1 + t g) L, so the trace of M^-1 C pi0 is nearly g *)
have below theta : qf M theta <= (1 + t * g) * qf L theta.
  have L0 : 0 <= qf L theta by exact/qf_ge0/pd_psd.
  have c1 : qf (C pi0) theta <= g * qf L theta.
    have [s gs sE] := psd_split (hC pi0).
    have h := hg pi0; rewrite sE tr_mul_spread in h.
    rewrite sE qf_spread; apply: (@le_trans _ _ ((\sum_(p <- s) p.1 * qf (invmx L) p.2) * qf L theta)).
      rewrite mulr_suml big_seq [leRHS]big_seq; apply: ler_sum => p ps.
      have /andP[p0 _] := allP gs _ ps.
      by rewrite -mulrA ler_pmul2l // dotC [leRHS]mulrC; exact: cauchy_dual.
    by rewrite ler_wpmul2r.
  rewrite /M qfD !qfZ mulrDl mul1r; apply: ler_add.
    by rewrite ler_pimull // ler_subl_addr ler_addl ltW.
  by rewrite -mulrA ler_pmul2l.
have k0 : 0 < 1 + t * g by rewrite ltr_paddr ?ltr01 // mulr_ge0 // ltW.
have inv x : (1 + t * g)^-1 * qf (invmx L) x <= qf (invmx M) x.
  rewrite mulrC ler_pdivr_mulr //.
  set y := invmx L *m x.
  have yx : (y^T *m x) ord0 ord0 = qf (invmx L) x.
    by rewrite /y trmx_mul inv_sym // ?mulmxA //; case: pL.
  have h := cauchy_dual y x pM; rewrite yx in h.
  have q0 : 0 <= qf (invmx L) x by exact: qfi_ge0.
  have b := below y; rewrite [qf L y]qf_inv // in b.
  case: (ltgtP (qf (invmx L) x) 0) q0 => // [a0 _|-> _]; last by rewrite mulr_ge0 ?qfi_ge0 // ltW.
  have h3 := le_trans h (ler_wpmul2r (qfi_ge0 x pM) b).
  rewrite -(ler_pmul2l a0) -expr2; apply: le_trans h3 _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by move: (qf (invmx L) x) (qf (invmx M) x) (1 + t * g) => u v k; ring.
have trM : (1 + t * g)^-1 * g <= \tr (invmx M *m C pi0).
  have [s gs sE] := psd_split (hC pi0); rewrite -[X in _ * X <= _]g0 sE !tr_mul_spread mulr_sumr.
  rewrite big_seq [leRHS]big_seq; apply: ler_sum => p ps; have /andP[p0 _] := allP gs _ ps.
  by rewrite mulrCA ler_pmul2l //; exact: inv.
(* the tangent at M, evaluated at L *)
have tang := logdet_tangent d0 pM pL.
have trL : (1 - t) * \tr (invmx M *m L) = d%:R - t * \tr (invmx M *m C pi0).
  have e : \tr (invmx M *m M) = d%:R by rewrite mulVmx ?pd_unit // mxtrace1.
  by rewrite -e {2}/M mulmxDr raddfD /= -!scalemxAr !mxtraceZ addrK.
have le : d%:R <= \tr (invmx M *m L).
  rewrite -subr_ge0; have hl : ln (\det M) <= ln (\det L) by apply: ln_leE; [exact: pd_det_gt0|exact: best].
  have := le_trans tang (ler_add hl (lexx _)); by rewrite ler_addl.
have h1 : (1 - t) * d%:R <= d%:R - t * ((1 + t * g)^-1 * g).
  apply: (@le_trans _ _ ((1 - t) * \tr (invmx M *m L))); first by rewrite ler_pmul2l.
  by rewrite trL ler_add2l ler_opp2 ler_pmul2l.
have h2 : (1 + t * g)^-1 * g <= d%:R.
  rewrite -(ler_pmul2l t0) -ler_opp2 -(ler_add2l d%:R); apply: le_trans h1.
  by rewrite mulrBl mul1r.
move: h2; rewrite mulrC ler_pdivr_mulr // mulrDr mulr1 leNgt => /negP [].
rewrite -subr_gt0; have -> : g - (d%:R + d%:R * (t * g)) = (g - d%:R) * (1 - d%:R / (2%:R * g)).
  by rewrite /t; field; rewrite gt_eqF.
rewrite mulr_gt0 // subr_gt0 ltr_pdivr_mulr ?mulr_gt0 ?ltr0n // mul1r.
by rewrite mulr_natl mulr2n -[ltLHS]addr0; apply: ler_lt_add.
Qed.
End Design.

(* control: g is not always d: one policy in dimension one that is met twice as strongly *)
Theorem res_design_optimal_control : ~ (forall (d : nat) (Pi : Type) (C : Pi -> 'M[R]_d) (L : 'M[R]_d) (g : R),
  (0 < d)%N -> (forall pi, psd (C pi)) -> is_mixture C L -> pd L ->
  (exists pi, \tr (invmx L *m C pi) = g) -> (forall pi, \tr (invmx L *m C pi) <= g) -> g = d%:R).
Proof.
move=> h; pose C (x : bool) : 'M[R]_1 := (if x then 2%:R else 1)%:M.
have pC x : psd (C x) by case: x; rewrite /C -scalemx1; apply: psdZ; rewrite ?ler0n ?ler01 //; exact/pd_psd/pd1.
have mL : is_mixture C 1%:M.
  exists [finType of unit], (fun=> 1), (fun=> false); split.
    by split=> [_|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
  by rewrite /mixed (big_pred1 tt) => [|[]//]; rewrite scale1r.
have tr x : \tr (invmx 1%:M *m C x) = if x then 2%:R else 1.
  by rewrite invmx1 mul1mx /C; case: x; rewrite mxtrace_scalar mulr1n.
have := h 1%N bool C 1%:M 2%:R isT pC mL (pd1 _ _) (ex_intro _ true (tr true)).
have le x : \tr (invmx 1%:M *m C x) <= 2%:R by rewrite tr; case: x => //; rewrite ler1n.
by move=> /(_ le) /eqP; rewrite eqr_nat.
Qed.
