(* The end of the proof of Theorem B.3, in Coq's real numbers, and corollaries of
   the counting arguments in the paper's own indices. *)
From derl.common Require Import real_prelude reals.
From derl.lower_bounds Require Import game locks gate trajectories lock.

(* x^(H-1) > 1/e for x = 1 - 1/H *)
Lemma exp_power (x : R) (n : nat) : 0 < x -> - ln x * INR n < 1 -> (exp (-1))%coqR < x ^+ n.
Proof.
move=> /RltP x0 /RltP h; rewrite -RpowE -Rpower_pow //; apply/RltP.
apply: exp_increasing; move: h; rewrite -RmultE -RoppE.
by move: (ln x) (INR n) => u v h; change (- u * v < 1)%coqR in h; Lra.lra.
Qed.

(* [ineq-one-over-e-repaired], the first inequality: (1 - 1/H)^(H-1) > 1/e *)
Theorem ineq_one_over_e_repaired (H : nat) : (2 <= H)%N ->
  (exp (-1))%coqR < (1 - H%:R^-1 : R) ^+ H.-1.
Proof.
move=> H2; have H1 : (0 < H.-1)%N by rewrite -ltnS prednK // ltnW.
have hN : H = H.-1.+1 by rewrite prednK // ltnW.
have HR : 0 < H%:R :> R by rewrite ltr0n ltnW.
have mR : 0 < (H.-1)%:R :> R by rewrite ltr0n.
have HE : H%:R = (H.-1)%:R + 1 :> R by rewrite {1}hN -addn1 natrD.
have xE : 1 - H%:R^-1 = ((H.-1)%:R / H%:R) :> R.
  by rewrite HE; field; rewrite -HE gt_eqF.
have x0 : 0 < 1 - H%:R^-1 :> R by rewrite xE divr_gt0.
apply: exp_power => //.
set X := 1 - H%:R^-1 in x0 xE *.
pose Y : R := 1 + (H.-1)%:R^-1.
have inv : (/ X)%coqR = Y.
  rewrite /Y RinvE ?gt_eqF // xE invf_div HE; field; exact: lt0r_neq0.
have lnE : (- ln X)%coqR = ln Y.
  by rewrite -inv ln_Rinv //; exact/RltP.
apply/RltP; rewrite -[- ln _]/(Ropp (ln _)) lnE.
have z0 : (0 < (H.-1)%:R^-1)%coqR by apply/RltP; rewrite invr_gt0.
set z := (H.-1)%:R^-1 in z0 *.
have lt1 : (ln (1 + z) < z)%coqR.
  have := exp_ineq1 z (Rgt_not_eq _ _ z0) => h.
  rewrite -{2}(ln_exp z); apply: ln_increasing => //.
  by apply: Rplus_lt_0_compat => //; exact: Rlt_0_1.
have n0 : (0 < INR H.-1)%coqR by apply: lt_0_INR; apply/ssrnat.ltP.
have zE : (z * INR H.-1 = 1)%coqR by rewrite INRE RmultE /z mulVf // gt_eqF.
rewrite -[X in (_ < X)%coqR]zE; exact: (Rmult_lt_compat_r _ _ _ n0 lt1).
Qed.

(* [thm-lower-arbitrary-repaired], whole: l is the rounded logarithm of N H to the
   base d (any l with N H <= d^l will do); strategies are finite mixtures of
   deterministic ones and may look at all data; H digits, H + 1 layers, d actions. *)
Theorem thm_lower_arbitrary_repaired (d H N K l : nat) (b eps : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data H d N] (deployed R_realFieldType d) (deployed R_realFieldType d)) :
  (2 <= d)%N -> (2 <= H)%N -> (1 <= N)%N -> (N * H <= d ^ l)%N -> (K * l <= H.-1)%N ->
  0 < eps -> 2%:R * eps < b -> b <= 2%:R^-1 -> is_law w ->
  exists c : code H d,
    (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K <=
      \sum_v w v * failure (fun (c : code H d) (x : deployed R_realFieldType d) =>
         data_law (N := N) (lock b c) x) (good_output b eps) c (psi v) K
    /\ (exp (-1))%coqR / 2%:R < (1 - d%:R^-1) * (1 - H%:R^-1) ^+ K.
Proof.
move=> d2 H2 N1 NH Kl e0 eb b1 hw.
have b0 : 0 < b by apply: lt_trans eb; rewrite mulr_gt0 ?ltr0n.
have H0 : (0 < H)%N by exact: ltnW.
have d0 : (0 < d)%N by exact: ltnW.
have Nl : (N <= d ^ l)%N by apply: leq_trans NH; exact: leq_pmulr.
have bb : 0 < b <= 2%:R^-1 by rewrite b0.
have [c hc] := lower_arbitrary psi hw d0 H0 N1 Nl Kl eb bb.
have dR : 0 < d%:R :> R by rewrite ltr0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have x0 : 0 <= 1 - H%:R^-1 :> R by rewrite subr_ge0 invf_le1 ?ler1n.
have x1 : 1 - H%:R^-1 <= 1 :> R by rewrite ler_subl_addr ler_addl invr_ge0 ler0n.
have half : 2%:R^-1 <= 1 - d%:R^-1 :> R.
  have -> : 2%:R^-1 = 1 - 2%:R^-1 :> R by field.
  by rewrite ler_add2l ler_opp2 lef_pinv ?posrE ?ltr0n // ler_nat.
have half0 : 0 <= 1 - d%:R^-1 :> R by apply: le_trans half; rewrite invr_ge0 ler0n.
exists c; split.
  apply: le_trans hc; rewrite ler_wpmul2l //.
  apply: ler_expn2r; rewrite ?nnegrE //.
    by rewrite subr_ge0 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 // mul1r ler_nat.
  rewrite ler_add2l ler_opp2 ler_pdivr_mulr ?ltr0n ?expn_gt0 ?d0 //.
  by rewrite mulrC ler_pdivl_mulr // -natrM ler_nat.
have l0 : (0 < l)%N.
  rewrite lt0n; apply: contraTneq NH => ->; rewrite expn0 -ltnNge.
  by apply: (leq_trans H2); exact: leq_pmull.
have KH : (K <= H.-1)%N by apply: leq_trans Kl; exact: leq_pmulr.
have big : (exp (-1))%coqR < (1 - H%:R^-1 : R) ^+ K.
  apply: lt_le_trans (ineq_one_over_e_repaired H2) _.
  exact: ler_wiexpn2l.
rewrite mulrC; apply: (@lt_le_trans _ _ (2%:R^-1 * (1 - H%:R^-1) ^+ K)).
  by rewrite ltr_pmul2l ?invr_gt0 ?ltr0n.
by rewrite ler_wpmul2r // exprn_ge0.
Qed.
