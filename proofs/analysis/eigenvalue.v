(* From a small expected norm to a large smallest eigenvalue; what the paper's proof of
   Lemma E.13 displays; Assumption 1 bounds features from below. *)
From derl.common Require Import prelude forms determinants.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.analysis Require Import matrices.

Section Eigenvalue.
Variables (R : rcfType) (d : nat) (T : finType) (Pi : Type).
(* T: the feature vectors that can be met, phi; Pi: the policies, p: their laws *)
Variables (phi : T -> 'cV[R]_d) (p : Pi -> T -> R).

(* nu^2 is at most the largest second moment in every unit direction, attained by a policy *)
Definition reaches (nu : R) := forall u : 'cV[R]_d, sq u = 1 ->
  exists pi, nu ^+ 2 <= mean (p pi) (fun t => ((phi t)^T *m u) ord0 ord0 ^+ 2).

Lemma normalise (x : 'cV[R]_d) : x != 0 ->
  exists2 u, sq u = 1 & x = Num.sqrt (sq x) *: u.
Proof.
move=> x0; have s0 := qf1_gt0 x0; have r0 : 0 < Num.sqrt (sq x) by rewrite sqrtr_gt0.
exists ((Num.sqrt (sq x))^-1 *: x); last by rewrite scalerA divff ?scale1r // gt_eqF.
by rewrite /sq qfZr exprVn sqr_sqrtr ?mulVf ?gt_eqF // ltW.
Qed.

(* lower bounds of a form on unit vectors are bounds in the Loewner order *)
Lemma unit_above (M : 'M[R]_d) l : sym M -> (forall u, sq u = 1 -> l <= qf M u) -> above M l%:M.
Proof.
move=> sM h; split=> [|x].
  by apply: symB => //; rewrite /sym tr_scalar_mx.
rewrite qfB -scalemx1 qfZ -/(sq x); case: (eqVneq x 0) => [->|/normalise [u u1 xE]].
  by rewrite /sq !qf0r mulr0 subrr.
have s0 : 0 <= sq x by rewrite /sq qf1_ge0.
rewrite {1}xE qfZr sqr_sqrtr // mulrC -mulrBl mulr_ge0 // subr_ge0; exact: h.
Qed.

(* [res-sharp-eigenvalue], second half, with e2 the largest expected squared norm *)
Theorem sharp_eigenvalue_square (nu c e2 : R) (A : 'M[R]_d) :
  (forall pi, is_law (p pi)) -> reaches nu -> psd A -> 0 < c -> 0 < e2 ->
  (forall pi, mean (p pi) (fun t => qf (invmx (c%:M + A)) (phi t)) <= e2) ->
  above A (nu ^+ 2 / e2 - c)%:M.
Proof.
move=> hp hnu pA c0 e0 he; have pM : pd (c%:M + A) by apply: pdD; [exact: pd_scalar|].
have sA : sym A by case: pA.
apply: unit_above => // u u1; have [pi hpi] := hnu u u1; have [p0 _] := hp pi.
have le1 : nu ^+ 2 <= e2 * qf (c%:M + A) u.
  apply: le_trans hpi _; apply: (@le_trans _ _
    (mean (p pi) (fun t => qf (invmx (c%:M + A)) (phi t) * qf (c%:M + A) u))).
    by apply: ler_sum => t _; rewrite ler_wpmul2l // dotC [leRHS]mulrC; exact: cauchy_dual.
  rewrite /mean; under eq_bigr do rewrite mulrA; rewrite -mulr_suml.
  by apply: ler_wpmul2r; [exact/qf_ge0/pd_psd|exact: he].
rewrite ler_subl_addr ler_pdivr_mulr // mulrC.
have -> : qf A u + c = qf (c%:M + A) u by rewrite qfD -scalemx1 qfZ -/(sq u) u1 mulr1 addrC.
exact: le1.
Qed.

(* [res-sharp-eigenvalue], first half, with e the largest expected norm *)
Theorem sharp_eigenvalue (nu c e : R) (A : 'M[R]_d) :
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches nu ->
  psd A -> 0 < c -> 0 < e ->
  (forall pi, mean (p pi) (fun t => Num.sqrt (qf (invmx (c%:M + A)) (phi t))) <= e) ->
  above A (nu ^+ 4 / e ^+ 2 - c)%:M.
Proof.
move=> hp hphi hnu pA c0 e0 he; have pM : pd (c%:M + A) by apply: pdD; [exact: pd_scalar|].
have sA : sym A by case: pA.
apply: unit_above => // u u1; have [pi hpi] := hnu u u1; have [p0 _] := hp pi.
set Q := qf (c%:M + A) u; have Q0 : 0 <= Q by exact/qf_ge0/pd_psd.
have le1 : nu ^+ 2 <= e * Num.sqrt Q.
  apply: le_trans hpi _; apply: (@le_trans _ _
    (mean (p pi) (fun t => Num.sqrt (qf (invmx (c%:M + A)) (phi t)) * Num.sqrt Q))).
    apply: ler_sum => t _; rewrite ler_wpmul2l //; set z := ((phi t)^T *m u) ord0 ord0.
    have z1 : z ^+ 2 <= 1.
      have := cauchy (phi t) u (pd_psd (pd1 R d)); rewrite bil1 -/z -/(sq u) u1 mulr1 => h.
      exact: le_trans h (hphi t).
    have az : `|z| <= 1 by rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?ler01 // expr1n real_normK ?num_real.
    apply: (@le_trans _ _ `|z|).
      by rewrite -(real_normK (num_real z)) expr2 ler_pimulr.
    rewrite -sqrtrM ?qfi_ge0 // -(sqrtr_sqr z); apply: ler_wsqrtr.
    by rewrite /z dotC [leRHS]mulrC; exact: cauchy_dual.
  rewrite /mean; under eq_bigr do rewrite mulrA; rewrite -mulr_suml.
  by apply: ler_wpmul2r; [exact: sqrtr_ge0|exact: he].
rewrite ler_subl_addr.
have -> : qf A u + c = Q by rewrite /Q qfD -scalemx1 qfZ -/(sq u) u1 mulr1 addrC.
rewrite ler_pdivr_mulr ?exprn_gt0 //.
have -> : nu ^+ 4 = (nu ^+ 2) ^+ 2 by rewrite -exprM.
have -> : Q * e ^+ 2 = (e * Num.sqrt Q) ^+ 2 by rewrite exprMn sqr_sqrtr // mulrC.
by apply: ler_expn2r; rewrite // nnegrE ?sqr_ge0 // mulr_ge0 ?sqrtr_ge0 // ltW.
Qed.
End Eigenvalue.

(* [ineq-domination-proof]: the display in the paper's proof of Lemma E.13 is false;
   d = 1, A = lambda = c = 1/4, n = 2, phi = 1 *)
Theorem ineq_domination_proof_control : exists (A : 'M[rat]_1) (lam c n : rat) (x : 'cV[rat]_1),
  [/\ above A lam%:M, 0 < lam, 0 < c, 1 < n &
      (lam + c) / (lam * n + c) * qf (c%:M + A) x < qf (invmx (c%:M + n *: A)) x].
Proof.
exists (4%:R^-1)%:M, 4%:R^-1, 4%:R^-1, 2%:R, 1%:M; split=> //.
  by rewrite /above subrr; exact: psd0.
have q (a : rat) : qf (a%:M : 'M[rat]_1) 1%:M = a.
  by rewrite /qf /bil trmx1 mul1mx mulmx1 mxE eqxx mulr1n.
by rewrite scale_scalar_mx -!raddfD /= invmx_scalar !q.
Qed.
