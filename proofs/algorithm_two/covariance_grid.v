(* Tests of a covariance on a finite grid of directions bound it in every direction: no matrix Chernoff bound. *)
From derl.common Require Import real_prelude forms.
From derl.algorithm_one Require Import grid.

Section Perturb.
Variables (d : nat) (A : 'M[R]_d).
Hypothesis pA : psd A.

Lemma form_up u e : qf A (u + e) <= 9%:R / 8%:R * qf A u + 9%:R * qf A e.
Proof.
have [sA _] := pA; have := qf_ge0 (1 *: u - 8%:R *: e) pA; rewrite qf_comb // => h.
rewrite /qf bilDm !bilDr (bil_sym e u sA) -/(qf A u) -/(qf A e) -subr_ge0.
have -> : 9%:R / 8%:R * qf A u + 9%:R * qf A e - (qf A u + bil A u e + (bil A u e + qf A e)) =
  (1 ^+ 2 * qf A u - 2%:R * 1 * 8%:R * bil A u e + 8%:R ^+ 2 * qf A e) / 8%:R by field.
by rewrite divr_ge0 ?ler0n.
Qed.

Lemma form_down u e : 7%:R / 8%:R * qf A u - 7%:R * qf A e <= qf A (u + e).
Proof.
have [sA _] := pA; have := qf_ge0 (1 *: u - (- 8%:R) *: e) pA; rewrite qf_comb // => h.
rewrite [leRHS]/qf bilDm !bilDr (bil_sym e u sA) -/(qf A u) -/(qf A e) -subr_ge0.
have -> : qf A u + bil A u e + (bil A u e + qf A e) - (7%:R / 8%:R * qf A u - 7%:R * qf A e) =
  (1 ^+ 2 * qf A u - 2%:R * 1 * - 8%:R * bil A u e + (- 8%:R) ^+ 2 * qf A e) / 8%:R by field.
by rewrite divr_ge0 ?ler0n.
Qed.
End Perturb.

(* [res-grid-covariance]: E is a multiple of the mean covariance, at least the identity, and G the matrix of the data;
   both are at most n times the identity.  If G sees three quarters of E in every direction of the grid with
   M^2 >= 152 d n, then it sees half of E in every direction: E <= 2 G in the Loewner order *)
Theorem grid_covariance (M d n : nat) (G E : 'M[R]_d) : (0 < M)%N -> psd G -> psd E ->
  (forall x, qf 1%:M x <= qf E x) -> (forall x, qf E x <= n%:R * qf 1%:M x) ->
  (forall x, qf G x <= n%:R * qf 1%:M x) -> (152 * d * n <= M ^ 2)%N ->
  (forall f : {ffun 'I_d -> mark M}, 3%:R / 4%:R * qf E (point f) <= qf G (point f)) ->
  psd (2%:R *: G - E).
Proof.
move=> M0 pG pE big hE hG hM test; split=> [|x].
  by apply: symB; [apply: symZ; case: pG|case: pE].
rewrite qfB qfZ subr_ge0; have MR : 0 < M%:R :> R by rewrite ltr0n.
have [x0|x0] := eqVneq (qf E x) 0.
  by rewrite x0 mulr_ge0 ?ler0n // qf_ge0.
have q0 : 0 < qf E x by rewrite lt_def x0 qf_ge0.
pose q := Num.sqrt (qf E x); have qp : 0 < q by rewrite sqrtr_gt0.
have qq : q ^+ 2 = qf E x by rewrite sqr_sqrtr // ltW.
pose u : 'cV[R]_d := q^-1 *: x.
have xE : x = q *: u by rewrite /u scalerA divff ?scale1r // gt_eqF.
have u1 : qf E u = 1 by rewrite /u qfZr exprVn qq mulVf // gt_eqF.
suff half : 2%:R^-1 <= qf G u.
  rewrite {2}xE qfZr -qq mulrCA ler_pmulr ?exprn_gt0 //.
  by rewrite -ler_pdivr_mull ?ltr0n // mulr1.
clearbody u; clear xE qq qp q0 x0 q x.
have [f [e [pE' e1]]] : exists (f : {ffun 'I_d -> mark M}) e, point f = u + e /\ qf 1%:M e <= d%:R / M%:R ^+ 2.
  by apply: (round_near M0); rewrite -[leRHS]u1; exact: big.
have en : n%:R * qf 1%:M e <= 152%:R^-1.
  apply: le_trans (ler_wpmul2l (ler0n _ n) e1) _.
  rewrite mulrA ler_pdivr_mulr ?exprn_gt0 // ler_pdivl_mull ?ltr0n //.
  by rewrite -natrX -!natrM ler_nat [(n * d)%N]mulnC mulnA.
have eE : qf E e <= 152%:R^-1 := le_trans (hE e) en.
have eG : qf G e <= 152%:R^-1 := le_trans (hG e) en.
have := test f; rewrite pE' => t.
have low := form_down pE u e; have up := form_up pG u e; rewrite u1 mulr1 in low.
have k1 : 3%:R / 4%:R * (7%:R / 8%:R - 7%:R * qf E e) <= 9%:R / 8%:R * qf G u + 9%:R * qf G e.
  apply: le_trans up; apply: le_trans t; rewrite ler_wpmul2l ?divr_ge0 ?ler0n //.
rewrite -(ler_pmul2l (_ : 0 < 9%:R / 8%:R)) ?divr_gt0 ?ltr0n //.
rewrite -(ler_add2r (9%:R * qf G e)); apply: le_trans k1.
rewrite mulrBr ler_subr_addr.
apply: (@le_trans _ _ (9%:R / 8%:R * 2%:R^-1 + 9%:R * 152%:R^-1 + 3%:R / 4%:R * (7%:R * 152%:R^-1))).
  apply: ler_add; first by rewrite ler_add2l ler_wpmul2l ?ler0n.
  by rewrite ler_wpmul2l ?divr_ge0 ?ler0n // ler_wpmul2l ?ler0n.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.
