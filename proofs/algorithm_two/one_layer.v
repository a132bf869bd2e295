(* One layer of Algorithm 2, on data that pass the tests: the regressions are right, the estimated covariances are
   accurate, the loop stops by its rule, and the batch of the mixture leaves little uncertainty. *)
From derl.common Require Import real_prelude forms determinants.
From derl.potential Require Import elliptical.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.foundations Require Import assumption.
From derl.layerwise Require Import optimism truncation.
From derl.reward_free Require Import planning event.
From derl.analysis Require Import matrices eigenvalue blow_up evaluation.
From derl.arbitrary Require Import theorem_r.
From derl.algorithm_one Require Import trajectory_law grid values algorithm.
From derl.algorithm_two Require Import covariance_grid mixtures algorithm loop.

Lemma count1 n d : (3 * n * d ^ 2 * d = 3 * (d ^ 3 * n))%N.
Proof. by rewrite [(d ^ 3)%N]expnSr; move: (d ^ 2)%N => y; lia. Qed.
Lemma count2 x n h i : (152 * x * n * h * i = x * n * (152 * (h * i)))%N.
Proof. by lia. Qed.

(* what the sizes must satisfy: d, N, H, the marks M and the iterations imax; both bonuses, the coefficient nu, the
   radius sigma of the tests of the noise, the threshold kappa of those of the covariance, the uncertainty xi *)
Record sizes (d N H M imax : nat) (beta beta5 nu sigma kappa xi : R) : Prop := Sizes {
  d_gt0 : (0 < d)%N;
  N_gt0 : (0 < N)%N;
  H_gt0 : (0 < H)%N;
  nu_unit : 0 < nu <= 1;
  sigma_gt0 : 0 < sigma;
  M_large : (152 * d ^ 3 * N.+1 * H.+1 * imax.+2 <= M)%N;
  beta5_large : 2%:R * (3%:R * sigma + Num.sqrt d%:R) + 1 <= beta5;
  beta_large : 2%:R * H%:R * (3%:R * sigma + Num.sqrt d%:R) + 1 <= beta;
  xi_gt0 : 0 < xi;
  xi_small : 16%:R * d%:R * imax.+1%:R * beta5 * xi <= 1;
  nu_large : 200%:R * (beta5 * xi) <= nu ^+ 2;
  imax_large : 9%:R * (2%:R^-1 / ln (1 + 2%:R^-1)%R * (d%:R * ln (1 + imax.+1%:R / (d%:R * 2%:R))%R)) <
    imax%:R * nu ^+ 4;
  kappa_ge1 : 1 <= kappa;
  kappa_small : kappa * imax%:R <= 4%:R * N%:R;
  imax_small : (imax <= N)%N;
  N_large : 81%:R * imax%:R * H%:R ^+ 2 * nu ^+ 4 <= 175%:R * N%:R * xi ^+ 2 }.

Section Layer.
Variables (S A : finType) (d N H M imax : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d).
Variables (mu : nat -> S -> 'cV[R]_d) (rho : S -> R) (beta beta5 nu : R) (s0 : S) (a0 : A).
Variables (sigma kappa xi : R).
Local Notation O := (batch S A N H).
Local Notation x0 := (s0, a0).
Local Notation proper pi := (forall h s, is_law (pi h s)).
Local Notation RR := R_rcfType.
Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hrho : is_law rho.
Hypothesis hmu : forall h s a s', P h s a s' = ((mu h s')^T *m phi h s a) ord0 ord0.
Hypothesis f1 : forall h s a, qf 1%:M (phi h s a) <= 1.
Hypothesis mass : forall h (v : S -> R), (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu h s) <= d%:R.
Hypothesis sized : sizes d N H M imax beta beta5 nu sigma kappa xi.
Let alpha : R := (3%:R * sigma + Num.sqrt d%:R)%R.
Let d0 := d_gt0 sized.
Let N0 := N_gt0 sized.
Let H0 := H_gt0 sized.
Let nu01 := nu_unit sized.
Let xi0 := ltW (xi_gt0 sized).

Lemma M_ge k : (k <= 152 * d ^ 3 * N.+1 * H.+1 * imax.+2)%N -> (k <= M)%N.
Proof. by move=> h; exact: leq_trans h (M_large sized). Qed.
Lemma d3 : (0 < d ^ 3)%N. Proof. by rewrite expn_gt0 d0. Qed.
Lemma M0 : (0 < M)%N. Proof. by apply: M_ge; rewrite !muln_gt0 ?d3 ?d0. Qed.
Lemma MR : 0 < M%:R :> R. Proof. by rewrite ltr0n M0. Qed.
Lemma dR : 0 < d%:R :> R. Proof. by rewrite ltr0n. Qed.
Lemma dd3 : (d <= d ^ 3)%N. Proof. by rewrite -{1}[d]expn1 leq_pexp2l. Qed.
(* d times the mesh is at most 1/(8 k) for small k *)
Lemma mesh k : (k <= 19 * N.+1 * H.+1 * imax.+2)%N -> d%:R * M%:R^-1 * (8 * k)%N%:R <= 1 :> R.
Proof.
move=> h; rewrite mulrAC ler_pdivr_mulr ?MR // mul1r -natrM ler_nat; apply: M_ge.
have -> : (152 * d ^ 3 * N.+1 * H.+1 * imax.+2 = d ^ 3 * (8 * (19 * N.+1 * H.+1 * imax.+2)))%N by lia.
by apply: leq_mul; [exact: dd3|rewrite leq_mul2l h orbT].
Qed.
Lemma N_le : (N.+1 <= M)%N.
Proof.
apply: M_ge; have := d3; move: (d ^ 3)%N => x x1.
have -> : (152 * x * N.+1 * H.+1 * imax.+2 = N.+1 * (152 * x * H.+1 * imax.+2))%N by lia.
by apply: leq_pmulr; rewrite !muln_gt0 x1.
Qed.
Lemma HN_le : (H * N + d <= M)%N.
Proof.
apply: M_ge; have := dd3; have := d0; move: (d ^ 3)%N => x y1 yx.
apply: (@leq_trans (x * (N.+1 * H.+1))); last first.
  have -> : (152 * x * N.+1 * H.+1 * imax.+2 = (x * (N.+1 * H.+1)) * (152 * imax.+2))%N by lia.
  exact: leq_pmulr.
apply: (@leq_trans (d * (N.+1 * H.+1))); last by rewrite leq_mul2r yx orbT.
have : (H * N <= d * (H * N))%N by exact: leq_pmull.
have : (N.+1 * H.+1 = H * N + (N + H).+1)%N by lia.
move=> -> h; rewrite mulnDr; apply: leq_add => //; exact: leq_pmulr.
Qed.
Lemma imax_le : (imax.+2 <= M)%N.
Proof.
apply: M_ge; have := d3; move: (d ^ 3)%N => x x1; apply: leq_pmull; by rewrite !muln_gt0 x1.
Qed.

Lemma long h s a : d%:R^-1 <= qf 1%:M (phi h s a).
Proof.
apply: (@rem_feature_norm _ d S (mu h)) => //.
  have := @mass h (fun _ => 1) (fun _ => _); rewrite normr1 => /(_ (fun _ => lexx 1)).
  by under eq_bigr do rewrite scale1r.
by rewrite -(proj2 (hP h s a)); apply: eq_bigr => s' _; rewrite hmu.
Qed.

Lemma alpha0 : 0 <= alpha.
Proof. by rewrite addr_ge0 ?sqrtr_ge0 // mulr_ge0 ?ler0n // ltW // (sigma_gt0 sized). Qed.
Lemma beta5_ge1 : 1 <= beta5.
Proof. by apply: le_trans (beta5_large sized); rewrite ler_addr mulr_ge0 ?ler0n // alpha0. Qed.

Local Notation matrix := (@matrix d M).
Local Notation round_shape := (@round_shape d M).
Local Notation round_weight := (@round_weight d M).
Local Notation sigma_of := (@sigma_of S A d N H M phi s0 a0).
Local Notation fit := (@fit S A d N H phi s0 a0).
Local Notation length := (@length S A d M phi).
Local Notation value_of := (@value_of S A d H M phi beta beta5 a0).

(* a batch is right in layer t: the regression of every value of the family is *)
Definition right_batch t (o : O) : Prop := (t.+1 < H)%N -> forall i s a,
  `|((least_squares (phi t) (here x0 t o) (next_state x0 t o) (value_of t.+1 i))^T *m phi t s a) ord0 ord0 -
    \sum_s' P t s a s' * value_of t.+1 i s'| <=
  alpha * Num.sqrt (qf (invmx (1%:M + gram phi x0 t o)) (phi t s a)).

Lemma passes_right x o : passes P rho phi x0 M value_of sigma kappa x o ->
  right_batch x.1 o.
Proof.
move=> ps tH i s a; have h4 : (4 * d * N.+1 <= M ^ 2)%N.
  apply: (@leq_trans M); last by rewrite -{1}[M]expn1 leq_pexp2l ?M0.
  apply: M_ge; have := dd3; move: (d ^ 3)%N => y yx.
  apply: (@leq_trans (4 * y * N.+1)); first by rewrite leq_mul2r leq_mul2l yx orbT.
  have -> : (152 * y * N.+1 * H.+1 * imax.+2 = 4 * y * N.+1 * (38 * H.+1 * imax.+2))%N by lia.
  exact: leq_pmulr.
have n := small_noise M0 h4 (sigma_gt0 sized) f1 i tH ps.
have v01 s' : 0 <= value_of x.1.+1 i s' <= 1 by exact: value01.
apply: (regression_right (@hmu _) (@mass _) s a ler01 v01 n).
by rewrite mul1r.
Qed.

(* the rounded matrix of a batch, G <= Sigma <= 3 G *)
Lemma gram_le t (o : O) x : qf (1%:M + gram phi x0 t o) x <= N.+1%:R * qf 1%:M x.
Proof.
rewrite qfD -add1n natrD mulrDl mul1r ler_add2l -[N in leRHS]card_ord; exact: features_le.
Qed.

Lemma gram_psd t (o : O) : psd (gram phi x0 t o). Proof. exact: features_psd. Qed.

Lemma round_entry (B : 'M[R]_d) : (forall i j, `|B i j| <= M%:R) ->
  forall i j, `|table (round_shape B) i j - B i j| <= M%:R^-1.
Proof. by move=> h i j; rewrite !mxE ffunE distrC; apply: rounded_near; rewrite ?M0 //=; exact: h. Qed.
Lemma round_sym (B : 'M[R]_d) : sym B -> sym (table (round_shape B)).
Proof. by move=> sB; apply/matrixP => i j; rewrite !mxE !ffunE /= -{1}sB mxE. Qed.

Lemma form_entry (G : 'M[R]_d) i j c : psd G -> (forall x, qf G x <= c * qf 1%:M x) -> 0 <= c -> `|G i j| <= c.
Proof.
move=> pG hG c0; apply: sqr_le_norm => //; rewrite coef; apply: le_trans (cauchy _ _ pG) _.
have h k : 0 <= qf G (delta_mx k ord0) <= c by rewrite qf_ge0 //= -[leRHS]mulr1 -(delta_sq k); exact: hG.
by have /andP[i0 i1] := h i; have /andP[j0 j1] := h j; rewrite expr2 ler_pmul.
Qed.

Lemma sandwich w t : above (matrix (sigma_of w t)) (1%:M + gram phi x0 t (w t)) /\
  above (3%:R *: (1%:M + gram phi x0 t (w t))) (matrix (sigma_of w t)).
Proof.
set G := 1%:M + gram phi x0 t (w t); have pG : psd (gram phi x0 t (w t)) by exact: gram_psd.
have psG : psd G by apply: psdD => //; exact/pd_psd/pd1.
have sG : sym G by case: psG.
have hG i j : `|G i j| <= M%:R.
  have hN x : qf G x <= N.+1%:R * qf 1%:M x by exact: gram_le.
  by apply: le_trans (form_entry i j psG hN (ler0n _ _)) _; rewrite ler_nat N_le.
pose D := table (round_shape G) - G.
have sD : sym D by apply: symB => //; exact: round_sym.
have hD x : `|qf D x| <= qf 1%:M x.
  have e i j : `|D i j| <= M%:R^-1.
    have -> : D i j = table (round_shape G) i j - G i j by rewrite /D mxE [X in _ + X = _]mxE.
    exact: round_entry.
  apply: le_trans (entry_bound x e) _; rewrite -[leRHS]mul1r ler_wpmul2r ?qf1_ge0 //.
  have m : d%:R * M%:R^-1 * (8 * 1)%N%:R <= 1 :> R by apply: mesh; rewrite !muln_gt0.
  by apply: le_trans m; rewrite ler_pemulr ?ler1n // divr_ge0 ?ler0n.
have SE : matrix (sigma_of w t) = 1%:M + (G + D) by rewrite /algorithm.matrix /D addrC [G + _]addrC subrK addrC.
rewrite SE; split; split.
- by apply: symB => //; apply: symD; [exact: sym1|exact: symD].
- move=> x; rewrite qfB qfD [qf (G + D) x]qfD; have := hD x; rewrite ler_norml => /andP[h _].
  have -> : qf 1%:M x + (qf G x + qf D x) - qf G x = qf D x - (- qf 1%:M x) by ring.
  by rewrite subr_ge0.
- by apply: symB; [exact: symZ|apply: symD; [exact: sym1|exact: symD]].
- move=> x; rewrite qfB qfZ [qf (1%:M + (G + D)) x]qfD [qf (G + D) x]qfD; have := hD x; rewrite ler_norml => /andP[_ h].
  have g0 := qf_ge0 x pG; rewrite /G qfD.
  have -> : 3%:R * (qf 1%:M x + qf (gram phi x0 t (w t)) x) - (qf 1%:M x + (qf 1%:M x + qf (gram phi x0 t (w t)) x + qf
    D x)) = qf 1%:M x - qf D x + 2%:R * qf (gram phi x0 t (w t)) x by ring.
  by rewrite addr_ge0 ?subr_ge0 // mulr_ge0 ?ler0n.
Qed.

Lemma gram_pd t (o : O) : pd (1%:M + gram phi x0 t o).
Proof. by apply: pdD; [exact: pd1|exact: gram_psd]. Qed.
Lemma sigma_pd w t : pd (matrix (sigma_of w t)).
Proof. by have [h _] := sandwich w t; apply: pd_ge h; exact: gram_pd. Qed.

Lemma gram_length w t s a : Num.sqrt (qf (invmx (1%:M + gram phi x0 t (w t))) (phi t s a)) <=
  2%:R * length (sigma_of w t) t s a.
Proof.
have [_ h3] := sandwich w t; have := inv_antitone (phi t s a) (sigma_pd w t) h3.
rewrite qf_inv_scale ?ltr0n //; last exact: gram_pd.
rewrite ler_pdivr_mull ?ltr0n // => h.
rewrite -(ger0_norm (ler0n _ 2)) -sqrtr_sqr /algorithm.length -sqrtrM ?sqr_ge0 //; apply: ler_wsqrtr.
apply: le_trans h _; rewrite -natrX ler_wpmul2r ?qfi_ge0 ?ler_nat //; exact: sigma_pd.
Qed.

Lemma length_ge0 B h s a : 0 <= length B h s a. Proof. exact: sqrtr_ge0. Qed.

(* rounded weights lose at most one length *)
Lemma mesh_length w t s a : d%:R * M%:R^-1 <= length (sigma_of w t) t s a.
Proof.
have pS := sigma_pd w t; set q := qf 1%:M (phi t s a); have q1 : q <= 1 by exact: f1.
have ql : d%:R^-1 <= q by exact: long.
have qp : 0 < q by apply: lt_le_trans ql; rewrite invr_gt0 dR.
have up : qf (matrix (sigma_of w t)) (phi t s a) <= 3%:R * N.+1%:R * q.
  have [_ [_ /(_ (phi t s a))]] := sandwich w t; rewrite qfB qfZ subr_ge0 => h; apply: le_trans h _.
  by rewrite -mulrA ler_wpmul2l ?ler0n //; exact: gram_le.
have cd := cauchy_dual (phi t s a) (phi t s a) pS; rewrite -bil1 -/(qf 1%:M _) -/q in cd.
have low : q <= 3%:R * N.+1%:R * qf (invmx (matrix (sigma_of w t))) (phi t s a).
  rewrite -(ler_pmul2l qp) -expr2; apply: le_trans cd _; rewrite mulrA [q * _]mulrC.
  by rewrite ler_wpmul2r // qfi_ge0.
have m0 : 0 <= d%:R * M%:R^-1 :> R by rewrite divr_ge0 ?ler0n.
rewrite -(ger0_norm m0) -sqrtr_sqr; apply: ler_wsqrtr.
rewrite -(ler_pmul2l (_ : 0 < 3%:R * N.+1%:R)) ?mulr_gt0 ?ltr0n //; apply: le_trans low; apply: le_trans ql.
rewrite -[leRHS]mul1r ler_pdivl_mulr ?dR // expr_div_n mulrA mulrAC ler_pdivr_mulr ?exprn_gt0 ?MR // mul1r.
rewrite -!natrX -!natrM ler_nat; apply: (@leq_trans M); last by rewrite -{1}[M]expn1 leq_pexp2l ?M0.
apply: M_ge; have -> : (3 * N.+1 * d ^ 2 * d = 3 * (d ^ 3 * N.+1))%N by exact: count1.
have -> : (152 * d ^ 3 * N.+1 * H.+1 * imax.+2 = d ^ 3 * N.+1 * (152 * (H.+1 * imax.+2)))%N.
  exact: count2.
rewrite [(3 * _)%N]mulnC leq_mul2l; apply/orP; right.
by apply: (@leq_trans 152) => //; exact: leq_pmulr.
Qed.

Lemma round_weight_near (v : 'cV[R]_d) (f : 'cV[R]_d) : (forall i, `|v i ord0| <= M%:R) -> qf 1%:M f <= 1 ->
  `|((point (round_weight v))^T *m f) ord0 ord0 - (v^T *m f) ord0 ord0| <= d%:R * M%:R^-1.
Proof.
move=> hv hf; have -> : ((point (round_weight v))^T *m f) ord0 ord0 - (v^T *m f) ord0 ord0 =
    ((point (round_weight v) - v)^T *m f) ord0 ord0.
  have mB (E F : 'M[R]_1) : (E - F) ord0 ord0 = E ord0 ord0 - F ord0 ord0 by rewrite !mxE.
  by rewrite linearB /= mulmxBl mB.
apply: small_dot => // i; rewrite !mxE ffunE distrC; apply: rounded_near; [exact: M0|exact: hv].
Qed.

(* the regressions of exploration *)
Lemma fit_right w t i V s a : V = value_of t.+1 i -> (t.+1 < H)%N -> right_batch t (w t) ->
  `|((point (round_weight (fit w t V)))^T *m phi t s a) ord0 ord0 - \sum_s' P t s a s' * V s'| <=
    beta5 * length (sigma_of w t) t s a.
Proof.
move=> VE tH rb; have v01 s' : 0 <= V s' <= 1 by rewrite VE; exact: value01.
have ve i' : `|fit w t V i' ord0| <= M%:R.
  apply: le_trans (least_squares_entry (top := 1) (f1 t) (here x0 t (w t)) (next_state x0 t (w t)) i' _) _.
    by move=> s'; have /andP[? ?] := v01 s'; rewrite ger0_norm.
  by rewrite mul1r ler_nat card_ord ltnW // N_le.
have e1 := round_weight_near ve (f1 t s a); have e2 := rb tH i s a; rewrite -VE in e2.
have -> : ((point (round_weight (fit w t V)))^T *m phi t s a) ord0 ord0 - \sum_s' P t s a s' * V s' =
  (((point (round_weight (fit w t V)))^T *m phi t s a) ord0 ord0 - ((fit w t V)^T *m phi t s a) ord0 ord0) +
  (((fit w t V)^T *m phi t s a) ord0 ord0 - \sum_s' P t s a s' * V s') by rewrite addrA subrK.
apply: le_trans (ler_norm_add _ _) _.
have l0 := length_ge0 (sigma_of w t) t s a.
apply: le_trans _ (ler_wpmul2r l0 (beta5_large sized)); rewrite mulrDl mul1r addrC; apply: ler_add.
  by apply: le_trans e2 _; rewrite [2%:R * _]mulrC -mulrA ler_wpmul2l ?alpha0 // gram_length.
by apply: le_trans e1 (mesh_length w t s a).
Qed.

Section Target.
(* the layer L, and the batches of the layers before it *)
Variables (w : nat -> O) (L : nat).
Hypothesis LH : (L < H)%N.
Hypothesis rights : forall t, (t < L)%N -> right_batch t (w t).
Let Sig h : 'M[R]_d := matrix (sigma_of w h).
(* condition (2) *)
Hypothesis cond : forall pi, proper pi -> event.J P rho pi (width phi Sig) L <= xi.

Local Notation solve := (@solve S A d N H M phi beta5 s0 a0 w L).
Local Notation solved := (@solved S A d N H M phi beta5 s0 a0 w L).
Local Notation optimum := (@optimum S A d N H M phi rho beta5 s0 a0 w L).
Local Notation top_value := (@top_value S A d M phi beta5 a0).
Local Notation evaluate := (@evaluate S A d N H M phi beta5 s0 a0 w L).
Local Notation estimate := (@estimate S A d N H M phi rho beta5 s0 a0 w L).

Section Reward.
Variable B : shape d M.
(* the reward of SolveOptQ *)
Definition reward s a : R := clip (length B L s a).
Definition est_weight h : 'cV[R]_d := point (solve B (L - h)).1.
Definition V5 h s : R := top_value (L - h != 0)%N (solve B (L - h)) h s.

Lemma solveS h : (h < L)%N -> solve B (L - h) = (round_weight (fit w h (V5 h.+1)), sigma_of w h).
Proof.
move=> hL; have e : (L - h = (L - h.+1).+1)%N by rewrite subnSK.
by rewrite e [LHS]/= -e subKn ?(ltnW hL).
Qed.

Lemma V5_value h : V5 h = value_of h (inl (inl (inl tt)), ((L - h != 0)%N, solve B (L - h))).
Proof. by []. Qed.

Lemma bonusE h s a : bonus phi beta5 Sig h s a = beta5 * length (sigma_of w h) h s a.
Proof. by []. Qed.

Lemma V5_right h s a : (h < L)%N ->
  `|linear phi est_weight h s a - \sum_s' P h s a s' * V5 h.+1 s'| <= bonus phi beta5 Sig h s a.
Proof.
move=> hL; rewrite /linear /est_weight (solveS hL) bonusE V5_value.
by apply: fit_right; [reflexivity|exact: leq_ltn_trans hL LH|exact: rights].
Qed.

Lemma V5_01 h s : 0 <= V5 h s <= 1. Proof. exact: clip01. Qed.

Lemma V5_score h s a : (h < L)%N -> score phi beta5 (L - h != 0)%N (solve B (L - h)) h s a =
  Num.min (linear phi est_weight h s a + bonus phi beta5 Sig h s a) 1.
Proof.
move=> hL; rewrite /score subn_eq0 -ltnNge hL /clip; congr (Num.min _ _).
rewrite bonusE /linear /est_weight (solveS hL) /=; apply/max_idPl.
have := V5_right s a hL; rewrite ler_distl /linear /est_weight (solveS hL) bonusE /= => /andP[h1 _].
rewrite -ler_subl_addr sub0r; apply: le_trans _ (_ : - (beta5 * length (sigma_of w h) h s a) <= _) => //.
apply: le_trans h1; rewrite -[leLHS]add0r ler_add2r; apply: sumr_ge0 => s' _.
by rewrite mulr_ge0 ?(proj1 (hP _ _ _)) //; case/andP: (V5_01 h.+1 s').
Qed.

Lemma V5_reward s a : score phi beta5 (L - L != 0)%N (solve B (L - L)) L s a = reward s a.
Proof. by rewrite subnn /score /= (point_origin d M0) trmx0 mul0mx mxE add0r mul1r. Qed.

Lemma V5_solve h s : (h <= L)%N ->
  V5 h s = solve_value (linear phi est_weight) (bonus phi beta5 Sig) (solved B) reward L h s.
Proof.
rewrite leq_eqVlt /solve_value => /orP[/eqP ->|hL]; first by rewrite ltnn -V5_reward.
by rewrite hL -V5_score.
Qed.

Lemma reward01 s a : 0 <= reward s a <= 1. Proof. exact: clip01. Qed.

Lemma optq_event h s a : (h < L)%N ->
  `|linear phi est_weight h s a - \sum_s' P h s a s' *
     solve_value (linear phi est_weight) (bonus phi beta5 Sig) (solved B) reward L h.+1 s'| <= bonus phi beta5 Sig h s
     a.
Proof.
move=> hL; have := V5_right s a hL.
by under eq_bigr => s' _ do rewrite (V5_solve s' hL).
Qed.

Lemma b5 : 0 <= beta5. Proof. by apply: le_trans beta5_ge1; exact: ler01. Qed.

(* Lemma E.5: the optimistic value is above every policy, and near that of its own *)
Lemma optq_above pi : proper pi -> TJ P rho pi reward L <= optimum B.
Proof.
move=> hpi; have opt s : optimum B = optimum B by [].
apply: ler_sum => s _; rewrite ler_wpmul2l ?(proj1 hrho) //.
have -> : top_value (L != 0)%N (solve B L) 0 s = V5 0 s by rewrite /V5 subn0.
rewrite V5_solve //; apply: (solve_above hP reward01 optq_event hpi) => //.
- move=> h s' a hL; rewrite -(V5_score s' a hL) -(V5_solve s' (ltnW hL)); exact: best_max.
- by move=> s' a; rewrite -V5_solve // -V5_reward; exact: best_max.
Qed.

Lemma optq_below : optimum B <= TJ P rho (det RR (solved B)) reward L + 2%:R * beta5 * xi.
Proof.
have hdet h s : is_law (det RR (solved B) h s) by exact: optimism.det_law.
apply: (@le_trans _ _ (TJ P rho (det RR (solved B)) reward L +
    2%:R * beta5 * event.J P rho (det RR (solved B)) (width phi Sig) L)); last first.
  by rewrite ler_add2l ler_wpmul2l ?mulr_ge0 ?ler0n ?b5 //; exact: cond.
rewrite /TJ /event.J mulr_sumr -big_split /=; apply: ler_sum => s _.
rewrite mulrCA -mulrDr ler_wpmul2l ?(proj1 hrho) //.
have -> : top_value (L != 0)%N (solve B L) 0 s = V5 0 s by rewrite /V5 subn0.
rewrite V5_solve //.
have g1 h s' : (h < L)%N -> solve_value (linear phi est_weight) (bonus phi beta5 Sig) (solved B) reward L h s' <=
    Num.min (linear phi est_weight h s' (solved B h s') + bonus phi beta5 Sig h s' (solved B h s')) 1 + 0.
  by move=> hL'; rewrite addr0 /solve_value hL'.
have g2 s' : solve_value (linear phi est_weight) (bonus phi beta5 Sig) (solved B) reward L L s' <= reward s'
  (solved B L s') + 0.
  by rewrite addr0 /solve_value ltnn.
have := solve_below hP optq_event g1 g2 s (add0n L).
rewrite mulr0 addr0 => h; apply: le_trans h _; rewrite ler_add2l -mulrA ler_wpmul2l ?ler0n //.
by rewrite -value_scale.
Qed.

(* Algorithm 6 *)
Definition V6 a b h s : R := evaluate B a b (L - h) s.
Definition w6 a b h : 'cV[R]_d := point (round_weight (fit w h (V6 a b h.+1))).

Lemma V6S a b h s : (h < L)%N -> V6 a b h s = clip (linear phi (w6 a b) h s (solved B h s)).
Proof.
move=> hL; rewrite /V6; have e : (L - h = (L - h.+1).+1)%N by rewrite subnSK.
by rewrite e [LHS]/= -e subKn ?(ltnW hL).
Qed.
Lemma V6L a b s : V6 a b L s = entry_reward phi L a b s (solved B L s).
Proof. by rewrite /V6 subnn. Qed.

Lemma V6_value a b h : (h <= L)%N -> exists i, forall s, V6 a b h s = value_of h i s.
Proof.
rewrite leq_eqVlt => /orP[/eqP ->|hL].
  exists (inl (inr (a, b)), ((L - L != 0)%N, solve B (L - L))) => s; rewrite V6L /algorithm.value_of /=.
  have /andP[e0 e1] := entry01 a b s (solved B L s) (f1 L).
  by rewrite /clip (max_idPl e0) (min_idPl e1).
by exists (inl (inl (inr (round_weight (fit w h (V6 a b h.+1))))), ((L - h != 0)%N, solve B (L - h))) => s; rewrite V6S.
Qed.

Lemma V6_event a b h s u : (h < L)%N ->
  `|linear phi (w6 a b) h s u - \sum_s' P h s u s' * V6 a b h.+1 s'| <= bonus phi beta5 Sig h s u.
Proof.
move=> hL; have [i /FunctionalExtensionality.functional_extensionality e] := V6_value a b hL.
rewrite bonusE /linear /w6 e; apply: fit_right; [reflexivity|exact: leq_ltn_trans hL LH|exact: rights].
Qed.

Lemma V6_evaluated a b : evaluated (det RR (solved B)) (linear phi (w6 a b)) (entry_reward phi L a b) L (V6 a b).
Proof. by split=> [h s hL|s]; rewrite sum_det; [exact: V6S|exact: V6L]. Qed.

Lemma estimateE : estimate B = estimated rho V6.
Proof. by apply/matrixP => a b; rewrite !mxE; under [in RHS]eq_bigr do rewrite /V6 subn0. Qed.

Local Notation cov := (evaluation.covariance P phi rho (det RR (solved B)) L).
Lemma estimate_near a b : `|estimate B a b - cov a b| <= 2%:R * beta5 * xi.
Proof.
have hdet h s : is_law (det RR (solved B) h s) by exact: optimism.det_law.
have n : event.J P rho (det RR (solved B)) (width phi Sig) L <= L%:R / 1%:R * (xi / L%:R).
  case: (posnP L) => [L_0|L0].
    by rewrite L_0 /event.J big1 ?mul0r // => s _; rewrite mulr0.
  have Ln : L%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
  by rewrite divr1 mulrC mulfVK //; exact: cond.
have := eq_covariance_entries hP hrho hdet b5 (f1 L) V6_evaluated V6_event n a b.
rewrite -estimateE => h; apply: le_trans h _; rewrite divr1 -mulrA ler_wpmul2l ?mulr_ge0 ?ler0n ?b5 //.
case: (posnP L) => [->|L0]; first by rewrite mulr0.
by rewrite mulfVK // pnatr_eq0 -lt0n.
Qed.

Lemma evaluate_sym a b j : evaluate B a b j = evaluate B b a j.
Proof.
elim: j => [|j IH]; apply: FunctionalExtensionality.functional_extensionality => s /=; last by rewrite IH.
by rewrite /entry_reward [X in 1 + X]mulrC.
Qed.
Lemma estimate_sym : sym (estimate B).
Proof. by apply/matrixP => a b; rewrite !mxE; under eq_bigr do rewrite evaluate_sym. Qed.

Lemma estimate_entry a b : `|estimate B a b| <= 1.
Proof.
rewrite mxE; set v := \sum_s _; have v01 : 0 <= v <= 1.
  have e s : 0 <= evaluate B a b L s <= 1.
    have -> : evaluate B a b L s = V6 a b 0 s by rewrite /V6 subn0.
    have [i ->] := V6_value a b (leq0n L); exact: value01.
  apply/andP; split; first by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?(proj1 hrho) //; case/andP: (e s).
  by apply: mean_bound => // s; case/andP: (e s).
have /andP[v0 v1] := v01; rewrite ler_norml; apply/andP; split.
  by rewrite -subr_ge0 opprK subrK mulr_ge0 ?ler0n.
by rewrite ler_subl_addr -[1 + 1]/(2%:R) ler_pimulr ?ler0n.
Qed.
End Reward.
(* the loop *)
Local Notation shape_of := (@shape_of S A d N H M phi rho beta5 s0 a0 w L).
Local Notation summed := (@summed S A d N H M phi rho beta5 s0 a0 w L).
Local Notation stops := (@stops S A d N H M phi rho beta5 nu s0 a0 w L).
Local Notation explore := (@explore S A d N H M imax phi rho beta5 nu s0 a0 w L).
Let pol k := det RR (solved (shape_of k)).
Let T k := matrix (shape_of k).
Local Notation C k := (summed_covariances L P phi rho pol k).
Hypothesis hnu : forall u, sq u = 1 -> exists2 pi, proper pi &
  nu ^+ 2 <= TJ P rho pi (fun s a => ((phi L s a)^T *m u) ord0 ord0 ^+ 2) L.

Lemma pol_proper k : proper (pol k). Proof. by move=> h s; exact: optimism.det_law. Qed.

Lemma summedE k : summed k = 1%:M + \sum_(j < k) estimate (shape_of j).
Proof. by elim: k => [|k IH]; rewrite ?big_ord0 ?addr0 // big_ord_recr addrA -IH. Qed.

Lemma summed_sym k : sym (summed k).
Proof. by elim: k => [|k IH]; [exact: sym1|apply: symD => //; exact: estimate_sym]. Qed.

Lemma mxB (E F : 'M[R]_d) i j : (E - F) i j = E i j - F i j. Proof. by rewrite !mxE. Qed.

Lemma sum_bound k (F : nat -> R) c : (forall j, `|F j| <= c) -> `|\sum_(j < k) F j| <= k%:R * c.
Proof.
move=> h; apply: le_trans (ler_norm_sum _ _ _) _; apply: (@le_trans _ _ (\sum_(j < k) c)); first exact: ler_sum.
by rewrite sumr_const card_ord mulr_natl.
Qed.

Lemma summed_entry k a b : (k <= imax.+1)%N -> `|summed k a b| <= M%:R.
Proof.
move=> ki; rewrite summedE; have -> : (1%:M + \sum_(j < k) estimate (shape_of j)) a b =
    (a == b)%:R + \sum_(j < k) estimate (shape_of j) a b by rewrite mxE [1%:M a b]mxE summxE.
apply: le_trans (ler_norm_add _ _) _; apply: (@le_trans _ _ (1 + k%:R * 1)).
  apply: ler_add; first by case: (a == b); rewrite ?normr1 ?normr0 ?ler01.
  by apply: (@sum_bound k (fun j => estimate (shape_of j) a b) 1) => j; exact: estimate_entry.
rewrite mulr1 -[1 + k%:R]/(1%:R + k%:R) -natrD ler_nat add1n; apply: leq_trans imax_le; exact: ki.
Qed.

Lemma close k : (k <= imax.+1)%N ->
  above (T k) ((7%:R / 8%:R) *: (2%:R%:M + C k)) /\ above ((9%:R / 8%:R) *: (2%:R%:M + C k)) (T k).
Proof.
move=> ki; pose D := T k - (2%:R%:M + C k).
have TE : T k = 2%:R%:M + C k + D by rewrite /D addrC subrK.
have pC : psd (C k) by exact: (C_psd L phi hP hrho pol_proper _).
have aB : above (2%:R%:M + C k) 2%:R%:M by rewrite /above addrC addKr.
have sD : sym D.
  apply: symB; last by apply: symD; [rewrite /sym tr_scalar_mx|case: pC].
  by apply: symD; [exact: sym1|apply: round_sym; exact: summed_sym].
have eD a b : `|D a b| <= k%:R * (2%:R * beta5 * xi) + M%:R^-1.
  have -> : D a b = (\sum_(j < k) (estimate (shape_of j) a b - evaluation.covariance P phi rho (pol j) L a b)) +
      (table (shape_of k) a b - summed k a b).
    rewrite sumrB summedE mxB /T /algorithm.matrix.
    have -> : (1%:M + table (shape_of k)) a b = (a == b)%:R + table (shape_of k) a b by rewrite mxE [1%:M a b]mxE.
    have -> : (2%:R%:M + C k) a b = 2%:R * (a == b)%:R + \sum_(j < k) evaluation.covariance P phi rho (pol j) L a b.
      by rewrite mxE [_%:M a b]mxE summxE mulr_natr.
    have -> : (1%:M + \sum_(j < k) estimate (shape_of j)) a b =
      (a == b)%:R + \sum_(j < k) estimate (shape_of j) a b by rewrite mxE [1%:M a b]mxE summxE.
    by move: (\sum_(j < k) estimate _ a b) (\sum_(j < k) _) (table _ a b) ((a == b)%:R) => x y z u; ring.
  apply: le_trans (ler_norm_add _ _) _; apply: ler_add.
    by apply: (@sum_bound k (fun j => estimate (shape_of j) a b - evaluation.covariance P phi rho (pol j) L a b)) => j;
      exact: estimate_near.
  by apply: round_entry => i j; exact: summed_entry.
have form x : `|qf D x| <= 4%:R^-1 * sq x.
  apply: le_trans (entry_bound x eD) _; apply: ler_wpmul2r; first exact: qf1_ge0.
  have m : d%:R * M%:R^-1 * (8 * 1)%N%:R <= 1 :> R by apply: mesh; rewrite !muln_gt0.
  have x1 : 0 <= beta5 * xi by rewrite mulr_ge0 ?b5.
  have g : d%:R * (k%:R * (2%:R * beta5 * xi)) * 8%:R <= 1.
    apply: le_trans (xi_small sized).
    have -> : d%:R * (k%:R * (2%:R * beta5 * xi)) * 8%:R = 16%:R * d%:R * (beta5 * xi) * k%:R by ring.
    have -> : 16%:R * d%:R * imax.+1%:R * beta5 * xi = 16%:R * d%:R * (beta5 * xi) * imax.+1%:R by ring.
    by rewrite ler_wpmul2l ?ler_nat // mulr_ge0 // mulr_ge0 ?ler0n.
  rewrite mulrDr -(ler_pmul2r (_ : 0 < 8%:R)) ?ltr0n // mulrDl; apply: le_trans (ler_add g m) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have q14 : 0 <= (4%:R^-1 : R) < 2%:R.
  by rewrite invr_ge0 ler0n /=; apply: (@le_lt_trans _ _ 1); rewrite ?invf_le1 ?ltr0n ?ler1n ?ltr1n.
have [h1 h2] := relative_perturbation sD aB (ltr0n _ 2) q14 form.
rewrite TE; split.
  by have <- : 1 - 4%:R^-1 / 2%:R = 7%:R / 8%:R :> R by field.
by have <- : 1 + 4%:R^-1 / 2%:R = 9%:R / 8%:R :> R by field.
Qed.

Lemma low k : (k <= imax.+1)%N -> above (T k) ((7%:R / 8%:R) *: (2%:R%:M + C k)).
Proof. by case/close. Qed.
Lemma high k : (k <= imax.+1)%N -> above ((9%:R / 8%:R) *: (2%:R%:M + C k)) (T k).
Proof. by case/close. Qed.
Lemma above_all k pi : proper pi -> TJ P rho pi (loop_reward L phi T k) L <= optimum (shape_of k).
Proof. exact: optq_above. Qed.
Lemma below_own k : optimum (shape_of k) <= TJ P rho (pol k) (loop_reward L phi T k) L + 2%:R * beta5 * xi.
Proof. exact: optq_below. Qed.

Lemma gap_small : 100%:R * (2%:R * beta5 * xi) <= nu ^+ 2.
Proof. by apply: le_trans (nu_large sized); rewrite le_eqVlt; apply/orP; left; apply/eqP; ring. Qed.

(* the loop of layer L stops by its own rule *)
Theorem stops_by_rule : (last explore < imax)%N /\ stops (last explore).
Proof.
have [k ki hk] := loop_stops hP hrho f1 d0 nu01 pol_proper below_own low gap_small (imax_large sized).
have hs : has stops (iota 0 imax) by apply/hasP; exists k; rewrite ?mem_iota.
pose m := find stops (iota 0 imax).
have lt : (m < imax)%N by rewrite -[X in (_ < X)%N](size_iota 0 imax) -has_find.
have sm : stops m by have := nth_find 0%N hs; rewrite (nth_iota 0%N 0 lt) add0n.
exact: (conj lt sm).
Qed.

(* the batch of layer L leaves little uncertainty there *)
Theorem layer_left (w' : nat -> O) :
  passes P rho phi x0 M value_of sigma kappa (L, explore) (w' L) ->
  forall pi, proper pi -> TJ P rho pi (width phi (fun h => matrix (sigma_of w' h)) L) L <= xi / H%:R.
Proof.
move=> ps; have [mi rule] := stops_by_rule; set m := last explore in mi rule.
have kle : (m.+1 <= imax.+1)%N by exact: ltnW.
have cov_ge := covered hP hrho f1 nu01 pol_proper hnu above_all low high kle rule.
apply: (little_left hP hrho f1 nu01 pol_proper hnu above_all low high kle rule _ mi (imax_small sized) H0
  (xi_gt0 sized) (N_large sized)) => //.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have kR : 0 < m.+1%:R :> R by rewrite ltr0n.
have pC : psd (C m.+1) by exact: (C_psd L phi hP hrho pol_proper _).
pose E := mean_covariance N P rho phi explore L.
have EE : E = (N%:R / m.+1%:R) *: C m.+1 by [].
have pE : psd E by rewrite EE; apply: psdZ => //; rewrite divr_ge0 ?ler0n.
have big x : kappa * qf 1%:M x <= qf E x.
  rewrite EE qfZ; have [_ /(_ x)] := cov_ge; rewrite qfB -scalemx1 qfZ subr_ge0 => h.
  have q0 : 0 <= qf 1%:M x by exact: qf1_ge0.
  apply: (@le_trans _ _ (N%:R / m.+1%:R * (350%:R / 81%:R * qf 1%:M x)));
    last by rewrite ler_wpmul2l // divr_ge0 ?ler0n.
  rewrite mulrA ler_wpmul2r // mulrAC ler_pdivl_mulr //.
  apply: (@le_trans _ _ (kappa * imax%:R)).
    by rewrite ler_wpmul2l ?ler_nat //; apply: le_trans (kappa_ge1 sized); exact: ler01.
  apply: le_trans (kappa_small sized) _; rewrite [4%:R * _]mulrC ler_wpmul2l ?ler0n // ler_pdivl_mulr ?ltr0n //.
  by rewrite -natrM ler_nat.
have big1' x : qf 1%:M x <= qf E x.
  by apply: le_trans (big x); rewrite ler_pemull ?qf1_ge0 ?(kappa_ge1 sized).
have hE x : qf E x <= N%:R * qf 1%:M x.
  rewrite EE qfZ mulrAC -mulrA ler_wpmul2l ?ler0n // ler_pdivr_mulr // mulrC /summed_covariances qf_sum.
  rewrite mulr_natl; apply: (@le_trans _ _ (\sum_(j < m.+1) qf 1%:M x)); last by rewrite sumr_const card_ord.
  apply: ler_sum => j _; rewrite covariance_form -[leRHS](TJ_const L hP hrho _ (pol_proper j)).
  apply: (TJ_le hP hrho L (pol_proper j)) => s a; rewrite -bil1; apply: le_trans (cauchy _ _ (pd_psd (pd1 _ d))) _.
  by rewrite ler_pimull ?qf1_ge0.
have hG x : qf (gram phi x0 L (w' L)) x <= N%:R * qf 1%:M x.
  by rewrite -[N in leRHS]card_ord; exact: features_le.
have h152 : (152 * d * N <= M ^ 2)%N.
  apply: (@leq_trans M); last by rewrite -{1}[M]expn1 leq_pexp2l ?M0.
  apply: M_ge; have := dd3; move: (d ^ 3)%N => y yx.
  apply: (@leq_trans (152 * y * N.+1)); first by apply: leq_mul => //; rewrite leq_mul2l yx orbT.
  by rewrite -[leqRHS]mulnA leq_pmulr.
have test f : 3%:R / 4%:R * qf E (point f) <= qf (gram phi x0 L (w' L)) (@point M d f).
  have := sees (x := (L, explore)) f LH ps; rewrite /covariance_test /= => /implyP; apply; exact: big.
have twice := grid_covariance M0 (gram_psd L (w' L)) pE big1' hE hG h152 test.
have [sa _] := sandwich w' L; rewrite /above in sa *.
have -> : matrix (sigma_of w' L) - (1%:M + (N%:R / (2%:R * m.+1%:R)) *: C m.+1) =
    (matrix (sigma_of w' L) - (1%:M + gram phi x0 L (w' L))) + 2%:R^-1 *: (2%:R *: gram phi x0 L (w' L) - E).
  rewrite EE scalerBr !scalerA mulVf ?pnatr_eq0 // scale1r.
  have -> : 2%:R^-1 * (N%:R / m.+1%:R) = N%:R / (2%:R * m.+1%:R) :> R by move: (m.+1%:R : R) kR => u u0; field;
    rewrite gt_eqF.
  by rewrite !opprD !addrA; congr (_ - _); rewrite subrK.
by apply: psdD => //; apply: psdZ => //; rewrite invr_ge0 ler0n.
Qed.
End Target.
End Layer.
