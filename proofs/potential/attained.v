(* The sharp bound is attained: the first stored certificate (N = 200, d = 2,
   epsilon = 1/10, three violations), and negative controls. *)
From derl.common Require Import prelude forms determinants.
From derl.potential Require Import bridge count refined.

Section Witness.
Variables (R : realFieldType) (d : nat).

(* a vector x that shows that v is long in the inverse of A, without the inverse *)
Lemma witness (A : 'M[R]_d) (x v : 'cV[R]_d) (eps : R) : pd A -> x != 0 ->
  eps * qf A x <= (v^T *m x) ord0 ord0 ^+ 2 -> eps <= qf (invmx A) v.
Proof.
move=> pA x0 h; have q0 : 0 < qf A x by case: pA => _; apply.
rewrite -(ler_pmul2r q0); apply: le_trans h _; rewrite dotC mulrC; exact: cauchy_dual.
Qed.

(* batches of N copies of one vector *)
Definition copies (v : nat -> 'cV[R]_d) : nat -> nat -> 'cV[R]_d := fun k _ => v k.

Lemma gram_copies N (v : 'cV[R]_d) : gram N (fun _ => v) = N%:R *: outer v.
Proof. by rewrite /gram sumr_const card_ord scaler_nat. Qed.

Lemma qf_before N (v : nat -> 'cV[R]_d) k x : qf (before (batches N (copies v)) k) x =
  qf 1%:M x + \sum_(j < k) N%:R * ((v j)^T *m x) ord0 ord0 ^+ 2.
Proof.
rewrite /before qfD; congr (_ + _); elim: k => [|k IH].
  by rewrite !big_ord0 /qf bil0l.
by rewrite !big_ord_recr /= qfD IH /batches gram_copies qfZ qf_outer.
Qed.

Lemma violates_copies N (v : nat -> 'cV[R]_d) k eps x : x != 0 ->
  eps * (qf 1%:M x + \sum_(j < k) N%:R * ((v j)^T *m x) ord0 ord0 ^+ 2) <=
    ((v k)^T *m x) ord0 ord0 ^+ 2 ->
  violates (batches N (copies v)) (N%:R * eps) k.
Proof.
move=> x0 h; rewrite /violates /batches [gram _ (copies v k)]gram_copies.
rewrite -scalemxAr mxtraceZ tr_mul_outer ler_wpmul2l ?ler0n //.
apply: (witness (x := x)) => //; last by rewrite qf_before.
by apply: pd_before => j; exact: psd_gram.
Qed.
End Witness.

Section Plane.
Variable R : realFieldType.
(* a vector of the plane *)
Definition vec (a b : R) : 'cV[R]_2 := \col_i (if i == ord0 then a else b).

Lemma dot_vec a b c e : ((vec a b)^T *m vec c e) ord0 ord0 = a * c + b * e.
Proof. by rewrite mxE big_ord_recl big_ord1 !mxE. Qed.
Lemma sq_vec a b : qf 1%:M (vec a b) = a ^+ 2 + b ^+ 2.
Proof. by rewrite /qf bil1 dot_vec !expr2. Qed.
Lemma vec_neq0 a b : a != 0 -> vec a b != 0.
Proof. by apply: contra => /eqP /matrixP /(_ ord0 ord0); rewrite !mxE eqxx => ->. Qed.

(* the three vectors of potential-sharp-d2-n200.json *)
Definition stored (k : nat) : 'cV[R]_2 :=
  if k == 0%N then vec (- (2%:R / 5%:R)) (- (1 / 5%:R))
  else if k == 1%N then vec (3%:R / 5%:R) (4%:R / 5%:R)
  else vec (3%:R / 5%:R) (- (4%:R / 5%:R)).

Lemma le_nat_diff (x y : R) (n m : nat) : (0 < m)%N -> (y - x) * m%:R = n%:R -> x <= y.
Proof.
move=> m0 e; rewrite -subr_ge0 -(pmulr_lge0 _ (_ : 0 < m%:R)) ?ltr0n //.
by rewrite e ler0n.
Qed.

(* [res-sharp-potential-attained], the case (N, d, k) = (200, 2, 3): all three batches
   violate at epsilon = 1/10, and no four batches ever do *)
Theorem res_sharp_potential_attained :
  [/\ forall k, sqnorm (stored k) <= 1,
      violations (batches 200 (copies stored)) (200%:R * 10%:R^-1) 3 = 3%N &
      forall (phi : nat -> nat -> 'cV[R]_2) K, (forall k i, sqnorm (phi k i) <= 1) ->
        (violations (batches 200 phi) (200%:R * 10%:R^-1) K <= 3)%N].
Proof.
have sqE (x : 'cV[R]_2) : sqnorm x = qf 1%:M x by rewrite qfE.
split.
- move=> k; rewrite sqE /stored; case: ifP => _; last case: ifP => _; rewrite sq_vec.
  + by apply: (@le_nat_diff _ _ 20 25) => //; field.
  + by apply: (@le_nat_diff _ _ 0 1) => //; field.
  + by apply: (@le_nat_diff _ _ 0 1) => //; field.
- rewrite 3!violationsS violations0.
  have -> : violates (batches 200 (copies stored)) (200%:R * 10%:R^-1) 0 = true.
    apply: (violates_copies (x := vec 2%:R 1)); first by rewrite vec_neq0 ?pnatr_eq0.
    rewrite big_ord0 sq_vec /stored /= dot_vec.
    by apply: (@le_nat_diff _ _ 5 10) => //; field.
  have -> : violates (batches 200 (copies stored)) (200%:R * 10%:R^-1) 1 = true.
    apply: (violates_copies (x := vec (- 4%:R) 9%:R)).
      by rewrite vec_neq0 // oppr_eq0 pnatr_eq0.
    rewrite big_ord1 sq_vec /stored /= !dot_vec.
    by apply: (@le_nat_diff _ _ 1254 100) => //; field.
  have -> : violates (batches 200 (copies stored)) (200%:R * 10%:R^-1) 2 = true.
    apply: (violates_copies (x := vec 9%:R (- 8%:R))).
      by rewrite vec_neq0 // pnatr_eq0.
    rewrite big_ord_recl big_ord1 sq_vec /stored /= !dot_vec.
    by apply: (@le_nat_diff _ _ 2474 100) => //; field.
  by [].
- move=> phi K hphi; rewrite leqNgt; apply/negP => more.
  have [K' four] : exists K', violations (batches 200 phi) (200%:R * 10%:R^-1) K' = 4%N.
    move: more; rewrite leq_eqVlt => /orP[/eqP e|/next_violation [K' h _]]; first by exists K.
    by exists K'.
  have e0 : 0 <= 10%:R^-1 :> R by rewrite invr_ge0 ler0n.
  have := batch_violations (K := K') e0 (isT : (0 < 2)%N) hphi (esym four).
  have -> : (1 + 200%:R * 10%:R^-1) ^+ 4 = 441%:R ^+ 2 :> R by field.
  have -> : 1 + 4%:R * 200%:R / 2%:R = 401%:R :> R by field.
  by rewrite ler_pexpn2r ?nnegrE ?ler0n // ler_nat.
Qed.

End Plane.

(* control for res-sharp-bridge: (rho - 1) / 2 in the place of rho - 1 is false *)
Theorem res_sharp_bridge_control : exists A Phi : 'M[rat]_1,
  [/\ pd A, psd Phi & (rho A Phi - 1) / 2%:R < \tr (invmx A *m Phi)].
Proof.
exists 1%:M, 1%:M; split; [exact: pd1|exact/pd_psd/pd1|].
by rewrite invmx1 mul1mx mxtrace1 /rho -raddfD /= !det_scalar1.
Qed.

(* control for lem-norm-det: with 99/100 of the quotient of the determinants it is false *)
Theorem lem_norm_det_control (R : realFieldType) : ~ (forall (n : nat) (A B : 'M[R]_n) (x : 'cV[R]_n), pd B ->
  psd (A - B) -> qf A x <= qf B x * (99%:R / 100%:R * (\det A / \det B))).
Proof.
move=> h; have p0 : psd (1%:M - 1%:M : 'M[R]_1) by rewrite subrr; exact: psd0.
have := h 1%N 1%:M 1%:M 1%:M (pd1 _ _) p0.
have -> : qf 1%:M (1%:M : 'cV[R]_1) = 1 by rewrite /qf /bil trmx1 !mulmx1 mxE.
rewrite det1 divff ?oner_neq0 // mulr1 mul1r ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
by [].
Qed.
