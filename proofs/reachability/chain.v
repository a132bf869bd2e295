(* The reachability coefficient: the chain of inequalities. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.common Require Import forms.

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

Section MaxMin.
Variables (R : rcfType) (d : nat) (T : finType) (Pi : Type).
Variables (phi : T -> 'cV[R]_d) (p : Pi -> T -> R).

(* E_pi (phi^T theta)^2 *)
Definition moment pi (theta : 'cV[R]_d) : R :=
  mean (p pi) (fun t => ((phi t)^T *m theta) ord0 ord0 ^+ 2).

(* [ineq-max-min-eigenvalue], the inequality: a level that one policy keeps in all unit
   directions is kept in every unit direction by some policy *)
Theorem ineq_max_min_eigenvalue (c : R) :
  (exists pi, forall theta, qf 1%:M theta = 1 -> c <= moment pi theta) ->
  forall theta, qf 1%:M theta = 1 -> exists pi, c <= moment pi theta.
Proof. by move=> [pi h] theta t1; exists pi; exact: h. Qed.

(* [text-well-explored]: a policy with smallest eigenvalue at least c makes the
   coefficient at least sqrt c, in every unit direction, and sqrt c >= c *)
Theorem text_well_explored (c : R) (pi : Pi) :
  is_law (p pi) -> (forall t, qf 1%:M (phi t) <= 1) -> 0 <= c ->
  (forall theta, qf 1%:M theta = 1 -> c <= moment pi theta) ->
  forall theta, qf 1%:M theta = 1 ->
    Num.sqrt c <= Num.sqrt (moment pi theta) /\ c <= Num.sqrt c.
Proof.
move=> [p0 p1] hphi c0 hc theta t1; have h := hc theta t1; split; first exact: ler_wsqrtr.
have m1 : moment pi theta <= 1.
  have -> : 1 = \sum_t p pi t * 1 by rewrite -mulr_suml p1 mul1r.
  apply: ler_sum => t _; rewrite ler_wpmul2l //.
  have := cauchy (phi t) theta (pd_psd (pd1 R d)); rewrite bil1 t1 mulr1 => h2.
  exact: le_trans h2 (hphi t).
have c1 : c <= 1 by exact: le_trans h m1.
rewrite -{1}(sqr_sqrtr c0) expr2 ler_pimulr ?sqrtr_ge0 //.
by rewrite -(sqrtr1 R) ler_wsqrtr.
Qed.
End MaxMin.
