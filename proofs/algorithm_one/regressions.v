(* If no test fails, every regression of Algorithm 1 is right up to its bonus (Lemma C.4, repaired, on its event).
   The rewards that the algorithm is told, `hat`, are linear in the features and may be estimates from the data. *)
From derl.common Require Import real_prelude forms.
From derl.potential Require Import count.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.foundations Require Import rewards.
From derl.layerwise Require Import optimism run theorem.
From derl.algorithm_one Require Import trajectory_law grid values algorithm tests.

Section Regressions.
Variables (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (mu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d).
Variables (beta eps : R) (s0 : S) (a0 : A).
Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hmu : forall h s a s', P h s a s' = ((mu h s')^T *m phi h s a) ord0 ord0.
Hypothesis f1 : forall h s a, qf 1%:M (phi h s a) <= 1.
Hypothesis mass : forall h (v : S -> R), (forall s, `|v s| <= 1) -> qf 1%:M (\sum_s v s *: mu h s) <= d%:R.
Hypothesis hr : forall h s a, 0 <= r h s a <= 1.
Hypothesis htheta : forall h s a, r h s a = ((theta h)^T *m phi h s a) ord0 ord0.
Hypothesis beta0 : 0 <= beta.
Hypothesis H0 : (0 < H)%N.
Local Notation O := (batch S A N H).
Variable w : nat -> O.

Local Notation cell := (cell s0 a0).
Local Notation goal := (goal phi beta eps s0 a0).
Local Notation matrix_of := (matrix_of phi s0 a0).
Local Notation fit := (fit phi s0 a0).
(* the rewards that deployment k is told *)
Variables (hat : nat -> nat -> S -> A -> R) (vec : nat -> nat -> 'cV[R]_d).
Hypothesis hatE : forall k h s a, hat k h s a = ((vec k h)^T *m phi h s a) ord0 ord0.
Hypothesis vec_small : forall k h i, (h < H)%N -> `|vec k h i ord0| <= (2 * d)%N%:R.
Hypothesis hat_near : forall k h s a, (h < H)%N ->
  `|hat k h s a - r h s a| <= Num.sqrt d%:R * Num.sqrt (qf (invmx (matrix_of w k h)) (phi h s a)).
Local Notation plan k := (plan phi (hat k) beta eps s0 a0 w k).
Local Notation optimistic k := (optimistic H phi (hat k) beta).

Section Layer.
Variables (k h : nat).
(* the data of layer h before deployment k *)
Definition here (n : 'I_k * 'I_N) : S * A := cell w n.1 h n.2.
Definition next_state (n : 'I_k * 'I_N) : S := (cell w n.1 h.+1 n.2).1.

Lemma pair_sum (W : zmodType) (F : nat -> nat -> W) :
  \sum_(t < k) \sum_(i < N) F t i = \sum_(n : 'I_k * 'I_N) F n.1 n.2.
Proof. by rewrite (pair_big xpredT xpredT (fun (t : 'I_k) (i : 'I_N) => F t i)). Qed.

Lemma matrixE : matrix_of w k h = 1%:M + features_sum (phi h) here.
Proof.
rewrite /features_sum -(pair_sum (fun t i => outer (phi h (cell w t h i).1 (cell w t h i).2))).
reflexivity.
Qed.

Lemma fitE V : fit V w k h = least_squares (phi h) here next_state V.
Proof.
rewrite /algorithm.fit matrixE /least_squares; congr (_ *m _).
by rewrite -(pair_sum (fun t i => V (cell w t h.+1 i).1 *: phi h (cell w t h i).1 (cell w t h i).2)).
Qed.

Lemma cellE t h' (i : 'I_N) : cell w t h' i = nth (s0, a0) (w t i) h'.
Proof. by rewrite /algorithm.cell /row valK. Qed.

(* the tests of k deployments are tests of the noise vector *)
Lemma test_sum top scale V (u : 'cV[R]_d) :
  \sum_(t < k) test_batch P phi (s0, a0) top scale V u h (w t) =
  scale * (u^T *m noise_of (phi h) (P h) here next_state V) ord0 ord0 -
  scale ^+ 2 * top ^+ 2 / 8%:R * qf (features_sum (phi h) here) u.
Proof.
pose F (n : 'I_k * 'I_N) := test P phi top scale V u h (here n) (next_state n).
transitivity (\sum_n F n).
  rewrite -(pair_sum (fun t i => test P phi top scale V u h (cell w t h i) (cell w t h.+1 i).1)).
  by apply: eq_bigr => t _; apply: eq_bigr => i _; rewrite !cellE.
have -> : (u^T *m noise_of (phi h) (P h) here next_state V) ord0 ord0 =
    \sum_n centred (P h) here next_state V n * (u^T *m phi h (here n).1 (here n).2) ord0 ord0.
  rewrite /noise_of mulmx_sumr summxE; apply: eq_bigr => n _.
  by rewrite -scalemxAr mxE.
have -> : qf (features_sum (phi h) here) u = \sum_n (u^T *m phi h (here n).1 (here n).2) ord0 ord0 ^+ 2.
  rewrite /features_sum; elim/big_rec2: _ => [|n a b _ IH]; first by rewrite /qf bil0l.
  by rewrite qfD IH qf_outer dotC.
rewrite !mulr_sumr -sumrB; apply: eq_bigr => n _; rewrite /F /test /centred /mean.
by move: ((u^T *m _) ord0 ord0) (\sum_s' _) => a b; ring.
Qed.
End Layer.
Arguments here : clear implicits.
Arguments next_state : clear implicits.

Variables (K M : nat) (s : R).
Hypothesis d0 : (0 < d)%N.
Hypothesis N0 : (0 < N)%N.
Hypothesis K0 : (0 < K)%N.
Hypothesis hM : (16 * d ^ 2 * (K * N) ^ 2 * H <= M)%N.
Hypothesis bM : beta ^+ 2 <= M%:R.
Hypothesis s_gt0 : 0 < s.
Hypothesis hb : 3%:R * H%:R * s + 1 + H%:R * Num.sqrt d%:R + Num.sqrt d%:R <= beta.
Local Notation top := (H%:R : R).

(* the names of the tests: a direction and a value function of the net *)
Definition label : finType :=
  [finType of {ffun 'I_d -> mark M} * ({ffun 'I_d -> mark M} * {ffun 'I_d * 'I_d -> mark M})].
Definition tested h (j : label) : S -> R := candidate (phi h.+1) (fun _ _ => 0) H%:R (point j.2.1) (table j.2.2).
Definition tested_sum k h (j : label) : R :=
  \sum_(t < k) test_batch P phi (s0, a0) H%:R (s / H%:R)%R (tested h j) (point j.1) h (w t).
Hypothesis passed : forall k h j, (k < K)%N -> (h.+1 < H)%N -> tested_sum k h j <= s ^+ 2.

Local Notation n := (K * N)%N.
Lemma n0 : (0 < n)%N. Proof. by rewrite muln_gt0 K0. Qed.
Lemma M0 : (0 < M)%N.
Proof. by apply: leq_trans hM; rewrite !muln_gt0 d0 K0 N0 H0. Qed.
Lemma nR : 0 < n%:R :> R. Proof. by rewrite ltr0n n0. Qed.
Lemma MR : 0 < M%:R :> R. Proof. by rewrite ltr0n M0. Qed.
Lemma HR : 0 < top. Proof. by rewrite ltr0n. Qed.

Lemma few (k : nat) : (k < K)%N -> (#|[finType of 'I_k * 'I_N]| <= n)%N.
Proof. by move=> kK; rewrite card_prod !card_ord leq_mul2r ltnW ?orbT. Qed.

Lemma grid_size k : (k < K)%N -> (4 * d * (#|[finType of 'I_k * 'I_N]|).+1 <= M ^ 2)%N.
Proof.
move=> kK; apply: (@leq_trans M); last by rewrite -{1}[M]expn1 leq_pexp2l ?M0.
apply: leq_trans hM; have := few kK; have := n0; move: (K * N)%N (#|_|) => m c m0 cm.
have -> : (16 * d ^ 2 * m ^ 2 * H = (4 * d * (2 * m)) * (2 * (d * m * H)))%N by rewrite -!mulnn; lia.
apply: (@leq_trans (4 * d * (2 * m))); last by apply: leq_pmulr; rewrite !muln_gt0 d0 m0 H0.
by rewrite leq_mul2l; apply/orP; right; lia.
Qed.

(* the noise of a value of the net *)
Lemma tested_noise k h j : (k < K)%N -> (h.+1 < H)%N ->
  norm (invmx (1%:M + features_sum (phi h) (here k h)))
    (noise_of (phi h) (P h) (here k h) (next_state k h) (tested h j)) <=
  3%:R * H%:R * s.
Proof.
move=> kK hH; have sc : 0 < s / top by rewrite divr_gt0 ?HR.
pose kap := (s / top) ^+ 2 * top ^+ 2 / 8%:R.
have k0 : 0 <= kap by rewrite /kap divr_ge0 ?ler0n // mulr_ge0 ?sqr_ge0.
have L0 : 0 <= s ^+ 2 by exact: sqr_ge0.
have := @grid_norm M M0 d #|[finType of 'I_k * 'I_N]| _
  (noise_of (phi h) (P h) (here k h) (next_state k h) (tested h j)) (s / top)%R kap (s ^+ 2)%R
  (features_psd (phi h) (here k h)) (features_le (f1 h) (here k h)) (grid_size kK) sc k0 L0.
move=> g; apply: le_trans (g _) _ => [f|].
  rewrite -test_sum; exact: (passed (f, j.2) kK hH).
have -> : (9%:R / 4%:R * kap + s ^+ 2) * 2%:R / (s / top) = 41%:R / 16%:R * H%:R * s.
  by rewrite /kap; field; rewrite !gt_eqF ?HR.
rewrite ler_wpmul2r ?(ltW s_gt0) // ler_wpmul2r ?ler0n // ler_pdivr_mulr ?ltr0n //.
by rewrite -natrM ler_nat.
Qed.

Definition step : R := ((4%:R * n%:R)^-1)%R.
Lemma step_gt0 : 0 < step. Proof. by rewrite invr_gt0 mulr_gt0 ?ltr0n ?n0. Qed.
Lemma step1 : d%:R * M%:R^-1 <= step.
Proof.
have m0 := n0; rewrite /step ler_pdivr_mulr ?MR // mulrC ler_pdivl_mulr ?mulr_gt0 ?ltr0n ?n0 // -!natrM ler_nat.
apply: leq_trans hM; move: (K * N)%N m0 => m m0.
have -> : (16 * d ^ 2 * m ^ 2 * H = (d * (4 * m)) * (4 * (d * m * H)))%N by rewrite -!mulnn; lia.
by apply: leq_pmulr; rewrite !muln_gt0 d0 m0 H0.
Qed.
Lemma step2 : d%:R * (d%:R * M%:R^-1) <= step ^+ 2.
Proof.
have m0 := n0; rewrite mulrA ler_pdivr_mulr ?MR // [step ^+ 2 * _]mulrC /step exprVn.
rewrite ler_pdivl_mulr ?exprn_gt0 ?mulr_gt0 ?ltr0n ?n0 //.
rewrite -!natrM -natrX -natrM ler_nat; apply: leq_trans hM; move: (K * N)%N m0 => m m0.
have -> : (16 * d ^ 2 * m ^ 2 * H = (d * d * (4 * m) ^ 2) * H)%N by rewrite -!mulnn; lia.
exact: leq_pmulr.
Qed.

(* the value functions that are planned for deployment k, and the regressions behind them *)
Section Planned.
Variable k : nat.
Hypothesis kK : (k < K)%N.
Hypothesis goalH : (goal w k < H)%N.
Local Notation l := (goal w k).
Definition in_range j := forall x, 0 <= plan k j x <= top.

Lemma planned_noise j : (j <= l)%N -> (forall i, (i <= j)%N -> in_range i) ->
  norm (invmx (1%:M + features_sum (phi (l - j)) (here k (l - j))))
    (noise_of (phi (l - j)) (P (l - j)) (here k (l - j)) (next_state k (l - j)) (plan k j)) <=
  3%:R * H%:R * s + 1.
Proof.
case: j => [|j] jl range.
  rewrite [X in norm _ X](_ : _ = 0).
    by rewrite /norm qf0r sqrtr0 addr_ge0 ?ler01 // !mulr_ge0 ?ler0n // ltW.
  rewrite /noise_of big1 // => m _; rewrite /centred big1 ?subr0 ?scale0r // => x _.
  by rewrite mulr0.
set h := (l - j.+1)%N; have hE : h.+1 = (l - j)%N by rewrite /h -subSn.
have hH : (h.+1 < H)%N by rewrite hE; apply: leq_ltn_trans goalH; exact: leq_subr.
have range1 x : `|plan k j x| <= top.
  by have /andP[h0 h1] := range j (leqnSn j) x; rewrite ger0_norm.
pose x := fit (plan k j) w k h.+1 + vec k h.+1; pose L := matrix_of w k h.+1.
have LE : L = 1%:M + features_sum (phi h.+1) (here k h.+1) by exact: matrixE.
have psdG := features_psd (phi h.+1) (here k h.+1).
have pL : pd L by rewrite LE; exact: Lam_pd.
have [fx hfx] : exists fx : {ffun 'I_d -> mark M}, forall i, `|x i ord0 - point fx i ord0| <= M%:R^-1.
  apply: (@round_vector M M0 d x) => i; rewrite /x mxE fitE.
  have := least_squares_entry (f1 h.+1) (here k h.+1) (next_state k h.+1) i range1 => e1.
  apply: le_trans (ler_norm_add _ _) (le_trans (ler_add e1 (vec_small k i hH)) _).
  rewrite -natrM -natrD ler_nat; apply: leq_trans hM; have := few kK; move: n0 (#|_|); move: (K * N)%N => m m0 c cm.
  have -> : (16 * d ^ 2 * m ^ 2 * H = (H * m) * (8 * d * (d * m)) + (2 * d) * (4 * (d * m) * (m * H)))%N.
    by rewrite -!mulnn; lia.
  apply: leq_add; last by rewrite leq_pmulr // !muln_gt0 d0 m0 H0.
  by apply: leq_trans (leq_pmulr _ _); [rewrite leq_mul2l cm orbT|rewrite !muln_gt0 d0 m0].
have [fB hfB] : exists fB : {ffun 'I_d * 'I_d -> mark M}, forall i j',
    `|(beta ^+ 2 *: invmx L) i j' - table fB i j'| <= M%:R^-1.
  apply: (@round_matrix M M0 d) => i j'; rewrite mxE normrM (ger0_norm (sqr_ge0 _)).
  apply: le_trans bM; rewrite -[leRHS]mulr1 ler_wpmul2l ?sqr_ge0 // LE; exact: inverse_entry.
have near y : `|plan k j.+1 y - tested h (fx, (fx, fB)) y| <= 2%:R * step.
  set q := optimistic k (fit (plan k j) w k h.+1) L h.+1 y.
  have b := @candidate_near S A d (phi h.+1) (fun _ _ => 0) top (f1 h.+1) x (point fx) L (table fB) beta (M%:R^-1)%R
    step (plan k j.+1) y (best a0 q) beta0 (ltW step_gt0) pL hfx hfB step1 step2.
  have qE a : Num.min ((x^T *m phi h.+1 y a) ord0 ord0 + 0 + beta * Num.sqrt (qf (invmx L) (phi h.+1 y a))) top = q a.
    by rewrite /q /algorithm.optimistic hatE /x linearD mulmxDl mxE addr0.
  have pE : plan k j.+1 y = q (best a0 q) by rewrite planS -hE.
  apply: b; last by case/andP: (range j.+1 (leqnn _) y).
    by move=> a; rewrite qE pE; exact: best_max.
  by rewrite qE.
have := noise_near (f1 h) (hP h) (here k h) (next_state k h) (mulr_ge0 (ler0n _ 2) (ltW step_gt0)) near.
move=> c; apply: le_trans c _; apply: ler_add; first exact: tested_noise.
rewrite /step; have := few kK; rewrite -(ler_nat R_numDomainType) => le.
apply: (@le_trans _ _ (2%:R * (2%:R * (4%:R * n%:R)^-1) * n%:R)).
  by rewrite ler_wpmul2l // !mulr_ge0 ?ler0n // invr_ge0 mulr_ge0 ?ler0n.
have v0 := nR; move: (n%:R : R) v0 => v v0.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
Qed.

Lemma planned_right j y a : (j <= l)%N -> (forall i, (i <= j)%N -> in_range i) ->
  `|((fit (plan k j) w k (l - j))^T *m phi (l - j)%N y a) ord0 ord0 + (hat k (l - j)%N y a - r (l - j)%N y a) -
     \sum_y' P (l - j)%N y a y' * plan k j y'| <=
  beta * Num.sqrt (qf (invmx (matrix_of w k (l - j))) (phi (l - j)%N y a)).
Proof.
move=> jl range; have hH : (l - j < H)%N by apply: leq_ltn_trans goalH; exact: leq_subr.
have hb' : 3%:R * H%:R * s + 1 + H%:R * Num.sqrt d%:R <= beta - Num.sqrt d%:R by rewrite ler_subr_addr.
have := regression_right (@hmu _) (@mass _) y a (ltW HR) (range j (leqnn j)) (planned_noise jl range) hb'.
rewrite -fitE -matrixE => right; rewrite addrAC; apply: le_trans (ler_norm_add _ _) _.
by apply: le_trans (ler_add right (hat_near k y a hH)) _; rewrite -mulrDl subrK.
Qed.

Lemma planned_range j : (j <= l.+1)%N -> in_range j.
Proof.
suff all i : (i <= j)%N -> (j <= l.+1)%N -> in_range i by move=> jl; exact: (all j (leqnn j) jl).
elim: j i => [|j IH] i.
  by rewrite leqn0 => /eqP -> _ y; rewrite lexx ler0n.
rewrite leq_eqVlt => /orP[/eqP -> jl|ij jl]; last by apply: IH => //; exact: ltnW.
have range i' : (i' <= j)%N -> in_range i' by move=> i'j; apply: IH => //; exact: ltnW.
move=> y; rewrite planS; set q := optimistic _ _ _ _ _; apply/andP; split; last first.
  by rewrite /q /algorithm.optimistic le_minl lexx orbT.
apply: le_trans (best_max a0 q a0); rewrite /q /algorithm.optimistic le_minr (ltW HR) andbT.
have := planned_right y a0 jl range; rewrite ler_distl => /andP[low _].
have r0 : 0 <= r (l - j)%N y a0 by case/andP: (hr (l - j)%N y a0).
have p0 : 0 <= \sum_y' P (l - j)%N y a0 y' * plan k j y'.
  apply: sumr_ge0 => y' _; rewrite mulr_ge0 ?(proj1 (hP _ _ _)) //.
  by case/andP: (range j (leqnn j) y').
move: low; rewrite ler_subl_addr => low; have := ler_add (le_trans p0 low) r0; rewrite addr0 => low0.
by apply: le_trans low0 _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Planned.

(* the run: its weights are such that w^T phi plus the true reward is what the algorithm computes *)
Definition told_run : run S A d :=
  Run (fun k h i => (cell w k h i).1) (fun k h i => (cell w k h i).2)
    (fun k => greedy_policy phi (hat k) beta eps s0 a0 w k)
    (fun k h => weights phi (hat k) beta eps s0 a0 w k h + vec k h - theta h).
Local Notation X := told_run.

Lemma told_est k h y a : est phi X k h y a =
  ((weights phi (hat k) beta eps s0 a0 w k h)^T *m phi h y a) ord0 ord0 + (hat k h y a - r h y a).
Proof. by rewrite /est [weight _ _ _]/= -bil1 bilDm bilNm bilDm !bil1 -hatE -htheta addrA. Qed.

Lemma told_Q k h y a : Q N H r phi beta X k h y a =
  optimistic k (weights phi (hat k) beta eps s0 a0 w k h) (matrix_of w k h) h y a.
Proof. by rewrite /Q /Qcap told_est addrA subrK. Qed.

Lemma told_greedy k h y a : Q N H r phi beta X k h y a <= Q N H r phi beta X k h y (greedy X k h y).
Proof. by rewrite !told_Q; exact: best_max. Qed.

Lemma told_V k h y : V N H r phi beta eps X k h y = plan k ((goal w k).+1 - h)%N y.
Proof.
rewrite /V /Vopt -[target _ _ _ _ _ _ _]/(goal w k); case: ltnP => [lt|le]; last first.
  by have -> : ((goal w k).+1 - h = 0)%N by apply/eqP; rewrite subn_eq0.
rewrite ltnS in lt; rewrite (subSn lt) planS (subKn lt); exact: told_Q.
Qed.

(* every regression of a deployment before K is right up to its bonus *)
Theorem regressions_right k h y a : (k < K)%N -> (goal w k < H)%N -> (h <= goal w k)%N ->
  `|est phi X k h y a - \sum_y' P h y a y' * V N H r phi beta eps X k h.+1 y'| <= bonus N phi beta X k h y a.
Proof.
move=> kK gH hl.
have range i : (i <= goal w k - h)%N -> in_range k i.
  by move=> ih; apply: (planned_range kK gH); apply: leqW; apply: leq_trans ih _; exact: leq_subr.
have := planned_right kK gH y a (leq_subr h _) range; rewrite (subKn hl) -told_est => right.
have -> : \sum_y' P h y a y' * V N H r phi beta eps X k h.+1 y' = \sum_y' P h y a y' * plan k (goal w k - h)%N y'.
  by apply: eq_bigr => y' _; rewrite told_V subSS.
exact: right.
Qed.
End Regressions.
