(* Determinants of positive definite matrices: rank-one updates, Hadamard's
   inequality by Schur complements, and the bound by the trace. *)
From derl.common Require Import prelude forms.

Section Sylvester.
Variable (R : comRingType).
(* det (1 + U V) = det (1 + V U) *)
Lemma det_1add_mulC m n (U : 'M[R]_(m, n)) (V : 'M[R]_(n, m)) :
  \det (1%:M + U *m V) = \det (1%:M + V *m U).
Proof.
pose X := block_mx (1%:M : 'M[R]_m) (- U) V (1%:M : 'M[R]_n).
have X1 : \det X = \det (1%:M + U *m V).
  have -> : X = block_mx (1%:M + U *m V) (- U) 0 1%:M *m block_mx 1%:M 0 V 1%:M.
    rewrite mulmx_block !(mulmx1, mulmx0, mul0mx, mul1mx) mulNmx !add0r.
    by rewrite addrK.
  by rewrite det_mulmx det_ublock det_lblock !det1 !mulr1.
rewrite -X1.
have -> : X = block_mx 1%:M 0 V 1%:M *m block_mx 1%:M (- U) 0 (1%:M + V *m U).
  rewrite mulmx_block !(mulmx1, mulmx0, mul0mx, mul1mx) !addr0.
  by rewrite mulmxN addrCA addNr addr0.
by rewrite det_mulmx det_ublock det_lblock !det1 !mul1r.
Qed.
End Sylvester.

Section RankOne.
Variables (R : realFieldType) (n : nat).
Implicit Types (A B X : 'M[R]_n) (x y v : 'cV[R]_n) (c : R).

(* det (A + c v v^T) = det A (1 + c v^T A^-1 v) *)
Lemma det_rank1 A c v : A \in unitmx ->
  \det (A + c *: outer v) = \det A * (1 + c * qf (invmx A) v).
Proof.
move=> uA; have -> : A + c *: outer v = A *m (1%:M + invmx A *m v *m (c *: v^T)).
  rewrite mulmxDr mulmx1 !mulmxA mulmxV // mul1mx.
  by rewrite /outer -scalemxAr.
rewrite det_mulmx det_1add_mulC; congr (_ * _).
have -> : (c *: v^T) *m (invmx A *m v) = (c * qf (invmx A) v)%:M.
  by rewrite -scalemxAl [X in c *: X]mx11_scalar /qf /bil mulmxA scale_scalar_mx.
by rewrite -raddfD /= det_scalar1.
Qed.

(* Sherman and Morrison *)
Lemma sherman_morrison A c v : A \in unitmx -> 1 + c * qf (invmx A) v != 0 -> sym A ->
  invmx (A + c *: outer v) =
  invmx A - (c / (1 + c * qf (invmx A) v)) *: outer (invmx A *m v).
Proof.
move=> uA q0 sA; set q := qf _ _; set W := _ - _.
pose w := invmx A *m v.
have e1 : A *m outer w = v *m w^T by rewrite /outer mulmxA mulKVmx.
have e2 : outer v *m invmx A = v *m w^T by rewrite /w trmx_mul inv_sym // /outer mulmxA.
have e3 : outer v *m outer w = q *: (v *m w^T).
  have vw : v^T *m w = q%:M by rewrite [LHS]mx11_scalar /q /qf /bil mulmxA.
  by rewrite /outer mulmxA -(mulmxA v) vw mul_mx_scalar -scalemxAl.
have W1 : (A + c *: outer v) *m W = 1%:M.
  rewrite /W -/w mulmxBr !mulmxDl -!scalemxAr -!scalemxAl mulmxV // e1 e2 e3.
  rewrite -addrA -[RHS]addr0; congr (_ + _).
  rewrite !scalerA -scalerDl -scalerBl.
  by apply/eqP; rewrite scaler_eq0; apply/orP; left; apply/eqP; field.
have u : A + c *: outer v \in unitmx by case/mulmx1_unit: W1.
by rewrite -[RHS](mulKmx u) W1 mulmx1.
Qed.
End RankOne.

Section Positive.
Variable (R : realFieldType).

Lemma qf_block n (a t : R) (u y : 'cV[R]_n) (B : 'M[R]_n) :
  qf (block_mx (a%:M : 'M[R]_1) u^T u B) (col_mx (t%:M : 'cV[R]_1) y) =
  a * t ^+ 2 + 2%:R * t * (u^T *m y) ord0 ord0 + qf B y.
Proof.
rewrite /qf /bil tr_col_mx mul_row_block mul_row_col tr_scalar_mx !mulmxDl.
rewrite -!scalar_mxM !mul_scalar_mx -scalemxAl mul_mx_scalar.
have mD (M N : 'M[R]_1) : (M + N) ord0 ord0 = M ord0 ord0 + N ord0 ord0 by rewrite mxE.
have mZ k (M : 'M[R]_1) : (k *: M) ord0 ord0 = k * M ord0 ord0 by rewrite mxE.
have mS (k : R) : (k%:M : 'M[R]_1) ord0 ord0 = k by rewrite mxE eqxx mulr1n.
have aux (p q : R) : t * a * t + t * p + (t * p + q) = a * t ^+ 2 + 2%:R * t * p + q by ring.
by rewrite !(mD, mZ, mS) (dotC y u) -aux.
Qed.

Lemma psd_diag_ge0 n (A : 'M[R]_n) i : psd A -> 0 <= A i i.
Proof. by move=> [_ h]; rewrite diag_qf. Qed.

Lemma psd_tr_ge0 n (A : 'M[R]_n) : psd A -> 0 <= \tr A.
Proof. by move=> pA; apply: sumr_ge0 => i _; exact: psd_diag_ge0. Qed.

Lemma pd_det n (A : 'M[R]_n) : pd A -> 0 < \det A <= \prod_i A i i.
Proof.
elim: n A => [|n IH] A pA; first by rewrite det_mx00 big_ord0 ltr01 lexx.
move: A pA; rewrite -[n.+1]/(1 + n)%N => A pA.
pose a := A (lshift n ord0) (lshift n ord0); pose u := dlsubmx A; pose B := drsubmx A.
have [sA hA] := pA.
have AE : A = block_mx (a%:M : 'M[R]_1) u^T u B.
  rewrite -[LHS]submxK; congr block_mx; last first.
    by rewrite /u trmx_dlsub sA.
  by rewrite [LHS]mx11_scalar; congr (_%:M); rewrite !mxE.
have a0 : 0 < a.
  have := hA (col_mx (1%:M : 'cV[R]_1) 0); rewrite AE qf_block expr1n mulr1 mulmx0 mxE qf0r !addr0 mulr0 addr0.
  apply; apply/eqP => /matrixP /(_ (lshift n ord0) ord0) /eqP.
  by rewrite col_mxEu !mxE eqxx oner_eq0.
pose S := B - a^-1 *: outer u.
have detA : \det A = a * \det S.
  have -> : A = block_mx (1%:M : 'M[R]_1) 0 (a^-1 *: u) 1%:M *m block_mx a%:M u^T 0 S.
    rewrite AE mulmx_block !(mulmx1, mulmx0, mul0mx, mul1mx) !addr0; congr block_mx.
      by rewrite mul_mx_scalar scalerA mulfV ?gt_eqF // scale1r.
    by rewrite /S -scalemxAl addrC subrK.
  by rewrite det_mulmx det_lblock det_ublock !det1 !mul1r det_scalar1.
have sB : sym B by rewrite /sym /B trmx_drsub sA.
have pS : pd S.
  split=> [|y y0]; first by apply: symB => //; apply: symZ; exact: outer_sym.
  pose w := (u^T *m y) ord0 ord0.
  have := hA (col_mx ((- (w / a))%:M : 'cV[R]_1) y); rewrite AE qf_block -/w.
  have -> : a * (- (w / a)) ^+ 2 + 2%:R * - (w / a) * w + qf B y = qf S y.
    rewrite /S qfB qfZ qf_outer -/w; field; exact: lt0r_neq0.
  apply; apply: contra y0 => /eqP /matrixP h; apply/eqP/matrixP => i j.
  by have := h (rshift 1 i) j; rewrite col_mxEd !mxE.
have /andP[dS0 dS] := IH _ pS.
rewrite detA pmulr_rgt0 // dS0 /= big_split_ord big_ord1 /= -/a ler_pmul2l //.
apply: le_trans dS _.
have SE i : S i i = B i i - a^-1 * u i ord0 ^+ 2.
  by rewrite /S mxE [X in _ + X]mxE [X in - X]mxE outerE expr2.
have diag (i : 'I_n) : 0 < S i i.
  rewrite diag_qf.
  case: pS => _; apply; apply/eqP => /matrixP /(_ i ord0) /eqP.
  by rewrite !mxE !eqxx oner_eq0.
apply: ler_prod => i _; rewrite (ltW (diag i)) /= SE.
have -> : A (rshift 1 i) (rshift 1 i) = B i i by rewrite !mxE.
by rewrite ler_subl_addr ler_addl mulr_ge0 ?sqr_ge0 // invr_ge0 ltW.
Qed.

Lemma pd_det_gt0 n (A : 'M[R]_n) : pd A -> 0 < \det A.
Proof. by case/pd_det/andP. Qed.

(* det A <= (tr A / n)^n *)
Lemma det_le_trace n (A : 'M[R]_n) : pd A -> \det A <= (\tr A / n%:R) ^+ n.
Proof.
move=> pA.
apply: le_trans (proj2 (andP (pd_det pA))) _.
have ge0 : {in 'I_n, forall i, 0 <= A i i}.
  by move=> i _; apply: psd_diag_ge0; exact: pd_psd.
by have [h _] := leif_AGM ge0; move: h; rewrite card_ord.
Qed.

Lemma det_ge_spread n (B : 'M[R]_n) s : pd B -> all (fun p => 0 <= p.1) s ->
  \det B <= \det (B + spread s).
Proof.
elim: s B => [|p s IH] B pB /=; first by rewrite /spread big_nil addr0.
case/andP=> p0 s0; rewrite /spread big_cons -/(spread s) addrA.
have pB' : pd (B + p.1 *: outer p.2).
  by apply: pdD => //; apply: psdZ => //; exact: psd_outer.
apply: le_trans (IH _ pB' s0); rewrite det_rank1 ?pd_unit //.
rewrite ler_pmulr ?pd_det_gt0 // ler_addl mulr_ge0 //.
by case: (pd_psd (pd_inv pB)).
Qed.

Lemma det_mono n (A B : 'M[R]_n) : pd B -> psd (A - B) -> \det B <= \det A.
Proof.
move=> pB /psd_split [s gs e].
by rewrite -(subrK B A) addrC e; apply: det_ge_spread => //; exact: good_ge0.
Qed.

End Positive.
