(* Algorithm 2, repaired, as a strategy: one deployment for each layer, of a mixture of policies that is found offline
   from the batches of the earlier layers.  It sees trajectories only; the law rho of the first state is known. *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.
From derl.analysis Require Import evaluation.
From derl.algorithm_one Require Import trajectory_law grid values algorithm.
From derl.algorithm_two Require Import mixtures.

Section Algorithm.
(* M: the grid has the multiples of 1/M from - M to M; imax: the loop adds at most imax + 1 policies *)
Variables (S A : finType) (d N H M imax : nat) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R).
(* the bonuses of planning and of exploration, and the reachability coefficient; s0 and a0 only fill places in which
   there are no data *)
Variables (beta beta5 nu : R) (s0 : S) (a0 : A).
Local Notation O := (batch S A N H).
Local Notation x0 := (s0, a0).
Implicit Types (w : nat -> O) (V : S -> R).

(* rounding to the grid: weights and matrices *)
Definition rounded (x : R) : mark M := odflt ord0 [pick j | `|x - level j| <= (M%:R^-1)%R].
(* the names of the weights on the grid *)
Definition weight : finType := [finType of {ffun 'I_d -> mark M}].
(* the names of the matrices on the grid *)
Definition shape : finType := [finType of {ffun 'I_d * 'I_d -> mark M}].
Definition round_weight (v : 'cV[R]_d) : weight := [ffun i => rounded (v i ord0)].
Definition round_shape (B : 'M[R]_d) : shape := [ffun p => rounded (B p.1 p.2)].
(* the weight 0 *)
Definition origin : weight := [ffun _ => inord (M ^ 2)].
(* the matrix with a name: the identity plus the table *)
Definition matrix (B : shape) : 'M[R]_d := 1%:M + table B.

(* the matrix of layer h: I plus the features of its batch, rounded, and I once more *)
Definition sigma_of w h : shape := round_shape (1%:M + gram phi x0 h (w h)).
(* least squares for the values V of the next state, on the batch of layer h *)
Definition fit w h V : 'cV[R]_d := least_squares (phi h) (here x0 h (w h)) (next_state x0 h (w h)) V.
(* the norm of a feature in the inverse *)
Definition length (B : shape) h s a : R := Num.sqrt (qf (invmx (matrix B)) (phi h s a)).

(* SolveOptQ.  Before the layer of the reward Q = x^T phi + beta5 |phi|, in it Q = |phi|; both clipped to [0, 1] *)
Definition score (before : bool) (q : weight * shape) h s a : R :=
  clip (((point q.1)^T *m phi h s a) ord0 ord0 + (if before then beta5 else 1%R) * length q.2 h s a)%R.
Definition greedy before q h s : A := best a0 (score before q h s).
Definition top_value before q h s : R := score before q h s (greedy before q h s).
(* weights and matrix of Q in the layer L - j, if the reward is the norm in the inverse of B in layer L *)
Fixpoint solve w L (B : shape) j : weight * shape :=
  if j is j'.+1 then
    let h := (L - j)%N in
    (round_weight (fit w h (top_value (j' != 0)%N (solve w L B j') h.+1)), sigma_of w h)
  else (origin, B).
(* the policy of SolveOptQ, and its optimistic value *)
Definition solved w L B h s : A := greedy (L - h != 0)%N (solve w L B (L - h)) h s.
Definition optimum w L B : R := \sum_s rho s * top_value (L != 0)%N (solve w L B L) 0 s.

(* EstimateCovMatrix: values of the policy of SolveOptQ for the reward of the entry (a, b), in the layer L - j *)
Fixpoint evaluate w L B (a b : 'I_d) j : S -> R :=
  if j is j'.+1 then
    let h := (L - j)%N in
    fun s => clip (((point (round_weight (fit w h (evaluate w L B a b j'))))^T *m phi h s (solved w L B h s)) ord0 ord0)
  else fun s => entry_reward phi L a b s (solved w L B L s).
Definition estimate w L B : 'M[R]_d := \matrix_(a, b) (2%:R * (\sum_s rho s * evaluate w L B a b L s) - 1)%R.

(* the loop for layer L: I plus the estimates of the first k policies, and its name *)
Fixpoint summed w L k : 'M[R]_d :=
  if k is k'.+1 then summed w L k' + estimate w L (round_shape (summed w L k')) else 1%:M.
Definition shape_of w L k : shape := round_shape (summed w L k).
(* policy k is greedy for the matrix of the policies before it; the loop stops after it if the next optimistic value is
   at most 3/8 nu^2 *)
Definition stops w L k : bool := optimum w L (shape_of w L k.+1) <= 3%:R / 8%:R * nu ^+ 2.
Definition last_policy w L : nat := find (stops w L) (iota 0 imax).
(* what is deployed for layer L *)
Definition explore w L : mixture S A := Mixture (last_policy w L) (fun k => solved w L (shape_of w L k)).

(* Algorithm 4 with horizon L, for the reward theta^T phi *)
Definition plan_score L (q : weight * shape) h s a : R :=
  (Num.min (Num.max (((point q.1)^T *m phi h s a) ord0 ord0 + beta * length q.2 h s a) 0) L%:R)%R.
Definition plan_greedy L q h s : A := best a0 (plan_score L q h s).
Definition plan_value L q h s : R := plan_score L q h s (plan_greedy L q h s).
(* weights, with theta, and matrix in the layer L - j *)
Fixpoint planned w L (theta : nat -> 'cV[R]_d) j : weight * shape :=
  if j is j'.+1 then
    let h := (L - j)%N in
    let V := if j' is 0 then fun _ => 0%R else plan_value L (planned w L theta j') h.+1 in
    (round_weight (fit w h V + theta h), sigma_of w h)
  else (origin, round_shape 0).
Definition plan w L theta h s : A := plan_greedy L (planned w L theta (L - h)) h s.

(* an outcome without content, for deployments that are not made *)
Definition nothing : O := [ffun=> nseq_tuple H x0].
(* Algorithm 2: deployment number L, from 0, is the mixture for layer L; the output is a plan for every horizon and
   every linear reward *)
Definition algorithm_two : strategy O (nat * mixture S A) (nat -> (nat -> 'cV[R]_d) -> nat -> S -> A) :=
  Strategy (fun h : seq O => (size h, explore (nth nothing h) (size h))) (fun h : seq O => plan (nth nothing h)).

(* the value functions that its regressions may meet: a maximum of Q, a value of EstimateCovMatrix before the last layer
   and in it, a value of planning; each with the Q of a policy *)
Definition label : finType :=
  [finType of (unit + weight + ('I_d * 'I_d) + 'I_H.+1) * (bool * (weight * shape))].
Definition value_of h (i : label) (s : S) : R :=
  let c := i.2.1 in let q := i.2.2 in
  match i.1 with
  | inl (inl (inl _)) => top_value c q h s
  | inl (inl (inr y)) => clip (((point y)^T *m phi h s (greedy c q h s)) ord0 ord0)
  | inl (inr ab) => clip (entry_reward phi h ab.1 ab.2 s (greedy c q h s))
  | inr L => (plan_value L q h s / H%:R)%R
  end.

Lemma clip01 (x : R) : 0 <= clip x <= 1.
Proof. by rewrite /clip le_minr le_maxr lexx orbT ler01 /= le_minl lexx orbT. Qed.

Lemma value01 h i s : (0 < H)%N -> 0 <= value_of h i s <= 1.
Proof.
move=> H0; rewrite /value_of; case: i.1 => [[[u|y]|ab]|L]; try exact: clip01.
have HR : 0 < H%:R :> R by rewrite ltr0n.
rewrite /plan_value /plan_score divr_ge0 ?ler0n //=; last first.
  by rewrite le_minr ler0n andbT le_maxr lexx orbT.
rewrite ler_pdivr_mulr // mul1r; apply: (@le_trans _ _ L%:R); first by rewrite le_minl lexx orbT.
by rewrite ler_nat -ltnS.
Qed.

Lemma rounded_near (x : R) : (0 < M)%N -> `|x| <= M%:R -> `|x - level (rounded x)| <= M%:R^-1.
Proof.
move=> M0 hx; rewrite /rounded; case: pickP => [j //|no].
by have [j hj] := round M0 hx; move: (no j); rewrite hj.
Qed.

Lemma point_origin : (0 < M)%N -> point origin = 0.
Proof.
move=> M0; apply/matrixP => i j; rewrite !mxE ffunE /level inordK; last by rewrite ltnS leq_pmull.
by rewrite subrr mul0r.
Qed.
End Algorithm.
