(* Why the end-to-end theorem has rewards in [0, 1]: Assumption 1 alone allows rewards above 1, the values are cut at H,
   and two actions whose rewards are above H look the same. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards.
From derl.layerwise Require Import optimism run sizes theorem.
From derl.algorithm_one Require Import trajectory_law grid algorithm optimal success setting certainty.

(* one state, one layer, two actions with the rewards 11/10 (the picked one) and 8/5 *)
Definition pair4 (x y : R) : 'cV[R]_4 := \col_i nth 0 [:: x; y] i.
Local Arguments pair4 x%R y%R.
Definition high_phi (h : nat) (s : unit) (a : bool) : 'cV[R]_4 :=
  pair4 (if a == picked then 11%:R / 20%:R else 4%:R / 5%:R) (3%:R / 5%:R).
Definition high_r (h : nat) (s : unit) (a : bool) : R := (if a == picked then 11%:R / 10%:R else 8%:R / 5%:R)%R.
Definition high_P (h : nat) (s : unit) (a : bool) (s' : unit) : R := 1%R.
Definition high_rho (s : unit) : R := 1%R.

Lemma pair4_dot a b x y : ((pair4 a b)^T *m pair4 x y) ord0 ord0 = a * x + b * y.
Proof. by rewrite mxE !big_ord_recl big_ord0 !mxE /= !mulr0 !addr0. Qed.

Lemma high_linear h : assumption_one (high_phi h) (fun _ => pair4 0 (5%:R / 3%:R)) (pair4 2%:R 0) (high_P h) (high_r h).
Proof.
have up (p q : nat) (x : R) : x = p%:R / q%:R -> 0 <= x by move=> ->; rewrite divr_ge0 ?ler0n.
split.
- split=> [s a|s a s']; first by split=> [s'|]; [exact: ler01|rewrite sum_unit].
  by rewrite /high_phi pair4_dot /high_P; case: ifP => _; field.
- by move=> s a; rewrite /high_phi pair4_dot /high_r; case: ifP => _; field.
- move=> s a; rewrite /qf bil1 /high_phi pair4_dot -subr_ge0; case: ifP => _.
    by apply: (up 135%N 400%N); field.
  by apply: (up 0%N 1%N); field.
- by rewrite /qf bil1 pair4_dot -subr_ge0; apply: (up 0%N 1%N); field.
move=> v hv; rewrite sum_unit qfZr.
have q : qf 1%:M (pair4 0 (5%:R / 3%:R)) = 25%:R / 9%:R by rewrite /qf bil1 pair4_dot; field.
rewrite q; apply: (@le_trans _ _ (1 * (25%:R / 9%:R))).
  by rewrite ler_wpmul2r ?divr_ge0 ?ler0n // -real_normK ?num_real // expr_le1 //.
by rewrite -subr_ge0; apply: (up 11%N 9%N); field.
Qed.

(* whatever the data, the picked action is greedy *)
Lemma greedy_high N (beta eps : R) (w : nat -> batch unit_finType bool_finType N 1) k : 0 <= beta ->
  goal high_phi beta eps tt true w k = 0%N -> greedy_policy high_phi high_r beta eps tt true w k 0 tt = picked.
Proof.
move=> b0 g0; rewrite /greedy_policy /weights g0; set Lam := matrix_of _ _ _ _ _ _; set x := fit _ _ _ _ _ _ _.
have x0 : x = 0.
  by rewrite /x /fit big1 ?mulmx0 // => t _; rewrite big1 // => i _; exact: scale0r.
rewrite /picked; congr (best true _); apply: FunctionalExtensionality.functional_extensionality => a.
rewrite /optimistic x0 trmx0 mul0mx mxE add0r; apply/min_idPr; rewrite mulr1n.
apply: (@le_trans _ _ (high_r 0 tt a)); last by rewrite ler_addl mulr_ge0 ?sqrtr_ge0.
have up (p q : nat) (y : R) : y = p%:R / q%:R -> 0 <= y by move=> ->; rewrite divr_ge0 ?ler0n.
rewrite /high_r -subr_ge0; case: ifP => _; first by apply: (up 1%N 10%N); field.
by apply: (up 3%N 5%N); field.
Qed.

Lemma high_J (g : nat -> unit -> bool) : J high_P high_r high_rho (det R_realFieldType g) 1 = high_r 0 tt (g 0%N tt).
Proof. by rewrite /J sum_unit /= sum_det sum_unit /high_rho /high_P !mul1r addr0. Qed.

Lemma high_law h s a : is_law (high_P h s a).
Proof. by split=> [s'|]; [exact: ler01|rewrite sum_unit]. Qed.

(* the theorem without the hypothesis that rewards lie in [0, 1] *)
Theorem deployment_rewards_control : ~ (exists c c_beta : R, 0 < c /\ 0 < c_beta /\
  forall (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A),
  numbers_allowed d H eps delta cK ->
  (exists (mu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d),
    is_law rho /\ forall h, assumption_one (phi h) (mu h) (theta h) (P h) (r h)) ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (c_beta * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 c cK (INR d) (INR H) eps L <= INR N)%coqR ->
  (forall w : nat -> batch S A N H, exists2 k, (k < K)%N & last_one phi beta eps s0 a0 w k) /\
  1 - delta <= success (@batch_law R_realFieldType S A P N H rho) (algorithm_one N H phi r beta eps s0 a0)
    (fun pi => Jstar H P r rho a0 - eps <= J P r rho (det R_realFieldType pi) H) K).
Proof.
move=> [c [cb [c0 [cb0 claim]]]].
pose delta : R := (2%:R^-1)%R; pose eps : R := (4%:R^-1)%R.
pose p := printed_size 4 c 2%:R%R (INR 4) (INR 1) eps (ln (INR 1 * INR 4 / (delta * eps)))%coqR.
pose N := (floor p + 1)%N.
have p0 : (0 < p)%coqR by apply: Rmult_lt_0_compat; [apply/RltP|exact: exp_pos].
have size : (p <= INR N)%coqR by apply/RleP; rewrite -natE /N addn1 ltW // floor_above.
have ok : numbers_allowed 4 1 eps delta 2%:R.
  by split; rewrite ?invr_gt0 ?ltr0n ?invf_le1 ?invf_lt1 ?ltr0n ?ler1n ?ltr1n.
have hl : is_law high_rho by split=> [s|]; [exact: ler01|rewrite sum_unit].
have model : exists (mu : nat -> unit -> 'cV[R]_4) (theta : nat -> 'cV[R]_4),
    is_law high_rho /\ forall h, assumption_one (high_phi h) (mu h) (theta h) (high_P h) (high_r h).
  by exists (fun _ _ => pair4 0 (5%:R / 3%:R)), (fun _ => pair4 2%:R 0); split=> // h; exact: high_linear.
have := claim unit_finType bool_finType 4%N N 1%N high_P high_r high_rho high_phi eps delta 2%:R tt true ok model size.
set beta := (_ * sqrt _)%coqR; set K := (floor _ + 1)%N => -[stop].
have b0 : 0 <= beta.
  apply/RleP; rewrite /beta; apply: Rmult_le_pos; last exact: sqrt_pos.
  by apply: Rmult_le_pos; [apply: Rmult_le_pos; [left; apply/RltP|exact: pos_INR]|exact: pos_INR].
rewrite success_prob /prob big1 => [|h]; last first.
  set a := last_one high_phi beta eps tt true (nth (nothing N 1 tt true) h).
  have [k kK ak] := stop (nth (nothing N 1 tt true) h).
  have hs : has a (iota 0 (seq.size h)) by apply/hasP; exists k => //; rewrite mem_iota size_tuple.
  have := nth_find 0%N hs; rewrite nth_iota -?has_find; last by move: hs; rewrite has_find size_iota.
  rewrite add0n => /andP[/eqP g0 _]; rewrite high_J /= (greedy_high b0 g0) /high_r eqxx => good; exfalso.
  have best := @Jstar_above unit_finType bool_finType 1 high_P high_r high_rho true high_law
    (det R_realFieldType (fun _ _ => ~~ picked)) (fun s => ler01) (det_law _ _).
  have := le_trans (ler_add best (lexx (- eps))) good; rewrite high_J /high_r.
  have -> : (~~ picked == picked) = false by case: picked.
  rewrite -subr_ge0; have -> : 11%:R / 10%:R - (8%:R / 5%:R - eps) = - (4%:R^-1) :> R by rewrite /eps; field.
  by rewrite oppr_ge0 leNgt invr_gt0 ltr0n.
have -> : 1 - delta = 2%:R^-1 :> R by rewrite /delta; field.
by rewrite leNgt invr_gt0 ltr0n.
Qed.
