(* Theorem 4.1, repaired, end to end: with probability at least 1 - delta, over all data of the run, the policy that
   Algorithm 1 returns after at most c_K d H + 1 deployments is epsilon-optimal. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring zify.
From mathcomp.analysis Require Import Rstruct.
From derl.common Require Import forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import hoeffding.
From derl.foundations Require Import rewards.
From derl.layerwise Require Import optimism sizes theorem.
From derl.algorithm_one Require Import trajectory_law grid algorithm regressions optimal success numbers.
Import GRing.Theory Num.Theory Order.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope R_scope with coqR.
Local Arguments exp x%R.
Local Open Scope ring_scope.

Lemma litE n : n%:R = IZR (Z.of_nat n) :> R. Proof. by rewrite natE INR_IZR_INZ. Qed.

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
End Numbers.
