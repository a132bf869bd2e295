(* Violations and deployments of Algorithm 1: inequality (9) and the count. *)
From derl.common Require Import prelude forms.
From derl.potential Require Import count.

Section Violation.
Variables (R : rcfType) (d : nat).

(* (sum x)^2 <= N sum x^2 *)
Lemma mean_square N (x : 'I_N -> R) : (\sum_i x i) ^+ 2 <= N%:R * (\sum_i x i ^+ 2).
Proof.
pose u : 'cV[R]_N := \col_i x i; pose v : 'cV[R]_N := const_mx 1.
have := cauchy u v (pd_psd (pd1 R N)); rewrite bil1 !qfE mulrC.
have -> : (u^T *m v) ord0 ord0 = \sum_i x i.
  by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE mulr1.
have -> : \sum_i v i ord0 ^+ 2 = N%:R.
  by under eq_bigr do rewrite mxE expr1n; rewrite sumr_const card_ord.
by have -> : \sum_i u i ord0 ^+ 2 = \sum_i x i ^+ 2 by apply: eq_bigr => i _; rewrite mxE.
Qed.

(* [eq-violation], whole: L = h_k layers, N trajectories with features phi h i;
   Delta is twice beta times the average over the trajectories of the sum of norms. *)
Theorem eq_violation (L H N : nat) (beta eps : R) (phi : nat -> nat -> 'cV[R]_d)
    (Lam : nat -> 'M[R]_d) :
  (0 < L)%N -> (0 < H)%N -> (0 < N)%N -> 0 < beta -> 0 <= eps ->
  (forall h, pd (Lam h)) ->
  eps * L%:R / (2%:R * H%:R) <=
    (\sum_(i < N) 2%:R * beta * (\sum_(h < L) Num.sqrt (qf (invmx (Lam h)) (phi h i)))) / N%:R ->
  exists2 h : 'I_L,
    eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) <=
      (\sum_(i < N) Num.sqrt (qf (invmx (Lam h)) (phi h i)) ^+ 2) / N%:R &
    (\sum_(i < N) Num.sqrt (qf (invmx (Lam h)) (phi h i)) ^+ 2) / N%:R =
      \tr (invmx (Lam h) *m gram N (phi h)) / N%:R.
Proof.
move=> L0 H0 N0 b0 e0 pL hD.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have LR : 0 < L%:R :> R by rewrite ltr0n.
pose x (h : nat) (i : nat) := Num.sqrt (qf (invmx (Lam h)) (phi h i)).
have x0 h i : 0 <= x h i by exact: sqrtr_ge0.
pose c := eps / (4%:R * H%:R * beta).
have c0 : 0 <= c by rewrite divr_ge0 // !mulr_ge0 ?ler0n // ltW.
have [h hh] : exists h : 'I_L, c * N%:R <= \sum_(i < N) x h i.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP no.
  move: hD; rewrite leNgt => /negP []; rewrite -mulr_sumr exchange_big /=.
  rewrite ltr_pdivr_mulr //.
  have lt1 : \sum_(h < L) \sum_(i < N) x h i < \sum_(h < L) c * N%:R.
    rewrite (bigD1 (Ordinal L0)) //= [ltRHS](bigD1 (Ordinal L0)) //=; apply: ltr_le_add.
      by rewrite ltNge; exact: (no (Ordinal L0)).
    by apply: ler_sum => h _; rewrite leNgt; apply/negP => lt; move: (no h); rewrite ltW.
  rewrite sumr_const card_ord in lt1.
  have b2 : 0 < 2%:R * beta by rewrite mulr_gt0 ?ltr0n.
  move: lt1; rewrite -(ltr_pmul2l b2) => lt1; apply: lt_le_trans lt1 _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by rewrite -mulr_natr /c; field; rewrite !gt_eqF.
exists h; last first.
  congr (_ / _); rewrite /gram mulmx_sumr raddf_sum; apply: eq_bigr => i _ /=.
  by rewrite tr_mul_outer sqr_sqrtr // qfi_ge0.
have ms := mean_square (fun i : 'I_N => x h i).
have cc : (c * N%:R) ^+ 2 <= (\sum_(i < N) x h i) ^+ 2.
  apply: ler_expn2r => //; rewrite nnegrE; first by rewrite mulr_ge0 ?ler0n.
  by apply: sumr_ge0 => i _; exact: x0.
rewrite ler_pdivl_mulr // -(ler_pmul2l NR); apply: le_trans ms; apply: le_trans cc.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by rewrite /c; field; rewrite !gt_eqF.
Qed.
End Violation.

(* [ineq-deployment-count]: deployment k works on layer `layer k` (counted from 0); it
   finishes the layer, or it sees a violation in some layer up to it; at most m
   violations a layer; the first deployment has one in every layer.  Then the
   deployment that finishes layer h is among the first m (h + 1) + 1. *)
Section Count.
Variables (layer : nat -> nat) (fin : nat -> bool) (viol : nat -> nat -> bool).

Theorem ineq_deployment_count (m h k : nat) :
  layer 0 = 0%N -> (forall i, layer i.+1 = layer i + fin i)%N ->
  (forall i, ~~ fin i -> exists2 j, (j <= layer i)%N & viol i j) ->
  (forall j, viol 0 j) ->
  (forall j n, \sum_(i < n) viol i j <= m)%N ->
  layer k = h -> fin k -> (k.+1 <= m * h.+1 + 1)%N.
Proof.
move=> l0 lS hf v0 hm lk fk.
have lay n : (layer n = \sum_(i < n) fin i)%N.
  by elim: n => [|n IH]; rewrite ?big_ord0 // big_ord_recr lS IH.
have mono n : (layer n <= layer n.+1)%N by rewrite lS leq_addr.
have monoK i : (i <= k)%N -> (layer i <= h)%N.
  move=> ik; rewrite -lk -(subnKC ik); elim: (k - i)%N => [|t IH]; first by rewrite addn0.
  by rewrite addnS; exact: leq_trans IH (mono _).
pose E := (\sum_(i < k.+1) \sum_(j < h.+1) viol i j)%N.
have Eup : (E <= m * h.+1)%N.
  rewrite /E exchange_big /=; apply: (@leq_trans (\sum_(j < h.+1) m)%N).
    by apply: leq_sum => j _; exact: hm.
  by rewrite sum_nat_const card_ord mulnC.
(* deployments that do not finish a layer *)
have one i : (i <= k)%N -> (~~ fin i <= \sum_(j < h.+1) viol i j)%N.
  move=> ik; case fi: (fin i) => //=; have [j jl vj] := hf i (negbT fi).
  have jh : (j < h.+1)%N by rewrite ltnS; exact: leq_trans jl (monoK _ ik).
  by rewrite (bigD1 (Ordinal jh)) //= vj.
have first : (\sum_(j < h.+1) viol 0 j = h.+1)%N.
  by under eq_bigr do rewrite v0; rewrite sum_nat_const card_ord muln1.
have Elow : (h.+1 + \sum_(i < k) ~~ fin i.+1 <= E)%N.
  rewrite /E big_ord_recl first leq_add2l; apply: leq_sum => i _.
  by rewrite lift0; exact: one.
have split n : (\sum_(i < n) ~~ fin i + \sum_(i < n) fin i = n)%N.
  rewrite -big_split /= -[RHS]card_ord -sum1_card; apply: eq_bigr => i _.
  by case: (fin i).
have tot := split k.+1; rewrite -lay lS lk fk addn1 big_ord_recl /= in tot.
have eqs : (\sum_(i < k) ~~ fin (bump 0 i) = \sum_(i < k) ~~ fin i.+1)%N.
  by apply: eq_bigr => i _.
rewrite eqs in tot; rewrite -tot.
have f0 : (~~ fin 0 <= 1)%N by exact: leq_b1.
move: Elow Eup f0; move: (\sum_(i < k) _)%N (nat_of_bool (~~ fin 0)) => s f lo up f0.
rewrite -addnA [(s + _)%N]addnC addnC; apply: leq_add => //; exact: leq_trans lo up.
Qed.
End Count.
