(* How many batches can violate: the determinant argument for any number of
   batches, over every ordered field. *)
From derl.common Require Import prelude forms determinants.
From derl.potential Require Import bridge.

Section Increments.
Variables (R : realFieldType) (d : nat).
Implicit Types (X : nat -> 'M[R]_d) (y T : R).

(* A_k = I + X_0 + ... + X_(k-1): the matrix before increment k *)
Definition before X (k : nat) : 'M[R]_d := 1%:M + \sum_(j < k) X j.
(* increment k violates the level y: tr (A_k^-1 X_k) >= y *)
Definition violates X y k : bool := y <= \tr (invmx (before X k) *m X k).
(* the number of increments before K that violate *)
Definition violations X y K : nat := \sum_(k < K) violates X y k.

Lemma beforeS X k : before X k.+1 = before X k + X k.
Proof. by rewrite /before big_ord_recr addrA. Qed.

Lemma pd_before X k : (forall j, psd (X j)) -> pd (before X k).
Proof. by move=> pX; apply: pdD; [exact: pd1|exact: psd_sum]. Qed.

Lemma violations0 X y : violations X y 0 = 0%N.
Proof. by rewrite /violations big_ord0. Qed.
Lemma violationsS X y k : violations X y k.+1 = (violations X y k + violates X y k)%N.
Proof. by rewrite /violations big_ord_recr. Qed.

(* The violating increments alone: a matrix below A_k whose determinant is at
   least (1 + y)^m and whose trace is at most d + m T. *)
Lemma ghost X y T K :
  0 <= y -> (forall j, psd (X j)) -> (forall j, \tr (X j) <= T) ->
  exists B, [/\ pd B, psd (before X K - B),
    (1 + y) ^+ violations X y K <= \det B &
    \tr B <= d%:R + (violations X y K)%:R * T].
Proof.
move=> y0 pX tX; elim: K => [|K [B [pB leB detB trB]]].
  exists 1%:M; rewrite violations0 /before big_ord0 addr0 subrr expr0 det1 mul0r addr0.
  by rewrite mxtrace1 !lexx; split=> //; [exact: pd1|exact: psd0].
rewrite violationsS beforeS; case v : (violates X y K); last first.
  exists B; rewrite addn0; split=> //.
  by rewrite addrAC; exact: psdD.
exists (B + X K); rewrite addn1; split.
- exact: pdD.
- by rewrite opprD addrACA subrr addr0.
- have dB := pd_det_gt0 pB.
  have y1 : y <= \tr (invmx B *m X K).
    apply: le_trans v _; have [s gs ->] := psd_split (pX K).
    rewrite !tr_mul_spread big_seq [leRHS]big_seq; apply: ler_sum => p ps.
    have /andP[p0 _] := allP gs _ ps.
    by rewrite ler_pmul2l //; exact: inv_antitone.
  have : 1 + y <= rho B (X K).
    by rewrite -ler_subr_addl; apply: le_trans (bridge pB (pX K)).
  rewrite /rho ler_pdivl_mulr // exprS => h; apply: le_trans h.
  by rewrite ler_pmul2l // ltr_paddr ?ltr01.
- rewrite raddfD /= -addn1 natrD mulrDl mul1r addrA.
  exact: ler_add.
Qed.

(* m violations force (1 + y)^m <= (1 + m T / d)^d *)
Theorem violations_force X y T K :
  0 <= y -> (forall j, psd (X j)) -> (forall j, \tr (X j) <= T) -> (0 < d)%N ->
  forall m, m = violations X y K ->
  (1 + y) ^+ m <= (1 + m%:R * T / d%:R) ^+ d.
Proof.
move=> y0 pX tX d0 m ->; have [B [pB _ detB trB]] := ghost K y0 pX tX.
have dR : 0 < d%:R :> R by rewrite ltr0n.
apply: le_trans detB (le_trans (det_le_trace pB) _).
apply: ler_expn2r; rewrite ?nnegrE.
- by rewrite mulr_ge0 ?invr_ge0 ?(ltW dR) // psd_tr_ge0 //; exact: pd_psd.
- rewrite addr_ge0 ?ler01 // !mulr_ge0 ?ler0n ?invr_ge0 ?ler0n //.
  by apply: le_trans (psd_tr_ge0 (pX 0%N)) (tX 0%N).
- rewrite ler_pdivr_mulr // mulrDl mul1r mulfVK ?gt_eqF //.
Qed.

End Increments.

Section Batches.
Variables (R : realFieldType) (d : nat).

(* the matrix of a batch of N vectors: the sum of phi_n phi_n^T *)
Definition gram (N : nat) (b : nat -> 'cV[R]_d) : 'M[R]_d := \sum_(i < N) outer (b i).
(* the squared Euclidean norm *)
Definition sqnorm (x : 'cV[R]_d) : R := \sum_i x i ord0 ^+ 2.
(* the matrices of the batches phi 0, phi 1, ... of N vectors each *)
Definition batches N (phi : nat -> nat -> 'cV[R]_d) k : 'M[R]_d := gram N (phi k).

Lemma psd_gram N b : psd (gram N b).
Proof. by apply: psd_sum => i _; exact: psd_outer. Qed.
Lemma tr_gram N b : (forall i, sqnorm (b i) <= 1) -> \tr (gram N b) <= N%:R.
Proof.
move=> h; rewrite /gram raddf_sum /= -[N in leRHS](card_ord N) -sumr_const.
by apply: ler_sum => i _; rewrite tr_outer qfE; exact: h.
Qed.

(* In the setting of Lemma 4.2, for any number K of batches, m of which
   violate: (1 + N eps)^m <= (1 + m N / d)^d. *)
Theorem batch_violations N (phi : nat -> nat -> 'cV[R]_d) (eps : R) K :
  0 <= eps -> (0 < d)%N -> (forall k i, sqnorm (phi k i) <= 1) ->
  forall m, m = violations (batches N phi) (N%:R * eps) K ->
  (1 + N%:R * eps) ^+ m <= (1 + m%:R * N%:R / d%:R) ^+ d.
Proof.
move=> e0 d0 h m mE.
apply: (violations_force (X := batches N phi) (T := N%:R) _ _ _ d0 mE); first by rewrite mulr_ge0 ?ler0n.
  by move=> j; exact: psd_gram.
by move=> j; apply: tr_gram.
Qed.

End Batches.
