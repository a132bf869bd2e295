(* Deployments of mixtures of policies: the law of their batches, and the event of one deployment, that the noise of
   finitely many values is small and that the batch sees the mean covariance of the mixture. *)
From derl.common Require Import real_prelude forms.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.layerwise Require Import optimism.
From derl.analysis Require Import evaluation.
From derl.arbitrary Require Import theorem_r.
From derl.algorithm_one Require Import trajectory_law grid values tests.
From derl.algorithm_two Require Import covariance_grid.
Local Arguments exp x%R.

(* a mixture of finitely many deterministic policies: policies number 0 to `last`, with equal weights; one of them is
   drawn before each trajectory *)
Record mixture (S A : Type) := Mixture { last : nat; member : nat -> nat -> S -> A }.

Section Mixtures.
Variables (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (x0 : S * A).
Hypothesis hP : forall h s a, is_law (P h s a).
Hypothesis hrho : is_law rho.
Local Notation O := (batch S A N H).
Local Notation path g t := (path_law P g 0 rho t).
Implicit Types (x : mixture S A) (g : nat -> S -> A).

(* the law of a trajectory of a mixture *)
Definition mixed_path x (t : seq (S * A)) : R := ((\sum_(j < (last x).+1) path (member x j) t) / (last x).+1%:R)%R.
(* the law of a batch: N independent trajectories *)
Definition mixed_batch x : O -> R := product_law (fun (_ : 'I_N) (t : H.-tuple (S * A)) => mixed_path x t).

Lemma mixed_mean x (F : seq (S * A) -> R) : \sum_(t : H.-tuple (S * A)) mixed_path x t * F t =
  (\sum_(j < (last x).+1) \sum_(t : H.-tuple (S * A)) path (member x j) t * F t) / (last x).+1%:R.
Proof.
rewrite exchange_big /= mulr_suml; apply: eq_bigr => t _; rewrite /mixed_path mulrAC; congr (_ * _).
by rewrite mulr_suml.
Qed.

Lemma mixed_le x (F : seq (S * A) -> R) c :
  (forall g, \sum_(t : H.-tuple (S * A)) path g t * F t <= c) -> \sum_(t : H.-tuple (S * A)) mixed_path x t * F t <= c.
Proof.
move=> h; rewrite mixed_mean ler_pdivr_mulr ?ltr0n // mulr_natr.
apply: (@le_trans _ _ (\sum_(j < (last x).+1) c)); first by apply: ler_sum => j _; exact: h.
by rewrite sumr_const card_ord.
Qed.

Lemma mixed_law x : is_law (fun t : H.-tuple (S * A) => mixed_path x t).
Proof.
split=> [t|].
  by rewrite divr_ge0 ?ler0n //; apply: sumr_ge0 => j _; apply: path_ge0 => //; case: hrho.
transitivity (\sum_(t : H.-tuple (S * A)) mixed_path x t * 1); first by apply: eq_bigr => t _; rewrite mulr1.
rewrite (mixed_mean x (fun _ => 1)) (eq_bigr (fun _ => 1)) => [|j _].
  by rewrite sumr_const card_ord divff // pnatr_eq0.
by rewrite -mulr_suml mulr1 (proj2 (path_is_law hP _ 0 H hrho)).
Qed.

Lemma mixed_batch_law x : is_law (mixed_batch x).
Proof. by apply: product_is_law => i; exact: mixed_law. Qed.

(* the mean of a function of layer j *)
Lemma path_layer g (F : S -> A -> R) j k h q : is_law q -> (j < k)%N ->
  \sum_(t : k.-tuple (S * A)) path_law P g h q t * F (nth x0 t j).1 (nth x0 t j).2 =
  \sum_s q s * tvalue P (det R_realFieldType g) F h j s.
Proof.
elim: j k h q => [|j IH] [//|k] h q hq jk.
  rewrite (path_sum P g h q k (fun t => F (nth x0 t 0).1 (nth x0 t 0).2)); apply: eq_bigr => s _.
  by rewrite /= sum_det -mulr_suml (proj2 (path_is_law hP g h.+1 k (hP _ _ _))) mul1r.
rewrite (path_sum P g h q k (fun t => F (nth x0 t j.+1).1 (nth x0 t j.+1).2)); apply: eq_bigr => s _.
by rewrite /= sum_det -(IH k h.+1 _ (hP h s (g h s)) jk).
Qed.

(* N times the mean covariance of layer k under a mixture *)
Definition mean_covariance x k : 'M[R]_d :=
  ((N%:R / (last x).+1%:R)%R *: \sum_(j < (last x).+1) covariance P phi rho (det R_realFieldType (member x j)) k)%R.

Lemma covariance_form g k u : qf (covariance P phi rho (det R_realFieldType g) k) u =
  TJ P rho (det R_realFieldType g) (fun s a => ((phi k s a)^T *m u) ord0 ord0 ^+ 2) k.
Proof.
have -> : covariance P phi rho (det R_realFieldType g) k =
    \sum_t occupancy P rho (det R_realFieldType g) k t *: outer (phi k t.1 t.2).
  apply/matrixP => a b; rewrite mxE summxE TJ_mean //; apply: eq_bigr => t _.
  by rewrite mxE outerE.
rewrite TJ_mean /mean; elim/big_rec2: _ => [|t B y _ <-]; first by rewrite /qf bil0l.
by rewrite qfD qfZ qf_outer.
Qed.

Lemma qf_sum (I : Type) (r : seq I) (F : I -> 'M[R]_d) u : qf (\sum_(i <- r) F i) u = \sum_(i <- r) qf (F i) u.
Proof. by elim/big_rec2: _ => [|i y B _ IH]; rewrite ?qfD ?IH // /qf bil0l. Qed.

Lemma mean_form x k u : (k < H)%N -> qf (mean_covariance x k) u =
  N%:R * (\sum_(t : H.-tuple (S * A)) mixed_path x t * ((phi k (nth x0 t k).1 (nth x0 t k).2)^T *m u) ord0 ord0 ^+ 2).
Proof.
move=> kH; rewrite qfZ qf_sum (mixed_mean x (fun t => ((phi k (nth x0 t k).1 (nth x0 t k).2)^T *m u) ord0 ord0 ^+ 2)).
rewrite [RHS]mulrA [RHS]mulrAC; congr (_ * _); apply: eq_bigr => j _.
rewrite covariance_form /TJ.
by rewrite (path_layer (member x j) (fun s a => ((phi k s a)^T *m u) ord0 ord0 ^+ 2) 0 hrho kH).
Qed.

(* the data of layer h of a batch *)
Definition here h (o : O) (i : 'I_N) : S * A := nth x0 (o i) h.
Definition next_state h (o : O) (i : 'I_N) : S := (nth x0 (o i) h.+1).1.
(* the matrix of the data of layer h *)
Definition gram h (o : O) : 'M[R]_d := features_sum (phi h) (here h o).

Variables (M : nat) (I : finType).
(* finitely many functions of the state of each layer *)
Variable value_of : nat -> I -> S -> R.
Variables (sigma kappa : R).
Local Notation direction := {ffun 'I_d -> mark M}.
Hypothesis M0 : (0 < M)%N.
Hypothesis hM : (4 * d * N.+1 <= M ^ 2)%N.
Hypothesis sigma0 : 0 < sigma.
Hypothesis value01 : forall h i s, 0 <= value_of h i s <= 1.
Hypothesis f1 : forall h s a, qf 1%:M (phi h s a) <= 1.
Hypothesis N0 : (0 < N)%N.

(* the noise of the value i of layer h + 1 passes the test of direction f *)
Definition noise_test h (i : I) (f : direction) (o : O) : bool :=
  test_batch P phi x0 1%R sigma (value_of h.+1 i) (point f) h o <= sigma ^+ 2.
(* in direction f the batch sees three quarters of the mean covariance, if this is at least kappa *)
Definition covariance_test h x (f : direction) (o : O) : bool :=
  (kappa * qf 1%:M (point f) <= qf (mean_covariance x h) (point f)) ==>
  (3%:R / 4%:R * qf (mean_covariance x h) (point f) <= qf (gram h o) (point f)).
(* a deployment is for a layer; its batch passes all tests *)
Definition passes (x : nat * mixture S A) (o : O) : bool :=
  (x.1 < H)%N ==> ((x.1.+1 < H)%N ==> [forall i, [forall f, noise_test x.1 i f o]]) &&
    [forall f, covariance_test x.1 x.2 f o].

Lemma prob_mono (T : finType) (p : T -> R) (E F : pred T) : is_law p -> (forall t, E t -> F t) -> prob p E <= prob p F.
Proof.
move=> [p0 _] h; rewrite /prob [leLHS]big_mkcond [leRHS]big_mkcond /=; apply: ler_sum => t _.
by case e : (E t); [rewrite (h t e)|case: (F t)].
Qed.

Lemma noise_fails x h i f : (h.+1 < H)%N -> prob (mixed_batch x) (fun o => ~~ noise_test h i f o) <= exp (- sigma ^+ 2).
Proof.
move=> hH; have hl := mixed_law x.
pose F (_ : 'I_N) (t : H.-tuple (S * A)) := test P phi 1%R sigma (value_of h.+1 i) (point f) h (nth x0 t h)
  (nth x0 t h.+1).1.
have m1 j : \sum_(t : H.-tuple (S * A)) mixed_path x t * exp (F j t) <= 1.
  apply: (mixed_le x (F := fun t => exp (test P phi 1%R sigma (value_of h.+1 i) (point f) h (nth x0 t h)
    (nth x0 t h.+1).1))) => g.
  exact: (trajectory_test phi x0 hP hrho sigma (point f) ltr01 (value01 h.+1 i) g hH).
have := exponential_markov (fun _ : 'I_N => hl) (sigma ^+ 2) m1; rewrite expr1n mulr1 => e; apply: le_trans e.
apply: prob_mono; first exact: mixed_batch_law.
by move=> o; rewrite /noise_test -ltNge => /ltW.
Qed.

Lemma gram_form h o u : qf (gram h o) u =
  \sum_i ((phi h (nth x0 (o i) h).1 (nth x0 (o i) h).2)^T *m u) ord0 ord0 ^+ 2.
Proof. by rewrite /gram /features_sum qf_sum; apply: eq_bigr => i _; rewrite qf_outer. Qed.

Lemma covariance_fails x h f : (h < H)%N ->
  prob (mixed_batch x) (fun o => ~~ covariance_test h x f o) <= exp (- (kappa / 32%:R)).
Proof.
move=> hH; have NR : 0 < N%:R :> R by rewrite ltr0n.
set u := point f; have no : forall q, 0 <= q -> (forall o, covariance_test h x f o) ->
    prob (mixed_batch x) (fun o => ~~ covariance_test h x f o) <= q.
  by move=> q q0 al; rewrite /prob big1 // => o; rewrite al.
have e0 : 0 <= exp (- (kappa / 32%:R)) by exact: ltW (exp_pos' _).
have [big|small] := leP (kappa * qf 1%:M u) (qf (mean_covariance x h) u); last first.
  by apply: no => [//|o]; rewrite /covariance_test -/u leNgt small.
have [u0|un] := eqVneq u 0.
  by apply: no => [//|o]; rewrite /covariance_test -/u u0 !qf0r !mulr0 lexx.
pose F (_ : 'I_N) (t : H.-tuple (S * A)) := ((phi h (nth x0 t h).1 (nth x0 t h).2)^T *m u) ord0 ord0 ^+ 2.
pose m := qf (mean_covariance x h) u / N%:R.
have B0 : 0 < qf 1%:M u by exact: qf1_gt0.
have t0 : 0 < 4%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have hF i t : 0 <= F i t <= qf 1%:M u.
  rewrite sqr_ge0 /= /F -bil1; apply: le_trans (cauchy _ _ (pd_psd (pd1 _ d))) _.
  by rewrite ler_pimull ?qf1_ge0.
have hm i : mean (fun t : H.-tuple (S * A) => mixed_path x t) (F i) = m.
  by rewrite /m (mean_form x u hH) mulrAC divff ?mul1r ?gt_eqF.
have := @chernoff _ N _ (fun _ : 'I_N => mixed_law x) F _ m _ N0 B0 t0 hF hm => c.
apply: le_trans (le_trans _ c) _.
  apply: prob_mono; first exact: mixed_batch_law.
  move=> o; rewrite /covariance_test negb_imply -ltNge => /andP[_ lt].
  rewrite gram_form in lt; rewrite ltr_pdivr_mulr // /m -mulrA mulfVK ?gt_eqF //.
  by have -> : 1 - 4%:R^-1 = 3%:R / 4%:R :> R by field.
apply: exp_mono; rewrite ler_opp2 /m.
have -> : N%:R * (qf (mean_covariance x h) u / N%:R) * 4%:R^-1 ^+ 2 / (2%:R * qf 1%:M u) =
    qf (mean_covariance x h) u / qf 1%:M u / 32%:R by field; rewrite !gt_eqF.
by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_pdivl_mulr.
Qed.

(* [res-batch-event]: a batch fails a test with a small probability, whatever mixture was deployed *)
Theorem batch_event (x : nat * mixture S A) : prob (mixed_batch x.2) (fun o => ~~ passes x o) <=
  (#|I| * #|[finType of direction]|)%N%:R * exp (- sigma ^+ 2) + #|[finType of direction]|%:R * exp (- (kappa / 32%:R)).
Proof.
have hl := mixed_batch_law x.2; have [l0 _] := hl.
have e1 : 0 <= exp (- sigma ^+ 2) by exact: ltW (exp_pos' _).
have e2 : 0 <= exp (- (kappa / 32%:R)) by exact: ltW (exp_pos' _).
have rhs0 : 0 <= (#|I| * #|[finType of direction]|)%N%:R * exp (- sigma ^+ 2) + #|[finType of direction]|%:R * exp
  (- (kappa / 32%:R)).
  by rewrite addr_ge0 // mulr_ge0 ?ler0n.
rewrite /passes; case: (ltnP x.1 H) => kH; last by rewrite /prob big1.
pose E1 (j : I * direction) (o : O) := (x.1.+1 < H)%N && ~~ noise_test x.1 j.1 j.2 o.
pose E2 (f : direction) (o : O) := ~~ covariance_test x.1 x.2 f o.
have u1 : prob (mixed_batch x.2) (fun o => [exists j, E1 j o]) <= (#|I| * #|[finType of direction]|)%N%:R * exp
  (- sigma ^+ 2).
  apply: le_trans (union_bound E1 hl) _; rewrite -card_prod mulr_natl -sumr_const; apply: ler_sum => -[i f] _.
  rewrite /E1 /=; case: (ltnP x.1.+1 H) => hH /=; first exact: noise_fails.
  by rewrite /prob big1.
have u2 : prob (mixed_batch x.2) (fun o => [exists f, E2 f o]) <= #|[finType of direction]|%:R * exp
  (- (kappa / 32%:R)).
  apply: le_trans (union_bound E2 hl) _; rewrite mulr_natl -sumr_const; apply: ler_sum => f _.
  exact: covariance_fails.
apply: le_trans (ler_add u1 u2).
rewrite /prob [leLHS]big_mkcond [X in _ <= X + _]big_mkcond [X in _ <= _ + X]big_mkcond -big_split /=.
apply: ler_sum => o _; have part (b : bool) : 0 <= (if b then mixed_batch x.2 o else 0) by case: b.
case: ifP => [|_]; last by rewrite addr_ge0.
case/nandP => [|/forallPn [f hf]]; last first.
  have -> : [exists f, E2 f o] by apply/existsP; exists f.
  by rewrite ler_addr.
rewrite negb_imply => /andP[hH /forallPn [i /forallPn [f hf]]].
have -> : [exists j, E1 j o] by apply/existsP; exists (i, f); rewrite /E1 hH.
by rewrite ler_addl.
Qed.

(* what the tests say *)
Lemma test_noise V (u : 'cV[R]_d) h (o : O) :
  test_batch P phi x0 1%R sigma V u h o =
  sigma * (u^T *m noise_of (phi h) (P h) (here h o) (next_state h o) V) ord0 ord0 -
  sigma ^+ 2 * 1 ^+ 2 / 8%:R * qf (gram h o) u.
Proof.
have -> : (u^T *m noise_of (phi h) (P h) (here h o) (next_state h o) V) ord0 ord0 =
    \sum_n centred (P h) (here h o) (next_state h o) V n * (u^T *m phi h (here h o n).1 (here h o n).2) ord0 ord0.
  rewrite /noise_of mulmx_sumr summxE; apply: eq_bigr => n _.
  by rewrite -scalemxAr mxE.
rewrite gram_form !mulr_sumr -sumrB; apply: eq_bigr => n _; rewrite /test /centred /mean /here /next_state.
rewrite (dotC (phi h (nth x0 (o n) h).1 (nth x0 (o n) h).2) u).
by move: ((u^T *m _) ord0 ord0) (\sum_s' _) => a b; ring.
Qed.

Lemma small_noise (x : nat * mixture S A) o i : (x.1.+1 < H)%N -> passes x o ->
  norm (invmx (1%:M + gram x.1 o)) (noise_of (phi x.1) (P x.1) (here x.1 o) (next_state x.1 o) (value_of x.1.+1 i)) <=
  3%:R * sigma.
Proof.
move=> hH; rewrite /passes (ltnW hH) hH /= => /andP[/forallP /(_ i) /forallP noise _].
have kap0 : 0 <= sigma ^+ 2 * 1 ^+ 2 / 8%:R by rewrite divr_ge0 ?ler0n // mulr_ge0 ?sqr_ge0.
have le n e : #|'I_N| = n -> qf (features_sum (phi x.1) (here x.1 o)) e <= n%:R * qf 1%:M e.
  by move=> <-; exact: (features_le (f1 x.1) (here x.1 o)).
have := @grid_norm M M0 d N (gram x.1 o) (noise_of (phi x.1) (P x.1) (here x.1 o) (next_state x.1 o)
  (value_of x.1.+1 i)) sigma (sigma ^+ 2 * 1 ^+ 2 / 8%:R)%R (sigma ^+ 2)%R (features_psd (phi x.1) (here x.1 o))
  (fun e => le N e (card_ord N)) hM sigma0 kap0 (sqr_ge0 _).
move=> g; apply: le_trans (g _) _ => [f|].
  by rewrite -test_noise; exact: noise.
have -> : (9%:R / 4%:R * (sigma ^+ 2 * 1 ^+ 2 / 8%:R) + sigma ^+ 2) * 2%:R / sigma = 41%:R / 16%:R * sigma.
  by field; rewrite gt_eqF.
rewrite ler_wpmul2r ?(ltW sigma0) // ler_pdivr_mulr ?ltr0n // -natrM ler_nat //.
Qed.

Lemma sees (x : nat * mixture S A) o f : (x.1 < H)%N -> passes x o -> covariance_test x.1 x.2 f o.
Proof. by rewrite /passes => -> /= /andP[_ /forallP]. Qed.
End Mixtures.
