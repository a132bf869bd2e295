(* Definition 2.1 where the rewards are unknown: the learner sees the rewards of its trajectories, and nothing else of
   them.  The deployment complexity with deterministic policies is of the order d H as before, with the same constants.

   with_rewards r t       the task t with the rewards r
   report                 what one deployment shows: the trajectories and the rewards of their pairs
   observer H N t         a learner that is told states, actions and features only
   facing r L             the learner that it is if the rewards are r
   achievable_unknown     K deployments are enough for each task, whatever its rewards
   unknown_complexity_is  the least such K *)
From derl.common Require Import real_prelude reals.
From derl.lower_bounds Require Import game features.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism sizes theorem.
From derl.algorithm_one Require Import trajectory_law algorithm optimal setting deployment_complexity learned_rewards.
From derl.complexity Require Import definition upper theorem controls.

(* the same states, actions and features with the rewards r *)
Definition with_rewards d (t : task d) (r : nat -> states t -> actions t -> R) : task d :=
  Task (some_action t) (features t) r.

(* what one deployment shows: a batch, and the reward of each of its N trajectories in each of the H layers *)
Definition report H N d (t : task d) : Type := (batch (states t) (actions t) N H * ('I_N -> 'I_H -> R))%type.
(* with the rewards r, a batch shows the rewards of its pairs of state and action *)
Definition shows H N d (t : task d) (r : nat -> states t -> actions t -> R) (o : batch (states t) (actions t) N H) :
  report H N t := (o, fun (i : 'I_N) (h : 'I_H) => r h (tnth (o i) h).1 (tnth (o i) h).2).

(* a learner that is not told the rewards: a seed, and for each seed a function from what the deployments so far have
   shown to the next policy, and one from all that is shown to the policy that it returns.  The rewards of the task t
   play no role *)
Record observer H N d (t : task d) := Observer {
  its_seed : Type;
  its_means : (its_seed -> R) -> Prop;
  its_mean : (its_seed -> R) -> R;
  its_law : averaging its_means its_mean;
  deploys : its_seed -> seq (report H N t) -> policy_of t;
  returns : its_seed -> seq (report H N t) -> policy_of t }.
Arguments its_means {H N d t} o f.
Arguments its_mean {H N d t} o f.
Arguments deploys {H N d t} o v hs.
Arguments returns {H N d t} o v hs.

(* the learner that an observer is if the rewards are r *)
Definition facing H N d (t : task d) (r : nat -> states t -> actions t -> R) (L : observer H N t) :
  learner H N (with_rewards r) := @Learner H N d (with_rewards r) (its_seed L) (its_means L) (its_mean L) (its_law L)
    (fun v => Strategy (fun h => deploys L v (map (shows r) h)) (fun h => returns L v (map (shows r) h))).

(* rewards that agree on all pairs in the data lead to the same policies *)
Lemma facing_seen H N d (t : task d) (r r' : nat -> states t -> actions t -> R) (L : observer H N t) (v : its_seed L)
    (h : seq (batch (states t) (actions t) N H)) :
  (forall o, o \in h -> forall (i : 'I_N) (l : 'I_H),
     r l (tnth (o i) l).1 (tnth (o i) l).2 = r' l (tnth (o i) l).1 (tnth (o i) l).2) ->
  deploy (plays (facing r L) v) h = deploy (plays (facing r' L) v) h /\
  output (plays (facing r L) v) h = output (plays (facing r' L) v) h.
Proof.
move=> same; have e : map (shows r) h = map (shows r') h.
  apply/eq_in_map => o ho; congr (_, _); do 2!(apply: FunctionalExtensionality.functional_extensionality => ?).
  exact: same.
by rewrite /= e.
Qed.

(* K deployments of N trajectories are enough: for each task there is an observer that deploys policies of this kind and
   succeeds, whatever the rewards are, in every linear MDP *)
Definition achievable_unknown (tasks : class) (allowed : kind) d H N eps delta K : Prop :=
  forall t : task d, tasks d t -> exists L : observer H N t,
    (forall v h, allowed d t (deploys L v h)) /\
    forall r (w : world (with_rewards r)), linear_mdp H w -> succeeds w (facing r L) K eps delta.
(* the least number of deployments *)
Definition unknown_complexity_is (tasks : class) (allowed : kind) d H N eps delta K : Prop :=
  least (achievable_unknown tasks allowed d H N eps delta) K.

(* an observer does not need the rewards that it is told: what is enough for unknown rewards is enough for known ones *)
Lemma achievable_told (tasks : class) d H N eps delta K :
  achievable_unknown tasks deterministic d H N eps delta K -> achievable tasks deterministic d H N eps delta K.
Proof.
move=> ach [S A a0 phi r] tt; have [L [kept suc]] := ach _ tt.
by exists (facing (t := Task a0 phi r) r L); split=> [v h|w]; [exact: kept|exact: suc].
Qed.

(* Algorithm 1 with estimated rewards is such an observer *)
Section Observing.
Variables (d N H : nat) (eps : R) (t : task d) (s0 : states t).
Local Notation a0 := (some_action t).
Variable phi : nat -> states t -> actions t -> 'cV[R]_d.
Variable beta : R.
Local Notation O := (batch (states t) (actions t) N H).
Local Notation nothing := (nothing N H s0 a0).
Implicit Types (h : seq O) (hs : seq (report H N t)) (r : nat -> states t -> actions t -> R).

(* the reward that trajectory i of deployment k shows in layer l *)
Definition shown_reward hs k l i : R :=
  if insub i is Some i' then if insub l is Some l' then (nth (nothing, fun _ _ => 0) hs k).2 i' l' else 0 else 0.
(* the policy that is greedy after k deployments *)
Definition guessing hs k : nat -> states t -> actions t :=
  let w := nth nothing (map fst hs) in
  greedy_policy phi (reward_guess phi s0 a0 (shown_reward hs) w k) beta eps s0 a0 w k.
Definition observing : observer H N t := @Observer H N d t unit (fun _ => True) (fun f => f tt) one_seed
  (fun _ hs => pure _ (guessing hs (seq.size hs)))
  (fun _ hs => pure _ (guessing hs (returned_index phi beta eps s0 a0 (map fst hs)))).

Lemma map_shows r h : map fst (map (shows r) h) = h.
Proof. by rewrite -map_comp map_id. Qed.

Lemma shown_pairs r h k l i : (k < seq.size h)%N -> (i < N)%N ->
  shown_reward (map (shows r) h) k l i = rewards_in s0 a0 r (nth nothing h) k l i.
Proof.
move=> kh iN; rewrite /shown_reward /rewards_in insubT; case: insubP => [l' lH <-|/negPf ->] //.
rewrite (nth_map nothing) // ltn_ord /cell /row insubT /= !(tnth_nth (s0, a0)) //.
Qed.

Lemma guessingE r r' h k : (k <= seq.size h)%N -> (forall l, (l < H)%N -> r l = r' l) ->
  guessing (map (shows r) h) k =
  greedy_policy phi (reward_guess phi s0 a0 (rewards_in s0 a0 r' (nth nothing h)) (nth nothing h) k) beta eps s0 a0
    (nth nothing h) k.
Proof.
move=> kh same; rewrite /guessing map_shows; set w := nth nothing h.
have -> // : reward_guess phi s0 a0 (shown_reward (map (shows r) h)) w k =
  reward_guess phi s0 a0 (rewards_in s0 a0 r' w) w k.
apply: reward_guess_same => // j l i jk iN; rewrite shown_pairs ?(leq_trans jk) // /rewards_in.
by case: ifP => // lH; rewrite same.
Qed.
End Observing.

(* with the number of trajectories of Theorem 4.1, floor (c_K d H) + 1 deployments of deterministic policies are enough
   for rewards that are not told *)
Theorem unknown_rewards_achieved (d N H : nat) (eps delta cK : R) : numbers_allowed d H eps delta cK ->
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps))) <= INR N)%coqR ->
  achievable_unknown any_maps deterministic d H N eps delta (floor (cK * d%:R * H%:R) + 1)%N.
Proof.
move=> ok size t _; have [dH _ _ _] := ok.
have H0 : (0 < H)%N by move: dH; rewrite mulnC; case: (H).
set beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR.
pose c := cut H; have cE h : (h < H)%N -> c h = h by rewrite /c /cut => ->.
pose phi h := features t (c h); have a0 := some_action t.
case: (pickP (fun _ : states t => true)) => [s0 _|no]; last first.
  (* without a state there is no world *)
  exists (Observer one_seed (fun _ _ => pure _ (fun _ _ => a0)) (fun _ _ => pure _ (fun _ _ => a0))).
  split=> [v h past s a|r w [[_ r1] _]]; first by case: (no s).
  by move: r1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
exists (observing N H eps s0 phi beta).
split=> [v h past s a|r w lin]; first by rewrite /=; case: (_ == _); [right|left].
split=> //=; pose P h := transitions w (c h); pose r' h := r (c h).
have model : linear_model P r' (first w) phi := cut_model H0 lin.
have same l : (l < H)%N -> r l = r' l by move=> lH; rewrite /r' cE.
have gE h k (hk : (k <= seq.size h)%N) := guessingE eps s0 phi beta hk same.
pose data h := nth (nothing N H s0 (some_action t)) h.
pose g h := greedy_policy phi (reward_guess phi s0 (some_action t) (rewards_in s0 (some_action t) r' (data h)) (data h)
  (seq.size h)) beta eps s0 (some_action t) (data h) (seq.size h).
pose told h := pure R_realFieldType (g h).
have main := learned_rewards s0 (some_action t) told ok model size.
apply: le_trans main _; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: success_same => [h o|h].
  transitivity (past_batch_law P (first w) (told h) o).
    rewrite (@past_batch_law_pure _ _ _ P N H _ (told h) (g h)) //.
    by apply: past_batch_law_pure => past s a /=; rewrite /cut_off_chance; case: ifP.
  rewrite [deploy _ h]/= size_map gE //.
  by apply: past_batch_law_layers => h' hh; rewrite /P cE.
rewrite /near_best JstarE /J [output _ h]/= [output _ h]/= map_shows gE; last first.
  by rewrite /returned_index; apply: leq_trans (find_size _ _) _; rewrite size_iota.
rewrite -past_return_pure; congr (_ - _ <= _).
  by apply: eq_bigr => s _; congr (_ * _); apply: (@largest_value_layers _ _ P _ r' _ H) => // h' hh; rewrite /P /r' cE.
by apply: eq_bigr => s _; congr (_ * _); apply: (@past_value_layers _ _ P _ r' _ H) => // h' hh; rewrite /P /r' cE.
Qed.

(* [res-unknown-complexity]: the theorem `deterministic_deployment_complexity` for unknown rewards *)
Theorem unknown_deployment_complexity (tasks : class) (d H N : nat) (eps delta : R) :
  (forall t : task d, one_map t -> tasks d t) ->
  (6 <= d)%N -> (2 <= H)%N -> (16 <= d * H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= 2%:R^-1 ->
  (printed_size 4 (10 ^ 20) 2 (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps))) <= INR N)%coqR ->
  exists K : nat,
    [/\ unknown_complexity_is tasks deterministic d H N eps delta K,
        (1 - delta) * ((d - 3) * (H - 1))%N%:R - 1 <= K%:R, (K <= 2 * d * H + 1)%N &
        (d * H)%N%:R / 16%:R <= K%:R :> R /\ K%:R <= 3%:R * (d * H)%N%:R :> R].
Proof.
move=> some d6 H2 dH he ht size; apply: of_order_dH => // [|K ach].
  have := unknown_rewards_achieved (N := N) (order_numbers dH he ht); rewrite two_real => up t _; exact: up.
by apply: achievable_needs (achieved_for_fewer some (achievable_told ach)); [exact: leq_trans d6|exact: H2|exact: he].
Qed.

(* control: without the bound on N; without data no number of deployments is enough *)
Theorem unknown_complexity_control : ~ (forall (tasks : class) (d H N : nat) (eps delta : R),
  (forall t : task d, one_map t -> tasks d t) ->
  (6 <= d)%N -> (2 <= H)%N -> (16 <= d * H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= 2%:R^-1 ->
  exists K : nat,
    [/\ unknown_complexity_is tasks deterministic d H N eps delta K,
        (1 - delta) * ((d - 3) * (H - 1))%N%:R - 1 <= K%:R, (K <= 2 * d * H + 1)%N &
        (d * H)%N%:R / 16%:R <= K%:R :> R /\ K%:R <= 3%:R * (d * H)%N%:R :> R]).
Proof.
move=> claim; have [e t] := order_instance.
have [K [[ach _] _ _ _]] := claim one_map 8%N 2%N 0%N _ _ (fun _ h => h) isT isT isT e t.
exact: no_data_there (achievable_told ach).
Qed.
