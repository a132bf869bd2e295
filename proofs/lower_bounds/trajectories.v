(* Data of one deployment: N independent trajectories of a gate instance. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game gate.

Section Trajectories.
Variables (R : realFieldType) (n d N : nat).
Implicit Types (M : instance R d) (pi : policy R d).

(* what one deployment yields: N trajectories of n steps *)
Definition data := {ffun 'I_N -> n.-tuple (step d)}.
(* the law of N independent trajectories of the policy pi *)
Definition data_law (M : instance R d) (pi : policy R d) (o : data) : R :=
  \prod_(i < N) traj M pi 0 [::] None (o i).
(* the digits that a trajectory got right: the leading steps that stay at g *)
Definition leading (t : seq (step d)) : nat := find (fun x => x.2 != None) t.
(* the best of the N trajectories *)
Definition matched (o : data) : nat := \max_(i < N) leading (o i).

Lemma traj_total M pi k h pre s : mild M -> proper pi ->
  \sum_(t : k.-tuple (step d)) traj M pi h pre s t = 1.
Proof.
move=> hM hp; elim: k h pre s => [|k IH] h pre s.
  rewrite (big_pred1 [tuple]) //= => t.
  by rewrite [t]tuple0; apply/esym/eqP.
rewrite (sum_tuple_cons k (traj M pi h pre s)).
rewrite (eq_bigr (fun p => pi pre s p.1 * kernel M h s p.1 p.2)) => [|[a s'] _]; last first.
  by rewrite /= -mulr_sumr IH mulr1.
rewrite -(pair_big xpredT xpredT (fun a s' => pi pre s a * kernel M h s a s')) /=.
under eq_bigr do rewrite -mulr_sumr (proj2 (kernel_law _ _ _ hM)) mulr1.
exact: (proj2 (hp pre s)).
Qed.

Lemma traj_ge0 M pi h pre s t : mild M -> proper pi -> 0 <= traj M pi h pre s t.
Proof.
move=> hM hp; elim: t h pre s => [|[a s'] t IH] h pre s /=; first exact: ler01.
rewrite !mulr_ge0 ?IH //; first exact: (proj1 (hp _ _)).
exact: (proj1 (kernel_law _ _ _ hM)).
Qed.

Lemma data_law_law M pi : mild M -> proper pi -> is_law (data_law M pi).
Proof.
move=> hM hp; split=> [o|].
  by apply: prodr_ge0 => i _; exact: traj_ge0.
rewrite /data_law -(bigA_distr_bigA (fun _ (t : n.-tuple (step d)) => traj M pi 0 [::] None t)).
apply: big1 => i _; exact: traj_total.
Qed.

(* after g is left, all instances look the same *)
Lemma traj_end M M' pi h pre x t : traj M pi h pre (Some x) t = traj M' pi h pre (Some x) t.
Proof.
elim: t h pre x => [|[a s'] t IH] h pre x //=.
case: (eqVneq s' (Some x)) => [->|_]; first by rewrite IH.
by rewrite !mulr0 !mul0r.
Qed.

(* the probability that a trajectory stays for k more steps *)
Fixpoint staying (M : instance R d) (pi : policy R d) h pre k : R :=
  if k is k'.+1 then
    \sum_a pi pre None a * ((stays M h a)%:R * staying M pi h.+1 (rcons pre (a, None)) k')
  else 1.

Lemma leading_prob M pi k m h pre : mild M -> proper pi -> (k <= m)%N ->
  \sum_(t : m.-tuple (step d)) traj M pi h pre None t * (k <= leading t)%N%:R
  = staying M pi h pre k.
Proof.
move=> hM hp; elim: k m h pre => [|k IH] m h pre km.
  by under eq_bigr do rewrite leq0n mulr1; rewrite traj_total.
case: m km => // m km.
rewrite (sum_tuple_cons m (fun t => traj M pi h pre None t * (k < leading t)%N%:R)) /=.
pose G a s' := \sum_(t : m.-tuple (step d))
  pi pre None a * kernel M h None a s' * traj M pi h.+1 (rcons pre (a, s')) s' t *
  (k < (if s' != None then 0 else (leading t).+1))%N%:R.
rewrite (eq_bigr (fun p => G p.1 p.2)) => [|[a s'] _ //].
rewrite -(pair_big xpredT xpredT G) /G /=.
apply: eq_bigr => a _; rewrite sum_state /=.
rewrite [X in _ + X + _]big1 => [|t _]; last by rewrite mulr0.
rewrite [X in _ + X]big1 => [|t _]; last by rewrite mulr0.
rewrite !addr0 -(IH m h.+1 (rcons pre (a, None)) km) !mulr_sumr.
by apply: eq_bigr => t _; rewrite ltnS !mulrA.
Qed.

(* the union bound over the N trajectories *)
Lemma reach_union M pi k : mild M -> proper pi -> (k <= n)%N -> (0 < k)%N ->
  \sum_(o : data | (k <= matched o)%N) data_law M pi o <= N%:R * staying M pi 0 [::] k.
Proof.
move=> hM hp kn k0.
have one i : \sum_(o : data) data_law M pi o * (k <= leading (o i))%N%:R = staying M pi 0 [::] k.
  rewrite -(leading_prob 0 [::] hM hp kn).
  pose F (j : 'I_N) (t : n.-tuple (step d)) : R := traj M pi 0 [::] None t *
    (if j == i then (k <= leading t)%N%:R else 1).
  transitivity (\prod_(j < N) \sum_(t : n.-tuple (step d)) F j t).
    rewrite bigA_distr_bigA; apply: eq_bigr => o _; rewrite big_split /=; congr (_ * _).
    by rewrite (bigD1 i) //= eqxx big1 ?mulr1 // => j /negPf ->.
  rewrite (bigD1 i) //= [X in _ * X]big1 ?mulr1 => [|j /negPf ji].
    by apply: eq_bigr => t _; rewrite /F eqxx.
  rewrite /F ji; under eq_bigr do rewrite mulr1; exact: traj_total.
apply: (@le_trans _ _ (\sum_(o : data) \sum_(i < N) data_law M pi o * (k <= leading (o i))%N%:R)).
  rewrite [leRHS](bigID (fun o : data => (k <= matched o)%N)) /= -[leLHS]addr0.
  have l0 o : 0 <= data_law M pi o by case: (data_law_law hM hp).
  apply: ler_add; last by apply: sumr_ge0 => o _; apply: sumr_ge0 => i _; rewrite mulr_ge0 ?ler0n.
  apply: ler_sum => o ok.
  have [i hi] : exists i, (k <= leading (o i))%N.
    apply/existsP; apply: contraTT ok; rewrite negb_exists => /forallP h.
    rewrite -ltnNge -[X in (_ < X)%N](prednK k0) ltnS; apply/bigmax_leqP => i _.
    by rewrite -ltnS (prednK k0) ltnNge h.
  rewrite (bigD1 i) //= hi mulr1 ler_addl.
  by apply: sumr_ge0 => j _; rewrite mulr_ge0 ?ler0n.
rewrite exchange_big /=; under eq_bigr do rewrite one.
by rewrite sumr_const card_ord mulr_natl.
Qed.

End Trajectories.
