(* A policy that chooses action by action is a law of guesses: on a junk lock a trajectory at the gate has seen the gate
   and its own actions only, and elsewhere it has no choice. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks.
From derl.beyond Require Import junk_lock.

(* pi i g a is the probability of the action a at the gate in layer i after the first i actions of g.  The products of
   these probabilities are a law of guesses, under which the first t actions are those of c with the probability with
   which the policy plays them one after the other *)
Theorem policy_is_guess (R : realFieldType) (n d : nat) (pi : 'I_n -> code n d -> 'I_d -> R) :
  (0 < d)%N -> (forall i g, is_law (pi i g)) -> (forall (i : 'I_n) g g', agree i g g' -> pi i g =1 pi i g') ->
  is_law (fun g : code n d => \prod_i pi i g (g i)) /\
  forall (c : code n d) (t : nat), (t <= n)%N ->
    \sum_(g | shares t c g) \prod_i pi i g (g i) = \prod_(i < n | (i < t)%N) pi i c (c i).
Proof.
move=> d0 hp local; have pref k c t : (n - t)%N = k -> (t <= n)%N ->
    \sum_(g | shares t c g) \prod_i pi i g (g i) = \prod_(i < n | (i < t)%N) pi i c (c i).
  elim: k c t => [|k IH] c t kE tn.
    have -> : t = n by lia.
    rewrite (big_pred1 c) => [|g]; last by rewrite shares_all.
    by apply: eq_bigl => i; rewrite ltn_ord.
  have lt : (t < n)%N by lia.
  pose i0 := Ordinal lt; pose c' a : code n d := [ffun i => if i == i0 then a else c i].
  have same a : agree t (c' a) c.
    by move=> i it; rewrite ffunE ifN //; apply/eqP => e; move: it; rewrite e ltnn.
  rewrite (partition_big (fun g : code n d => g i0) predT) //=.
  transitivity (\sum_a (\prod_(i < n | (i < t)%N) pi i c (c i)) * pi i0 c a); last first.
    by rewrite -mulr_sumr (proj2 (hp i0 c)) mulr1.
  apply: eq_bigr => a _; rewrite (eq_bigl (fun g => shares t.+1 (c' a) g)) => [|g]; last first.
    by rewrite (sharesS i0) (shares_agree g (same a)) ffunE eqxx.
  rewrite IH //; last by lia.
  rewrite (bigD1 i0) //= mulrC ffunE eqxx (local i0 _ _ (same a)); congr (_ * _).
  apply: eq_big => [i|i /andP[]].
    by rewrite ltnS -val_eqE /=; case: ltngtP.
  rewrite ltnS leq_eqVlt => /orP[/eqP e|it] ni; first by case/eqP: ni; exact/val_inj.
  rewrite (local i _ c) => [|l li]; last by apply: same; exact: ltn_trans li it.
  by rewrite (same a).
split=> [|c t tn]; last exact: (pref (n - t)%N).
split=> [g|]; first by apply: prodr_ge0 => i _; case: (hp i g).
have := pref n [ffun=> Ordinal d0] 0%N (subn0 n) (leq0n n); rewrite [RHS]big_pred0 // => e; rewrite -[RHS]e.
by apply: eq_bigl => g; rewrite shares0.
Qed.
