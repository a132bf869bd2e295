(* The premise A > I of Lemma E.11 fails for the beta' and the resolution of Theorem E.9. *)
From Coq Require Import Psatz.
From derl.common Require Import real_prelude forms reals.
From derl.analysis Require Import matrices slips.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

(* the squared beta' of the algorithm, c'^2 d^2 log (d H N / (eps_0 delta)), with eps_0 = 1/N *)
Definition beta2 (c : R) (d : nat) (H delta : R) (N : nat) : R :=
  (c ^ 2 * INR d ^ 2 * ln (INR d * H * INR N / (/ INR N * delta)))%coqR.

(* the logarithm grows more slowly than the number of data *)
Lemma beta2_small (c H delta : R) : (1 <= H)%coqR -> (0 < delta <= 1)%coqR ->
  exists2 N : nat, (0 < N)%N & (beta2 c 1 H delta N <= INR N)%coqR.
Proof.
move=> H1 [t0 t1]; set a := ln (H / delta).
have q1 : (1 <= H / delta)%coqR.
  apply: (Rmult_le_reg_r delta) => //; rewrite /Rdiv Rmult_assoc Rinv_l; Lra.lra.
have a0 : (0 <= a)%coqR by exact: ln_ge0.
set B := (c ^ 2 * (a + 4) + 1)%coqR.
have c2 : (0 <= c ^ 2)%coqR by exact: pow2_ge_0.
have B1 : (1 <= B)%coqR by rewrite /B; Lra.nra.
have [m hm] : exists m : nat, (B < INR m)%coqR.
  exists (Z.to_nat (up B)); have [u _] := archimed B.
  rewrite INR_IZR_INZ Z2Nat.id //; apply: le_IZR; Lra.lra.
have m1 : (1 <= INR m)%coqR by Lra.lra.
exists (m * m)%N.
  by rewrite muln_gt0 andbb; case: m hm m1 => [|m] //= _ ?; Lra.lra.
rewrite /beta2 mulnE mult_INR (_ : INR 1 = 1%coqR) // pow1 Rmult_1_r.
have -> : (1 * H * (INR m * INR m) / (/ (INR m * INR m) * delta) =
    H / delta * (INR m * INR m * (INR m * INR m)))%coqR by field; Lra.lra.
have p : (0 < INR m * INR m)%coqR by Lra.nra.
have d0 : (0 < / delta)%coqR by exact: Rinv_0_lt_compat.
rewrite !ln_mult //; try by [apply: Rmult_lt_0_compat|Lra.lra].
have l := @ln_le (INR m) ltac:(Lra.lra); rewrite -/a.
have am : (a * 1 <= a * INR m)%coqR by apply: Rmult_le_compat_l.
apply: (@Rle_trans _ (c ^ 2 * ((a + 4) * INR m))).
  apply: Rmult_le_compat_l => //.
  have e : (ln H + ln (/ delta) = a)%coqR by rewrite /a /Rdiv ln_mult; Lra.lra.
  by rewrite e; Lra.lra.
have bm : (B * INR m <= INR m * INR m)%coqR by apply: Rmult_le_compat_r; Lra.lra.
by move: bm; rewrite /B; Lra.lra.
Qed.

(* [err-perturbation-premise] is false: whatever the constant of beta', there are data for
   which beta'^2 Sigma^-1 > I fails; N features 1 *)
Theorem err_perturbation_premise_refuted_all (c H delta : R) : (1 <= H)%coqR -> (0 < delta <= 1)%coqR ->
  ~ (forall (d N : nat) (phi : 'I_N -> 'cV[R]_d), (0 < d)%N -> (0 < N)%N ->
     (forall n, d%:R^-1 <= sq (phi n) <= 1) ->
     pd (beta2 c d H delta N *: invmx (1%:M + \sum_n outer (phi n)) - 1%:M)).
Proof.
move=> H1 ht h; have [N N0 hN] := beta2_small c H1 ht.
have o1 : outer (1%:M : 'cV[R]_1) = 1%:M by rewrite /outer trmx1 mulmx1.
have n1 : 1%:R^-1 <= sq (1%:M : 'cV[R]_1) <= 1 by rewrite /sq qf11 invr1 lexx.
have [_] := h 1%N N (fun _ => 1%:M) isT N0 (fun _ => n1).
move=> /(_ 1%:M); rewrite sumr_const card_ord o1 -raddfMn /= -raddfD invmx_scalar.
rewrite scale_scalar_mx -raddfB /= qf11 => h2.
have : 0 < beta2 c 1 H delta N * (1 + 1 *+ N)^-1 - 1.
  by apply: h2; apply/eqP => /matrixP /(_ ord0 ord0); rewrite !mxE eqxx mulr1n => /eqP; rewrite oner_eq0.
apply/negP; rewrite -leNgt subr_le0 ler_pdivr_mulr ?ltr_paddr ?ler0n ?ltr01 // mul1r.
by apply: (@le_trans _ _ (INR N)); [exact/RleP|rewrite -INRE ler_addr ler01].
Qed.
