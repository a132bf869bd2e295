(* Controls for the end-to-end theorems: a probability of 1 in the place of 1 - delta is impossible with any constants.
   Two states, of which one is never met with positive probability; there the algorithm does not know its reward. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards.
From derl.layerwise Require Import optimism run sizes theorem.
From derl.algorithm_one Require Import adaptive_product trajectory_law grid algorithm optimal success setting.

(* the action that an arg max picks among equal numbers, and the other one *)
Definition picked : bool := best true (fun _ : bool => 1 : R).
(* features on the axes: state false, the picked action in state true, the other one *)
Definition axis_of (s a : bool) : 'I_3 := if s then (if a == picked then inord 1 else inord 2) else inord 0.
Definition two_phi (h : nat) (s a : bool) : 'cV[R]_3 := delta_mx (axis_of s a) ord0.
Definition two_mu (h : nat) (s : bool) : 'cV[R]_3 := const_mx (2%:R^-1)%R.
Definition two_theta (h : nat) : 'cV[R]_3 := delta_mx (inord 2) ord0.
Definition two_P (h : nat) (s a s' : bool) : R := (2%:R^-1)%R.
Definition two_r (h : nat) (s a : bool) : R := (axis_of s a == inord 2)%:R%R.
Definition two_rho (s : bool) : R := (2%:R^-1)%R.

Lemma half_law : is_law two_rho.
Proof. by split=> [s|]; rewrite /two_rho ?invr_ge0 ?ler0n // big_bool /=; field. Qed.

Lemma delta_dot (v : 'cV[R]_3) i : (v^T *m (delta_mx i ord0 : 'cV[R]_3)) ord0 ord0 = v i ord0.
Proof.
rewrite mxE (bigD1 i) //= big1 ?addr0 => [|j ji]; first by rewrite !mxE !eqxx mulr1.
by rewrite !mxE (negPf ji) mulr0.
Qed.

Lemma two_linear h : assumption_one (two_phi h) (two_mu h) (two_theta h) (two_P h) (two_r h).
Proof.
have one (i : 'I_3) : qf 1%:M (delta_mx i ord0 : 'cV[R]_3) = 1 by rewrite /qf bil1 delta_dot mxE !eqxx.
split.
- by split=> [s a|s a s']; [exact: half_law|rewrite /two_phi delta_dot mxE].
- by move=> s a; rewrite /two_phi delta_dot mxE eqxx andbT.
- by move=> s a; rewrite /two_phi one.
- by rewrite /two_theta one ler1n.
move=> v hv; have -> : \sum_s v s *: two_mu h s = ((v true + v false) / 2%:R) *: const_mx 1.
  by rewrite big_bool /=; apply/matrixP => i j; rewrite !mxE mulr1; field.
have c3 : qf 1%:M (const_mx 1 : 'cV[R]_3) = 3%:R.
  by rewrite qfE; under eq_bigr do rewrite mxE expr1n; rewrite sumr_const card_ord.
rewrite qfZr c3 -[leRHS]mul1r ler_wpmul2r ?ler0n //.
have h1 : `|(v true + v false) / 2%:R| <= 1.
  rewrite normrM [X in _ * X]ger0_norm ?invr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r.
  apply: le_trans (ler_norm_add _ _) _; rewrite -[2%:R]/(1 + 1); exact: ler_add.
by rewrite -real_normK ?num_real // expr_le1.
Qed.

Section Never.
Variables (N K : nat) (beta eps : R).
Local Notation O := (batch bool_finType bool_finType N 1).
Local Notation psi := (algorithm_one N 1 two_phi two_r beta eps false true).
Local Notation law := (@batch_law R_realFieldType bool_finType bool_finType two_P N 1 two_rho).
Local Notation nothing := (nothing (S := bool_finType) (A := bool_finType) N 1 false true).

(* state true is never met *)
Definition unmet (o : O) : bool := [forall i : 'I_N, ~~ (nth (false, true) (o i) 0).1].

Lemma unmet_history pre : exists h : K.-tuple O, 0 < history law psi pre h /\ all unmet h.
Proof.
elim: K pre => [|n IH] pre; first by exists [tuple]; rewrite /= ltr01.
pose g := deploy psi pre; pose o : O := [ffun=> [tuple (false, g 0%N false)]].
have [h [hp hu]] := IH (rcons pre o); exists [tuple of o :: h] => /=; split.
  rewrite mulr_gt0 // /batch_law /product_law; apply: prodr_gt0 => i _.
  by rewrite ffunE /= eqxx !mulr1 invr_gt0 ltr0n.
by rewrite hu andbT; apply/forallP => i; rewrite ffunE.
Qed.

Hypothesis beta1 : 1 <= beta.

(* then the picked action is greedy in state true *)
Lemma greedy_unmet (w : nat -> O) k : (forall t, unmet (w t)) -> goal two_phi beta eps false true w k = 0%N ->
  greedy_policy two_phi two_r beta eps false true w k 0 true = picked.
Proof.
move=> hw g0.
have fe t i : feature two_phi false true w t 0 i = delta_mx (inord 0) ord0.
  rewrite /feature /two_phi /axis_of /cell /row; case: insubP => [j _ _|_] //=.
  by have /forallP/(_ j)/negPf -> := hw t.
rewrite /greedy_policy /weights g0.
set Lam := matrix_of _ _ _ _ _ _; set x := fit _ _ _ _ _ _ _.
have x0 : x = 0.
  rewrite /x /fit big1 ?mulmx0 // => t _; rewrite big1 // => i _; exact: scale0r.
have fixed (i : 'I_3) : i != inord 0 -> Lam *m (delta_mx i ord0 : 'cV[R]_3) = delta_mx i ord0.
  move=> i0; rewrite /Lam /matrix_of /covariance /before mulmxDl mul1mx mulmx_suml big1 ?addr0 // => t _.
  rewrite /batches /gram mulmx_suml big1 // => j _; rewrite fe /outer -mulmxA.
  have -> : (delta_mx (inord 0) ord0 : 'cV[R]_3)^T *m (delta_mx i ord0 : 'cV[R]_3) = 0 :> 'M[R]_1.
    by apply/matrixP => a b; rewrite !ord1 delta_dot !mxE (negPf i0).
  by rewrite mulmx0.
have pL : pd Lam by apply: pd_before => j; exact: psd_gram.
have one (i : 'I_3) : i != inord 0 -> qf (invmx Lam) (delta_mx i ord0) = 1.
  move=> i0; have inv : invmx Lam *m (delta_mx i ord0 : 'cV[R]_3) = delta_mx i ord0.
    by rewrite -{1}(fixed i i0) (mulKmx (pd_unit pL)).
  by rewrite /qf /bil -mulmxA inv delta_dot mxE !eqxx.
rewrite /picked; congr (best true _); apply: FunctionalExtensionality.functional_extensionality => a.
rewrite /optimistic x0 trmx0 mul0mx mxE add0r /two_phi one; last first.
  by rewrite /axis_of; case: ifP => _; apply/eqP => /(congr1 (@nat_of_ord _)); rewrite !inordK.
rewrite sqrtr1 mulr1; apply/min_idPr; rewrite mulr1n; apply: le_trans beta1 _.
by rewrite ler_addr /two_r ler0n.
Qed.
End Never.

(* the value of a policy: half of the reward in state true *)
Lemma two_J (g : nat -> bool -> bool) :
  J two_P two_r two_rho (det R_realFieldType g) 1 = ((g 0%N true != picked)%:R / 2%:R)%R.
Proof.
rewrite /J big_bool /= !sum_det /two_rho /two_r /axis_of.
have z s : \sum_s' two_P 0 s (g 0%N s) s' * 0 = 0 :> R by rewrite big1 // => s' _; rewrite mulr0.
have e02 : (inord 0 == inord 2 :> 'I_3) = false by apply/eqP => /(congr1 (@nat_of_ord _)); rewrite !inordK.
have e12 : (inord 1 == inord 2 :> 'I_3) = false by apply/eqP => /(congr1 (@nat_of_ord _)); rewrite !inordK.
rewrite !z e02 !addr0 mulr0 addr0 mulrC; congr (_ * _).
by case: (_ == picked); rewrite ?e12 ?eqxx.
Qed.

Lemma sum_one_bad (T : finType) (p : T -> R) (good : pred T) h :
  is_law p -> 0 < p h -> ~~ good h -> prob p good < 1.
Proof.
move=> [p0 p1] hp bad; rewrite -[ltRHS]p1 /prob [ltRHS](bigID good) /= ltr_addl.
rewrite (bigD1 h) //=; apply: (lt_le_trans hp); rewrite ler_addl; exact: sumr_ge0.
Qed.

(* numbers that the theorem allows, for any constants, and a bonus of at least 1 *)
Lemma half_allowed : numbers_allowed 3 1 4%:R^-1 2%:R^-1 2%:R.
Proof.
by split; rewrite ?invr_gt0 ?ltr0n ?invf_le1 ?invf_lt1 ?ltr0n ?ler1n ?ltr1n.
Qed.

Lemma two_model : linear_model two_P two_r two_rho two_phi.
Proof.
exists two_mu, two_theta; split; [exact: half_law|exact: two_linear|].
by move=> h s a; rewrite /two_r ler0n lern1 leq_b1.
Qed.

Lemma large_batch (c cb : R) : 0 < c -> 0 < cb -> exists N : nat,
  (printed_size 4 c 2%:R%R (INR 3) (INR 1) 4%:R^-1%R (ln (INR 1 * INR 3 / (2%:R^-1%R * 4%:R^-1%R))) <= INR N)%coqR /\
  1 <= (cb * INR 3 * INR 1 * sqrt (ln (2 * INR 3 * INR 1 * INR N / 2%:R^-1%R)))%coqR.
Proof.
move=> c0 cb0; set p := printed_size _ _ _ _ _ _ _.
pose q := exp (/ cb * / cb)%coqR.
pose N := (floor (p + q)%R + 1)%N; exists N.
have cb0' : (0 < cb)%coqR by apply/RltP.
have p0 : (0 < p)%coqR by apply: Rmult_lt_0_compat; [apply/RltP|exact: exp_pos].
have q0 : (0 < q)%coqR by exact: exp_pos.
have big : (p + q <= INR N)%coqR by apply/RleP; rewrite -natE /N addn1 ltW // floor_above.
split; first by Lra.lra.
have dE : (2%:R^-1)%R = (/ 2)%coqR by rewrite -RinvE ?pnatr_eq0 // (litE 2).
apply/RleP; rewrite dE.
have s1 : (/ cb <= sqrt (ln (2 * INR 3 * INR 1 * INR N / / 2)))%coqR.
  have i0 : (0 < / cb)%coqR by exact: Rinv_0_lt_compat.
  rewrite -(sqrt_square (/ cb)); last by left.
  apply: sqrt_le_1_alt; rewrite -[X in (X <= _)%coqR]ln_exp; apply: ln_mono; first exact: exp_pos.
  rewrite /Rdiv Rinv_inv -/q (INR_IZR_INZ 3) (INR_IZR_INZ 1) /=; Lra.lra.
move: s1; move: (sqrt _) => x s1.
have -> : (INR 3 = 3)%coqR by rewrite INR_IZR_INZ.
have -> : (INR 1 = 1)%coqR by rewrite INR_IZR_INZ.
have m : (cb * / cb <= cb * x)%coqR by apply: Rmult_le_compat_l; [left|].
rewrite Rinv_r in m; last exact: Rgt_not_eq.
by change (1 <= cb * 3 * 1 * x)%coqR; Lra.lra.
Qed.

(* a policy that takes the picked action in state true is not 1/4-optimal *)
Lemma picked_loses (g : nat -> bool -> bool) : g 0%N true = picked ->
  ~~ (Jstar 1 two_P two_r two_rho true - 4%:R^-1 <= J two_P two_r two_rho (det R_realFieldType g) 1).
Proof.
move=> gp; rewrite two_J gp eqxx mul0r -ltNge subr_gt0.
apply: (@lt_le_trans _ _ (J two_P two_r two_rho (det R_realFieldType (fun _ _ => ~~ picked)) 1)); last first.
  by apply: Jstar_above => [h' s b|s|h' s]; [exact: half_law|rewrite /two_rho invr_ge0 ler0n|exact: det_law].
have -> : J two_P two_r two_rho (det R_realFieldType (fun _ _ => ~~ picked)) 1 = 2%:R^-1 :> R.
  by rewrite two_J; case: picked; rewrite mul1r.
by rewrite ltf_pinv ?posrE ?ltr0n // ltr_nat.
Qed.

(* an event that fails as soon as state true is never met has a probability below 1 *)
Lemma unmet_fails N K beta eps (good : pred (K.-tuple (batch bool_finType bool_finType N 1))) :
  (forall h : K.-tuple _, (forall t, unmet (nth (nothing N 1 false true) h t)) -> ~~ good h) ->
  prob (fun h : K.-tuple _ => history (@batch_law R_realFieldType bool_finType bool_finType two_P N 1 two_rho)
    (algorithm_one N 1 two_phi two_r beta eps false true) [::] h) good < 1.
Proof.
move=> bad; have [h [hp hu]] := @unmet_history N K beta eps [::].
have hl g : is_law (@batch_law R_realFieldType bool_finType bool_finType two_P N 1 two_rho g).
  by apply: batch_is_law => *; exact: half_law.
apply: (sum_one_bad (history_is_law _ hl [::] K) hp); apply: bad => t.
case: (ltnP t K) => tK; first by apply: (allP hu); rewrite mem_nth // size_tuple.
by rewrite nth_default ?size_tuple //; apply/forallP => i; rewrite ffunE.
Qed.

Theorem deployment_certainty_control : ~ (exists c c_beta : R, 0 < c /\ 0 < c_beta /\
  forall (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A),
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (c_beta * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 c cK (INR d) (INR H) eps L <= INR N)%coqR ->
  (forall w : nat -> batch S A N H, exists2 k, (k < K)%N & last_one phi beta eps s0 a0 w k) /\
  1 <= success (@batch_law R_realFieldType S A P N H rho) (algorithm_one N H phi r beta eps s0 a0)
    (fun pi => Jstar H P r rho a0 - eps <= J P r rho (det R_realFieldType pi) H) K).
Proof.
move=> [c [cb [c0 [cb0 claim]]]]; have [N [size beta1]] := large_batch c0 cb0.
have [stop] := claim bool_finType bool_finType 3%N N 1%N two_P two_r two_rho two_phi _ _ _ false true half_allowed
  two_model size.
rewrite success_prob leNgt => /negP; apply; apply: unmet_fails => h hw.
set psi := algorithm_one _ _ _ _ _ _ _ _; set K := (floor _ + 1)%N in stop h hw *.
set a := last_one _ _ _ _ _ in stop; have [k kK ak] := stop (nth (nothing N 1 false true) h).
have hs : has (a (nth (nothing N 1 false true) h)) (iota 0 (seq.size h)).
  by apply/hasP; exists k => //; rewrite mem_iota size_tuple.
have := nth_find 0%N hs; rewrite nth_iota -?has_find; last by move: hs; rewrite has_find size_iota.
rewrite add0n => /andP[/eqP g0 _]; apply: picked_loses; exact: (greedy_unmet beta1 hw g0).
Qed.

Theorem layers_certainty_control : ~ (exists c c_beta : R, 0 < c /\ 0 < c_beta /\
  forall (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R)
    (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A),
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (c_beta * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 c cK (INR d) (INR H) eps L <= INR N)%coqR ->
  1 <= prob (fun h : K.-tuple (batch S A N H) =>
      history (@batch_law R_realFieldType S A P N H rho) (algorithm_one N H phi r beta eps s0 a0) [::] h)
    (fun h => let w := nth (nothing N H s0 a0) h in
      [forall x : 'I_H, [exists k : 'I_K,
        [&& goal phi beta eps s0 a0 w k == x, finished_by phi beta eps s0 a0 w k &
        Jstar x.+1 P r rho a0 - eps <=
          J P r rho (det R_realFieldType (greedy_policy phi r beta eps s0 a0 w k)) x.+1]]])).
Proof.
move=> [c [cb [c0 [cb0 claim]]]]; have [N [size beta1]] := large_batch c0 cb0.
have := claim bool_finType bool_finType 3%N N 1%N two_P two_r two_rho two_phi _ _ _ false true half_allowed two_model
  size.
rewrite leNgt => /negP; apply; apply: unmet_fails => h hw; apply/forallPn; exists ord0.
apply/existsPn => k; rewrite !negb_and; case: eqP => //= g0; apply/orP; right.
apply: picked_loses; exact: (greedy_unmet beta1 hw g0).
Qed.
