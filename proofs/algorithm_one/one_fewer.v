(* Theorem 4.1 on its event with one deployment fewer is false: floor (c_K d H) deployments do not finish the last
   layer. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism deployments run theorem.
From derl.algorithm_one Require Import trajectory_law algorithm.

(* one state, one action, one layer, the feature 1, no reward *)
Local Definition one_phi (h : nat) (s a : unit) : 'cV[R]_1 := 1%:M.
Local Definition one_r (h : nat) (s a : unit) : R := 0%R.
Local Definition one_P (h : nat) (s a s' : unit) : R := 1%R.
Local Definition one_rho (s : unit) : R := 1%R.


(* control for theorem_on_the_event: floor (c_K d H) in the place of floor (c_K d H) + 1.  One layer, one dimension,
   c_K = 3/2, N = 3, beta = 1, epsilon = 4: the first deployment does not finish the layer, and floor (c_K d H) = 1 *)
Theorem one_deployment_fewer_control : ~ (forall (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R)
    (r : nat -> S -> A -> R) (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (beta eps : R) (X : run S A d) (cK : R),
  (0 < d)%N -> (0 < N)%N -> (0 < H)%N -> 0 < beta -> 0 < eps -> 1 < cK ->
  is_law rho -> (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) ->
  (forall h s a, d%:R^-1 <= sqnorm (phi h s a) <= 1) ->
  let l := (eps / (4%:R * H%:R * beta)) ^+ 2 in
  l <= d%:R^-1 -> Rpower (cK / Rpower l cK) (/ (cK - 1))%coqR <= N%:R ->
  let K := floor (cK * d%:R * H%:R) in
  follows N H r phi beta eps X ->
  (forall k, (k < K)%N -> (target N H phi beta eps X k < H)%N -> event N H P r rho phi beta eps X k) ->
  (H <= target N H phi beta eps X K)%N).
Proof.
move=> claim.
pose w (k : nat) : batch unit_finType unit_finType 3 1 := nothing 3 1 tt tt.
pose X := run_of one_phi one_r 1%R 4%:R%R tt tt w.
have q : qf (invmx 1%:M) (1%:M : 'cV[R]_1) = 1 by rewrite invmx1 /qf /bil trmx1 !mulmx1 mxE eqxx.
have Lam h : Lambda 3 one_phi X 0 h = 1%:M by rewrite /Lambda /covariance /before big_ord0 addr0.
have st : statistic 3 1 (Lambda 3 one_phi X 0) (data one_phi X 0) 0 = 2%:R :> R.
  rewrite /statistic (eq_bigr (fun=> 2%:R : R)) => [|i _].
    by rewrite sumr_const card_ord -[X in X / _]mulr_natr mulfK // pnatr_eq0.
  by rewrite big_ord1 Lam /data /one_phi q sqrtr1 !mulr1.
have lE : (4%:R / (4%:R * 1%:R * 1)) ^+ 2 = 1 :> R by rewrite !mulr1 divff ?expr1n // pnatr_eq0.
have c0 : 0 < 3%:R / 2%:R :> R by rewrite divr_gt0 ?ltr0n.
have two : (2%:R)%R = 2%coqR by rewrite natE /=; Lra.lra.
have three : (3%:R)%R = 3%coqR by rewrite natE /=; Lra.lra.
have fl : floor (3%:R / 2%:R * 1%:R * 1%:R)%R = 1%N.
  have u : (3%:R / 2%:R * 1%:R * 1%:R)%R = (3 / 2)%coqR.
    by rewrite !mulr1 -RdivE ?pnatr_eq0 // two three.
  rewrite /floor u; have [h1 h2] := base_Int_part (3 / 2)%coqR.
  have a : (IZR (Int_part (3 / 2)) < IZR 2)%coqR by Lra.lra.
  have b : (IZR 0 < IZR (Int_part (3 / 2)))%coqR by Lra.lra.
  by have := lt_IZR _ _ a; have := lt_IZR _ _ b; case: (Int_part _) => [|[p|p|]|p] //=; lia.
have := claim unit_finType unit_finType 1%N 3%N 1%N one_P one_r one_rho one_phi 1%R 4%:R%R X (3%:R / 2%:R)%R
  isT isT isT ltr01.
cbv zeta; rewrite lE fl.
suff tgt : target 3 1 one_phi 1 4%:R X 1 = 0%N.
  rewrite tgt; move=> bad; suff : (0 < 0)%N by [].
  apply: bad; rewrite ?ltr0n ?invr1 //.
  - by rewrite ltr_pdivl_mulr ?ltr0n // mul1r ltr_nat.
  - by split=> [s|]; [exact: ler01|rewrite sum_unit].
  - by move=> h s a; split=> [s'|]; [exact: ler01|rewrite sum_unit].
  - by move=> h s a; rewrite lexx ler01.
  - by move=> h s a; rewrite /sqnorm big_ord1 /one_phi mxE eqxx expr1n lexx.
  - rewrite -RdivE ?pnatr_eq0 // two three.
    have -> : (Rpower 1 (3 / 2) = 1)%coqR by rewrite /Rpower ln_1 Rmult_0_r exp_0.
    have -> : (/ (3 / 2 - 1) = INR 2)%coqR.
      have -> : (3 / 2 - 1 = / 2)%coqR by Lra.lra.
      by rewrite Rinv_inv /=; Lra.lra.
    rewrite Rpower_pow; last by Lra.lra.
    by apply/RleP; rewrite /=; Lra.lra.
  - exact: follows_run.
  move=> k; rewrite ltnS leqn0 => /eqP -> _; split.
    move=> h s a; rewrite leqn0 => /eqP ->.
    have V0 s' : V 3 1 one_r one_phi 1 4%:R X 0 1 s' = 0 by [].
    have e0 : est one_phi X 0 0 s a = 0.
      rewrite /est (_ : weight X 0 0 = 0) ?trmx0 ?mul0mx ?mxE //.
      by rewrite (proj2 (follows_run one_phi one_r 1%R 4%:R%R tt tt w)) big_ord0 mulmx0.
    rewrite e0 big1 ?subr0 ?normr0 => [|s' _]; last by rewrite V0 mulr0.
    by rewrite /bonus mul1r sqrtr_ge0.
  rewrite -[target _ _ _ _ _ _ 0]/0%N st sum_unit /= /det !sum_unit.
  rewrite /bonus Lam /one_phi q sqrtr1 /one_rho.
  have -> : (tt == greedy_policy one_phi one_r 1%R 4%:R%R tt tt w 0 0 tt) = true by case:
    (greedy_policy _ _ _ _ _ _ _ _ _ _).
  rewrite mulr0 addr0 !mulr1.
  by rewrite ler_addl divr_ge0 ?ler0n.
rewrite /target /= /finishes /finished.
have -> : statistic 3 1 (covariance 3 (data one_phi X) 0) (data one_phi X 0) 0 = 2%:R :> R by exact: st.
by have -> : 4%:R * 1%:R / (2%:R * 1%:R) = 2%:R :> R; [field|rewrite ltxx].
Qed.
