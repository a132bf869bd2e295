(* Near variants of the theorems about arbitrary policies that are false, and numbers to which the theorems apply. *)
From derl.common Require Import real_prelude reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game features.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import sizes theorem.
From derl.algorithm_one Require Import trajectory_law setting.
From derl.algorithm_two Require Import exploration.
From derl.algorithm_one Require deployment_complexity.
From derl.complexity Require Import definition reached arbitrary.

(* without data all deployments show the same, and so none are needed, with any number of trajectories *)
Section NoData.
Variables (H d : nat) (t : task d).
Local Notation O := (batch (states t) (actions t) 0 H).
Let empty : O := [ffun i : 'I_0 => nseq_tuple H (let: Ordinal m h := i in match Bool.diff_false_true h with end)].

Lemma no_data_from (w : world t) (psi : strategy O (policy_of t) (policy_of t)) (good : policy_of t -> bool) pre K :
  success_from (@past_batch_law R_realFieldType (states t) (actions t) (transitions w) 0 H (first w)) psi good pre K =
  (good (output psi (pre ++ nseq K empty)))%:R.
Proof.
elim: K pre => [|K IH] pre; first by rewrite success_from0 cats0.
have one (o : O) : o = empty by apply/ffunP => -[].
rewrite success_fromS (bigD1 empty) //= big1 => [|o]; last by rewrite (one o) eqxx.
by rewrite addr0 {1}/past_batch_law /product_law big_ord0 mul1r IH cat_rcons.
Qed.

Lemma no_data_needed N (L : learner H 0 t) eps K : exists L' : learner H N t,
  forall (w : world t) delta, succeeds w L K eps delta -> succeeds w L' 0 eps delta.
Proof.
pose returned v := output (plays L v) (nseq K empty).
exists (@Learner H N d t (seed L) (has_mean L) (mean_of L) (seed_law L)
  (fun v => Strategy (fun _ => returned v) (fun _ => returned v))) => w delta.
have same : chance_near_best w K eps (L := L) = fun v => (near_best H eps w (returned v))%:R.
  apply: FunctionalExtensionality.functional_extensionality => v.
  by rewrite /chance_near_best success_nil no_data_from.
rewrite /succeeds same /=; set f := chance_near_best _ _ _.
suff -> : f = fun v => (near_best H eps w (returned v))%:R by [].
by apply: FunctionalExtensionality.functional_extensionality => v;
  rewrite /f /chance_near_best success_nil success_from0.
Qed.
End NoData.

Lemma eighth : [/\ 0 < (16%:R^-1 : R), (16%:R^-1 : R) < 8%:R^-1, 0 < (8%:R^-1 : R) & (8%:R^-1 : R) <= (exp (-1))%coqR
  / 2%:R].
Proof.
split; rewrite ?invr_gt0 ?ltr0n ?ltf_pinv ?posrE ?ltr0n ?ltr_nat //.
rewrite ler_pdivl_mulr ?ltr0n //; have -> : 8%:R^-1 * 2%:R = 4%:R^-1 :> R by field.
have -> : (4%:R^-1)%R = (/ 4)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 4).
apply/RleP; rewrite exp_Ropp; apply: Rinv_le_contravar; first exact: exp_pos.
by apply: Rle_trans exp_le_3 _; Lra.lra.
Qed.

(* control for arbitrary_deployment_complexity: without the bound on the number N of trajectories *)
Theorem arbitrary_complexity_control : ~ (forall (tasks : class) (d H N : nat) (eps delta : R),
  (forall t : task d, one_map t -> tasks d t) ->
  (4 <= d)%N -> (3 <= H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= (exp (-1))%coqR / 2%:R ->
  exists K : nat,
    [/\ deployment_complexity_is tasks arbitrary d H N eps delta K,
        (H - 1 <= K * up_log (d - 2) (N * (H - 1)))%N & (K <= 2 * d * H + 1)%N]).
Proof.
have [s0 s1 e0 e1] := eighth; move=> claim.
have he : 0 < (16%:R^-1 : R) < 4%:R^-1 by rewrite s0 ltf_pinv ?posrE ?ltr0n // ltr_nat.
have ht : 0 < (8%:R^-1 : R) <= (exp (-1))%coqR / 2%:R by rewrite e0.
have [K [[ach _] _ _]] := claim one_map 4%N 3%N 0%N _ _ (fun _ h => h) isT isT he ht.
have none : achievable one_map arbitrary 4 3 1 16%:R^-1 8%:R^-1 0.
  move=> t one; have [L [_ suc]] := ach t one; have [L' good] := no_data_needed 1 L 16%:R^-1 K.
  by exists L'; split=> // w lin; apply: good; exact: suc.
by have := @arbitrary_needs 4 3 1 _ _ 0 isT isT isT he e1 none.
Qed.

(* control for reached_deployment_complexity: without the bound on N *)
Theorem reached_complexity_control : ~ (forall (d H N : nat) (eps delta nu : R),
  (1 <= d)%N -> (1 <= H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  achievable_reached arbitrary nu d H N eps delta H).
Proof.
have [s0 s1 e0 e1] := eighth; move=> claim.
have he : 0 < (16%:R^-1 : R) < 8%:R^-1 by rewrite s0.
have he1 : 0 < (16%:R^-1 : R) <= 1 by rewrite s0 invf_le1 ?ltr0n // ler1n.
have ht : 0 < (8%:R^-1 : R) < 1 by rewrite e0 invf_lt1 ?ltr0n // ltr1n.
have hn : 0 < (4%:R^-1 : R) <= 1 by rewrite invr_gt0 ltr0n invf_le1 ?ltr0n // ler1n.
have small : 4%:R * 4%:R * (4%:R^-1 : R) ^+ 2 <= 1.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have ach := claim 4%N 3%N 0%N _ _ _ isT isT he1 ht hn.
have none : achievable_reached arbitrary 4%:R^-1 4 3 1 16%:R^-1 8%:R^-1 0.
  move=> t rho; have [L [_ suc]] := ach t rho; have [L' good] := no_data_needed 1 L 16%:R^-1 3.
  by exists L'; split=> // w lin same reach; apply: good; exact: suc.
by have := @reached_needs _ 4 3 1 _ _ 0 isT isT isT he small e1 none.
Qed.

(* every printed size is below some number of trajectories *)
Lemma some_number (x : R) : exists N, (x <= INR N)%coqR.
Proof.
have [a _] := archimed (Rabs x); exists (Z.to_nat (up (Rabs x))).
have up0 : Z.le 0 (up (Rabs x)) by apply: le_IZR; apply: Rle_trans (Rabs_pos x) _; left.
rewrite INR_IZR_INZ Z2Nat.id //; apply: Rle_trans (Rle_abs x) _; left; exact: a.
Qed.

(* control for hidden_code_bound: without the condition on the number K of deployments, which is at most 25 here *)
Theorem hidden_code_control : ~ (forall d H N eps, (4 <= d)%N -> (3 <= H)%N -> (1 <= N)%N -> 0 < eps < 4%:R^-1 ->
  exists2 t : task d, one_map t & forall (L : learner H N t) K,
    (forall w : world t, linear_mdp H w -> has_mean L (chance_near_best w K eps)) ->
    exists2 w : world t, linear_mdp H w & mean_of L (chance_near_best w K eps) < 1 - (exp (-1))%coqR / 2%:R).
Proof.
have [s0 s1 e0 e1] := eighth; move=> claim.
have he : 0 < (16%:R^-1 : R) < 4%:R^-1 by rewrite s0 ltf_pinv ?posrE ?ltr0n // ltr_nat.
have ht : 0 < (8%:R^-1 : R) <= (exp (-1))%coqR / 2%:R by rewrite e0.
have [N size] := some_number (printed_size 4 (10 ^ 20) 2 (INR 4) (INR 3) 16%:R^-1%R
  (ln (INR 3 * INR 4 / (8%:R^-1%R * 16%:R^-1%R)))).
have [K [[ach _] _ _]] := @arbitrary_deployment_complexity one_map 4 3 N 16%:R^-1 8%:R^-1 (fun _ h => h) isT isT he ht
  size.
have N1 : (1 <= N)%N := deployment_complexity.N_pos size.
have [t one hard] := claim 4%N 3%N N _ isT isT N1 he; have [L [_ suc]] := ach t one.
have [w lin below] := hard L K (fun w lin => proj1 (suc w lin)).
have [_ above] := suc w lin; move: (le_lt_trans above below).
by rewrite ltr_add2l ltr_opp2 ltNge e1.
Qed.

(* numbers to which both theorems apply *)
Theorem arbitrary_complexity_instance : exists N : nat,
  [/\ 0 < (16%:R^-1 : R) < 8%:R^-1, 0 < (8%:R^-1 : R) <= (exp (-1))%coqR / 2%:R, 4%:R * 4%:R * (4%:R^-1 : R) ^+ 2 <= 1,
      (printed_size 4 (10 ^ 20) 2 (INR 4) (INR 3) 16%:R^-1%R (ln (INR 3 * INR 4 / (8%:R^-1%R * 16%:R^-1%R))) <=
      INR N)%coqR & (sample_size 4 3 16%:R^-1%R 8%:R^-1%R 4%:R^-1%R <= INR N)%coqR].
Proof.
have [s0 s1 e0 e1] := eighth.
set x := printed_size _ _ _ _ _ _ _; set y := sample_size _ _ _ _ _; have [N le] := some_number (Rmax x y).
exists N; split; rewrite ?s0 ?e0 //; first by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
  exact: Rle_trans (Rmax_l x y) le.
exact: Rle_trans (Rmax_r x y) le.
Qed.
