(* The reachability coefficient: the chain of inequalities. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Chain.
Variables (R : rcfType) (T : finType).

(* (E |f|)^2 <= E f^2 *)
Lemma mean_abs_square (p f : T -> R) : is_law p ->
  mean p (fun t => `|f t|) <= Num.sqrt (mean p (fun t => f t ^+ 2)).
Proof.
move=> [p0 p1]; set m := mean p _.
have m0 : 0 <= m by apply: sumr_ge0 => t _; rewrite mulr_ge0.
rewrite -(ger0_norm m0) -sqrtr_sqr; apply: ler_wsqrtr.
have h : 0 <= mean p (fun t => (`|f t| - m) ^+ 2).
  by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?sqr_ge0.
have e : mean p (fun t => (`|f t| - m) ^+ 2) = mean p (fun t => f t ^+ 2) - m ^+ 2.
  have e1 t : p t * (`|f t| - m) ^+ 2 = p t * f t ^+ 2 - 2%:R * m * (p t * `|f t|) + p t * m ^+ 2.
    by rewrite -(real_normK (num_real (f t))); move: (p t) (`|f t|) (m) => a b u; ring.
  rewrite /mean; under eq_bigr do rewrite e1.
  rewrite big_split /= sumrB -mulr_sumr -mulr_suml p1 mul1r -/(mean p (fun t => `|f t|)) -/m.
  by move: (\sum_t p t * f t ^+ 2) (m) => z u; ring.
by move: h; rewrite e subr_ge0.
Qed.

(* [ineq-reachability-chain]: f t is phi^T theta; the policies are any family of laws of
   the features, and "the maximum is at most c" is read as "c bounds every policy" *)
Theorem ineq_reachability_chain (Pi : Type) (p : Pi -> T -> R) (f : T -> R) :
  (forall pi, is_law (p pi)) ->
  (forall c, (forall pi, Num.sqrt (mean (p pi) (fun t => f t ^+ 2)) <= c) ->
     forall pi, mean (p pi) (fun t => `|f t|) <= c) /\
  (forall c, (forall pi, mean (p pi) (fun t => `|f t|) <= c) ->
     forall pi, `|mean (p pi) f| <= c).
Proof.
move=> hp; split=> c hc pi; apply: le_trans (hc pi).
  exact: mean_abs_square.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => t _.
by rewrite normrM ger0_norm //; case: (hp pi).
Qed.
End Chain.
