(* The induction step of Theorem E.9: after Steps 1 and 2 a batch of the stated size gives condition (2) for one layer
   more. *)
From derl.common Require Import prelude forms determinants.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite.
From derl.analysis Require Import matrices eigenvalue slips blow_up batch.

Lemma batch_size_root (R : rcfType) (i nu H xi N : R) : 0 < i -> 0 < nu -> 0 < H -> 0 < xi -> 0 < N ->
  (2%:R * Num.sqrt (i / N) * nu <= xi / (2%:R * H)) = (16%:R * H ^+ 2 * nu ^+ 2 * i / xi ^+ 2 <= N).
Proof.
move=> i0 n0 H0 x0 N0; have p : 0 <= 2%:R * Num.sqrt (i / N) * nu by rewrite !mulr_ge0 ?ler0n ?sqrtr_ge0 // ltW.
have r : 0 <= xi / (2%:R * H) by rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
rewrite -ler_sqr ?nnegrE // !exprMn sqr_sqrtr ?divr_ge0 ?(ltW i0) ?(ltW N0) //.
rewrite ler_pdivr_mulr ?exprn_gt0 // -subr_ge0 -[RHS]subr_ge0.
set a := (X in (0 <= X) = _); set b := (X in _ = (0 <= X)).
have -> : a = b / (4%:R * H ^+ 2 * N) by rewrite /a /b; field; rewrite !gt_eqF.
by rewrite pmulr_lge0 // invr_gt0 !mulr_gt0 ?exprn_gt0 ?ltr0n.
Qed.

Section Step.
Variables (R : rcfType) (d : nat) (T : finType) (Pi : Type) (phi : T -> 'cV[R]_d) (p : Pi -> T -> R).

(* what Steps 1 and 2 say of the uncertainty in the inverse of the covariance I + S of the batch *)
Lemma after_two_steps (nu q l : R) (m i N : nat) (E S : 'M[R]_d) pi :
  (forall pi, is_law (p pi)) -> (forall t, sq (phi t) <= 1) -> reaches phi p nu -> psd E -> 0 < nu <= 1 ->
  (0 < m)%N -> (m <= i)%N -> 0 < q -> q ^+ 2 = N%:R -> 1 <= l ->
  (forall pi, uncertainty phi p (2%:R%:M + m%:R *: E) pi <= nu ^+ 2 / 2%:R) -> step_two E S q l ->
  256%:R * i%:R ^+ 2 / nu ^+ 4 * l ^+ 2 <= N%:R ->
  uncertainty phi p (1%:M + S) pi <= 2%:R * Num.sqrt (i%:R / N%:R) * nu.
Proof.
move=> hp hphi hnu pE /andP[n0 n1] m0 mi q0 qN l1 one [sE [sS two]] size.
have mR : 0 < m%:R :> R by rewrite ltr0n.
have i1 : 1 <= i%:R :> R by rewrite ler1n (leq_trans m0).
have iR : 0 < i%:R :> R by exact: lt_le_trans ltr01 i1.
have l0 : 0 < l by exact: lt_le_trans ltr01 l1.
have n4 : nu ^+ 4 <= 1 by rewrite exprn_ile1 // ltW.
have root : 16%:R * i%:R * l <= q.
  rewrite -ler_sqr ?nnegrE ?mulr_ge0 ?ler0n ?(ltW q0) ?(ltW l0) // qN; apply: le_trans size.
  have -> : 256%:R = 16%:R ^+ 2 :> R by rewrite -natrX.
  rewrite !exprMn ler_wpmul2r ?sqr_ge0 // ler_pdivl_mulr ?exprn_gt0 // ler_pimulr //.
  by rewrite mulr_ge0 ?sqr_ge0.
have iq : i%:R <= q.
  apply: le_trans root; rewrite mulrAC -[leLHS]mul1r ler_wpmul2r // -[leLHS]mulr1.
  by rewrite ler_pmul ?ler01 // ler1n.
have mN : (m <= 2 * N)%N.
  rewrite -(ler_nat R) natrM -qN; apply: (@le_trans _ _ q); first by apply: le_trans iq; rewrite ler_nat.
  have q1 : 1 <= q by exact: le_trans i1 iq.
  apply: (@le_trans _ _ (q ^+ 2)); first by rewrite expr2 ler_pmulr.
  by rewrite ler_pemull ?sqr_ge0 // ler1n.
have nu01 : 0 < nu <= 1 by rewrite n0.
have [aA /(_ pi) [le1 le2]] := res_mixture_uncertainty hp hphi hnu (psdZ (ltW mR) pE) nu01 m0 mi mN one.
have NE : (N%:R / m%:R) *: (m%:R *: E) = q ^+ 2 *: E by rewrite scalerA mulfVK ?gt_eqF // qN.
rewrite NE in le1; have mix := le_trans le1 le2.
have aS : above (1%:M + S) (4%:R^-1 *: (1%:M + q ^+ 2 *: E)).
  split; first by apply: symB; [apply: symD => //; exact: sym1|apply/symZ/symD; [exact: sym1|exact: symZ]].
  move=> x; have h : q ^+ 2 * qf E x - qf S x <= 4%:R * q * l * sq x.
    by have := two x; rewrite ler_norml qfB qfZ => /andP[].
  have A2 : 2%:R * sq x <= m%:R * qf E x.
    by case: aA => _ /(_ x); rewrite qfB qfZ -[X in _ - qf X _]scalemx1 qfZ -/(sq x) subr_ge0.
  have s0 : 0 <= sq x by exact: qf1_ge0.
  have E0 : 0 <= qf E x by exact: qf_ge0.
  have big : 4%:R * q * l * sq x <= 3%:R / 4%:R * (q ^+ 2 * qf E x).
    have u : 2%:R * sq x <= i%:R * qf E x by apply: le_trans A2 _; rewrite ler_wpmul2r // ler_nat.
    rewrite -(ler_pmul2l iR); apply: (@le_trans _ _ (q / 4%:R * (16%:R * i%:R * l) * sq x)).
      by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
    apply: (@le_trans _ _ (q / 4%:R * q * sq x)).
      by rewrite ler_wpmul2r // ler_wpmul2l // divr_ge0 ?ler0n // ltW.
    rewrite -subr_ge0; have -> : i%:R * (3%:R / 4%:R * (q ^+ 2 * qf E x)) - q / 4%:R * q * sq x =
      q ^+ 2 / 4%:R * (3%:R * (i%:R * qf E x - 2%:R * sq x) + 5%:R * sq x) by field.
    by rewrite mulr_ge0 ?divr_ge0 ?sqr_ge0 ?ler0n // addr_ge0 // mulr_ge0 ?ler0n // subr_ge0.
  rewrite qfB !qfD !qfZ qfD qfZ -/(sq x).
  have -> : sq x + qf S x - 4%:R^-1 * (sq x + q ^+ 2 * qf E x) =
    (4%:R * q * l * sq x - (q ^+ 2 * qf E x - qf S x)) + (3%:R / 4%:R * (q ^+ 2 * qf E x) - 4%:R * q * l * sq x) +
    3%:R / 4%:R * sq x by field.
  by apply: addr_ge0; [apply: addr_ge0; rewrite subr_ge0|rewrite mulr_ge0 ?divr_ge0 ?ler0n].
have pB : pd (1%:M + q ^+ 2 *: E) by apply: pdD; [exact: pd1|apply: psdZ pE; exact: sqr_ge0].
have q4 : 0 < 4%:R^-1 :> R by rewrite invr_gt0 ltr0n.
apply: (@le_trans _ _ (2%:R * uncertainty phi p (1%:M + q ^+ 2 *: E) pi)); last by rewrite -mulrA ler_wpmul2l ?ler0n.
rewrite /uncertainty /mean mulr_sumr; apply: ler_sum => t _; rewrite mulrCA ler_wpmul2l ?(proj1 (hp pi)) //.
have -> : 2%:R = Num.sqrt 4%:R :> R by rewrite -[4%N]/(2 ^ 2)%N natrX sqrtr_sqr ger0_norm ?ler0n.
rewrite -sqrtrM ?ler0n //; apply: ler_wsqrtr; rewrite -[4%:R]invrK; exact: inv_above.
Qed.
End Step.

(* [ineq-induction-batch], whole: the equivalence; the order of N for i = c d / nu^4 l, l the logarithm; and condition
   (2) for one layer more.  Layers are counted from 0: the h layers before layer h satisfy (2), which is the bound
   h / H xi of the sum for every policy; layer h was explored by m <= i policies with the mean covariance E until the
   uncertainty was at most half of nu^2 (Step 1); its batch of N = q^2 trajectories, with the covariance I + S, is
   within the event of Step 2; N satisfies (33), and is at least a quarter of the printed size *)
Theorem ineq_induction_batch_next (R : rcfType) :
  (forall i nu H xi N : R, 0 < i -> 0 < nu -> 0 < H -> 0 < xi -> 0 < N ->
    2%:R * Num.sqrt (i / N) * nu <= xi / (2%:R * H) <-> 16%:R * H ^+ 2 * nu ^+ 2 * i / xi ^+ 2 <= N) /\
  (forall i nu H xi c d l : R, 0 < nu -> 0 < xi -> i = c * (d / nu ^+ 4) * l ->
    16%:R * H ^+ 2 * nu ^+ 2 * i / xi ^+ 2 = 16%:R * c * l * (H ^+ 2 * d / (xi ^+ 2 * nu ^+ 2))) /\
  forall (d : nat) (T : finType) (Pi : Type) (phi : nat -> T -> 'cV[R]_d) (p : nat -> Pi -> T -> R)
    (Sig : nat -> 'M[R]_d) (nu xi q l : R) (m i N H h : nat) (E S : 'M[R]_d),
  (forall pi, is_law (p h pi)) -> (forall t, sq (phi h t) <= 1) -> reaches (phi h) (p h) nu -> psd E -> 0 < nu <= 1 ->
  0 < xi -> (0 < H)%N -> (0 < m)%N -> (m <= i)%N -> 0 < q -> q ^+ 2 = N%:R -> 1 <= l ->
  (forall pi, \sum_(k < h) uncertainty (phi k) (p k) (Sig k) pi <= h%:R / H%:R * xi) ->
  (forall pi, uncertainty (phi h) (p h) (2%:R%:M + m%:R *: E) pi <= nu ^+ 2 / 2%:R) ->
  step_two E S q l -> Sig h = 1%:M + S -> 256%:R * i%:R ^+ 2 / nu ^+ 4 * l ^+ 2 <= N%:R ->
  4%:R * H%:R ^+ 2 * nu ^+ 2 * i%:R / xi ^+ 2 <= N%:R ->
  forall pi, \sum_(k < h.+1) uncertainty (phi k) (p k) (Sig k) pi <= h.+1%:R / H%:R * xi.
Proof.
split; [|split].
- by move=> i nu H xi N i0 n0 H0 x0 N0; rewrite batch_size_root.
- by move=> i nu H xi c d l n0 x0 ->; field; rewrite !gt_eqF.
move=> d T Pi phi p Sig nu xi q l m i N H h E S hp hphi hnu pE nu01 x0 H0 m0 mi q0 qN l1 before one two SE size half pi.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have [n0 _] := andP nu01; have NR : 0 < N%:R :> R by rewrite -qN exprn_gt0.
have iR : 0 < i%:R :> R by rewrite ltr0n (leq_trans m0).
have U := after_two_steps pi hp hphi hnu pE nu01 m0 mi q0 qN l1 one two size.
have k : 2%:R * Num.sqrt (i%:R / N%:R) * nu <= xi / H%:R.
  have := @batch_size_root R i%:R nu (H%:R / 2%:R) xi N%:R iR n0 (divr_gt0 HR (ltr0n _ 2)) x0 NR.
  have -> : 2%:R * (H%:R / 2%:R) = H%:R :> R by rewrite mulrC divfK ?pnatr_eq0.
  move=> ->; apply: le_trans half; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by field; rewrite gt_eqF.
rewrite big_ord_recr /= SE; apply: le_trans (ler_add (before pi) (le_trans U k)) _.
by rewrite -[h.+1]addn1 natrD !mulrDl mul1r [_^-1 * xi]mulrC.
Qed.

(* control: a third in the place of the four of a quarter of 16 is false for the next layer; one feature of length 1,
   one policy, the first layer, H = 28, xi = nu = l = 1, N = 262 *)
Theorem ineq_induction_batch_next_control (R : rcfType) : ~ (forall (d : nat) (T : finType) (Pi : Type)
  (phi : nat -> T -> 'cV[R]_d)
    (p : nat -> Pi -> T -> R) (Sig : nat -> 'M[R]_d) (nu xi q l : R) (m i N H h : nat) (E S : 'M[R]_d),
  (forall pi, is_law (p h pi)) -> (forall t, sq (phi h t) <= 1) -> reaches (phi h) (p h) nu -> psd E -> 0 < nu <= 1 ->
  0 < xi -> (0 < H)%N -> (0 < m)%N -> (m <= i)%N -> 0 < q -> q ^+ 2 = N%:R -> 1 <= l ->
  (forall pi, \sum_(k < h) uncertainty (phi k) (p k) (Sig k) pi <= h%:R / H%:R * xi) ->
  (forall pi, uncertainty (phi h) (p h) (2%:R%:M + m%:R *: E) pi <= nu ^+ 2 / 2%:R) ->
  step_two E S q l -> Sig h = 1%:M + S -> 256%:R * i%:R ^+ 2 / nu ^+ 4 * l ^+ 2 <= N%:R ->
  3%:R^-1 * H%:R ^+ 2 * nu ^+ 2 * i%:R / xi ^+ 2 <= N%:R ->
  forall pi, \sum_(k < h.+1) uncertainty (phi k) (p k) (Sig k) pi <= h.+1%:R / H%:R * xi).
Proof.
move=> h; pose q : R := Num.sqrt 262%:R; pose S : 'M[R]_1 := (524%:R)%:M.
have q2 : q ^+ 2 = 262%:R by rewrite sqr_sqrtr ?ler0n.
have q0 : 0 < q by rewrite sqrtr_gt0 ltr0n.
have first pi : uncertainty (@one_feature R) (@one_law R) (2%:R%:M + 1%:R *: 2%:R%:M) pi <= 1 ^+ 2 / 2%:R.
  by rewrite scale1r one_add (one_uncertainty _ (four_ge0 R)) four expr1n mul1r.
have two : step_two (2%:R%:M : 'M[R]_1) S q 1.
  split; [|split] => [||x]; try by rewrite /sym tr_scalar_mx.
  rewrite q2 scale_scalar_mx one_sub -natrM subrr -scalemx1 qfZ mul0r normr0 !mulr_ge0 ?ler0n ?ler01 ?(ltW q0) //.
  exact: qf1_ge0.
have := h 1%N _ _ (fun=> @one_feature R) (fun=> @one_law R) (fun=> 1%:M + S) 1 1 q 1 1%N 1%N 262%N 28%N 0%N 2%:R%:M S
  (@one_laws R) (@one_short R) (@one_reaches R) (one_psd (ler0n R 2)).
rewrite ltr01 lexx => /(_ isT isT isT isT isT q0 q2 isT).
have none (pi : unit) : \sum_(k < 0) uncertainty (@one_feature R) (@one_law R) (1%:M + S) pi <= 0%:R / 28%:R * 1.
  by rewrite big_ord0 !mul0r.
move=> /(_ none first two erefl); rewrite !expr1n !divr1 !mulr1 ler_nat => /(_ isT).
rewrite mulrC ler_pdivr_mulr ?ltr0n // -natrX -natrM ler_nat => /(_ isT tt).
have p0 : 0 <= 1 + 524%:R :> R by rewrite addr_ge0 ?ler01 ?ler0n.
have p1 : 0 < 1 + 524%:R :> R by rewrite ltr_paddr ?ltr01 ?ler0n.
rewrite big_ord1 one_add one_uncertainty //; apply/negP; rewrite -ltNge mul1r ltf_pinv ?posrE ?sqrtr_gt0 ?ltr0n //.
rewrite -[28%:R]ger0_norm ?ler0n // -sqrtr_sqr ltr_sqrt ?exprn_gt0 ?ltr0n // -[1 + 524%:R]/(1%:R + 524%:R) -natrD
  -natrX.
by rewrite ltr_nat.
Qed.
