(* What the checker of cones.v says about a model: both ends of the coefficient. *)
From Coq Require Import ZArith.
From derl.common Require Import prelude.
From mathcomp Require Import ssrZ.
From derl.lower_bounds Require Import game.
From derl.common Require Import forms.
From derl.reachability Require Import cones.

(* a deterministic policy in a file: for every layer and state the number of an action *)
Definition plan := seq (seq nat).

(* 10^9 *)
Definition billion : Z := Zpos 1000000000.

Section Data.
Variable m : model.
(* the number of states *)
Local Notation S := (states m).
(* the number of actions *)
Local Notation A := (actions m).
(* the dimension of the features *)
Local Notation d := (dim m).
(* the number of layers before the one of the coefficient *)
Local Notation K := (size (steps m)).

(* the action that a plan takes in layer k and state s *)
Definition taken (pl : plan) k s : nat := let a := nth 0%N (nth [::] pl k) s in if (a < A)%N then a else 0%N.
(* the product of the scales up to layer k, and of the last j layers *)
Fixpoint scale_to k : Z := if k is k'.+1 then Z.mul (scale_to k') (at1 (scales m) k') else initial_scale m.
(* the product of the scales of the last j layers *)
Fixpoint scale_of j : Z := if j is j'.+1 then Z.mul (at1 (scales m) (K - j)) (scale_of j') else Zpos xH.
(* the law of the state in layer k, times its scale *)
Fixpoint reached (pl : plan) k : seq Z :=
  if k is k'.+1 then
    let o := reached pl k' in
    mkseq (fun t => sumZ S (fun s => Z.mul (at1 o s) (at3 (nth [::] (steps m) k') s (taken pl k' s) t))) S
  else initial m.
(* E phi phi^T under a deterministic policy, times its scale *)
Definition second_moments (pl : plan) : seq (seq Z) :=
  let o := reached pl K in
  tab2 d (fun i j => sumZ S (fun s => Z.mul (at1 o s) (Z.mul (at3 (features m) s (taken pl K s) i)
  (at3 (features m) s (taken pl K s) j)))).
(* E phi under a deterministic policy, times its scale *)
Definition first_moments (pl : plan) : seq Z :=
  let o := reached pl K in
  mkseq (fun i => sumZ S (fun s => Z.mul (at1 o s) (at3 (features m) s (taken pl K s) i))) d.
(* the product of the feature with theta, times the scale of features *)
Definition inner (theta : seq Z) s a : Z := sumZ d (fun i => Z.mul (at3 (features m) s a i) (at1 theta i)).
(* the squared length *)
Definition length2 (theta : seq Z) : Z := sumZ d (fun i => Z.mul (at1 theta i) (at1 theta i)).

(* the value of the best policy, backwards, for a reward in the last layer *)
Definition largest (f : nat -> Z) : Z := foldr (fun a acc => Z.max (f a) acc) (f 0%N) (iota 0 A).
(* the largest value with j layers to go, in every state, times its scale *)
Fixpoint best (g : nat -> nat -> Z) j : seq Z :=
  if j is j'.+1 then
    let V := best g j' in
    mkseq (fun s => largest (fun a => sumZ S (fun t => Z.mul (at3 (nth [::] (steps m) (K - j)) s a t) (at1 V t)))) S
  else mkseq (fun s => largest (g s)) S.
(* the largest value of the first state, times its scale *)
Definition best_start g : Z := let V := best g K in sumZ S (fun s => Z.mul (at1 (initial m) s) (at1 V s)).
(* the scale of values of the first state *)
Definition scale_all : Z := Z.mul (initial_scale m) (scale_of K).

(* the first n entries are at least 0 and sum to the scale *)
Definition law_row n (row : seq Z) scale : bool :=
  [&& Z.ltb 0 scale, all (fun t => Z.leb 0 (at1 row t)) (iota 0 n) & Z.eqb (sumZ n (at1 row)) scale].
(* the data are probabilities, and features have length at most one up to the rounding of floats *)
Definition check_model : bool :=
  [&& (0 < A)%N, Z.ltb 0 (feature_scale m), law_row S (initial m) (initial_scale m),
      all (fun k => all (fun s => all (fun a =>
        law_row S (nth [::] (nth [::] (nth [::] (steps m) k) s) a) (at1 (scales m) k)) (iota 0 A)) (iota 0 S))
        (iota 0 K) &
      all (fun s => all (fun a => Z.leb (Z.mul billion
      (sumZ d (fun i => Z.mul (at3 (features m) s a i) (at3 (features m) s a i))))
        (Z.mul (Z.succ billion) (Z.mul (feature_scale m) (feature_scale m)))) (iota 0 A)) (iota 0 S)].

(* the two kinds of leaves: a mixture of second moments, and a signed mixture of first moments *)
Section Leaves.
Variables (plans : seq plan) (p q : Z).
(* the sum of the weights *)
Definition total (mix : seq (nat * Z)) : Z := foldr (fun e acc => Z.add e.2 acc) Z0 mix.
(* the sum of the absolute weights *)
Definition total_abs (mix : seq (nat * Z)) : Z := foldr (fun e acc => Z.add (Z.abs e.2) acc) Z0 mix.
(* the sum of f over the members of a mixture, with its weights *)
Definition mixed (f : nat -> Z) (mix : seq (nat * Z)) : Z := foldr (fun e acc => Z.add (Z.mul e.2 (f e.1)) acc) Z0 mix.
(* a mixture of policies of the file with positive weights *)
Definition legal2 (mix : seq (nat * Z)) : bool := [&& mix != [::], all (fun e => Z.ltb 0 e.2) mix &
  all (fun e => e.1 < size plans)%N mix].
(* a mixture with signs of policies of the file *)
Definition legal1 (mix : seq (nat * Z)) : bool := [&& mix != [::], Z.ltb 0 (total_abs mix) &
  all (fun e => e.1 < size plans)%N mix].
(* the form of a leaf for second moments: q (mixed E phi phi^T) - p I, times its scale *)
Definition form2 (tables : seq (seq (seq Z))) (scale : Z) (mix : seq (nat * Z)) : seq (seq Z) :=
  tab2 d (fun i j => Z.add (Z.mul q (mixed (fun k => at2 (nth [::] tables k) i j) mix))
    (if i == j then Z.opp (Z.mul (Z.mul p scale) (total mix)) else Z0)).
(* the form of a leaf for first moments: q (mixed E phi)(mixed E phi)^T - p I, times its scale *)
Definition form1 (tables : seq (seq Z)) (scale : Z) (mix : seq (nat * Z)) : seq (seq Z) :=
  let mean := mkseq (fun i => mixed (fun k => at2 tables k i) mix) d in
  tab2 d (fun i j => Z.add (Z.mul q (Z.mul (at1 mean i) (at1 mean j)))
    (if i == j then Z.opp (Z.mul (Z.mul p (Z.mul scale scale)) (Z.mul (total_abs mix) (total_abs mix))) else Z0)).
(* the scale of first moments *)
Definition scale1 : Z := Z.mul (scale_to K) (feature_scale m).
(* the scale of second moments *)
Definition scale2 : Z := Z.mul (scale_to K) (Z.mul (feature_scale m) (feature_scale m)).
(* the cover shows that E (phi^T theta)^2 is at least p / q times the squared length for some policy, in every
   direction *)
Definition check_lower2 cols back det f : bool :=
  let tables := map second_moments plans in
  [&& Z.ltb 0 q, Z.ltb 0 scale2 &
      check_cover d legal2 (form2 tables scale2) (fun mix => Z.mul (Z.mul q scale2) (total mix)) cols back det f].
(* the cover shows that (E phi^T theta)^2 is at least p / q times the squared length for some policy, in every
   direction *)
Definition check_lower1 cols back det f : bool :=
  let tables := map first_moments plans in
  [&& Z.ltb 0 q, Z.ltb 0 scale1, Z.leb 0 p & check_cover d legal1 (form1 tables scale1) (fun=> Z0) cols back det f].
End Leaves.

(* in the direction theta no policy has more than p / q times the squared length, for E (phi^T theta)^2 *)
Definition check_upper2 (theta : seq Z) (p q : Z) : bool :=
  [&& Z.ltb 0 q, Z.ltb 0 (length2 theta) &
      Z.leb (Z.mul (best_start (fun s a => let x := inner theta s a in Z.mul x x)) q)
        (Z.mul (Z.mul p (length2 theta)) (Z.mul scale_all (Z.mul (feature_scale m) (feature_scale m))))].
(* in the direction theta no policy has more than p / q times the squared length, for (E phi^T theta)^2 *)
Definition check_upper1 (theta : seq Z) (p q : Z) : bool :=
  let u := Z.max (best_start (inner theta)) (best_start (fun s a => Z.opp (inner theta s a))) in
  let c := Z.mul scale_all (feature_scale m) in
  [&& Z.ltb 0 q, Z.ltb 0 (length2 theta) & Z.leb (Z.mul (Z.mul u u) q) (Z.mul (Z.mul p (length2 theta)) (Z.mul c c))].

Variable R : realFieldType.
Local Notation num := (number R).
Implicit Types (pi : policy R m) (theta : 'cV[R]_d).

Lemma law_rowP n row c : law_row n row c -> is_law (fun t : 'I_n => num (at1 row t) / num c).
Proof.
move=> /and3P [c0 /allP pos /(num_eq R) sum]; have c0' := num_gt0 R c0; split=> [t|].
  apply: divr_ge0; last exact: ltW.
  by apply: num_ge0; apply: pos; rewrite mem_iota leq0n add0n ltn_ord.
by rewrite -mulr_suml -num_sum sum divff // gt_eqF.
Qed.

Hypothesis ok : check_model.
Lemma model_proper : proper R m.
Proof.
move: ok => /and5P [A0 F0 ini st fe]; split.
- exact: law_rowP.
- move=> k s a kK; have kin : k \in iota 0 K by rewrite mem_iota leq0n add0n.
  have := all_iota a (all_iota s (allP st _ kin)); exact: law_rowP.
move=> s a; have := all_iota a (all_iota s fe) => /(num_le R).
rewrite !numM num_sum qfE => h.
have F1 : 0 < num (feature_scale m) := num_gt0 R F0.
have -> : \sum_i (feature R s a) i ord0 ^+ 2 =
    (\sum_(i < d) num (Z.mul (at3 (features m) s a i) (at3 (features m) s a i))) / (num (feature_scale m) * num
    (feature_scale m)).
  by rewrite mulr_suml; apply: eq_bigr => i _; rewrite mxE numM expr2 invfM mulrACA.
rewrite ler_pdivr_mulr ?mulr_gt0 // -(ler_pmul2l (num_gt0 R (isT : Z.ltb 0 billion))).
have tenE : num (Zpos 10) = 10%:R by [].
have oneE : num (Zpos 1) = 1 by [].
have E : num billion = 10%:R ^+ 9.
  have -> : billion = iter 9 (Z.mul (Zpos 10)) (Zpos 1) by vm_compute.
  by rewrite /iter !numM tenE oneE !exprS expr0 !mulr1.
have E1 : num (Z.succ billion) = num billion + 1 by rewrite -[Z.succ billion]/(Z.add billion (Zpos 1)) numD oneE.
rewrite mulrA; suff <- : num (Z.succ billion) = num billion * (1 + (10%:R ^+ 9)^-1) by [].
by rewrite E1 E mulrDr mulr1 divff // expf_neq0 // pnatr_eq0.
Qed.
Lemma A0 : (0 < A)%N. Proof. by move: ok => /and5P []. Qed.
Lemma F0 : 0 < num (feature_scale m). Proof. by move: ok => /and5P [_ /num_gt0]. Qed.

Definition det_policy (pl : plan) : policy R m := fun k s a => ((a : nat) == taken pl k s)%:R.
Lemma takenP pl k s : (taken pl k s < A)%N. Proof. by rewrite /taken; case: ifP => // _; exact: A0. Qed.
Lemma sum_det pl k s (g : 'I_A -> R) : \sum_a det_policy pl k s a * g a = g (Ordinal (takenP pl k s)).
Proof.
rewrite (bigD1 (Ordinal (takenP pl k s))) //= /det_policy eqxx mul1r big1 ?addr0 // => a.
by rewrite -val_eqE /= => /negPf ->; rewrite mul0r.
Qed.
Lemma det_is_policy pl : is_policy (det_policy pl).
Proof.
move=> k s; split=> [a|]; first exact: ler0n.
rewrite -(sum_det pl k s (fun=> 1)).
by under [RHS]eq_bigr do rewrite mulr1.
Qed.

Lemma occupancy_det pl k (t : 'I_S) : occupancy (det_policy pl) k t = num (at1 (reached pl k) t) / num (scale_to k).
Proof.
elim: k t => [//|k IH] t /=; rewrite at1_mkseq num_sum numM mulr_suml; apply: eq_bigr => s _.
by rewrite IH sum_det /step numM invfM mulrACA.
Qed.

Lemma dot_feature s a theta : ((feature R s a)^T *m theta) ord0 ord0 =
  (\sum_(i < d) num (at3 (features m) s a i) * theta i ord0) / num (feature_scale m).
Proof. by rewrite mxE mulr_suml; apply: eq_bigr => i _; rewrite !mxE mulrAC. Qed.

Lemma moment2_det pl theta : moment2 (det_policy pl) theta = quadratic (second_moments pl) theta / num scale2.
Proof.
rewrite /moment2 /expected.
transitivity (\sum_(s < S) \sum_(i < d) \sum_(j < d) num (at1 (reached pl K) s) *
   (num (at3 (features m) s (taken pl K s) i) * num (at3 (features m) s (taken pl K s) j)) *
   (theta i ord0 * theta j ord0) / num scale2).
  apply: eq_bigr => s _; rewrite sum_det occupancy_det dot_feature /= /scale2 !numM.
  set Z := \sum_(i < d) num (at3 (features m) s (taken pl K s) i) * theta i ord0.
  have -> : num (at1 (reached pl K) s) / num (scale_to K) * (Z / num (feature_scale m)) ^+ 2 =
      num (at1 (reached pl K) s) * (Z * Z) / (num (scale_to K) * (num (feature_scale m) * num (feature_scale m))).
    by rewrite !invfM expr2; move: (num _) (num _)^-1 (num _)^-1 Z => a b c z; ring.
  rewrite /Z big_distrlr /= mulr_sumr mulr_suml; apply: eq_bigr => i _.
  rewrite mulr_sumr mulr_suml; apply: eq_bigr => j _; congr (_ / _).
  by move: (num _) (num _) (num _) (theta _ _) (theta _ _) => a b c u v; ring.
rewrite exchange_big /= /quadratic mulr_suml; apply: eq_bigr => i _.
rewrite exchange_big /= mulr_suml; apply: eq_bigr => j _.
rewrite at2_tab num_sum !mulr_suml; apply: eq_bigr => s _.
by rewrite !numM.
Qed.

Lemma moment1_det pl theta :
  moment1 (det_policy pl) theta = (\sum_(i < d) num (at1 (first_moments pl) i) * theta i ord0) ^+ 2 / num scale1 ^+ 2.
Proof.
rewrite /moment1 /expected -expr_div_n; congr (_ ^+ 2).
transitivity (\sum_(s < S) \sum_(i < d) num (at1 (reached pl K) s) *
   num (at3 (features m) s (taken pl K s) i) * theta i ord0 / num scale1).
  apply: eq_bigr => s _; rewrite sum_det occupancy_det dot_feature /= /scale1 !numM.
  set Z := \sum_(i < d) num (at3 (features m) s (taken pl K s) i) * theta i ord0.
  have -> : num (at1 (reached pl K) s) / num (scale_to K) * (Z / num (feature_scale m)) =
      num (at1 (reached pl K) s) * Z / (num (scale_to K) * num (feature_scale m)).
    by rewrite !invfM; move: (num _) (num _)^-1 (num _)^-1 Z => a b c z; ring.
  rewrite /Z mulr_sumr mulr_suml; apply: eq_bigr => i _.
  by rewrite mulrA.
rewrite exchange_big /= mulr_suml; apply: eq_bigr => i _.
rewrite at1_mkseq num_sum !mulr_suml; apply: eq_bigr => s _.
by rewrite numM.
Qed.

(* lower ends *)
Lemma num_mixed f mix : num (mixed f mix) = \sum_(e <- mix) num e.2 * num (f e.1).
Proof. by elim: mix => [|e l IH]; rewrite ?big_nil // big_cons /= numD numM IH. Qed.
Lemma num_total mix : num (total mix) = \sum_(e <- mix) num e.2.
Proof. by elim: mix => [|e l IH]; rewrite ?big_nil // big_cons /= numD IH. Qed.
Lemma num_abs z : num (Z.abs z) = `|num z|.
Proof.
case: z => [|p|p]; first by rewrite normr0.
  by rewrite ger0_norm //; exact: num_ge0.
by rewrite -[Z.abs _]/(Z.opp (Z.neg p)) numN ler0_norm // -oppr_ge0 -numN; exact: num_ge0.
Qed.
Lemma num_total_abs mix : num (total_abs mix) = \sum_(e <- mix) `|num e.2|.
Proof. by elim: mix => [|e l IH]; rewrite ?big_nil // big_cons /= numD num_abs IH. Qed.

Lemma some_nonneg (mix : seq (nat * Z)) (f : nat -> R) : mix != [::] -> all (fun e => Z.ltb 0 e.2) mix ->
  0 <= \sum_(e <- mix) num e.2 * f e.1 -> exists2 e, e \in mix & 0 <= f e.1.
Proof.
elim: mix => [//|e l IH] _ /= /andP [e0 hl]; rewrite big_cons => h.
case: (lerP 0 (f e.1)) => fe; first by exists e; rewrite ?mem_head.
have s0 : 0 < \sum_(e <- l) num e.2 * f e.1.
  by apply: lt_le_trans (_ : - (num e.2 * f e.1) <= _); rewrite ?oppr_gt0 ?pmulr_rlt0 ?num_gt0 // -subr_ge0 opprK addrC.
have [|e' el fe'] := IH _ hl (ltW s0); last by exists e'; rewrite // inE el orbT.
by apply: contraL s0 => /eqP ->; rewrite big_nil ltxx.
Qed.

Lemma largest_abs (mix : seq (nat * Z)) (y : nat -> R) : mix != [::] ->
  exists2 e, e \in mix & `|\sum_(e <- mix) num e.2 * y e.1| <= (\sum_(e <- mix) `|num e.2|) * `|y e.1|.
Proof.
move=> ne; suff [k kin hk] : exists2 k, k \in mix & forall e, e \in mix -> `|y e.1| <= `|y k.1|.
  exists k => //; apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_suml big_seq [leRHS]big_seq.
  by apply: ler_sum => e /hk le; rewrite normrM ler_wpmul2l.
elim: mix ne => [//|e l IH] _; case: (eqVneq l [::]) => [->|/IH [k kin hk]].
  by exists e; rewrite ?mem_head // => e'; rewrite inE => /eqP ->.
case: (lerP `|y e.1| `|y k.1|) => le.
  by exists k => [|e']; rewrite inE ?kin ?orbT // => /orP [/eqP ->|/hk].
exists e => [|e']; rewrite ?mem_head // inE => /orP [/eqP ->|/hk le'] //.
exact: le_trans le' (ltW le).
Qed.

Lemma quadratic_diag (M : nat -> nat -> Z) c theta :
  quadratic (tab2 d (fun i j => Z.add (M i j) (if i == j then Z.opp c else Z0))) theta =
  quadratic (tab2 d M) theta - num c * qf 1%:M theta.
Proof.
rewrite /quadratic qfE mulr_sumr -sumrB; apply: eq_bigr => i _.
have -> : num c * theta i ord0 ^+ 2 = \sum_(j < d) (if i == j :> nat then num c else 0) * (theta i ord0 * theta j ord0).
  rewrite (bigD1 i) //= eqxx big1 ?addr0 ?expr2 // => j ji.
  by rewrite eq_sym -val_eqE in ji; rewrite (negPf ji) mul0r.
rewrite -sumrB; apply: eq_bigr => j _; rewrite !at2_tab numD mulrDl -mulNr; congr (_ + _ * _).
by case: ifP => _; rewrite ?numN ?oppr0.
Qed.

Lemma qfN theta : qf 1%:M (- theta) = qf 1%:M theta.
Proof. by rewrite -scaleN1r qfZr sqrrN expr1n mul1r. Qed.

Theorem lower2 plans p q cols back det f : check_lower2 plans p q cols back det f ->
  forall theta, exists2 pi : policy R m, is_policy pi & num p / num q * qf 1%:M theta <= moment2 pi theta.
Proof.
move=> /and3P [q0 s0 cover]; have {}q0 := num_gt0 R q0; have {}s0 := num_gt0 R s0.
move=> theta0; apply: (check_coverP (good := fun theta => exists2 pi : policy R m, is_policy pi &
  num p / num q * qf 1%:M theta <= moment2 pi theta) _ _ _ cover); last first.
  move=> theta [pi hpi]; rewrite qfN => le; exists pi => //; apply: le_trans le _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; congr (_ * _); apply: eq_bigr => a _.
  by rewrite mulmxN mxE sqrrN.
move=> mix theta /and3P [ne pos /allP few].
rewrite /form2 quadratic_diag.
set tables := map _ _.
have -> : quadratic (tab2 d (fun i j => Z.mul q (mixed (fun k => at2 (nth [::] tables k) i j) mix))) theta =
    \sum_(e <- mix) num e.2 * (num q * quadratic (nth [::] tables e.1) theta).
  rewrite /quadratic.
  transitivity (\sum_(i < d) \sum_(e <- mix) \sum_(j < d)
      num q * (num e.2 * num (at2 (nth [::] tables e.1) i j)) * (theta i ord0 * theta j ord0)).
    apply: eq_bigr => i _; rewrite exchange_big /=; apply: eq_bigr => j _.
    by rewrite at2_tab numM num_mixed mulr_sumr mulr_suml.
  rewrite exchange_big /=; apply: eq_bigr => e _; rewrite !mulr_sumr; apply: eq_bigr => i _.
  rewrite !mulr_sumr; apply: eq_bigr => j _.
  by move: (num _) (num _) (num _) (theta _ _) (theta _ _) => u v w y z; ring.
rewrite (numM R (Z.mul p scale2)) (numM R p) num_total mulr_sumr mulr_suml -sumrB.
have -> : \sum_(e <- mix) (num e.2 * (num q * quadratic (nth [::] tables e.1) theta) -
     num p * num scale2 * num e.2 * qf 1%:M theta) =
   \sum_(e <- mix) num e.2 * (num q * quadratic (nth [::] tables e.1) theta - num p * num scale2 * qf 1%:M theta).
  by apply: eq_bigr => e _; move: (num _) (num _) (num _) (num _) (qf _ _) (quadratic _ _) => u v w x y z; ring.
move=> /(some_nonneg (f := fun k => num q * quadratic (nth [::] tables k) theta - num p * num scale2 * qf 1%:M theta) ne
  pos).
move=> [[k w] /few kin hk].
exists (det_policy (nth [::] plans k)); first exact: det_is_policy.
rewrite moment2_det ler_pdivl_mulr //.
move: hk; rewrite (nth_map [::]) // subr_ge0 /= => hk.
have -> : num p / num q * qf 1%:M theta * num scale2 = num p * num scale2 * qf 1%:M theta / num q.
  by move: (num _) (num _) (num _)^-1 (qf _ _) => u v w' y; ring.
by rewrite ler_pdivr_mulr // mulrC [leRHS]mulrC mulrC.
Qed.

Theorem lower1 plans p q cols back det f : check_lower1 plans p q cols back det f ->
  forall theta, exists2 pi : policy R m, is_policy pi & num p / num q * qf 1%:M theta <= moment1 pi theta.
Proof.
move=> /and4P [q0 s0 p0 cover]; have {}q0 := num_gt0 R q0; have {}s0 := num_gt0 R s0; have {}p0 := num_ge0 R p0.
move=> theta0; apply: (check_coverP (good := fun theta => exists2 pi : policy R m, is_policy pi &
  num p / num q * qf 1%:M theta <= moment1 pi theta) _ _ _ cover); last first.
  move=> theta [pi hpi]; rewrite qfN => le; exists pi => //; apply: le_trans le _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /moment1 -sqrrN; congr (_ ^+ 2).
  rewrite /expected -sumrN; apply: eq_bigr => s _; rewrite -mulrN -sumrN; congr (_ * _).
  by apply: eq_bigr => a _; rewrite mulmxN mxE mulrN opprK.
move=> mix theta /and3P [ne W0 /allP few].
rewrite /form1 quadratic_diag; set tables := map _ _; set mean := mkseq _ d.
pose y k := \sum_(i < d) num (at2 tables k i) * theta i ord0.
have -> : quadratic (tab2 d (fun i j => Z.mul q (Z.mul (at1 mean i) (at1 mean j)))) theta =
    num q * (\sum_(e <- mix) num e.2 * y e.1) ^+ 2.
  have -> : \sum_(e <- mix) num e.2 * y e.1 = \sum_(i < d) num (at1 mean i) * theta i ord0.
    rewrite (eq_bigr _ (fun e _ => mulr_sumr _ _ _ _)) exchange_big /=; apply: eq_bigr => i _.
    by rewrite at1_mkseq num_mixed mulr_suml; apply: eq_bigr => e _; rewrite mulrA.
  rewrite expr2 big_distrlr /= mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _.
  rewrite at2_tab (numM R q) (numM R (at1 mean i)).
  by move: (num _) (num _) (num _) (theta _ _) (theta _ _) => u v w x z; ring.
have {}W0 := num_gt0 R W0.
rewrite (numM R (Z.mul p _)) (numM R p) (numM R scale1) (numM R (total_abs mix)) num_total_abs subr_ge0 => h.
have [[k w] /few kin hk] := largest_abs y ne.
exists (det_policy (nth [::] plans k)); first exact: det_is_policy.
rewrite moment1_det ler_pdivl_mulr ?exprn_gt0 //.
have -> : \sum_(i < d) num (at1 (first_moments (nth [::] plans k)) i) * theta i ord0 = y k.
  by apply: eq_bigr => i _; rewrite /at2 (nth_map [::]).
rewrite num_total_abs in W0; set W := \sum_(e <- mix) _ in W0 h hk.
have le : (\sum_(e <- mix) num e.2 * y e.1) ^+ 2 <= W ^+ 2 * y k ^+ 2.
  rewrite -(real_normK (num_real (\sum_(e <- mix) _))) -(real_normK (num_real (y k))) -exprMn.
  by rewrite ler_pexpn2r ?nnegrE ?normr_ge0 // mulr_ge0 // ltW.
have W2 : 0 < W ^+ 2 by rewrite exprn_gt0.
rewrite -(ler_pmul2l W2); apply: le_trans le.
rewrite -(ler_pmul2l q0); apply: le_trans h; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have qq : num q * (num q)^-1 = 1 by rewrite divff // gt_eqF.
transitivity (num q * (num q)^-1 * (num p * num scale1 ^+ 2 * W ^+ 2 * qf 1%:M theta)).
  by move: (num q) (num p) (num scale1) (num q)^-1 (qf _ _) => a b c e g; ring.
by rewrite qq mul1r !expr2 mulrA.
Qed.

(* upper ends *)
Lemma num_max x y : num (Z.max x y) = Num.max (num x) (num y).
Proof.
case: (Z.leb_spec x y) => h.
  by rewrite Z.max_r // max_r // num_le //; apply/Z.leb_le.
have h' : Z.le y x by exact: Z.lt_le_incl.
by rewrite Z.max_l // max_l // num_le //; apply/Z.leb_le.
Qed.
Lemma largest_ge (f : nat -> Z) (a : 'I_A) : num (f a) <= num (largest f).
Proof.
have : (a : nat) \in iota 0 A by rewrite mem_iota leq0n add0n ltn_ord.
rewrite /largest; elim: (iota 0 A) => [//|b l IH]; rewrite inE /= num_max le_maxr => /orP [/eqP ->|/IH ->].
  by rewrite lexx.
by rewrite orbT.
Qed.

Lemma step_law k (s : 'I_S) (a : 'I_A) : (k < K)%N -> is_law (step R k s a).
Proof. by have [_ h _] := model_proper; exact: h. Qed.
Lemma occupancy_ge0 pi k t : is_policy pi -> (k <= K)%N -> 0 <= occupancy pi k t.
Proof.
move=> hpi; elim: k t => [|k IH] t kK /=; first by have [[h _] _ _] := model_proper; exact: h.
apply: sumr_ge0 => s _; apply: mulr_ge0; first exact: IH (ltnW kK).
apply: sumr_ge0 => a _; apply: mulr_ge0; first by case: (hpi k s).
by case: (step_law s a kK).
Qed.
Lemma scale_gt0 k : (k < K)%N -> 0 < num (at1 (scales m) k).
Proof.
move=> kK; have kin : k \in iota 0 K by rewrite mem_iota leq0n add0n.
move: ok => /and5P [_ _ ini st _].
have S0 : (0 < S)%N.
  case: (posnP S) => // e; move: ini => /and3P [c0 _ /(num_eq R)]; rewrite num_sum e big_ord0 => e'.
  by have := num_gt0 R c0; rewrite -e' ltxx.
have := all_iota (Ordinal A0) (all_iota (Ordinal S0) (allP st _ kin)).
by move=> /and3P [/num_gt0].
Qed.
Lemma scale_of_gt0 j : (j <= K)%N -> 0 < num (scale_of j).
Proof.
elim: j => [|j IH] jK; first exact: num_gt0.
by rewrite /= (numM R (at1 _ _)) mulr_gt0 ?IH ?scale_gt0 ?(ltnW jK) // ltn_subrL /= (leq_ltn_trans _ jK).
Qed.

Lemma best_above pi (g : nat -> nat -> Z) j : is_policy pi -> (j <= K)%N ->
  \sum_s occupancy pi K s * (\sum_a pi K s a * num (g s a)) <=
  \sum_s occupancy pi (K - j) s * (num (at1 (best g j) s) / num (scale_of j)).
Proof.
move=> hpi; elim: j => [|j IH] jK.
  rewrite subn0; apply: ler_sum => s _; rewrite ler_wpmul2l ?occupancy_ge0 //=.
  rewrite at1_mkseq divr1 -[leRHS]mul1r; have [p0 <-] := hpi K s; rewrite mulr_suml.
  by apply: ler_sum => a _; rewrite ler_wpmul2l //; exact: (largest_ge (g s)).
apply: le_trans (IH (ltnW jK)) _.
have e : (K - j = (K - j.+1).+1)%N by rewrite subnSK.
have lt : (K - j.+1 < K)%N by rewrite ltn_subrL /= (leq_ltn_trans _ jK).
rewrite e /=; set k := (K - j.+1)%N.
rewrite (eq_bigr _ (fun t _ => mulr_suml _ _ _ _)) exchange_big /=; apply: ler_sum => s _.
rewrite (eq_bigr _ (fun t _ => esym (mulrA _ _ _))) -mulr_sumr ler_wpmul2l ?occupancy_ge0 ?(ltnW lt) //.
rewrite (eq_bigr _ (fun t _ => mulr_suml _ _ _ _)) exchange_big /= at1_mkseq.
rewrite -[leRHS]mul1r; have [p0 <-] := hpi k s; rewrite mulr_suml; apply: ler_sum => a _.
rewrite (eq_bigr _ (fun t _ => esym (mulrA _ _ _))) -mulr_sumr ler_wpmul2l //.
set f := fun a => sumZ S _; apply: (@le_trans _ _ (num (f a) / num (Z.mul (at1 (scales m) k) (scale_of j)))).
  rewrite /f num_sum mulr_suml le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => t _.
  by rewrite /step (numM R (at1 (scales m) k)) numM invfM mulrACA.
rewrite ler_wpmul2r ?invr_ge0 //; last exact: largest_ge.
by rewrite (numM R (at1 _ _)) mulr_ge0 // ltW ?scale_gt0 ?scale_of_gt0 // ltnW.
Qed.

Lemma expected_le pi (g : nat -> nat -> Z) (G : 'I_S -> 'I_A -> R) c : is_policy pi -> 0 < c ->
  (forall s a, G s a = num (g s a) / c) -> expected pi G <= num (best_start g) / (num scale_all * c).
Proof.
move=> hpi c0 hG; have := best_above g hpi (leqnn K); rewrite subnn => h.
have -> : expected pi G = (\sum_s occupancy pi K s * (\sum_a pi K s a * num (g s a))) / c.
  rewrite mulr_suml; apply: eq_bigr => s _; rewrite -mulrA; congr (_ * _); rewrite mulr_suml.
  by apply: eq_bigr => a _; rewrite hG mulrA.
rewrite invfM mulrA ler_pmul2r ?invr_gt0 //; apply: le_trans h _.
rewrite /best_start num_sum mulr_suml le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _.
by rewrite (numM R (at1 _ _)) /scale_all (numM R (initial_scale m)) invfM mulrACA.
Qed.

Lemma scale_all_gt0 : 0 < num scale_all.
Proof.
rewrite (numM R (initial_scale m)) mulr_gt0 ?scale_of_gt0 //.
by move: ok => /and5P [_ _ /and3P [/num_gt0]].
Qed.

(* a direction in whole numbers *)
Definition direction (theta : seq Z) : 'cV[R]_d := \col_i num (at1 theta i).
Lemma direction_length (theta : seq Z) : qf 1%:M (direction theta) = num (length2 theta).
Proof. by rewrite qfE num_sum; apply: eq_bigr => i _; rewrite mxE numM expr2. Qed.
Lemma direction_dot (theta : seq Z) s a : ((feature R s a)^T *m direction theta) ord0 ord0 = num (inner theta s a) / num
  (feature_scale m).
Proof. by rewrite dot_feature num_sum; congr (_ / _); apply: eq_bigr => i _; rewrite mxE numM. Qed.
Lemma direction_neq0 (theta : seq Z) : Z.ltb 0 (length2 theta) -> direction theta != 0.
Proof.
move=> /(num_gt0 R); rewrite -direction_length; apply: contraTneq => ->.
by rewrite qf0r ltxx.
Qed.

Theorem upper2 (theta : seq Z) p q : check_upper2 theta p q -> exists2 x : 'cV[R]_d, x != 0 &
  forall pi, is_policy pi -> moment2 pi x <= num p / num q * qf 1%:M x.
Proof.
move=> /and3P [q0 t0 /(num_le R) le]; have {}q0 := num_gt0 R q0.
exists (direction theta); first exact: direction_neq0.
move=> pi hpi; rewrite direction_length.
set g := fun s a => _ in le; have c0 : 0 < num (feature_scale m) * num (feature_scale m) by rewrite mulr_gt0 ?F0.
apply: le_trans (expected_le (g := g) hpi c0 _) _.
  by move=> s a; rewrite direction_dot expr_div_n !expr2 /g /= numM.
rewrite ler_pdivr_mulr ?mulr_gt0 ?scale_all_gt0 ?F0 //.
have -> : num p / num q * num (length2 theta) * (num scale_all * (num (feature_scale m) * num (feature_scale m))) =
    num p * num (length2 theta) * (num scale_all * (num (feature_scale m) * num (feature_scale m))) / num q.
  by move: (num p) (num q)^-1 (num (length2 _)) (num _ * (num _ * num _)) => a b c e; ring.
rewrite ler_pdivl_mulr //; move: le.
by rewrite (numM R (best_start g)) (numM R (Z.mul p _)) (numM R p) (numM R scale_all) (numM R (feature_scale m)).
Qed.

Theorem upper1 (theta : seq Z) p q : check_upper1 theta p q -> exists2 x : 'cV[R]_d, x != 0 &
  forall pi, is_policy pi -> moment1 pi x <= num p / num q * qf 1%:M x.
Proof.
move=> /and3P [q0 t0 /(num_le R) le]; have {}q0 := num_gt0 R q0.
exists (direction theta); first exact: direction_neq0.
move=> pi hpi; rewrite direction_length /moment1; set E := expected pi _.
set u := Z.max _ _ in le.
have c0 : 0 < num scale_all * num (feature_scale m) by rewrite mulr_gt0 ?scale_all_gt0 ?F0.
have h1 : E <= num u / (num scale_all * num (feature_scale m)).
  apply: le_trans (expected_le (g := inner theta) hpi F0 _) _; first by move=> s a; rewrite direction_dot.
  by rewrite ler_pmul2r ?invr_gt0 // /u num_max le_maxr lexx.
have h2 : - E <= num u / (num scale_all * num (feature_scale m)).
  have -> : - E = expected pi (fun s a => - ((feature R s a)^T *m direction theta) ord0 ord0).
    rewrite /E /expected -sumrN; apply: eq_bigr => s _; rewrite -mulrN -sumrN; congr (_ * _).
    by apply: eq_bigr => a _; rewrite mulrN.
  apply: le_trans (expected_le (g := fun s a => Z.opp (inner theta s a)) hpi F0 _) _.
    by move=> s a; rewrite direction_dot numN mulNr.
  by rewrite ler_pmul2r ?invr_gt0 // /u num_max le_maxr lexx orbT.
have h : E ^+ 2 <= (num u / (num scale_all * num (feature_scale m))) ^+ 2.
  rewrite -(real_normK (num_real E)); have n : `|E| <= num u / (num scale_all * num (feature_scale m)).
    by rewrite ler_norml h1 andbT ler_oppl.
  by rewrite ler_pexpn2r ?nnegrE ?normr_ge0 // (le_trans _ n).
apply: le_trans h _; rewrite expr_div_n ler_pdivr_mulr ?exprn_gt0 //.
have -> : num p / num q * num (length2 theta) * (num scale_all * num (feature_scale m)) ^+ 2 =
    num p * num (length2 theta) * ((num scale_all * num (feature_scale m)) * (num scale_all * num (feature_scale m)))
    / num q.
  by move: (num p) (num q)^-1 (num (length2 _)) (num _ * num _) => a b c e; ring.
rewrite ler_pdivl_mulr //; move: le.
by rewrite (numM R (Z.mul u u)) (numM R u) (numM R (Z.mul p _)) (numM R p) !(numM R (Z.mul scale_all _))
  (numM R scale_all) expr2.
Qed.
End Data.

(* both ends *)
Theorem encloses2 (R : realFieldType) m plans p q cols back det f theta p' q' :
  check_model m -> check_lower2 m plans p q cols back det f -> check_upper2 m theta p' q' ->
  encloses (@moment2 R m) (number R p / number R q) (number R p' / number R q').
Proof. by move=> ok lo hi; split; [exact: lower2 ok _ _ _ _ _ _ _ lo|exact: upper2 ok _ _ _ hi]. Qed.
Theorem encloses1 (R : realFieldType) m plans p q cols back det f theta p' q' :
  check_model m -> check_lower1 m plans p q cols back det f -> check_upper1 m theta p' q' ->
  encloses (@moment1 R m) (number R p / number R q) (number R p' / number R q').
Proof. by move=> ok lo hi; split; [exact: lower1 ok _ _ _ _ _ _ _ lo|exact: upper1 ok _ _ _ hi]. Qed.
