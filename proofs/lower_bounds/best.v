(* The best value of the locks and of the compact bandit is n/2 + b, attained by the
   policy that knows what is hidden. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock bandit.

Section BestLock.
Variables (R : realFieldType) (n d : nat) (b : R).

(* the policy that plays the digits of c *)
Definition knows (c : code n d) (a0 : 'I_d) : policy R d := fun pre _ a =>
  (a == (if insub (size pre) is Some i then c i else a0))%:R.

Lemma knows_proper c a0 : proper (knows c a0).
Proof.
move=> pre s; rewrite /knows; set a := (if insub _ is Some _ then _ else _).
split=> [a'|]; first exact: ler0n.
by rewrite (bigD1 a) //= eqxx big1 ?addr0 // => a' /negPf ->.
Qed.

Lemma knows_plays c a0 pre k : (size pre + k)%N = n ->
  plays_code c (knows c a0) (size pre) pre k = 1.
Proof.
elim: k pre => [|k IH] pre hk //=.
have hn : (size pre < n)%N by rewrite -hk addnS ltnS leq_addr.
rewrite /knows insubT /=; set a := c _.
have ha : hit c (size pre) a by rewrite (hit_ord c (Sub (size pre) hn)).
rewrite (bigD1 a) //= eqxx ha !mul1r big1 ?addr0 => [|a' /negPf ->]; last by rewrite mul0r.
have sz : (size pre).+1 = size (rcons pre (a, None : state)) by rewrite size_rcons.
by rewrite sz IH // size_rcons addSnnS.
Qed.

Theorem lock_best (c : code n d) (a0 : 'I_d) : (0 < n)%N ->
  J n (lock b c) (knows c a0) = n%:R / 2%:R + b.
Proof.
move=> n0; rewrite lock_value //; last exact: knows_proper.
have h := @knows_plays c a0 [::] n (add0n n); rewrite /= in h.
by rewrite /lock.q h mulr1.
Qed.

Theorem lock_most (c : code n d) (pi : policy R d) : (0 < n)%N -> 0 <= b -> proper pi ->
  J n (lock b c) pi <= n%:R / 2%:R + b.
Proof.
move=> n0 b0 hp; rewrite lock_value // ler_add2l ler_pimulr //; exact: plays_le1.
Qed.
End BestLock.

Section BestBandit.
Variables (R : realFieldType) (n d' : nat) (b : R).

(* the policy that stays at g up to the layer of the arm i, and pulls it there *)
Definition puller (i : arm n d') : deterministic d' := fun pre _ =>
  if size pre == i.1 :> nat then lift ord0 i.2 else ord0.

Lemma puller_pulls (i : arm n d') pre k : (size pre + k)%N = n -> (size pre <= i.1)%N ->
  pull_prob i (pol R (puller i)) (size pre) pre k = 1.
Proof.
elim: k pre => [|k IH] pre hk hi.
  by move: (ltn_ord i.1); rewrite ltnNge -[X in (X <= _)%N]hk addn0 hi.
rewrite /= (bigD1 (puller i pre None)) //= big1 => [|a /negPf na]; last by rewrite /pol na mul0r.
rewrite /pol eqxx mul1r addr0 /puller; case: (eqVneq (size pre) i.1) => [e|ne].
  by rewrite -[_ == ord0]/false /is_arm e !eqxx.
rewrite eqxx; set st := (_, _).
have sz : (size pre).+1 = size (rcons pre st) by rewrite size_rcons.
rewrite sz IH // size_rcons ?addSnnS //.
by rewrite ltn_neqAle ne hi.
Qed.

Theorem bandit_best (i : arm n d') : J n (bandit b i) (pol R (puller i)) = n%:R / 2%:R + b.
Proof.
rewrite bandit_value; last exact: pol_proper.
have h := @puller_pulls i [::] n (add0n n) (leq0n _); rewrite /= in h.
by rewrite /bandit.q h mulr1.
Qed.
End BestBandit.
