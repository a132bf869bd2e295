(* A mixture of deterministic policies, of which one is drawn before each trajectory, is one policy that depends on the
   past of its trajectory: it plays the action of a member that has played as the past says, each of them with the same
   chance.

   agrees g h past     the actions of the past, from layer h on, are those of g
   left_over x past    the number of members of x that agree with the past
   posterior a0 x      the policy *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import policies.
From derl.algorithm_one Require Import trajectory_law.
From derl.algorithm_two Require Import mixtures.

Section Posterior.
Variables (S A : finType) (a0 : A).
Implicit Types (x : mixture S A) (g : nat -> S -> A) (past t : seq (S * A)).

(* the actions of the past, from layer h on, are those of g *)
Fixpoint agrees g h past : bool := if past is y :: p then (y.2 == g h y.1) && agrees g h.+1 p else true.

Lemma agrees_rcons g h past s a : agrees g h (rcons past (s, a)) = agrees g h past && (a == g (h + size past)%N s).
Proof. by elim: past h => [|y p IH] h /=; rewrite ?addn0 ?andbT // IH andbA addSnnS. Qed.

(* the number of members of x that have played as the past says *)
Definition left_over x past : R := \sum_(j < (last x).+1) (agrees (member x j) 0 past)%:R.

Lemma left_over_ge0 x past : 0 <= left_over x past.
Proof. by apply: sumr_ge0 => j _; exact: ler0n. Qed.

(* each of them with the same chance; a0 after a past that no member plays *)
Definition posterior_chance x past s a : R :=
  if left_over x past == 0 then (a == a0)%:R else left_over x (rcons past (s, a)) / left_over x past.

Lemma posterior_law x past s : is_law (posterior_chance x past s).
Proof.
rewrite /posterior_chance; case: (altP eqP) => [_|n0].
  split=> [a|]; first exact: ler0n.
  by rewrite (bigD1 a0) //= eqxx big1 ?addr0 // => a /negPf ->.
split=> [a|]; first by rewrite divr_ge0 ?left_over_ge0.
rewrite -mulr_suml /left_over exchange_big /=; set c := (X in X / _).
suff -> : c = left_over x past by rewrite divff.
apply: eq_bigr => j _; rewrite (bigD1 (member x j (size past) s)) //= agrees_rcons add0n eqxx andbT.
by rewrite big1 ?addr0 // => a /negPf na; rewrite agrees_rcons add0n na andbF.
Qed.
Definition posterior x : past_policy R_realFieldType S A :=
  @PastPolicy R_realFieldType S A (posterior_chance x) (posterior_law x).

Lemma posterior_step x past s a : left_over x past * posterior x past s a = left_over x (rcons past (s, a)).
Proof.
rewrite /= /posterior_chance; case: (altP eqP) => [e|n0]; last by rewrite mulrC divfK.
rewrite e mul0r; apply/esym/eqP; rewrite eq_le left_over_ge0 andbT; apply: (@le_trans _ _ (left_over x past));
  last by rewrite e.
apply: ler_sum => j _.
by rewrite ler_nat agrees_rcons; case: (agrees _ _ _) => //=; rewrite leq_b1.
Qed.

Variable P : nat -> S -> A -> S -> R.

(* the part of the law of a trajectory that does not depend on the policy *)
Fixpoint passage h (q : S -> R) t : R := if t is y :: t' then q y.1 * passage h.+1 (P h y.1 y.2) t' else 1.

Lemma path_passage g h q t : path_law P g h q t = (agrees g h t)%:R * passage h q t.
Proof.
elim: t h q => [|y t IH] h q /=; first by rewrite mulr1.
by rewrite IH; case: (y.2 == _); case: (agrees _ _ _) => /=; rewrite ?mulr1 ?mul1r ?mulr0 ?mul0r ?mulr0.
Qed.

Lemma posterior_passage x past q t :
  left_over x past * past_law P (posterior x) (size past) past q t = left_over x (past ++ t) * passage (size past) q t.
Proof.
elim: t past q => [|[s a] t IH] past q; first by rewrite cats0.
set rest := past_law P (posterior x) (size past).+1 (rcons past (s, a)) (P (size past) s a) t.
transitivity (q s * (left_over x past * posterior x past s a * rest)).
  rewrite -[past_law _ _ _ _ _ _]/(q s * posterior x past s a * rest); set p := posterior x past s a.
  by move: (left_over x past) (q s) p rest => u v w z; ring.
rewrite posterior_step /rest; have := IH (rcons past (s, a)) (P (size past) s a); rewrite size_rcons cat_rcons => ->.
by rewrite mulrCA.
Qed.

(* its trajectories have the law of the mixture *)
Lemma posterior_path x (rho : S -> R) t : past_law P (posterior x) 0 [::] rho t = mixed_path P rho x t.
Proof.
have n0 : (last x).+1%:R != 0 :> R by rewrite pnatr_eq0.
have one : left_over x [::] = (last x).+1%:R by rewrite /left_over /= sumr_const card_ord.
apply: (mulfI n0); rewrite -one (posterior_passage x [::]) /mixed_path one mulrCA divff // mulr1.
by rewrite /left_over mulr_suml; apply: eq_bigr => j _; rewrite path_passage.
Qed.

(* and so do its batches *)
Theorem posterior_batch x N H (rho : S -> R) (o : batch S A N H) :
  past_batch_law P rho (posterior x) o = mixed_batch P rho x o.
Proof. by apply: eq_bigr => i _; exact: posterior_path. Qed.
End Posterior.
