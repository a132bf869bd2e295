(* Theorem R on its event: condition (2) layer by layer, and the plans. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.layerwise Require Import optimism truncation.
From derl.reward_free Require Import planning event.
From derl.analysis Require Import matrices eigenvalue blow_up evaluation.

Section Occupancy.
Variables (R : rcfType) (S A : finType) (P : nat -> S -> A -> S -> R) (rho : S -> R).
Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hrho : is_law rho.
Implicit Types (mu : nat -> S -> A -> R) (F G : S -> A -> R).
(* a policy: a law on the actions in every layer and state *)
Local Notation proper mu := (forall h s, is_law (mu h s)).

Lemma tvalue_sum mu (F : S * A -> S -> A -> R) (c : S * A -> R) h k s :
  tvalue P mu (fun s a => \sum_t c t * F t s a) h k s = \sum_t c t * tvalue P mu (F t) h k s.
Proof.
elim: k h s => [|k IH] h s /=.
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => t _.
  by rewrite mulr_sumr; apply: eq_bigr => a _; rewrite mulrCA.
under eq_bigr => a _ do (under eq_bigr do rewrite IH mulr_sumr; rewrite exchange_big mulr_sumr).
rewrite exchange_big; apply: eq_bigr => t _; rewrite mulr_sumr; apply: eq_bigr => a _.
rewrite [RHS]mulrCA; congr (_ * _); rewrite mulr_sumr; apply: eq_bigr => s' _.
by rewrite mulrCA.
Qed.

Lemma tvalue_le mu F G h k s : proper mu -> (forall s a, F s a <= G s a) ->
  tvalue P mu F h k s <= tvalue P mu G h k s.
Proof.
move=> hmu hF; elim: k h s => [|k IH] h s /=; apply: ler_sum => a _; rewrite ler_wpmul2l ?(proj1 (hmu h s)) //.
by apply: ler_sum => s' _; rewrite ler_wpmul2l ?(proj1 (hP h s a)).
Qed.
Lemma tvalue_const mu c h k s : proper mu -> tvalue P mu (fun _ _ => c) h k s = c.
Proof.
move=> hmu; elim: k h s => [|k IH] h s /=.
  by rewrite -mulr_suml (proj2 (hmu h s)) mul1r.
under eq_bigr => a _ do (under eq_bigr do rewrite IH; rewrite -mulr_suml (proj2 (hP h s a)) mul1r).
by rewrite -mulr_suml (proj2 (hmu h s)) mul1r.
Qed.

(* the law of state and action in layer L under a policy *)
Definition occupancy mu L (t : S * A) : R := TJ P rho mu (fun s a => ((s, a) == t)%:R) L.

Lemma tvalue_eq mu F G h k s : (forall s a, F s a = G s a) -> tvalue P mu F h k s = tvalue P mu G h k s.
Proof.
move=> e; elim: k h s => [|k IH] h s /=; apply: eq_bigr => a _; rewrite ?e //.
by congr (_ * _); apply: eq_bigr => s' _; rewrite IH.
Qed.

Lemma TJ_mean mu F L : TJ P rho mu F L = mean (occupancy mu L) (fun t => F t.1 t.2).
Proof.
rewrite /mean /occupancy /TJ.
have e s : tvalue P mu F 0 L s = \sum_t F t.1 t.2 * tvalue P mu (fun s a => ((s, a) == t)%:R) 0 L s.
  rewrite -(tvalue_sum mu (fun t s a => ((s, a) == t)%:R) (fun t => F t.1 t.2)); apply: tvalue_eq => s' a.
  by rewrite (bigD1 (s', a)) //= eqxx mulr1 big1 ?addr0 // => t ts; rewrite eq_sym (negPf ts) mulr0.
under eq_bigr do rewrite e mulr_sumr.
rewrite exchange_big; apply: eq_bigr => t _; rewrite mulr_suml; apply: eq_bigr => s _.
by rewrite mulrCA mulrC.
Qed.
Lemma TJ_le mu F G L : proper mu -> (forall s a, F s a <= G s a) -> TJ P rho mu F L <= TJ P rho mu G L.
Proof.
by move=> hmu h; apply: ler_sum => s _; rewrite ler_wpmul2l ?(proj1 hrho) // tvalue_le.
Qed.
Lemma occupancy_law mu L : proper mu -> is_law (occupancy mu L).
Proof.
move=> hmu; split=> [t|].
  apply: sumr_ge0 => s _; rewrite mulr_ge0 ?(proj1 hrho) // -[leLHS](tvalue_const 0 0 L s hmu).
  by apply: tvalue_le => // s' a; rewrite ler0n.
have <- : TJ P rho mu (fun _ _ => 1) L = \sum_t occupancy mu L t.
  by rewrite TJ_mean /mean; under eq_bigr do rewrite mulr1.
by rewrite /TJ; under eq_bigr do rewrite tvalue_const // mulr1; case: hrho.
Qed.

(* the last layer of a value *)
Lemma value_last mu (r : nat -> S -> A -> R) h k s :
  value P mu r h k.+1 s = value P mu r h k s + tvalue P mu (r (h + k)%N) h k s.
Proof.
elim: k h s => [|k IH] h s.
  rewrite addn0 /= add0r; apply: eq_bigr => a _; rewrite big1 ?addr0 // => s' _; exact: mulr0.
rewrite [LHS]/= [X in _ = X + _]/= [X in _ = _ + X]/= -big_split /=; apply: eq_bigr => a _.
rewrite -mulrDr; congr (_ * _); rewrite -addrA; congr (_ + _); rewrite -big_split /=.
apply: eq_bigr => s' _; rewrite -mulrDr; congr (_ * _).
by have := IH h.+1 s'; rewrite addSnnS => <-.
Qed.
End Occupancy.

Section TheoremR.
Variables (R : rcfType) (S A : finType) (d : nat).
Variables (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R).
(* H layers, N trajectories a deployment, i policies in a list at most *)
Variables (H N i : nat) (nu beta beta' xi : R).
(* a policy: a law on the actions in every layer and state *)
Local Notation proper mu := (forall h s, is_law (mu h s)).

(* what Algorithm 2 leaves behind in layer L (layers are counted from 0): the list of m
   policies, the regressions and values of Algorithm 6 for each of them, weights and actions of
   the last call of SolveOptQ *)
Record layer_run := LayerRun {
  m : nat;
  pol : nat -> nat -> S -> A -> R;
  w6 : nat -> 'I_d -> 'I_d -> nat -> 'cV[R]_d;
  V6 : nat -> 'I_d -> 'I_d -> nat -> S -> R;
  w5 : nat -> 'cV[R]_d;
  act5 : nat -> S -> A }.
Variable X : nat -> layer_run.
(* the matrices I + sum phi phi^T of the batches *)
Variable Sig : nat -> 'M[R]_d.

(* the sum of the true covariances of the list, and of their estimates *)
Definition covariances L : 'M[R]_d := \sum_(k < m (X L)) covariance P phi rho (pol (X L) k) L.
(* the sum of the estimated covariances of the list *)
Definition estimates L : 'M[R]_d := \sum_(k < m (X L)) estimated rho (V6 (X L) k).
(* the reward of the last call of SolveOptQ: the norm in the inverse of 2 I + the estimates *)
Definition reward5 L s a : R := Num.sqrt (qf (invmx (2%:R%:M + estimates L)) (phi L s a)).
(* the optimistic value of the last call of SolveOptQ *)
Definition value5 L : nat -> S -> R :=
  solve_value (linear phi (w5 (X L))) (bonus phi beta' Sig) (act5 (X L)) (reward5 L) L.

(* layer L was run by the algorithm, and its loop has stopped by its rule: the optimistic value
   is at most 3/8 nu^2 *)
Definition stopped L : Prop :=
  [/\ (0 < m (X L) <= i)%N,
      forall k h s, is_law (pol (X L) k h s),
      forall k a b, V6 (X L) k a b = V6 (X L) k b a /\
        evaluated (pol (X L) k) (linear phi (w6 (X L) k a b)) (entry_reward phi L a b) L (V6 (X L) k a b),
      (forall h s a, (h < L)%N ->
         Num.min (linear phi (w5 (X L)) h s a + bonus phi beta' Sig h s a) 1 <= value5 L h s) /\
      (forall s a, reward5 L s a <= value5 L L s) &
      \sum_s rho s * value5 L 0%N s <= 3%:R / 8%:R * nu ^+ 2].

(* the event in layer L: all regressions of Algorithms 5 and 6 are right up to their bonus, and
   the batch sees at least half of the mean covariance of the list *)
Definition event_r L : Prop :=
  [/\ forall k a b h s u, (h < L)%N ->
        `|linear phi (w6 (X L) k a b) h s u - \sum_s' P h s u s' * V6 (X L) k a b h.+1 s'| <=
          bonus phi beta' Sig h s u,
      forall h s u, (h < L)%N ->
        `|linear phi (w5 (X L)) h s u - \sum_s' P h s u s' * value5 L h.+1 s'| <= bonus phi beta' Sig h s u &
      above (Sig L) (1%:M + (N%:R / (2%:R * (m (X L))%:R)) *: covariances L)].

(* condition (2) before layer L *)
Definition condition L : Prop := forall pi, proper pi -> J P rho pi (width phi Sig) L <= L%:R / H%:R * xi.

Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hrho : is_law rho.
Hypothesis hphi : forall h s a, qf 1%:M (phi h s a) <= 1.
(* nu is at most the reachability coefficient of every layer *)
Hypothesis hnu : forall L u, (L < H)%N -> sq u = 1 -> exists2 pi, proper pi &
  nu ^+ 2 <= TJ P rho pi (fun s a => ((phi L s a)^T *m u) ord0 ord0 ^+ 2) L.
Hypothesis nu01 : 0 < nu <= 1.
Hypothesis b0 : 0 <= beta'.
Hypothesis xi0 : 0 < xi.
Hypothesis H0 : (0 < H)%N.
Hypothesis iN : (i <= N)%N.
(* the resolution xi, and the batch size *)
Hypothesis small : 8%:R * d%:R * i%:R * beta' * xi <= 1.
Hypothesis size : 81%:R * i%:R * H%:R ^+ 2 * nu ^+ 4 <= 175%:R * N%:R * xi ^+ 2.

Definition policy := { pi : nat -> S -> A -> R | forall h s, is_law (pi h s) }.
Definition occ L (pi : policy) : S * A -> R := occupancy P rho (proj1_sig pi) L.

Lemma covariance_psd mu L : proper mu -> psd (covariance P phi rho mu L).
Proof.
move=> hmu; have -> : covariance P phi rho mu L =
    \sum_t occupancy P rho mu L t *: outer (phi L t.1 t.2).
  apply/matrixP => a b; rewrite mxE summxE TJ_mean //; apply: eq_bigr => t _.
  by rewrite mxE outerE.
by apply: psd_sum => t _; apply: psdZ (psd_outer _); case: (occupancy_law hP hrho L hmu).
Qed.
Lemma covariances_psd L : stopped L -> psd (covariances L).
Proof. by case=> _ hp _ _ _; apply: psd_sum => k _; apply: covariance_psd => h s; exact: hp. Qed.

Lemma close L : (L < H)%N -> stopped L -> event_r L -> condition L ->
  above (2%:R%:M + estimates L) ((7%:R / 8%:R) *: (2%:R%:M + covariances L)) /\
  above ((9%:R / 8%:R) *: (2%:R%:M + covariances L)) (2%:R%:M + estimates L).
Proof.
move=> LH st [ev6 _ _] cond; have [/andP[m0 mi] hp he _ _] := st.
pose D := estimates L - covariances L; pose B := 2%:R%:M + covariances L.
have BE : 2%:R%:M + estimates L = B + D by rewrite /B /D -addrA [covariances L + _]addrC subrK.
have pC := covariances_psd st.
have sE : sym (estimates L).
  apply/matrixP => a b; rewrite mxE !summxE; apply: eq_bigr => k _; rewrite !mxE.
  by case: (he k b a) => ->.
have sD : sym D by apply: symB => //; case: pC.
have aB : above B 2%:R%:M by rewrite /above /B addrC addKr.
pose e : R := 2%:R * i%:R * beta' * xi.
have hD a b : `|D a b| <= e.
  have := @res_accumulated_error R S A d P phi rho L H (m (X L)) beta' xi (w6 (X L)) Sig (pol (X L)) (V6 (X L))
    hP hrho hp b0 (hphi L) (fun k a b => proj2 (he k a b)) ev6 (fun k => cond _ (hp k)) a b.
  have -> : (2%:R%:M + \sum_(k < m (X L)) estimated rho (V6 (X L) k)) a b -
      (2%:R%:M + \sum_(k < m (X L)) covariance P phi rho (pol (X L) k) L) a b = D a b.
    by rewrite /D /estimates /covariances !mxE opprD addrACA subrr add0r.
  move=> h; apply: le_trans h _; rewrite /e.
  have x0 : 0 <= beta' * xi by rewrite mulr_ge0 // ltW.
  apply: (@le_trans _ _ (2%:R * (m (X L))%:R * beta' * xi * 1)).
    rewrite ler_wpmul2l //; first by rewrite !mulr_ge0 ?ler0n // ltW.
    by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat ltnW.
  by rewrite mulr1 -!mulrA ler_wpmul2l ?ler0n // ler_wpmul2r // ler_nat.
have form x : `|qf D x| <= 4%:R^-1 * sq x.
  apply: le_trans (entry_bound x hD) _; apply: ler_wpmul2r; first exact: qf1_ge0.
  rewrite -(ler_pmul2l (_ : 0 < 4%:R)) ?ltr0n // divff ?pnatr_eq0 //; apply: le_trans small.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /e; ring.
have q14 : 0 <= (4%:R^-1 : R) < 2%:R.
  by rewrite invr_ge0 ler0n /=; apply: (@le_lt_trans _ _ 1); rewrite ?invf_le1 ?ltr0n ?ler1n ?ltr1n.
have [h1 h2] := relative_perturbation sD aB (ltr0n _ 2) q14 form.
rewrite BE; split.
  by have <- : 1 - 4%:R^-1 / 2%:R = 7%:R / 8%:R :> R by field.
by have <- : 1 + 4%:R^-1 / 2%:R = 9%:R / 8%:R :> R by field.
Qed.

(* one more layer *)
Lemma next L : (L < H)%N -> stopped L -> event_r L -> condition L -> condition L.+1.
Proof.
move=> LH st ev cond pi hpi; have [lo hi] := close LH st ev cond.
have [/andP[m0 mi] hp _ [g1 g2] rule] := st; have [_ ev5 half] := ev.
have pC := covariances_psd st; pose A0 := covariances L; pose B := 2%:R%:M + A0.
have /andP[n0 n1] := nu01.
have mR : 0 < (m (X L))%:R :> R by rewrite ltr0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have iR : 0 < i%:R :> R by rewrite ltr0n (leq_trans m0).
have aB : above B 2%:R%:M by rewrite /above /B addrC addKr.
have pB : pd B by apply: above_pd aB; rewrite ltr0n.
have pB7 : pd ((7%:R / 8%:R) *: B) by apply: pdZ pB; rewrite divr_gt0 ?ltr0n.
have pT : pd (2%:R%:M + estimates L) := pd_ge pB7 lo.
have T1 : psd (2%:R%:M + estimates L - 1%:M).
  have -> : 2%:R%:M + estimates L - 1%:M = (2%:R%:M + estimates L - (7%:R / 8%:R) *: B) +
      ((7%:R / 8%:R) *: (B - 2%:R%:M) + (3%:R / 4%:R)%:M).
    rewrite scalerBr scale_scalar_mx -!addrA; congr (_ + (_ + _)).
    by rewrite addKr -!raddfN -raddfD /=; congr (_%:M); field.
  apply: psdD lo _; apply: psdD; first by apply: psdZ aB; rewrite divr_ge0 ?ler0n.
  by apply/pd_psd/pd_scalar; rewrite divr_gt0 ?ltr0n.
have short s a : 0 <= reward5 L s a <= 1.
  rewrite sqrtr_ge0 /=; have q1 : qf (invmx (2%:R%:M + estimates L)) (phi L s a) <= 1.
    by apply: le_trans (inv_antitone _ (pd1 _ d) T1) _; rewrite invmx1.
  by rewrite -sqrtr1 ler_wsqrtr.
have [opt _] := res_optq_overestimation (g := act5 (X L)) hP hrho b0 short g1 g2 ev5.
have below mu : proper mu -> TJ P rho mu (reward5 L) L <= 3%:R / 8%:R * nu ^+ 2.
  move=> hmu; apply: le_trans rule; apply: ler_sum => s _; rewrite ler_wpmul2l ?(proj1 hrho) //.
  by have /andP[_] := opt mu 0%N L s hmu (add0n L).
pose r98 : R := Num.sqrt (9%:R / 8%:R).
have r98_0 : 0 < r98 by rewrite sqrtr_gt0 divr_gt0 ?ltr0n.
have norm s a : Num.sqrt (qf (invmx B) (phi L s a)) <= r98 * reward5 L s a.
  rewrite /r98 /reward5 -sqrtrM ?divr_ge0 ?ler0n //; apply: ler_wsqrtr.
  have := inv_antitone (phi L s a) pT hi; rewrite qf_inv_scale ?divr_gt0 ?ltr0n //.
  by rewrite ler_pdivr_mull ?divr_gt0 ?ltr0n.
pose e : R := r98 * (3%:R / 8%:R * nu ^+ 2).
have e0 : 0 < e by rewrite !mulr_gt0 ?invr_gt0 ?ltr0n ?exprn_gt0.
pose f (t : S * A) := phi L t.1 t.2.
have unc M (q : policy) : uncertainty f (occ L) M q = TJ P rho (proj1_sig q)
    (fun s a => Num.sqrt (qf (invmx M) (phi L s a))) L by rewrite TJ_mean.
have seen q : uncertainty f (occ L) (2%:R%:M + A0) q <= e.
  case: q => q hq; rewrite unc /=.
  apply: (@le_trans _ _ (TJ P rho q (fun s a => r98 * reward5 L s a) L)); first exact: TJ_le.
  rewrite TJ_mean /mean; under eq_bigr do rewrite mulrCA.
  rewrite -mulr_sumr /e ler_pmul2l //; apply: le_trans (below q hq); rewrite TJ_mean; exact: lexx.
have laws q : is_law (occ L q) by case: q => q hq; exact: occupancy_law.
have sh t : sq (f t) <= 1 by exact: hphi.
have re : reaches f (occ L) nu.
  move=> u u1; have [q hq qn] := hnu LH u1; exists (exist _ q hq).
  by apply: le_trans qn _; rewrite TJ_mean.
pose n : R := N%:R / (2%:R * (m (X L))%:R).
have NR : 0 < N%:R :> R by rewrite ltr0n (leq_trans m0) // (leq_trans mi).
have n0' : 0 < n by rewrite /n divr_gt0 // mulr_gt0 // ltr0n.
have nc : 1 <= n * 2%:R.
  have -> : n * 2%:R = N%:R / (m (X L))%:R by rewrite /n; field; rewrite gt_eqF.
  by rewrite ler_pdivl_mulr // mul1r ler_nat (leq_trans mi).
have [_ [blow _]] := res_sharp_blow_up laws sh re pC (ltr0n _ 2) ltr01 n0' nc e0 n0.
have lamE : nu ^+ 4 / e ^+ 2 - 2%:R = 350%:R / 81%:R.
  have r2 : r98 ^+ 2 = 9%:R / 8%:R by rewrite sqr_sqrtr // divr_ge0 ?ler0n.
  by rewrite /e exprMn r2; field; rewrite gt_eqF.
have := blow seen; rewrite lamE => /(_ (divr_ge0 (ler0n _ _) (ler0n _ _))) {blow} blow.
have wide s a : width phi Sig L s a <= Num.sqrt (qf (invmx (1%:M + n *: A0)) (phi L s a)).
  apply: ler_wsqrtr; apply: inv_antitone half.
  by apply: pdD; [exact: pd1|apply: psdZ pC; exact: ltW].
have last : TJ P rho pi (width phi Sig L) L <= xi / H%:R.
  apply: le_trans (TJ_le hP hrho L hpi wide) _.
  have := blow (exist _ pi hpi); rewrite unc /= => h; apply: le_trans h _.
  set y := 1 + n * _; have y0 : 0 < y by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?(ltW n0') // divr_ge0 ?ler0n.
  rewrite ler_pdivr_mulr ?sqrtr_gt0 // mulrAC ler_pdivl_mulr //.
  have big : (nu ^+ 2 * H%:R / xi) ^+ 2 <= y.
    apply: (@le_trans _ _ (n * (350%:R / 81%:R))); last by rewrite ler_addr ler01.
    have -> : n * (350%:R / 81%:R) = 175%:R * N%:R / (81%:R * (m (X L))%:R).
      by rewrite /n; field; rewrite gt_eqF.
    rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // expr_div_n mulrAC ler_pdivr_mulr ?exprn_gt0 //.
    apply: le_trans size; rewrite exprMn -exprM.
    have -> : nu ^+ (2 * 2) * H%:R ^+ 2 * (81%:R * (m (X L))%:R) =
      81%:R * (m (X L))%:R * H%:R ^+ 2 * nu ^+ 4 by ring.
    by rewrite !ler_wpmul2r ?exprn_ge0 ?ler0n ?(ltW n0) // ler_wpmul2l ?ler0n // ler_nat.
  rewrite -ler_pdivr_mull // mulrC.
  have p : 0 <= nu ^+ 2 * H%:R / xi by rewrite !mulr_ge0 ?invr_ge0 ?exprn_ge0 ?ler0n // ltW.
  by rewrite -(ger0_norm p) -sqrtr_sqr ler_wsqrtr.
have -> : J P rho pi (width phi Sig) L.+1 = J P rho pi (width phi Sig) L + TJ P rho pi (width phi Sig L) L.
  by rewrite /J /TJ -big_split; apply: eq_bigr => s _; rewrite value_last add0n mulrDr.
have -> : L.+1%:R / H%:R * xi = L%:R / H%:R * xi + xi / H%:R.
  by rewrite -addn1 natrD; field; rewrite gt_eqF.
by apply: ler_add last; exact: cond.
Qed.

Lemma conditions L : (L <= H)%N -> (forall k, (k < L)%N -> stopped k /\ event_r k) -> condition L.
Proof.
elim: L => [|L IH] LH run.
  move=> pi _; rewrite /J big1 ?mul0r // => s _; exact: mulr0.
have [st ev] := run L (ltnSn L); apply: next => //; apply: IH; first exact: ltnW.
by move=> k kL; apply: run; exact: ltnW.
Qed.

(* [res-theorem-r] on its event.  Layers 0, ..., L - 1 have been run, each loop stopped by its
   rule; then condition (2) holds before layer L, and Algorithm 4 with horizon L, weights w and
   the greedy policy g for any reward r in [0, 1] loses at most eps against every policy mu *)
Theorem theorem_r_on_the_event (L : nat) (r : nat -> S -> A -> R) (w : nat -> 'cV[R]_d)
    (g : nat -> S -> A) (eps : R) :
  (L <= H)%N -> (forall k, (k < L)%N -> stopped k /\ event_r k) ->
  0 < beta -> xi <= eps / (2%:R * beta) -> (forall h s a, 0 <= r h s a <= 1) ->
  let Q := Qcap r L%:R (linear phi w) (bonus phi beta Sig) in
  let V := Vopt r L%:R (linear phi w) (bonus phi beta Sig) g L in
  (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N ->
     `|linear phi w h s a - \sum_s' P h s a s' * V h.+1 s'| <= bonus phi beta Sig h s a) ->
  condition L /\
  forall mu, proper mu -> J P rho mu r L - J P rho (det R g) r L <= eps.
Proof.
move=> LH run b1 hxi hr Q V greedy ev; have cond := conditions LH run; split=> // mu hmu.
have c pi : proper pi -> J P rho pi (fun h s a => Num.sqrt (qf (invmx (Sig h)) (phi h s a))) L <= xi.
  move=> hpi; apply: le_trans (cond pi hpi) _; rewrite -[leRHS]mul1r ler_wpmul2r ?(ltW xi0) //.
  by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
by have [_ [_ h]] := ineq_plan_loss b1 hP hrho hmu hr greedy ev c; exact: h.
Qed.
End TheoremR.
