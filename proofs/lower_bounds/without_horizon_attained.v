(* Two values a digit, one trajectory: search with exclusion attains the coin, so the bound without a
   union over the horizon is the smallest probability of not matching the digits that can be seen. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock frontier chains search_game search_exact.
From derl.foundations Require Import rewards.
From derl.lower_bounds Require Import features without_horizon.

Section Coin.
Variable R : realFieldType.
Local Notation half := (2%:R^-1 : R).

Lemma advance_half a : advance R 2 1 a = half ^+ a.
Proof. by rewrite /advance expr1 natrX exprVn subKr. Qed.

Lemma reveal_half k x : reveal (advance R 2 1) k.+1 x.+1 = half * reveal (advance R 2 1) k x + half * reveal
  (advance R 2 1) k.+1 x.
Proof.
have gap a : advance R 2 1 a - advance R 2 1 a.+1 = half ^+ a.+1.
  by rewrite !advance_half exprS; field.
have step : forall y, reveal (advance R 2 1) k.+1 y = \sum_(a < y) half ^+ a.+1 * reveal (advance R 2 1) k (y - a.+1)
  + half ^+ y.
  by move=> y; rewrite /= advance_half; congr (_ + _); apply: eq_bigr => a _; rewrite gap.
rewrite [LHS]step step big_ord_recl /= expr1 subSS subn0 -addrA; congr (_ + _).
rewrite mulrDr mulr_sumr -exprS; congr (_ + _); apply: eq_bigr => a _.
by rewrite mulrA -exprS /bump /= add1n subSS.
Qed.

(* of k deployments, the number of digits that k tails reveal, and the heads before the k-th *)
Lemma reveal_coin k x : reveal (advance R 2 1) k x = before_tail half k (x.+1 - k).
Proof.
elim: x k => [|x IH] [|k].
- by rewrite /before_tail heads_short.
- by rewrite subSS sub0n before_tail0 /= big_ord0 add0r /advance expn0 invr1 subrr expr1 subr0.
- by rewrite /before_tail addn0 heads_short.
rewrite reveal_half !IH !subSS; case: (leqP k x) => kx; last first.
  have -> : (x.+1 - k = 0)%N by apply/eqP; rewrite subn_eq0.
  have -> : (x - k = 0)%N by apply/eqP; rewrite subn_eq0; exact: ltnW.
  by rewrite !before_tail0; field.
by rewrite subSn // before_tailS [RHS]addrC; congr (_ * _ + _); field.
Qed.
End Coin.

(* [res-arbitrary-without-horizon-log], whole *)
Theorem res_arbitrary_without_horizon_log (R : realFieldType) :
  (forall (n d N : nat) (b : R) (W : finType) (w : W -> R)
     (psi : W -> strategy [finType of data n d N] (deployed R d) (deployed R d)) eps K l,
     is_law w -> (1 < d)%N -> (1 < n)%N -> (0 < N)%N -> (N <= d ^ l)%N -> 2%:R * eps < b -> 0 < b <= 2%:R^-1 ->
     let m := (n - K * l.+1)%N in
     let fails c := \sum_v w v * failure (fun (c : code n d) (x : deployed R d) => data_law (N := N) (lock b c) x)
         (good_output b eps) c (psi v) K in
     let share : R := 1 - d%:R^-1 in
     [/\ forall (c : code n d) h, assumption_one (@feature_vector R d) (measure_vector (lock b c) h)
           (reward_vector R n d h) (gate.kernel (lock b c) h) (fun s _ => gate.reward R n h s),
         (0 < K)%N -> (K * l.+1 < n)%N ->
           (exists c, share * (1 - heads (d%:R^-1) (m + K).-1 m) <= fails c) /\
           share * (1 - (K%:R * (l%:R + d%:R / (d%:R - 1)) - 1) / (n%:R - 1)) <= share * (1 - heads (d%:R^-1) (m + K).-1
         m), (0 < K)%N -> K%:R <= (n%:R + 1) / (2%:R * (l%:R + d%:R / (d%:R - 1))) :> R ->
           (K * l.+1 < n)%N /\ exists c, share / 2%:R <= fails c,
         K = 0%N -> exists c, share <= fails c &
         4%:R^-1 <= share / 2%:R]) /\
  forall (n : nat) (b : R) K, 0 <= b <= 2%:R^-1 -> (0 < K <= n)%N ->
    let m := (n.+1 - K)%N in let miss : R := 1 - heads (2%:R^-1) (m + K).-1 m in
    (forall c : code n.+1 2, 1 - matches b c (excluding_search R n 1 (isT : 1 < 2)%N) K n = miss) /\
    forall (W : finType) (w : W -> R) (psi : W -> strategy [finType of data n.+1 2 1] (deployed R 2) unit), is_law w ->
      miss <= \sum_v w v * ((\sum_(c : code n.+1 2) (1 - matches b c (psi v) K n)) / (2 ^ n.+1)%:R).
Proof.
split.
  move=> n d N b W w psi eps K l hw d1 n1 N0 Nl eb hb.
  have [bound few none quarter] := lower_without_horizon_solved psi K hw d1 n1 N0 Nl eb hb.
  split=> // c h; apply: gate_assumption; apply: lock_mild.
  by case/andP: hb => b0 ->; rewrite (ltW b0).
move=> n b K hb /andP[K0 Kn] m miss.
have coin : reveal (advance R 2 1) K n = heads (2%:R^-1) (m + K).-1 m by rewrite reveal_coin.
split=> [c|W w psi lw].
  have [exact _] := @res_search_exact R n 1 b hb K n isT (leqnn n).
  by rewrite exact coin.
have [le _ _] := @res_search_upper R n 2 1 b hb isT W w psi K n lw isT (leqnn n).
rewrite /miss -coin;
  apply: (@le_trans _ _ (1 - \sum_v w v * ((\sum_(c : code n.+1 2) matches b c (psi v) K n) / (2 ^ n.+1)%:R))).
  by rewrite ler_add2l ler_opp2.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite -[X in X - _](proj2 lw) -sumrB; apply: eq_bigr => v _.
have p0 : (2 ^ n.+1)%:R != 0 :> R by rewrite pnatr_eq0 expn_eq0.
by rewrite sumrB sumr_const card_code mulrBl mulfV // mulrBr mulr1.
Qed.

(* control: with one head more the coin is not attained, n = K = 1 *)
Theorem res_arbitrary_without_horizon_log_control : ~ (forall (R : realFieldType) (n : nat) (b : R) K (c : code n.+1 2),
  0 <= b <= 2%:R^-1 -> (0 < K <= n)%N ->
  1 - matches b c (excluding_search R n 1 (isT : 1 < 2)%N) K n = 1 - heads (2%:R^-1) (n.+1 - K + K).-1 (n.+2 - K)).
Proof.
pose c : code 2 2 := [ffun=> ord0].
have h0 : 0 <= (0 : rat_realFieldType) <= 2%:R^-1 by rewrite lexx invr_ge0 ler0n.
move=> /(_ rat_realFieldType 1%N 0 1%N c h0 isT).
have [_ /(_ 1%N 0 1%N h0 isT) [-> _]] := res_arbitrary_without_horizon_log rat_realFieldType.
move=> e; have : heads (2%:R^-1 : rat_realFieldType) 1 1 - heads (2%:R^-1) 1 2 = 0 by apply/eqP; rewrite subr_eq0;
  apply/eqP; apply: oppr_inj; apply: (addrI 1).
rewrite (heads_short _ (isT : 1 < 2)%N) subr0 /= mulr0 addr0 mulr1 => /eqP.
by rewrite invr_eq0 pnatr_eq0.
Qed.
