(* Counting deployments, whole: the two inequalities for every run of Algorithm 1, and histories that attain the
   bound. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.layerwise Require Import run.
Local Close Scope ring_scope.

(* A history of Algorithm 1 as far as it is counted: deployment i works on layer `layer i`
   (both counted from 0), `fin i` says that it finishes this layer, `viol i j` that (9)
   happens in layer j.  A deployment that does not finish its layer sees (9) in some layer up
   to it; the first one, whose covariances are I, sees it in every layer. *)
Definition deployment_history (layer : nat -> nat) (fin : nat -> bool) (viol : nat -> nat -> bool) :=
  [/\ layer 0 = 0, forall i, layer i.+1 = layer i + fin i,
      forall i, ~~ fin i -> exists2 j, j <= layer i & viol i j & forall j, viol 0 j].
(* the number of deployments before deployment k at which (9) happens in layer j *)
Definition zeta (viol : nat -> nat -> bool) k j : nat := \sum_(i < k) viol i j.

Section Count.
Variables (layer : nat -> nat) (fin : nat -> bool) (viol : nat -> nat -> bool).
Hypothesis hist : deployment_history layer fin viol.

Lemma layer_sum n : layer n = \sum_(i < n) fin i.
Proof. by have [l0 lS _ _] := hist; elim: n => [|n IH]; rewrite ?big_ord0 // big_ord_recr lS IH. Qed.

Lemma layer_mono i k : i <= k -> layer i <= layer k.
Proof.
have [_ lS _ _] := hist; move=> ik; rewrite -(subnKC ik); elim: (k - i) => [|t IH]; first by rewrite addn0.
by rewrite addnS lS; apply: leq_trans IH (leq_addr _ _).
Qed.

(* the deployments before k that do not finish a layer *)
Lemma open_count k : \sum_(i < k) ~~ fin i + layer k = k.
Proof.
rewrite layer_sum -big_split /= -[RHS]card_ord -sum1_card; apply: eq_bigr => i _.
by case: (fin i).
Qed.

Lemma zeta_count k h : layer k = h -> 0 < k -> h.+1 + \sum_(i < k) ~~ fin i <= \sum_(j < h.+1) zeta viol k j + 1.
Proof.
have [l0 lS hf v0] := hist; move=> lk k0; case: k k0 lk => // k _ lk.
rewrite /zeta exchange_big /= [X in _ + X <= _]big_ord_recl [X in _ <= X + _]big_ord_recl /=.
have -> : \sum_(j < h.+1) viol 0 j = h.+1.
  by under eq_bigr do rewrite v0; rewrite sum_nat_const card_ord muln1.
rewrite -!addnA leq_add2l addnC leq_add ?leq_b1 //; apply: leq_sum => i _.
case fi : (fin (bump 0 i)) => //=; have [j jl vj] := hf _ (negbT fi).
have jh : j < h.+1.
  rewrite ltnS -lk; apply: leq_trans jl (layer_mono _); rewrite /bump /=; have := ltn_ord i; lia.
by rewrite (bigD1 (Ordinal jh)) //= vj.
Qed.
End Count.

(* the violations of layer j in h blocks of m deployments, the last of each block without one *)
Lemma block_count m h j : 0 < m -> \sum_(0 <= i < h * m) ((i %/ m == j) && ~~ (m %| i.+1)) = (j < h) * m.-1.
Proof.
move=> m0; elim: h => [|h IH]; first by rewrite mul0n big_geq.
rewrite mulSn addnC (@big_cat_nat _ _ _ (h * m)) ?leq_addr //= IH -{1}[h * m]add0n big_addn addKn.
rewrite (eq_big_nat _ _ (F2 := fun i => ((h == j) && (i.+1 != m) : nat))) => [|i /andP[_ im]]; last first.
  rewrite [i + _]addnC divnMDl // divn_small // addn0 -addnS dvdn_addr ?dvdn_mull //; congr (nat_of_bool (_ && ~~ _)).
  by apply/idP/eqP => [/dvdn_leq le|->//]; apply/eqP; rewrite eqn_leq im le.
case: m m0 {IH} => // m _; rewrite big_nat_recr //= eqxx andbF addn0.
rewrite (eq_big_nat _ _ (F2 := fun=> (h == j : nat))) => [|i /andP[_ im]].
  by rewrite sum_nat_const_nat subn0 ltnS [h == j]eq_sym [j <= h]leq_eqVlt; case: (ltngtP j h) => _ /=;
    rewrite ?muln0 ?muln1 ?mul0n ?mul1n ?addn0 ?add0n.
by rewrite eqSS (ltn_eqF im) andbT.
Qed.

(* the two inequalities, for what is counted of a run; B bounds the violations of a layer *)
Lemma history_count (R : realFieldType) layer fin viol : deployment_history layer fin viol -> forall h k (B : R),
  layer k = h -> fin k -> (forall j, j <= h -> ((zeta viol k j)%:R <= B)%R) ->
  k.+1 <= \sum_(j < h.+1) zeta viol k j - h + h.+1 /\
  ((\sum_(j < h.+1) zeta viol k j - h + h.+1)%:R <= B * h.+1%:R + 1 :> R)%R.
Proof.
move=> hist h k B lk fk hB.
have cnt := open_count hist k; rewrite lk in cnt.
have sB : ((\sum_(j < h.+1) zeta viol k j)%:R <= B * h.+1%:R :> R)%R.
  rewrite natr_sum; apply: (@le_trans _ _ (\sum_(j < h.+1) B)%R); last by rewrite sumr_const card_ord mulr_natr.
  by apply: ler_sum => j _; apply: hB; rewrite -ltnS.
case: (posnP k) => [k0|k0].
  have h0 : h = 0 by rewrite -lk k0; case: hist.
  have z : \sum_(j < h.+1) zeta viol k j = 0 by rewrite big1 // => j _; rewrite /zeta k0 big_ord0.
  rewrite z k0 h0 /=; split=> //; rewrite ler_addr.
  by move: sB; rewrite z h0.
have zc := zeta_count hist lk k0.
have hz : h <= \sum_(j < h.+1) zeta viol k j by move: zc; clear; lia.
split; first by move: zc cnt hz; clear; lia.
by rewrite addnS subnK // -addn1 natrD ler_add2r.
Qed.

(* a run of Algorithm 1 is such a history, if features have a squared length between 1/d and 1 and the level of (9),
   l = (eps / (4 H beta))^2, is at most 1/d *)
Lemma run_history (d N H : nat) (phi : nat -> nat -> nat -> 'cV[R]_d) (beta eps : R) :
  0 < d -> 0 < N -> 0 < H -> (0 < beta)%R -> (0 < eps)%R -> (forall k h i, d%:R^-1 <= sqnorm (phi k h i) <= 1)%R ->
  let l := ((eps / (4%:R * H%:R * beta)) ^+ 2)%R in (l <= d%:R^-1)%R ->
  deployment_history (layer N H phi beta eps) (fun k => finishes N H phi beta eps k (layer N H phi beta eps k))
    (fun k h => violates (batches N (fun k => phi k h)) (N%:R * l)%R k).
Proof.
move=> d0 N0 H0 b0 e0 hphi l ld; have lE : l = (eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2))%R.
  by rewrite /l; field; rewrite !gt_eqF ?ltr0n.
split=> // [k nf|h].
  have pL h : pd (covariance N phi k h) by apply: pd_before => j; exact: psd_gram.
  have [h hl hh] := @unfinished R_rcfType d N H beta eps _ _ _ H0 N0 b0 (ltW e0) pL nf.
  by exists h => //; rewrite /violates mulrC -ler_pdivl_mulr ?ltr0n // lE.
rewrite /violates /before big_ord0 addr0 invmx1 mul1mx /batches /gram raddf_sum /=.
apply: (@le_trans _ _ (\sum_(i < N) l)%R).
  by rewrite sumr_const card_ord mulr_natl.
apply: ler_sum => i _; rewrite tr_outer qfE; apply: le_trans ld _.
by case/andP: (hphi 0 h i).
Qed.

(* [ineq-deployment-count], whole: in every run of Algorithm 1 with the batch size of the potential lemma, deployment k,
   the claim's number k + 1, finishes layer h, the claim's layer h + 1; c is c_K.  (9) in layer j is `violates`: the
   trace is at least N l with l = (eps / (4 H beta))^2.  The last part: for every m >= 1 there is a history with exactly
   m violations in each layer before it finishes layer h, and it does so at the claim's number m (h + 1) + 1. *)
Theorem ineq_deployment_count_whole :
  (forall (d N H : nat) (phi : nat -> nat -> nat -> 'cV[R]_d) (beta eps c : R),
     0 < d -> 0 < N -> 0 < H -> (0 < beta)%R -> (0 < eps)%R -> (1 < c)%R ->
     (forall k h i, d%:R^-1 <= sqnorm (phi k h i) <= 1)%R ->
     let l := ((eps / (4%:R * H%:R * beta)) ^+ 2)%R in (l <= d%:R^-1)%R ->
     (Rpower (c / Rpower l c) (/ (c - 1)) <= N%:R)%R ->
     let viol k h := violates (batches N (fun k => phi k h)) (N%:R * l)%R k in
     forall h k, layer N H phi beta eps k = h -> finishes N H phi beta eps k h ->
     k.+1 <= \sum_(j < h.+1) zeta viol k j - h + h.+1 /\
     ((\sum_(j < h.+1) zeta viol k j - h + h.+1)%:R <= c * d%:R * h.+1%:R + 1 :> R)%R) /\
  forall m, 0 < m -> exists layer fin viol, deployment_history layer fin viol /\
    forall h, exists k, [/\ layer k = h, fin k, forall j, j <= h -> zeta viol k j = m & k.+1 = m * h.+1 + 1].
Proof.
split.
  move=> d N H phi beta eps c d0 N0 H0 b0 e0 c1 hphi l ld size viol h k lk fk.
  have hist := run_history d0 N0 H0 b0 e0 hphi ld.
  apply: (history_count hist lk); first by rewrite lk.
  move=> j _; have l0 : (0 < l)%R by rewrite exprn_gt0 // divr_gt0 // !mulr_gt0 ?ltr0n.
  have l01 : (0 < l <= 1)%R.
    by rewrite l0; apply: le_trans ld _; rewrite invf_le1 ?ler1n ?ltr0n.
  have h1 k' i : (sqnorm (phi k' j i) <= 1)%R by case/andP: (hphi k' j i).
  by have [_ _ /(_ c c1 size)] := res_sharp_potential k d0 N0 l01 h1.
move=> m m0.
pose layer i := i.-1 %/ m; pose fin i := (0 < i) && (m %| i).
pose viol i j := (i == 0) || ((i.-1 %/ m == j) && ~~ (m %| i)).
have hist : deployment_history layer fin viol.
  split=> [|i|i|j] //; first by rewrite /layer div0n.
  - rewrite /layer /fin /=; case: i => [|i] /=; first by rewrite div0n.
    by rewrite divnS // addnC.
  - rewrite /fin /viol; case: i => [|i] /=; first by exists 0.
    by move=> nf; exists (i %/ m); rewrite ?leqnn // eqxx nf.
exists layer, fin, viol; split=> // h; exists (m * h.+1).
have pk : 0 < m * h.+1 by rewrite muln_gt0 m0.
have lay : layer (m * h.+1) = h.
  rewrite /layer; have -> : (m * h.+1).-1 = h * m + m.-1 by move: m0; rewrite mulnS mulnC; lia.
  by rewrite divnMDl // divn_small ?addn0 // prednK.
split=> //; first by rewrite /fin pk dvdn_mulr.
  move=> j jh; rewrite /zeta; have := block_count h.+1 j m0; rewrite ltnS jh mul1n mulnC big_mkord => cnt.
  case: (m * h.+1) pk cnt (dvdn_mulr h.+1 (dvdnn m)) => // n _ cnt dv.
  rewrite big_ord_recr /= dv andbF addn0 in cnt; rewrite big_ord_recl -[RHS](prednK m0) -cnt add1n.
  by congr _.+1; apply: eq_bigr.
by rewrite addn1.
Qed.

(* control: without the one more it is false; m = 1 *)
Theorem ineq_deployment_count_control : ~ (forall layer fin viol, deployment_history layer fin viol ->
  forall h k m, layer k = h -> fin k -> (forall j, j <= h -> zeta viol k j <= m) -> k.+1 <= m * h.+1).
Proof.
have [_ /(_ 1 isT) [layer [fin [viol [hist /(_ 0) [k [lk fk z kE]]]]]]] := ineq_deployment_count_whole.
move=> /(_ _ _ _ hist 0 k 1 lk fk) h; have := h (fun j jh => eq_leq (z j jh)).
by rewrite kE.
Qed.
