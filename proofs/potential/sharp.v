(* The claims of the chapter that need logarithms, over Coq's real numbers. *)
From derl.common Require Import real_prelude forms determinants reals.
From derl.potential Require Import bridge count.

Lemma natE n : n%:R = INR n :> R. Proof. by rewrite INRE. Qed.
Lemma litE n : n%:R = IZR (Z.of_nat n) :> R. Proof. by rewrite natE INR_IZR_INZ. Qed.

Lemma rho_ge1 d (A Phi : 'M[R]_d) : pd A -> psd Phi -> 1 <= rho A Phi.
Proof.
move=> pA pP; rewrite /rho ler_pdivl_mulr ?pd_det_gt0 // mul1r.
by apply: det_mono => //; rewrite addrC addKr.
Qed.

Lemma x_ln (x : R) : 1 <= x -> x - 1 <= x * ln x.
Proof.
move=> x1; apply/RleP; apply: x_ln_x; apply/RltP.
exact: lt_le_trans ltr01 x1.
Qed.

(* [res-sharp-bridge], whole. *)
Theorem res_sharp_bridge d (A Phi : 'M[R]_d) : pd A -> psd Phi ->
  [/\ \tr (invmx A *m Phi) <= rho A Phi - 1,
      rho A Phi - 1 <= rho A Phi * ln (rho A Phi) &
      \tr (invmx A *m Phi) = rho A Phi - 1 <-> (\rank Phi <= 1)%N].
Proof.
move=> pA pP; split; first exact: bridge.
  exact/x_ln/rho_ge1.
by rewrite -(bridge_eq pA pP); split=> [->|/eqP].
Qed.

(* [lem-trace-det], whole: A_0 = I, batch k adds its N vectors; rho is the
   quotient of the determinants after and before the batch. *)
Theorem lem_trace_det d N (phi : nat -> nat -> 'cV[R]_d) k :
  let A j := before (batches N phi) j in
  let r := \det (A k.+1) / \det (A k) in
  ((\tr (invmx (A k) *m gram N (phi k)) <= r * ln r)%R : Prop).
Proof.
move=> A r; have pA : pd (A k) by apply: pd_before => j; exact: psd_gram.
have pP : psd (gram N (phi k)) by exact: psd_gram.
have -> : r = rho (A k) (gram N (phi k)) by rewrite /r /A beforeS.
by have [h1 h2 _] := res_sharp_bridge pA pP; exact: le_trans h1 h2.
Qed.

Lemma floor_le m (x : R) : INR m <= x -> Z.le (Z.of_nat m) (Int_part x).
Proof.
move=> /RleP h; have [h1 h2] := base_Int_part x.
apply: Zlt_succ_le; apply: lt_IZR; rewrite -INR_IZR_INZ plus_IZR /=.
move: h h2; move: (INR m) (IZR _) => a b h h2; Lra.lra.
Qed.

(* from powers with natural exponents to real ones *)
Lemma pow_allowed d N m (y : R) : (0 < d)%N -> 0 < y ->
  (1 + y) ^+ m <= (1 + m%:R * N%:R / d%:R) ^+ d ->
  allowed y (INR N) (INR m / INR d)%coqR.
Proof.
move=> d0 y0 h; rewrite /allowed.
have dR : (0 < INR d)%coqR by apply: lt_0_INR; apply/ssrnat.ltP.
have d1 : INR d != 0 by apply/eqP; exact: Rgt_not_eq.
have y1 : (0 < 1 + y)%coqR by apply: Rplus_lt_0_compat; [exact: Rlt_0_1|exact/RltP].
have e1 : 1 + m%:R * N%:R / d%:R = (1 + INR m / INR d * INR N)%coqR.
  by rewrite !natE -RdivE // -RmultE -RplusE mul_div_comm //; exact/eqP.
have b0 : (0 < 1 + INR m / INR d * INR N)%coqR.
  suff : (0 <= INR m / INR d * INR N)%coqR by Lra.lra.
  apply: Rmult_le_pos; last exact: pos_INR.
  by apply: Rmult_le_pos; [exact: pos_INR|left; exact: Rinv_0_lt_compat].
move: h; rewrite e1 -!RpowE => /RleP h.
rewrite -!Rpower_pow // in h.
have -> : Rpower (1 + y) (INR m / INR d) = Rpower (Rpower (1 + y) (INR m)) (/ INR d).
  by rewrite Rpower_mult.
have -> : (1 + INR m / INR d * INR N = Rpower (Rpower (1 + INR m / INR d * INR N) (INR d)) (/ INR d))%coqR.
  by rewrite Rpower_mult Rinv_r ?Rpower_1 //; Lra.lra.
apply: Rpower_mono => //; first exact: exp_pos.
by left; exact: Rinv_0_lt_compat.
Qed.

(* [res-sharp-potential], whole.  N vectors a batch, none longer than 1, and K
   batches; the level is N eps.  The largest x with (1 + N eps)^x <= 1 + x N
   exists; at most floor (d x) batches violate; and the batch size
   (c / eps^c)^(1/(c-1)) makes that at most c d, for every real c > 1. *)
Theorem res_sharp_potential d N K (phi : nat -> nat -> 'cV[R]_d) (eps : R) :
  (0 < d)%N -> (0 < N)%N -> 0 < eps <= 1 -> (forall k i, sqnorm (phi k i) <= 1) ->
  let m := violations (batches N phi) (N%:R * eps) K in
  [/\ exists xs, largest (allowed (N%:R * eps) (INR N)) xs,
      forall xs, largest (allowed (N%:R * eps) (INR N)) xs ->
        Z.le (Z.of_nat m) (Int_part (INR d * xs)%coqR) &
      forall c : R, 1 < c -> Rpower (c / Rpower eps c) (/ (c - 1))%coqR <= N%:R ->
        m%:R <= c * d%:R].
Proof.
move=> d0 N0 /andP[e0 e1] hphi m.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have y0 : 0 < N%:R * eps by rewrite mulr_gt0.
have y0' : (0 < N%:R * eps)%coqR by apply/RltP.
have N0' : (0 < INR N)%coqR by apply: lt_0_INR; apply/ssrnat.ltP.
have d0' : (0 < INR d)%coqR by apply: lt_0_INR; apply/ssrnat.ltP.
have H : allowed (N%:R * eps) (INR N) (INR m / INR d)%coqR.
  by apply: pow_allowed => //; apply: (batch_violations (ltW e0) d0 hphi (erefl m)).
split.
- by apply: largest_allowed => //; left.
- move=> xs [_ /(_ _ H) h]; apply: floor_le; apply/RleP.
  apply: Rmult_le_reg_r (Rinv_0_lt_compat _ d0') _.
  have -> : (INR d * xs * / INR d = xs)%coqR by apply: mul_div; exact: Rgt_not_eq.
  exact: h.
- move=> c c1 hN; rewrite !natE; apply/RleP.
  case: (Rle_dec (INR m) (c * INR d)) => // /Rnot_le_lt h; exfalso.
  have c1' : (1 < c)%coqR by apply/RltP.
  have e0' : (0 < eps)%coqR by apply/RltP.
  apply: (@not_allowed_above (N%:R * eps) (INR N) c (INR m / INR d)%coqR) H => //.
  + by left.
  + by Lra.lra.
  + apply: (Rmult_le_reg_r _ _ _ d0').
    have -> : (INR m / INR d * INR d = INR m)%coqR by apply: div_mul; exact: Rgt_not_eq.
    by Lra.lra.
  + rewrite natE; apply: batch_size_enough => //.
    rewrite natE in hN.
    exact/RleP.
Qed.

(* [lem-batched-potential] with the constant 1, where log (H d / eps) >= 1: the printed
   batch size is at least the sharp one. *)
Theorem lem_batched_potential_log d N K (phi : nat -> nat -> 'cV[R]_d) (eps H c : R) :
  (0 < d)%N -> (0 < N)%N -> 0 < eps <= 1 -> (forall k i, sqnorm (phi k i) <= 1) ->
  1 < c -> 1 <= H -> 1 <= ln (H * INR d / eps)%coqR ->
  (Rpower (c * (H * Rpower (INR d) c / Rpower eps c * Rpower (ln (H * INR d / eps)) c))
     (/ (c - 1)))%coqR <= N%:R ->
  (violations (batches N phi) (N%:R * eps) K)%:R <= c * d%:R.
Proof.
move=> d0 N0 he hphi c1 H1 l1 hN.
have [_ _ size] := res_sharp_potential K d0 N0 he hphi.
apply: size => //; apply: le_trans hN; apply/RleP; case/andP: he => /RltP e0 _.
apply: printed_larger => //; [exact/RltP|exact/RleP| |exact/RleP].
by apply: (le_INR 1); apply/ssrnat.leP.
Qed.
