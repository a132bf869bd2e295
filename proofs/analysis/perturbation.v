(* Perturbed matrices, whole: Lemma E.11 for perturbations that need not be symmetric, with
   operator norms; relative perturbation; the inverse of a regularised covariance. *)
From derl.common Require Import prelude forms determinants.
From derl.analysis Require Import matrices.

Section Operator.
Variables (R : realFieldType) (d : nat).
Implicit Types (A D M : 'M[R]_d) (x y : 'cV[R]_d).

(* the operator norm of M, symmetric or not, is at most l: |M x| <= l |x| for all x *)
Definition op_le M (l : R) := 0 <= l /\ forall x, sq (M *m x) <= l ^+ 2 * sq x.

Lemma sq_ge0 x : 0 <= sq x. Proof. exact: qf1_ge0. Qed.
Lemma dot_sq x y : (x^T *m y) ord0 ord0 ^+ 2 <= sq x * sq y.
Proof. by have := cauchy x y (pd_psd (pd1 R d)); rewrite bil1. Qed.
Lemma sq_dot x : sq x = (x^T *m x) ord0 ord0. Proof. by rewrite /sq /qf bil1. Qed.
Lemma sqD x y : sq (x + y) = sq x + 2%:R * (x^T *m y) ord0 ord0 + sq y.
Proof.
have := qf_comb 1 (-1) x y (sym1 R d); rewrite scale1r scaleN1r opprK /sq => ->.
by rewrite bil1; ring.
Qed.

Lemma op_le_form M l x : op_le M l -> `|qf M x| <= l * sq x.
Proof.
move=> [l0 h]; rewrite /qf /bil -mulmxA -(ler_pexpn2r (n := 2)) ?nnegrE ?mulr_ge0 ?sq_ge0 //.
rewrite real_normK ?num_real //; apply: le_trans (dot_sq _ _) _.
by rewrite exprMn [sq x ^+ 2]expr2 mulrCA ler_wpmul2l ?sq_ge0.
Qed.

(* the operator norm is subadditive, so it moves by at most that of the difference *)
Lemma op_leD M D l k : op_le M l -> op_le D k -> op_le (M + D) (l + k).
Proof.
move=> [l0 hM] [k0 hD]; split=> [|x]; first exact: addr_ge0.
rewrite mulmxDl sqD; have c : (((M *m x)^T *m (D *m x)) ord0 ord0) <= l * k * sq x.
  apply: le_trans (ler_norm _) _; rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?mulr_ge0 ?sq_ge0 //.
  rewrite real_normK ?num_real //; apply: le_trans (dot_sq _ _) _.
  have -> : (l * k * sq x) ^+ 2 = (l ^+ 2 * sq x) * (k ^+ 2 * sq x) by ring.
  by apply: ler_pmul => //; exact: sq_ge0.
have -> : (l + k) ^+ 2 * sq x = l ^+ 2 * sq x + 2%:R * (l * k * sq x) + k ^+ 2 * sq x by ring.
by apply: ler_add => //; apply: ler_add => //; rewrite ler_pmul2l ?ltr0n.
Qed.
Lemma op_leN M l : op_le M l -> op_le (- M) l.
Proof. by move=> [l0 h]; split=> // x; rewrite mulNmx /sq -scaleN1r qfZr sqrrN expr1n mul1r; exact: h. Qed.

(* entries of at most e: an operator norm of at most d e *)
Lemma op_le_entries D (e : R) : 0 <= e -> (forall i j, `|D i j| <= e) -> op_le D (d%:R * e).
Proof.
move=> e0 h; split=> [|x]; first by rewrite mulr_ge0 ?ler0n.
rewrite {1}/sq qfE; have row i : ((D *m x) i ord0) ^+ 2 <= d%:R * e ^+ 2 * sq x.
  have -> : (D *m x) i ord0 = ((\col_j D i j)^T *m x) ord0 ord0.
    by rewrite !mxE; apply: eq_bigr => j _; rewrite !mxE.
  apply: le_trans (dot_sq _ _) _; apply: ler_wpmul2r; first exact: sq_ge0.
  rewrite /sq qfE; apply: (@le_trans _ _ (\sum_(j < d) e ^+ 2)).
    apply: ler_sum => j _; rewrite mxE -(real_normK (num_real (D i j))).
    by apply: ler_expn2r; rewrite ?nnegrE.
  by rewrite sumr_const card_ord mulr_natl.
apply: (@le_trans _ _ (\sum_(i < d) d%:R * e ^+ 2 * sq x)); first by apply: ler_sum => i _; exact: row.
by rewrite sumr_const card_ord -mulr_natl exprMn expr2 !mulrA.
Qed.

(* a matrix whose form is at least k > 0 times the square: its inverse has norm at most 1/k *)
Lemma form_unit M k : 0 < k -> (forall x, k * sq x <= qf M x) -> M \in unitmx.
Proof.
move=> k0 h; rewrite -row_free_unit -kermx_eq0; apply/eqP/row_matrixP => i.
rewrite row0; set u := row i _.
have uM : u *m M = 0 by apply/sub_kermxP; exact: row_sub.
apply/eqP; rewrite -(trmxK u) trmx_eq0; apply: contraT => u0.
have := h u^T; rewrite /qf /bil trmxK uM mul0mx mxE leNgt mulr_gt0 //; exact: qf1_gt0.
Qed.

Lemma form_inverse M k x : 0 < k -> (forall x, k * sq x <= qf M x) -> sq (invmx M *m x) <= (k^-1) ^+ 2 * sq x.
Proof.
move=> k0 h; have uM := form_unit k0 h; set y := invmx M *m x.
have yx : (y^T *m x) ord0 ord0 = qf M y by rewrite /qf /bil -mulmxA mulKVmx.
have hy := h y; have c := dot_sq y x; rewrite yx in c.
have q0 := sq_ge0 y; have x0 := sq_ge0 x.
rewrite exprVn mulrC ler_pdivl_mulr ?exprn_gt0 //.
case: (ltgtP (sq y) 0) q0 => // [y0 _|-> _]; last by rewrite mul0r.
rewrite -(ler_pmul2l y0); apply: le_trans c; rewrite mulrA -expr2 -exprMn mulrC.
by apply: ler_expn2r; rewrite // nnegrE ?(le_trans _ hy) // mulr_ge0 // ltW.
Qed.

(* the inverse of a matrix with a positive form has one *)
Lemma form_inv_ge0 M k x : 0 < k -> (forall x, k * sq x <= qf M x) -> 0 <= qf (invmx M) x.
Proof.
move=> k0 h; have uM := form_unit k0 h.
have -> : qf (invmx M) x = qf M (invmx M *m x) by rewrite /qf /bil -!mulmxA mulKVmx // dotC.
by apply: le_trans (h _); rewrite mulr_ge0 ?sq_ge0 // ltW.
Qed.
End Operator.

Section Whole.
Variables (R : rcfType).

(* the norm of x in the inverse of A *)
Definition inorm d (A : 'M[R]_d) (x : 'cV[R]_d) : R := Num.sqrt (qf (invmx A) x).

(* Lemma E.11: A > I symmetric, the entries of D at most e < 1/d, D symmetric or not *)
Theorem matrix_perturbation d (A D : 'M[R]_d) (e : R) :
  pd (A - 1%:M) -> (forall i j, `|D i j| <= e) -> 0 <= e -> d%:R * e < 1 ->
  let b := d%:R * e / (1 - d%:R * e) in
  [/\ forall x, x != 0 -> 0 < qf (A + D) x,
      forall x, sq x <= 1 -> `|qf ((A + D) - A) x| <= d%:R * e,
      A + D \in unitmx /\ forall x, sq x <= 1 -> `|qf (invmx (A + D) - invmx A) x| <= b,
      forall x, sq x <= 1 -> `|inorm (A + D) x - inorm A x| <= Num.sqrt b &
      (forall l, op_le A l -> op_le (A + D) (l + d%:R * e)) /\
      (forall l, op_le (invmx (A + D)) l -> op_le (invmx A) (l + b))].
Proof.
move=> pA hD e0 de b; set r := d%:R * e in de b *.
have oD : op_le D r by exact: op_le_entries.
have r0 : 0 <= r by case: oD.
have k0 : 0 < 1 - r by rewrite subr_gt0.
have fA x : 1 * sq x <= qf A x.
  by rewrite mul1r; have := qf_ge0 x (pd_psd pA); rewrite qfB subr_ge0.
have fD x : (1 - r) * sq x <= qf (A + D) x.
  have := op_le_form x oD; rewrite ler_norml => /andP[h _].
  by rewrite qfD mulrBl; apply: ler_add => //; exact: fA.
have uA := form_unit ltr01 fA; have uD := form_unit k0 fD.
have id : invmx (A + D) - invmx A = - (invmx (A + D) *m D *m invmx A).
  rewrite -[X in X - _](mulmxK uA) -[X in _ - X](mulKmx uD) mulmxDl mulmxV // mulmxDr mulmx1.
  by rewrite -[in X in X - _]mulmxA mulmxV // mulmx1 opprD addrA subrr add0r mulmxA.
have step x : sq ((invmx (A + D) *m D *m invmx A) *m x) <= b ^+ 2 * sq x.
  rewrite -!mulmxA; apply: le_trans (form_inverse _ k0 fD) _.
  have h1 := form_inverse x ltr01 fA; rewrite invr1 expr1n mul1r in h1.
  have [_ h2] := oD.
  have -> : b ^+ 2 * sq x = (1 - r)^-1 ^+ 2 * (r ^+ 2 * sq x) by rewrite /b exprMn; ring.
  rewrite ler_wpmul2l ?sqr_ge0 //; apply: le_trans (h2 _) _.
  by rewrite ler_wpmul2l ?sqr_ge0.
have b0 : 0 <= b by rewrite divr_ge0 // ltW.
have oI : op_le (invmx (A + D) *m D *m invmx A) b by split.
have diff x : sq x <= 1 -> `|qf (invmx (A + D) - invmx A) x| <= b.
  move=> x1; rewrite id; apply: le_trans (op_le_form x (op_leN oI)) _.
  by rewrite ler_pimulr.
split.
- move=> x x0; apply: lt_le_trans (fD x); rewrite mulr_gt0 //; exact: qf1_gt0.
- move=> x x1; rewrite addrAC subrr add0r; apply: le_trans (op_le_form x oD) _.
  by rewrite ler_pimulr.
- by split.
- move=> x x1; apply: sqrt_diff; [exact: form_inv_ge0 k0 fD|exact: form_inv_ge0 ltr01 fA|].
  by rewrite -qfB; exact: diff.
- split=> l hl; first exact: op_leD.
  have -> : invmx A = invmx (A + D) + (invmx (A + D) *m D *m invmx A).
    by apply/eqP; rewrite -subr_eq0 opprD addrA -[invmx A - _]opprB id opprK subrr.
  exact: op_leD.
Qed.

(* [res-relative-perturbation], whole: the operator norm of D is at most eta *)
Theorem res_relative_perturbation d (A D : 'M[R]_d) (a eta : R) :
  sym D -> above A a%:M -> 0 < a -> op_le D eta -> eta < a ->
  [/\ above (A + D) ((1 - eta / a) *: A) /\ above ((1 + eta / a) *: A) (A + D),
      forall x, inorm A x / Num.sqrt (1 + eta / a) <= inorm (A + D) x <= inorm A x / Num.sqrt (1 - eta / a) &
      eta <= a / 2%:R -> forall x, (1 - eta / a) * inorm A x <= inorm (A + D) x <= (1 + eta / a) * inorm A x].
Proof.
move=> sD hA a0 oD ea; have [e0 _] := oD.
have rng : 0 <= eta < a by rewrite e0.
have [lo hi] := relative_perturbation sD hA a0 rng (fun x => op_le_form x oD).
have pA := above_pd a0 hA; set t := eta / a in lo hi *.
have t0 : 0 <= t by rewrite divr_ge0 // ltW.
have t1 : t < 1 by rewrite ltr_pdivr_mulr ?mul1r.
have k0 : 0 < 1 - t by rewrite subr_gt0.
have k1 : 0 < 1 + t by exact: ltr_spaddl ltr01 t0.
have pAD : pd (A + D) by apply: pd_ge lo; exact: pdZ.
have roots x : inorm A x / Num.sqrt (1 + t) <= inorm (A + D) x <= inorm A x / Num.sqrt (1 - t).
  have q0 := qfi_ge0 x pA; apply/andP; split; rewrite /inorm -sqrtrV ?(ltW k0) ?(ltW k1) // -sqrtrM //;
    apply: ler_wsqrtr.
    by rewrite mulrC -qf_inv_scale //; exact: inv_antitone.
  by rewrite mulrC; exact: inv_above.
split=> // half x; have t2 : t <= 2%:R^-1 by rewrite /t ler_pdivr_mulr // mulrC.
have n0 : 0 <= inorm A x by exact: sqrtr_ge0.
have /andP[l u] := roots x; apply/andP; split.
  apply: le_trans l; rewrite mulrC ler_wpmul2l // -[leRHS]mul1r ler_pdivl_mulr ?sqrtr_gt0 //.
  rewrite -[leRHS](sqrtr1 R) -[1 - t](ger0_norm (ltW k0)) -sqrtr_sqr -sqrtrM ?sqr_ge0 //; apply: ler_wsqrtr.
  rewrite -subr_ge0; have -> : 1 - (1 - t) ^+ 2 * (1 + t) = t * ((1 - t) * (1 + t) + t) by ring.
  by rewrite mulr_ge0 // addr_ge0 // mulr_ge0 // ltW.
apply: le_trans u _; rewrite [leRHS]mulrC ler_wpmul2l // -[leLHS]mul1r ler_pdivr_mulr ?sqrtr_gt0 //.
rewrite -[leLHS](sqrtr1 R) -[1 + t](ger0_norm (ltW k1)) -sqrtr_sqr -sqrtrM ?sqr_ge0 //; apply: ler_wsqrtr.
rewrite -subr_ge0; have -> : (1 + t) ^+ 2 * (1 - t) - 1 = t * ((2%:R^-1 - t) + (2%:R^-1 - t) * (1 + t) + t / 2%:R)
  by field.
have h2 : 0 <= 2%:R^-1 - t by rewrite subr_ge0.
by apply: mulr_ge0 => //; apply: addr_ge0;
  [apply: addr_ge0 => //; apply: mulr_ge0 => //; exact: ltW|rewrite divr_ge0 ?ler0n].
Qed.

(* [res-covariance-inverse], whole: L >= 0 and a symmetric L', entries within e < a/d of each other;
   the bound of Lemma E.12 needs e < 1/d; the last part is that the bound of the squares is attained,
   in every dimension *)
Theorem res_covariance_inverse_whole (d : nat) (a e : R) : 0 < a -> 0 <= e -> d%:R * e < a ->
  let bound := d%:R * e / (a * (a - d%:R * e)) in
  [/\ forall (L L' : 'M[R]_d) x, psd L -> sym L' -> (forall i j, `|L' i j - L i j| <= e) -> sq x <= 1 ->
        `|inorm (a%:M + L') x ^+ 2 - inorm (a%:M + L) x ^+ 2| <= bound /\
        `|inorm (a%:M + L') x - inorm (a%:M + L) x| <= Num.sqrt bound,
      1 <= a -> d%:R * e < 1 -> Num.sqrt bound <= Num.sqrt (d%:R * e / (1 - d%:R * e)) &
      (0 < d)%N -> exists (L L' : 'M[R]_d) x,
        [/\ psd L, sym L', forall i j, `|L' i j - L i j| <= e, sq x <= 1 &
            inorm (a%:M + L') x ^+ 2 - inorm (a%:M + L) x ^+ 2 = bound]].
Proof.
move=> a0 e0 de bound; set r := d%:R * e in de bound *.
have r0 : 0 <= r by rewrite mulr_ge0 ?ler0n.
have k0 : 0 < a - r by rewrite subr_gt0.
split.
- move=> L L' x pL sL' hD x1; have sD : sym (L' - L) by apply: symB => //; case: pL.
  have hD' i j : `|(L' - L) i j| <= e by rewrite !mxE.
  have hA : above (a%:M + L) a%:M by rewrite /above addrC addKr.
  have rng : 0 <= r < a by rewrite r0.
  have [pAD h] := inverse_perturbation sD hA a0 rng (fun y => entry_bound y hD') x1.
  have E : a%:M + L' = a%:M + L + (L' - L) by rewrite -addrA [L + _]addrC subrK.
  have q0 : 0 <= qf (invmx (a%:M + L)) x by apply: qfi_ge0; exact: above_pd hA.
  have q1 : 0 <= qf (invmx (a%:M + L + (L' - L))) x by exact: qfi_ge0.
  by rewrite /inorm E; split; [rewrite !sqr_sqrtr|exact: sqrt_diff].
- move=> a1 r1; apply: ler_wsqrtr; rewrite /bound ler_wpmul2l // lef_pinv ?posrE ?mulr_gt0 ?subr_gt0 //.
  apply: (@le_trans _ _ (1 * (a - r))); first by rewrite mul1r ler_add2r.
  by rewrite ler_wpmul2r // ltW.
- move=> d0; have dR : 0 < d%:R :> R by rewrite ltr0n.
  pose x : 'cV[R]_d := const_mx (Num.sqrt d%:R^-1).
  have x1 : sq x = 1.
    rewrite /sq qfE (eq_bigr (fun=> d%:R^-1)) => [|i _]; last by rewrite mxE sqr_sqrtr ?invr_ge0 ?ler0n.
    by rewrite sumr_const card_ord -[_ *+ d]mulr_natl divff ?gt_eqF.
  pose J : 'M[R]_d := const_mx (- e).
  have Jx : J *m x = (- r) *: x.
    apply/matrixP => i j; rewrite !mxE (eq_bigr (fun=> - e * Num.sqrt d%:R^-1)) => [|k _]; last by rewrite !mxE.
    by rewrite sumr_const card_ord -[_ *+ d]mulr_natl mulrA mulrN.
  have inv (M : 'M[R]_d) (c : R) : M \in unitmx -> c != 0 -> M *m x = c *: x -> qf (invmx M) x = c^-1.
    move=> uM c0 h; rewrite /qf /bil -mulmxA.
    have -> : invmx M *m x = c^-1 *: x by rewrite -[x in LHS](scale1r x) -(mulVf c0) -scalerA -h -scalemxAr mulKmx.
    by rewrite -scalemxAr mxE -sq_dot x1 mulr1.
  have sJ : sym J by apply/matrixP => i j; rewrite !mxE.
  have eJ i j : `|J i j| <= e by rewrite mxE normrN ger0_norm.
  have hA : above (a%:M : 'M[R]_d) a%:M by rewrite /above subrr; exact: psd0.
  have rng : 0 <= r < a by rewrite r0.
  have [pJ _] := inverse_perturbation sJ hA a0 rng (fun y => entry_bound y eJ) (eq_ind_r (fun s => s <= 1) (lexx 1) x1).
  exists 0, J, x; split=> //; first exact: psd0.
  - by move=> i j; rewrite [X in _ - X]mxE subr0.
  - by rewrite x1.
  - rewrite addr0 /inorm !sqr_sqrtr ?qfi_ge0 //; last exact: pd_scalar.
    rewrite (inv _ (a - r)) ?pd_unit ?gt_eqF //; last by rewrite mulmxDl Jx mul_scalar_mx -scalerDl.
    rewrite (inv _ a) ?pd_unit ?gt_eqF ?mul_scalar_mx //; last exact: pd_scalar.
    by rewrite /bound; field; rewrite !gt_eqF.
Qed.
End Whole.

(* controls: 9/10 of each bound is too little, already for d = 1 *)
Section Controls.
Variable R : realFieldType.
Lemma qf_num (c : R) : qf (c%:M : 'M[R]_1) 1%:M = c.
Proof. by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n. Qed.
Lemma num_above (c k : R) : k <= c -> above (c%:M : 'M[R]_1) k%:M.
Proof.
by move=> h; rewrite /above -raddfB /= -scalemx1; apply: psdZ; [rewrite subr_ge0|exact/pd_psd/pd1].
Qed.

(* A = 51/50, D = -1/2 *)
Theorem matrix_perturbation_control : ~ (forall d (A D : 'M[R]_d) (e : R) x,
  pd (A - 1%:M) -> (forall i j, `|D i j| <= e) -> 0 <= e -> d%:R * e < 1 -> sq x <= 1 ->
  `|qf (invmx (A + D) - invmx A) x| <= 9%:R / 10%:R * (d%:R * e / (1 - d%:R * e))).
Proof.
move=> /(_ 1%N (51%:R / 50%:R)%:M (- 2%:R^-1)%:M 2%:R^-1 1%:M) h; move: h.
rewrite -!raddfD -raddfB /= !invmx_scalar -raddfB /= !qf_num /sq qf_num.
have -> : 51%:R / 50%:R - 1 = 50%:R^-1 :> R by field.
have -> : (51%:R / 50%:R - 2%:R^-1)^-1 - (51%:R / 50%:R)^-1 = 625%:R / 663%:R :> R by field.
have -> : 9%:R / 10%:R * (1%:R * 2%:R^-1 / (1 - 1%:R * 2%:R^-1)) = 9%:R / 10%:R :> R by field.
have half : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
rewrite ger0_norm ?divr_ge0 ?ler0n // mul1r => h.
have : 625%:R / 663%:R <= 9%:R / 10%:R :> R.
  apply: h => //; last by rewrite invf_lt1 ?ltr0n // ltr1n.
    by rewrite -scalemx1; apply: pdZ; [rewrite invr_gt0 ltr0n|exact: pd1].
  by move=> i j; rewrite !ord1 mxE eqxx mulr1n normrN ger0_norm.
by rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat.
Qed.

(* A = 1, D = -1/2 *)
Theorem res_relative_perturbation_control : ~ (forall d (A D : 'M[R]_d) (a eta : R),
  sym D -> above A a%:M -> 0 < a -> op_le D eta -> eta < a -> above (A + D) ((1 - 9%:R / 10%:R * (eta / a)) *: A)).
Proof.
move=> /(_ 1%N 1%:M (- 2%:R^-1)%:M 1 2%:R^-1) h.
have half : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
have [_ /(_ 1%:M)] : above (1%:M + (- 2%:R^-1)%:M) ((1 - 9%:R / 10%:R * (2%:R^-1 / 1)) *: (1%:M : 'M[R]_1)).
  apply: h; rewrite ?ltr01 //; last by rewrite invf_lt1 ?ltr0n // ltr1n.
  - by rewrite /sym tr_scalar_mx.
  - exact: num_above.
  - by split=> // x; rewrite mul_scalar_mx /sq qfZr sqrrN.
rewrite scalemx1 -raddfD -raddfB /= qf_num.
have -> : 1 + - 2%:R^-1 - (1 - 9%:R / 10%:R * (2%:R^-1 / 1)) = - 20%:R^-1 :> R by field.
by rewrite oppr_ge0 leNgt invr_gt0 ltr0n.
Qed.
End Controls.

Theorem res_covariance_inverse_control (R : rcfType) : ~ (forall d (a e : R) (L L' : 'M[R]_d) x,
  0 < a -> 0 <= e -> d%:R * e < a -> psd L -> sym L' -> (forall i j, `|L' i j - L i j| <= e) -> sq x <= 1 ->
  `|inorm (a%:M + L') x ^+ 2 - inorm (a%:M + L) x ^+ 2| <= 9%:R / 10%:R * (d%:R * e / (a * (a - d%:R * e)))).
Proof.
have half : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
have r1 : 1%:R * 2%:R^-1 < 1 :> R by rewrite mul1r invf_lt1 ?ltr0n // ltr1n.
have [_ _ /(_ isT) [L [L' [x [h1 h2 h3 h4 h5]]]]] := @res_covariance_inverse_whole R 1 1 2%:R^-1 ltr01 half r1.
move=> /(_ 1%N 1 2%:R^-1 L L' x ltr01 half r1 h1 h2 h3 h4); rewrite h5.
have -> : 1%:R * 2%:R^-1 / (1 * (1 - 1%:R * 2%:R^-1)) = 1 :> R by field.
rewrite normr1 mulr1 leNgt ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
by [].
Qed.
