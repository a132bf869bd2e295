(* The refined bound: what one more violation needs, and dimension one. *)
From derl.common Require Import prelude forms determinants.
From derl.potential Require Import bridge count.

Section Refined.
Variables (R : realFieldType) (d : nat).
Implicit Types (B : 'M[R]_d) (phi : nat -> nat -> 'cV[R]_d) (eps : R).

(* if more than k increments violate, one of them does so when exactly k have *)
Lemma next_violation (X : nat -> 'M[R]_d) y K k : (k < violations X y K)%N ->
  exists2 K', violations X y K' = k & violates X y K'.
Proof.
elim: K => [|K IH]; first by rewrite violations0.
rewrite violationsS; case v: (violates X y K); rewrite ?addn0 // addn1 ltnS leq_eqVlt.
by case/orP => [/eqP ->|/IH //]; exists K.
Qed.

(* k violations and one more: a matrix B with a large determinant and a small trace,
   in which some vector of length at most 1 is still long *)
Lemma one_more N phi eps K k : 0 <= eps -> (0 < N)%N ->
  (forall j i, sqnorm (phi j i) <= 1) ->
  (k < violations (batches N phi) (N%:R * eps) K)%N ->
  exists B x, [/\ pd B, (1 + N%:R * eps) ^+ k <= \det B, \tr B <= d%:R + k%:R * N%:R,
    eps <= qf (invmx B) x & qf 1%:M x <= 1].
Proof.
move=> e0 N0 hphi /next_violation [K' <- v].
have NR : 0 < N%:R :> R by rewrite ltr0n.
have y0 : 0 <= N%:R * eps by rewrite mulr_ge0 ?ler0n.
have pX j : psd (batches N phi j) by exact: psd_gram.
have tX j : \tr (batches N phi j) <= N%:R by apply: tr_gram.
have [B [pB leB detB trB]] := ghost K' y0 pX tX.
have y1 : N%:R * eps <= \sum_(i < N) qf (invmx B) (phi K' i).
  apply: le_trans v _; rewrite /batches /gram mulmx_sumr raddf_sum /=.
  by apply: ler_sum => i _; rewrite tr_mul_outer; exact: inv_antitone.
have [i hi] : exists i : 'I_N, eps <= qf (invmx B) (phi K' i).
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP no.
  move: y1; rewrite leNgt => /negP []; rewrite mulr_natl -[N in _ *+ N](card_ord N) -sumr_const.
  rewrite (bigD1 (Ordinal N0)) //= [ltRHS](bigD1 (Ordinal N0)) //=; apply: ltr_le_add.
    by rewrite ltNge; exact: (no (Ordinal N0)).
  by apply: ler_sum => j _; rewrite leNgt; apply/negP => lt; move: (no j); rewrite ltW.
by exists B, (phi K' i); split=> //; rewrite qfE; exact: hphi.
Qed.

(* adding t x x^T for t >= 0 *)
Lemma stretched B x t T : pd B -> \tr B <= T -> qf 1%:M x <= 1 -> 0 <= t ->
  \det B * (1 + t * qf (invmx B) x) <= ((T + t) / d%:R) ^+ d.
Proof.
move=> pB trB x1 t0; rewrite -det_rank1 ?pd_unit //.
have pB' : pd (B + t *: outer x) by apply: pdD => //; apply: psdZ => //; exact: psd_outer.
apply: le_trans (det_le_trace pB') _.
have tr0 := psd_tr_ge0 (pd_psd pB').
have le1 : \tr (B + t *: outer x) <= T + t.
  by rewrite raddfD /= mxtraceZ tr_outer; apply: ler_add => //; exact: ler_pimulr.
apply: ler_expn2r; rewrite ?nnegrE ?divr_ge0 ?ler0n //; first exact: le_trans tr0 le1.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n.
Qed.

(* [res-refined-potential], the bound for d >= 2: where the inequality fails for some
   k, at most k batches violate.  m is the smaller of 1/eps and 1 + k N / d. *)
Theorem res_refined_potential N phi eps K k m : (1 < d)%N -> (0 < N)%N -> 0 < eps <= 1 ->
  (forall j i, sqnorm (phi j i) <= 1) ->
  m = Num.min (eps^-1) (1 + k%:R * N%:R / d%:R) ->
  m * ((d%:R + k%:R * N%:R - m) / (d.-1)%:R) ^+ d.-1 < (1 + N%:R * eps) ^+ k ->
  (violations (batches N phi) (N%:R * eps) K <= k)%N.
Proof.
move=> d1 N0 /andP[e0 e1] hphi mE fails; rewrite leqNgt; apply/negP => more.
have [B [x [pB detB trB ex x1]]] := one_more (ltW e0) N0 hphi more.
move: fails; rewrite ltNge => /negP []; apply: le_trans detB _.
set T := d%:R + k%:R * N%:R in trB *; set q := qf (invmx B) x in ex.
have dR : 0 < d%:R :> R by rewrite ltr0n ltnW.
have d0 : (d = d.-1.+1)%N by rewrite prednK // ltnW.
have d1R : 0 < (d.-1)%:R :> R by rewrite ltr0n -ltnS -d0.
have dE : d%:R = (d.-1)%:R + 1 :> R by rewrite {1}d0 -addn1 natrD.
have TE : 1 + k%:R * N%:R / d%:R = T / d%:R by rewrite /T mulrDl divff // gt_eqF.
have T0 : 0 < T by rewrite ltr_paddr // mulr_ge0 ?ler0n.
rewrite TE in mE.
have m0 : 0 < m by rewrite mE lt_minr invr_gt0 e0 divr_gt0.
have mT : m <= T / d%:R by rewrite mE le_minl lexx orbT.
set s := (T - m) / (d.-1)%:R.
have ms : m <= s.
  rewrite /s ler_pdivl_mulr // ler_subr_addr; move: mT; rewrite ler_pdivl_mulr // dE.
  by rewrite mulrDr mulr1.
have s0 : 0 < s by exact: lt_le_trans m0 ms.
have t0 : 0 <= s - m by rewrite subr_ge0.
have st := stretched pB trB x1 t0.
have sd : (T + (s - m)) / d%:R = s.
  have -> : T + (s - m) = s * d%:R.
    rewrite dE mulrDr mulr1 {2}/s mulfVK ?gt_eqF //; ring.
  by rewrite mulfK // gt_eqF.
rewrite sd in st.
have ratio : s / m <= 1 + (s - m) * q.
  rewrite ler_pdivr_mulr //.
  case: (lerP (eps^-1) (T / d%:R)) => cmp.
    have mE' : m = eps^-1 by rewrite mE; apply/min_idPl.
    have qm : 1 <= q * m by rewrite mE' ler_pdivl_mulr ?mul1r.
    have -> : (1 + (s - m) * q) * m = m + (s - m) * (q * m) by ring.
    by rewrite -ler_subl_addl ler_pemulr.
  have mE' : m = T / d%:R by rewrite mE; apply/min_idPr; exact: ltW.
  have sm : s = m.
    rewrite /s; apply: (mulIf (lt0r_neq0 d1R)); rewrite mulfVK ?gt_eqF //.
    have -> : T = m * d%:R by rewrite mE' mulfVK // gt_eqF.
    by rewrite dE; ring.
  by rewrite sm subrr mul0r addr0 mul1r.
have h : \det B * (s / m) <= s ^+ d.
  by apply: le_trans st; rewrite ler_wpmul2l // ltW // pd_det_gt0.
have pw : s ^+ d = s * s ^+ d.-1 by rewrite -exprS -d0.
rewrite pw mulrA ler_pdivr_mulr // in h.
rewrite -(ler_pmul2r s0); apply: le_trans h _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* dimension one: k violations and one more force (1 + N eps)^k <= 1 / eps *)
Theorem one_dimension N phi eps K k : d = 1%N -> (0 < N)%N -> 0 < eps ->
  (forall j i, sqnorm (phi j i) <= 1) ->
  (k < violations (batches N phi) (N%:R * eps) K)%N ->
  (1 + N%:R * eps) ^+ k <= eps^-1.
Proof.
move=> dE N0 e0 hphi more.
have [B [x [pB detB trB ex x1]]] := one_more (ltW e0) N0 hphi more.
apply: le_trans detB _; have D0 := pd_det_gt0 pB.
set q := qf (invmx B) x in ex.
suff h : \det B * q <= 1.
  rewrite -(ler_pmul2r e0) mulVf ?gt_eqF //; apply: le_trans h.
  by rewrite ler_wpmul2l // ltW.
rewrite leNgt; apply/negP => q1.
set T := d%:R + k%:R * N%:R in trB.
have T0 : 0 < T by rewrite /T dE ltr_paddr ?ltr01 // mulr_ge0 ?ler0n.
have c0 : 0 < \det B * q - 1 by rewrite subr_gt0.
have t0 : 0 <= T / (\det B * q - 1) by rewrite divr_ge0 // ltW.
have := stretched pB trB x1 t0; rewrite -/q [X in _ / X%:R]dE divr1.
have -> : (T + T / (\det B * q - 1)) ^+ d = T + T / (\det B * q - 1) by rewrite [X in _ ^+ X]dE expr1.
rewrite leNgt => /negP []; rewrite -subr_gt0.
have -> : \det B * (1 + T / (\det B * q - 1) * q) - (T + T / (\det B * q - 1)) = \det B.
  by move: c0; move: (\det B) => D c0; field; rewrite gt_eqF.
exact: D0.
Qed.
End Refined.
