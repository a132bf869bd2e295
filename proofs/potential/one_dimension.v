(* Dimension one: the largest possible number of violating batches, with the logarithm. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count refined sharp.

(* [res-sharp-potential-one-dim], the upper bound *)
Theorem res_sharp_potential_one_dim N K (phi : nat -> nat -> 'cV[R]_1) (eps : R) :
  (0 < N)%N -> 0 < eps <= 1 -> (forall k i, sqnorm (phi k i) <= 1) ->
  Z.le (Z.of_nat (violations (batches N phi) (N%:R * eps) K))
       (1 + Int_part (ln (/ eps) / ln (1 + INR N * eps))%coqR).
Proof.
move=> N0 /andP[e0 e1] hphi; set v := violations _ _ _.
have e0' : (0 < eps)%coqR by apply/RltP.
have N0' : (0 < INR N)%coqR by apply: lt_0_INR; apply/ssrnat.ltP.
have y0 : (0 < INR N * eps)%coqR by apply: Rmult_lt_0_compat.
have l0 : (0 < ln (1 + INR N * eps))%coqR by apply: ln_gt0; Lra.lra.
have inv1 : (1 <= / eps)%coqR.
  by rewrite -Rinv_1; apply: Rinv_le_contravar => //; apply/RleP.
have li : (0 <= ln (/ eps))%coqR by apply: ln_ge0.
case ve: v => [|k].
  have q0 : INR 0 <= (ln (/ eps) / ln (1 + INR N * eps))%coqR.
    apply/RleP; apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
  by have := floor_le q0; rewrite [Z.of_nat 0]/=; Lia.lia.
have h : (1 + N%:R * eps) ^+ k <= eps^-1.
  by apply: (@one_dimension _ 1 N phi eps K k erefl N0 e0 hphi); rewrite -/v ve.
have q : INR k <= (ln (/ eps) / ln (1 + INR N * eps))%coqR.
  apply/RleP; apply: (Rmult_le_reg_r _ _ _ l0); rewrite div_mul; last exact: Rgt_not_eq.
  have y1 : (0 < 1 + INR N * eps)%coqR by Lra.lra.
  have h' : (pow (1 + INR N * eps) k <= / eps)%coqR.
    by apply/RleP; rewrite RpowE RinvE ?gt_eqF // INRE.
  rewrite -Rpower_pow // in h'.
  have := ln_mono _ _ (exp_pos _) h'; rewrite /Rpower ln_exp; exact.
by have := floor_le q; rewrite Nat2Z.inj_succ; Lia.lia.
Qed.
