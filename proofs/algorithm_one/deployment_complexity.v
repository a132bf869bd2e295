(* Theorem 4.1, repaired, end to end: with probability at least 1 - delta, over all data of the run, the policy that
   Algorithm 1 returns after at most c_K d H + 1 deployments is epsilon-optimal. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.foundations Require Import rewards policies.
From derl.layerwise Require Import optimism sizes theorem.
From derl.algorithm_one Require Import trajectory_law grid algorithm regressions optimal success numbers setting.
Local Arguments exp x%R.

Lemma sides d H : (2 <= d * H)%N -> (2 + (H + 1) * (d + 1) <= 4 * (d * H))%N.
Proof. by case: d => [|m]; case: H => [|k]; nia. Qed.

Section Numbers.
Variables (d N H : nat) (eps delta cK : R).
Hypothesis dH : (2 <= d * H)%N.
Hypothesis e01 : 0 < eps <= 1.
Hypothesis t01 : 0 < delta < 1.
Hypothesis c2 : 2%:R <= cK.
Let ell := ln (2 * INR d * INR H * INR N / delta)%coqR.
Let beta := (26 * INR d * INR H * sqrt ell)%coqR.
Hypothesis size : (printed_size 4 size_constant cK (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps)))
  <= INR N)%coqR.

Lemma d_pos : (0 < d)%N. Proof. by move: dH; case: d. Qed.
Lemma H_pos : (0 < H)%N. Proof. by move: dH; rewrite mulnC; case: H. Qed.
Lemma N_pos : (0 < N)%N.
Proof.
case: N size => // h; exfalso; move: h => /=.
have p : (0 < printed_size 4 size_constant cK (INR d) (INR H) eps (ln (INR H * INR d / (delta * eps))))%coqR.
  apply: Rmult_lt_0_compat; last exact: exp_pos.
  by rewrite /size_constant; apply: pow_lt; Lra.lra.
by move=> h; Lra.lra.
Qed.

Lemma inr1 n : (0 < n)%N -> (1 <= INR n)%coqR.
Proof. by move=> n0; apply: (le_INR 1); apply/ssrnat.leP. Qed.
Lemma inrM : (2 <= INR d * INR H)%coqR.
Proof.
by rewrite -mult_INR; apply: (le_INR 2); apply/ssrnat.leP.
Qed.

Lemma ell_ge1 : (1 <= ell)%coqR.
Proof.
have /andP[/RltP t0 /RltP t1] := t01.
by apply: ell1 => //; [exact: inrM|exact: inr1 N_pos].
Qed.

Let l : R := ((eps / (4%:R * H%:R * beta)) ^+ 2)%R.
Let e : R := sqrt ell.

Lemma e_sq : e * e = ell.
Proof. by apply: sqrt_sqrt; have := ell_ge1; Lra.lra. Qed.
Lemma e_ge1 : 1 <= e.
Proof.
apply/RleP; apply: (Rle_trans _ (sqrt 1)); first by rewrite sqrt_1; exact: Rle_refl.
by apply: sqrt_le_1_alt; exact: ell_ge1.
Qed.
Lemma betaE : beta = 26%:R * d%:R * H%:R * e.
Proof. by rewrite (litE 26) !natE. Qed.
Lemma beta_pos : 0 < beta.
Proof.
by rewrite betaE !mulr_gt0 ?ltr0n ?d_pos ?H_pos //; apply: lt_le_trans e_ge1; exact: ltr01.
Qed.

Lemma facts : (4 * ell <= INR N * l /\ Rpower (cK / Rpower l cK) (/ (cK - 1)) <= INR N /\
  Rpower ((INR N + 4) / Rpower l (INR N + 4)) (/ (INR N + 4 - 1)) <= INR N /\ l * INR d <= 1 /\ 0 < l)%coqR.
Proof.
have /andP[/RltP t0 /RltP t1] := t01; have /andP[/RltP e0 /RleP e1] := e01.
apply: (conditions (INR d) (INR H) (INR N) eps delta cK l beta) => //; try exact: inr1 d_pos.
- exact: inr1 H_pos.
- exact: inrM.
- exact: inr1 N_pos.
- by move/RleP: c2; rewrite (litE 2).
- have sq : beta * beta = 676%:R * (d%:R * d%:R) * (H%:R * H%:R) * (e * e) by rewrite betaE; ring.
  rewrite -/ell -e_sq -!natE -(litE 676); exact: sq.
have lb : l * (16%:R * (H%:R * H%:R) * (beta * beta)) = eps * eps; last first.
  rewrite -!natE -(litE 16); exact: lb.
by rewrite /l; field; rewrite !gt_eqF ?beta_pos ?ltr0n ?H_pos.
Qed.

(* the trade-off that the union bound sees *)
Definition cut : R := Num.min cK (N%:R + 4%:R)%R.
Definition few_deployments : nat := (floor (cut * d%:R * H%:R) + 1)%N.

Lemma cut_ge : 2%:R <= cut.
Proof. by rewrite /cut le_minr c2 -natrD ler_nat ltn_addl. Qed.
Lemma dHR : 0 < d%:R * H%:R :> R. Proof. by rewrite mulr_gt0 ?ltr0n ?d_pos ?H_pos. Qed.
Lemma cut_floor : 0 <= cut * d%:R * H%:R.
Proof. by rewrite -mulrA mulr_ge0 ?(ltW dHR) //; apply: le_trans cut_ge; exact: ler0n. Qed.

Lemma few_le : (few_deployments <= floor (cK * d%:R * H%:R) + 1)%N.
Proof.
have le : cut * d%:R * H%:R <= cK * d%:R * H%:R.
  by rewrite -!mulrA ler_wpmul2r ?(ltW dHR) // /cut le_minl lexx.
by rewrite leq_add2r; apply: le_floor; exact: (le_trans (floor_below cut_floor) le).
Qed.

Lemma few_bound : (few_deployments <= 6 * N * d * H)%N.
Proof.
have h : (floor (cut * d%:R * H%:R) <= (N + 4) * d * H)%N.
  rewrite -(ler_nat R_numDomainType); apply: le_trans (floor_below cut_floor) _.
  by rewrite !natrM natrD -!mulrA ler_wpmul2r ?(ltW dHR) // /cut le_minl lexx orbT.
rewrite /few_deployments -!mulnA; apply: leq_trans (_ : (N + 4) * (d * H) + N * (d * H) <= _)%N.
  apply: leq_add; first by rewrite mulnA.
  by rewrite !muln_gt0 N_pos d_pos H_pos.
rewrite -mulnDl [X in (_ <= X)%N]mulnA leq_mul2r; apply/orP; right; have := N_pos; move: N => n; lia.
Qed.

Lemma cut_condition : (Rpower (cut / Rpower l cut) (/ (cut - 1)) <= INR N)%coqR.
Proof.
have [_ [h1 [h2 _]]] := facts.
have e4 : (N%:R + 4%:R)%R = (INR N + 4)%coqR by rewrite natE (litE 4).
by rewrite /cut; case: (leP cK (N%:R + 4%:R)) => _; rewrite ?e4.
Qed.

(* the grid *)
Let X : R := (2 * INR d * INR H * INR N / delta)%coqR.
Definition mesh : nat := (floor (X ^ 8)%coqR + 1)%N.
Local Notation few := few_deployments.

Lemma X_delta : (X * delta = 2 * INR d * INR H * INR N)%coqR.
Proof.
by have /andP[/RltP t0 _] := t01; rewrite /X /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; exact: Rgt_not_eq.
Qed.

Lemma few_real : (INR few <= 6 * INR N * INR d * INR H)%coqR.
Proof.
have := le_INR _ _ (elimT ssrnat.leP few_bound); rewrite !mult_INR => h.
by apply: Rle_trans h _; right; congr (_ * _ * _ * _)%coqR; rewrite INR_IZR_INZ.
Qed.

Lemma mesh_facts : (4 <= X /\ 16 * (INR d * INR d) * ((INR few * INR N) * (INR few * INR N)) * INR H <= X ^ 8 /\
  beta * beta <= X ^ 8 /\ (forall M, 0 <= M -> M <= X ^ 8 + 1 -> 2 * (M * M) + 1 <= X ^ 18))%coqR.
Proof.
have /andP[/RltP t0 /RltP t1] := t01.
apply: (marks (INR d) (INR H) (INR N) delta (INR few) X beta) => //; try exact: inr1 d_pos.
- exact: inr1 H_pos.
- exact: inrM.
- exact: inr1 N_pos.
- exact: pos_INR.
- exact: few_real.
- exact: X_delta.
have sq : beta * beta = 676%:R * (d%:R * d%:R) * (H%:R * H%:R) * (e * e) by rewrite betaE; ring.
by rewrite -[ln X]/ell -e_sq -!natE -(litE 676); exact: sq.
Qed.

Lemma mesh_up : (X ^ 8)%coqR <= mesh%:R.
Proof. by rewrite /mesh addn1 ltW // floor_above. Qed.

Lemma mesh_size : (16 * d ^ 2 * (few * N) ^ 2 * H <= mesh)%N.
Proof.
have [_ [h _]] := mesh_facts; apply: leq_trans (_ : floor (X ^ 8)%coqR <= _)%N; last exact: leq_addr.
apply: le_floor; rewrite natE; apply/RleP; apply: Rle_trans h; right.
by rewrite -!mulnn !mult_INR (INR_IZR_INZ 16).
Qed.

Lemma beta_mesh : beta ^+ 2 <= mesh%:R.
Proof. by have [_ [_ [h _]]] := mesh_facts; apply: le_trans mesh_up; rewrite expr2; apply/RleP. Qed.

Lemma label_card : (#|label d mesh|)%:R <= exp (18 * ln X * (3 * (INR d * INR d)))%coqR.
Proof.
have [X4 [_ [_ h]]] := mesh_facts; have X0 : (0 < X)%coqR by Lra.lra.
set B := ((2 * mesh ^ 2).+1)%N; have BX : B%:R <= exp (18 * ln X)%coqR.
  have -> : exp (18 * ln X)%coqR = (X ^ 18)%coqR.
    by rewrite -(Rpower_pow 18 X X0) /Rpower (INR_IZR_INZ 18).
  have := h mesh%:R; rewrite /B -[(2 * mesh ^ 2).+1]addn1 natrD natrM expnS expn1 natrM => k.
  apply/RleP; apply: k; first by apply/RleP; exact: ler0n.
  have X8 : 0 <= (X ^ 8)%coqR by apply/RleP; left; exact: pow_lt.
  by apply/RleP; rewrite /mesh natrD ler_add2r; exact: floor_below.
have -> : #|label d mesh| = (B ^ (d + (d + d * d)))%N.
  by rewrite !card_prod !card_ffun !card_prod !card_ord !expnD.
rewrite natrX; apply: (@le_trans _ _ (exp (18 * ln X)%coqR ^+ (d + (d + d * d)))).
  by apply: ler_expn2r; rewrite ?nnegrE ?ler0n // ltW // exp_pos'.
rewrite expX; apply: exp_mono.
have u0 : 0 <= (18 * ln X)%coqR.
  apply/RleP; change (0 <= 18 * ln X)%coqR.
  by have := ln_ge0 X ltac:(Lra.lra); Lra.lra.
have -> : (18 * ln X * (3 * (INR d * INR d)))%coqR = (3 * d * d)%N%:R * (18 * ln X)%coqR.
  rewrite !natrM (litE 3) -!natE; move: (ln X) (IZR 18) (IZR (Z.of_nat 3)) (d%:R : R) => u k t v.
  by change (k * u * (t * (v * v)) = t * v * v * (k * u)); ring.
rewrite ler_wpmul2r // ler_nat; have := d_pos; move: d => m m0.
by have : (m <= m * m)%N by [rewrite leq_pmulr]; lia.
Qed.

Let s : R := (8%:R * d%:R * e)%R.
Lemma s_pos : 0 < s.
Proof. by rewrite !mulr_gt0 ?ltr0n ?d_pos //; apply: lt_le_trans e_ge1; exact: ltr01. Qed.

Lemma radius : 3%:R * H%:R * s + 1 + H%:R * Num.sqrt d%:R + Num.sqrt d%:R <= beta.
Proof.
have dd : 2%:R * Num.sqrt d%:R <= d%:R + 1 :> R.
  rewrite -subr_ge0 -{1}(sqr_sqrtr (ler0n R_numDomainType d)); move: (Num.sqrt _) => x.
  have -> : x ^+ 2 + 1 - 2%:R * x = (x - 1) ^+ 2 by ring.
  exact: sqr_ge0.
have n := sides dH.
have q : 2%:R * (1 + (H%:R + 1) * Num.sqrt d%:R) <= 2%:R * (2%:R * (d%:R * H%:R * e)).
  apply: (@le_trans _ _ (2 + (H + 1) * (d + 1))%N%:R).
    rewrite natrD natrM !natrD mulrDr mulr1 ler_add2l mulrCA ler_wpmul2l ?addr_ge0 ?ler0n ?ler01 //; exact: dd.
  apply: (@le_trans _ _ (4%:R * (d%:R * H%:R))); first by rewrite -!natrM ler_nat.
  by rewrite -[4%:R]/((2 * 2)%N%:R) natrM -mulrA !ler_pmul2l ?ltr0n // ler_pmulr ?e_ge1 // dHR.
rewrite ler_pmul2l ?ltr0n // in q; rewrite betaE -subr_ge0; rewrite -subr_ge0 in q; move: q.
by congr (0 <= _); rewrite /s; ring.
Qed.

Lemma total : (few * H * #|label d mesh|)%N%:R * exp (- s ^+ 2) + few%:R * luck N H beta eps <= delta.
Proof.
have /andP[/RltP t0 /RltP t1] := t01; have [X4 _] := mesh_facts.
have [big _] := facts.
have lk : luck N H beta eps = exp (- (2%:R * (N%:R * l))).
  rewrite /luck; congr (exp (- _)); rewrite /l; field; by rewrite !gt_eqF ?beta_pos ?ltr0n ?H_pos.
have se : exp (- s ^+ 2) = exp (- (64 * (INR d * INR d) * ln X))%coqR.
  congr exp; rewrite /s -[ln X]/ell -e_sq -!natE -(litE 64).
  have -> : (8%:R * d%:R * e) ^+ 2 = 64%:R * (d%:R * d%:R) * (e * e) by ring.
  by [].
rewrite lk se !natrM; apply/RleP.
have c0 : (0 <= (#|label d mesh|)%:R)%coqR by apply/RleP; exact: ler0n.
have := union_numbers (INR d) (INR H) (INR N) delta (INR few) X (#|label d mesh|)%:R (2%:R * (N%:R * l))%R
  (inr1 d_pos) (inr1 H_pos) inrM t0 t1 (inr1 N_pos) (pos_INR _) few_real X_delta X4 c0 (elimT (RleP _ _) label_card).
rewrite -!natE => u; apply: u.
by move: big; rewrite -natE (litE 2) -[ln X]/ell => big; change (8 * ell <= 2 * (N%:R * l))%coqR; Lra.lra.
Qed.
(* the conditions of `success.v` for the trade-off `cut` *)
Lemma cut1 : 1 < cut.
Proof. by apply: lt_le_trans cut_ge; rewrite ltr1n. Qed.
Lemma level_small : l <= d%:R^-1.
Proof.
have [_ [_ [_ [ld _]]]] := facts.
by rewrite -[leRHS]mul1r ler_pdivl_mulr ?ltr0n ?d_pos //; apply/RleP; rewrite (natE d); exact: ld.
Qed.
Lemma cut_size : Rpower (cut / Rpower l cut) (/ (cut - 1))%coqR <= N%:R.
Proof. by rewrite (natE N); apply/RleP; exact: cut_condition. Qed.
Lemma eps_pos : 0 < eps. Proof. by case/andP: e01. Qed.

Section Model.
Variables (S A : finType) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (mu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d) (s0 : S) (a0 : A).
Variable tail : seq (batch S A N H) -> past_policy R_realFieldType S A.
Hypothesis hrho : is_law rho.
Hypothesis lin : forall h, assumption_one (phi h) (mu h) (theta h) (P h) (r h).
Hypothesis hr : forall h s a, 0 <= r h s a <= 1.
(* the rewards that a deployment is told *)
Variables (hat : (nat -> batch S A N H) -> nat -> nat -> S -> A -> R).
Variables (vec : (nat -> batch S A N H) -> nat -> nat -> 'cV[R]_d).
Hypothesis hat_local : forall k w w', agree k w w' -> hat w k = hat w' k.
Hypothesis hatE : forall w k h s a, hat w k h s a = ((vec w k h)^T *m phi h s a) ord0 ord0.
Hypothesis vec_small : forall w k h i, (h < H)%N -> `|vec w k h i ord0| <= (2 * d)%N%:R.
Hypothesis hat_near : forall w k h s a, (h < H)%N -> `|hat w k h s a - r h s a| <=
  Num.sqrt d%:R * Num.sqrt (qf (invmx (matrix_of phi s0 a0 w k h)) (phi h s a)).

Lemma printed_stops (w : nat -> batch S A N H) :
  exists2 k, (k < floor (cK * d%:R * H%:R) + 1)%N & last_one phi beta eps s0 a0 w k.
Proof.
have [k kK lk] := stops_in_time s0 a0 lin d_pos N_pos H_pos beta_pos eps_pos w cut1 level_small cut_size.
by exists k => //; apply: leq_trans kK few_le.
Qed.

Definition printed_success := layerwise_under_conditions tail hrho lin hr d_pos N_pos H_pos beta_pos eps_pos
  hat_local hatE vec_small hat_near cut1 level_small cut_size few_le mesh_size beta_mesh s_pos radius total.
Definition printed_layers := layers_under_conditions tail hrho lin hr d_pos N_pos H_pos beta_pos eps_pos
  hat_local hatE vec_small hat_near cut1 level_small cut_size few_le mesh_size beta_mesh s_pos radius total.
End Model.

(* the true rewards, told from the beginning, are such rewards *)
Section Known.
Variables (S A : finType) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (mu : nat -> S -> 'cV[R]_d) (theta : nat -> 'cV[R]_d) (s0 : S) (a0 : A).
Variable tail : seq (batch S A N H) -> past_policy R_realFieldType S A.
Hypothesis hrho : is_law rho.
Hypothesis lin : forall h, assumption_one (phi h) (mu h) (theta h) (P h) (r h).
Hypothesis hr : forall h s a, 0 <= r h s a <= 1.
Local Notation O := (batch S A N H).
Let hat (w : nat -> O) (k : nat) := r.
Let vec (w : nat -> O) (k : nat) := theta.
Let hat_local k w w' : agree k w w' -> hat w k = hat w' k. Proof. by []. Qed.
Let hatE w k h x a : hat w k h x a = ((vec w k h)^T *m phi h x a) ord0 ord0. Proof. by case: (lin h). Qed.
Let vec_small w k h i : (h < H)%N -> `|vec w k h i ord0| <= (2 * d)%N%:R.
Proof.
move=> _; apply: sqr_le_norm; first exact: ler0n.
have [_ _ _ t1 _] := lin h; apply: le_trans (entry_le _ i) (le_trans t1 _).
by rewrite -natrX ler_nat -mulnn; have := d_pos; move: (d) => m; nia.
Qed.
Let hat_near w k h x a : (h < H)%N -> `|hat w k h x a - r h x a| <=
  Num.sqrt d%:R * Num.sqrt (qf (invmx (matrix_of phi s0 a0 w k h)) (phi h x a)).
Proof. by rewrite subrr normr0 mulr_ge0 ?sqrtr_ge0. Qed.
Definition known_success := printed_success tail hrho lin hr hat_local hatE vec_small hat_near.
Definition known_layers := printed_layers tail hrho lin hr hat_local hatE vec_small hat_near.
End Known.
End Numbers.

(* [res-layerwise-whole-run]: for every linear model with rewards in [0, 1], d H >= 2, 0 < eps <= 1, 0 < delta < 1,
   c_K >= 2 and every N from the printed bound with the constant 10^20 on, Algorithm 1 with
   beta = 26 d H sqrt (log (2 d H N / delta)) finishes its last layer within K = floor (c_K d H) + 1 deployments,
   whatever the data, and with probability at least 1 - delta it returns an epsilon-optimal policy; beyond the target
   layer of a deployment it plays any policy, which may depend on the past and draw its actions *)
Theorem deployment_complexity_tail (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R)
    (r : nat -> S -> A -> R) (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A)
    (tail : seq (batch S A N H) -> past_policy R_realFieldType S A) :
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps L <= INR N)%coqR ->
  (forall w : nat -> batch S A N H, exists2 k, (k < K)%N & last_one phi beta eps s0 a0 w k) /\
  1 - delta <= success (@past_batch_law R_realFieldType S A P N H rho) (algorithm_one_tail phi r beta eps s0 a0 tail)
    (fun pi => Jstar H P r rho a0 - eps <= J P r rho (det R_realFieldType pi) H) K.
Proof.
move=> [dH e01 t01 c2] [mu [theta [hrho lin hr]]] L beta K hN.
split=> [w|]; first exact: (printed_stops dH e01 t01 c2 hN s0 a0 lin w).
exact: (known_success dH e01 t01 c2 hN s0 a0 tail hrho lin hr).
Qed.

(* the greedy policy beyond the target layer as well: what `algorithm_one` deploys *)
Definition greedy_tail (S A : finType) d N H (phi : nat -> S -> A -> 'cV[R]_d) r beta eps (s0 : S) (a0 : A)
    (h : seq (batch S A N H)) : past_policy R_realFieldType S A :=
  pure _ (greedy_policy phi r beta eps s0 a0 (nth (nothing N H s0 a0) h) (seq.size h)).

Section Greedy.
Variables (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (beta eps : R) (s0 : S) (a0 : A).
Local Notation psi := (algorithm_one N H phi r beta eps s0 a0).
Local Notation psi' := (algorithm_one_tail phi r beta eps s0 a0 (greedy_tail phi r beta eps s0 a0)).
Local Notation law := (@batch_law R_realFieldType S A P N H rho).
Local Notation law' := (@past_batch_law R_realFieldType S A P N H rho).

Lemma greedy_tail_law h o : law' (deploy psi' h) o = law (deploy psi h) o.
Proof. by apply: past_batch_law_pure => past s a /=; rewrite /cut_off_chance; case: ifP. Qed.

Lemma greedy_tail_history pre h : history law' psi' pre h = history law psi pre h.
Proof. by elim: h pre => [|o h IH] pre //=; rewrite IH greedy_tail_law. Qed.
End Greedy.

(* the same for the fixed tail *)
Theorem deployment_complexity (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R)
    (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A) :
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps L <= INR N)%coqR ->
  (forall w : nat -> batch S A N H, exists2 k, (k < K)%N & last_one phi beta eps s0 a0 w k) /\
  1 - delta <= success (@batch_law R_realFieldType S A P N H rho) (algorithm_one N H phi r beta eps s0 a0)
    (fun pi => Jstar H P r rho a0 - eps <= J P r rho (det R_realFieldType pi) H) K.
Proof.
move=> ok model L beta K hN.
have [stop main] := deployment_complexity_tail s0 a0 (greedy_tail phi r beta eps s0 a0) ok model hN.
split=> //; apply: le_trans main _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => h _; rewrite greedy_tail_history.
Qed.

(* [res-layerwise-whole-run-layers]: in the same setting, with probability at least 1 - delta, for every layer h at
   once, some deployment finishes layer h with a policy that is epsilon-optimal for the model truncated there *)
Theorem deployment_complexity_layers_tail (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R)
    (r : nat -> S -> A -> R) (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A)
    (tail : seq (batch S A N H) -> past_policy R_realFieldType S A) :
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps L <= INR N)%coqR ->
  1 - delta <= prob (fun h : K.-tuple (batch S A N H) =>
      history (@past_batch_law R_realFieldType S A P N H rho) (algorithm_one_tail phi r beta eps s0 a0 tail) [::] h)
    (fun h => let w := nth (nothing N H s0 a0) h in
      [forall x : 'I_H, [exists k : 'I_K,
        [&& goal phi beta eps s0 a0 w k == x, finished_by phi beta eps s0 a0 w k &
        Jstar x.+1 P r rho a0 - eps <=
          J P r rho (det R_realFieldType (greedy_policy phi r beta eps s0 a0 w k)) x.+1]]]).
Proof.
move=> [dH e01 t01 c2] [mu [theta [hrho lin hr]]] L beta K hN.
exact: (known_layers dH e01 t01 c2 hN s0 a0 tail hrho lin hr).
Qed.

(* the same for the fixed tail *)
Theorem deployment_complexity_layers (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R)
    (r : nat -> S -> A -> R) (rho : S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (eps delta cK : R) (s0 : S) (a0 : A) :
  numbers_allowed d H eps delta cK -> linear_model P r rho phi ->
  let L := ln (INR H * INR d / (delta * eps))%coqR in
  let beta := (26 * INR d * INR H * sqrt (ln (2 * INR d * INR H * INR N / delta)))%coqR in
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (printed_size 4 (10 ^ 20) cK (INR d) (INR H) eps L <= INR N)%coqR ->
  1 - delta <= prob (fun h : K.-tuple (batch S A N H) =>
      history (@batch_law R_realFieldType S A P N H rho) (algorithm_one N H phi r beta eps s0 a0) [::] h)
    (fun h => let w := nth (nothing N H s0 a0) h in
      [forall x : 'I_H, [exists k : 'I_K,
        [&& goal phi beta eps s0 a0 w k == x, finished_by phi beta eps s0 a0 w k &
        Jstar x.+1 P r rho a0 - eps <=
          J P r rho (det R_realFieldType (greedy_policy phi r beta eps s0 a0 w k)) x.+1]]]).
Proof.
move=> ok model L beta K hN.
have main := deployment_complexity_layers_tail s0 a0 (greedy_tail phi r beta eps s0 a0) ok model hN.
apply: le_trans main _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => h _; rewrite greedy_tail_history.
Qed.
