(* The lower bound in the words of Definition 2.1: the compact bandit is a task with one linear MDP for each hidden arm,
   and a learner that deploys deterministic policies K times fails on one of them.

   bandit_task n d'   the states, actions, features and rewards, the same for all hidden arms
   bandit_world b i   the transitions with the hidden arm i and the bias b *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game gate trajectories bandit best features.
From derl.probability Require Import finite hoeffding adaptive.
From derl.foundations Require Import rewards policies.
From derl.algorithm_one Require Import trajectory_law.
From derl.complexity Require Import definition.

Section HiddenArm.
Variables (n d' N : nat) (b : R).
Hypothesis b01 : 0 < b <= 2%:R^-1.
Local Notation d := d'.+1.
Local Notation H := n.+1.
Implicit Type i : arm n d'.

(* what is known: the gate and the two absorbing states, d actions, features of dimension d + 2 *)
Definition bandit_task : task (d'.+1 + 2) :=
  @Task (d'.+1 + 2) [finType of gate.state] [finType of 'I_d'.+1] ord0
    (fun _ s a => feature_vector R_realFieldType s a) (fun h s _ => gate.reward R_realFieldType n h s).
(* the transitions with the hidden arm i; the first state is the gate *)
Definition bandit_world i : world bandit_task :=
  @World (d'.+1 + 2) bandit_task (fun s => (s == None)%:R) (gate.kernel (bandit b i)).

Let b_mild i : mild (bandit b i).
Proof. by apply: bandit_mild; case/andP: b01 => b0 ->; rewrite (ltW b0). Qed.

(* each of them is a linear MDP *)
Lemma bandit_linear i : linear_mdp H (bandit_world i).
Proof.
split.
  by split=> [s|] /=; [exact: ler0n|rewrite (bigD1 None) //= big1 ?addr0 // => s /negPf ->].
exists (measure_vector (bandit b i)), (reward_vector R_realFieldType n d) => h _; split.
  exact: gate_assumption.
by move=> s a; exact: reward_bounds.
Qed.

Local Notation S := gate.state.
Local Notation A := 'I_d'.+1.
Local Notation O := (batch [finType of S] [finType of A] N H).
Local Notation policy' := (past_policy R_realFieldType [finType of S] [finType of A]).

(* deterministic policies as functions of the past *)
Local Notation chooser := (seq (S * A) -> S -> A).
Lemma chosen_law (f : chooser) past s : is_law (fun a => (a == f past s)%:R : R).
Proof.
split=> [a|]; first exact: ler0n.
by rewrite (bigD1 (f past s)) //= eqxx big1 ?addr0 // => a /negPf ->.
Qed.
Definition chosen (f : chooser) : policy' :=
  @PastPolicy R_realFieldType [finType of S] [finType of A] (fun past s a => (a == f past s)%:R) (chosen_law f).
Definition chooser_of (pi : policy') : chooser := fun past s => odflt ord0 [pick a | pi past s a == 1].

Lemma chooser_chance (pi : policy') : (forall past s a, pi past s a = 0 \/ pi past s a = 1) ->
  forall past s a, pi past s a = (a == chooser_of pi past s)%:R.
Proof.
move=> hd past s a; have [p0 p1] := chance_law pi past s.
have [c hc] : exists c, pi past s c = 1.
  case: (pickP (fun a => pi past s a == 1)) => [c /eqP hc|no]; first by exists c.
  by move: p1; rewrite big1 => [/esym/eqP|c _]; [rewrite oner_eq0|case: (hd past s c) => // /eqP; rewrite no].
have one a' : pi past s a' = (a' == c)%:R.
  case: eqP => [-> //|/eqP ne]; case: (hd past s a') => // e1; exfalso.
  move: p1; rewrite (bigD1 c) //= hc (bigD1 a') //= e1 => e.
  have rest : 0 <= \sum_(x | (x != c) && (x != a')) pi past s x by apply: sumr_ge0.
  have /eqP : 1 + \sum_(x | (x != c) && (x != a')) pi past s x = 0 by apply: (addrI 1); rewrite addr0; exact: e.
  by rewrite gt_eqF // ltr_spaddl ?ltr01.
rewrite one /chooser_of; case: pickP => [c' /eqP|/(_ c)]; last by rewrite hc eqxx.
by rewrite one; case: eqP => [-> //|_ /eqP]; rewrite eq_sym oner_eq0.
Qed.

(* the past of a trajectory that has always stayed, and the arm that f pulls *)
Definition waited h : seq (S * A) := nseq h (None, ord0).
Definition reaches (f : chooser) i : bool :=
  (f (waited i.1) None == lift ord0 i.2) && [forall k : 'I_i.1, f (waited k) None == ord0].
Definition reached (f : chooser) : option (arm n d') := [pick i | reaches f i].

Lemma reaches_one f i j : reaches f i -> reaches f j -> i = j.
Proof.
move=> /andP[/eqP i1 /forallP i2] /andP[/eqP j1 /forallP j2].
have same : i.1 = j.1.
  apply/val_inj; case: (ltngtP i.1 j.1) => // lt; exfalso.
    by have := j2 (Ordinal lt); rewrite /= i1.
  by have := i2 (Ordinal lt); rewrite /= j1.
move: i1 j1; rewrite same => -> /lift_inj e.
by case: i j same e {i2 j2} => [i1 i2] [j1 j2] /= -> ->.
Qed.

Lemma reachedE f i : reached f != Some i -> ~~ reaches f i.
Proof.
rewrite /reached; case: pickP => [j hj|no]; last by rewrite no.
by apply: contra => hi; rewrite (reaches_one hi hj).
Qed.

Local Notation kernel := (@gate.kernel R_realFieldType d).
Local Notation fair := (@fair R_realFieldType d').

Lemma past_law_ext (P : nat -> S -> A -> S -> R) pi h past q q' t : q =1 q' ->
  past_law P pi h past q t = past_law P pi h past q' t.
Proof. by case: t => //= x t ->. Qed.

(* after the gate is left, all instances look the same *)
Lemma past_law_end (M M' : gate.instance R_realFieldType d) pi h past q t : q None = 0 ->
  past_law (kernel M) pi h past q t = past_law (kernel M') pi h past q t.
Proof.
elim: t h past q => [|[s a] t IH] h past q q0 //=; case: s => [x|]; last by rewrite q0 !mul0r.
congr (_ * _); exact: (IH h.+1 _ (kernel M h (Some x) a)).
Qed.

(* a policy that does not reach the arm i sees nothing of i *)
Lemma past_law_blind f i h t : ~~ reaches f i -> (forall k, (k < h)%N -> f (waited k) None = ord0) ->
  past_law (kernel (bandit b i)) (chosen f) h (waited h) (fun s => (s == None)%:R) t =
  past_law (kernel fair) (chosen f) h (waited h) (fun s => (s == None)%:R) t.
Proof.
move=> np; elim: t h => [|[s a] t IH] h hs //=.
case: s => [x|]; first by rewrite !mul0r.
rewrite !mul1r; case: eqP => [ae|]; last by rewrite !mul0r.
rewrite !mul1r; case: (eqVneq a ord0) => [a0|a0].
  have stay (M : gate.instance R_realFieldType d) : stays M h a ->
      past_law (kernel M) (chosen f) h.+1 (rcons (waited h) (None, a)) (kernel M h None a) t =
      past_law (kernel M) (chosen f) h.+1 (waited h.+1) (fun s => (s == None)%:R) t.
    move=> hM; have -> : rcons (waited h) (None, a) = waited h.+1 by rewrite a0 /waited; elim: (h) => //= h' ->.
    by apply: past_law_ext => -[x|] /=; rewrite hM.
  rewrite !stay ?a0 // IH // => k; rewrite ltnS leq_eqVlt => /orP[/eqP -> |]; last exact: hs.
  by rewrite -ae.
rewrite (past_law_end _ fair); last by rewrite /= (negPf a0).
apply: past_law_ext => s' /=; rewrite (negPf a0); case: s' => [x|] //.
have -> // : is_arm i h a = false.
apply/negP => /andP[/eqP hi /eqP ai]; move/negP: np; apply; apply/andP; split.
  by rewrite -hi -ae ai.
by apply/forallP => k; rewrite hs // hi; exact: ltn_ord.
Qed.

(* a policy of the past as a policy of gate.v, which sees actions and next states *)
Fixpoint past_of (s : S) (pre : seq (step d)) : seq (S * A) :=
  if pre is x :: pre' then (s, x.1) :: past_of x.2 pre' else [::].
Definition gate_policy (pi : policy') : policy R_realFieldType d := fun pre s a => pi (past_of None pre) s a.
Lemma gate_policy_proper pi : proper (gate_policy pi).
Proof. by move=> pre s; exact: chance_law. Qed.

Lemma past_of_rcons s pre a s' : past_of s (rcons pre (a, s')) = rcons (past_of s pre) (last s (map snd pre), a).
Proof. by elim: pre s => [|x pre IH] s //=; rewrite IH. Qed.
Lemma size_past_of s pre : size (past_of s pre) = size pre.
Proof. by elim: pre s => [|x pre IH] s //=; rewrite IH. Qed.

Lemma gate_past_value (M : gate.instance R_realFieldType d) (pi : policy') h pre k :
  past_value (kernel M) (fun h s _ => gate.reward R_realFieldType n h s) pi h (past_of None pre) k.+1
    (last None (map snd pre)) = gate.value n M (gate_policy pi) h pre (last None (map snd pre)) k.
Proof.
elim: k h pre => [|k IH] h pre.
  set s := last _ _; rewrite [LHS]/= [RHS]/= addr0.
  rewrite (eq_bigr (fun a => pi (past_of None pre) s a * gate.reward R_realFieldType n h s)) => [|a _]; last first.
    by rewrite [X in _ + X]big1 ?addr0 // => s' _; rewrite mulr0.
  by rewrite -mulr_suml (proj2 (chance_law pi _ _)) mul1r.
set s := last _ _; rewrite [RHS]/= -[gate.reward _ _ _ _ in RHS]mul1r -(proj2 (chance_law pi (past_of None pre) s)).
rewrite mulr_suml -big_split; apply: eq_bigr => a _.
rewrite /= -[gate_policy pi pre s a]/(pi (past_of None pre) s a) -mulrDr; congr (_ * (_ + _)).
apply: eq_bigr => s' _.
congr (_ * _); have := IH h.+1 (rcons pre (a, s')); rewrite map_rcons last_rcons past_of_rcons; exact.
Qed.

Lemma bandit_return i (pi : policy') :
  past_return (transitions (bandit_world i)) (rewards bandit_task) (first (bandit_world i)) H pi =
  gate.J n (bandit b i) (gate_policy pi).
Proof.
rewrite /past_return (bigD1 None) //= mul1r [X in _ + X]big1 ?addr0 => [|s /negPf ->]; last by rewrite mul0r.
exact: (@gate_past_value (bandit b i) pi 0 [::] n).
Qed.

(* the best return is at least that of the policy that pulls the hidden arm *)
Lemma bandit_best_return i : n%:R / 2%:R + b <=
  best_return (some_action bandit_task) (transitions (bandit_world i)) (rewards bandit_task) (first (bandit_world i)) H.
Proof.
pose f : chooser := fun past _ => if size past == i.1 :> nat then lift ord0 i.2 else ord0.
have [[r0 r1] _] := bandit_linear i.
have [above _] := @best_return_attained R_realFieldType _ _ ord0 (kernel (bandit b i)) (rewards bandit_task)
  (first (bandit_world i)) H (conj r0 r1) (fun h s a => kernel_law h s a (b_mild i)).
apply: le_trans (above (chosen f)); rewrite -(bandit_best b i) bandit_return le_eqVlt; apply/orP; left; apply/eqP.
have same pre s a : pol R_realFieldType (puller i) pre s a = gate_policy (chosen f) pre s a.
  by rewrite /gate_policy /= /f size_past_of.
have : forall k h pre s, gate.value n (bandit b i) (pol R_realFieldType (puller i)) h pre s k =
    gate.value n (bandit b i) (gate_policy (chosen f)) h pre s k; last by exact.
elim=> [|k IH] h pre s //=; congr (_ + _); apply: eq_bigr => a _; congr (_ * _); first exact: same.
by apply: eq_bigr => s' _; rewrite IH.
Qed.

Lemma near_best_good eps i (pi : policy') : near_best H eps (bandit_world i) pi ->
  bandit.good_output b eps i (Returned (gate_policy_proper pi)).
Proof.
rewrite /near_best bandit_return /bandit.good_output; apply: le_trans.
by rewrite ler_add2r bandit_best_return.
Qed.

Lemma near_best_names eps : 2%:R * eps < b ->
  names_one (fun i => near_best H eps (bandit_world i)).
Proof.
move=> eb pi i j hi hj; have b0 : 0 < b by case/andP: b01.
exact: (bandit_names eb b0 (near_best_good hi) (near_best_good hj)).
Qed.

Local Notation law i := (@past_batch_law R_realFieldType [finType of S] [finType of A] (kernel (bandit b i)) N H
  (fun s => (s == None)%:R)).

(* the chances of success, added over the hidden arms, for one seed *)
Lemma chances_sum (psi : strategy O policy' policy') eps K : 2%:R * eps < b ->
  (forall h past s a, deploy psi h past s a = 0 \/ deploy psi h past s a = 1) ->
  \sum_i success (law i) psi (near_best H eps (bandit_world i)) K <= K.+1%:R.
Proof.
move=> eb hd.
pose law' (M : gate.instance R_realFieldType d) (f : chooser) : O -> R :=
  @past_batch_law R_realFieldType [finType of S] [finType of A] (kernel M) N H (fun s => (s == None)%:R) (chosen f).
pose psi' : strategy O chooser policy' := Strategy (fun h => chooser_of (deploy psi h)) (output psi).
have is_law' M f : mild M -> is_law (law' M f).
  move=> hM; apply: past_batch_is_law => [h s a|]; first exact: kernel_law.
  by split=> [s|]; [exact: ler0n|rewrite (bigD1 None) //= big1 ?addr0 // => s /negPf ->].
have law_same (P : nat -> S -> A -> S -> R) (pi pi' : policy') h past q t :
    (forall past s a, pi past s a = pi' past s a) -> past_law P pi h past q t = past_law P pi' h past q t.
  by move=> e; elim: t h past q => [|x t IH] h past q //=; rewrite e IH.
have same i : success (law i) psi (near_best H eps (bandit_world i)) K =
    success (law' (bandit b i)) psi' (near_best H eps (bandit_world i)) K.
  apply: success_same => // h o; apply: eq_bigr => k _; apply: law_same => past s a.
  exact: (chooser_chance (hd h)).
under eq_bigr do rewrite same.
apply: (search_sum (arm := reached) (law0 := law' fair) psi' K _ (near_best_names eb)).
- move=> i f o hi; apply: eq_bigr => k _.
  by apply: (@past_law_blind f i 0) => //; exact: reachedE.
- by move=> f; apply: is_law'; exact: fair_mild.
- by move=> i f; exact: is_law'.
Qed.
End HiddenArm.

(* [thm-lower-deterministic-repaired]: for every number N of trajectories, every learner, with a random seed of any law,
   that deploys deterministic policies, which may depend on the past, K times and returns any policy, some linear MDP
   with dimension d, H layers and one feature map makes it fail with probability at least 1 - (K + 1) / ((d - 3) (H -
   1)) *)
Theorem hidden_arm_bound d H N eps : (4 <= d)%N -> (2 <= H)%N -> 0 < eps < 4%:R^-1 ->
  exists2 t : task d, one_map t & forall (L : learner H N t) K,
    (forall v h, deterministic (deploy (plays L v) h)) ->
    (forall w : world t, linear_mdp H w -> has_mean L (chance_near_best w K eps)) ->
    exists2 w : world t, linear_mdp H w &
      mean_of L (chance_near_best w K eps) <= K.+1%:R / ((d - 3) * (H - 1))%N%:R.
Proof.
move=> d4 H2 /andP[e0 e1]; case: H H2 => // n; rewrite ltnS => n0.
have [c dE] : exists c, d = (c.+2 + 2)%N by exists (d - 4)%N; rewrite !addSn -!addnS subnK.
subst d.
set d' := c.+1.
have -> : ((d'.+1 + 2 - 3) * (n.+1 - 1) = n * d')%N by rewrite addn2 subn1 mulnC.
have b01 : 0 < (2%:R^-1 : R) <= 2%:R^-1 by rewrite invr_gt0 ltr0n lexx.
have eb : 2%:R * eps < 2%:R^-1.
  rewrite mulrC -ltr_pdivl_mulr ?ltr0n // -invfM -natrM; exact: e1.
exists (bandit_task n d') => [//|L K det def].
have [const add mono] := seed_law L.
have m0 : (0 < n * d')%N by rewrite muln_gt0 n0.
pose win (i : arm n d') v := chance_near_best (bandit_world 2%:R^-1 i) K eps (L := L) v.
have lin (i : arm n d') : linear_mdp n.+1 (bandit_world (2%:R^-1 : R) i) by exact: bandit_linear.
have one v : \sum_i win i v <= K.+1%:R by apply: chances_sum => //; exact: det.
have [dsum esum] := add _ win (fun i => def _ (lin i)); have [dm em] := const K.+1%:R.
have tot := mono _ _ dsum dm one; rewrite esum em in tot.
have mR : 0 < (n * d')%:R :> R by rewrite ltr0n.
case: (pickP (fun i => mean_of L (win i) <= K.+1%:R / (n * d')%:R)) => [i hi|no].
  by exists (bandit_world 2%:R^-1 i).
have i0 : arm n d' by exact: (Ordinal n0, Ordinal (ltn0Sn c)).
have big : \sum_(i : arm n d') (K.+1%:R / (n * d')%:R) < \sum_(i : arm n d') mean_of L (win i) :> R.
  rewrite (bigD1 i0) //= [ltRHS](bigD1 i0) //=; apply: ltr_le_add; first by rewrite ltNge no.
  by apply: ler_sum => i _; rewrite leNgt; apply/negP => h; move: (no i); rewrite ltW.
move: big; rewrite sumr_const card_arm -[X in X < _]mulr_natr mulfVK ?gt_eqF //.
by rewrite ltNge tot.
Qed.
