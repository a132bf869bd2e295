(* A deployment of Algorithm 3 that does not finish its layer violates (17); from the event
   of a concentration lemma to the bonus. *)
From derl.common Require Import prelude forms.
From derl.potential Require Import count.
From derl.layerwise Require Import deployments.

(* [eq-violation-reward-free], whole: L = h_k layers, N trajectories with features phi h i *)
Theorem eq_violation_reward_free (R : rcfType) (d L H N : nat) (beta eps : R)
    (phi : nat -> nat -> 'cV[R]_d) (Lam : nat -> 'M[R]_d) :
  (0 < L)%N -> (0 < H)%N -> (0 < N)%N -> 0 < beta -> 0 <= eps -> (forall h, pd (Lam h)) ->
  eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R) <=
    (\sum_(i < N) 2%:R * beta * (\sum_(h < L) Num.sqrt (qf (invmx (Lam h)) (phi h i)))) / N%:R ->
  exists h : 'I_L,
    eps ^+ 2 / (16%:R * H%:R ^+ 2 * (2%:R * H%:R + 1) ^+ 2 * beta ^+ 2) <=
      (\sum_(i < N) Num.sqrt (qf (invmx (Lam h)) (phi h i)) ^+ 2) / N%:R.
Proof.
move=> L0 H0 N0 b0 e0 pL hD; have HR : 0 < H%:R :> R by rewrite ltr0n.
have c0 : 0 < 2%:R * H%:R + 1 :> R by rewrite addr_gt0 ?ltr01 ?mulr_gt0 ?ltr0n.
have e1 : 0 <= eps / (2%:R * H%:R + 1) by rewrite divr_ge0 // ltW.
have lvl : eps / (2%:R * H%:R + 1) * L%:R / (2%:R * H%:R) = eps * L%:R / ((4%:R * H%:R + 2%:R) * H%:R).
  have -> : 4%:R * H%:R + 2%:R = 2%:R * (2%:R * H%:R + 1) :> R by ring.
  by field; rewrite !gt_eqF.
have [|h hh _] := @eq_violation R d L H N beta (eps / (2%:R * H%:R + 1)) phi Lam L0 H0 N0 b0 e1 pL.
  by rewrite lvl.
exists h; apply: le_trans hh; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by field; rewrite !gt_eqF.
Qed.

Section Regression.
Variables (R : rcfType) (S : finType) (d N : nat).
(* N transitions: features phi n, next states s n; mu are the measures of the next state *)
Variables (phi : 'I_N -> 'cV[R]_d) (s : 'I_N -> S) (mu : S -> 'cV[R]_d) (V : S -> R).
Let Lam : 'M[R]_d := 1%:M + \sum_n outer (phi n).
(* the regression, and the noise *)
Definition weights : 'cV[R]_d := invmx (1%:M + \sum_n outer (phi n)) *m \sum_n V (s n) *: phi n.
(* the expected value of V after a pair with the feature x: P V *)
Definition next (x : 'cV[R]_d) : R := \sum_s' ((mu s')^T *m x) ord0 ord0 * V s'.
(* sum_n (V(s^n) - P V) phi^n, the noise of the regression *)
Definition noise : 'cV[R]_d := \sum_n (V (s n) - next (phi n)) *: phi n.

Lemma nextE x : next x = ((\sum_s' V s' *: mu s')^T *m x) ord0 ord0.
Proof.
rewrite raddf_sum /= mulmx_suml summxE; apply: eq_bigr => s' _.
by rewrite linearZ /= -scalemxAl [RHS]mxE mulrC.
Qed.

Lemma Lam_pd : pd Lam.
Proof. by apply: pdD; [exact: pd1|apply: psd_sum => n _; exact: psd_outer]. Qed.

(* w^T phi - P V = <phi, Lam^-1 (noise - m)> with m = sum_s V(s) mu(s) *)
Lemma regression_error x :
  (weights^T *m x) ord0 ord0 - next x =
  bil (invmx Lam) noise x - bil (invmx Lam) (\sum_s' V s' *: mu s') x.
Proof.
set m := \sum_s' _; have pL := Lam_pd; have uL := pd_unit pL; have [sL _] := pL.
have wE : weights = invmx Lam *m noise + m - invmx Lam *m m.
  apply: (can_inj (mulKmx uL)); rewrite !mulmxBr !mulmxDr !mulKVmx //.
  rewrite /Lam mulmxDl mul1mx; rewrite [m + _]addrC addrA addrK.
  rewrite /noise mulmx_suml -big_split /=; apply: eq_bigr => n _.
  rewrite /outer -mulmxA scalerBl nextE -/m.
  have -> : phi n *m ((phi n)^T *m m) = (m^T *m phi n) ord0 ord0 *: phi n.
    by rewrite [X in phi n *m X]mx11_scalar mul_mx_scalar dotC.
  by rewrite subrK.
have mD (M K : 'M[R]_1) : (M + K) ord0 ord0 = M ord0 ord0 + K ord0 ord0 by rewrite mxE.
have mN (M : 'M[R]_1) : (- M) ord0 ord0 = - M ord0 ord0 by rewrite mxE.
rewrite wE nextE -/m linearB linearD /= mulmxBl mulmxDl !mD mN.
have e (y : 'cV[R]_d) : ((invmx Lam *m y)^T *m x) ord0 ord0 = bil (invmx Lam) y x.
  by rewrite /bil trmx_mul inv_sym.
by rewrite !e; ring.
Qed.

(* the bonus: (|G| + |m|) |phi|, all norms in Lam^-1 *)
Lemma regression_bonus x :
  `|(weights^T *m x) ord0 ord0 - next x| <=
  (Num.sqrt (qf (invmx Lam) noise) + Num.sqrt (qf 1%:M (\sum_s' V s' *: mu s'))) *
  Num.sqrt (qf (invmx Lam) x).
Proof.
have pL := Lam_pd; have pI := pd_psd (pd_inv pL).
have cs (y : 'cV[R]_d) : `|bil (invmx Lam) y x| <= Num.sqrt (qf (invmx Lam) y) * Num.sqrt (qf (invmx Lam) x).
  rewrite -sqrtrM ?qfi_ge0 // -(sqrtr_sqr (bil _ _ _)); apply: ler_wsqrtr; exact: cauchy.
rewrite regression_error; apply: le_trans (ler_norm_sub _ _) _; rewrite mulrDl; apply: ler_add; first exact: cs.
apply: le_trans (cs _) _; rewrite ler_wpmul2r ?sqrtr_ge0 // ler_wsqrtr //.
rewrite -[X in _ <= qf X _]invmx1; apply: inv_antitone; first exact: pd1.
by rewrite /Lam addrC addKr; apply: psd_sum => n _; exact: psd_outer.
Qed.
End Regression.

(* [res-estimation-bias], whole: values in [0, H], the noise at most C d H l in Lam^-1 *)
Theorem res_estimation_bias (R : rcfType) (S : finType) (d N : nat) (phi : 'I_N -> 'cV[R]_d)
    (s : 'I_N -> S) (mu : S -> 'cV[R]_d) (V : S -> R) (H C l beta : R) (x : 'cV[R]_d) :
  (0 < d)%N -> 0 < H -> 1 <= l -> 0 <= C -> (forall s, 0 <= V s <= H) ->
  (forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R) ->
  Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) (noise phi s mu V)) <= C * d%:R * H * l ->
  (C + 1) * d%:R * H * l <= beta ->
  `|((weights phi s V)^T *m x) ord0 ord0 - next mu V x| <=
    beta * Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) x).
Proof.
move=> d0 H0 l1 C0 hV hmu hG hb; apply: le_trans (regression_bonus phi s mu V x) _.
rewrite ler_wpmul2r ?sqrtr_ge0 //; apply: le_trans hb; rewrite !mulrDl mul1r; apply: ler_add => //.
have mE : \sum_s' V s' *: mu s' = H *: \sum_s' (V s' / H) *: mu s'.
  by rewrite scaler_sumr; apply: eq_bigr => s' _; rewrite scalerA mulrCA divff ?mulr1 ?gt_eqF.
have h1 : qf 1%:M (\sum_s' (V s' / H) *: mu s') <= d%:R.
  apply: hmu => s'; have /andP[v0 v1] := hV s'.
  by rewrite (ger0_norm (divr_ge0 v0 (ltW H0))) ler_pdivr_mulr // mul1r.
have dR : 1 <= d%:R :> R by rewrite ler1n.
rewrite mE qfZr sqrtrM ?sqr_ge0 // sqrtr_sqr (ger0_norm (ltW H0)) mulrC.
apply: (@le_trans _ _ (d%:R * H)).
  apply: ler_wpmul2r; first exact: ltW.
  apply: le_trans (ler_wsqrtr h1) _.
  rewrite -[leRHS]ger0_norm ?ler0n // -sqrtr_sqr; apply: ler_wsqrtr.
  by rewrite expr2 ler_pmulr // ltr0n.
by rewrite -[leLHS]mulr1 ler_wpmul2l // mulr_ge0 ?ler0n // (ltW H0).
Qed.

(* [res-regression-bias], the inequality: values in [0, 1] *)
Theorem res_regression_bias (R : rcfType) (S : finType) (d N : nat) (phi : 'I_N -> 'cV[R]_d)
    (s : 'I_N -> S) (mu : S -> 'cV[R]_d) (V : S -> R) (x : 'cV[R]_d) :
  (forall s, 0 <= V s <= 1) ->
  (forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R) ->
  `|((weights phi s V)^T *m x) ord0 ord0 - next mu V x| <=
    (Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) (noise phi s mu V)) + Num.sqrt d%:R) *
    Num.sqrt (qf (invmx (1%:M + \sum_n outer (phi n))) x).
Proof.
move=> hV hmu; apply: le_trans (regression_bonus phi s mu V x) _.
rewrite ler_wpmul2r ?sqrtr_ge0 // ler_add2l ler_wsqrtr //; apply: hmu => s'.
by have /andP[v0 v1] := hV s'; rewrite ger0_norm.
Qed.

(* control: without the mass sqrt d it is false; no data, one state, d = 1, V = 1 *)
Theorem estimation_bias_control : ~ (forall (mu V : rat) (w : rat), w = 0 -> `|w - mu * V| <= 0).
Proof. by move=> /(_ 1 1 0 erefl). Qed.
