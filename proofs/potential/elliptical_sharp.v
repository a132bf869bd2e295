(* Lemma C.1: false as printed for small lambda; the repaired bound is attained, and the
   printed right side is a bound exactly from lambda = 1/log 2 - 1 on. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import bridge count sharp elliptical numbers log_two constants logdet.

(* the left side of Lemma C.1: sum_t tr (X_t M_(t-1)^-1), with M_t = lambda I + X_1 + ... + X_t *)
Definition potential_sum d (X : nat -> 'M[R]_d) (lam : R) T : R :=
  \sum_(t < T) \tr (X t *m invmx (total X lam t)).
(* the right side printed in Lemma C.1 *)
Definition printed_bound (d T : nat) (lam : R) : R := ((1 + lam^-1) * (d%:R * ln (1 + T%:R / d%:R)%R))%R.
(* the setting: positive semi-definite matrices of trace at most 1 *)
Definition admissible d (X : nat -> 'M[R]_d) := forall t, psd (X t) /\ \tr (X t) <= 1.

(* each term is at most 1/lambda *)
Lemma term_le d (X : nat -> 'M[R]_d) (lam : R) t : 0 < lam -> admissible X ->
  \tr (X t *m invmx (total X lam t)) <= lam^-1.
Proof.
move=> l0 hX; have pX j : psd (X j) by case: (hX j).
have [s gs sE] := psd_split (pX t).
rewrite mxtrace_mulC; apply: (@le_trans _ _ (lam^-1 * \tr (X t))); last first.
  by rewrite ler_pimulr ?invr_ge0 ?(ltW l0) //; case: (hX t).
rewrite sE -[X in lam^-1 * \tr X]mul1mx !tr_mul_spread mulr_sumr big_seq [leRHS]big_seq.
apply: ler_sum => p ps; have /andP[p0 _] := allP gs _ ps.
rewrite [leRHS]mulrCA ler_pmul2l //.
have -> : lam^-1 * qf 1%:M p.2 = qf (invmx (lam%:M)) p.2.
  by rewrite invmx_scalar -[in RHS]scalemx1 qfZ.
apply: inv_antitone; first by rewrite -scalemx1; apply: pdZ => //; exact: pd1.
by rewrite /total addrC addKr; exact: psd_sum.
Qed.

(* the unit vector e_t *)
Definition axis d (t : nat) : 'cV[R]_d := \col_i (i == t :> nat)%:R.

Lemma axis_total d (lam : R) t :
  total (fun j => outer (axis d j)) lam t = diag_mx (\row_i (lam + (i < t)%N%:R)).
Proof.
elim: t => [|t IH].
  rewrite /total big_ord0 addr0 -diag_const_mx; congr diag_mx; apply/rowP => i.
  by rewrite !mxE addr0.
rewrite totalS IH; apply/matrixP => i j; rewrite mxE outerE !mxE.
case: (eqVneq i j) => [->|ij]; last first.
  rewrite mulr0n add0r; case: eqP => [it|_]; last by rewrite mul0r.
  by case: eqP => [jt|_]; [case/eqP: ij; apply/val_inj; rewrite /= it jt|rewrite mulr0].
rewrite !mulr1n -addrA; congr (_ + _); rewrite ltnS [(j <= t)%N]leq_eqVlt.
by case: ltngtP => //= _; rewrite ?mul0r ?mulr1 ?addr0 ?add0r.
Qed.

Lemma axis_term d (lam : R) t : 0 < lam -> (t < d)%N ->
  \tr (outer (axis d t) *m invmx (total (fun j => outer (axis d j)) lam t)) = lam^-1.
Proof.
move=> l0 td; rewrite axis_total; set D := diag_mx _.
pose E : 'M[R]_d := diag_mx (\row_i (lam + (i < t)%N%:R)^-1).
have DE : D *m E = 1%:M.
  rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP => i; rewrite !mxE divff //.
  by rewrite gt_eqF // ltr_paddr ?ler0n.
have uD : D \in unitmx by case/mulmx1_unit: DE.
have -> : invmx D = E by apply: (can_inj (mulKmx uD)); rewrite mulmxV // DE.
rewrite mxtrace_mulC tr_mul_outer qf_diag (bigD1 (Ordinal td)) //= big1 => [|i it].
  by rewrite !mxE /= ltnn eqxx addr0 expr1n mulr1 addr0.
rewrite !mxE; have -> : (i == t :> nat) = false by apply: contraNF it => /eqP e; apply/eqP/val_inj.
by rewrite expr0n mulr0.
Qed.

(* [res-elliptical-potential], whole *)
Theorem res_elliptical_potential_exact (lam : R) : 0 < lam ->
  [/\ forall d T (X : nat -> 'M[R]_d), (0 < d)%N -> admissible X ->
        potential_sum X lam T <= lam^-1 / ln (1 + lam^-1)%R * (d%:R * ln (1 + T%:R / (d%:R * lam))%R),
      forall d, (0 < d)%N ->
        potential_sum (fun t => outer (axis d t)) lam d =
        lam^-1 / ln (1 + lam^-1)%R * (d%:R * ln (1 + d%:R / (d%:R * lam))%R),
      (forall d T (X : nat -> 'M[R]_d), (0 < d)%N -> admissible X ->
        potential_sum X lam T <= printed_bound d T lam) <-> (ln 2)^-1 - 1 <= lam &
      (44265 / 100000 <= (/ ln 2) - 1 < 44275 / 100000)%coqR].
Proof.
move=> l0; have x0 : 0 < lam^-1 by rewrite invr_gt0.
have bound d T (X : nat -> 'M[R]_d) : (0 < d)%N -> admissible X ->
    potential_sum X lam T <= lam^-1 / ln (1 + lam^-1)%R * (d%:R * ln (1 + T%:R / (d%:R * lam))%R).
  by move=> d0 hX; apply: res_elliptical_potential => // j; case: (hX j).
have l2 : (0 < ln 2)%coqR by have := ln2_lower; Lra.lra.
have l2' : 0 < ln 2 by apply/RltP.
have thr : ((ln 2)^-1 - 1 <= lam) = (lam^-1 <= (1 + lam^-1) * ln 2).
  rewrite -[in RHS](ler_pmul2r l0) mulVf ?gt_eqF // mulrAC mulrDl mulVf ?gt_eqF // mul1r.
  by rewrite -ler_pdivr_mulr // mul1r ler_subl_addr addrC.
split=> //; last exact: threshold_digits.
- move=> d d0; have dn : d%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
  rewrite /potential_sum (eq_bigr (fun _ => lam^-1)) => [|t _]; last exact: axis_term.
  have lx : 0 < ln (1 + lam^-1)%R.
    by apply/RltP; apply: ln_gt0; apply/RltP; change (1 < 1 + lam^-1); rewrite ltr_addl.
  have -> : d%:R / (d%:R * lam) = lam^-1 by rewrite invfM mulrA divff // mul1r.
  by rewrite sumr_const card_ord -(mulr_natl lam^-1) [RHS]mulrCA mulfVK ?gt_eqF.
rewrite thr; split=> [h|h d T X d0 hX].
  have one : admissible (fun _ => 1%:M : 'M[R]_1).
    by move=> t; split; [exact/pd_psd/pd1|rewrite mxtrace1].
  have := h 1%N 1%N (fun _ => 1%:M) isT one.
  rewrite /potential_sum /printed_bound big_ord1 mul1mx /total big_ord0 addr0 invmx_scalar.
  rewrite mxtrace_scalar mulr1n => h1; apply: le_trans h1 _.
  have -> : ln 2 = ln (1 + 1%:R / 1%:R)%R.
    by rewrite divr1; congr ln; change (2 = 1 + 1)%coqR; Lra.lra.
  have m1 (z : R) : 1%:R * z = z by exact: mul1r.
  by rewrite m1.
have dR : 0 < d%:R :> R by rewrite ltr0n.
set u := T%:R / d%:R : R; have u0 : 0 <= u by rewrite divr_ge0 ?ler0n.
have [small large] := printed_constant lam^-1 u (RltP _ _ x0) (RleP _ _ h) (RleP _ _ u0).
case: (lerP u 1) => [u1|/ltW u1].
  apply: (@le_trans _ _ (\sum_(t < T) lam^-1)).
    by apply: ler_sum => t _; exact: term_le.
  rewrite sumr_const card_ord -(mulr_natr lam^-1).
  have -> : lam^-1 * T%:R = d%:R * (lam^-1 * u) by rewrite /u; field; rewrite gt_eqF //= gt_eqF.
  rewrite /printed_bound [leRHS]mulrCA ler_pmul2l //; apply/RleP; apply: small; exact/RleP.
apply: le_trans (bound d T X d0 hX) _; rewrite /printed_bound mulrCA [leRHS]mulrCA ler_pmul2l //.
have -> : T%:R / (d%:R * lam) = lam^-1 * u by rewrite /u; field; rewrite gt_eqF //= gt_eqF.
have := large (RleP _ _ u1) => h'; apply/RleP; move: h'.
by rewrite RdivE // gt_eqF //; apply/RltP; apply: ln_gt0; apply/RltP; change (1 < 1 + lam^-1); rewrite ltr_addl.
Qed.

(* [lem-elliptical-potential], refuted as printed, whole *)
Theorem lem_elliptical_potential : ~ (forall (lam : R) d T (X : nat -> 'M[R]_d),
  0 < lam -> (0 < d)%N -> admissible X -> potential_sum X lam T <= printed_bound d T lam).
Proof.
move=> h; pose lam : R := (/ 10)%coqR.
have l0' : (0 < lam)%coqR by rewrite /lam; Lra.lra.
have l0 : 0 < lam by apply/RltP.
have [_ _ [only _] _] := res_elliptical_potential_exact l0.
have := only (fun d T X d0 hX => h lam d T X l0 d0 hX) => /RleP.
have [t0 _] := threshold_digits.
have l2 : (ln 2)%coqR != 0 by apply/eqP/Rgt_not_eq; have := ln2_lower => h2; change (0 < ln 2)%coqR; Lra.lra.
rewrite -RinvE // => le; change (/ ln 2 - 1 <= lam)%coqR in le; rewrite /lam in le.
by Lra.lra.
Qed.
