(* Quadratic forms, positive (semi-)definite matrices and rank-one updates,
   over every ordered field.  No square root and no eigenvalue is used. *)
From derl.common Require Import prelude.

(* a sum over one index *)
Lemma sum_unit (W : zmodType) (F : unit -> W) : \sum_(x : unit) F x = F tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.

Section Forms.
Variables (R : realFieldType) (n : nat).
Implicit Types (A B X : 'M[R]_n) (x y v : 'cV[R]_n) (c : R).

(* the number x^T A y *)
Definition bil A x y : R := (x^T *m A *m y) ord0 ord0.
(* the number x^T A x, the square of the paper's norm of x in A *)
Definition qf A x : R := bil A x x.
(* the matrix v v^T *)
Definition outer v : 'M[R]_n := v *m v^T.
(* symmetric *)
Definition sym A := A^T = A.
(* positive semi-definite: A >= 0 in the Loewner order *)
Definition psd A := sym A /\ forall x, 0 <= qf A x.
(* positive definite *)
Definition pd A := sym A /\ forall x, x != 0 -> 0 < qf A x.
(* the weighted sum of outer products sum_i c_i v_i v_i^T *)
Definition spread (s : seq (R * 'cV[R]_n)) : 'M[R]_n :=
  \sum_(p <- s) p.1 *: outer p.2.

Lemma mx11D m (M N : 'M[R]_m) i j : (M + N) i j = M i j + N i j.
Proof. by rewrite mxE. Qed.

Lemma bilDl A B x y : bil (A + B) x y = bil A x y + bil B x y.
Proof. by rewrite /bil mulmxDr mulmxDl mxE. Qed.
Lemma bilNl A x y : bil (- A) x y = - bil A x y.
Proof. by rewrite /bil mulmxN mulNmx mxE. Qed.
Lemma bilBl A B x y : bil (A - B) x y = bil A x y - bil B x y.
Proof. by rewrite bilDl bilNl. Qed.
Lemma bilZl c A x y : bil (c *: A) x y = c * bil A x y.
Proof. by rewrite /bil -scalemxAr -scalemxAl mxE. Qed.
Lemma bil0l x y : bil 0 x y = 0.
Proof. by rewrite /bil mulmx0 mul0mx mxE. Qed.
Lemma bilDr A x y z : bil A x (y + z) = bil A x y + bil A x z.
Proof. by rewrite /bil mulmxDr mxE. Qed.
Lemma bilZr A c x y : bil A x (c *: y) = c * bil A x y.
Proof. by rewrite /bil -scalemxAr mxE. Qed.
Lemma bilNr A x y : bil A x (- y) = - bil A x y.
Proof. by rewrite /bil mulmxN mxE. Qed.
Lemma bilDm A x y z : bil A (x + y) z = bil A x z + bil A y z.
Proof. by rewrite /bil linearD /= !mulmxDl mxE. Qed.
Lemma bilZm A c x y : bil A (c *: x) y = c * bil A x y.
Proof. by rewrite /bil linearZ /= -!scalemxAl mxE. Qed.
Lemma bilNm A x y : bil A (- x) y = - bil A x y.
Proof. by rewrite /bil linearN /= !mulNmx mxE. Qed.
Lemma bil0r A x : bil A x 0 = 0.
Proof. by rewrite /bil mulmx0 mxE. Qed.
Lemma bil_tr A x y : bil A x y = bil A^T y x.
Proof.
rewrite /bil -[in LHS](trmxK (x^T *m A *m y)) mxE.
by rewrite !trmx_mul trmxK mulmxA.
Qed.
Lemma bil_sym A x y : sym A -> bil A x y = bil A y x.
Proof. by move=> sA; rewrite bil_tr sA. Qed.
Lemma bil_mulr A B x y : bil (A *m B) x y = bil A x (B *m y).
Proof. by rewrite /bil !mulmxA. Qed.
Lemma bil_mull A B x y : bil (A *m B) x y = bil B (A^T *m x) y.
Proof. by rewrite /bil trmx_mul trmxK !mulmxA. Qed.
Lemma bil1 x y : bil 1%:M x y = (x^T *m y) ord0 ord0.
Proof. by rewrite /bil mulmx1. Qed.
Lemma dotC x y : (x^T *m y) ord0 ord0 = (y^T *m x) ord0 ord0.
Proof. by rewrite -!bil1 bil_sym // /sym trmx1. Qed.

Lemma qfE x : qf 1%:M x = \sum_i x i ord0 ^+ 2.
Proof. by rewrite /qf bil1 mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.

Lemma qfD A B x : qf (A + B) x = qf A x + qf B x. Proof. exact: bilDl. Qed.
Lemma qfB A B x : qf (A - B) x = qf A x - qf B x. Proof. exact: bilBl. Qed.
Lemma qfZ c A x : qf (c *: A) x = c * qf A x. Proof. exact: bilZl. Qed.
Lemma qf0r A : qf A 0 = 0. Proof. exact: bil0r. Qed.
Lemma qfZr A c x : qf A (c *: x) = c ^+ 2 * qf A x.
Proof. by rewrite /qf bilZr bilZm expr2 mulrA. Qed.
Lemma qf_comb A a b x y : sym A ->
  qf A (a *: x - b *: y) = a ^+ 2 * qf A x - 2%:R * a * b * bil A x y + b ^+ 2 * qf A y.
Proof.
move=> sA; rewrite /qf !(bilDr, bilDm, bilNr, bilNm, bilZr, bilZm) (bil_sym y x sA).
ring.
Qed.

Lemma outer_sym v : sym (outer v).
Proof. by rewrite /sym /outer trmx_mul trmxK. Qed.
Lemma outerE v i j : outer v i j = v i ord0 * v j ord0.
Proof. by rewrite mxE big_ord1 mxE. Qed.
Lemma outerZ c v : outer (c *: v) = c ^+ 2 *: outer v.
Proof. by rewrite /outer linearZ /= -scalemxAl -scalemxAr scalerA -expr2. Qed.
Lemma bil_outer v x y : bil (outer v) x y = (v^T *m x) ord0 ord0 * (v^T *m y) ord0 ord0.
Proof.
rewrite /bil /outer mulmxA -mulmxA [LHS]mxE big_ord1.
by rewrite dotC.
Qed.
Lemma qf_outer v x : qf (outer v) x = (v^T *m x) ord0 ord0 ^+ 2.
Proof. by rewrite /qf bil_outer expr2. Qed.
Lemma tr_outer v : \tr (outer v) = qf 1%:M v.
Proof.
rewrite /outer mxtrace_mulC /qf bil1 /mxtrace big_ord1 //.
Qed.
Lemma tr_mul_outer A v : \tr (A *m outer v) = qf A v.
Proof.
by rewrite /outer mulmxA mxtrace_mulC /mxtrace big_ord1 /qf /bil mulmxA.
Qed.

Lemma symD A B : sym A -> sym B -> sym (A + B).
Proof. by rewrite /sym linearD /= => -> ->. Qed.
Lemma symB A B : sym A -> sym B -> sym (A - B).
Proof. by rewrite /sym linearB /= => -> ->. Qed.
Lemma symZ c A : sym A -> sym (c *: A).
Proof. by rewrite /sym linearZ /= => ->. Qed.
Lemma sym0 : sym 0. Proof. exact: trmx0. Qed.
Lemma sym1 : sym 1%:M. Proof. exact: trmx1. Qed.

Lemma psd0 : psd 0. Proof. by split=> [|x]; [exact: sym0|rewrite /qf bil0l]. Qed.
Lemma psdD A B : psd A -> psd B -> psd (A + B).
Proof.
by move=> [sA pA] [sB pB]; split=> [|x]; [exact: symD|rewrite qfD addr_ge0].
Qed.
Lemma psdZ c A : 0 <= c -> psd A -> psd (c *: A).
Proof.
by move=> c0 [sA pA]; split=> [|x]; [exact: symZ|rewrite qfZ mulr_ge0].
Qed.
Lemma psd_outer v : psd (outer v).
Proof. by split=> [|x]; [exact: outer_sym|rewrite qf_outer sqr_ge0]. Qed.
Lemma psd_sum (I : Type) (s : seq I) (P : pred I) (F : I -> 'M[R]_n) :
  (forall i, P i -> psd (F i)) -> psd (\sum_(i <- s | P i) F i).
Proof. by move=> h; elim/big_ind: _ => //; [exact: psd0|exact: psdD]. Qed.
Lemma psd_spread s : all (fun p => 0 <= p.1) s -> psd (spread s).
Proof.
rewrite /spread; elim: s => [|p s IH] /=; first by rewrite big_nil => _; exact: psd0.
by case/andP=> p0 /IH; rewrite big_cons => h; apply: psdD => //; apply: psdZ => //; exact: psd_outer.
Qed.
Lemma pd_psd A : pd A -> psd A.
Proof.
move=> [sA pA]; split=> // x; case: (eqVneq x 0) => [->|/pA/ltW//].
by rewrite qf0r.
Qed.
Lemma pdD A B : pd A -> psd B -> pd (A + B).
Proof.
move=> [sA pA] [sB pB]; split=> [|x x0]; first exact: symD.
by rewrite qfD ltr_paddr // pA.
Qed.
Lemma pdZ c A : 0 < c -> pd A -> pd (c *: A).
Proof.
by move=> c0 [sA pA]; split=> [|x x0]; [exact: symZ|rewrite qfZ mulr_gt0 // pA].
Qed.
Lemma qf1_gt0 x : x != 0 -> 0 < qf 1%:M x.
Proof.
move=> x0; have [i xi] : exists i, x i ord0 != 0.
  apply/existsP; rewrite -negb_forall; apply: contra x0 => /forallP h.
  by apply/eqP/matrixP=> i j; rewrite !ord1 mxE; apply/eqP/h.
rewrite qfE (bigD1 i) //= ltr_paddr ?sumr_ge0 // => [j _|]; first exact: sqr_ge0.
by rewrite lt_def sqrf_eq0 xi sqr_ge0.
Qed.
Lemma pd1 : pd 1%:M. Proof. by split; [exact: sym1|exact: qf1_gt0]. Qed.
Lemma qf1_ge0 x : 0 <= qf 1%:M x.
Proof. by case: (pd_psd pd1). Qed.
Lemma pd_ge A B : pd B -> psd (A - B) -> pd A.
Proof. by move=> pB pAB; rewrite -(subrK B A) addrC; exact: pdD. Qed.

(* Cauchy and Schwarz for a positive semi-definite form *)
Lemma cauchy A x y : psd A -> bil A x y ^+ 2 <= qf A x * qf A y.
Proof.
move=> [sA pA]; have py := pA y.
have h : 0 <= qf A y * (qf A x * qf A y - bil A x y ^+ 2).
  have := pA (qf A y *: x - bil A x y *: y).
  by rewrite qf_comb // => h; apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
case: (ltgtP (qf A y) 0) py => // [y0 _|y0 _].
  by move: h; rewrite pmulr_rge0 // subr_ge0.
rewrite y0 mulr0; case: (eqVneq (bil A x y) 0) => [->|r0]; first by rewrite expr0n.
have := pA (1 *: x - ((qf A x + 1) / (2%:R * bil A x y)) *: y).
rewrite qf_comb // y0 mulr0 addr0 expr1n mul1r mulr1.
have -> : 2%:R * ((qf A x + 1) / (2%:R * bil A x y)) * bil A x y = qf A x + 1.
  by field.
have -> : qf A x - (qf A x + 1) = - 1 by ring.
by rewrite oppr_ge0 ler10.
Qed.

Lemma psd_kernel A x : psd A -> qf A x = 0 -> A *m x = 0.
Proof.
move=> pA x0; have h y : bil A y x = 0.
  by apply/eqP; rewrite -sqrf_eq0 -real_normK ?num_real // eq_le real_normK ?num_real // sqr_ge0 andbT;
     apply: le_trans (cauchy _ _ pA) _; rewrite x0 mulr0.
apply/eqP; case: (eqVneq (A *m x) 0) => // /qf1_gt0.
by rewrite /qf bil1 -/(bil 1%:M _ _); have := h (A *m x); rewrite /bil -mulmxA => ->; rewrite ltxx.
Qed.

Lemma pd_unit A : pd A -> A \in unitmx.
Proof.
move=> [sA pA]; rewrite -row_free_unit -kermx_eq0; apply/eqP/row_matrixP => i.
rewrite row0; set u := row i _.
have uA : u *m A = 0 by apply/sub_kermxP; exact: row_sub.
apply/eqP; rewrite -(trmxK u) trmx_eq0; apply: contraT => u0.
by have := pA _ u0; rewrite /qf /bil trmxK uA mul0mx mxE ltxx.
Qed.

Lemma psd_unit_pd A : psd A -> A \in unitmx -> pd A.
Proof.
move=> pA uA; case: (pA) => sA qA; split=> // x x0; rewrite lt_def qA andbT.
apply: contra x0 => /eqP /(psd_kernel pA) h.
by rewrite -(mulKmx uA x) h mulmx0.
Qed.

Lemma inv_sym A : sym A -> sym (invmx A).
Proof. by rewrite /sym trmx_inv => ->. Qed.

Lemma qf_inv A x : pd A -> qf A (invmx A *m x) = qf (invmx A) x.
Proof.
move=> pA; have uA := pd_unit pA; case: pA => sA _.
by rewrite /qf /bil trmx_mul inv_sym // -!mulmxA (mulmxA A) mulmxV // mul1mx.
Qed.

Lemma pd_inv A : pd A -> pd (invmx A).
Proof.
move=> pA; have uA := pd_unit pA; case: (pA) => sA hA; split; first exact: inv_sym.
move=> x x0; rewrite -qf_inv //; apply: hA.
by apply: contra x0 => /eqP h; rewrite -(mulKVmx uA x) h mulmx0.
Qed.

Lemma qf_ge0 A x : psd A -> 0 <= qf A x. Proof. by case. Qed.
Lemma qfi_ge0 A x : pd A -> 0 <= qf (invmx A) x.
Proof. by move=> /pd_inv/pd_psd/qf_ge0. Qed.

(* Cauchy and Schwarz in its dual form: x^T y is at most the product of the
   norm of x in A and of y in the inverse of A *)
Lemma cauchy_dual A x y : pd A ->
  (x^T *m y) ord0 ord0 ^+ 2 <= qf A x * qf (invmx A) y.
Proof.
move=> pA; have uA := pd_unit pA; rewrite -(qf_inv _ pA).
have -> : (x^T *m y) ord0 ord0 = bil A x (invmx A *m y).
  by rewrite /bil -mulmxA mulKVmx.
exact/cauchy/pd_psd.
Qed.

(* the inverse is antitone *)
Lemma inv_antitone A B x : pd B -> psd (A - B) -> qf (invmx A) x <= qf (invmx B) x.
Proof.
move=> pB pAB; have pA := pd_ge pB pAB; have uA := pd_unit pA.
have q0 : 0 <= qf (invmx A) x by case: (pd_psd (pd_inv pA)).
set y := invmx A *m x.
have yx : (y^T *m x) ord0 ord0 = qf (invmx A) x.
  by rewrite /y trmx_mul inv_sym // ?mulmxA //; case: pA.
have h := cauchy_dual y x pB.
have BA : qf B y <= qf (invmx A) x.
  by rewrite -(qf_inv _ pA) -/y -subr_ge0 -qfB; case: pAB.
have iB0 : 0 <= qf (invmx B) x by case: (pd_psd (pd_inv pB)).
case: (ltgtP (qf (invmx A) x) 0) q0 => // [a0 _|->] //.
have : qf (invmx A) x ^+ 2 <= qf (invmx A) x * qf (invmx B) x.
  by rewrite -{1}yx; apply: le_trans h _; apply: ler_wpmul2r.
by rewrite expr2 ler_pmul2l.
Qed.

(* splitting of a positive semi-definite matrix into rank-one terms with
   positive weights and vectors that are not zero *)
Lemma psd_diag0 A i j : psd A -> A i i = 0 -> A j i = 0.
Proof.
have coef (M : 'M[R]_n) a b : M a b = bil M (delta_mx a ord0) (delta_mx b ord0).
  rewrite /bil trmx_delta -rowE mxE (bigD1 b) //= big1 ?addr0; last first.
    by move=> k kb; rewrite !mxE (negPf kb) mulr0.
  by rewrite !mxE !eqxx mulr1.
move=> pA Aii; apply/eqP; rewrite -sqrf_eq0 eq_le sqr_ge0 andbT.
by rewrite coef; apply: le_trans (cauchy _ _ pA) _; rewrite /qf -(coef A i i) Aii mulr0.
Qed.

Definition good (s : seq (R * 'cV[R]_n)) := all (fun p => (0 < p.1) && (p.2 != 0)) s.

Lemma good_ge0 s : good s -> all (fun p => 0 <= p.1) s.
Proof. by apply: sub_all => p /andP[/ltW]. Qed.

(* a diagonal entry is the form at a unit vector *)
Lemma diag_qf A i : A i i = qf A (delta_mx i ord0).
Proof.
rewrite /qf /bil trmx_delta -rowE mxE (bigD1 i) //= big1 ?addr0; last first.
  by move=> l li; rewrite !mxE (negPf li) mulr0.
by rewrite [delta_mx _ _ _ _]mxE !eqxx mulr1 mxE.
Qed.

(* at most as many rank-one terms as the dimension *)
Lemma psd_split_short A : psd A -> exists2 s, good s & (size s <= n)%N /\ A = spread s.
Proof.
suff gen k : (#|[pred i | A i i != 0%R]| <= k)%N -> psd A ->
    exists2 s, good s & (size s <= k)%N /\ A = spread s.
  by apply: gen; rewrite -[X in (_ <= X)%N](card_ord n) max_card.
elim: k A => [|k IH] A le_k pA.
  exists [::] => //; split=> //; rewrite /spread big_nil; apply/matrixP => j i; rewrite mxE.
  apply: psd_diag0 => //; apply/eqP; apply: contraTT le_k => ii; rewrite -ltnNge.
  by apply/card_gt0P; exists i.
case: (pickP [pred i | A i i != 0]) => [i /= Aii|A0]; last first.
  exists [::] => //; split=> //; rewrite /spread big_nil; apply/matrixP => j i; rewrite mxE.
  by apply: psd_diag0 => //; apply/eqP; have := A0 i; rewrite /= => /negbFE.
have [sA hA] := pA.
have Ai0 : 0 < A i i by rewrite lt_def Aii diag_qf hA.
pose v : 'cV[R]_n := A *m delta_mx i ord0.
have vE j : v j ord0 = A j i.
  rewrite /v mxE (bigD1 i) //= big1 ?addr0; first by rewrite !mxE !eqxx mulr1.
  by move=> l li; rewrite !mxE (negPf li) mulr0.
pose A' := A - (A i i)^-1 *: outer v.
have A'E j l : A' j l = A j l - (A i i)^-1 * (A j i * A l i).
  have -> : A' j l = A j l - (A i i)^-1 * outer v j l by rewrite /A' !mxE.
  by rewrite outerE !vE.
have pA' : psd A'.
  split=> [|x]; first by apply: symB => //; apply: symZ; exact: outer_sym.
  rewrite /A' qfB qfZ qf_outer subr_ge0.
  have -> : (v^T *m x) ord0 ord0 = bil A (delta_mx i ord0) x by rewrite /v trmx_mul sA.
  by rewrite mulrC ler_pdivr_mulr // mulrC diag_qf; exact: cauchy.
have lt_k : (#|[pred j | A' j j != 0%R]| <= k)%N.
  rewrite -ltnS; apply: leq_trans le_k; apply: proper_card; apply/properP; split.
    apply/subsetP => j; rewrite !inE; apply: contra => /eqP Ajj.
    have Aij : A i j = 0 by exact: psd_diag0.
    have Aji : A j i = 0 by rewrite -sA mxE.
    by rewrite A'E Ajj Aji mul0r mulr0 subr0.
  exists i; rewrite !inE ?Aii // negbK A'E; apply/eqP.
  by rewrite mulrA mulVf // mul1r subrr.
have [s gs [szs sE]] := IH _ lt_k pA'.
exists (((A i i)^-1, v) :: s).
  rewrite /good /= invr_gt0 Ai0 /=; apply/andP; split=> //.
  by apply: contra Aii => /eqP v0; rewrite -vE v0 mxE.
by split=> //; rewrite /spread big_cons -/(spread s) -sE /A' addrC subrK.
Qed.

Lemma psd_split A : psd A -> exists2 s, good s & A = spread s.
Proof. by case/psd_split_short=> s gs [_ e]; exists s. Qed.

Lemma tr_mul_spread A s : \tr (A *m spread s) = \sum_(p <- s) p.1 * qf A p.2.
Proof.
rewrite /spread mulmx_sumr raddf_sum; apply: eq_bigr => p _ /=.
by rewrite -scalemxAr mxtraceZ tr_mul_outer.
Qed.

Lemma qf_spread s x :
  qf (spread s) x = \sum_(p <- s) p.1 * (p.2^T *m x) ord0 ord0 ^+ 2.
Proof.
rewrite /spread; elim: s => [|p s IH]; first by rewrite !big_nil /qf bil0l.
by rewrite !big_cons qfD IH qfZ qf_outer.
Qed.

Lemma tr_psd A B : psd A -> psd B -> 0 <= \tr (A *m B).
Proof.
move=> [_ hA] /psd_split [s gs ->]; rewrite tr_mul_spread big_seq.
by apply: sumr_ge0 => p /(allP gs)/andP[/ltW p0 _]; rewrite mulr_ge0.
Qed.

End Forms.
