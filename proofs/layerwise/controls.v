(* A near variant of inequality (9) that is false. *)
From derl.common Require Import prelude forms.
From derl.potential Require Import count.

(* control for eq-violation: 15 in the place of 16; one layer, one trajectory with the feature 1,
   the identity as covariance, beta = 1/4, eps = 1 *)
Theorem eq_violation_control (R : rcfType) :
  ~ (forall (d L H N : nat) (beta eps : R) (phi : nat -> nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d),
     (0 < L)%N -> (0 < H)%N -> (0 < N)%N -> 0 < beta -> 0 <= eps -> (forall h, pd (Lam h)) ->
     eps * L%:R / (2%:R * H%:R) <=
       (\sum_(i < N) 2%:R * beta * (\sum_(h < L) Num.sqrt (qf (invmx (Lam h)) (phi h i)))) / N%:R ->
     exists h : 'I_L, eps ^+ 2 / (15%:R * H%:R ^+ 2 * beta ^+ 2) <=
       (\sum_(i < N) Num.sqrt (qf (invmx (Lam h)) (phi h i)) ^+ 2) / N%:R).
Proof.
have q : Num.sqrt (qf (invmx 1%:M) (1%:M : 'cV[R]_1)) = 1.
  by rewrite invmx1 /qf /bil trmx1 !mulmx1 mxE eqxx sqrtr1.
move=> /(_ 1%N 1%N 1%N 1%N 4%:R^-1 1 (fun _ _ => 1%:M) (fun _ => 1%:M) isT isT isT).
have b0 : 0 < 4%:R^-1 :> R by rewrite invr_gt0 ltr0n.
move=> /(_ b0 ler01 (fun _ => pd1 R 1)); rewrite !big_ord1 q => -[|h].
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
rewrite !expr1n !divr1 => {h}; apply/negP; rewrite -ltNge.
have -> : 1 / (15%:R * 1 * 4%:R^-1 ^+ 2) = 16%:R / 15%:R :> R by field.
by rewrite ltr_pdivl_mulr ?ltr0n // mul1r ltr_nat.
Qed.

(* the same for the reward-free algorithm *)
Theorem eq_violation_reward_free_control (R : rcfType) :
  ~ (forall (d L H N : nat) (beta eps : R) (phi : nat -> nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d),
     (0 < L)%N -> (0 < H)%N -> (0 < N)%N -> 0 < beta -> 0 <= eps -> (forall h, pd (Lam h)) ->
     eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R) <=
       (\sum_(i < N) 2%:R * beta * (\sum_(h < L) Num.sqrt (qf (invmx (Lam h)) (phi h i)))) / N%:R ->
     exists h : 'I_L, eps ^+ 2 / (15%:R * H%:R ^+ 2 * (2%:R * H%:R + 1) ^+ 2 * beta ^+ 2) <=
       (\sum_(i < N) Num.sqrt (qf (invmx (Lam h)) (phi h i)) ^+ 2) / N%:R).
Proof.
have q : Num.sqrt (qf (invmx 1%:M) (1%:M : 'cV[R]_1)) = 1.
  by rewrite invmx1 /qf /bil trmx1 !mulmx1 mxE eqxx sqrtr1.
move=> /(_ 1%N 1%N 1%N 1%N 12%:R^-1 1 (fun _ _ => 1%:M) (fun _ => 1%:M) isT isT isT).
have b0 : 0 < 12%:R^-1 :> R by rewrite invr_gt0 ltr0n.
move=> /(_ b0 ler01 (fun _ => pd1 R 1)); rewrite !big_ord1 q => -[|h].
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
rewrite !expr1n !divr1 => {h}; apply/negP; rewrite -ltNge.
set x := (X in _ < X); have -> : x = 16%:R / 15%:R by rewrite /x; field.
by rewrite ltr_pdivl_mulr ?ltr0n // mul1r ltr_nat.
Qed.
