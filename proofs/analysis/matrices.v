(* Perturbation and domination of inverse covariances (Appendix E.3). *)
From derl.common Require Import prelude forms determinants.

Section Forms.
Variables (R : realFieldType) (d : nat).
Implicit Types (A B M D : 'M[R]_d) (x : 'cV[R]_d).

(* A >= B in the Loewner order *)
Definition above A B := psd (A - B).

Lemma invmx_scale k M : k != 0 -> M \in unitmx -> invmx (k *: M) = k^-1 *: invmx M.
Proof.
move=> k0 uM; have e : (k *: M) *m (k^-1 *: invmx M) = 1%:M.
  by rewrite -scalemxAl -scalemxAr mulmxV // scalerA mulfV // scale1r.
have [u _] := mulmx1_unit e.
by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

Lemma qf_inv_scale k M x : 0 < k -> pd M -> qf (invmx (k *: M)) x = k^-1 * qf (invmx M) x.
Proof. by move=> k0 pM; rewrite invmx_scale ?gt_eqF ?pd_unit // qfZ. Qed.

(* M >= k B > 0 bounds the inverse forms *)
Lemma inv_above k M B x : 0 < k -> pd B -> above M (k *: B) ->
  qf (invmx M) x <= k^-1 * qf (invmx B) x.
Proof. by move=> k0 pB h; rewrite -qf_inv_scale //; apply: inv_antitone => //; exact: pdZ. Qed.

Lemma above_scale k A B : 0 <= k -> above A B -> above (k *: A) (k *: B).
Proof. by move=> k0 h; rewrite /above -scalerBr; exact: psdZ. Qed.

Lemma pd_scalar k : 0 < k -> pd (k%:M : 'M[R]_d).
Proof. by move=> k0; rewrite -scalemx1; apply: pdZ => //; exact: pd1. Qed.

Lemma above_pd A k : 0 < k -> above A (k%:M) -> pd A.
Proof. by move=> k0 h; apply: pd_ge h; exact: pd_scalar. Qed.

(* [lem-matrix-domination], whole (A is symmetric as part of A >= lambda I) *)
Theorem lem_matrix_domination A lam c n x :
  above A lam%:M -> 0 < lam -> 0 < c -> 1 < n ->
  qf (invmx (c%:M + n *: A)) x <= (lam + c) / (lam * n + c) * qf (invmx (c%:M + A)) x.
Proof.
move=> hA l0 c0 n1; have n0 : 0 < n by exact: lt_trans ltr01 n1.
have s0 : 0 < lam + c by exact: addr_gt0.
have t0 : 0 < lam * n + c by rewrite addr_gt0 ?mulr_gt0.
have pB : pd (c%:M + A) by apply: pdD; [exact: pd_scalar|exact/pd_psd/(above_pd l0)].
have -> : (lam + c) / (lam * n + c) = ((lam * n + c) / (lam + c))^-1 by rewrite invf_div.
apply: inv_above => //; first exact: divr_gt0.
rewrite /above.
have -> : c%:M + n *: A - ((lam * n + c) / (lam + c)) *: (c%:M + A) =
    (c * (n - 1) / (lam + c)) *: (A - lam%:M).
  apply/matrixP => i j; rewrite !mxE; case: (i == j); rewrite ?mulr1n ?mulr0n.
    by move: (A i j) => u; field; rewrite gt_eqF.
  by move: (A i j) => u; field; rewrite gt_eqF.
by apply: psdZ => //; rewrite divr_ge0 ?mulr_ge0 ?ltW // subr_gt0.
Qed.

(* the squared length *)
Definition sq x : R := qf 1%:M x.

(* every entry of D at most e in absolute value: |x^T D x| <= d e |x|^2 *)
Lemma entry_bound D e x : (forall i j, `|D i j| <= e) -> `|qf D x| <= d%:R * e * sq x.
Proof.
move=> h; have -> : qf D x = \sum_j \sum_i x i ord0 * D i j * x j ord0.
  rewrite /qf /bil mxE; apply: eq_bigr => j _; rewrite mxE mulr_suml.
  by apply: eq_bigr => i _; rewrite mxE.
have two (u v : R) : `|u * v| <= (u ^+ 2 + v ^+ 2) / 2%:R.
  rewrite normrM ler_pdivl_mulr ?ltr0n // -(real_normK (num_real u)) -(real_normK (num_real v)).
  rewrite -subr_ge0; have -> : `|u| ^+ 2 + `|v| ^+ 2 - `|u| * `|v| * 2%:R = (`|u| - `|v|) ^+ 2 by ring.
  exact: sqr_ge0.
apply: (@le_trans _ _ (\sum_(j < d) \sum_(i < d) e * ((x i ord0 ^+ 2 + x j ord0 ^+ 2) / 2%:R))).
  apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
  apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
  rewrite mulrAC normrM [leLHS]mulrC; apply: ler_pmul => //; exact: two.
have -> : \sum_(j < d) \sum_(i < d) e * ((x i ord0 ^+ 2 + x j ord0 ^+ 2) / 2%:R) = d%:R * e * sq x.
  under eq_bigr do rewrite -mulr_sumr -mulr_suml big_split /= sumr_const card_ord.
  rewrite -mulr_sumr -mulr_suml big_split /= sumr_const card_ord sumrMnl.
  rewrite /sq qfE; move: (\sum_i _) => u.
  by rewrite -mulr_natr; field.
exact: lexx.
Qed.

(* [res-relative-perturbation], the Loewner bounds: |x^T D x| <= eta |x|^2, A >= a I *)
Theorem relative_perturbation A D a eta :
  sym D -> above A a%:M -> 0 < a -> 0 <= eta < a -> (forall x, `|qf D x| <= eta * sq x) ->
  above (A + D) ((1 - eta / a) *: A) /\ above ((1 + eta / a) *: A) (A + D).
Proof.
move=> sD hA a0 /andP[e0 ea] hD.
have sA : sym A by case: (above_pd a0 hA).
have lower x : a * sq x <= qf A x.
  by case: hA => _ /(_ x); rewrite qfB subr_ge0 -scalemx1 qfZ.
have key x : eta * sq x <= eta / a * qf A x.
  by rewrite -mulrA ler_wpmul2l // mulrC ler_pdivl_mulr // mulrC.
split; split.
- by apply: symB; [exact: symD|exact: symZ].
- move=> x; rewrite qfB qfD qfZ.
  have -> : qf A x + qf D x - (1 - eta / a) * qf A x = eta / a * qf A x + qf D x by ring.
  have := hD x; rewrite ler_norml => /andP[h _].
  by rewrite -ler_subl_addr sub0r; apply: le_trans (key x); rewrite ler_oppl.
- by apply: symB; [exact: symZ|exact: symD].
- move=> x; rewrite qfB qfD qfZ.
  have -> : (1 + eta / a) * qf A x - (qf A x + qf D x) = eta / a * qf A x - qf D x by ring.
  have := hD x; rewrite ler_norml => /andP[_ h].
  by rewrite subr_ge0; exact: le_trans h (key x).
Qed.

(* the difference of the inverse forms *)
Theorem inverse_perturbation A D a eta x :
  sym D -> above A a%:M -> 0 < a -> 0 <= eta < a -> (forall y, `|qf D y| <= eta * sq y) ->
  sq x <= 1 ->
  pd (A + D) /\ `|qf (invmx (A + D)) x - qf (invmx A) x| <= eta / (a * (a - eta)).
Proof.
move=> sD hA a0 eta_a hD x1; have [e0 ea] := andP eta_a.
have pA := above_pd a0 hA; have ae : 0 < a - eta by rewrite subr_gt0.
have [lo hi] := relative_perturbation sD hA a0 eta_a hD.
have k0 : 0 < 1 - eta / a by rewrite subr_gt0 ltr_pdivr_mulr ?mul1r.
have k1 : 0 < 1 + eta / a by rewrite ltr_paddr ?ltr01 ?divr_ge0 // ltW.
have pAD : pd (A + D) by apply: pd_ge lo; exact: pdZ.
split=> //.
have h1 := inv_above x k0 pA lo.
have h2 : qf (invmx A) x / (1 + eta / a) <= qf (invmx (A + D)) x.
  by rewrite mulrC -qf_inv_scale //; exact: inv_antitone.
have q0 := qfi_ge0 x pA.
have q1 : qf (invmx A) x <= a^-1.
  have hA' : above A (a *: 1%:M) by rewrite scalemx1.
  apply: le_trans (inv_above x a0 (pd1 _ _) hA') _.
  by apply: ler_pimulr; [rewrite invr_ge0 ltW|rewrite invmx1].
have b1 : (1 - eta / a)^-1 - 1 = eta / (a - eta) by field; rewrite !gt_eqF.
have c1 : 0 <= eta / (a - eta) by rewrite divr_ge0 // ltW.
have -> : eta / (a * (a - eta)) = a^-1 * (eta / (a - eta)) by field; rewrite !gt_eqF.
have s0 : 0 < a + eta by rewrite ltr_paddr.
have ord : eta / (a + eta) <= eta / (a - eta).
  rewrite ler_wpmul2l // lef_pinv ?posrE // ler_add2l.
  by rewrite (le_trans _ e0) // oppr_le0.
have c2 : 0 <= eta / (a + eta) by rewrite divr_ge0 // ltW.
have up : qf (invmx A) x * (eta / (a - eta)) <= a^-1 * (eta / (a - eta)).
  by rewrite ler_wpmul2r.
have dn : qf (invmx A) x * (eta / (a + eta)) <= a^-1 * (eta / (a - eta)).
  by apply: ler_pmul.
have f1 : (1 - eta / a)^-1 * qf (invmx A) x = qf (invmx A) x * (eta / (a - eta)) + qf (invmx A) x.
  by rewrite -b1; ring.
have f2 : qf (invmx A) x = qf (invmx A) x / (1 + eta / a) + qf (invmx A) x * (eta / (a + eta)).
  by move: (qf (invmx A) x) => u; field; rewrite !gt_eqF.
rewrite f1 in h1; rewrite ler_norml; apply/andP; split.
- by rewrite ler_subr_addr addrC ler_subl_addr [leLHS]f2; exact: ler_add.
- by rewrite ler_subl_addr; apply: le_trans h1 _; rewrite ler_add2r.
Qed.
End Forms.

Section Norms.
Variables (R : rcfType) (d : nat).
Implicit Types (A D L : 'M[R]_d) (x : 'cV[R]_d).

Lemma sqrt_diff (a b c : R) : 0 <= a -> 0 <= b -> `|a - b| <= c ->
  `|Num.sqrt a - Num.sqrt b| <= Num.sqrt c.
Proof.
move=> a0 b0 h; rewrite -(sqrtr_sqr (Num.sqrt a - Num.sqrt b)); apply: ler_wsqrtr.
apply: le_trans h; rewrite -{2}(sqr_sqrtr a0) -{2}(sqr_sqrtr b0) subr_sqr normrM.
have s0 := sqrtr_ge0 a; have t0 := sqrtr_ge0 b.
rewrite -[leLHS]ger0_norm ?sqr_ge0 // expr2 normrM ler_wpmul2l //.
rewrite [leRHS]ger0_norm ?addr_ge0 // ler_norml; apply/andP; split.
  by rewrite opprD ler_add2r (le_trans _ s0) // oppr_le0.
by rewrite ler_add2l (le_trans _ t0) // oppr_le0.
Qed.

(* [lem-matrix-perturbation]: A >= I, the entries of the symmetric D at most e < 1/d.
   The operator norms of the last display are read as bounds of the form on the unit ball. *)
Theorem lem_matrix_perturbation A D (e : R) :
  above A 1%:M -> sym D -> (forall i j, `|D i j| <= e) -> 0 <= e -> d%:R * e < 1 ->
  let b := d%:R * e / (1 - d%:R * e) in
  [/\ pd (A + D),
      forall x, sq x <= 1 -> `|qf (A + D) x - qf A x| <= d%:R * e,
      forall x, sq x <= 1 -> `|qf (invmx (A + D)) x - qf (invmx A) x| <= b,
      forall x, sq x <= 1 ->
        `|Num.sqrt (qf (invmx (A + D)) x) - Num.sqrt (qf (invmx A) x)| <= Num.sqrt b &
      (forall l, (forall x, sq x <= 1 -> qf A x <= l) ->
        forall x, sq x <= 1 -> qf (A + D) x <= l + d%:R * e) /\
      (forall l, (forall x, sq x <= 1 -> qf (invmx (A + D)) x <= l) ->
        forall x, sq x <= 1 -> qf (invmx A) x <= l + b)].
Proof.
move=> hA sD hD e0 de b.
have de0 : 0 <= d%:R * e by rewrite mulr_ge0 ?ler0n.
have hb x : `|qf D x| <= d%:R * e * sq x by exact: entry_bound.
have hb1 x : sq x <= 1 -> `|qf D x| <= d%:R * e.
  by move=> x1; apply: le_trans (hb x) _; exact: ler_pimulr.
have rng : 0 <= d%:R * e < 1 by rewrite de0.
have bE : d%:R * e / (1 * (1 - d%:R * e)) = b by rewrite mul1r.
have ip x : sq x <= 1 -> pd (A + D) /\ `|qf (invmx (A + D)) x - qf (invmx A) x| <= b.
  by move=> x1; have := inverse_perturbation sD hA ltr01 rng hb x1; rewrite bE.
have sq0 : sq (0 : 'cV[R]_d) <= 1 by rewrite /sq qf0r ler01.
have pAD : pd (A + D) by case: (ip 0 sq0).
have pA : pd A := above_pd ltr01 hA.
split=> //.
- by move=> x x1; rewrite qfD addrC addKr; exact: hb1.
- by move=> x /ip [].
- by move=> x /ip [_ h]; apply: sqrt_diff => //; exact: qfi_ge0.
- split=> l hl x x1.
    rewrite qfD; apply: ler_add; first exact: hl.
    by have := hb1 x x1; rewrite ler_norml => /andP[].
  have [_] := ip x x1; rewrite ler_norml => /andP[h _].
  have h2 := hl x x1; rewrite -ler_subl_addr; apply: le_trans h2.
  by rewrite addrC -ler_subr_addr.
Qed.

(* [res-covariance-inverse], the bound: L >= 0 and its estimate L + D, symmetric, with
   entries within e < a/d of each other *)
Theorem res_covariance_inverse L D (a e : R) x :
  psd L -> sym D -> (forall i j, `|D i j| <= e) -> 0 < a -> 0 <= e -> d%:R * e < a ->
  sq x <= 1 ->
  `|Num.sqrt (qf (invmx (a%:M + (L + D))) x) - Num.sqrt (qf (invmx (a%:M + L)) x)| <=
  Num.sqrt (d%:R * e / (a * (a - d%:R * e))).
Proof.
move=> pL sD hD a0 e0 de x1.
have de0 : 0 <= d%:R * e by rewrite mulr_ge0 ?ler0n.
have rng : 0 <= d%:R * e < a by rewrite de0.
have hA : above (a%:M + L) a%:M by rewrite /above addrC addKr.
have [pAD h] := inverse_perturbation sD hA a0 rng (fun y => entry_bound y hD) x1.
rewrite addrA; apply: sqrt_diff => //; first exact: qfi_ge0.
by apply: qfi_ge0; exact: above_pd hA.
Qed.
End Norms.
