(* Lemma E.6: the loss of the policy that Algorithm 5 returns after rounding. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism truncation.
From derl.reward_free Require Import planning event.
From derl.analysis Require Import evaluation.

Lemma tvalue_shift (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R) mu (F G : S -> A -> R) c h k s :
  (forall h s a, is_law (P h s a)) -> (forall h s, is_law (mu h s)) -> (forall s a, F s a <= G s a + c) ->
  tvalue P mu F h k s <= tvalue P mu G h k s + c.
Proof.
move=> hP hmu hFG; elim: k h s => [|k IH] h s /=.
  apply: (@le_trans _ _ (\sum_a mu h s a * (G s a + c))); first by apply: mean_le => // a; exact: (proj1 (hmu h s)).
  under eq_bigr do rewrite mulrDr; rewrite big_split /= -mulr_suml (proj2 (hmu h s)) mul1r; exact: lexx.
apply: (@le_trans _ _ (\sum_a mu h s a * (\sum_s' P h s a s' * tvalue P mu G h.+1 k s' + c))).
  apply: mean_le => a; first exact: (proj1 (hmu h s)).
  apply: (@le_trans _ _ (\sum_s' P h s a s' * (tvalue P mu G h.+1 k s' + c))).
    by apply: mean_le => s'; [exact: (proj1 (hP h s a))|exact: IH].
  under eq_bigr do rewrite mulrDr; rewrite big_split /= -mulr_suml (proj2 (hP h s a)) mul1r; exact: lexx.
under eq_bigr do rewrite mulrDr; rewrite big_split /= -mulr_suml (proj2 (hmu h s)) mul1r; exact: lexx.
Qed.

(* [lem-bias-accumulation], whole: L layers lie before the reward's, L < H; Rb is the rounded
   reward, Qb the rounded Q, g' greedy for Qb; mu is any policy *)
Theorem lem_bias_accumulation (R : rcfType) (S A : finType) (d : nat)
    (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R)
    (L H : nat) (beta xi eps : R) (w : nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d) (Rw Rb : S -> A -> R)
    (Qb : nat -> S -> A -> R) (g g' : nat -> S -> A) :
  let est := linear phi w in let b := bonus phi beta Sig in
  let V := solve_value est b g Rw L in
  let Q h s a := if (h < L)%N then Num.min (est h s a + b h s a) 1 else Rw s a in
  (forall h s a, is_law (P h s a)) -> is_law rho -> 0 <= beta -> (L < H)%N ->
  (forall s a, 0 <= Rw s a <= 1) -> (forall h s a, (h <= L)%N -> Q h s a <= V h s) ->
  (forall h s a, (h <= L)%N -> `|Qb h s a - Q h s a| <= eps) ->
  (forall h s a, Qb h s a <= Qb h s (g' h s)) -> (forall s a, `|Rb s a - Rw s a| <= eps / 2%:R) ->
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  (forall pi, (forall h s, is_law (pi h s)) -> J P rho pi (width phi Sig) L <= L%:R / H%:R * xi) ->
  eps <= beta * xi / (2%:R * H%:R) -> 0 <= eps ->
  forall mu, (forall h s, is_law (mu h s)) ->
    TJ P rho mu Rb L - TJ P rho (det R g') Rb L <= 3%:R * beta * xi.
Proof.
move=> est b V Q hP [rho0 rho1] b0 LH hR greedy near greedyb nearR event two res e0 mu hmu.
have HR : 0 < H%:R :> R by rewrite ltr0n (leq_ltn_trans _ LH).
have VQ h s : (h <= L)%N -> V h s = Q h s (g h s) by rewrite /V /solve_value /Q; case: ifP.
have slack h s : (h <= L)%N -> V h s <= Q h s (g' h s) + 2%:R * eps.
  move=> hL; rewrite VQ //; have := near h s (g h s) hL; have := near h s (g' h s) hL.
  rewrite !ler_norml => /andP[_ n1] /andP[n2 _]; have := greedyb h s (g h s) => n3.
  rewrite -subr_ge0; have -> : Q h s (g' h s) + 2%:R * eps - Q h s (g h s) =
    (eps - (Qb h s (g' h s) - Q h s (g' h s))) + (Qb h s (g' h s) - Qb h s (g h s)) +
    (Qb h s (g h s) - Q h s (g h s) - - eps) by ring.
  by apply: addr_ge0; [apply: addr_ge0|]; rewrite subr_ge0.
have up s : V 0%N s <= tvalue P (det R g') Rw 0 L s + 2%:R * value P (det R g') b 0 L s + L.+1%:R * (2%:R * eps).
  apply: (@solve_below _ _ _ P hP est b g Rw L event g') => // [h s' hL|s'].
    by have := slack h s' (ltnW hL); rewrite /Q hL.
  by have := slack L s' (leqnn L); rewrite /Q ltnn.
have low s : tvalue P mu Rw 0 L s <= V 0%N s.
  apply: (@solve_above _ _ _ P hP est b g Rw L hR event mu hmu) => // [h s' a hL|s' a].
    by have := greedy h s' a (ltnW hL); rewrite /Q hL.
  by have := greedy L s' a (leqnn L); rewrite /Q ltnn.
have r1 s a : Rb s a <= Rw s a + eps / 2%:R.
  by have := nearR s a; rewrite ler_norml => /andP[_ h]; rewrite -ler_subl_addl.
have r2 s a : Rw s a <= Rb s a + eps / 2%:R.
  by have := nearR s a; rewrite distrC ler_norml => /andP[_ h]; rewrite -ler_subl_addl.
have point s : tvalue P mu Rb 0 L s - tvalue P (det R g') Rb 0 L s <=
    2%:R * beta * value P (det R g') (width phi Sig) 0 L s + (2%:R * L%:R + 3%:R) * eps.
  have s1 := tvalue_shift 0 L s hP hmu r1.
  have s2 := tvalue_shift 0 L s hP (det_law R g') r2.
  have s3 := low s; have s4 := up s.
  have bE : value P (det R g') b 0 L s = beta * value P (det R g') (width phi Sig) 0 L s by rewrite -value_scale.
  rewrite bE -[L.+1]addn1 natrD in s4; rewrite -subr_ge0.
  set t1 := tvalue P mu Rb 0 L s in s1 *; set t2 := tvalue P mu Rw 0 L s in s1 s3 *.
  set t3 := tvalue P (det R g') Rb 0 L s in s2 *; set t4 := tvalue P (det R g') Rw 0 L s in s2 s4 *.
  set u := value _ _ _ _ _ _ in s4 *; set v := V 0%N s in s3 s4 *.
  have -> : 2%:R * beta * u + (2%:R * L%:R + 3%:R) * eps - (t1 - t3) =
    (t2 + eps / 2%:R - t1) + (t3 + eps / 2%:R - t4) + (v - t2) +
    (t4 + 2%:R * (beta * u) + (L%:R + 1) * (2%:R * eps) - v) by field.
  by apply: addr_ge0; [apply: addr_ge0; [apply: addr_ge0|]|]; rewrite subr_ge0.
have sum : TJ P rho mu Rb L - TJ P rho (det R g') Rb L <=
    2%:R * beta * J P rho (det R g') (width phi Sig) L + (2%:R * L%:R + 3%:R) * eps.
  have -> : (2%:R * L%:R + 3%:R) * eps = \sum_s rho s * ((2%:R * L%:R + 3%:R) * eps).
    by rewrite -mulr_suml rho1 mul1r.
  rewrite /TJ /J mulr_sumr -sumrB -big_split /=.
  apply: ler_sum => s _; rewrite -mulrBr (mulrCA (2%:R * beta)) -mulrDr ler_wpmul2l //; exact: point.
apply: le_trans sum _.
have k1 : 2%:R * beta * J P rho (det R g') (width phi Sig) L <= 2%:R * beta * (L%:R / H%:R * xi).
  by rewrite ler_wpmul2l ?mulr_ge0 ?ler0n //; apply: two => h s; exact: det_law.
have k2 : (2%:R * L%:R + 3%:R) * eps <= (2%:R * L%:R + 3%:R) * (beta * xi / (2%:R * H%:R)).
  by rewrite ler_wpmul2l // addr_ge0 ?mulr_ge0 ?ler0n.
have bx : 0 <= beta * xi.
  have p2 : 0 < 2%:R * H%:R :> R by apply: mulr_gt0 => //; rewrite ltr0n.
  by have := le_trans e0 res; rewrite ler_pdivl_mulr // mul0r.
apply: le_trans (ler_add k1 k2) _.
have -> : 2%:R * beta * (L%:R / H%:R * xi) + (2%:R * L%:R + 3%:R) * (beta * xi / (2%:R * H%:R)) =
  beta * xi * ((3%:R * L%:R + 3%:R / 2%:R) / H%:R) by field; rewrite gt_eqF.
have -> : 3%:R * beta * xi = beta * xi * 3%:R by ring.
rewrite ler_wpmul2l // ler_pdivr_mulr //; apply: (@le_trans _ _ (3%:R * (L%:R + 1))).
  by rewrite mulrDr mulr1 ler_add2l ler_pdivr_mulr ?ltr0n // ler_pmulr ?ltr0n // ler1n.
by rewrite ler_wpmul2l ?ler0n // -[X in _ + X]/(1%:R) -natrD ler_nat addn1.
Qed.
