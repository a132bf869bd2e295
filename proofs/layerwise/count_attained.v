(* Counting deployments, whole: the two inequalities, and histories that attain the bound. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

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

(* [ineq-deployment-count], whole: deployment k, the claim's number k + 1, finishes layer h, the
   claim's layer h + 1; B bounds the violations of a layer, which is c_K d.  The last part: for
   every m >= 1 there is a history with exactly m violations in each layer before it finishes
   layer h, and it does so at the claim's number m (h + 1) + 1. *)
Theorem ineq_deployment_count_whole (R : realFieldType) :
  (forall layer fin viol, deployment_history layer fin viol -> forall h k (B : R),
     layer k = h -> fin k -> (forall j, j <= h -> ((zeta viol k j)%:R <= B)%R) ->
     k.+1 <= \sum_(j < h.+1) zeta viol k j - h + h.+1 /\
     ((\sum_(j < h.+1) zeta viol k j - h + h.+1)%:R <= B * h.+1%:R + 1 :> R)%R) /\
  forall m, 0 < m -> exists layer fin viol, deployment_history layer fin viol /\
    forall h, exists k, [/\ layer k = h, fin k, forall j, j <= h -> zeta viol k j = m & k.+1 = m * h.+1 + 1].
Proof.
split.
  move=> layer fin viol hist h k B lk fk hB.
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
have [_ /(_ 1 isT) [layer [fin [viol [hist /(_ 0) [k [lk fk z kE]]]]]]] := ineq_deployment_count_whole rat_realFieldType.
move=> /(_ _ _ _ hist 0 k 1 lk fk) h; have := h (fun j jh => eq_leq (z j jh)).
by rewrite kE.
Qed.
