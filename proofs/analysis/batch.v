(* Step 2 of Theorem E.9: the inverse of the covariance of a batch. *)
From derl.common Require Import prelude forms.
From derl.analysis Require Import matrices slips.

(* the event of Step 2: the form of N E - S is at most 4 sqrt N l on unit vectors; E is the
   mean covariance of the mixture, S the sum over the batch, q the root of N *)
Definition step_two (R : realFieldType) (d : nat) (E S : 'M[R]_d) (q l : R) : Prop :=
  sym E /\ sym S /\ forall x : 'cV[R]_d, `|qf (q ^+ 2 *: E - S) x| <= 4%:R * q * l * sq x.

Section Batch.
Variables (R : realFieldType) (d : nat).

Lemma batch_above (E S : 'M[R]_d) (q l k i : R) : step_two E S q l -> 0 < i -> above (i *: E) k%:M ->
  above (1%:M + S) (1 + k * q ^+ 2 / i - 4%:R * q * l)%:M.
Proof.
move=> [sE [sS ev]] i0 hA; split.
  apply: symB; first by apply: symD => //; exact: sym1.
  by rewrite /sym tr_scalar_mx.
move=> x; have h : q ^+ 2 * qf E x - qf S x <= 4%:R * q * l * sq x.
  by have := ev x; rewrite ler_norml qfB qfZ => /andP[].
have A1 : k * sq x <= i * qf E x.
  by case: hA => _ /(_ x); rewrite qfB qfZ -[X in _ - qf X _]scalemx1 qfZ -/(sq x) subr_ge0.
rewrite qfB qfD -[X in _ - qf X _]scalemx1 qfZ -/(sq x).
have kE : k * q ^+ 2 / i * sq x <= q ^+ 2 * qf E x.
  rewrite -(ler_pmul2l i0); have -> : i * (k * q ^+ 2 / i * sq x) = q ^+ 2 * (k * sq x).
    by field; rewrite gt_eqF.
  have -> : i * (q ^+ 2 * qf E x) = q ^+ 2 * (i * qf E x) by ring.
  exact: ler_wpmul2l (sqr_ge0 q) _ _ A1.
have -> : sq x + qf S x - (1 + k * q ^+ 2 / i - 4%:R * q * l) * sq x =
  (4%:R * q * l * sq x - (q ^+ 2 * qf E x - qf S x)) + (q ^+ 2 * qf E x - k * q ^+ 2 / i * sq x) by ring.
by apply: addr_ge0; rewrite subr_ge0.
Qed.

Lemma above_inv (M : 'M[R]_d) (t : R) x : 0 < t -> above M t%:M -> qf (invmx M) x <= t^-1 * sq x.
Proof.
move=> t0 h; have := @inv_above R d t M 1%:M x t0 (pd1 R d).
by rewrite scalemx1 invmx1; apply.
Qed.

(* [res-batch-inverse], whole: N = q^2; the three forms of the bound *)
Theorem res_batch_inverse (E S : 'M[R]_d) (q l i : R) : step_two E S q l -> 0 < q -> 0 < l -> 1 <= i ->
  (above (i *: E) 2%:R%:M -> 16%:R * i ^+ 2 * l ^+ 2 <= q ^+ 2 ->
     forall x, qf (invmx (1%:M + S)) x <= i / q ^+ 2 * sq x) /\
  (above (i *: E) 1%:M -> 29%:R * i ^+ 2 * l ^+ 2 <= q ^+ 2 ->
     forall x, qf (invmx (1%:M + S)) x <= 4%:R * i / q ^+ 2 * sq x) /\
  (above (i *: E) (2%:R^-1)%:M -> 256%:R * i ^+ 2 * l ^+ 2 <= q ^+ 2 ->
     forall x, qf (invmx (1%:M + S)) x <= 4%:R * i / q ^+ 2 * sq x).
Proof.
move=> ev q0 l0 i1; have i0 : 0 < i by exact: lt_le_trans ltr01 i1.
have q20 : 0 < q ^+ 2 by exact: exprn_gt0.
(* from a bound c i l <= q *)
have main (k t : R) x : above (i *: E) k%:M -> 0 < t -> t * q ^+ 2 / i <= 1 + k * q ^+ 2 / i - 4%:R * q * l ->
    qf (invmx (1%:M + S)) x <= i / q ^+ 2 / t * sq x.
  move=> hk t0 le; have s0 : 0 < t * q ^+ 2 / i by rewrite divr_gt0 ?mulr_gt0.
  apply: le_trans (above_inv x (lt_le_trans s0 le) (batch_above ev i0 hk)) _.
  rewrite ler_wpmul2r ?qf1_ge0 //.
  have -> : i / q ^+ 2 / t = (t * q ^+ 2 / i)^-1 by field; rewrite !gt_eqF.
  by rewrite lef_pinv ?posrE // (lt_le_trans s0 le).
have root (c : R) : 0 < c -> c ^+ 2 * i ^+ 2 * l ^+ 2 <= q ^+ 2 -> c * i * l <= q.
  by move=> c0; rewrite -!exprMn ler_pexpn2r ?nnegrE ?mulr_ge0 // ltW.
split; [|split].
- move=> hA hN x; have c4 : 4%:R * i * l <= q.
    by apply: root; rewrite ?ltr0n // -natrX.
  have := main 2%:R 1 x hA ltr01; rewrite divr1; apply.
  rewrite -subr_ge0; have -> : 1 + 2%:R * q ^+ 2 / i - 4%:R * q * l - 1 * q ^+ 2 / i =
    1 + q / i * (q - 4%:R * i * l) by field; rewrite gt_eqF.
  by rewrite addr_ge0 ?ler01 // mulr_ge0 ?divr_ge0 ?subr_ge0 // ltW.
- move=> hA hN x.
  have hA' : above (i *: E) 1%:R%:M by [].
  have := main 1 4%:R^-1 x hA; rewrite invrK => h.
  have -> : 4%:R * i / q ^+ 2 = i / q ^+ 2 * 4%:R by ring.
  apply: h; first by rewrite invr_gt0 ltr0n.
  (* 3/4 q^2/i + 1 - 4 q l >= 0, a square plus a multiple of the hypothesis *)
  rewrite -(ler_pmul2l i0) -subr_ge0.
  have -> : i * (1 + 1 * q ^+ 2 / i - 4%:R * q * l) - i * (4%:R^-1 * q ^+ 2 / i) =
    i + 3%:R / 4%:R * q ^+ 2 - 4%:R * (q * (i * l)) by field; rewrite gt_eqF.
  have w : 16%:R / 3%:R * (i * l) <= q.
    apply: le_trans (root (16%:R / 3%:R) _ _).
    + by rewrite mulrA.
    + by rewrite divr_gt0 ?ltr0n.
    + apply: le_trans hN; rewrite !ler_wpmul2r ?sqr_ge0 //.
      rewrite expr_div_n ler_pdivr_mulr ?exprn_gt0 ?ltr0n // -!natrX -natrM ler_nat //.
  have -> : i + 3%:R / 4%:R * q ^+ 2 - 4%:R * (q * (i * l)) =
    i + 3%:R / 4%:R * q * (q - 16%:R / 3%:R * (i * l)) by field.
  by rewrite addr_ge0 ?(ltW i0) // mulr_ge0 ?subr_ge0 // mulr_ge0 ?divr_ge0 ?ler0n // ltW.
- move=> hA hN x; have c16 : 16%:R * i * l <= q.
    by apply: root; rewrite ?ltr0n // -natrX.
  have := main 2%:R^-1 4%:R^-1 x hA; rewrite invrK => h.
  have -> : 4%:R * i / q ^+ 2 = i / q ^+ 2 * 4%:R by ring.
  apply: h; first by rewrite invr_gt0 ltr0n.
  rewrite -subr_ge0; have -> : 1 + 2%:R^-1 * q ^+ 2 / i - 4%:R * q * l - 4%:R^-1 * q ^+ 2 / i =
    1 + q / (4%:R * i) * (q - 16%:R * i * l) by field; rewrite gt_eqF.
  by rewrite addr_ge0 ?ler01 // mulr_ge0 ?divr_ge0 ?mulr_ge0 ?ler0n ?subr_ge0 // ltW.
Qed.
End Batch.

Lemma qf_diag2 (R : realFieldType) (a b : R) (x : 'cV[R]_2) :
  qf (diag2 a b) x = a * x ord0 ord0 ^+ 2 + b * x (lift ord0 ord0) ord0 ^+ 2.
Proof.
rewrite /qf /bil mxE !big_ord_recl big_ord0 !mxE !big_ord_recl !big_ord0 !mxE /=; ring.
Qed.
Lemma sq2 (R : realFieldType) (x : 'cV[R]_2) : sq x = x ord0 ord0 ^+ 2 + x (lift ord0 ord0) ord0 ^+ 2.
Proof. by rewrite /sq qfE !big_ord_recl big_ord0 addr0. Qed.
Lemma diag2_sym (R : realFieldType) (a b : R) : sym (diag2 a b).
Proof. by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] hi] [[|[|//]] hj]. Qed.

(* [eq-batch-inverse] is false for every l >= 1: i = 2 policies, N = 16 i^2 l^2, E = I / 2,
   and e_2 never seen *)
Theorem eq_batch_inverse_refuted (R : realFieldType) (l : R) : 1 <= l ->
  exists (E S : 'M[R]_2) (q i : R) (x : 'cV[R]_2),
  [/\ step_two E S q l, psd S, above (i *: E) 1%:M, 16%:R * i ^+ 2 * l ^+ 2 = q ^+ 2 &
      4%:R * i / q ^+ 2 * sq x < qf (invmx (1%:M + S)) x].
Proof.
move=> l1; have l0 : 0 < l by exact: lt_le_trans ltr01 l1.
pose q := 8%:R * l; have q0 : 0 < q by rewrite mulr_gt0 ?ltr0n.
have one : 1%:M = diag2 1 1 :> 'M[R]_2.
  by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] hi] [[|[|//]] hj].
have dD (a b u v : R) : diag2 a b + diag2 u v = diag2 (a + u) (b + v).
  by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] hi] [[|[|//]] hj]; rewrite /= ?addr0.
have dZ (k a b : R) : k *: diag2 a b = diag2 (k * a) (k * b).
  by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] hi] [[|[|//]] hj]; rewrite /= ?mulr0.
have dN (a b : R) : - diag2 a b = diag2 (- a) (- b).
  by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] hi] [[|[|//]] hj]; rewrite /= ?oppr0.
exists (diag2 2%:R^-1 2%:R^-1), (diag2 (q ^+ 2) 0), q, 2%:R, (vec2 0 1); split.
- split; [exact: diag2_sym|split; [exact: diag2_sym|move=> x]].
  rewrite dZ dN dD qf_diag2 sq2; set a := x ord0 ord0 ^+ 2; set b := x (lift ord0 ord0) ord0 ^+ 2.
  have a0 : 0 <= a by exact: sqr_ge0.
  have b0 : 0 <= b by exact: sqr_ge0.
  have -> : (q ^+ 2 / 2%:R + - q ^+ 2) * a + (q ^+ 2 / 2%:R + - 0) * b = q ^+ 2 / 2%:R * (b - a).
    by field.
  have -> : 4%:R * q * l * (a + b) = q ^+ 2 / 2%:R * (b + a) by rewrite /q; field.
  rewrite normrM ger0_norm ?divr_ge0 ?sqr_ge0 ?ler0n // ler_wpmul2l ?divr_ge0 ?sqr_ge0 ?ler0n //.
  rewrite ler_norml; apply/andP; split.
    by rewrite opprD ler_add2r (le_trans _ b0) // oppr_le0.
  by rewrite ler_add2l (le_trans _ a0) // oppr_le0.
- split=> [|x]; first exact: diag2_sym.
  by rewrite qf_diag2 mul0r addr0 mulr_ge0 ?sqr_ge0.
- by rewrite dZ mulfV ?pnatr_eq0 // /above one subrr; exact: psd0.
- by rewrite /q; ring.
- have s1 : 1 + q ^+ 2 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exprn_gt0.
  rewrite one dD addr0 diag2_inv ?oner_neq0 // qf_diag2 sq2 !mxE /= expr0n mulr0 !add0r expr1n.
  rewrite mulr1 invr1 mul1r ltr_pdivr_mulr ?exprn_gt0 // mul1r /q.
  have -> : (8%:R * l) ^+ 2 = 4%:R * 2%:R * (8%:R * l ^+ 2) by ring.
  rewrite -[ltLHS]mulr1 ltr_pmul2l ?mulr_gt0 ?ltr0n //.
  apply: (@lt_le_trans _ _ (8%:R * 1)); first by rewrite mulr1 ltr1n.
  by rewrite ler_wpmul2l ?ler0n // exprn_ege1.
Qed.
