(* Dimension one: the bound on the number of violating batches is attained. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import count refined sharp attained one_dimension remarks.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

Section Growth.
Variables (R : rcfType) (N : nat) (eps : R).

(* the matrix (a number) after k violations that grow as slowly as possible *)
Definition level k : R := (1 + N%:R * eps) ^+ k.
(* the k-th vector: its square is eps times the matrix, as long as that is at most 1 *)
Definition slow (k : nat) : 'cV[R]_1 :=
  const_mx (if level k * eps <= 1 then Num.sqrt (level k * eps) else 0).

Lemma level_gt0 k : 0 < eps -> 0 < level k.
Proof. by move=> e0; rewrite exprn_gt0 // ltr_paddr ?ltr01 // mulr_ge0 ?ler0n // ltW. Qed.

Lemma level_mono k j : 0 < eps -> (k <= j)%N -> level k <= level j.
Proof. by move=> e0 kj; apply: ler_weexpn2l => //; rewrite ler_addl mulr_ge0 ?ler0n // ltW. Qed.

Lemma slow_sq k : 0 < eps -> sqnorm (slow k) = if level k * eps <= 1 then level k * eps else 0.
Proof.
move=> e0; rewrite /sqnorm big_ord1 mxE; case: ifP => _; last by rewrite expr0n.
by rewrite sqr_sqrtr // mulr_ge0 // ltW // level_gt0.
Qed.

Lemma slow_le1 k : 0 < eps -> sqnorm (slow k) <= 1.
Proof. by move=> e0; rewrite slow_sq //; case: ifP => // _; exact: ler01. Qed.

Lemma slow_outer k : outer (slow k) = (sqnorm (slow k))%:M.
Proof.
by apply/matrixP => i j; rewrite !ord1 outerE /sqnorm big_ord1 mxE -expr2 [RHS]mxE eqxx.
Qed.

Lemma slow_before k : 0 < eps -> (forall j, (j < k)%N -> level j * eps <= 1) ->
  before (batches N (copies slow)) k = (level k)%:M.
Proof.
move=> e0; elim: k => [|k IH] h; first by rewrite /before big_ord0 addr0 /level expr0.
rewrite beforeS IH => [|j jk]; last by apply: h; exact: ltn_trans jk _.
rewrite /batches gram_copies slow_outer slow_sq // h // scale_scalar_mx -raddfD /=.
by congr _%:M; rewrite /level exprS mulrDl mul1r; congr (_ + _); rewrite mulrCA mulrC.
Qed.

Lemma slow_violations k : 0 < eps -> (forall j, (j < k)%N -> level j * eps <= 1) ->
  violations (batches N (copies slow)) (N%:R * eps) k = k.
Proof.
move=> e0; elim: k => [|k IH] h; first by rewrite violations0.
have h' j : (j < k)%N -> level j * eps <= 1 by move=> jk; apply: h; exact: ltn_trans jk _.
rewrite violationsS IH // /violates slow_before // /batches gram_copies slow_outer slow_sq // h //.
rewrite invmx_scalar scale_scalar_mx mul_scalar_mx scale_scalar_mx mxtrace_scalar mulr1n.
have -> : (level k)^-1 * (N%:R * (level k * eps)) = N%:R * eps.
  by rewrite mulrCA mulKf // gt_eqF // level_gt0.
by rewrite lexx addn1.
Qed.
End Growth.

(* [res-sharp-potential-one-dim], whole: the largest possible number of violating batches,
   over all vectors and all numbers of batches, is 1 + floor (log (1/eps) / log (1 + N eps)) *)
Theorem res_sharp_potential_one_dim_exact N (eps : R) : (0 < N)%N -> 0 < eps <= 1 ->
  let M := Z.add 1 (Int_part (ln (/ eps) / ln (1 + INR N * eps))%coqR) in
  (forall K (phi : nat -> nat -> 'cV[R]_1), (forall k i, sqnorm (phi k i) <= 1) ->
     Z.le (Z.of_nat (violations (batches N phi) (N%:R * eps) K)) M) /\
  exists K (phi : nat -> nat -> 'cV[R]_1), (forall k i, sqnorm (phi k i) <= 1) /\
     Z.of_nat (violations (batches N phi) (N%:R * eps) K) = M.
Proof.
move=> N0 he M; split=> [K phi hphi|]; first exact: res_sharp_potential_one_dim.
case/andP: he => e0 e1; have e0' : (0 < eps)%coqR by apply/RltP.
have N0' : (0 < INR N)%coqR by apply: lt_0_INR; apply/ssrnat.ltP.
have y0 : (0 < INR N * eps)%coqR by apply: Rmult_lt_0_compat.
set l := ln (1 + INR N * eps)%coqR in M *.
have l0 : (0 < l)%coqR by apply: ln_gt0; Lra.lra.
have inv1 : (1 <= / eps)%coqR.
  by rewrite -Rinv_1; apply: Rinv_le_contravar => //; apply/RleP.
have li : (0 <= ln (/ eps))%coqR by apply: ln_ge0.
set x := (ln (/ eps) / l)%coqR in M *.
have x0 : (0 <= x)%coqR by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
have [b1 b2] := base_Int_part x.
have i0 : Z.le 0 (Int_part x).
  apply: Zlt_succ_le; apply: lt_IZR; rewrite succ_IZR; Lra.lra.
exists (Z.to_nat M), (copies (slow N eps)); split; first by move=> k i; exact: slow_le1.
rewrite slow_violations //; first by rewrite Z2Nat.id // /M; Lia.lia.
move=> j /ssrnat.ltP jM.
have jx : (INR j <= x)%coqR.
  apply: Rle_trans b1; rewrite INR_IZR_INZ; apply: IZR_le; rewrite /M in jM; Lia.lia.
have jl : (INR j * l <= ln (/ eps))%coqR.
  by have := Rmult_le_compat_r l _ _ (Rlt_le _ _ l0) jx; rewrite /x div_mul //; exact: Rgt_not_eq.
have p1 : (0 < 1 + INR N * eps)%coqR by Lra.lra.
have pw : (pow (1 + INR N * eps) j <= / eps)%coqR.
  rewrite -Rpower_pow // -(exp_ln (/ eps)); last exact: Rinv_0_lt_compat.
  exact: exp_le.
have : (pow (1 + INR N * eps) j * eps <= 1)%coqR.
  have := Rmult_le_compat_r eps _ _ (Rlt_le _ _ e0') pw.
  by rewrite Rinv_l //; exact: Rgt_not_eq.
by move=> /RleP; rewrite RpowE /level natE.
Qed.

(* control for Lemma 4.2: with the constant 1/20 in the place of 1 it is false, at
   d = H = N = 1, eps = 23/50 and c_K = 2, where three batches violate *)
Theorem lem_batched_potential_control : exists (phi : nat -> nat -> 'cV[R]_1) (eps : R) (B : nat),
  [/\ (0 < eps < 1)%coqR, forall k i, sqnorm (phi k i) <= 1,
      (batch_size (/ 20) 2 1 1 eps 2 <= INR 1)%coqR &
      (2 * INR 1 < INR (violations (batches 1 phi) (1%:R * eps) B))%coqR].
Proof.
pose e : R := (23 / 50)%coqR.
have e0' : (0 < e)%coqR by rewrite /e; Lra.lra.
have e0 : 0 < e by apply/RltP.
exists (copies (slow 1 e)), e, 3%N; split.
- by rewrite /e; Lra.lra.
- by move=> k i; exact: slow_le1.
- rewrite /batch_size /= (_ : (2 - 1)%coqR = 1%coqR); last by Lra.lra.
  have -> : (1 * 1 / e = 50 / 23)%coqR by rewrite /e; field.
  rewrite Rinv_1 (Rpower_2 1) ?(Rpower_2 e) //; last exact: Rlt_0_1.
  have L0 : (0 < ln (50 / 23))%coqR by apply: ln_gt0; Lra.lra.
  have L1 : (ln (50 / 23) <= 27 / 23)%coqR by have := ln_le (50 / 23)%coqR; Lra.lra.
  rewrite Rpower_2 //; set L := ln _ in L0 L1 *.
  have -> : (1 * (1 * 1) / (e * e) = 2500 / 529)%coqR by rewrite /e; field.
  have LL : (L * L <= 27 / 23 * (27 / 23))%coqR by apply: Rmult_le_compat; Lra.lra.
  have L2 : (0 < L * L)%coqR by apply: Rmult_lt_0_compat.
  by rewrite Rpower_1; Lra.lra.
- rewrite slow_violations // /=; first by Lra.lra.
  move=> j j3; apply: le_trans (_ : level 1 e 2 * e <= 1).
    by rewrite ler_pmul2r // level_mono.
  rewrite /level exprS expr1 natE; apply/RleP.
  change ((1 + INR 1 * e) * (1 + INR 1 * e) * e <= 1)%coqR; rewrite /= /e; Lra.lra.
Qed.

(* control: without the 1 the bound is false *)
Theorem one_dimension_control : ~ (forall N K (phi : nat -> nat -> 'cV[R]_1) (eps : R), (0 < N)%N ->
  0 < eps <= 1 -> (forall k i, sqnorm (phi k i) <= 1) ->
  Z.le (Z.of_nat (violations (batches N phi) (N%:R * eps) K))
       (Int_part (ln (/ eps) / ln (1 + INR N * eps))%coqR)).
Proof.
move=> h; have e1 : 0 < (1 : R) <= 1 by rewrite ltr01 lexx.
have [_ [K [phi [hphi e]]]] := res_sharp_potential_one_dim_exact (isT : (0 < 1)%N) e1.
by have := h 1%N K phi 1 isT e1 hphi; rewrite e; Lia.lia.
Qed.

(* control for the sharp lemma: a tenth of the batch size is not enough, at d = 1 and c_K = 2 *)
Theorem res_sharp_potential_control : exists (phi : nat -> nat -> 'cV[R]_1) (eps : R) (B : nat),
  [/\ (0 < eps < 1)%coqR, forall k i, sqnorm (phi k i) <= 1,
      (/ 10 * Rpower (2 / Rpower eps 2) (/ (2 - 1)) <= INR 1)%coqR &
      (2 * INR 1 < INR (violations (batches 1 phi) (1%:R * eps) B))%coqR].
Proof.
pose e : R := (23 / 50)%coqR.
have e0' : (0 < e)%coqR by rewrite /e; Lra.lra.
have e0 : 0 < e by apply/RltP.
exists (copies (slow 1 e)), e, 3%N; split.
- by rewrite /e; Lra.lra.
- by move=> k i; exact: slow_le1.
- rewrite (_ : (2 - 1)%coqR = 1%coqR); last by Lra.lra.
  rewrite Rinv_1 (Rpower_2 e) // (_ : (2 / (e * e) = 5000 / 529)%coqR); last by rewrite /e; field.
  by rewrite Rpower_1 /=; Lra.lra.
- rewrite slow_violations // /=; first by Lra.lra.
  move=> j j3; apply: le_trans (_ : level 1 e 2 * e <= 1).
    by rewrite ler_pmul2r // level_mono.
  rewrite /level exprS expr1 natE; apply/RleP.
  change ((1 + INR 1 * e) * (1 + INR 1 * e) * e <= 1)%coqR; rewrite /= /e; Lra.lra.
Qed.

(* control for Lemma C.3: log rho in the place of rho log rho is false, for one vector *)
Theorem lem_trace_det_control : exists phi : nat -> nat -> 'cV[R]_1, let A j := before (batches 1 phi) j in
  (ln (\det (A 1%N) / \det (A 0%N))%R < \tr (invmx (A 0%N) *m gram 1 (phi 0%N)))%R.
Proof.
exists (fun _ _ => 1%:M); rewrite /before big_ord0 big_ord1 !addr0 invmx1 mul1mx /batches /gram big_ord1.
rewrite tr_outer qfE big_ord1 mxE expr1n det1 /outer trmx1 mul1mx -raddfD /= det_scalar1.
rewrite [X in ln X](_ : _ = (1 + 1)%coqR); last exact: (divr1 (1 + 1 : R)%R).
apply/RltP; apply: exp_lt_inv; rewrite exp_ln; last by Lra.lra.
by apply: exp_ineq1; exact: R1_neq_R0.
Qed.
