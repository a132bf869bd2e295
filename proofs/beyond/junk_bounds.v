(* On junk locks the first deployment pays a factor d for every layer, and a later one d - 1: the two lower bounds. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks frontier chains.
From derl.probability Require Import finite chebyshev best_of.
From derl.beyond Require Import sums junk_lock junk_game.

Section Worth.
Variables (R : realFieldType) (n d : nat).
Hypothesis n0 : (0 < n)%N.
Implicit Types (w : lock n d) (p : returned R n d).

Lemma guess_pays w g : fair w -> \sum_(i < n) pays R (transcript w g i).2 =
  if g == digit w then (sign w)%:R else 2%:R^-1.
Proof.
move=> fw; have last : (n.-1 < n)%N by rewrite prednK.
rewrite (bigD1 (Ordinal last)) //= (transcript_path g _ fw) insubF /=; last by rewrite prednK // ltnn.
rewrite shares_all big1 ?addr0 => [|i ni]; first by case: eqP.
rewrite (transcript_path g i fw); case: insubP => [i' _ _|]; first by rewrite /at_layer; case: shares.
rewrite -leqNgt => le; case/negP: ni; apply/eqP/val_inj => /=.
by have := ltn_ord i; lia.
Qed.

(* [res-junk-lock], the values: a policy that plays the code with probability p is worth 1/2 + b p, b = 1/2 or -1/2 *)
Theorem junk_value w p : fair w -> worth w p = 2%:R^-1 + (if sign w then 2%:R^-1 else - 2%:R^-1) * p (digit w).
Proof.
move=> fw; have [p0 p1] := plays_law p; rewrite /worth.
under eq_bigr do rewrite (guess_pays _ fw).
rewrite (bigD1 (digit w)) //= eqxx (eq_bigr (fun g => p g * 2%:R^-1)) => [|g /negPf -> //].
rewrite -mulr_suml; have -> : \sum_(g | g != digit w) p g = 1 - p (digit w).
  by rewrite -p1 [in RHS](bigD1 (digit w)) //= addrC addKr.
by case: (sign w) => /=; field.
Qed.

(* no policy is better, and some policy is as good *)
Lemma best_worth_above w p : fair w -> worth w p <= best_worth R w.
Proof.
move=> fw; rewrite (junk_value p fw) /best_worth; have [p0 p1] := plays_law p.
have q1 : p (digit w) <= 1 by rewrite -p1 (bigD1 (digit w)) //= ler_addl sumr_ge0.
case: (sign w).
  have e : 2%:R^-1 + 2%:R^-1 * 1 = 1 :> R by field.
  by rewrite -[leRHS]e ler_add2l ler_wpmul2l // invr_ge0 ler0n.
by rewrite mulNr ger_addl oppr_le0 mulr_ge0 ?invr_ge0 ?ler0n.
Qed.
Lemma best_worth_attained w : fair w -> (1 < d)%N -> exists p, worth w p = best_worth R w.
Proof.
move=> fw d1; pose i0 := Ordinal n0.
have [a na] : exists a : 'I_d, a != digit w i0.
  have : (0 < #|predC1 (digit w i0)|)%N by rewrite cardC1 card_ord; lia.
  by case/card_gt0P => a; exists a.
pose g := if sign w then digit w else [ffun=> a].
have hp : is_law (fun g' => (g' == g)%:R : R).
  split=> [g'|]; first exact: ler0n.
  by rewrite (bigD1 g) //= eqxx big1 ?addr0 // => g' /negPf ->.
exists (Returned hp); rewrite (junk_value _ fw) /best_worth /= /g; case: (sign w).
  by rewrite eqxx mulr1; field.
have -> : (digit w == [ffun=> a]) = false.
  by apply/negbTE/eqP => e; case/negP: na; rewrite e ffunE.
by rewrite mulr0 addr0.
Qed.

(* an output serves one sign only *)
Lemma one_sign (w w' : lock n d) (eps : R) p : fair w -> fair w' -> digit w = digit w' -> sign w -> ~~ sign w' ->
  eps < 4%:R^-1 -> optimal eps w p -> ~~ optimal eps w' p.
Proof.
move=> fw fw' dw s s' e4; rewrite /optimal (junk_value p fw) (junk_value p fw') /best_worth s (negPf s') -dw.
move: (p (digit w)) => q h1; apply/negP => h2; have := ler_add h1 h2.
rewrite leNgt => /negP; apply; rewrite -subr_gt0.
have -> : 1 - eps + (2%:R^-1 - eps) - (2%:R^-1 + 2%:R^-1 * q + (2%:R^-1 + - 2%:R^-1 * q)) = 2%:R * (4%:R^-1 - eps) :> R.
  by field.
by rewrite mulr_gt0 ?ltr0n ?subr_gt0.
Qed.
End Worth.

Section Bounds.
Variables (R : realFieldType) (n b N : nat).
Local Notation d := b.+1.
Local Notation data := [finType of {ffun 'I_N -> {ffun 'I_n -> 'I_d * place d}}].
Local Notation algorithm := (strategy data (deployed R n d N) (returned R n d)).
Hypotheses (n0 : (0 < n)%N) (b0 : (0 < b)%N) (N0 : (0 < N)%N).

(* the probability that after K deployments the output is not epsilon-optimal *)
Definition misses (eps : R) (w : lock n d) (psi : algorithm) (K : nat) : R :=
  \sum_(h : K.-tuple data) history (fun x : deployed R n d N => deploy_law w x) psi [::] h *
    (~~ optimal eps w (output psi h))%:R.
(* the probability that some trajectory plays the whole code *)
Definition hits (w : lock n d) (psi : algorithm) (K : nat) : R :=
  \sum_(h : K.-tuple data) history (fun x : deployed R n d N => deploy_law w x) psi [::] h *
    (has (fun o => n <= deepest o)%N h)%:R.

(* without a hit the sign is fair *)
Lemma fair_sign (eps : R) (psi : algorithm) K j u : eps < 4%:R^-1 ->
  1 - hits (junk_lock j u true) psi K <=
  misses eps (junk_lock j u true) psi K + misses eps (junk_lock j u false) psi K.
Proof.
move=> e4; rewrite -(history_total psi K [::] (deploy_is_law (junk_lock j u true))) /hits /misses -sumrB -big_split /=.
apply: ler_sum => h _; set p := history _ _ _ _; set q := history _ _ _ _.
have p0 : 0 <= p by apply: history_ge0; exact: deploy_is_law.
have q0 : 0 <= q by apply: history_ge0; exact: deploy_is_law.
case hh: (has _ _); first by rewrite mulr1 subrr addr_ge0 // mulr_ge0 ?ler0n.
have -> : q = p.
  rewrite /p /q; elim: (val h) [::] hh => [|o t IH] pre //= /negbT; rewrite negb_or -ltnNge => /andP[on /negbTE ht].
  by rewrite IH //; congr (_ * _); apply: sign_unseen => //; exact: junk_fair.
rewrite mulr0 subr0 -mulrDr -[leLHS]mulr1 ler_wpmul2l // -natrD ler1n.
case o1: (optimal eps (junk_lock j u true) _) => //=; first rewrite add0n lt0b.
  exact: (one_sign n0 (@junk_fair n b j u true) (@junk_fair n b j u false) (erefl _) isT isT e4 o1).
Qed.

(* the number of locks *)
Local Notation S := ((d * b) ^ n)%N.
Lemma count_locks : \sum_(j : code n d) \sum_(u : code n b) (1 : R) = S%:R.
Proof.
rewrite (eq_bigr (fun=> (b ^ n)%:R)) => [|j _]; last by rewrite sumr_const card_code.
by rewrite sumr_const card_code -[LHS]mulr_natr -natrM mulnC expnMn.
Qed.

(* one of the locks is at least as bad as the average *)
Lemma worst_lock (eps : R) (W : finType) (w : W -> R) (psi : W -> algorithm) K (q : R) : is_law w -> eps < 4%:R^-1 ->
  (forall v, \sum_j \sum_u hits (junk_lock j u true) (psi v) K <= S%:R * q) ->
  exists j u s, 2%:R^-1 * (1 - q) <= \sum_v w v * misses eps (junk_lock j u s) (psi v) K.
Proof.
move=> [w0 w1] e4 hq; pose f j u s := \sum_v w v * misses eps (junk_lock j u s) (psi v) K.
have tot : S%:R * (1 - q) <= \sum_j \sum_u (f j u true + f j u false).
  have -> : S%:R * (1 - q) = \sum_v w v * (S%:R * (1 - q)) by rewrite -mulr_suml w1 mul1r.
  have -> : \sum_j \sum_u (f j u true + f j u false) = \sum_v w v *
      \sum_j \sum_u (misses eps (junk_lock j u true) (psi v) K + misses eps (junk_lock j u false) (psi v) K).
    under [RHS]eq_bigr do rewrite mulr_sumr; rewrite [RHS]exchange_big; apply: eq_bigr => j _ /=.
    under [RHS]eq_bigr do rewrite mulr_sumr; rewrite [RHS]exchange_big; apply: eq_bigr => u _ /=.
    by rewrite /f -big_split; apply: eq_bigr => v _; rewrite mulrDr.
  apply: ler_sum => v _; rewrite ler_wpmul2l //.
  apply: (@le_trans _ _ (\sum_j \sum_u (1 - hits (junk_lock j u true) (psi v) K))).
    rewrite (eq_bigr (fun j => \sum_(u : code n b) (1 : R) - \sum_u hits (junk_lock j u true) (psi v) K)) => [|j _];
      last by rewrite sumrB.
    by rewrite sumrB count_locks mulrBr mulr1 ler_add2l ler_opp2.
  by apply: ler_sum => j _; apply: ler_sum => u _; exact: fair_sign.
case: (pickP (fun t : code n d * code n b * bool => 2%:R^-1 * (1 - q) <= f t.1.1 t.1.2 t.2)) => [[[j u] s] /= h|none].
  by exists j, u, s.
have below j u s : f j u s < 2%:R^-1 * (1 - q) by rewrite ltNge (none (j, u, s)).
exfalso; move: tot; rewrite leNgt => /negP; apply.
have -> : S%:R * (1 - q) = \sum_(j : code n d) \sum_(u : code n b) (2%:R^-1 * (1 - q) + 2%:R^-1 * (1 - q)) :> R.
  by rewrite -count_locks mulr_suml; apply: eq_bigr => j _; rewrite mulr_suml; apply: eq_bigr => u _; field.
have two j u : f j u true + f j u false < 2%:R^-1 * (1 - q) + 2%:R^-1 * (1 - q) by exact: ltr_add.
pose j0 : code n d := [ffun=> ord0]; pose u0 : code n b := [ffun=> Ordinal b0].
rewrite (bigD1 j0) //= [ltRHS](bigD1 j0) //=; apply: ltr_le_add; last first.
  by apply: ler_sum => j _; apply: ler_sum => u _; exact: ltW.
rewrite (bigD1 u0) //= [ltRHS](bigD1 u0) //=; apply: ltr_le_add => //.
by apply: ler_sum => u _; exact: ltW.
Qed.

(* how deep one deployment comes, averaged over the locks *)
Lemma first_reach (x : deployed R n d N) (q : bool) M : (M <= n)%N ->
  \sum_j \sum_u \sum_(o | (M <= deepest o)%N) deploy_law (junk_lock j u q) x o <= S%:R * capped R d N M.
Proof.
move=> Mn; have SR : 0 <= S%:R :> R by exact: ler0n.
have all1 j u : \sum_(o | (M <= deepest o)%N) deploy_law (junk_lock j u q) x o <= 1.
  rewrite -(proj2 (deploy_is_law (junk_lock j u q) x)) [leRHS](bigID (fun o => (M <= deepest o)%N)) /= ler_addl.
  by apply: sumr_ge0 => o _; case: (deploy_is_law (junk_lock j u q) x).
have one : \sum_j \sum_u \sum_(o | (M <= deepest o)%N) deploy_law (junk_lock j u q) x o <= S%:R * 1.
  by rewrite mulr1 -count_locks; apply: ler_sum => j _; apply: ler_sum => u _; exact: all1.
case: (posnP M) => [M0|M0].
  by apply: le_trans one _; rewrite M0 /capped expn0 divr1 ler_wpmul2l // le_minr lexx ler1n.
rewrite /capped minEle; case: ifP => _ //.
have dR : 0 < (d ^ M)%:R :> R by rewrite ltr0n expn_gt0.
apply: (@le_trans _ _ (\sum_j \sum_u \sum_gs x gs * (\sum_k (shares M (digits j u) (gs k))%:R))).
  apply: ler_sum => j _; apply: ler_sum => u _; rewrite deploy_sum big_mkcond; apply: ler_sum => gs _.
  have [x0 _] := guesses_law x.
  rewrite (seen_deep gs (@junk_fair n b j u q) Mn M0); case: existsP => [[k hk]|_]; last first.
    by rewrite mulr_ge0 //; apply: sumr_ge0 => k _; exact: ler0n.
  by rewrite ler_pemulr // (bigD1 k) //= hk ler_addl; apply: sumr_ge0 => k' _; exact: ler0n.
have -> : \sum_j \sum_u \sum_gs x gs * (\sum_k (shares M (digits j u) (gs k))%:R) =
  \sum_gs x gs * (\sum_k \sum_j \sum_(u : code n b) (shares M (digits j u) (gs k))%:R) :> R.
  under eq_bigr do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => gs _ /=.
  under eq_bigr do rewrite -mulr_sumr; rewrite -mulr_sumr; congr (_ * _).
  by under eq_bigr do rewrite exchange_big; rewrite exchange_big.
have [x0 x1] := guesses_law x.
have -> : S%:R * (N%:R / (d ^ M)%:R) = \sum_gs x gs * (N%:R * (S%:R / (d ^ M)%:R)) :> R.
  by rewrite -mulr_suml x1 mul1r mulrCA.
apply: ler_sum => gs _; rewrite ler_wpmul2l //.
rewrite mulr_natl -[N in leRHS]card_ord -sumr_const; apply: ler_sum => k _.
by rewrite ler_pdivl_mulr // mulrC; exact: first_count.
Qed.

(* the same after the junk is known, behind the digits that are known *)
Lemma later_reach j q (x : deployed R n d N) u m M : (m <= M <= n)%N ->
  \sum_e \sum_(o | (M <= deepest o)%N) deploy_law (junk_lock j (mix m u e) q) x o <= (b ^ n)%:R * capped R b N (M - m).
Proof.
move=> mM; have /andP[mM' Mn] := mM; have SR : 0 <= (b ^ n)%:R :> R by exact: ler0n.
have all1 e : \sum_(o | (M <= deepest o)%N) deploy_law (junk_lock j (mix m u e) q) x o <= 1.
  rewrite -(proj2 (deploy_is_law (junk_lock j (mix m u e) q) x)) [leRHS](bigID (fun o => (M <= deepest o)%N)) /=
    ler_addl.
  by apply: sumr_ge0 => o _; case: (deploy_is_law (junk_lock j (mix m u e) q) x).
have one : \sum_e \sum_(o | (M <= deepest o)%N) deploy_law (junk_lock j (mix m u e) q) x o <= (b ^ n)%:R * 1.
  by rewrite mulr1 -(card_code n b) -sum1_card natr_sum; apply: ler_sum => e _; exact: all1.
case: (posnP M) => [M0|M0].
  by apply: le_trans one _; rewrite M0 sub0n /capped expn0 divr1 ler_wpmul2l // le_minr lexx ler1n.
rewrite /capped minEle; case: ifP => _ //.
have bR : 0 < (b ^ (M - m))%:R :> R by rewrite ltr0n expn_gt0 b0.
apply: (@le_trans _ _ (\sum_e \sum_gs x gs * (\sum_k (shares M (digits j (mix m u e)) (gs k))%:R))).
  apply: ler_sum => e _; rewrite deploy_sum big_mkcond; apply: ler_sum => gs _.
  have [x0 _] := guesses_law x.
  rewrite (seen_deep gs (@junk_fair n b j (mix m u e) q) Mn M0); case: existsP => [[k hk]|_]; last first.
    by rewrite mulr_ge0 //; apply: sumr_ge0 => k _; exact: ler0n.
  by rewrite ler_pemulr // (bigD1 k) //= hk ler_addl; apply: sumr_ge0 => k' _; exact: ler0n.
rewrite exchange_big /=; under eq_bigr do rewrite -mulr_sumr exchange_big /=.
have [x0 x1] := guesses_law x.
have -> : (b ^ n)%:R * (N%:R / (b ^ (M - m))%:R) = \sum_gs x gs * (N%:R * ((b ^ n)%:R / (b ^ (M - m))%:R)) :> R.
  by rewrite -mulr_suml x1 mul1r mulrCA.
apply: ler_sum => gs _; rewrite ler_wpmul2l //.
rewrite mulr_natl -[N in leRHS]card_ord -sumr_const; apply: ler_sum => k _.
by rewrite ler_pdivl_mulr // mulrC; exact: later_count.
Qed.

(* K deployments play the whole code with the probability that the sum of the advances, of base d for the first and
   d - 1 for the others, and of K - 1 digits that are shown, is n *)
Lemma hits_sum (psi : algorithm) K : (0 < K)%N ->
  \sum_j \sum_u hits (junk_lock j u true) psi K <=
  S%:R * at_least (capped R d N :: nseq K.-1 (capped R b N)) (n.+1 - K).
Proof.
case: K => // k _ /=; set A := capped R b N; set B := capped R d N.
have [A0 A1 A2] : tail A by exact: capped_tail.
have hB : tail B by exact: capped_tail.
have [B0 B1 B2] := hB.
pose law j u (x : deployed R n d N) := deploy_law (junk_lock j u true) x.
have bl j : blind_behind (law j) (@deepest n d N) by exact: junk_blind.
have ll j u x : is_law (law j u x) by exact: deploy_is_law.
have re j (x : deployed R n d N) u m M : (m <= M <= n)%N ->
  \sum_e \sum_(o | (M <= deepest o)%N) law j (mix m u e) x o <= (b ^ n)%:R * A (M - m)%N by exact: later_reach.
pose T j k' i := total (law j) (@deepest n d N) psi k' (fun m => lacking A i (n.+1 - m)).
have st j k' i : T j k'.+1 i <= T j k' i.+1.
  exact: (total_step (bl j) (ll j) b0 A0 A1 A2 (re j) psi k' i (leqnn n)).
have down j k' i : T j k'.+1 i <= T j 1%N (k' + i)%N.
  elim: k' i => [|k' IH] i; first exact: lexx.
  by apply: le_trans (st j k'.+1 i) _; apply: le_trans (IH i.+1) _; rewrite addSnnS.
have start : \sum_j \sum_u hits (junk_lock j u true) psi k.+1 = \sum_j T j k.+1 0%N.
  apply: eq_bigr => j _; rewrite /T /total /hits exchange_big; apply: eq_bigr => h _ /=.
  by rewrite -mulr_suml mulrC -(has_known A).
rewrite start; apply: (@le_trans _ _ (\sum_j T j 1%N k)).
  by apply: ler_sum => j _; rewrite -[k in leRHS]addn0; exact: down.
pose x := deploy psi [::]; pose L o := \sum_j \sum_u law j u x o.
have LS : \sum_o L o = S%:R.
  rewrite exchange_big -count_locks; apply: eq_bigr => j _ /=; rewrite exchange_big; apply: eq_bigr => u _ /=.
  by case: (ll j u x).
have -> : \sum_j T j 1%N k = \sum_o L o * lacking A k (n.+1 - maxn 0 (deepest o).+1).
  rewrite /T /total exchange_big (sum_tuple_cons 0 (fun h => \sum_j lacking A k (n.+1 - known (@deepest n d N) h)
    * \sum_u history (law j u) psi [::] h)).
  apply: eq_bigr => o _; rewrite (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0; apply/esym/eqP.
  rewrite -mulr_sumr mulrC /known big_cons big_nil maxn0 max0n; congr (_ * _).
  by apply: eq_bigr => j _; apply: eq_bigr => u _; rewrite /= mulr1.
rewrite (value_step A k (leq0n n) LS (T := fun a => \sum_(o | (0 + a <= deepest o)%N) L o)) // subn0.
apply: (@le_trans _ _ (S%:R * lacking A k n.+1 +
    \sum_(a < n.+1) (lacking A k (n.+1 - a.+1) - lacking A k (n.+1 - a)) * (S%:R * B a))).
  rewrite ler_add2l; apply: ler_sum => a _; rewrite ler_wpmul2l //.
    rewrite subr_ge0 subSn; last by rewrite -ltnS.
    by rewrite subSS; case/andP: (lacking_mono A0 A1 A2 k (n - a)).
  rewrite add0n; apply: le_trans (first_reach x true _); last by rewrite -ltnS.
  rewrite exchange_big; apply: ler_sum => j _ /=; rewrite exchange_big; exact: lexx.
rewrite [X in _ + X <= _](eq_bigr (fun a : 'I_n.+1 => S%:R * ((lacking A k (n.+1 - a.+1) - lacking A k (n.+1 - a)) * B
  a))) => [|a _]; last by rewrite mulrCA.
rewrite -mulr_sumr -mulrDr ler_wpmul2l ?ler0n //.
rewrite (abel (fun a => lacking A k (n.+1 - a)) B) subnn subn0 B0 mulr1 mul1r.
rewrite [leLHS]addrA [X in X + _]addrCA subrr addr0 [leLHS]addrC.
have hs k' : tails (nseq k' A) by elim: k' => //= k' IH; split.
rewrite subSS -[leRHS]/(at_least (B :: nseq k A) (n - k)) -(at_least_cut n k hB (hs k)) ler_add2r.
apply: ler_sum => a _; rewrite ler_wpmul2l ?subr_ge0 // subSS.
have -> : (n - a = (n - a.+1).+1)%N by rewrite subnSK.
by rewrite [leLHS]/=; apply: le_trans (reveal_at_least k _ _) _.
Qed.


(* one deployment of independent trajectories *)
Lemma hits_independent (psi : algorithm) (p : code n d -> R) : is_law p ->
  (forall gs, deploy psi [::] gs = draws p gs) ->
  \sum_j \sum_u hits (junk_lock j u true) psi 1 <= S%:R * (1 - (1 - (d ^ n)%:R^-1) ^+ N).
Proof.
move=> hp hd; have [p0 p1] := hp.
have hitE j u : hits (junk_lock j u true) psi 1 = 1 - (1 - p (digits j u)) ^+ N.
  rewrite /hits (sum_tuple_cons 0 (fun h => history (fun x : deployed R n d N => deploy_law (junk_lock j u true) x) psi
    [::] h * (has (fun o => n <= deepest o)%N h)%:R)).
  transitivity (\sum_(o | (n <= deepest o)%N) deploy_law (junk_lock j u true) (deploy psi [::]) o).
    rewrite [RHS]big_mkcond; apply: eq_bigr => o _; rewrite (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0;
      apply/esym/eqP.
    by rewrite /= orbF mulr1; case: (n <= _)%N; rewrite ?mulr1 ?mulr0.
  rewrite deploy_sum (eq_bigl (fun gs : {ffun 'I_N -> code n d} => [exists k, (gs k == digits j u)])) => [|gs];
    last first.
    rewrite (seen_deep gs (@junk_fair n b j u true) (leqnn n) n0); apply: eq_existsb => k; exact: shares_all.
  rewrite (eq_bigr (draws p)) => [|gs _]; last exact: hd.
  by rewrite (some_good N hp (pred1 (digits j u))) big_pred1_eq.
under eq_bigr do under eq_bigr do rewrite hitE.
rewrite pair_big /= -(card_code n d); have -> : S%:R = #|[finType of code n d * code n b]|%:R :> R.
  by rewrite card_prod !card_code -expnMn.
apply: (@average_tries R [finType of code n d * code n b] (fun t => p (digits t.1 t.2))).
- move=> t; rewrite p0 /= -p1 (bigD1 (digits t.1 t.2)) //= ler_addl; exact: sumr_ge0.
- by rewrite invr_ge0 ler0n invf_le1 ?ler1n ?ltr0n // card_code expn_gt0.
rewrite -(pair_big xpredT xpredT (fun j u => p (digits j u))) /= card_prod !card_code -expnMn.
have dR : 0 < (d ^ n)%:R :> R by rewrite ltr0n expn_gt0.
have -> : \sum_j \sum_u p (digits j u) = \sum_g p g * (\sum_j \sum_(u : code n b) (shares n (digits j u) g)%:R).
  under [RHS]eq_bigr do rewrite mulr_sumr; rewrite [RHS]exchange_big; apply: eq_bigr => j _ /=.
  under [RHS]eq_bigr do rewrite mulr_sumr; rewrite [RHS]exchange_big; apply: eq_bigr => u _ /=.
  rewrite (bigD1 (digits j u)) //= shares_all eqxx mulr1 big1 ?addr0 // => g /negPf ng.
  by rewrite shares_all ng mulr0.
have -> : S%:R * (d ^ n)%:R^-1 = \sum_g p g * (S%:R * (d ^ n)%:R^-1) :> R by rewrite -mulr_suml p1 mul1r.
by apply: ler_sum => g _; rewrite ler_wpmul2l // ler_pdivl_mulr // mulrC; exact: first_count.
Qed.
End Bounds.

(* [res-first-deployment-base]: one deployment of N trajectories whose actions may be chosen jointly, and of N
   independent trajectories of one policy; d = b + 1 digits, n = H - 1 *)
Theorem first_deployment (R : realFieldType) (n b N : nat) (eps : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of {ffun 'I_N -> {ffun 'I_n -> 'I_b.+1 * place b.+1}}] (deployed R n b.+1 N)
  (returned R n b.+1)) : (0 < n)%N -> (0 < b)%N -> (0 < N)%N -> eps < 4%:R^-1 -> is_law w ->
  (exists j u s, 2%:R^-1 * (1 - N%:R / (b.+1 ^ n)%:R) <= \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) 1) /\
  forall p : W -> code n b.+1 -> R, (forall v, is_law (p v)) -> (forall v gs, deploy (psi v) [::] gs = draws (p v) gs)
  -> exists j u s, 2%:R^-1 * (1 - (b.+1 ^ n)%:R^-1) ^+ N <= \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) 1.
Proof.
move=> n0 b0 N0 e4 hw; split=> [|p hp hd].
  have [|j [u [s h]]] := @worst_lock R n b N n0 b0 eps W w psi 1 (capped R b.+1 N n) hw e4.
    move=> v; have := hits_sum b0 N0 (psi v) (ltn0Sn 0); rewrite subSS subn0.
    have -> // : at_least (capped R b.+1 N :: nseq 0 (capped R b N)) n = capped R b.+1 N n.
    by rewrite /= big1 ?add0r // => a _; rewrite subn_eq0 leqNgt ltn_ord mulr0.
  exists j, u, s; apply: le_trans h; rewrite ler_wpmul2l ?invr_ge0 ?ler0n // ler_add2l ler_opp2.
  by rewrite /capped le_minl lexx orbT.
have [|j [u [s h]]] := @worst_lock R n b N n0 b0 eps W w psi 1 (1 - (1 - (b.+1 ^ n)%:R^-1) ^+ N) hw e4.
  by move=> v; exact: (hits_independent n0 (hp v) (hd v)).
by exists j, u, s; move: h; rewrite subKr.
Qed.

Lemma tails_capped (R : realFieldType) b N k : (0 < b)%N -> (0 < N)%N -> tails (nseq k (capped R b N)).
Proof. by move=> b0 N0; elim: k => //= k IH; split=> //; exact: capped_tail. Qed.

(* [res-later-deployments-base]: K deployments of N trajectories of any policies; d = b + 1 digits, n = H - 1.  The
   probability that X_1 + ... + X_K is n - K at most is that it is not n + 1 - K at least *)
Theorem later_deployments (R : realFieldType) (n b N K : nat) (eps : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of {ffun 'I_N -> {ffun 'I_n -> 'I_b.+1 * place b.+1}}] (deployed R n b.+1 N)
  (returned R n b.+1)) : (0 < n)%N -> (1 < b)%N -> (0 < N)%N -> (0 < K)%N -> eps < 4%:R^-1 -> is_law w ->
  (exists j u s,
    2%:R^-1 * (1 - at_least (capped R b.+1 N :: nseq K.-1 (capped R b N)) (n.+1 - K)) <=
    \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) K) /\
  forall l1 l m : nat, (N <= b.+1 ^ l1)%N -> (N <= b ^ l)%N -> (0 < m)%N -> (n = l1 + K.-1 * l.+1 + m)%N ->
  exists j u s, 2%:R^-1 * (1 - m%:R^-1 * (b%:R^-1 + K.-1%:R / (b%:R - 1))) <=
    \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) K.
Proof.
move=> n0 b1 N0 K0 e4 hw; have b0 := ltnW b1; set q := at_least _ _.
have main : exists j u s, 2%:R^-1 * (1 - q) <= \sum_v w v * misses eps (@junk_lock n b j u s) (psi v) K.
  by apply: worst_lock => // v; exact: hits_sum.
split=> // l1 l m Nl1 Nl m0 nE; have [j [u [s h]]] := main; exists j, u, s; apply: le_trans h.
rewrite ler_wpmul2l ?invr_ge0 ?ler0n // ler_add2l ler_opp2.
have mR : 0 < m%:R :> R by rewrite ltr0n.
rewrite -(ler_pmul2l mR) mulrA mulfV ?gt_eqF // mul1r.
have many k : forall M c : nat, M%:R * at_least (nseq k (capped R b N)) (k * l + M - c) <= k%:R * (b%:R - 1)^-1 + c%:R.
  elim: k => [|k IH] M c; first by rewrite mul0r; exact: excess_nil.
  have := excess_step (capped_tail R b0 N0) (tails_capped R k b0 N0) (@capped_level R b N l b1 Nl) IH M c.
  rewrite mulSn -/(nseq k.+1 _) => le; apply: le_trans le _.
  by rewrite -[k.+1]addn1 natrD mulrDl mul1r addrC [in X in _ <= X]addrC [(b%:R - 1)^-1 + _]addrC lexx.
have b2 : (1 < b.+1)%N by rewrite ltnS.
have xE : (n.+1 - K = l1 + K.-1 * l + m - 0)%N by rewrite nE mulnS; move: (K.-1 * l)%N; lia.
have := excess_step (capped_tail R (ltnW b2) N0) (tails_capped R K.-1 b0 N0) (@capped_level R b.+1 N l1 b2 Nl1)
  (many K.-1) m 0%N.
rewrite -xE -/q addr0 -[b.+1%:R]/(b.+1%:R) (_ : b.+1%:R - 1 = b%:R) //.
by rewrite -[b.+1]addn1 natrD addrK.
Qed.
