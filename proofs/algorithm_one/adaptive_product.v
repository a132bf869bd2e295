(* Hoeffding's step for both signs, and products over deployments that are chosen from the past. *)
From derl.common Require Import real_prelude reals.
From derl.lower_bounds Require Import game.
From derl.probability Require Import finite exponential hoeffding.
Local Arguments exp x%R.
Local Arguments coin p%R s%R.

Lemma coin_mgf' (p s : R) : 0 <= p <= 1 -> 0 <= s -> coin p s <= exp (s * p + s ^+ 2 / 8%:R).
Proof.
move=> /andP[/RleP p0 /RleP p1] /RleP s0; apply/RleP; apply: Rle_trans (coin_mgf p s (conj p0 p1) s0) _.
right; congr exp; rewrite expr2 -RdivE; last by rewrite pnatr_eq0.
by rewrite -!INRE /= (_ : (1 + 1 + 1 + 1 + 1 + 1 + 1 + 1)%coqR = 8%coqR) //; Lra.lra.
Qed.

(* Hoeffding's lemma for numbers in [0, B] and one sign *)
Lemma hoeffding_step_pos (T : finType) (p g : T -> R) (B s : R) : is_law p -> 0 < B ->
  (forall t, 0 <= g t <= B) -> 0 <= s ->
  \sum_t p t * exp (s * (g t - mean p g) - s ^+ 2 * B ^+ 2 / 8%:R) <= 1.
Proof.
move=> [p0 p1] B0 hg s0; pose m := mean p g.
have hm : 0 <= m / B <= 1.
  have m0 : 0 <= m by apply: sumr_ge0 => t _; rewrite mulr_ge0 //; case/andP: (hg t).
  rewrite divr_ge0 ?(ltW B0) //= ler_pdivr_mulr // mul1r.
  have -> : B = \sum_t p t * B by rewrite -mulr_suml p1 mul1r.
  by apply: ler_sum => t _; rewrite ler_wpmul2l //; case/andP: (hg t).
have sB : 0 <= s * B by rewrite mulr_ge0 // ltW.
have e t : exp (s * (g t - mean p g) - s ^+ 2 * B ^+ 2 / 8%:R) =
    exp (s * B * (g t / B)) * exp (- (s * B * (m / B) + (s * B) ^+ 2 / 8%:R)).
  by rewrite -expD; congr exp; rewrite -/m; field; rewrite gt_eqF.
under eq_bigr do rewrite e mulrA.
rewrite -mulr_suml.
have chord : \sum_t p t * exp (s * B * (g t / B)) <= coin (m / B) (s * B).
  set a := m / B; rewrite /coin.
  change (\sum_t p t * exp (s * B * (g t / B)) <= 1 - a + a * exp (s * B)); rewrite /a.
  have -> : 1 - m / B + m / B * exp (s * B) = \sum_t p t * (1 - g t / B + g t / B * exp (s * B)).
    rewrite /m /mean; under [RHS]eq_bigr do rewrite mulrDr mulrBr mulr1 !mulrA.
    by rewrite big_split sumrB /= p1 -!mulr_suml.
  apply: ler_sum => t _; rewrite ler_wpmul2l //; apply/RleP; apply: exp_chord.
  have /andP[h0 h1] := hg t; split; apply/RleP; first by rewrite divr_ge0 // ltW.
  by rewrite ler_pdivr_mulr // mul1r.
apply: le_trans (ler_wpmul2r (ltW (exp_pos' _)) (le_trans chord (coin_mgf' hm sB))) _.
by rewrite -expD subrr exp_0.
Qed.

(* both signs: the exponential of a centred number, less its variance proxy, has mean at most 1 *)
Theorem hoeffding_step (T : finType) (p g : T -> R) (B s : R) : is_law p -> 0 < B ->
  (forall t, 0 <= g t <= B) ->
  \sum_t p t * exp (s * (g t - mean p g) - s ^+ 2 * B ^+ 2 / 8%:R) <= 1.
Proof.
move=> hp B0 hg; case: (leP 0 s) => [s0|s0]; first exact: hoeffding_step_pos.
pose g' t := B - g t.
have hg' t : 0 <= g' t <= B.
  by have /andP[h0 h1] := hg t; rewrite /g' subr_ge0 h1 /= ler_subl_addr ler_addl.
have s0' : 0 <= - s by rewrite oppr_ge0 ltW.
apply: le_trans (hoeffding_step_pos hp B0 hg' s0'); rewrite le_eqVlt; apply/orP; left; apply/eqP.
have m' : mean p g' = B - mean p g.
  rewrite /mean /g'; under eq_bigr do rewrite mulrBr.
  by rewrite sumrB -mulr_suml (proj2 hp) mul1r.
by apply: eq_bigr => t _; rewrite m' /g'; congr (_ * exp _); ring.
Qed.

Section History.
Variables (O : finType) (D X : Type) (law : D -> O -> R) (psi : strategy O D X) (o0 : O).
Hypothesis hl : forall x, is_law (law x).

Lemma sum_tuple0 (G : seq O -> R) : \sum_(t : 0.-tuple O) G t = G [::].
Proof. by rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP. Qed.

Lemma history_is_law pre K : is_law (fun h : K.-tuple O => history law psi pre h).
Proof. by split=> [h|]; [exact: history_ge0|exact: history_total]. Qed.

(* the mean of a function of deployment k and of the data before it *)
Lemma history_step (F : seq O -> O -> R) (q : R) k K pre :
  (forall pre', \sum_o law (deploy psi pre') o * F pre' o <= q) -> (k < K)%N ->
  \sum_(h : K.-tuple O) history law psi pre h * F (pre ++ take k h) (nth o0 h k) <= q.
Proof.
move=> hF; elim: K k pre => // K IH k pre kK.
rewrite (sum_tuple_cons K (fun h => history law psi pre h * F (pre ++ take k h) (nth o0 h k))) /=.
case: k kK => [|k] kK.
  apply: le_trans (hF pre); rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => o _ /=.
  rewrite cats0 -mulr_suml -mulr_sumr; have [_ ->] := history_is_law (rcons pre o) K.
  by rewrite mulr1.
have [l0 l1] := hl (deploy psi pre).
have -> : q = \sum_o law (deploy psi pre) o * q by rewrite -mulr_suml l1 mul1r.
apply: ler_sum => o _ /=.
under eq_bigr do rewrite -mulrA -cat_rcons.
by rewrite -mulr_sumr ler_wpmul2l // IH.
Qed.

(* products over the deployments have mean at most 1 if every factor has *)
Lemma history_product (F : nat -> O -> R) K pre : (forall j o, 0 <= F j o) ->
  (forall j x, \sum_o law x o * F j o <= 1) ->
  \sum_(h : K.-tuple O) history law psi pre h * (\prod_(j < K) F (size pre + j)%N (nth o0 h j)) <= 1.
Proof.
move=> F0 hF; elim: K pre => [|K IH] pre.
  rewrite (sum_tuple0 (fun h => history law psi pre h * \prod_(j < 0) F (size pre + j)%N (nth o0 h j))).
  by rewrite big_ord0 /= mulr1.
rewrite (sum_tuple_cons K (fun h => history law psi pre h *
  \prod_(j < K.+1) F (size pre + j)%N (nth o0 h j))) /=.
apply: le_trans (hF (size pre) (deploy psi pre)).
apply: ler_sum => o _.
have e (t : K.-tuple O) : law (deploy psi pre) o * history law psi (rcons pre o) t *
    (\prod_(j < K.+1) F (size pre + j)%N (nth o0 (o :: t) j)) =
    law (deploy psi pre) o * F (size pre) o * (history law psi (rcons pre o) t *
      \prod_(j < K) F (size (rcons pre o) + j)%N (nth o0 t j)).
  rewrite big_ord_recl /= addn0 -!mulrA; congr (_ * _); rewrite mulrCA; congr (_ * (_ * _)).
  by apply: eq_bigr => j _; rewrite size_rcons /= addSnnS.
under eq_bigr do rewrite e.
rewrite -mulr_sumr -[leRHS]mulr1; apply: ler_wpmul2l; last exact: IH.
by rewrite mulr_ge0 //; case: (hl (deploy psi pre)).
Qed.

(* the exponential of a sum over the first k deployments: Markov's inequality *)
Theorem history_exponential (f : nat -> O -> R) (L : R) k K : (k <= K)%N ->
  (forall j x, \sum_o law x o * exp (f j o) <= 1) ->
  prob (fun h : K.-tuple O => history law psi [::] h) (fun h => L < \sum_(j < k) f j (nth o0 h j)) <=
  exp (- L).
Proof.
move=> kK hf; pose F j o := if (j < k)%N then exp (f j o) else 1.
have F0 j o : 0 <= F j o by rewrite /F; case: ifP => _; rewrite ?ler01 // ltW // exp_pos'.
have hF j x : \sum_o law x o * F j o <= 1.
  rewrite /F; case: (j < k)%N; first exact: hf.
  by rewrite -[leRHS](proj2 (hl x)); apply: ler_sum => o _; rewrite mulr1.
have := history_product K [::] F0 hF => /= hp.
have e (h : K.-tuple O) : \prod_(j < K) F (0 + j)%N (nth o0 h j) = exp (\sum_(j < k) f j (nth o0 h j)).
  rewrite exp_sum (big_ord_widen K (fun j => exp (f j (nth o0 h j))) kK) [RHS]big_mkcond /=.
  by apply: eq_bigr => j _; rewrite add0n.
have {}hp : \sum_(h : K.-tuple O) history law psi [::] h * exp (\sum_(j < k) f j (nth o0 h j)) <= 1.
  by apply: le_trans hp; rewrite le_eqVlt; apply/orP; left; apply/eqP/eq_bigr => h _; rewrite e.
have P0 h : 0 <= history law psi [::] h by exact: history_ge0.
rewrite /prob; apply: (@le_trans _ _ (\sum_(h : K.-tuple O) history law psi [::] h *
   exp (\sum_(j < k) f j (nth o0 h j)) * exp (- L))).
  rewrite big_mkcond /=; apply: ler_sum => h _; case: ifP => [lt|_].
    by rewrite -mulrA -expD ler_pemulr // exp_ge1 // subr_ge0 ltW.
  by rewrite !mulr_ge0 // ltW // exp_pos'.
by rewrite -mulr_suml ler_pimull // ltW // exp_pos'.
Qed.
End History.
