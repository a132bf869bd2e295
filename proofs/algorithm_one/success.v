(* Theorem 4.1, repaired, with the conditions on the number N of trajectories as hypotheses.  The algorithm is told
   rewards that are linear in the features and near the true ones, which may be estimates from its data. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import assumption rewards policies.
From derl.layerwise Require Import optimism deployments run theorem.
From derl.algorithm_one Require Import adaptive_product trajectory_law grid values algorithm tests regressions optimal.
Local Arguments exp x%R.

(* two families of bad events cover every failure *)
Lemma run_union (O : finType) (D X : Type) (law : D -> O -> R) (psi : strategy O D X) K (good : pred (K.-tuple O))
    (I1 I2 : finType) (E1 : I1 -> pred (K.-tuple O)) (E2 : I2 -> pred (K.-tuple O)) (q1 q2 : R) :
  (forall x, is_law (law x)) ->
  (forall i, prob (fun h : K.-tuple O => history law psi [::] h) (E1 i) <= q1) ->
  (forall i, prob (fun h : K.-tuple O => history law psi [::] h) (E2 i) <= q2) ->
  (forall h : K.-tuple O, (forall i, ~~ E1 i h) -> (forall i, ~~ E2 i h) -> good h) ->
  1 - (#|I1|%:R * q1 + #|I2|%:R * q2) <= prob (fun h : K.-tuple O => history law psi [::] h) good.
Proof.
move=> hl h1 h2 hg; have hist := history_is_law psi hl [::] K; have [p0 p1] := hist.
set p := fun h : K.-tuple O => history law psi [::] h in h1 h2 p0 p1 hist.
have u1 : prob p (fun h => [exists i, E1 i h]) <= #|I1|%:R * q1.
  apply: le_trans (union_bound E1 hist) _; rewrite mulr_natl -sumr_const; exact: ler_sum.
have u2 : prob p (fun h => [exists i, E2 i h]) <= #|I2|%:R * q2.
  apply: le_trans (union_bound E2 hist) _; rewrite mulr_natl -sumr_const; exact: ler_sum.
rewrite ler_subl_addr -[leLHS]p1; apply: le_trans (ler_add (lexx _) (ler_add u1 u2)).
rewrite -/p /prob [X in _ <= X + _]big_mkcond [X in _ + (X + _)]big_mkcond [X in _ + (_ + X)]big_mkcond -!big_split /=.
apply: ler_sum => h _.
have part (b : bool) : 0 <= (if b then p h else 0) by case: b => //; exact: p0.
case e1 : [exists i, E1 i h]; first by rewrite addrCA ler_addl addr_ge0.
case e2 : [exists i, E2 i h]; first by rewrite add0r addrC ler_addl.
rewrite hg ?addr0 // => i; apply/negP => hi.
  by move/existsP: e1; apply; exists i.
by move/existsP: e2; apply; exists i.
Qed.

Lemma success_prob (O : finType) (D X : Type) (law : D -> O -> R) (psi : strategy O D X) (good : X -> bool) K :
  success law psi good K = prob (fun h : K.-tuple O => history law psi [::] h) (fun h => good (output psi h)).
Proof.
rewrite /success /prob [RHS]big_mkcond; apply: eq_bigr => h _.
by case: (good _); rewrite ?mulr1 ?mulr0.
Qed.

Section Success.
Variables (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (mu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d).
Variables (beta eps : R) (s0 : S) (a0 : A) (tail : seq (batch S A N H) -> past_policy R_realFieldType S A).
Hypothesis hrho : is_law rho.
Hypothesis linear : forall h, assumption_one (phi h) (mu h) (theta h) (P h) (r h).
Hypothesis hr : forall h s a, 0 <= r h s a <= 1.
Hypothesis d0 : (0 < d)%N.
Hypothesis N0 : (0 < N)%N.
Hypothesis H0 : (0 < H)%N.
Hypothesis beta0 : 0 < beta.
Hypothesis eps0 : 0 < eps.
(* the rewards that deployment k is told, from the data w of the deployments before it *)
Variables (hat : (nat -> batch S A N H) -> nat -> nat -> S -> A -> R).
Variables (vec : (nat -> batch S A N H) -> nat -> nat -> 'cV[R]_d).
Hypothesis hat_local : forall k w w', agree k w w' -> hat w k = hat w' k.
Hypothesis hatE : forall w k h s a, hat w k h s a = ((vec w k h)^T *m phi h s a) ord0 ord0.
Hypothesis vec_small : forall w k h i, (h < H)%N -> `|vec w k h i ord0| <= (2 * d)%N%:R.
Hypothesis hat_near : forall w k h s a, (h < H)%N -> `|hat w k h s a - r h s a| <=
  Num.sqrt d%:R * Num.sqrt (qf (invmx (matrix_of phi s0 a0 w k h)) (phi h s a)).
Local Notation O := (batch S A N H).
Local Notation law := (@past_batch_law R_realFieldType S A P N H rho).
Local Notation psi := (told_tail phi beta eps s0 a0 hat tail).
Local Notation x0 := (s0, a0).
Local Notation nothing := (nothing N H s0 a0).
Local Notation goal := (goal phi beta eps s0 a0).
Local Notation matrix_of := (matrix_of phi s0 a0).
Local Notation greedy_policy w k := (greedy_policy phi (hat w k) beta eps s0 a0 w k).

Let hP h s a : is_law (P h s a). Proof. by case: (linear h) => -[hP _] *; exact: hP. Qed.
Let hmu h s a s' : P h s a s' = ((mu h s')^T *m phi h s a) ord0 ord0.
Proof. by case: (linear h) => -[_ e] *; exact: e. Qed.
Let f1 h s a : qf 1%:M (phi h s a) <= 1. Proof. by case: (linear h). Qed.
Let hth h s a : r h s a = ((theta h)^T *m phi h s a) ord0 ord0. Proof. by case: (linear h) => _ e *; exact: e. Qed.
Let mass h (v : S -> R) : (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu h s) <= d%:R.
Proof. by case: (linear h) => _ _ _ _ m; exact: m. Qed.

Let long h s a : d%:R^-1 <= sqnorm (phi h s a) <= 1.
Proof.
rewrite /sqnorm -qfE f1 andbT; apply: (@rem_feature_norm _ d S (mu h)) => //.
  have := @mass h (fun _ => 1) (fun _ => _); rewrite normr1 => /(_ (fun _ => lexx 1)).
  by under eq_bigr do rewrite scale1r.
by rewrite -(proj2 (hP h s a)); apply: eq_bigr => s' _; rewrite hmu.
Qed.

(* the average of the bonuses of deployment k is too small *)
Definition misled (w : nat -> O) k (o : O) : bool :=
  (goal w k < H)%N &&
  (average_bonus phi x0 beta (matrix_of w k) (goal w k).+1 o + eps / 2%:R <
   expected_bonus P rho phi beta (matrix_of w k) (goal w k).+1 (greedy_policy w k)).

Lemma misled_local k w w' o : agree k w w' -> misled w k o = misled w' k o.
Proof.
move=> hw; rewrite /misled (goal_local _ _ _ _ _ hw) (hat_local hw) (greedy_local _ _ _ _ _ _ hw).
have -> // : matrix_of w k = matrix_of w' k.
by apply: FunctionalExtensionality.functional_extensionality => h; exact: matrix_local.
Qed.

Definition luck : R := exp (- (N%:R * (eps / (beta * H%:R)) ^+ 2 / 8%:R)).

Lemma misled_prob K (k : nat) : (k < K)%N ->
  prob (fun h : K.-tuple O => history law psi [::] h) (fun h => misled (nth nothing h) k (nth nothing h k)) <= luck.
Proof.
move=> kK; have hl g : is_law (law g) by exact: past_batch_is_law.
pose F (pre : seq O) (o : O) : R := (misled (nth nothing pre) (size pre) o)%:R.
have step pre : \sum_o law (deploy psi pre) o * F pre o <= luck.
  have -> : \sum_o law (deploy psi pre) o * F pre o =
      prob (law (deploy psi pre)) (fun o => misled (nth nothing pre) (size pre) o).
    rewrite /prob [RHS]big_mkcond; apply: eq_bigr => o _; rewrite /F.
    by case: (misled _ _ _); rewrite ?mulr1 ?mulr0.
  rewrite /misled; case: (ltnP (goal (nth nothing pre) (size pre)) H) => gH /=; last first.
    by rewrite /prob big1 // ltW // exp_pos'.
  apply: (bonus_fails (S := S) x0 hP hrho) => // [past s a lt|h s a]; last by rewrite matrixE norm_feature.
  by rewrite /= /cut_off_chance -ltnS lt.
have := history_step nothing hl [::] step kK => h; apply: le_trans h.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /prob big_mkcond; apply: eq_bigr => h _.
rewrite /F /= size_takel; last by rewrite size_tuple ltnW.
rewrite (@misled_local k (nth nothing (take k h)) (nth nothing h)); last by move=> t tk; rewrite nth_take.
by case: (misled _ _ _); rewrite ?mulr1 ?mulr0.
Qed.

(* whatever the data, K1 deployments finish all layers: the count of violations knows nothing of the model *)
Theorem stops_in_time (w : nat -> O) (cK : R) :
  let l := (eps / (4%:R * H%:R * beta)) ^+ 2 in
  1 < cK -> l <= d%:R^-1 -> Rpower (cK / Rpower l cK) (/ (cK - 1))%coqR <= N%:R ->
  exists2 k, (k < floor (cK * d%:R * H%:R) + 1)%N & last_one phi beta eps s0 a0 w k.
Proof.
move=> l c1 ld hN.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have c0 : 0 < cK by apply: lt_trans ltr01 c1.
have l0 : 0 < l by rewrite /l exprn_gt0 // divr_gt0 // !mulr_gt0 ?ltr0n.
have l1 : l <= 1 by apply: le_trans ld _; rewrite invf_le1 ?ler1n // ltr0n.
have lE : l = eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) by rewrite /l; field; rewrite !gt_eqF.
have NR : 0 < N%:R :> R by rewrite ltr0n.
pose viol k h := violates (batches N (fun k => feature phi s0 a0 w k h)) (N%:R * l) k.
pose m := floor (cK * d%:R)%R.
have stop : (H <= goal w (m * H + 1)%N)%N.
  apply: (@stops (goal w) (finished_by phi beta eps s0 a0 w) viol) => //.
  - move=> i _ nf; have pL h : pd (matrix_of w i h) by apply: pd_before => j; exact: psd_gram.
    have [h hl hh] := @unfinished R_rcfType d N H beta eps _ _ _ H0 N0 beta0 (ltW eps0) pL nf.
    by exists h => //; rewrite /viol /violates mulrC -ler_pdivl_mulr // lE.
  - move=> j _; rewrite /viol /violates /before big_ord0 addr0 invmx1 mul1mx /batches /gram raddf_sum /=.
    apply: (@le_trans _ _ (\sum_(i < N) l)); first by rewrite sumr_const card_ord mulr_natl.
    apply: ler_sum => i _; rewrite tr_outer qfE; apply: le_trans ld _.
    by case/andP: (long j (cell s0 a0 w 0 j i).1 (cell s0 a0 w 0 j i).2).
  move=> j n _; have l01 : 0 < l <= 1 by rewrite l0.
  have h1 k i : sqnorm (feature phi s0 a0 w k j i) <= 1.
    by case/andP: (long j (cell s0 a0 w k j i).1 (cell s0 a0 w k j i).2).
  have [_ _ size] := res_sharp_potential n d0 N0 l01 h1.
  exact: le_floor (size cK c1 hN).
have ex : exists k, (H.-1 < goal w k)%N by exists (m * H + 1)%N; rewrite prednK.
case: (ex_minnP ex) => -[|k] kh kmin; first by [].
have kle : (goal w k <= H.-1)%N by rewrite leqNgt; apply/negP => /kmin; rewrite ltnn.
have fk : finished_by phi beta eps s0 a0 w k.
  by move: kh; rewrite goalS; case: (finished_by _ _ _ _ _ _ _) => //; rewrite addn0 ltnNge kle.
exists k; last first.
  rewrite /last_one fk andbT eqn_leq kle /= -ltnS; apply: leq_trans kh _.
  by rewrite goalS fk addn1.
have mH : (m * H <= floor (cK * d%:R * H%:R))%N.
  apply: le_floor; have cd : 0 <= cK * d%:R by rewrite mulr_ge0 ?ler0n // ltW.
  have le : (m * H)%N%:R <= cK * d%:R * H%:R.
    by rewrite natrM ler_wpmul2r ?ler0n //; exact: floor_below cd.
  exact: le.
have top : (k.+1 <= m * H + 1)%N by apply: kmin; rewrite prednK.
by apply: leq_trans top _; rewrite leq_add2r.
Qed.

Local Notation told w := (told_run phi theta beta eps s0 a0 w (hat w) (vec w)).

Section Conditions.
(* K deployments may be made, of which the first K1 matter; M is the number of marks of the grid *)
Variables (cK s delta : R) (K M : nat).
Let l := ((eps / (4%:R * H%:R * beta)) ^+ 2)%R.
Let K1 := (floor (cK * d%:R * H%:R) + 1)%N.
Hypothesis c1 : 1 < cK.
Hypothesis ld : l <= d%:R^-1.
Hypothesis hN : Rpower (cK / Rpower l cK) (/ (cK - 1))%coqR <= N%:R.
Hypothesis K1K : (K1 <= K)%N.
Hypothesis hM : (16 * d ^ 2 * (K1 * N) ^ 2 * H <= M)%N.
Hypothesis bM : beta ^+ 2 <= M%:R.
Hypothesis s_gt0 : 0 < s.
Hypothesis hb : 3%:R * H%:R * s + 1 + H%:R * Num.sqrt d%:R + Num.sqrt d%:R <= beta.
Hypothesis hdelta : (K1 * H * #|label d M|)%N%:R * exp (- s ^+ 2) + K1%:R * luck <= delta.

(* with probability at least 1 - delta the events of the first K1 deployments hold (Lemma C.4 and the test, repaired) *)
Theorem events_under_conditions (good : pred (K.-tuple O)) :
  (forall h : K.-tuple O, (forall k, (k < K1)%N -> (goal (nth nothing h) k < H)%N ->
     event N H P r rho phi beta eps (told (nth nothing h)) k) -> good h) ->
  1 - delta <= prob (fun h : K.-tuple O => history law psi [::] h) good.
Proof.
move=> hgood.
have hl g : is_law (law g) by exact: past_batch_is_law.
have K10 : (0 < K1)%N by rewrite /K1 addn1.
have HR : 0 < H%:R :> R by rewrite ltr0n.
pose I1 := [finType of 'I_K1 * ('I_H * label d M)]; pose I2 := [finType of 'I_K1].
pose w (h : K.-tuple O) := nth nothing h.
pose E1 (i : I1) (h : K.-tuple O) := (i.2.1.+1 < H)%N &&
  (s ^+ 2 < tested_sum P phi s0 a0 (w h) s i.1 i.2.1 i.2.2).
pose E2 (i : I2) (h : K.-tuple O) := misled (w h) i (w h i).
apply: (@le_trans _ _ (1 - (#|I1|%:R * exp (- s ^+ 2) + #|I2|%:R * luck))).
  rewrite ler_add2l ler_opp2; apply: le_trans hdelta.
  by rewrite /I1 /I2 !card_prod !card_ord mulnA.
apply: (run_union (E1 := E1) (E2 := E2)) => //.
- move=> [k [h j]]; case: (boolP (h.+1 < H)%N) => hH; last first.
    rewrite /prob big1 ?(ltW (exp_pos' _)) // => x; rewrite /E1 /= => /andP[lt _].
    by move: hH; rewrite lt.
  have kK : (k <= K)%N by apply: leq_trans K1K; exact: ltnW.
  have hV x : 0 <= tested H phi h j x <= H%:R by apply: candidate_range; exact: ler0n.
  have := test_fails (N := N) phi x0 hP hrho (s / H%:R)%R (point j.1) HR hV psi nothing (s ^+ 2)%R kK hH.
  move=> t; apply: le_trans t; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => x.
  by rewrite /E1 /= hH.
- by move=> k; apply: misled_prob; exact: leq_trans K1K.
move=> h n1 n2; apply: hgood; set W := nth nothing h; pose X := told W.
have passed k h' (j : label d M) : (k < K1)%N -> (h'.+1 < H)%N -> tested_sum P phi s0 a0 W s k h' j <= s ^+ 2.
  move=> kK hH; have hH' : (h' < H)%N by exact: ltnW.
  by have := n1 (Ordinal kK, (Ordinal hH', j)); rewrite /E1 /= hH /= -leNgt.
move=> k kK gH; split=> [h' y a hl'|].
  exact: (regressions_right hP hmu f1 mass hr hth (ltW beta0) H0 (hatE W) (vec_small W) (hat_near W) d0 N0 K10 hM bM
    s_gt0 hb passed y a kK gH hl').
have := n2 (Ordinal kK); rewrite /E2 /misled /= gH /= -leNgt => bon.
  apply: le_trans bon _; rewrite ler_add2r le_eqVlt; apply/orP; left; apply/eqP.
  rewrite /average_bonus /statistic; congr (_ / _); apply: eq_bigr => i _; congr (_ * _).
  apply: eq_bigr => h' _; rewrite /norm; congr (Num.sqrt (qf _ _)).
  by rewrite /data /= /algorithm.cell /row valK.
Qed.

(* Theorem C.6, repaired: the policy that finishes layer h is epsilon-optimal for the MDP truncated there, for every
   h *)
Theorem layers_under_conditions :
  1 - delta <= prob (fun h : K.-tuple O => history law psi [::] h) (fun h => [forall x : 'I_H, [exists k : 'I_K,
    [&& goal (nth nothing h) k == x, finished_by phi beta eps s0 a0 (nth nothing h) k &
      Jstar x.+1 P r rho a0 - eps <= J P r rho (det R_realFieldType (greedy_policy (nth nothing h) k)) x.+1]]]).
Proof.
apply: events_under_conditions => h; set W := nth nothing h; pose X := told W => ev.
have fo := told_greedy (N := N) (theta := theta) beta eps s0 a0 hth W (hatE W).
have [_ fin] := greedy_on_the_event d0 N0 H0 beta0 eps0 c1 hrho hP hr long ld hN fo ev.
apply/forallP => x; have [k [kK1 tk dk _ best]] := fin _ (ltn_ord x).
apply/existsP; exists (Ordinal (leq_trans kK1 K1K)); apply/and3P; split; [by apply/eqP|exact: dk|].
have := best _ (det_law _ (best_policy x.+1 P r a0)); rewrite J_best // => main.
by rewrite ler_subl_addr -ler_subl_addl.
Qed.

(* Theorem 4.1, repaired: the policy that is returned *)
Theorem layerwise_under_conditions :
  1 - delta <= success law psi (fun g => Jstar H P r rho a0 - eps <= J P r rho (det R_realFieldType g) H) K.
Proof.
rewrite success_prob; apply: events_under_conditions => h.
set W := nth nothing h; pose X := told W => ev.
have fo := told_greedy (N := N) (theta := theta) beta eps s0 a0 hth W (hatE W).
have [_ fin] := greedy_on_the_event d0 N0 H0 beta0 eps0 c1 hrho hP hr long ld hN fo ev.
have lastH : (H.-1 < H)%N by rewrite prednK.
have [k [kK1 tk dk _ _]] := fin _ lastH.
pose a := last_one phi beta eps s0 a0 W.
have ak : a k by rewrite /a /last_one; apply/andP; split; [apply/eqP; exact: tk|exact: dk].
set i := returned_index phi beta eps s0 a0 h.
have sz : size (iota 0 (size h)) = K by rewrite size_iota size_tuple.
have kK : (k < K)%N by exact: leq_trans K1K.
have hs : has a (iota 0 (size h)).
  by apply/hasP; exists k => //; rewrite mem_iota size_tuple.
have iK : (i < K)%N by rewrite -[X in (_ < X)%N]sz -has_find.
have iK' : (find a (iota 0 (size h)) < size h)%N by rewrite [X in (_ < X)%N]size_tuple.
have ai : a i by have := nth_find 0%N hs; rewrite (nth_iota _ _ iK') add0n.
have ik : (i <= k)%N.
  rewrite leqNgt; apply/negP => lt; have := before_find 0%N lt.
  by rewrite nth_iota ?size_tuple // add0n -/a ak.
have /andP[/eqP gi di] := ai.
have gH : (goal W i < H)%N by rewrite gi.
have ei := ev i (leq_ltn_trans ik kK1) gH.
have main := guarantee (mu := det R_realFieldType (best_policy H P r a0)) hrho H0 (ltW eps0) hP
  (det_law _ _) hr (fo i) ei gH di.
move: main; rewrite -[target _ _ _ _ _ _ _]/(goal W i) gi prednK // J_best //.
rewrite -[greedy X i]/(greedy_policy W i) => main.
by rewrite ler_subl_addr -ler_subl_addl.
Qed.
End Conditions.
End Success.
