(* One deployment fewer than the count of Algorithm 1 is not enough. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.layerwise Require Import run.

Lemma one_allowed : largest (allowed 1%coqR 1%coqR) 1%coqR.
Proof.
rewrite /allowed /=; split; first by rewrite Rpower_1; Lra.lra.
move=> x; case: (Rle_lt_dec x 1) => // x1 h; exfalso.
have e : Rpower (1 + 1) x = (2 * Rpower 2 (x - 1))%coqR.
  have {1}-> : (x = 1 + (x - 1))%coqR by Lra.lra.
  rewrite Rpower_plus Rpower_1; last by Lra.lra.
  by congr (_ * Rpower _ _)%coqR; Lra.lra.
have g : (1 + (x - 1) * ln 2 <= Rpower 2 (x - 1))%coqR by exact: exp_ge.
have l := ln_lt_2; have n : ((x - 1) * / 2 < (x - 1) * ln 2)%coqR by apply: Rmult_lt_compat_l; Lra.lra.
by rewrite e in h; Lra.lra.
Qed.

(* control for res-sample-efficient-curve: one deployment fewer; one feature of length 1 in one
   layer, N = eps = 1, beta = 1/4, where the largest x is 1 and the first deployment does not finish *)
Theorem res_sample_efficient_curve_control :
  ~ (forall (d N H : nat) (phi : nat -> nat -> nat -> 'cV[R]_d) (beta eps xs : R),
     (0 < d)%N -> (0 < N)%N -> (0 < H)%N -> 0 < beta -> 0 < eps ->
     (forall k h i, d%:R^-1 <= sqnorm (phi k h i) <= 1) ->
     let l := (eps / (4%:R * H%:R * beta)) ^+ 2 in
     l <= d%:R^-1 -> largest (allowed (N%:R * l) (INR N)) xs ->
     (H <= layer N H phi beta eps (H * Z.to_nat (Int_part (INR d * xs)%coqR)))%N).
Proof.
have b0 : 0 < 4%:R^-1 :> R by rewrite invr_gt0 ltr0n.
move=> /(_ 1%N 1%N 1%N (fun _ _ _ => 1%:M) 4%:R^-1 1 1%coqR isT isT isT b0 ltr01) h.
have s : sqnorm (1%:M : 'cV[R]_1) = 1 by rewrite /sqnorm big_ord1 mxE eqxx expr1n.
have l1 : (1 / (4%:R * 1%:R * 4%:R^-1)) ^+ 2 = 1 :> R by field.
have := h _; cbv zeta; rewrite l1 => {}h.
have q : largest (allowed (1%:R * 1) (INR 1)) 1%coqR.
  change (largest (allowed (1 * 1)%coqR 1%coqR) 1%coqR); rewrite Rmult_1_r; exact: one_allowed.
have {}h := fun a => h a _ q.
have no : ~~ (1 <= layer 1 1 (fun _ _ _ => 1%:M : 'cV[R]_1) 4%:R^-1 1 1)%N.
  rewrite /= add0n /finishes /finished /statistic !big_ord1 /covariance /before big_ord0 addr0.
  have -> : qf (invmx 1%:M) (1%:M : 'cV[R]_1) = 1 by rewrite invmx1 /qf /bil trmx1 !mulmx1 mxE eqxx.
  have -> : 2%:R * 4%:R^-1 * Num.sqrt 1 / 1%:R = 1 * 1%:R / (2%:R * 1%:R) :> R by rewrite sqrtr1; field.
  by rewrite ltxx.
have i1 : Z.to_nat (Int_part (INR 1 * 1)) = 1%N.
  rewrite Rmult_1_r /=; have [a1 a2] := base_Int_part 1.
  have u : Z.le (Int_part 1) (Zpos xH) by apply: le_IZR.
  have v : Z.lt Z0 (Int_part 1) by apply: lt_IZR; move: a1 a2; rewrite /=; Lra.lra.
  by have -> : Int_part 1 = Zpos xH by lia.
apply: (negP no); move: h; rewrite mul1n i1; apply=> [|k x i]; by rewrite ?s invr1 lexx.
Qed.
