(* Algorithm 2 in the words of Definition 2.1: H deployments of arbitrary policies are enough in linear MDPs whose
   features can be reached in every direction, if the law of the first state is known.

   reaches nu H w          in each of the H layers the reachability coefficient is at least nu
   achievable_reached      K deployments are enough for each task and each law of the first state, in the linear MDPs
                           with this law that reach nu
   reached_complexity_is   the least such K *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game features.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism theorem.
From derl.analysis Require Import matrices evaluation.
From derl.algorithm_one Require Import trajectory_law grid optimal.
From derl.algorithm_two Require Import mixtures algorithm whole_run numbers exploration.
From derl.complexity Require Import definition mixtures upper.

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

(* [res-arbitrary-whole-run] in the words of Definition 2.1 *)
Theorem exploration_achieves (d H N : nat) (eps delta nu : R) :
  (0 < d)%N -> (0 < H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  (sample_size d H eps delta nu <= INR N)%coqR ->
  achievable_reached arbitrary nu d H N eps delta H.
Proof.
move=> d0 H0 e01 t01 nu01 size t rho.
pose c h := if (h < H)%N then h else 0%N.
have cH h : (c h < H)%N by rewrite /c; case: ifP.
have cE h : (h < H)%N -> c h = h by rewrite /c => ->.
pose phi h := features t (c h); pose r h := rewards t (c h).
pose a0 := some_action t.
(* the vectors of the rewards, which depend on the task only *)
pose fits (theta : nat -> 'cV[R]_d) := forall h, linear_reward (phi h) (theta h) /\
  forall s a, r h s a = ((theta h)^T *m phi h s a) ord0 ord0.
have vectors (w : world t) : linear_mdp H w -> exists theta, fits theta.
  move=> [_ [mu [theta lin]]]; exists (fun h => theta (c h)) => h.
  have [[_ hr _ ht _] r01] := lin _ (cH h); split=> [|s a]; last exact: hr.
  by split=> [//|s a]; have := r01 s a; rewrite hr.
have any (L : learner H N t) : (forall w : world t, linear_mdp H w -> False) ->
  exists L : learner H N t, (forall v h, arbitrary (deploy (plays L v) h)) /\
    forall w : world t, linear_mdp H w -> (forall s, first w s = rho s) -> reaches nu H w -> succeeds w L H eps delta.
  by move=> no; exists L; split=> // w /no.
pose idle : learner H N t := seedless (Strategy (fun _ => pure _ (fun _ _ => a0)) (fun _ => pure _ (fun _ _ => a0))).
case: (Classical_Prop.classic (exists theta, fits theta)) => [[theta ht]|no]; last first.
  by apply: (any idle) => w /vectors.
case: (pickP (fun _ : states t => true)) => [s0 _|no]; last first.
  by apply: (any idle) => w [[_ r1] _]; move: r1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
pose M := grid_size d H N nu.
pose psi := @algorithm_two (states t) (actions t) d N H M (iterations d nu) phi rho (plan_bonus d H N delta nu)
  (explore_bonus d H N delta nu) nu s0 a0.
pose psi' : strategy (batch (states t) (actions t) N H) (policy_of t) (policy_of t) :=
  Strategy (fun h => posterior a0 (deploy psi h).2) (fun h => pure _ (output psi h H theta)).
exists (seedless psi').
split=> // w lin same reach; split=> //.
have [hrho [mu [theta' ass]]] := lin.
pose P h := transitions w (c h).
have linP h : linear_transitions (phi h) (mu (c h)) (P h) by have [[[l1 l2] _ l3 _ l4] _] := ass _ (cH h).
have lawsP h s a : is_law (P h s a) by have [l1 _ _ _] := linP h; exact: l1.
have hrho' : is_law rho.
  by split=> [s|]; [rewrite -same; exact: (proj1 hrho)|rewrite -(proj2 hrho); apply: eq_bigr => s _; rewrite same].
have reachP h : (h < H)%N -> reachable P rho phi nu h.
  move=> hH u u1; have [pi hpi le] := reach h hH u u1; exists pi => //; apply: le_trans le _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite same; congr (_ * _).
  rewrite /phi cE //; apply: (@tvalue_layers _ _ _ _ _ _ 0 h s h.+1) => // j; rewrite ltnS => jh.
  by rewrite /P cE //; exact: leq_ltn_trans jh hH.
have [good [sure plans]] := exploration_deployments s0 a0 d0 H0 e01 t01 nu01 hrho' linP reachP size.
pose law' := @past_batch_law R_realFieldType (states t) (actions t) (transitions w) N H (first w).
apply: le_trans sure _; change (mean_of (seedless psi') (chance_near_best w H eps (L := seedless psi')))
  with (success law' psi' (near_best H eps w) H); rewrite /prob /success big_mkcond.
have laws h o : law' (deploy psi' h) o = mixed_batch P rho (deploy psi h).2 o.
  rewrite -(posterior_batch a0); transitivity (past_batch_law P (first w) (posterior a0 (deploy psi h).2) o).
    by apply: past_batch_law_layers => j jH; rewrite /P cE.
  apply: eq_bigr => i _; case: (tval (o i)) => [|x l] //=; by rewrite same.
have histories (pre h : seq (batch (states t) (actions t) N H)) :
    history law' psi' pre h = history (fun x : nat * mixture (states t) (actions t) => mixed_batch P rho x.2) psi pre h.
  by elim: h pre => [|o h IH] pre //=; rewrite laws IH.
apply: ler_sum => h _; rewrite histories; case: ifP => [gh|_]; last first.
  rewrite mulr_ge0 ?ler0n // -histories.
  elim: (tval h) [::] => [|o l IH] pre; first exact: ler01.
  rewrite /= -/(law' _ _) laws mulr_ge0 ?IH //.
  by have [mp _] := @mixed_batch_law (states t) (actions t) N H P rho lawsP hrho' (deploy psi pre).2; exact: mp.
suff -> : near_best H eps w (output psi' h) by rewrite mulr1.
have [_ plan] := plans h gh; have {plan} := plan H theta (leqnn H) (fun h => proj1 (ht h)).
rewrite /near_best JstarE /J -past_return_pure /best_return /past_return.
move=> le; apply: le_trans (le_trans _ le) _; last first.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite same; congr (_ * _).
  apply: (@past_value_layers _ _ P _ _ _ H) => // j jH; first by rewrite /P cE.
  by apply: FunctionalExtensionality.functional_extensionality => s1;
    apply: FunctionalExtensionality.functional_extensionality => a; rewrite -(proj2 (ht j)) /r cE.
rewrite ler_add2r le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite same; congr (_ * _).
apply/esym; apply: (@largest_value_layers _ _ P _ _ _ H) => // j jH; first by rewrite /P cE.
by apply: FunctionalExtensionality.functional_extensionality => s1;
  apply: FunctionalExtensionality.functional_extensionality => a; rewrite -(proj2 (ht j)) /r cE.
Qed.
