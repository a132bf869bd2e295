(* Algorithm 1 stops: the count of deployments for any data. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.layerwise Require Import deployments.

(* deployment i works on layer `layer i` (from 0); it finishes it, or sees a violation in a
   layer up to it; at most m violations a layer, one of them at the first deployment; then
   all H layers are finished after m H + 1 deployments *)
Lemma stops (layer : nat -> nat) (fin : nat -> bool) (viol : nat -> nat -> bool) (m H : nat) :
  layer 0%N = 0%N -> (forall i, layer i.+1 = layer i + fin i)%N ->
  (forall i, (layer i < H)%N -> ~~ fin i -> exists2 j, (j <= layer i)%N & viol i j) ->
  (forall j, (j < H)%N -> viol 0%N j) ->
  (forall j n, (j < H)%N -> \sum_(i < n) viol i j <= m)%N ->
  (H <= layer (m * H + 1)%N)%N.
Proof.
move=> l0 lS hf v0 hm; rewrite leqNgt; apply/negP => lt.
have mono n : (layer n <= layer n.+1)%N by rewrite lS leq_addr.
have monoK i : (i <= m * H + 1)%N -> (layer i < H)%N.
  move=> iK; apply: leq_ltn_trans lt; rewrite -(subnKC iK); elim: (_ - i)%N => [|t IH].
    by rewrite addn0.
  by rewrite addnS; exact: leq_trans IH (mono _).
have lay n : (layer n = \sum_(i < n) fin i)%N.
  by elim: n => [|n IH]; rewrite ?big_ord0 // big_ord_recr lS IH.
pose E := (\sum_(i < m * H + 1) \sum_(j < H) viol i j)%N.
have Eup : (E <= m * H)%N.
  rewrite /E exchange_big /=; apply: (@leq_trans (\sum_(j < H) m)%N).
    by apply: leq_sum => j _; apply: hm.
  by rewrite sum_nat_const card_ord mulnC.
have one i : (i <= m * H + 1)%N -> (~~ fin i <= \sum_(j < H) viol i j)%N.
  move=> iK; case fi: (fin i) => //=; have lH := monoK _ iK.
  have [j jl vj] := hf i lH (negbT fi); have jH : (j < H)%N by exact: leq_ltn_trans jl lH.
  by rewrite (bigD1 (Ordinal jH)) //= vj.
have first : (\sum_(j < H) viol 0%N j = H)%N.
  under eq_bigr => j _ do rewrite v0 ?ltn_ord //.
  by rewrite sum_nat_const card_ord muln1.
have Elow : (H + \sum_(i < m * H) ~~ fin i.+1 <= E)%N.
  rewrite /E addn1 big_ord_recl first leq_add2l; apply: leq_sum => i _.
  by rewrite lift0; apply: one; rewrite addn1 ltnS ltnW.
have tot : (\sum_(i < m * H) ~~ fin i.+1 + \sum_(i < m * H) fin i.+1 = m * H)%N.
  rewrite -big_split /= -[RHS]card_ord -sum1_card; apply: eq_bigr => i _.
  by case: (fin _).
have fl : (\sum_(i < m * H) fin i.+1 < H)%N.
  apply: leq_ltn_trans lt; rewrite lay addn1 big_ord_recl.
  by apply: leq_trans (leq_addl _ _); apply: leq_sum => i _; rewrite lift0.
move: Elow Eup tot fl; move: (\sum_(i < m * H) ~~ _)%N (\sum_(i < m * H) fin _)%N => x y.
move: (m * H)%N => z lo up xy yH; have := leq_trans lo up.
by rewrite -xy addnC leq_add2l leqNgt yH.
Qed.

Section Test.
Variables (F : rcfType) (d N H : nat) (beta eps : F).
(* Delta for the layers 0, ..., l, with the covariances Lam and the features phi h i *)
Definition statistic (Lam : nat -> 'M[F]_d) (phi : nat -> nat -> 'cV[F]_d) (l : nat) : F :=
  (\sum_(i < N) 2%:R * beta * (\sum_(h < l.+1) Num.sqrt (qf (invmx (Lam h)) (phi h i)))) / N%:R.
(* the test that finishes layer l *)
Definition finished Lam phi (l : nat) : bool := statistic Lam phi l < eps * l.+1%:R / (2%:R * H%:R).

Lemma unfinished Lam phi l : (0 < H)%N -> (0 < N)%N -> 0 < beta -> 0 <= eps -> (forall h, pd (Lam h)) ->
  ~~ finished Lam phi l -> exists2 h, (h <= l)%N &
    eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) <= \tr (invmx (Lam h) *m gram N (phi h)) / N%:R.
Proof.
move=> H0 N0 b0 e0 pL; rewrite /finished /statistic -leNgt => hD.
have [h hh hE] := eq_violation (ltn0Sn l) H0 N0 b0 e0 pL hD.
by exists h; [rewrite -ltnS|rewrite -hE].
Qed.
End Test.

(* A run of Algorithm 1: phi k h i is the feature of layer h (from 0) in trajectory i of
   deployment k, whatever the policies are. *)
Section Run.
Variables (d N H : nat) (phi : nat -> nat -> nat -> 'cV[R]_d) (beta eps : R).
(* the covariance of layer h before deployment k *)
Definition covariance k h : 'M[R]_d := before (batches N (fun k => phi k h)) k.
(* deployment k finishes the layer l *)
Definition finishes k l : bool := @finished R_rcfType d N H beta eps (covariance k) (phi k) l.
(* the layer of deployment k *)
Fixpoint layer k : nat := if k is k'.+1 then (layer k' + finishes k' (layer k'))%N else 0%N.

(* [res-sample-efficient-curve], whole: the level is l = (eps / (4 H beta))^2 *)
Theorem res_sample_efficient_curve (xs : R) :
  (0 < d)%N -> (0 < N)%N -> (0 < H)%N -> 0 < beta -> 0 < eps ->
  (forall k h i, d%:R^-1 <= sqnorm (phi k h i) <= 1) ->
  let l := (eps / (4%:R * H%:R * beta)) ^+ 2 in
  l <= d%:R^-1 -> largest (allowed (N%:R * l) (INR N)) xs ->
  (H <= layer (H * Z.to_nat (Int_part (INR d * xs)%coqR) + 1))%N.
Proof.
move=> d0 N0 H0 b0 e0 hphi l ld hxs.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have dR : 0 < d%:R :> R by rewrite ltr0n.
have l0 : 0 < l by rewrite /l exprn_gt0 // divr_gt0 // !mulr_gt0 ?ltr0n.
have l1 : l <= 1 by apply: le_trans ld _; rewrite invf_le1 // ler1n.
have lE : l = eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) by rewrite /l; field; rewrite !gt_eqF.
pose viol k h := violates (batches N (fun k => phi k h)) (N%:R * l) k.
rewrite mulnC; apply: (@stops layer (fun k => finishes k (layer k)) viol) => //.
- move=> k _ nf; have pL h : pd (covariance k h) by apply: pd_before => j; exact: psd_gram.
  have [h hl hh] := @unfinished R_rcfType d N H beta eps _ _ _ H0 N0 b0 (ltW e0) pL nf.
  by exists h => //; rewrite /viol /violates mulrC -ler_pdivl_mulr // lE.
- move=> h _; rewrite /viol /violates /before big_ord0 addr0 invmx1 mul1mx /batches /gram raddf_sum /=.
  apply: (@le_trans _ _ (\sum_(i < N) l)).
    by rewrite sumr_const card_ord mulr_natl.
  apply: ler_sum => i _; rewrite tr_outer qfE; apply: le_trans ld _.
  by case/andP: (hphi 0%N h i).
- move=> h n _.
  have l01 : 0 < l <= 1 by rewrite l0.
  have h1 k i : sqnorm (phi k h i) <= 1 by case/andP: (hphi k h i).
  have [_ /(_ xs hxs) bound _] := res_sharp_potential n d0 N0 l01 h1.
  rewrite -[X in (X <= _)%N]/(violations (batches N (fun k => phi k h)) (N%:R * l) n).
  move: bound; set v := violations _ _ _; set z := Int_part _ => bound.
  by apply/ssrnat.leP; lia.
Qed.
End Run.

(* control: m H deployments are not enough; one layer, one violation, at the first deployment *)
Theorem stops_control : ~ (forall (layer : nat -> nat) (fin : nat -> bool) (viol : nat -> nat -> bool) (m H : nat),
  layer 0%N = 0%N -> (forall i, layer i.+1 = layer i + fin i)%N ->
  (forall i, (layer i < H)%N -> ~~ fin i -> exists2 j, (j <= layer i)%N & viol i j) ->
  (forall j, (j < H)%N -> viol 0%N j) ->
  (forall j n, (j < H)%N -> \sum_(i < n) viol i j <= m)%N -> (H <= layer (m * H)%N)%N).
Proof.
move=> /(_ (fun i => (1 < i)%N : nat) (fun i => i == 1%N) (fun i _ => i == 0%N) 1%N 1%N erefl) h.
suff : (1 <= ((1 < 1 * 1)%N : nat))%N by [].
apply: h => //.
- by case=> [|[|i]].
- by case=> [|[|i]] //= _ _; exists 0%N.
- move=> j [|n] _; first by rewrite big_ord0.
  by rewrite big_ord_recl big1.
Qed.
