(* Conditions, sizes and tests of the two whole-run theorems on the smallest instances: what they refuse, and numbers
   that they have.  Each lemma speaks of one definition; `near.py` changes the definition, and the proof has to fail. *)
From Coq Require Lra.
Module Conditions.
Import Rdefinitions Raxioms RIneq.
Import ssreflect ssrfun ssrbool eqtype ssrnat seq path choice fintype finfun bigop matrix.
Import GRing.Theory Num.Theory Order.Theory ring.
Import Coq.setoid_ring.Field_tac Coq.setoid_ring.RealField.
Delimit Scope R_scope with coqR.
Delimit Scope nat_scope with N.
Delimit Scope ring_scope with R.
Local Open Scope ring_scope.
Ltac reals := lazymatch goal with |- ?a = ?b => change (@eq Rdefinitions.R a b) end; field.
Local Notation one := (fun _ _ => const_mx 1 : 'cV[real]_1).

(* one state and one action: a feature that is too long, a reward below 0, a direction that nothing reaches *)
Lemma transitions_refuse : ~ derl.algorithm_two.whole_run.linear_transitions (S := unit_finType) (A := unit_finType)
  (fun _ _ => const_mx 2%:R : 'cV[real]_1) (fun _ => const_mx 2%:R^-1) (fun _ _ _ => 1).
Proof. by case=> _ _ /(_ tt tt) + _; rewrite qfE big_ord1 mxE -natrX lern1. Qed.
Lemma rewards_refuse : ~ derl.algorithm_two.whole_run.linear_reward (S := unit_finType) (A := unit_finType) one
  (const_mx (-1)).
Proof. by case=> _ /(_ tt tt) /andP[+ _]; rewrite mxE big_ord1 !mxE mulr1 oppr_ge0 ler10. Qed.
Lemma reach_refuses : ~ derl.algorithm_two.whole_run.reachable (S := unit_finType) (A := unit_finType)
  (fun _ _ _ _ => 1) (fun _ => 1) (fun _ _ _ => 0 : 'cV[real]_1) 1 0.
Proof.
move=> /(_ (const_mx 1)) []; first by rewrite /derl.analysis.matrices.sq qfE big_ord1 mxE expr1n.
move=> pi _; rewrite /derl.analysis.evaluation.TJ big1 ?expr1n ?ler10 // => s _.
by rewrite /= big1 ?mulr0 // => a _; rewrite trmx0 mul0mx mxE expr0n mulr0.
Qed.
Lemma numbers_refuse : ~ derl.algorithm_one.setting.numbers_allowed 1 1 1 2%:R^-1 2%:R.
Proof. by case. Qed.
Lemma model_refuses : ~ derl.algorithm_one.setting.linear_model (S := unit_finType) (A := unit_finType)
  (fun _ _ _ _ => 1) (fun _ _ _ => -1) (fun _ => 1) (fun _ => one).
Proof. by move=> [mu [theta [_ _ /(_ 0%N tt tt) /andP[+ _]]]]; rewrite oppr_ge0 ler10. Qed.

(* d = 2, H = 3, N = 5; accuracy, failure probability and reachability 1/2 *)
Lemma small n : INR n = IZR (BinInt.Z.of_nat n). Proof. exact: INR_IZR_INZ. Qed.
Lemma term_one_is : derl.algorithm_two.numbers.term_one 2 3 (/ 2)%coqR (/ 2)%coqR = (2592 * Rpower.ln 4)%coqR.
Proof.
rewrite /derl.algorithm_two.numbers.term_one (_ : (2 / / 2 = 4)%coqR); last by reals.
by move: (Rpower.ln 4) => x; reals.
Qed.
Lemma term_two_is : derl.algorithm_two.numbers.term_two 2 3 (/ 2)%coqR =
  (294912 * (Rpower.ln 4 * Rpower.ln 4 * Rpower.ln 4))%coqR.
Proof.
rewrite /derl.algorithm_two.numbers.term_two (_ : (2 / / 2 = 4)%coqR); last by reals.
by move: (Rpower.ln 4) => x; reals.
Qed.
Lemma sample_size_is : derl.algorithm_two.exploration.sample_size 2 3 (/ 2)%coqR (/ 2)%coqR (/ 2)%coqR =
  (10000000000000000 * (2592 * Rpower.ln 4 + 294912 * (Rpower.ln 4 * Rpower.ln 4 * Rpower.ln 4)) * Rpower.ln 96)%coqR.
Proof.
rewrite /derl.algorithm_two.exploration.sample_size !small /= term_one_is term_two_is.
rewrite (_ : (2 * 2 * 3 / (/ 2 * / 2 * / 2) = 96)%coqR); last by reals.
by move: (Rpower.ln 4) (Rpower.ln 96) => x y; reals.
Qed.
Lemma log_size_is : derl.algorithm_two.exploration.log_size 2 3 5 (/ 2)%coqR (/ 2)%coqR = Rpower.ln 480.
Proof.
by rewrite /derl.algorithm_two.exploration.log_size !small /=; congr Rpower.ln; reals.
Qed.
Lemma explore_bonus_is : derl.algorithm_two.exploration.explore_bonus 2 3 5 (/ 2)%coqR (/ 2)%coqR =
  (102 * R_sqrt.sqrt (Rpower.ln 480))%coqR.
Proof.
rewrite /derl.algorithm_two.exploration.explore_bonus log_size_is !small /=.
by move: (R_sqrt.sqrt _) => x; reals.
Qed.
Lemma plan_bonus_is : derl.algorithm_two.exploration.plan_bonus 2 3 5 (/ 2)%coqR (/ 2)%coqR =
  (306 * R_sqrt.sqrt (Rpower.ln 480))%coqR.
Proof.
rewrite /derl.algorithm_two.exploration.plan_bonus log_size_is !small /=.
by move: (R_sqrt.sqrt _) => x; reals.
Qed.

(* the tests of a batch *)
Lemma test_is (s : bool) : derl.algorithm_one.tests.test (S := bool_finType) (A := unit_finType)
  (fun _ _ _ _ => 2%:R^-1) (fun _ _ _ => const_mx 1 : 'cV[real]_1) 1%R 2%:R (fun s => s%:R) (const_mx 1) 0 (true, tt) s
  = 2%:R * s%:R - 3%:R / 2%:R.
Proof.
rewrite /derl.algorithm_one.tests.test mxE big_ord1 !mxE /mean big_bool /=; move: (s%:R : real) => x; whole.
Qed.
Lemma test_batch_is : derl.algorithm_one.tests.test_batch (S := bool_finType) (A := unit_finType) (N := 1) (H := 2)
  (fun _ _ _ _ => 2%:R^-1) (fun _ _ _ => const_mx 1 : 'cV[real]_1) (true, tt) 1%R 2%:R (fun s => s%:R) (const_mx 1) 0
  [ffun _ => [tuple (true, tt); (false, tt)]] = - (3%:R / 2%:R).
Proof. by rewrite /derl.algorithm_one.tests.test_batch big_ord1 ffunE /= test_is mulr0 add0r. Qed.
(* without data a sum is 0, and so is every covariance *)
Lemma noise_test_is : derl.algorithm_two.mixtures.noise_test (S := unit_finType) (A := unit_finType) (d := 1) (N := 0)
  (H := 1) (fun _ _ _ _ => 1%R) (fun _ => one) (tt, tt) (M := 1) (I := unit_finType) (fun _ _ _ => 0%R) 0%R 0 tt
  [ffun _ => ord0] [ffun _ => [tuple (tt, tt)]] = true.
Proof.
by rewrite /derl.algorithm_two.mixtures.noise_test /derl.algorithm_one.tests.test_batch big_ord0 expr0n lexx.
Qed.
Lemma covariance_test_is : derl.algorithm_two.mixtures.covariance_test (S := unit_finType) (A := unit_finType) (d := 1)
  (N := 0) (H := 1) (fun _ _ _ _ => 1%R) (fun _ => 1%R) (fun _ => one) (tt, tt) (M := 1) 0%R 0
  (derl.algorithm_two.mixtures.Mixture 0 (fun _ _ _ => tt)) [ffun _ => ord0] [ffun _ => [tuple (tt, tt)]] = true.
Proof.
rewrite /derl.algorithm_two.mixtures.covariance_test (_ : derl.algorithm_two.mixtures.mean_covariance _ _ _ _ _ _ = 0).
  have z (f : 'cV[real]_1) : qf 0 f = 0 by rewrite /qf /bil mulmx0 mul0mx mxE.
  by rewrite /derl.algorithm_two.mixtures.gram /derl.algorithm_one.values.features_sum big_ord0 !z mulr0 lexx implybT.
by apply/matrixP => i j; rewrite /derl.algorithm_two.mixtures.mean_covariance !mxE mul0r ?mul0r.
Qed.

(* one feature with one number: sums of features, least squares, what a value net names, a loop, the grid *)
Lemma features_sum_is : derl.algorithm_one.values.features_sum (I := ordinal_finType 2) one (fun _ => (tt, tt)) ord0 ord0
  = 2%:R.
Proof.
by rewrite /derl.algorithm_one.values.features_sum summxE big_ord_recl big_ord1 /outer !mxE !big_ord1 !mxE mulr1.
Qed.
Lemma least_squares_is : derl.algorithm_one.values.least_squares (I := ordinal_finType 1) one (fun _ => (tt, tt))
  (fun _ => tt) (fun _ => 3%:R) ord0 ord0 = 3%:R / 2%:R.
Proof.
rewrite /derl.algorithm_one.values.least_squares [X in invmx X](_ : _ = 2%:R%:M); last first.
  apply/matrixP => i j; rewrite (ord1 i) (ord1 j) /derl.algorithm_one.values.features_sum big_ord1 /outer !mxE big_ord1.
  by rewrite !mxE eqxx mulr1.
by rewrite invmx_scalar mul_scalar_mx !mxE big_ord1 !mxE mulr1 mulrC.
Qed.
Lemma candidate_is : derl.algorithm_one.values.candidate (S := unit_finType) (A := unit_finType) one
  (fun _ _ => 2%:R^-1) 1%R 0 0 tt = 2%:R^-1.
Proof.
rewrite /derl.algorithm_one.values.candidate BigOp.bigopE (_ : index_enum _ = [:: tt]) /=; last first.
  by rewrite /index_enum !locked_withE Finite.EnumDef.enumDef.
rewrite /derl.algorithm_one.values.level_of trmx0 mul0mx /qf /bil mulmx0 mul0mx !mxE normr0 sqrtr0 add0r addr0.
by rewrite min_l ?max_l // ?invr_ge0 ?ler0n // invf_le1 ?ltr0n // ler1n.
Qed.
Lemma loop_reward_is : derl.algorithm_two.loop.loop_reward (S := unit_finType) (A := unit_finType) 0
  (fun _ _ _ => const_mx 2%:R^-1 : 'cV[real]_1) (fun k => if k is 0 then 1%:M else 0) 0 tt tt = 2%:R^-1.
Proof.
rewrite /derl.algorithm_two.loop.loop_reward invmx1 qfE big_ord1 mxE sqrtr_sqr ger0_norm ?invr_ge0 ?ler0n //.
by rewrite /derl.analysis.evaluation.clip max_l ?min_l ?invr_ge0 ?ler0n // invf_le1 ?ltr0n // ler1n.
Qed.
Lemma table_is : derl.algorithm_one.grid.table (M := 3) (d := 2)
  [ffun p => if p.1 == ord0 then inord 11 else inord 9] ord0 ord_max = 2%:R / 3%:R.
Proof. by rewrite /derl.algorithm_one.grid.table mxE ffunE /derl.algorithm_one.grid.level /= inordK //; whole. Qed.
Lemma pair2_is : derl.algorithm_two.controls.pair2 2%:R 3%:R ord0 ord0 = 2%:R.
Proof. by rewrite /derl.algorithm_two.controls.pair2 mxE. Qed.
Lemma arms_phi_is : derl.algorithm_two.controls.arms_phi true 0 tt true ord0 ord0 = 1.
Proof. by rewrite /derl.algorithm_two.controls.arms_phi mxE. Qed.
Lemma arms_mu_is : derl.algorithm_two.controls.arms_mu 0 tt ord0 ord0 = 1.
Proof. by rewrite /derl.algorithm_two.controls.arms_mu mxE. Qed.
Lemma iterations_is : derl.algorithm_two.exploration.iterations 0 1%R = 1%N.
Proof.
rewrite /derl.algorithm_two.exploration.iterations (_ : Rdiv _ _ = 0%R); last by rewrite /Rdiv /= Rmult_0_r !Rmult_0_l.
rewrite -[RHS]add0n; congr (_ + _)%N; apply/eqP; rewrite -leqn0 -(ler_nat real).
exact: derl.layerwise.theorem.floor_below.
Qed.
End Conditions.
Delimit Scope rat_scope with Q.
Delimit Scope ring_scope with R.
