(* The loop of Algorithm 2 in one layer, where its matrices are near those of the true covariances: it stops by its
   rule, and where it stops every direction is covered. *)
From derl.common Require Import real_prelude forms determinants.
From derl.potential Require Import elliptical.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.layerwise Require Import optimism.
From derl.analysis Require Import matrices eigenvalue blow_up evaluation.
From derl.arbitrary Require Import theorem_r.
From derl.algorithm_one Require Import grid.

Section Loop.
Variables (S A : finType) (d imax L : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
  (rho : S -> R).
(* policy k of the loop, the matrix for which it is greedy, and its optimistic value *)
Variables (pol : nat -> nat -> S -> A -> R) (T : nat -> 'M[R]_d) (opt : nat -> R).
Variables (gap nu : R).
Local Notation proper pi := (forall h s, is_law (pi h s)).
Local Notation cov k := (evaluation.covariance P phi rho (pol k) L).
(* the sum of the true covariances of the first k policies *)
Definition summed_covariances k : 'M[R]_d := \sum_(j < k) cov j.
Local Notation C := summed_covariances.
Local Notation B k := (2%:R%:M + C k).
(* the reward of policy k *)
Definition loop_reward k s a : R := clip (Num.sqrt (qf (invmx (T k)) (phi L s a))).

Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hrho : is_law rho.
Hypothesis f1 : forall h s a, qf 1%:M (phi h s a) <= 1.
Hypothesis d0 : (0 < d)%N.
Hypothesis nu01 : 0 < nu <= 1.
Hypothesis hpol : forall k, proper (pol k).
Hypothesis hnu : forall u, sq u = 1 -> exists2 pi, proper pi &
  nu ^+ 2 <= TJ P rho pi (fun s a => ((phi L s a)^T *m u) ord0 ord0 ^+ 2) L.
Hypothesis above_all : forall k pi, proper pi -> TJ P rho pi (loop_reward k) L <= opt k.
Hypothesis below_own : forall k, opt k <= TJ P rho (pol k) (loop_reward k) L + gap.
Hypothesis low : forall k, (k <= imax.+1)%N -> above (T k) ((7%:R / 8%:R) *: B k).
Hypothesis high : forall k, (k <= imax.+1)%N -> above ((9%:R / 8%:R) *: B k) (T k).
Hypothesis small_gap : 100%:R * gap <= nu ^+ 2.

Lemma TJ_const c pi : proper pi -> TJ P rho pi (fun _ _ => c) L = c.
Proof.
by move=> hpi; rewrite /TJ; under eq_bigr do rewrite tvalue_const //; rewrite -mulr_suml (proj2 hrho) mul1r.
Qed.

Lemma cov_occupancy pi : evaluation.covariance P phi rho pi L =
  \sum_t occupancy P rho pi L t *: outer (phi L t.1 t.2).
Proof.
apply/matrixP => a b; rewrite mxE summxE TJ_mean //; apply: eq_bigr => t _.
by rewrite mxE outerE.
Qed.

Lemma trace_cov pi (D : 'M[R]_d) : \tr (evaluation.covariance P phi rho pi L *m D) =
  TJ P rho pi (fun s a => qf D (phi L s a)) L.
Proof.
rewrite cov_occupancy mulmx_suml raddf_sum TJ_mean /=; apply: eq_bigr => t _.
by rewrite -scalemxAl mxtraceZ mxtrace_mulC tr_mul_outer.
Qed.

Lemma trace_le1 k : \tr (cov k) <= 1.
Proof.
rewrite -[cov k]mulmx1 trace_cov -[leRHS](TJ_const 1 (hpol k)); apply: (TJ_le hP hrho L (hpol k)) => s a.
exact: f1.
Qed.

Lemma cov_psd k : psd (cov k). Proof. exact: (covariance_psd phi hP hrho L (hpol k)). Qed.
Lemma C_psd k : psd (C k). Proof. by apply: psd_sum => j _; exact: cov_psd. Qed.
Lemma B_above k : above (B k) 2%:R%:M. Proof. by rewrite /above addrC addKr; exact: C_psd. Qed.
Lemma B_pd k : pd (B k). Proof. by apply: above_pd (B_above k); rewrite ltr0n. Qed.
Lemma T_pd k : (k <= imax.+1)%N -> pd (T k).
Proof. by move=> ki; apply: pd_ge (low ki); apply: pdZ; [rewrite divr_gt0 ?ltr0n|exact: B_pd]. Qed.

Lemma square_mean pi (F : S -> A -> R) : proper pi -> TJ P rho pi F L ^+ 2 <= TJ P rho pi (fun s a => F s a ^+ 2) L.
Proof.
move=> hpi; have [p0 p1] := occupancy_law hP hrho L hpi; rewrite !TJ_mean /mean.
set m := \sum_t _; pose p := occupancy P rho pi L; rewrite -/p in p0 p1 *.
have : 0 <= \sum_t p t * (F t.1 t.2 - m) ^+ 2 by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?sqr_ge0.
have -> : \sum_t p t * (F t.1 t.2 - m) ^+ 2 = \sum_t p t * F t.1 t.2 ^+ 2 - m ^+ 2.
  have -> : m ^+ 2 = 2%:R * m * m - (\sum_t p t) * m ^+ 2 by rewrite p1; ring.
  rewrite {3}/m mulr_sumr mulr_suml -sumrB -sumrB; apply: eq_bigr => t _; rewrite -/p; ring.
by rewrite subr_ge0.
Qed.

Lemma reward_square k s a : (k <= imax.+1)%N ->
  loop_reward k s a ^+ 2 <= 8%:R / 7%:R * qf (invmx (B k)) (phi L s a).
Proof.
move=> ki; have q0 := qfi_ge0 (phi L s a) (T_pd ki); set q := Num.sqrt (qf (invmx (T k)) (phi L s a)).
have qq : q ^+ 2 = qf (invmx (T k)) (phi L s a) by rewrite sqr_sqrtr.
have s0 : 0 <= q by exact: sqrtr_ge0.
have r0 : 0 <= loop_reward k s a by rewrite /loop_reward /clip le_minr ler01 andbT le_maxr lexx orbT.
have r1 : loop_reward k s a <= q by rewrite /loop_reward /clip -/q (max_idPl s0) le_minl lexx.
apply: (@le_trans _ _ (q ^+ 2)); first by rewrite ler_pexpn2r ?nnegrE.
rewrite qq; have := inv_above (phi L s a) (_ : 0 < 7%:R / 8%:R) (B_pd k) (low ki); rewrite invf_div; apply.
by rewrite divr_gt0 ?ltr0n.
Qed.

(* the potential: a policy with a large value adds much *)
Lemma adds k : (k <= imax.+1)%N -> 3%:R / 8%:R * nu ^+ 2 < opt k -> nu ^+ 4 / 9%:R <= \tr (cov k *m invmx (B k)).
Proof.
move=> ki big; have [n0 _] := andP nu01; have n2 : 0 < nu ^+ 2 by rewrite exprn_gt0.
rewrite trace_cov; set v := TJ _ _ _ _ _.
have low_v : 9%:R / 25%:R * nu ^+ 2 <= TJ P rho (pol k) (loop_reward k) L.
  have h := le_trans (ltW big) (below_own k).
  rewrite -(ler_add2r gap); apply: le_trans h; rewrite -ler_subr_addl.
  apply: (@le_trans _ _ (nu ^+ 2 / 100%:R)); first by rewrite ler_pdivl_mulr ?ltr0n // mulrC.
  rewrite -subr_ge0; have -> : 3%:R / 8%:R * nu ^+ 2 - 9%:R / 25%:R * nu ^+ 2 - nu ^+ 2 / 100%:R = nu ^+ 2 / 200%:R
    by field.
  by rewrite divr_ge0 ?ler0n // ltW.
have sq_v : (9%:R / 25%:R * nu ^+ 2) ^+ 2 <= 8%:R / 7%:R * v.
  apply: (@le_trans _ _ (TJ P rho (pol k) (loop_reward k) L ^+ 2)).
    rewrite ler_pexpn2r ?nnegrE //; first by rewrite mulr_ge0 ?divr_ge0 ?ler0n // ltW.
    by apply: le_trans low_v; rewrite mulr_ge0 ?divr_ge0 ?ler0n // ltW.
  apply: le_trans (square_mean _ (hpol k)) _.
  apply: (@le_trans _ _ (TJ P rho (pol k) (fun s a => 8%:R / 7%:R * qf (invmx (B k)) (phi L s a)) L)).
    by apply: (TJ_le hP hrho L (hpol k)) => s a; exact: reward_square.
  rewrite /v !TJ_mean /mean mulr_sumr le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => t _.
  exact: mulrCA.
rewrite -(ler_pmul2l (_ : 0 < 8%:R / 7%:R)) ?divr_gt0 ?ltr0n //; apply: le_trans sq_v.
have -> : (9%:R / 25%:R * nu ^+ 2) ^+ 2 = (81%:R / 625%:R) * nu ^+ 4 by field.
have -> : 8%:R / 7%:R * (nu ^+ 4 / 9%:R) = 8%:R / 63%:R * nu ^+ 4 by field.
rewrite ler_wpmul2r ?exprn_ge0 ?(ltW n0) // ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n //.
by rewrite -!natrM ler_nat.
Qed.

(* the number of iterations is enough *)
Hypothesis enough : 9%:R * (2%:R^-1 / ln (1 + 2%:R^-1)%R * (d%:R * ln (1 + imax.+1%:R / (d%:R * 2%:R))%R)) <
  imax%:R * nu ^+ 4.

(* the loop stops by its rule *)
Theorem loop_stops : exists2 k, (k < imax)%N & opt k.+1 <= 3%:R / 8%:R * nu ^+ 2.
Proof.
case: (pickP (fun k : 'I_imax => opt k.+1 <= 3%:R / 8%:R * nu ^+ 2)) => [k hk|no]; first by exists k.
exfalso; have big k : (k < imax)%N -> nu ^+ 4 / 9%:R <= \tr (cov k.+1 *m invmx (B k.+1)).
  by move=> ki; apply: adds; [exact: leqW|rewrite ltNge (no (Ordinal ki))].
have := @res_elliptical_potential d (fun k => cov k) 2%:R imax.+1 d0 (ltr0n _ 2) cov_psd trace_le1.
rewrite big_ord_recl => up; move: enough; rewrite ltNge => /negP; apply.
have sums : imax%:R * (nu ^+ 4 / 9%:R) <= \sum_(i < imax) \tr
  (cov (bump 0 i) *m invmx (total (fun k => cov k) 2%:R (bump 0 i))).
  rewrite mulr_natl -[imax in leLHS]card_ord -sumr_const; apply: ler_sum => i _; exact: big.
have first0 : 0 <= \tr (cov 0 *m invmx (total (fun k => cov k) 2%:R 0)).
  by apply: tr_psd; [exact: cov_psd|apply/pd_psd/pd_inv; exact: (B_pd 0)].
have := le_trans (ler_add first0 sums) up; rewrite add0r => h.
rewrite -(ler_pmul2l (_ : 0 < 9%:R)) ?ltr0n // in h; apply: le_trans _ h.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(* where it stops *)
Section After.
Variable k : nat.
Hypothesis ki : (k <= imax.+1)%N.
Hypothesis rule : opt k <= 3%:R / 8%:R * nu ^+ 2.
Let r98 : R := Num.sqrt (9%:R / 8%:R).
Let e : R := (r98 * (3%:R / 8%:R * nu ^+ 2))%R.

Lemma r98_gt0 : 0 < r98. Proof. by rewrite sqrtr_gt0 divr_gt0 ?ltr0n. Qed.
Lemma e_gt0 : 0 < e.
Proof. by have [n0 _] := andP nu01; rewrite !mulr_gt0 ?r98_gt0 ?invr_gt0 ?ltr0n ?exprn_gt0. Qed.

Lemma laws (q : policy R_rcfType S A) : is_law (occ P rho L q).
Proof. by case: q => q hq; exact: (occupancy_law hP hrho). Qed.
Lemma reach : reaches (fun t : S * A => phi L t.1 t.2) (occ P rho L) nu.
Proof.
move=> u u1; have [q hq qn] := hnu u1; exists (exist _ q hq).
by apply: le_trans qn _; rewrite TJ_mean.
Qed.

Lemma T_above1 : psd (T k - 1%:M).
Proof.
have -> : T k - 1%:M = (T k - (7%:R / 8%:R) *: B k) + ((7%:R / 8%:R) *: (B k - 2%:R%:M) + (3%:R / 4%:R)%:M).
  rewrite scalerBr scale_scalar_mx -!addrA; congr (_ + _).
  by rewrite addKr -!raddfN -raddfD /=; congr (_%:M); field.
apply: psdD; first exact: low.
apply: psdD; first by apply: psdZ (B_above k); rewrite divr_ge0 ?ler0n.
by apply/pd_psd/pd_scalar; rewrite divr_gt0 ?ltr0n.
Qed.

Lemma reward_length s a : loop_reward k s a = Num.sqrt (qf (invmx (T k)) (phi L s a)).
Proof.
rewrite /loop_reward /clip; have s0 : 0 <= Num.sqrt (qf (invmx (T k)) (phi L s a)) by exact: sqrtr_ge0.
rewrite (max_idPl s0); apply/min_idPl; rewrite -sqrtr1; apply: ler_wsqrtr.
by apply: le_trans (inv_antitone _ (pd1 _ d) T_above1) _; rewrite invmx1.
Qed.

Lemma seen q : uncertainty (fun t : S * A => phi L t.1 t.2) (occ P rho L) (B k) q <= e.
Proof.
have [n0 _] := andP nu01; case: q => q hq.
have -> : uncertainty (fun t : S * A => phi L t.1 t.2) (occ P rho L) (B k) (exist _ q hq) =
    TJ P rho q (fun s a => Num.sqrt (qf (invmx (B k)) (phi L s a))) L by rewrite TJ_mean.
have norm s a : Num.sqrt (qf (invmx (B k)) (phi L s a)) <= r98 * loop_reward k s a.
  rewrite reward_length -sqrtrM ?divr_ge0 ?ler0n //; apply: ler_wsqrtr.
  have := inv_antitone (phi L s a) (T_pd ki) (high ki).
  rewrite qf_inv_scale ?divr_gt0 ?ltr0n //; last exact: B_pd.
  by rewrite ler_pdivr_mull ?divr_gt0 ?ltr0n.
apply: (@le_trans _ _ (TJ P rho q (fun s a => r98 * loop_reward k s a) L)).
  exact: (TJ_le hP hrho L hq).
rewrite TJ_mean /mean; under eq_bigr do rewrite mulrCA.
rewrite -mulr_sumr /e ler_pmul2l ?r98_gt0 //.
apply: le_trans (le_trans (above_all k hq) rule); rewrite TJ_mean; exact: lexx.
Qed.

Lemma lam_value : nu ^+ 4 / e ^+ 2 - 2%:R = 350%:R / 81%:R.
Proof.
have [n0 _] := andP nu01.
have r2 : r98 ^+ 2 = 9%:R / 8%:R by rewrite sqr_sqrtr // divr_ge0 ?ler0n.
by rewrite /e exprMn r2; field; rewrite gt_eqF.
Qed.

(* every direction is covered *)
Theorem covered : above (C k) (350%:R / 81%:R)%:M.
Proof.
by have := sharp_eigenvalue laws (fun t => f1 L t.1 t.2) reach (C_psd k) (ltr0n _ 2) e_gt0 seen; rewrite lam_value.
Qed.

(* a batch that sees half of the mean covariance leaves little uncertainty *)
Theorem little_left (N H : nat) (xi : R) (Sig : 'M[R]_d) : (0 < k)%N -> (k <= imax)%N -> (imax <= N)%N -> (0 < H)%N ->
  0 < xi -> 81%:R * imax%:R * H%:R ^+ 2 * nu ^+ 4 <= 175%:R * N%:R * xi ^+ 2 ->
  above Sig (1%:M + (N%:R / (2%:R * k%:R)) *: C k) ->
  forall pi, proper pi -> TJ P rho pi (fun s a => Num.sqrt (qf (invmx Sig) (phi L s a))) L <= xi / H%:R.
Proof.
move=> k0 kimax iN H0 xi0 size half pi hpi; have [n0 n1] := andP nu01.
have kR : 0 < k%:R :> R by rewrite ltr0n.
have HR : 0 < H%:R :> R by rewrite ltr0n.
pose n : R := N%:R / (2%:R * k%:R); rewrite -/n in half.
have NR : 0 < N%:R :> R by rewrite ltr0n (leq_trans k0) // (leq_trans kimax).
have np : 0 < n by rewrite /n divr_gt0 // mulr_gt0 // ltr0n.
have nc : 1 <= n * 2%:R.
  have -> : n * 2%:R = N%:R / k%:R by rewrite /n; field; rewrite gt_eqF.
  by rewrite ler_pdivl_mulr // mul1r ler_nat (leq_trans kimax).
have [_ [blow _]] := res_sharp_blow_up laws (fun t => f1 L t.1 t.2) reach (C_psd k) (ltr0n _ 2) ltr01 np nc e_gt0 n0.
have := blow seen; rewrite lam_value => /(_ (divr_ge0 (ler0n _ _) (ler0n _ _))) {}blow.
have wide s a : Num.sqrt (qf (invmx Sig) (phi L s a)) <= Num.sqrt (qf (invmx (1%:M + n *: C k)) (phi L s a)).
  apply: ler_wsqrtr; apply: inv_antitone half.
  by apply: pdD; [exact: pd1|apply: psdZ (C_psd k); exact: ltW].
apply: le_trans (TJ_le hP hrho L hpi wide) _.
have := blow (exist _ pi hpi).
have -> : uncertainty (fun t : S * A => phi L t.1 t.2) (occ P rho L) (1%:M + n *: C k) (exist _ pi hpi) =
    TJ P rho pi (fun s a => Num.sqrt (qf (invmx (1%:M + n *: C k)) (phi L s a))) L by rewrite TJ_mean.
move=> h; apply: le_trans h _.
set y := 1 + n * _; have y0 : 0 < y by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?(ltW np) // divr_ge0 ?ler0n.
rewrite ler_pdivr_mulr ?sqrtr_gt0 // mulrAC ler_pdivl_mulr //.
have big : (nu ^+ 2 * H%:R / xi) ^+ 2 <= y.
  apply: (@le_trans _ _ (n * (350%:R / 81%:R))); last by rewrite ler_addr ler01.
  have -> : n * (350%:R / 81%:R) = 175%:R * N%:R / (81%:R * k%:R) by rewrite /n; field; rewrite gt_eqF.
  rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // expr_div_n mulrAC ler_pdivr_mulr ?exprn_gt0 //.
  apply: le_trans size; rewrite exprMn -exprM.
  have -> : nu ^+ (2 * 2) * H%:R ^+ 2 * (81%:R * k%:R) = 81%:R * k%:R * H%:R ^+ 2 * nu ^+ 4 by ring.
  by rewrite !ler_wpmul2r ?exprn_ge0 ?ler0n ?(ltW n0) // ler_wpmul2l ?ler0n // ler_nat.
rewrite -ler_pdivr_mull // mulrC.
have p : 0 <= nu ^+ 2 * H%:R / xi by rewrite !mulr_ge0 ?invr_ge0 ?exprn_ge0 ?ler0n // ltW.
by rewrite -(ger0_norm p) -sqrtr_sqr ler_wsqrtr.
Qed.
End After.
End Loop.
