"""Diagonal matrices of order two and ratios in a field with roots: for evaluations in which norms appear."""

DIAGONAL = """From Coq Require Reals.
From mathcomp Require ring.
From mathcomp.analysis Require Import Rstruct.
From derl.layerwise Require run theorem cap count_attained constants.
From derl.arbitrary Require theorem_r.
From derl.analysis Require blow_up perturbation regression_bias.
From derl.reward_free Require event violation sizes.
From derl.comparison Require totals.
From derl.algorithm_one Require trajectory_law algorithm optimal grid values certainty.
From derl.foundations Require policies.
From derl.complexity Require definition upper hidden_arm unknown_rewards.
From derl.algorithm_two Require mixtures algorithm loop exploration controls.
From derl.reachability Require chain coefficient span design examples factor.
Notation real := R_rcfType.
Import ring.
Section Diagonal.
Variable F : rcfType.
Definition v2 (x y : F) : 'cV[F]_2 := \\col_i (if i == 0 then x else y).
Definition dg (x y : F) : 'M[F]_2 := \\matrix_(i, j) (if i == j then (if i == 0 then x else y) else 0).
Lemma dg_inv x y : x != 0 -> y != 0 -> invmx (dg x y) = dg x^-1 y^-1.
Proof.
move=> x0 y0; have e : dg x y *m dg x^-1 y^-1 = 1%:M.
  by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE !big_ord_recl big_ord0 !mxE /=;
    rewrite ?mul0r ?mulr0 ?addr0 ?add0r ?mulfV.
by have [u _] := mulmx1_unit e; rewrite -[LHS]mulmx1 -e mulKmx.
Qed.
Lemma dg_qf x y a b : qf (dg x y) (v2 a b) = x * a ^+ 2 + y * b ^+ 2.
Proof. by rewrite /qf /bil !mxE !big_ord_recl big_ord0 !mxE !big_ord_recl !big_ord0 !mxE /=; ring. Qed.
Lemma dg_add x y a b : dg x y + dg a b = dg (x + a) (y + b).
Proof. by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE /= ?addr0. Qed.
Lemma dg_1 : 1%:M = dg 1 1.
Proof. by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE. Qed.
Lemma dg_opp x y : dg (- x) (- y) = - dg x y.
Proof. by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE /= ?oppr0. Qed.
Lemma dg_scale c x y : c *: dg x y = dg (c * x) (c * y).
Proof. by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite !mxE /= ?mulr0. Qed.
Lemma v2_of (x : 'cV[F]_2) : v2 (x ord0 ord0) (x (lift ord0 ord0) ord0) = x.
Proof.
by apply/matrixP => -[[|[|?]] ?] // j; rewrite !mxE (ord1 j) /=; congr (x _ _); apply/val_inj.
Qed.
Lemma dg_outer1 a : outer (v2 a 0) = dg (a ^+ 2) 0.
Proof.
by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite /outer !mxE big_ord_recl big_ord0 !mxE /= ?mulr0 ?mul0r
  ?addr0.
Qed.
Lemma dg_outer2 b : outer (v2 0 b) = dg 0 (b ^+ 2).
Proof.
by apply/matrixP => -[[|[|?]] ?] // -[[|[|?]] ?] //; rewrite /outer !mxE big_ord_recl big_ord0 !mxE /= ?mulr0 ?mul0r
  ?addr0.
Qed.
Lemma v2_dot x y a b : ((v2 x y)^T *m v2 a b) ord0 ord0 = x * a + y * b.
Proof. by rewrite !mxE !big_ord_recl big_ord0 !mxE /= addr0. Qed.
Lemma v2_scale c x y : c *: v2 x y = v2 (c * x) (c * y).
Proof. by apply/matrixP => i j; rewrite !mxE; case: ifP. Qed.
Lemma v2_add x y a b : v2 x y + v2 a b = v2 (x + a) (y + b).
Proof. by apply/matrixP => i j; rewrite !mxE; case: ifP. Qed.
Lemma dg_v2 x y a b : dg x y *m v2 a b = v2 (x * a) (y * b).
Proof.
by apply/matrixP => -[[|[|?]] ?] // j; rewrite !mxE !big_ord_recl big_ord0 !mxE /= !mul0r ?addr0 ?add0r.
Qed.
Lemma root_is (x y : F) : 0 <= y -> x = y ^+ 2 -> Num.sqrt x = y.
Proof. by move=> h ->; rewrite sqrtr_sqr ger0_norm. Qed.
Lemma le_by (x y : F) p q : y - x = p%:R / q%:R -> x <= y.
Proof. by move=> h; rewrite -subr_ge0 h divr_ge0 ?ler0n. Qed.
Lemma lt_by (x y : F) p q : (0 < p)%N -> (0 < q)%N -> y - x = p%:R / q%:R -> x < y.
Proof. by move=> p0 q0 h; rewrite -subr_gt0 h divr_gt0 ?ltr0n. Qed.
End Diagonal.
Lemma best_is (a b : bool) (q : bool -> real) : q (~~ b) < q b -> derl.algorithm_one.algorithm.best a q = b.
Proof.
move=> h; have := derl.algorithm_one.algorithm.best_max a q b; set c := derl.algorithm_one.algorithm.best a q => le.
apply/eqP; apply: contraTT h => ne; have -> : ~~ b = c by case: (c) (b) ne => -[].
by rewrite -leNgt.
Qed.
Lemma best_value_is (S : finType) (P : nat -> S -> bool -> S -> real) r h k (s : S) (b : bool) x y :
  r h s b + \\sum_s' P h s b s' * derl.algorithm_one.optimal.best_value P r true h.+1 k s' = y ->
  r h s (~~ b) + \\sum_s' P h s (~~ b) s' * derl.algorithm_one.optimal.best_value P r true h.+1 k s' = x ->
  x < y -> derl.algorithm_one.optimal.best_value P r true h k.+1 s = y.
Proof.
move=> hy hx lt; pose q a := r h s a + \\sum_s' P h s a s' * derl.algorithm_one.optimal.best_value P r true h.+1 k s'.
by rewrite -[LHS]/(q (derl.algorithm_one.algorithm.best true q)) (@best_is true b q) // /q hx hy.
Qed.
Lemma candidate_bool (S : finType) d (f : S -> bool -> 'cV[real]_d) rew top x B s :
  derl.algorithm_one.values.candidate f rew top x B s =
    Num.max (derl.algorithm_one.values.level_of f rew top x B s true)
      (Num.max (derl.algorithm_one.values.level_of f rew top x B s false) 0).
Proof.
rewrite /derl.algorithm_one.values.candidate BigOp.bigopE.
by rewrite (_ : index_enum _ = [:: true; false]) // /index_enum !locked_withE Finite.EnumDef.enumDef.
Qed.
Lemma find2 (p : pred nat) : find p (iota 0 2) = if p 0%N then 0%N else if p 1%N then 1%N else 2%N.
Proof. by rewrite /=; case: (p 0%N); case: (p 1%N). Qed.
Lemma real_root (x y : real) : 0 <= y -> x = y ^+ 2 -> R_sqrt.sqrt x = y.
Proof. by move=> h ->; rewrite expr2; apply: R_sqrt.sqrt_square; apply/RleP. Qed.
Ltac nonzero := rewrite ?mulf_neq0 ?invr_eq0 ?pnatr_eq0 ?oner_eq0 //.
Ltac whole := by field; rewrite ?pnatr_eq0.
"""
