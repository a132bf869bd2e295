(* The law of the trajectories of a deterministic Markov policy, and of a batch of N of them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.layerwise Require Import optimism.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

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

(* the step from layer h + j to the next: a function of both has mean at most 1 if it has
   given each state and action *)
Lemma path_step g (M : S -> A -> S -> R) (x0 : S * A) j k h q : is_law q -> (j.+1 < k)%N ->
  (forall s a, \sum_s' P (h + j)%N s a s' * M s a s' <= 1) ->
  \sum_(t : k.-tuple (S * A)) path_law g h q t * M (nth x0 t j).1 (nth x0 t j).2 (nth x0 t j.+1).1 <= 1.
Proof.
elim: j k h q => [|j IH] [//|k] h q [q0 q1] jk hM.
  rewrite (path_sum g h q k (fun t => M (nth x0 t 0).1 (nth x0 t 0).2 (nth x0 t 1).1)) -q1.
  apply: ler_sum => s _; rewrite -[leRHS]mulr1 ler_wpmul2l //=; case: k jk => // k _.
  rewrite (path_sum g h.+1 (P h s (g h s)) k (fun t => M s (g h s) (nth x0 t 0).1)) /=.
  apply: le_trans (hM s (g h s)); rewrite addn0; apply: ler_sum => s' _.
  rewrite ler_wpmul2l ?(proj1 (hP h s (g h s))) // -mulr_suml.
  by rewrite (proj2 (path_is_law g h.+2 k (hP _ _ _))) mul1r.
rewrite (path_sum g h q k (fun t => M (nth x0 t j.+1).1 (nth x0 t j.+1).2 (nth x0 t j.+2).1)) -q1.
apply: ler_sum => s _; rewrite -[leRHS]mulr1 ler_wpmul2l //=.
by apply: IH => // s' a'; rewrite addSnnS.
Qed.

(* the mean of a sum over the first L layers is a value *)
Lemma path_value g (f : nat -> S -> A -> R) (x0 : S * A) L k h q : is_law q -> (L <= k)%N ->
  \sum_(t : k.-tuple (S * A)) path_law g h q t * (\sum_(j < L) f (h + j)%N (nth x0 t j).1 (nth x0 t j).2) =
  \sum_s q s * value P (det R g) f h L s.
Proof.
elim: L k h q => [|L IH] k h q hq Lk.
  rewrite [LHS]big1 => [|t _]; last by rewrite big_ord0 mulr0.
  by rewrite big1 // => s _; rewrite /= mulr0.
case: k Lk => // k Lk.
rewrite (path_sum g h q k (fun t => \sum_(j < L.+1) f (h + j)%N (nth x0 t j).1 (nth x0 t j).2)).
apply: eq_bigr => s _; congr (_ * _); rewrite /= sum_det -(IH k h.+1 _ (hP h s (g h s)) Lk).
under eq_bigr => t _ do rewrite big_ord_recl /= addn0 mulrDr.
rewrite big_split /= -mulr_suml (proj2 (path_is_law g h.+1 k (hP _ _ _))) mul1r; congr (_ + _).
by apply: eq_bigr => t _; congr (_ * _); apply: eq_bigr => j _; rewrite addSnnS.
Qed.

(* a batch: N independent trajectories of H layers *)
Definition batch (N H : nat) : finType := [finType of {ffun 'I_N -> H.-tuple (S * A)}].
(* the law of a batch of the policy g *)
Definition batch_law N H (rho : S -> R) g : batch N H -> R :=
  product_law (fun (_ : 'I_N) (t : H.-tuple (S * A)) => path_law g 0 rho t).

Lemma batch_is_law N H rho g : is_law rho -> is_law (@batch_law N H rho g).
Proof. by move=> hr; apply: product_is_law => i; exact: path_is_law. Qed.
End Law.
