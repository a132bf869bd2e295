(* The deployment complexity of linear MDPs with deterministic policies is of the order d H. *)
From derl.common Require Import real_prelude reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game features bandit.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import sizes theorem.
From derl.algorithm_one Require Import trajectory_law setting.
From derl.complexity Require Import definition hidden_arm upper.

(* [thm-lower-deterministic-repaired] in the words of Definition 2.1, for every N *)
Theorem achievable_needs d H N eps delta K : (4 <= d)%N -> (2 <= H)%N -> 0 < eps < 4%:R^-1 ->
  achievable one_map deterministic d H N eps delta K ->
  (1 - delta) * ((d - 3) * (H - 1))%N%:R <= K.+1%:R.
Proof.
move=> d4 H2 he ach; have [t one hard] := hidden_arm_bound N d4 H2 he.
have [L [det suc]] := ach t one.
have [w lin le] := hard L K det (fun w lin => proj1 (suc w lin)).
rewrite -ler_pdivl_mulr; last by rewrite ltr0n muln_gt0 !subn_gt0 H2 andbT (leq_trans _ d4).
by apply: le_trans le; case: (suc w lin).
Qed.

Lemma two_real : (2%:R = 2 :> R)%coqR. Proof. by rewrite natE /=; Lra.lra. Qed.

Lemma order_numbers d H eps delta : (16 <= d * H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= 2%:R^-1 ->
  numbers_allowed d H eps delta 2%:R.
Proof.
move=> dH /andP[e0 e1] /andP[t0 t1]; split; rewrite ?e0 ?t0 ?lexx ?(leq_trans _ dH) //=.
  by apply: le_trans (ltW e1) _; rewrite invf_le1 ?ltr0n // ler1n.
by apply: le_lt_trans t1 _; rewrite invf_lt1 ?ltr0n // ltr1n.
Qed.

(* if 2 d H + 1 deployments are enough, and no fewer than the lower bound says, then the least number is of the order
   d H *)
Lemma of_order_dH (P : nat -> Prop) d H (delta : R) :
  (6 <= d)%N -> (2 <= H)%N -> (16 <= d * H)%N -> 0 < delta <= 2%:R^-1 -> P (floor (2%coqR * d%:R * H%:R)%R + 1)%N ->
  (forall K, P K -> (1 - delta) * ((d - 3) * (H - 1))%N%:R <= K.+1%:R) ->
  exists K : nat,
    [/\ least P K, (1 - delta) * ((d - 3) * (H - 1))%N%:R - 1 <= K%:R, (K <= 2 * d * H + 1)%N &
        (d * H)%N%:R / 16%:R <= K%:R :> R /\ K%:R <= 3%:R * (d * H)%N%:R :> R].
Proof.
move=> d6 H2 dH /andP[t0 t1] up needs; have [K [hK le]] := least_exists up; have low := needs _ (proj1 hK).
have fl : (floor (2%coqR * d%:R * H%:R)%R <= 2 * d * H)%N.
  rewrite -two_real -(ler_nat R_numDomainType); apply: le_trans (floor_below _) _.
    by rewrite !mulr_ge0 ?ler0n.
  by rewrite -!natrM.
have KdH : (K <= 2 * d * H + 1)%N by apply: leq_trans le _; rewrite leq_add2r.
exists K; split=> //.
  by rewrite ler_subl_addr -[1]/(1%:R) -natrD addn1; exact: low.
have half : (2%:R^-1 : R) <= 1 - delta.
  have -> : (2%:R^-1 : R) = 1 - 2%:R^-1 by field.
  by rewrite ler_add2l ler_opp2.
have quarter : (d * H <= 4 * ((d - 3) * (H - 1)))%N.
  have -> : (4 * ((d - 3) * (H - 1)) = (2 * (d - 3)) * (2 * (H - 1)))%N by rewrite mulnACA.
  by apply: leq_mul; [move: d6|move: H2]; lia.
split; last first.
  by rewrite -natrM ler_nat; apply: leq_trans KdH _; move: dH; rewrite -mulnA; lia.
have q : (d * H)%N%:R / 8%:R <= K.+1%:R :> R.
  apply: le_trans low; apply: (@le_trans _ _ (2%:R^-1 * ((d - 3) * (H - 1))%N%:R)); last by rewrite ler_wpmul2r ?ler0n.
  rewrite ler_pdivr_mulr ?ltr0n //; have -> : 2%:R^-1 * ((d - 3) * (H - 1))%N%:R * 8%:R = (4 * ((d - 3) * (H - 1)))%N%:R
    :> R.
    by move: ((d - 3) * (H - 1))%N => m; rewrite natrM; move: (m%:R : R) => x; field.
  by rewrite ler_nat.
have one : 1 <= (d * H)%N%:R / 16%:R :> R by rewrite ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
rewrite -[K.+1]addn1 natrD -ler_subl_addr in q; apply: le_trans q; move: one; move: ((d * H)%N%:R : R) => x one.
rewrite ler_subr_addr; apply: le_trans (ler_add (lexx _) one) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(* [res-deterministic-complexity]: for d >= 6, H >= 2, d H >= 16, 0 < epsilon < 1/4, 0 < delta <= 1/2 and every N from
   the printed bound with c_K = 2 and the constant 10^20 on, the deployment complexity K with deterministic policies
   satisfies (1 - delta) (d - 3) (H - 1) - 1 <= K <= 2 d H + 1, and so d H / 16 <= K <= 3 d H.  The class is the same
   on both sides, and so are the learners.  It is any class that contains the tasks with one feature map for all layers,
   such as one_map and any_maps *)
Theorem deterministic_deployment_complexity (tasks : class) (d H N : nat) (eps delta : R) :
  (forall t : task d, one_map t -> tasks d t) ->
  (6 <= d)%N -> (2 <= H)%N -> (16 <= d * H)%N -> 0 < eps < 4%:R^-1 -> 0 < delta <= 2%:R^-1 ->
  (printed_size 4 (10 ^ 20) 2 (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps))) <= INR N)%coqR ->
  exists K : nat,
    [/\ deployment_complexity_is tasks deterministic d H N eps delta K,
        (1 - delta) * ((d - 3) * (H - 1))%N%:R - 1 <= K%:R, (K <= 2 * d * H + 1)%N &
        (d * H)%N%:R / 16%:R <= K%:R :> R /\ K%:R <= 3%:R * (d * H)%N%:R :> R].
Proof.
move=> some d6 H2 dH he ht size; apply: of_order_dH => // [|K ach].
  have := layerwise_achieves (N := N) (order_numbers dH he ht); rewrite two_real => up.
  exact: achieved_for_fewer (up size).
by apply: achievable_needs (achieved_for_fewer some ach); [exact: leq_trans d6|exact: H2|exact: he].
Qed.
