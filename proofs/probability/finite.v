(* Probability on finite sets: the mean, Markov's inequality, the union bound. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.

Section Finite.
Variables (R : realFieldType) (T : finType).
Implicit Types (p f : T -> R).

(* the expectation and the probability under a law p *)
Definition mean p f : R := \sum_t p t * f t.
(* the probability of an event under a law p *)
Definition prob p (E : pred T) : R := \sum_(t | E t) p t.

Theorem markov p f c : is_law p -> (forall t, 0 <= f t) -> 0 < c ->
  prob p (fun t => c <= f t) <= mean p f / c.
Proof.
move=> [p0 p1] f0 c0; rewrite ler_pdivl_mulr // /prob /mean mulr_suml.
rewrite [leRHS](bigID (fun t => c <= f t)) /= -[leLHS]addr0; apply: ler_add.
  by apply: ler_sum => t ct; rewrite ler_wpmul2l.
by apply: sumr_ge0 => t _; rewrite mulr_ge0.
Qed.

Theorem union_bound (I : finType) p (E : I -> pred T) : is_law p ->
  prob p (fun t => [exists i, E i t]) <= \sum_i prob p (E i).
Proof.
move=> [p0 p1]; rewrite /prob; under [leRHS]eq_bigr do rewrite big_mkcond.
rewrite [leRHS]exchange_big [leLHS]big_mkcond /=; apply: ler_sum => t _.
have n0 : 0 <= \sum_i (if E i t then p t else 0).
  by apply: sumr_ge0 => i _; case: ifP.
case: ifP => // /existsP [i hi]; rewrite (bigD1 i) //= hi ler_addl.
by apply: sumr_ge0 => j _; case: ifP.
Qed.
End Finite.
