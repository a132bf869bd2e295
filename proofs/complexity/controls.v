(* Near variants of the theorems about deployment complexity that are false. *)
From derl.common Require Import real_prelude reals.
From derl.lower_bounds Require Import game gate bandit features.
From derl.probability Require Import finite hoeffding adaptive.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism sizes theorem.
From derl.algorithm_one Require Import trajectory_law setting.
From derl.complexity Require Import definition hidden_arm upper theorem.

(* without data no number of deployments is enough *)
Section NoData.
Variables (n d' : nat) (b : R).
Hypothesis b01 : 0 < b <= 2%:R^-1.
Local Notation t := (bandit_task n d').
Local Notation S := [finType of gate.state].
Local Notation A := [finType of 'I_d'.+1].
Local Notation policy' := (past_policy R_realFieldType S A).

Lemma no_data_sum (psi : strategy (batch S A 0 n.+1) policy' policy') eps K : 2%:R * eps < b ->
  \sum_i success (@past_batch_law R_realFieldType S A (transitions (bandit_world b i)) 0 n.+1
    (first (bandit_world b i))) psi (near_best n.+1 eps (bandit_world (n := n) (d' := d') b i)) K <= 1.
Proof.
move=> eb; pose law i := @past_batch_law R_realFieldType S A (transitions (bandit_world b i)) 0 n.+1
  (first (bandit_world (n := n) (d' := d') b i)).
have one i pre h : history (law i) psi pre h = 1.
  elim: h pre => [|o h IH] pre //=; rewrite IH mulr1 /law /past_batch_law /product_law; exact: big_ord0.
rewrite (eq_bigr (fun i => \sum_(h : K.-tuple (batch S A 0 n.+1))
    (near_best n.+1 eps (bandit_world b i) (output psi h))%:R)) => [|i _]; last first.
  by apply: eq_bigr => h _; rewrite one mul1r.
rewrite exchange_big /=; apply: (@le_trans _ _ (\sum_(h : K.-tuple (batch S A 0 n.+1)) 1)).
  by apply: ler_sum => h _; exact: (@names_sum _ _ _ _ (output psi h) (near_best_names b01 eb)).
by rewrite sumr_const card_tuple card_ffun card_ord expn0 exp1n.
Qed.
End NoData.

Lemma no_data d H eps delta K : (4 <= d)%N -> (2 <= H)%N -> 0 < eps < 4%:R^-1 ->
  achievable one_map deterministic d H 0 eps delta K -> (1 - delta) * ((d - 3) * (H - 1))%N%:R <= 1.
Proof.
move=> d4 H2 /andP[e0 e1]; case: H H2 => // n; rewrite ltnS => n0 ach.
have [c dE] : exists c, d = (c.+2 + 2)%N by exists (d - 4)%N; rewrite !addSn -!addnS subnK.
subst d; set d' := c.+1 in ach *.
have -> : ((d'.+1 + 2 - 3) * (n.+1 - 1) = n * d')%N by rewrite addn2 subn1 mulnC.
have b01 : 0 < (2%:R^-1 : R) <= 2%:R^-1 by rewrite invr_gt0 ltr0n lexx.
have eb : 2%:R * eps < 2%:R^-1.
  rewrite mulrC -ltr_pdivl_mulr ?ltr0n // -invfM -natrM; exact: e1.
have [L [_ suc]] := ach (bandit_task n d') (fun _ => erefl); have [const add mono] := seed_law L.
pose win (i : arm n d') v := chance_near_best (bandit_world 2%:R^-1 i) K eps (L := L) v.
have [dm em] := const 1.
have lin (i : arm n d') : linear_mdp n.+1 (bandit_world (2%:R^-1 : R) i) by exact: bandit_linear.
have hd i : has_mean L (win i) by case: (suc _ (lin i)).
have [dsum esum] := add _ win hd.
have tot := mono _ _ dsum dm (fun v => no_data_sum (n := n) (d' := d') b01 (plays L v) K eb); rewrite esum em in tot.
apply: le_trans tot; rewrite mulr_natr -card_arm -sumr_const; apply: ler_sum => i _.
by case: (suc _ (lin i)).
Qed.

(* numbers that the theorems about the order d H allow *)
Lemma order_instance : 0 < (8%:R^-1 : R) < 4%:R^-1 /\ 0 < (2%:R^-1 : R) <= 2%:R^-1.
Proof. by rewrite !invr_gt0 !ltr0n lexx ltf_pinv ?posrE ?ltr0n // ltr_nat. Qed.
Lemma no_data_there K : ~ achievable one_map deterministic 8 2 0 8%:R^-1 2%:R^-1 K.
Proof.
move=> ach; have [e _] := order_instance.
have := @no_data 8 2 _ _ K isT isT e ach; rewrite leNgt => /negP; apply; rewrite -subr_gt0.
have -> : (1 - 2%:R^-1) * ((8 - 3) * (2 - 1))%N%:R - 1 = 3%:R / 2%:R :> R by rewrite -[((8 - 3) * (2 - 1))%N]/5%N;
  field.
by rewrite divr_gt0 ?ltr0n.
Qed.

(* control for deterministic_deployment_complexity: without the bound on the number N of trajectories *)
Theorem deterministic_complexity_control : ~ (forall (tasks : class) (d H N : nat) (eps delta : R),
  (forall t : task d, one_map t -> tasks d t) ->
  (6 <= d)%N -> (2 <= H)%N -> (16 <= d * H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= 2%:R^-1 ->
  exists K : nat,
    [/\ deployment_complexity_is tasks deterministic d H N eps delta K,
        (1 - delta) * ((d - 3) * (H - 1))%N%:R - 1 <= K%:R, (K <= 2 * d * H + 1)%N &
        (d * H)%N%:R / 16%:R <= K%:R :> R /\ K%:R <= 3%:R * (d * H)%N%:R :> R]).
Proof.
move=> claim; have [e t] := order_instance.
have [K [[ach _] _ _ _]] := claim one_map 8%N 2%N 0%N _ _ (fun _ h => h) isT isT isT e t; exact: no_data_there ach.
Qed.

(* returns lie between 0 and H *)
Lemma return_ge0 H d (t : task d) (w : world t) (pi : policy_of t) : linear_mdp H w ->
  (forall h, (h < H)%N -> forall s a, is_law (transitions w h s a)) ->
  0 <= past_return (transitions w) (rewards t) (first w) H pi.
Proof.
move=> [[r0 _] [mu [theta lin]]] hP; apply: sumr_ge0 => s _; rewrite mulr_ge0 //.
have: (0 + H <= H)%N by rewrite add0n.
elim: {1 3}H 0%N [::] s => [|k IH] h past s hk //=.
have hH : (h < H)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
apply: sumr_ge0 => a _; rewrite mulr_ge0 ?(proj1 (chance_law pi past s)) // addr_ge0 //.
  by have [_ /(_ s a) /andP[]] := lin h hH.
by apply: sumr_ge0 => s' _; rewrite mulr_ge0 ?(proj1 (hP h hH s a)) // IH // addSnnS.
Qed.

Lemma best_return_le H d (t : task d) (w : world t) : linear_mdp H w ->
  (forall h, (h < H)%N -> forall s a, is_law (transitions w h s a)) ->
  best_return (some_action t) (transitions w) (rewards t) (first w) H <= H%:R.
Proof.
move=> [hrho [mu [theta lin]]] hP; apply: mean_bound => // s.
have: (0 + H <= H)%N by rewrite add0n.
elim: {1 3 4}H 0%N s => [|k IH] h s hk; first exact: lexx.
have hH : (h < H)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
rewrite [largest_value _ _ _ _ _ _]/=; set a := [arg max_(_ > _) _]%O.
rewrite -[k.+1 in X in _ <= X]add1n natrD; apply: ler_add; first by have [_ /(_ s a) /andP[]] := lin h hH.
by apply: mean_bound => [|s']; [exact: hP|apply: IH; rewrite addSnnS].
Qed.

(* control for hidden_arm_bound: without the bound on epsilon.  For epsilon = 3 and three layers every policy is good *)
Theorem hidden_arm_control : ~ (forall d H N eps, (4 <= d)%N -> (2 <= H)%N -> 0 < eps ->
  exists2 t : task d, one_map t & forall (L : learner H N t) K,
    (forall v h, deterministic (deploy (plays L v) h)) ->
    (forall w : world t, linear_mdp H w -> has_mean L (chance_near_best w K eps)) ->
    exists2 w : world t, linear_mdp H w &
      mean_of L (chance_near_best w K eps) <= K.+1%:R / ((d - 3) * (H - 1))%N%:R).
Proof.
move=> claim; have e0 : 0 < 3%:R :> R by rewrite ltr0n.
have [t _ hard] := claim 5%N 3%N 0%N _ isT isT e0.
pose pi : policy_of t := pure _ (fun _ _ => some_action t).
pose psi : strategy (batch (states t) (actions t) 0 3) (policy_of t) (policy_of t) := Strategy (fun _ => pi)
  (fun _ => pi).
pose L := seedless psi.
have det v h : deterministic (deploy (plays L v) h) by move=> past s a /=; case: (_ == _); [right|left].
have [w lin] := hard L 0%N det (fun _ _ => Logic.I).
have hP h : (h < 3)%N -> forall s a, is_law (transitions w h s a).
  by move=> hH; case: lin => _ [mu [theta /(_ h hH) [[[hP _] _ _ _ _] _]]].
have -> : mean_of L (chance_near_best w 0 3%:R) = 1.
  rewrite /= /chance_near_best success_nil success_from0 /=.
  suff -> : near_best 3 3%:R w pi = true by [].
  rewrite /near_best; apply: le_trans (return_ge0 pi lin hP).
  by rewrite subr_le0; exact: best_return_le.
rewrite leNgt => /negP; apply; rewrite -subr_gt0.
have -> : 1 - 1%:R / ((5 - 3) * (3 - 1))%N%:R = 3%:R / 4%:R :> R by rewrite -[((5 - 3) * (3 - 1))%N]/4%N; field.
by rewrite divr_gt0 ?ltr0n.
Qed.
