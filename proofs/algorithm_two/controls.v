(* Control of the theorem about Algorithm 2: without rewards in [0, 1] it is false for any constant. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.layerwise Require Import optimism sizes theorem.
From derl.analysis Require Import matrices evaluation.
From derl.algorithm_one Require Import trajectory_law grid values algorithm optimal.
From derl.algorithm_two Require Import mixtures algorithm whole_run numbers exploration.

(* one state, one layer, two actions with the features (1, 0) and (4/5, 3/5); b has the first one *)
Definition pair2 (x y : R) : 'cV[R]_2 := \col_i (if i == ord0 then x else y).
Local Arguments pair2 x%R y%R.
Definition arms_phi (b : bool) (h : nat) (s : unit) (a : bool) : 'cV[R]_2 :=
  if a == b then pair2 1 0 else pair2 (4%:R / 5%:R) (3%:R / 5%:R).
Definition arms_mu (h : nat) (s : unit) : 'cV[R]_2 := pair2 1 (3%:R^-1).
Definition arms_P (h : nat) (s : unit) (a : bool) (s' : unit) : R := 1%R.
Definition arms_rho (s : unit) : R := 1%R.
(* rewards 11/10 and 34/25 *)
Definition high_theta (h : nat) : 'cV[R]_2 := pair2 (11%:R / 10%:R) (4%:R / 5%:R).

Lemma pair2_dot x y u v : ((pair2 x y)^T *m pair2 u v) ord0 ord0 = x * u + y * v.
Proof. by rewrite mxE big_ord_recl big_ord1 !mxE. Qed.
Lemma pair2_sq x y : qf 1%:M (pair2 x y) = x * x + y * y.
Proof. by rewrite /qf bil1 pair2_dot. Qed.
Lemma arms_laws : is_law arms_rho.
Proof. by split=> [s|]; [exact: ler01|rewrite sum_unit]. Qed.

Lemma arms_transitions b h : linear_transitions (arms_phi b h) (arms_mu h) (arms_P h).
Proof.
split=> [s a|s a s'|s a|v hv].
- by split=> [s'|]; [exact: ler01|rewrite sum_unit].
- by rewrite /arms_P /arms_mu /arms_phi; case: ifP => _; rewrite pair2_dot; field.
- rewrite /arms_phi; case: ifP => _; rewrite pair2_sq; first by rewrite mulr0 addr0 mulr1.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
- rewrite sum_unit qfZr /arms_mu pair2_sq.
  have v1 : v tt ^+ 2 <= 1 by rewrite -real_normK ?num_real // expr_le1.
  apply: (@le_trans _ _ (1 * (1 * 1 + 3%:R^-1 * 3%:R^-1))).
    by rewrite ler_wpmul2r // mulr1 addr_ge0 ?ler01 // mulr_ge0 ?invr_ge0 ?ler0n.
  rewrite mul1r mulr1 -[2%:R]/(1 + 1) ler_add2l -[leRHS]mulr1.
  by apply: ler_pmul; rewrite ?invr_ge0 ?ler0n ?invf_le1 ?ltr0n ?ler1n.
Qed.

Lemma arms_reachable b h : (h < 1)%N -> reachable arms_P arms_rho (arms_phi b) (10%:R^-1) h.
Proof.
case: h => // _ u u1; pose c := u ord0 ord0; pose s := u ord_max ord0.
have uE : u = pair2 c s.
  apply/matrixP => i j; rewrite !mxE (ord1 j); case: eqP => [->//|/eqP i0]; rewrite /s; congr (u _ _).
  by case: i i0 => -[|[|k]] // hk _; exact: val_inj.
have cs : c * c + s * s = 1 by rewrite -u1 /sq uE pair2_sq.
have TJ2 a : TJ arms_P arms_rho (det R_rcfType (fun _ _ => a))
    (fun s' a' => ((arms_phi b 0 s' a')^T *m u) ord0 ord0 ^+ 2) 0 = ((arms_phi b 0 tt a)^T *m u) ord0 ord0 ^+ 2.
  by rewrite /TJ sum_unit /arms_rho mul1r /= sum_det.
have hdet a h s' : is_law (det R_rcfType (fun (_ : nat) (_ : unit) => a) h s') by exact: det_law.
have [big|small] := lerP (100%:R^-1) (c * c).
  exists (det R_rcfType (fun _ _ => b)) => [h s'|]; first exact: hdet.
  rewrite TJ2 /arms_phi eqxx uE pair2_dot mul1r mul0r addr0 [c ^+ 2]expr2 exprVn -natrX; exact: big.
exists (det R_rcfType (fun _ _ => ~~ b)) => [h s'|]; first exact: hdet.
rewrite TJ2 /arms_phi; have -> : (~~ b == b) = false by case: (b).
rewrite uE pair2_dot; set x := 4%:R / 5%:R * c; set y := 3%:R / 5%:R * s.
apply: (@le_trans _ _ (y ^+ 2 / 2%:R - x ^+ 2)); last first.
  rewrite -subr_ge0; have -> : (x + y) ^+ 2 - (y ^+ 2 / 2%:R - x ^+ 2) = (2%:R * x + y) ^+ 2 / 2%:R by field.
  by rewrite divr_ge0 ?sqr_ge0 ?ler0n.
have -> : y ^+ 2 / 2%:R - x ^+ 2 = 9%:R / 50%:R - 41%:R / 50%:R * (c * c).
  have -> : y ^+ 2 = 9%:R / 25%:R * (s * s) by rewrite /y; field.
  have -> : s * s = 1 - c * c by rewrite -cs addrC addKr.
  by rewrite /x; field.
rewrite ler_subr_addr; apply: (@le_trans _ _ (10%:R^-1 ^+ 2 + 41%:R / 50%:R * 100%:R^-1)).
  by rewrite ler_add2l ler_wpmul2l ?divr_ge0 ?ler0n // ltW.
rewrite -subr_ge0; have -> : 9%:R / 50%:R - (10%:R^-1 ^+ 2 + 41%:R / 50%:R * 100%:R^-1) = (809%:R / 50%:R) / 100%:R :> R
  by field.
by rewrite !divr_ge0 ?ler0n.
Qed.

(* the action that an arg max takes if both are equal *)
Definition tied : bool := best true (fun _ : bool => 1%R : R).

Lemma high_plan (N M : nat) (beta : R) (w : nat -> batch unit_finType bool_finType N 1) : (152 <= M)%N -> 0 <= beta ->
  plan M (arms_phi tied) beta tt true w 1 high_theta 0 tt = tied.
Proof.
move=> M152 b0; have M0 : (0 < M)%N by exact: leq_trans M152.
have MR : 0 < M%:R :> R by rewrite ltr0n.
rewrite /plan /plan_greedy [planned _ _ _ _ _ _ _ _ _]/=.
set q := (round_weight _ _, _); rewrite /tied; congr (best true _).
apply: FunctionalExtensionality.functional_extensionality => a; rewrite /plan_score.
have fit0 : fit (arms_phi tied) tt true w (1 - 1) (fun _ => 0) = 0.
  by rewrite /fit /least_squares big1 ?mulmx0 // => i _; rewrite scale0r.
have near :
    `|((point q.1)^T *m arms_phi tied 0 tt a) ord0 ord0 - ((high_theta 0)^T *m arms_phi tied 0 tt a) ord0 ord0| <=
    2%:R * M%:R^-1.
  have -> : ((point q.1)^T *m arms_phi tied 0 tt a) ord0 ord0 - ((high_theta 0)^T *m arms_phi tied 0 tt a) ord0 ord0 =
      ((point q.1 - high_theta 0)^T *m arms_phi tied 0 tt a) ord0 ord0.
    have mB (E F : 'M[R]_1) : (E - F) ord0 ord0 = E ord0 ord0 - F ord0 ord0 by rewrite !mxE.
    by rewrite linearB /= mulmxBl mB.
  apply: small_dot => [i|]; last by case: (arms_transitions tied 0) => _ _ h _; exact: h.
  have cB (E F : 'cV[R]_2) k : (E - F) k ord0 = E k ord0 - F k ord0 by rewrite !mxE.
  rewrite cB /q [fst _]/= fit0 add0r /point mxE ffunE distrC; apply: rounded_near => //.
  apply: (@le_trans _ _ 2%:R); last by rewrite ler_nat (leq_trans _ M152).
  rewrite mxE; case: ifP => _; rewrite ger0_norm ?divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // -natrM ler_nat //.
have small : 2%:R * M%:R^-1 <= 10%:R^-1 :> R.
  rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
  exact: leq_trans M152.
have rew : 11%:R / 10%:R <= ((high_theta 0)^T *m arms_phi tied 0 tt a) ord0 ord0.
  rewrite /high_theta /arms_phi; case: ifP => _; rewrite pair2_dot; first by rewrite mulr1 mulr0 addr0.
  rewrite -subr_ge0; have -> : 11%:R / 10%:R * (4%:R / 5%:R) + 4%:R / 5%:R * (3%:R / 5%:R) - 11%:R / 10%:R =
    13%:R / 50%:R :> R by field.
  by rewrite divr_ge0 ?ler0n.
have one : 1 <= ((point q.1)^T *m arms_phi tied 0 tt a) ord0 ord0.
  move: near; rewrite ler_distl => /andP[lo _]; apply: le_trans lo.
  rewrite ler_subr_addr; apply: le_trans rew; apply: le_trans (ler_add (lexx 1) small) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have two : 1 <= ((point q.1)^T *m arms_phi tied 0 tt a) ord0 ord0 + beta * length (arms_phi tied) q.2 0 tt a.
  by apply: le_trans one _; rewrite ler_addl mulr_ge0 ?sqrtr_ge0.
apply/min_idPr; apply: le_trans two _; by rewrite le_maxr lexx.
Qed.

(* the theorem without the hypothesis that rewards lie in [0, 1] *)
Theorem exploration_rewards_control : ~ (exists c : R, 0 < c /\
  forall (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (rho : S -> R)
    (phi : nat -> S -> A -> 'cV[R]_d) (mu : nat -> S -> 'cV[R]_d) (eps delta nu : R) (s0 : S) (a0 : A),
  (0 < d)%N -> (0 < H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  is_law rho -> (forall h, linear_transitions (phi h) (mu h) (P h)) ->
  (forall h, (h < H)%N -> reachable P rho phi nu h) ->
  (c * sample_size d H eps delta nu <= INR N)%coqR ->
  let imax := iterations d nu in let M := grid_size d H N nu in
  let beta := plan_bonus d H N delta nu in let beta5 := explore_bonus d H N delta nu in
  let psi := @algorithm_two S A d N H M imax phi rho beta beta5 nu s0 a0 in
  let law := fun x : nat * mixture S A => @mixed_batch S A N H P rho x.2 in
  exists good : pred (H.-tuple (batch S A N H)),
  1 - delta <= prob (fun h : H.-tuple (batch S A N H) => history law psi [::] h) good /\
  forall h, good h -> forall L theta, (L <= H)%N -> (forall t, qf 1%:M (theta t) <= d%:R) ->
      let r t s a := ((theta t)^T *m phi t s a) ord0 ord0 in
      Jstar L P r rho a0 - eps <= theorem.J P r rho (det R_realFieldType (output psi h L theta)) L).
Proof.
move=> [c [c0 claim]].
pose delta : R := (2%:R^-1)%R; pose eps : R := (8%:R^-1)%R; pose nu : R := (10%:R^-1)%R.
pose N := (floor (c * sample_size 2 1 eps delta nu)%coqR + 1)%N.
have size : (c * sample_size 2 1 eps delta nu <= INR N)%coqR by apply/RleP; rewrite -natE /N addn1 ltW // floor_above.
have e01 : 0 < eps <= 1 by rewrite invr_gt0 ltr0n invf_le1 ?ltr0n ?ler1n.
have t01 : 0 < delta < 1 by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n ?ltr1n.
have n01 : 0 < nu <= 1 by rewrite invr_gt0 ltr0n invf_le1 ?ltr0n ?ler1n.
have := claim unit_finType bool_finType 2%N N 1%N arms_P arms_rho (arms_phi tied) arms_mu eps delta nu tt true isT isT
  e01 t01 n01 arms_laws (arms_transitions tied) (fun h h1 => arms_reachable tied h1) size.
set M := grid_size _ _ _ _; set beta := plan_bonus _ _ _ _ _.
move=> [good [pr hgood]].
have [h gh] : exists h, good h.
  apply/existsP; apply: contraT; rewrite negb_exists => /forallP no.
  move: pr; rewrite /prob big1 => [|h gh]; last by move: (no h); rewrite gh.
  have -> : 1 - delta = 2%:R^-1 by rewrite /delta; field.
  by rewrite leNgt invr_gt0 ltr0n.
have th t : qf 1%:M (high_theta t) <= 2%:R.
  rewrite /high_theta pair2_sq -subr_ge0.
  have -> : 2%:R - (11%:R / 10%:R * (11%:R / 10%:R) + 4%:R / 5%:R * (4%:R / 5%:R)) = 3%:R / 20%:R :> R by field.
  by rewrite divr_ge0 ?ler0n.
pose r (t : nat) (s : unit) (a : bool) : R := (((high_theta t)^T *m arms_phi tied t s a) ord0 ord0)%R.
have main : Jstar 1 arms_P r arms_rho true - eps <= theorem.J arms_P r arms_rho (det R_realFieldType
  (plan M (arms_phi tied) beta tt true (nth (nothing N 1 tt true) h) 1 high_theta)) 1 := hgood h gh 1%N high_theta isT
  th.
have b0 : 0 <= beta.
  apply/RleP; apply: Rmult_le_pos; last exact: sqrt_pos.
  by apply: Rmult_le_pos; [apply: Rmult_le_pos; [Lra.lra|exact: pos_INR]|exact: pos_INR].
have M152 : (152 <= M)%N by rewrite /M /grid_size -!mulnA leq_pmulr.
have J1 g : theorem.J arms_P r arms_rho (det R_realFieldType g) 1 = r 0%N tt (g 0%N tt).
  by rewrite /theorem.J sum_unit /= sum_det sum_unit /arms_rho /arms_P !mul1r addr0.
rewrite J1 (high_plan (nth (nothing N 1 tt true) h) M152 b0) in main.
have hP t s a : is_law (arms_P t s a) by case: (arms_transitions tied t).
have rho0 s : 0 <= arms_rho s by exact: ler01.
have best := @Jstar_above unit_finType bool_finType 1 arms_P r arms_rho true hP
  (det R_realFieldType (fun _ _ => ~~ tied)) rho0 (det_law _ _).
rewrite J1 in best; have := le_trans (ler_add best (lexx (- eps))) main.
rewrite /r /arms_phi eqxx; have -> : (~~ tied == tied) = false by case: tied.
rewrite /high_theta !pair2_dot -subr_ge0.
have -> : 11%:R / 10%:R * 1 + 4%:R / 5%:R * 0 - (11%:R / 10%:R * (4%:R / 5%:R) + 4%:R / 5%:R * (3%:R / 5%:R) - eps) =
  - (27%:R / 200%:R) :> R by rewrite /eps; field.
by rewrite oppr_ge0 leNgt divr_gt0 ?ltr0n.
Qed.
