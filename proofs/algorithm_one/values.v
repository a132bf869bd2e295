(* Optimistic values have a finite net over the entries of (w, beta^2 Lambda^-1), and a regression is right up
   to its bonus as soon as the noise of a function of the net near its target is small. *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism.
From derl.reward_free Require Import violation.
From derl.algorithm_one Require Import grid.

Section Norms.
Variables (d : nat).
Implicit Types (B : 'M[R]_d) (x y f v : 'cV[R]_d).

(* the norm of a positive semi-definite form *)
Definition norm B x : R := Num.sqrt (qf B x).

Lemma norm_ge0 B x : 0 <= norm B x. Proof. exact: sqrtr_ge0. Qed.
Lemma norm_sq B x : psd B -> norm B x ^+ 2 = qf B x.
Proof. by move=> [_ h]; rewrite sqr_sqrtr. Qed.

Lemma norm_add B x y : psd B -> norm B (x + y) <= norm B x + norm B y.
Proof.
move=> pB; apply: le_of_sqr; first by rewrite addr_ge0 ?norm_ge0.
have sB : sym B by case: pB.
have b : bil B x y <= norm B x * norm B y.
  apply: le_of_sqr; first by rewrite mulr_ge0 ?norm_ge0.
  by rewrite exprMn !norm_sq //; exact: cauchy.
rewrite norm_sq // sqrrD !norm_sq //.
have -> : qf B (x + y) = qf B x + bil B x y *+ 2 + qf B y.
  by rewrite /qf bilDm !bilDr (bil_sym y x sB) mulr2n; ring.
by rewrite ler_add2r ler_add2l ler_muln2r b orbT.
Qed.

Lemma norm_scale B c x : norm B (c *: x) = `|c| * norm B x.
Proof. by rewrite /norm qfZr sqrtrM ?sqr_ge0 // sqrtr_sqr. Qed.

Lemma norm_sum B (I : finType) (c : I -> R) (x : I -> 'cV[R]_d) C : psd B ->
  (forall n, `|c n| <= C) -> (forall n, norm B (x n) <= 1) ->
  norm B (\sum_n c n *: x n) <= C * #|I|%:R.
Proof.
move=> pB hc hx; rewrite mulr_natr -sumr_const.
elim/big_rec2: _ => [|n a b _ IH]; first by rewrite /norm qf0r sqrtr0.
apply: le_trans (norm_add _ _ pB) _; apply: ler_add => //; rewrite norm_scale.
by apply: le_trans (hc n); rewrite -[leRHS]mulr1 ler_wpmul2l.
Qed.

Lemma coef B i j : B i j = bil B (delta_mx i ord0) (delta_mx j ord0).
Proof.
rewrite /bil trmx_delta -rowE mxE (bigD1 j) //= big1 ?addr0; last first.
  by move=> k kj; rewrite !mxE (negPf kj) mulr0.
by rewrite !mxE !eqxx mulr1.
Qed.

Lemma delta_sq (i : 'I_d) : qf 1%:M (delta_mx i ord0 : 'cV[R]_d) = 1.
Proof.
rewrite qfE (bigD1 i) //= big1 ?addr0 => [|j ji]; first by rewrite mxE !eqxx expr1n.
by rewrite mxE (negPf ji) expr0n.
Qed.

(* the inverse of I + G is below I *)
Lemma inverse_le (G : 'M[R]_d) x : psd G -> qf (invmx (1%:M + G)) x <= qf 1%:M x.
Proof.
move=> pG; rewrite -[X in _ <= qf X _]invmx1; apply: inv_antitone; first exact: pd1.
by rewrite addrC addKr.
Qed.

Lemma inverse_entry (G : 'M[R]_d) i j : psd G -> `|invmx (1%:M + G) i j| <= 1.
Proof.
move=> pG; have pL : pd (1%:M + G) by apply: pdD => //; exact: pd1.
have pI := pd_psd (pd_inv pL).
apply: sqr_le_norm; first exact: ler01.
rewrite coef expr1n; apply: le_trans (cauchy _ _ pI) _.
have h k : 0 <= qf (invmx (1%:M + G)) (delta_mx k ord0) <= 1.
  by rewrite qf_ge0 //= -[leRHS](delta_sq k); exact: inverse_le.
have /andP[i0 i1] := h i; have /andP[j0 j1] := h j.
by rewrite -[leRHS]mulr1 ler_pmul.
Qed.

Lemma small_dot v f c : (forall i, `|v i ord0| <= c) -> qf 1%:M f <= 1 ->
  `|(v^T *m f) ord0 ord0| <= d%:R * c.
Proof.
move=> hv hf; rewrite mxE mulr_natl -[d in leRHS]card_ord -sumr_const.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _; rewrite mxE normrM.
apply: le_trans (hv i); rewrite -[leRHS]mulr1 ler_wpmul2l //.
apply: sqr_le_norm; first exact: ler01.
by rewrite expr1n; apply: le_trans (entry_le f i) hf.
Qed.

Lemma small_form B f c : (forall i j, `|B i j| <= c) -> qf 1%:M f <= 1 ->
  `|qf B f| <= d%:R * (d%:R * c).
Proof.
move=> hB hf; have -> : qf B f = (((f^T *m B)^T)^T *m f) ord0 ord0 by rewrite trmxK.
apply: small_dot => // j; rewrite mxE.
have -> : (f^T *m B) ord0 j = ((col j B)^T *m f) ord0 ord0.
  by rewrite !mxE; apply: eq_bigr => i _; rewrite !mxE mulrC.
by apply: small_dot => // i; rewrite mxE.
Qed.

(* roots of near numbers are near *)
Lemma sqrt_near (a b t : R) : 0 <= a -> 0 <= t -> `|a - b| <= t ^+ 2 ->
  `|Num.sqrt a - Num.sqrt `|b| | <= t.
Proof.
move=> a0 t0 h; have sub (x y : R) : 0 <= x -> 0 <= y -> x <= y + t ^+ 2 -> Num.sqrt x <= Num.sqrt y + t.
  move=> x0 y0 xy; apply: le_of_sqr; first by rewrite addr_ge0 ?sqrtr_ge0.
  rewrite sqr_sqrtr // sqrrD sqr_sqrtr //; apply: le_trans xy _.
  by rewrite ler_add2r ler_addl mulrn_wge0 // mulr_ge0 ?sqrtr_ge0.
rewrite ler_distl ler_subl_addr; apply/andP; split; apply: sub => //.
  rewrite -ler_subl_addl; apply: le_trans h.
  by rewrite -[X in _ - X]ger0_norm // distrC; exact: ler_sub_dist.
by rewrite -ler_subl_addl; apply: le_trans h; rewrite -[X in X - _]ger0_norm //; exact: ler_sub_dist.
Qed.
End Norms.

Section Net.
Variables (S A : finType) (d : nat) (f : S -> A -> 'cV[R]_d) (rew : S -> A -> R) (top : R).
Hypothesis f1 : forall s a, qf 1%:M (f s a) <= 1.
Hypothesis top0 : 0 <= top.

(* the values of the net: max over the actions of min (x^T phi + r + sqrt |phi^T B phi|, H), at least 0 *)
Definition level_of (x : 'cV[R]_d) (B : 'M[R]_d) s a : R :=
  (Num.min ((x^T *m f s a) ord0 ord0 + rew s a + Num.sqrt `|qf B (f s a)|) top)%R.
Definition candidate x B s : R := \big[Num.max/0%R]_a level_of x B s a.

Lemma big_max_ge0 (F : A -> R) : 0 <= \big[Num.max/0%R]_a F a.
Proof. by elim/big_rec: _ => [|a y _ h]; rewrite ?lexx // le_maxr h orbT. Qed.

Lemma big_max_le (F : A -> R) c : 0 <= c -> (forall a, F a <= c) -> \big[Num.max/0%R]_a F a <= c.
Proof. by move=> c0 h; elim/big_rec: _ => [|a y _ IH] //; rewrite le_maxl h. Qed.

Lemma big_max_ge (F : A -> R) a : F a <= \big[Num.max/0%R]_a F a.
Proof.
have gen (l : seq A) : a \in l -> F a <= \big[Num.max/0%R]_(b <- l) F b.
  elim: l => // b l IH; rewrite inE big_cons le_maxr => /orP[/eqP <-|/IH ->]; first by rewrite lexx.
  by rewrite orbT.
exact: gen (mem_index_enum a).
Qed.

Lemma candidate_range x B s : 0 <= candidate x B s <= top.
Proof.
rewrite /candidate big_max_ge0 /=; apply: big_max_le => // a.
by rewrite /level_of le_minl lexx orbT.
Qed.

(* values of x and Lambda are near the values of the net at near parameters *)
Lemma candidate_near (x x' : 'cV[R]_d) (L B : 'M[R]_d) (beta c t : R) (V : S -> R) s b :
  0 <= beta -> 0 <= t -> pd L ->
  (forall i, `|x i ord0 - x' i ord0| <= c) -> (forall i j, `|(beta ^+ 2 *: invmx L) i j - B i j| <= c) ->
  d%:R * c <= t -> d%:R * (d%:R * c) <= t ^+ 2 ->
  let q a := Num.min ((x^T *m f s a) ord0 ord0 + rew s a + beta * Num.sqrt (qf (invmx L) (f s a))) top in
  (forall a, q a <= V s) -> V s = q b -> 0 <= V s ->
  `|V s - candidate x' B s| <= 2%:R * t.
Proof.
move=> b0 t0 pL hx hB ct ct2 q qV Vb V0.
have near a : `|q a - level_of x' B s a| <= 2%:R * t.
  have lip (u v : R) : `|Num.min u top - Num.min v top| <= `|u - v|.
    rewrite /Num.min; case: ltP => u1; case: ltP => v1 //.
    - rewrite distrC ger0_norm ?subr_ge0 ?(ltW u1) // distrC ger0_norm; last first.
        by rewrite subr_ge0 (le_trans (ltW u1)).
      by rewrite ler_add2r.
    - rewrite ger0_norm ?subr_ge0 ?(ltW v1) // ger0_norm; last by rewrite subr_ge0 (le_trans (ltW v1)).
      by rewrite ler_add2r.
    - by rewrite subrr normr0.
  apply: le_trans (lip _ _) _.
  have -> : (x^T *m f s a) ord0 ord0 + rew s a + beta * Num.sqrt (qf (invmx L) (f s a)) -
      ((x'^T *m f s a) ord0 ord0 + rew s a + Num.sqrt `|qf B (f s a)|) =
      ((x - x')^T *m f s a) ord0 ord0 +
      (Num.sqrt (qf (beta ^+ 2 *: invmx L) (f s a)) - Num.sqrt `|qf B (f s a)|).
    rewrite qfZ sqrtrM ?sqr_ge0 // sqrtr_sqr (ger0_norm b0) linearB /= mulmxBl.
    have mB (E F : 'M[R]_1) : (E - F) ord0 ord0 = E ord0 ord0 - F ord0 ord0 by rewrite !mxE.
    rewrite mB; move: (Num.sqrt _) (Num.sqrt _) => u v; ring.
  apply: le_trans (ler_norm_add _ _) _; rewrite mulr_natl mulr2n; apply: ler_add.
    apply: le_trans ct; apply: small_dot => // i.
    by have := hx i; rewrite !mxE.
  apply: sqrt_near => //; first by rewrite qfZ mulr_ge0 ?sqr_ge0 // qfi_ge0.
  rewrite -qfB; apply: le_trans ct2; apply: small_form => // i j.
  by have := hB i j; rewrite !mxE.
have t2 : 0 <= 2%:R * t by rewrite mulr_ge0 ?ler0n.
rewrite ler_distl; apply/andP; split.
  rewrite ler_subl_addr; apply: big_max_le; first by rewrite addr_ge0.
  move=> a; have := near a; rewrite ler_distl => /andP[h _].
  by rewrite -ler_subl_addr; apply: le_trans h _.
rewrite Vb; have := near b; rewrite ler_distl => /andP[_ h]; apply: le_trans h _.
by rewrite ler_add2r; exact: (big_max_ge (fun a => level_of x' B s a)).
Qed.
End Net.

Section Regression.
Variables (S A I : finType) (d : nat) (f : S -> A -> 'cV[R]_d) (P : S -> A -> S -> R) (mu : S -> 'cV[R]_d) (top : R).
Hypothesis f1 : forall s a, qf 1%:M (f s a) <= 1.
Hypothesis hP : forall s a, is_law (P s a).
Hypothesis hmu : forall s a s', P s a s' = ((mu s')^T *m f s a) ord0 ord0.
Hypothesis mass : forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R.
(* the data: states and actions, and next states *)
Variables (z : I -> S * A) (y : I -> S).
Definition features_sum : 'M[R]_d := \sum_n outer (f (z n).1 (z n).2).
Definition centred V (n : I) : R := (V (y n) - \sum_s' P (z n).1 (z n).2 s' * V s')%R.
(* the noise of V *)
Definition noise_of V : 'cV[R]_d := \sum_n centred V n *: f (z n).1 (z n).2.
Local Notation Lam := (1%:M + features_sum).

Lemma features_psd : psd features_sum.
Proof. by apply: psd_sum => n _; exact: psd_outer. Qed.
Lemma Lam_pd : pd Lam. Proof. by apply: pdD; [exact: pd1|exact: features_psd]. Qed.

Lemma features_le e : qf features_sum e <= #|I|%:R * qf 1%:M e.
Proof.
have -> : qf features_sum e = \sum_n qf (outer (f (z n).1 (z n).2)) e.
  rewrite /features_sum; elim/big_rec2: _ => [|n u v _ IH]; first by rewrite /qf bil0l.
  by rewrite qfD IH.
rewrite mulr_natl -sumr_const; apply: ler_sum => n _; rewrite qf_outer -bil1.
apply: le_trans (cauchy _ _ (pd_psd (pd1 _ d))) _.
by rewrite -[leRHS]mul1r ler_wpmul2r ?qf1_ge0.
Qed.

Lemma norm_feature s a : norm (invmx Lam) (f s a) <= 1.
Proof.
rewrite /norm -[leRHS]sqrtr1 ler_wsqrtr //; apply: le_trans (inverse_le _ features_psd) _; exact: f1.
Qed.

(* near values have near noise *)
Lemma noise_near V V' t : 0 <= t -> (forall s, `|V s - V' s| <= t) ->
  norm (invmx Lam) (noise_of V) <= norm (invmx Lam) (noise_of V') + 2%:R * t * #|I|%:R.
Proof.
move=> t0 hV; have pI := pd_psd (pd_inv Lam_pd).
have -> : noise_of V = noise_of V' + \sum_n (centred V n - centred V' n) *: f (z n).1 (z n).2.
  by rewrite /noise_of -big_split /=; apply: eq_bigr => n _; rewrite -scalerDl addrC subrK.
apply: le_trans (norm_add _ _ pI) _; rewrite ler_add2l; apply: norm_sum => // n; last exact: norm_feature.
have -> : centred V n - centred V' n = (V (y n) - V' (y n)) -
    \sum_s' P (z n).1 (z n).2 s' * (V s' - V' s').
  by rewrite /centred; under [in RHS]eq_bigr do rewrite mulrBr; rewrite sumrB; ring.
apply: le_trans (ler_norm_sub _ _) _; rewrite mulr_natl mulr2n; apply: ler_add => //.
apply: le_trans (ler_norm_sum _ _ _) _.
have -> : t = \sum_s' P (z n).1 (z n).2 s' * t by rewrite -mulr_suml (proj2 (hP _ _)) mul1r.
apply: ler_sum => s' _; have p0 := proj1 (hP (z n).1 (z n).2) s'.
by rewrite normrM (ger0_norm p0) ler_wpmul2l.
Qed.

(* least squares for the values V of the next state *)
Definition least_squares (V : S -> R) : 'cV[R]_d := invmx Lam *m \sum_n V (y n) *: f (z n).1 (z n).2.

(* its entries *)
Lemma least_squares_entry V i : (forall s, `|V s| <= top) -> `|least_squares V i ord0| <= top * #|I|%:R.
Proof.
move=> hV; have pI := pd_psd (pd_inv Lam_pd).
have h := norm_sum (x := fun n => f (z n).1 (z n).2) pI (fun n => hV (y n)) (fun n => norm_feature _ _).
apply: sqr_le_norm; first by apply: le_trans h; exact: norm_ge0.
apply: le_trans (entry_le _ i) _; apply: (@le_trans _ _ (qf Lam (least_squares V))).
  by rewrite qfD ler_addl qf_ge0 //; exact: features_psd.
rewrite /least_squares (qf_inv _ Lam_pd) -(norm_sq _ pI).
by rewrite ler_pexpn2r ?nnegrE ?norm_ge0 // (le_trans (norm_ge0 _ _) h).
Qed.

(* the regression is right up to the bonus *)
Theorem regression_right V beta nu s a : 0 <= top -> (forall s, 0 <= V s <= top) ->
  norm (invmx Lam) (noise_of V) <= nu -> nu + top * Num.sqrt d%:R <= beta ->
  `|((least_squares V)^T *m f s a) ord0 ord0 - \sum_s' P s a s' * V s'| <=
    beta * Num.sqrt (qf (invmx Lam) (f s a)).
Proof.
move=> top0 hV hn hb; pose N := #|{: I}|.
pose ph (n : 'I_N) := f (z (enum_val n)).1 (z (enum_val n)).2; pose yy (n : 'I_N) := y (enum_val n).
have sumE (W : zmodType) (F : I -> W) : \sum_(n < N) F (enum_val n) = \sum_n F n.
  by rewrite /N -(big_enum_val F); apply: eq_bigl => n; rewrite inE.
have LE : 1%:M + \sum_n outer (ph n) = Lam by rewrite (sumE _ (fun n => outer (f (z n).1 (z n).2))).
have wE : weights ph yy V = least_squares V.
  by rewrite /weights LE (sumE _ (fun n => V (y n) *: f (z n).1 (z n).2)).
have nextE' s' a' : next mu V (f s' a') = \sum_t P s' a' t * V t.
  by apply: eq_bigr => t _; rewrite hmu.
have nE : noise ph yy mu V = noise_of V.
  rewrite /noise /noise_of -(sumE _ (fun n => centred V n *: f (z n).1 (z n).2)).
  by apply: eq_bigr => n _; rewrite /ph nextE'.
have := regression_bonus ph yy mu V (f s a); rewrite wE LE nE nextE' => h; apply: le_trans h _.
rewrite ler_wpmul2r ?sqrtr_ge0 //; apply: le_trans hb; apply: ler_add; first exact: hn.
case: (eqVneq top 0) => [t0|tn].
  have v0 t : V t = 0 by apply/eqP; rewrite eq_le; have := hV t; rewrite t0 andbC.
  rewrite big1 => [|t _]; last by rewrite v0 scale0r.
  by rewrite qf0r sqrtr0 mulr_ge0 ?sqrtr_ge0.
have tp : 0 < top by rewrite lt_def tn.
have mE : \sum_s' V s' *: mu s' = top *: \sum_s' (V s' / top) *: mu s'.
  by rewrite scaler_sumr; apply: eq_bigr => s' _; rewrite scalerA mulrCA divff ?mulr1 ?gt_eqF.
rewrite mE qfZr sqrtrM ?sqr_ge0 // sqrtr_sqr (ger0_norm top0) ler_wpmul2l // ler_wsqrtr //.
apply: mass => s'; have /andP[v0 v1] := hV s'.
by rewrite (ger0_norm (divr_ge0 v0 top0)) ler_pdivr_mulr // mul1r.
Qed.
End Regression.
