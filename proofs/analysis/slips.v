(* Displays of the paper that are false at an explicit instance, and what is true instead. *)
From derl.common Require Import prelude forms.
From derl.analysis Require Import matrices.

(* [ineq-perturbation-sign]: E is the mean covariance, S the sum over the data, and
   I + S the matrix of the algorithm *)
Theorem ineq_perturbation_sign_refuted :
  ~ (forall (d : nat) (N : rat) (E S : 'M[rat]_d), 1%:M + S = 1%:M + N *: E + (N *: E - S)).
Proof.
move=> /(_ 1%N 0 0 1%:M) /matrixP /(_ ord0 ord0).
by rewrite !mxE => /eqP; vm_compute.
Qed.
Theorem perturbation_sign (R : fieldType) (d : nat) (N : R) (E S : 'M[R]_d) :
  1%:M + S = 1%:M + N *: E - (N *: E - S).
Proof. by rewrite opprB -addrA [N *: E + _]addrC subrK. Qed.

(* [text-unregularised]: a sum of outer products of features of Assumption 1 may have no
   inverse; with I it has one *)
Theorem text_unregularised_refuted :
  ~ (forall (d N : nat) (phi : 'I_N -> 'cV[rat]_d), (0 < N)%N ->
     (forall n, d%:R^-1 <= sq (phi n) <= 1) -> \sum_n outer (phi n) \in unitmx).
Proof.
move=> /(_ 2%N 1%N (fun _ => delta_mx ord0 ord0) isT); rewrite big_ord1 => h.
have u : outer (delta_mx ord0 ord0 : 'cV[rat]_2) \in unitmx.
  apply: h => _; rewrite /sq qfE big_ord_recl big_ord1 !mxE /=.
  by rewrite expr1n expr0n addr0.
have z : outer (delta_mx ord0 ord0 : 'cV[rat]_2) *m (delta_mx ord_max ord0 : 'cV[rat]_2) = 0.
  by rewrite /outer -mulmxA trmx_delta mul_delta_mx_0 ?mulmx0.
have := mulKmx u (delta_mx ord_max ord0 : 'cV[rat]_2); rewrite z mulmx0.
by move=> /matrixP /(_ ord_max ord0); rewrite !mxE.
Qed.
Theorem regularised (R : realFieldType) (d N : nat) (phi : 'I_N -> 'cV[R]_d) :
  1%:M + \sum_n outer (phi n) \in unitmx.
Proof. by apply/pd_unit/pdD; [exact: pd1|apply: psd_sum => n _; exact: psd_outer]. Qed.

Lemma qf11 (R : realFieldType) (a : R) : qf (a%:M : 'M[R]_1) 1%:M = a.
Proof. by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n. Qed.

(* [err-perturbation-premise]: A = beta'^2 Sigma^-1 > I need not hold; beta' = 2 and 15
   samples of the feature 1 give 1/4 *)
Theorem err_perturbation_premise_refuted :
  ~ (forall (d N : nat) (phi : 'I_N -> 'cV[rat]_d) (beta : rat), 1 <= beta ->
     (forall n, d%:R^-1 <= sq (phi n) <= 1) ->
     pd (beta ^+ 2 *: invmx (1%:M + \sum_n outer (phi n)) - 1%:M)).
Proof.
have o1 : outer (1%:M : 'cV[rat]_1) = 1%:M by rewrite /outer trmx1 mulmx1.
have n1 (m : 'I_1) : 1%:R^-1 <= sq (1%:M : 'cV[rat]_1) <= 1 by rewrite /sq qf11.
move=> /(_ 1%N 15%N (fun _ => 1%:M) 2%:R isT) h.
have [_] : pd (2%:R ^+ 2 *: invmx (1%:M + \sum_(n < 15) outer (1%:M : 'cV[rat]_1)) - 1%:M).
  by apply: h => _; exact: (n1 ord0).
move=> /(_ 1%:M); rewrite sumr_const card_ord o1 -raddfMn /= -raddfD invmx_scalar.
rewrite scale_scalar_mx -raddfB qf11 => h2.
have no : ~~ (0 < 2%:R ^+ 2 * (1 + 1 *+ 15)^-1 - 1 :> rat) by vm_compute.
by apply: (negP no); apply: h2; apply/eqP => /matrixP /(_ ord0 ord0); rewrite !mxE.
Qed.

(* [err-covariance-factor]: the entries of the covariance are 2V - 1 *)
Theorem err_covariance_factor_refuted :
  ~ (forall (i : nat) (v vh : nat -> rat) (b : rat), (forall k, `|vh k - v k| <= b) ->
     `|\sum_(k < i) (2%:R * vh k - 1) - \sum_(k < i) (2%:R * v k - 1)| <= i%:R * b).
Proof.
move=> /(_ 1%N (fun _ => 0) (fun _ => 1) 1); rewrite !big_ord1 mulr0 mulr1 subr0 normr1.
by move=> /(_ (fun _ => lexx _)).
Qed.
Theorem covariance_factor (R : realFieldType) (i : nat) (v vh : nat -> R) (b : R) :
  (forall k, `|vh k - v k| <= b) ->
  `|\sum_(k < i) (2%:R * vh k - 1) - \sum_(k < i) (2%:R * v k - 1)| <= 2%:R * i%:R * b.
Proof.
move=> h; rewrite -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
have -> : 2%:R * i%:R * b = \sum_(k < i) 2%:R * b.
  by rewrite sumr_const card_ord -mulr_natl; ring.
apply: ler_sum => k _; have -> : 2%:R * vh k - 1 - (2%:R * v k - 1) = 2%:R * (vh k - v k) by ring.
by rewrite normrM ger0_norm ?ler0n // ler_pmul2l ?ltr0n.
Qed.

(* [ineq-missing-hat]: vh, v are the values of layers 1 and 2 in the only state of each, the
   rewards are 0, b1 and b2 the bounds of the two regressions *)
Theorem ineq_missing_hat_refuted :
  ~ (forall v1 v2 vh1 vh2 b1 b2 : rat, 0 < b1 -> 0 < b2 -> v1 = v2 -> `|vh1 - vh2| <= b1 ->
     `|vh2 - v2| <= b2 -> `|vh1 - v1| <= b1 + `|v2 - v2|).
Proof. by move=> /(_ 0 0 1 1 4%:R^-1 1 isT isT erefl) h; have := h isT isT. Qed.
Theorem missing_hat (R : realFieldType) (v1 v2 vh1 vh2 b1 : R) :
  v1 = v2 -> `|vh1 - vh2| <= b1 -> `|vh1 - v1| <= b1 + `|vh2 - v2|.
Proof.
move=> -> h; have -> : vh1 - v2 = (vh1 - vh2) + (vh2 - v2) by ring.
by apply: le_trans (ler_norm_add _ _) _; rewrite ler_add2r.
Qed.

(* [err-resolution]: 1/N never satisfies the input condition of Algorithm 5 *)
Theorem err_resolution_refuted (R : realFieldType) (d N : nat) : (0 < d)%N -> (0 < N)%N ->
  ~ (N%:R^-1 <= (2 * d * N.+1)%:R^-1 :> R).
Proof.
move=> d0 N0; apply/negP; rewrite -ltNge ltf_pinv ?posrE ?ltr0n ?muln_gt0 ?d0 //.
rewrite ltr_nat -[X in (X < _)%N]mul1n; apply: (@leq_trans (1 * N.+1)); first by rewrite ltn_mul2l /=.
by rewrite leq_mul2r muln_gt0 d0 orbT.
Qed.

(* diagonal matrices of size two *)
Definition diag2 (R : ringType) (a b : R) : 'M[R]_2 := \matrix_(i, j) (if i == j then if i == ord0 then a else b
  else 0).
Definition vec2 (R : ringType) (a b : R) : 'cV[R]_2 := \col_i (if i == ord0 then a else b).

Lemma diag2_mul (R : ringType) (a b x y : R) : diag2 a b *m diag2 x y = diag2 (a * x) (b * y).
Proof.
apply/matrixP => i j; rewrite !mxE big_ord_recl big_ord1 !mxE.
by case: i j => [[|[|//]] hi] [[|[|//]] hj]; rewrite /= !(mulr0, mul0r, addr0, add0r).
Qed.

Lemma diag2_inv (R : fieldType) (a b : R) : a != 0 -> b != 0 -> invmx (diag2 a b) = diag2 a^-1 b^-1.
Proof.
move=> a0 b0; have e : diag2 a b *m diag2 a^-1 b^-1 = 1%:M.
  rewrite diag2_mul !divff //; apply/matrixP => i j; rewrite !mxE.
  by case: i j => [[|[|//]] hi] [[|[|//]] hj].
have [u _] := mulmx1_unit e; by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

(* [ineq-value-weights]: the sign of the terms matters; two features and values 1 and 0 *)
Theorem ineq_value_weights_refuted :
  ~ (forall (d N : nat) (phi : 'I_N -> 'cV[rat]_d) (V : 'I_N -> rat) (v : 'cV[rat]_d),
     (forall n, d%:R^-1 <= sq (phi n) <= 1) -> (forall n, `|V n| <= 1) ->
     let Si := invmx (1%:M + \sum_n outer (phi n)) in
     `|(v^T *m Si *m \sum_n (V n *: phi n)) ord0 ord0| <= `|(v^T *m Si *m \sum_n phi n) ord0 ord0|).
Proof.
pose phi (n : 'I_2) : 'cV[rat]_2 := vec2 (4%:R / 5%:R) (if n == ord0 then 3%:R / 5%:R else - (3%:R / 5%:R)).
pose V (n : 'I_2) : rat := if n == ord0 then 1 else 0.
move=> /(_ 2%N 2%N phi V (vec2 0 1)) h.
have S : 1%:M + \sum_n outer (phi n) = diag2 (57%:R / 25%:R) (43%:R / 25%:R).
  rewrite big_ord_recl big_ord1; apply/matrixP => i j; rewrite mxE [X in _ + X]mxE !outerE !mxE.
  by case: i j => [[|[|//]] hi] [[|[|//]] hj]; apply: (elimT eqP); vm_compute.
have S1 : \sum_n V n *: phi n = vec2 (4%:R / 5%:R) (3%:R / 5%:R).
  rewrite big_ord_recl big_ord1; apply/matrixP => i j; rewrite !mxE.
  by case: i => [[|[|//]] hi]; apply: (elimT eqP); vm_compute.
have S2 : \sum_n phi n = vec2 (8%:R / 5%:R) 0.
  rewrite big_ord_recl big_ord1; apply/matrixP => i j; rewrite !mxE.
  by case: i => [[|[|//]] hi]; apply: (elimT eqP); vm_compute.
have ent (p q a b : rat) : ((vec2 0 1)^T *m diag2 p q *m vec2 a b) ord0 ord0 = q * b.
  by rewrite !mxE !big_ord_recl !big_ord0 !mxE !big_ord_recl !big_ord0 !mxE /= !(mul0r, mulr0, addr0, add0r, mul1r).
have len n : 2%:R^-1 <= sq (phi n) <= 1.
  by rewrite /sq qfE big_ord_recl big_ord1 !mxE; case: (n == ord0); vm_compute.
have val n : `|V n| <= 1 by rewrite /V; case: ifP.
have := h len val; cbv zeta; rewrite S S1 S2 diag2_inv; [|by vm_compute|by vm_compute].
by rewrite !ent; vm_compute.
Qed.
