(* Definition 2.1 for the linear MDPs whose features can be reached in every direction, if the law of the first state is
   known.

   reaches nu H w          in each of the H layers the reachability coefficient is at least nu
   achievable_reached      K deployments are enough for each task and each law of the first state, in the linear MDPs
                           with this law that reach nu
   reached_complexity_is   the least such K *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game.
From derl.analysis Require Import evaluation.
From derl.algorithm_two Require Import whole_run.
From derl.complexity Require Import definition.

(* for every layer and every direction u of length 1, some policy has a mean of (phi^T u)^2 of at least nu^2 there *)
Definition reaches (nu : R) H d (t : task d) (w : world t) : Prop :=
  forall h, (h < H)%N -> reachable (transitions w) (first w) (features t) nu h.

(* K deployments of N trajectories are enough, if the learner also knows the law rho of the first state and succeeds in
   the linear MDPs that have this law and reach nu; the features may differ from layer to layer *)
Definition achievable_reached (allowed : kind) (nu : R) d H N eps delta K : Prop :=
  forall (t : task d) (rho : states t -> R), exists L : learner H N t,
    (forall v h, allowed d t (deploy (plays L v) h)) /\
    forall w : world t, linear_mdp H w -> (forall s, first w s = rho s) -> reaches nu H w -> succeeds w L K eps delta.

(* the least number of deployments *)
Definition reached_complexity_is (allowed : kind) (nu : R) d H N eps delta K : Prop :=
  least (achievable_reached allowed nu d H N eps delta) K.

(* a learner who knows less and succeeds in more MDPs serves *)
Lemma achievable_also_reached (allowed : kind) nu d H N eps delta K :
  achievable any_maps allowed d H N eps delta K -> achievable_reached allowed nu d H N eps delta K.
Proof. by move=> h t rho; have [L [kept good]] := h t Logic.I; exists L; split=> // w lin _ _; exact: good. Qed.

Lemma tvalue_layers (S A : finType) (P P' : nat -> S -> A -> S -> R) pi (f : S -> A -> R) h k s H :
  (forall j, (j < H)%N -> P j = P' j) -> (h + k <= H)%N -> tvalue P pi f h k s = tvalue P' pi f h k s.
Proof.
move=> same; elim: k h s => [|k IH] h s hk //=; apply: eq_bigr => a _; congr (_ * _).
rewrite same; last by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
by apply: eq_bigr => s' _; rewrite IH // addSnnS.
Qed.
