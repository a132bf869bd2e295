(* On the space of the whole run: for every number of deployments, layer, direction and value function of
   finite families a test fails with probability at most e^-L; and the average of the bonuses of a
   deployment is near its mean. *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.layerwise Require Import optimism.
From derl.foundations Require Import policies.
From derl.algorithm_one Require Import adaptive_product trajectory_law values.
Local Arguments exp x%R.

Section Tests.
Variables (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (x0 : S * A).
Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hrho : is_law rho.
Local Notation O := (batch S A N H).
Local Notation law := (@past_batch_law R_realFieldType S A P N H rho).

Section One.
Variables (top scale : R) (V : S -> R) (u : 'cV[R]_d) (h : nat).
Hypothesis top0 : 0 < top.
Hypothesis hV : forall s, 0 <= V s <= top.

(* the test of the direction u, at a state and action x and the next state s' *)
Definition test (x : S * A) (s' : S) : R :=
  let c := (scale * (u^T *m phi h x.1 x.2) ord0 ord0)%R in
  (c * (V s' - mean (P h x.1 x.2) V) - c ^+ 2 * top ^+ 2 / 8%:R)%R.
(* added over a batch *)
Definition test_batch (o : O) : R := \sum_i test (nth x0 (o i) h) (nth x0 (o i) h.+1).1.

Lemma past_test (pi : past_policy R_realFieldType S A) : (h.+1 < H)%N ->
  \sum_(t : H.-tuple (S * A)) past_law P pi 0 [::] rho t * exp (test (nth x0 t h) (nth x0 t h.+1).1) <= 1.
Proof.
move=> hH.
apply: le_trans (past_step hP pi (M := fun s a s' => exp (test (s, a) s')) x0 [::] hrho hH _).
  by apply: ler_sum => t _; case: (nth x0 t h) => s a.
move=> s a; rewrite add0n; exact: (hoeffding_step _ (hP h s a) top0 hV).
Qed.

Lemma trajectory_test g : (h.+1 < H)%N ->
  \sum_(t : H.-tuple (S * A)) path_law P g 0 rho t * exp (test (nth x0 t h) (nth x0 t h.+1).1) <= 1.
Proof.
move=> hH; apply: le_trans (past_test (pure R_realFieldType g) hH).
by apply: ler_sum => t _; rewrite (@past_law_pure _ S A P (pure _ g) g [::]).
Qed.

Lemma batch_test pi : (h.+1 < H)%N -> \sum_o law pi o * exp (test_batch o) <= 1.
Proof.
move=> hH; under eq_bigr => o _ do rewrite /test_batch exp_sum.
rewrite /past_batch_law (product_mean (fun (_ : 'I_N) (t : H.-tuple (S * A)) => past_law P pi 0 [::] rho t)
  (fun _ (t : H.-tuple (S * A)) => exp (test (nth x0 t h) (nth x0 t h.+1).1))).
apply: (@le_trans _ _ (\prod_(i < N) (1 : R))); last by rewrite big1.
apply: ler_prod => i _; rewrite past_test // andbT; apply: sumr_ge0 => t _.
by rewrite mulr_ge0 ?(ltW (exp_pos' _)) // past_law_ge0 //; case: hrho.
Qed.

(* [one test] for the data of the first k deployments *)
Theorem test_fails (X : Type) (psi : strategy O (past_policy R_realFieldType S A) X) (o0 : O) (L : R) k K :
  (k <= K)%N -> (h.+1 < H)%N ->
  prob (fun w : K.-tuple O => history law psi [::] w)
    (fun w => L < \sum_(t < k) test_batch (nth o0 w t)) <= exp (- L).
Proof.
move=> kK hH.
have hl pi : is_law (law pi) by exact: past_batch_is_law.
exact: (history_exponential psi o0 hl (f := fun _ o => test_batch o) L kK (fun _ pi => batch_test pi hH)).
Qed.
End One.

(* the bonuses of a deployment of the policy pi: a function of matrices Lam and of a number L of layers; in these
   layers pi is the deterministic Markov policy g *)
Section Bonuses.
Variables (beta eps : R) (Lam : nat -> 'M[R]_d) (L : nat) (g : nat -> S -> A) (pi : past_policy R_realFieldType S A).
Hypothesis first_layers : forall past s a, (size past < L)%N -> pi past s a = (a == g (size past) s)%:R.
Hypothesis beta0 : 0 < beta.
Hypothesis eps0 : 0 < eps.
Hypothesis size1 : forall h s a, norm (invmx (Lam h)) (phi h s a) <= 1.
Definition path_bonus (t : seq (S * A)) : R :=
  (2%:R * beta * (\sum_(h < L) norm (invmx (Lam h)) (phi h (nth x0 t h).1 (nth x0 t h).2)))%R.
Definition bonus_of h s a : R := (beta * norm (invmx (Lam h)) (phi h s a))%R.
Definition average_bonus (o : O) : R := ((\sum_i path_bonus (o i)) / N%:R)%R.
Definition expected_bonus : R := (2%:R * (\sum_s rho s * value P (det R_realFieldType g) bonus_of 0 L s))%R.

Lemma bonus_range t : (L <= H)%N -> 0 <= path_bonus t <= 2%:R * beta * H%:R.
Proof.
move=> LH; have b2 : 0 <= 2%:R * beta by rewrite mulr_ge0 ?ler0n // ltW.
have s0 : 0 <= \sum_(h < L) norm (invmx (Lam h)) (phi h (nth x0 t h).1 (nth x0 t h).2).
  by apply: sumr_ge0 => h _; exact: norm_ge0.
rewrite /path_bonus mulr_ge0 //= ler_wpmul2l //; apply: (@le_trans _ _ L%:R); last by rewrite ler_nat.
by rewrite -[L in leRHS]card_ord -sumr_const; apply: ler_sum => h _; exact: size1.
Qed.

Lemma bonus_mean : (L <= H)%N ->
  mean (fun t : H.-tuple (S * A) => past_law P pi 0 [::] rho t) path_bonus = expected_bonus.
Proof.
move=> LH; rewrite /expected_bonus.
have e s : value P (det R_realFieldType g) bonus_of 0 L s = past_value P bonus_of pi 0 [::] L s.
  by rewrite (@past_value_pure _ S A P bonus_of pi g L [::]).
under eq_bigr do rewrite e.
rewrite -(past_mean hP pi bonus_of x0 0 [::] hrho LH) mulr_sumr.
apply: eq_bigr => t _; rewrite /path_bonus.
have -> : \sum_(j < L) bonus_of (0 + j)%N (nth x0 t j).1 (nth x0 t j).2 =
    beta * \sum_(h < L) norm (invmx (Lam h)) (phi h (nth x0 t h).1 (nth x0 t h).2).
  by rewrite mulr_sumr; apply: eq_bigr => h _; rewrite add0n.
by move: (\sum_(h < L) _) => v; ring.
Qed.

(* Hoeffding for one deployment *)
Theorem bonus_fails : (0 < N)%N -> (0 < H)%N -> (L <= H)%N ->
  prob (law pi) (fun o => average_bonus o + eps / 2%:R < expected_bonus) <=
  exp (- (N%:R * (eps / (beta * H%:R)) ^+ 2 / 8%:R)).
Proof.
move=> N0 H0 LH; have HR : 0 < H%:R :> R by rewrite ltr0n.
have B0 : 0 < 2%:R * beta * H%:R by rewrite !mulr_gt0 ?ltr0n.
have e2 : 0 < eps / 2%:R by rewrite divr_gt0 ?ltr0n.
have hl (i : 'I_N) : is_law (fun t : H.-tuple (S * A) => past_law P pi 0 [::] rho t) by exact: past_is_law.
have := @hoeffding _ N _ hl (fun _ t => path_bonus t) _ expected_bonus _ N0 B0 e2
  (fun _ t => bonus_range t LH) (fun _ => bonus_mean LH).
move=> h; apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (exp (- _)).
by field; rewrite !gt_eqF.
Qed.
End Bonuses.
End Tests.
