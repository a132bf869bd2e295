(* Algorithm 2 in the words of Definition 2.1, for rewards that are not told: H deployments of arbitrary policies are
   enough in linear MDPs whose features can be reached in every direction, if the law of the first state is known.  Each
   batch spans all directions, so that the rewards in it determine those of all pairs.

   achievable_reached_unknown    K deployments are enough for each task and each law of the first state, whatever the
                                 rewards are
   reached_unknown_complexity_is   the least such K *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game locks features.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism theorem.
From derl.analysis Require Import matrices evaluation.
From derl.algorithm_one Require Import trajectory_law grid algorithm learned_rewards optimal.
From derl.algorithm_two Require Import mixtures algorithm learned_rewards whole_run numbers exploration.
From derl.complexity Require Import definition mixtures upper unknown_rewards reached.

(* K deployments of N trajectories are enough, if the learner is told the law rho of the first state, but not the
   rewards, and succeeds, whatever the rewards are, in the linear MDPs that have this law and reach nu *)
Definition achievable_reached_unknown (allowed : kind) (nu : R) d H N eps delta K : Prop :=
  forall (t : task d) (rho : states t -> R), exists L : observer H N t,
    (forall v h, allowed d t (deploys L v h)) /\
    forall r (w : world (with_rewards r)), linear_mdp H w -> (forall s, first w s = rho s) -> reaches nu H w ->
      succeeds w (facing r L) K eps delta.

(* the least number of deployments *)
Definition reached_unknown_complexity_is (allowed : kind) (nu : R) d H N eps delta K : Prop :=
  least (achievable_reached_unknown allowed nu d H N eps delta) K.

(* an observer does not need the rewards that it is told *)
Lemma achievable_reached_told nu d H N eps delta K :
  achievable_reached_unknown arbitrary nu d H N eps delta K -> achievable_reached arbitrary nu d H N eps delta K.
Proof.
move=> ach [S A a0 phi r] rho; have [L [_ suc]] := ach (Task a0 phi r) rho.
by exists (facing (t := Task a0 phi r) r L); split=> // w; exact: suc.
Qed.

(* with the number of trajectories of Theorem R, H deployments are enough for rewards that are not told *)
Theorem exploration_learns (d H N : nat) (eps delta nu : R) :
  (0 < d)%N -> (0 < H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  (sample_size d H eps delta nu <= INR N)%coqR ->
  achievable_reached_unknown arbitrary nu d H N eps delta H.
Proof.
move=> d0 H0 e01 t01 nu01 size t rho.
pose c h := if (h < H)%N then h else 0%N.
have cH h : (c h < H)%N by rewrite /c; case: ifP.
have cE h : (h < H)%N -> c h = h by rewrite /c => ->.
pose phi h := features t (c h); have a0 := some_action t.
case: (pickP (fun _ : states t => true)) => [s0 _|no]; last first.
  (* without a state there is no world *)
  exists (Observer one_seed (fun _ _ => pure _ (fun _ _ => a0)) (fun _ _ => pure _ (fun _ _ => a0))).
  split=> // r w [[_ r1] _]; by move: r1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
pose psi := @algorithm_two (states t) (actions t) d N H (grid_size d H N nu) (iterations d nu) phi rho
  (plan_bonus d H N delta nu) (explore_bonus d H N delta nu) nu s0 (some_action t).
pose vectors hs h := reward_vector phi s0 (some_action t) h (nth (nothing N H s0 (some_action t)) (map fst hs) h)
  (shown_reward s0 hs h h).
exists (Observer one_seed (fun _ hs => posterior (some_action t) (deploy psi (map fst hs)).2)
  (fun _ hs => pure _ (output psi (map fst hs) H (vectors hs)))).
split=> // r w lin same reach; split=> //.
have [hrho [mu [theta' ass]]] := lin; pose theta h := theta' (c h).
pose P h := transitions w (c h).
have linP h : linear_transitions (phi h) (mu (c h)) (P h) by have [[[l1 l2] _ l3 _ l4] _] := ass _ (cH h).
have rE h s a : r (c h) s a = ((theta h)^T *m phi h s a) ord0 ord0 by have [[_ l _ _ _] _] := ass _ (cH h); exact: l.
have ht h : linear_reward (phi h) (theta h).
  have [[_ _ _ l _] r01] := ass _ (cH h); split=> [//|s a]; rewrite -rE; exact: r01.
have lawsP h s a : is_law (P h s a) by have [l1 _ _ _] := linP h; exact: l1.
have hrho' : is_law rho.
  by split=> [s|]; [rewrite -same; exact: (proj1 hrho)|rewrite -(proj2 hrho); apply: eq_bigr => s _; rewrite same].
have reachP h : (h < H)%N -> reachable P rho phi nu h.
  move=> hH u u1; have [pi hpi le] := reach h hH u u1; exists pi => //; apply: le_trans le _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite same; congr (_ * _).
  rewrite /phi cE //; apply: (@tvalue_layers _ _ _ _ _ _ 0 h s h.+1) => // j; rewrite ltnS => jh.
  by rewrite /P cE //; exact: leq_ltn_trans jh hH.
have [good [sure all]] := run_of_this_size d0 H0 e01 t01 nu01 size s0 (some_action t) hrho' linP reachP.
pose law' := @past_batch_law R_realFieldType (states t) (actions t) (transitions w) N H (first w).
set L := Observer _ _ _; pose psi' := plays (facing r L) tt.
apply: le_trans sure _; change (mean_of (facing r L) (chance_near_best w H eps (L := facing r L)))
  with (success law' psi' (near_best H eps w) H); rewrite /prob /success big_mkcond.
have laws h o : law' (deploy psi' h) o = mixed_batch P rho (deploy psi h).2 o.
  rewrite -(posterior_batch (some_action t)) -[deploy psi' h]/(posterior _ (deploy psi (map fst (map (shows r) h))).2).
  rewrite map_shows.
  transitivity (past_batch_law P (first w) (posterior (some_action t) (deploy psi h).2) o).
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
have [_ spans plans] := all h gh.
have known : output psi h H (vectors (map (shows r) h)) = output psi h H theta.
  rewrite /psi; apply: plan_same => l lH; rewrite /vectors map_shows.
  apply: reward_vector_exact => [|i]; first exact: spans.
  by rewrite shown_pairs ?size_tuple // /rewards_in lH -rE cE // /cell /row valK.
have outE : output psi' h = pure _ (output psi h H theta).
  by rewrite -known -{2}(map_shows r h).
have rewardE : (fun l s a => ((theta l)^T *m phi l s a) ord0 ord0) = fun l => r (c l).
  by do 3!(apply: FunctionalExtensionality.functional_extensionality => ?); rewrite rE.
have := plans H theta (leqnn H) ht; rewrite -/psi outE rewardE; move: (output psi h H theta) => g.
rewrite /near_best JstarE /J -past_return_pure /best_return /past_return => le.
have sameP l : (l < H)%N -> P l = transitions w l by move=> lH; rewrite /P cE.
have samer l : (l < H)%N -> r (c l) = r l by move=> lH; rewrite cE.
apply: le_trans (le_trans _ le) _; last first.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite same; congr (_ * _).
  exact: (past_value_layers sameP samer).
rewrite ler_add2r le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite same; congr (_ * _).
by apply/esym; exact: (largest_value_layers sameP samer).
Qed.

(* [res-arbitrary-whole-run] in the words of Definition 2.1: all the more so if the rewards are told *)
Theorem exploration_achieves (d H N : nat) (eps delta nu : R) :
  (0 < d)%N -> (0 < H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  (sample_size d H eps delta nu <= INR N)%coqR ->
  achievable_reached arbitrary nu d H N eps delta H.
Proof. by move=> *; apply: achievable_reached_told; exact: exploration_learns. Qed.
