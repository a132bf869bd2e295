(* A finite grid of points; tests at its points bound the norm of a noise vector, with one scale. *)
From derl.common Require Import real_prelude forms.
From derl.layerwise Require Import theorem.

Lemma floor_above (x : R) : x < (floor x).+1%:R.
Proof. by rewrite ltNge; apply/negP => /le_floor; rewrite ltnn. Qed.

Section Grid.
Variable M : nat.
Hypothesis M0 : (0 < M)%N.

(* the multiples of 1/M from - M to M *)
Definition mark : finType := [finType of 'I_((2 * M ^ 2).+1)].
Definition level (j : mark) : R := (((nat_of_ord j)%:R - (M ^ 2)%N%:R) / M%:R)%R.

Lemma round (x : R) : `|x| <= M%:R -> exists j, `|x - level j| <= M%:R^-1.
Proof.
have MR : 0 < M%:R :> R by rewrite ltr0n.
rewrite ler_norml => /andP[x0 x1]; pose y := (x + M%:R) * M%:R.
have y0 : 0 <= y by rewrite mulr_ge0 ?(ltW MR) // -ler_subl_addr sub0r.
have y1 : y <= (2 * M ^ 2)%N%:R.
  rewrite natrM natrX expr2 mulrA ler_wpmul2r ?(ltW MR) // mulr_natl mulr2n.
  by rewrite ler_add2r.
have lt : (floor y < (2 * M ^ 2).+1)%N.
  by rewrite ltnS -(ler_nat R_numDomainType); apply: le_trans y1; exact: floor_below.
exists (Ordinal lt).
have -> : x - level (Ordinal lt) = (y - (floor y)%:R) / M%:R.
  by rewrite /level natrX [nat_of_ord _]/=; move: (floor y)%:R => z; rewrite /y; field; rewrite gt_eqF.
rewrite normrM ger0_norm ?subr_ge0 ?floor_below // ger0_norm ?invr_ge0 ?(ltW MR) //.
rewrite -[leRHS]mul1r ler_wpmul2r ?invr_ge0 ?(ltW MR) // ler_subl_addr ltW //.
by have := floor_above y; rewrite -[(floor y).+1]add1n natrD.
Qed.

(* the points of the grid, and of matrices *)
Definition point d (f : {ffun 'I_d -> mark}) : 'cV[R]_d := \col_i level (f i).
Definition table d (f : {ffun 'I_d * 'I_d -> mark}) : 'M[R]_d := \matrix_(i, j) level (f (i, j)).

Lemma round_vector d (v : 'cV[R]_d) : (forall i, `|v i ord0| <= M%:R) ->
  exists f, forall i, `|v i ord0 - point f i ord0| <= M%:R^-1.
Proof.
move=> h; have [f hf] := fin_all_exists (fun i => round (h i)).
by exists (finfun f) => i; rewrite mxE ffunE; exact: hf.
Qed.

Lemma round_matrix d (B : 'M[R]_d) : (forall i j, `|B i j| <= M%:R) ->
  exists f, forall i j, `|B i j - table f i j| <= M%:R^-1.
Proof.
move=> h; have [f hf] := fin_all_exists (fun x : 'I_d * 'I_d => round (h x.1 x.2)).
by exists (finfun f) => i j; rewrite mxE ffunE; exact: (hf (i, j)).
Qed.

Lemma entry_le d (v : 'cV[R]_d) i : v i ord0 ^+ 2 <= qf 1%:M v.
Proof. by rewrite qfE (bigD1 i) //= ler_addl sumr_ge0 // => j _; exact: sqr_ge0. Qed.

Lemma sqr_le_norm (x y : R) : 0 <= y -> x ^+ 2 <= y ^+ 2 -> `|x| <= y.
Proof. by move=> y0; rewrite -[x ^+ 2]real_normK ?num_real // ler_pexpn2r. Qed.

Lemma le_of_sqr (x y : R) : 0 <= y -> x ^+ 2 <= y ^+ 2 -> x <= y.
Proof. by move=> y0 h; apply: le_trans (ler_norm x) (sqr_le_norm y0 h). Qed.

(* a vector of length at most 1 is near a point of the grid *)
Lemma round_near d (u : 'cV[R]_d) : qf 1%:M u <= 1 ->
  exists f e, point f = u + e /\ qf 1%:M e <= d%:R / M%:R ^+ 2.
Proof.
move=> u1; have M1 : 1 <= M%:R :> R by rewrite ler1n.
have [f hf] : exists f, forall i, `|u i ord0 - point f i ord0| <= M%:R^-1.
  apply: round_vector => i; apply: le_trans M1; apply: sqr_le_norm; first exact: ler01.
  by rewrite expr1n; apply: le_trans (entry_le _ _) u1.
exists f, (point f - u); split; first by rewrite addrC subrK.
rewrite qfE; apply: (@le_trans _ _ (\sum_(i < d) M%:R^-1 ^+ 2)).
  apply: ler_sum => i _; rewrite -[X in X <= _]real_normK ?num_real // ler_pexpn2r ?nnegrE ?invr_ge0 ?ler0n //.
  by have := hf i; rewrite !mxE distrC.
by rewrite sumr_const card_ord -mulr_natl exprVn.
Qed.

(* if at every point u of the grid scale <u, S> is at most kappa u^T G u + L, then the norm of S in
   (I + G)^-1 is at most (9/4 kappa + L) 2 / scale *)
Theorem grid_norm d n (G : 'M[R]_d) (S : 'cV[R]_d) (scale kappa L : R) :
  psd G -> (forall e, qf G e <= n%:R * qf 1%:M e) -> (4 * d * n.+1 <= M ^ 2)%N ->
  0 < scale -> 0 <= kappa -> 0 <= L ->
  (forall f, scale * ((point f)^T *m S) ord0 ord0 - kappa * qf G (point f) <= L) ->
  Num.sqrt (qf (invmx (1%:M + G)) S) <= (9%:R / 4%:R * kappa + L) * 2%:R / scale.
Proof.
move=> pG hn hM s0 k0 L0 test; have MR : 0 < M%:R :> R by rewrite ltr0n.
set Lam := 1%:M + G; have pL : pd Lam by apply: pdD => //; exact: pd1.
set q := Num.sqrt _; have q0 : 0 <= q by exact: sqrtr_ge0.
have qq : q ^+ 2 = qf (invmx Lam) S by rewrite sqr_sqrtr // qfi_ge0.
have rhs0 : 0 <= (9%:R / 4%:R * kappa + L) * 2%:R / scale.
  by rewrite divr_ge0 ?(ltW s0) // mulr_ge0 ?ler0n // addr_ge0 // mulr_ge0 // divr_ge0 ?ler0n.
case: (eqVneq q 0) => [->//|qn]; have qp : 0 < q by rewrite lt_def qn.
pose u : 'cV[R]_d := q^-1 *: (invmx Lam *m S).
have uu : qf Lam u = 1.
  by rewrite /u qfZr qf_inv // -qq -exprMn mulVf // expr1n.
have uS : (u^T *m S) ord0 ord0 = q.
  rewrite /u linearZ /= -scalemxAl mxE trmx_mul inv_sym; last by case: pL.
  by rewrite -[X in _ * X]/(qf (invmx Lam) S) -qq expr2 mulrA mulVf // mul1r.
have u1 : qf 1%:M u <= 1 by rewrite -[leRHS]uu /Lam qfD ler_addl qf_ge0.
clearbody u.
have [f [e [pE e1]]] := round_near u1.
have eL : qf Lam e <= 4%:R^-1.
  rewrite /Lam qfD; apply: le_trans (ler_add e1 (le_trans (hn e) (ler_wpmul2l (ler0n _ n) e1))) _.
  rewrite -[X in X + _]mul1r -mulrDl mulrA ler_pdivr_mulr ?exprn_gt0 //.
  rewrite -[1 + _]/(1%:R + n%:R) -natrD add1n ler_pdivl_mull ?ltr0n // -natrX.
  by rewrite -!natrM ler_nat mulnA mulnAC.
have half : `|(e^T *m S) ord0 ord0| <= q / 2%:R.
  apply: sqr_le_norm; first by rewrite divr_ge0 ?ler0n.
  apply: le_trans (cauchy_dual _ _ pL) _; rewrite -qq.
  apply: le_trans (ler_wpmul2r (sqr_ge0 q) eL) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have up : qf G (point f) <= 9%:R / 4%:R.
  apply: (@le_trans _ _ (qf Lam (point f))); first by rewrite /Lam qfD ler_addr qf1_ge0.
  have b : bil Lam u e <= 2%:R^-1.
    apply: le_of_sqr; first by rewrite invr_ge0 ler0n.
    apply: le_trans (cauchy _ _ (pd_psd pL)) _; rewrite uu mul1r; apply: le_trans eL _.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
  have sL : sym Lam by case: pL.
  have -> : qf Lam (point f) = 1 + bil Lam u e + (bil Lam u e + qf Lam e).
    by rewrite pE -[in RHS]uu /qf bilDm !bilDr (bil_sym e u sL).
  apply: le_trans (ler_add (ler_add (lexx 1) b) (ler_add b eL)) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have low : q / 2%:R <= ((point f)^T *m S) ord0 ord0.
  rewrite pE linearD /= mulmxDl mxE uS -ler_subl_addl.
  have -> : q / 2%:R - q = - (q / 2%:R) by field.
  by rewrite ler_oppl; apply: le_trans (ler_norm _) _; rewrite normrN.
rewrite ler_pdivl_mulr // -ler_pdivr_mulr ?ltr0n // [q * scale]mulrC -[scale * q / 2%:R]mulrA.
apply: le_trans (ler_wpmul2l (ltW s0) low) _.
have := test f; rewrite ler_subl_addl => h; apply: le_trans h _.
by rewrite ler_add2r [kappa * _]mulrC ler_wpmul2r.
Qed.
End Grid.
