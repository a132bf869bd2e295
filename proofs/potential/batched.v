(* Lemma 4.2 as printed, also where the logarithm is below 1, and Equation (6)'s count. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import bridge count refined sharp elliptical remarks numbers.
Import Ring_tac. (* the tactic of Coq, for its real numbers *)


(* more than c >= 2 violations are at least three, and then there are exactly three at some point *)
Lemma three_violations d N (phi : nat -> nat -> 'cV[R]_d) y K (c : R) : (2 <= c)%coqR ->
  ~ (INR (violations (batches N phi) y K) <= c)%coqR ->
  (2 < violations (batches N phi) y K)%N.
Proof.
move=> c2 h; rewrite ltnNge; apply/negP => le2; apply: h.
apply: (Rle_trans _ (INR 2)); first exact/le_INR/ssrnat.leP.
by rewrite /=; Lra.lra.
Qed.

Lemma three_force N (phi : nat -> nat -> 'cV[R]_1) (eps : R) K : 0 < eps ->
  (forall k i, sqnorm (phi k i) <= 1) -> (2 < violations (batches N phi) (N%:R * eps) K)%N ->
  ((1 + INR N * eps) * (1 + INR N * eps) * (1 + INR N * eps) <= 1 + 3 * INR N)%coqR.
Proof.
move=> e0 hphi more.
have [K' three] : exists K', violations (batches N phi) (N%:R * eps) K' = 3%N.
  by move: more; rewrite leq_eqVlt => /orP[/eqP e|/next_violation [K' h _]]; [exists K|exists K'].
have := batch_violations (ltW e0) (isT : (0 < 1)%N) hphi (esym three).
rewrite divr1 expr1 !exprS expr0 mulr1 !natE => /RleP h.
change ((1 + INR N * eps) * ((1 + INR N * eps) * (1 + INR N * eps)) <= 1 + INR 3 * INR N)%coqR in h.
by move: h; rewrite /=; Lra.lra.
Qed.

(* [lem-batched-potential], whole, as printed, with the absolute constant 1.  `violations`
   counts the batches with tr (A^-1 Phi) >= N eps among the first B, for any B; K is the
   number c_K d H + 1 of the lemma. *)
Theorem lem_batched_potential (d H N B : nat) (phi : nat -> nat -> 'cV[R]_d) (eps cK : R) :
  (0 < d)%N -> (0 < H)%N -> (0 < N)%N -> (0 < eps < 1)%coqR -> (2 <= cK)%coqR ->
  (forall k i, sqnorm (phi k i) <= 1) ->
  (batch_size 1 cK d H eps cK <= INR N)%coqR ->
  let K := (cK * INR d * INR H + 1)%coqR in
  (INR (violations (batches N phi) (N%:R * eps) B) <= cK * INR d)%coqR /\
  (cK * INR d < K / INR H)%coqR.
Proof.
move: d H N B phi eps cK; move=> d H N B phi eps cK d0 H0 N0 [e0 e1] c2 hphi hN K.
have dn : (1 <= d)%coq_nat by apply/ssrnat.leP.
have Hn : (1 <= H)%coq_nat by apply/ssrnat.leP.
have NR : (1 <= INR N)%coqR by apply: INR_ge1; apply/ssrnat.leP.
have dR := INR_ge1 _ dn; have HR := INR_ge1 _ Hn.
have e0' : 0 < eps by apply/RltP.
have e1' : eps <= 1 by apply/RleP; left.
split; last first.
  apply: (Rmult_lt_reg_r (INR H)); first by Lra.lra.
  by rewrite /K div_mul; [Lra.lra|apply: Rgt_not_eq; Lra.lra].
have large : (1 <= INR d * ln (INR H * INR d / eps))%coqR ->
    (INR (violations (batches N phi) (N%:R * eps) B) <= cK * INR d)%coqR.
  move=> dL; have [_ _ size] := res_sharp_potential B d0 N0 (introT andP (conj e0' e1')) hphi.
  have := size cK; rewrite !natE => size'.
  apply/RleP; apply: size'.
    by apply/RltP; change (1 < cK)%coqR; Lra.lra.
  apply/RleP; apply: Rle_trans hN; apply: printed_larger_if => //; Lra.lra.
have over : (INR d <= INR H * INR d / eps)%coqR.
  apply: (Rmult_le_reg_r eps) => //; rewrite div_mul; last exact: Rgt_not_eq.
  by Lra.nra.
case: (ltngtP d 1) d0 => // [d2 _|dE _].
  apply: large; have d2' : (2 <= INR d)%coqR by apply: (le_INR 2); apply/ssrnat.leP.
  have l2 : (ln 2 <= ln (INR H * INR d / eps))%coqR by apply: ln_mono; Lra.lra.
  have := ln2_lower; Lra.nra.
subst d; case: (ltngtP H 1) H0 => // [H2 _|HE _].
- have H2' : (2 <= INR H)%coqR by apply: (le_INR 2); apply/ssrnat.leP.
  case: (Rle_dec 3 (INR H * INR 1 / eps)) => [l3|l3].
    by apply: large; have := ln_mono 3 _ ltac:(Lra.lra) l3; have := ln3_ge1; rewrite /=; Lra.lra.
  case: (Rle_dec (INR (violations (batches N phi) (N%:R * eps) B)) (cK * INR 1)) => // no.
  have no' : ~ (INR (violations (batches N phi) (N%:R * eps) B) <= cK)%coqR by move: no; rewrite /=; Lra.lra.
  have := three_force e0' hphi (three_violations c2 no').
  have e23 : (2 / 3 < eps)%coqR.
    apply: Rnot_le_lt => le; apply: l3; apply: (Rmult_le_reg_r eps) => //.
    by rewrite div_mul; [rewrite /=; Lra.nra|exact: Rgt_not_eq].
  have y : (2 / 3 * INR N <= INR N * eps)%coqR by Lra.nra.
  set u := (INR N * eps)%coqR in y *; set n := INR N in NR y * => h; exfalso.
  have u1 : (2 / 3 <= u)%coqR by Lra.lra.
  have uu : (2 / 3 * u <= u * u)%coqR by Lra.nra.
  have uuu : (4 / 9 * u <= u * u * u)%coqR by Lra.nra.
  have e : ((1 + u) * (1 + u) * (1 + u) = 1 + 3 * u + 3 * (u * u) + u * u * u)%coqR by ring.
  rewrite e in h; Lra.lra.
- subst H; case: (Rle_dec 1 (ln (/ eps))) => [l1|l1].
    by apply: large; rewrite /= !Rmult_1_l /Rdiv Rmult_1_l.
  have no : ~ (2 < violations (batches N phi) (N%:R * eps) B)%N.
    move=> more; have := one_dimension erefl N0 e0' hphi more.
    rewrite !exprS expr0 mulr1 => /RleP; rewrite -RinvE ?gt_eqF //.
    rewrite -INRE => h.
    change ((1 + INR N * eps) * (1 + INR N * eps) <= / eps)%coqR in h.
    have ie : (1 < / eps)%coqR by rewrite -Rinv_1; apply: Rinv_lt_contravar; Lra.lra.
    have ee : (/ eps * eps = 1)%coqR by apply: Rinv_l; exact: Rgt_not_eq.
    case: (Rle_dec 2 (/ eps)) => [x2|x2]; last first.
      have half : (/ 2 <= eps)%coqR by Lra.nra.
      have y : (/ 2 <= INR N * eps)%coqR by Lra.nra.
      by Lra.nra.
    have x3 : (/ eps <= 3)%coqR.
      apply: Rnot_lt_le => lt; apply: l1; apply: Rle_trans ln3_ge1 _.
      by apply: ln_mono; Lra.lra.
    have sq := square_above (/ eps) (conj x2 x3).
    have := printed_square cK eps (INR N) c2 (conj e0 e1) (Rnot_le_lt _ _ l1) hN.
    have l0 : (0 <= ln (/ eps))%coqR by apply: ln_ge0; Lra.lra.
    move: sq; set l := (ln (/ eps) * ln (/ eps))%coqR; set u := (INR N * eps)%coqR in h * => sq lu.
    have l0' : (0 <= l)%coqR by rewrite /l; Lra.nra.
    have : ((1 + l) * (1 + l) <= (1 + u) * (1 + u))%coqR by apply: Rmult_le_compat; Lra.lra.
    by Lra.lra.
  case: (Rle_dec (INR (violations (batches N phi) (N%:R * eps) B)) (cK * INR 1)) => // h.
  exfalso; apply: no; apply: (three_violations c2); move: h; rewrite /=; Lra.lra.
Qed.
