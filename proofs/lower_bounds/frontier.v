(* How far K deployments reach on a hidden code, without a union over the horizon: the number
   of known digits is at most K (l + 1) plus the heads that a coin shows before its K-th tail. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock.

(* the probability that n flips of a coin with heads p show at least m heads *)
Fixpoint heads (R : realFieldType) (p : R) (n m : nat) : R :=
  if m is m'.+1 then (if n is n'.+1 then p * heads p n' m' + (1 - p) * heads p n' m else 0) else 1.

(* at least x heads before the k-th tail: at least x heads in the first x + k - 1 flips *)
Definition before_tail (R : realFieldType) (p : R) (k x : nat) : R := heads p (x + k).-1 x.

Lemma heads_range (R : realFieldType) (p : R) n m : 0 <= p <= 1 -> 0 <= heads p n m <= 1.
Proof.
move=> /andP[p0 p1]; have q0 : 0 <= 1 - p by rewrite subr_ge0.
elim: n m => [|n IH] [|m] /=; rewrite ?lexx ?ler01 //.
have /andP[a0 a1] := IH m; have /andP[b0 b1] := IH m.+1.
rewrite addr_ge0 ?mulr_ge0 //=.
have e : 1 = p * 1 + (1 - p) * 1 :> R by ring.
by rewrite [leRHS]e ler_add // ler_wpmul2l.
Qed.
Lemma before_tail0 (R : realFieldType) (p : R) k : before_tail p k 0 = 1.
Proof. by rewrite /before_tail; case: (_.-1). Qed.
Lemma before_tailS (R : realFieldType) (p : R) k x :
  before_tail p k.+1 x.+1 = p * before_tail p k.+1 x + (1 - p) * before_tail p k x.+1.
Proof. by rewrite /before_tail !addnS addSn. Qed.

Section Frontier.
Variables (R : realFieldType) (n d N : nat) (O : finType) (D X : Type).
Variables (law : code n d -> D -> O -> R) (matched : O -> nat) (psi : strategy O D X).
Hypothesis blind : blind_behind law matched.
Hypothesis reach : short_reach N law matched.
Hypothesis laws : forall c x, is_law (law c x).
Hypothesis d0 : (0 < d)%N.
Variable l : nat.
Hypothesis Nl : (N <= d ^ l)%N.

(* the number of digits that the data show at most *)
Definition known (h : seq O) : nat := \max_(o <- h) (matched o).+1.
(* the sum over all codes of the expectation of f of that number after k deployments *)
Definition total (k : nat) (f : nat -> R) : R :=
  \sum_(h : k.-tuple O) f (known h) * \sum_c history (law c) psi [::] h.
(* at least a - l further heads *)
Definition tau (a : nat) : R := ((d ^ (a - l))%:R)^-1.

Lemma knownP h m : all (fun o => matched o < m)%N h = (known h <= m)%N.
Proof.
rewrite /known; elim: h => [|o h IH] /=; first by rewrite big_nil.
by rewrite big_cons geq_max IH.
Qed.
Lemma known_rcons h o : known (rcons h o) = maxn (known h) (matched o).+1.
Proof. by rewrite /known -cats1 big_cat big_seq1. Qed.

Lemma dR k : 0 < (d ^ k)%:R :> R. Proof. by rewrite ltr0n expn_gt0 d0. Qed.
Lemma hist0 c h : 0 <= history (law c) psi [::] h. Proof. exact: history_ge0. Qed.
Lemma total_le k f g : (forall j, f j <= g j) -> total k f <= total k g.
Proof.
by move=> fg; apply: ler_sum => h _; rewrite ler_wpmul2r // sumr_ge0 // => c _; exact: hist0.
Qed.
Lemma total_comb k a b f g : total k (fun j => a * f j + b * g j) = a * total k f + b * total k g.
Proof.
rewrite /total !mulr_sumr -big_split; apply: eq_bigr => h _ /=.
by rewrite mulrDl !mulrA.
Qed.
Lemma total1 k : total k (fun _ => 1) = (d ^ n)%:R.
Proof.
rewrite /total; under eq_bigr do rewrite mul1r; rewrite exchange_big /=.
transitivity (\sum_(c : code n d) (1 : R)); last by rewrite sumr_const card_code.
apply: eq_bigr => c _.
elim: k => [|k IH].
  by rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP.
rewrite (sum_tuple_rcons k (fun h => history (law c) psi [::] h)) -[RHS]IH; apply: eq_bigr => h _.
under eq_bigr do rewrite history_rcons.
by rewrite -mulr_sumr (proj2 (laws c _)) mulr1.
Qed.

(* one deployment *)
Lemma step k M : (M <= n)%N ->
  total k.+1 (fun j => (M < j)%N%:R) <= total k (fun j => tau (M - j)).
Proof.
move=> Mn; rewrite /total (sum_tuple_rcons k (fun h => (M < known h)%N%:R * \sum_c history (law c) psi [::] h)).
apply: ler_sum => h _; set j := known h.
have S0 : 0 <= \sum_c history (law c) psi [::] h by apply: sumr_ge0 => c _; exact: hist0.
pose bad c := \sum_(o | (M <= matched o)%N) law c (deploy psi h) o.
have tot c : \sum_o history (law c) psi [::] (rcons h o) = history (law c) psi [::] h.
  by under eq_bigr do rewrite history_rcons; rewrite -mulr_sumr (proj2 (laws c _)) mulr1.
case: (ltnP M j) => jM.
  have -> : tau (M - j) = 1.
    by rewrite /tau (_ : (M - j - l = 0)%N) ?expn0 ?invr1 //; apply/eqP;
      rewrite subn_eq0 (leq_trans _ (leq0n l)) // leqn0 subn_eq0 ltnW.
  rewrite mul1r; under eq_bigr => o _ do rewrite known_rcons -/j leq_max jM mul1r.
  by rewrite exchange_big /=; apply: ler_sum => c _; rewrite tot.
have e1 : \sum_o (M < known (rcons h o))%N%:R * (\sum_c history (law c) psi [::] (rcons h o)) =
    \sum_c history (law c) psi [::] h * bad c.
  under eq_bigr => o _ do rewrite known_rcons -/j leq_max ltnS (ltnNge M j) jM /= mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => c _; rewrite /bad [in RHS]big_mkcond mulr_sumr.
  apply: eq_bigr => o _; rewrite history_rcons.
  by case: (M <= matched o)%N; rewrite ?mul1r ?mul0r ?mulr0.
rewrite e1; case: (leqP (M - j) l) => al.
  have -> : tau (M - j) = 1 by rewrite /tau (eqP al) expn0 invr1.
  rewrite mul1r; apply: ler_sum => c _; rewrite ler_pimulr ?hist0 // /bad.
  rewrite -(proj2 (laws c (deploy psi h))) [leRHS](bigID (fun o => (M <= matched o)%N)) /= ler_addl.
  by apply: sumr_ge0 => o _; case: (laws c (deploy psi h)).
(* what is seen depends on the first j digits only *)
have hB : all (fun o => matched o < j)%N h by rewrite knownP.
rewrite -(ler_pmul2l (dR n)) -(refresh j (fun c => history (law c) psi [::] h * bad c)).
have -> : (d ^ n)%:R * (tau (M - j) * \sum_c history (law c) psi [::] h) =
   \sum_c history (law c) psi [::] h * ((d ^ n)%:R * tau (M - j)).
  by rewrite -mulr_suml mulrA mulrC.
apply: ler_sum => c _.
under eq_bigr => e _ do rewrite (history_blind psi [::] blind (mix_agree c e) hB).
rewrite -mulr_sumr ler_wpmul2l ?hist0 //.
have jMn : (j <= M <= n)%N by rewrite jM Mn.
apply: le_trans (reach (deploy psi h) c jMn) _.
rewrite mulrAC [leRHS]mulrC ler_wpmul2r ?ler0n // /tau ler_pdivr_mulr ?dR // mulrC -ler_pdivr_mulr ?invr_gt0 ?dR //
  invrK -natrM ler_nat.
by rewrite -[X in (_ <= d ^ X)%N](subnKC (ltnW al)) expnD leq_mul2r Nl orbT.
Qed.

Lemma tau_split a : (0 < a)%N -> tau a = d%:R^-1 * tau a.-1 + (1 - d%:R^-1) * (a <= l)%N%:R.
Proof.
case: a => // a _; rewrite /tau /=; case: (leqP a.+1 l) => al.
  have -> : (a.+1 - l = 0)%N by apply/eqP.
  have -> : (a - l = 0)%N by apply/eqP; rewrite subn_eq0 ltnW.
  by rewrite expn0 invr1 /= !mulr1 addrCA subrr addr0.
rewrite mulr0 addr0 subSn // expnS natrM invfM //.
Qed.

(* the number of known digits after k deployments is above M with at most the probability
   that a coin shows M + 1 - k (l + 1) heads before its k-th tail *)
Lemma known_tail k M : (M <= n)%N ->
  total k (fun j => (M < j)%N%:R) <= (d ^ n)%:R * before_tail (d%:R^-1) k (M.+1 - k * l.+1).
Proof.
have p01 : 0 <= (d%:R^-1 : R) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ler1n // ltr0n.
have /andP[p0 p1] := p01; have q0 : 0 <= 1 - d%:R^-1 :> R by rewrite subr_ge0.
have bt k' x : 0 <= before_tail (d%:R^-1 : R) k' x by case/andP: (heads_range (x + k').-1 x p01).
elim: k M => [|k IHk] M Mn.
  rewrite /total (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0; apply/esym/eqP.
  by rewrite /known /= big_nil mul0r mulr_ge0 ?ler0n.
apply: le_trans (step k Mn) _.
elim: M Mn => [|M IHM] Mn.
  have -> : (1 - k.+1 * l.+1 = 0)%N by apply/eqP; rewrite subn_eq0 muln_gt0.
  rewrite before_tail0 mulr1 -(total1 k); apply: total_le => j.
  by rewrite /tau sub0n sub0n expn0 invr1.
case: (leqP M.+2 (k.+1 * l.+1)) => big.
  have -> : (M.+2 - k.+1 * l.+1 = 0)%N by apply/eqP.
  rewrite before_tail0 mulr1 -(total1 k); apply: total_le => j.
  by rewrite /tau invf_le1 ?dR // ler1n expn_gt0 d0.
have -> : (M.+2 - k.+1 * l.+1 = (M.+1 - k.+1 * l.+1).+1)%N by rewrite subSn.
rewrite before_tailS mulrDr.
have h1 := IHM (ltnW Mn).
have h2 := IHk (M - l)%N (leq_trans (leq_subr _ _) (ltnW Mn)).
have lM : (l <= M)%N by move: big; rewrite mulSn addSn !ltnS => /(leq_trans (leq_addr _ _)).
have e2 : ((M - l).+1 - k * l.+1 = (M.+1 - k.+1 * l.+1).+1)%N.
  rewrite mulSn addSn subSS subnDA subSn // leq_subRL //.
rewrite e2 in h2.
apply: (@le_trans _ _ (d%:R^-1 * total k (fun j => tau (M - j)) +
    (1 - d%:R^-1) * total k (fun j => (M - l < j)%N%:R))).
  rewrite -total_comb; apply: total_le => j; case: (ltnP M j) => jM.
    have -> : (M.+1 - j = 0)%N by apply/eqP.
    have -> : (M - j = 0)%N by apply/eqP; rewrite subn_eq0 ltnW.
    rewrite (leq_ltn_trans (leq_subr _ _) jM) /tau sub0n expn0 invr1.
    by rewrite /= !mulr1 addrCA subrr addr0.
  rewrite tau_split ?subn_gt0 ?ltnS // subSKn leq_subLR ltn_subLR // addnC; exact: lexx.
rewrite [X in _ <= X + _]mulrCA [X in _ <= _ + X]mulrCA; apply: ler_add; exact: ler_wpmul2l.
Qed.

(* fewer than m digits are matched at least as often as the coin shows fewer heads *)
Theorem frontier_coin k m : (0 < m <= n)%N ->
  (d ^ n)%:R * (1 - before_tail (d%:R^-1) k (m.+1 - k * l.+1)) <= \sum_c miss law matched c psi k m.
Proof.
move=> /andP[m0 mn]; have h := known_tail k mn.
have -> : \sum_c miss law matched c psi k m = total k (fun j => (j <= m)%N%:R).
  rewrite /miss exchange_big; apply: eq_bigr => t _; rewrite mulr_sumr; apply: eq_bigr => c _.
  by rewrite mulrC knownP.
have -> : total k (fun j => (j <= m)%N%:R) = (d ^ n)%:R - total k (fun j => (m < j)%N%:R).
  rewrite -(total1 k) /total -sumrB; apply: eq_bigr => t _; rewrite -mulrBl; congr (_ * _).
  by rewrite ltnNge; case: (_ <= _)%N; rewrite ?subr0 ?subrr.
by rewrite mulrBr mulr1 ler_add2l ler_opp2.
Qed.
End Frontier.

(* [res-arbitrary-without-horizon-log], the first bound.  Locks with n digits, d actions; l is any
   number with N <= d^l; a strategy that deploys K policies of any kind, randomised ones
   included, fails on some lock with probability at least 1 - 1/d times the probability that
   a coin with heads 1/d shows fewer than m = n - K (l + 1) heads in m + K - 1 flips. *)
Theorem lower_without_horizon (R : realFieldType) (n d N : nat) (b : R) (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data n d N] (deployed R d) (deployed R d)) eps K l :
  is_law w -> (1 < d)%N -> (1 < n)%N -> (0 < N)%N -> (N <= d ^ l)%N -> (K * l.+1 < n)%N ->
  2%:R * eps < b -> 0 < b <= 2%:R^-1 ->
  let m := (n - K * l.+1)%N in
  exists c : code n d, (1 - d%:R^-1) * (1 - heads (d%:R^-1) (m + K).-1 m) <=
    \sum_v w v * failure (fun (c : code n d) (x : deployed R d) => data_law (N := N) (lock b c) x)
      (good_output b eps) c (psi v) K.
Proof.
move=> [w0 w1] d1 n1 N0 Nl Kn eb /andP[b0 b1] m.
have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
have d0 := ltnW d1; have n0 := ltnW n1.
have hl (c : code n d) (x : deployed R d) : is_law (data_law (n := n) (N := N) (lock b c) x).
  by apply: data_law_law; [exact: lock_mild|exact: pol_proper].
have m1 : (0 < n.-1 <= n)%N by rewrite leq_pred andbT -subn1 subn_gt0.
have q0 : 0 <= 1 - d%:R^-1 :> R by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
set p := _ * _.
have one v : p * (d ^ n)%:R <= \sum_c failure (fun (c : code n d) (x : deployed R d) =>
    data_law (N := N) (lock b c) x) (good_output b eps) c (psi v) K.
  pose law (c : code n d) (x : deployed R d) := data_law (n := n) (N := N) (lock b c) x.
  have bl : blind_behind law (@matched n d N) by exact: lock_blind.
  have re : short_reach N law (@matched n d N) by exact: lock_reach.
  apply: le_trans (failure_after_miss (good := good_output b eps) (psi v) K bl hl _ d0 n0 (leqnn n.-1));
    last exact: lock_last.
  rewrite /p -mulrA ler_wpmul2l //; have := frontier_coin (psi v) bl re hl d0 Nl K m1.
  by rewrite prednK // mulrC /before_tail.
have tot : p * (d ^ n)%:R <= \sum_c \sum_v w v * failure (fun (c : code n d) (x : deployed R d) =>
    data_law (N := N) (lock b c) x) (good_output b eps) c (psi v) K.
  rewrite exchange_big /= -[leLHS]mul1r.
  have -> : 1 * (p * (d ^ n)%:R) = \sum_v w v * (p * (d ^ n)%:R) by rewrite -mulr_suml w1.
  by apply: ler_sum => v _; rewrite -mulr_sumr ler_wpmul2l.
case: (pickP (fun c => p <= \sum_v w v * failure (fun (c : code n d) (x : deployed R d) =>
    data_law (N := N) (lock b c) x) (good_output b eps) c (psi v) K)) => [c hc|no]; first by exists c.
pose c0 : code n d := [ffun => Ordinal d0].
move: tot; rewrite leNgt => /negP []; rewrite -card_code mulr_natr -sumr_const.
rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=; apply: ltr_le_add; first by rewrite ltNge no.
by apply: ler_sum => c _; rewrite leNgt; apply/negP => h; move: (no c); rewrite ltW.
Qed.

