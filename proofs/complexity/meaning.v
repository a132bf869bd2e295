(* What each part of the definition of deployment complexity says, as consequences and instances.

   A change of a part that changes its meaning contradicts one of them, and a change that does not change it leaves
   their proofs as they are: tests/proofs/test_headline.py makes changes of both kinds.

   complexity_unique, complexity_exists   there is one least number, as soon as some number is enough
   coin, coin_world   one state, two actions with the rewards 1 and 0
   fair               a learner of which a fair seed decides what is returned
   one_layer          with one layer and known rewards no deployment is needed *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game features.
From derl.foundations Require Import rewards policies.
From derl.algorithm_one Require Import trajectory_law.
From derl.complexity Require Import definition.

(* the deployment complexity: it is enough, no smaller number is, and there is one only *)
Section Least.
Variables (tasks : class) (allowed : kind) (d H N : nat) (eps delta : R).
Local Notation enough := (achievable tasks allowed d H N eps delta).
Local Notation complexity := (deployment_complexity_is tasks allowed d H N eps delta).

Theorem complexity_enough K : complexity K -> enough K.
Proof. by case. Qed.
Theorem complexity_unique K K' : complexity K -> complexity K' -> K = K'.
Proof.
rewrite /deployment_complexity_is /least => -[hK low] [hK' low'].
by apply/eqP; rewrite eqn_leq; apply/andP; split; [exact: low|exact: low'].
Qed.
Theorem complexity_exists K : enough K -> exists K', complexity K' /\ (K' <= K)%N.
Proof. exact: least_exists. Qed.
End Least.

(* one feature map for all layers, or any *)
Lemma one_map_same d (t : task d) : one_map t -> forall h h' s a, features t h s a = features t h' s a.
Proof.
rewrite /one_map => same h h' s a; congr (_ s a); transitivity (features t 0%N).
  by first [exact: same|exact/esym/same].
by first [exact: same|exact/esym/same].
Qed.
Lemma one_map_const d (S A : finType) (a0 : A) phi r : one_map (@Task d S A a0 (fun _ => phi) r).
Proof. by []. Qed.
Lemma any_maps_all d (t : task d) : any_maps t.
Proof. by []. Qed.

(* the two kinds of policies *)
Section Kinds.
Variables (d : nat) (t : task d).
Lemma deterministic_acts (pi : policy_of t) : deterministic pi -> forall past s, exists a, pi past s a = 1.
Proof.
rewrite /deterministic => det past s; have [_ sum1] := chance_law pi past s.
case: (pickP (fun a => pi past s a == 1)) => [a /eqP|no]; first by exists a.
have : 0 = 1 :> R; last by move=> e; have := @ltr01 R_realFieldType; rewrite -e ltxx.
by rewrite -sum1 big1 // => a _; case: (det past s a) => e //; move: (no a); rewrite e eqxx.
Qed.
Lemma pure_deterministic g : deterministic (pure _ g : policy_of t).
Proof. by rewrite /deterministic => past s a /=; case: (_ == _); first [by left|by right]. Qed.
Lemma arbitrary_all (pi : policy_of t) : arbitrary pi.
Proof. by []. Qed.
End Kinds.

(* one state, two actions of reward 1 and 0 in every layer, features on the axes *)
Section Coin.
Definition coin_feature (_ : unit) (a : bool) : 'cV[R]_2 := \col_i (a == (i == ord0))%:R.
Definition coin : task 2 :=
  @Task 2 [finType of unit] [finType of bool] true (fun _ => coin_feature) (fun _ _ a => a%:R).
Definition coin_world : world coin := @World 2 coin (fun _ => 1) (fun _ _ _ _ => 1).
(* the same, with other transitions from layer H on *)
Definition later_world H : world coin := @World 2 coin (fun _ => 1) (fun h _ _ _ => (h < H)%N%:R).
End Coin.

Lemma nothing_left (S : finType) (f : S -> R) : \sum_s f s * 0 = 0.
Proof. by rewrite big1 // => s _; rewrite mulr0. Qed.
Lemma two (f : 'I_2 -> R) : \sum_i f i = f ord0 + f (lift ord0 ord0).
Proof. by rewrite big_ord_recl big_ord1. Qed.

Section Class.
Lemma coin_assumption : assumption_one coin_feature (fun _ => const_mx 1) (\col_i (i == ord0)%:R)
  (fun _ _ _ => 1) (fun _ a => a%:R).
Proof.
split=> [|s a|s a||v hv]; last 1 first.
- have -> : \sum_s v s *: (const_mx 1 : 'cV[R]_2) = const_mx (v tt).
    apply/matrixP => i j; rewrite summxE (big_pred1 tt) => [|[]] //; by rewrite !mxE mulr1.
  have h : v tt ^+ 2 <= 1 by rewrite -real_normK ?num_real // expr_le1.
  by rewrite qfE two !mxE; exact: (ler_add h h).
- split=> [s a|s a s']; first by split=> [x|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
  by rewrite mxE two !mxE; case: a => /=; rewrite ?mulr1 ?mulr0 ?addr0 ?add0r.
- by rewrite mxE two !mxE; case: a => /=; rewrite ?mulr1 ?mulr0 ?addr0 ?add0r.
- by rewrite qfE two !mxE; case: a => /=; rewrite ?expr1n ?expr0n /= ?addr0 ?add0r.
by rewrite qfE two !mxE /= expr1n expr0n /= addr0 ler1n.
Qed.

Lemma coin_linear H : linear_mdp H coin_world.
Proof.
split; first by split=> [x|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
exists (fun _ _ => const_mx 1), (fun _ => \col_i (i == ord0)%:R) => h _; split; first exact: coin_assumption.
by move=> s a; rewrite ler0n lern1 leq_b1.
Qed.

(* layers from H on do not count, and the layers below H do *)
Lemma later_linear H : linear_mdp H (later_world H).
Proof.
split; first by split=> [x|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
exists (fun _ _ => const_mx 1), (fun _ => \col_i (i == ord0)%:R) => h hH.
by split=> [|s a]; [rewrite /= hH; exact: coin_assumption|rewrite ler0n lern1 leq_b1].
Qed.
Lemma linear_first H d (t : task d) (w : world t) : linear_mdp H w -> is_law (first w).
Proof. by case. Qed.
Lemma linear_layer H d (t : task d) (w : world t) h : linear_mdp H w -> (h < H)%N -> exists mu theta,
  assumption_one (features t h) mu theta (transitions w h) (rewards t h).
Proof. by case=> _ [mu [theta lin]] hH; exists (mu h), (theta h); case: (lin h hH). Qed.
Lemma linear_rewards H d (t : task d) (w : world t) h s a : linear_mdp H w -> (h < H)%N -> 0 <= rewards t h s a <= 1.
Proof. by case=> _ [mu [theta lin]] hH; case: (lin h hH). Qed.
End Class.

(* what is near the best: on the coin, for a policy that plays the good action with the probability p, 1 - eps <= p *)
Section Near.
Lemma coin_return (pi : policy_of coin) :
  past_return (transitions coin_world) (rewards coin) (first coin_world) 1 pi = pi [::] tt true.
Proof.
rewrite /past_return (big_pred1 tt) => [|[]] //=; rewrite big_bool /= mul1r.
by rewrite !nothing_left !addr0 mulr1 mulr0 addr0.
Qed.
Lemma coin_best : best_return (some_action coin) (transitions coin_world) (rewards coin) (first coin_world) 1 = 1.
Proof.
have law1 : is_law (first coin_world) by exact: linear_first (coin_linear 1).
have laws h s a : is_law (transitions coin_world h s a).
  by split=> [x|]; [exact: ler01|rewrite (big_pred1 tt) // => -[]].
have [above [g best]] := best_return_attained true (rewards coin) 1 law1 laws.
apply: le_anti; apply/andP; split; first by rewrite -best coin_return /= lern1 leq_b1.
by apply: le_trans (above (pure _ (fun _ _ => true))); rewrite coin_return.
Qed.
Lemma coin_near eps (pi : policy_of coin) : near_best 1 eps coin_world pi = (1 - eps <= pi [::] tt true).
Proof.
rewrite /near_best coin_best coin_return -[LHS]subr_ge0 -[RHS]subr_ge0; congr (_ <= _); ring.
Qed.
End Near.

(* the probability of success: without deployments it is 0 or 1, and with one it is a mean over the batch *)
Section Chance.
Variables (H N d : nat) (t : task d) (w : world t) (L : learner H N t).
Lemma chance_without eps v : chance_near_best w 0 eps (L := L) v = (near_best H eps w (output (plays L v) [::]))%:R.
Proof. by rewrite /chance_near_best success_nil success_from0. Qed.
Lemma chance_of_one eps v : chance_near_best w 1 eps (L := L) v =
  \sum_o past_batch_law (transitions w) (first w) (deploy (plays L v) [::]) o *
    (near_best H eps w (output (plays L v) [:: o]))%:R.
Proof. by rewrite /chance_near_best success_nil success_fromS; apply: eq_bigr => o _; rewrite success_from0. Qed.
Lemma succeeds_defined K eps delta : succeeds w L K eps delta -> has_mean L (chance_near_best w K eps).
Proof. by rewrite /succeeds => -[h1 h2]; first [exact: h1|exact: h2]. Qed.
(* a seed exists *)
Lemma some_seed : (seed L -> False) -> False.
Proof.
move=> no; have [const _ mono] := seed_law L; have [d0 e0] := const 0; have [d1 e1] := const 1.
by have := mono _ _ d1 d0 (fun v => False_ind _ (no v)); rewrite e0 e1 leNgt ltr01.
Qed.
End Chance.

(* a fair seed that decides which action is returned: it succeeds for delta = 1/2 and fails for delta = 1/4 *)
Section Fair.
Lemma fair_seed : averaging (R := R_realFieldType) (W := bool) (fun _ => True) (fun f => (f true + f false) / 2%:R).
Proof.
have half : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
split=> [k|I f _|f g _ _ fg]; first by split=> //; field.
  by split=> //; rewrite -big_split mulr_suml.
by rewrite ler_pmul2r // ler_add.
Qed.
Definition fair : learner 1 0 coin :=
  @Learner 1 0 2 coin bool _ _ fair_seed
    (fun v => Strategy (fun _ => pure _ (fun _ _ => v)) (fun _ => pure _ (fun _ _ => v))).
Lemma fair_chance v : chance_near_best coin_world 0 4%:R^-1 (L := fair) v = v%:R.
Proof.
rewrite chance_without coin_near /=; case: v; rewrite /=.
  by rewrite ger_addl oppr_le0 invr_ge0 ler0n.
by rewrite subr_le0 leNgt invf_lt1 ?ltr0n // ltr1n.
Qed.
Lemma fair_mean : mean_of fair (chance_near_best coin_world 0 4%:R^-1) = 2%:R^-1.
Proof. by rewrite /= !fair_chance /= addr0 mul1r. Qed.
Lemma fair_succeeds : succeeds coin_world fair 0 4%:R^-1 2%:R^-1.
Proof.
rewrite /succeeds; split=> //; rewrite fair_mean -subr_ge0 le_eqVlt; apply/orP; left; apply/eqP; by field.
Qed.
Lemma fair_fails : ~ succeeds coin_world fair 0 4%:R^-1 4%:R^-1.
Proof.
move=> h; have : 0 <= - 4%:R^-1 :> R; last by rewrite oppr_ge0 leNgt invr_gt0 ltr0n.
move: h; rewrite /succeeds fair_mean => -[h1 h2]; first [move: h2|move: h1]; rewrite -subr_ge0; congr (0 <= _);
  by field.
Qed.
End Fair.

(* K deployments are enough *)
Section Enough.
Variables (allowed : kind) (d H N K : nat) (eps delta : R).
Lemma enough_for_none : achievable (fun _ _ => False) allowed d H N eps delta K.
Proof. by rewrite /achievable => t []. Qed.
(* one learner serves all linear MDPs of a task, and it deploys what is allowed for all seeds and data *)
Lemma enough_for_both (tasks : class) (t : task d) : achievable tasks allowed d H N eps delta K -> tasks d t ->
  exists L : learner H N t, (forall v h, @allowed d t (deploy (plays L v) h)) /\
    forall w w' : world t, linear_mdp H w -> linear_mdp H w' -> succeeds w L K eps delta /\ succeeds w' L K eps delta.
Proof.
move=> h in_class; have [L both] := h t in_class; exists L.
split=> [v past|w w' lin lin']; first by case: both => a b; first [exact: a|exact: b].
by split; case: both => a b; first [exact: a|exact: b].
Qed.
End Enough.
(* what is forbidden is not deployed *)
Lemma nothing_allowed H N K eps delta : ~ achievable any_maps (fun _ _ _ => False) 2 H N eps delta K.
Proof.
move=> h; have [L [kept _]] := enough_for_both h (any_maps_all coin).
by apply: (@some_seed _ _ _ _ L) => v; exact: kept v [::].
Qed.

(* with one layer the rewards tell all: no deployment is needed, and nothing is lost *)
Lemma one_layer d N : achievable any_maps deterministic d 1 N 0 0 0.
Proof.
rewrite /achievable => t _; pose a0 := some_action t.
pose g (h : nat) s := [arg max_(a > a0) rewards t 0 s a]%O.
pose L : learner 1 N t := seedless (Strategy (fun _ => pure _ g) (fun _ => pure _ g)); exists L.
have kept v h : deterministic (deploy (plays L v) h) by exact: pure_deterministic.
suff good (w : world t) : linear_mdp 1 w -> succeeds w L 0 0 0 by split; first [exact: kept|exact: good].
move=> lin; have [rho0 _] := linear_first lin.
have le : best_return (some_action t) (transitions w) (rewards t) (first w) 1 <=
    past_return (transitions w) (rewards t) (first w) 1 (pure _ g).
  apply: ler_sum => s _; apply: ler_wpmul2l => //; rewrite /= (bigD1 (g 0%N s)) //= eqxx mul1r.
  rewrite [X in _ <= _ + X]big1 ?addr0 => [|a /negPf ->]; last by rewrite mul0r.
  by rewrite !nothing_left !addr0; set b := [arg max_(_ > _) _]%O; rewrite /g; case: arg_maxP => // a _; exact.
have near : near_best 1 0 w (pure _ g).
  rewrite -subr_ge0 in le; rewrite /near_best -subr_ge0; move: le; congr (is_true (0 <= _)); by ring.
rewrite /succeeds; split=> //=; rewrite chance_without near [true%:R]mulr1n -subr_ge0.
by set x := (X in 0 <= X); have -> : x = 0 by rewrite /x; ring.
Qed.
