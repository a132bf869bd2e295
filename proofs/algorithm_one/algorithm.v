(* Algorithm 1, repaired (the bonus is not capped), as a strategy: it sees trajectories only, and fixes
   every deployed policy, and the policy that it returns, by its own regressions. *)
From derl.common Require Import real_prelude forms.
From derl.potential Require Import count.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism run theorem.
From derl.foundations Require Import policies.
From derl.algorithm_one Require Import trajectory_law.

Section Algorithm.
Variables (S A : finType) (d N H : nat) (phi : nat -> S -> A -> 'cV[R]_d) (r : nat -> S -> A -> R).
(* s0 and a0 only fill places in which there are no data *)
Variables (beta eps : R) (s0 : S) (a0 : A).
Local Notation O := (batch S A N H).
Implicit Types (w : nat -> O) (V : S -> R).

(* trajectory i of a batch *)
Definition row (o : O) (i : nat) : seq (S * A) := if insub i is Some j then val (o j) else [::].
(* state and action in layer h of trajectory i of batch k *)
Definition cell w k h i : S * A := nth (s0, a0) (row (w k) i) h.
(* their feature *)
Definition feature w k h i : 'cV[R]_d := phi h (cell w k h i).1 (cell w k h i).2.
(* the layer that deployment k is there to finish, from 0; at least H after the stop *)
Definition goal w k : nat := layer N H (feature w) beta eps k.
(* deployment k does finish it *)
Definition finished_by w k : bool := finishes N H (feature w) beta eps k (goal w k).
(* I plus the features of layer h before deployment k *)
Definition matrix_of w k h : 'M[R]_d := covariance N (feature w) k h.
(* least squares for the values V of the next state *)
Definition fit V w k h : 'cV[R]_d := invmx (matrix_of w k h) *m
  (\sum_(t < k) \sum_(i < N) V (cell w t h.+1 i).1 *: feature w t h i).
(* min (x^T phi + r + beta |phi|, H) *)
Definition optimistic (x : 'cV[R]_d) (Lam : 'M[R]_d) h s a : R :=
  (Num.min ((x^T *m phi h s a) ord0 ord0 + r h s a + beta * Num.sqrt (qf (invmx Lam) (phi h s a))) H%:R)%R.
(* an arg max *)
Definition best (q : A -> R) : A := [arg max_(a > a0) q a]%O.

(* backward induction from the target: the values j layers before the layer after it *)
Fixpoint plan w k (j : nat) : S -> R :=
  if j is j'.+1 then
    let h := (goal w k - j')%N in
    fun s => let q := optimistic (fit (plan w k j') w k h) (matrix_of w k h) h s in q (best q)
  else fun _ => 0%R.
(* the weights of the regression in layer h of deployment k *)
Definition weights w k h : 'cV[R]_d := fit (plan w k (goal w k - h)) w k h.
(* the policy of deployment k: greedy for the optimistic values *)
Definition greedy_policy w k h s : A := best (optimistic (weights w k h) (matrix_of w k h) h s).

(* an outcome without content, for deployments that are not made *)
Definition nothing : O := [ffun=> nseq_tuple H (s0, a0)].
(* deployment k finishes the last layer *)
Definition last_one w k : bool := (goal w k == H.-1) && finished_by w k.
(* the first deployment that does, among those with the data h *)
Definition returned_index (h : seq O) : nat := find (last_one (nth nothing h)) (iota 0 (size h)).
(* Algorithm 1: after the data h the greedy policy is deployed; at the end the policy that finished the last layer is
   returned *)
Definition algorithm_one : strategy O (nat -> S -> A) (nat -> S -> A) :=
  Strategy (fun h => greedy_policy (nth nothing h) (size h))
           (fun h => greedy_policy (nth nothing h) (returned_index h)).

(* Algorithm 1 with an arbitrary tail: deployment k plays the greedy policy in the layers up to its target, and beyond
   them the policy `tail`, which may depend on the data of the earlier deployments and on the past of the trajectory,
   and may draw its actions *)
Definition algorithm_one_tail (tail : seq O -> past_policy R_realFieldType S A) :
    strategy O (past_policy R_realFieldType S A) (nat -> S -> A) :=
  Strategy (fun h => cut_off (greedy_policy (nth nothing h) (size h)) (goal (nth nothing h) (size h)) (tail h))
           (fun h => greedy_policy (nth nothing h) (returned_index h)).

(* what it leaves behind *)
Definition run_of w : run S A d :=
  Run (fun k h i => (cell w k h i).1) (fun k h i => (cell w k h i).2) (greedy_policy w) (weights w).

Lemma best_max (q : A -> R) a : q a <= q (best q).
Proof. by rewrite /best; case: arg_maxP => // b _ h; exact: h. Qed.

Lemma planS w k j s : plan w k j.+1 s =
  let q := optimistic (fit (plan w k j) w k (goal w k - j)) (matrix_of w k (goal w k - j)) (goal w k - j) s in
  q (best q).
Proof. by []. Qed.

Lemma V_plan w k h s : V N H r phi beta eps (run_of w) k h s = plan w k ((goal w k).+1 - h) s.
Proof.
rewrite /V /Vopt -[target _ _ _ _ _ _ _]/(goal w k); case: ltnP => [lt|le]; last first.
  by have -> : ((goal w k).+1 - h = 0)%N by apply/eqP; rewrite subn_eq0.
rewrite ltnS in lt; rewrite (subSn lt) planS (subKn lt); reflexivity.
Qed.

(* its runs are those of `layerwise/theorem.v`, whatever the data *)
Theorem follows_run w : follows N H r phi beta eps (run_of w).
Proof.
split=> [k h s a|k h]; first exact: best_max.
rewrite [weight _ _ _]/(weights w k h) /weights /fit; congr (_ *m _).
apply: eq_bigr => t _; apply: eq_bigr => i _; congr (_ *: _).
by rewrite V_plan subSS.
Qed.

(* what is planned for deployment k depends on the earlier batches only *)
Definition agree k w w' := forall t, (t < k)%N -> w t = w' t.
Lemma agreeS k w w' : agree k.+1 w w' -> agree k w w'.
Proof. by move=> h t tk; apply: h; exact: ltnW. Qed.

Lemma cell_local k w w' t h i : agree k w w' -> (t < k)%N -> cell w t h i = cell w' t h i.
Proof. by move=> hw tk; rewrite /cell hw. Qed.
Lemma feature_local k w w' t h i : agree k w w' -> (t < k)%N -> feature w t h i = feature w' t h i.
Proof. by move=> hw tk; rewrite /feature (cell_local _ _ hw tk). Qed.

Lemma matrix_local k w w' h : agree k w w' -> matrix_of w k h = matrix_of w' k h.
Proof.
move=> hw; congr (_ + _); apply: eq_bigr => t _; apply: eq_bigr => i _.
by congr outer; exact: (feature_local _ _ hw).
Qed.

Lemma finishes_local k w w' l : agree k.+1 w w' ->
  finishes N H (feature w) beta eps k l = finishes N H (feature w') beta eps k l.
Proof.
move=> hw; rewrite /finishes.
have -> : covariance N (feature w) k = covariance N (feature w') k.
  by apply: FunctionalExtensionality.functional_extensionality => h; exact: (matrix_local _ (agreeS hw)).
have -> // : feature w k = feature w' k.
apply: FunctionalExtensionality.functional_extensionality => h;
  apply: FunctionalExtensionality.functional_extensionality => i.
exact: (feature_local _ _ hw).
Qed.

Lemma goalS w k : goal w k.+1 = (goal w k + finished_by w k)%N.
Proof. reflexivity. Qed.

Lemma goal_local k w w' : agree k w w' -> goal w k = goal w' k.
Proof.
elim: k => [_|k IH hw]; first reflexivity.
rewrite !goalS /finished_by (IH (agreeS hw)) (finishes_local _ hw); reflexivity.
Qed.

Lemma fit_local k w w' V V' h : agree k w w' -> V =1 V' -> fit V w k h = fit V' w' k h.
Proof.
move=> hw hV; rewrite /fit (matrix_local h hw); congr (_ *m _).
apply: eq_bigr => t _; apply: eq_bigr => i _.
by rewrite hV (cell_local _ _ hw) // (feature_local _ _ hw).
Qed.

Lemma plan_local k w w' j : agree k w w' -> plan w k j =1 plan w' k j.
Proof.
move=> hw; elim: j => [|j IH] s; first reflexivity.
rewrite !planS (goal_local hw) (matrix_local _ hw) (fit_local _ hw IH); reflexivity.
Qed.

Theorem greedy_local k w w' : agree k w w' -> greedy_policy w k = greedy_policy w' k.
Proof.
move=> hw; apply: FunctionalExtensionality.functional_extensionality => h;
  apply: FunctionalExtensionality.functional_extensionality => s.
rewrite /greedy_policy /weights (matrix_local _ hw) (goal_local hw).
rewrite (fit_local _ hw (plan_local _ hw)); reflexivity.
Qed.

(* the policy of deployment k, from the data before it or from all data *)
Lemma deploy_take (h : seq O) k : (k <= size h)%N ->
  deploy algorithm_one (take k h) = greedy_policy (nth nothing h) k.
Proof.
move=> kh; rewrite -[LHS]/(greedy_policy (nth nothing (take k h)) (size (take k h))) (size_takel kh).
by apply: greedy_local => t tk; rewrite nth_take.
Qed.
End Algorithm.

(* Algorithm 1 with an arbitrary tail, where each deployment is told its own rewards: `hat w k` for deployment k, from
   the data w before it *)
Section Told.
Variables (S A : finType) (d N H : nat) (phi : nat -> S -> A -> 'cV[R]_d) (beta eps : R) (s0 : S) (a0 : A).
Local Notation O := (batch S A N H).
Variables (hat : (nat -> O) -> nat -> nat -> S -> A -> R) (tail : seq O -> past_policy R_realFieldType S A).
Local Notation told w k := (greedy_policy phi (hat w k) beta eps s0 a0 w k).
Local Notation data h := (nth (nothing N H s0 a0) h).
Definition told_tail : strategy O (past_policy R_realFieldType S A) (nat -> S -> A) :=
  Strategy (fun h => cut_off (told (data h) (size h)) (goal phi beta eps s0 a0 (data h) (size h)) (tail h))
           (fun h => told (data h) (returned_index phi beta eps s0 a0 h)).
End Told.
