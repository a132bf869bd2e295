(* The coefficient between two multiples of the best smallest eigenvalue.  No minimax theorem is taken from
   elsewhere: a player who regrets comes as close to the value as one likes. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms determinants.
From derl.reachability Require Import coefficient certificates.

Section Kernel.
Variables (R : realFieldType) (n : nat).
Implicit Types (A : 'M[R]_n) (y : 'cV[R]_n).

(* a singular form needs one rank-one term less *)
Lemma psd_split_kernel A y : psd A -> A *m y = 0 -> y != 0 ->
  exists2 s, good s & (size s <= n.-1)%N /\ A = spread s.
Proof.
move=> pA Ay y0.
have [c yc] : exists c, y c ord0 != 0.
  apply/existsP; apply: contraR y0 => /existsPn h; apply/eqP/matrixP => i j.
  by rewrite ord1 mxE; apply/eqP; have := h i; rewrite negbK.
suff gen k (B : 'M[R]_n) : (#|[pred i | (i != c) && (B i i != 0%R)]| <= k)%N -> psd B -> B *m y = 0 ->
    exists2 s, good s & (size s <= k)%N /\ B = spread s.
  apply: gen pA Ay; apply: leq_trans (_ : #|predC1 c| <= _)%N; last by rewrite cardC1 card_ord.
  by apply: subset_leq_card; apply/subsetP => i; rewrite !inE => /andP [].
elim: k B => [|k IH] B le_k pB By.
  have B0 i : i != c -> B i i = 0.
    move=> ic; apply/eqP; apply: contraTT le_k => ii; rewrite -ltnNge.
    by apply/card_gt0P; exists i; rewrite inE ic.
  have Bcc : B c c = 0.
    have := congr1 (fun M : 'cV[R]_n => M c ord0) By; rewrite !mxE (bigD1 c) //= big1 ?addr0.
      by move/eqP; rewrite mulf_eq0 (negPf yc) orbF => /eqP.
    by move=> i ic; rewrite (psd_diag0 _ pB (B0 i ic)) mul0r.
  exists [::] => //; split=> //; rewrite /spread big_nil; apply/matrixP => j i; rewrite mxE.
  by apply: psd_diag0 => //; case: (eqVneq i c) => [->|/B0].
case: (pickP [pred i | (i != c) && (B i i != 0)]) => [i /= /andP [ic Bii]|no]; last first.
  have le0 : (#|[pred i | (i != c) && (B i i != 0%R)]| <= k)%N by rewrite (eq_card0 no).
  by have [s gs [szs sE]] := IH _ le0 pB By; exists s => //; split=> //; exact: leqW.
have [sB hB] := pB.
have Bi0 : 0 < B i i by rewrite lt_def Bii diag_qf hB.
pose v : 'cV[R]_n := B *m delta_mx i ord0.
have vE j : v j ord0 = B j i.
  rewrite /v mxE (bigD1 i) //= big1 ?addr0; first by rewrite !mxE !eqxx mulr1.
  by move=> l li; rewrite !mxE (negPf li) mulr0.
pose B' := B - (B i i)^-1 *: outer v.
have B'E j l : B' j l = B j l - (B i i)^-1 * (B j i * B l i).
  have -> : B' j l = B j l - (B i i)^-1 * outer v j l by rewrite /B' !mxE.
  by rewrite outerE !vE.
have pB' : psd B'.
  split=> [|x]; first by apply: symB => //; apply: symZ; exact: outer_sym.
  rewrite /B' qfB qfZ qf_outer subr_ge0.
  have -> : (v^T *m x) ord0 ord0 = bil B (delta_mx i ord0) x by rewrite /v trmx_mul sB.
  by rewrite mulrC ler_pdivr_mulr // mulrC diag_qf; exact: cauchy.
have B'y : B' *m y = 0.
  rewrite /B' mulmxBl By sub0r -scalemxAl /outer -mulmxA /v trmx_mul sB -(mulmxA (delta_mx _ _)^T) By !mulmx0.
  by rewrite scaler0 oppr0.
have lt_k : (#|[pred j | (j != c) && (B' j j != 0%R)]| <= k)%N.
  rewrite -ltnS; apply: leq_trans le_k; apply: proper_card; apply/properP; split.
    apply/subsetP => j; rewrite !inE => /andP [-> /=]; apply: contra => /eqP Bjj.
    have Bij : B i j = 0 by exact: psd_diag0.
    have Bji : B j i = 0 by rewrite -sB mxE.
    by rewrite B'E Bjj Bji mul0r mulr0 subr0.
  exists i; rewrite !inE ?ic ?Bii // negbK B'E; apply/eqP.
  by rewrite mulrA mulVf // mul1r subrr.
have [s gs [szs sE]] := IH _ lt_k pB' B'y.
exists (((B i i)^-1, v) :: s).
  rewrite /good /= invr_gt0 Bi0 /=; apply/andP; split=> //.
  by apply: contra Bii => /eqP v0; rewrite -vE v0 mxE.
by split=> //; rewrite /spread big_cons -/(spread s) -sE /B' addrC subrK.
Qed.

(* a multiple of outer m can be taken off until the form is singular *)
Lemma take_off A m : psd A -> m != 0 -> exists t S y, [/\ 0 <= t, psd S, y != 0, S *m y = 0 & A = t *: outer m + S].
Proof.
move=> pA m0; case: (boolP (A \in unitmx)) => uA; last first.
  have /det0P [v v0 vA] : \det A == 0 by move: uA; rewrite unitmxE unitfE negbK.
  exists 0, A, v^T; split=> //; first by rewrite trmx_eq0.
    by apply: (can_inj (@trmxK _ _ _)); rewrite trmx_mul trmxK trmx0; case: pA => ->.
  by rewrite scale0r add0r.
have pdA := psd_unit_pd pA uA; have q0 : 0 < qf (invmx A) m by case: (pd_inv pdA) => _; exact.
exists (qf (invmx A) m)^-1, (A - (qf (invmx A) m)^-1 *: outer m), (invmx A *m m); split.
- by rewrite invr_ge0 ltW.
- split=> [|x]; first by apply: symB; [case: pA|apply: symZ; exact: outer_sym].
  rewrite qfB qfZ qf_outer subr_ge0 mulrC ler_pdivr_mulr //.
  by rewrite dotC; exact: cauchy_dual.
- by apply: contra m0 => /eqP h; rewrite -(mulKVmx uA m) h mulmx0.
- rewrite mulmxBl mulmxA mulmxV // mul1mx -scalemxAl /outer -mulmxA.
  have -> : m^T *m (invmx A *m m) = (qf (invmx A) m)%:M by rewrite [LHS]mx11_scalar /qf /bil mulmxA.
  by rewrite mul_mx_scalar scalerA mulVf ?gt_eqF // scale1r subrr.
- by rewrite addrC subrK.
Qed.
End Kernel.

Section Regret.
Variables (R : archiFieldType) (d : nat) (I : finType) (C : I -> 'M[R]_d) (l b : R).
Hypothesis C_psd : forall i, psd (C i).
Hypothesis C_le : forall i theta, qf (C i) theta <= b * qf 1%:M theta.
(* every mixture has a direction in which it is at most l *)
Hypothesis low : forall w, is_law w -> exists2 theta, theta != 0 & \sum_i w i * qf (C i) theta <= l * qf 1%:M theta.

Let pos (x : R) := Num.max 0 x.
Lemma pos_ge0 x : 0 <= pos x. Proof. by rewrite /pos le_maxr lexx. Qed.
Lemma pos_square x r : pos (x + r) ^+ 2 <= (pos x + r) ^+ 2.
Proof.
rewrite /pos; case: (lerP 0 (x + r)) => h; last by rewrite expr0n sqr_ge0.
have le : x + r <= Num.max 0 x + r by rewrite ler_add2r le_maxr lexx orbT.
by rewrite ler_pexpn2r ?nnegrE // (le_trans h).
Qed.

Lemma regret (i0 : I) n : exists (P : 'M[R]_d) (S : I -> R), [/\ psd P, \tr P = n%:R,
  forall i, \tr (C i *m P) <= S i + n%:R * l & \sum_i pos (S i) ^+ 2 <= n%:R * (#|I|%:R * b ^+ 2)].
Proof.
elim: n => [|n [P [S [pP trP hS sumS]]]].
  exists 0, (fun=> 0); split=> [||i|]; rewrite ?mxtrace0 ?mulmx0 ?mul0r ?addr0 ?mxtrace0 //; first exact: psd0.
  by rewrite big1 // => i _; rewrite /pos maxxx expr0n.
pose Z := \sum_i pos (S i).
have Z0 : 0 <= Z by apply: sumr_ge0 => i _; exact: pos_ge0.
have [w hw wS] : exists2 w, is_law w & forall a : I -> R, \sum_i pos (S i) * (a i - \sum_j w j * a j) = 0.
  case: (eqVneq Z 0) => [e|nz].
    exists (fun i => (i == i0)%:R); first split=> [i|]; rewrite ?ler0n //.
      by rewrite (bigD1 i0) //= eqxx big1 ?addr0 // => i /negPf ->.
    move=> a; apply: big1 => i _; have /eqP := e; rewrite psumr_eq0 => [|j _]; last exact: pos_ge0.
    by move=> /allP /(_ i (mem_index_enum i)) /eqP ->; rewrite mul0r.
  exists (fun i => pos (S i) / Z).
    split=> [i|]; first by rewrite divr_ge0 ?pos_ge0.
    by rewrite -mulr_suml divff.
  move=> a; pose m := \sum_j pos (S j) / Z * a j; rewrite -/m.
  rewrite (eq_bigr _ (fun i _ => mulrBr _ _ _)) sumrB -mulr_suml -/Z; apply/eqP; rewrite subr_eq0; apply/eqP.
  by rewrite /m mulr_sumr; apply: eq_bigr => i _; rewrite mulrA (mulrC Z) divfK.
have nS : n.+1%:R = n%:R + 1 :> R by rewrite -addn1 natrD.
have [theta t0 le] := low hw; have q0 := qf1_gt0 t0; set q := qf 1%:M theta in q0 le.
pose a i := qf (C i) theta / q; pose m := \sum_j w j * a j.
have a01 i : 0 <= a i <= b.
  apply/andP; split; first by apply: divr_ge0; [exact: qf_ge0 (C_psd i)|exact: ltW].
  by rewrite ler_pdivr_mulr //; exact: C_le.
have m01 : 0 <= m <= b.
  have [w0 w1] := hw; rewrite sumr_ge0 /=; last by move=> j _; rewrite mulr_ge0 //; case/andP: (a01 j).
  by rewrite -[leRHS]mul1r -w1 mulr_suml; apply: ler_sum => j _; rewrite ler_wpmul2l //; case/andP: (a01 j).
have ml : m <= l.
  by rewrite /m /a; under eq_bigr do rewrite mulrA; rewrite -mulr_suml ler_pdivr_mulr.
exists (P + q^-1 *: outer theta), (fun i => S i + (a i - m)); split.
- by apply: psdD => //; apply: psdZ; rewrite ?invr_ge0 ?ltW //; exact: psd_outer.
- by rewrite mxtraceD mxtraceZ tr_outer trP mulVf ?gt_eqF // nS.
- move=> i; rewrite mulmxDr -scalemxAr mxtraceD mxtraceZ tr_mul_outer mulrC -/(a i).
  rewrite nS mulrDl mul1r.
  have -> : S i + (a i - m) + (n%:R * l + l) = S i + n%:R * l + a i + (l - m) by ring.
  by rewrite -[leLHS]addr0 ler_add ?subr_ge0 // ler_add2r.
apply: (@le_trans _ _ (\sum_i (pos (S i) + (a i - m)) ^+ 2)).
  by apply: ler_sum => i _; exact: pos_square.
have -> : \sum_i (pos (S i) + (a i - m)) ^+ 2 =
    \sum_i pos (S i) ^+ 2 + (2%:R * (\sum_i pos (S i) * (a i - m)) + \sum_i (a i - m) ^+ 2).
  by rewrite mulr_sumr -!big_split /=; apply: eq_bigr => i _; ring.
rewrite wS mulr0 add0r nS mulrDl mul1r ler_add //.
have -> : #|I|%:R * b ^+ 2 = \sum_(i : I) b ^+ 2 by rewrite sumr_const mulr_natl.
apply: ler_sum => i _.
have /andP [x1 x2] := a01 i; have /andP [y1 y2] := m01.
rewrite -(real_normK (num_real (a i - m))) ler_pexpn2r ?nnegrE ?normr_ge0 ?(le_trans x1) //.
rewrite ler_norml -opprB ler_opp2 opprB; apply/andP; split.
  by apply: le_trans y2; rewrite ler_subl_addr ler_addl.
by apply: le_trans x2; rewrite ler_subl_addr ler_addl.
Qed.

Lemma near_saddle (i0 : I) e : 0 < e -> exists P : 'M[R]_d, [/\ psd P, \tr P = 1 & forall i, \tr (C i *m P) <= l + e].
Proof.
move=> e0; pose B := #|I|%:R * b ^+ 2; pose n := (Num.bound (B / e ^+ 2)).+1.
have B0 : 0 <= B by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
have n0 : 0 < n%:R :> R by rewrite ltr0n.
have nB : B < n%:R * e ^+ 2.
  rewrite -ltr_pdivr_mulr ?exprn_gt0 //; apply: lt_trans (_ : (Num.bound (B / e ^+ 2))%:R < _).
    by apply: archi_boundP; rewrite divr_ge0 ?sqr_ge0.
  by rewrite ltr_nat.
have [P [S [pP trP hS sumS]]] := regret i0 n.
exists (n%:R^-1 *: P); split.
- by apply: psdZ; rewrite ?invr_ge0 ?ltW.
- by rewrite mxtraceZ trP mulVf ?gt_eqF.
move=> i; rewrite -scalemxAr mxtraceZ mulrC ler_pdivr_mulr //; apply: le_trans (hS i) _.
rewrite mulrDl addrC (mulrC l) ler_add2l leNgt; apply/negP => lt.
have Si : pos (S i) = S i by rewrite /pos max_r // ltW // (le_lt_trans _ lt) // mulr_ge0 ?ltW.
have : pos (S i) ^+ 2 <= n%:R * B.
  apply: le_trans sumS; rewrite (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; exact: sqr_ge0.
rewrite leNgt => /negP []; rewrite Si; apply: (@lt_trans _ _ ((e * n%:R) ^+ 2)).
  by rewrite exprMn (expr2 n%:R) mulrA (mulrC _ n%:R) ltr_pmul2l // mulrC.
have en0 : 0 <= e * n%:R by rewrite mulr_ge0 ?ltW.
have S0 : 0 <= S i by rewrite ltW // (le_lt_trans en0 lt).
by rewrite ltr_pexpn2r ?nnegrE.
Qed.
End Regret.

Section Values.
Variables (R : realFieldType) (d : nat).
(* l is the largest, over the policies, of the smallest value of f over all directions, per squared length of the
   direction: the best smallest eigenvalue *)
Definition policy_value (I : Type) (f : 'cV[R]_d -> I -> R) l :=
  (exists i, forall theta, l * qf 1%:M theta <= f theta i) /\
  forall i, exists2 theta, theta != 0 & f theta i <= l * qf 1%:M theta.

Variables (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R).
(* finitely many policies, such as all deterministic ones; p i is the law of the pair of state and action in the layer
   under policy i.  Policies are all mixtures w; this is E_w (phi^T theta)^2 *)
Definition mixed_moment (theta : 'cV[R]_d) (w : {w : I -> R | is_law w}) : R :=
  \sum_i sval w i * mean (p i) (fun t => ((phi t)^T *m theta) ord0 ord0 ^+ 2).
(* a linear MDP: probabilities that are linear in the feature sum to one, so some vector has the inner product 1 with
   every feature *)
Definition sums_to_one := exists m : 'cV[R]_d, forall t, ((phi t)^T *m m) ord0 ord0 = 1.
End Values.

Section Sandwich.
Variables (R : archiFieldType) (d : nat) (I T : finType) (phi : T -> 'cV[R]_d) (p : I -> T -> R).
Hypothesis p_law : forall i, is_law (p i).
Local Notation F := (mixed_moment phi p).
Let C i : 'M[R]_d := \sum_t p i t *: outer (phi t).

Lemma CE i theta : mean (p i) (fun t => ((phi t)^T *m theta) ord0 ord0 ^+ 2) = qf (C i) theta.
Proof.
rewrite /mean /C; elim/big_rec2: _ => [|t M x _ ->]; first by rewrite /qf bil0l.
by rewrite qfD qfZ qf_outer.
Qed.
Lemma FE theta w : F theta w = \sum_i sval w i * qf (C i) theta.
Proof. by apply: eq_bigr => i _; rewrite CE. Qed.
Lemma C_psd i : psd (C i).
Proof. by apply: psd_sum => t _; apply: psdZ; [case: (p_law i)|exact: psd_outer]. Qed.
Lemma F_ge0 theta w : 0 <= F theta w.
Proof. by rewrite FE; apply: sumr_ge0 => i _; rewrite mulr_ge0 ?(qf_ge0 _ (C_psd i)) //; case: (svalP w). Qed.
Lemma C_le i theta : qf (C i) theta <= (\sum_j \sum_t p j t * qf 1%:M (phi t)) * qf 1%:M theta.
Proof.
apply: (@le_trans _ _ ((\sum_t p i t * qf 1%:M (phi t)) * qf 1%:M theta)).
  rewrite -CE /mean mulr_suml; apply: ler_sum => t _; rewrite -mulrA ler_wpmul2l //; first by case: (p_law i).
  by rewrite -bil1; apply: cauchy; exact: pd_psd (pd1 _ _).
rewrite ler_wpmul2r ?qf1_ge0 // (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; apply: sumr_ge0 => t _.
by apply: mulr_ge0; [case: (p_law j)|exact: qf1_ge0].
Qed.

Lemma law_inhabited (J : finType) (w : J -> R) : is_law w -> exists j : J, True.
Proof.
move=> [_ w1]; case: (pickP J) => [j _|no]; first by exists j.
by move: w1; rewrite big_pred0 // => /eqP; rewrite eq_sym oner_eq0.
Qed.

(* the right inequality, read through bounds *)
Lemma sandwich_upper v l : sums_to_one phi ->
  (forall theta, exists w, v * qf 1%:M theta <= F theta w) ->
  (forall w, exists2 theta, theta != 0 & F theta w <= l * qf 1%:M theta) ->
  v <= Num.max 1 d.-1%:R * l.
Proof.
move=> [m hm] hv hl; set K := Num.max _ _.
have K1 : 1 <= K by rewrite /K le_maxr lexx.
have K0 : 0 < K by exact: lt_le_trans ltr01 K1.
have [i0 _] : exists i : I, True by have [[w hw] _] := hv 0; exact: law_inhabited hw.
have [t0 _] : exists t : T, True by exact: law_inhabited (p_law i0).
have m0 : m != 0 by apply: contra_eqN (hm t0) => /eqP ->; rewrite mulmx0 mxE eq_sym oner_eq0.
have Cm i : qf (C i) m = 1.
  by rewrite -CE /mean -[RHS](proj2 (p_law i)); apply: eq_bigr => t _; rewrite hm expr1n mulr1.
have some theta : exists i, v * qf 1%:M theta <= qf (C i) theta.
  have [[w [w0 w1]]] := hv theta; rewrite FE /= => le.
  case: (boolP [exists i, v * qf 1%:M theta <= qf (C i) theta]) => [/existsP //|/existsPn no].
  have lt i : qf (C i) theta < v * qf 1%:M theta by rewrite ltNge no.
  have e : \sum_i w i * (v * qf 1%:M theta - qf (C i) theta) = 0.
    apply/eqP; rewrite eq_le sumr_ge0 ?andbT => [|i _]; last by rewrite mulr_ge0 // subr_ge0 ltW.
    by rewrite (eq_bigr _ (fun i _ => mulrBr _ _ _)) sumrB -mulr_suml w1 mul1r subr_le0.
  have z i : w i = 0.
    have /eqP := e; rewrite psumr_eq0 => [/allP /(_ i (mem_index_enum i))|j _];
      last by rewrite mulr_ge0 // subr_ge0 ltW.
    by rewrite mulf_eq0 subr_eq0 (gt_eqF (lt i)) orbF => /eqP.
  by move: w1; rewrite big1 // => /eqP; rewrite eq_sym oner_eq0.
have low w : is_law w -> exists2 theta, theta != 0 & \sum_i w i * qf (C i) theta <= l * qf 1%:M theta.
  by move=> hw; have [theta th0 le] := hl (exist _ w hw); exists theta; rewrite // -(FE theta (exist _ w hw)).
suff close e : 0 < e -> v <= K * (l + e).
  rewrite leNgt; apply/negP => lt; pose e := (v - K * l) / (2%:R * K).
  have e0 : 0 < e by rewrite divr_gt0 ?subr_gt0 // mulr_gt0 // ltr0n.
  have := close e e0; rewrite leNgt => /negP [].
  have -> : K * (l + e) = (v + K * l) / 2%:R by rewrite /e; field; rewrite gt_eqF.
  by rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_add2l.
move=> e0; have [P [pP trP hP]] := near_saddle C_psd C_le low i0 e0; set B := l + e in hP *.
have B0 : 0 <= B by apply: le_trans (hP i0); exact: tr_psd (C_psd i0) pP.
case: (lerP v 0) => [v0|v0]; first by apply: le_trans v0 _; rewrite mulr_ge0 // ltW.
have [t [S [y [t_ge0 pS y0 Sy PE]]]] := take_off pP m0.
have [s gs [szs SE]] := psd_split_kernel pS Sy y0.
have trC i : \tr (C i *m P) = t + \sum_(q <- s) q.1 * qf (C i) q.2.
  by rewrite PE mulmxDr -scalemxAr mxtraceD mxtraceZ tr_mul_outer Cm mulr1 SE tr_mul_spread.
have one : t * qf 1%:M m + \sum_(q <- s) q.1 * qf 1%:M q.2 = 1.
  by rewrite -[RHS]trP PE mxtraceD mxtraceZ tr_outer SE -(tr_mul_spread 1%:M) mul1mx.
have each q : q \in s -> t + v * (q.1 * qf 1%:M q.2) <= B.
  move=> qs; have [i le] := some q.2; apply: le_trans (hP i); rewrite trC ler_add2l.
  have q0 : 0 < q.1 by have /andP [] := allP gs _ qs.
  rewrite (big_rem q) //= mulrCA; apply: (@le_trans _ _ (q.1 * qf (C i) q.2)); first by rewrite ler_pmul2l.
  rewrite ler_addl big_seq; apply: sumr_ge0 => r /mem_rem rs.
  by rewrite mulr_ge0 ?(qf_ge0 _ (C_psd i)) // ltW //; have /andP [] := allP gs _ rs.
have vM : v * qf 1%:M m <= 1 by have [i] := some m; rewrite Cm.
have vt : v <= t + v * \sum_(q <- s) q.1 * qf 1%:M q.2.
  have ve : v = v * (t * qf 1%:M m) + v * \sum_(q <- s) q.1 * qf 1%:M q.2 by rewrite -mulrDr one mulr1.
  by rewrite [leLHS]ve ler_add2r mulrCA -[leRHS]mulr1 ler_wpmul2l.
case: (posnP (size s)) => [s0|s0].
  have tB : t <= B.
    by apply: le_trans (hP i0); rewrite trC (size0nil s0) big_nil addr0.
  apply: le_trans vt _; rewrite (size0nil s0) big_nil mulr0 addr0; apply: le_trans tB _.
  by rewrite ler_pemull.
apply: le_trans vt _; apply: (@le_trans _ _ ((size s)%:R * B)).
  have -> : (size s)%:R * B = \sum_(q <- s) B by rewrite big_const_seq count_predT iter_addr_0 mulr_natl.
  apply: (@le_trans _ _ (\sum_(q <- s) (t + v * (q.1 * qf 1%:M q.2)))).
    rewrite big_split /= -mulr_sumr ler_add2r big_const_seq count_predT iter_addr_0.
    by rewrite -mulr_natl ler_pemull // ler1n.
  by rewrite big_seq [leRHS]big_seq; apply: ler_sum => q; exact: each.
by apply: ler_wpmul2r => //; rewrite /K le_maxr ler_nat szs orbT.
Qed.
End Sandwich.
