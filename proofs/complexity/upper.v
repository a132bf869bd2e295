(* Algorithm 1 in the words of Definition 2.1: with the number of trajectories of Theorem 4.1, floor (c_K d H) + 1
   deployments of deterministic policies are enough. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game features.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism sizes theorem.
From derl.algorithm_one Require Import trajectory_law algorithm optimal setting deployment_complexity.
From derl.complexity Require Import definition.

(* what happens in H layers depends on the transitions and rewards of these layers *)
Section Layers.
Variables (S A : finType) (P P' : nat -> S -> A -> S -> R) (r r' : nat -> S -> A -> R) (H : nat).
Hypothesis sameP : forall h, (h < H)%N -> P h = P' h.
Hypothesis samer : forall h, (h < H)%N -> r h = r' h.

Lemma past_law_layers pi h past q t : (h + seq.size t <= H)%N ->
  past_law P pi h past q t = past_law P' pi h past q t.
Proof.
elim: t h past q => [|x t IH] h past q //= ht; congr (_ * _).
by rewrite sameP ?IH ?addSnnS //; apply: leq_trans ht; rewrite addnS ltnS leq_addr.
Qed.

Lemma past_batch_law_layers N rho (pi : past_policy R_realFieldType S A) (o : batch S A N H) :
  past_batch_law P rho pi o = past_batch_law P' rho pi o.
Proof. by apply: eq_bigr => i _; apply: past_law_layers; rewrite size_tuple. Qed.

Lemma past_value_layers pi h past k s : (h + k <= H)%N -> past_value P r pi h past k s = past_value P' r' pi h past k s.
Proof.
elim: k h past s => [|k IH] h past s //= hk; apply: eq_bigr => a _; congr (_ * _).
have hH : (h < H)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
by rewrite sameP // samer //; congr (_ + _); apply: eq_bigr => s' _; rewrite IH // addSnnS.
Qed.

Lemma largest_value_layers a0 h k s : (h + k <= H)%N -> largest_value a0 P r h k s = largest_value a0 P' r' h k s.
Proof.
elim: k h s => [|k IH] h s // hk; rewrite [LHS]/= [RHS]/=.
have hH : (h < H)%N by apply: leq_trans hk; rewrite addnS ltnS leq_addr.
have e : (fun a => r h s a + \sum_s' P h s a s' * largest_value a0 P r h.+1 k s') =
    (fun a => r' h s a + \sum_s' P' h s a s' * largest_value a0 P' r' h.+1 k s').
  apply: FunctionalExtensionality.functional_extensionality => a; rewrite sameP // samer //; congr (_ + _).
  by apply: eq_bigr => s' _; rewrite IH // addSnnS.
move: e; set f := (X in X = _ -> _); set g := (X in _ = X -> _) => fg.
by transitivity (let q := f in q [arg max_(a > a0) q a]%O); [reflexivity|rewrite fg].
Qed.
End Layers.

Lemma JstarE (S A : finType) H P r (rho : S -> R) (a0 : A) : Jstar H P r rho a0 = best_return a0 P r rho H.
Proof.
apply: eq_bigr => s _; congr (_ * _); elim: H 0%N s => [|k IH] h s //.
pose f a := (r h s a + \sum_s' P h s a s' * best_value P r a0 h.+1 k s')%R.
pose g a := (r h s a + \sum_s' P h s a s' * largest_value a0 P r h.+1 k s')%R.
have fg : f = g.
  apply: FunctionalExtensionality.functional_extensionality => a; congr (_ + _).
  by apply: eq_bigr => s' _; rewrite IH.
by transitivity (f (best a0 f)); [reflexivity|rewrite fg; reflexivity].
Qed.

(* a model of H layers as a model of all layers: beyond H the first layer comes again *)
Definition cut H h := if (h < H)%N then h else 0%N.
Lemma cut_model H d (t : task d) (w : world t) : (0 < H)%N -> linear_mdp H w ->
  linear_model (transitions w \o cut H) (rewards t \o cut H) (first w) (features t \o cut H).
Proof.
move=> H0 [hrho [mu [theta lin]]]; have cH h : (cut H h < H)%N by rewrite /cut; case: ifP.
exists (mu \o cut H), (theta \o cut H); split=> // [h|h s a]; have [lh rh] := lin _ (cH h); [exact: lh|exact: rh].
Qed.

(* [thm-layerwise-detailed-repaired] in the words of Definition 2.1 *)
Theorem layerwise_achieves (d N H : nat) (eps delta cK : R) : numbers_allowed d H eps delta cK ->
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps))) <= INR N)%coqR ->
  achievable any_maps deterministic d H N eps delta (floor (cK * d%:R * H%:R) + 1)%N.
Proof.
move=> ok size t _; have [dH _ _ _] := ok.
have H0 : (0 < H)%N by move: dH; rewrite mulnC; case: (H).
set beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR.
pose c := cut H; have cE h : (h < H)%N -> c h = h by rewrite /c /cut => ->.
pose phi h := features t (c h); pose r h := rewards t (c h).
have a0 := some_action t.
case: (pickP (fun _ : states t => true)) => [s0 _|no]; last first.
  (* without a state there is no world *)
  exists (seedless (Strategy (fun _ => pure _ (fun _ _ => a0)) (fun _ => pure _ (fun _ _ => a0)))).
  split=> [v h past s a|w [[_ r1] _]]; first by case: (no s).
  by move: r1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
pose psi : strategy (batch (states t) (actions t) N H) (policy_of t) (policy_of t) :=
  Strategy (fun h => pure _ (greedy_policy phi r beta eps s0 (some_action t) (nth (nothing N H s0 (some_action t)) h)
           (seq.size h))) (fun h => pure _ (output (algorithm_one N H phi r beta eps s0 (some_action t)) h)).
exists (seedless psi).
split=> [v h past s a|w lin]; first by rewrite /=; case: (_ == _); [right|left].
split=> //=; pose P h := transitions w (c h).
have model : linear_model P r (first w) phi := cut_model H0 lin.
have [_ main] := deployment_complexity s0 (some_action t) ok model size.
apply: le_trans main _; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: success_same => [h o|h].
  rewrite -(@past_batch_law_pure _ _ _ P N H (first w) (pure _ (greedy_policy phi r beta eps s0 (some_action t)
    (nth (nothing N H s0 (some_action t)) h) (seq.size h)))) //.
  by apply: past_batch_law_layers => h' hh; rewrite /P cE.
rewrite /near_best JstarE /J -past_return_pure; congr (_ - _ <= _).
  by apply: eq_bigr => s _; congr (_ * _); apply: (@largest_value_layers _ _ P _ r _ H) => // h' hh; rewrite /P /r cE.
by apply: eq_bigr => s _; congr (_ * _); apply: (@past_value_layers _ _ P _ r _ H) => // h' hh; rewrite /P /r cE.
Qed.
