(* Algorithm 2, repaired, with the conditions on its numbers as hypotheses: with probability at least 1 - delta over
   all data of the run, H deployments give epsilon-optimal plans for all linear rewards. *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding adaptive.
From derl.layerwise Require Import optimism.
From derl.reward_free Require Import planning event.
From derl.analysis Require Import matrices evaluation.
From derl.arbitrary Require Import theorem_r.
From derl.algorithm_one Require Import trajectory_law grid values algorithm optimal.
From derl.algorithm_two Require Import mixtures algorithm one_layer.
Local Arguments exp x%R.

(* the part of Assumption 1 about the transitions of one layer *)
Definition linear_transitions (S A : finType) d (phi : S -> A -> 'cV[R]_d) (mu : S -> 'cV[R]_d) (P : S -> A -> S -> R) :
  Prop := [/\ forall s a, is_law (P s a), forall s a s', P s a s' = ((mu s')^T *m phi s a) ord0 ord0,
      forall s a, qf 1%:M (phi s a) <= 1 &
      forall v : S -> R, (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu s) <= d%:R].
(* the part about rewards, with rewards in [0, 1] *)
Definition linear_reward (S A : finType) d (phi : S -> A -> 'cV[R]_d) (theta : 'cV[R]_d) : Prop :=
  qf 1%:M theta <= d%:R /\ forall s a, 0 <= (theta^T *m phi s a) ord0 ord0 <= 1.
(* the reachability coefficient of layer h is at least nu *)
Definition reachable (S A : finType) d (P : nat -> S -> A -> S -> R) (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d)
    (nu : R) h : Prop :=
  forall u, sq u = 1 -> exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
    nu ^+ 2 <= TJ P rho pi (fun s a => ((phi h s a)^T *m u) ord0 ord0 ^+ 2) h.

Lemma value_local (S A : finType) (P : nat -> S -> A -> S -> R) mu (r r' : nat -> S -> A -> R) h k s :
  (forall j s a, (h <= j < h + k)%N -> r j s a = r' j s a) -> value P mu r h k s = value P mu r' h k s.
Proof.
elim: k h s => [|k IH] h s e //=; apply: eq_bigr => a _; rewrite e ?leqnn ?addnS ?ltnS ?leq_addr //.
congr (_ * (_ + _)); apply: eq_bigr => s' _; congr (_ * _); apply: IH => j s1 a1 /andP[h1 h2].
by apply: e; rewrite ltnW //= addnS -addSn.
Qed.

Lemma J_local (S A : finType) (P : nat -> S -> A -> S -> R) rho mu (r r' : nat -> S -> A -> R) L :
  (forall j s a, (j < L)%N -> r j s a = r' j s a) -> event.J P rho mu r L = event.J P rho mu r' L.
Proof. by move=> e; apply: eq_bigr => s _; congr (_ * _); apply: value_local => j s' a /andP[_ jL]; exact: e. Qed.

Lemma J_last (S A : finType) (P : nat -> S -> A -> S -> R) rho mu (r : nat -> S -> A -> R) L :
  event.J P rho mu r L.+1 = event.J P rho mu r L + TJ P rho mu (r L) L.
Proof. by rewrite /event.J /TJ -big_split; apply: eq_bigr => s _; rewrite value_last add0n mulrDr. Qed.

Lemma always_nth (O : finType) (D X : Type) (psi : strategy O D X) (ok : D -> O -> bool) (o0 : O) pre h k :
  always psi ok pre h -> (k < size h)%N -> ok (deploy psi (pre ++ take k h)) (nth o0 h k).
Proof.
elim: h pre k => [|o h IH] pre k //= /andP[h1 h2]; case: k => [|k] kh /=; first by rewrite cats0.
by have := IH _ k h2 kh; rewrite cat_rcons.
Qed.

Lemma count3 y n h i : (4 * y * n <= 152 * y * n * h.+1 * i.+2)%N.
Proof.
have -> : (152 * y * n * h.+1 * i.+2 = 4 * y * n * (38 * (h.+1 * i.+2)))%N by lia.
exact: leq_pmulr.
Qed.

Section Run.
Variables (S A : finType) (d N H M imax : nat) (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d).
Variables (mu : nat -> S -> 'cV[R]_d) (rho : S -> R) (beta beta5 nu : R) (s0 : S) (a0 : A).
Variables (sigma kappa xi eps delta : R).
Local Notation O := (batch S A N H).
Local Notation x0 := (s0, a0).
Local Notation proper pi := (forall h s, is_law (pi h s)).
Local Notation RR := R_rcfType.
Hypothesis hrho : is_law rho.
Hypothesis linear_model : forall h, linear_transitions (phi h) (mu h) (P h).
Hypothesis hnu : forall h, (h < H)%N -> reachable P rho phi nu h.
Hypothesis sized : sizes d N H M imax beta beta5 nu sigma kappa xi.
Hypothesis xi_eps : xi <= eps / (2%:R * beta).

Let alpha : R := (3%:R * sigma + Num.sqrt d%:R)%R.
Let d0 := d_gt0 sized.
Let H0 := H_gt0 sized.
Let alpha_ge0 : 0 <= alpha := alpha0 sized.
Let hP h s a : is_law (P h s a). Proof. by case: (linear_model h) => h1 *; exact: h1. Qed.
Let hmu h s a s' : P h s a s' = ((mu h s')^T *m phi h s a) ord0 ord0.
Proof. by case: (linear_model h) => _ h1 *; exact: h1. Qed.
Let f1 h s a : qf 1%:M (phi h s a) <= 1. Proof. by case: (linear_model h) => _ _ h1 _; exact: h1. Qed.
Let mass h (v : S -> R) : (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu h s) <= d%:R.
Proof. by case: (linear_model h) => _ _ _ h1; exact: h1. Qed.

Local Notation psi := (@algorithm_two S A d N H M imax phi rho beta beta5 nu s0 a0).
Local Notation nothing := (@nothing S A N H s0 a0).
Local Notation explore w L := (@explore S A d N H M imax phi rho beta5 nu s0 a0 w L).
Local Notation value_of := (@value_of S A d H M phi beta beta5 a0).
Local Notation ok := (passes P rho phi x0 M value_of sigma kappa).
Local Notation right_batch := (@right_batch S A d N H M P phi beta beta5 s0 a0 sigma).
Local Notation sigma_of := (@sigma_of S A d N H M phi s0 a0).
Local Notation Sig w := (fun h => @matrix d M (sigma_of w h)).

Section Good.
Variable h : H.-tuple O.
Hypothesis good : always psi ok [::] h.
Let W : nat -> O := nth nothing h.
Let before L : nat -> O := nth nothing (take L h).

Lemma batch_ok L : (L < H)%N -> ok (L, explore (before L) L) (W L).
Proof.
move=> LH; have := always_nth nothing good (_ : (L < size h)%N); rewrite size_tuple => /(_ LH) /=.
by rewrite size_takel // size_tuple ltnW.
Qed.

Lemma right_all L : (L < H)%N -> right_batch L (W L).
Proof. by move=> LH; exact: (passes_right hmu f1 mass sized (batch_ok LH)). Qed.

Lemma before_nth L t : (t < L)%N -> before L t = W t.
Proof. by move=> tL; rewrite /before nth_take. Qed.

Lemma share L : (L <= H)%N -> L%:R / H%:R * xi <= xi.
Proof.
move=> LH; rewrite -[leRHS]mul1r ler_wpmul2r ?(ltW (xi_gt0 sized)) // ler_pdivr_mulr ?ltr0n // mul1r ler_nat //.
Qed.

Lemma sigma_before L t : (t < L)%N -> sigma_of (before L) t = sigma_of W t.
Proof. by move=> tL; rewrite /algorithm.sigma_of before_nth. Qed.

(* condition (2), layer by layer *)
Lemma condition_all L : (L <= H)%N -> forall pi, proper pi ->
  event.J P rho pi (width phi (Sig W)) L <= L%:R / H%:R * xi.
Proof.
elim: L => [_ pi _|L IH LH pi hpi].
  by rewrite /event.J big1 ?mul0r // => s _; exact: mulr0.
have rights t : (t < L)%N -> right_batch t (before L t).
  by move=> tL; rewrite before_nth //; apply: right_all; exact: ltn_trans LH.
have cond pi' : proper pi' -> event.J P rho pi' (width phi (Sig (before L))) L <= xi.
  move=> hp; apply: le_trans (share (ltnW LH)); apply: le_trans (IH (ltnW LH) _ hp).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: J_local => j s a jL.
  by rewrite /width sigma_before.
have left_over := layer_left hP hrho hmu f1 mass sized LH rights cond (hnu LH) (batch_ok LH) hpi.
rewrite J_last; have -> : L.+1%:R / H%:R * xi = L%:R / H%:R * xi + xi / H%:R.
  by rewrite -addn1 natrD; field; rewrite gt_eqF // ltr0n.
by apply: ler_add; [exact: (IH (ltnW LH))|exact: left_over].
Qed.

(* the batch of every layer spans all directions: a policy would show a direction that is missing *)
Lemma batch_spans L : (L < H)%N -> pd (gram phi x0 L (W L)).
Proof.
move=> LH; have pG : psd (gram phi x0 L (W L)) by exact: features_psd.
have pS := sigma_pd s0 a0 f1 sized W L.
have [_ [_ three]] := sandwich s0 a0 f1 sized W L.
split=> [|x xn]; first by case: pG.
rewrite lt_neqAle (proj2 pG) andbT eq_sym; apply/eqP => z; have q0 := qf1_gt0 xn.
pose u := (Num.sqrt (qf 1%:M x))^-1 *: x.
have u1 : sq u = 1 by rewrite /sq qfZr exprVn sqr_sqrtr ?(ltW q0) // mulVf // gt_eqF.
have u3 : qf (Sig W L) u <= 3%:R.
  have := three u; rewrite qfB qfZ qfD [qf (gram _ _ _ _) u]qfZr z mulr0 addr0.
  by rewrite -[qf 1%:M u]/(sq u) u1 mulr1 subr_ge0.
have [pi hpi seen] := hnu LH u1.
have width0 t s a : 0 <= width phi (Sig W) t s a by exact: sqrtr_ge0.
have left_over : TJ P rho pi (width phi (Sig W) L) L <= xi.
  apply: le_trans (share LH); apply: le_trans (condition_all LH hpi); rewrite J_last ler_addr.
  by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?(proj1 hrho) //; exact: value_ge0.
have le3 s a : ((phi L s a)^T *m u) ord0 ord0 ^+ 2 <= 3%:R * width phi (Sig W) L s a.
  rewrite dotC; apply: le_trans (cauchy_dual u (phi L s a) pS) _.
  have w1 : width phi (Sig W) L s a <= 1.
    rewrite -[leRHS]sqrtr1; apply: ler_wsqrtr; apply: le_trans _ (f1 L s a).
    have [above1 _] := sandwich s0 a0 f1 sized W L.
    apply: le_trans (inv_antitone _ _ above1) _; first exact: pdD (pd1 _ d) pG.
    exact: inverse_le.
  rewrite -[X in _ * X]sqr_sqrtr ?qfi_ge0 // expr2; apply: ler_pmul => //.
  - by apply: qf_ge0; exact: pd_psd.
  - by rewrite mulr_ge0 ?sqrtr_ge0.
  - by rewrite ler_pimull ?sqrtr_ge0 //; exact: w1.
have := le_trans seen (TJ_le hP hrho L hpi le3); rewrite TJ_mean /mean; under eq_bigr do rewrite mulrCA.
rewrite -mulr_sumr -[X in _ * X]/(mean _ _) -TJ_mean => up; have := le_trans (nu_large sized) up.
rewrite leNgt => /negP []; apply: le_lt_trans (ler_wpmul2l (ler0n _ 3) left_over) _.
apply: (@lt_le_trans _ _ (200%:R * xi)); first by rewrite ltr_pmul2r ?(xi_gt0 sized) // ltr_nat.
by rewrite ler_pmul2l ?ltr0n // ler_pemull ?(ltW (xi_gt0 sized)) // (beta5_ge1 sized).
Qed.

(* every loop has stopped by its rule *)
Lemma stops_all L : (L < H)%N -> (last (explore (before L) L) < imax)%N /\
  @stops S A d N H M phi rho beta5 nu s0 a0 (before L) L (last (explore (before L) L)).
Proof.
move=> LH; have rights t : (t < L)%N -> right_batch t (before L t).
  by move=> tL; rewrite before_nth //; apply: right_all; exact: ltn_trans LH.
have cond pi' : proper pi' -> event.J P rho pi' (width phi (Sig (before L))) L <= xi.
  move=> hp; apply: le_trans (share (ltnW LH)); apply: le_trans (condition_all (ltnW LH) hp).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: J_local => j s a jL.
  by rewrite /width sigma_before.
exact: (stops_by_rule hP hrho hmu f1 mass sized LH rights cond).
Qed.

Section Plan.
Variables (L : nat) (theta : nat -> 'cV[R]_d).
Hypothesis LH : (L <= H)%N.
Hypothesis htheta : forall t, linear_reward (phi t) (theta t).
Let r t s a : R := (((theta t)^T *m phi t s a) ord0 ord0)%R.
Local Notation planned := (@planned S A d N H M phi beta s0 a0 W L theta).
Local Notation plan := (@plan S A d N H M phi beta s0 a0 W L theta).
Local Notation plan_score := (@plan_score S A d M phi beta L).
Local Notation plan_value := (@plan_value S A d M phi beta a0 L).
Local Notation fit := (@fit S A d N H phi s0 a0).
Local Notation round_weight := (@round_weight d M).
Local Notation length := (@length S A d M phi).
Definition V4 t s : R := if (t < L)%N then plan_value (planned (L - t)) t s else 0%R.

Lemma planned_step j : planned j.+1 = (round_weight (fit W (L - j.+1) (if j is j'.+1 then plan_value (planned j)
  (L - j.+1).+1 else fun _ => 0) + theta (L - j.+1)%N), sigma_of W (L - j.+1)).
Proof. by case: j. Qed.

Lemma V4E t s : V4 t s = if (L - t)%N is j.+1 then plan_value (planned j.+1) t s else 0.
Proof. by rewrite /V4 -subn_gt0; case: (L - t)%N. Qed.

Lemma plannedS t : (t < L)%N -> planned (L - t) = (round_weight (fit W t (V4 t.+1) + theta t), sigma_of W t).
Proof.
move=> tL; set j := (L - t.+1)%N; have e : (L - t)%N = j.+1 by rewrite /j subnSK.
have tj : (L - j.+1)%N = t by rewrite -e; exact: (subKn (ltnW tL)).
have VE : V4 t.+1 = if j is j'.+1 then plan_value (planned j) t.+1 else fun _ => 0.
  by apply: FunctionalExtensionality.functional_extensionality => s; rewrite V4E -/j; case: (j).
by rewrite e VE -[in RHS]tj; exact: planned_step.
Qed.

Lemma fit_scale c V t : fit W t (fun s => c * V s) = c *: fit W t V.
Proof.
rewrite /algorithm.fit /least_squares scalemxAr; congr (_ *m _); rewrite scaler_sumr; apply: eq_bigr => i _.
by rewrite scalerA.
Qed.

Lemma V4_range t s : 0 <= V4 t s <= H%:R.
Proof.
rewrite /V4; case: ifP => _; last by rewrite lexx ler0n.
rewrite /algorithm.plan_value /algorithm.plan_score; apply/andP; split.
  by rewrite le_minr ler0n andbT le_maxr lexx orbT.
by apply: (@le_trans _ _ L%:R); [rewrite le_minl lexx orbT|rewrite ler_nat].
Qed.

(* the regression of V4, before rounding *)
Lemma V4_fit t s a : (t < L)%N -> `|((fit W t (V4 t.+1))^T *m phi t s a) ord0 ord0 - \sum_s' P t s a s' * V4 t.+1 s'| <=
  H%:R * (alpha * Num.sqrt (qf (invmx (1%:M + gram phi x0 t (W t))) (phi t s a))).
Proof.
move=> tL; have [t1|t1] := ltnP t.+1 L; last first.
  have z : V4 t.+1 = (fun s => 0 * s) \o (fun _ => 0).
    by apply: FunctionalExtensionality.functional_extensionality => s'; rewrite /V4 ltnNge t1 /= mul0r.
  rewrite z; have -> : fit W t ((fun s => 0 * s) \o (fun _ => 0)) = 0 *: fit W t (fun _ => 0) :=
    fit_scale 0 (fun _ => 0) t.
  rewrite scale0r trmx0 mul0mx mxE big1 => [|s' _]; last by rewrite /= mul0r mulr0.
  by rewrite subrr normr0 !mulr_ge0 ?ler0n ?sqrtr_ge0.
have LH' : (L < H.+1)%N by rewrite ltnS.
pose i : label d H M := (inr (Ordinal LH'), (true, planned (L - t.+1))).
pose f := value_of t.+1 i.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have VE : V4 t.+1 = fun s => H%:R * f s.
  apply: FunctionalExtensionality.functional_extensionality => s';
    rewrite /V4 t1 /f /algorithm.value_of /= mulrCA divff ?mulr1 //.
  by rewrite gt_eqF.
rewrite VE (fit_scale H%:R f t) linearZ /= -scalemxAl mxE.
have -> : \sum_s' P t s a s' * (H%:R * f s') = H%:R * \sum_s' P t s a s' * f s'.
  by rewrite mulr_sumr; apply: eq_bigr => s' _; rewrite mulrCA.
rewrite -mulrBr normrM (ger0_norm (ltW HR)) ler_pmul2l //.
exact: (right_all (leq_trans tL LH) (leq_trans t1 LH) i s a).
Qed.

Let w4 t : 'cV[R]_d := point (planned (L - t)).1 - theta t.
Let Lam t : 'M[R]_d := matrix (planned (L - t)).2.

Lemma linear4 t s a : linear phi w4 t s a = ((point (planned (L - t)).1)^T *m phi t s a) ord0 ord0 - r t s a.
Proof.
have mB (E F : 'M[R]_1) : (E - F) ord0 ord0 = E ord0 ord0 - F ord0 ord0 by rewrite !mxE.
by rewrite /linear /w4 linearB /= mulmxBl mB.
Qed.

Lemma V4_right t s a : (t < L)%N ->
  `|linear phi w4 t s a - \sum_s' P t s a s' * V4 t.+1 s'| <= bonus phi beta Lam t s a.
Proof.
move=> tL; rewrite linear4 /bonus /Lam (plannedS tL) /=.
set x := fit W t (V4 t.+1); have [th1 _] := htheta t.
have ve i : `|(x + theta t) i ord0| <= M%:R.
  apply: (@le_trans _ _ (H * N + d)%N%:R); last by rewrite ler_nat; exact: HN_le sized.
  rewrite mxE natrD; apply: le_trans (ler_norm_add _ _) _; apply: ler_add.
    have := least_squares_entry (top := H%:R) (f1 t) (here x0 t (W t)) (next_state x0 t (W t)) i (V := V4 t.+1).
    rewrite card_ord natrM; apply=> s'.
    by have /andP[v0 v1] := V4_range t.+1 s'; rewrite ger0_norm.
  apply: sqr_le_norm; first exact: ler0n.
  apply: le_trans (entry_le _ i) _; apply: le_trans th1 _.
  by rewrite expr2 ler_pmulr ?ltr0n // ler1n.
have e1 := round_weight_near sized ve (f1 t s a); have e2 := V4_fit s a tL.
have e3 := mesh_length s0 a0 hP hmu f1 mass sized W t s a.
have e4 := gram_length s0 a0 f1 sized W t s a.
have mD (E F : 'M[R]_1) : (E + F) ord0 ord0 = E ord0 ord0 + F ord0 ord0 by rewrite mxE.
have xE : ((x + theta t)^T *m phi t s a) ord0 ord0 = (x^T *m phi t s a) ord0 ord0 + r t s a.
  by rewrite linearD /= mulmxDl mD.
rewrite xE in e1; rewrite -/x in e2.
have -> : ((point (round_weight (x + theta t)))^T *m phi t s a) ord0 ord0 - r t s a - \sum_s' P t s a s' * V4 t.+1 s' =
  (((point (round_weight (x + theta t)))^T *m phi t s a) ord0 ord0 - ((x^T *m phi t s a) ord0 ord0 + r t s a)) +
  ((x^T *m phi t s a) ord0 ord0 - \sum_s' P t s a s' * V4 t.+1 s') by ring.
apply: le_trans (ler_norm_add _ _) _.
have l0 : 0 <= length (sigma_of W t) t s a by exact: sqrtr_ge0.
apply: le_trans _ (ler_wpmul2r l0 (beta_large sized)); rewrite mulrDl mul1r addrC; apply: ler_add.
  apply: le_trans e2 _; have -> : 2%:R * H%:R * alpha * length (sigma_of W t) t s a =
    H%:R * (alpha * (2%:R * length (sigma_of W t) t s a)) by ring.
  by rewrite ler_wpmul2l ?ler0n // ler_wpmul2l.
exact: le_trans e1 e3.
Qed.

Lemma beta_pos : 0 < beta.
Proof.
by apply: lt_le_trans (beta_large sized); rewrite ltr_paddl ?ltr01 // mulr_ge0 // mulr_ge0 ?ler0n.
Qed.

Lemma Q4 t s a : Qcap r L%:R (linear phi w4) (bonus phi beta Lam) t s a = plan_score (planned (L - t)) t s a.
Proof.
have [_ hr] := htheta t; have /andP[r0 _] := hr s a; rewrite -/(r t s a) in r0.
rewrite /Qcap /algorithm.plan_score; congr (Num.min _ _); rewrite linear4 subrK.
rewrite -[bonus phi beta Lam t s a]/(beta * length (planned (L - t)).2 t s a); symmetry; apply/max_idPl.
have [tL|Lt] := ltnP t L.
  have := V4_right s a tL; rewrite linear4 ler_distl => /andP[h1 _].
  have V0 : 0 <= \sum_s' P t s a s' * V4 t.+1 s'.
    apply: sumr_ge0 => s' _; rewrite mulr_ge0 ?(proj1 (hP _ _ _)) //; by case/andP: (V4_range t.+1 s').
  rewrite -ler_subl_addr sub0r; apply: le_trans (le_trans _ h1) _; last by rewrite ler_subl_addr ler_addl.
  by rewrite -[leLHS]add0r; apply: ler_add.
have -> : (L - t = 0)%N by apply/eqP; rewrite subn_eq0.
by rewrite /= (point_origin d (M0 sized)) trmx0 mul0mx mxE add0r mulr_ge0 ?sqrtr_ge0 ?(ltW beta_pos).
Qed.

Lemma V4_opt t s : Vopt r L%:R (linear phi w4) (bonus phi beta Lam) plan L t s = V4 t s.
Proof. by rewrite /Vopt /V4; case: ifP => // tL; rewrite Q4. Qed.

(* the plan *)
Theorem plan_good : Jstar L P r rho a0 - eps <= theorem.J P r rho (det RR plan) L.
Proof.
have greedy t s a : Qcap r L%:R (linear phi w4) (bonus phi beta Lam) t s a <=
    Qcap r L%:R (linear phi w4) (bonus phi beta Lam) t s (plan t s).
  by rewrite !Q4; exact: best_max.
have ev t s a : (t < L)%N -> `|linear phi w4 t s a - \sum_s' P t s a s' *
    Vopt r L%:R (linear phi w4) (bonus phi beta Lam) plan L t.+1 s'| <= bonus phi beta Lam t s a.
  by move=> tL; under eq_bigr => s' _ do rewrite V4_opt; exact: V4_right.
have cond pi : proper pi -> event.J P rho pi (fun t s a => Num.sqrt (qf (invmx (Lam t)) (phi t s a))) L <= xi.
  move=> hpi; apply: le_trans (share LH); apply: le_trans (condition_all LH hpi).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: J_local => j s a jL.
  by rewrite /width /Lam (plannedS jL).
have hr t s a : 0 <= r t s a <= 1 by case: (htheta t) => _; exact.
have [_ [_ loss]] := ineq_plan_loss beta_pos hP hrho (optimism.det_law _ (best_policy L P r a0)) hr greedy ev cond.
have := loss eps xi_eps;
  rewrite -[event.J _ _ _ _ _ in X in X - _]/(theorem.J P r rho (det RR (best_policy L P r a0)) L).
by rewrite J_best ler_subl_addr -ler_subl_addl.
Qed.
End Plan.
End Good.

Local Notation law := (fun x : nat * mixture S A => @mixed_batch S A N H P rho x.2).
Hypothesis hdelta : H%:R * ((#|label d H M| * #|weight d M|)%N%:R * exp (- sigma ^+ 2) +
  #|weight d M|%:R * exp (- (kappa / 32%:R))) <= delta.

(* Theorem R with the conditions on the numbers as hypotheses *)
Theorem exploration_under_conditions : exists good : pred (H.-tuple O),
  1 - delta <= prob (fun h : H.-tuple O => history law psi [::] h) good /\
  forall h, good h -> [/\
    forall L, (L < H)%N -> let w := nth nothing (take L h) in
       (last (explore w L) < imax)%N /\ stops M phi rho beta5 nu s0 a0 w L (last (explore w L)),
    forall L, (L < H)%N -> pd (gram phi x0 L (nth nothing h L)) &
    forall L theta, (L <= H)%N -> (forall t, linear_reward (phi t) (theta t)) ->
      let r t s a := ((theta t)^T *m phi t s a) ord0 ord0 in
      Jstar L P r rho a0 - eps <= theorem.J P r rho (det RR (output psi h L theta)) L].
Proof.
exists (fun h => always psi ok [::] h); split; last first.
  move=> h good; split=> [L LH|L LH|L theta LH ht]; [exact: stops_all|exact: batch_spans|exact: plan_good].
have hl x : is_law (law x) by exact: mixed_batch_law.
have h4 : (4 * d * N.+1 <= M ^ 2)%N.
  apply: (@leq_trans M); last by rewrite -{1}[M]expn1 leq_pexp2l ?(M0 sized).
  apply: leq_trans (M_large sized); have := dd3 sized; move: (d ^ 3)%N => y yx.
  apply: (@leq_trans (4 * y * N.+1)); first by rewrite leq_mul2r leq_mul2l yx orbT.
  exact: count3.
have hd := hdelta; set q := (X in H%:R * X <= _) in hd.
have fails x : prob (law x) (fun o => ~~ ok x o) <= q.
  have v01 t i s : 0 <= value_of t i s <= 1 by exact: value01.
  exact: (batch_event H x0 hP hrho M sigma kappa v01 f1 (N_gt0 sized) x).
have q0 : 0 <= q.
  by rewrite addr_ge0 // mulr_ge0 ?ler0n // ltW // exp_pos'.
have /andP[h1 _] := always_bound psi [::] H hl fails q0.
apply: le_trans (le_trans _ h1) _; first by rewrite ler_add2l ler_opp2.
rewrite /always_prob /prob [leRHS]big_mkcond /= le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => h _.
by case: (always _ _ _ _); rewrite ?mulr1 ?mulr0.
Qed.
End Run.
