(* The law of the trajectories of a deterministic Markov policy, and of a batch of N of them. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.layerwise Require Import optimism.

Section Law.
Variables (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R).
Hypothesis hP : forall h s a, is_law (P h s a).
Implicit Types (g : nat -> S -> A) (q : S -> R).

(* the probability of the states and actions t from layer h on, if the state of layer h has the
   law q and the actions are those of g *)
Fixpoint path_law g h q (t : seq (S * A)) : R :=
  if t is x :: t' then q x.1 * (x.2 == g h x.1)%:R * path_law g h.+1 (P h x.1 x.2) t' else 1.

Lemma path_ge0 g h q t : (forall s, 0 <= q s) -> 0 <= path_law g h q t.
Proof.
elim: t h q => [|[s a] t IH] h q q0 /=; first exact: ler01.
by rewrite !mulr_ge0 ?ler0n ?IH // => s'; case: (hP h s a).
Qed.

(* the first layer of a sum over trajectories *)
Lemma path_sum g h q k (F : seq (S * A) -> R) :
  \sum_(t : k.+1.-tuple (S * A)) path_law g h q t * F t =
  \sum_s q s * \sum_(t : k.-tuple (S * A)) path_law g h.+1 (P h s (g h s)) t * F ((s, g h s) :: t).
Proof.
rewrite (sum_tuple_cons k (fun t => path_law g h q t * F t)) /=.
pose G s a := \sum_(t : k.-tuple (S * A)) q s * (a == g h s)%:R * path_law g h.+1 (P h s a) t * F ((s, a) :: t).
rewrite (eq_bigr (fun x => G x.1 x.2)) => [|[s a] _ //].
rewrite -(pair_big xpredT xpredT G) /=; apply: eq_bigr => s _.
rewrite (bigD1 (g h s)) //= big1 ?addr0 => [|a /negPf na]; last first.
  by rewrite /G big1 // => t _; rewrite na mulr0 !mul0r.
by rewrite /G eqxx mulr_sumr; apply: eq_bigr => t _; rewrite mulr1 mulrA.
Qed.

Lemma path_sum0 (F : seq (S * A) -> R) : \sum_(t : 0.-tuple (S * A)) F t = F [::].
Proof. by rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP. Qed.

Lemma path_is_law g h q k : is_law q -> is_law (fun t : k.-tuple (S * A) => path_law g h q t).
Proof.
move=> hq; split=> [t|]; first by apply: path_ge0; case: hq.
elim: k h q hq => [|k IH] h q [q0 q1]; first by rewrite (path_sum0 (path_law g h q)).
transitivity (\sum_(t : k.+1.-tuple (S * A)) path_law g h q t * 1).
  by apply: eq_bigr => t _; rewrite mulr1.
rewrite (path_sum g h q k (fun _ => 1)) -[RHS]q1; apply: eq_bigr => s _.
by under eq_bigr do rewrite mulr1; rewrite IH ?mulr1.
Qed.

(* a batch: N independent trajectories of H layers *)
Definition batch (N H : nat) : finType := [finType of {ffun 'I_N -> H.-tuple (S * A)}].
(* the law of a batch of the policy g *)
Definition batch_law N H (rho : S -> R) g : batch N H -> R :=
  product_law (fun (_ : 'I_N) (t : H.-tuple (S * A)) => path_law g 0 rho t).

Lemma batch_is_law N H rho g : is_law rho -> is_law (@batch_law N H rho g).
Proof. by move=> hr; apply: product_is_law => i; exact: path_is_law. Qed.
End Law.
