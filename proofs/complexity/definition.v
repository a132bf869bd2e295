(* Definition 2.1: deployment complexity in linear MDPs.

   task d            what a learner knows: states, actions, features of dimension d, rewards
   one_map, any_maps   which tasks: one feature map for all layers, as in Assumption 1, or one for each layer
   world t           what it does not know: the law of the first state, the transitions
   linear_mdp H t w  Assumption 1 in the H layers, as the paper normalises it, and rewards in [0, 1]
   learner H N t     a strategy with a random seed: from the batches so far to the next policy, which N trajectories of
                     H layers are drawn from; at the end to the policy that it returns
   seedless psi      the learner without a seed
   chance_near_best  the probability over the data that the returned policy is epsilon-optimal, for one seed
   succeeds          its mean over the seed is at least 1 - delta
   achievable        K deployments are enough for each task
   deployment_complexity_is   the least such K
   deterministic, arbitrary   which policies may be deployed *)
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import game features.
From derl.foundations Require Import rewards policies.
From derl.algorithm_one Require Import trajectory_law.

(* what a learner knows: finite sets of states and actions, of which there is at least one, and features and rewards of
   every layer, which are counted from 0 *)
Record task (d : nat) := Task {
  states : finType;
  actions : finType;
  some_action : actions;
  features : nat -> states -> actions -> 'cV[R]_d;
  rewards : nat -> states -> actions -> R }.
Arguments some_action {d} t.
Arguments features {d} t h s a.
Arguments rewards {d} t h s a.
(* which tasks *)
Definition class := forall d, task d -> Prop.
(* all layers have one feature map, as in Assumption 1 *)
Definition one_map : class := fun d t => forall h, features t h = features t 0%N.
(* no condition: the features may differ from layer to layer *)
Definition any_maps : class := fun d t => True.

(* what it does not know: the law of the first state and the transition probabilities *)
Record world d (t : task d) := World {
  first : states t -> R;
  transitions : nat -> states t -> actions t -> states t -> R }.
(* a policy that may depend on the past of its trajectory and draw its actions *)
Definition policy_of d (t : task d) := past_policy R_realFieldType (states t) (actions t).

(* a linear MDP with H layers: Assumption 1 with its three norms, and rewards in [0, 1] *)
Definition linear_mdp H d (t : task d) (w : world t) : Prop :=
  is_law (first w) /\ exists (mu : nat -> states t -> 'cV[R]_d) (theta : nat -> 'cV[R]_d), forall h, (h < H)%N ->
    assumption_one (features t h) (mu h) (theta h) (transitions w h) (rewards t h) /\
    forall s a, 0 <= rewards t h s a <= 1.

(* the return of a policy is at most eps below the largest of all policies *)
Definition near_best H eps d (t : task d) (w : world t) (pi : policy_of t) : bool :=
  best_return (some_action t) (transitions w) (rewards t) (first w) H - eps <=
  past_return (transitions w) (rewards t) (first w) H pi.

(* a learner: a seed with some law, and for each seed a strategy.  A batch, the data of one deployment, is N
   trajectories of states and actions of H layers.  The law of the seed is given by the mean of numbers that depend on
   it, where it is defined *)
Record learner H N d (t : task d) := Learner {
  seed : Type;
  has_mean : (seed -> R) -> Prop;
  mean_of : (seed -> R) -> R;
  seed_law : averaging has_mean mean_of;
  plays : seed -> strategy (batch (states t) (actions t) N H) (policy_of t) (policy_of t) }.

Arguments has_mean {H N d t} l f.
Arguments mean_of {H N d t} l f.
Arguments plays {H N d t} l v.

(* a learner without a seed *)
Lemma one_seed : averaging (R := R_realFieldType) (W := unit) (fun _ : unit -> R => True) (fun f => f tt).
Proof. by split=> [k|I f _|f g _ _ fg] //; exact: fg. Qed.
Definition seedless H N d (t : task d) (psi : strategy (batch (states t) (actions t) N H) (policy_of t) (policy_of t)) :
  learner H N t := @Learner H N d t unit (fun _ => True) (fun f => f tt) one_seed (fun _ => psi).

(* the probability over the data, for one seed, that the policy returned after K deployments is epsilon-optimal *)
Definition chance_near_best H N d (t : task d) (w : world t) (L : learner H N t) K eps (v : seed L) : R :=
  success (@past_batch_law R_realFieldType (states t) (actions t) (transitions w) N H (first w)) (plays L v)
    (near_best H eps w) K.
(* its mean over the seed is at least 1 - delta *)
Definition succeeds H N d (t : task d) (w : world t) (L : learner H N t) K eps delta : Prop :=
  has_mean L (chance_near_best w K eps) /\ 1 - delta <= mean_of L (chance_near_best w K eps).

(* which policies may be deployed *)
Definition kind := forall d (t : task d), policy_of t -> Prop.
(* after each past one action has probability 1 *)
Definition deterministic : kind := fun d t pi => forall past s a, pi past s a = 0 \/ pi past s a = 1.
(* no condition *)
Definition arbitrary : kind := fun d t pi => True.

(* K deployments of N trajectories are enough: for each task there is a learner that deploys policies of this kind and
   succeeds in every linear MDP of this task *)
Definition achievable (tasks : class) (allowed : kind) d H N eps delta K : Prop :=
  forall t : task d, tasks d t -> exists L : learner H N t,
    (forall v h, allowed d t (deploy (plays L v) h)) /\
    forall w : world t, linear_mdp H w -> succeeds w L K eps delta.

(* the least number with a property *)
Definition least (P : nat -> Prop) K : Prop := P K /\ forall K', P K' -> (K <= K')%N.

(* the least number of deployments *)
Definition deployment_complexity_is (tasks : class) (allowed : kind) d H N eps delta K : Prop :=
  least (achievable tasks allowed d H N eps delta) K.

Lemma least_exists (P : nat -> Prop) K : P K -> exists K', least P K' /\ (K' <= K)%N.
Proof.
elim: {K}K.+1 {-2}K (ltnSn K) => // n IH K Kn hK.
case: (Classical_Prop.classic (exists2 K', (K' < K)%N & P K')) => [[K' lt hK']|no].
  have [K'' [h le]] := IH K' (leq_trans lt Kn) hK'; exists K''; split=> //; exact: leq_trans le (ltnW lt).
exists K; split=> //; split=> // K' hK'; rewrite leqNgt; apply/negP => lt; apply: no; by exists K'.
Qed.

(* what is enough for more tasks is enough for fewer *)
Lemma achieved_for_fewer (more fewer : class) allowed d H N eps delta K : (forall t : task d, fewer d t -> more d t) ->
  achievable more allowed d H N eps delta K -> achievable fewer allowed d H N eps delta K.
Proof. by move=> all h t ft; exact: h (all t ft). Qed.
