(* Lemma C.2, and the bridge from a trace to a determinant, over every
   ordered field. *)
From derl.common Require Import prelude forms determinants.

Section Bridge.
Variables (R : realFieldType) (n : nat).
Implicit Types (A B Phi : 'M[R]_n) (x y v : 'cV[R]_n) (c : R).

(* the quotient det (A + Phi) / det A, called rho in the claims *)
Definition rho A Phi : R := \det (A + Phi) / \det A.

(* x^T Phi x <= (x^T A x) tr (A^-1 Phi) *)
Lemma form_le_trace A Phi x : pd A -> psd Phi ->
  qf Phi x <= qf A x * \tr (invmx A *m Phi).
Proof.
move=> pA /psd_split [s gs ->]; rewrite qf_spread tr_mul_spread mulr_sumr.
rewrite big_seq [leRHS]big_seq; apply: ler_sum => p ps.
have /andP[p0 _] := allP gs _ ps.
by rewrite [leRHS]mulrCA ler_pmul2l // dotC cauchy_dual.
Qed.

(* the gap rho - 1 - tr is at least the gaps in the Cauchy-Schwarz
   inequalities between the first vector and the others *)
Lemma bridge_step A c v s : pd A -> 0 <= c -> all (fun p => 0 <= p.1) s ->
  let A1 := A + c *: outer v in
  \tr (invmx A1 *m spread s) <= rho A1 (spread s) - 1 ->
  c * (1 + c * qf (invmx A) v) *
    (qf (invmx A1) v * \tr (invmx A1 *m spread s) - qf (spread s) (invmx A1 *m v)) <=
  rho A (c *: outer v + spread s) - 1 - \tr (invmx A *m (c *: outer v + spread s)).
Proof.
move=> pA c0 s0 A1 IH; have uA := pd_unit pA; have [sA _] := pA.
set q := qf (invmx A) v; set X := spread s in IH *.
have q0 : 0 <= q by rewrite qfi_ge0.
have k0 : 0 < 1 + c * q by rewrite ltr_paddr ?ltr01 ?mulr_ge0.
have kn : 1 + c * q != 0 by rewrite gt_eqF.
have pA1 : pd A1 by apply: pdD => //; apply: psdZ => //; exact: psd_outer.
have dA := pd_det_gt0 pA; have dA1 := pd_det_gt0 pA1.
have detA1 : \det A1 = \det A * (1 + c * q) by rewrite det_rank1.
have SM := sherman_morrison (c := c) (v := v) uA kn sA; rewrite -/q -/A1 in SM.
have w1 : invmx A1 *m v = (1 + c * q)^-1 *: (invmx A *m v).
  rewrite SM mulmxBl -scalemxAl /outer -mulmxA.
  have -> : (invmx A *m v)^T *m v = q%:M.
    by rewrite [LHS]mx11_scalar trmx_mul inv_sym.
  rewrite mul_mx_scalar scalerA -[X in X - _]scale1r -scalerBl; congr (_ *: _).
  by field.
have q1 : qf (invmx A1) v = q / (1 + c * q).
  rewrite /qf /bil -mulmxA w1 -scalemxAr [LHS]mxE mulrC; congr (_ * _).
  by rewrite /q /qf /bil mulmxA.
have trE : \tr (invmx A *m X) =
    \tr (invmx A1 *m X) + c * (1 + c * q) * qf X (invmx A1 *m v).
  pose D := (c / (1 + c * q)) *: outer (invmx A *m v).
  have iE : invmx A = invmx A1 + D by rewrite SM subrK.
  have -> : \tr (invmx A *m X) = \tr ((invmx A1 + D) *m X) by rewrite -iE.
  rewrite w1 qfZr mulmxDl raddfD /= /D -scalemxAl mxtraceZ [\tr (outer _ *m X)]mxtrace_mulC tr_mul_outer.
  by congr (_ + _); field.
have rE : rho A (c *: outer v + X) = (1 + c * q) * rho A1 X.
  rewrite /rho addrA -/A1 detA1; field; rewrite kn /= ?gt_eqF //.
rewrite mulmxDr raddfD /= -scalemxAr mxtraceZ tr_mul_outer -/q trE rE q1.
move: IH; set t := \tr _; set r := rho _ _; set z := qf X _ => IH.
rewrite -subr_ge0.
have -> : (1 + c * q) * r - 1 - (c * q + (t + c * (1 + c * q) * z)) -
  c * (1 + c * q) * (q / (1 + c * q) * t - z) = (1 + c * q) * (r - 1 - t).
  by field.
by rewrite mulr_ge0 ?(ltW k0) // subr_ge0.
Qed.

Lemma bridge_spread A s : pd A -> all (fun p => 0 <= p.1) s ->
  \tr (invmx A *m spread s) <= rho A (spread s) - 1.
Proof.
elim: s A => [|[c v] s IH] A pA /=.
  by rewrite /spread big_nil mulmx0 mxtrace0 /rho addr0 divff ?subrr // gt_eqF ?pd_det_gt0.
case/andP=> c0 s0; rewrite /spread big_cons -/(spread s) /=.
have pA1 : pd (A + c *: outer v) by apply: pdD => //; apply: psdZ => //; exact: psd_outer.
rewrite -subr_ge0; apply: le_trans (bridge_step pA c0 s0 (IH _ pA1 s0)).
rewrite !mulr_ge0 //.
  by rewrite addr_ge0 ?ler01 ?mulr_ge0 ?qfi_ge0.
rewrite subr_ge0 -qf_inv //.
apply: form_le_trace => //; exact: psd_spread.
Qed.

(* the left inequality of the sharp bridge *)
Lemma bridge A Phi : pd A -> psd Phi -> \tr (invmx A *m Phi) <= rho A Phi - 1.
Proof. by move=> pA /psd_split[s /good_ge0 s0 ->]; exact: bridge_spread. Qed.

(* [lem-norm-det], whole: the norm in A against the norm in B *)
Theorem lem_norm_det A B x : pd B -> psd (A - B) ->
  qf A x <= qf B x * (\det A / \det B).
Proof.
move=> pB pAB; have h := form_le_trace x pB pAB.
have b := bridge pB pAB; rewrite /rho [B + _]addrC subrK in b.
rewrite -[A in leLHS](subrK B) qfD -ler_subr_addr; apply: le_trans h _.
have -> : qf B x * (\det A / \det B) - qf B x = qf B x * (\det A / \det B - 1) by ring.
by rewrite ler_wpmul2l // qf_ge0 //; exact: pd_psd.
Qed.

(* parallel vectors: equality in Cauchy-Schwarz *)
Lemma cauchy_eq A x y : pd A -> x != 0 -> bil A x y ^+ 2 = qf A x * qf A y ->
  y = (bil A x y / qf A x) *: x.
Proof.
move=> [sA pA] x0 e; have qx := pA _ x0.
apply/eqP; rewrite -subr_eq0; apply: contraT => /pA.
rewrite -[y in y - _]scale1r qf_comb // (bil_sym y x sA) expr1n mul1r mulr1 expr_div_n e.
have -> : qf A y - 2%:R * (bil A x y / qf A x) * bil A x y + qf A x * qf A y / qf A x ^+ 2 * qf A x
  = qf A y - 2%:R * (bil A x y ^+ 2) / qf A x + qf A y.
  by field; rewrite gt_eqF.
rewrite e.
have -> : qf A y - 2%:R * (qf A x * qf A y) / qf A x + qf A y = 0 by field; rewrite gt_eqF.
by rewrite ltxx.
Qed.

Lemma rank_outer c v : (\rank (c *: outer v) <= 1)%N.
Proof.
apply: leq_trans (mxrank_scale _ _) _; rewrite /outer.
by apply: leq_trans (mxrankM_maxl _ _) _; rewrite rank_leq_col.
Qed.

Lemma cancel (a b c d : R) : a + b <= c + d -> d <= b -> a <= c.
Proof. by move=> h1 h2; rewrite -(ler_add2r b) (le_trans h1) // ler_add2l. Qed.

Lemma parallel_spread A v s : pd A -> v != 0 -> good s ->
  qf (invmx A) v * \tr (invmx A *m spread s) <= qf (spread s) (invmx A *m v) ->
  exists k, spread s = k *: outer v.
Proof.
move=> pA v0; have pI := pd_inv pA.
elim: s => [|[c u] s IH]; first by exists 0; rewrite /spread big_nil scale0r.
case/andP=> /andP[/= c0 u0] gs.
rewrite /spread big_cons -/(spread s) /= mulmxDr raddfD /= qfD mulrDr.
rewrite -scalemxAr mxtraceZ tr_mul_outer qfZ qf_outer.
have tl : qf (spread s) (invmx A *m v) <= qf (invmx A) v * \tr (invmx A *m spread s).
  rewrite -qf_inv //; apply: form_le_trace => //.
  by apply: psd_spread; exact: good_ge0.
have ub : (u^T *m (invmx A *m v)) ord0 ord0 = bil (invmx A) v u.
  by rewrite bil_sym ?/bil ?mulmxA //; case: pI.
have hd : c * bil (invmx A) v u ^+ 2 <= qf (invmx A) v * (c * qf (invmx A) u).
  by rewrite [leRHS]mulrCA ler_pmul2l // cauchy //; exact: pd_psd.
rewrite ub => h.
have h1 : qf (invmx A) v * (c * qf (invmx A) u) <= c * bil (invmx A) v u ^+ 2.
  exact: cancel h tl.
have h2 : qf (invmx A) v * \tr (invmx A *m spread s) <= qf (spread s) (invmx A *m v).
  by apply: (cancel _ hd); rewrite addrC [leRHS]addrC.
have [k ->] := IH gs h2.
have e : bil (invmx A) v u ^+ 2 = qf (invmx A) v * qf (invmx A) u.
  have cs := cauchy v u (pd_psd pI); apply/eqP; rewrite eq_le cs /=.
  by move: h1; rewrite [leLHS]mulrCA ler_pmul2l.
have := cauchy_eq pI v0 e; set r := _ / _ => ->.
exists (c * r ^+ 2 + k); rewrite scalerDl; congr (_ + _).
by rewrite outerZ scalerA.
Qed.

Lemma rank_le1_outer Phi : sym Phi -> (\rank Phi <= 1)%N -> exists c v, Phi = c *: outer v.
Proof.
move=> sP r1; case: (posnP (\rank Phi)) => [/eqP|r0].
  by rewrite mxrank_eq0 => /eqP ->; exists 0, 0; rewrite scale0r.
have {r0} r1' : \rank Phi = 1%N by apply/eqP; rewrite eqn_leq r1 r0.
have [u [w e]] : exists (u : 'cV[R]_n) (w : 'rV[R]_n), Phi = u *m w.
  move: (mulmx_base Phi); move: (row_base Phi); move: (col_base Phi).
  by rewrite r1' => u w <-; exists u, w.
have eE i j : u i ord0 * w ord0 j = w ord0 i * u j ord0.
  have := congr1 (fun M : 'M_n => M i j) sP.
  by rewrite e !mxE !big_ord1 => <-; rewrite mulrC.
case: (eqVneq u 0) => [u0|/qf1_gt0]; first by exists 0, 0; rewrite e u0 mul0mx scale0r.
rewrite qfE; case: (pickP (fun j => u j ord0 != 0)) => [j uj _|uz]; last first.
  by rewrite big1 ?ltxx // => i _; have /negbFE/eqP -> := uz i; rewrite expr0n.
exists (w ord0 j / u j ord0), u; rewrite e; apply/matrixP => i k.
rewrite [LHS]mxE big_ord1 [RHS]mxE outerE.
have -> : w ord0 k = u k ord0 * w ord0 j / u j ord0 by rewrite eE mulfK.
by move: (w ord0 j) (u k ord0) (u i ord0) (u j ord0) uj => x y z t t0; field.
Qed.

(* equality in the bridge exactly for rank at most one *)
Lemma bridge_eq A Phi : pd A -> psd Phi ->
  (\tr (invmx A *m Phi) == rho A Phi - 1) = (\rank Phi <= 1)%N.
Proof.
move=> pA pPhi; have uA := pd_unit pA; have dA := pd_det_gt0 pA.
apply/idP/idP; last first.
  case/(rank_le1_outer (proj1 pPhi)) => c [v ->]; apply/eqP.
  rewrite -scalemxAr mxtraceZ tr_mul_outer /rho det_rank1 //.
  by field; rewrite gt_eqF.
move/eqP; case: (psd_split pPhi) => [[|[c v] s] gs sE].
  by rewrite sE /spread big_nil mxrank0.
have /andP[/= c0 v0] : (0 < c) && (v != 0) by case/andP: gs.
have gs' : good s by case/andP: gs.
have s0 := good_ge0 gs'.
rewrite sE /spread big_cons -/(spread s) /= => e.
pose A1 := A + c *: outer v.
have pA1 : pd A1 by apply: pdD => //; apply: psdZ (ltW c0) _; exact: psd_outer.
have := bridge_step pA (ltW c0) s0 (bridge_spread pA1 s0); rewrite -/A1 e subrr.
have k0 : 0 < c * (1 + c * qf (invmx A) v).
  by rewrite mulr_gt0 // ltr_paddr ?ltr01 ?mulr_ge0 ?(ltW c0) ?qfi_ge0.
rewrite pmulr_rle0 // subr_le0 => /(parallel_spread pA1 v0 gs') [k ->].
by rewrite -scalerDl; exact: rank_outer.
Qed.

End Bridge.
