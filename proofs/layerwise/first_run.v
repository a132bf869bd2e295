(* The first deployment of a run of Algorithm 1 violates in every layer, because its covariances are I. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count.
From derl.layerwise Require Import run first.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

(* the trace of the first batch is the sum of the squared lengths *)
Lemma first_trace d N (phi : nat -> nat -> nat -> 'cV[R]_d) h :
  \tr (invmx (covariance N phi 0 h) *m gram N (phi 0%N h)) = \sum_(i < N) sqnorm (phi 0%N h i).
Proof.
rewrite /covariance /before big_ord0 addr0 invmx1 mul1mx /gram raddf_sum /=.
by apply: eq_bigr => i _; rewrite tr_outer qfE.
Qed.
Lemma sum_f (N : nat) (q : nat -> R) : sum_f_R0 q N = \sum_(i < N.+1) q i.
Proof. by elim: N => [|N IH]; [rewrite big_ord1|rewrite big_ord_recr /= IH]. Qed.

(* [text-first-deployment], whole: phi k h i is the feature of layer h in trajectory i of deployment k, of which the
   first is 0; inequality (9) holds at it in every layer: the trace over N is at least eps^2 / (16 H^2 beta^2) *)
Theorem text_first_deployment_run (d H N : nat) (eps delta cbeta : R) (phi : nat -> nat -> nat -> 'cV[R]_d) (h : nat) :
  (0 < d)%N -> (0 < H)%N -> (2 <= d * H)%N -> (0 < N)%N -> (0 < eps <= 1)%coqR -> (0 < delta <= 1)%coqR ->
  (1 <= cbeta)%coqR -> (forall i, d%:R^-1 <= sqnorm (phi 0%N h i)) ->
  let beta := (cbeta * INR d * INR H * sqrt (ln (INR d * INR H / (delta * eps))))%coqR in
  eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) <= \tr (invmx (covariance N phi 0 h) *m gram N (phi 0%N h)) / N%:R.
Proof.
move=> d0 H0 dH; case: N => [|N]; first by rewrite ltnn.
move=> _ e01 t01 c1 hphi; cbv zeta; set beta := (cbeta * INR d * INR H * _)%coqR.
have dR : (1 <= INR d)%coqR by apply: (le_INR 1); apply/ssrnat.leP.
have HR : (1 <= INR H)%coqR by apply: (le_INR 1); apply/ssrnat.leP.
have dHR : (2 <= INR d * INR H)%coqR by rewrite -mult_INR; apply: (le_INR 2); apply/ssrnat.leP; rewrite multE.
have hq i : (i <= N)%coq_nat -> (/ INR d <= sqnorm (phi 0%N h i))%coqR.
  by move=> _; rewrite INRE RinvE ?pnatr_eq0 -?lt0n //; apply/RleP.
have := text_first_deployment (INR d) (INR H) eps delta cbeta N (fun i => sqnorm (phi 0%N h i)) dR HR dHR e01 t01 c1 hq.
cbv zeta; rewrite -/beta => le; rewrite first_trace.
case: (eqVneq (16%:R * H%:R ^+ 2 * beta ^+ 2) 0) => [->|nz].
  rewrite invr0 mulr0 divr_ge0 ?ler0n //; apply: sumr_ge0 => i _; apply: le_trans (hphi i).
  by rewrite invr_ge0 ler0n.
have s : 16%coqR = 16%:R :> R by rewrite -INRE /=; Lra.lra.
have nN : N.+1%:R != 0 :> R by rewrite pnatr_eq0.
move: le; rewrite (sum_f N (fun i => sqnorm (phi 0%N h i))) /Rdiv !RpowE s !INRE !RmultE.
by rewrite !RinvE // => /RleP.
Qed.

(* control: with c_beta = 1/6 in the place of c_beta >= 1 it is false; d = 2, H = eps = delta = 1, one trajectory *)
Theorem text_first_deployment_control : ~ (forall (d H N : nat) (eps delta cbeta : R) (phi : nat -> nat -> nat ->
  'cV[R]_d) (h : nat),
  (0 < d)%N -> (0 < H)%N -> (2 <= d * H)%N -> (0 < N)%N -> (0 < eps <= 1)%coqR -> (0 < delta <= 1)%coqR ->
  (/ 6 <= cbeta)%coqR -> (forall i, d%:R^-1 <= sqnorm (phi 0%N h i)) ->
  let beta := (cbeta * INR d * INR H * sqrt (ln (INR d * INR H / (delta * eps))))%coqR in
  eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) <= \tr (invmx (covariance N phi 0 h) *m gram N (phi 0%N h)) / N%:R).
Proof.
pose phi (_ _ _ : nat) : 'cV[R]_2 := \col_i (2%:R^-1).
have len : sqnorm (phi 0%N 0%N 0%N) = 2%:R^-1 :> R.
  rewrite /sqnorm big_ord_recl big_ord1 !mxE; rewrite -mulr2n -mulr_natl expr2 mulrA divff ?mul1r //.
  by rewrite pnatr_eq0.
have r01 : (0 < 1 <= 1)%coqR by Lra.lra.
move=> h; have := h 2%N 1%N 1%N 1%coqR 1%coqR (/ 6)%coqR phi 0%N isT isT isT isT r01 r01 (Rle_refl _).
move=> /(_ (fun i => eq_ind_r (fun x => 2%:R^-1 <= x) (lexx _) len)); cbv zeta; rewrite first_trace big_ord1 len divr1.
have -> : (INR 2 * INR 1 / (1 * 1) = 2)%coqR by rewrite /=; field.
set beta := (_ * sqrt (ln 2))%coqR.
have l1 := ln_le 2 ltac:(Lra.lra); have l2 := ln_lt_2.
have bE : beta ^+ 2 = (ln 2 / 9)%coqR.
  by rewrite -RpowE /beta !Rpow_mult_distr pow2_sqrt /=; [field|Lra.lra].
have y0 : 0 < (ln 2 / 9)%coqR by apply/RltP; change (0 < ln 2 / 9)%coqR; Lra.lra.
have p0 : 0 < 16%:R * (ln 2 / 9)%coqR by apply: mulr_gt0 y0; rewrite ltr0n.
rewrite bE !expr1n mulr1 mul1r lef_pinv ?posrE ?ltr0n // => /RleP.
rewrite -!INRE -[X in (_ <= X)%coqR]/(INR 16 * (ln 2 / 9))%coqR /=; Lra.lra.
Qed.
