(* Theorem R, repaired, end to end: with probability at least 1 - delta over all data of the run, H deployments of
   mixtures give epsilon-optimal plans for all linear rewards. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import sharp.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite hoeffding.
From derl.layerwise Require Import optimism theorem.
From derl.algorithm_one Require Import trajectory_law grid optimal.
From derl.algorithm_two Require one_layer.
From derl.algorithm_two Require Import mixtures algorithm whole_run numbers.
Local Arguments exp x%R.

(* log (4 d H N / (delta nu)) *)
Definition log_size (d H N : nat) (delta nu : R) : R := ln (4 * INR d * INR H * INR N / (delta * nu))%coqR.
(* the number of iterations of the loop: floor (200 d / nu^4 log (2 / nu)) + 1 *)
Definition iterations (d : nat) (nu : R) : nat := (floor (200 * INR d * ln (2 / nu) / (nu * nu * nu * nu))%coqR + 1)%N.
(* the number of marks between 0 and 1 *)
Definition grid_size (d H N : nat) (nu : R) : nat := (152 * d ^ 3 * N.+1 * H.+1 * (iterations d nu).+2)%N.
(* beta' = 51 d sqrt (log), and beta = 51 d H sqrt (log) *)
Definition explore_bonus (d H N : nat) (delta nu : R) : R := (51 * INR d * sqrt (log_size d H N delta nu))%coqR.
Definition plan_bonus (d H N : nat) (delta nu : R) : R := (51 * INR d * INR H * sqrt (log_size d H N delta nu))%coqR.
(* 10^16 (H^4 d^3 / eps^2 tau + H^2 d^7 / nu^8 tau^3) log (2 d H / (eps delta nu)), with tau = log (2 / nu) *)
Definition sample_size (d H : nat) (eps delta nu : R) : R :=
  (10 ^ 16 * (term_one (INR d) (INR H) eps nu + term_two (INR d) (INR H) nu) *
   ln (2 * INR d * INR H / (eps * delta * nu)))%coqR.

Section Numbers.
Variables (d N H : nat) (eps delta nu : R).
Hypothesis d0 : (0 < d)%N.
Hypothesis H0 : (0 < H)%N.
Hypothesis e01 : 0 < eps <= 1.
Hypothesis t01 : 0 < delta < 1.
Hypothesis nu01 : 0 < nu <= 1.
Hypothesis size : (sample_size d H eps delta nu <= INR N)%coqR.
Let D : R := d%:R.
Let h : R := H%:R.
Let n : R := N%:R.
Let ell := log_size d H N delta nu.
Let e : R := sqrt ell.
Let imax := iterations d nu.
Let i : R := imax%:R.
Let M := grid_size d H N nu.
Let beta := plan_bonus d H N delta nu.
Let beta5 := explore_bonus d H N delta nu.

Lemma D1 : (1 <= D)%coqR. Proof. by apply/RleP; rewrite /D ler1n. Qed.
Lemma h1 : (1 <= h)%coqR. Proof. by apply/RleP; rewrite /h ler1n. Qed.
Lemma eps0 : (0 < eps)%coqR. Proof. by apply/RltP; case/andP: e01. Qed.
Lemma eps1 : (eps <= 1)%coqR. Proof. by apply/RleP; case/andP: e01. Qed.
Lemma del0 : (0 < delta)%coqR. Proof. by apply/RltP; case/andP: t01. Qed.
Lemma del1 : (delta < 1)%coqR. Proof. by apply/RltP; case/andP: t01. Qed.
Lemma nu_0 : (0 < nu)%coqR. Proof. by apply/RltP; case/andP: nu01. Qed.
Lemma nu_1 : (nu <= 1)%coqR. Proof. by apply/RleP; case/andP: nu01. Qed.

Lemma sizeE : (10 ^ 16 * (term_one D h eps nu + term_two D h nu) * ln (2 * D * h / (eps * delta * nu)) <= n)%coqR.
Proof. by rewrite /D /h /n !natE; exact: size. Qed.

Lemma N0 : (0 < N)%N.
Proof.
rewrite lt0n; apply/eqP => N_0; have := sizeE; rewrite /n N_0 => le.
have [s1 s2] := terms_pos D1 h1 eps0 nu_0 nu_1.
have y2 := y2 D1 h1 eps0 eps1 del0 del1 nu_0 nu_1.
have l : (0 < ln (2 * D * h / (eps * delta * nu)))%coqR by apply: ln_gt0; Lra.lra.
have p : (0 < 10 ^ 16 * (term_one D h eps nu + term_two D h nu) * ln (2 * D * h / (eps * delta * nu)))%coqR.
  by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat; Lra.lra.
have z : (0%:R : R) = 0%coqR by [].
by rewrite z in le; Lra.lra.
Qed.
Lemma n1 : (1 <= n)%coqR. Proof. by apply/RleP; rewrite /n ler1n N0. Qed.

Lemma ellE : ell = ln (4 * D * h * n / (delta * nu))%coqR.
Proof. by rewrite /ell /log_size /D /h /n !natE. Qed.
Lemma ell1 : (1 <= ell)%coqR.
Proof. by rewrite ellE; exact: (ell_1 D1 h1 n1 del0 del1 nu_0 nu_1). Qed.
Lemma N_enough : (10 ^ 13 * (term_one D h eps nu + term_two D h nu) * ln (4 * D * h * n / (delta * nu)) <= n)%coqR.
Proof. exact: (printed_enough D1 h1 n1 eps0 eps1 del0 del1 nu_0 nu_1 sizeE). Qed.
Lemma ee : e * e = ell. Proof. by apply: sqrt_sqrt; have := ell1; Lra.lra. Qed.
Lemma e1 : 1 <= e.
Proof.
apply/RleP; apply: (Rle_trans _ (sqrt 1)); first by rewrite sqrt_1; exact: Rle_refl.
by apply: sqrt_le_1_alt; exact: ell1.
Qed.
Lemma D1' : 1 <= D. Proof. by rewrite /D ler1n. Qed.
Lemma h1' : 1 <= h. Proof. by rewrite /h ler1n. Qed.

Lemma beta5E : beta5 = 51%:R * D * e. Proof. by rewrite (litE 51) /D natE. Qed.
Lemma betaE : beta = 51%:R * D * h * e. Proof. by rewrite (litE 51) /D /h !natE. Qed.

Let n4 : R := (nu * nu * nu * nu)%coqR.
Lemma n4_pos : (0 < n4)%coqR. Proof. by have [a _] := n4_bounds nu_0 nu_1. Qed.
Let real_i : R := (200 * INR d * ln (2 / nu) / (nu * nu * nu * nu))%coqR.
Lemma real_iE : (real_i * n4 = 200 * D * ln (2 / nu))%coqR.
Proof. by rewrite /real_i /D natE -/n4 /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; exact: Rgt_not_eq n4_pos. Qed.
Lemma real_i0 : 0 <= real_i.
Proof.
apply/RleP; apply: (Rmult_le_reg_r n4); first exact: n4_pos.
rewrite Rmult_0_l real_iE; have := tau_half nu_0 nu_1; have := D1 => a b.
by apply: Rmult_le_pos; Lra.lra.
Qed.
Lemma i_low : (200 * D * ln (2 / nu) <= i * n4)%coqR.
Proof.
rewrite -real_iE; apply: Rmult_le_compat_r; first by left; exact: n4_pos.
by apply/RleP; rewrite /i /imax /iterations addn1 ltW // floor_above.
Qed.
Lemma i_up : (i * n4 <= 200 * D * ln (2 / nu) + n4)%coqR.
Proof.
have le : (i <= real_i + 1)%coqR.
  by apply/RleP; rewrite /i /imax /iterations natrD ler_add2r; exact: floor_below real_i0.
apply: (Rle_trans _ ((real_i + 1) * n4)); first by apply: Rmult_le_compat_r => //; left; exact: n4_pos.
by rewrite Rmult_plus_distr_r real_iE Rmult_1_l; exact: Rle_refl.
Qed.

Lemma nu4 : nu ^+ 4 = n4.
Proof. by rewrite !exprS expr0 mulr1 /n4 !mulrA. Qed.

Let sigma : R := (8%:R * D * e)%R.
Let kappa : R := (2048%:R * (D * D) * ell)%R.
Let xi : R := Num.min (eps / (2%:R * beta)) ((16%:R * D * imax.+1%:R * beta5)^-1).

Lemma De_ge1 : 1 <= D * e. Proof. by rewrite -[leLHS]mulr1 ler_pmul ?ler01 ?D1' ?e1. Qed.
Lemma D_le : D <= D * e. Proof. by rewrite ler_pemulr ?e1 // /D ler0n. Qed.
Lemma root_le : Num.sqrt D <= D * e.
Proof.
apply: le_trans D_le; rewrite -[leRHS]ger0_norm ?ler0n // -sqrtr_sqr; apply: ler_wsqrtr.
by rewrite expr2 ler_pmulr ?D1' // ltr0n.
Qed.
Lemma sigma_pos : 0 < sigma.
Proof. by rewrite !mulr_gt0 ?ltr0n //; apply: lt_le_trans e1; exact: ltr01. Qed.
Lemma beta5_ok : 2%:R * (3%:R * sigma + Num.sqrt D) + 1 <= beta5.
Proof.
rewrite beta5E /sigma; have -> : 51%:R * D * e = 2%:R * (3%:R * (8%:R * D * e) + D * e) + D * e by ring.
by apply: ler_add De_ge1; rewrite ler_wpmul2l ?ler0n // ler_add2l root_le.
Qed.
Lemma beta_ok : 2%:R * h * (3%:R * sigma + Num.sqrt D) + 1 <= beta.
Proof.
have -> : beta = h * beta5 by rewrite betaE beta5E; ring.
apply: le_trans (_ : h * (2%:R * (3%:R * sigma + Num.sqrt D) + 1) <= _); last first.
  by rewrite ler_wpmul2l ?beta5_ok // /h ler0n.
have -> : h * (2%:R * (3%:R * sigma + Num.sqrt D) + 1) = 2%:R * h * (3%:R * sigma + Num.sqrt D) + h by ring.
by rewrite ler_add2l h1'.
Qed.
Lemma beta5_pos : 0 < beta5.
Proof. by rewrite beta5E !mulr_gt0 ?ltr0n //; apply: lt_le_trans e1; exact: ltr01. Qed.
Lemma beta_pos' : 0 < beta.
Proof. by rewrite betaE !mulr_gt0 ?ltr0n //; apply: lt_le_trans e1; exact: ltr01. Qed.
Lemma den_pos : 0 < 16%:R * D * imax.+1%:R * beta5.
Proof. by apply: mulr_gt0 beta5_pos; apply: mulr_gt0; [apply: mulr_gt0|]; rewrite ltr0n. Qed.
Lemma xi_pos : 0 < xi.
Proof.
have /andP[p _] := e01; have b2 : 0 < 2%:R * beta by apply: mulr_gt0 beta_pos'; rewrite ltr0n.
by rewrite /xi lt_minr invr_gt0 den_pos andbT divr_gt0.
Qed.
Lemma xi_small : 16%:R * D * imax.+1%:R * beta5 * xi <= 1.
Proof.
rewrite mulrC -ler_pdivl_mulr ?den_pos // mul1r; by rewrite /xi le_minl lexx orbT.
Qed.
Lemma xi_plan : xi <= eps / (2%:R * beta). Proof. by rewrite /xi le_minl lexx. Qed.

Lemma xi_nu : 200%:R * (beta5 * xi) <= nu ^+ 2.
Proof.
have /andP[p0 p1] := nu01; have i1 : 0 < imax.+1%:R :> R by rewrite ltr0n.
have b : 16%:R * (imax.+1%:R * (beta5 * xi)) <= 1.
  apply: le_trans xi_small; have -> : 16%:R * D * imax.+1%:R * beta5 * xi = D * (16%:R * (imax.+1%:R * (beta5 * xi)))
    by ring.
  apply: ler_pemull D1'; apply: mulr_ge0; first by rewrite ler0n.
  by apply: mulr_ge0; [rewrite ler0n|exact: ltW (mulr_gt0 beta5_pos xi_pos)].
have big : 100%:R <= imax.+1%:R * nu ^+ 2.
  have i100 : 100%:R <= i * nu ^+ 4.
    have z : (100%:R : R) = 100%coqR by rewrite (litE 100).
    rewrite nu4 z; apply/RleP; apply: Rle_trans i_low.
    have t := tau_half nu_0 nu_1; have a := D1.
    have p12 : (0 <= 1 / 2)%coqR by Lra.lra.
    have p01 : (0 <= 1)%coqR by Lra.lra.
    by have := Rmult_le_compat 1 D (1 / 2) (ln (2 / nu)) p01 p12 a t; Lra.lra.
  apply: le_trans i100 _; apply: ler_pmul; rewrite ?ler0n ?exprn_ge0 ?(ltW p0) //; first by rewrite /i ler_nat.
  by rewrite -[4%N]/(2 + 2)%N exprD ler_pimulr ?exprn_ge0 ?(ltW p0) // expr_le1 // ltW.
rewrite -(ler_pmul2l i1); apply: le_trans (_ : 100%:R <= _); last exact: big.
have -> : imax.+1%:R * (200%:R * (beta5 * xi)) = 25%:R / 2%:R * (16%:R * (imax.+1%:R * (beta5 * xi))).
  by move: (imax.+1%:R : R) => u; field.
apply: le_trans (ler_wpmul2l _ b) _; first by rewrite divr_ge0 ?ler0n.
by rewrite mulr1 ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
Qed.

Lemma loop_enough : 9%:R * (2%:R^-1 / ln (1 + 2%:R^-1)%R * (D * ln (1 + imax.+1%:R / (D * 2%:R))%R)) < i * nu ^+ 4.
Proof.
rewrite nu4; apply/RltP; have q := iterations_enough D1 nu_0 nu_1 i_low.
have two : (2%:R : R) = 2%coqR by rewrite (litE 2).
have n2 : (2%coqR : R) != 0 by rewrite -two pnatr_eq0.
have inv2 : (2%:R^-1 : R) = (/ 2)%coqR by rewrite two -RinvE.
have l0 : ln (1 + / 2)%coqR != 0.
  have p : (0 < ln (1 + / 2))%coqR by apply: ln_gt0; Lra.lra.
  by rewrite gt_eqF //; apply/RltP.
have dv : (/ 2)%coqR / ln (1 + / 2)%coqR = (/ 2 / ln (1 + / 2))%coqR :> R by rewrite -RdivE.
have D2 : D * 2%coqR != 0 by rewrite mulf_neq0 // /D pnatr_eq0 -lt0n.
have dv2 : imax.+1%:R / (D * 2%:R) = ((i + 1) / (D * 2))%coqR :> R.
  by rewrite two -RdivE // -addn1 natrD.
rewrite inv2 dv2 (litE 9); change (1 + (/ 2)%coqR) with (1 + / 2)%coqR; rewrite dv.
exact: q.
Qed.

Lemma coverage : 2048%:R * (D * D) * ell * i <= 4%:R * n.
Proof.
rewrite (litE 2048) (litE 4); apply/RleP.
have := size_coverage D1 h1 n1 eps0 del0 del1 nu_0 nu_1 i_low i_up N_enough.
by rewrite -ellE.
Qed.

Lemma kappa_1 : 1 <= kappa.
Proof.
have l1 : 1 <= ell by apply/RleP; exact: ell1.
have DD : 1 <= D * D by rewrite -[leLHS]mulr1 ler_pmul ?ler01 ?D1'.
rewrite /kappa -[leLHS]mulr1; apply: ler_pmul => //; try exact: ler01.
by rewrite -[leLHS]mulr1; apply: ler_pmul => //; try exact: ler01; rewrite ler1n.
Qed.

Lemma imax_N : (imax <= N)%N.
Proof.
have c := coverage; rewrite -/kappa in c.
have l1 : 1 <= ell by apply/RleP; exact: ell1.
have DD : 1 <= D * D by rewrite -[leLHS]mulr1 ler_pmul ?ler01 ?D1'.
have four : 4%:R <= kappa.
  have p1 : 1 <= D * D * ell by rewrite -[leLHS]mulr1; apply: ler_pmul => //; exact: ler01.
  have -> : kappa = 2048%:R * (D * D * ell) by rewrite /kappa -mulrA.
  by apply: (@le_trans _ _ 2048%:R); [rewrite ler_nat|apply: ler_pemulr p1; rewrite ler0n].
rewrite -(ler_nat R_numDomainType) -(ler_pmul2l (_ : 0 < 4%:R)) ?ltr0n //; apply: le_trans c.
by rewrite ler_wpmul2r ?ler0n.
Qed.

Lemma size_holds : 81%:R * i * h ^+ 2 * nu ^+ 4 <= 175%:R * n * xi ^+ 2.
Proof.
have /andP[p _] := e01.
have pl : 81%:R * i * (h * h) * n4 * (4%:R * (2601%:R * (D * D) * (h * h) * ell)) <= 175%:R * n * (eps * eps).
  rewrite (litE 81) (litE 4) (litE 2601) (litE 175); apply/RleP.
  have := size_plan D1 h1 n1 eps0 del0 del1 nu_0 nu_1 i_up N_enough.
  by rewrite -ellE.
have lo : 81%:R * i * (h * h) * n4 * (256%:R * (D * D) * ((i + 1) * (i + 1)) * (2601%:R * (D * D) * ell)) <= 175%:R * n.
  rewrite (litE 81) (litE 256) (litE 2601) (litE 175); apply/RleP.
  have := size_loop D1 h1 n1 eps0 del0 del1 nu_0 nu_1 i_low i_up N_enough.
  by rewrite -ellE.
rewrite nu4 expr2 /xi /Num.min; case: ifP => _.
  have -> : (eps / (2%:R * beta)) ^+ 2 = eps * eps / (4%:R * (beta * beta)).
    by field; rewrite gt_eqF ?beta_pos'.
  rewrite (mulrA (175%:R * n)) ler_pdivl_mulr; last by apply: mulr_gt0 (mulr_gt0 beta_pos' beta_pos'); rewrite ltr0n.
  have -> : 4%:R * (beta * beta) = 4%:R * (2601%:R * (D * D) * (h * h) * ell) by rewrite betaE -ee; ring.
  exact: pl.
rewrite exprVn ler_pdivl_mulr ?exprn_gt0 ?den_pos //.
have -> : (16%:R * D * imax.+1%:R * beta5) ^+ 2 = 256%:R * (D * D) * ((i + 1) * (i + 1)) * (2601%:R * (D * D) * ell).
  have -> : imax.+1%:R = i + 1 by rewrite -addn1 natrD.
  by rewrite beta5E -ee; ring.
exact: lo.
Qed.

Lemma sizes_hold : one_layer.sizes d N H M imax beta beta5 nu sigma kappa xi.
Proof.
exact: (one_layer.Sizes d0 N0 H0 nu01 sigma_pos (leqnn _) beta5_ok beta_ok xi_pos xi_small xi_nu loop_enough kappa_1
  coverage imax_N size_holds).
Qed.

Lemma marks_card : (2 * M ^ 2).+1%:R <= exp (12%:R * ell).
Proof.
have i0 : (0 <= i)%coqR by apply/RleP; rewrite /i ler0n.
have iN : (i <= n)%coqR by apply/RleP; rewrite /i /n ler_nat imax_N.
have M0 : (0 <= M%:R)%coqR by apply/RleP; rewrite ler0n.
have ME : (M%:R <= 152 * (D * D * D) * (n + 1) * (h + 1) * (i + 2))%coqR.
  have cube : (d ^ 3 = d * d * d)%N by rewrite !expnS expn0 muln1 mulnA.
  right; rewrite /M /grid_size cube !natrM (litE 152).
  have s1 k : k.+1%:R = k%:R + 1 :> R by rewrite -addn1 natrD.
  have e2 : i + 1 + 1 = (i + 2)%coqR by change (i + 1 + 1 = i + 2)%coqR; Lra.lra.
  by rewrite -/imax !s1 -/i -/n -/h -/D e2.
have := marks D1 h1 n1 del0 del1 nu_0 nu_1 M0 ME i0 iN.
rewrite -ellE => q; rewrite -[(2 * M ^ 2).+1]addn1 natrD natrM expnS expn1 natrM (litE 2) (litE 12).
by apply/RleP; exact: q.
Qed.

Lemma union_ok : h * ((#|label d H M| * #|weight d M|)%N%:R * exp (- sigma ^+ 2) +
  #|weight d M|%:R * exp (- (kappa / 32%:R))) <= delta.
Proof.
set B := ((2 * M ^ 2).+1)%N; have BE : #|mark M| = B by rewrite card_ord.
have W : #|weight d M| = (B ^ d)%N by rewrite card_ffun !card_ord.
have S : #|shape d M| = (B ^ (d * d))%N by rewrite card_ffun card_prod !card_ord.
have Lb : #|label d H M| = ((1 + B ^ d + d * d + H.+1) * (2 * (B ^ d * B ^ (d * d))))%N.
  rewrite card_prod !card_sum !card_prod card_unit card_bool !card_ord.
  by rewrite -[#|_|]/(#|weight d M|) ?W -?[#|[finType of {ffun 'I_d * 'I_d -> mark M}]|]/(#|shape d M|) ?S.
have pw k : (B ^ k)%N%:R <= exp (k%:R * (12%:R * ell)).
  by rewrite natrX -expX; apply: ler_expn2r; rewrite ?nnegrE ?ler0n ?(ltW (exp_pos' _)) //; exact: marks_card.
have s2 : sigma ^+ 2 = (64 * (D * D) * ell)%coqR.
  have -> : sigma ^+ 2 = 64%:R * (D * D) * (e * e) by rewrite /sigma; ring.
  by rewrite ee (litE 64).
have k2 : kappa / 32%:R = (64 * (D * D) * ell)%coqR.
  have -> : kappa / 32%:R = 64%:R * (D * D) * ell by rewrite /kappa; field.
  by rewrite (litE 64).
rewrite s2 k2 W Lb; pose w : R := (B ^ d)%N%:R; pose s : R := (B ^ (d * d))%N%:R.
have twelve : (12%coqR : R) = 12%:R by rewrite (litE 12).
have w1 : (w <= exp (12 * D * ell)%coqR)%coqR.
  apply/RleP; apply: le_trans (pw d) _; rewrite le_eqVlt; apply/orP; left; apply/eqP; congr exp.
  by change (d%:R * (12%:R * ell) = 12%coqR * D * ell); rewrite twelve /D; ring.
have s1 : (s <= exp (12 * (D * D) * ell)%coqR)%coqR.
  apply/RleP; apply: le_trans (pw (d * d)%N) _; rewrite le_eqVlt; apply/orP; left; apply/eqP; congr exp.
  by change ((d * d)%N%:R * (12%:R * ell) = 12%coqR * (D * D) * ell); rewrite twelve natrM /D; ring.
have w0 : (0 <= w)%coqR by apply/RleP; exact: ler0n.
have s0 : (0 <= s)%coqR by apply/RleP; exact: ler0n.
have := union_fits D1 h1 n1 del0 del1 nu_0 nu_1 (S := s) w0.
rewrite -ellE => u; have {u} := u w1 s0 s1 => u.
have -> : ((1 + B ^ d + d * d + H.+1) * (2 * (B ^ d * B ^ (d * d))) * B ^ d)%N%:R =
    (1 + w + D * D + (h + 1)) * (2%:R * (w * s)) * w :> R.
  by rewrite !(natrM, natrD) -[H.+1]addn1 natrD.
by rewrite -/w (litE 2); apply/RleP; exact: u.
Qed.

(* the run with these numbers *)
Definition run_of_this_size (S A : finType) P (rho : S -> R) phi mu s0 (a0 : A) hrho lin reach :=
  @exploration_under_conditions S A d N H M imax P phi mu rho beta beta5 nu s0 a0 sigma kappa xi eps delta
    hrho lin reach sizes_hold xi_plan union_ok.
End Numbers.

(* [res-arbitrary-whole-run]: for all linear transitions with reachability coefficients of at least nu and every N from
   the printed size on, H deployments of Algorithm 2 give, with probability at least 1 - delta over all data of the run,
   epsilon-optimal plans for all linear rewards in [0, 1] and all horizons L <= H; every loop stops by its own rule *)
Theorem exploration_deployments (S A : finType) (d N H : nat) (P : nat -> S -> A -> S -> R) (rho : S -> R)
    (phi : nat -> S -> A -> 'cV[R]_d) (mu : nat -> S -> 'cV[R]_d) (eps delta nu : R) (s0 : S) (a0 : A) :
  (0 < d)%N -> (0 < H)%N -> 0 < eps <= 1 -> 0 < delta < 1 -> 0 < nu <= 1 ->
  is_law rho -> (forall h, linear_transitions (phi h) (mu h) (P h)) ->
  (forall h, (h < H)%N -> reachable P rho phi nu h) ->
  (sample_size d H eps delta nu <= INR N)%coqR ->
  let imax := iterations d nu in let M := grid_size d H N nu in
  let beta := plan_bonus d H N delta nu in let beta5 := explore_bonus d H N delta nu in
  let psi := @algorithm_two S A d N H M imax phi rho beta beta5 nu s0 a0 in
  let law := fun x : nat * mixture S A => @mixed_batch S A N H P rho x.2 in
  exists good : pred (H.-tuple (batch S A N H)),
  1 - delta <= prob (fun h : H.-tuple (batch S A N H) => history law psi [::] h) good /\
  forall h, good h ->
    (forall L, (L < H)%N -> let w := nth (nothing N H s0 a0) (take L h) in
       let k := last (explore M imax phi rho beta5 nu s0 a0 w L) in
       (k < imax)%N /\ stops M phi rho beta5 nu s0 a0 w L k) /\
    forall L theta, (L <= H)%N -> (forall t, linear_reward (phi t) (theta t)) ->
      let r t s a := ((theta t)^T *m phi t s a) ord0 ord0 in
      Jstar L P r rho a0 - eps <= theorem.J P r rho (det R_realFieldType (output psi h L theta)) L.
Proof.
move=> d0 H0 e01 t01 nu01 hrho lin reach size imax M beta beta5 psi law.
have [good [sure all]] := run_of_this_size d0 H0 e01 t01 nu01 size s0 a0 hrho lin reach.
by exists good; split=> // h /all [].
Qed.
