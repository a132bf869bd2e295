(* Tail bounds for independent draws from finite sets: Hoeffding's inequality and Chernoff's
   multiplicative one, and what they say of K deployments that are chosen from the past. *)
From derl.common Require Import real_prelude reals.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite exponential.
Local Arguments exp x%R.

Section Product.
Variables (F : realFieldType) (T : finType) (N : nat).
(* the law of N independent draws, draw i with the law p i *)
Definition product_law (p : 'I_N -> T -> F) (o : {ffun 'I_N -> T}) : F := \prod_i p i (o i).

Lemma product_mean (p G : 'I_N -> T -> F) :
  \sum_o product_law p o * (\prod_i G i (o i)) = \prod_i \sum_t p i t * G i t.
Proof.
by rewrite bigA_distr_bigA; apply: eq_bigr => o _; rewrite -big_split.
Qed.

Lemma product_is_law p : (forall i, is_law (p i)) -> is_law (product_law p).
Proof.
move=> hp; split=> [o|]; first by apply: prodr_ge0 => i _; case: (hp i).
rewrite /product_law -bigA_distr_bigA big1 // => i _; exact: (proj2 (hp i)).
Qed.
End Product.

Lemma exp_sum (I : finType) (x : I -> R) : exp (\sum_i x i) = \prod_i exp (x i).
Proof. by apply: (big_morph exp exp_plus); exact: exp_0. Qed.

Lemma expD (x y : R) : exp (x + y) = exp x * exp y. Proof. exact: exp_plus. Qed.
Lemma exp_pos' (x : R) : 0 < exp x. Proof. by apply/RltP; exact: exp_pos. Qed.
Lemma exp_mono (x y : R) : x <= y -> exp x <= exp y.
Proof. by move=> /RleP h; apply/RleP; exact: exp_le. Qed.
Lemma exp_ge1 (x : R) : 0 <= x -> 1 <= exp x.
Proof. by move=> /exp_mono; rewrite exp_0. Qed.
Lemma expX (x : R) n : exp x ^+ n = exp (n%:R * x).
Proof.
elim: n => [|n IH]; first by rewrite expr0 mul0r exp_0.
by rewrite exprS IH -expD -[n.+1]add1n natrD mulrDl mul1r.
Qed.

Section Tails.
Variables (T : finType) (N : nat) (p : 'I_N -> T -> R).
Hypothesis hp : forall i, is_law (p i).

(* Markov's inequality for the exponential of a sum *)
Lemma exponential_markov (f : 'I_N -> T -> R) (c M : R) :
  (forall i, \sum_t p i t * exp (f i t) <= M) ->
  prob (product_law p) (fun o => c <= \sum_i f i (o i)) <= exp (- c) * M ^+ N.
Proof.
move=> hM; have P0 o : 0 <= product_law p o by case: (product_is_law hp).
apply: (@le_trans _ _ (\sum_o product_law p o * exp (\sum_i f i (o i) - c))).
  rewrite /prob big_mkcond /=; apply: ler_sum => o _; case: ifP => [h|_].
    by rewrite ler_pemulr // exp_ge1 // subr_ge0.
  by rewrite mulr_ge0 // ltW // exp_pos'.
under eq_bigr => o _ do rewrite expD exp_sum mulrA.
rewrite -mulr_suml (product_mean p (fun i t => exp (f i t))) mulrC ler_pmul2l ?exp_pos' //.
apply: (@le_trans _ _ (\prod_(i < N) M)); last by rewrite prodr_const card_ord.
apply: ler_prod => i _; rewrite hM andbT; apply: sumr_ge0 => t _.
by rewrite mulr_ge0 ?(proj1 (hp i)) // ltW // exp_pos'.
Qed.

(* the chord: only the mean matters *)
Lemma chord_mean i (g : T -> R) (s : R) : (forall t, 0 <= g t <= 1) ->
  \sum_t p i t * exp (s * g t) <= coin (mean (p i) g) s.
Proof.
move=> hg; rewrite /coin /mean.
change (\sum_t p i t * exp (s * g t) <= 1 - \sum_t p i t * g t + (\sum_t p i t * g t) * exp s).
rewrite -{1}(proj2 (hp i)) -sumrB mulr_suml -big_split /=; apply: ler_sum => t _.
have -> : p i t - p i t * g t + p i t * g t * exp s = p i t * (1 - g t + g t * exp s) by ring.
rewrite ler_wpmul2l ?(proj1 (hp i)) //; apply/RleP; apply: exp_chord.
by case/andP: (hg t) => /RleP h0 /RleP h1.
Qed.

Lemma prob_le1 (q : {ffun 'I_N -> T} -> R) E : is_law q -> prob q E <= 1.
Proof. by case=> l0 <-; rewrite /prob [leRHS](bigID E) /= ler_addl sumr_ge0. Qed.

(* Hoeffding's inequality, upper tail, for numbers in [0, 1] *)
Lemma hoeffding_unit (g : 'I_N -> T -> R) (m t : R) :
  (forall i x, 0 <= g i x <= 1) -> (forall i, mean (p i) (g i) = m) -> 0 <= m <= 1 -> 0 < t ->
  prob (product_law p) (fun o => N%:R * (m + t) <= \sum_i g i (o i)) <= exp (- (2%:R * N%:R * t ^+ 2)).
Proof.
move=> hg hm /andP[m0 m1] t0; pose s := 4%:R * t.
have s0 : 0 < s by rewrite mulr_gt0 ?ltr0n.
have mgf i : \sum_x p i x * exp (s * g i x) <= exp (s * m + 2%:R * (t * t)).
  apply: le_trans (chord_mean i s (hg i)) _; rewrite hm /s; apply/RleP; rewrite -!INRE.
  by apply: coin_upper; [split|]; apply/RleP => //; exact: ltW.
have := exponential_markov (f := fun i x => s * g i x) (s * (N%:R * (m + t)))%R mgf.
rewrite expX -expD => h; apply: le_trans (le_trans _ h) _.
  rewrite /prob le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => o.
  by rewrite -mulr_sumr ler_pmul2l.
rewrite le_eqVlt; apply/orP; left; apply/eqP; congr exp; rewrite /s; ring.
Qed.

(* Hoeffding's inequality: N independent numbers in [0, B] with the mean m; the average is
   less than m - t with probability at most exp (- 2 N t^2 / B^2) *)
Theorem hoeffding (f : 'I_N -> T -> R) (B m t : R) : (0 < N)%N -> 0 < B -> 0 < t ->
  (forall i x, 0 <= f i x <= B) -> (forall i, mean (p i) (f i) = m) ->
  prob (product_law p) (fun o => (\sum_i f i (o i)) / N%:R + t < m) <=
  exp (- (2%:R * N%:R * (t / B) ^+ 2)).
Proof.
move=> N0 B0 t0 hf hm; pose g i x := 1 - f i x / B.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have hg i x : 0 <= g i x <= 1.
  have /andP[h0 h1] := hf i x; rewrite /g subr_ge0 ler_pdivr_mulr // mul1r h1 /=.
  by rewrite ler_subl_addr ler_addl divr_ge0 // ltW.
have mg i : mean (p i) (g i) = 1 - m / B.
  rewrite /mean /g; under eq_bigr do rewrite mulrBr mulr1 mulrA.
  by rewrite sumrB -mulr_suml (proj2 (hp i)) -(hm i).
have hm1 : 0 <= 1 - m / B <= 1.
  rewrite -(mg (Ordinal N0)) /mean; apply/andP; split.
    by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?(proj1 (hp _)) //; case/andP: (hg (Ordinal N0) x).
  rewrite -(proj2 (hp (Ordinal N0))); apply: ler_sum => x _.
  by rewrite ler_pimulr ?(proj1 (hp _)) //; case/andP: (hg (Ordinal N0) x).
have tB : 0 < t / B by rewrite divr_gt0.
apply: le_trans (hoeffding_unit hg mg hm1 tB).
rewrite /prob [leRHS]big_mkcond [leLHS]big_mkcond /=; apply: ler_sum => o _.
case: ifP => // h; last by case: ifP => // _; case: (product_is_law hp).
suff -> : N%:R * (1 - m / B + t / B) <= \sum_i g i (o i) by [].
rewrite /g sumrB sumr_const card_ord -mulr_suml.
have -> : N%:R * (1 - m / B + t / B) = N%:R - N%:R * (m - t) / B by ring.
rewrite ler_add2l ler_opp2 ler_pmul2r ?invr_gt0 // ltW // mulrC -ltr_pdivr_mulr //.
by rewrite ltr_subr_addr.
Qed.

(* Chernoff's inequality: the average is less than (1 - t) m with probability at most
   exp (- N m t^2 / (2 B)) *)
Theorem chernoff (f : 'I_N -> T -> R) (B m t : R) : (0 < N)%N -> 0 < B -> 0 < t ->
  (forall i x, 0 <= f i x <= B) -> (forall i, mean (p i) (f i) = m) ->
  prob (product_law p) (fun o => (\sum_i f i (o i)) / N%:R < (1 - t) * m) <=
  exp (- (N%:R * m * t ^+ 2 / (2%:R * B))).
Proof.
move=> N0 B0 t0 hf hm; pose g i x := f i x / B.
have NR : 0 < N%:R :> R by rewrite ltr0n.
have hg i x : 0 <= g i x <= 1.
  have /andP[h0 h1] := hf i x; rewrite /g ler_pdivr_mulr // mul1r h1 andbT.
  by rewrite divr_ge0 // ltW.
have mg i : mean (p i) (g i) = m / B.
  by rewrite /mean /g; under eq_bigr do rewrite mulrA; rewrite -mulr_suml -(hm i).
have m0 : 0 <= m / B.
  rewrite -(mg (Ordinal N0)) /mean.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?(proj1 (hp _)) //; case/andP: (hg (Ordinal N0) x).
have mgf i : \sum_x p i x * exp (- t * g i x) <= exp (m / B * (t * t / 2%:R - t)).
  apply: le_trans (chord_mean i (- t) (hg i)) _; rewrite mg; apply/RleP.
  rewrite -[2%:R^-1]RinvE ?pnatr_eq0 // -INRE.
  by apply: coin_lower; apply/RleP => //; exact: ltW.
have := exponential_markov (f := fun i x => - t * g i x) (- t * (N%:R * ((1 - t) * (m / B))))%R mgf.
rewrite expX -expD => h; apply: le_trans (le_trans _ h) _.
  rewrite /prob [leRHS]big_mkcond [leLHS]big_mkcond /=; apply: ler_sum => o _.
  case: ifP => // lt; last by case: ifP => // _; case: (product_is_law hp).
  suff -> : - t * (N%:R * ((1 - t) * (m / B))) <= \sum_i - t * g i (o i) by [].
  rewrite -mulr_sumr !mulNr ler_opp2 ler_pmul2l // /g -mulr_suml !mulrA ler_pmul2r ?invr_gt0 //.
  by rewrite -mulrA mulrC -ler_pdivr_mulr // ltW.
rewrite le_eqVlt; apply/orP; left; apply/eqP; congr exp.
by field; rewrite gt_eqF.
Qed.
End Tails.
